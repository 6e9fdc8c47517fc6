"""Files of judgements and runs, read in each of their forms; writing.py writes the same.

| format | a line or an entry | taken for |
|---|---|---|
| "trec" | `query 0 document grade`, `query Q0 document rank score tag`, split at spaces or tabs | every other name |
| "tsv" | tabs, a header first: `query-id corpus-id score` as in BEIR, or the names below; no quoting | .tsv, .txt, no \
extension, when line 1 is such a header |
| "csv" | commas, a header first: `query_id,doc_id,relevance` or `query_id,doc_id,score`; "a,b" in quotes | .csv |
| "json" | `{query: {document: value}}`, a run also `{query: [document, ...]}`; a list of records; qrels also the \
chapter's `{"queries": [{"id": ..., "rel": {document: grade}}]}` | .json |
| "jsonl" | one record a line: `{"query_id": ..., "doc_id": ..., "score": ...}`, qrels also `{"id": ..., "rel": ...}` \
| .jsonl, .ndjson |

`.gz` after any of these is packed. The rank and the tag of a TREC run are not looked at: scores make the order, as in
trec_eval. A byte order mark, CRLF, blank lines and a missing last newline change nothing.
"""

import csv
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from relviz.json_rows import json_rows, jsonl_rows, quick_json
from relviz.lines import lines_of, load
from relviz.locale import listed, say, short
from relviz.rows import NAMES, Lenient, Row, Source, columns, gather, grade, kind_of, score
from relviz.trec import scan

__all__ = ["read_qrels", "read_run"]

FORMATS = ("trec", "tsv", "csv", "json", "jsonl")


def read_qrels(
    path: str | os.PathLike[str], *, format: str | None = None, lenient: Lenient = False
) -> dict[str, dict[str, int]]:
    """Judgements from a file, `{query: {document: grade}}` in the order of the file.

    format: "trec", "tsv", "csv", "json" or "jsonl"; None goes by name and first line, as the module's table says.
    lenient: False raises ValueError at the first problem, naming file and line. True mends what it can and lists all
    it did in one warning; a list collects the sentences instead.
    Built in lesson 01.
    """
    return _read(path, grade, format, lenient)


def read_run(
    path: str | os.PathLike[str], *, format: str | None = None, lenient: Lenient = False
) -> Mapping[str, Mapping[str, float]]:
    """A run from a file, `{query: {document: score}}` in the order of the file; arguments as in `read_qrels`.

    A TREC file comes as a `Run`, which reads like that dict and unpacks each query when it is first asked for.
    Built in lesson 05.
    """
    return _read(path, score, format, lenient)


def _read(path: str | os.PathLike[str], value_of: Callable[[object], Any], form: str | None, lenient: Lenient) -> Any:
    if not isinstance(path, str | os.PathLike):
        raise ValueError(say("files.not_path", kind=kind_of(path)))
    source = Source(os.fspath(path), lenient)
    data = load(path, source)
    form = known(guess(path, data, value_of) if form is None else form)
    quick = QUICK.get(form)
    table: Any = quick(data, value_of) if quick else None
    if table is None:
        table = gather(lambda: ROWS[form](data, value_of, source), value_of, source)
    source.done(table)
    if not table:
        raise ValueError(
            say("files.refused", where=source.name, what=say("files.nothing"), todo=say("files.nothing_todo"))
        )
    return table


def known(form: str) -> str:
    """The form, if there is one of this name."""
    if not isinstance(form, str) or form not in FORMATS:
        raise ValueError(say("files.format", formats=listed(FORMATS), got=short(form)))
    return form


def guess(path: str | os.PathLike[str], data: bytes | None, value_of: Callable[[object], Any] = score) -> str:
    """The format by name, else by the first line; the module's table says how. Without data: to be written."""
    extension = os.path.splitext(os.fspath(path).lower().removesuffix(".gz"))[1]
    if extension in (".json", ".jsonl", ".ndjson", ".csv"):
        return extension[1:].replace("ndjson", "jsonl")
    if data is None:
        return "tsv" if extension == ".tsv" else "trec"
    first = data[:4096].lstrip().split(b"\n", 1)[0].decode("utf-8", "replace")
    try:
        columns(first.strip().split("\t"), value_of, "")
    except ValueError:
        return "trec"
    return "tsv"


def trec_rows(data: bytes, value_of: Callable[[object], Any], source: Source) -> Iterator[Row]:
    """The lines of a TREC file: 4 columns for qrels, 6 for a run."""
    width, value = (4, 3) if value_of is grade else (6, 4)
    for number, line in lines_of(data, source):
        cells = split(line)
        if number == 1 and value_of is score and source.mended is not None and _is(score, cells, 5):
            source.problem(1, say("files.width", found=5, width=6), todo="", mend=say("files.no_tag"))
            width = 5
        if len(cells) != width:
            todo = say("files.width_qrels_todo" if value_of is grade else "files.width_run_todo")
            if number == 1:
                todo = _first_line_todo(line, cells, value_of, source.name, todo)
            source.problem(number, say("files.width", found=len(cells), width=width), todo=todo)
        elif number == 1 and cells[value].lower() in HEADERS:
            source.problem(1, say("files.header", name=short(cells[value])), todo=say("files.header_todo"))
        else:
            yield Row(number, cells[0], cells[2], cells[value])


def _first_line_todo(line: str, cells: Sequence[str], value_of: Callable[[object], Any], name: str, todo: str) -> str:
    """What a first line that has not the columns of TREC may be, and what to do then."""
    if value_of is grade and _is(score, cells, 6):
        return say("files.is_run", order=say("files.order"))
    if value_of is score and _is(grade, cells, 4):
        return say("files.is_qrels", order=say("files.order"))
    if value_of is score and _is(score, cells, 5):
        return say("files.no_tag_todo", todo=todo)
    if line.count("\t") == 2 or ("\t" in line and name.lower().removesuffix(".gz").endswith(".tsv")):
        return say("files.no_header", header=listed(("query-id", "corpus-id", "score")), between=say("files.tabs"))
    return say("files.other_form", todo=todo, formats=listed(map(repr, FORMATS[1:])))


def _is(value_of: Callable[[object], Any], cells: Sequence[str], width: int) -> bool:
    """Whether these are the columns of qrels (4), of a run (6), or of a run without its tag (5)."""
    try:
        return len(cells) == width and value_of(cells[min(width - 1, 4)]) is not None
    except ValueError:
        return False


# How the last columns are called where a TREC file has a header, which it should not have.
HEADERS = {*NAMES[grade], *NAMES[score], "rel"}


def split(line: str) -> list[str]:
    """The columns of a TREC line. Only ASCII white space parts them: a no-break space is part of an id."""
    return [cell.decode() for cell in line.encode().split()]


def tsv_rows(data: bytes, value_of: Callable[[object], Any], source: Source) -> Iterator[Row]:
    """The lines of a table with tabs; a quotation mark is a character like any other."""
    cells = ((number, line.split("\t")) for number, line in lines_of(data, source))
    yield from table_rows(cells, value_of, source)


def csv_rows(data: bytes, value_of: Callable[[object], Any], source: Source) -> Iterator[Row]:
    """The lines of a table with commas and, where needed, quotation marks."""
    texts: list[int] = [0]

    def lines() -> Iterator[str]:
        for number, line in lines_of(data, source):
            texts[0] = number
            yield line + "\n"

    reader = csv.reader(lines(), strict=True)

    def cells() -> Iterator[tuple[int, list[str]]]:
        while True:
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error as bad:
                what = say("files.csv", problem=bad)
                source.problem(texts[0], what, todo=say("files.csv_todo"))
                continue
            yield texts[0], row

    yield from table_rows(cells(), value_of, source)


def table_rows(
    cells: Iterable[tuple[int, list[str]]], value_of: Callable[[object], Any], source: Source
) -> Iterator[Row]:
    """The lines of a table under its header."""
    header: list[str] | None = None
    for number, row in cells:
        if header is None:
            header = [name.strip() for name in row]
            where = say("files.at_line", name=source.name, line=number)
            query, doc, value = columns(header, value_of, where)
        elif len(row) == len(header):
            yield Row(number, row[query], row[doc], row[value].strip())
        else:
            what = say("files.table_width", found=len(row), width=len(header))
            source.problem(number, what, todo=say("files.table_width_todo"))


ROWS: dict[str, Callable[[bytes, Callable[[object], Any], Source], Iterator[Row]]] = {
    "trec": trec_rows,
    "tsv": tsv_rows,
    "csv": csv_rows,
    "json": json_rows,
    "jsonl": jsonl_rows,
}
# Faster roads, which answer None where something may be wrong; the careful one then says what and where.
QUICK: dict[str, Callable[[bytes, Callable[[object], Any]], Any]] = {
    "trec": lambda data, value_of: scan(data) if value_of is score else None,
    "json": quick_json,
}
