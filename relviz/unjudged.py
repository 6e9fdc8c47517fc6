"""What nobody judged, in two worlds that the judgements allow: one speaks for A, the other for B."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from relviz.metrics import unique
from relviz.qrels import as_run, ranked

__all__ = ["Worlds", "worlds"]

Qrels = Mapping[str, Mapping[str, int]]
Tops = Mapping[str, list[str]]


@dataclass(frozen=True)
class Worlds:
    """n: how many of the first documents nobody judged, of those that A and B rank differently. grade: what they get.

    for_a, for_b: the judgements then.
    """

    n: int
    grade: int
    for_a: Qrels
    for_b: Qrels


def worlds(a: Tops, b: Tops, qrels: Qrels, queries: Collection[str], k: int) -> Worlds:
    """Judgements in which each unjudged document among the first k has the highest grade that occurs, or none.

    a, b: the first k documents of each query. In the world for A, those that A ranks higher than B have the grade and
    the others do not; in the world for B, the other way round. Both give a document one grade for both runs, which two
    bounds computed apart would not, and both could be true, so that a difference whose sign they do not share is not
    known.
    """
    grade, n = max((grade for rel in qrels.values() for grade in rel.values()), default=0), 0
    for_a, for_b = dict(qrels), dict(qrels)
    for query in queries:
        rel = qrels[query]
        ours, theirs = (
            {doc: place for place, doc in enumerate(tops.get(query, ())) if doc not in rel} for tops in (a, b)
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
    if len(scores) > k:  # to sort all of a thousand for the sake of ten would take most of the time
        least = np.partition(np.fromiter(scores.values(), float, len(scores)), -k)[-k]
        scores = {doc: score for doc, score in scores.items() if score >= least}
    return ranked(scores)[:k]
