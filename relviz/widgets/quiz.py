"""Quiz and flash cards: every option answers with its own reason; nothing is only right or wrong."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import Any

from relviz.locale import labelled, listed, say, short, words
from relviz.widgets.base import Output, page

__all__ = ["Card", "Option", "Question", "flash_cards", "quiz"]

LEVELS = ("easy", "medium", "hard")


@dataclass(frozen=True)
class Option:
    """One answer to choose: its text, and why it is right or which misconception it comes from."""

    text: str
    why: str
    right: bool = False


@dataclass(frozen=True)
class Question:
    """A question with its options. With `several`, all right ones are to be chosen; else exactly one is right."""

    text: str
    options: Sequence[Option]
    several: bool = False


@dataclass(frozen=True)
class Card:
    """One interview question: an answer of 30 seconds, one of 3 minutes, and the trap in it."""

    question: str
    short: str
    long: str
    trap: str
    level: str = "medium"


def quiz(questions: Iterable[Question | Mapping[str, Any]], title: str = "") -> Output:
    """Questions to answer in place; each option says why it is right or what it mixes up. First used in lesson 00.

    A question is a `Question` or a mapping of its fields, as a data file holds it.
    """
    asked = [_question(number, question) for number, question in enumerate(questions, start=1)]
    if not asked:
        raise ValueError(say("errors.quiz_empty"))
    title = title or say("quiz.title")
    items = "\n".join(
        f'<li><p><strong>{escape(question.text)}</strong></p>\n<ul style="list-style:none">\n'
        + "\n".join(
            f"<li><details><summary>{escape(option.text)}</summary><p>{escape(_answer(option))}</p></details></li>"
            for option in question.options
        )
        + "\n</ul></li>"
        for question in asked
    )
    html = page("quiz", title, f'<ol class="rv-static">\n{items}\n</ol>', _data(questions=[asdict(q) for q in asked]))
    lines = [title]
    for number, question in enumerate(asked, start=1):
        lines += ["", f"{number}. {question.text}"]
        for letter, option in zip("abcdefghijklmnopqrstuvwxyz", question.options):
            lines += [f"   {letter}) {option.text}", f"      {_answer(option)}"]
    return Output(html, "\n".join(lines))


def flash_cards(cards: Iterable[Card | Mapping[str, Any]], title: str = "") -> Output:
    """Interview questions, one at a time, each with two answers and its trap behind a button. First used in lesson 02.

    A card is a `Card` or a mapping of its fields. level: "easy", "medium" or "hard".
    """
    stack = [card if isinstance(card, Card) else Card(**card) for card in cards]
    if not stack:
        raise ValueError(say("errors.cards_empty"))
    for number, card in enumerate(stack, start=1):
        if card.level not in LEVELS:
            raise ValueError(say("errors.card_level", number=number, choices=listed(LEVELS), got=short(card.level)))
    title = title or say("quiz.cards_title")
    html, lines = [], [title]
    for number, card in enumerate(stack, start=1):
        sides = [(say(f"quiz.{side}"), getattr(card, side)) for side in ("short", "long", "trap")]
        level = say("text.brackets", words=say(f"quiz.{card.level}"))
        html.append(
            f"<li><p><strong>{escape(card.question)}</strong>{escape(level)}</p>\n"
            + "\n".join(
                f"<details><summary>{escape(name)}</summary><p>{escape(words)}</p></details>" for name, words in sides
            )
            + "</li>"
        )
        lines += ["", f"{number}. {card.question}{level}", *(f"   {labelled(*side)}" for side in sides)]
    fallback = '<ol class="rv-static">\n' + "\n".join(html) + "\n</ol>"
    return Output(page("quiz", title, fallback, _data(cards=[asdict(card) for card in stack])), "\n".join(lines))


def _data(**content: Any) -> dict[str, Any]:
    return {"words": {**words("quiz"), "gap": say("text.gap")}, **content}


def _question(number: int, given: Question | Mapping[str, Any]) -> Question:
    question = given if isinstance(given, Question) else Question(**given)
    options = [option if isinstance(option, Option) else Option(**option) for option in question.options]
    right = sum(option.right for option in options)
    where = {"number": number, "text": short(question.text)}
    if len(options) < 2:
        raise ValueError(say("errors.question_options", got=len(options), **where))
    if right == 0 or (right > 1 and not question.several):
        raise ValueError(say("errors.question_right", right=right, **where))
    for option in options:
        if not option.why.strip():
            raise ValueError(say("errors.question_why", option=short(option.text), **where))
    return Question(question.text, options, question.several)


def _answer(option: Option) -> str:
    """Whether the option is right, and why."""
    return say("text.gap").join([say("quiz.right" if option.right else "quiz.wrong"), option.why])
