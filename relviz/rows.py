"""The rules for judgements and runs, each decided once: what an id, a grade and a score may be.

Whatever the form (a line of a file, a row of a DataFrame, an entry of a dict), it becomes a `Row` and goes through
`gather`, which returns `{query: {document: value}}` or says in one sentence where it stopped and what to do.
"""

import math
import re
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np

__all__ = [
    "NAMES",
    "NO_DOC",
    "Lenient",
    "Row",
    "Source",
    "columns",
    "gather",
    "grade",
    "in_memory",
    "nested_rows",
    "score",
]

NO_DOC = object()  # in place of a document: the query is there, and holds nothing


Lenient = bool | list[str]


class Row(NamedTuple):
    """One judgement or one retrieved document; `line` is 0 where lines cannot be told."""

    line: int
    query: Any
    doc: Any
    value: Any


class Source:
    """Where rows come from, and what happens when one breaks a rule.

    lenient False: the first problem is a ValueError. A list: what can be mended is, and a sentence that says how is
    appended, so that nothing happens in silence. True: `tell` shows these sentences in one warning.
    """

    def __init__(self, name: str, lenient: Lenient = False, unit: str = "line") -> None:
        self.name, self.unit, self.aloud = name, unit, lenient is True
        self.mended = lenient if isinstance(lenient, list) else [] if lenient else None

    def problem(self, line: int, what: str, *, todo: str, mend: str) -> None:
        """Raise `what` with the advice `todo`, or note `what` and how it was mended."""
        where = f"{self.name}, {self.unit} {line}" if line else self.name
        if self.mended is None:
            raise ValueError(f"{where}: {what}. {todo}")
        self.mended.append(f"{where}: {what}; {mend}")

    def tell(self) -> None:
        """Show what was mended, unless a list was given to collect it."""
        if self.aloud and self.mended:
            warnings.warn(f"{self.name}: {len(self.mended)} mended\n" + "\n".join(self.mended), stacklevel=4)


# ---------- what a value may be ----------


def grade(value: object) -> int:
    """A grade as an int; ValueError unless it is a whole number of at most nine digits."""
    if isinstance(value, str) and re.fullmatch("[+-]?[0-9]{1,9}", value):
        return int(value)
    if isinstance(value, Integral) and not isinstance(value, bool) and abs(int(value)) < 10**9:
        return int(value)
    raise ValueError(f"grade {short(value)} is no whole number of at most nine digits")


def score(value: object) -> float:
    """A score as a float; ValueError unless it is a finite number."""
    plain = value.isascii() and "_" not in value if isinstance(value, str) else isinstance(value, Real)
    try:
        number = float(value) if plain and not isinstance(value, bool) else None  # type: ignore[arg-type]
    except (ValueError, OverflowError):
        number = None
    if number is None or not math.isfinite(number):
        raise ValueError(f"score {short(value)} is no finite number")
    return number


ADVICE: dict[Any, str] = {
    grade: "Grades are whole numbers: 0 for not relevant, 1, 2, ... for relevant",
    score: "Scores are numbers such as 12.5 or 1e-3, larger for better",
}


def short(value: object) -> str:
    """The value as Python writes it, cut where it would flood the message."""
    try:
        text = repr(value)
    except ValueError:  # an int of more than 4300 digits has no repr
        return "with thousands of digits"
    return text if len(text) <= 80 else text[:77] + "..."


def text_id(value: object, what: str, source: Source, line: int) -> str | None:
    """An id as it stands. Text is never read as a number, a number never taken for text; None: leave the row out."""
    if isinstance(value, str):
        if value and (value.isascii() or encodable(value)):
            return value
        problem = f"{what} id is empty" if not value else f"{what} id {short(value)} is no valid Unicode text"
        source.problem(line, problem, todo="Give every row both ids, as text", mend="left out")
        return None
    if (
        value is None
        or type(value).__name__ in ("NAType", "NaTType")
        or (isinstance(value, float) and math.isnan(value))
    ):
        source.problem(line, f"{what} id is missing", todo="Give every row both ids, as text", mend="left out")
        return None
    source.problem(
        line,
        f"{what} id {short(value)} is {type(value).__name__}, and ids are text (7 and 007 are two ids)",
        todo='Read ids as text: str(id) in a dict, dtype=str or .astype(str) in pandas, "7" in JSON',
        mend=f"read as {short(str(value))}",
    )
    return str(value)


def encodable(text: str) -> bool:
    """Whether the text can be written in UTF-8 (half of a surrogate pair cannot)."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


# ---------- rows -> {query: {document: value}} ----------


def gather(
    rows: Callable[[], Iterable[Row]], value_of: Callable[[object], Any], source: Source
) -> dict[str, dict[str, Any]]:
    """`{query: {document: value}}` in the order of the rows. `rows` may be called again, to find an earlier line."""
    table: dict[str, dict[str, Any]] = {}
    for line, raw_query, raw_doc, raw_value in rows():
        query = text_id(raw_query, "query", source, line)
        if query is None:
            continue
        docs = table.setdefault(query, {})
        if raw_doc is NO_DOC:
            continue
        doc = text_id(raw_doc, "document", source, line)
        if doc is None:
            continue
        try:
            value = value_of(raw_value)
        except ValueError as bad:
            whole = mended_grade(raw_value) if value_of is grade else None
            source.problem(
                line,
                f"query {short(query)}, document {short(doc)}: {bad}",
                todo=ADVICE[value_of],
                mend="left out" if whole is None else f"read as {whole}",
            )
            if whole is None:
                continue
            value = whole
        if doc in docs:
            value = _twice(rows, source, Row(line, query, doc, value), docs[doc], value_of)
        docs[doc] = value
    return table


def mended_grade(value: object) -> int | None:
    """The whole number that 1.0 or "2.0" means, else None."""
    try:
        number = score(value)
    except ValueError:
        return None
    return int(number) if number.is_integer() and abs(number) < 10**9 else None


def _twice(
    rows: Callable[[], Iterable[Row]], source: Source, row: Row, before: Any, value_of: Callable[[object], Any]
) -> Any:
    """A document came twice for a query: refuse, naming the earlier line, or keep the higher value."""
    earlier = ""
    if source.mended is None and row.line:
        line = next(r.line for r in rows() if (r.query, r.doc) == (row.query, row.doc))
        earlier = f" (first in {source.unit} {line})"
    name = "grade" if value_of is grade else "score"
    kept = max(before, row.value)
    differ = "" if before == row.value else f", with the {name}s {before} and {row.value}"
    source.problem(
        row.line,
        f"query {short(row.query)} holds document {short(row.doc)} twice{earlier}{differ}",
        todo="Keep one: it would count twice, or the later would hide the earlier",
        mend=f"{name} {kept} kept",
    )
    return kept


# ---------- what is in memory -> rows ----------

NAMES: dict[Any, tuple[str, ...]] = {
    "query": ("query_id", "query-id", "qid", "q_id"),
    "document": ("doc_id", "doc-id", "corpus-id", "docno", "docid"),
    grade: ("relevance", "grade", "label", "score"),
    score: ("score",),
}


def columns(names: Sequence[object], value_of: Callable[[object], Any], where: str) -> tuple[int, int, int]:
    """The places of query, document and value among column names; ValueError when one is not there."""
    places = []
    for what in ("query", "document", value_of):
        found = [names.index(name) for name in NAMES[what] if name in names]
        if found and names.count(names[found[0]]) > 1:
            raise ValueError(f"{where}: the column {names[found[0]]!r} stands twice; keep one")
        if not found:
            raise ValueError(
                f"{where}: no column {' or '.join(NAMES[what])} among {short(list(names))}. "
                f"The columns are called query_id, doc_id and {NAMES[value_of][0]}"
            )
        places.append(found[0])
    return places[0], places[1], places[2]


def frame_rows(frame: Any, value_of: Callable[[object], Any], source: Source) -> Iterator[Row]:
    """The rows of a DataFrame, counted from 1; other columns than the three are not looked at."""
    names = list(frame.columns)
    query, doc, value = (list(frame[names[i]]) for i in columns(names, value_of, source.name))
    yield from map(Row._make, zip(range(1, len(query) + 1), query, doc, value))


def nested_rows(table: Mapping[Any, Any], value_of: Callable[[object], Any], source: Source) -> Iterator[Row]:
    """The rows of `{query: {document: value}}`; for a run also of `{query: [document, ...]}`, best first."""
    for query, docs in table.items():
        if not docs and isinstance(docs, Mapping | list | tuple):
            yield Row(0, query, NO_DOC, None)
        elif isinstance(docs, Mapping):
            for doc, value in docs.items():
                yield Row(0, query, doc, value)
        elif isinstance(docs, list | tuple) and value_of is score:
            for place, doc in enumerate(docs):
                yield Row(0, query, doc, len(docs) - place)
        else:
            want = "{document: grade}" if value_of is grade else "{document: score} or a list of documents, best first"
            source.problem(
                0, f"query {short(query)} holds {short(docs)}", todo=f"It should hold {want}", mend="left out"
            )


def in_memory(table: Any, value_of: Callable[[object], Any], lenient: Lenient, name: str) -> Any:
    """`{query: {document: value}}` of a dict (itself, when nothing is wrong with it) or of a DataFrame."""
    if isinstance(table, Mapping):
        if sound(table, value_of):
            return table
        source = Source(name, lenient)
        found = gather(lambda: nested_rows(table, value_of, source), value_of, source)
    elif hasattr(table, "columns"):
        source = Source(name, lenient, unit="row")
        found = gather(lambda: frame_rows(table, value_of, source), value_of, source)
    else:
        value = "grade" if value_of is grade else "score"
        raise ValueError(
            f"{name}: got {type(table).__name__}. It should be {{query: {{document: {value}}}}}, a DataFrame or a path"
        )
    source.tell()
    return found


def sound(table: Mapping[Any, Any], value_of: Callable[[object], Any]) -> bool:
    """Whether each rule holds, asked the fastest way; a no is then looked at entry by entry."""
    numbers = {int} if value_of is grade else {int, float, np.float64}
    try:
        if not sound_ids(table):
            return False
        for docs in table.values():
            if not isinstance(docs, Mapping) or not sound_ids(docs):
                return False
            values = docs.values()
            if not set(map(type, values)) <= numbers or not math.isfinite(sum(values)):
                return False
            if value_of is grade and docs and max(max(values), -min(values)) >= 10**9:
                return False
    except (TypeError, OverflowError):  # ids that are not text, numbers too large for a float
        return False
    return True


def sound_ids(ids: Collection[str]) -> bool:
    """Whether all ids are text, and none empty."""
    every = "".join(ids)
    return "" not in ids and (every.isascii() or encodable(every))
