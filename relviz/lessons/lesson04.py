"""The exercises of lesson 04: a ceiling, a budget, recall under reordering, lost by whom, windows, a mended answer."""

import math
from collections.abc import Sequence

from relviz.lessons import Exercise
from relviz.rerank import sliding_rerank, windows


def fate(doc: str, candidates: Sequence[str], shown: Sequence[str]) -> str:
    """Where a relevant document was lost, or that it was kept."""
    if doc in shown:
        return "kept"
    return "reranker" if doc in candidates else "stage one"


def blames_reranker(doc: str, candidates: Sequence[str], shown: Sequence[str]) -> str:
    """Without a look at the candidates."""
    return "kept" if doc in shown else "reranker"


def blames_stage_one(doc: str, candidates: Sequence[str], shown: Sequence[str]) -> str:
    """As if what is not shown had never been found."""
    return "kept" if doc in shown else "stage one"


def keeps_candidates(doc: str, candidates: Sequence[str], shown: Sequence[str]) -> str:
    """As if every candidate were shown."""
    return "kept" if doc in candidates else "stage one"


def repair(candidates: Sequence[str], answer: Sequence[str]) -> list[str]:
    """A permutation of the candidates: the answer's order, each once, and those that it dropped behind."""
    known = [doc for doc in dict.fromkeys(answer) if doc in candidates]
    return known + [doc for doc in candidates if doc not in known]


def keeps_repeats(candidates: Sequence[str], answer: Sequence[str]) -> list[str]:
    """`repair` that leaves a document that was named twice."""
    return [doc for doc in answer if doc in candidates] + [doc for doc in candidates if doc not in answer]


def keeps_invented(candidates: Sequence[str], answer: Sequence[str]) -> list[str]:
    """`repair` that believes in every document that was named."""
    return [*dict.fromkeys(answer)] + [doc for doc in candidates if doc not in answer]


def believes(candidates: Sequence[str], answer: Sequence[str]) -> list[str]:
    """The answer as it came."""
    return list(answer)


def loses_dropped(candidates: Sequence[str], answer: Sequence[str]) -> list[str]:
    """`repair` that forgets what the answer did not name."""
    return [doc for doc in dict.fromkeys(answer) if doc in candidates]


seven, goodness = ["A", "B", "C", "D", "E", "F", "G"], dict(zip("EDCBAFG", range(7)))

EXERCISES = [
    Exercise(
        "04.1",
        1 / (1 + 1 / math.log2(3)),
        mistakes={
            "share": 0.5,
            "ideal_of_found": 1.0,
            "last_place": (1 / math.log2(21)) / (1 + 1 / math.log2(3)),
            "second": (1 / math.log2(3)) / (1 + 1 / math.log2(3)),
            "discount": 1 / math.log2(3),
            "not_divided": 2.0,
        },
    ),
    Exercise("04.2", 70, mistakes={"without_first": 75, "milliseconds": 280, "first_each": 12}),
    Exercise(
        "04.3",
        [1, 0, 1],
        mistakes={"nothing_moves": [1, 1, 1], "all_falls": [1, 0, 0], "half": [1, 0.5, 1], "counts": [2, 0, 2]},
    ),
    Exercise(
        "04.4",
        fate,
        cases=[
            ("A", ["A", "B", "C"], ["B", "A"]),
            ("C", ["A", "B", "C"], ["B", "A"]),
            ("X", ["A", "B", "C"], ["B", "A"]),
            ("B", ["A", "B", "C"], ["B"]),
        ],
        mistakes={
            "blames_reranker": blames_reranker,
            "blames_stage_one": blames_stage_one,
            "keeps_candidates": keeps_candidates,
        },
    ),
    Exercise(
        "04.5",
        len(windows(50, 20, 8)),
        mistakes={"rounded_down": 4, "no_window": 7, "one_too_many": 6, "no_overlap": 3},
        facts={"ends": [str(end) for _, end in windows(50, 20, 8)]},
    ),
    Exercise(
        "04.6",
        sliding_rerank(seven, goodness, 4, 3),
        mistakes={
            "fully": sorted(seven, key=goodness.__getitem__, reverse=True),
            "one_window": ["A", "B", "C", "G", "F", "D", "E"],
            "text": "GABCFDE",
        },
        facts={
            "first": " ".join(sliding_rerank(seven[3:], goodness, 4, 4)),
            "second": " ".join(sliding_rerank(["A", "B", "C", "G"], goodness, 4, 4)),
            "all": " ".join(sliding_rerank(seven, goodness, 4, 3)),
        },
    ),
    Exercise(
        "04.7",
        repair,
        cases=[
            (["A", "B", "C", "D"], ["C", "A", "B", "D"]),
            (["A", "B", "C", "D"], ["D", "B"]),
            (["A", "B", "C"], ["B", "Z", "A", "C"]),
            (["A", "B", "C"], ["C", "A", "C"]),
        ],
        mistakes={
            "keeps_repeats": keeps_repeats,
            "keeps_invented": keeps_invented,
            "loses_dropped": loses_dropped,
            "believes": believes,
        },
    ),
]
