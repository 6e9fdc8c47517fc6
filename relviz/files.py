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
import io
import json
import os
import re
import zlib
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from relviz.locale import say, short
from relviz.rows import (
    NAMES,
    NO_DOC,
    Entries,
    Lenient,
    Pairs,
    Row,
    Source,
    columns,
    gather,
    grade,
    kind_of,
    lines_and_entries,
    lines_and_pairs,
    nested_rows,
    once,
    score,
    sound,
)
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
    if not table:
        source.problem(0, say("files.nothing"), todo=say("files.nothing_todo"), mend=say("files.nothing_mend"))
    source.tell()
    return table


def known(form: str) -> str:
    """The form, if there is one of this name."""
    if not isinstance(form, str) or form not in FORMATS:
        raise ValueError(say("files.format", formats=", ".join(FORMATS), got=short(form)))
    return form


def load(path: str | os.PathLike[str], source: Source) -> bytes:
    """The bytes of a file, unpacked if it is gzip, without a byte order mark."""
    data = Path(path).read_bytes()
    if data[:2] == b"\x1f\x8b":
        data = unpack(data, source)
    elif os.fspath(path).endswith(".gz"):
        source.problem(0, say("files.no_gzip"), todo=say("files.no_gzip_todo"), mend=say("files.no_gzip_mend"))
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        source.problem(1, say("files.utf16"), todo=say("files.utf16_todo"), mend=say("files.utf16_mend"))
        data = data.decode("utf-16", errors="replace").encode()
    return data.removeprefix(b"\xef\xbb\xbf")


def unpack(data: bytes, source: Source) -> bytes:
    """The content of gzip data; of a damaged file, when lenient, the whole lines before the damage."""
    parts, at, packed = [], 0, memoryview(data)
    try:
        while at < len(packed):
            member = zlib.decompressobj(wbits=31)
            while not member.eof:
                chunk = packed[at : at + (1 << 20)]
                if not chunk:
                    raise zlib.error(say("files.gzip_end"))
                parts.append(member.decompress(chunk))
                at += len(chunk) - len(member.unused_data)
        return b"".join(parts)
    except zlib.error as bad:
        whole = b"".join(parts)
        whole = whole[: whole.rfind(b"\n") + 1]
        lines = whole.count(b"\n")
        what, mend = say("files.gzip", problem=bad), say("files.gzip_mend", lines=lines)
        source.problem(lines + 1, what, todo=say("files.gzip_todo"), mend=mend)
        return whole


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


def lines_of(data: bytes, source: Source) -> Iterator[tuple[int, str]]:
    """Number and text of each line that is not blank, without its end."""
    for number, raw in enumerate(io.BytesIO(data), start=1):
        if not raw.strip():
            continue
        try:
            yield number, raw.decode().rstrip("\r\n")
        except UnicodeDecodeError as bad:
            what = say("files.utf8", byte=f"{raw[bad.start]:#04x}", place=bad.start + 1)
            source.problem(number, what, todo=say("files.utf8_todo"), mend=say("files.utf8_mend"))
            yield number, raw.decode("latin-1").rstrip("\r\n")


def trec_rows(data: bytes, value_of: Callable[[object], Any], source: Source) -> Iterator[Row]:
    """The lines of a TREC file: 4 columns for qrels, 6 for a run."""
    width, value = (4, 3) if value_of is grade else (6, 4)
    for number, line in lines_of(data, source):
        cells = split(line)
        if len(cells) == width:
            yield Row(number, cells[0], cells[2], cells[value])
            continue
        todo = say("files.width_qrels_todo" if value_of is grade else "files.width_run_todo")
        if number == 1:
            todo = say("files.other_form", todo=todo, formats=", ".join(map(repr, FORMATS[1:])))
        what = say("files.width", found=len(cells), width=width)
        source.problem(number, what, todo=todo, mend=say("files.left_out"))


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
                source.problem(texts[0], what, todo=say("files.csv_todo"), mend=say("files.left_out"))
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
            source.problem(number, what, todo=say("files.table_width_todo"), mend=say("files.left_out"))


def parse(text: str, line: int, source: Source, decode: Callable[[str], Any]) -> Any:
    """The value of a JSON text; None when it is none and the road is lenient."""
    try:
        return decode(text)
    except RecursionError:
        problem = say("files.json_deep")
    except json.JSONDecodeError as bad:
        line = line or bad.lineno
        problem = say("files.json", problem=bad.msg, column=bad.colno)
    except ValueError as bad:  # a number of more than 4300 digits
        problem = say("files.json_number", problem=bad)
    source.problem(line or 1, problem, todo=say("files.json_todo"), mend=say("files.left_out"))
    return None


def plain(text: str) -> Any:
    """The value of a JSON text, with names that stand twice, without lines."""
    return json.loads(text, object_pairs_hook=Pairs)


DEPTH = 4  # {"queries": [{"rel": {document: grade}}]}: deeper, nothing is read


def lined(text: str) -> Any:
    """The same, with the line of each entry of its objects and arrays; slower, and asked only when one is wrong."""
    value = plain(text)
    if not isinstance(value, dict | list):
        return value
    decode = json.JSONDecoder(object_pairs_hook=Pairs).raw_decode
    ends = [found.start() for found in re.finditer("\n", text)]

    def next_value(at: int) -> int:
        while text[at] in " \t\r\n,:":  # the text is JSON, so nothing else stands between two values
            at += 1
        return at

    def look(at: int, depth: int) -> tuple[Any, int]:
        if text[at] not in "[{" or not depth:
            return decode(text, at)
        is_object, names, entries, lines = text[at] == "{", [], [], []
        at = next_value(at + 1)
        while text[at] not in "]}":
            lines.append(bisect(ends, at) + 1)
            if is_object:
                name, at = decode(text, at)
                names.append(name)
                at = next_value(at)
            entry, at = look(at, depth - 1)
            entries.append(entry)
            at = next_value(at)
        return (Pairs(list(zip(names, entries)), lines) if is_object else Entries(entries, lines)), at + 1

    return look(next_value(0), DEPTH)[0]


def json_pairs(data: bytes, source: Source) -> list[tuple[int, str, Any]]:
    """The line, name and value of each entry of a JSON object, also of those that stand twice."""
    value = parse("\n".join(_every_line(data, source)), 0, source, lined)
    if not isinstance(value, Pairs):
        what = say("files.json_holds", value=short(value))
        source.problem(1, what, todo=say("files.json_texts_todo"), mend=say("files.left_out"))
        return []
    return [(line, name, entry) for line, (name, entry) in lines_and_pairs(value)]


def quick_json(data: bytes, value_of: Callable[[object], Any]) -> dict[str, dict[str, Any]] | None:
    """The table of a JSON file in which nothing is wrong, else None."""
    source = Source("")
    try:
        value = json.loads(data.decode(), object_pairs_hook=no_name_twice)
        if isinstance(value, dict) and sound(value, value_of):
            if value_of is grade:
                return value
            return {query: {doc: float(number) for doc, number in docs.items()} for query, docs in value.items()}
        return gather(lambda: value_rows(value, value_of, source), value_of, source)
    except (ValueError, RecursionError):
        return None


def no_name_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object, if each name stands once."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError
    return found


def json_rows(data: bytes, value_of: Callable[[object], Any], source: Source) -> Iterator[Row]:
    """The entries of a JSON file, with their lines."""
    return value_rows(parse("\n".join(_every_line(data, source)), 0, source, lined), value_of, source)


def value_rows(value: Any, value_of: Callable[[object], Any], source: Source) -> Iterator[Row]:
    """The entries of what a JSON file holds."""
    if isinstance(value, dict) and value_of is grade and isinstance(value.get("queries"), list):
        each_name_once(value, 1, "", source)
        value = value["queries"]
    if isinstance(value, dict):
        yield from nested_rows(value, value_of, source)
    elif isinstance(value, list):
        seen: dict[Any, int] = {}
        for number, (line, record) in enumerate(lines_and_entries(value), start=1):
            yield from record_rows(record, line, say("files.entry", number=number), value_of, source, seen)
    elif value is not None:
        source.problem(
            1,
            say("files.json_holds", value=short(value)),
            todo=say("files.json_qrels_todo" if value_of is grade else "files.json_run_todo"),
            mend=say("files.left_out"),
        )


def _every_line(data: bytes, source: Source) -> Iterator[str]:
    """Each line, blank ones too, so that JSON's line numbers are the file's."""
    last = 0
    for number, line in lines_of(data, source):
        yield from [""] * (number - last - 1)
        last = number
        yield line


def jsonl_rows(data: bytes, value_of: Callable[[object], Any], source: Source) -> Iterator[Row]:
    """The lines of a JSONL file."""
    seen: dict[Any, int] = {}
    for number, line in lines_of(data, source):
        record = parse(line, number, source, plain)
        if record is not None:
            yield from record_rows(record, number, "", value_of, source, seen)


def record_rows(
    record: Any, line: int, place: str, value_of: Callable[[object], Any], source: Source, seen: dict[Any, int]
) -> Iterator[Row]:
    """The row of `{"query_id": ..., "doc_id": ..., "score": ...}`, or the rows of `{"id": ..., "rel": {...}}`."""
    names = list(record) if isinstance(record, dict) else []
    if value_of is grade and "id" in names and isinstance(record.get("rel"), dict):
        each_name_once(record, line, place, source)
        if not record["rel"]:
            yield Row(line, record["id"], NO_DOC, None)
        for at, (doc, value) in lines_and_pairs(record["rel"]):
            yield Row(at or line, record["id"], doc, value)
        once(record["id"], line, seen, source)
        return
    try:
        query, doc, value = columns(names, value_of, "")
    except ValueError:
        what = say("files.record", place=place, record=short(record))
        todo = say("files.record_todo", value=NAMES[value_of][0])
        source.problem(line, what, todo=todo, mend=say("files.left_out"))
        return
    each_name_once(record, line, place, source)
    yield Row(line, record[names[query]], record[names[doc]], record[names[value]])


def each_name_once(record: dict[str, Any], line: int, place: str, source: Source) -> None:
    """A problem if a name stands twice in a JSON object that is no table: only its last value would be seen."""
    if not isinstance(record, Pairs) or len(record.pairs) == len(record):
        return
    seen = set[str]()
    for at, (name, _) in lines_and_pairs(record):
        if name in seen:
            what = say("files.name_twice", place=place, name=short(name), record=short(record))
            source.problem(at or line, what, todo=say("files.name_twice_todo"), mend=say("files.name_twice_mend"))
        seen.add(name)


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
