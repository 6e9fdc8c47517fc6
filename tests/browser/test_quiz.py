"""Quiz and flash cards in Chromium, by mouse and by keyboard alone."""

import pytest

from relviz import set_language
from relviz.widgets.quiz import Card, Option, Question, flash_cards, quiz

pytestmark = pytest.mark.browser

HOSTILE = '<img src=x onerror="window.hit=1">'
ONE = Question("Which one sees the order?", [Option("recall", "It counts."), Option("RR", "It asks for a rank.", True)])
MANY = Question(
    "Which see the order?",
    [Option("RR", "A rank.", True), Option("precision", "A count."), Option("nDCG", "A discount.", True)],
    several=True,
)
CARDS = [Card("First?", "short 1", "long 1", "trap 1"), Card(HOSTILE, HOSTILE, HOSTILE, HOSTILE, "hard")]


def test_every_option_answers_for_itself(show):
    page = show(quiz([ONE, MANY]))
    page.get_by_role("button", name="recall").click()
    assert page.locator(".rv-why").nth(0).inner_text() == "✕ No. It counts."
    assert page.locator(".rv-why").nth(1).inner_text() == ""
    page.get_by_role("button", name="RR").click()
    assert page.locator(".rv-why").nth(1).inner_text() == "✓ Right. It asks for a rank."
    assert page.locator(".rv-score").inner_text() == "Answered: 1 of 2. Right at the first try: 0."


def test_several_are_checked_one_by_one_with_the_keyboard(show):
    page = show(quiz([MANY]))
    page.get_by_role("checkbox", name="RR").focus()
    for key in ["Space", "Tab", "Space", "Tab", "Tab", "Enter"]:
        page.keyboard.press(key)
    assert page.locator(".rv-why").all_inner_texts() == [
        "✓ Right, and you chose it. A rank.",
        "✕ No, though you chose it. A count.",
        "✕ Right, but you left it out. A discount.",
    ]
    well = page.locator(".rv-option").evaluate_all("l => l.map((e) => e.classList.contains('rv-right'))")
    assert well == [True, False, False]
    assert page.locator(".rv-verdict").inner_text().startswith("1 of 3")
    page.get_by_role("button", name="Start again").press("Enter")
    assert page.locator(".rv-verdict").inner_text() == ""


def test_cards_turn_and_close(show):
    page = show(flash_cards(CARDS))
    page.get_by_role("button", name="In 3 minutes").focus()
    page.keyboard.press("Enter")
    assert page.get_by_text("long 1").locator("visible=true").count() == 1
    page.keyboard.press("ArrowRight")
    assert page.locator(".rv-question").inner_text() == HOSTILE
    assert page.locator(".rv-answer").locator("visible=true").count() == 0
    page.keyboard.press("ArrowRight")
    assert page.locator(".rv-position").inner_text() == "Card 2 of 2"
    assert page.evaluate("window.hit") is None


def test_keys_stay_inside_and_every_control_keeps_the_notebooks_shortcuts_away(show):
    page = show(quiz([ONE, MANY]), flash_cards(CARDS))
    page.evaluate("window.heard = []; document.addEventListener('keydown', (e) => heard.push(e.key))")
    page.get_by_role("button", name="The trap").focus()
    for key in ["ArrowRight", "ArrowLeft", "b", "Enter", " "]:
        page.keyboard.press(key)
    assert page.evaluate("heard") == []
    bare = page.evaluate("""[...document.querySelectorAll('.relviz :is(button, input, select, [tabindex])')]
        .filter((e) => e.dataset.lmSuppressShortcuts !== 'true').map((e) => e.outerHTML)""")
    assert bare == []


def test_without_scripts_reasons_are_one_click_away(show):
    page = show(quiz([ONE]), java_script_enabled=False)
    page.get_by_text("recall").click()
    assert page.get_by_text("It counts.").is_visible()
    assert not page.get_by_text("It asks for a rank.").is_visible()


@pytest.mark.parametrize("scripts", [True, False])
def test_paper_has_every_reason_and_every_answer(show, scripts):
    page = show(quiz([ONE, MANY]), flash_cards(CARDS[:1]), java_script_enabled=scripts)
    page.emulate_media(media="print")
    for words in ("It counts.", "It asks for a rank.", "A discount.", "short 1", "long 1", "trap 1"):
        assert page.locator("p", has_text=words).locator("visible=true").count() == 1, words
    assert page.get_by_role("button").count() == 0
    if scripts:
        page.emulate_media(media="screen")
        assert not page.locator(".rv-static").first.is_visible()


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [380, 1280])
def test_no_violation_and_no_sideways_scroll(show, axe, language, dark, width):
    set_language(language)
    page = show(quiz([ONE, MANY]), flash_cards(CARDS), width=width, dark=dark)
    page.locator(".rv-option").nth(0).click()
    page.locator(".rv-check").click()
    page.locator(".rv-cards .rv-option").nth(2).click()
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
