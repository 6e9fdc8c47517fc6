"""The exercises of lesson 06: scaled scores, sums of reciprocal ranks, constant, weights, and what an answer needs."""

from collections.abc import Collection, Sequence

import numpy as np

from relviz.datasets import bughunt_path, load_bughunt
from relviz.evaluate import evaluate
from relviz.fusion import rrf
from relviz.lessons import Exercise
from relviz.metrics import ndcg_at_k
from relviz.qrels import ranked, read_run

bughunt = load_bughunt()
runs = {name: read_run(bughunt_path(f"runs/{name}.run")) for name in ("bm25", "dense")}
lists = {name: {q: ranked(run[q]) for q in bughunt.queries} for name, run in runs.items()}
fused = {q: dict(rrf([lists["bm25"][q], lists["dense"][q]])) for q in bughunt.queries}

bm25, dense, both = (
    np.array([ndcg_at_k(ranked(run[q]), rel, 5) for q, rel in bughunt.qrels.items()])
    for run in (runs["bm25"], runs["dense"], fused)
)
above_both = (both > bm25 + 1e-9) & (both > dense + 1e-9)
better = [q for q, yes in zip(bughunt.qrels, above_both) if yes]
lucky = evaluate(fused, bughunt.qrels, "nDCG@5", ties="highest").scores["run"]["nDCG@5"]

three = [["A", "B", "C"], ["B", "D", "A"], ["C", "D"]]

high, low = ([lists[name]["q18"].index(doc) + 1 for name in ("bm25", "dense")] for doc in ("BUG-118", "BUG-101"))
# w/(60 + high[0]) + 1/(60 + high[1]) = w/(60 + low[0]) + 1/(60 + low[1])
crossing = (1 / (60 + low[1]) - 1 / (60 + high[1])) / (1 / (60 + high[0]) - 1 / (60 + low[0]))
weight = int(crossing) + 1


def rrf_sum(ranks: Sequence[int | None], k: float) -> float:
    """The sum of reciprocal ranks of one document; None where a list does not hold it."""
    return sum(1 / (k + rank) for rank in ranks if rank is not None)


def zero_based(ranks: Sequence[int | None], k: float) -> float:
    """The sum with ranks from 0."""
    return rrf_sum(ranks, k - 1)


def averaged(ranks: Sequence[int | None], k: float) -> float:
    """The sum divided by the number of lists that hold the document."""
    return rrf_sum(ranks, k) / sum(rank is not None for rank in ranks)


def fixed(ranks: Sequence[int | None], k: float) -> float:
    """The sum with 60, whatever k is."""
    return rrf_sum(ranks, 60)


def all_needed(ranking: Sequence[str], needed: Collection[str], k: int) -> bool:
    """Whether every needed document stands in the first k."""
    return set(needed) <= set(ranking[:k])


def any_needed(ranking: Sequence[str], needed: Collection[str], k: int) -> bool:
    """Whether one of them does."""
    return bool(set(needed) & set(ranking[:k]))


def anywhere(ranking: Sequence[str], needed: Collection[str], k: int) -> bool:
    """Whether all stand in the ranking, however far down."""
    return set(needed) <= set(ranking)


def share(ranking: Sequence[str], needed: Collection[str], k: int) -> float:
    """How much of it is there."""
    return len(set(needed) & set(ranking[:k])) / len(needed)


EXERCISES = [
    Exercise(
        "06.1",
        (7.5 - 2.0) / (12.0 - 2.0),
        mistakes={"without_d": (7.5 - 7.1) / (12.0 - 7.1), "by_largest": 7.5 / 12.0, "undivided": 7.5 - 2.0},
        facts={"before": f"{(7.5 - 7.1) / (12.0 - 7.1):.2f}"},
    ),
    Exercise(
        "06.2",
        1 / 64 + 1 / 70,
        mistakes={"ranks_added": 1 / 74, "from_zero": 1 / 63 + 1 / 69, "mean": (1 / 64 + 1 / 70) / 2},
        tolerance=0.00005,
    ),
    Exercise(
        "06.3",
        [doc for doc, _ in rrf(three)],
        mistakes={
            "two_lists": [doc for doc, _ in rrf(three[:2])],
            "tie_turned": ["B", "C", "A", "D"],
            "d_over": ["B", "D", "A", "C"],
        },
        facts={"sums": [f"{doc} {total:.6f}" for doc, total in rrf(three)]},
    ),
    Exercise("06.4", 9, mistakes={"tie": 8, "too_small": 3, "usual": 60}),
    Exercise(
        "06.5",
        rrf_sum,
        cases=[([1, 2], 60), ([3, None], 60), ([None, 1, 1], 1), ([2, 2, 2], 10)],
        mistakes={"zero_based": zero_based, "averaged": averaged, "fixed": fixed},
        tolerance=0.00001,
    ),
    Exercise(
        "06.6",
        len(better),
        mistakes={
            "than_bm25": int((both > bm25 + 1e-9).sum()),
            "than_dense": int((both > dense + 1e-9).sum()),
            "at_least": int(((both > bm25 - 1e-9) & (both > dense - 1e-9)).sum()),
        },
        facts={
            "names": better,
            "lucky": int(((lucky > bm25 + 1e-9) & (lucky > dense + 1e-9)).sum()),
        },
    ),
    Exercise(
        "06.7",
        weight,
        mistakes={"one_less": weight - 1, "unrounded": crossing, "double": 2},
        facts={"crossing": f"{crossing:.2f}", "a": high, "b": low},
    ),
    Exercise(
        "06.8",
        all_needed,
        cases=[
            (["A", "X", "Y"], ["A", "B"], 3),
            (["A", "B", "X"], ["A", "B"], 3),
            (["A", "X", "B"], ["A", "B"], 2),
            (["X", "Y"], ["A"], 2),
        ],
        mistakes={"any_needed": any_needed, "anywhere": anywhere, "share": share},
    ),
]
