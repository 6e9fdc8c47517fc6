"""Lesson 06: the function written out in it is relviz's, and what it says in words is so."""

import ast
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from written import code_of, functions_in, left_by, notebook_of

import relviz
from relviz.cli import main
from relviz.datasets import bughunt_path
from relviz.lessons import lesson06

NOTEBOOK = notebook_of("06_rrf")
CODE = code_of(NOTEBOOK)
QRELS = lesson06.bughunt.qrels


@pytest.fixture(scope="module")
def written():
    return functions_in(CODE)


@pytest.fixture(scope="module")
def played():
    """What the lesson's own cells leave behind."""
    return left_by(CODE)


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


def scores(run, measure="nDCG@5", ties="doc_desc"):
    return relviz.evaluate({"run": run}, QRELS, measure, ties=ties).scores["run"][measure]


def test_two_lists_of_equal_weight_tie_wherever_two_documents_change_places():
    for k in (0, 1, 60, 1000):
        for i, j in ((1, 2), (3, 8), (7, 20)):
            first, second = [f"x{n}" for n in range(20)], [f"y{n}" for n in range(20)]
            first[i - 1] = second[j - 1] = "A"
            first[j - 1] = second[i - 1] = "B"
            sums = dict(relviz.rrf([first, second], k))
            assert sums["A"] == sums["B"]
    # "`rrf` puts the id first that comes first in the alphabet; an evaluation puts the last one first"
    sums = relviz.rrf([["A", "B"], ["B", "A"]])
    assert [doc for doc, _ in sums] == ["A", "B"]
    assert relviz.ranked(dict(sums)) == ["B", "A"]


def test_the_command_line_gives_the_lessons_numbers(played, tmp_path, capsys):
    fused, report = tmp_path / "rrf.run", tmp_path / "report.json"
    bm25, dense = (str(bughunt_path(f"runs/{name}.run")) for name in ("bm25", "dense"))
    assert main(["fuse", bm25, dense, "-o", str(fused)]) == 0
    assert np.array_equal(scores(relviz.read_run(fused)), lesson06.both)
    qrels = str(bughunt_path("data.json"))
    assert main(["compare", qrels, bm25, str(fused), "-m", "nDCG@5", "--json", str(report)]) == 0
    (difference,) = json.loads(report.read_text(encoding="utf-8"))["differences"]
    row = played["table"].iloc[0]
    assert [difference["wins"], difference["losses"]] == [row.up, row.down]
    assert [difference[name] for name in ("mean", "low", "high")] == pytest.approx(list(row[["B - A", "low", "high"]]))
    assert difference["p"] == pytest.approx(row.p, abs=0.01)  # all flips there, ten thousand here


def test_what_the_lesson_says_of_the_fusion_is_so(played):
    bm25, dense, both = lesson06.bm25, lesson06.dense, lesson06.both
    assert both == pytest.approx(scores(lesson06.fused), abs=1e-12)
    worst, best = (scores(lesson06.fused, ties=way) for way in ("lowest", "highest"))
    for one, bounds in zip((bm25, dense), played["table"][["worst ties", "best ties"]].to_numpy()):
        assert list(bounds) == pytest.approx([(worst - one).mean(), (best - one).mean()])
    d = both - bm25
    queries = list(QRELS)
    assert ((d > 1e-9).sum(), (d < -1e-9).sum()) == (11, 5)
    low, high = relviz.paired_bootstrap(bm25, both)
    assert low < 0 < high  # "the interval holds 0"
    for one in (worst, best):  # however ties are broken
        low, high = relviz.paired_bootstrap(bm25, one)
        assert low < 0 < (one - bm25).mean() < high
    low, high = relviz.paired_bootstrap(dense, both)
    assert 0 < low < 0.01  # "leaves 0 out, narrowly"
    assert relviz.randomization_test(dense, both) < 0.05 < 2 * relviz.randomization_test(dense, both)
    low, high = relviz.paired_bootstrap(dense, worst)
    assert low < 0 < high  # "with the ties broken the other way it holds 0"
    assert both.mean() > max(bm25.mean(), dense.mean())  # "fusion is best at nDCG@5"
    deep = [scores(run, "nDCG@10").mean() for run in (lesson06.lists["bm25"], lesson06.fused)]
    assert deep[1] < deep[0]  # "nothing of it is left at nDCG@10"
    assert (scores(lesson06.fused, "nDCG@10", "mean") - scores(lesson06.lists["bm25"], "nDCG@10")).mean() < 0
    found = [scores(run, "R@5").mean() for run in (lesson06.lists["bm25"], lesson06.lists["dense"], lesson06.fused)]
    assert found[2] > max(found[:2])  # "finds more in the first five"
    assert (queries[d.argmax()], queries[d.argmin()]) == ("q14", "q18")
    tied = lesson06.fused["q14"]
    assert [sum(tied[other] == tied[doc] for other in tied) for doc in ("EXP-03", "EXP-04")] == [2, 2]
    assert queries[13] == "q14"
    assert worst[17] == best[17] == both[17]  # "its score is the same in every order of equal sums"
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


def test_what_the_lesson_says_of_seven_settings_is_so(played):
    tries, variants = played["tries"], played["variants"]
    gain, three, same = tries["B - A"], tries.loc["bm25 + dense + tfidf"], tries.loc["bm25 + tfidf"]
    assert list(gain) == pytest.approx([(scores(run) - lesson06.bm25).mean() for run in variants.values()])
    assert three.low > 0  # "looks proven
    assert three.p < 0.05 < three.holm  # and is not"
    assert gain.idxmax() == three.name  # "the best of seven"
    assert gain["bm25 + by id"] < -0.3  # "drags the others down"
    assert same["worst ties"] < 0 < same["best ties"]  # "nothing that can be told apart from how ties are broken"
    assert tries["worst ties"]["weights 2:1"] == tries["best ties"]["weights 2:1"]  # "leave none"
    assert np.array_equal(scores(variants["k = 60"]), scores(variants["k = 1000"]))


def test_what_the_lesson_says_of_evidence_is_so():
    needed, ranking = {"A": 1, "B": 1}, ["A", "X", "Y"]
    printed = {"precision": 1 / 3, "recall": 0.5, "rr": 1.0, "ndcg": 0.6131471927654584}  # chapter 004
    assert relviz.precision_at_k(ranking, needed, 3) == printed["precision"]
    assert relviz.recall_at_k(ranking, needed, 3) == printed["recall"]
    assert relviz.reciprocal_rank(ranking, needed, 3) == printed["rr"]
    for gain in ("linear", "exponential"):  # with grades 0 and 1 both are the same
        assert relviz.ndcg_at_k(ranking, needed, 3, gain=gain) == pytest.approx(printed["ndcg"], abs=1e-15)
    about = lesson06.bughunt.about
    first_six = relviz.ranked(lesson06.fused["q25"])[:6]
    assert first_six[0] == "REQ-11"
    assert {"REQ-03", "BUG-110"} <= set(first_six)
    assert about["REQ-03"]["replaced_by"] == "REQ-11"
