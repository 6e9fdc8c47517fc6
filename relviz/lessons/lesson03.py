"""The exercises of lesson 03: denominators, a discount, ties, queries that count, and eight suspect functions."""

import math
from collections.abc import Callable, Mapping, Sequence

import relviz
from relviz.lessons import Exercise
from relviz.lessons.suspect import INNOCENT, Suspect
from relviz.locale import say
from relviz.metrics import grades_of

Ranking = Sequence[str]
Grades = Mapping[str, int]

Q18 = {"BUG-118": 2, "REQ-09": 2, "EXP-05": 1}
A = ["BUG-104", "BUG-118", "BUG-101", "BUG-124", "REQ-09"]  # TF-IDF's grades for q18: 0, 2, 0, 0, 2

# ---------- the suspects, as they stand in the lesson ----------


def suspect1(ranking: Ranking, rel: Grades, k: int) -> float:
    """Precision@k."""
    first = ranking[:k]
    return sum(rel.get(doc, 0) > 0 for doc in first) / len(first)


def suspect2(ranking: Ranking, rel: Grades, k: int) -> float:
    """Recall@k."""
    relevant = {doc for doc, grade in rel.items() if grade > 0}
    missed = relevant - set(ranking[:k])
    return 1 - len(missed) / len(relevant)


def suspect3(ranking: Ranking, rel: Grades, k: int) -> float:
    """Reciprocal rank, cut at k."""
    for rank, doc in enumerate(ranking[:k], start=1):
        if doc in rel:
            return 1 / rank
    return 0


def suspect4(ranking: Ranking, rel: Grades, k: int) -> float:
    """nDCG@k with linear gain and log2(rank + 1)."""
    reached = sum(rel.get(doc, 0) / math.log2(i + 2) for i, doc in enumerate(ranking[:k]))
    best = sorted(rel.values(), reverse=True)
    return reached / sum(grade / math.log2(i + 2) for i, grade in enumerate(best[:k]))


def suspect5(ranking: Ranking, rel: Grades, k: int) -> float:
    """nDCG@k, once more."""
    reached = relviz.dcg([rel.get(doc, 0) for doc in ranking[:k]])
    best = sorted(rel.values(), reverse=True)
    return reached / relviz.dcg(best)


def suspect6(scores: Mapping[str, float]) -> list[str]:
    """The ranking of {document: score}; equal scores by id, descending."""
    return sorted(scores, key=scores.get, reverse=True)  # type: ignore[arg-type]


def suspect7(ranks: Sequence[int]) -> float:
    """MRR@10 from the rank of the first relevant document of each query, 0 where there is none."""
    found = [1 / rank for rank in ranks if 0 < rank <= 10]
    return sum(found) / len(found)


def suspect8(ranking: Ranking, rel: Grades, k: int) -> float:
    """Precision@k; of a document that stands twice the first counts, and the others move up."""
    kept = sorted(set(ranking), key=ranking.index)[:k]
    return sum(rel.get(doc, 0) > 0 for doc in kept) / k


# ---------- the right functions, which also say what is no input ----------

HIGHEST = 1000  # larger grades would ask about floats, not about the function: a sum of 10**308s is infinite


def defined(value: float | None) -> float:
    """The value, unless nothing is relevant: the suspects may rely on that."""
    if value is None:
        raise ValueError(say("errors.undefined"))
    return value


def promised(measure: Callable[[Ranking, Grades, int], float | None]) -> Callable[[Ranking, Grades, int], float]:
    """The measure where the suspects promise something: a list, grades of a sane size, something to find."""

    def right(ranking: Ranking, rel: Grades, k: int) -> float:
        if not isinstance(ranking, list):
            raise ValueError(say("errors.ranking", kind=type(ranking).__name__))
        if max(grades_of(rel).values(), default=0) > HIGHEST:
            raise ValueError(say("errors.suspect_grades", highest=HIGHEST))
        return defined(measure(ranking, rel, k))

    return right


recall = promised(relviz.recall_at_k)
precision = promised(relviz.precision_at_k)
precision_of_unique = promised(lambda ranking, rel, k: relviz.precision_at_k(relviz.unique(ranking), rel, k))
reciprocal_rank = promised(relviz.reciprocal_rank)
ndcg = promised(relviz.ndcg_at_k)


def in_order(scores: Mapping[str, float]) -> list[str]:
    """The ranking of {document: score}."""
    if not isinstance(scores, Mapping):
        raise ValueError(say("errors.scores_of_docs", kind=type(scores).__name__))
    return relviz.ranked(relviz.as_run({"q": scores})["q"])


def mrr(ranks: Sequence[int]) -> float:
    """MRR@10 over all queries, those without a hit included."""
    if not isinstance(ranks, list) or not ranks or not all(type(r) is int and r >= 0 for r in ranks):
        raise ValueError(say("errors.ranks"))
    return sum(1 / rank for rank in ranks if 0 < rank <= 10) / len(ranks)


# What a reader tries first: everything in its place, and nothing special.
USUAL = (["a", "b", "c"], {"a": 1, "b": 2}, 3)
MISSED = (["x", "a", "y"], {"a": 1, "b": 1}, 3)

EXERCISES: list[Exercise] = [
    Exercise(
        "03.1",
        [3 / 8, 3 / 5, 1],
        mistakes={"same": [3 / 8, 3 / 8, 1], "share": [3 / 8, 3 / 5, 3 / 8], "swapped": [3 / 5, 3 / 8, 1]},
    ),
    Exercise(
        "03.2",
        defined(relviz.ndcg_at_k(A, Q18, 5, discount=2)),
        mistakes={
            "modern": defined(relviz.ndcg_at_k(A, Q18, 5)),
            "found_only": relviz.dcg([0, 2, 0, 0, 2], discount=2) / relviz.dcg([2, 2], discount=2),
            "dcg": relviz.dcg([0, 2, 0, 0, 2], discount=2),
        },
        facts={
            "dcg": f"{relviz.dcg([0, 2, 0, 0, 2], discount=2):.3f}",
            "ideal": f"{relviz.dcg([2, 2, 1], discount=2):.3f}",
        },
    ),
    Exercise(
        "03.3",
        (1 + 1 / 2 + 1 / 3 + 1 / 4) / 4,
        mistakes={"mean_rank": 1 / 2.5, "best": 1.0, "worst": 1 / 4},
    ),
    Exercise(
        "03.4",
        [7 * 0.9 / 9, 7 * 0.9 / 10],
        tolerance=0.0005,
        mistakes={"answered": [0.9, 0.9], "same": [0.7, 0.7], "swapped": [0.63, 0.7]},
    ),
    Suspect(
        "03.5",
        (["a"], {"a": 1}, 2),
        function=suspect1,
        right=precision,
        mistakes={"correct": INNOCENT, "usual": USUAL},
    ),
    Suspect(
        "03.6",
        INNOCENT,
        function=suspect2,
        right=recall,
        mistakes={"usual": USUAL, "missed": MISSED},
    ),
    Suspect(
        "03.7",
        (["a", "b"], {"a": 0, "b": 1}, 2),
        function=suspect3,
        right=reciprocal_rank,
        mistakes={"correct": INNOCENT, "usual": USUAL, "missed": MISSED},
    ),
    Suspect(
        "03.8",
        INNOCENT,
        function=suspect4,
        right=ndcg,
        mistakes={"usual": USUAL, "missed": MISSED},
    ),
    Suspect(
        "03.9",
        (["a"], {"a": 1, "b": 1}, 1),
        function=suspect5,
        right=ndcg,
        mistakes={"correct": INNOCENT, "usual": USUAL, "missed": MISSED},
    ),
    Suspect(
        "03.10",
        {"a": 1, "b": 1},
        function=suspect6,
        right=in_order,
        mistakes={"correct": INNOCENT, "usual": {"a": 3, "b": 1, "c": 2}},
    ),
    Suspect(
        "03.11",
        [1, 0],
        function=suspect7,
        right=mrr,
        mistakes={"correct": INNOCENT, "usual": [1, 2, 4]},
    ),
    Suspect(
        "03.12",
        INNOCENT,
        function=suspect8,
        right=precision_of_unique,
        mistakes={"usual": USUAL, "twice": (["a", "a", "b"], {"a": 1, "b": 1}, 2)},
    ),
]
