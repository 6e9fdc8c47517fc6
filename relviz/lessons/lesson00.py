"""The self-check of lesson 00: five questions, each with the lesson that answers it; and what it shows in passing."""

from typing import Any

from relviz.lessons import Exercise
from relviz.locale import say


def choice(key: str, right: str, *wrong: str) -> Exercise:
    """A question with lettered options; each wrong one has an answer of its own."""
    return Exercise(key, right, mistakes={letter: letter for letter in wrong}, hints=1)


EXERCISES = [
    choice("00.1", "c", "a", "b"),
    choice("00.2", "b", "a", "c"),
    choice("00.3", "a", "b", "c"),
    choice("00.4", "c", "a", "b"),
    choice("00.5", "a", "b", "c"),
]


def questions() -> list[dict[str, Any]]:
    """Two questions to ask a room, in the language chosen last; b is right in both."""
    return [
        {
            "text": say(f"lesson00.ask{n}.text"),
            "options": [
                {"text": say(f"lesson00.ask{n}.{o}"), "why": say(f"lesson00.ask{n}.{o}.why"), "right": o == "b"}
                for o in "abc"
            ],
        }
        for n in (1, 2)
    ]


def cards() -> list[dict[str, str]]:
    """Three interview questions to begin with, in the language chosen last."""
    fields = ("question", "short", "long", "trap", "level")
    return [{field: say(f"lesson00.card{n}.{field}") for field in fields} for n in (1, 2, 3)]
