"""The course's own collection: documents, queries and judgements of a small blogging site."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from relviz.locale import language, say, short

__all__ = ["Collection", "bughunt_path", "load_bughunt"]


@dataclass(frozen=True)
class Collection:
    """Documents `{id: text}`, queries `{id: text}`, judgements `{query: {document: grade}}`, and notes on both.

    `english` holds the translations of documents and queries, for readers only: nothing is ever indexed from them.
    `about` holds version, date and module of each document, and source, module and type of each query.
    """

    docs: dict[str, str]
    queries: dict[str, str]
    qrels: dict[str, dict[str, int]]
    english: dict[str, str]
    about: dict[str, dict[str, str]]

    def read(self, name: str) -> str:
        """The text of a document or query for the reader: as it was written, or translated after set_language("en")."""
        texts = {**self.docs, **self.queries} if language() == "zh" else self.english
        if not isinstance(name, str) or name not in texts:
            raise ValueError(say("errors.not_in_collection", name=short(name)))
        return texts[name]


def load_bughunt() -> Collection:
    """BugHunt: 38 bug reports, requirement clauses and exploration notes, 30 queries, grades 0, 1 and 2.

    Made for this course in the form of chapter 000, whose own data did not come with it. First used in lesson 00.
    """
    data, meta = _json("data.json"), _json("meta.json")
    return Collection(
        docs=data["docs"],
        queries={q["id"]: q["text"] for q in data["queries"]},
        qrels={q["id"]: q["rel"] for q in data["queries"]},
        english=_json("en.json"),
        about={**meta["docs"], **meta["queries"]},
    )


def bughunt_path(name: str = "") -> Path:
    """Where a file of the collection lies, for example `bughunt_path("runs/bm25.run")`."""
    package = Path(__file__).parent
    installed = package / "data"
    return (installed if installed.exists() else package.parent / "data") / "bughunt" / name


@cache
def _read(name: str) -> str:
    return bughunt_path(name).read_text(encoding="utf-8")


def _json(name: str) -> Any:
    return json.loads(_read(name))
