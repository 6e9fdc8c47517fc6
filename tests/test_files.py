"""Readers and writers: what each input gives, or where and why it is refused. The inputs are those on which the
tools of the field were seen to differ or to be wrong without a word."""

# ruff: noqa: E501 (a table reads best with one input a line)
import gzip
import json
import math
import os
import pickle
import re
import subprocess
import sys
import tracemalloc
import warnings

import ir_measures
import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import relviz
from relviz import rows
from relviz.files import ROWS
from relviz.lines import load
from relviz.trec import Run, any_twice, repeats, scan

BA = {"q1": {"b": 2.0, "a": 1.0}}
A1 = {"q1": {"a": 1}}
TWO = b"q1 Q0 b 1 2.0 t\nq1 Q0 a 2 1.0 t\n"


def put(folder, name, data):
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


# ---------- what is taken ----------

RUNS = {
    "spaces": ("x.run", TWO, BA),
    "tabs": ("x.run", TWO.replace(b" ", b"\t"), BA),
    "many spaces": ("x.run", TWO.replace(b" ", b"  \t "), BA),
    "spaces at both ends": ("x.run", b"  q1 Q0 b 1 2.0 t  \n\tq1 Q0 a 2 1.0 t\t\n", BA),
    "CRLF": ("x.run", TWO.replace(b"\n", b"\r\n"), BA),
    "no last newline": ("x.run", TWO.rstrip(), BA),
    "BOM": ("x.run", b"\xef\xbb\xbf" + TWO, BA),
    "blank lines": ("x.run", b"\n\n" + TWO.replace(b"\n", b"\n \t\n\r\n"), BA),
    "no extension": ("x", TWO, BA),
    "tsv in TREC form": ("x.tsv", TWO.replace(b" ", b"\t"), BA),
    "gz": ("x.run.gz", gzip.compress(TWO), BA),
    "gz with two members": ("x.gz", gzip.compress(TWO[:16]) + gzip.compress(TWO[16:]), BA),
    "gz padded": ("x.gz", gzip.compress(TWO[:16]) + bytes(512) + gzip.compress(TWO[16:]) + bytes(7), BA),
    "gz by content": ("x.run", gzip.compress(TWO), BA),
    "exponents": ("x.run", b"q1 Q0 b 1 1.0e1 t\nq1 Q0 a 2 -5E-3 t\nq1 Q0 c 3 +.5 t\n", {"q1": {"b": 10, "a": -0.005, "c": 0.5}}),
    "order by score, not by rank": ("x.run", b"q1 Q0 a 1 1 t\nq1 Q0 b 2 9 t\n", {"q1": {"a": 1, "b": 9}}),
    "queries in turns": ("x.run", b"q1 Q0 a 1 1 t\nq2 Q0 a 1 1 t\nq1 Q0 b 1 2 t\n", {"q1": {"a": 1, "b": 2}, "q2": {"a": 1}}),
    "ids like numbers": ("x.run", b"1 Q0 007 1 3 t\n1 Q0 7 1 2 t\n1 Q0 1e5 1 1 t\n1 Q0 100000 1 0 t\n01 Q0 7 1 1 t\n", {"1": {"007": 3, "7": 2, "1e5": 1, "100000": 0}, "01": {"7": 1}}),
    "odd ids": ("x.run", "#1 Q0 a,b 1 3 t\n#1 Q0 \"q\" 1 2 t\n#1 Q0 it's 1 1 t\n#1 Q0 文档 1 0 t\n#1 Q0 a\u00a0b 1 -1 t\n".encode(), {"#1": {"a,b": 3, '"q"': 2, "it's": 1, "文档": 0, "a\u00a0b": -1}}),
    "nan as an id": ("x.run", b"nan Q0 NA 1 1 t\n", {"nan": {"NA": 1}}),
    "json": ("x.json", b'{"q1": {"b": 2.0, "a": 1}}', BA),
    "json with BOM and CRLF": ("x.json", b'\xef\xbb\xbf{"q1":\r\n {"b": 2.0, "a": 1}}', BA),
    "json lists": ("x.json", b'{"q1": ["b", "a"]}', BA),
    "json, nothing found": ("x.json", b'{"q1": {"b": 2.0, "a": 1}, "q2": {}, "q3": []}', {**BA, "q2": {}, "q3": {}}),
    "json records": ("x.json", b'[{"query_id": "q1", "doc_id": "b", "score": 2}, {"query_id": "q1", "doc_id": "a", "score": 1}]', BA),
    "jsonl": ("x.jsonl", b'{"query_id": "q1", "doc_id": "b", "score": 2}\n\n{"query_id": "q1", "doc_id": "a", "score": 1}', BA),
    "BEIR's header": ("x.tsv", b"query-id\tcorpus-id\tscore\nq1\tb\t2\nq1\ta\t1\n", BA),
    "tsv with CRLF, an id last": ("x.tsv", b"score\tqid\tdocno\r\n2\tq1\tb\r\n1\tq1\ta\r\n", BA),
    "tsv, ids with spaces and quotes": ("x.tsv", b'query-id\tcorpus-id\tscore\nq 1\t"b"\t2\n', {"q 1": {'"b"': 2}}),
    "csv": ("x.csv", b'query_id,doc_id,score\nq1,"b,""c""",2\r\nq1, a,1\n', {"q1": {'b,"c"': 2, " a": 1}}),
    "csv, other columns": ("x.csv", b"rank,score,doc_id,query_id\n1,2.0,b,q1\n2,1.0,a,q1\n", BA),
    "csv.gz": ("x.csv.gz", gzip.compress(b"query_id,doc_id,score\nq1,b,2\nq1,a,1\n"), BA),
}  # fmt: skip

QRELS = {
    "trec": ("x.qrels", b"q1 0 a 1\nq1 0 b 0\nq2 0 a -1\n", {"q1": {"a": 1, "b": 0}, "q2": {"a": -1}}),
    "BOM, blank line, CRLF, tabs": ("x.txt", b"\xef\xbb\xbfq1\t0\ta\t1\r\n\r\n", A1),
    "MS MARCO's tsv": ("qrels.dev.small.tsv", b"1\t0\t7\t1\n", {"1": {"7": 1}}),
    "BEIR": ("test.tsv", b"query-id\tcorpus-id\tscore\r\nq1\ta\t1\r\n", A1),
    "csv": ("x.csv", b"query_id,doc_id,relevance\nq1,a,1\n", A1),
    "json": ("x.json", b'{"q1": {"a": 1}, "q2": {}}', {**A1, "q2": {}}),
    "the chapter's data.json": ("data.json", '{"docs": {"a": "甲"}, "queries": [{"id": "q1", "text": "问", "rel": {"a": 1}}, {"id": "q2", "text": "", "rel": {}}]}'.encode(), {**A1, "q2": {}}),
    "the chapter's lines": ("x.jsonl", b'{"id": "q1", "text": "", "rel": {"a": 1}}\n', A1),
    "gz": ("x.qrels.gz", gzip.compress(b"q1 0 a 1\n"), A1),
}  # fmt: skip


@pytest.mark.parametrize(("name", "data", "want"), RUNS.values(), ids=RUNS)
def test_runs_that_are_taken(tmp_path, name, data, want):
    run = relviz.read_run(put(tmp_path, name, data))
    assert run == want
    assert want == run
    assert [(q, list(docs)) for q, docs in run.items()] == [(q, list(docs)) for q, docs in want.items()]


@pytest.mark.parametrize(("name", "data", "want"), QRELS.values(), ids=QRELS)
def test_qrels_that_are_taken(tmp_path, name, data, want):
    qrels = relviz.read_qrels(put(tmp_path, name, data))
    assert qrels == want
    assert [(q, list(docs)) for q, docs in qrels.items()] == [(q, list(docs)) for q, docs in want.items()]
    assert all(type(grade) is int for docs in qrels.values() for grade in docs.values())


@pytest.mark.parametrize("form", ["trec", "tsv", "csv", "json", "jsonl"])
def test_format_overrides_the_name(tmp_path, form):
    relviz.write_run(BA, tmp_path / "x.odd", format=form)
    assert relviz.read_run(tmp_path / "x.odd", format=form) == BA


# ---------- what is refused, and what the lenient road makes of it ----------

LINE1 = b"q1 Q0 b 1 2 t\n"
REFUSED_RUNS = {
    "5 columns": ("x.run", LINE1 + b"q1 Q0 a 2 1\n", "line 2: 5 columns where there should be 6", {"q1": {"b": 2}}),
    "7 columns": ("x.run", LINE1 + b"q1 Q0 a 2 1 my tag\n", "line 2: 7 columns where there should be 6", {"q1": {"b": 2}}),
    "a comment": ("x.run", b"# mine\n" + LINE1, "line 1: 2 columns", {"q1": {"b": 2}}),
    "lines broken elsewhere": ("x.run", b"q1 Q0 b\n1 2 t\n" + LINE1, "line 1: 3 columns", {"q1": {"b": 2}}),
    "two lines in one": ("x.run", LINE1 + b"q1 Q0 c 1 2 t q1 Q0 d 1 2 t\n", "line 2: 12 columns", {"q1": {"b": 2}}),
    "score high": ("x.run", LINE1 + b"q1 Q0 a 2 high t\n", "line 2: query 'q1', document 'a': score 'high' is no finite number", {"q1": {"b": 2}}),
    "score 2,5": ("x.run", LINE1 + b"q1 Q0 a 2 2,5 t\n", "line 2: .*score '2,5'", {"q1": {"b": 2}}),
    "score 1_0": ("x.run", LINE1 + b"q1 Q0 a 2 1_0 t\n", "line 2: .*score '1_0'", {"q1": {"b": 2}}),
    "score 0x1p3": ("x.run", LINE1 + b"q1 Q0 a 2 0x1p3 t\n", "line 2: .*score '0x1p3'", {"q1": {"b": 2}}),
    "score 1.2.3": ("x.run", LINE1 + b"q1 Q0 a 2 1.2.3 t\n", "line 2: .*score '1.2.3'", {"q1": {"b": 2}}),
    "score -": ("x.run", LINE1 + b"q1 Q0 a 2 - t\n", "line 2: .*score '-'", {"q1": {"b": 2}}),
    "full-width score": ("x.run", LINE1 + "q1 Q0 a 2 １２ t\n".encode(), "line 2: .*score '１２'", {"q1": {"b": 2}}),
    "NaN": ("x.run", b"q1 Q0 a 1 NaN t\n" + LINE1, "line 1: .*score 'NaN' is no finite number", {"q1": {"b": 2}}),
    "infinity": ("x.run", b"q1 Q0 a 1 inf t\n" + LINE1, "line 1: .*score 'inf' is no finite number", {"q1": {"b": 2}}),
    "beyond a float": ("x.run", b"q1 Q0 a 1 1e999 t\n" + LINE1, "line 1: .*score '1e999' is no finite number", {"q1": {"b": 2}}),
    "twice": ("x.run", b"q1 Q0 b 1 3 t\nq1 Q0 a 2 2 t\nq1 Q0 b 3 1 t\n", r"line 3: query 'q1' holds document 'b' twice \(first in line 1\), with the scores 3.0 and 1.0", {"q1": {"b": 3, "a": 2}}),
    "twice, other queries between": ("x.run", LINE1 + b"q2 Q0 b 1 2 t\n" + LINE1, "line 3: query 'q1' holds document 'b' twice", {"q1": {"b": 2}, "q2": {"b": 2}}),
    "latin-1": ("x.run", LINE1 + b"q1 Q0 caf\xe9 2 1 t\n", "line 2: is not UTF-8 .*0xe9", {"q1": {"b": 2, "café": 1}}),
    "UTF-16": ("x.run", LINE1.decode().encode("utf-16"), "line 1: is UTF-16", {"q1": {"b": 2}}),
    "empty": ("x.run", b"", "holds nothing", {}),
    "only blank lines": ("x.run", b"\n \n", "holds nothing", {}),
    "only a BOM": ("x.run", b"\xef\xbb\xbf", "holds nothing", {}),
    "cut gz": ("x.run.gz", gzip.compress(LINE1 + os.urandom(40).hex().encode(), mtime=0)[:-30], "line [12]: the gzip data is damaged", None),
    "no gz": ("x.run.gz", LINE1, "is not gzip", {"q1": {"b": 2}}),
    "json twice": ("x.json", b'{"q1": {"b": 2, "b": 1}}', "query 'q1' holds document 'b' twice", {"q1": {"b": 2}}),
    "json query twice": ("x.json", b'{"q1": {"b": 2}, "q1": {"b": 1}}', "query 'q1' holds document 'b' twice", {"q1": {"b": 2}}),
    "json list twice": ("x.json", b'{"q1": ["b", "a", "b"]}', "query 'q1' holds document 'b' twice", {"q1": {"b": 3, "a": 2}}),
    "json NaN": ("x.json", b'{"q1": {"b": 2, "a": NaN}}', "query 'q1', document 'a': score nan", {"q1": {"b": 2}}),
    "json cut": ("x.json", b'{"q1":\n {"b": 2', "line 2: is no JSON", {}),
    "json too deep": ("x.json", b"[" * 100_000, "line 1: is nested too deeply", {}),
    "json int ids": ("x.json", b'{"q1": [7, "007"]}', "document id 7 is int, and ids are text", {"q1": {"7": 2, "007": 1}}),
    "json a number": ("x.json", b"7", "line 1: holds 7", {}),
    "json number for documents": ("x.json", b'{"q1": 7}', "query 'q1' holds 7", {}),
    "json true": ("x.json", b'{"q1": {"b": true, "a": 1}}', "document 'b': score True", {"q1": {"a": 1}}),
    "json whole numbers beyond a float": ("x.json", b'{"q1": {"b": 2, "a": 1%s, "c": -1%s}}' % (2 * (b"0" * 400,)), "query 'q1', document 'a': score 1000", {"q1": {"b": 2}}),
    "json half a surrogate pair": ("x.json", b'{"q1": {"\\ud800": 2, "a": 1}}', "is no valid Unicode text", {"q1": {"a": 1}}),
    "jsonl broken line": ("x.jsonl", b'{"query_id": "q1", "doc_id": "b", "score": 2}\n{"query', "line 2: is no JSON", {"q1": {"b": 2}}),
    "jsonl name missing": ("x.jsonl", b'{"query_id": "q1", "doc_id": "b", "score": 2}\n{"query_id": "q1"}', "line 2: ", {"q1": {"b": 2}}),
    "jsonl int ids": ("x.jsonl", b'{"query_id": 1, "doc_id": "b", "score": 2}', "line 1: query id 1 is int", {"1": {"b": 2}}),
    "tsv row too short": ("x.tsv", b"query-id\tcorpus-id\tscore\nq1\tb\t2\nq1\ta\n", "line 3: 2 columns where the header has 3", {"q1": {"b": 2}}),
    "csv empty id": ("x.csv", b"query_id,doc_id,score\nq1,b,2\nq1,,1\n", "line 3: document id is empty", {"q1": {"b": 2}}),
    "csv open quote": ("x.csv", b'query_id,doc_id,score\nq1,b,2\nq1,"a,1\n', "line 3: no CSV", {"q1": {"b": 2}}),
}  # fmt: skip

REFUSED_QRELS = {
    "3 columns": ("x.qrels", b"q1 0 b 2\nq1 a 1\n", "line 2: 3 columns where there should be 4", {"q1": {"b": 2}}),
    "tsv without a header": ("x.tsv", b"q1\ta\t1\n", "line 1: 3 columns where there should be 4. There is no header: the first line should be query-id, corpus-id, score", {}),
    "grade 1.0": ("x.qrels", b"q1 0 a 1.0\n", "line 1: query 'q1', document 'a': grade '1.0' is no whole number", {"q1": {"a": 1}}),
    "grade 0.5": ("x.qrels", b"q1 0 b 2\nq1 0 a 0.5\n", "line 2: .*grade '0.5'", {"q1": {"b": 2}}),
    "grade yes": ("x.qrels", b"q1 0 b 2\nq1 0 a yes\n", "line 2: .*grade 'yes'", {"q1": {"b": 2}}),
    "grade of 11 digits": ("x.qrels", b"q1 0 b 2\nq1 0 a 99999999999\n", "line 2: .*grade '99999999999'", {"q1": {"b": 2}}),
    "contradiction": ("x.qrels", b"q1 0 a 1\nq1 0 a 0\n", r"line 2: .*twice \(first in line 1\), with the grades 1 and 0", {"q1": {"a": 1}}),
    "twice alike": ("x.qrels", b"q1 0 a 1\nq1 0 a 1\n", r"line 2: .*twice \(first in line 1\)", {"q1": {"a": 1}}),
    "data.json twice": ("x.json", b'{"queries": [{"id": "q1", "rel": {"a": 1}}, {"id": "q1", "rel": {"a": 2}}]}', "query 'q1' holds document 'a' twice", {"q1": {"a": 2}}),
    "lists": ("x.json", b'{"q1": ["a"]}', "query 'q1' holds \\['a'\\]", {}),
    "huge JSON number": ("x.json", b'{"q1": {"a": ' + b"9" * 5000 + b"}}", "line 1: is no JSON that can be read", {}),
}  # fmt: skip


@pytest.mark.parametrize(("name", "data", "words", "mended"), REFUSED_RUNS.values(), ids=REFUSED_RUNS)
def test_runs_that_are_refused(tmp_path, name, data, words, mended):
    refused(relviz.read_run, put(tmp_path, name, data), words, mended)


@pytest.mark.parametrize(("name", "data", "words", "mended"), REFUSED_QRELS.values(), ids=REFUSED_QRELS)
def test_qrels_that_are_refused(tmp_path, name, data, words, mended):
    refused(relviz.read_qrels, put(tmp_path, name, data), words, mended)


# Every line of a JSON file that is wrong, whatever is wrong with it: (reader, file, line and words, read leniently).
JSON_LINES = {
    "grade": (relviz.read_qrels, b'{"q1": {"a": 1,\n "b": 0.5}}', "line 2: query 'q1', document 'b': grade 0.5", {"q1": {"a": 1}}),
    "score": (relviz.read_run, b'{"q1": {"a": 1},\n\n"q2": {\n"b": NaN}}', "line 4: query 'q2', document 'b': score nan", {"q1": {"a": 1}, "q2": {}}),
    "document twice": (relviz.read_run, b'{"q1": {\n"b": 2,\n"a": 1,\n"b": 1}}', r"line 4: query 'q1' holds document 'b' twice \(first in line 2\), with the scores 2.0 and 1.0", {"q1": {"b": 2, "a": 1}}),
    "grades that contradict": (relviz.read_qrels, b'{"q0": {"b": 1},\n"q1": {\n"b": 2,\n"b": 0}}', r"line 4: query 'q1' holds document 'b' twice \(first in line 3\), with the grades 2 and 0", {"q0": {"b": 1}, "q1": {"b": 2}}),
    "query twice": (relviz.read_run, b'{"q1": {"b": 2},\n"q2": {"b": 2},\n"q1": {"a": 1}}', r"line 3: query 'q1' stands twice \(first in line 1\)", {"q1": {"b": 2, "a": 1}, "q2": {"b": 2}}),
    "query twice, alike": (relviz.read_run, b'{"q1": {"b": 2},\n"q1":\n{"b": 2}}', r"line 3: query 'q1' holds document 'b' twice \(first in line 1\)", {"q1": {"b": 2}}),
    "query twice, once empty": (relviz.read_qrels, b'{"q1": {},\n"q1": {}}', r"line 2: query 'q1' stands twice \(first in line 1\)", {"q1": {}}),
    "list twice": (relviz.read_run, b'{"q1": [\n"b",\n"a",\n"b"]}', r"line 4: query 'q1' holds document 'b' twice \(first in line 2\)", {"q1": {"b": 3, "a": 2}}),
    "escaped names": (relviz.read_run, b'{"q1": {"b": 2, "\\\\\\"}{,:": 3},\n"\\u0071\\u0031": {"\\u0062": "x"}}', "line 2: query 'q1', document 'b': score 'x'", None),
    "escaped, twice": (relviz.read_run, b'{"q1": {"b": 2,\n"\\u0062": 1}}', r"line 2: query 'q1' holds document 'b' twice \(first in line 1\)", {"q1": {"b": 2}}),
    "on one line": (relviz.read_run, b'{"q1":{"b":2,"a":1},"q2":{"b":2,"b":1}}', r"line 1: query 'q2' holds document 'b' twice \(first in line 1\)", {"q1": {"b": 2, "a": 1}, "q2": {"b": 2}}),
    "CRLF": (relviz.read_run, b'{"q1":\r\n{"b": 2,\r\n"a": null}}\r\n', "line 3: query 'q1', document 'a': score None", {"q1": {"b": 2}}),
    "BOM and blank lines": (relviz.read_run, b'\xef\xbb\xbf\n\n{"q1": {"b": 2,\n\n"a": ""}}', "line 5: query 'q1', document 'a': score ''", {"q1": {"b": 2}}),
    "Chinese, U+2028": (relviz.read_run, '{"问\u2028": {"文": 2,\n"档": "高"}}'.encode(), "line 2: query '问\\\\u2028', document '档': score '高'", {"问\u2028": {"文": 2}}),
    "another thing for documents": (relviz.read_run, b'{"q1": {"b": 2},\n"q2": "b"}', "line 2: query 'q2' holds 'b'", {"q1": {"b": 2}}),
    "an id that is a number": (relviz.read_run, b'{"q1": ["a",\n7]}', "line 2: document id 7 is int", {"q1": {"a": 2, "7": 1}}),
    "an empty id": (relviz.read_run, b'{"q1": {"a": 1,\n"": 2}}', "line 2: document id is empty", {"q1": {"a": 1}}),
    "record without a name": (relviz.read_run, b'[{"query_id": "q1", "doc_id": "b", "score": 2},\n{"query_id": "q1"}]', "line 2: entry 2: ", {"q1": {"b": 2}}),
    "record, name twice": (relviz.read_run, b'[{"query_id": "q1", "doc_id": "b",\n"score": 1, "score": 2}]', "line 2: entry 1: the name 'score' stands twice", {"q1": {"b": 2}}),
    "record, id of odd type": (relviz.read_run, b'[\n{"query_id": {"a": 1}, "doc_id": "b", "score": 2}]', "line 2: query id {'a': 1} is dict", None),
    "records, twice": (relviz.read_run, b'[{"query_id": "q1", "doc_id": "b", "score": 2},\n{"query_id": "q1", "doc_id": "b", "score": 1}]', r"line 2: query 'q1' holds document 'b' twice \(first in line 1\)", {"q1": {"b": 2}}),
    "data.json, grade": (relviz.read_qrels, b'{"docs": {"a": "[{"},\n"queries": [\n{"id": "q1",\n"rel": {\n"a": "x"}}]}', "line 5: query 'q1', document 'a': grade 'x'", {}),
    "data.json, query twice": (relviz.read_qrels, b'{"queries": [\n{"id": "q1", "rel": {"a": 1}},\n{"id": "q1", "rel": {"b": 1}}]}', r"line 3: query 'q1' stands twice \(first in line 2\)", {"q1": {"a": 1, "b": 1}}),
    "data.json, judgements twice": (relviz.read_qrels, b'{"queries": [{"id": "q1", "rel": {"b": 1},\n"rel": {"a": 1}}]}', "line 2: entry 1: the name 'rel' stands twice", {"q1": {"a": 1}}),
    "data.json, queries twice": (relviz.read_qrels, b'{"queries": [],\n"queries": [{"id": "q1", "rel": {"a": 1}}]}', "line 2: the name 'queries' stands twice", {"q1": {"a": 1}}),
    "data.json, id a list": (relviz.read_qrels, b'{"queries": [\n{"id": ["q"], "rel": {"a": 1}}]}', r"line 2: query id \['q'\] is list", None),
}  # fmt: skip


@pytest.mark.parametrize(("read", "data", "words", "mended"), JSON_LINES.values(), ids=JSON_LINES)
def test_json_names_the_line(tmp_path, read, data, words, mended):
    refused(read, put(tmp_path, "x.json", data), words, mended)


@given(st.data())
def test_json_names_the_line_whatever_stands_between(tmp_path_factory, data):
    """A table is written with white space at every place where JSON allows it; the writer knows where the fault is."""
    table = data.draw(tables(ANY_ID, st.sampled_from([0, 1, -2.5, 1e300])))
    faulty = data.draw(st.sampled_from([(query, doc) for query, docs in table.items() for doc in docs]))
    text, line = "", 0

    def add(token):
        nonlocal text
        text += data.draw(st.sampled_from(["", "", " ", "\n", "\r\n", "\t \n\n"])) + token

    for i, (query, docs) in enumerate(table.items()):
        add("," if i else "{")
        add(json.dumps(query, ensure_ascii=i % 2 == 0))
        add(":")
        for j, (doc, score) in enumerate(docs.items()):
            add("," if j else "{")
            add(json.dumps(doc))
            line = text.count("\n") + 1 if (query, doc) == faulty else line
            add(":")
            add("[1, {}]" if (query, doc) == faulty else repr(score))
        add("}")
    add("}\n")
    path = put(tmp_path_factory.mktemp("json"), "x.json", text)
    with pytest.raises(ValueError, match="score") as error:
        relviz.read_run(path)
    assert str(error.value).startswith(
        f"{path}, line {line}: query {rows.short(faulty[0])}, document {rows.short(faulty[1])}: score [1, {{}}]"
    )


def refused(read, path, words, mended):
    with pytest.raises(ValueError, match=words) as error:
        read(path)
    assert str(error.value).startswith(str(path))
    done: list[str] = []
    if mended == {}:
        for lenient in (done, True):
            with pytest.raises(ValueError, match=r"Nothing is left: 1 left out|holds nothing") as error:
                read(path, lenient=lenient)
            assert str(error.value).startswith(str(path))
        return
    table = read(path, lenient=done)
    assert mended is None or table == mended
    assert done
    assert all(line.startswith(str(path)) for line in done)
    with pytest.warns(UserWarning, match="left out, .* mended") as told:
        read(path, lenient=True)
    assert all(line in str(told[0].message) for line in done)
    assert told[0].filename == __file__


def damaged(packed, how):
    if how == "checksum":
        return packed[:-8] + bytes(8)
    place = len(packed) * 9 // 10
    return packed[:place] + bytes([packed[place] ^ 16]) + packed[place + 1 :]


@pytest.mark.parametrize("how", ["checksum", "one byte"])
def test_the_lines_before_the_damage_of_a_gzip_file_are_read(tmp_path, how):
    lines = [f"q Q0 d{i} 1 {score!r} t\n" for i, score in enumerate(np.random.default_rng(0).random(3000).tolist())]
    path = put(tmp_path, "x.run.gz", damaged(gzip.compress("".join(lines).encode(), mtime=0), how))
    with pytest.raises(ValueError, match="the gzip data is damaged"):
        relviz.read_run(path)
    done: list[str] = []
    scores = relviz.read_run(path, lenient=done)["q"]
    sound = 3000 if how == "checksum" else 2600
    assert list(scores)[:sound] == [f"d{i}" for i in range(sound)]
    assert "and some of them may be wrong" in done[0]


def test_lenient_is_silent_where_nothing_was_done(tmp_path):
    done: list[str] = []
    path = put(tmp_path, "x.run", TWO)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert relviz.read_run(path, lenient=done) == relviz.read_run(path, lenient=True) == BA
    assert done == []


def test_file_errors_stay_oserrors(tmp_path):
    with pytest.raises(FileNotFoundError):
        relviz.read_run(tmp_path / "none.run")
    with pytest.raises(IsADirectoryError):
        relviz.read_qrels(tmp_path)
    with pytest.raises(FileNotFoundError):
        relviz.write_run(BA, tmp_path / "none" / "x.run")


def test_unknown_format(tmp_path):
    with pytest.raises(ValueError, match="format is one of trec, tsv, csv, json, jsonl, got 'xml'"):
        relviz.read_run(put(tmp_path, "x.run", TWO), format="xml")


# ---------- dicts and DataFrames ----------


def test_a_sound_dict_is_itself():
    run, qrels = {"q": {"a": 1.5, "b": 2}, "r": {}}, {"q": {"a": 1}, "r": {}}
    assert relviz.as_run(run) is run
    assert relviz.as_qrels(qrels) is qrels


def test_lists_become_scores():
    assert relviz.as_run({"q": ["b", "a"], "r": [], "s": ("c",)}) == {"q": {"b": 2, "a": 1}, "r": {}, "s": {"c": 1}}


def test_numpy_numbers_are_numbers():
    run = relviz.as_run({"q": {"a": np.float32(0.5), "b": np.int64(2), "c": np.float64(3)}})
    assert run == {"q": {"a": 0.5, "b": 2.0, "c": 3.0}}
    assert relviz.as_qrels({"q": {"a": np.int64(2)}}) == {"q": {"a": 2}}


BAD_DICTS = [
    (relviz.as_run, {10: {"a": 1.0}}, "run: query id 10 is int, and ids are text", {"10": {"a": 1.0}}),
    (relviz.as_run, {"q": {"a": 1.0, 7: 2.0}}, "document id 7 is int", {"q": {"a": 1.0, "7": 2.0}}),
    (relviz.as_run, {"q": {"a": math.nan, "b": 1.0}}, "query 'q', document 'a': score nan", {"q": {"b": 1.0}}),
    (relviz.as_run, {"q": {"a": -math.inf, "b": 1.0}}, "document 'a': score -inf", {"q": {"b": 1.0}}),
    (relviz.as_run, {"q": {"a": None, "b": 1.0}}, "document 'a': score None", {"q": {"b": 1.0}}),
    (relviz.as_run, {"q": ["a", "b", "a"]}, "query 'q' holds document 'a' twice", {"q": {"a": 3.0, "b": 2.0}}),
    (relviz.as_run, {"q": "ab"}, "query 'q' holds 'ab'", {}),
    (relviz.as_run, {"": {"a": 1.0}}, "query id is empty", {}),
    (relviz.as_qrels, {"q": {"a": 0.5, "b": 1}}, "qrels: query 'q', document 'a': grade 0.5", {"q": {"b": 1}}),
    (relviz.as_qrels, {"q": {"a": True, "b": 1}}, "document 'a': grade True", {"q": {"b": 1}}),
    (relviz.as_qrels, {"q": {"a": 10**9, "b": 1}}, "document 'a': grade 1000000000", {"q": {"b": 1}}),
    (relviz.as_qrels, {"q": ["a"]}, "query 'q' holds", {}),
    (relviz.as_qrels, {("q",): {"a": 1}}, "query id .* is tuple", {"('q',)": {"a": 1}}),
]


@pytest.mark.parametrize(("convert", "table", "words", "mended"), BAD_DICTS)
def test_dicts_that_are_refused(convert, table, words, mended):
    with pytest.raises(ValueError, match=words):
        convert(table)
    done: list[str] = []
    if mended:
        assert convert(table, lenient=done) == mended
    else:
        with pytest.raises(ValueError, match=rf"{words}.* Nothing is left: 1 left out"):
            convert(table, lenient=done)
    assert len(done) == 1


def test_other_things_are_refused():
    with pytest.raises(ValueError, match=r"my run: got list. It should be \{query: \{document: score\}\}"):
        relviz.as_run([1], name="my run")


def frame(**columns):
    return pd.DataFrame(columns)


def test_data_frames():
    table = frame(rank=[1, 2], doc_id=["007", "7"], query_id=["q", "q"], score=[2.5, 1.0])
    assert relviz.as_run(table) == {"q": {"007": 2.5, "7": 1.0}}
    table = frame(qid=["q", "q"], docno=["a", "b"], label=[1, 0])
    assert relviz.as_qrels(table) == {"q": {"a": 1, "b": 0}}
    # Where one is missing, pandas holds all of them as floats.
    table = frame(qid=["q", "q", "q"], docno=["a", "b", "c"], label=[1, None, 2]).dropna()
    assert table.label.dtype == float
    grades = relviz.as_qrels(table)["q"]
    assert grades == {"a": 1, "c": 2}
    assert set(map(type, grades.values())) == {int}


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (frame(query_id=[1], doc_id=["a"], relevance=[1]), "qrels, row 1: query id 1 is int, and ids are text"),
        (frame(query_id=["q", None], doc_id=["a", "b"], relevance=[1, 1]), "row 2: query id is missing"),
        (frame(query_id=["q"] * 2, doc_id=["a", "b"], relevance=[1, 0.5]), "row 2: query 'q', document 'b': grade 0.5"),
        (frame(query_id=["q"] * 2, doc_id=["a", "b"], relevance=[1, None]), "row 2: .* grade nan"),
        (frame(query_id=["q"] * 2, doc_id=["a"] * 2, relevance=[1, 0]), r"row 2: .* twice \(first in row 1\)"),
        (frame(query_id=["q"], doc=["a"], relevance=[1]), "qrels: no column doc_id or"),
    ],
)
def test_data_frames_that_are_refused(table, words):
    with pytest.raises(ValueError, match=words):
        relviz.as_qrels(table)


# ---------- the fast reader of TREC runs, held to the careful one and to ir_measures ----------


def carefully(data):
    source = rows.Source("x")
    return rows.gather(lambda: ROWS["trec"](data, rows.score, source), rows.score, source)


# Characters that part columns or lines for somebody, and ids longer than one machine word.
IDS = st.text(st.sampled_from("ab7é文\u00a0\u2028\u3000\x00\x1c\x1f\x85#\"',"), min_size=1, max_size=20)
NUMBERS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.from_regex(r"\A[+-]?[0-9]{0,17}\.?[0-9]{0,24}([eE][+-]?[0-9]{1,3})?\Z"),
    st.sampled_from(
        ["-0", "-0.0", "nan", "inf", "1_0", "9007199254740993", "999999999999999.9", "1e23", ".", "-", "1-2"]
    ),
)
LINES = st.lists(st.tuples(IDS, IDS, NUMBERS), max_size=12)
SPACE = st.sampled_from([" ", "\t", "  ", " \t"])
ENDS = st.sampled_from(["\n", "\r\n", "\n\n", " \n", "\n \n", "\r", "\v\n"])


@settings(deadline=None, max_examples=300)
@given(LINES, SPACE, ENDS)
def test_fast_and_careful_agree(lines, space, end):
    text = "".join(space.join([q, "Q0", d, "1", s, "t"]) + end for q, d, s in lines)
    data = text.encode()
    fast = scan(data)
    try:
        careful = carefully(data)
    except ValueError:
        assert fast is None
        return
    if fast is not None:
        assert fast == careful
        assert list(fast) == list(careful)
        assert all(list(fast[q]) == list(careful[q]) for q in careful)
        signs = [math.copysign(1, v) for q in careful for v in careful[q].values()]
        assert [math.copysign(1, v) for q in fast for v in fast[q].values()] == signs


def test_the_fast_reader_does_take_plain_files():
    assert isinstance(scan(TWO), Run)
    assert isinstance(scan(TWO.replace(b"\n", b"\r\n")), Run)
    assert isinstance(scan("文 Q0 档 1 2.0 t".encode()), Run)


def many_lines(n_queries, n_docs, seed=0):
    rng = np.random.default_rng(seed)
    lines = []
    for q in range(n_queries):
        docs = rng.choice(10 * n_docs, n_docs, replace=False)
        scores = rng.normal(size=n_docs)
        lines += [f"{1000 + q} Q0 D{doc} {i} {s!r} t" for i, (doc, s) in enumerate(zip(docs, scores.tolist()))]
    return lines


def test_blocks_joined_as_ir_measures_reads_them(tmp_path):
    lines = many_lines(70, 200)  # several blocks, queries across their borders
    path = put(tmp_path, "x.run", "\n".join(lines))
    want: dict[str, dict[str, float]] = {}
    for row in ir_measures.read_trec_run(str(path)):
        want.setdefault(row.query_id, {})[row.doc_id] = row.score
    run = relviz.read_run(path)
    assert isinstance(run, Run)
    assert run == want
    assert run.dict() == want
    docs, scores = run.arrays("1003")
    assert dict(zip(docs, scores)) == want["1003"]


def test_a_repeat_far_away_is_found(tmp_path):
    lines = many_lines(70, 200)
    path = put(tmp_path, "x.run", "\n".join([*lines, lines[5]]))
    with pytest.raises(ValueError, match=r"line 14001: query '1000' .*twice \(first in line 6\)"):
        relviz.read_run(path)


@given(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=50))
@example([0] * 2)
@example([7])
def test_repeats(numbers):
    assert repeats(np.array(numbers, np.uint64)) == (len(set(numbers)) < len(numbers))


def test_repeats_count_within_a_query_only():
    marks = np.array([1, 2, 1, 2], np.uint64)
    assert not any_twice(marks, {"q": slice(0, 2), "r": slice(2, 4)})
    assert any_twice(marks, {"q": np.array([0, 2]), "r": np.array([1, 3])})


def test_a_run_is_read_only_and_says_how_to_change_it(tmp_path):
    run = relviz.read_run(put(tmp_path, "x.run", TWO))
    for change in (
        lambda: run["q1"].update(a=5),
        lambda: run["q1"].__setitem__("a", 5),
        lambda: run["q1"].pop("a"),
        lambda: run["q1"].clear(),
    ):
        with pytest.raises(TypeError, match=r"run.dict\(\) gives one that can"):
            change()
    plain = run.dict()
    plain["q1"]["a"] = 5.0
    assert type(plain["q1"]) is dict
    assert pickle.loads(pickle.dumps(run["q1"])) == json.loads(json.dumps(run["q1"])) == BA["q1"]
    assert repr(run) == "<Run: 1 queries, 2 documents>"
    with pytest.raises(KeyError):
        run["q9"]


# ---------- writing ----------

ANY_ID = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
WORD = ANY_ID.filter(
    lambda an_id: len(an_id.encode().split()) == 1 and an_id.encode().split() == [an_id.encode()]
).filter(lambda an_id: not an_id.startswith("\ufeff"))
SCORES = st.floats(allow_nan=False, allow_infinity=False)


def tables(ids, values, least=1):
    return st.dictionaries(ids, st.dictionaries(ids, values, min_size=least, max_size=4), min_size=1, max_size=4)


LAST = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.parametrize("name", ["x.run", "x.run.gz", "x.jsonl", "x.tsv", "x.csv"])
@LAST
@given(data=st.data())
def test_what_is_written_is_read_again(tmp_path, name, data):
    ids = WORD if "tsv" not in name else WORD.filter(lambda an_id: not set(an_id) & set("\t\r\n"))
    run, qrels = data.draw(tables(ids, SCORES)), data.draw(tables(ids, st.integers(-2, 9)))
    relviz.write_run(run, tmp_path / name)
    assert relviz.read_run(tmp_path / name) == run
    relviz.write_qrels(qrels, tmp_path / name)
    assert relviz.read_qrels(tmp_path / name) == qrels


@LAST
@given(tables(ANY_ID, SCORES, least=0), tables(ANY_ID, st.integers(-2, 9), least=0))
def test_json_keeps_every_id(tmp_path, run, qrels):
    relviz.write_run(run, tmp_path / "x.json")
    assert relviz.read_run(tmp_path / "x.json") == run
    relviz.write_qrels(qrels, tmp_path / "x.json")
    assert relviz.read_qrels(tmp_path / "x.json") == qrels


def test_a_trec_run_as_the_field_writes_it(tmp_path):
    relviz.write_run({"q": {"a": 1, "c": np.float64(0.5), "b": 1.0}}, tmp_path / "x.run", tag="bm25")
    assert (tmp_path / "x.run").read_bytes() == b"q Q0 b 1 1.0 bm25\nq Q0 a 2 1 bm25\nq Q0 c 3 0.5 bm25\n"
    relviz.write_qrels({"q": {"文": 2}}, tmp_path / "x.qrels")
    assert (tmp_path / "x.qrels").read_bytes() == "q 0 文 2\n".encode()


def test_lists_and_frames_are_written_too(tmp_path):
    relviz.write_run({"q": ["b", "a"]}, tmp_path / "x.run")
    assert relviz.read_run(tmp_path / "x.run") == {"q": {"b": 2, "a": 1}}
    relviz.write_qrels(frame(query_id=["q"], doc_id=["a"], relevance=[1]), tmp_path / "x.tsv")
    assert (tmp_path / "x.tsv").read_bytes() == b"query-id\tcorpus-id\tscore\nq\ta\t1\n"


@pytest.mark.parametrize(
    ("name", "run", "words"),
    [
        ("x.run", {"q 1": {"a": 1.0}}, "id 'q 1' holds white space, which trec cannot keep. Write .json"),
        ("x.run", {"q": {"a\tb": 1.0}}, "id 'a\\\\tb' holds white space"),
        ("x.tsv", {"q": {"a\tb": 1.0}}, "which tsv cannot keep"),
        ("x.run", {"q": {}}, "query 'q' holds no document, which trec cannot say. Write .json"),
        ("x.run", {}, "nothing to write"),
        ("x.run", {"q": {"a": math.nan}}, "document 'a': score nan"),
        ("x.run", {"q": {"\ud800": 1.0}}, "no valid Unicode"),
    ],
)
def test_what_cannot_be_written(tmp_path, name, run, words):
    put(tmp_path, name, b"before")
    with pytest.raises(ValueError, match=words):
        relviz.write_run(run, tmp_path / name)
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"before"]


def test_tags_are_one_word(tmp_path):
    with pytest.raises(ValueError, match="tag 'my run'"):
        relviz.write_run(BA, tmp_path / "x.run", tag="my run")


def test_a_failed_write_leaves_the_old_file_alone(tmp_path, monkeypatch):
    path = put(tmp_path, "x.run", b"before")

    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr("pathlib.Path.replace", fail)
    with pytest.raises(OSError, match="disk full"):
        relviz.write_run(BA, path)
    assert [p.read_bytes() for p in tmp_path.iterdir()] == [b"before"]


@pytest.mark.parametrize("name", ["x.run", "x.tsv", "x.csv", "x.json", "x.jsonl", "x.run.gz"])
def test_a_file_is_written_a_query_at_a_time(tmp_path, name):
    run = {f"q{q}": {f"D{d}": d / 7 for d in range(200)} for q in range(100)}
    relviz.write_run(run, tmp_path / name)  # imports what it needs
    tracemalloc.start()
    relviz.write_run(run, tmp_path / name)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    size = (tmp_path / name).stat().st_size
    assert peak < (400_000 if name.endswith(".gz") else size / 2)  # deflate keeps its own tables
    assert relviz.read_run(tmp_path / name) == run


def test_a_write_that_fails_half_way_leaves_the_old_file_alone(tmp_path, monkeypatch):
    path = put(tmp_path, "x.json", b"before")

    def fail(value):
        if value == "q2":
            raise KeyboardInterrupt
        return json.dumps(value)

    monkeypatch.setattr("relviz.writing.dumps", fail)
    with pytest.raises(KeyboardInterrupt):
        relviz.write_run({"q1": {"a": 1.0}, "q2": {"a": 1.0}}, path)
    assert [p.read_bytes() for p in tmp_path.iterdir()] == [b"before"]


def test_the_same_run_gives_the_same_bytes(tmp_path):
    for name in ("a.run.gz", "b.run.gz"):
        relviz.write_run(BA, tmp_path / name)
    assert (tmp_path / "a.run.gz").read_bytes() == (tmp_path / "b.run.gz").read_bytes()


# ---------- everywhere ----------


def test_utf8_whatever_the_locale(tmp_path):
    script = (
        "import sys, relviz\n"
        "for name in ('x.run', 'x.json', 'x.csv', 'x.jsonl', 'x.tsv', 'x.run.gz'):\n"
        "    relviz.write_run({'问': {'文档': 1.5}}, name)\n"
        "    assert relviz.read_run(name) == {'问': {'文档': 1.5}}\n"
        "import locale; print(locale.getencoding())"
    )
    env = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONWARNDEFAULTENCODING": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "error::EncodingWarning", "-c", "exec(" + ascii(script) + ")"],
        env=env, cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "utf" not in done.stdout.lower()  # the locale was another one indeed
    assert (tmp_path / "x.run").read_bytes() == "问 Q0 文档 1 1.5 relviz\n".encode()


def test_import_stays_light():
    code = "import sys, relviz; print({'pandas', 'matplotlib', 'ipywidgets', 'anywidget'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


def test_load_strips_one_mark_only(tmp_path):
    mark = b"\xef\xbb\xbf"
    assert load(put(tmp_path, "x", mark + mark + b"q"), rows.Source("x")) == mark + b"q"


# ---------- a run against judgements ----------


def test_check_run_counts():
    qrels = {"q1": {"a": 1, "b": 0}, "q2": {"c": 2}, "q3": {"d": 0}, "q4": {"e": 1}}
    run = {"q1": {"a": 3.0, "x": 2.0, "b": 2.0}, "q2": ["x", "y"], "q3": [], "q9": ["z"]}
    check = relviz.check_run(run, qrels, k=2)
    assert check.queries == 3
    assert check.missing == ["q4"]
    assert check.extra == ["q9"]
    # q1: a, then x before b at equal scores (document id, descending): one of two is judged
    assert check.judged == {"q1": 0.5, "q2": 0.0}
    assert check.judged_at_k == 0.25
    assert check.unmet == ["q2", "q3"]
    assert check.empty == ["q3"]
    assert not check.ok
    assert str(check).splitlines()[0] == "3 of 4 judged queries are answered."


def test_check_run_says_that_a_run_ends_before_the_look_does():
    run, qrels = {"q": ["a", "b", "c"], "r": ["a"], "other": list("abcdef")}, {"q": {"a": 1}, "r": {"a": 1}}
    check = relviz.check_run(run, qrels, k=4)
    assert check.depth == 3
    assert "At most 3 documents a query are returned, and the first 4 are looked at." in str(check)
    assert "At most" not in str(relviz.check_run(run, qrels, k=3))


def test_check_run_is_content():
    assert relviz.check_run({"q": ["a"]}, {"q": {"a": 1}}).ok


@pytest.mark.parametrize(
    ("mine", "other", "why"),
    [
        ("D-7", "d-7", "case"),
        ("7", "007", "zeros"),
        ("docs/7", "7", "prefix"),
        ("7.0", "7", "decimal"),
        ("a.txt", "a", "extension"),
        ("a ", "a", "space"),
    ],
)
def test_check_run_says_why_ids_do_not_meet(mine, other, why):
    word = relviz.locale.say(f"check.why_{why}")
    check = relviz.check_run({"q": [mine]}, {"q": {other: 1}})
    assert len(check.hints) == 1
    assert word in check.hints[0]
    assert repr(mine) in str(check)
    check = relviz.check_run({mine: ["a"]}, {other: {"a": 1}})
    assert word in check.hints[0]
    assert not relviz.check_run({"q": ["x"]}, {"q": {"y": 1}}).hints


def test_check_run_in_chinese():
    relviz.set_language("zh")
    try:
        words = str(relviz.check_run({"q": ["a"], "r": ["b"]}, {"q": {"a": 1}, "s": {"a": 0}}))
    finally:
        relviz.set_language("en")
    assert words.splitlines()[0] == "2 条有标注的查询里，run 回答了 1 条。"
    assert not any("{" in line for line in words.splitlines())


def test_readers_speak_chinese(tmp_path):
    """Each refusal of the tables above, strict and lenient: no English sentence is left in it."""
    relviz.set_language("zh")
    try:
        cases = [(relviz.read_run, *case[:2]) for case in REFUSED_RUNS.values()]
        cases += [(relviz.read_qrels, *case[:2]) for case in REFUSED_QRELS.values()]
        cases += [(read, "x.json", data) for read, data, *_ in JSON_LINES.values()]
        for read, name, data in cases:
            path, done = put(tmp_path, name, data), []
            with pytest.raises(ValueError, match=r"[一-鿿]") as error:
                read(path)
            try:
                read(path, lenient=done)
            except ValueError as nothing_left:
                done.append(str(nothing_left))
            for said in (str(error.value), *done):
                # Quoted data and, in brackets, Python's own words are left as they are.
                ours = re.sub("（[^）]*[a-z][^）]*）|'[^']*'", "", said.removeprefix(str(path)))
                assert not re.search("[a-z]+ [a-z]+ [a-z]+", ours), said
    finally:
        relviz.set_language("en")


def test_check_run_refuses_ids_of_other_types():
    with pytest.raises(ValueError, match="run: query id 10 is int"):
        relviz.check_run({10: {"a": 1.0}}, {"10": {"a": 1}})


def test_check_sees_ties():
    tied = relviz.check_run(
        {"q": {"a": 1.0, "b": 1.0, "c": 0.5}, "r": {"a": 2, "b": 1}}, {"q": {"a": 1}, "r": {"a": 1}}, k=2
    )
    assert tied.tied == 0.5  # both of the first two of q, none of r
    assert "Ties: 50.0% of the first 2" in str(tied)
    deep = relviz.check_run({"q": {"a": 2.0, "b": 1.0, "c": 1.0}}, {"q": {"a": 1}}, k=1)
    assert (deep.tied, "Ties" in str(deep)) == (0, False)
    assert relviz.check_run({"q": {"a": 2.0, "b": 1.0, "c": 1.0}}, {"q": {"a": 1}}, k=2).tied == 0.5


@pytest.mark.parametrize("k", [0, -3, True, 1.5])
def test_check_looks_at_a_whole_number_of_documents(k):
    with pytest.raises(ValueError, match="k is a whole number of at least 1"):
        relviz.check_run({"q": {"a": 1.0}}, {"q": {"a": 1}}, k=k)


def test_check_says_the_same_whatever_the_hash_seed(tmp_path):
    code = (
        "import relviz; print(relviz.check_run({'Q': {'d': 1}}, {x: {'d': 1} for x in ('q', 'q ', ' q', 'Q ', ' Q')}))"
    )
    code = code.replace("{'d': 1}}", "{'d1': 1}}", 1).replace("{'d': 1}", "{'d1': 1}")
    said = {
        subprocess.run(
            [sys.executable, "-c", code], env=os.environ | {"PYTHONHASHSEED": str(seed)}, capture_output=True
        ).stdout
        for seed in range(4)
    }
    assert len(said) == 1
    assert b"would meet" in said.pop()


def test_a_column_that_stands_twice(tmp_path):
    (tmp_path / "r.csv").write_text("query_id,query_id,doc_id,score\na,b,d,1\n")
    with pytest.raises(ValueError, match="'query_id' stands twice"):
        relviz.read_run(tmp_path / "r.csv")
    frame = pd.DataFrame([["a", "b", "d", 1.0]], columns=["query_id", "query_id", "doc_id", "score"])
    with pytest.raises(ValueError, match="'query_id' stands twice"):
        relviz.as_run(frame)


def test_a_first_line_of_another_form_is_told_by_its_ending(tmp_path):
    (tmp_path / "r.run").write_text("query_id,doc_id,score\n")
    with pytest.raises(ValueError, match=r"a name that ends in \.tsv, \.csv"):
        relviz.read_run(tmp_path / "r.run")


def test_hints_count_ids_of_every_query():
    """By hand: in q1 one document meets and two would, in q2 one would, in q3 one that q1 has counted already."""
    qrels = {"q1": {"01": 1, "02": 0, "10": 1}, "q2": {"03": 1, "11": 0}, "q3": {"02": 2}, "q4": {"x9": 1}}
    run = {"q1": ["10", "2", "1", "x"], "q2": ["11", "3"], "q3": ["2"], "q4": ["y/x9"]}
    check = relviz.check_run(run, qrels)
    assert check.unmet == ["q3", "q4"]
    assert check.hints == [
        "Document ids that would meet but for zeros in front: 3, in 4 judgements; '2' in the run is '02' in the qrels."
    ]
    qrels, run = {"q": {"7": 1, "8": 0, "9": 1}}, {"q": ["7.0", "8.0", "9"]}
    assert relviz.check_run(run, qrels).hints == [
        "Document ids that would meet but for a .0 at the end, as when ids were read as numbers: 2, in 2 judgements; "
        "'7.0' in the run is '7' in the qrels."
    ]


def test_hints_leave_alone_what_are_two_documents():
    """Ids that share their tail, and an id that is judged elsewhere as it stands, are documents of their own."""
    assert not relviz.check_run({"q": ["FT-7", "b.2"]}, {"q": {"LA-7": 1, "b.1": 0}}).hints
    assert not relviz.check_run({"q": ["7", "a"]}, {"q": {"07": 1, "a": 1}, "r": {"7": 1}}).hints
    assert not relviz.check_run({"q": ["7", "07"]}, {"q": {"07": 1}}).hints


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("query_id;doc_id;score\nq;d;1\n", {"en": "separated by ;", "zh": "用的是分号"}),
        ("query_id,doc_id,rank\nq,d,1\n", {"en": "such as -rank", "zh": "例如 -rank"}),
    ],
)
def test_tables_that_nearly_fit(tmp_path, data, words):
    for lang, said in words.items():
        relviz.set_language(lang)
        try:
            with pytest.raises(ValueError, match=said):
                relviz.read_run(put(tmp_path, "a.csv", data.encode()))
        finally:
            relviz.set_language("en")


# ---------- what is said of files that newcomers bring ----------

NEWCOMERS = {
    "no tag": (relviz.read_run, "a.run", "q Q0 a 1 2.5\nq Q0 b 2 1.5\n", {"en": "If only the tag is missing, --lenient", "zh": "如果只缺标签，用 --lenient"}),
    "a header in TREC": (relviz.read_run, "a.run", "query Q0 doc rank score tag\nq Q0 a 1 2 t\n", {"en": "line 1: looks like a header: 'score' is no number", "zh": "像是表头：'score' 不是数"}),
    "a header in qrels": (relviz.read_qrels, "a.txt", "qid iter docno rel\nq 0 a 1\n", {"en": "line 1: looks like a header: 'rel'", "zh": "像是表头"}),
    "tsv without a header": (relviz.read_run, "a.tsv", "q\ta\t2.5\n", {"en": "There is no header: the first line should be query-id, corpus-id, score, with tabs", "zh": "没有表头：第一行应为 query-id、corpus-id、score，用制表符分开"}),
    "and named otherwise": (relviz.read_run, "a.txt", "q\ta\t1\n", {"en": "There is no header.* so no rank", "zh": "没有表头.*不能拿名次当分数"}),
    "csv without a header": (relviz.read_run, "a.csv", "q,a,2.5\n", {"en": "the first line should be query_id, doc_id, score, with commas", "zh": "第一行应为 query_id、doc_id、score，用逗号分开"}),
    "texts of queries": (relviz.read_run, "a.tsv", "1\tthree more words\n", {"en": "4 columns where there should be 6. There is no header", "zh": "没有表头"}),
    "qrels for a run": (relviz.read_run, "a.txt", "q 0 a 1\n", {"en": "looks like qrels. In a terminal qrels come first .*fuse takes runs only.*in Python runs come first: evaluate", "zh": "这像是 qrels。终端里先写 qrels.*fuse 只收 run.*Python 里先写 run"}),
    "a run for qrels": (relviz.read_qrels, "a.run", "q Q0 a 1 2.5 t\n", {"en": "looks like a run. In a terminal qrels come first", "zh": "这像是 run。终端里先写 qrels"}),
    "a run for qrels, in JSON": (relviz.read_qrels, "a.json", '{"q": {"a": 0.94}}', {"en": "Is this a run. In a terminal qrels come first", "zh": "这是 run 吗？终端里先写 qrels"}),
    "a grade like 2.0": (relviz.read_qrels, "a.txt", "q 0 a 2.0\n", {"en": r"Write 2, not '2.0'; in pandas, .astype\(int\)", "zh": r"请写 2，不要写 '2.0'；在 pandas 里用 .astype\(int\)"}),
    "pairs in JSON": (relviz.read_run, "a.json", '{"q": [["a", 0.9]]}', {"en": r"with scores write {document: score}, from pairs dict\(pairs\)", "zh": r"有分数就写成 {文档: 分数}，一对一对的用 dict\(pairs\)"}),
    "records in JSON": (relviz.read_run, "a.json", '{"q": [{"doc_id": "a", "score": 0.9}]}', {"en": "A list holds ids only", "zh": "列表里只放文档编号"}),
}  # fmt: skip


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(("read", "name", "data", "words"), NEWCOMERS.values(), ids=NEWCOMERS)
def test_files_of_newcomers(tmp_path, read, name, data, words, lang):
    relviz.set_language(lang)
    try:
        with pytest.raises(ValueError, match=words[lang]) as error:
            read(put(tmp_path, name, data))
    finally:
        relviz.set_language("en")
    assert "\n" not in str(error.value)


def test_words_are_no_qrels_and_nan_is_no_header(tmp_path):
    for data in ("1\tthree more words\n", "a b c d\n"):
        with pytest.raises(ValueError, match="4 columns") as error:
            relviz.read_run(put(tmp_path, "a.txt", data))
        assert "looks like" not in str(error.value)
    with pytest.raises(ValueError, match="score 'nan' is no finite number"):
        relviz.read_run(put(tmp_path, "a.run", "q Q0 a 1 nan t\n"))


def test_a_run_without_tags_is_read_leniently_and_one_cut_line_is_not(tmp_path):
    done: list[str] = []
    run = relviz.read_run(put(tmp_path, "a.run", "q Q0 a 1 2.5\nq Q0 b 2 1.5\nq Q0 c\n"), lenient=done)
    assert run == {"q": {"a": 2.5, "b": 1.5}}
    assert [sentence.split("; ")[-1] for sentence in done] == ["read as a run without a tag", "left out"]
    # Where the first line has a tag, a line without may be cut off within its score.
    assert relviz.read_run(put(tmp_path, "a.run", TWO + b"q1 Q0 c 3 0.9"), lenient=done) == BA


def test_left_out_is_not_called_mended(tmp_path):
    path = put(tmp_path, "a.run", TWO + b"q1 Q0 c 3 nan t\nq1 Q0 a 4 0.5 t\nq1 Q0 d\n")
    with pytest.warns(UserWarning, match=r"a\.run: 2 left out, 1 mended"):
        assert relviz.read_run(path, lenient=True) == BA


def test_a_header_is_left_out_with_its_query(tmp_path):
    data = b"query Q0 doc rank score tag\n" + TWO
    assert relviz.read_run(put(tmp_path, "a.run", data), lenient=[]) == BA


@pytest.mark.parametrize(
    "pairs", [[("a", 0.9), ("b", 0.8)], [["a", 0.9]], [{"doc_id": "a", "score": 0.9}], ["a", ("b", 1)]]
)
def test_pairs_are_no_ids(pairs):
    for call in (relviz.as_run, lambda run: relviz.evaluate(run, {"q": {"a": 1}}, "RR")):
        with pytest.raises(ValueError, match=r"A list holds ids only, best first; .*dict\(pairs\)"):
            call({"q": pairs})
    assert relviz.as_run({"q": dict(relviz.rrf([["a", "b"]]))})["q"]["a"] == 1 / 61


class Theirs:
    """A run or judgements of ranx."""

    def to_dict(self):
        return {"q": {"a": 1}}


def test_objects_of_other_tools_get_a_recipe():
    for convert in (relviz.as_run, relviz.as_qrels):
        with pytest.raises(ValueError, match=r"got Theirs.* hand in what its \.to_dict"):
            convert(Theirs())
        assert convert(Theirs().to_dict()) == {"q": {"a": 1}}
    run, qrels = [ir_measures.ScoredDoc("q", "a", 2.0)], [ir_measures.Qrel("q", "a", 1)]
    recipe = r"make pandas.DataFrame\(records\)"
    for call in (
        lambda: relviz.as_run(run),
        lambda: relviz.as_run(iter(run)),
        lambda: relviz.as_qrels(qrels),
        lambda: relviz.evaluate(run, {"q": {"a": 1}}, "RR"),
        lambda: relviz.compare(run, run, {"q": {"a": 1}}),
    ):
        with pytest.raises(ValueError, match=recipe):
            call()
    assert relviz.as_run(pd.DataFrame(run)) == {"q": {"a": 2.0}}
    assert relviz.as_qrels(pd.DataFrame(qrels)) == {"q": {"a": 1}}


# ---------- a run upside down, and grades that are scores ----------


def ranked_lines(scores, queries=20, first_rank=1):
    """For each query a line per score, in this order; the ranks count up."""
    return "".join(
        f"q{q} Q0 d{rank} {rank} {score} t\n" for q in range(queries) for rank, score in enumerate(scores, first_rank)
    )


@pytest.mark.parametrize(
    ("lines", "upside_down"),
    [
        (ranked_lines([0.1, 0.5, 0.9]), True),
        (ranked_lines([0.1, 0.5, 0.9], first_rank=0), True),
        (ranked_lines([0.1, 0.5, 0.9], queries=1), True),
        (ranked_lines([-0.9, -0.5, -0.1]), True),
        (ranked_lines([0.9, 0.5, 0.1]), False),
        (ranked_lines([0.5, 0.9, 0.5]), False),  # neither way
        (ranked_lines([0.1]), False),
        (re.sub(r"(d[0-9]) [0-9]", r"\1 0", ranked_lines([0.1, 0.9])), False),  # no ranks
        (re.sub(r"(d[0-9]) [0-9]", r"\1 x", ranked_lines([0.1, 0.9])), False),
        # 18 of 20 is not more than nine in ten, 19 are
        (ranked_lines([0.1, 0.9], 18) + ranked_lines([0.9, 0.1], 2).replace("q", "r"), False),
        (ranked_lines([0.1, 0.9], 19) + ranked_lines([0.9, 0.1], 1).replace("q", "r"), True),
    ],
)
def test_a_file_with_the_best_score_last_is_noticed(tmp_path, lines, upside_down):
    run = relviz.read_run(put(tmp_path, "a.run", lines))
    assert isinstance(run, Run)
    assert run.upside_down is upside_down
    check = relviz.check_run(run, {query: {"d1": 1, "d2": 1, "d3": 0} for query in run})
    assert ("Upside down?" in str(check)) == run.upside_down == check.upside_down


def test_also_where_blocks_cut_the_queries(tmp_path, monkeypatch):
    monkeypatch.setattr("relviz.trec.BLOCK", 200)
    rising = [i / 100 for i in range(100)]
    for scores, upside_down in ((rising, True), (rising[::-1], False)):
        run = relviz.read_run(put(tmp_path, "a.run", ranked_lines(scores, 3)))
        assert run.upside_down is upside_down


def test_more_grades_than_anybody_gives(tmp_path):
    run = {"q": {f"d{i}": float(i) for i in range(20)}}
    for n, said in ((10, False), (11, True)):
        check = relviz.check_run(run, {"q": {f"d{i}": i for i in range(n)}})
        assert (check.grades, "are these scores" in str(check).lower()) == (n, said)


def test_a_check_shows_as_its_text_and_in_the_order_of_ids():
    qrels = {q: {"a": 1} for q in ("10", "9", "1")} | {"2": {"a": 0}, "11": {"a": 0}}
    check = relviz.check_run({"x10": ["z"], "x1": ["z"], "9": ["z"], "10": ["z"]}, qrels)
    assert repr(check) == str(check)
    assert (check.missing, check.extra) == (["1", "11", "2"], ["x1", "x10"])
    assert (check.unmet, check.empty) == (["10", "9"], ["11", "2"])


def test_five_columns_without_a_score_are_no_run_without_tags(tmp_path):
    path = put(tmp_path, "a.run", b"q1 Q0 b 1 t\n" + TWO)  # the score is missing, not the tag
    assert relviz.read_run(path, lenient=[]) == BA


def test_how_ids_differ_is_said_once():
    check = relviz.check_run({"q": ["D-7"]}, {"q": {"d-7": 1}})
    assert (str(check).count("'D-7'"), check.apart) == (1, "")
    assert relviz.check_run({"q": ["x"]}, {"q": {"y": 1}}).apart == (
        "Of query q, for example, the run has 'x', and the qrels have 'y'."
    )
