"""evaluate against its readable twin, trec_eval, ir_measures, ranx, scikit-learn, and arithmetic on paper."""

import itertools
import json
import math
import os
import subprocess
import sys
import tracemalloc
import warnings
from collections import UserDict
from decimal import Decimal
from fractions import Fraction

import ir_measures
import numpy as np
import pandas as pd
import pytest
import pytrec_eval
import ranx
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import dcg_score, ndcg_score

import relviz
from relviz import dcg, evaluate, ndcg_at_k, precision_at_k, ranked, recall_at_k, reciprocal_rank

ids = st.sampled_from([f"d{i}" for i in range(14)] + ["D", "é", "文档", "\U0001f600", "d1 "])
# Few different scores, so that most documents are tied; and some that differ in the last bit only.
scores = st.one_of(st.integers(-2, 2), st.sampled_from([0.1, 0.1 + 1e-17, 0.3, 0.1 + 0.2, 1e300, -1e-300]))
rankings = st.dictionaries(ids, scores, max_size=20)
judgements = st.dictionaries(ids, st.integers(0, 4), max_size=12)
queries = st.sampled_from(["q1", "q2", "q10", "查询"])
runs = st.dictionaries(queries, rankings)
qrels = st.dictionaries(queries, judgements, min_size=1)


def one(run, rel, measure, **options):
    """The score of a single query."""
    return evaluate({"q": run}, {"q": rel}, measure, **options).scores["run"][measure][0]


def same(got, expected):
    expected = math.nan if expected is None else expected
    assert got == pytest.approx(expected, abs=1e-12, nan_ok=True)


# ---------- the readable twin ----------


@given(runs, qrels, st.integers(1, 25), st.integers(1, 4))
def test_agrees_with_metrics(run, judged, k, level):
    names = [f"nDCG@{k}", f'nDCG(gain="exp")@{k}', f"nDCG(discount=2)@{k}"]
    names += [f"{name}(rel={level})@{k}" for name in ("R", "P", "RR")]
    got = evaluate([("run", run)], judged, names).scores["run"]
    for i, query in enumerate(sorted(judged)):
        ranking, rel = ranked(run.get(query, {})), judged[query]
        same(got[names[0]][i], ndcg_at_k(ranking, rel, k))
        same(got[names[1]][i], ndcg_at_k(ranking, rel, k, gain="exponential"))
        same(got[names[2]][i], ndcg_at_k(ranking, rel, k, discount=2))
        recall = recall_at_k(ranking, rel, k, threshold=level)
        same(got[names[3]][i], recall)
        # Named difference: where nothing is relevant, precision and reciprocal rank of metrics.py are 0; here the
        # query is left out of every mean, so that all measures of a table are over the same queries.
        same(got[names[4]][i], None if recall is None else precision_at_k(ranking, rel, k, threshold=level))
        same(got[names[5]][i], None if recall is None else reciprocal_rank(ranking, rel, k, threshold=level))


@given(rankings, judgements, st.integers(1, 25))
def test_a_list_is_the_ranking_of_its_scores(run, rel, k):
    measures = [f"nDCG@{k}", f"R@{k}", "AP", "Bpref", f"Judged@{k}", "RBP"]
    by_score = evaluate({"q": run}, {"q": rel}, measures).scores["run"]
    by_list = evaluate({"q": ranked(run)}, {"q": rel}, measures).scores["run"]
    for measure in measures:
        assert by_score[measure] == pytest.approx(by_list[measure], nan_ok=True)


# ---------- trec_eval ----------

TREC_NAMES = {
    "nDCG@3": ("ndcg_cut.3", "ndcg_cut_3"),
    "nDCG": ("ndcg", "ndcg"),
    "P@5": ("P.5", "P_5"),
    "R@2": ("recall.2", "recall_2"),
    "AP": ("map", "map"),
    "AP@4": ("map_cut.4", "map_cut_4"),
    "RR": ("recip_rank", "recip_rank"),
    "Success@1": ("success.1", "success_1"),
    "Bpref": ("bpref", "bpref"),
}


def single(run):
    """Named difference: trec_eval 9 compares scores as 32-bit floats, so its oracle gets scores that are such."""
    return {
        query: {doc: float(np.float32(max(-3e38, min(3e38, score)))) for doc, score in ranking.items()}
        for query, ranking in run.items()
    }


def trec_eval(judged, run, wanted, level=1):
    """Named difference: an empty ranking, which no file can hold, takes the process of pytrec_eval down."""
    answered = {query: ranking for query, ranking in run.items() if ranking}
    return pytrec_eval.RelevanceEvaluator(judged, wanted, relevance_level=level).evaluate(answered)


@given(runs, st.dictionaries(queries, st.dictionaries(ids, st.integers(-2, 4), min_size=1), min_size=1))
@settings(max_examples=150)
def test_trec_mode_is_trec_eval_c(run, judged):
    # Named difference: with negative grades only, trec_eval stops and pytrec_eval takes the process down.
    judged = {query: {"j": 0, **rel} for query, rel in judged.items()}
    run = single(run)
    expected = trec_eval(judged, run, {asked for asked, _ in TREC_NAMES.values()})
    result = evaluate([("run", run)], judged, TREC_NAMES, trec=True)
    for measure, (_, given_as) in TREC_NAMES.items():
        per_query = [expected.get(query, {}).get(given_as, 0.0) for query in sorted(judged)]
        assert result.scores["run"][measure].tolist() == pytest.approx(per_query, abs=1e-12)
        assert result.means["run"][measure] == pytest.approx(sum(per_query) / len(judged), abs=1e-12)


@given(rankings, st.dictionaries(ids, st.integers(0, 4), min_size=1), st.integers(1, 4))
def test_a_relevance_level_is_that_of_trec_eval(run, rel, level):
    run = single({"q": run})
    wanted = {"P.3", "recall.3", "map", "recip_rank", "bpref"}
    expected = trec_eval({"q": rel}, run, wanted, level).get("q", {})
    for name, measure in [("P_3", "P({})@3"), ("recall_3", "R({})@3"), ("map", "AP({})"), ("bpref", "Bpref({})")]:
        measure = measure.format(f"rel={level}")
        assert one(run["q"], rel, measure, trec=True) == pytest.approx(expected.get(name, 0.0), abs=1e-12)


def test_double_precision_tells_apart_what_trec_eval_9_ties():
    run, rel = {"a": 0.90000000001, "b": 0.9}, {"a": 1}
    assert one(run, rel, "RR", trec=True) == 1.0
    assert pytrec_eval.RelevanceEvaluator({"q": rel}, {"recip_rank"}).evaluate({"q": run})["q"]["recip_rank"] == 0.5


def test_negative_grades_only():
    run, rel = {"q": {"a": 1.0}}, {"q": {"a": -1, "b": -2}}
    measures = ["nDCG", "P@5", "Bpref", "AP"]
    assert evaluate(run, rel, measures, trec=True).means["run"] == dict.fromkeys(measures, 0.0)


# ---------- the other tools ----------


@given(runs, qrels, st.integers(1, 5))
@settings(max_examples=40)
def test_agrees_with_ir_measures(run, judged, k):
    run = single({query: ranking for query, ranking in run.items() if ranking})
    judged = {query: {"j": 1, **rel} for query, rel in judged.items()}
    names = [f"nDCG@{k}", f"R@{k}", f"P(rel=2)@{k}", f"AP@{k}", "Bpref", f"nDCG(gains={{1:1,2:3,3:7,4:15}})@{k}"]
    ours = evaluate([("run", run)], judged, names, empty="zero").means["run"]
    for name in names:  # one by one: with nDCG@k and nDCG(gains=...)@k in one call, ir_measures 0.4.3 may give 0
        measure = ir_measures.parse_measure(name)
        assert ours[name] == pytest.approx(ir_measures.calc_aggregate([measure], judged, run)[measure], abs=1e-12)


def test_ir_measures_differs_by_ties_in_rr_and_judged_and_by_zeros():
    run, rel = {"a": 1.0, "b": 1.0}, {"b": 1}
    theirs = ir_measures.calc_aggregate(
        [ir_measures.RR @ 2, ir_measures.RR, ir_measures.Judged @ 1], {"q": rel}, {"q": run}
    )
    assert theirs == {ir_measures.RR @ 2: 0.5, ir_measures.RR: 1.0, ir_measures.Judged @ 1: 0.0}
    assert [one(run, rel, measure) for measure in ("RR@2", "RR", "Judged@1")] == [1.0, 1.0, 1.0]
    # A query that the run does not answer: judged 0 of 0 documents.
    assert ir_measures.calc_aggregate([ir_measures.Judged @ 1], {"q": rel}, {}) == {ir_measures.Judged @ 1: 0.0}
    assert math.isnan(evaluate({}, {"q": rel}, "Judged@1").means["run"]["Judged@1"])


# Named difference: ranx cannot be built from an empty ranking or a query without judgements.
untied = st.dictionaries(queries, st.lists(ids, unique=True, min_size=1, max_size=20), min_size=1)
RANX_NAMES = {
    "ndcg@{k}": "nDCG@{k}",
    "ndcg_burges@{k}": 'nDCG(gain="exp")@{k}',
    "recall@{k}-l{level}": "R(rel={level})@{k}",
    "precision@{k}-l{level}": "P(rel={level})@{k}",
    "mrr@{k}-l{level}": "RR(rel={level})@{k}",
    "mrr-l{level}": "RR(rel={level})",
    "map@{k}-l{level}": "AP(rel={level})@{k}",
    "map-l{level}": "AP(rel={level})",
}


def by_ranx(run, judged, names):
    """The scores of each query of `judged`, in sorted order."""
    both = ranx.Qrels(judged), ranx.Run(run)
    return {name: list(ranx.evaluate(*both, name, return_mean=False, make_comparable=True)) for name in names}


@given(untied, st.dictionaries(queries, judgements.filter(bool), min_size=1), st.integers(1, 25), st.integers(1, 4))
def test_agrees_with_ranx_where_nothing_is_tied(run, judged, k, level):
    run = {query: {doc: -float(rank) for rank, doc in enumerate(ranking)} for query, ranking in run.items()}
    names = {theirs.format(k=k, level=level): ours.format(k=k, level=level) for theirs, ours in RANX_NAMES.items()}
    # Named difference: where nothing is relevant, ranx gives 0 and counts it; so does empty="zero".
    ours = evaluate({"run": run}, judged, names.values(), empty="zero").scores["run"]
    for theirs, scores in by_ranx(run, judged, list(names)).items():
        assert ours[names[theirs]].tolist() == pytest.approx(scores, abs=1e-12)


def test_ranx_differs_by_ties_and_by_levels_in_ndcg():
    # Ties: the order in which the documents were given; ours, the id.
    for run in ({"a": 1.0, "b": 1.0}, {"b": 1.0, "a": 1.0}):
        assert by_ranx({"q": run}, {"q": {"b": 1}}, ["mrr"]) == {"mrr": [1 / (list(run).index("b") + 1)]}
        assert one(run, {"b": 1}, "RR") == 1
    # A level takes the gain of lower grades away; ours has no level for nDCG, whose grades are gains.
    run, rel = {"a": 2.0, "b": 1.0}, {"a": 1, "b": 2}
    (with_level,) = by_ranx({"q": run}, {"q": rel}, ["ndcg@2-l2"])["ndcg@2-l2"]
    assert with_level == pytest.approx(one(run, rel, "nDCG(gains={1:0,2:2})@2")) == pytest.approx(1 / math.log2(3))
    with pytest.raises(ValueError, match="rel"):
        evaluate({"q": run}, {"q": rel}, "nDCG(rel=2)@2")


@given(st.lists(st.integers(0, 4), min_size=2, max_size=12), st.data(), st.integers(1, 14))
def test_mean_over_ties_is_scikit_learn(grades, data, k):
    given_scores = data.draw(st.lists(st.integers(0, 3), min_size=len(grades), max_size=len(grades)))
    docs = [f"d{i}" for i in range(len(grades))]
    run, rel = dict(zip(docs, map(float, given_scores))), dict(zip(docs, grades))
    if any(grades):
        same(one(run, rel, f"nDCG@{k}", ties="mean"), ndcg_score([grades], [given_scores], k=k))
        same(one(run, rel, f"DCG@{k}", ties="mean"), dcg_score([grades], [given_scores], k=k))
    else:  # Named difference: scikit-learn calls it 0 and counts it.
        assert math.isnan(one(run, rel, f"nDCG@{k}", ties="mean"))


# ---------- ties, against every order one by one ----------


def plain(name, ranking, rel, k):
    """Every measure by its definition, for one ranking without ties."""
    grades = [rel.get(doc, 0) for doc in ranking]
    hits = [grade >= 1 for grade in grades]
    relevant = sum(grade >= 1 for grade in rel.values())
    if name == "Judged":
        return sum(doc in rel for doc in ranking[:k]) / min(k, len(ranking)) if ranking else None
    if not relevant:
        return None
    if name == "Bpref":
        judged = [doc for doc in ranking if doc in rel]
        others = min(relevant, len(rel) - relevant)
        above = [sum(rel[other] == 0 for other in judged[:i]) for i, doc in enumerate(judged) if rel[doc] >= 1]
        return sum(1 - min(n, relevant) / others if n else 1 for n in above) / relevant
    return {
        "P": sum(hits[:k]) / k,
        "R": sum(hits[:k]) / relevant,
        "R_cap": sum(hits[:k]) / min(relevant, k),
        "RR": max([hit / rank for rank, hit in enumerate(hits[:k], 1)], default=0),
        "Success": float(any(hits[:k])),
        "AP": sum(hit * sum(hits[:rank]) / rank for rank, hit in enumerate(hits[:k], 1)) / relevant,
        "RBP": sum(hit * 0.2 * 0.8 ** (rank - 1) for rank, hit in enumerate(hits[:k], 1)),
        "nDCG": ndcg_at_k(ranking, rel, k),
    }[name]


small = st.sampled_from("abcdefg")


@given(
    st.dictionaries(small, st.integers(0, 2), max_size=6),
    st.dictionaries(small, st.integers(0, 2), max_size=6),
    st.integers(1, 7),
)
@settings(max_examples=60, deadline=None)
def test_ties_mean_and_bounds_over_all_orders(run, rel, k):
    groups = [[doc for doc in run if run[doc] == score] for score in sorted(set(run.values()), reverse=True)]
    orders = [list(itertools.chain(*order)) for order in itertools.product(*map(itertools.permutations, groups))]
    for name in ("P", "R", "R_cap", "RR", "Success", "AP", "RBP", "nDCG", "Bpref", "Judged"):
        measure = name if name == "Bpref" else f"{name}@{k}"
        values = [plain(name, order, rel, k) for order in orders]
        expected = [plain(name, ranked(run), rel, k), None, None, None]
        if values[0] is not None:
            expected[1:] = [sum(values) / len(values), min(values), max(values)]
        for ties, value in zip(("doc_desc", "mean", "lowest", "highest"), expected):
            same(one(run, rel, measure, ties=ties), value)


@given(rankings, judgements, st.integers(1, 25))
def test_left_out_is_the_ranking_of_the_judged_documents(run, rel, k):
    condensed = {doc: score for doc, score in run.items() if doc in rel}
    for measure in (f"nDCG@{k}", f"P@{k}", f"RR@{k}", "AP", "Bpref", f"Judged@{k}"):
        for ties in ("doc_desc", "mean"):
            same(one(run, rel, measure, ties=ties, unjudged="left_out"), one(condensed, rel, measure, ties=ties))


# ---------- what the unjudged documents could be ----------


@given(
    st.lists(small, unique=True, max_size=5),
    st.dictionaries(small, st.integers(0, 3), min_size=1, max_size=6),
    st.integers(1, 6),
)
@settings(max_examples=60)
def test_bounds_over_all_grades_of_unjudged_documents(ranking, rel, k):
    unknown = [doc for doc in ranking if doc not in rel]
    top_grade = max(rel.values())
    grades = sorted({0, *rel.values()})
    worlds = [rel | dict(zip(unknown, these)) for these in itertools.product(grades, repeat=len(unknown))]
    for name in ("P", "R", "R_cap", "RR", "Success", "AP", "nDCG"):
        measure = f"{name}@{k}"
        values = [plain(name, ranking, world, k) for world in worlds]
        expected = (min(values), max(values)) if top_grade else (None, None)
        for unjudged, value in zip(("lowest", "highest"), expected):
            same(one(ranking, rel, measure, unjudged=unjudged), value)
    exponential = [ndcg_at_k(ranking, world, k, gain="exponential") for world in worlds] if top_grade else [None]
    ends = (min(exponential), max(exponential)) if top_grade else (None, None)
    for unjudged, value in zip(("lowest", "highest"), ends):
        same(one(ranking, rel, f'nDCG(gain="exp")@{k}', unjudged=unjudged), value)
    gained = [dcg([world.get(doc, 0) for doc in ranking[:k]]) for world in worlds] if top_grade else [None]
    same(one(ranking, rel, f"DCG@{k}", unjudged="highest"), max(gained) if top_grade else None)
    whole = [plain("AP", ranking, world, 99) for world in worlds] if top_grade else [None]
    same(one(ranking, rel, "AP", unjudged="lowest"), min(whole) if top_grade else None)
    same(one(ranking, rel, "AP", unjudged="highest"), max(whole) if top_grade else None)
    whole = [ndcg_at_k(ranking, world, 99) for world in worlds] if top_grade else [None]
    same(one(ranking, rel, "nDCG", unjudged="lowest"), min(whole) if top_grade else None)
    same(one(ranking, rel, "nDCG", unjudged="highest"), max(whole) if top_grade else None)


@pytest.mark.parametrize("unjudged", ["lowest", "highest"])
@pytest.mark.parametrize("options", ["", '(gain="exp")', "(discount=2)"])
def test_bounds_do_not_grow_with_the_cutoff(unjudged, options):
    ranking, rel = {f"d{i}": -i for i in range(9)}, {"d1": 2, "d3": 1, "d7": 0, "elsewhere": 2}
    tracemalloc.start()
    far, uncut = (one(ranking, rel, f"nDCG{options}{cutoff}", unjudged=unjudged) for cutoff in ("@1000000", ""))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert far == uncut
    assert peak < 1_000_000


def test_a_gain_that_cannot_be_squared_is_too_large_for_dcg():
    run, judged = {"q": {"a": 1.0}}, {"q": {"a": 600, "b": 900}}
    assert evaluate(run, judged, "nDCG(gain='exp')@1").means["run"]["nDCG(gain='exp')@1"] == 2.0**-300
    with pytest.raises(ValueError, match=r"\*\*900 is too large a gain"):
        evaluate(run, judged, "DCG(gain='exp')@1")


def test_bounds_of_average_precision_on_a_long_ranking():
    """The relevant document comes first; lowest: the last m of the others are relevant as well, for the worst m."""
    n = 1000
    ranking, rel = ["a", *map(str, range(2, n + 1))], {"a": 1}
    with_last = [(1 + sum((i + 1) / (n - m + i) for i in range(1, m + 1))) / (1 + m) for m in range(n)]
    assert one(ranking, rel, "AP", unjudged="lowest") == pytest.approx(min(with_last), abs=1e-12)
    assert one(ranking, rel, "AP", unjudged="highest") == pytest.approx(1, abs=1e-12)


def test_the_residual_of_rbp():
    ranking, rel = ["a", "x", "b"], {"a": 1, "b": 0}
    low, high = (one(ranking, rel, "RBP(p=0.5)", unjudged=end) for end in ("lowest", "highest"))
    assert low == 0.5
    assert high - low == 0.25 + 0.5**3  # rank 2 is open, and so is everything behind rank 3
    assert one(ranking, rel, "RBP(p=0.5)@3", unjudged="highest") == 0.75


def test_bounds_are_refused_where_they_mean_nothing():
    for measure in ("Bpref", "Judged@5"):
        with pytest.raises(ValueError, match="no such bounds"):
            one(["a"], {"a": 1}, measure, unjudged="lowest")
    with pytest.raises(ValueError, match="need one ranking"):
        one(["a"], {"a": 1}, "P@1", unjudged="lowest", ties="mean")


# ---------- which queries count ----------

JUDGED = {"q1": {"a": 1}, "q2": {"b": 0}, "q3": {"c": 1}, "q4": {}, "q5": {"e": 2}}
RUN = {"q1": {"a": 2.0, "x": 1.0}, "q2": {"b": 1.0}, "q5": {"x": 1.0, "y": 2.0}, "q9": {"a": 1.0}}


def test_queries_that_are_empty_missing_unjudged_or_extra_are_named():
    result = evaluate(RUN, JUDGED, ["P@1", "R(rel=2)@5", "Judged@1"])
    assert result.queries == ["q1", "q2", "q3", "q4", "q5"]
    np.testing.assert_array_equal(result.scores["run"]["P@1"], [1, np.nan, 0, np.nan, 0])
    np.testing.assert_array_equal(result.scores["run"]["R(rel=2)@5"], [np.nan, np.nan, np.nan, np.nan, 0])
    np.testing.assert_array_equal(result.scores["run"]["Judged@1"], [1, 1, np.nan, np.nan, 0])
    assert result.means["run"] == {"P@1": pytest.approx(1 / 3), "R(rel=2)@5": 0, "Judged@1": pytest.approx(2 / 3)}
    assert result.undefined == {"P@1": ["q2", "q4"], "R(rel=2)@5": ["q1", "q2", "q3", "q4"], "Judged@1": []}
    assert (result.missing, result.unjudged, result.extra) == ({"run": ["q3", "q4"]}, {"run": ["q5"]}, {"run": ["q9"]})


def test_empty_and_missing_by_convention():
    assert evaluate(RUN, JUDGED, "P@1", empty="zero").means["run"]["P@1"] == 1 / 5
    assert evaluate(RUN, JUDGED, "P@1", missing="left_out").means["run"]["P@1"] == 1 / 2
    assert evaluate(RUN, JUDGED, "P@1", trec=True).means["run"]["P@1"] == 1 / 5
    assert math.isnan(evaluate({}, {"q": {"a": 0}}, "P@1").means["run"]["P@1"])


def test_every_result_says_its_conventions():
    text = str(evaluate(RUN, JUDGED, ["P@1", "nDCG@3"]))
    for words in (
        "0.333",
        "5 judged queries",
        "P@1, nDCG@3: queries with no relevant document, undefined: 2 (q2, q4)",
        "queries missing from the run: 2 (q3, q4)",
        "q9",
        "ties by document id, descending",
        "unjudged = not relevant",
        "missing from the run = 0",
    ):
        assert words in text
    assert "mean over all orders" in str(evaluate(RUN, JUDGED, "P@1", ties="mean"))


def test_shown_as_html_and_frames():
    name = "<b>&\"'"
    result = evaluate({name: RUN, "B": RUN}, JUDGED, ["P@1", 'nDCG(gain="exp")@3'])
    shown = result._repr_html_()
    assert name not in shown
    assert "&lt;b&gt;&amp;" in shown
    assert result.table().loc["B", "P@1"] == pytest.approx(1 / 3)
    assert result.per_query("B").loc["q1"].tolist() == [1, 1]
    with pytest.raises(ValueError, match="which run"):
        result.per_query()
    with pytest.raises(ValueError, match="no run 'C'"):
        result.per_query("C")
    assert evaluate(RUN, JUDGED, "P@1").per_query().index.name == "query_id"


# ---------- one run or several ----------


def test_one_run_or_several():
    rel = {"q": {"a": 1}}
    scored, listed = {"q": {"a": 1.0}}, {"q": ["a"]}
    for single_run in (scored, listed, {"q": {}}, {}, {"q": []}):
        assert evaluate(single_run, rel, "P@1").runs == ["run"]
    for several in ({"A": scored, "B": listed}, [("A", scored), ("B", listed)], {"A": scored, "B": {}}):
        assert evaluate(several, rel, "P@1").runs == ["A", "B"]
    twenty = evaluate({f"run{i}": scored for i in range(28)}, rel, "P@1")
    assert len(twenty.table()) == 28
    assert set(twenty.table()["P@1"]) == {1.0}


@pytest.mark.parametrize(
    ("runs", "message"),
    [
        ({"A": {"q": {"a": 1.0}}, "q": {"a": 1.0}}, "'A' holds a whole run and 'q' the documents"),
        ({"A": {}}, "one run, or several"),
        ([("A", {}), ("A", {})], "two runs are called 'A'"),
        (["a/bm25.run", "b/bm25.run.gz"], "two runs are called 'bm25'"),
        ([{"q": {"a": 1.0}}], "a list of runs holds pairs"),
        ([], "a list of runs"),
        (3, "run 'run': got int"),
        ({"A": {"q": {"a", "b"}}}, "run 'A': query 'q' holds"),
        ({"A": {"q": "ab"}}, "run 'A': query 'q' holds 'ab'"),
        ({"A": {"q": iter(["a", "b"])}}, "run 'A': query 'q' holds"),
        ({"A": {"r": 1.0}, "B": {"q": "ab"}}, "'B' holds a whole run and 'A' the documents"),
        ({3: {"q": {"a": 1.0}}}, "the name of a run is text"),
    ],
)
def test_runs_that_cannot_be_told_apart(runs, message):
    with pytest.raises(ValueError, match=message):
        evaluate(runs, {"q": {"a": 1}}, "P@1")


# ---------- what is refused ----------


@pytest.mark.parametrize(
    ("run", "rel", "message"),
    [
        ({"q": {"a": math.nan}}, {"q": {"a": 1}}, "run 'run': query 'q', document 'a': score nan"),
        ({"q": {"b": 1.0, "a": -math.inf}}, {"q": {"a": 1}}, "query 'q', document 'a': score -inf"),
        ({"q": {"a": "high"}}, {"q": {"a": 1}}, "document 'a': score 'high'"),
        ({"q": {"a": 1.0, "b": None}}, {"q": {"a": 1}}, "document 'b': score None"),
        ({"q": {"a": 10**400}}, {"q": {"a": 1}}, "document 'a': score 1000"),
        ({"q": {"a": [1]}}, {"q": {"a": 1}}, r"query 'q', document 'a': score \[1\]"),
        ({"q": {"a": [1]}, "r": {"a": 1}}, {"q": {"a": 1}, "r": {}}, r"query 'q', document 'a': score \[1\]"),
        ({"r": {"a": 1}, "q": {"a": {"x": 1}}}, {"q": {"a": 1}, "r": {}}, "query 'q', document 'a': score {'x': 1}"),
        ({"q": {"a": b"1"}, "r": {"a": 1}}, {"q": {"a": 1}}, "query 'q', document 'a': score b'1'"),
        ({"q": {"a": np.array([1])}, "r": {"a": 1}}, {"q": {"a": 1}}, r"'q', document 'a': score array\(\[1\]\)"),
        ({"q": {"a": 1.0}}, {"q": {"a": np.timedelta64(1)}}, "qrels: query 'q', document 'a': grade np.timedelta64"),
        ({"q": ["a", "b", "a"]}, {"q": {"a": 1}}, "query 'q' holds document 'a' twice"),
        ({"q": ["a", 10]}, {"q": {"a": 1}}, "run 'run': document id 10 is int, and ids are text"),
        ({"q": {10: 1.0}}, {"q": {"10": 1}}, "run 'run': document id 10 is int"),
        ({"q": {"a": 1.0, 10: 1.0}}, {"q": {"a": 1, "10": 1}}, "run 'run': document id 10 is int"),
        ({"q": {"10": 1.0}}, {"q": {10: 1}}, "qrels: document id 10 is int"),
        ({1: {"a": 1.0}}, {"1": {"a": 1}}, "run 'run': query id 1 is int"),
        ({"1": {"a": 1.0}}, {1: {"a": 1}}, "qrels: query id 1 is int"),
        ({"q": {"a": 1.0}}, {"q": {"a": -1}}, "query 'q', document 'a': the grade -1 is below 0"),
        ({"q": {"a": 1.0}}, {"q": {"a": 0.5}}, "qrels: query 'q', document 'a': grade 0.5"),
        ({"q": {"a": 1.0}}, {"q": {"a": True}}, "grade True"),
        ({"q": {"a": 1.0}}, {"q": ["a"]}, "qrels: query 'q' holds"),
        ({"q": {"a": 1.0}}, {}, "the qrels hold no query"),
        ({"q": {"a": 1.0}}, [], "qrels: got list"),
    ],
)
def test_bad_input_is_named(run, rel, message):
    with pytest.raises(ValueError, match=message):
        evaluate(run, rel, ["P@1", "Judged@1"])


def test_files_frames_and_dicts_give_the_same(tmp_path):
    run, judged = random_data(2, 8, 12)
    relviz.write_run(run, tmp_path / "bm25.run.gz")
    relviz.write_qrels(judged, tmp_path / "qrels")
    frame = pd.DataFrame([(q, d, s) for q in run for d, s in run[q].items()], columns=["query_id", "doc_id", "score"])
    expected = evaluate(run, judged, EVERY)
    for given_run in (
        tmp_path / "bm25.run.gz",
        str(tmp_path / "bm25.run.gz"),
        frame,
        relviz.read_run(tmp_path / "bm25.run.gz"),
    ):
        got = evaluate(given_run, tmp_path / "qrels", EVERY)
        assert list(got.means.values()) == list(expected.means.values())
    both = evaluate([tmp_path / "bm25.run.gz", ("frame", frame)], judged, EVERY)
    assert both.means == dict.fromkeys(("bm25", "frame"), expected.means["run"])
    assert evaluate({"A": tmp_path / "bm25.run.gz"}, judged, EVERY).means == {"A": expected.means["run"]}


def test_the_first_of_a_duplicate_counts_when_asked():
    run, rel = {"q": ["x", "a", "x", "b"]}, {"q": {"b": 1}}
    assert evaluate(run, rel, "RR", duplicates="first").means["run"]["RR"] == 1 / 3


def test_numpy_numbers_and_tuples_are_fine():
    run = {"q": {"a": np.float32(2), "b": np.int64(1)}, "r": ("x", "a"), "s": np.array(["a", "x"])}
    rel = {"q": {"b": np.int64(1)}, "r": {"a": np.uint8(2)}, "s": {"a": 1}}
    assert evaluate(run, rel, "RR").scores["run"]["RR"].tolist() == [1 / 2, 1 / 2, 1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ties": "random"}, "ties is one of 'doc_desc'"),
        ({"missing": "error"}, "missing is one of"),
        ({"trec": True, "ties": "mean"}, "trec=True decides ties"),
    ],
)
def test_options_that_are_not_known(options, message):
    with pytest.raises(ValueError, match=message):
        evaluate({"q": {"a": 1.0}}, {"q": {"a": 1}}, "P@1", **options)


# ---------- order, size, time ----------

EVERY = ["nDCG@10", "AP", "RR", "R@10", "P@10", "RBP", "Bpref", "Judged@10", 'nDCG(gain="exp")']


def random_data(seed, n_queries, n_docs):
    rng = np.random.default_rng(seed)
    run, judged = {}, {}
    for q in range(n_queries):
        docs = [f"d{i}" for i in rng.permutation(2 * n_docs)]
        run[f"q{q}"] = dict(zip(docs, rng.integers(0, n_docs, n_docs) / 7))
        judged[f"q{q}"] = {
            str(doc): int(rng.integers(0, 4)) for doc in rng.choice(docs, min(20, n_docs), replace=False)
        }
    return run, judged


def bits(result):
    return [
        [values.tobytes().hex() for values in row.values()] + [m.hex() for m in result.means[name].values()]
        for name, row in result.scores.items()
    ]


@pytest.mark.parametrize("ties", ["doc_desc", "mean", "lowest", "highest"])
def test_the_order_of_dicts_changes_no_bit(ties):
    run, judged = random_data(0, 30, 40)

    def backwards(table):
        return {query: dict(reversed(docs.items())) for query, docs in reversed(table.items())}

    assert bits(evaluate(run, judged, EVERY, ties=ties)) == bits(
        evaluate(backwards(run), backwards(judged), EVERY, ties=ties)
    )


def test_hash_seed_and_threads_change_no_bit():
    program = (
        "import json, sys; from relviz import evaluate; run, judged, measures = json.load(sys.stdin);"
        "scores = evaluate(run, judged, measures, ties='mean').scores['run'];"
        "print([values.tobytes().hex() for values in scores.values()])"
    )
    run, judged = random_data(1, 20, 30)
    outputs = [
        subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | {"PYTHONHASHSEED": seed, "OMP_NUM_THREADS": seed, "OPENBLAS_NUM_THREADS": seed},
            input=json.dumps([run, judged, EVERY]).encode(),
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    scores = evaluate(run, judged, EVERY, ties="mean").scores["run"]
    assert outputs == [f"{[values.tobytes().hex() for values in scores.values()]}\n".encode()] * 2


def test_two_hundred_thousand_tiny_queries():
    names = [f"q{i}" for i in range(200_000)]
    run = {query: {"a": 1.0, "b": 2.0} for query in names}
    judged = {query: {"ab"[i % 2]: 1} for i, query in enumerate(names)}
    assert evaluate(run, judged, "RR").means["run"]["RR"] == 0.75


def test_a_million_documents_for_one_query():
    n = 1_000_000
    run = {"q": {f"d{i:07}": float(i // 2) for i in range(n)}}  # in pairs of equal scores
    # From the top: d0999999, d0999998, ...: document i has rank n - i.
    judged = {"q": {f"d{i:07}": 1 for i in range(0, n, 1000)}}
    got = evaluate(run, judged, ["RR", "R@500000", "AP"]).means["run"]
    ranks = [n - i for i in range(n - 1000, -1, -1000)]
    assert got["RR"] == 1 / 1000
    assert got["R@500000"] == 0.5
    assert got["AP"] == pytest.approx(sum(j / rank for j, rank in enumerate(ranks, 1)) / 1000)


def test_everything_tied():
    """One group of 100,000 documents: the id rule must not compare every pair."""
    run = {"q": {f"d{i:06}": 1.0 for i in range(100_000)}}
    judged = {"q": {f"d{i:06}": 1 for i in range(0, 100_000, 100)}}
    assert evaluate(run, judged, "RR").means["run"]["RR"] == 1 / 100
    for ties in ("mean", "lowest", "highest"):
        assert 0 < evaluate(run, judged, "AP", ties=ties).means["run"]["AP"] <= 1


@pytest.mark.parametrize(
    "ranking",
    [
        {"d1": 1.0, "d2": "high"},
        {"d1": 1.0, "d2": True},
        {"d1": 1, "d2": np.bool_(True)},
        {"d1": 0.5, "d2": False},
        {"d1": Decimal(2), "d2": Decimal(3)},
        {"d1": 2.5, "d2": Decimal(3)},
        {"d1": 2.5, "d2": math.inf},
        {"d1": math.inf, "d2": -math.inf},
        {"d1": 2.5, "d2": 10**400},
        {"d1": 10**400, "d2": -(10**400)},
        {"d1": np.longdouble("1e400"), "d2": -np.longdouble("1e400")},
        {"d1": np.array(1.5), "d2": np.float16(2)},
        {"d1": np.timedelta64(1), "d2": 0.5},
        {"d1": np.timedelta64(1, "D")},
        {"d1": 1.0, "d2": 0.5, 7: 3},
        {"d1": 1.0, "": 2.0},
        ["d1", ""],
        ["d1", "\ud800"],
    ],
)
def test_evaluate_refuses_what_as_run_refuses(ranking):
    words = []
    for look in (
        lambda run: relviz.as_run(run, name="run 'A'"),
        lambda run: evaluate({"A": run}, {"q": {"d1": 1}}, "RR"),
    ):
        with pytest.raises(ValueError, match=r"score|document id") as caught:
            look({"q": ranking})
        words.append(str(caught.value))
    assert words[0] == words[1]


@pytest.mark.parametrize("query", ["", "\ud800", 7, None])
def test_evaluate_looks_at_every_id_of_a_query(query):
    run = {"q": {"d1": 1.0}, query: {"d1": 1.0}}
    words = []
    for look in (lambda: relviz.as_run(run, name="run 'A'"), lambda: evaluate({"A": run}, {"q": {"d1": 1}}, "RR")):
        with pytest.raises(ValueError, match="query id") as caught:
            look()
        words.append(str(caught.value))
    assert words[0] == words[1]


def test_what_a_score_is_everywhere(tmp_path):
    """A number written as text is that number, and whole numbers that are one float are one score."""
    written, exact = {"q": {"a": "10", "b": 9, "c": "1e1"}}, {"q": {"a": 2**53 + 1, "b": 2**53}}
    assert relviz.as_run(written) == {"q": {"a": 10.0, "b": 9.0, "c": 10.0}}
    for run, order in ((written, ["c", "a", "b"]), (exact, ["b", "a"])):
        assert relviz.ranked(run["q"]) == relviz.ranked(relviz.as_run(run)["q"]) == order
        relviz.write_run(run, tmp_path / "x.run")
        assert [line.split()[2] for line in (tmp_path / "x.run").read_text().splitlines()] == order
        assert relviz.check_run(run, {"q": {order[0]: 1}}, k=1).judged_at_k == 1
        assert evaluate(run, {"q": {order[1]: 1}}, "RR").means["run"]["RR"] == 1 / 2
    odd = {"a": Fraction(1, 3), "b": np.longdouble(1), "c": np.int8(2)}
    assert relviz.ranked(odd) == ["c", "b", "a"]


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.float16, np.float32, np.float64, np.int64])
def test_the_sum_of_scores_may_be_too_large_for_their_type(kind):
    largest = (np.finfo if issubclass(kind, np.floating) else np.iinfo)(kind).max
    run = {"q": {f"d{i}": kind(largest) for i in range(3)} | {"e": kind(1)}}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert evaluate(run, {"q": {"e": 1}}, "RR").means["run"]["RR"] == 1 / 4
        assert relviz.as_run(run)["q"]["e"] == 1


@pytest.mark.parametrize("length", [0, 1, 3, 10**6])
def test_a_mapping_is_as_long_as_what_it_holds(length):
    class Odd(UserDict):
        def __len__(self):
            return length

    got = evaluate({"A": {"q": Odd({"a": 1.0, "b": 2.0, "c": 3.0})}}, {"q": {"a": 1, "b": 1}}, ["Judged@2", "RR"])
    assert got.means["A"] == {"Judged@2": 1 / 2, "RR": 1 / 2}


@pytest.mark.parametrize("where", range(10))
def test_a_truth_value_is_found_among_many_queries(monkeypatch, where):
    """Queries are looked at a few together, and all of these hold 0 and 1 as numbers."""
    monkeypatch.setattr(sys.modules["relviz.evaluate"], "HELD", 7)
    run = {f"q{i}": {"d1": 0.5, "d2": 1.0, "d3": 0} for i in range(10)}
    judged = {query: {"d1": 1} for query in run}
    assert evaluate(run, judged, "RR").means["run"] == {"RR": 0.5}
    run[f"q{where}"]["d2"] = True
    with pytest.raises(ValueError, match=f"'q{where}', document 'd2'"):
        evaluate(run, judged, "RR")


@pytest.mark.parametrize("kind", [int, float, np.float32, np.int64])
def test_every_kind_of_number_is_a_score(kind):
    assert evaluate({"q": {"d1": kind(1), "d2": kind(2)}}, {"q": {"d1": 1}}, "RR@10").means["run"] == {"RR@10": 0.5}


def test_what_counts_as_relevant_and_how_far_rbp_reads_is_said():
    """d1 at rank 2 of grade 1: RBP is (1 - 0.8) * 0.8, as the p that is said gives."""
    ranking, rel = {"q": ["d0", "d1"]}, {"q": {"d0": 0, "d1": 1}}
    found = evaluate(ranking, rel, ["RBP@10", "RBP(rel=1)@10", "RBP(p=0.5)@10", "RBP(rel=1, p = 0.5)@10"])
    assert found.means["run"]["RBP@10"] == pytest.approx((1 - 0.8) * 0.8)
    for form in (str(found), found._repr_html_()):
        assert "relevant = grade of at least 1, unless the name says otherwise" in form
        assert [line.split(":")[0] for line in form.replace("<p>", "\n").splitlines() if "reading on" in line] == [
            "RBP@10",
            "RBP(rel=1)@10",
        ]
        assert "RBP@10: p = 0.8, " in form
    assert "reading on" not in str(evaluate(ranking, rel, ["P@1"]))
