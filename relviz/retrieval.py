"""Two small retrievers to compare: TF-IDF cosine and BM25, for Chinese and English text."""

import math
import re
from collections import Counter
from collections.abc import Mapping

from relviz.checks import finite
from relviz.locale import say, short

__all__ = ["Index", "tokenize"]

Terms = list[tuple[str, float]]


def tokenize(text: str) -> list[str]:
    """Lower-case words and numbers; a run of Chinese characters gives each character and each neighbouring pair.

    Everything else separates. Source: chapter 000. Built in lesson 05.
    """
    if not isinstance(text, str):
        raise ValueError(say("errors.text", got=short(text)))
    tokens = []
    for run in re.findall(r"[a-z0-9]+|[一-鿿]+", text.lower()):
        if run.isascii():
            tokens.append(run)
        else:
            tokens += list(run) + [run[i : i + 2] for i in range(len(run) - 1)]
    return tokens


class Index:
    """A collection `{document id: text}` that can be searched in two ways.

    `tfidf` and `bm25` rank every document, best first, equal scores by id; `tfidf_scores` and `bm25_scores` give the
    scores; `tfidf_terms` and `bm25_terms` take the score of one document apart, term by term: their sum is the score.
    Source: chapter 000. Built in lesson 05.
    """

    def __init__(self, docs: Mapping[str, str]) -> None:
        if not isinstance(docs, Mapping):
            raise ValueError(say("errors.docs", kind=type(docs).__name__))
        if not docs:
            raise ValueError(say("errors.no_docs"))
        for doc, text in docs.items():
            if not isinstance(doc, str) or not isinstance(text, str):
                raise ValueError(say("errors.docs_text", doc=short(doc), text=short(text)))
        self._counts = {doc: Counter(tokenize(text)) for doc, text in docs.items()}
        self._lengths = {doc: counts.total() for doc, counts in self._counts.items()}
        self._df = Counter(term for counts in self._counts.values() for term in counts)
        self._mean_length = sum(self._lengths.values()) / len(docs)
        self._vectors = {doc: self._vector(counts) for doc, counts in self._counts.items()}

    def __len__(self) -> int:
        return len(self._counts)

    def tf(self, term: str, doc: str) -> int:
        """How often a term stands in a document."""
        return self._counts[self._known(doc)][_term(term)]

    def df(self, term: str) -> int:
        """In how many documents a term stands."""
        return self._df[_term(term)]

    def length(self, doc: str) -> int:
        """How many terms a document has."""
        return self._lengths[self._known(doc)]

    @property
    def mean_length(self) -> float:
        """How many terms a document has on average."""
        return self._mean_length

    def tfidf_vector(self, text: str) -> dict[str, float]:
        """The TF-IDF weight of each term of any text, scaled to a vector of length 1."""
        return self._vector(Counter(tokenize(text)))

    def tfidf(self, query: str) -> list[str]:
        """All documents, best first, by the cosine of their TF-IDF vectors with the query's."""
        return _ranked(self.tfidf_scores(query))

    def bm25(self, query: str, k1: float = 1.2, b: float = 0.75) -> list[str]:
        """All documents, best first, by BM25."""
        return _ranked(self.bm25_scores(query, k1, b))

    def tfidf_scores(self, query: str) -> dict[str, float]:
        """TF-IDF cosine of every document with the query, in [0, 1]."""
        return {doc: _sum(self.tfidf_terms(query, doc)) for doc in self._counts}

    def bm25_scores(self, query: str, k1: float = 1.2, b: float = 0.75) -> dict[str, float]:
        """BM25 of every document for the query, at least 0."""
        return {doc: _sum(self.bm25_terms(query, doc, k1, b)) for doc in self._counts}

    def tfidf_terms(self, query: str, doc: str) -> Terms:
        """What each shared term adds to the cosine: query weight times document weight, in the document's order.

        A weight is tf * idf divided by the length of its vector, with idf = ln((1 + n) / (1 + df)) + 1, never 0.
        """
        query_vector = self.tfidf_vector(query)
        return [(t, query_vector[t] * x) for t, x in self._vectors[self._known(doc)].items() if t in query_vector]

    def bm25_terms(self, query: str, doc: str, k1: float = 1.2, b: float = 0.75) -> Terms:
        """What each term of the query adds to BM25, in the query's order; a term asked twice counts twice.

        idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / mean length)),
        with idf = ln(1 + (n - df + 0.5) / (df + 0.5)).
        """
        counts = self._counts[self._known(doc)]
        finite("k1", k1)
        if finite("b", b) > 1:
            raise ValueError(say("errors.unit", name="b", got=short(b)))
        norm = k1 * (1 - b + b * self._lengths[doc] / self._mean_length) if self._mean_length else k1
        terms = []
        for term in tokenize(query):
            if tf := counts[term]:
                terms.append((term, self.bm25_idf(term) * tf * (k1 + 1) / (tf + norm)))
        return terms

    def bm25_idf(self, term: str) -> float:
        """How much a term tells documents apart in BM25: the rarer, the more; never below 0."""
        df = self.df(term)
        return math.log(1 + (len(self) - df + 0.5) / (df + 0.5))

    def _vector(self, counts: Mapping[str, int]) -> dict[str, float]:
        n = len(self._counts)
        weights = {t: tf * (math.log((1 + n) / (1 + self._df[t])) + 1) for t, tf in counts.items()}
        length = math.sqrt(sum(w * w for w in weights.values())) or 1.0
        return {t: w / length for t, w in weights.items()}

    def _known(self, doc: str) -> str:
        if not isinstance(doc, str) or doc not in self._counts:
            raise ValueError(say("errors.not_indexed", doc=short(doc), n=len(self._counts)))
        return doc


def _term(term: str) -> str:
    if not isinstance(term, str):
        raise ValueError(say("errors.term", got=short(term)))
    return term


def _sum(terms: Terms) -> float:
    return math.fsum(x for _, x in terms)


def _ranked(scores: Mapping[str, float]) -> list[str]:
    return sorted(scores, key=lambda doc: (-scores[doc], doc))
