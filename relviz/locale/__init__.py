"""The words of widgets, steps and plots, in English and Chinese.

`en/NAME.json` and `zh/NAME.json` hold the same keys with the same {places}; a test says so. A key is written
"NAME.key": `say("player.next")`, `say("steps.recall.words", k=5)`.
"""

import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

__all__ = ["LANGUAGES", "labelled", "language", "listed", "say", "set_language", "short", "words"]

LANGUAGES = ("en", "zh")
_language = "en"


def set_language(language: str) -> None:
    """Choose the language of everything that relviz shows from now on: "en" or "zh". First used in lesson 00."""
    global _language
    if not isinstance(language, str) or language not in LANGUAGES:
        raise ValueError(say("errors.language", choices=listed(LANGUAGES), got=short(language)))
    _language = language


def language() -> str:
    """The language chosen last."""
    return _language


def say(key: str, **places: object) -> str:
    """The words of a key in the language chosen last, with their places filled. First used in lesson 00."""
    file, _, name = key.partition(".")
    return _words(_language, file)[name].format(**places)


def listed(things: Iterable[object], most: int | None = None) -> str:
    """The things in a row, or the first few and a sign that there are more."""
    texts = [str(thing) for thing in things]
    more = say("text.more") if most is not None and len(texts) > most else ""
    return say("text.comma").join(texts[:most]) + more


def labelled(name: object, words: object) -> str:
    """A name, and behind a colon what is said of it."""
    return say("text.colon", name=name, words=words)


def short(value: object) -> str:
    """The value as Python writes it, on one line, cut where it would flood the words around it."""
    try:
        text = re.sub(r"\s*\n\s*", " ", repr(value))
    except ValueError:  # an int of more than 4300 digits has no repr
        return say("files.digits")
    return text if len(text) <= 80 else text[:77] + "..."


def words(file: str) -> dict[str, str]:
    """All words of a file in the language chosen last, their {places} open: a script fills them."""
    return dict(_words(_language, file))


@cache
def _words(language: str, file: str) -> dict[str, str]:
    return json.loads((Path(__file__).parent / language / f"{file}.json").read_text(encoding="utf-8"))
