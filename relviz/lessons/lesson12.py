"""The exercises of lesson 12: what a run file says, what it may not say, and what may be said of a comparison."""

from relviz.lessons import Exercise

EDGE = "on the edge"


def mend(doc: str) -> str:
    """The id inside a path: without folders and extension."""
    return doc.rsplit("/", 1)[-1].rsplit(".", 1)[0]


def verdict(low: float, high: float, p: float) -> str:
    """What an interval and a p together allow to be said; `compare` tells "shown" apart by its direction."""
    apart, rare = low > 0 or high < 0, p < 0.05
    if apart and rare:
        return "shown"
    return EDGE if apart or rare else "not shown"


def zero_left_out(low: float, high: float, p: float) -> str:
    """`verdict` by somebody who takes an interval that ends at 0 for one without 0."""
    return verdict(low + 1e-9, high - 1e-9, p)


def only_better(low: float, high: float, p: float) -> str:
    """`verdict` by somebody who never thinks of a loss."""
    return verdict(low, 0, p) if high < 0 else verdict(low, high, p)


EXERCISES = [
    Exercise(
        "12.1",
        ["EXP-05", "REQ-09", "BUG-118", "BUG-101"],
        mistakes={
            "file_order": ["REQ-09", "BUG-101", "BUG-118", "EXP-05"],
            "tie": ["EXP-05", "REQ-09", "BUG-101", "BUG-118"],
            "as_text": ["REQ-09", "BUG-118", "BUG-101", "EXP-05"],
        },
    ),
    Exercise(
        "12.2",
        mend,
        cases=[("docs/BUG-118.md",), ("docs/v1.2/REQ-11.md",), ("EXP-05.md",)],
        mistakes={
            "folders": lambda doc: doc.rsplit("/", 1)[-1],
            "extension": lambda doc: doc.rsplit(".", 1)[0],
            "first_dot": lambda doc: doc.split(".")[0].split("/")[-1],
            "first_folder": lambda doc: doc.split("/", 1)[-1].rsplit(".", 1)[0],
        },
    ),
    Exercise(
        "12.3",
        {"a", "c", "e"},
        mistakes={
            "negative": ["a", "e"],
            "infinite": ["a", "c", "d", "e"],
            "space": ["a", "b", "c", "e"],
            "zeros": ["a", "c"],
        },
    ),
    Exercise(
        "12.4",
        [2.4 / 4, 2.4 / 5],
        mistakes={
            "only_answered": [2.4 / 3, 2.4 / 3],
            "swapped": [2.4 / 5, 2.4 / 4],
            "missing_left_out": [2.4 / 3, 2.4 / 4],
            "no_difference": [2.4 / 4, 2.4 / 4],
        },
    ),
    Exercise(
        "12.5",
        verdict,
        cases=[
            (0.01, 0.05, 0.01),
            (-0.012, 0.055, 0.577),
            (0.0, 0.117, 0.252),
            (0.001, 0.06, 0.2),
            (-0.01, 0.06, 0.04),
            (-0.06, -0.01, 0.01),
        ],
        mistakes={
            "interval_only": lambda low, high, p: "shown" if low > 0 or high < 0 else "not shown",
            "test_only": lambda low, high, p: "shown" if p < 0.05 else "not shown",
            "zero": zero_left_out,
            "only_better": only_better,
        },
    ),
    Exercise(
        "12.6",
        [1 / 3, 1],
        mistakes={"swapped": [1, 1 / 3], "same": [1 / 3, 1 / 3], "rank": [3, 1], "nothing": [0, 1]},
    ),
    Exercise(
        "12.7",
        [0.03, 0.06, 0.06],
        mistakes={
            "bonferroni": [0.03, 0.12, 0.09],
            "falling": [0.03, 0.04, 0.06],
            "uncorrected": [0.01, 0.04, 0.03],
            "sorted": [0.03, 0.06, 0.12],
        },
    ),
    Exercise(
        "12.8",
        [0, 1, 0, 2],
        mistakes={
            "by_mean": [0, 0, 0, 2],
            "no_error": [0, 1, 0, 1],
            "all_pass": [0, 0, 0, 0],
            "both_fail": [1, 1, 0, 2],
        },
    ),
]
