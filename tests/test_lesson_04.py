"""Lesson 04: the functions written out in it are relviz's, and what it says in words is so."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from written import code_of, functions_in, left_by, notebook_of

import relviz
from relviz.datasets import bughunt_path
from relviz.lessons import exercise, lesson04
from relviz.rerank import windows

NOTEBOOK = notebook_of("04_retrieve_then_rerank")
CODE = code_of(NOTEBOOK)
BUGHUNT = relviz.load_bughunt()
QRELS, QUERIES = BUGHUNT.qrels, list(BUGHUNT.queries)


@pytest.fixture(scope="module")
def written():
    return functions_in(CODE, qrels=QRELS)


@pytest.fixture(scope="module")
def played():
    """What the lesson's own cells leave behind."""
    return left_by(CODE)


sizes = st.integers(1, 12).flatmap(lambda window: st.tuples(st.just(window), st.integers(1, window)))
rankings = st.lists(st.sampled_from("ABCDEFGHIJKLMNOP"), unique=True, max_size=16)
grades = st.dictionaries(st.sampled_from("ABCDEFGH"), st.integers(0, 3), min_size=1)


# ---------- the functions ----------


@given(st.integers(1, 60), sizes)
def test_windows(written, n, size):
    assert written["windows"](n, *size) == windows(n, *size)


@given(rankings.filter(len), sizes, st.data())
def test_sliding_rerank(written, ranking, size, data):
    scores = {doc: data.draw(st.integers(0, 5)) for doc in ranking}
    assert written["sliding_rerank"](ranking, scores.get, *size) == relviz.sliding_rerank(ranking, scores, *size)


@given(rankings.filter(len), st.integers(1, 16), st.data())
def test_rerank_is_one_window_over_the_depth(written, ranking, depth, data):
    scores = {doc: data.draw(st.integers(0, 5)) for doc in ranking}
    inside = relviz.sliding_rerank(ranking[:depth], scores, depth, depth)
    assert written["rerank"](ranking, scores.get, depth) == inside + ranking[depth:]


@given(st.lists(st.sampled_from("ABCDEFGH"), unique=True, min_size=1, max_size=5), grades, st.integers(1, 5))
def test_no_order_of_the_candidates_beats_the_perfect_one(written, candidates, rel, k):
    top = written["best"](candidates, rel)
    for measure in (relviz.ndcg_at_k, relviz.reciprocal_rank, relviz.recall_at_k, relviz.precision_at_k):
        values = [measure(list(order), rel, k) for order in permutations(candidates)]
        if values[0] is not None:
            assert measure(top, rel, k) == pytest.approx(max(values))


@given(rankings.filter(len), sizes, st.data())
def test_what_one_pass_promises(ranking, size, data):
    window, step = size
    scores = dict(zip(ranking, data.draw(st.permutations(range(len(ranking))))))
    after = relviz.sliding_rerank(ranking, scores, window, step)
    full = sorted(ranking, key=scores.get, reverse=True)
    assert after[: window - step] == full[: window - step]  # "the best window - step reach the top from anywhere"
    calls = windows(len(ranking), window, step)
    for place, doc in enumerate(ranking):  # "sinks no further than the end of the first window that reads it"
        assert after.index(doc) < next(end for start, end in calls if start <= place < end)
    assert len(calls) == 1 + max(0, -(-(len(ranking) - window) // step))  # "one, and one more for each step"
    assert calls[-1][0] == 0  # "the last window begins at place 1"


def test_no_more_than_that_is_promised():
    docs = list("ABCDEFGH")
    after = relviz.sliding_rerank(docs, dict(zip("EDCBAFGH", range(8))), 4, 2)
    assert after == list("HGABCDFE")  # the paper table
    assert after.index("F") == 6  # "came third, and was left behind"
    assert relviz.sliding_rerank(docs, dict(zip("ABCDEFGH", range(8, 0, -1))), 4, 2) == docs


def test_a_step_as_large_as_the_window_lets_nothing_rise():
    docs, calls = list("ABCDEFGH"), windows(8, 4, 4)
    after = relviz.sliding_rerank(docs, dict(zip(docs, range(8))), 4, 4)
    for start, end in calls:
        assert set(after[start:end]) == set(docs[start:end])


def test_the_published_code_mends_an_answer_as_exercise_7_does():
    repair = exercise("04.7").answer
    assert repair(list("ABCD"), list("ACAZ")) == list("ACBD")  # Tuesday's answer

    @given(rankings, st.lists(st.sampled_from("ABCDEFGHIJZ"), max_size=12))
    def a_permutation(candidates, answer):
        mended = repair(candidates, answer)
        assert sorted(mended) == sorted(candidates)
        if sorted(answer) == sorted(candidates):
            assert mended == answer

    a_permutation()


def test_problems_finds_each_and_nothing_else(written):
    problems = written["problems"]
    assert problems(list("ABCD"), list("ACAZ")) == {"dropped": ["B", "D"], "invented": ["Z"], "twice": ["A"]}
    assert not any(problems(list("ABCD"), list("CABD")).values())


# ---------- exercises ----------


def test_the_exercises_by_hand():
    assert exercise("04.1").answer == pytest.approx(2 / (2 + 2 / np.log2(3)))
    assert exercise("04.1").answer == relviz.ndcg_at_k(["A"], {"A": 2, "B": 2}, 5)
    assert exercise("04.2").answer * 4 + 20 == 300
    before = ["x"] * 39 + ["A"] + ["x"] * 4 + ["B"]
    before = [doc if doc in "AB" else f"x{i}" for i, doc in enumerate(before + ["x"] * 55)]
    others = [doc for doc in before if doc not in ("A", "B")]
    after = [*others[:59], "A", *others[59:68], "B", *others[68:]]
    assert [before.index("A") + 1, before.index("B") + 1] == [40, 45]
    assert [after.index("A") + 1, after.index("B") + 1] == [60, 70]
    rel = {"A": 1, "B": 1}
    found = [relviz.recall_at_k(*x) for x in ((before, rel, 50), (after, rel, 50), (after, rel, 100))]
    assert found == exercise("04.3").answer
    assert [end for _, end in windows(50, 20, 8)] == [50, 42, 34, 26, 18]
    assert exercise("04.5").answer == 5
    assert exercise("04.6").answer == list("GABCFDE")
    assert lesson04.sliding_rerank(list("DEFG"), lesson04.goodness, 4, 4) == list("GFDE")


# ---------- what is said of the published numbers ----------


def test_the_seconds_of_the_dear_model(played):
    pairs = 10_000 * 9_999 // 2
    assert pairs == 49_995_000
    assert played["per_pair"] == pytest.approx(0.00468, abs=0.00001)
    assert played["cost"].loc[1_000_000, "first 100"] == pytest.approx(0.5, abs=0.05)  # "half a second"
    assert len(windows(100, 20, 10)) == 9  # 1 + (100 - 20) / 10
    assert sum(end - start for start, end in windows(100, 20, 10)) == 180


def test_with_one_relevant_document_the_best_rr_is_the_recall_of_the_candidates(written):
    for depth in (1, 3):
        found = ["A", "B", "C"][:depth]
        for rel in ({"A": 1}, {"C": 1}, {"D": 1}):
            rr = relviz.reciprocal_rank(written["best"](found, rel), rel, 10)
            assert rr == relviz.recall_at_k(found, rel, depth)


# ---------- what is said of BugHunt ----------


def test_the_ceiling(played):
    ceilings = played["ceilings"]
    assert played["bm25"]["q18"].index("EXP-05") + 1 == 11  # "one place too low"
    assert QRELS["q18"] == {"BUG-118": 2, "REQ-09": 2, "EXP-05": 1}  # "the least useful of the three"
    assert ceilings.loc[10, ("q18", "best nDCG@5")] == relviz.ndcg_at_k(played["bm25"]["q18"], QRELS["q18"], 5)
    assert ceilings.loc[10, ("q18", "recall")] == pytest.approx(2 / 3)
    assert all(ceilings[("mean", "best RR@10")] == 1)
    found = [relviz.recall_at_k(played["bm25"][q], QRELS[q], 10) for q in QRELS]
    assert ceilings.loc[10, ("mean", "recall")] == pytest.approx(np.mean(found))
    assert played["stages"].loc["BM25", "R@10"] == pytest.approx(np.mean(found))
    assert all(QRELS[q].get(played["bm25"][q][0], 0) > 0 for q in QRELS)  # "a relevant document first on every query"
    by_hand = [
        relviz.ndcg_at_k(sorted(played["bm25"][q][:10], key=lambda d: -rel.get(d, 0)), rel, 5)
        for q, rel in QRELS.items()
    ]
    assert ceilings.loc[10, ("mean", "best nDCG@5")] == pytest.approx(np.mean(by_hand))
    assert next(d for d, x in played["curve"]["perfect"] if x > 1 - 1e-9) == 11


def test_a_measure_for_each_stage(played):
    shown, found = played["stages"]["nDCG@5"], played["stages"]["R@10"]
    assert 0 < shown["dense"] - shown["TF-IDF"] < 0.001  # "a hair above"
    assert found.idxmin() == "dense"
    assert found["TF-IDF"] - found["dense"] > 0.04
    assert played["tens"][2] == min(played["tens"])


def test_the_missing_scores_touch_no_ndcg_at_5(played):
    """Every nDCG@5 that rests on dense scores is the same however candidates without one are ordered."""
    dense, bm25 = played["dense"], played["bm25"]
    for depth in range(5, 39):
        for q, rel in QRELS.items():
            have = sum(doc in dense[q] for doc in bm25[q][:depth])
            rest = {rel.get(doc, 0) for doc in bm25[q][:depth] if doc not in dense[q]}
            assert have >= 5 or len(rest) <= 1
    alone = [relviz.ndcg_at_k(relviz.ranked(dense[q]), QRELS[q], 5) for q in QRELS]
    assert list(played["ndcg"](played["by_dense"](38))) == alone  # "it is dense alone"


def test_the_second_stage(played):
    d = played["after"] - played["before"]
    assert ((d > 1e-9).sum(), (d < -1e-9).sum()) == (11, 9)
    assert relviz.randomization_test(played["before"], played["after"]) > 0.5  # "not shown"
    assert played["ten"].low.iloc[0] < 0 < played["ten"].high.iloc[0]
    assert (QUERIES[d.argmax()], QUERIES[d.argmin()]) == ("q14", "q18")
    assert all(BUGHUNT.qrels["q14"][doc] == 1 for doc in ("EXP-03", "EXP-04"))
    checked = relviz.evaluate(
        {q: {doc: -i for i, doc in enumerate(ranking)} for q, ranking in played["by_dense"](10).items()},
        QRELS,
        "nDCG@5",
    )
    assert checked.means["run"]["nDCG@5"] == pytest.approx(played["after"].mean())


def test_depth(played):
    curve = played["curve"]
    assert len(curve["dense"]) == 17  # "seventeen depths"
    ceiling = [x for _, x in curve["perfect"]]
    assert ceiling == sorted(ceiling)  # "only rises"
    dense, line = dict(curve["dense"]), curve["BM25"][0][1]
    assert max(dense, key=dense.get) == 8
    assert dense[5] < line < dense[8]  # "begins below the line of doing nothing"
    assert all(dense[d] < line for d in (14, 20, 38))  # "sinks below that line again"
    low, high = relviz.paired_bootstrap(played["after"], played["ndcg"](played["by_dense"](20)))
    assert low < 0 < high  # "do not trust the fall either"


def test_who_lost_it(played):
    lost, worst = played["lost"], played["shares"](10)
    assert all(abs(lost.sum(axis=1) - 1) < 1e-12)
    assert lost.loc[5, "stage one"] / (1 - lost.loc[5, "kept"]) == pytest.approx(3 / 4, abs=0.005)  # "three quarters"
    assert lost.loc[10, "reranker"] / (1 - lost.loc[10, "kept"]) > 0.95  # "nearly all of it"
    assert list(worst.index[worst["stage one"] > 1e-9]) == ["q18"]  # "only q18"
    assert worst["kept"].idxmin() == "q18"
    fates = [
        exercise("04.4").answer(doc, played["bm25"][q][:10], played["by_dense"](10)[q][:5])
        for q in QRELS
        for doc in QRELS[q]
    ]
    counted = [fates.count(fate) for fate in ("kept", "reranker", "stage one")]
    assert counted == [68, 10, 1]
    text = next(c.source for c in NOTEBOOK.cells if c.source.startswith("Only q18 lost anything"))
    assert "of 79 relevant documents 68 are shown, 10 were candidates and are not shown, 1 was no candidate" in text
    for depth in (5, 10, 20):
        shares = played["shares"](depth)
        assert (shares > -1e-12).all(axis=None)  # no part is below 0


def test_smaller_windows(played):
    calls = {size[:2]: size[2:] for size in played["passes"]}
    assert calls[10, 5][1] == calls[20, 20][1]
    full, half = (
        {
            q: relviz.sliding_rerank(played["bm25"][q][:20], lambda d, q=q: played["dense"][q].get(d, 0), *s)
            for q in QRELS
        }
        for s in ((20, 20), (10, 5))
    )
    assert all(full[q][:5] == half[q][:5] for q in QRELS)  # "what one full reading would give"
    assert min(calls[6, 3][1], calls[4, 2][1]) > calls[20, 20][1]  # "score higher here"
    assert calls[20, 20][1] < played["before"].mean()  # "undoing it does not pay"
    reread = {
        q: relviz.sliding_rerank(played["bm25"][q][:20], lambda d, q=q: played["dense"][q].get(d, 0), 6, 3)
        for q in QRELS
    }
    low, high = relviz.paired_bootstrap(played["ndcg"](full), played["ndcg"](reread))
    assert low < 0 < high  # "which no interval shows"
    base, moved = played["bm25"], {}
    for size in ((20, 20), (6, 3), (4, 2)):
        run = {
            q: relviz.sliding_rerank(base[q][:20], lambda d, q=q: played["dense"][q].get(d, 0), *size) for q in QRELS
        }
        moved[size] = sum(len(set(base[q][:5]) - set(run[q][:5])) for q in QRELS)
    assert moved[20, 20] > moved[6, 3] > moved[4, 2]  # "they undo less of BM25's order"


def test_where_the_number_misleads(played):
    (bm25_own, dense_there), (bm25_there, dense_own) = played["grid"].values()
    assert bm25_there.mean() > bm25_own.mean()  # "each looks better on the other's candidates"
    assert dense_there.mean() > dense_own.mean()
    pairs = [(bm25_own, dense_there), (bm25_there, dense_own), (bm25_own, bm25_there), (dense_own, dense_there)]
    for a, b in pairs:
        low, high = relviz.paired_bootstrap(a, b)
        assert low < 0 < high  # "no difference in this table is shown"
    everything, five = played["compared"]
    assert everything["low"] < 0 < everything["high"]
    assert five["high"] < 0  # "the interval below 0"
    stuffed = played["stuffed"]
    assert all(set(QRELS[q]) <= set(stuffed[q]) for q in QRELS)  # "the ceiling is then 1 on every query"
    ceiling = played["ndcg"](played["perfect"](10))
    assert 0 < (ceiling - played["ndcg"](played["graded"])).mean() < 0.002  # "too good"
    cut = played["cut"]
    assert cut.high[30] < 0
    assert cut.low[60] < 0 < cut.high[60]  # "with sixty no loss is shown"
    assert max(map(len, BUGHUNT.docs.values())) == 118


def test_how_far_ties_could_move_it(played):
    rounded = {q: {d: round(played["dense"][q].get(d, 0), 2) for d in played["bm25"][q][:10]} for q in QRELS}
    low, high = (
        relviz.evaluate(rounded, QRELS, "nDCG@5", ties=way).means["run"]["nDCG@5"] for way in ("lowest", "highest")
    )
    stable = {q: sorted(played["bm25"][q][:10], key=rounded[q].get, reverse=True) for q in QRELS}
    assert low < played["ndcg"](stable).mean() < high
    text = next(c.source for c in NOTEBOOK.cells if c.source.startswith("**6. Ties.**"))
    assert f"between {low:.3f} and {high:.3f}" in text


def test_the_judge_is_another_one_than_the_grades():
    judge = relviz.read_qrels(bughunt_path("judgements_short_rule.csv"))
    assert judge != {q: {d: g for d, g in rel.items() if g} for q, rel in QRELS.items()}
