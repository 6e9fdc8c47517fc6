"""evaluate against its readable twin, trec_eval, ir_measures, ranx, scikit-learn, and arithmetic on paper."""

import math

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from relviz import evaluate, ndcg_at_k, precision_at_k, ranked, recall_at_k, reciprocal_rank

ids = st.sampled_from([f"d{i}" for i in range(14)] + ["D", "é", "文档", "\U0001f600", "d1 ", ""])
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
