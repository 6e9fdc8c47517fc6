"""The short stream for many queries, held to enumeration and the chapter's stream; effect size, Holm, max-T, strata.

Which queries a resample drew can be read from its sum: worth 1, 2**17 and 2**34, draws from three parts are counted
apart, since a resample has fewer than 2**17 and sums of whole numbers below 2**53 are exact.
"""

import itertools
import math
import os
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from relviz import (
    effect_size,
    exact_randomization_test,
    holm,
    max_t,
    paired_bootstrap,
    randomization_test,
    significance,
    unpaired_bootstrap,
)

few = st.lists(st.integers(-4, 4).map(lambda i: i / 4), min_size=1, max_size=6)


@pytest.fixture
def short_stream(monkeypatch):
    monkeypatch.setattr(significance, "CHAPTER_DRAWS", 0)


def large(n=6980, changed=1716):
    rng = np.random.default_rng(5)
    a = rng.random(n)
    b = a.copy()
    b[rng.permutation(n)[:changed]] += rng.normal(0.01, 0.2, changed)
    return a, b


def test_the_stream_is_chosen_by_size_alone():
    rng = np.random.default_rng(1)
    a, b = rng.random((2, 101))
    index = np.random.default_rng(0).integers(0, 100, size=(10_000, 100))
    chapter = np.percentile((b - a)[:100][index].mean(axis=1), [2.5, 97.5])
    assert paired_bootstrap(a[:100], b[:100]) == tuple(chapter)
    index = np.random.default_rng(0).integers(0, 101, size=(10_000, 101))
    chapter = np.percentile((b - a)[index].mean(axis=1), [2.5, 97.5])
    assert paired_bootstrap(a, b) != tuple(chapter)
    assert paired_bootstrap(a, b) == pytest.approx(tuple(chapter), abs=0.01)


@pytest.mark.parametrize("values", [[1, 10], [0, 1, 10], [1, 10, 100], [0, 0, 1, 10, 100, 1000, 10000]])
def test_every_resample_has_its_own_probability(values):
    """The sums tell resamples apart (powers of ten), so their counts follow the multinomial law."""
    n, draws = len(values), 40_000
    means = significance._many_resampled_means(np.array(values, dtype=float), draws, np.random.default_rng(2))
    seen = np.round(means * n).astype(int)
    expected = {}
    for resample in itertools.combinations_with_replacement(values, n):
        ways = math.factorial(n)
        for value in set(values):
            ways //= math.factorial(resample.count(value))
        chance = ways * math.prod(values.count(v) ** resample.count(v) for v in set(values)) / n**n
        expected[round(sum(resample))] = chance
    assert sum(expected.values()) == pytest.approx(1)
    assert set(seen.tolist()) <= set(expected)
    often = {total: chance for total, chance in expected.items() if chance * draws >= 5}
    observed = [np.count_nonzero(seen == total) for total in often]
    chances = np.array([*often.values(), 1 - sum(often.values())])
    cells = np.array([*observed, draws - sum(observed)])
    possible = chances > 1e-9
    assert stats.chisquare(cells[possible], draws * chances[possible] / chances[possible].sum()).pvalue > 0.001


def drawn_from(parts, n_boot, seed):
    """How often each of the parts 0, 1 and 2 was drawn, one row for each resample."""
    worth = 2.0 ** (17 * np.asarray(parts))
    means = significance._many_resampled_means(worth, n_boot, np.random.default_rng(seed))
    sums = np.round(means * worth.size).astype(np.int64)
    return np.array([sums % 2**17, (sums >> 17) % 2**17, sums >> 34]).T


@pytest.mark.parametrize("n", [1, 2, 3, 6980, 32769, 40000, 65535, 65536, 65537])
def test_no_query_is_drawn_more_often_than_another(n):
    """The queries are parted by each digit of their number to base 3: what favours a range shows in a high digit."""
    n_boot = max(50, 600_000 // n)
    for digit in range(len(np.base_repr(n - 1, 3))):
        part = np.arange(n) // 3**digit % 3
        drawn = drawn_from(part, n_boot, seed=11 + digit)
        assert (drawn.sum(axis=1) == n).all()
        size = np.bincount(part, minlength=3)
        assert (drawn[:, size == 0] == 0).all()
        expected = n_boot * size[size > 0]
        assert n == 1 or stats.chisquare(drawn.sum(axis=0)[size > 0], expected).pvalue > 1e-4


@pytest.mark.parametrize("n", [6980, 65537])
def test_the_first_and_the_last_query_of_a_block_are_drawn_once_in_the_mean(n):
    for first, last in ((0, n - 1), (255, 256), (n // 256 * 256 - 1, n // 256 * 256)):
        part = np.zeros(n, dtype=int)
        part[first], part[last] = 1, 2
        drawn = drawn_from(part, 400, seed=first)[:, 1:]
        assert drawn.sum(axis=0) == pytest.approx(400, abs=80)  # four standard deviations
        # Drawn again and again by chance alone: the variance of a count is 1 - 1 / n.
        assert drawn.var(axis=0) == pytest.approx(1, abs=0.4)


def test_each_of_300_queries_is_drawn_equally_often():
    """Blocks of 256, 32, 8 and 4: a ninth more for one query would be eight standard deviations."""
    counts = np.zeros(300)
    for first in range(0, 300, 2):
        part = np.zeros(300, dtype=int)
        part[first : first + 2] = 1, 2
        counts[first : first + 2] = drawn_from(part, 5000, seed=first)[:, 1:].sum(axis=0)
    off = (counts - 5000) / math.sqrt(5000)
    assert np.abs(off).max() < 4.5
    assert off.std() == pytest.approx(1, abs=0.15)


def block_sums(block, counts, seed):
    most = counts.sum() // 2 + 1
    room = np.empty(256**2), np.empty(most, dtype=np.intp), np.empty(most)
    return significance._block_sums(block, counts, np.random.default_rng(seed), room)


@pytest.mark.parametrize("size", [1, 2, 4, 64, 256])
def test_two_draws_at_a_time_are_two_draws(size):
    """Each pair has its own sum: of numbers and of their squares."""
    i = np.arange(size)
    block, counts = i + 1024.0 * i**2, np.full(400_000, 2)
    seen = block_sums(block, counts, 8)
    pairs, ways = np.unique(np.add.outer(block, block), return_counts=True)
    observed = np.bincount(np.searchsorted(pairs, seen), minlength=pairs.size)
    assert np.isin(seen, pairs).all()
    assert size == 1 or stats.chisquare(observed, counts.size * ways / size**2).pvalue > 0.001
    once = block_sums(block, counts // 2, 9)
    observed = np.bincount(np.searchsorted(block, once), minlength=size)
    assert size == 1 or stats.chisquare(observed).pvalue > 0.001


def test_neighbouring_resamples_know_nothing_of_each_other():
    drawn = block_sums(np.array([1.0, 10]), np.full(80_000, 3), 6).astype(int)
    table = np.unique(np.array([drawn[:-1:2], drawn[1::2]]), axis=1, return_counts=True)[1].reshape(4, 4)
    assert stats.chi2_contingency(table).pvalue > 0.001
    assert table.sum(axis=0) / table.sum() == pytest.approx([1 / 8, 3 / 8, 3 / 8, 1 / 8], abs=0.01)


@given(st.lists(st.integers(0, 9), min_size=1), st.sampled_from([1, 2, 8, 256]))
def test_a_block_is_drawn_as_often_as_it_was_told(counts, size):
    sums = block_sums(np.ones(size), np.array(counts), 0)
    assert sums.tolist() == counts


@pytest.mark.parametrize(("n", "changed"), [(150, 150), (300, 20), (5000, 4500), (9000, 9000)])
def test_the_two_streams_follow_one_law(n, changed):
    a, b = large(n, changed)
    rng = np.random.default_rng(3)
    short = significance._many_resampled_means(b - a, 4000, rng)
    plain = np.concatenate([(b - a)[rng.integers(0, n, size=(500, n))].mean(axis=1) for _ in range(4)])
    assert stats.ks_2samp(short, plain).pvalue > 0.001
    assert short.std() == pytest.approx((b - a).std() / math.sqrt(n), rel=0.05)


@pytest.mark.parametrize("m", [1, 7, 8, 9])
def test_every_sign_pattern_is_equally_likely(m):
    difference = np.zeros(50)
    difference[3 : 3 + m] = 2.0 ** np.arange(m)
    sums = significance._flipped_sums(difference[np.newaxis], 20_000, np.random.default_rng(4))[0]
    counts = np.unique(sums, return_counts=True)[1]
    assert counts.size == 2**m
    assert stats.chisquare(counts).pvalue > 0.001


def test_p_of_many_queries_agrees_with_the_exact_one(short_stream):
    a, b = np.zeros(3000), np.zeros(3000)
    b[:14] = [-0.109, -0.092, -0.080, -0.070, -0.050, -0.018, -0.012, -0.012, 0.022, 0.037, 0.140, 0.236, 0.236, 0.326]
    assert randomization_test(a, b, 100_000) == pytest.approx(exact_randomization_test(a, b), abs=0.005)
    assert randomization_test(a, a) == 1
    assert paired_bootstrap(a, a) == (0, 0)
    assert randomization_test(a, a + 1, 999) == 1 / 1000


def test_scipy_at_full_size():
    a, b = large()
    theirs = stats.bootstrap(
        (b - a,), np.mean, method="percentile", n_resamples=2000, batch=100, rng=np.random.default_rng(1)
    )
    assert paired_bootstrap(a, b) == pytest.approx(tuple(theirs.confidence_interval), abs=2e-4)
    t_test = stats.ttest_rel(a, b).pvalue
    assert randomization_test(a, b) == pytest.approx(t_test, abs=0.02)


def test_memory_stays_small():
    a, b = large(changed=6980)
    tracemalloc.start()
    paired_bootstrap(a, b)
    unpaired_bootstrap(a, b, 1000)
    randomization_test(a, b)
    max_t([a, a, a], [b, b, b])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 50e6  # about 6 for each of at most four threads


@pytest.mark.parametrize("processors", [1, 3, None, "browser"])
def test_the_number_of_processors_changes_nothing(processors, monkeypatch):
    a, b = large(2000, 1500)
    before = paired_bootstrap(a, b, strata=["x"] * 1200 + ["y"] * 800), unpaired_bootstrap(a, b)
    if processors == "browser":
        monkeypatch.setattr("sys.platform", "emscripten")
        monkeypatch.setattr(significance, "ThreadPoolExecutor", None)
    monkeypatch.setattr("os.cpu_count", lambda: processors)
    assert (paired_bootstrap(a, b, strata=["x"] * 1200 + ["y"] * 800), unpaired_bootstrap(a, b)) == before


def test_threads_and_processes_change_nothing():
    a, b = large(2000, 700)
    here = (paired_bootstrap(a, b), randomization_test(a, b), max_t([a, a], [b, b * 0.9]))
    code = (
        "from test_significance_at_size import *\n"
        "a, b = large(2000, 700)\n"
        "print((paired_bootstrap(a, b), randomization_test(a, b), max_t([a, a], [b, b * 0.9])))"
    )
    env = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "7"}
    env["PYTHONPATH"] = os.pathsep.join([os.path.dirname(__file__), *sys.path])
    there = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True).stdout
    assert there.strip() == repr(here)


def test_effect_size_is_the_t_statistic_without_the_number_of_queries():
    a, b = large(500, 300)
    assert effect_size(a, b) == pytest.approx(stats.ttest_rel(b, a).statistic / math.sqrt(500))
    assert effect_size([0.2, 0.4], [0.5, 0.7]) is None
    assert effect_size([0.2], [0.5]) is None


def test_holm_on_paper():
    # 0.005 * 4, 0.01 * 3, 0.03 * 2, and 0.04 * 1 may not fall below its better neighbour.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []
    assert holm([0.9, 0.8]) == [1, 1]
    with pytest.raises(ValueError, match=r"between 0 and 1, got 1\.5"):
        holm([0.5, 1.5])


@given(st.lists(st.floats(0, 1), max_size=6))
def test_holm_is_bonferroni_on_every_subset(p_values):
    """Closed testing: a test is rejected when every set of tests that holds it is."""
    sets = [s for n in range(1, len(p_values) + 1) for s in itertools.combinations(range(len(p_values)), n)]
    closed = [max(min(1, len(s) * min(p_values[j] for j in s)) for s in sets if i in s) for i in range(len(p_values))]
    assert holm(p_values) == pytest.approx(closed)


@given(st.integers(1, 3), st.integers(1, 6), st.data())
def test_max_t_is_the_largest_statistic_on_every_subset(rows, queries, data):
    one = st.lists(st.integers(-4, 4).map(lambda i: i / 4), min_size=queries, max_size=queries)
    d = np.array(data.draw(st.lists(one, min_size=rows, max_size=rows)))
    size = np.sqrt((d**2).sum(axis=1))
    size[size == 0] = 1
    flips = np.array(list(itertools.product([-1, 1], repeat=queries)))
    null = np.abs(flips @ d.T) / size
    observed = np.abs(d.sum(axis=1)) / size
    sets = [list(s) for n in range(1, rows + 1) for s in itertools.combinations(range(rows), n)]
    closed = [
        max(np.mean(null[:, s].max(axis=1) >= observed[s].max() - 1e-9) for s in sets if i in s) for i in range(rows)
    ]
    assert max_t(np.zeros_like(d), d) == pytest.approx(closed)
    if rows == 1:
        assert max_t(np.zeros_like(d), d)[0] == exact_randomization_test(np.zeros(queries), d[0])


def test_max_t_knows_what_moves_together():
    a, b = large(400, 200)
    (alone,) = max_t([a], [b])
    assert max_t([a] * 5, [b] * 5) == [alone] * 5  # one comparison, counted five times
    assert alone == pytest.approx(randomization_test(a, b), abs=0.02)
    other = np.random.default_rng(0).permutation(b - a)
    assert max_t([a, a], [b, a + other])[0] > alone
    with pytest.raises(ValueError, match="one score per query"):
        max_t([a], [b[:3]])


def test_strata_are_resampled_within_themselves():
    rng = np.random.default_rng(6)
    labels = ["easy"] * 60 + ["hard"] * 40
    a = rng.random(100)
    b = a + np.where(np.arange(100) < 60, 0.3, -0.1)
    assert paired_bootstrap(a, b, strata=labels) == pytest.approx((0.14, 0.14))  # nothing varies inside
    assert np.ptp(paired_bootstrap(a, b)) > 0.05
    b += rng.normal(0, 0.1, 100)
    easy, hard = (b - a)[:60], (b - a)[60:]
    sd = math.sqrt(0.6**2 * easy.var() / 60 + 0.4**2 * hard.var() / 40)
    assert np.ptp(paired_bootstrap(a, b, strata=labels)) == pytest.approx(2 * 1.96 * sd, rel=0.05)
    assert paired_bootstrap(a, b, strata=["all"] * 100) == paired_bootstrap(a, b)
    with pytest.raises(ValueError, match="100 queries, 3 labels"):
        paired_bootstrap(a, b, strata=["x", "y", "z"])
