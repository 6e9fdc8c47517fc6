"""Damaged files: a reader answers, or says in a ValueError which file and which line; nothing else, and soon.

RELVIZ_FUZZ_SECONDS=600 runs longer than the unit suite does; RELVIZ_FUZZ_SEED takes another road.
"""

# ruff: noqa: E501
import gzip
import os
import random
import re
import time

import pytest

from relviz import rows
from relviz.files import ROWS, guess, read_qrels, read_run
from relviz.lines import load

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

SECONDS = float(os.environ.get("RELVIZ_FUZZ_SECONDS", "3"))
SEED = int(os.environ.get("RELVIZ_FUZZ_SEED", "0"))
SLOW = 5.0  # seconds; a file here has at most a few thousand bytes

RUN = "".join(f"q{q} Q0 文{d} {d} {10 / d!r} t\n" for q in range(3) for d in range(1, 7)).encode()
TABLE = "".join(f"q{q}\t文{d}\t{d}\n" for q in range(3) for d in range(1, 7)).encode()
JSON = '{"q1": {"a": 1, "文": 2}, "q2": {}, "q3": {"c,d": 0}}'.encode()
JSONL = b"".join(b'{"query_id": "q%d", "doc_id": "d%d", "score": %d}\n' % (q, d, d) for q in range(3) for d in range(4))
DATA = """{"docs": {"a": "甲"}, "queries": [
{"id": "q1", "text": "问",
 "rel": {"a": 2, "b": 1}},
{"id": "q2", "rel": {}}]}""".encode()

SEEDS = {
    "x.run": RUN,
    "x.qrels": TABLE.replace(b"\t", b" 0 ", 1).replace(b"\t", b" "),
    "x.txt": "".join(f"q{q} 0 d{d} {d}\n" for q in range(3) for d in range(6)).encode(),
    "x.tsv": b"query-id\tcorpus-id\tscore\n" + TABLE,
    "x.csv": b"query_id,doc_id,score,relevance\n" + b'q1,"a,""b",1,1\nq1,c,2,2\n',
    "x.json": JSON,
    "data.json": DATA,
    "records.json": b"[" + JSONL.strip().replace(b"\n", b",\n") + b"]",
    "x.jsonl": JSONL,
    "x.run.gz": gzip.compress(RUN, mtime=0),
    "x.json.gz": gzip.compress(JSON, mtime=0),
}
PIECES = [
    b"\n", b"\r", b"\r\n", b"\t", b" ", b",", b'"', b"\x00", b"\x0b", b"\x1c", b"\xef\xbb\xbf", b"\xff\xfe", b"\xff", b"\xed\xa0\x80",
    b"\xc2\xa0", b"\xe2\x80\xa8", b"\x1f\x8b", b"nan", b"inf", b"-", b"1e999", b"1e-400", b"1_0", b"9" * 400, b"9" * 5000, b"[" * 3000,
    b"{", b"}", b"]", b":", b"null", b"true", b"NaN", b"1.5", b"\\ud800", b"\\u0000", b"#", b"q1", b'{"q1": ', b'"q1": {"a": 1},\n', b'"id": "q1",', b'"rel": {},', b" Q0 d 1 1 t\n",
    b"query-id\tcorpus-id\tscore\n", b"x" * 300, b"x" * 200_000,
]  # fmt: skip


def damaged(data, rng):
    """The bytes after one to four small accidents."""
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data) + 1)
        to = min(len(data), at + rng.choice([1, 1, 2, 5, 40]))
        data = rng.choice(
            [
                lambda d, a, b: d[:a] + d[b:],
                lambda d, a, b: d[:a] + d[a:b] * rng.randint(2, 5) + d[b:],
                lambda d, a, b: d[:a] + bytes([rng.randrange(256)]) + d[a + 1 :],
                lambda d, a, b: d[:a] + rng.choice(PIECES) + d[a:],
                lambda d, a, b: d[:a] + rng.choice(PIECES) + d[b:],
                lambda d, a, b: d[:a],
                lambda d, a, b: b"\n".join(rng.sample(lines := d.split(b"\n"), len(lines))),
                lambda d, a, b: d.replace(*rng.choice([(b"\n", b"\r\n"), (b" ", b"\t"), (b"\n", b""), (b"1", b"a")])),
                lambda d, a, b: d + d[:a],
            ]
        )(data, at, to)
    return data


def attempt(read, path, **options):
    """What was read, or else the words of the ValueError; any other exception is a failure of the test."""
    try:
        return read(path, **options), ""
    except ValueError as error:
        words = str(error)
        fine = type(error) is ValueError and words.startswith(str(path))
    assert fine, words
    return None, words


def check(path, read, value_of):
    """One reading, strict and lenient; the strict answer, if there was one."""
    start = time.perf_counter()
    answer, refusal = attempt(read, path)
    if refusal and not re.match(r", line \d+: ", refusal[len(str(path)) :]):
        assert "holds nothing" in refusal or "is not gzip" in refusal, refusal
    done: list[str] = []
    mended, second_refusal = attempt(read, path, lenient=done)
    if second_refusal:
        # A header cannot be guessed, and nothing cannot be read.
        assert re.search("no column|stands twice|Nothing is left|holds nothing", second_refusal), second_refusal
    else:
        assert bool(done) == bool(refusal), done
        assert refusal or mended == answer
    if answer is not None:
        source = rows.Source(str(path))
        data = load(path, source)
        form = guess(path, data, value_of)
        assert rows.gather(lambda: ROWS[form](data, value_of, source), value_of, source) == answer
    assert time.perf_counter() - start < SLOW
    return answer


@pytest.mark.parametrize(("read", "value_of"), [(read_run, rows.score), (read_qrels, rows.grade)])
def test_damaged_files_are_read_or_refused_by_line(tmp_path, read, value_of):
    rng = random.Random(SEED)
    until = time.monotonic() + SECONDS / 2
    read_well = refused = 0
    while time.monotonic() < until or not (read_well and refused):
        name, data = rng.choice(list(SEEDS.items()))
        path = tmp_path / name
        bad = damaged(gzip.decompress(data), rng) if name.endswith(".gz") and rng.random() < 0.5 else damaged(data, rng)
        path.write_bytes(gzip.compress(bad) if name.endswith(".gz") and bad[:2] != b"\x1f\x8b" else bad)
        try:
            answer = check(path, read, value_of)
        except BaseException:
            print(f"RELVIZ_FUZZ_SEED={SEED} {name}: {path.read_bytes()[:2000]!r}")
            raise
        read_well, refused = read_well + (answer is not None), refused + (answer is None)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 if resource else 0
    print(f"{read_well} read, {refused} refused, peak memory {peak:.0f} MB")
