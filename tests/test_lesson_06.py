"""Lesson 06: the function written out in it is relviz's, and what it says in words is so."""

import ast
from pathlib import Path

import nbformat
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import relviz
from relviz.datasets import bughunt_path
from relviz.lessons import lesson06

NOTEBOOK = nbformat.read(Path(__file__).parent.parent / "notebooks/en/06_rrf.ipynb", as_version=4)
CODE = "\n".join(cell.source for cell in NOTEBOOK.cells if cell.cell_type == "code")
QRELS = lesson06.bughunt.qrels


@pytest.fixture(scope="module")
def written():
    functions = [node for node in ast.parse(CODE).body if isinstance(node, ast.FunctionDef)]
    names = {}
    exec(compile(ast.Module(functions, []), "06_rrf", "exec"), names)
    return names


rankings = st.lists(st.lists(st.sampled_from("ABCDEFGH"), max_size=10), max_size=5)


@given(rankings, st.floats(0, 200))
def test_rrf(written, rankings, k):
    ours = written["rrf"](rankings, k)
    assert dict(ours) == pytest.approx(dict(relviz.rrf(rankings, k)), abs=1e-12)
    assert [doc for doc, _ in ours] == [doc for doc, _ in sorted(ours, key=lambda item: (-item[1], item[0]))]


def test_the_chapters_printed_results():
    printed = [
        ("B", 0.03252247488101534),
        ("A", 0.032266458495966696),
        ("D", 0.016129032258064516),
        ("C", 0.015873015873015872),
    ]
    assert relviz.rrf([["A", "B", "C"], ["B", "D", "A"]]) == printed
    cell = next(c for c in NOTEBOOK.cells if c.source == 'rrf([["A", "B", "C"], ["B", "D", "A"]])')
    assert ast.literal_eval(cell.outputs[0].data["text/plain"]) == printed
    assert relviz.rrf([["A", "A"], ["B"]], 0) == [("A", 1.0), ("B", 1.0)]  # its self-test


def test_what_the_lesson_says_of_small_inputs_is_so():
    order = [doc for doc, _ in relviz.rrf([["A", "B", "C"], ["B", "C", "A"]], weights=[2, 1])]
    assert order == ["A", "B", "C"]  # "A now leads, by a hair"
    lists = [["A", "B", "C"], ["D", "E", "B", "C"]]
    orders = {k: "".join(doc for doc, _ in relviz.rrf(lists, k)) for k in (0, 1, 60, 1000, 1e6)}
    assert orders == {0: "ADBCE", 1: "BADCE", 60: "BCADE", 1000: "BCADE", 1e6: "BCADE"}
    assert min(k for k in range(100) if lesson06.rrf_sum([4, 4], k) > lesson06.rrf_sum([1, 10], k) + 1e-12) == 9
    assert lesson06.rrf_sum([4, 4], 8) == pytest.approx(lesson06.rrf_sum([1, 10], 8), abs=1e-15)
    w = lesson06.weight
    for weight, first in ((w, True), (w - 1, False)):
        fused = [
            doc for doc, _ in relviz.rrf([lesson06.lists[n]["q18"] for n in ("bm25", "dense")], weights=[weight, 1])
        ]
        assert (fused.index("BUG-118") < fused.index("BUG-101")) is first


def scores(run, measure="nDCG@5"):
    return relviz.evaluate(run, QRELS, measure).scores["run"][measure]


def test_what_the_lesson_says_of_the_fusion_is_so():
    bm25, dense, both = lesson06.bm25, lesson06.dense, lesson06.both
    assert both == pytest.approx(scores(lesson06.fused), abs=1e-12)
    d = both - bm25
    queries = list(QRELS)
    assert ((d > 1e-9).sum(), (d < -1e-9).sum()) == (12, 5)
    low, high = relviz.paired_bootstrap(bm25, both)
    assert low < 0 < high  # "the interval holds 0"
    low, high = relviz.paired_bootstrap(dense, both)
    assert 0 < low < 0.01  # "leaves 0 out, narrowly"
    assert relviz.randomization_test(dense, both) < 0.05 < 2 * relviz.randomization_test(dense, both)
    assert both.mean() > max(bm25.mean(), dense.mean())  # "fusion is best at nDCG@5"
    deep = [scores(run, "nDCG@10").mean() for run in (lesson06.lists["bm25"], lesson06.fused)]
    assert deep[1] < deep[0]  # "nothing of it is left at nDCG@10"
    found = [scores(run, "R@5").mean() for run in (lesson06.lists["bm25"], lesson06.lists["dense"], lesson06.fused)]
    assert found[2] > max(found[:2])  # "finds more in the first five"
    assert (queries[d.argmax()], queries[d.argmin()]) == ("q17", "q18")
    assert [lesson06.lists[name]["q17"][0] for name in ("bm25", "dense")] == ["BUG-126", "EXP-06"]
    worse = [q for q, x, y, z in zip(queries, bm25, dense, both) if z < min(x, y) - 1e-9]
    assert worse == ["q18"]  # "worse than both"
    assert queries[17] == "q18"


def test_adding_raw_scores_is_bm25_again():
    runs = lesson06.runs
    added = {
        q: {
            doc: runs["bm25"][q].get(doc, 0) + runs["dense"][q].get(doc, 0)
            for doc in {*runs["bm25"][q], *runs["dense"][q]}
        }
        for q in QRELS
    }
    assert np.array_equal(scores(added), scores(lesson06.lists["bm25"]))


def test_what_the_lesson_says_of_seven_settings_is_so():
    lists = lesson06.lists | {
        "tfidf": {q: relviz.ranked(run) for q, run in relviz.read_run(bughunt_path("runs/tfidf.run")).items()},
        "by id": {q: sorted(lesson06.bughunt.docs) for q in QRELS},
    }
    settings = [
        *((["bm25", "dense"], {"k": k}) for k in (1, 60, 1000)),
        (["bm25", "dense"], {"weights": [2, 1]}),
        *((["bm25", *more], {}) for more in (["tfidf"], ["dense", "tfidf"], ["by id"])),
    ]
    fused = [
        scores({q: [doc for doc, _ in relviz.rrf([lists[n][q] for n in names], **options)] for q in QRELS})
        for names, options in settings
    ]
    p = [relviz.randomization_test(lesson06.bm25, one) for one in fused]
    holm = relviz.holm(p)
    low, _ = relviz.paired_bootstrap(lesson06.bm25, fused[5])
    assert low > 0  # "looks proven
    assert p[5] < 0.05 < holm[5]  # and is not"
    assert max(range(7), key=lambda i: fused[i].mean()) == 5  # "the best of seven"
    assert (fused[6] - lesson06.bm25).mean() < -0.3  # "drags the others down"
    assert 0 < (fused[4] - lesson06.bm25).mean() < 0.01  # "adds little"
    assert np.array_equal(fused[1], fused[2])


def test_what_the_lesson_says_of_evidence_is_so():
    needed, ranking = {"A": 1, "B": 1}, ["A", "X", "Y"]
    printed = {"precision": 1 / 3, "recall": 0.5, "rr": 1.0, "ndcg": 0.6131471927654584}  # chapter 004
    assert relviz.precision_at_k(ranking, needed, 3) == printed["precision"]
    assert relviz.recall_at_k(ranking, needed, 3) == printed["recall"]
    assert relviz.reciprocal_rank(ranking, needed, 3) == printed["rr"]
    for gain in ("linear", "exponential"):  # with grades 0 and 1 both are the same
        assert relviz.ndcg_at_k(ranking, needed, 3, gain=gain) == pytest.approx(printed["ndcg"], abs=1e-15)
    about = lesson06.bughunt.about
    assert lesson06.fused["q25"][:3] == ["REQ-11", "REQ-05", "REQ-03"]
    assert about["REQ-03"]["replaced_by"] == "REQ-11"
