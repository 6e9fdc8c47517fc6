"""Traces: the value is the plain function's, the last step holds it, and the words stand on their own."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import relviz
from relviz.draw.palette import BLUE, GREEN, GROUND, INK, MUTED, ORANGE, PURPLE, TINT
from relviz.locale import say
from relviz.rerank import windows
from relviz.steps import (
    Trace,
    trace_bm25,
    trace_compare,
    trace_evidence,
    trace_ndcg,
    trace_pool,
    trace_precision,
    trace_recall,
    trace_reciprocal_rank,
    trace_rrf,
    trace_rrf_k,
    trace_sliding_window,
    trace_tfidf,
)

Q18 = {"BUG-118": 2, "REQ-09": 2, "EXP-05": 1}
A = ["EXP-11", "BUG-118", "BUG-007", "REQ-31", "REQ-09"]
HOSTILE = "<img src=x onerror=alert(1)>&\"'</script><!--\x00\ud800{k}"

docs = st.lists(st.sampled_from([f"d{i}" for i in range(12)] + [HOSTILE]), unique=True, max_size=13)
rels = st.dictionaries(st.sampled_from([f"d{i}" for i in range(14)] + [HOSTILE]), st.integers(0, 3), max_size=9)
ks = st.integers(1, 14)
gains = st.sampled_from(["linear", "exponential", {1: 1, 2: 5, 3: 9}])
discounts = st.sampled_from(["log2", 2, 3.5])
quick = settings(max_examples=40, deadline=None)


@pytest.fixture(autouse=True, params=relviz.locale.LANGUAGES)
def language(request):
    relviz.set_language(request.param)
    yield request.param
    relviz.set_language("en")


def check(trace: Trace) -> None:
    """What holds for every trace."""
    heights = set()
    for step in trace:
        assert step.title
        assert step.words
        assert step.figure.alt
        (step.title + step.words + step.figure.alt).encode()
        assert "{" not in (step.title + step.words + step.figure.alt).replace(HOSTILE, "").replace("{k}", "")
        root = ElementTree.fromstring(step.figure.svg.encode())
        heights.add(root.get("height"))
        names = {element.tag.split("}")[1] for element in root.iter()}
        assert names <= {"svg", "g", "rect", "circle", "path", "text", "title"}
        keys = [element.get("data-key") for element in root.iter() if element.get("data-key")]
        assert len(keys) == len(set(keys))
        sizes = [float(size) for size in re.findall(r'font-size="([^"]+)"', step.figure.svg)]
        assert min(sizes) >= 12
    assert len(heights) == 1
    assert str(trace).count("\n") >= 2 * len(trace)


@quick
@given(docs, rels, ks, st.integers(1, 2))
def test_the_binary_measures_over_random_rankings(ranking, rel, k, threshold):
    for trace_of, plain, name in [
        (trace_recall, relviz.recall_at_k, f"recall@{k}"),
        (trace_precision, relviz.precision_at_k, f"precision@{k}"),
        (trace_reciprocal_rank, relviz.reciprocal_rank, f"RR@{k}"),
    ]:
        trace = trace_of(ranking, rel, k, threshold=threshold)
        assert trace.value == plain(ranking, rel, k, threshold=threshold) == trace.steps[-1].numbers[name]
        check(trace)
        if trace.value is not None:  # the words of the last step end in the value that they compute
            fraction = re.search(r"= (\d+)(?:/(\d+))?", trace.steps[-1].words)
            assert int(fraction[1]) / int(fraction[2] or 1) == trace.value


@quick
@given(
    docs, rels, ks, st.sampled_from(["linear", "exponential", {1: 1, 2: 5, 3: 9}]), st.sampled_from(["log2", 2, 3.5])
)
def test_ndcg_over_random_rankings(ranking, rel, k, gain, discount):
    trace = trace_ndcg(ranking, rel, k, gain=gain, discount=discount)
    last = trace.steps[-1].numbers
    assert trace.value == relviz.ndcg_at_k(ranking, rel, k, gain=gain, discount=discount) == last[f"nDCG@{k}"]
    assert last[f"DCG@{k}"] == relviz.dcg([rel.get(d, 0) for d in ranking[:k]], gain=gain, discount=discount)
    if trace.value is not None:
        assert trace.value == last[f"DCG@{k}"] / last[f"IDCG@{k}"]
    check(trace)


@quick
@given(docs, docs, rels, ks, st.integers(1, 2), gains)
def test_two_systems_over_random_rankings(a, b, rel, k, threshold, gain):
    trace = trace_compare(a, b, rel, k, threshold=threshold, gain=gain)
    assert trace.value == {
        f"recall@{k}": tuple(relviz.recall_at_k(r, rel, k, threshold=threshold) for r in (a, b)),
        f"precision@{k}": tuple(relviz.precision_at_k(r, rel, k, threshold=threshold) for r in (a, b)),
        "RR@10": tuple(relviz.reciprocal_rank(r, rel, 10, threshold=threshold) for r in (a, b)),
        f"nDCG@{k}": tuple(relviz.ndcg_at_k(r, rel, k, gain=gain) for r in (a, b)),
    }
    last = trace.steps[-1].numbers
    assert last == {f"{m} {name}": x for m, pair in trace.value.items() for name, x in zip("AB", pair)}
    check(trace)


def test_q18_side_by_side():
    trace = trace_compare(A, [A[1], A[4], A[0]], Q18, 5)
    assert {m: [round(x, 3) for x in pair] for m, pair in trace.value.items()} == {
        "recall@5": [0.667, 0.667],
        "precision@5": [0.4, 0.4],
        "RR@10": [0.5, 1.0],
        "nDCG@5": [0.541, 0.867],
    }
    assert "2/log2(2) + 2/log2(3) + 0 = 3.262" in str(trace)
    ahead = {"en": "nDCG@5 puts B ahead by 0.326", "zh": "按 nDCG@5，B 领先 0.326"}
    assert ahead[relviz.locale.language()] in str(trace)


words = st.lists(st.sampled_from(["cat", "dog", "fish", "我的收藏", "列表", "列", "x1"]), max_size=9).map(" ".join)


@quick
@given(st.lists(words, min_size=1, max_size=5), words, st.floats(0, 3), st.floats(0, 1))
def test_scores_term_by_term(texts, query, k1, b):
    index = relviz.Index({f"d{i}": text for i, text in enumerate(texts)})
    for trace, scores in [
        (trace_tfidf(index, query, "d0"), index.tfidf_scores(query)),
        (trace_bm25(index, query, "d0", k1, b), index.bm25_scores(query, k1, b)),
    ]:
        assert trace.value == scores["d0"] == trace.steps[-1].numbers["d0"]
        assert trace.steps[-1].words.rstrip(".。").endswith(f"= {trace.value:.3f}")
        check(trace)


@quick
@given(st.lists(docs, min_size=1, max_size=5), st.floats(0, 100), st.data())
def test_rrf_of_any_lists(rankings, k, data):
    weights = data.draw(st.lists(st.floats(0, 5), min_size=len(rankings), max_size=len(rankings)))
    trace = trace_rrf(rankings, k, weights=weights)
    assert trace.value == relviz.rrf(rankings, k, weights=weights)
    assert trace.steps[-1].numbers == dict(trace.value)
    check(trace)


def test_equal_shares_in_another_order_tie():
    ranks = relviz.rrf([["b", "a", "c"], ["a", "c", "b"], ["c", "b", "a"]], 0.2)
    assert [doc for doc, _ in ranks] == ["a", "b", "c"]
    assert len({total for _, total in ranks}) == 1


@quick
@given(st.lists(docs, min_size=1, max_size=3), st.lists(st.floats(0, 100), min_size=1, max_size=4, unique=True))
def test_one_constant_after_another(rankings, constants):
    trace = trace_rrf_k(rankings, constants)
    assert trace.value == {k: relviz.rrf(rankings, k) for k in constants}
    assert [step.numbers for step in trace.steps[1:]] == [dict(fused) for fused in trace.value.values()]
    check(trace)


def test_equal_sums_are_not_said_to_lie_above_each_other():
    assert "A 1.000000 = B 1.000000 > C 0.500000" in trace_rrf([["A", "C"], ["B"]], 0).steps[-1].words


def test_f29_in_its_five_steps():
    trace = trace_evidence()
    check(trace)
    assert len(trace) == 5
    assert trace.value == relviz.rrf([["A", "B", "C"], ["B", "C", "A"]])
    assert "B 0.032522 > A 0.032266 > C 0.032002" in trace.steps[2].words
    for step in trace.steps[2:]:  # the candidates never change
        places = re.findall(r'data-key="fused:(.)" transform="translate\(\d+,(\d+)\)', step.figure.svg)
        assert [doc for doc, _ in sorted(places, key=lambda place: int(place[1]))] == ["B", "A", "C"]
    assert trace.steps[-1].numbers == {"precision@3": 1 / 3, "recall@3": 1 / 2, "all needed": 0}
    assert trace_evidence(outdated=()).steps[-1].numbers["all needed"] == 1


@quick
@given(st.dictionaries(st.sampled_from(["x", "y", HOSTILE]), docs, max_size=3), ks)
def test_a_pool_holds_what_any_system_shows(runs, k):
    trace = trace_pool(runs, k)
    assert trace.value == relviz.pool(runs.values(), k)
    assert set(trace.value) == {doc for ranking in runs.values() for doc in ranking[:k]}
    assert trace.steps[-1].numbers["pool"] == len(trace.value)
    check(trace)


@quick
@given(st.integers(0, 60), st.integers(1, 25), st.data())
def test_sliding_windows_of_any_size(n, window, data):
    step = data.draw(st.integers(1, window))
    ranking = [f"d{i}" for i in range(n)]
    scores = {doc: data.draw(st.integers(0, 9)) for doc in ranking}
    trace = trace_sliding_window(ranking, scores, window, step)
    assert trace.value == relviz.sliding_rerank(ranking, scores, window, step)
    assert sorted(trace.value) == sorted(ranking)
    calls = windows(n, window, step)
    assert {place for start, end in calls for place in range(start, end)} == set(range(n))
    check(trace)
    if n:
        places = [re.findall(r'data-key="([^"]+)" transform="([^"]+)"', s.figure.svg) for s in trace.steps[-2:]]
        assert dict(places[0]) == dict(places[1])  # the last window leaves the final order
    if n and step < window:  # neighbours overlap, so that the best one rises to the top
        assert scores[trace.value[0]] == max(scores.values())


def test_the_windows_of_rankgpt():
    calls = windows(100, 20, 10)
    assert calls[0] == (80, 100)
    assert calls[-1] == (0, 20)
    assert len(calls) == 9
    with pytest.raises(ValueError, match=re.escape(say("errors.step", step=3, window=2))):
        windows(10, 2, 3)


def test_a_hundred_documents_in_windows_stay_small():
    trace = trace_sliding_window([f"d{i}" for i in range(100)], lambda doc: int(doc[1:]) * 37 % 101)
    assert sum(len(step.figure.data_url) for step in trace) < 140_000


def test_q18_by_hand():
    trace = trace_ndcg(A, Q18, 5)
    words = str(trace)
    assert "DCG@5 = 0 + 2/log2(3) + 0 + 0 + 2/log2(6) = 2.036" in words
    assert "IDCG@5 = 2/log2(2) + 2/log2(3) + 1/log2(4) = 3.762" in words
    assert "nDCG@5 = DCG@5 / IDCG@5 = 2.036 / 3.762 = 0.541" in words
    assert "EXP-05" in trace.steps[-3].words  # what the ranking missed
    assert "recall@5 = 2/3 = 0.667" in str(trace_recall(A, Q18, 5))
    assert "precision@5 = 2/5 = 0.400" in str(trace_precision(A, Q18, 5))
    assert "RR@10 = 1/2 = 0.500" in str(trace_reciprocal_rank(A, Q18))
    assert max(len(step.figure.svg.encode()) for step in trace) < 5000


def test_the_documents_of_the_ideal_list_are_the_same_things_in_both_steps():
    *_, judged, ideal, _ = trace_ndcg(A, Q18, 5)
    keys = [set(re.findall(r'data-key="(ideal:[^"]+)"', step.figure.svg)) for step in (judged, ideal)]
    assert keys[0] == keys[1] == {f"ideal:{doc}" for doc in Q18}


def test_a_hostile_name_is_text():
    trace = trace_ndcg([HOSTILE, "a"], {HOSTILE: 1, "a": 2}, 2)
    for step in trace:
        assert "<img" not in step.figure.svg
        assert "onerror" in step.figure.svg or "&lt;im" in step.figure.svg


def test_a_list_of_a_thousand_is_counted_not_drawn():
    ranking = [f"d{i}" for i in range(1000)]
    trace = trace_ndcg(ranking, dict.fromkeys(ranking[::3], 1), 1000)
    check(trace)
    assert len(trace) < 12
    assert max(len(step.figure.svg.encode()) for step in trace) < 25_000


def contrast(one: str, other: str) -> float:
    def luminance(color: str) -> float:
        channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear))

    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("color", [INK, BLUE, ORANGE, GREEN, PURPLE, MUTED])
def test_every_colour_can_be_read_on_the_ground(color):
    assert contrast(color, GROUND) >= 4.5


@pytest.mark.parametrize("color", [INK, BLUE, GREEN, MUTED])
def test_what_stands_on_the_tint_can_be_read(color):
    assert contrast(color, TINT) >= 4.5
