"""What quiz and flash cards hold where no script runs, and what they refuse; tests/browser/ has the rest."""

import pytest

from relviz.locale import set_language
from relviz.widgets.quiz import Card, Option, Question, flash_cards, quiz

HOSTILE = "</script><!-- <img src=x onerror=alert(1)>"
QUESTION = {
    "text": "Which one sees the order?",
    "options": [
        {"text": "recall", "why": "It counts who is there."},
        {"text": "RR", "why": "It asks for a rank.", "right": True},
    ],
}
CARD = Card("Why not the mean rank?", "One miss ruins it.", "Ranks 1, 1, 1, 10.", "MRR 0.5 is not rank 2.", "hard")


@pytest.fixture(autouse=True)
def _english_afterwards():
    yield
    set_language("en")


def test_every_option_and_its_reason_is_in_both_forms():
    for form in quiz([QUESTION])._repr_mimebundle_().values():
        for words in ("Which one sees the order?", "recall", "It counts who is there.", "It asks for a rank."):
            assert words in form
        assert form.index("✕ No.") < form.index("✓ Right.")


def test_a_mapping_is_the_same_as_the_dataclasses():
    options = (Option("recall", "It counts who is there."), Option("RR", "It asks for a rank.", right=True))
    assert quiz([Question("Which one sees the order?", options)]) == quiz([QUESTION])


def test_cards_hold_both_answers_and_the_trap():
    set_language("zh")
    for form in flash_cards([CARD])._repr_mimebundle_().values():
        for words in (CARD.question, CARD.short, CARD.long, CARD.trap, "30 秒回答", "3 分钟回答", "坑", "难"):
            assert words in form


def test_hostile_text_stays_text():
    options = [Option(HOSTILE, HOSTILE, right=True), Option("b", "c")]
    for out in (quiz([Question(HOSTILE, options)], HOSTILE), flash_cards([Card(HOSTILE, HOSTILE, HOSTILE, HOSTILE)])):
        assert "<img" not in out.html
        assert out.html.count("</script>") == 2


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: quiz([]), "at least one question"),
        (lambda: flash_cards([]), "at least one card"),
        (
            lambda: quiz([QUESTION, Question("And?", [Option("a", "b", right=True)])]),
            "question 2, .*at least two options",
        ),
        (lambda: quiz([Question("And?", [Option("a", "b"), Option("c", "d")])]), "has 0 right options"),
        (lambda: quiz([Question("And?", [Option("a", "b", True), Option("c", "d", True)])]), "has 2 right options"),
        (lambda: quiz([Question("And?", [Option("a", "b", True), Option("c", " ")])]), "nothing about the option 'c'"),
        (lambda: flash_cards([CARD, Card("a", "b", "c", "d", "brutal")]), "level of card 2"),
    ],
)
def test_an_incomplete_quiz_is_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()
