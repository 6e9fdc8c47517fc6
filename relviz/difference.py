"""One difference between a run and the baseline: its luck, p corrected over all that are looked at, and the verdict."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from relviz.evaluate import Evaluation
from relviz.significance import (
    MOST_EXACT,
    TOLERANCE,
    effect_size,
    exact_randomization_test,
    holm,
    max_t,
    paired_bootstrap,
    queries_needed,
    randomization_test,
    sd_interval,
)

__all__ = ["Difference", "Luck", "alpha_of", "corrected", "difference", "fewest", "means", "paired", "verdict"]

CORRECTIONS = ("max-t", "holm", "none")
# What luck does more often than this is not called shown, however low the level of the intervals.
ALPHA = 0.05
SHOWN = ("higher", "lower")

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Difference:
    """One run against the baseline by one measure.

    n: the queries that both have a score for. a, b: the mean scores; mean: of B - A, with sd and the interval low to
    high at the comparison's level. p: two-sided, from all sign flips if exact, else by chance; p_holm and p_max_t are
    corrected over all differences of the comparison. effect: mean / sd, or None when all differences are equal.
    wins, losses, ties: queries where B is higher, lower, equal. needed: for each difference worth seeing, how many
    queries see it, with the range that the uncertain sd leaves; empty when the spread is unknown.
    verdict: "higher" or "lower" when the interval leaves out 0 and the corrected p is below 1 - level and 0.05; "edge"
    when one of the two says so; "not_shown" when neither does; "same" when no query differs.
    """

    run: str
    measure: str
    n: int
    a: float
    b: float
    mean: float
    sd: float
    low: float
    high: float
    p: float
    exact: bool
    p_holm: float
    p_max_t: float
    p_corrected: float
    effect: float | None
    wins: int
    losses: int
    ties: int
    needed: dict[float, tuple[int, int, int]]
    verdict: str


def paired(evaluation: Evaluation, run: str, measure: str) -> Array:
    """B - A per query, NaN where either has no score; sums that differ in the last bits only are equal."""
    d = evaluation.scores[run][measure] - evaluation.scores[evaluation.runs[0]][measure]
    d[np.abs(d) <= TOLERANCE] = 0.0
    return d


def means(evaluation: Evaluation, run: str, measure: str, which: Array) -> tuple[float, float]:
    """The mean scores of the baseline and of the run, over some of the queries."""
    a, b = (float(evaluation.scores[name][measure][which].mean()) for name in (evaluation.runs[0], run))
    return a, b


@dataclass(frozen=True)
class Luck:
    """How chance is reckoned: the level of the intervals, and how it is drawn."""

    level: float
    n_boot: int
    n_perm: int
    seed: int

    def of(self, d: Array) -> dict[str, Any]:
        """What differences say about their mean, as fields of Difference; those that are NaN are left out."""
        d = d[np.isfinite(d)]
        zeros = np.zeros(d.size)
        exact = bool(np.count_nonzero(d) <= MOST_EXACT)
        low, high = paired_bootstrap(zeros, d, self.n_boot, self.seed, level=self.level)
        return {
            "n": int(d.size),
            "mean": float(d.mean()),
            "sd": float(d.std(ddof=1)) if d.size > 1 else 0.0,
            "low": low,
            "high": high,
            "p": exact_randomization_test(zeros, d) if exact else randomization_test(zeros, d, self.n_perm, self.seed),
            "exact": exact,
            "effect": effect_size(zeros, d),
            "wins": int(np.count_nonzero(d > 0)),
            "losses": int(np.count_nonzero(d < 0)),
            "ties": int(np.count_nonzero(d == 0)),
        }


def corrected(
    evaluation: Evaluation, p: Mapping[tuple[str, str], float], luck: Luck
) -> dict[tuple[str, str], tuple[float, float]]:
    """p by Holm and by max-T, over all pairs of run and measure that p has."""
    rows = [np.nan_to_num(paired(evaluation, *pair)) for pair in p]
    by_flips = max_t([np.zeros_like(row) for row in rows], rows, luck.n_perm, luck.seed)
    # By chance, a corrected p can come out a hair below the raw one; the truth cannot.
    return {pair: (p_holm, max(p[pair], p_max)) for pair, p_holm, p_max in zip(p, holm(list(p.values())), by_flips)}


def difference(
    evaluation: Evaluation,
    run: str,
    measure: str,
    found: Mapping[str, Any],
    by_both: tuple[float, float] | None,
    correction: str,
    luck: Luck,
    worth: Sequence[float],
) -> Difference:
    """What luck found for a run and a measure, with p by Holm and by max-T (None: not corrected) and the verdict."""
    p_holm, p_max_t = by_both or (found["p"], found["p"])
    p = {"max-t": p_max_t, "holm": p_holm, "none": found["p"]}[correction]
    a, b = means(evaluation, run, measure, np.isfinite(paired(evaluation, run, measure)))
    return Difference(
        run=run,
        measure=measure,
        a=a,
        b=b,
        p_holm=p_holm,
        p_max_t=p_max_t,
        p_corrected=p,
        needed=_needed(found["sd"], found["n"], worth, alpha_of(luck.level)),
        verdict=verdict(found, p, alpha_of(luck.level)),
        **found,
    )


def verdict(found: Mapping[str, Any], p: float, alpha: float) -> str:
    """Which of the verdicts that `Difference` lists, for what `Luck.of` found and a corrected p."""
    if found["wins"] + found["losses"] == 0:
        return "same"
    apart, rare = found["low"] > 0 or found["high"] < 0, p < alpha
    if apart and rare:
        return "higher" if found["mean"] > 0 else "lower"
    return "edge" if apart or rare else "not_shown"


def alpha_of(level: float) -> float:
    """Below this, p is small enough to call a difference shown."""
    return min(1 - level, ALPHA + TOLERANCE)


def fewest(alpha: float) -> int:
    """How many queries must change for p to get below alpha at all."""
    return next(count for count in range(1, 1100) if 2.0 ** (1 - count) < alpha)


def _needed(sd: float, n: int, worth: Sequence[float], alpha: float) -> dict[float, tuple[int, int, int]]:
    if sd <= TOLERANCE:
        return {}
    low, high = sd_interval(sd, n)
    least = fewest(alpha)
    counts = {delta: [max(least, queries_needed(s, delta, alpha)) for s in (sd, low, high)] for delta in worth}
    return {delta: (middle, fewer, more) for delta, (middle, fewer, more) in counts.items()}
