"""Is the difference between two systems more than the luck of the queries?

Everywhere in this module `a` and `b` hold one score per query of the systems A and B, in the same order of queries;
the difference is b - a, so above 0 means that B is better. The same seed gives the same answer, whatever the number of
processors: threads work on fixed shares, and nothing here is left to a linear algebra library.

Two streams of random numbers, chosen by size alone. Up to CHAPTER_DRAWS draws (queries times resamples: 10,000 of up
to 100 queries) they are drawn as chapter 000 draws them, one per query and resample, so its numbers come back digit
for digit. Beyond, the same laws are drawn in fewer steps: a difference of 0 needs no sign, eight signs share a random
byte, and a resample asks first how many of its draws fall into each block of 256 queries, where two draws are 16 bits.
"""

import math
import os
import sys
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from statistics import NormalDist
from typing import Any

import numpy as np

from relviz.checks import between, each, finite, is_finite, whole
from relviz.locale import say, short
from relviz.rows import is_missing

__all__ = [
    "effect_size",
    "exact_randomization_test",
    "holm",
    "max_t",
    "paired_bootstrap",
    "queries_needed",
    "randomization_test",
    "sd_interval",
    "unpaired_bootstrap",
]

Scores = Sequence[float] | np.ndarray[Any, Any]

# Sums of the same numbers in another order differ in the last bits; this much is called equal.
TOLERANCE = 1e-12
# The chapter's stream of random numbers up to here, the short one above.
CHAPTER_DRAWS = 1_000_000
# Resamples are drawn in pieces of about this many numbers, so that memory does not grow with n_boot; larger ones are
# fetched from the system and given back each time, which takes twice as long.
PIECE = 1 << 14
# Values among which 8 random bits choose, so that 16 look up the sum of two; larger tables lie too far away.
BLOCK = 1 << 8
# So many resamples are the share of a thread: four shares in 10,000.
SHARE = 2500
# More resamples or flips would fill the memory: each leaves a mean of eight bytes.
MOST_DRAWN = 10**8
# Standard deviations square the differences of scores, and a float ends at 1.8e308.
LARGEST = 1e150
# 2**20 sign patterns are enumerated in a fraction of a second; one more difference doubles that.
MOST_EXACT = 20


def paired_bootstrap(
    a: Scores,
    b: Scores,
    n_boot: int = 10_000,
    seed: int = 0,
    *,
    level: float = 0.95,
    strata: Sequence[Any] | None = None,
) -> tuple[float, float]:
    """Percentile interval of the mean difference: queries are resampled whole, with both their scores.

    The middle `level` of n_boot resampled means of b - a. With few queries of which few differ it is too narrow.
    strata: one label per query, where the queries were drawn with a fixed number from each stratum; each is then
    resampled within itself. A stratum of one query never varies, so small strata make the interval too narrow.
    Source: chapter 000, section 5; Efron and Tibshirani 1993. Built in lesson 09.
    """
    difference = differences(a, b)
    rng = np.random.default_rng(whole("seed", seed, least=0))
    if strata is None:
        return _interval(resampled_means(difference, n_boot, rng), level)
    labels = each("strata", strata)
    if len(labels) != difference.size:
        raise ValueError(say("errors.strata_size", queries=difference.size, labels=len(labels)))
    for i, label in enumerate(labels):
        if not isinstance(label, Hashable) or is_missing(label) or label != label:
            raise ValueError(say("errors.stratum", place=i, label=short(label)))
    means = np.zeros(whole("n_boot", n_boot, most=MOST_DRAWN))
    for stratum in dict.fromkeys(labels):
        inside = difference[[label == stratum for label in labels]]
        means += inside.size / difference.size * resampled_means(inside, n_boot, rng)
    return _interval(means, level)


def unpaired_bootstrap(
    a: Scores, b: Scores, n_boot: int = 10_000, seed: int = 0, *, level: float = 0.95
) -> tuple[float, float]:
    """The mistake, for comparison: A and B are resampled apart, so the difficulty of the queries counts as noise.

    With correlation rho between a and b of equal spread it is about 1 / sqrt(1 - rho) times as wide as the paired one.
    Source: chapter 000, section 5. Built in lesson 09.
    """
    differences(a, b)
    rng = np.random.default_rng(whole("seed", seed, least=0))
    means_a = resampled_means(np.asarray(a, dtype=float), n_boot, rng)
    means_b = resampled_means(np.asarray(b, dtype=float), n_boot, rng)
    return _interval(means_b - means_a, level)


def randomization_test(a: Scores, b: Scores, n_perm: int = 10_000, seed: int = 0) -> float:
    """Two-sided p by chance: the share of sign flips whose mean difference is at least as large as the observed.

    Under the null hypothesis A and B can be exchanged on each query, so each difference may change its sign.
    (hits + 1) / (n_perm + 1), since the observed assignment is one of those possible: p is never 0.
    Source: chapter 000, section 5; Smucker, Allan and Carterette 2007; Phipson and Smyth 2010. Built in lesson 09.
    """
    difference = differences(a, b)
    observed = abs(difference.mean()) - TOLERANCE
    means = flipped_means(difference, n_perm, np.random.default_rng(whole("seed", seed, least=0)))
    return (int(np.count_nonzero(np.abs(means) >= observed)) + 1) / (n_perm + 1)


def exact_randomization_test(a: Scores, b: Scores) -> float:
    """Two-sided p over all sign flips, with no chance in it; for at most 20 differences other than 0.

    A difference of 0 has no sign to flip. With m others, p is a multiple of 2 / 2**m and cannot be smaller than that.
    Source: Fisher 1935. Built in lesson 09.
    """
    difference = differences(a, b)
    changed = difference[difference != 0]
    if changed.size > MOST_EXACT:
        raise ValueError(say("errors.too_many_flips", n=changed.size, most=MOST_EXACT))
    sums = every_flip(changed)
    observed = abs(changed.sum()) - TOLERANCE * difference.size
    return float(np.mean(np.abs(sums) >= observed))


def effect_size(a: Scores, b: Scores) -> float | None:
    """d_z: the mean difference divided by the standard deviation of the differences; None if all are equal.

    It has no unit and does not grow with the number of queries, unlike p. The mean difference itself, in the unit of
    the measure, says more to whoever decides; d_z says how many queries are needed to see it.
    Source: Cohen 1988; Sakai 2014. Built in lesson 10.
    """
    difference = differences(a, b)
    sd = float(difference.std(ddof=1)) if difference.size > 1 else 0.0
    return float(difference.mean()) / sd if sd > TOLERANCE else None


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values of several tests, corrected so that all of them together are wrong at most as often as one.

    The smallest times their number, the next times one less, and so on; never falling, never above 1. It assumes
    nothing about how the tests depend on each other. Source: Holm 1979. Built in lesson 10.
    """
    p_values = each("p_values", p_values)
    for p in p_values:
        if not is_finite(p) or not 0 <= p <= 1:
            raise ValueError(say("errors.unit", name=say("errors.p_value"), got=short(p)))
    corrected, worst = [0.0] * len(p_values), 0.0
    for rank, i in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        worst = max(worst, min(1.0, (len(p_values) - rank) * p_values[i]))
        corrected[i] = worst
    return corrected


def max_t(a: Sequence[Scores], b: Sequence[Scores], n_perm: int = 10_000, seed: int = 0) -> list[float]:
    """p-values of several comparisons on the same queries, corrected by the largest statistic of shared sign flips.

    a and b hold one row of scores per comparison: several measures, or several runs against a baseline. A query flips
    in all rows at once, so rows that move together cost little; that is what Holm's method cannot know. The statistic
    is |sum of d| / sqrt(sum of d**2), which orders flips as |t| does. Step-down: each row is compared with the largest
    statistic among itself and those below it. Exact where at most 20 queries differ in any row, else by chance.
    Source: Westfall and Young 1993, algorithm 4.1. Built in lesson 10.
    """
    rows_a, rows_b = each("a", a), each("b", b)
    if not rows_a or len(rows_a) != len(rows_b):
        raise ValueError(say("errors.max_t_rows", a=len(rows_a), b=len(rows_b)))
    rows = [differences(x, y) for x, y in zip(rows_a, rows_b)]
    for number, row in enumerate(rows, start=1):
        if row.size != rows[0].size:
            raise ValueError(say("errors.max_t_size", first=rows[0].size, row=number, size=row.size))
    difference = np.array(rows)
    rng = np.random.default_rng(whole("seed", seed, least=0))
    difference = difference[:, (difference != 0).any(axis=0)]
    size = np.sqrt((difference**2).sum(axis=1))[:, np.newaxis]
    size[size == 0] = 1
    if exact := difference.shape[1] <= MOST_EXACT:
        sums = [every_flip(row) for row in difference]
    else:
        sums = [*_flipped_sums(difference, whole("n_perm", n_perm, most=MOST_DRAWN), rng)]
    observed = np.abs(difference.sum(axis=1)) / size[:, 0]
    p_values, largest = [0.0] * len(difference), np.zeros(1)
    order = np.argsort(observed, kind="stable")
    # From the smallest statistic up: the running maximum is over a row and all those below it.
    for i in order:
        largest = np.maximum(largest, np.abs(sums[i]) / size[i])
        hits = int(np.count_nonzero(largest >= observed[i] - TOLERANCE * difference.shape[1]))
        p_values[i] = hits / largest.size if exact else (hits + 1) / (n_perm + 1)
    for better, worse in zip(order[::-1], order[-2::-1]):
        p_values[worse] = max(p_values[worse], p_values[better])
    return p_values


def queries_needed(sd: float, delta: float, alpha: float = 0.05, power: float = 0.8) -> int:
    """How many queries detect a mean difference of delta, if per-query differences have the standard deviation sd.

    Normal approximation of a paired two-sided test: ((z_alpha + z_beta) * sd / delta) ** 2, rounded up; a t test needs
    about two more. sd and delta in the unit of the measure. Halving delta takes four times the queries; a power of
    alpha / 2 or less takes 1.
    Source: chapter 000, section 5. Built in lesson 10.
    """
    sd, delta = finite("sd", sd, above=True), finite("delta", delta, above=True)
    alpha, power = between("alpha", alpha), between("power", power)
    z_alpha, z_beta = NormalDist().inv_cdf(1 - alpha / 2), NormalDist().inv_cdf(power)
    return max(1, math.ceil((max(0.0, z_alpha + z_beta) * sd / delta) ** 2))


def power_of(n: int, sd: float, delta: float, alpha: float = 0.05) -> float:
    """The chance that n queries detect a mean difference of delta: `queries_needed`, asked the other way round.

    Source: chapter 000, section 5. Built in lesson 10.
    """
    queries_needed(sd, delta, alpha)
    normal = NormalDist()
    return normal.cdf(delta * math.sqrt(whole("n", n)) / sd - normal.inv_cdf(1 - alpha / 2))


def sd_interval(sd: float, n: int, level: float = 0.95) -> tuple[float, float]:
    """Where the true standard deviation may lie when `sd` was computed from n queries (with n - 1 below).

    (n - 1) sd**2 / sigma**2 has a chi-square distribution if the differences are normal; real ones have heavier
    tails, so the truth is less certain still. queries_needed at both ends says how little 30 queries tell about n.
    Source: any text on the normal variance. Built in lesson 10.
    """
    sd, level = finite("sd", sd, above=True), between("level", level)
    half = (whole("n", n, least=2) - 1) / 2
    low, high = (sd * math.sqrt(half / _gamma_quantile((1 + side * level) / 2, half)) for side in (1, -1))
    return low, high


def differences(a: Scores, b: Scores) -> np.ndarray[Any, Any]:
    """B - a per query, after a check that the two can be paired."""
    indexes: list[Any] = [index for scores in (a, b) if hasattr(index := getattr(scores, "index", None), "equals")]
    if len(indexes) == 2 and not indexes[0].equals(indexes[1]):
        pairs = list(zip(*indexes))
        i = next((i for i, (ours, theirs) in enumerate(pairs) if ours != theirs), len(pairs))
        what = say("errors.indexes_longer")
        if i < len(pairs):
            what = say("errors.indexes_at", place=i, ours=short(pairs[i][0]), theirs=short(pairs[i][1]))
        raise ValueError(say("errors.indexes", what=what))
    a, b = _floats("a", a), _floats("b", b)
    if a.ndim != 1 or b.ndim != 1 or a.size != b.size or a.size == 0:
        raise ValueError(say("errors.shapes", a=a.shape, b=b.shape))
    for name, scores in {"a": a, "b": b}.items():
        bad = np.flatnonzero(~np.isfinite(scores))
        if bad.size:
            raise ValueError(say("errors.no_number", name=name, place=bad[0], value=scores[bad[0]]))
        large = np.flatnonzero(np.abs(scores) > LARGEST)
        if large.size:
            place, value = large[0], scores[large[0]]
            raise ValueError(say("errors.too_large", name=name, place=place, value=value, most=LARGEST))
    return b - a


def _floats(name: str, scores: Scores) -> np.ndarray[Any, Any]:
    """The scores as an array of floats; text is no number, and a dict or a set has no order to pair by."""
    if isinstance(scores, Mapping | Set):
        raise ValueError(say("errors.scores_dict", name=name, kind=type(scores).__name__))
    try:
        array = np.asarray(scores)
        if array.dtype.kind in "biufO":
            return array.astype(float)
    except (TypeError, ValueError, OverflowError):  # rows of different lengths, or objects that are no numbers
        pass
    raise ValueError(say("errors.scores", name=name))


def resampled_means(values: np.ndarray[Any, Any], n_boot: int, rng: np.random.Generator) -> np.ndarray[Any, Any]:
    """The mean of each of n_boot resamples."""
    if whole("n_boot", n_boot, most=MOST_DRAWN) * values.size > CHAPTER_DRAWS:
        return _many_resampled_means(values, n_boot, rng)
    means = np.empty(n_boot)
    for rows in _slices(n_boot, values.size):
        means[rows] = values[resamples(values.size, rows.stop - rows.start, rng)].mean(axis=1)
    return means


def resamples(n: int, n_boot: int, rng: np.random.Generator) -> np.ndarray[Any, Any]:
    """Which of n queries each resample draws, in the chapter's stream: n_boot rows of n indices."""
    return rng.integers(0, n, size=(n_boot, n))


def _many_resampled_means(values: np.ndarray[Any, Any], n_boot: int, rng: np.random.Generator) -> np.ndarray[Any, Any]:
    """The same law in fewer steps: zeros are only counted, the others lie in blocks of BLOCK values and 128, 64, ... 1.

    How many of the n draws fall into each block is multinomial; inside a block, a few random bits are two draws.
    The resamples are shared out among threads, each share with a stream of its own: the number of processors changes
    nothing.
    """
    others = values[values != 0]
    sizes = [BLOCK] * (others.size // BLOCK)
    sizes += [1 << i for i in range(BLOCK.bit_length() - 1) if others.size % BLOCK >> i & 1]
    blocks = np.split(others, np.cumsum(sizes, dtype=int))[:-1]
    chances = np.array([*sizes, values.size - others.size]) / values.size

    def sums(share: int, own: np.random.Generator) -> np.ndarray[Any, Any]:
        counts = own.multinomial(values.size, chances, size=share)[:, :-1].T.copy()
        most = int(counts.sum(axis=1).max(initial=0)) // 2 + 1
        room = np.empty(BLOCK**2), np.empty(most, dtype=np.intp), np.empty(most)
        return sum((_block_sums(*one, own, room) for one in zip(blocks, counts)), start=np.zeros(share))

    shares = [min(SHARE, n_boot - start) for start in range(0, n_boot, SHARE)]
    return np.concatenate(_side_by_side(sums, shares, rng.spawn(len(shares)))) / values.size


def _block_sums(
    block: np.ndarray[Any, Any],
    counts: np.ndarray[Any, Any],
    rng: np.random.Generator,
    room: tuple[np.ndarray[Any, Any], ...],
) -> np.ndarray[Any, Any]:
    """For each count, the sum of so many draws from a block of a power of two values.

    Two draws at a time: a few random bits look up their sum in the table of all pairs. room: for that table, indices
    and sums; used again and again, because the system takes its time to give memory.
    """
    table, indices, looked_up = room
    pairs = table[: block.size**2]
    np.add.outer(block, block, out=pairs.reshape(block.size, block.size))
    alone = block[_random_words("<u2", counts.size, rng) & (block.size - 1)]
    twice = counts // 2
    ends = twice.cumsum()
    size = int(ends[-1]) + 1  # one more than is needed: where nothing is drawn at the end, there is a place to begin at
    index, drawn = indices[:size], looked_up[:size]
    np.bitwise_and(_random_words("<u2", size, rng), pairs.size - 1, out=index)
    pairs.take(index, out=drawn, mode="wrap")  # in "raise", take would fill a copy of `drawn` first
    drawn[-1] = 0.0
    return np.where(counts % 2, alone, 0.0) + np.where(twice, np.add.reduceat(drawn, ends - twice), 0.0)


def _side_by_side(work: Callable[..., Any], *arguments: Sequence[Any]) -> list[Any]:
    """What `map` gives, with a thread for each processor; not in a browser, where there are no threads."""
    if sys.platform == "emscripten":
        return [*map(work, *arguments)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return [*pool.map(work, *arguments)]


def flipped_means(difference: np.ndarray[Any, Any], n_perm: int, rng: np.random.Generator) -> np.ndarray[Any, Any]:
    """The mean difference under each of n_perm sign flips."""
    if whole("n_perm", n_perm, most=MOST_DRAWN) * difference.size > CHAPTER_DRAWS:
        return _flipped_sums(difference[np.newaxis], n_perm, rng)[0] / difference.size
    means = np.empty(n_perm)
    for rows in _slices(n_perm, difference.size):
        means[rows] = (flips(difference.size, rows.stop - rows.start, rng) * difference).mean(axis=1)
    return means


def flips(n: int, n_perm: int, rng: np.random.Generator) -> np.ndarray[Any, Any]:
    """The sign that each flip gives each of n queries, in the chapter's stream: n_perm rows of n times -1 or 1."""
    return rng.choice([-1, 1], size=(n_perm, n))


def every_flip(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The sums of the values under each of the 2**m choices of their signs."""
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate([sums + value, sums - value])
    return sums


def _flipped_sums(rows: np.ndarray[Any, Any], n_perm: int, rng: np.random.Generator) -> np.ndarray[Any, Any]:
    """The sums of each row under n_perm sign flips shared by all rows; one random byte flips eight columns.

    The byte looks up the sum of the eight in a table of all their flips. Columns of zeros are left out.
    """
    rows = rows[:, (rows != 0).any(axis=0)]
    rows = np.pad(rows, ((0, 0), (0, -rows.shape[1] % 8)))
    sums = np.zeros((len(rows), n_perm))
    for start in range(0, rows.shape[1], 8):
        flips = _random_words("u1", n_perm, rng).astype(np.intp)
        for total, row in zip(sums, rows[:, start : start + 8]):
            total += every_flip(row).take(flips)
    return sums


def _interval(means: np.ndarray[Any, Any], level: float) -> tuple[float, float]:
    tail = round(50 * (1 - between("level", level)), 10)  # 2.5, not 2.500000000000002
    low, high = np.percentile(means, [tail, 100 - tail])
    return float(low), float(high)


def _random_words(kind: str, size: int, rng: np.random.Generator) -> np.ndarray[Any, Any]:
    """Random numbers of one or two bytes, cut out of random numbers of eight."""
    each = 8 // np.dtype(kind).itemsize
    return rng.bit_generator.random_raw(-(-size // each)).astype("<u8", copy=False).view(kind)[:size]


def _slices(total: int, width: int) -> Iterator[slice]:
    """0 to total in slices of so many rows of a width that each holds about PIECE numbers."""
    rows = max(1, PIECE // width)
    for start in range(0, total, rows):
        yield slice(start, min(start + rows, total))


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
