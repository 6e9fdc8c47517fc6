"""The exercises of lesson 05: tokens, an idf, BM25's factor, a score's strongest term, and reading a comparison."""

import math

import numpy as np

from relviz.datasets import load_bughunt
from relviz.lessons import Exercise
from relviz.metrics import ndcg_at_k, precision_at_k
from relviz.retrieval import Index, tokenize
from relviz.significance import queries_needed

bughunt = load_bughunt()
index = Index(bughunt.docs)
q18 = bughunt.queries["q18"]
terms = sorted(index.bm25_terms(q18, "BUG-118"), key=lambda term: term[1])

ndcg = np.array(
    [
        [ndcg_at_k(search(text), bughunt.qrels[q], 5) for q, text in bughunt.queries.items()]
        for search in (index.tfidf, index.bm25)
    ]
)
hits = [
    sum(round(5 * precision_at_k(search(text), bughunt.qrels[q], 5)) for q, text in bughunt.queries.items())
    for search in (index.tfidf, index.bm25)
]
difference = ndcg[1] - ndcg[0]
sd, largest, n = float(difference.std(ddof=1)), float(difference.max()), difference.size
others = float(difference.sum() - largest)


def overlap(query: str, text: str) -> int:
    """The number of different tokens that two texts share."""
    return len(set(tokenize(query)) & set(tokenize(text)))


def occurrences(query: str, text: str) -> int:
    """What `overlap` becomes when repeated tokens count again."""
    return sum(token in tokenize(query) for token in tokenize(text))


def characters(query: str, text: str) -> int:
    """What `overlap` becomes without cutting into tokens."""
    return len(set(query) & set(text))


EXERCISES = [
    Exercise(
        "05.1",
        set(tokenize("Tag 没了")),
        mistakes={"no_pair": ["tag", "没", "了"], "no_single": ["tag", "没了"], "case": ["Tag", "没", "了", "没了"]},
        facts={"tokens": tokenize("Tag 没了")},
    ),
    Exercise(
        "05.2",
        math.log(4 / 3) + 1,
        mistakes={"no_one": math.log(4 / 3), "unsmoothed": math.log(3 / 2), "log10": math.log10(4 / 3) + 1},
    ),
    Exercise(
        "05.3",
        3 * 2.2 / (3 + 1.2 * (1 - 0.75 + 0.75 * 2)),
        mistakes={
            "no_length": 3 * 2.2 / (3 + 1.2),
            "no_numerator": 3 / (3 + 1.2 * 1.75),
            "linear": 3,
            "once": 2.2 / (1 + 1.2 * 1.75),
        },
    ),
    Exercise(
        "05.4",
        terms[-1][0],
        mistakes={"weakest": terms[0][0], "whole_query": q18},
        facts={"value": f"{terms[-1][1]:.3f}"},
    ),
    Exercise(
        "05.5",
        overlap,
        cases=[(q18, bughunt.docs["BUG-118"]), (q18, bughunt.docs["REQ-09"]), ("tag page", "blank Page"), ("a", "b")],
        mistakes={"occurrences": occurrences, "characters": characters},
    ),
    Exercise(
        "05.6",
        hits[0] - hits[1],
        mistakes={"per_query": (hits[0] - hits[1]) / 5, "all_of_b": hits[1]},
        facts={"a": hits[0], "b": hits[1], "n": n},
    ),
    Exercise(
        "05.7",
        queries_needed(sd, 0.01),
        mistakes={"doubled": 2 * queries_needed(sd, 0.02), "halved": math.ceil(queries_needed(sd, 0.02) / 2)},
        tolerance=2,
        facts={"two": queries_needed(sd, 0.02)},
    ),
    Exercise(
        "05.8",
        others / (n - 1),
        mistakes={"all": float(difference.mean()), "sum": others},
        tolerance=0.0002,
        facts={"largest": f"{largest:.3f}", "left": n - 1, "n": n, "shown": f"{others / (n - 1):+.4f}"},
    ),
]
