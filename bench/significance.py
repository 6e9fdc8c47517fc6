"""How long 10,000 sign flips and 10,000 paired resamples take, and how much memory, beside other tools.

    python bench/significance.py                 6,980 queries; a minute
    python bench/significance.py --record        also into RESULTS.md

Each tool runs in a process of its own, after one call that does not count, on the same made-up differences. How many
of the queries differ decides how much of the work can be spared, so there is one table for a quarter and one for all.
Relviz resamples with a thread for each processor, so that ratios are given by the clock and by processor time.
"""

import argparse

from common import measure, record, versions

DATA = """
import numpy as np
rng = np.random.default_rng(5)
n, changed = arguments["queries"], arguments["changed"]
a = rng.random(n)
b = a.copy()
b[rng.permutation(n)[:changed]] += rng.normal(0.002, 0.2, changed)
difference = b - a
"""

FLIPS = {
    "relviz": """
from relviz import randomization_test
def work(): return randomization_test(a, b)
""",
    "scipy permutation_test, batch=500": """
from scipy import stats
def work():
    options = {"permutation_type": "samples", "n_resamples": 10_000, "batch": 500, "rng": np.random.default_rng(0)}
    return float(stats.permutation_test((difference,), np.mean, vectorized=True, **options).pvalue)
""",
    "ranx fisher": """
from ranx.statistical_tests.fisher_randomization_test import fisher_randomization_test
def work(): return float(fisher_randomization_test(a, b, 10_000, 0.05)[0])
""",
}
RESAMPLES = {
    "relviz": """
from relviz import paired_bootstrap
def work(): return list(paired_bootstrap(a, b))
""",
    "scipy bootstrap, percentile, batch=500": """
from scipy import stats
def work():
    options = {"n_resamples": 10_000, "batch": 500, "method": "percentile", "rng": np.random.default_rng(0)}
    return list(map(float, stats.bootstrap((difference,), np.mean, **options).confidence_interval))
""",
}


def table(tools: dict[str, str], queries: int, changed: int, rounds: int) -> str:
    """One row per tool: seconds, how many times the seconds of relviz, and megabytes."""
    lines = [
        "| tool | clock s | x relviz | processor s | x relviz | MB above the data | answer |",
        "|---|---|---|---|---|---|---|",
    ]
    ours = None
    for name, work in tools.items():
        found = measure(DATA + work, rounds, queries=queries, changed=changed)
        if found is None:
            lines.append(f"| {name} | not installed | | | | | |")
            continue
        ours = ours or found
        answer = found["answer"]
        shown = f"{answer:.4f}" if isinstance(answer, float) else ", ".join(f"{x:+.5f}" for x in answer)
        times = " | ".join(f"{found[kind]:.3f} | {found[kind] / ours[kind]:.1f}" for kind in ("clock", "cpu"))
        lines.append(f"| {name} | {times} | {found['mb']:.0f} | {shown} |")
    return "\n".join(lines)


def main() -> None:
    """Measure, print, and record if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=6980)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    n = options.queries
    parts = [versions("relviz", "numpy", "scipy", "ranx")]
    for changed in (n // 4, n):
        for what, tools in (("sign flips", FLIPS), ("paired resamples", RESAMPLES)):
            rows = table(tools, n, changed, options.rounds)
            parts.append(f"10,000 {what} of {n:,} queries, of which {changed:,} differ:\n\n{rows}")
    text = "\n\n".join(parts)
    print(text)
    if options.record:
        record("Sign flips and resamples", text)


if __name__ == "__main__":
    main()
