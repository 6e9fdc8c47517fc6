"""Judgements and runs to files, in the forms that files.py reads; a file appears whole or not at all."""

import csv
import gzip
import io
import json
import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from relviz.files import guess, known
from relviz.locale import say, short
from relviz.rows import NAMES, grade, in_memory, kind_of, score

__all__ = ["save", "text_of", "write_qrels", "write_run"]


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


def _write(
    table: Any, path: str | os.PathLike[str], value_of: Callable[[object], Any], form: str | None, tag: str
) -> None:
    if not isinstance(path, str | os.PathLike):
        raise ValueError(say("files.not_path", kind=kind_of(path)))
    parts = parts_of(table, os.fspath(path), value_of, form, tag)
    with replacing(path) as out:
        out.writelines(part.encode() for part in parts)


def text_of(table: Any, name: str, value_of: Callable[[object], Any], form: str | None, tag: str) -> str:
    """What a file of this name holds; ValueError for what its form cannot hold."""
    return "".join(parts_of(table, name, value_of, form, tag))


# Whoever asks for these wants no TREC, which any other name stands for.
OTHERS = (".xlsx", ".xls", ".ods", ".parquet", ".feather", ".pkl", ".npy", ".npz", ".zip", ".html", ".md", ".pdf")


def parts_of(table: Any, name: str, value_of: Callable[[object], Any], form: str | None, tag: str) -> Iterator[str]:
    """What a file of this name holds, a query at a time, after all was checked."""
    checked = in_memory(table, value_of, False, name)
    ending = os.path.splitext(name.lower().removesuffix(".gz"))[1]
    if form is None and ending in OTHERS:
        raise ValueError(say("files.write_other", name=name, ending=ending))
    form = known(guess(name, None) if form is None else form)
    if not checked:
        raise ValueError(say("files.write_nothing", name=name))
    if form == "trec" and value_of is score and (not isinstance(tag, str) or tag.split() != [tag]):
        raise ValueError(say("files.write_tag", tag=short(tag)))
    if form != "json":
        check_ids(checked, form, name)
    return TEXT[form](checked, value_of, tag)


def check_ids(table: Mapping[str, Mapping[str, Any]], form: str, name: str) -> None:
    """ValueError for what a form of lines cannot hold: an empty query, white space that parts its columns."""
    parts = {"trec": " \t\n\r\v\f", "tsv": "\t\n\r", "csv": "\n\r", "jsonl": ""}[form]
    for query, docs in table.items():
        if not docs:
            raise ValueError(say("files.write_no_docs", name=name, query=short(query), form=form))
        for an_id in (query, *docs):
            if any(c in an_id for c in parts) or (form == "trec" and an_id.startswith("\ufeff")):
                raise ValueError(say("files.write_space", name=name, id=short(an_id), form=form))


def trec_text(table: Mapping[str, Mapping[str, Any]], value_of: Callable[[object], Any], tag: str) -> Iterator[str]:
    """The lines of a TREC file."""
    for query, docs in table.items():
        if value_of is grade:
            yield "".join(f"{query} 0 {doc} {value:d}\n" for doc, value in docs.items())
        else:
            best = enumerate(sorted(docs.items(), key=lambda pair: (float(pair[1]), pair[0]), reverse=True), start=1)
            yield "".join(f"{query} Q0 {doc} {rank} {digits(value)} {tag}\n" for rank, (doc, value) in best)


def tsv_text(table: Mapping[str, Mapping[str, Any]], value_of: Callable[[object], Any], tag: str) -> Iterator[str]:
    """The lines of BEIR's TSV."""
    yield "query-id\tcorpus-id\tscore\n"
    for query, docs in table.items():
        yield "".join(f"{query}\t{doc}\t{digits(value)}\n" for doc, value in docs.items())


def csv_text(table: Mapping[str, Mapping[str, Any]], value_of: Callable[[object], Any], tag: str) -> Iterator[str]:
    """The lines of a CSV file."""
    yield f"query_id,doc_id,{NAMES[value_of][0]}\n"
    for query, docs in table.items():
        out = io.StringIO(newline="")
        rows = ((query, doc, digits(value)) for doc, value in docs.items())
        csv.writer(out, lineterminator="\n").writerows(rows)
        yield out.getvalue()


def json_text(table: Mapping[str, Mapping[str, Any]], value_of: Callable[[object], Any], tag: str) -> Iterator[str]:
    """A JSON file, one query a line."""
    before = "{\n"
    for query, docs in table.items():
        yield f"{before}{dumps(query)}: {dumps(docs)}"
        before = ",\n"
    yield "\n}\n"


def jsonl_text(table: Mapping[str, Mapping[str, Any]], value_of: Callable[[object], Any], tag: str) -> Iterator[str]:
    """The lines of a JSONL file."""
    for query, docs in table.items():
        rows = ({"query_id": query, "doc_id": doc, NAMES[value_of][0]: value} for doc, value in docs.items())
        yield "".join(f"{dumps(row)}\n" for row in rows)


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
    """The bytes as a file, all or nothing."""
    with replacing(path) as out:
        out.write(data)


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """What is written to takes the place of the file in one step: a reader sees the old one or the new, never half.

    The new one has the permissions of the old. What is no file (a pipe, /dev/stdout) is written to as it is.
    """
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, "wb") as out:
            yield out
        return
    place = Path(os.path.realpath(path))
    part = place.with_name(f".{secrets.token_hex(8)}.part")  # the name itself may be as long as names can be
    try:
        with open(part, "wb") as out:
            if place.suffix.lower() == ".gz":
                # Without name and time, so that the same run gives the same bytes.
                with gzip.GzipFile("", "wb", fileobj=out, mtime=0) as packed:
                    yield packed  # type: ignore[misc]
            else:
                yield out
        if place.exists():
            shutil.copymode(place, part)
        part.replace(place)
    finally:
        part.unlink(missing_ok=True)
