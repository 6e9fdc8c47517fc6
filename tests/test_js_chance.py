"""The chances of the planner and of the resampling machine (JavaScript) against relviz.significance and scipy."""

import math
from itertools import product

import numpy as np
import pytest
from node import in_node
from scipy import stats

from relviz.significance import paired_bootstrap, queries_needed, sd_interval, unpaired_bootstrap


@pytest.mark.parametrize("n", [2, 3, 10, 30, 200, 5000, 100_000])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_the_interval_of_sd_is_scipys_chi_square(n: int, level: float) -> None:
    tails = stats.chi2.ppf([(1 + level) / 2, (1 - level) / 2], n - 1)
    assert sd_interval(0.1, n, level) == pytest.approx(0.1 * np.sqrt((n - 1) / tails), rel=1e-9)


def test_thirty_queries_say_little_about_n() -> None:
    low, high = sd_interval(0.0953, 30)
    assert (round(low, 3), round(high, 3)) == (0.076, 0.128)
    assert (queries_needed(0.09535, 0.02), *(queries_needed(sd, 0.02) for sd in sd_interval(0.09535, 30))) == (
        179,
        114,
        323,
    )


@pytest.mark.parametrize(("sd", "n", "level"), [(0, 30, 0.95), (math.nan, 30, 0.95), (0.1, 1, 0.95), (0.1, 30, 1)])
def test_an_interval_of_nonsense_is_refused(sd: float, n: int, level: float) -> None:
    with pytest.raises(ValueError, match=r"is a"):
        sd_interval(sd, n, level)


def test_the_planner_needs_as_many_queries_as_python() -> None:
    grid = list(
        product(
            [0.01, 0.0953, 0.2, 0.5],
            [0.005, 0.02, 0.05, 0.3],
            [0.001, 0.01, 0.05, 0.2],
            [0.001, 0.1, 0.5, 0.8, 0.9, 0.99],
        )
    )
    got = in_node("chance.js", "data.map((x) => m.queriesNeeded(...x))", grid)
    assert got == [queries_needed(*x) for x in grid]


def test_the_planner_gives_sd_the_interval_of_python() -> None:
    grid = list(product([0.03, 0.0953, 0.4], [2, 5, 30, 400, 5000], [0.8, 0.95, 0.99]))
    got = in_node("chance.js", "data.map((x) => m.sdInterval(...x))", grid)
    np.testing.assert_allclose(got, [sd_interval(*x) for x in grid], rtol=1e-9)


def test_power_is_the_normal_curve() -> None:
    grid = list(product([1, 30, 179, 2000], [0.05, 0.2], [0.01, 0.05], [0.01, 0.05]))
    expected = [stats.norm.cdf(d * math.sqrt(n) / sd - stats.norm.isf(a / 2)) for n, sd, d, a in grid]
    np.testing.assert_allclose(in_node("chance.js", "data.map((x) => m.powerOf(...x))", grid), expected, atol=1e-12)


MACHINE = """(() => {
  const { a, b, n, seed } = data;
  const draw = m.generator(seed);
  const paired = [], unpaired = [];
  for (let i = 0; i < n; i++) {
    paired.push(m.pairedMean(a, b, m.resample(a.length, draw)));
    unpaired.push(m.unpairedMean(a, b, m.resample(a.length, draw), m.resample(a.length, draw)));
  }
  return { paired, unpaired, intervals: [m.interval(paired), m.interval(unpaired)] };
})()"""


@pytest.fixture(scope="module")
def scores() -> tuple[list[float], list[float]]:
    rng = np.random.default_rng(9)
    a = rng.uniform(0.2, 1, 30)
    return a.tolist(), (a + rng.normal(0.02, 0.09, 30)).tolist()


def test_the_machine_and_python_draw_the_same_intervals_within_chance(scores: tuple[list[float], list[float]]) -> None:
    a, b = scores
    got = in_node("chance.js", MACHINE, {"a": a, "b": b, "n": 20_000, "seed": 1})
    sd = np.std(np.subtract(b, a)) / math.sqrt(30)
    assert np.mean(got["paired"]) == pytest.approx(np.mean(b) - np.mean(a), abs=5 * sd / math.sqrt(20_000))
    assert np.std(got["paired"]) == pytest.approx(sd, rel=0.03)
    wide = math.sqrt((np.var(a) + np.var(b)) / 30)
    assert np.std(got["unpaired"]) == pytest.approx(wide, rel=0.03)
    # The standard error of a 2.5 % point from 20,000 normal draws is about 0.019 sd; four of those, twice.
    np.testing.assert_allclose(got["intervals"][0], paired_bootstrap(a, b, 20_000), atol=0.11 * sd)
    np.testing.assert_allclose(got["intervals"][1], unpaired_bootstrap(a, b, 20_000), atol=0.11 * wide)


def test_percentiles_lie_between_neighbours_as_numpys_do() -> None:
    values = np.random.default_rng(3).normal(size=101).tolist()
    np.testing.assert_allclose(
        in_node("chance.js", "m.interval(data, 0.9)", values), np.percentile(values, [5, 95]), rtol=1e-12
    )


def test_the_same_seed_gives_the_same_draws_and_each_query_its_share() -> None:
    draws = "data.map((seed) => m.resample(60000, (d => () => d(30))(m.generator(seed))))"
    one, again, other = in_node("chance.js", draws, [4, 4, 5])
    assert one == again != other
    counts = np.bincount(one, minlength=30)
    assert counts.size == 30
    assert stats.chisquare(counts).pvalue > 1e-4
