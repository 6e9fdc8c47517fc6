"""Intervals and p-values against scipy, ranx, enumeration on paper and the chapter's own stream of random numbers."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from ranx.statistical_tests.fisher_randomization_test import fisher_randomization_test
from scipy import stats

from relviz import (
    exact_randomization_test,
    paired_bootstrap,
    queries_needed,
    randomization_test,
    significance,
    unpaired_bootstrap,
)

# The fourteen differences that chapter 000 prints (three digits each) and its sixteen ties.
PRINTED = [-0.109, -0.092, -0.080, -0.070, -0.050, -0.018, -0.012, -0.012]
PRINTED += [0.022, 0.037, 0.140, 0.236, 0.236, 0.326] + [0.0] * 16
A = np.full(30, 0.5)
B = A + PRINTED

# Hundredths: scipy calls sums equal within a relative 1e-14, the chapter within an absolute 1e-12 of the mean.
hundredths = st.integers(0, 100).map(lambda i: i / 100)
scores = st.lists(st.tuples(hundredths, hundredths), min_size=2, max_size=9)


@pytest.fixture
def pilot():
    rng = np.random.default_rng(7)
    difficulty = rng.beta(2, 1, 40)
    return np.clip(difficulty + rng.normal(0, 0.1, (2, 40)), 0, 1)


def test_the_chapters_stream_of_random_numbers(pilot):
    """The same seed gives the same numbers as the chapter's code, which draws everything at once."""
    a, b = pilot
    difference = b - a
    index = np.random.default_rng(3).integers(0, 40, size=(10_000, 40))
    expected = np.percentile(difference[index].mean(axis=1), [2.5, 97.5])
    assert paired_bootstrap(a, b, seed=3) == pytest.approx(tuple(expected), abs=0)
    signs = np.random.default_rng(3).choice([-1, 1], size=(10_000, 40))
    null = np.abs((signs * difference).mean(axis=1))
    p = (np.sum(null >= abs(difference.mean()) - 1e-12) + 1) / 10_001
    assert randomization_test(a, b, seed=3) == p


@pytest.mark.parametrize("piece", [1, 64, 1000])
def test_memory_is_bounded_and_the_pieces_change_nothing(pilot, monkeypatch, piece):
    whole = [f(*pilot, 500) for f in (paired_bootstrap, unpaired_bootstrap, randomization_test)]
    monkeypatch.setattr(significance, "PIECE", piece)
    assert [f(*pilot, 500) for f in (paired_bootstrap, unpaired_bootstrap, randomization_test)] == whole


levels = st.sampled_from([0.5, 0.9, 0.95])


@given(scores, st.integers(0, 99), levels)
def test_paired_bootstrap_is_that_of_scipy(pairs, seed, level):
    a, b = np.array(pairs).T
    theirs = stats.bootstrap(
        (b - a,), np.mean, method="percentile", n_resamples=200, confidence_level=level, rng=np.random.default_rng(seed)
    )
    assert paired_bootstrap(a, b, 200, seed, level=level) == pytest.approx(tuple(theirs.confidence_interval), abs=1e-12)


@given(scores, st.integers(0, 99), levels)
def test_unpaired_bootstrap_is_that_of_scipy(pairs, seed, level):
    a, b = np.array(pairs).T
    theirs = stats.bootstrap(
        (a, b),
        lambda x, y, axis: y.mean(axis) - x.mean(axis),
        method="percentile",
        n_resamples=200,
        confidence_level=level,
        rng=np.random.default_rng(seed),
    )
    ours = unpaired_bootstrap(a, b, 200, seed, level=level)
    assert ours == pytest.approx(tuple(theirs.confidence_interval), abs=1e-12)


def test_a_lower_level_is_a_narrower_interval(pilot):
    a, b = pilot
    low, high = paired_bootstrap(a, b)
    narrow = paired_bootstrap(a, b, level=0.5)
    assert low < narrow[0] < (b - a).mean() < narrow[1] < high


def test_unpaired_bootstrap_is_wider_by_the_lost_correlation(pilot):
    a, b = pilot
    width = np.diff(paired_bootstrap(a, b)).item()
    wide = np.diff(unpaired_bootstrap(a, b)).item()
    ratio = math.sqrt((a.var() + b.var()) / (b - a).var())
    assert wide / width == pytest.approx(ratio, rel=0.05)
    assert ratio > 1.5


# Quarters: their sums are exact, so that everyone calls the same sums equal.
quarters = st.integers(-4, 4).map(lambda i: i / 4)
moved = st.lists(quarters, min_size=2, max_size=9)


@given(moved, st.integers(0, 99))
def test_randomization_agrees_with_scipy(difference, seed):
    """Monte Carlo against all flips: off by no more than five times what chance does."""
    n = 2000
    every = stats.permutation_test((difference,), np.sum, permutation_type="samples", n_resamples=np.inf).pvalue
    p = randomization_test(np.zeros(len(difference)), difference, n, seed)
    assert p == pytest.approx(every, abs=5 * math.sqrt(every * (1 - every) / n) + 1 / n)


@given(moved)
@settings(max_examples=20)
def test_randomization_agrees_with_ranx(difference):
    # Named difference: ranx has hits / n, which can be 0.
    n, zero = 500, np.zeros(len(difference))
    theirs, _ = fisher_randomization_test(zero, np.array(difference), n)
    exact = exact_randomization_test(zero, difference)
    assert theirs == pytest.approx(exact, abs=5 * math.sqrt(exact * (1 - exact) / n))


@given(scores)
def test_exact_agrees_with_scipy_and_with_brute_force(pairs):
    a, b = np.array(pairs).T
    difference = b - a
    flips = [abs(sum(s * d for s, d in zip(f, difference))) for f in itertools.product([-1, 1], repeat=len(pairs))]
    expected = np.mean([x >= abs(difference.sum()) - 1e-12 * len(pairs) for x in flips])
    assert exact_randomization_test(a, b) == expected
    # scipy's tolerance is relative, so that it takes a sum of 5e-17 for more than 0.
    assume(abs(difference.sum()) > 1e-9)
    theirs = stats.permutation_test((difference,), np.sum, permutation_type="samples", n_resamples=np.inf)
    assert exact_randomization_test(a, b) == pytest.approx(theirs.pvalue, abs=1e-9)


@pytest.mark.parametrize("changed", [1, 2, 3, 6, 14])
def test_with_few_changed_queries_p_cannot_be_small(changed):
    b = np.zeros(30)
    b[:changed] = 0.2
    assert exact_randomization_test(np.zeros(30), b) == 2 / 2**changed


def test_the_printed_differences_of_chapter_000():
    low, high = paired_bootstrap(A, B)
    assert f"{exact_randomization_test(A, B):.3f}" == "0.310"
    assert low == pytest.approx(-0.012, abs=0.002)
    assert high == pytest.approx(0.055, abs=0.002)
    sd = np.std(PRINTED, ddof=1)
    assert f"{sd:.4f}" == "0.0953"
    assert (queries_needed(sd, 0.02), queries_needed(sd, 0.05)) == (179, 29)
    assert queries_needed(0.095, 0.02) == 178  # three digits are too few: the chapter prints 179


def test_p_is_never_zero():
    assert randomization_test(np.zeros(50), np.ones(50), 999) == 1 / 1000


def test_equal_systems():
    assert paired_bootstrap([0.3, 0.6], [0.3, 0.6]) == (0, 0)
    assert randomization_test([0.3, 0.6], [0.3, 0.6]) == exact_randomization_test([0.3, 0.6], [0.3, 0.6]) == 1


def test_sums_that_differ_only_in_the_last_bits_count_as_equal():
    d = [0.1, 0.2, 0.3, -0.3, -0.2, -0.1, 0.7]
    assert exact_randomization_test(np.zeros(7), d) == exact_randomization_test(np.zeros(7), d[::-1])
    assert exact_randomization_test(np.zeros(3), [0.1, 0.2, -0.3]) == 1  # 0.1 + 0.2 - 0.3 is 5e-17, not 0


@pytest.mark.parametrize("sd", [0.05, 0.0953, 0.3])
@pytest.mark.parametrize("delta", [0.02, 0.05])
@pytest.mark.parametrize(("alpha", "power"), [(0.05, 0.8), (0.01, 0.9), (0.1, 0.5)])
def test_queries_needed_agrees_with_scipy(sd, delta, alpha, power):
    n = queries_needed(sd, delta, alpha, power)
    z = stats.norm.ppf(1 - alpha / 2) + stats.norm.ppf(power)
    assert n == math.ceil((z * sd / delta) ** 2)
    assert queries_needed(sd, delta / 2, alpha, power) == pytest.approx(4 * n, abs=4)


def test_asking_for_more_power_never_takes_fewer_queries():
    for alpha in (0.01, 0.05, 0.2):
        powers = sorted([0.001, alpha / 2, 0.01, 0.1, 0.3, 0.5, 0.8, 0.999])
        needed = [queries_needed(0.1, 0.05, alpha, power) for power in powers]
        assert needed == sorted(needed)
        assert min(needed) == queries_needed(0.1, 0.05, alpha, alpha / 2) == 1


def test_the_power_is_what_was_asked_for():
    sd, delta = 0.1, 0.04
    n = queries_needed(sd, delta)
    power = stats.norm.cdf(delta * math.sqrt(n) / sd - stats.norm.ppf(0.975))
    assert 0.8 <= power < 0.81


@pytest.mark.parametrize("test", [paired_bootstrap, unpaired_bootstrap, randomization_test, exact_randomization_test])
def test_bad_scores(test):
    with pytest.raises(ValueError, match=r"one score per query.*\(2,\) and \(3,\)"):
        test([1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match="one score per query"):
        test([], [])
    with pytest.raises(ValueError, match=r"b\[1\] is nan"):
        test([1, 2], [1, math.nan])
    with pytest.raises(ValueError, match=r"a\[1\] is -1e\+308; scores beyond 1e\+150 cannot be squared"):
        test([1, -1e308], [1, 2])


@pytest.mark.parametrize("n", [0, -1, 2.5, True, "9"])
def test_bad_counts(n):
    for test in (paired_bootstrap, unpaired_bootstrap):
        with pytest.raises(ValueError, match="n_boot is a whole number of at least 1"):
            test([1, 2], [2, 1], n)
    with pytest.raises(ValueError, match="n_perm is a whole number of at least 1"):
        randomization_test([1, 2], [2, 1], n)


@pytest.mark.parametrize("n", [10**8 + 1, 10**30])
def test_more_resamples_than_fit_into_memory(n):
    a, b = np.zeros(30), np.ones(30)
    for test in (paired_bootstrap, unpaired_bootstrap, lambda a, b, n: paired_bootstrap(a, b, n, strata=[1] * 30)):
        with pytest.raises(ValueError, match=f"n_boot is at most 100000000, got {n}"):
            test(a, b, n)
    for test in (randomization_test, lambda a, b, n: significance.max_t([a], [b], n)):
        with pytest.raises(ValueError, match=f"n_perm is at most 100000000, got {n}"):
            test(a, b, n)


def test_other_bad_arguments():
    with pytest.raises(ValueError, match="level is a probability"):
        paired_bootstrap([1], [2], level=95)
    with pytest.raises(ValueError, match="seed is a whole number of at least 0"):
        paired_bootstrap([1], [2], seed=-1)
    with pytest.raises(ValueError, match="21 differences are not 0"):
        exact_randomization_test(np.zeros(21), np.ones(21))
    for bad in ({"sd": 0}, {"delta": -1}, {"delta": math.nan}, {"alpha": 0}, {"power": 1}):
        with pytest.raises(ValueError, match=f"{next(iter(bad))} is a"):
            queries_needed(**{"sd": 0.1, "delta": 0.1} | bad)


def test_series_of_other_queries_are_not_paired():
    a = pd.Series([0.1, 0.9], index=["q1", "q2"])
    assert paired_bootstrap(a, a) == (0, 0)
    for b, what in ((a[::-1], "at 0, a has 'q1' and b 'q2'"), (a[:1], "one is longer")):
        with pytest.raises(ValueError, match=what):
            paired_bootstrap(a, b)
    assert paired_bootstrap(a, a.to_numpy()) == (0, 0)


@pytest.mark.parametrize("label", [math.nan, pd.NA, pd.NaT, np.float64("nan")])
def test_a_query_without_a_label_has_no_stratum(label):
    with pytest.raises(ValueError, match=r"strata\[1\] is .*; give each query a label"):
        paired_bootstrap([0, 0], [1, 1], strata=["x", label])
