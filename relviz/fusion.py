"""Reciprocal Rank Fusion: join rankings by their ranks, because their scores are not on one scale."""

import math
from collections.abc import Iterable, Sequence

from relviz.checks import each, finite
from relviz.locale import say, short
from relviz.metrics import unique

__all__ = ["rrf"]

HEAVIEST = 1e300  # larger weights could add up to more than a float holds


def rrf(
    rankings: Iterable[Sequence[str]], k: float = 60, *, weights: Sequence[float] | None = None
) -> list[tuple[str, float]]:
    """Each document earns weight / (k + rank) from every ranking that holds it; the sums, best first.

    Ranks start at 1. A document that is missing from a ranking earns nothing there; one that stands twice counts at
    its best rank; equal sums are ordered by document id, ascending. k is a smoothing constant, not a cutoff:
    finite and at least 0. weights: one per ranking, from 0 to 1e300; all 1 when left out.
    The sums order documents; they are no probabilities.
    Source: Cormack, Clarke and Büttcher 2009; chapter 004. Built in lesson 06.
    """
    shares = rrf_shares(rankings, k, weights=weights)
    # fsum: the same shares in another order give the same sum, so that they tie.
    sums = {doc: math.fsum(given) for doc, given in shares.items()}
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def rrf_shares(
    rankings: Iterable[Sequence[str]], k: float = 60, *, weights: Sequence[float] | None = None
) -> dict[str, list[float]]:
    """What each ranking gives each document, 0 where it is missing; rrf is the sums of these."""
    rankings = each("rankings", rankings)
    if isinstance(k, list | tuple):
        raise ValueError(say("errors.rrf_k_list", got=short(k)))
    k = finite(say("errors.rrf_k"), k)
    weights = [1.0] * len(rankings) if weights is None else each("weights", weights)
    if len(weights) != len(rankings):
        raise ValueError(say("errors.weights", rankings=len(rankings), weights=len(weights)))
    shares: dict[str, list[float]] = {}
    for number, (ranking, weight) in enumerate(zip(rankings, weights)):
        weight = finite(say("errors.rrf_weight", number=number + 1), weight, most=HEAVIEST)
        for rank, doc in enumerate(_docs(number + 1, ranking), start=1):
            shares.setdefault(doc, [0.0] * len(rankings))[number] = weight / (k + rank)
    return shares


def _docs(number: int, ranking: Sequence[str]) -> list[str]:
    """The documents of a ranking, each once; a problem says which ranking it is."""
    if isinstance(ranking, str):
        raise ValueError(say("errors.ranking_text", number=number, text=short(ranking)))
    try:
        return unique(ranking)
    except ValueError as problem:
        raise ValueError(say("errors.ranking_number", number=number, problem=problem)) from None
