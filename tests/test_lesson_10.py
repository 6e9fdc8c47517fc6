"""Lesson 10: the functions written out in it are relviz's, its numbers are scipy's, and what it says in words is so."""

import math
import re
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from written import code_of, functions_in, left_by, notebook_of

import relviz
from relviz import significance
from relviz.datasets import bughunt_path
from relviz.lessons import exercise, lesson10
from relviz.lessons.lesson09 import A, B
from relviz.lessons.lesson10 import LINE, TINY, TINY_A

NOTEBOOK = notebook_of("10_how_many_queries")
CELLS = code_of(NOTEBOOK)
PROSE = "\n".join(cell.source for cell in NOTEBOOK.cells if cell.cell_type == "markdown")
D = B - A
SD = float(D.std(ddof=1))


@pytest.fixture(scope="module")
def written():
    return functions_in(CELLS, also="from statistics", np=np, math=math, relviz=relviz)


@pytest.fixture(scope="module")
def played():
    """What the lesson's own cells leave behind."""
    return left_by(CELLS)


def printed(code):
    """The text of the output of the one cell that holds this code."""
    (cell,) = [cell for cell in NOTEBOOK.cells if cell.cell_type == "code" and code in cell.source]
    return cell.outputs[0].data["text/plain"]


# ---------- what is written out ----------


@given(sd=st.floats(0.001, 1), delta=st.floats(0.001, 0.5), alpha=st.floats(0.001, 0.2), power=st.floats(0.5, 0.99))
def test_queries_and_power_are_relviz_s(written, sd, delta, alpha, power):
    n = written["queries_needed"](sd, delta, alpha, power)
    assert n == relviz.queries_needed(sd, delta, alpha, power)
    assert written["power_of"](n, sd, delta, alpha) == pytest.approx(significance.power_of(n, sd, delta, alpha))


@given(p=st.lists(st.integers(0, 40).map(lambda x: x / 40), min_size=1, max_size=6))
def test_holm_is_relviz_s_with_equal_p_as_well(written, p):
    assert written["holm"](p) == relviz.holm(p)


@given(pair=st.lists(st.tuples(*[st.integers(0, 20)] * 2), min_size=2, max_size=8).map(lambda x: np.array(x).T / 20))
def test_effect_size_is_relviz_s(written, pair):
    expected = relviz.effect_size(*pair)
    if expected is not None:
        assert written["effect_size"](*pair) == pytest.approx(expected)


# ---------- by hand, and by another's software ----------


def test_four_queries_by_hand():
    # 0.2, -0.2, 0.2, 0.2: mean 0.1; deviations 0.1 three times and -0.3; 0.12 / 3 = 0.04, whose root is 0.2.
    assert [round(x, 9) for x in TINY] == [0.2, -0.2, 0.2, 0.2]
    assert (TINY.mean(), TINY.std(ddof=1)) == (pytest.approx(0.1), pytest.approx(0.2))
    means = [np.mean(x) for x in product(TINY, repeat=4)]
    assert np.std(means) == pytest.approx(0.1, abs=0.014)  # "nearly the standard error"
    assert f"{np.std(means):.2f}" == "0.09"
    assert "typically lie 0.09 from their middle" in PROSE
    assert np.mean(np.array(means) < 1e-9) == pytest.approx(1 / 4, abs=0.02)  # "in one resample of four"
    assert exercise("10.5").answer == pytest.approx(0.5)
    assert exercise("10.5").mistakes["of_scores"] == pytest.approx(0.1 / np.std(TINY_A, ddof=1))


def t_power(n, delta):
    """The power of a two-sided paired t test, by the noncentral t distribution."""
    limit, shift = stats.t.isf(0.025, n - 1), delta / SD * math.sqrt(n)
    return stats.nct.sf(limit, n - 1, shift) + stats.nct.cdf(-limit, n - 1, shift)


def test_how_many_queries():
    assert printed("def queries_needed") == "[29, 179, 713]"  # chapter 000 prints 29 and 179
    z = stats.norm.isf(0.025) + stats.norm.isf(0.2)
    assert (f"{stats.norm.isf(0.025):.2f}", f"{stats.norm.isf(0.2):.2f}", f"{z:.2f}") == ("1.96", "0.84", "2.80")
    assert f"{z**2:.2f}" == "7.85"
    assert [math.ceil((z * SD / delta) ** 2) for delta in (0.05, 0.02, 0.01)] == [29, 179, 713]
    # "a t test needs about two more (31, 181 and 715)"
    by_t = [
        next(n for n in range(near, near + 20) if t_power(n, x) >= 0.8)
        for near, x in ((20, 0.05), (170, 0.02), (700, 0.01))
    ]
    assert by_t == [31, 181, 715]
    assert "`31`, `181` and `715`" in PROSE
    assert "0.095 gives 178" in PROSE
    assert math.ceil((z * 0.1 / 0.005) ** 2) == 3140
    assert "a true `0.005` takes 3,140 queries" in PROSE


def test_the_noise_shrinks_with_the_root(played):
    rows = {n: m.std() for n, m in played["means"].items()}
    for n, found in rows.items():
        assert found == pytest.approx(SD / math.sqrt(n), rel=0.03)
        assert found < SD / math.sqrt(n)  # "what is seen lies a little lower"
    low, high = relviz.paired_bootstrap(A, B)
    half = 1.96 * SD / math.sqrt(30)
    assert (D.mean() - half, D.mean() + half) == (pytest.approx(low, abs=0.005), pytest.approx(high, abs=0.005))


def test_power_by_trial(played):
    shares = played["shares"]
    for formula, bell, _ in shares.values():
        assert abs(formula - bell) < 0.02  # "agree to within two hundredths"
    # "With few queries that hides the difference more often than the formula says, with many less often"
    assert shares[30][2] < shares[30][0] - 0.02
    assert all(shares[n][2] > shares[n][0] for n in (100, 179))
    assert all(abs(formula - ours) < 0.07 for formula, _, ours in shares.values())  # "by some hundredths"
    assert stats.norm.cdf(LINE - LINE) == exercise("10.4").answer


def test_the_planner_s_tasks():
    assert relviz.queries_needed(SD, 0.02, power=0.95) == 296
    assert "296 instead of 179: 65 per cent more" in PROSE  # "two thirds more"
    assert "from 114–323 to 141–234" in PROSE
    ends = [SD * math.sqrt(119 / stats.chi2.ppf(q, 119)) for q in (0.975, 0.025)]
    assert [relviz.queries_needed(end, 0.02) for end in ends] == [141, 234]
    assert relviz.queries_needed(0.1281, 0.02) == 322
    assert "(0.1281, typed in, gives 322" in PROSE


def test_what_a_trial_run_knows(played):
    book, ours = played["found"]["bell-shaped"], played["found"]["BugHunt"]
    ends = [SD * math.sqrt(29 / stats.chi2.ppf(q, 29)) for q in (0.975, 0.025)]
    assert book[:2] == pytest.approx(ends)
    assert book[2:] == [114, 323]
    assert ours[2] < book[2] / 2  # "a trial run that misses the few large wins finds a small spread"
    sample = np.random.default_rng(5).choice(D, (20_000, 30))
    low, high = (math.sqrt(29 / stats.chi2.ppf(q, 29)) * sample.std(axis=1, ddof=1) for q in (0.975, 0.025))
    held = np.mean((low <= D.std()) & (D.std() <= high))
    assert held == pytest.approx(played["held"], abs=0.01)
    assert f"holds the true sd only {100 * played['held']:.0f} times" in PROSE
    assert np.mean(high < D.std()) > (1 - held) / 2  # "mostly because the sd it started from was too small"
    assert np.corrcoef(sample.mean(axis=1), sample.std(axis=1))[0, 1] > 0.7  # "then sd and mean move together"
    small = sample.std(axis=1, ddof=1) <= np.quantile(sample.std(axis=1), 0.05)
    assert (sample[small] > 0.2).sum(axis=1).max() <= 1  # of the three large wins, one at most was drawn


# ---------- what few queries do ----------


def test_n_belongs_to_a_pair_and_copies_teach_nothing(played):
    table = played["table"]
    assert [table[pair]["n for 0.02"] for pair in ("B - A", "C - A", "C - B")] == [179, 537, 442]
    assert table["C - A"]["n for 0.02"] / table["B - A"]["n for 0.02"] == 3  # "3 times the queries"
    assert f"{table['B - A']['d_z']:.2f}" == "0.19"
    assert 1 / table["B - A"]["d_z"] == pytest.approx(5, abs=0.3)  # "On BugHunt it is five times"
    (mean, size, p), *copies = played["size"].values()
    for more, (mean_k, size_k, p_k) in enumerate(copies):
        assert mean_k == pytest.approx(mean)
        assert size_k == pytest.approx(size, abs=0.004)
        assert p_k < (0.05, 0.001)[more] < p


def test_the_winners_curse(played):
    _, reported, wrong = (dict(zip(played["curse"], column)) for column in zip(*played["curse"].values()))
    assert reported[30] > 2 * 0.02  # "more than twice the truth"
    assert 0.02 < reported[179] < 1.15 * 0.02  # "nearly gone"
    assert 0.05 < wrong[30] < 0.065
    means, yes = played["seen"](played["bell"], 30, 0.02, times=20_000)
    assert np.mean(means[yes] < 0) < 0.01  # "in a bell-shaped world it is fewer than 1"
    drawn = np.random.default_rng(6).choice(D - D.mean() + 0.02, (20_000, 30))
    low = drawn[played["significant"](drawn) & (drawn.mean(axis=1) < 0)]
    assert low.std(axis=1).mean() < 0.6 * D.std()  # "a low mean and a small spread at once"
    assert list(reported.values()) == sorted(reported.values(), reverse=True)
    # "planned with three times the truth, one takes a ninth of the queries"
    assert relviz.queries_needed(1, 0.02) / relviz.queries_needed(1, 0.06) == pytest.approx(9, rel=0.001)


def test_a_number_of_changed_queries_is_needed(played):
    rows = played["rows"]
    assert [*rows] == [14, 30, 140, 700]
    assert all(97 <= row["changed of n"] <= 98 for row in rows.values())  # "hardly moves", "about a hundred"
    assert [row["n needed"] for row in rows.values()][:2] == [97, 209]
    # Nine of the sixteen equal queries are perfect in both; no judge can make equal rankings differ.
    assert ((A == 1) & (B == 1)).sum() == 9
    assert "Of the 16 equal queries 9 are perfect" in PROSE
    # Read by hand from the files: best score first, equal scores by id from the end.
    tops = [top_five("tfidf"), top_five("bm25")]
    moved = sum(tops[0][q] != tops[1][q] for q in tops[0])
    pooled = sum(len({*tops[0][q], *tops[1][q]}) for q in tops[0]) / 30
    assert printed("runs = [") == f"({moved}, {pooled:.2f})" == "(23, 5.47)"
    assert (
        f"hold {pooled:.1f} documents together, so two thousand judgements pay for about {2000 / pooled:.0f}" in PROSE
    )
    assert "23 of 30 queries have another top five, 14 another score" in PROSE
    assert "the same nDCG@5 on 16 of 30 queries, the same top five in the same order on 7" in PROSE


def top_five(name):
    found = {}
    for line in bughunt_path(f"runs/{name}.run").read_text(encoding="utf-8").splitlines():
        query, _, doc, _, score, _ = line.split()
        found.setdefault(query, []).append((float(score), doc))
    return {query: [doc for _, doc in sorted(rows, reverse=True)[:5]] for query, rows in found.items()}


# ---------- many comparisons, many looks ----------


def test_holm_on_paper():
    assert relviz.holm([0.005, 0.011, 0.020, 0.030]) == pytest.approx([0.020, 0.033, 0.040, 0.040])
    assert sum(4 * p < 0.05 for p in (0.005, 0.011, 0.020, 0.030)) == 2  # "Bonferroni would have kept two"
    asked = [0.02, 0.004, 0.03, 0.012]
    assert exercise("10.7").answer == pytest.approx(relviz.holm(asked))
    assert sum(4 * p < 0.05 for p in asked) == 2
    assert exercise("10.7").mistakes["bonferroni"] == pytest.approx([4 * p for p in asked])


def test_ten_settings_of_bm25(played):
    ten, rows = played["ten"], [x - A for x in played["variants"].values()]
    assert (ten["Holm"] == 1).all()
    best = ten.p.idxmin()
    assert best == ten["mean"].idxmax()
    assert ten["mean"].max() > D.mean()
    # The largest |t|-like statistic of shared flips, written out once more.
    signs = np.random.default_rng(3).choice([-1, 1], size=(20_000, 30))
    unit = [row / np.sqrt((row**2).sum()) for row in rows]
    top = np.max([np.abs(signs @ row) for row in unit], axis=0)
    observed = max(abs(row.sum()) for row in unit)
    assert np.mean(top >= observed - 1e-9) == pytest.approx(ten["max-T"][best], abs=0.02)
    # "Ten near-twins cost hardly more than two strangers"
    assert ten["max-T"][best] == pytest.approx(1 - (1 - ten.p[best]) ** 2, abs=0.03)


def test_looking_again_and_again(played):
    once, ever = played["once"], played["ever"]
    assert all(0.035 < share < 0.065 for share in once)  # "about five times in a hundred"
    assert list(ever) == sorted(ever)
    assert 0.19 < ever[-1] < 0.24
    assert len(played["looks"]) == 18


def test_who_keeps_the_five_per_cent():
    rng = np.random.default_rng(8)
    null = rng.choice(np.append(D, -D), (4000, 240))

    def found(rows, level=0.05):
        t = rows.mean(axis=1) / (rows.std(axis=1, ddof=1) / math.sqrt(rows.shape[1]))
        return np.abs(t) > stats.norm.isf(level / 2)

    rates = {
        "a": np.any([found(null[:, :n]) for n in range(30, 241, 10)], axis=0),
        "c": found(null[:, :120], 0.025) | found(null, 0.025),
        "d": found(null[:, :179]) | found(null[:, :229]),
        "e": found(null),
    }
    # b: n from the spread of sixty queries, the mean never looked at. BugHunt's own differences lean to one side, and
    # there a mean and its sd move together: the sixty must not be tested with.
    leaning = rng.choice(D - D.mean(), (8000, 300))
    needed = [min(240, max(60, relviz.queries_needed(s, 0.02))) for s in leaning[:, :60].std(axis=1, ddof=1)]
    rates["b"], counted = (
        np.array([found(row[np.newaxis, start : start + n])[0] for row, n in zip(leaning, needed)]) for start in (60, 0)
    )
    assert counted.mean() > 0.065 > rates["b"].mean()
    for letter, alarms in rates.items():
        kept = alarms.mean() < 0.062
        assert kept == (letter in exercise("10.8").answer), (letter, alarms.mean())


def test_what_one_is_told():
    assert f"{1.96 * 0.1 / 50**0.5:.3f}" == "0.028"
    assert f"{1.96 * 0.1 / 1e6**0.5:.4f}" == "0.0002"
    # "179 for a power of 80 per cent (if the sd is really 0.128, 55 per cent)"
    high = SD * math.sqrt(29 / stats.chi2.ppf(0.025, 29))
    powers = [f"{100 * stats.norm.cdf(0.02 * math.sqrt(179) / x - LINE):.0f}" for x in (SD, high)]
    assert (f"{high:.3f}", powers) == ("0.128", ["80", "55"])
    assert "a power of 80 per cent (if the sd is really 0.128, 55 per cent)" in PROSE
    assert "worth about 208 independent ones" in PROSE  # 1000 / (1 + 19 * 0.2)
    covered = re.search(r"with thirty in (\d+)", "\n".join(c.source for c in notebook_of("09_paired_or_not").cells))
    assert 80 < int(covered[1]) < 90  # "in fewer than nine cases of ten"
    # The power of the observed difference is p in another coat: both come from the same t.
    t = D.mean() / (SD / math.sqrt(30))
    assert significance.power_of(30, SD, D.mean()) == pytest.approx(stats.norm.cdf(t - LINE))
    assert "draw 180 from the log" in PROSE


def test_a_coin_for_each():
    def first(n):  # the smallest number of heads that, with its mirror image, is below five per cent
        return next(k for k in range(n // 2, n + 1) if stats.binomtest(k, n).pvalue < 0.05)

    assert [first(n) for n in (30, 40, 50)] == [21, 27, 33]
    assert "`21` heads or tails of `30`, `27` of `40`, `33` of `50`" in PROSE


def test_the_two_heaps(played):
    equal = played["equal"]
    for n in (30, 179):
        share = np.mean(equal[n] + 0.02 > np.percentile(equal[n], 97.5))
        assert f"n = {n}: {100 * share:.0f} of 100 beyond the bar" in repr(NOTEBOOK)
    assert f"the bar ends at {np.percentile(equal[30], 97.5):+.3f} because our heap leans" in PROSE
    assert np.percentile(equal[30], 97.5) > 1.96 * SD / 30**0.5 > -np.percentile(equal[30], 2.5)


# ---------- exercises ----------


@pytest.mark.parametrize(
    ("key", "given"),
    [
        ("10.1", 2),
        ("10.1", 0.0203),
        ("10.3", lambda sd, n: (8 * sd**2 / n) ** 0.5),
        ("10.3", lambda sd, n: 0.84 * sd / n**0.5),
        ("10.4", 50),
        ("10.4", 0.025),
        ("10.6", (1000, 10)),
        *[("10.8", set(letters)) for letters in ("bcde", "abce", "ce", "be", "bc")],
    ],
)
def test_a_typical_wrong_answer_gets_its_own_reply(key, given):
    other = {"10.1": 7, "10.3": lambda sd, n: 7, "10.4": 7, "10.6": [7, 7], "10.8": {"a"}}[key]
    reply, plain = repr(exercise(key).check(given)), repr(exercise(key).check(other))
    exercise(key).tried.clear()
    assert reply[0] == "✗"
    assert reply.count(". ") > plain.count(". ")


def test_the_smallest_difference_turns_queries_needed_round():
    for sd, n in exercise("10.3").cases:
        delta = lesson10.smallest_difference(sd, n)
        assert relviz.queries_needed(sd, delta * 1.0001) <= n < relviz.queries_needed(sd, delta * 0.999)

    def rounded(sd, n):
        return 2.8 * sd / n**0.5

    def searched(sd, n):
        return next(x for x in np.arange(0.001, 1, 0.0001) if relviz.queries_needed(sd, x) <= n)

    for answer in (rounded, searched):
        assert repr(exercise("10.3").check(answer))[0] == "✓", answer


def test_a_third_of_the_difference():
    sd = 0.06 * math.sqrt(200) / (stats.norm.isf(0.025) + stats.norm.isf(0.2))
    assert relviz.queries_needed(sd, 0.02 + 1e-9) == exercise("10.2").answer
