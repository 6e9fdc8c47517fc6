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

from relviz.checks import NO_NUMBERS, each, ids, is_finite, whole
from relviz.locale import say, short

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
    grades = each("grades", grades)
    for rank, grade in enumerate(grades, start=1):
        if not is_grade(grade):
            raise ValueError(say("errors.grade_at", rank=rank, grade=short(grade)))
    return [(gain_of(grade), discount_of(rank)) for rank, grade in enumerate(grades, start=1)]


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
    return list(dict.fromkeys(ids(ranking)))


# ---------- the rules, each in one place ----------


def top(ranking: Sequence[str], k: int) -> Sequence[str]:
    """The first k documents of a ranking in which no document may stand twice."""
    docs, k = ids(ranking), as_k(k)
    seen: dict[str, int] = {}
    for rank, doc in enumerate(docs, start=1):
        if doc in seen:
            raise ValueError(say("errors.ranking_twice", doc=short(doc), first=seen[doc], rank=rank))
        seen[doc] = rank
    return docs[:k]


def as_k(k: int) -> int:
    """K as an int of at least 1."""
    return whole("k", k)


def as_threshold(threshold: int) -> int:
    """The lowest relevant grade as an int of at least 1."""
    if not is_grade(threshold) or threshold < 1:
        raise ValueError(say("errors.threshold", got=short(threshold)))
    return int(threshold)


def grades_of(rel: Mapping[str, int]) -> Mapping[str, int]:
    """The judgements themselves, after a check that ids are text and each grade is a whole number of at least 0."""
    if not isinstance(rel, Mapping):
        raise ValueError(say("errors.rel", kind=type(rel).__name__))
    for doc, grade in rel.items():
        if isinstance(grade, Mapping):
            raise ValueError(say("errors.rel_many", query=short(doc), docs=short(grade)))
        if not isinstance(doc, str):
            raise ValueError(say("errors.rel_id", doc=short(doc), kind=type(doc).__name__))
        if not is_grade(grade):
            raise ValueError(say("errors.grade", doc=short(doc), grade=short(grade)))
    return rel


def is_grade(grade: object) -> bool:
    """Whether it is a whole number of at least 0."""
    return isinstance(grade, Integral) and not isinstance(grade, NO_NUMBERS) and int(grade) >= 0


def as_gain(gain: Gain) -> Callable[[int], float]:
    """The gain as a function of the grade, which answers with a finite number of at least 0."""
    if isinstance(gain, str) and gain == "linear":
        return lambda grade: grade
    if isinstance(gain, str) and gain == "exponential":
        return lambda grade: 2**grade - 1
    if not callable(gain) and not isinstance(gain, Mapping):
        raise ValueError(say("errors.gain", got=short(gain)))

    def weigh(grade: int) -> float:
        weight = gain(grade) if callable(gain) else _weight(gain, grade)
        if not is_finite(weight) or weight < 0:
            raise ValueError(say("errors.gain_of", grade=short(grade), got=short(weight)))
        return weight

    return weigh


def _weight(weights: Mapping[int, float], grade: int) -> float:
    """What a mapping says of a grade; an unmentioned grade 0 weighs nothing."""
    try:
        return {0: 0.0, **weights}[grade]
    except KeyError:
        known = ", ".join(map(short, {0: 0.0, **weights}))
        raise ValueError(say("errors.gain_silent", grade=short(grade), known=f"[{known}]")) from None


def as_discount(discount: Discount) -> Callable[[int], float]:
    """The discount as a function of the rank, which answers with a finite number above 0."""
    if isinstance(discount, str) and discount == "log2":
        return lambda rank: math.log2(rank + 1)
    if callable(discount):
        return _positive(discount)
    if isinstance(discount, str) or not is_finite(discount) or discount <= 1:
        raise ValueError(say("errors.discount", got=short(discount)))
    return lambda rank: 1.0 if rank < discount else math.log(rank, discount)


def _positive(discount: Callable[[int], float]) -> Callable[[int], float]:
    def checked(rank: int) -> float:
        value = discount(rank)
        if not is_finite(value) or value <= 0:
            raise ValueError(say("errors.discount_of", rank=rank, got=short(value)))
        return value

    return checked
