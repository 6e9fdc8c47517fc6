"""Lesson 05: the functions written out in it are relviz's, and what it says in words is so."""

import math
import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from written import code_of, functions_in, notebook_of

import relviz
from relviz.datasets import load_bughunt
from relviz.lessons import lesson05
from relviz.significance import power_of

NOTEBOOK = notebook_of("05_two_retrievers")
CODE = code_of(NOTEBOOK)


@pytest.fixture(scope="module")
def written():
    return functions_in(CODE, "K1, B = ", math=math, re=re, Counter=Counter)


words = st.text(alphabet="ab tag1 我收藏的，。", min_size=1, max_size=12).filter(relviz.tokenize)


@given(text=st.text(max_size=40))
def test_tokenize(written, text):
    assert written["tokenize"](text) == relviz.tokenize(text)


@settings(deadline=None, max_examples=60)
@given(docs=st.lists(words, min_size=1, max_size=5), query=words)
def test_both_scores(written, docs, query):
    docs = {f"D{i}": text for i, text in enumerate(docs)}
    index = relviz.Index(docs)
    for doc, text in docs.items():
        assert written["tfidf"](query, text, docs) == pytest.approx(index.tfidf_scores(query)[doc], abs=1e-12)
        assert written["bm25"](query, text, docs) == pytest.approx(index.bm25_scores(query)[doc], abs=1e-12)


def test_both_scores_on_the_collection(written):
    docs = load_bughunt().docs
    index, query = relviz.Index(docs), lesson05.q18
    for doc in list(docs)[::8]:
        assert written["tfidf"](query, docs[doc], docs) == pytest.approx(index.tfidf_scores(query)[doc], abs=1e-12)
        assert written["bm25"](query, docs[doc], docs) == pytest.approx(index.bm25_scores(query)[doc], abs=1e-12)


def test_what_the_lesson_says_in_words_is_so():
    d = lesson05.difference
    up, down, equal = (d > 1e-9).sum(), (d < -1e-9).sum(), (abs(d) <= 1e-9).sum()
    assert (up, down, equal) == (6, 8, 16)  # "loses more queries than it wins"
    assert d.mean() > 0  # "the higher mean"
    low, high = relviz.paired_bootstrap(*lesson05.ndcg)
    assert low < 0 < high  # "the interval holds 0"
    assert list(load_bughunt().queries)[d.argmax()] == "q18"
    assert d.max() > d.sum() / 2  # "one query carried more than half of the gain"
    assert lesson05.hits == [65, 63]  # "a handful of documents"
    assert f"{lesson05.sd:.4f}" == "0.0953"
    assert [relviz.queries_needed(x, 0.02) for x in (lesson05.sd, round(lesson05.sd, 3))] == [179, 178]
    assert relviz.queries_needed(lesson05.sd, 0.05) == 29
    assert power_of(30, lesson05.sd, 0.05) > 0.8  # "would probably have shown"
    assert power_of(30, lesson05.sd, 0.02) == pytest.approx(1 / 5, abs=0.02)  # "missed about four times in five"
    precision = [
        [
            relviz.precision_at_k(search(text), lesson05.bughunt.qrels[q], 5)
            for q, text in lesson05.bughunt.queries.items()
        ]
        for search in (lesson05.index.tfidf, lesson05.index.bm25)
    ]
    changed = [b - a for a, b in zip(*precision) if a != b]
    assert len(changed) == 2  # "only two queries changed"
    flips = [abs(x * changed[0] + y * changed[1]) for x in (-1, 1) for y in (-1, 1)]
    assert sum(flip >= abs(sum(changed)) - 1e-12 for flip in flips) / 4 == 0.5  # "no p can go below 0.5"


def test_what_the_lesson_says_of_q18_is_so():
    docs, rel = lesson05.bughunt.docs, lesson05.bughunt.qrels["q18"]
    index, q18 = lesson05.index, lesson05.q18
    wrong, right = index.tfidf(q18)[0], index.bm25(q18)[0]
    assert (rel.get(wrong, 0), rel[right]) == (0, 2)
    assert docs[wrong].count("列表") > 2  # "says 列表 so many times and 收藏 never"
    assert "收藏" not in docs[wrong]
    assert len(index.bm25_terms(q18, wrong)) < len(index.bm25_terms(q18, right))
    close, clear = (f(q18)[right] / f(q18)[wrong] for f in (index.tfidf_scores, index.bm25_scores))
    assert close > 0.9  # "the left half is a close race, the right half is not"
    assert clear > 1.3
    assert index.bm25(q18, k1=100)[0] == wrong  # "must bring it back to the top"


def test_which_suspect_decides_q18():
    """Both changes from TF-IDF to BM25, each made alone, from either end; written apart from relviz.Index."""
    docs, q18 = {doc: Counter(relviz.tokenize(text)) for doc, text in lesson05.bughunt.docs.items()}, lesson05.q18
    df, n = Counter(term for counts in docs.values() for term in counts), len(docs)
    mean = sum(counts.total() for counts in docs.values()) / n
    of_tfidf = {t: math.log((1 + n) / (1 + x)) + 1 for t, x in df.items()}
    of_bm25 = {t: math.log(1 + (n - x + 0.5) / (x + 0.5)) for t, x in df.items()}
    query = Counter(t for t in relviz.tokenize(q18) if t in df)

    def bm25(idf):
        def score(counts):
            norm = 1.2 * (0.25 + 0.75 * counts.total() / mean)
            return sum(x * idf[t] * counts[t] * 2.2 / (counts[t] + norm) for t, x in query.items())

        return sorted(docs, key=lambda doc: -score(docs[doc]))

    def cosine(idf, factor):
        def score(counts):
            shared = sum(x * idf[t] * factor(counts[t]) * idf[t] for t, x in query.items())
            return shared / math.hypot(*(factor(x) * idf[t] for t, x in counts.items()))

        return sorted(docs, key=lambda doc: -score(docs[doc]))

    saturated = {"plain": lambda tf: tf, "saturated": lambda tf: tf * 2.2 / (tf + 1.2)}
    wrong, right = "REQ-11", "REQ-09"
    assert bm25(of_bm25)[:2] == [right, "BUG-118"]
    assert bm25(of_tfidf)[:2] == [right, wrong]  # "stays first"
    start, other_idf, saturation = (
        cosine(of_tfidf, saturated["plain"]),
        cosine(of_bm25, saturated["plain"]),
        cosine(of_tfidf, saturated["saturated"]),
    )
    assert (start[0], other_idf[0], saturation[0]) == (wrong, right, right)  # "either change alone"
    ranks = [ranking.index("BUG-118") + 1 for ranking in (start, other_idf, saturation)]
    assert ranks == [5, 5, 2]  # "only saturation also brings up BUG-118, from rank 5 to rank 2"
    assert lesson05.bughunt.qrels["q18"]["BUG-118"] == 2  # "answers the query too"
    shown = next(str(c.outputs[0].data) for c in NOTEBOOK.cells if "relviz.ranked(swapped)" in c.source)
    assert bm25(of_tfidf)[:3] == re.findall(r"[A-Z]+-\d+", shown)


def test_a_bm25_score_has_a_limit_that_depends_on_the_query(written):
    docs = {"D1": "tag " * 10_000, "D2": "lost", "D3": "page"}
    most = 2.2 * math.log(1 + 2.5 / 1.5)
    assert 1 < written["bm25"]("tag", docs["D1"], docs, b=0) < most  # "does not stop at 1"


def test_the_scores_on_paper(written):
    tiny = {"D1": "tag lost", "D2": "tag page blank tag", "D3": "page error"}
    tag, rare = math.log(4 / 3) + 1, math.log(4 / 2) + 1  # in 2 of 3 documents, in 1 of 3
    shared, query, d2 = tag * 2 * tag, math.sqrt(tag**2 + rare**2), math.sqrt((2 * tag) ** 2 + tag**2 + rare**2)
    assert [f"{x:.3f}" for x in (tag, rare, query, 2 * tag, d2, shared)] == [
        "1.288",
        "1.693",
        "2.127",
        "2.575",
        "3.340",
        "3.316",
    ]
    assert written["tfidf"]("tag lost", tiny["D2"], tiny) == pytest.approx(shared / query / d2)
    idf, bracket = math.log(1 + 1.5 / 2.5), 1 - 0.75 + 0.75 * 4 / (8 / 3)
    assert written["bm25"]("tag lost", tiny["D2"], tiny) == pytest.approx(idf * 2 * 2.2 / (2 + 1.2 * bracket))
    page = next(c.source for c in NOTEBOOK.cells if c.source.startswith("On paper, for D2 ("))
    assert page.endswith("3.316 / (2.127 · 3.340) = 0.467. In code:")


def test_the_number_of_queries_grows_with_the_square():
    assert (0.05 / 0.02, (0.05 / 0.02) ** 2) == (2.5, 6.25)
    few, many = (relviz.queries_needed(lesson05.sd, x) for x in (0.05, 0.02))
    assert many == pytest.approx(6.25 * few, abs=6.25)  # both rounded up


def test_the_table_has_the_printed_means():
    html = next(
        output.data["text/html"]
        for cell in NOTEBOOK.cells
        if cell.cell_type == "code" and "precision@5</th>" in str(cell.outputs)
        for output in cell.outputs
    )
    rows = re.findall(r"<th>(\S+@\d+)</th>" + r"\s*<td>([^<]+)</td>" * 6, html)
    assert [row[:4] for row in rows] == [  # chapter 000, its printed output
        ("recall@5", "0.844", "0.828", "-0.017"),
        ("precision@5", "0.433", "0.420", "-0.013"),
        ("MRR@10", "0.950", "1.000", "0.050"),
        ("nDCG@5", "0.871", "0.890", "0.018"),
    ]
