"""What the benchmarks share: one candidate in one process, and one table in RESULTS.md per benchmark."""

import importlib.metadata
import json
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).with_name("RESULTS.md")

CHILD = """
import gc, json, resource, sys, time
def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
arguments = json.loads(sys.argv[1])
{setup}
gc.collect()
gc.freeze()
before, clock, cpu = peak(), [], []
for _ in range(arguments["rounds"] + 1):
    c, p = time.perf_counter(), time.process_time()
    answer = work()
    clock.append(time.perf_counter() - c)
    cpu.append(time.process_time() - p)
print(json.dumps(dict(first=clock[0], clock=min(clock[1:]), cpu=min(cpu[1:]), mb=peak() - before, answer=answer)))
"""


def measure(setup: str, rounds: int, **arguments: Any) -> dict[str, Any] | None:
    """Run `setup`, which defines work(), in a fresh process; None when something it imports is not installed.

    first: seconds of the first call, compilation included. clock and cpu: the least seconds of the `rounds` calls
    after it, by the clock and of all processors. mb: peak memory above what `setup` left behind. answer: what work()
    returned.
    """
    command = [sys.executable, "-c", CHILD.format(setup=setup), json.dumps({"rounds": rounds, **arguments})]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "ModuleNotFoundError" in done.stderr:
        return None
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


def versions(*packages: str) -> str:
    """What was measured, and when."""
    known = [f"{name} {importlib.metadata.version(name)}" for name in packages]
    return f"{time.strftime('%Y-%m-%d')}, {sys.platform}, Python {sys.version.split()[0]}, {', '.join(known)}"


def record(title: str, text: str) -> None:
    """Put `text` under the heading `title` of RESULTS.md, in place of what stood there."""
    page = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else "# Measured\n"
    section = f"## {title}\n\n{text.strip()}\n"
    pattern = re.compile(rf"^## {re.escape(title)}\n.*?(?=^## |\Z)", re.M | re.S)
    found = pattern.search(page)
    page = page[: found.start()] + section + "\n" + page[found.end() :] if found else f"{page}\n{section}"
    RESULTS.write_text(page.rstrip() + "\n", encoding="utf-8")
