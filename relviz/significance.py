"""Is the difference between two systems more than the luck of the queries?

Everywhere in this module `a` and `b` hold one score per query of the systems A and B, in the same order of queries;
the difference is b - a, so above 0 means that B is better. The same seed gives the same answer.
"""

import math
from collections.abc import Iterator, Sequence
from statistics import NormalDist
from typing import Any

import numpy as np

__all__ = [
    "exact_randomization_test",
    "paired_bootstrap",
    "queries_needed",
    "randomization_test",
    "sd_interval",
    "unpaired_bootstrap",
]

Scores = Sequence[float] | np.ndarray[Any, Any]

# Sums of the same numbers in another order differ in the last bits; this much is called equal.
TOLERANCE = 1e-12
# Resamples are drawn in pieces of about this many numbers, so that memory does not grow with n_boot.
PIECE = 1 << 20
# 2**20 sign patterns are enumerated in a fraction of a second; one more difference doubles that.
MOST_EXACT = 20


def paired_bootstrap(
    a: Scores, b: Scores, n_boot: int = 10_000, seed: int = 0, *, level: float = 0.95
) -> tuple[float, float]:
    """Percentile interval of the mean difference: queries are resampled whole, with both their scores.

    The middle `level` of n_boot resampled means of b - a. With few queries of which few differ it is too narrow.
    Source: chapter 000, section 5; Efron and Tibshirani 1993. Built in lesson 09.
    """
    difference = differences(a, b)
    rng = np.random.default_rng(_count("seed", seed, least=0))
    return _interval(_resampled_means(difference, n_boot, rng), level)


def unpaired_bootstrap(
    a: Scores, b: Scores, n_boot: int = 10_000, seed: int = 0, *, level: float = 0.95
) -> tuple[float, float]:
    """The mistake, for comparison: A and B are resampled apart, so the difficulty of the queries counts as noise.

    With correlation rho between a and b of equal spread it is about 1 / sqrt(1 - rho) times as wide as the paired one.
    Source: chapter 000, section 5. Built in lesson 09.
    """
    differences(a, b)
    rng = np.random.default_rng(_count("seed", seed, least=0))
    means_a = _resampled_means(np.asarray(a, dtype=float), n_boot, rng)
    means_b = _resampled_means(np.asarray(b, dtype=float), n_boot, rng)
    return _interval(means_b - means_a, level)


def randomization_test(a: Scores, b: Scores, n_perm: int = 10_000, seed: int = 0) -> float:
    """Two-sided p by chance: the share of sign flips whose mean difference is at least as large as the observed.

    Under the null hypothesis A and B can be exchanged on each query, so each difference may change its sign.
    (hits + 1) / (n_perm + 1), since the observed assignment is one of those possible: p is never 0.
    Source: chapter 000, section 5; Smucker, Allan and Carterette 2007; Phipson and Smyth 2010. Built in lesson 09.
    """
    difference = differences(a, b)
    observed = abs(difference.mean()) - TOLERANCE
    rng = np.random.default_rng(_count("seed", seed, least=0))
    hits = 0
    for rows in _pieces(_count("n_perm", n_perm), difference.size):
        signs = rng.choice([-1, 1], size=(rows, difference.size))
        hits += int(np.sum(np.abs((signs * difference).mean(axis=1)) >= observed))
    return (hits + 1) / (n_perm + 1)


def exact_randomization_test(a: Scores, b: Scores) -> float:
    """Two-sided p over all sign flips, with no chance in it; for at most 20 differences other than 0.

    A difference of 0 has no sign to flip. With m others, p is a multiple of 2 / 2**m and cannot be smaller than that.
    Source: Fisher 1935. Built in lesson 09.
    """
    difference = differences(a, b)
    changed = difference[difference != 0]
    if changed.size > MOST_EXACT:
        raise ValueError(
            f"{changed.size} differences are not 0, and 2**{changed.size} sign flips are too many to enumerate "
            f"(at most {MOST_EXACT}); use randomization_test"
        )
    sums = np.zeros(1)
    for d in changed:
        sums = np.concatenate([sums + d, sums - d])
    observed = abs(changed.sum()) - TOLERANCE * difference.size
    return float(np.mean(np.abs(sums) >= observed))


def queries_needed(sd: float, delta: float, alpha: float = 0.05, power: float = 0.8) -> int:
    """How many queries detect a mean difference of delta, if per-query differences have the standard deviation sd.

    Normal approximation of a paired two-sided test: ((z_alpha + z_beta) * sd / delta) ** 2, rounded up; a t test needs
    about two more. sd and delta in the unit of the measure. Halving delta takes four times the queries.
    Source: chapter 000, section 5. Built in lesson 10.
    """
    for name, value in {"sd": sd, "delta": delta}.items():
        if not 0 < value < math.inf:
            raise ValueError(f"{name} is a finite number above 0, got {value!r}")
    for name, value in {"alpha": alpha, "power": power}.items():
        if not 0 < value < 1:
            raise ValueError(f"{name} is a probability between 0 and 1, got {value!r}")
    z_alpha, z_beta = NormalDist().inv_cdf(1 - alpha / 2), NormalDist().inv_cdf(power)
    return math.ceil(((z_alpha + z_beta) * sd / delta) ** 2)


def sd_interval(sd: float, n: int, level: float = 0.95) -> tuple[float, float]:
    """Where the true standard deviation may lie when `sd` was computed from n queries (with n - 1 below).

    (n - 1) sd**2 / sigma**2 has a chi-square distribution if the differences are normal; real ones have heavier
    tails, so the truth is less certain still. queries_needed at both ends says how little 30 queries tell about n.
    Source: any text on the normal variance. Built in lesson 10.
    """
    if not 0 < sd < math.inf:
        raise ValueError(f"sd is a finite number above 0, got {sd!r}")
    half = (_count("n", n, least=2) - 1) / 2
    if not 0 < level < 1:
        raise ValueError(f"level is a probability between 0 and 1, got {level!r}")
    low, high = (sd * math.sqrt(half / _gamma_quantile((1 + side * level) / 2, half)) for side in (1, -1))
    return low, high


def differences(a: Scores, b: Scores) -> np.ndarray[Any, Any]:
    """B - a per query, after a check that the two can be paired."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    if a.ndim != 1 or b.ndim != 1 or a.size != b.size or a.size == 0:
        raise ValueError(f"a and b hold one score per query, in the same order; got the shapes {a.shape} and {b.shape}")
    for name, scores in {"a": a, "b": b}.items():
        bad = np.flatnonzero(~np.isfinite(scores))
        if bad.size:
            raise ValueError(
                f"{name}[{bad[0]}] is {scores[bad[0]]}; leave a query without a score out of both systems, and say so"
            )
    return b - a


def _resampled_means(values: np.ndarray[Any, Any], n_boot: int, rng: np.random.Generator) -> np.ndarray[Any, Any]:
    pieces = _pieces(_count("n_boot", n_boot), values.size)
    return np.concatenate([values[rng.integers(0, values.size, size=(n, values.size))].mean(axis=1) for n in pieces])


def _interval(means: np.ndarray[Any, Any], level: float) -> tuple[float, float]:
    if not 0 < level < 1:
        raise ValueError(f"level is a probability between 0 and 1, got {level!r}")
    tail = round(50 * (1 - level), 10)  # 2.5, not 2.500000000000002
    low, high = np.percentile(means, [tail, 100 - tail])
    return float(low), float(high)


def _pieces(total: int, width: int) -> Iterator[int]:
    rows = max(1, PIECE // width)
    for start in range(0, total, rows):
        yield min(rows, total - start)


def _gamma_quantile(p: float, a: float) -> float:
    """Where the gamma distribution of shape a reaches p; twice that is the chi-square quantile of 2 * a."""
    low, high = 0.0, 1.0
    while _gamma_share(a, high) < p:
        high *= 2
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if _gamma_share(a, middle) < p else (low, middle)
    return high


def _gamma_share(a: float, x: float) -> float:
    """The share of a gamma distribution of shape a below x, by the power series."""
    if x == 0:
        return 0.0
    if x > a + 12 * math.sqrt(a) + 150:
        return 1.0  # the rest is below 1e-30, and the series would overflow
    term = total = 1 / a
    n = 1
    while term > total * 1e-17:
        term *= x / (a + n)
        total += term
        n += 1
    return total * math.exp(a * math.log(x) - x - math.lgamma(a))


def _count(name: str, value: int, least: int = 1) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ValueError(f"{name} is a whole number of at least {least}, got {value!r}")
    return int(value)
