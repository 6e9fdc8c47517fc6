"""Which documents somebody has to grade, and how far two people agree who did."""

from collections import Counter
from collections.abc import Iterable, Sequence

from relviz.checks import each, is_finite
from relviz.locale import say, short
from relviz.metrics import top

__all__ = ["pool", "raw_agreement", "weighted_kappa"]


def pool(rankings: Iterable[Sequence[str]], k: int) -> list[str]:
    """The documents that stand in the first k of any ranking, each once: what is sent to the judges.

    Ordered by id, so that no judge sees which system found a document, or how high. A document outside the pool stays
    unjudged, which a system that was not pooled pays for.
    Source: chapter 000, section 6; Zobel 1998. Built in lesson 01.
    """
    return sorted({doc for ranking in each("rankings", rankings) for doc in top(ranking, k)})


def raw_agreement(a: Sequence[int], b: Sequence[int]) -> float:
    """The share of pairs of query and document to which two judges gave the same grade.

    a[i] and b[i] are their grades for pair i. Where most pairs are 0, nearly everybody agrees with nearly everybody.
    Built in lesson 01.
    """
    pairs = _pairs(a, b)
    return sum(x == y for x, y in pairs) / len(pairs)


def weighted_kappa(a: Sequence[int], b: Sequence[int]) -> float | None:
    """How much nearer two judges are than their habits alone would bring them: 1 always equal, 0 no nearer, below 0
    farther apart.

    1 - observed / expected: the mean distance |x - y| of their grades on the same pair, and the mean distance of every
    grade of a from every grade of b (linear weights). None when only one grade occurs, since then nothing else could
    be expected.
    Source: Cohen 1968, Psychological Bulletin 70(4), 213-220. Built in lesson 01.
    """
    pairs = _pairs(a, b)
    ones, twos = (Counter(grades) for grades in zip(*pairs))
    observed = sum(abs(x - y) for x, y in pairs)
    expected = sum(abs(x - y) * m * n for x, m in ones.items() for y, n in twos.items())
    return 1 - observed * len(pairs) / expected if expected else None


def _pairs(a: Sequence[int], b: Sequence[int]) -> list[tuple[float, float]]:
    """The two grades of each pair, after a check that they are numbers."""
    one, two = (
        [_grade(name, place, grade) for place, grade in enumerate(grades, start=1)]
        for name, grades in (("a", each("a", a)), ("b", each("b", b)))
    )
    if len(one) != len(two):
        raise ValueError(say("errors.judges", a=len(one), b=len(two)))
    if not one:
        raise ValueError(say("errors.no_grade"))
    return list(zip(one, two))


def _grade(judge: str, place: int, grade: float) -> float:
    """Any finite number: only the distance between two grades counts."""
    if not is_finite(grade):
        raise ValueError(say("errors.judge_grade", judge=judge, place=place, got=short(grade)))
    return grade
