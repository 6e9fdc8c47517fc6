"""What nobody judged, in two worlds that the judgements allow: one speaks for A, the other for B."""

import heapq
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from relviz.metrics import unique
from relviz.qrels import as_run

__all__ = ["Worlds", "worlds"]

Qrels = Mapping[str, Mapping[str, int]]
Run = Mapping[str, Any]


@dataclass(frozen=True)
class Worlds:
    """n: how many of the first documents nobody judged, of those that A and B rank differently. grade: what they get.

    for_a, for_b: the judgements then.
    """

    n: int
    grade: int
    for_a: Qrels
    for_b: Qrels


def worlds(a: Run, b: Run, qrels: Qrels, queries: Collection[str], k: int) -> Worlds:
    """Judgements in which each unjudged document among the first k has the highest grade that occurs, or none.

    In the world for A, those that A ranks higher than B have the grade and the others do not; in the world for B, the
    other way round. Both give a document one grade for both runs, which two bounds computed apart would not, and both
    could be true, so that a difference whose sign they do not share is not known.
    """
    grade, n = max((grade for rel in qrels.values() for grade in rel.values()), default=0), 0
    for_a, for_b = dict(qrels), dict(qrels)
    for query in queries:
        rel = qrels[query]
        ours, theirs = (
            {doc: place for place, doc in enumerate(first(run.get(query, ()), k)) if doc not in rel} for run in (a, b)
        )
        for world, mine, other in ((for_a, ours, theirs), (for_b, theirs, ours)):
            better = [doc for doc, place in mine.items() if place < other.get(doc, k)]
            n += len(better)
            if better:
                world[query] = {**rel, **dict.fromkeys(better, grade)}
    return Worlds(n, grade, for_a, for_b)


def first(ranking: Mapping[str, float] | Sequence[str], k: int) -> list[str]:
    """The first k documents of one ranking, in the order that `ranked` gives."""
    if not isinstance(ranking, Mapping):
        return unique(ranking)[:k]
    scores = as_run({"any": ranking})["any"]
    return heapq.nlargest(k, scores, key=lambda doc: (scores[doc], doc))
