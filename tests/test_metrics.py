"""Metrics against arithmetic on paper, both chapters' self-checks, scikit-learn and trec_eval."""

import math

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import ndcg_score

from relviz import dcg, ideal_grades, ndcg_at_k, precision_at_k, recall_at_k, reciprocal_rank, unique

Q18 = {"BUG-118": 2, "REQ-09": 2, "EXP-05": 1}
A = ["x1", "BUG-118", "x2", "x3", "REQ-09"]
B = ["BUG-118", "REQ-09", "x1", "x2", "x3"]

docs = st.sampled_from([f"d{i}" for i in range(12)])
rankings = st.lists(docs, unique=True, max_size=12)
judgements = st.dictionaries(docs, st.integers(0, 4), max_size=12)
cutoffs = st.integers(1, 15)


def test_q18_by_hand():
    assert recall_at_k(A, Q18, 5) == recall_at_k(B, Q18, 5) == 2 / 3
    assert precision_at_k(A, Q18, 5) == precision_at_k(B, Q18, 5) == 2 / 5
    assert (reciprocal_rank(A, Q18), reciprocal_rank(B, Q18)) == (1 / 2, 1)
    ideal = 2 / 1 + 2 / math.log2(3) + 1 / math.log2(4)
    assert dcg(ideal_grades(Q18, 5)) == pytest.approx(ideal, abs=1e-15)
    assert f"{ideal:.3f}" == "3.762"
    assert ndcg_at_k(A, Q18, 5) == pytest.approx((2 / math.log2(3) + 2 / math.log2(6)) / ideal, abs=1e-15)
    assert ndcg_at_k(B, Q18, 5) == pytest.approx((2 + 2 / math.log2(3)) / ideal, abs=1e-15)
    assert f"{ndcg_at_k(B, Q18, 5) - ndcg_at_k(A, Q18, 5):+.3f}" == "+0.326"


def test_chapter_000_self_check():
    rel, ranking = {"d1": 2, "d2": 1, "d3": 2}, ["x", "d1", "y", "d2", "z"]
    assert recall_at_k(ranking, rel, 5) == 2 / 3
    assert precision_at_k(ranking, rel, 5) == 2 / 5
    assert reciprocal_rank(ranking, rel) == 1 / 2
    expected = (2 / math.log2(3) + 1 / math.log2(5)) / (2 + 2 / math.log2(3) + 1 / math.log2(4))
    assert abs(ndcg_at_k(ranking, rel, 5) - expected) < 1e-12


def test_chapter_004_self_check_and_printed_results():
    rel = {"A": 1, "B": 1}
    assert precision_at_k(["A", "X", "Y"], rel, 3) == 0.3333333333333333
    assert recall_at_k(["A", "X", "Y"], rel, 3) == 0.5
    assert reciprocal_rank(["A", "X", "Y"], rel, 3) == 1.0
    assert ndcg_at_k(["A", "X", "Y"], rel, 3, gain="exponential") == 0.6131471927654584
    assert ndcg_at_k(["B", "A"], {"A": 1, "B": 2}, 2, gain="exponential") == 1
    assert recall_at_k([], {}, 3) is None
    assert ndcg_at_k([], {}, 3) is None
    assert unique(["A", "A", "B"]) == ["A", "B"]


@pytest.mark.parametrize(
    ("measure", "fewer", "expected"),
    [
        (precision_at_k, ["a", "b", "c"], 2 / 5),  # 3 came back, 2 relevant: still divided by 5
        (recall_at_k, ["a", "b", "c"], 2 / 3),
        (reciprocal_rank, ["x", "y", "z"], 0.0),
        (ndcg_at_k, ["a", "b"], (1 + 1 / math.log2(3)) / (1 + 1 / math.log2(3) + 1 / 2)),
    ],
)
def test_k_larger_than_the_ranking(measure, fewer, expected):
    assert measure(fewer, {"a": 1, "b": 1, "q": 1, "z": 0}, 5) == pytest.approx(expected)


def test_nothing_relevant_is_undefined_or_zero():
    for rel in ({}, {"a": 0}):
        assert recall_at_k(["a"], rel, 3) is None
        assert ndcg_at_k(["a"], rel, 3) is None
        assert precision_at_k(["a"], rel, 3) == reciprocal_rank(["a"], rel) == 0
    assert ndcg_at_k(["a"], {"a": 1}, 3, gain={1: 0}) is None


def test_reciprocal_rank_sees_only_the_first_k():
    ranking = [f"x{i}" for i in range(10)] + ["a"]
    assert reciprocal_rank(ranking, {"a": 1}) == 0
    assert reciprocal_rank(ranking, {"a": 1}, 11) == 1 / 11


def test_threshold_changes_the_binary_measures():
    rel = {"a": 1, "b": 2, "c": 2}
    assert precision_at_k(["a", "b"], rel, 2, threshold=2) == 1 / 2
    assert recall_at_k(["a", "b"], rel, 2, threshold=2) == 1 / 2
    assert reciprocal_rank(["a", "b"], rel, threshold=2) == 1 / 2


def test_gain_can_reverse_two_rankings():
    rel = {"three": 3, "two1": 2, "two2": 2, "two3": 2}
    x, y = ["three", "n1", "n2"], ["two1", "two2", "two3"]
    assert [f"{ndcg_at_k(r, rel, 3):.3f}" for r in (x, y)] == ["0.570", "0.810"]
    ideal = 7 + 3 / math.log2(3) + 3 / 2
    assert ndcg_at_k(x, rel, 3, gain="exponential") == pytest.approx(7 / ideal)
    assert ndcg_at_k(y, rel, 3, gain="exponential") == pytest.approx((3 + 3 / math.log2(3) + 3 / 2) / ideal)
    assert ndcg_at_k(x, rel, 3, gain="exponential") > ndcg_at_k(y, rel, 3, gain="exponential")
    assert ndcg_at_k(x, rel, 3, gain={1: 1, 2: 3, 3: 7}) == ndcg_at_k(x, rel, 3, gain="exponential")
    assert ndcg_at_k(x, rel, 3, gain=lambda g: 2**g - 1) == ndcg_at_k(x, rel, 3, gain="exponential")


def test_the_three_discounts():
    assert dcg([1, 1, 1, 1]) == pytest.approx(1 + 0.6309297535714574 + 0.5 + 0.43067655807339306)
    assert dcg([1, 1, 1, 1], discount=2) == pytest.approx(1 + 1 + 0.6309297535714574 + 0.5)
    assert dcg([1, 1, 1, 1], discount=lambda rank: rank) == pytest.approx(1 + 1 / 2 + 1 / 3 + 1 / 4)
    assert dcg([]) == 0


@pytest.mark.parametrize("k", [0, -1, 1.0, 2.5, True, "5", None])
@pytest.mark.parametrize("measure", [recall_at_k, precision_at_k, reciprocal_rank, ndcg_at_k])
def test_k_is_a_whole_number_of_at_least_one(measure, k):
    with pytest.raises(ValueError, match="k is a whole number"):
        measure(["a"], {"a": 1}, k)


@pytest.mark.parametrize("measure", [recall_at_k, precision_at_k, reciprocal_rank, ndcg_at_k])
def test_errors_name_what_is_wrong(measure):
    with pytest.raises(ValueError, match=r"'a' stands twice.*ranks 1 and 3.*unique"):
        measure(["a", "b", "a"], {"a": 1}, 1)  # even beyond the cutoff: the ranking itself is broken
    for grade in (-1, 0.5, True, "2", None, math.nan):
        with pytest.raises(ValueError, match=r"grade of document 'a'"):
            measure(["a"], {"a": grade}, 1)
    with pytest.raises(ValueError, match=r"list of document ids.*str"):
        measure("abc", {"a": 1}, 1)
    with pytest.raises(ValueError, match=r"relviz\.ranked"):
        measure({"a": 1.0}, {"a": 1}, 1)


def test_numpy_numbers_are_welcome():
    assert ndcg_at_k(np.array(["a", "b"]), {"a": np.int64(2), "b": np.int32(1)}, np.int64(2)) == 1


@pytest.mark.parametrize("gain", ["linearly", 3, None])
def test_bad_gain(gain):
    with pytest.raises(ValueError, match="gain is"):
        ndcg_at_k(["a"], {"a": 1}, 1, gain=gain)
    with pytest.raises(ValueError, match=r"nothing about grade 2.*\[0, 1\]"):
        ndcg_at_k(["a"], {"a": 2}, 1, gain={1: 1})


@pytest.mark.parametrize("weight", [-1, math.nan, math.inf])
def test_a_gain_is_a_finite_number_of_at_least_0(weight):
    for gain in (lambda grade: weight, {0: weight, 1: 1}):
        with pytest.raises(ValueError, match=f"the gain of grade 0 is {weight}; a gain is a finite number"):
            dcg([1, 0] if isinstance(gain, dict) else [0], gain=gain)
        with pytest.raises(ValueError, match=f"is {weight}; a gain is a finite number"):
            ndcg_at_k(["a", "b"], {"a": 1}, 2, gain=gain)


@pytest.mark.parametrize("grade", [-1, 0.5, math.nan, True, "2"])
def test_dcg_takes_the_grades_that_ndcg_takes(grade):
    with pytest.raises(ValueError, match="rank 2"):
        dcg([2, grade])


@pytest.mark.parametrize("threshold", [0, -3, 1.5, True, "1"])
def test_below_threshold_1_a_document_that_nobody_judged_would_be_relevant(threshold):
    for measure in (recall_at_k, precision_at_k, reciprocal_rank):
        with pytest.raises(ValueError, match="threshold is a whole number of at least 1, got"):
            measure(["a", "x"], {"b": 1}, 2, threshold=threshold)


@pytest.mark.parametrize("discount", ["log10", 1, 0.5, math.inf, math.nan, True])
def test_bad_discount(discount):
    with pytest.raises(ValueError, match="discount is"):
        dcg([1], discount=discount)


@given(rankings, judgements, cutoffs)
def test_equal_to_trec_eval(ranking, rel, k):
    scores = {doc: float(len(ranking) - i) for i, doc in enumerate(ranking)}
    measures = {f"{m}.{k}" for m in ("recall", "P", "ndcg_cut")} | {"recip_rank"}
    if not rel or not ranking:
        return
    theirs = pytrec_eval.RelevanceEvaluator({"q": rel}, measures).evaluate({"q": scores})["q"]
    assert precision_at_k(ranking, rel, k) == pytest.approx(theirs[f"P_{k}"], abs=1e-12)
    assert reciprocal_rank(ranking, rel, 12) == pytest.approx(theirs["recip_rank"], abs=1e-12)
    # Here the conventions part: trec_eval says 0 where nothing is relevant, we say undefined.
    assert (recall_at_k(ranking, rel, k) or 0) == pytest.approx(theirs[f"recall_{k}"], abs=1e-12)
    assert (ndcg_at_k(ranking, rel, k) or 0) == pytest.approx(theirs[f"ndcg_cut_{k}"], abs=1e-12)


@given(rankings, judgements, cutoffs)
def test_equal_to_scikit_learn(ranking, rel, k):
    everything = ranking + sorted(set(rel) - set(ranking))
    if len(everything) < 2 or not any(rel.values()):
        return
    retrieved = len(ranking)
    true = [[rel.get(doc, 0) for doc in everything]]
    score = [[len(everything) - i for i in range(len(everything))]]
    # scikit-learn ranks every document, so what was not retrieved comes last there; cut before that.
    if k <= retrieved:
        assert ndcg_at_k(ranking, rel, k) == pytest.approx(ndcg_score(true, score, k=k), abs=1e-12)


@given(rankings, judgements, cutoffs)
def test_bounds_and_monotony(ranking, rel, k):
    values = [m(ranking, rel, k) for m in (recall_at_k, precision_at_k, reciprocal_rank, ndcg_at_k)]
    assert all(v is None or 0 <= v <= 1 + 1e-12 for v in values)
    more = recall_at_k(ranking, rel, k + 1)
    assert more is None or more >= values[0]
    assert reciprocal_rank(ranking, rel, k + 1) >= values[2]


@given(judgements, cutoffs)
def test_the_ideal_order_scores_one_and_no_order_more(rel, k):
    ideal = sorted(rel, key=rel.get, reverse=True)
    best = ndcg_at_k(ideal, rel, k)
    assert best is None or best == pytest.approx(1)
    assert best is None or ndcg_at_k(ideal[::-1], rel, k) <= best + 1e-12


@given(rankings, judgements, cutoffs, st.integers(1, 9))
def test_scaling_all_gains_changes_dcg_but_not_ndcg(ranking, rel, k, factor):
    plain, scaled = (ndcg_at_k(ranking, rel, k, gain=g) for g in ("linear", lambda grade: factor * grade))
    assert plain is scaled is None or plain == pytest.approx(scaled)
    grades = [rel.get(doc, 0) for doc in ranking]
    assert dcg(grades, gain=lambda g: factor * g) == pytest.approx(factor * dcg(grades))


@given(rankings, judgements, cutoffs, st.randoms())
def test_documents_of_equal_grade_can_change_places(ranking, rel, k, random):
    by_grade = {}
    for doc in ranking:
        by_grade.setdefault(rel.get(doc, 0), []).append(doc)
    for group in by_grade.values():
        random.shuffle(group)
    permuted = [by_grade[rel.get(doc, 0)].pop() for doc in ranking]
    for measure in (precision_at_k, recall_at_k, reciprocal_rank, ndcg_at_k):
        assert measure(permuted, rel, k) == measure(ranking, rel, k)
