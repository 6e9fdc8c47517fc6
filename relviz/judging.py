"""Which documents somebody has to grade."""

from collections.abc import Iterable, Sequence

from relviz.metrics import top

__all__ = ["pool"]


def pool(rankings: Iterable[Sequence[str]], k: int) -> list[str]:
    """The documents that stand in the first k of any ranking, each once: what is sent to the judges.

    Ordered by id, so that no judge sees which system found a document, or how high. A document outside the pool stays
    unjudged, which a system that was not pooled pays for.
    Source: chapter 000, section 6; Zobel 1998. Built in lesson 01.
    """
    return sorted({doc for ranking in rankings for doc in top(ranking, k)})
