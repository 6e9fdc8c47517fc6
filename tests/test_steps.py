"""Traces: the value is the plain function's, the last step holds it, and the words stand on their own."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pictures import outside, overlaps, words_of, wrong_sums

import relviz
from relviz.draw.palette import BLUE, GREEN, GROUND, INK, MUTED, ORANGE, PURPLE, TINT
from relviz.locale import labelled, say
from relviz.rerank import windows
from relviz.steps import (
    Step,
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
from relviz.widgets.player import player

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
        digits = 2 if "BM25" in trace.title else 3
        assert trace.steps[-1].words.rstrip(".。").endswith(f"= {trace.value:.{digits}f}")
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


# ---------- numbers on the screen, and the room they have ----------


def test_the_check_of_sums_sees_what_it_should():
    step = trace_recall(["a"], {"a": 1}, 1).steps[0]
    for text, found in [
        ("0.072 + 0.058 + 0.063 = 0.195", 1),
        ("0.072 + 0.058 + 0.063 = 0.193", 0),
        ("2/log2(3) + 0 + 2/log2(6) = 2.036", 0),
        ("2/log2(3) + 0 + 2/log2(6) = 2.046", 1),
        ("2 * 1.4123 * 1.5053 = 4.252", 0),
        ("5.393 / 5.393 = 1.000", 0),
        ("5.393 / 5.493 = 1.000", 1),
        ("0.559 - 0.883 = -0.324", 0),
        ("0.559 - 0.883 = -0.327", 1),
        ("p = (0 + 1)/(10,000 + 1) = 0.0001", 0),
        ("1.4123 * 1.5053 = 4.252", 1),
    ]:
        assert len(wrong_sums(Trace("", [Step("", text, step.figure)], None))) == found, text


def traces_of_bughunt():
    """Every kind of trace on several queries of the course's own collection."""
    data = relviz.load_bughunt()
    index = relviz.Index(data.docs)
    for query in ("q01", "q03", "q08", "q13", "q18", "q20", "q27"):
        text, rel = data.queries[query], data.qrels[query]
        a, b = index.tfidf(text), index.bm25(text)
        for doc in {a[0], b[0], max(rel, key=rel.get)}:
            yield trace_tfidf(index, text, doc)
            yield trace_bm25(index, text, doc)
        for k in (5, 10, 20):
            yield trace_recall(a[:k], rel, k)
            yield trace_precision(a[:k], rel, k)
            yield trace_ndcg(a[:k], rel, k, gain="exponential")
            yield trace_ndcg(b[:k], rel, k)
            yield trace_compare(
                a[:k], b[:k], rel, k, names=("TF-IDF with stemming", "BM25 (k1=1.2, b=0.75) title+body")
            )
            yield trace_pool({"TF-IDF over title and body": a, "BM25": b}, k)
        yield trace_reciprocal_rank(b, rel)
        yield trace_rrf({"TF-IDF": a[:9], "BM25": b[:9], "third": a[5:9]})
        yield trace_rrf([a[:9], b[:9], a[3:8], b[2:9], a[::3]])
        yield trace_rrf_k([a[:6], b[:6]])
        yield trace_sliding_window(a, {doc: rel.get(doc, 0) for doc in a}, 8, 4)
    yield trace_evidence()


def test_every_printed_sum_can_be_checked_on_paper_and_every_word_has_room():
    for trace in traces_of_bughunt():
        assert not wrong_sums(trace), trace.title
        for step in trace:
            assert not outside(step.figure), (trace.title, step.title)


def test_more_than_twelve_terms_are_said_to_be_small_and_together(language):
    data = relviz.load_bughunt()
    trace = trace_bm25(relviz.Index(data.docs), data.queries["q20"], "BUG-107")
    shown = [line.text for line in words_of(trace.steps[-1].figure)]
    together = {"en": "15 small terms together", "zh": "其余 15 个小项合计"}[language]
    assert together in shown
    assert sum(" * " in line for line in shown) == 12


def test_what_nobody_judged_is_no_zero(language):
    trace = trace_ndcg(A, Q18 | {"EXP-11": 0}, 5)
    badges = [w.text for w in words_of(trace.steps[0].figure) if w.size == 14 and w.text in "012?"]
    assert badges.count("?") == 2
    assert "stroke-dasharray" in trace.steps[0].figure.svg
    word = {"en": "not judged", "zh": "未标注"}[language]
    assert trace.steps[0].figure.alt.count(word) == 2  # BUG-007 and REQ-31; EXP-11 is judged, with grade 0
    assert "0, 2, ?, ?, 2" in trace.steps[0].words.replace("、", ", ")
    judged = trace_ndcg(["a", "b"], {"a": 1, "b": 0}, 2)
    assert "?" not in judged.steps[0].words.replace("？", "")
    assert "stroke-dasharray" not in judged.steps[0].figure.svg


def test_bars_keep_their_length_from_step_to_step():
    """The second document adds 2/log2(3) in every step after its own, and its bar is as long in each."""
    for trace, color in ((trace_ndcg(A, Q18, 5), BLUE), (trace_compare(A, A[::-1], Q18, 5), ORANGE)):
        lengths = set()
        for step in trace:
            if "1.262" in step.figure.svg and "compare.end" not in step.title:
                bars = [p.get("d") for p in ElementTree.fromstring(step.figure.svg).iter() if p.get("fill") == color]
                rows = [d for d in bars if d and d.startswith("M") and "v8" in d]
                lengths |= {re.search(r"h([\d.]+)v8", rows[0])[1]} if rows else set()
        assert len(lengths) == 1


def test_the_sum_grows_in_the_picture():
    trace = trace_ndcg(A, Q18, 5)
    widths = []
    for step in trace.steps[2:5]:
        root = ElementTree.fromstring(step.figure.svg)
        widths.append([float(r.get("width")) for r in root.iter() if r.get("data-key", "").startswith("sum 0:")])
    assert [len(w) for w in widths] == [1, 2, 2]
    assert widths[1] == widths[2]
    assert widths[1][0] / widths[1][1] == pytest.approx(1.2619 / 0.7737, abs=0.02)
    assert "1.262 + 0.774 = 2.036" in trace.steps[3].words


def test_two_runs_are_summed_document_by_document_and_stand_beside_the_ideal():
    b = [A[1], A[4], A[0], A[2], A[3]]
    trace = trace_compare(A, b, Q18, 5)
    sums = [dict(step.numbers) for step in trace.steps[4:7]]
    assert [[round(x, 3) for x in s.values()] for s in sums] == [[0.0, 2.0], [1.262, 3.262], [2.036, 3.262]]
    ndcg = trace.steps[-2].figure
    keys = set(re.findall(r'data-key="(run0|run1|ideal):', ndcg.svg))
    assert keys == {"run0", "run1", "ideal"}
    assert not outside(ndcg)
    assert not overlaps(ndcg)


def test_a_document_in_one_list_needs_no_sum():
    trace = trace_rrf([["A", "B", "C"], ["B", "D", "A"]])
    notes = [w.text for w in words_of(trace.steps[-1].figure)]
    assert "0.015873" in notes
    assert not any(re.match(r"(0\.\d+) = \1$", note) for note in notes)
    assert labelled("D", "1/(60+2)") in trace.steps[1].words  # the fourth document too


@pytest.mark.parametrize(("n", "window", "step"), [(100, 20, 5), (100, 4, 2), (1000, 20, 10), (1000, 300, 150)])
def test_of_many_windows_the_first_and_the_last_are_drawn(n, window, step, language):
    ranking = [f"d{i}" for i in range(n)]
    trace = trace_sliding_window(ranking, lambda doc: int(doc[1:]) * 37 % 1009, window, step)
    assert trace.value == relviz.sliding_rerank(ranking, lambda doc: int(doc[1:]) * 37 % 1009, window, step)
    calls = [s.numbers["call"] for s in trace.steps[1:-1]]
    total = len(windows(n, window, step))
    assert calls[:5] == [1, 2, 3, 4, 5]
    assert calls[-5:] == [total - 4, total - 3, total - 2, total - 1, total]
    assert len(trace) <= 12
    check(trace)
    for s in trace:
        assert not outside(s.figure)
        assert not overlaps(s.figure)


def test_a_document_of_a_long_list_can_be_followed_on_paper():
    """Under each bar stands where it came from; the words call the document by that number."""
    ranking = [f"x{i}" for i in range(60)]
    trace = trace_sliding_window(ranking, lambda doc: int(doc[1:]), 20, 10)  # the last is the best
    for s in trace.steps[1:-1]:
        assert "60" in [w.text for w in words_of(s.figure)]
        assert "x59" in s.words
        assert "60" in s.words
    first_row = [w.text for w in words_of(trace.steps[-1].figure) if w.text.isdigit()]
    assert "60" in first_row


def test_equal_scores_are_not_called_wrong(language):
    trace = trace_sliding_window(list("abcdef"), dict.fromkeys("abcdef", 1), 2, 2)
    assert trace.steps[-1].words == relviz.locale.say("steps.sliding.end.words", calls=3)
    wrong = trace_sliding_window(list("abcdef"), {doc: i for i, doc in enumerate("abcdef")}, 2, 1)
    right = {"en": "places 1 to 1 are right", "zh": "前 1 名和按分数排的一样"}
    assert right[language] in wrong.steps[-1].words


LARGEST = {
    "sliding 100/20/5": lambda ids: trace_sliding_window(ids[:100], rate, 20, 5),
    "sliding 100/4/2": lambda ids: trace_sliding_window(ids[:100], rate, 4, 2),
    "sliding 1000/20/10": lambda ids: trace_sliding_window(ids, rate, 20, 10),
    "sliding 40/4/1": lambda ids: trace_sliding_window(ids[:40], rate, 4, 1),
    "ndcg@10": lambda ids: trace_ndcg(ids[:10], dict.fromkeys(ids[4:20], 2), 10),
    "ndcg@12 six": lambda ids: trace_ndcg(ids[:12], dict.fromkeys(ids[6:20], 2), 12),
    "ndcg@20": lambda ids: trace_ndcg(ids[:20], dict.fromkeys(ids[:30], 2), 20),
    "ndcg@100": lambda ids: trace_ndcg(ids[:100], dict.fromkeys(ids[:200], 2), 100),
    "recall@12": lambda ids: trace_recall(ids[:12], dict.fromkeys(ids[6:20], 2), 12),
    "recall@50": lambda ids: trace_recall(ids[:50], dict.fromkeys(ids[:50], 2), 50),
    "compare@5": lambda ids: trace_compare(ids[:5], ids[5:0:-1], dict.fromkeys(ids[:9], 2), 5),
    "compare@10": lambda ids: trace_compare(ids[:10], ids[10:0:-1], dict.fromkeys(ids[:20], 2), 10),
    "compare@12": lambda ids: trace_compare(ids[:12], ids[12:0:-1], dict.fromkeys(ids[:20], 2), 12),
    "compare@100": lambda ids: trace_compare(ids[:100], ids[100:0:-1], dict.fromkeys(ids[:100], 2), 100),
    "rrf 5x20": lambda ids: trace_rrf({f"L{j}": ids[j : j + 20] for j in range(5)}),
    "rrf_k 2x20": lambda ids: trace_rrf_k([ids[:20], ids[10:30]]),
    "pool 5x100": lambda ids: trace_pool({f"L{j}": ids[50 * j : 50 * j + 100] for j in range(5)}, 100),
}


def rate(doc: str) -> int:
    return int(doc[-5:]) * 37 % 1009


def test_the_narrow_form_of_a_window_shows_the_same_step():
    for step in trace_sliding_window(list("ABCDEFGH"), "EDCBAFGH".index, 4, 2).steps:
        shown = [re.findall(">([A-H])</text>", figure.svg) for figure in (step.figure, step.figure.narrow())]
        assert shown[0] == shown[1]
        assert sorted(shown[0]) == list("ABCDEFGH")


@pytest.mark.parametrize("name", LARGEST)
@pytest.mark.parametrize("ids", ["{:05}", "clueweb09-en0000-00-{:05}"])
def test_the_largest_players_stay_under_150_kilobytes(name, ids, language):
    trace = LARGEST[name]([ids.format(i) for i in range(1000)])
    assert len(player(trace).html.encode()) < 150_000
    for step in trace:
        assert not outside(step.figure)
