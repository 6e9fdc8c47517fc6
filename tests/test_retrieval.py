"""The two retrievers against the chapter's formulas written out, scikit-learn and bm25s."""

import math

import bm25s
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from relviz import Index, tokenize

DOCS = {"d1": "收藏 列表 显示错了", "d2": "Login fails: error 422", "d3": "收藏按钮 error", "d4": "。。。"}

texts = st.text("ab 收藏列表", min_size=1, max_size=30)
collections = st.lists(texts, min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("我收藏", ["我", "收", "藏", "我收", "收藏"]),
        ("藏", ["藏"]),
        ("Your Feed 422!", ["your", "feed", "422"]),
        ("tag没了", ["tag", "没", "了", "没了"]),
        ("naïve-test_1", ["na", "ve", "test", "1"]),
        ("收,藏", ["收", "藏"]),
        ("", []),
    ],
)
def test_tokenize(text, tokens):
    assert tokenize(text) == tokens


def test_one_bm25_score_on_paper():
    index = Index({"a": "x x y", "b": "y", "c": "z z z z z"})
    # n = 3, df(x) = 1, tf = 2, length 3, mean length 3
    expected = math.log(1 + 2.5 / 1.5) * 2 * 2.2 / (2 + 1.2)
    assert index.bm25_scores("x")["a"] == pytest.approx(expected)
    assert [t for t, _ in index.bm25_terms("x q x", "a")] == ["x", "x"]  # asked twice, counted twice
    assert index.bm25_scores("x x")["a"] == pytest.approx(2 * expected)


def test_one_tfidf_score_on_paper():
    index = Index({"a": "x y", "b": "y"})
    x, y = math.log(3 / 2) + 1, math.log(3 / 3) + 1
    assert index.tfidf_scores("x")["a"] == pytest.approx(x / math.hypot(x, y))
    assert index.tfidf_scores("y")["b"] == pytest.approx(1)


def test_every_document_is_ranked_and_equal_scores_go_by_id():
    index = Index(DOCS)
    assert index.bm25("收藏")[2:] == ["d2", "d4"]
    assert index.tfidf("nothing here") == ["d1", "d2", "d3", "d4"]
    assert index.bm25_scores("收藏")["d4"] == 0


def test_errors():
    with pytest.raises(ValueError, match="at least one document"):
        Index({})
    with pytest.raises(ValueError, match="'d9' is not in the index of 4 documents"):
        Index(DOCS).bm25_terms("收藏", "d9")


@given(collections, texts)
def test_the_terms_add_up_to_the_score(docs, query):
    index = Index({f"d{i}": text for i, text in enumerate(docs)})
    for terms, scores in ((index.tfidf_terms, index.tfidf_scores), (index.bm25_terms, index.bm25_scores)):
        for doc, score in scores(query).items():
            assert sum(x for _, x in terms(query, doc)) == pytest.approx(score, abs=1e-12)


@given(collections, texts)
def test_tfidf_equals_scikit_learn(docs, query):
    assume(any(tokenize(text) for text in docs))
    vectorizer = TfidfVectorizer(tokenizer=tokenize, token_pattern=None, lowercase=False)
    theirs = (vectorizer.fit_transform(docs) @ vectorizer.transform([query]).T).toarray().ravel()
    unseen = set(tokenize(query)) - set(vectorizer.get_feature_names_out())
    assume(not unseen)  # scikit-learn drops a word that no document has; the chapter keeps it in the query's length
    ours = Index({f"d{i}": text for i, text in enumerate(docs)}).tfidf_scores(query)
    assert list(ours.values()) == pytest.approx(theirs.tolist(), abs=1e-9)


@given(collections, texts, st.sampled_from([0.5, 1.2, 2.0]), st.sampled_from([0.0, 0.75, 1.0]))
def test_bm25_equals_bm25s(docs, query, k1, b):
    assume(any(tokenize(text) for text in docs))
    theirs = bm25s.BM25(method="lucene", k1=k1, b=b)
    theirs.index([tokenize(text) for text in docs], show_progress=False)
    known = [token for token in tokenize(query) if token in theirs.vocab_dict]
    assume(known)
    # bm25s leaves out the constant factor k1 + 1, as Lucene does: no ranking depends on it.
    expected = sum(theirs.get_scores([token]).astype(float) for token in known) * (k1 + 1)
    ours = Index({f"d{i}": text for i, text in enumerate(docs)}).bm25_scores(query, k1, b)
    assert list(ours.values()) == pytest.approx(expected.tolist(), rel=1e-5)
