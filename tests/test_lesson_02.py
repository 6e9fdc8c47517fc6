"""Lesson 02: the functions written out in it are relviz's and the field's, and what it says in words is so."""

import ast
import math
import re
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import nbformat
import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import ndcg_score
from written import code_of, functions_in

import relviz
from relviz.datasets import load_bughunt
from relviz.lessons import exercise, lesson02
from relviz.lessons.lesson02 import REL, A, B

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
LESSON = {
    language: nbformat.read(NOTEBOOKS / language / "02_four_metrics_by_hand.ipynb", as_version=4)
    for language in ("en", "zh")
}
CODE = code_of(LESSON["en"])
TREC = {"recall_at_k": "recall_5", "precision_at_k": "P_5", "reciprocal_rank": "recip_rank", "ndcg_at_k": "ndcg_cut_5"}


@pytest.fixture(scope="module")
def written():
    return functions_in(CODE, math=math)


documents = st.permutations([f"d{i}" for i in range(8)]).map(lambda docs: docs[:6])
judged = st.dictionaries(st.sampled_from([f"d{i}" for i in range(8)]), st.integers(0, 3)).filter(
    lambda rel: any(rel.values())
)


@given(ranking=documents, rel=judged, k=st.integers(1, 9))
def test_the_four_functions_are_relviz_s(written, ranking, rel, k):
    for name in TREC:
        assert written[name](ranking, rel, k) == pytest.approx(getattr(relviz, name)(ranking, rel, k), abs=1e-12)
    grades = [rel.get(doc, 0) for doc in ranking]
    assert written["dcg"](grades) == pytest.approx(relviz.dcg(grades), abs=1e-12)


@given(ranking=documents, rel=judged)
def test_the_four_functions_are_those_of_trec_eval_and_scikit_learn(written, ranking, rel):
    run = {"q": {doc: float(-rank) for rank, doc in enumerate(ranking)}}
    theirs = pytrec_eval.RelevanceEvaluator({"q": rel}, set(TREC.values())).evaluate(run)["q"]
    for name, measure in TREC.items():
        mine = written[name](ranking, rel, 10 if measure == "recip_rank" else 5)
        assert mine == pytest.approx(theirs[measure], abs=1e-12)
    docs = [*ranking, *(doc for doc in rel if doc not in ranking), "x"]
    truth, key = [[rel.get(doc, 0) for doc in docs]], [[-rank for rank in range(len(docs))]]
    assert written["ndcg_at_k"](ranking, rel, 5) == pytest.approx(ndcg_score(truth, key, k=5), abs=1e-12)


def test_q18_by_hand(written):
    third, sixth = math.log2(3), math.log2(6)
    assert written["dcg"]([0, 2, 0, 0, 2]) == pytest.approx(2 / third + 2 / sixth)
    assert written["dcg"]([2, 2, 1]) == pytest.approx(2 + 2 / third + 1 / 2)
    assert [round(written[name](A, REL, 5), 3) for name in TREC] == [0.667, 0.4, 0.5, 0.541]
    assert [round(written[name](B, REL, 5), 3) for name in TREC] == [0.667, 0.4, 1.0, 0.867]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_scikit_learn_example_in_the_text_gives_what_the_text_says(language):
    blocks = [
        block
        for cell in LESSON[language].cells
        if cell.cell_type == "markdown"
        for block in re.findall(r"```python\n(.*?)```", cell.source, re.DOTALL)
    ]
    assert len(blocks) == 1
    *before, last = ast.parse(blocks[0]).body
    names = {"a": A, "rel": REL}
    exec(compile(ast.Module(before, []), "text", "exec"), names)
    value = eval(compile(ast.Expression(last.value), "text", "eval"), names)
    assert value == pytest.approx(relviz.ndcg_at_k(A, REL, 5), abs=1e-12)


def test_the_lists_are_those_of_the_collection():
    bughunt = load_bughunt()
    index = relviz.Index(bughunt.docs)
    assert bughunt.qrels["q18"] == REL
    assert index.tfidf(bughunt.queries["q18"])[:5] == A
    assert index.bm25(bughunt.queries["q18"])[:5] == B


def test_what_the_lesson_says_in_words_is_so(written):
    ndcg, recall, precision = written["ndcg_at_k"], written["recall_at_k"], written["precision_at_k"]
    assert set(A) == set(B)  # "the same five documents"
    worst = ["EXP-05", "BUG-118", "REQ-09"]
    assert ndcg(worst, REL, 5) == pytest.approx(ndcg(B, REL, 5), abs=1e-12)  # "the same number"
    assert ndcg(worst, REL, 5) == min(ndcg(order, REL, 5) for order in permutations(REL))  # "in the worst order"
    assert ndcg(B, REL, 5) - ndcg(A, REL, 5) == pytest.approx(0.326, abs=0.0005)  # chapter 000
    exponential = [relviz.ndcg_at_k(r, REL, 5, gain="exponential") for r in (A, B)]
    assert [f"{x:.3f}" for x in exponential] == ["0.566", "0.907"]  # recomputed apart from relviz, as in chapter 004
    # "the first ranks, up to the base, are not discounted at all"
    assert relviz.dcg([1, 1, 1], discount=2) == pytest.approx(1 + 1 + 1 / math.log2(3))
    # the two chapters: the same with grades 0 and 1; a copy counts in one and not in the other
    gains = ("linear", "exponential")
    assert [relviz.ndcg_at_k(["A1", "X", "Y"], {"A1": 1, "B1": 1}, 3, gain=g) for g in gains] == [
        pytest.approx(0.6131471927654584, abs=1e-15)  # printed by chapter 004
    ] * 2
    assert relviz.precision_at_k(relviz.unique(["BUG-118", "BUG-118"]), REL, 2) == 0.5
    for missing in (relviz.recall_at_k(A, {"x": 0}, 5), relviz.ndcg_at_k(A, {"x": 0}, 5)):
        assert missing is None
    for function in (recall, ndcg):
        with pytest.raises(ZeroDivisionError):  # "divide by 0"
            function(A, {"x": 0}, 5)
    assert precision(["BUG-118", "BUG-118"], REL, 2) == 1  # "counted twice by yours"
    with pytest.raises(ValueError, match="stands twice"):
        relviz.precision_at_k(["BUG-118", "BUG-118"], REL, 2)


@given(ranking=documents, rel=judged, k=st.integers(2, 6), data=st.data())
def test_which_swaps_move_ndcg_alone(ranking, rel, k, data):
    """ "Inside the first k, two relevant ones of different grades, or a relevant and another below the first hit"."""
    i, j = sorted(data.draw(st.lists(st.integers(0, k - 1), min_size=2, max_size=2, unique=True)))
    one, two = rel.get(ranking[i], 0), rel.get(ranking[j], 0)
    hit_before = any(rel.get(doc, 0) for doc in ranking[:i])
    swapped = list(ranking)
    swapped[i], swapped[j] = ranking[j], ranking[i]
    unchanged = {name: getattr(relviz, name)(ranking, rel, k) for name in TREC}
    changed = {name: getattr(relviz, name)(swapped, rel, k) for name in TREC}
    moved = [name for name in TREC if abs(changed[name] - unchanged[name]) > 1e-12]
    if one != two and ((one and two) or hit_before):
        assert moved == ["ndcg_at_k"]
    if one == two:  # "no measure here notices"
        assert not moved


def test_trec_eval_sorts_by_score_and_not_by_rank(written):
    lines = [f"q Q0 {doc} {rank} {-rank} x" for rank, doc in enumerate(A, start=1)]
    run = pytrec_eval.parse_run(line.replace(" ", "\t") for line in reversed(lines))
    theirs = pytrec_eval.RelevanceEvaluator({"q": REL}, {"recip_rank"}).evaluate(run)["q"]
    assert theirs["recip_rank"] == written["reciprocal_rank"](A, REL)


@given(one=documents, two=documents, rel=judged, k=st.integers(1, 9))
def test_recall_and_precision_of_one_query_never_disagree(written, one, two, rel, k):
    recall, precision = (
        written[name](one, rel, k) - written[name](two, rel, k) for name in ("recall_at_k", "precision_at_k")
    )
    assert np.sign(round(recall, 12)) == np.sign(round(precision, 12))


def test_their_means_can(written):
    few, many = {"f1": 1}, {f"m{i}": 1 for i in range(4)}
    a = [(["f1"], few), (["m0"], many)]
    b = [(["x"], few), (["m0", "m1", "m2"], many)]
    recall, precision = (
        [np.mean([written[name](*query, 5) for query in system]) for system in (a, b)]
        for name in ("recall_at_k", "precision_at_k")
    )
    assert recall[0] > recall[1]
    assert precision[0] < precision[1]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_lesson_shows_trec_eval_s_four_numbers_beside_its_own(language):
    table = next(
        o.data["text/plain"] for c in LESSON[language].cells if "theirs" in c.source for o in c.get("outputs", ())
    )
    rows = [line.split() for line in table.splitlines()[1:]]
    assert [name for name, *_ in rows] == list(TREC.values())
    assert all(mine == other != "NaN" for _, mine, other in rows)


def test_the_means_are_the_chapter_s():
    table = next(o.data["text/plain"] for c in LESSON["en"].cells if "table.round" in c.source for o in c.outputs)
    rows = [[float(x) for x in line.split()[2:]] for line in table.splitlines()[1:]]
    assert rows == [[0.844, 0.433, 0.95, 0.871], [0.828, 0.42, 1.0, 0.89]]


def test_trec_eval_counts_a_query_with_no_relevant_document_as_0():
    theirs = pytrec_eval.RelevanceEvaluator({"q": {"x": 0}}, {"ndcg_cut_5", "recall_5"}).evaluate({"q": {"x": 1.0}})
    assert set(theirs["q"].values()) == {0.0}


def test_exercise_7_takes_every_lowest_order_and_no_other():
    lowest = min(
        relviz.ndcg_at_k(order, REL, 5) for order in permutations(B) if relviz.reciprocal_rank(order, REL) == 1
    )
    for order in permutations(B):
        right = relviz.reciprocal_rank(order, REL) == 1 and relviz.ndcg_at_k(order, REL, 5) < lowest + 1e-9
        assert lesson02.is_worst(order) == right
    for other in (None, 3, "BUG-118", B[:4], [*B, "BUG-118"], dict.fromkeys(B, 1)):
        assert not lesson02.is_worst(other)


def test_exercise_3_takes_true_and_false_too(written):
    def symbol(answer):
        return repr(replace(exercise("02.3"), tried=[]).check(answer))[0]

    assert symbol(lambda ranking, rel, k: any(rel.get(doc, 0) > 0 for doc in ranking[:k])) == "✓"
    assert symbol(lambda *case: float(lesson02.hit_at_k(*case))) == "✓"
    assert symbol(1) == "✗"
    assert symbol(lambda *case: None) == "○"
    assert symbol(written["recall_at_k"]) == "✗"
