"""The four measures of one query, written to be read: recall@k, precision@k, reciprocal rank and nDCG@k.

Everywhere in this module

- `ranking` is a list of document ids, best first;
- `rel` is the judgements of the query, `{document id: grade}`; a document that is not in it counts as grade 0;
- a document is *relevant* when its grade is at least `threshold` (1: every grade above 0). The threshold
  matters only to the measures that see relevant or not; nDCG uses the grades themselves.

Each rule is decided once, at the end of the module: k is a whole number of at least 1; a k larger than the ranking
is fine, the missing places hold nothing; a document that stands twice in a ranking is an error (`unique` keeps
the first); grades are whole numbers of at least 0, a threshold one of at least 1 (below it a document that nobody
judged would be relevant), a gain a finite number of at least 0. A measure that would divide by 0 because nothing is
relevant is None: neither 0 nor 1 would be true, and None cannot slip into a mean.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Integral

__all__ = ["dcg", "ideal_grades", "ndcg_at_k", "precision_at_k", "recall_at_k", "reciprocal_rank", "unique"]

Gain = str | Mapping[int, float] | Callable[[int], float]
Discount = str | float | Callable[[int], float]


def recall_at_k(ranking: Sequence[str], rel: Mapping[str, int], k: int, *, threshold: int = 1) -> float | None:
    """Share of the relevant documents that stand in the first k: found everything?

    In [0, 1]; None when no document is relevant. It cannot exceed k divided by the number of relevant documents.
    Source: chapter 000, section 2. Built in lesson 02.
    """
    grades, threshold = grades_of(rel), as_threshold(threshold)
    relevant = {doc for doc, grade in grades.items() if grade >= threshold}
    found = relevant & set(top(ranking, k))
    return len(found) / len(relevant) if relevant else None


def precision_at_k(ranking: Sequence[str], rel: Mapping[str, int], k: int, *, threshold: int = 1) -> float:
    """Share of the first k places that hold a relevant document: how little noise?

    In [0, 1]. It divides by k even when fewer than k documents came back: an empty place is not a hit.
    Source: chapter 000, section 2. Built in lesson 02.
    """
    grades, threshold = grades_of(rel), as_threshold(threshold)
    return sum(grades.get(doc, 0) >= threshold for doc in top(ranking, k)) / k


def reciprocal_rank(ranking: Sequence[str], rel: Mapping[str, int], k: int = 10, *, threshold: int = 1) -> float:
    """1 / rank of the first relevant document, 0 when none stands in the first k: how soon is something useful?

    One of 1, 1/2, ..., 1/k, 0. Its mean over queries is MRR@k.
    Source: chapter 000, section 2; Voorhees 1999 (first 5 answers). Built in lesson 02.
    """
    grades, threshold = grades_of(rel), as_threshold(threshold)
    for rank, doc in enumerate(top(ranking, k), start=1):
        if grades.get(doc, 0) >= threshold:
            return 1 / rank
    return 0.0


def dcg(grades: Iterable[int], *, gain: Gain = "linear", discount: Discount = "log2") -> float:
    """Discounted cumulative gain of grades in ranked order: sum of gain(grade) / discount(rank).

    gain: "linear" (the grade itself), "exponential" (2**grade - 1), a mapping or a function of the grade.
    discount: "log2" (log2(rank + 1)), a base b > 1 as in Järvelin and Kekäläinen 2002 (1 before rank b, then
    log_b(rank)), or a function of the rank. Both are part of the number: different ones cannot be compared.
    Source: chapter 000, section 2 (linear), chapter 004 (exponential). Built in lesson 02; the variants in lesson 03.
    """
    return sum((g / d for g, d in gains_and_discounts(grades, gain=gain, discount=discount)), 0.0)


def gains_and_discounts(
    grades: Iterable[int], *, gain: Gain = "linear", discount: Discount = "log2"
) -> list[tuple[float, float]]:
    """What stands above and below the line at each rank of a DCG: gain(grade) and discount(rank)."""
    gain_of, discount_of = as_gain(gain), as_discount(discount)
    parts = []
    for rank, grade in enumerate(grades, start=1):
        _check_grade(grade, f"the grade at rank {rank}")
        parts.append((gain_of(grade), discount_of(rank)))
    return parts


def ideal_grades(rel: Mapping[str, int], k: int, *, gain: Gain = "linear") -> list[int]:
    """The grades of the best possible first k: all judged documents, highest gain first, cut at k.

    Not the retrieved documents in a better order: a relevant document that was missed must cost something.
    Source: chapter 000, section 2. Built in lesson 02.
    """
    return sorted(grades_of(rel).values(), key=as_gain(gain), reverse=True)[: as_k(k)]


def ndcg_at_k(
    ranking: Sequence[str],
    rel: Mapping[str, int],
    k: int,
    *,
    gain: Gain = "linear",
    discount: Discount = "log2",
) -> float | None:
    """DCG of the first k divided by the DCG of the ideal first k: how good is the whole order?

    In [0, 1]; None when every judged document has gain 0. A ranking with 0 relevant documents scores 0, but a
    random order of relevant documents scores far above 0.
    Source: chapter 000, section 2; Järvelin and Kekäläinen 2002. Built in lesson 02.
    """
    grades = grades_of(rel)
    reached = dcg([grades.get(doc, 0) for doc in top(ranking, k)], gain=gain, discount=discount)
    ideal = dcg(ideal_grades(rel, k, gain=gain), gain=gain, discount=discount)
    return reached / ideal if ideal else None


def unique(ranking: Iterable[str]) -> list[str]:
    """The ranking with each document once, at its best rank.

    Source: chapter 004. Built in lesson 03.
    """
    return list(dict.fromkeys(ranking))


# ---------- the rules, each in one place ----------


def top(ranking: Sequence[str], k: int) -> Sequence[str]:
    """The first k documents of a ranking in which no document may stand twice."""
    if isinstance(ranking, str | Mapping):
        raise ValueError(
            f"a ranking is a list of document ids, best first; got a {type(ranking).__name__}. "
            "For {document: score} use relviz.ranked(scores)."
        )
    k = as_k(k)
    seen: dict[str, int] = {}
    for rank, doc in enumerate(ranking, start=1):
        if doc in seen:
            raise ValueError(
                f"document {doc!r} stands twice in the ranking, at ranks {seen[doc]} and {rank}; it would count twice. "
                "To keep the first, pass relviz.unique(ranking)."
            )
        seen[doc] = rank
    return ranking[:k]


def as_k(k: int) -> int:
    """K as an int of at least 1."""
    if isinstance(k, bool) or not isinstance(k, Integral) or k < 1:
        raise ValueError(f"k is a whole number of at least 1, got {k!r}")
    return int(k)


def as_threshold(threshold: int) -> int:
    """The lowest relevant grade as an int of at least 1."""
    if isinstance(threshold, bool) or not isinstance(threshold, Integral) or threshold < 1:
        raise ValueError(
            f"threshold is a whole number of at least 1, got {threshold!r}; "
            "at 0 every document would be relevant, judged or not"
        )
    return int(threshold)


def grades_of(rel: Mapping[str, int]) -> Mapping[str, int]:
    """The judgements themselves, after a check that each grade is a whole number of at least 0."""
    for doc, grade in rel.items():
        _check_grade(grade, f"the grade of document {doc!r}")
    return rel


def _check_grade(grade: int, whose: str) -> None:
    if isinstance(grade, bool) or not isinstance(grade, Integral) or grade < 0:
        raise ValueError(
            f"{whose} is {grade!r}; grades are whole numbers 0, 1, 2, ... "
            "(to weigh them differently, use gain={grade: weight})"
        )


def as_gain(gain: Gain) -> Callable[[int], float]:
    """The gain as a function of the grade, which answers with a finite number of at least 0."""
    if gain == "linear":
        return lambda grade: grade
    if gain == "exponential":
        return lambda grade: 2**grade - 1
    if not callable(gain) and not isinstance(gain, Mapping):
        raise ValueError(f"gain is 'linear', 'exponential', a mapping or a function, got {gain!r}")

    def weigh(grade: int) -> float:
        weight = gain(grade) if callable(gain) else _weight(gain, grade)
        if not 0 <= weight < math.inf:
            raise ValueError(f"the gain of grade {grade!r} is {weight!r}; a gain is a finite number of at least 0")
        return weight

    return weigh


def _weight(weights: Mapping[int, float], grade: int) -> float:
    """What a mapping says of a grade; an unmentioned grade 0 weighs nothing."""
    try:
        return {0: 0.0, **weights}[grade]
    except KeyError:
        known = sorted({0, *weights})
        raise ValueError(f"gain says nothing about grade {grade!r}; it knows {known}") from None


def as_discount(discount: Discount) -> Callable[[int], float]:
    """The discount as a function of the rank."""
    if callable(discount):
        return discount
    if discount == "log2":
        return lambda rank: math.log2(rank + 1)
    if isinstance(discount, str | bool) or not 1 < discount < math.inf:
        raise ValueError(f"discount is 'log2', a base greater than 1 or a function, got {discount!r}")
    return lambda rank: 1.0 if rank < discount else math.log(rank, discount)
