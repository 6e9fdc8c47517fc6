"""Lesson 09: the functions written out in it are relviz's, its tests are scipy's, and what it says in words is so."""

import ast
import re
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from written import code_of, functions_in, notebook_of

import relviz
from relviz.datasets import load_bughunt
from relviz.lessons import exercise, lesson09
from relviz.lessons.lesson09 import TINY, TINY_A, TINY_B, A, B

NOTEBOOK = notebook_of("09_paired_or_not")
CELLS = code_of(NOTEBOOK)
PROSE = "\n".join(cell.source for cell in NOTEBOOK.cells if cell.cell_type == "markdown")
D = B - A


@pytest.fixture(scope="module")
def written():
    return functions_in(CELLS, np=np, relviz=relviz, d=D)


def printed(code):
    """The text of the output of the one cell that holds this code."""
    (cell,) = [cell for cell in NOTEBOOK.cells if cell.cell_type == "code" and code in cell.source]
    return cell.outputs[0].data["text/plain"]


scores = st.integers(1, 8).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 20), min_size=n, max_size=n).map(lambda x: np.array(x) / 20)] * 2)
)


@given(pair=scores, seed=st.integers(0, 5))
def test_the_four_functions_are_relviz_s(written, pair, seed):
    for name in ("paired_bootstrap", "unpaired_bootstrap", "randomization_test"):
        mine, theirs = (f(*pair, 200, seed) for f in (written[name], getattr(relviz, name)))
        assert mine == pytest.approx(theirs, abs=1e-12), name
    exact = written["exact_randomization_test"](*pair)
    assert exact == pytest.approx(relviz.exact_randomization_test(*pair), abs=1e-12)


def test_the_table_of_tests_is_scipy_s():
    changed = D[D != 0].round(9)
    ranks = np.sign(changed) * stats.rankdata(np.abs(changed))
    by_hand = {}
    for name, numbers in {"randomization": changed, "Wilcoxon": ranks}.items():
        test = stats.permutation_test((numbers,), np.sum, permutation_type="samples", n_resamples=2**14)
        by_hand[name] = test.pvalue
    by_hand["sign"] = stats.binomtest(int((D > 0).sum()), int((D != 0).sum())).pvalue
    for name, p in by_hand.items():
        assert re.search(rf"{name} +{p:.3f} ", printed("smucker =")), (name, p)
    t = stats.ttest_rel(B, A)
    assert re.search(rf"t +{t.statistic:.3f}\np +{t.pvalue:.3f}", printed("curve ="))
    # "Software that uses the normal approximation prints 0.68"
    assert f"{stats.wilcoxon(changed, method='approx').pvalue:.2f}" == "0.68"


def test_four_queries_by_hand():
    assert [round(x, 1) for x in TINY] == [0.3, -0.2, 0.0, 0.1]
    drawn = [np.mean(x) for x in product(TINY, repeat=4)]
    assert min(drawn) == pytest.approx(exercise("09.1").answer)
    apart = [np.mean(y) - np.mean(x) for x in product(TINY_A, repeat=4) for y in product(TINY_B, repeat=4)]
    assert min(apart) == pytest.approx(exercise("09.1").mistakes["apart"])
    changed = [x for x in TINY if x]
    sums = [np.dot(signs, changed) for signs in product((1, -1), repeat=3)]
    assert ast.literal_eval(printed("s1 * 3")) == sorted(round(10 * s) for s in sums)
    assert np.mean([abs(s) >= sum(TINY) - 1e-12 for s in sums]) == exercise("09.4").answer


def test_what_the_lesson_says_of_the_data_is_so():
    assert list(load_bughunt().queries) == sorted(load_bughunt().queries)  # evaluate's order is the collection's
    assert ((D > 0).sum(), (D < 0).sum(), (D == 0).sum()) == (6, 8, 16)  # "loses more queries than it wins"
    assert list(load_bughunt().queries)[D.argmax()] == "q18"
    low, high = relviz.paired_bootstrap(A, B)
    assert low < 0 < high  # "It holds 0"
    wide_low, wide_high = relviz.unpaired_bootstrap(A, B)
    assert 2 < (wide_high - wide_low) / (high - low) < 2.5
    assert A.std() > B.std()  # "A spreads more than B"
    assert f"{relviz.exact_randomization_test(A, B):.3f}" == "0.308"
    assert f"{relviz.randomization_test(A, B):.3f}" == "0.305"  # chapter 000 prints it
    assert f"{D.std(ddof=1):.4f}" == "0.0953"
    assert 2.9 < -D.max() / D.min() < 3.1  # "three times as large a win"
    by_coins = [relviz.randomization_test(A, B, 10_000, seed) for seed in range(5)]
    assert max(by_coins) - min(by_coins) < 0.01  # "the five agree to within a hundredth"
    ranks = [
        [relviz.reciprocal_rank(find(q), lesson09.bughunt.qrels[i], 10) for i, q in lesson09.bughunt.queries.items()]
        for find in (lesson09.index.tfidf, lesson09.index.bm25)
    ]
    assert set(ranks[1]) == {1.0}  # "B has 1 on every query, and both intervals are the same"
    assert relviz.paired_bootstrap(*ranks) == pytest.approx(relviz.unpaired_bootstrap(*ranks), abs=0.001)
    for said in ("one of up to 0.055 is not excluded", "standard deviation of the differences 0.0953", "+0.0185"):
        assert said in PROSE


def test_few_changed_queries():
    rows = {name: numbers.split() for name, *_, numbers in re.findall(r"(\w+@\d+)(\s+)(.+)", printed("smallest p"))}
    assert rows == {  # recall and precision: two queries, both down; RR: three, all up
        "R@5": ["0.5000", "2", "0.5000"],
        "P@5": ["0.5000", "2", "0.5000"],
        "RR@10": ["0.2500", "3", "0.2500"],
        "nDCG@5": ["0.3079", "14", "0.0001"],
    }
    for m in range(1, 9):
        smallest = relviz.exact_randomization_test(np.zeros(m), np.arange(1, m + 1))
        assert smallest == 2.0 ** (1 - m)
        assert (smallest < 0.05) == (m >= exercise("09.7").answer)
    assert "0.100 or 0.117" in PROSE


def test_the_interval_is_too_narrow_for_few_queries():
    coverage = {int(n): float(share) for n, share in re.findall(r"(\d+) +(0\.\d+)", printed("def covered"))}
    assert [*coverage] == [5, 10, 30, 100]
    assert list(coverage.values()) == sorted(coverage.values())
    assert coverage[10] < 0.8
    assert coverage[30] < 0.92
    assert coverage[100] > 0.92
    # "A t interval fares a little better, and at ten queries still misses more than one time in five"
    rng, hits = np.random.default_rng(1), 0
    for _ in range(2000):
        sample = rng.choice(D, 10)
        half = stats.t.ppf(0.975, 9) * sample.std(ddof=1) / 10**0.5
        hits += abs(sample.mean() - D.mean()) <= half
    assert coverage[10] < hits / 2000 < 0.8


def test_the_best_of_ten():
    best, alarm = map(float, re.findall(r"\d\.\d{3}", printed("variants =")))
    assert best > D.mean()  # "more than BM25's"
    assert alarm == pytest.approx(1 - 0.95**10, abs=0.03)


def test_a_ninety_per_cent_interval_from_any_correct_way_is_accepted():
    e = exercise("09.2")
    answers = [relviz.paired_bootstrap(A, B, n, seed, level=0.9) for n in (2000, 10_000) for seed in range(1, 6)]
    scipy = stats.bootstrap((D,), np.mean, confidence_level=0.9, method="percentile", rng=np.random.default_rng(7))
    answers.append(tuple(scipy.confidence_interval))
    for answer in answers:
        assert repr(e.check(answer))[0] == "✓", answer
        assert repr(e.check(np.array(answer)))[0] == "✓"
    assert repr(e.check(answers[0][::-1]))[0] == "✗"


def test_any_correct_p_value_is_accepted():
    def vectorised(means, observed):
        means = np.asarray(means)
        return (1 + np.count_nonzero((means >= abs(observed)) | (means <= -abs(observed)))) / (1 + means.size)

    assert repr(exercise("09.5").check(vectorised))[0] == "✓"
    assert lesson09.p_value([0.0] * 9999, 0.1) == 1 / 10_000
