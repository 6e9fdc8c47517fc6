"""Traces: the value is the plain function's, the last step holds it, and the words stand on their own."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import relviz
from relviz.draw.palette import BLUE, GREEN, GROUND, INK, MUTED, ORANGE, PURPLE, TINT
from relviz.steps import Trace, trace_ndcg, trace_precision, trace_recall, trace_reciprocal_rank

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


def test_q18_by_hand():
    trace = trace_ndcg(A, Q18, 5)
    words = str(trace)
    assert "DCG@5 = 0 + 2/log2(3) + 0 + 0 + 2/log2(6) = 2.036" in words
    assert "IDCG@5 = 2/log2(2) + 2/log2(3) + 1/log2(4) = 3.762" in words
    assert "nDCG@5 = DCG@5 / IDCG@5 = 2.036 / 3.762 = 0.541" in words
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
