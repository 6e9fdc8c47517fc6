"""Reciprocal Rank Fusion: join rankings by their ranks, because their scores are not on one scale."""

import math
from collections.abc import Iterable, Sequence
from numbers import Real

from relviz.metrics import unique

__all__ = ["rrf"]


def rrf(
    rankings: Iterable[Sequence[str]], k: float = 60, *, weights: Sequence[float] | None = None
) -> list[tuple[str, float]]:
    """Each document earns weight / (k + rank) from every ranking that holds it; the sums, best first.

    Ranks start at 1. A document that is missing from a ranking earns nothing there; one that stands twice counts at
    its best rank; equal sums are ordered by document id, ascending. k is a smoothing constant, not a cutoff:
    finite and at least 0. weights: one per ranking, finite and at least 0; all 1 when left out.
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
    rankings = list(rankings)
    _check_number("the constant k", k)
    weights = [1.0] * len(rankings) if weights is None else list(weights)
    if len(weights) != len(rankings):
        raise ValueError(f"{len(rankings)} rankings need {len(rankings)} weights, got {len(weights)}")
    shares: dict[str, list[float]] = {}
    for number, (ranking, weight) in enumerate(zip(rankings, weights)):
        if isinstance(ranking, str):
            raise ValueError(f"ranking {number + 1} is the text {ranking!r}; a ranking is a list of document ids")
        _check_number(f"weight {number + 1}", weight)
        for rank, doc in enumerate(unique(ranking), start=1):
            shares.setdefault(doc, [0.0] * len(rankings))[number] = weight / (k + rank)
    return shares


def _check_number(what: str, value: float) -> None:
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value) or value < 0:
        raise ValueError(f"{what} is a finite number of at least 0, got {value!r}")
