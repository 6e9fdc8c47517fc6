"""JSON and JSONL as rows with their lines; a name that stands twice in an object is not lost unseen."""

import json
import re
from bisect import bisect
from collections.abc import Callable, Iterator
from typing import Any

from relviz.lines import lines_of
from relviz.locale import say, short
from relviz.rows import (
    NAMES,
    NO_DOC,
    Entries,
    Pairs,
    Row,
    Source,
    columns,
    gather,
    grade,
    lines_and_entries,
    lines_and_pairs,
    nested_rows,
    once,
    sound,
)

__all__ = ["json_pairs", "json_rows", "jsonl_rows", "jsonl_texts", "quick_json"]


def json_rows(data: bytes, value_of: Callable[[object], Any], source: Source) -> Iterator[Row]:
    """The entries of a JSON file, with their lines."""
    return value_rows(_value(data, source), value_of, source)


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


def jsonl_rows(data: bytes, value_of: Callable[[object], Any], source: Source) -> Iterator[Row]:
    """The lines of a JSONL file."""
    seen: dict[Any, int] = {}
    for number, line in lines_of(data, source):
        record = parse(line, number, source, plain)
        if record is not None:
            yield from record_rows(record, number, "", value_of, source, seen)


def json_pairs(data: bytes, source: Source) -> list[tuple[int, str, Any]]:
    """The line, name and value of each entry of a JSON object, also of those that stand twice."""
    value = _value(data, source)
    if not isinstance(value, Pairs):
        what = say("files.json_holds", value=short(value))
        source.problem(1, what, todo=say("files.json_texts_todo"))
        return []
    return [(line, name, entry) for line, (name, entry) in lines_and_pairs(value)]


def jsonl_texts(data: bytes, source: Source) -> list[tuple[int, str, Any]]:
    """The line, id and text of each record of BEIR's queries.jsonl, `{"_id": ..., "text": ...}`."""
    texts = []
    for number, line in lines_of(data, source):
        record = parse(line, number, source, plain)
        named = (
            [record[name] for name in ("_id", "id", *NAMES["query"]) if name in record]
            if isinstance(record, dict)
            else []
        )
        if not named or not isinstance(named[0], str) or "text" not in record:
            source.problem(number, short(record), todo=say("files.text_todo"))
            continue
        texts.append((number, named[0], record["text"]))
    return texts


def _value(data: bytes, source: Source) -> Any:
    """What a JSON file holds, with the lines of its entries; None when it is no JSON and the road is lenient."""
    return parse("\n".join(_every_line(data, source)), 0, source, lined)


def _every_line(data: bytes, source: Source) -> Iterator[str]:
    """Each line, blank ones too, so that JSON's line numbers are the file's."""
    last = 0
    for number, line in lines_of(data, source):
        yield from [""] * (number - last - 1)
        last = number
        yield line


# ---------- a value -> rows ----------


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
        )


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
        source.problem(line, what, todo=todo)
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


def no_name_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object, if each name stands once."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError
    return found


# ---------- text -> a value, with the lines of its entries ----------


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
    source.problem(line or 1, problem, todo=say("files.json_todo"))
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
