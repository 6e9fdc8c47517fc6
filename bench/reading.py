"""How long a TREC run takes to read, and how much memory, beside other readers, on the same made-up file.

    python bench/reading.py                      6,980 queries x 1,000 documents, about 300 MB
    python bench/reading.py --queries 200        seconds
    python bench/reading.py --record             also into RESULTS.md

Each reader runs in a process of its own, in turns, `--rounds` times. Shown are the least processor time (a machine
that is busy otherwise disturbs it less than the clock), the least time by the clock, and the most memory above what
the imports took. `MB / file` compares that with the size of the file.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from common import record, versions

READERS = {
    "relviz": "from relviz import read_run\nread = lambda: read_run(path)",
    "relviz, as a dict": "from relviz import read_run\nread = lambda: read_run(path).dict()",
    "relviz, line by line": (
        "from relviz import files, lines, rows\n"
        "source = rows.Source(path)\n"
        "rows_of = lambda data: lambda: files.trec_rows(data, rows.score, source)\n"
        "read = lambda: rows.gather(rows_of(lines.load(path, source)), rows.score, source)"
    ),
    "ir_measures, one by one": "import ir_measures\nread = lambda: [None for _ in ir_measures.read_trec_run(path)]",
    "ir_measures, as a list": "import ir_measures\nread = lambda: list(ir_measures.read_trec_run(path))",
    "ir_measures, as a dict": (
        "import ir_measures\n"
        "def read():\n"
        "    run = {}\n"
        "    for row in ir_measures.read_trec_run(path): run.setdefault(row.query_id, {})[row.doc_id] = row.score\n"
        "    return run"
    ),
    "pandas, C parser": (
        "import pandas\n"
        "read = lambda: pandas.read_csv(path, sep=r'\\s+', header=None, names=['q', '0', 'd', 'rank', 's', 'tag'],\n"
        "    usecols=['q', 'd', 's'], dtype={'q': str, 'd': str}, quoting=3, na_filter=False)"
    ),
    "polars": (
        "import polars\n"
        "read = lambda: polars.read_csv(path, separator=' ', has_header=False, columns=[0, 2, 4], quote_char=None,\n"
        "    schema_overrides={'column_1': polars.String, 'column_3': polars.String})"
    ),
}

CHILD = """
import json, resource, sys, time
path = sys.argv[1]
{setup}
def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
before, clock, cpu = peak(), time.perf_counter(), time.process_time()
kept = read()
print(json.dumps([time.process_time() - cpu, time.perf_counter() - clock, peak() - before]))
"""


def write(path: Path, queries: int, depth: int) -> None:
    """A run with MS MARCO's kind of ids and six decimals in its scores, as Anserini writes them."""
    rng = random.Random(1)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for query in range(queries):
            score, lines = 40.0, []
            for rank, doc in enumerate(rng.sample(range(8_841_823), depth), start=1):
                score -= rng.random() * 0.03
                lines.append(f"{1_000_000 + 7 * query} Q0 {doc} {rank} {score:.6f} Anserini\n")
            file.write("".join(lines))


def measure(setup: str, path: Path) -> list[float] | None:
    """Processor seconds, seconds and MB of one reading; None when the reader is not installed."""
    command = [sys.executable, "-c", CHILD.format(setup=setup), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "ModuleNotFoundError" in done.stderr:
        return None
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def main() -> None:
    """Measure, print, and record if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=6980)
    parser.add_argument("--depth", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="*", default=list(READERS), help="readers to measure")
    parser.add_argument("--record", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "made_up.run"
        write(path, chosen.queries, chosen.depth)
        size = path.stat().st_size / 2**20
        found: dict[str, list[list[float]]] = {}
        for _ in range(chosen.rounds):
            for name in chosen.only:
                took = measure(READERS[name], path)
                if took is not None:
                    found.setdefault(name, []).append(took)
    ours = min(took[0] for took in found["relviz"]) if "relviz" in found else float("nan")
    lines = [
        f"{chosen.queries:,} queries x {chosen.depth:,} documents, {size:.0f} MB, best of {chosen.rounds}. "
        + versions("relviz", "ir_measures", "pandas", "numpy"),
        "",
        "| reader | processor s | x relviz | clock s | MB above imports | MB / file |",
        "|---|---|---|---|---|---|",
    ]
    for name, rounds in found.items():
        cpu, clock = min(took[0] for took in rounds), min(took[1] for took in rounds)
        memory = max(took[2] for took in rounds)
        lines.append(f"| {name} | {cpu:.2f} | {cpu / ours:.1f} | {clock:.2f} | {memory:.0f} | {memory / size:.1f} |")
    text = "\n".join(lines)
    print(text)
    if chosen.record:
        record("Reading a run", text)


if __name__ == "__main__":
    main()
