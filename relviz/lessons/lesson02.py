"""The exercises of lesson 02: counts and divisors, hit rate, MRR, a DCG, all four at once, a worst order, a mean."""

from typing import Any

from relviz.lessons import Exercise
from relviz.metrics import dcg, ndcg_at_k, precision_at_k, recall_at_k, reciprocal_rank

REL = {"BUG-118": 2, "REQ-09": 2, "EXP-05": 1}
A = ["REQ-11", "REQ-09", "BUG-109", "BUG-101", "BUG-118"]
B = ["REQ-09", "BUG-118", "REQ-11", "BUG-101", "BUG-109"]
SHORT = ["BUG-118", "REQ-11", "EXP-05", "BUG-109"]
HITS = [(A, REL, 1), (A, REL, 2), (B, REL, 5), (A[:1], REL, 5), (["X", "EXP-05"], REL, 5), (A, {"Z": 0, **REL}, 3)]

NEEDED = {"A1": 1, "B1": 1}
RETURNED = ["A1", "X", "Y"]
WORST = ["BUG-118", "REQ-11", "BUG-101", "BUG-109", "REQ-09"]


def hit_at_k(ranking: list[str], rel: dict[str, int], k: int) -> int:
    """1 if a relevant document stands in the first k, else 0."""
    return int(any(rel.get(doc, 0) > 0 for doc in ranking[:k]))


def is_worst(answer: Any) -> bool:
    """Whether the documents of B stand in an order with RR 1 and the lowest nDCG@5; there are several."""
    try:
        docs = [str(doc) for doc in answer]
    except TypeError:
        return False
    same_documents = sorted(docs) == sorted(B)
    return same_documents and [REL.get(doc, 0) for doc in docs] == [REL.get(doc, 0) for doc in WORST]


EXERCISES = [
    Exercise("02.1", recall_at_k(A, REL, 4), mistakes={"by_k": 1 / 4, "hit": 1, "grades": 2 / 5}),
    Exercise(
        "02.2", precision_at_k(SHORT, REL, 5), mistakes={"by_returned": 2 / 4, "recall": 2 / 3, "only_two": 1 / 5}
    ),
    Exercise(
        "02.3",
        hit_at_k,
        cases=HITS,
        tolerance=0,
        mistakes={
            "recall": recall_at_k,
            "count": lambda ranking, rel, k: sum(rel.get(doc, 0) > 0 for doc in ranking[:k]),
            "first_only": lambda ranking, rel, k: int(rel.get(ranking[0], 0) > 0),
        },
    ),
    Exercise(
        "02.4",
        (1 + 1 / 2 + 0 + 1 / 4) / 4,
        mistakes={
            "no_cut": (1 + 1 / 2 + 1 / 12 + 1 / 4) / 4,
            "left_out": (1 + 1 / 2 + 1 / 4) / 3,
            "mean_rank": 4 / (1 + 2 + 12 + 4),
        },
    ),
    Exercise(
        "02.5",
        dcg([0, 2, 1]),
        mistakes={
            "no_discount": 3,
            "by_rank": 2 / 2 + 1 / 3,
            "two_free": dcg([0, 2, 1], discount=2),
            "exponential": dcg([0, 2, 1], gain="exponential"),
        },
    ),
    Exercise(
        "02.6",
        [
            precision_at_k(RETURNED, NEEDED, 3),
            recall_at_k(RETURNED, NEEDED, 3),
            reciprocal_rank(RETURNED, NEEDED),
            ndcg_at_k(RETURNED, NEEDED, 3),
        ],
        mistakes={
            "swapped": [1 / 2, 1 / 3, 1, ndcg_at_k(RETURNED, NEEDED, 3)],
            "own_ideal": [1 / 3, 1 / 2, 1, 1],
            "dcg": [1 / 3, 1 / 2, 1, 1 / dcg([1, 1, 1])],
        },
        facts={"ndcg": f"{ndcg_at_k(RETURNED, NEEDED, 3):.3f}", "ideal": f"{dcg([1, 1]):.3f}"},
    ),
    Exercise(
        "02.7",
        WORST,
        accept=is_worst,
        mistakes={
            "unchanged": B,
            "no_first": A,
            "too_high": ["REQ-09", "REQ-11", "BUG-118", "BUG-101", "BUG-109"],
            "others": ["BUG-118", "REQ-11", "BUG-101", "BUG-109", "EXP-05"],
        },
        facts={"low": f"{ndcg_at_k(WORST, REL, 5):.3f}", "high": f"{ndcg_at_k(B, REL, 5):.3f}"},
    ),
    Exercise("02.8", (0.5 + 0.8) / 2, mistakes={"zero": 1.3 / 3, "one": 2.3 / 3, "sum": 1.3}),
]
