"""The rules for judgements and runs, each decided once: what an id, a grade and a score may be.

Whatever the form (a line of a file, a row of a DataFrame, an entry of a dict), it becomes a `Row` and goes through
`gather`, which returns `{query: {document: value}}` or says in one sentence where it stopped and what to do.
"""

import math
import re
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np

from relviz.checks import NO_NUMBERS
from relviz.locale import listed, say, short

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
    """One judgement or one retrieved document; `line` is 0 where there are no lines."""

    line: int
    query: Any
    doc: Any
    value: Any


class Source:
    """Where rows come from, and what happens when one breaks a rule.

    lenient False: the first problem is a ValueError. A list: what can be mended is, what cannot is left out, and a
    sentence that says so is appended, so that nothing happens in silence. True: `done` shows these sentences in one
    warning.
    """

    def __init__(self, name: str, lenient: Lenient = False, unit: str = "line") -> None:
        if not isinstance(lenient, bool | list):
            raise ValueError(say("errors.lenient", got=short(lenient)))
        self.name, self.unit, self.aloud = name, unit, lenient is True
        self.mended = lenient if isinstance(lenient, list) else [] if lenient else None
        self.n_mended, self.left_out = 0, list[str]()

    def problem(self, line: int, what: str, *, todo: str, mend: str = "") -> None:
        """Raise `what` with the advice `todo`, or note `what` and how it was mended; without `mend` it is left out."""
        where = say(f"files.at_{self.unit}", name=self.name, line=line) if line else self.name
        refused = say("files.refused", where=where, what=what, todo=todo)
        if self.mended is None:
            raise ValueError(refused)
        self.mended.append(say("files.mended", where=where, what=what, mend=mend or say("files.left_out")))
        if mend:
            self.n_mended += 1
        else:
            self.left_out.append(refused)

    def first(self, line: int) -> str:
        """Where something stood the first time, in brackets; nothing where there are no lines."""
        return say(f"files.first_{self.unit}", line=line) if line else ""

    def done(self, table: Mapping[str, Any]) -> None:
        """Show what was mended and left out, unless a list was given to collect it; refuse when nothing is left."""
        if self.left_out and not any(table.values()):
            raise ValueError(say("files.nothing_left", n=len(self.left_out), first=self.left_out[0]))
        if self.aloud and self.mended:
            told = say("files.told", name=self.name, left_out=len(self.left_out), mended=self.n_mended)
            warnings.warn("\n".join([told, *self.mended]), stacklevel=4)


# ---------- what a value may be ----------


def grade(value: object) -> int:
    """A grade as an int; ValueError unless it is a whole number of at most nine digits."""
    if isinstance(value, str) and re.fullmatch("[+-]?[0-9]{1,9}", value):
        return int(value)
    if isinstance(value, Integral) and not isinstance(value, NO_NUMBERS) and abs(int(value)) < 10**9:
        return int(value)
    raise ValueError(say("files.grade", value=short(value)))


def score(value: object) -> float:
    """A score as a float; ValueError unless it is a finite number."""
    plain = value.isascii() and "_" not in value if isinstance(value, str) else isinstance(value, Real)
    try:
        number = float(value) if plain and not isinstance(value, NO_NUMBERS) else None  # type: ignore[arg-type]
    except (ValueError, OverflowError):
        number = None
    if number is None or not math.isfinite(number):
        raise ValueError(say("files.score", value=short(value)))
    return number


def text_id(value: object, what: str, source: Source, line: int) -> str | None:
    """An id as it stands. Text is never read as a number, a number never taken for text; None: leave the row out."""
    if isinstance(value, str) and value and (value.isascii() or encodable(value)):
        return value
    places = {"what": say(f"files.{what}"), "value": short(value)}
    if isinstance(value, str) or is_missing(value):
        key = "files.id_missing" if is_missing(value) else "files.id_unicode" if value else "files.id_empty"
        source.problem(line, say(key, **places), todo=say("files.id_todo"))
        return None
    source.problem(
        line,
        say("files.id_type", kind=kind_of(value), **places),
        todo=say("files.id_type_todo"),
        mend=say("files.read_as", value=short(str(value))),
    )
    return str(value)


def is_number(value: object) -> bool:
    """Whether a text is a number, as a score is and the name of a column is not."""
    try:
        return isinstance(value, str) and score(value) is not None
    except ValueError:
        return False


def is_missing(value: object) -> bool:
    """Whether this is what a table has in place of a value: None, NaN, pandas' NA and NaT."""
    nan = isinstance(value, float) and math.isnan(value)
    return value is None or nan or type(value).__name__ in ("NAType", "NaTType")


def kind_of(value: object) -> str:
    """The name of its type; of a type that is our own business, the one it is made of."""
    return type(value).__mro__[1].__name__ if isinstance(value, Pairs | Entries) else type(value).__name__


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
                say("files.value", query=short(query), doc=short(doc), problem=bad),
                todo=_value_todo(raw_value, whole, value_of),
                mend="" if whole is None else say("files.read_as", value=whole),
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


def _value_todo(value: object, whole: int | None, value_of: Callable[[object], Any]) -> str:
    """What to do about a value that is none."""
    if value_of is score:
        return say("files.score_todo")
    if whole is not None:
        return say("files.grade_whole_todo", whole=whole, value=short(value))
    number = is_number(value) or (
        isinstance(value, Real) and not isinstance(value, NO_NUMBERS) and not is_missing(value)
    )
    return (
        say("files.grade_run", grades=say("files.grade_todo"), order=say("files.order"))
        if number
        else say("files.grade_todo")
    )


def _twice(
    rows: Callable[[], Iterable[Row]], source: Source, row: Row, before: Any, value_of: Callable[[object], Any]
) -> Any:
    """A document came twice for a query: refuse, naming the earlier line, or keep the higher value."""
    first = 0
    if source.mended is None and row.line:
        first = next(r.line for r in rows() if (r.query, r.doc) == (row.query, row.doc))
    name = "grade" if value_of is grade else "score"
    kept = max(before, row.value)
    source.problem(
        row.line,
        say(
            "files.twice" if before == row.value else f"files.twice_{name}s",
            query=short(row.query),
            doc=short(row.doc),
            first=source.first(first),
            before=before,
            value=row.value,
        ),
        todo=say("files.twice_todo"),
        mend=say(f"files.twice_{name}_kept", value=kept),
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
            raise ValueError(say("files.column_twice", where=where, name=short(names[found[0]])))
        if not found:
            wanted = say("files.or").join(NAMES[what])
            todo = say("files.named_columns", value=NAMES[value_of][0])
            if any(map(is_number, names)):
                todo = say(
                    "files.no_header",
                    header=listed(("query_id", "doc_id", NAMES[value_of][0])),
                    between=say("files.commas"),
                )
            elif len(names) == 1 and ";" in str(names[0]):
                todo = say("files.semicolons")
            elif what is score and "rank" in names:
                todo = say("files.rank_only")
            raise ValueError(say("files.no_column", where=where, names=wanted, found=short(list(names)), todo=todo))
        places.append(found[0])
    return places[0], places[1], places[2]


def frame_rows(frame: Any, value_of: Callable[[object], Any], source: Source) -> Iterator[Row]:
    """The rows of a DataFrame, counted from 1; other columns than the three are not looked at.

    A column of floats may hold grades: pandas makes floats of whole numbers as soon as one is missing.
    """
    names = list(frame.columns)
    query, doc, value = (list(frame[names[i]]) for i in columns(names, value_of, source.name))
    if value_of is grade:
        value = [int(v) if isinstance(v, float) and v.is_integer() else v for v in value]
    yield from map(Row._make, zip(range(1, len(query) + 1), query, doc, value))


class Pairs(dict[str, Any]):
    """A JSON object in which a name may stand twice: `pairs` is every one, so that none is lost unseen.

    `lines` says where each stands, when somebody looked; `Entries` does the same for a JSON array.
    """

    def __init__(self, pairs: list[tuple[str, Any]], lines: Iterable[int] = repeat(0)) -> None:
        super().__init__(pairs)
        self.pairs, self.lines = pairs, lines


class Entries(list[Any]):
    """A JSON array, and the line of each entry."""

    def __init__(self, entries: Iterable[Any], lines: Iterable[int]) -> None:
        super().__init__(entries)
        self.lines = lines


def lines_and_pairs(table: Mapping[Any, Any]) -> Iterable[tuple[int, tuple[Any, Any]]]:
    """Each key and its value, behind the line they stand on (0 where there are no lines)."""
    return zip(table.lines, table.pairs) if isinstance(table, Pairs) else zip(repeat(0), table.items())


def lines_and_entries(entries: Sequence[Any]) -> Iterable[tuple[int, Any]]:
    """Each entry behind its line."""
    return zip(entries.lines if isinstance(entries, Entries) else repeat(0), entries)


def nested_rows(table: Mapping[Any, Any], value_of: Callable[[object], Any], source: Source) -> Iterator[Row]:
    """The rows of `{query: {document: value}}`; for a run also of `{query: [document, ...]}`, best first."""
    seen: dict[Any, int] = {}
    for line, (query, docs) in lines_and_pairs(table):
        if isinstance(docs, np.ndarray) and docs.ndim == 1:
            docs = docs.tolist()
        if isinstance(docs, Mapping | list | tuple) and not docs:
            yield Row(line, query, NO_DOC, None)
        elif isinstance(docs, Mapping):
            for place, (doc, value) in lines_and_pairs(docs):
                yield Row(place, query, doc, value)
        elif isinstance(docs, list | tuple) and value_of is score and not _holds_pairs(docs):
            for left, (place, doc) in zip(range(len(docs), 0, -1), lines_and_entries(docs)):
                yield Row(place, query, doc, left)
        else:
            source.problem(
                line,
                say("files.holds", query=short(query), docs=short(docs)),
                todo=_holds_todo(docs, value_of),
            )
        once(query, line, seen, source)


def _holds_todo(docs: object, value_of: Callable[[object], Any]) -> str:
    """What a query should hold."""
    if value_of is grade:
        return say("files.holds_grades_todo")
    return say("files.holds_pairs_todo" if _holds_pairs(docs) else "files.holds_scores_todo")


def _holds_pairs(docs: object) -> bool:
    """Whether a list holds more than ids: documents with their scores."""
    return isinstance(docs, list | tuple) and any(isinstance(doc, list | tuple | Mapping) for doc in docs)


def once(query: Any, line: int, seen: dict[Any, int], source: Source) -> None:
    """A problem if a query that comes with all its documents has come before."""
    if not isinstance(query, str):
        return
    if query in seen:
        source.problem(
            line,
            say("files.query_twice", query=short(query), first=source.first(seen[query])),
            todo=say("files.query_twice_todo"),
            mend=say("files.query_twice_mend"),
        )
    seen.setdefault(query, line)


def in_memory(table: Any, value_of: Callable[[object], Any], lenient: Lenient, name: str) -> Any:
    """`{query: {document: value}}` of a dict (itself, when nothing is wrong with it) or of a DataFrame."""
    frame = hasattr(table, "columns")
    source = Source(name, lenient, unit="row" if frame else "line")
    if isinstance(table, Mapping):
        if sound(table, value_of):
            return table
        found = gather(lambda: nested_rows(table, value_of, source), value_of, source)
    elif frame:
        found = gather(lambda: frame_rows(table, value_of, source), value_of, source)
    else:
        key = "files.not_qrels" if value_of is grade else "files.not_run"
        raise ValueError(say(key, name=name, kind=kind_of(table)) + _recipe(table, value_of))
    source.done(found)
    return found


def _recipe(table: Any, value_of: Callable[[object], Any]) -> str:
    """How the objects of other tools become a table; nothing where no way is known."""
    if hasattr(table, "to_dict") and not hasattr(table, "index"):
        return say("files.to_dict_todo")
    if is_records(table) or isinstance(table, Iterator):
        return say("files.records_todo", value=NAMES[value_of][0])
    return ""


def is_records(table: Any) -> bool:
    """Whether this is a list of objects with query_id and doc_id, as ir_measures has them."""
    return (
        isinstance(table, list | tuple)
        and bool(table)
        and hasattr(table[0], "query_id")
        and hasattr(table[0], "doc_id")
    )


@np.errstate(over="ignore", invalid="ignore")
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
            kinds = set(map(type, values))
            if not kinds <= numbers:
                return False
            if not (math.isfinite(sum(values)) if value_of is score else max(map(abs, values), default=0) < 10**9):
                return False
            if value_of is score and int in kinds:
                float(max(values)), float(min(values))  # whole numbers too large for a float may add up to a small one
    except OverflowError:
        return False
    return True


def sound_ids(ids: Collection[str]) -> bool:
    """Whether all ids are text that can be written, and none empty."""
    try:
        every = "".join(ids)
    except TypeError:
        return False
    return "" not in ids and (every.isascii() or encodable(every))
