"""Files of judgements and runs, read and written in UTF-8 whatever the system's locale.

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
import gzip
import io
import json
import os
import secrets
import shutil
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from relviz.rows import (
    NAMES,
    NO_DOC,
    Lenient,
    Row,
    Source,
    columns,
    gather,
    grade,
    in_memory,
    nested_rows,
    score,
    short,
)
from relviz.trec import scan

__all__ = ["read_qrels", "read_run", "write_qrels", "write_run"]

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


def write_qrels(qrels: Any, path: str | os.PathLike[str], *, format: str | None = None) -> None:
    """Judgements (a dict or a DataFrame) to a file, in the form its name asks for; reading it gives the same again.

    The file appears whole or not at all. ValueError when the form cannot hold an id or an empty query.
    Built in lesson 01.
    """
    _write(qrels, path, grade, format, "")


def write_run(
    run: Any,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    tag: str = "relviz",
) -> None:
    """A run (a dict or a DataFrame) to a file, in the form its name asks for; scores come back to the last bit.

    Documents are written best first. `tag` is the last column of the TREC form.
    The file appears whole or not at all. ValueError when the form cannot hold an id or an empty query.
    Built in lesson 05.
    """
    _write(run, path, score, format, tag)


# ---------- reading ----------


def _read(path: str | os.PathLike[str], value_of: Callable[[object], Any], form: str | None, lenient: Lenient) -> Any:
    source = Source(os.fspath(path), lenient)
    data = load(path, source)
    form = form or guess(path, data, value_of)
    if form not in FORMATS:
        raise ValueError(f"format is one of {', '.join(FORMATS)}, got {form!r}")
    table: Any = scan(data) if form == "trec" and value_of is score else None
    if table is None:
        table = gather(lambda: ROWS[form](data, value_of, source), value_of, source)
    if not table:
        source.problem(0, "holds nothing", todo="Check that the right file was named", mend="empty")
    source.tell()
    return table


def load(path: str | os.PathLike[str], source: Source) -> bytes:
    """The bytes of a file, unpacked if it is gzip, without a byte order mark."""
    data = Path(path).read_bytes()
    if data[:2] == b"\x1f\x8b":
        data = unpack(data, source)
    elif os.fspath(path).endswith(".gz"):
        source.problem(0, "is not gzip, whatever its name says", todo="Rename or pack it", mend="read as it is")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        todo = "Save it as UTF-8; in PowerShell, write with Out-File -Encoding utf8"
        source.problem(1, "is UTF-16, not UTF-8", todo=todo, mend="read as UTF-16")
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
                    raise zlib.error("it ends too soon")
                parts.append(member.decompress(chunk))
                at += len(chunk) - len(member.unused_data)
        return b"".join(parts)
    except zlib.error as bad:
        whole = b"".join(parts)
        whole = whole[: whole.rfind(b"\n") + 1]
        lines = whole.count(b"\n")
        what = f"the gzip data is damaged or cut short here ({bad})"
        source.problem(lines + 1, what, todo="Copy or pack the file again", mend=f"the {lines} lines before it read")
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
            byte = f"byte {raw[bad.start]:#04x}, number {bad.start + 1} of the line"
            source.problem(number, f"is not UTF-8 ({byte})", todo="Save the file as UTF-8", mend="line read as Latin-1")
            yield number, raw.decode("latin-1").rstrip("\r\n")


def trec_rows(data: bytes, value_of: Callable[[object], Any], source: Source) -> Iterator[Row]:
    """The lines of a TREC file: 4 columns for qrels, 6 for a run."""
    width, value = (4, 3) if value_of is grade else (6, 4)
    shape = "query 0 document grade" if value_of is grade else "query Q0 document rank score tag"
    for number, line in lines_of(data, source):
        cells = split(line)
        if len(cells) == width:
            yield Row(number, cells[0], cells[2], cells[value])
            continue
        todo = f"Each line is: {shape}"
        if number == 1:
            todo += "; a file with a header or another form needs a name that ends in .tsv, .csv, .json or .jsonl"
            todo += ", or format=" + ", ".join(map(repr, FORMATS[1:]))
        source.problem(number, f"{len(cells)} columns where there should be {width}", todo=todo, mend="left out")


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
                source.problem(texts[0], f"no CSV ({bad})", todo="Double the quotes inside quotes", mend="left out")
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
            query, doc, value = columns(header, value_of, f"{source.name}, line {number}")
        elif len(row) == len(header):
            yield Row(number, row[query], row[doc], row[value].strip())
        else:
            what = f"{len(row)} columns where the header has {len(header)}"
            source.problem(number, what, todo="Each line has the columns of the header", mend="left out")


class _Pairs(dict):
    """A JSON object in which a key may come twice: items() shows every pair, so that none is lost unseen."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self._pairs = pairs

    def items(self) -> Any:
        return self._pairs


def parse(text: str, line: int, source: Source) -> Any:
    """The value of a JSON text; None when it is none and the road is lenient."""
    try:
        return json.loads(text, object_pairs_hook=_Pairs)
    except RecursionError:
        problem = "is nested too deeply"
    except json.JSONDecodeError as bad:
        line = line or bad.lineno
        problem = f"is no JSON ({bad.msg}, column {bad.colno})"
    except ValueError as bad:  # a number of more than 4300 digits
        problem = f"is no JSON that can be read ({bad})"
    source.problem(
        line or 1,
        problem,
        todo="Mend it, or give the file the ending of its form, or name that with format=",
        mend="left out",
    )
    return None


def json_pairs(data: bytes, source: Source) -> list[tuple[str, Any]]:
    """The names and values of a JSON object, also those that stand twice."""
    value = parse("\n".join(_every_line(data, source)), 0, source)
    if not isinstance(value, dict):
        source.problem(1, f"holds {short(value)}", todo='Write {"query": "text", ...}', mend="left out")
        return []
    return list(value.items())


def json_rows(data: bytes, value_of: Callable[[object], Any], source: Source) -> Iterator[Row]:
    """The entries of a JSON file."""
    text = "\n".join(_every_line(data, source))
    value = parse(text, 0, source)
    if isinstance(value, dict) and value_of is grade and isinstance(value.get("queries"), list):
        value = value["queries"]
    if isinstance(value, dict):
        yield from nested_rows(value, value_of, source)
    elif isinstance(value, list):
        for place, record in enumerate(value, start=1):
            yield from record_rows(record, 0, f"entry {place}", value_of, source)
    elif value is not None:
        source.problem(1, f"holds {short(value)}", todo="It should hold {query: {document: value}}", mend="left out")


def _every_line(data: bytes, source: Source) -> Iterator[str]:
    """Each line, blank ones too, so that JSON's line numbers are the file's."""
    last = 0
    for number, line in lines_of(data, source):
        yield from [""] * (number - last - 1)
        last = number
        yield line


def jsonl_rows(data: bytes, value_of: Callable[[object], Any], source: Source) -> Iterator[Row]:
    """The lines of a JSONL file."""
    for number, line in lines_of(data, source):
        record = parse(line, number, source)
        if record is not None:
            yield from record_rows(record, number, "", value_of, source)


def record_rows(record: Any, line: int, place: str, value_of: Callable[[object], Any], source: Source) -> Iterator[Row]:
    """The row of `{"query_id": ..., "doc_id": ..., "score": ...}`, or the rows of `{"id": ..., "rel": {...}}`."""
    place = f"{place}: " if place else ""
    if isinstance(record, dict) and value_of is grade and "id" in record and isinstance(record.get("rel"), dict):
        if not record["rel"]:
            yield Row(line, record["id"], NO_DOC, None)
        for doc, value in record["rel"].items():
            yield Row(line, record["id"], doc, value)
        return
    names = list(record) if isinstance(record, dict) else []
    try:
        query, doc, value = columns(names, value_of, "")
    except ValueError:
        want = '{"query_id": ..., "doc_id": ..., "' + NAMES[value_of][0] + '": ...}'
        source.problem(line, f"{place}{short(record)}", todo=f"Each record is {want}", mend="left out")
        return
    if len(record.items()) != len(record):
        todo = "Write each name once"
        source.problem(line, f"{place}a name stands twice in {short(record.items())}", todo=todo, mend="last one read")
    yield Row(line, record[names[query]], record[names[doc]], record[names[value]])


ROWS: dict[str, Callable[[bytes, Callable[[object], Any], Source], Iterator[Row]]] = {
    "trec": trec_rows,
    "tsv": tsv_rows,
    "csv": csv_rows,
    "json": json_rows,
    "jsonl": jsonl_rows,
}


# ---------- writing ----------


def _write(
    table: Any, path: str | os.PathLike[str], value_of: Callable[[object], Any], form: str | None, tag: str
) -> None:
    save(path, text_of(table, os.fspath(path), value_of, form, tag).encode())


def text_of(table: Any, name: str, value_of: Callable[[object], Any], form: str | None, tag: str) -> str:
    """What a file of this name holds; ValueError for what its form cannot hold."""
    checked = in_memory(table, value_of, False, name)
    form = form or guess(name, None)
    if form not in FORMATS:
        raise ValueError(f"format is one of {', '.join(FORMATS)}, got {form!r}")
    if not checked:
        raise ValueError(f"{name}: nothing to write: there is no query")
    if form == "trec" and value_of is score and (not tag or tag.split() != [tag]):
        raise ValueError(f"tag {tag!r}: the last column of a TREC run is one word")
    if form != "json":
        check_ids(checked, form, name)
    return "".join(TEXT[form](checked, value_of, tag))


def check_ids(table: Mapping[str, Mapping[str, Any]], form: str, name: str) -> None:
    """ValueError for what a form of lines cannot hold: an empty query, white space that parts its columns."""
    parts = {"trec": " \t\n\r\v\f", "tsv": "\t\n\r", "csv": "\n\r", "jsonl": ""}[form]
    for query, docs in table.items():
        if not docs:
            raise ValueError(f"{name}: query {query!r} holds no document, which {form} cannot say. Write .json instead")
        for an_id in (query, *docs):
            if any(c in an_id for c in parts) or (form == "trec" and an_id.startswith("\ufeff")):
                raise ValueError(
                    f"{name}: id {an_id!r} holds white space, which {form} cannot keep. "
                    "Write .json instead, or give it another id"
                )


def trec_text(table: Mapping[str, Mapping[str, Any]], value_of: Callable[[object], Any], tag: str) -> Iterator[str]:
    """The lines of a TREC file."""
    for query, docs in table.items():
        if value_of is grade:
            yield from (f"{query} 0 {doc} {value:d}\n" for doc, value in docs.items())
        else:
            best = enumerate(sorted(docs.items(), key=lambda pair: (pair[1], pair[0]), reverse=True), start=1)
            yield from (f"{query} Q0 {doc} {rank} {digits(value)} {tag}\n" for rank, (doc, value) in best)


def tsv_text(table: Mapping[str, Mapping[str, Any]], value_of: Callable[[object], Any], tag: str) -> Iterator[str]:
    """The lines of BEIR's TSV."""
    yield "query-id\tcorpus-id\tscore\n"
    for query, docs in table.items():
        yield from (f"{query}\t{doc}\t{digits(value)}\n" for doc, value in docs.items())


def csv_text(table: Mapping[str, Mapping[str, Any]], value_of: Callable[[object], Any], tag: str) -> Iterator[str]:
    """The lines of a CSV file."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("query_id", "doc_id", NAMES[value_of][0]))
    writer.writerows((query, doc, digits(value)) for query, docs in table.items() for doc, value in docs.items())
    yield out.getvalue()


def json_text(table: Mapping[str, Mapping[str, Any]], value_of: Callable[[object], Any], tag: str) -> Iterator[str]:
    """A JSON file, one query a line."""
    queries = (f"{dumps(query)}: {dumps(docs)}" for query, docs in table.items())
    yield "{\n" + ",\n".join(queries) + "\n}\n"


def jsonl_text(table: Mapping[str, Mapping[str, Any]], value_of: Callable[[object], Any], tag: str) -> Iterator[str]:
    """The lines of a JSONL file."""
    for query, docs in table.items():
        for doc, value in docs.items():
            yield dumps({"query_id": query, "doc_id": doc, NAMES[value_of][0]: value}) + "\n"


def digits(value: float) -> str:
    """The number in the fewest digits that give it back exactly; numpy's own repr has a name around it."""
    return float.__repr__(value) if isinstance(value, float) else str(int(value))


def dumps(value: Any) -> str:
    """JSON in which Chinese stays readable."""
    return json.dumps(value, ensure_ascii=False)


TEXT: dict[str, Callable[[Mapping[str, Mapping[str, Any]], Callable[[object], Any], str], Iterator[str]]] = {
    "trec": trec_text,
    "tsv": tsv_text,
    "csv": csv_text,
    "json": json_text,
    "jsonl": jsonl_text,
}


def save(path: str | os.PathLike[str], data: bytes) -> None:
    """Put the bytes in place in one step: a reader sees the old file or the new one, never half of it.

    The new one has the permissions of the old. What is no file (a pipe, /dev/stdout) is written to as it is.
    """
    if os.path.exists(path) and not os.path.isfile(path):
        Path(path).write_bytes(data)
        return
    place = Path(os.path.realpath(path))
    if place.suffix.lower() == ".gz":
        data = gzip.compress(data, mtime=0)  # without the time, so that the same run gives the same bytes
    part = place.with_name(f".{place.name}.{secrets.token_hex(4)}.part")
    try:
        part.write_bytes(data)
        if place.exists():
            shutil.copymode(place, part)
        part.replace(place)
    finally:
        part.unlink(missing_ok=True)
