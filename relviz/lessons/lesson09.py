"""The exercises of lesson 09: pairs kept and broken, sign flips by hand, the p of a simulation, and reading a p."""

import numpy as np

from relviz.datasets import load_bughunt
from relviz.lessons import Exercise
from relviz.metrics import ndcg_at_k
from relviz.retrieval import Index
from relviz.significance import paired_bootstrap, resampled_means, unpaired_bootstrap

# Small enough for paper: two easy queries, two hard ones, and of the three that changed the middle one was lost.
TINY_A, TINY_B = [0.7, 0.9, 0.5, 0.1], [1.0, 0.7, 0.5, 0.2]
TINY = [b - a for a, b in zip(TINY_A, TINY_B)]

bughunt = load_bughunt()
index = Index(bughunt.docs)
A, B = (
    np.array([ndcg_at_k(search(text), bughunt.qrels[q], 5) for q, text in bughunt.queries.items()])
    for search in (index.tfidf, index.bm25)
)
ninety = paired_bootstrap(A, B, level=0.9)
means = resampled_means(B - A, 10_000, np.random.default_rng(0))


def p_value(means: list[float], observed: float) -> float:
    """The two-sided p of an observed mean difference, from the means that chance gave."""
    return (sum(abs(mean) >= abs(observed) for mean in means) + 1) / (len(means) + 1)


def without_the_observed(means: list[float], observed: float) -> float:
    """What `p_value` becomes when the observed order of signs is not counted."""
    return sum(abs(mean) >= abs(observed) for mean in means) / len(means)


def one_side(means: list[float], observed: float) -> float:
    """What `p_value` becomes when only differences upwards are counted."""
    return (sum(mean >= observed for mean in means) + 1) / (len(means) + 1)


def only_larger(means: list[float], observed: float) -> float:
    """What `p_value` becomes when means of the same size are left out."""
    return (sum(abs(mean) > abs(observed) for mean in means) + 1) / (len(means) + 1)


EXERCISES = [
    Exercise(
        "09.1",
        min(TINY),
        mistakes={"apart": min(TINY_B) - max(TINY_A), "highest": max(TINY), "mean": sum(TINY) / 4},
        facts={"lowest": f"{min(TINY):+.1f}"},
    ),
    Exercise(
        "09.2",
        list(ninety),
        mistakes={
            "as_before": list(paired_bootstrap(A, B)),
            "apart": list(unpaired_bootstrap(A, B, level=0.9)),
            "fractions": np.percentile(means, [0.05, 0.95]).tolist(),
        },
        tolerance=0.003,
        facts={"low": f"{ninety[0]:+.3f}", "high": f"{ninety[1]:+.3f}"},
    ),
    Exercise(
        "09.3",
        1 / (1 - 0.96) ** 0.5,
        mistakes={"no_root": 1 / (1 - 0.96), "of_rho": 1 / 0.96**0.5, "upside_down": (1 - 0.96) ** 0.5},
        tolerance=0.01,
    ),
    Exercise("09.4", 6 / 8, mistakes={"one_side": 3 / 8, "only_larger": 4 / 8, "only_equal": 2 / 8}),
    Exercise(
        "09.5",
        p_value,
        cases=[([0.1, -0.2, 0.05], 0.2), ([0.3, 0.2, -0.1, -0.4], -0.3), ([0.0] * 999, 0.1)],
        mistakes={
            "without_the_observed": without_the_observed,
            "one_side": one_side,
            "only_larger": only_larger,
        },
        tolerance=1e-6,
    ),
    Exercise("09.6", "c", mistakes={"a": "a", "b": "b", "d": "d"}),
    Exercise("09.7", 6, mistakes={"one_side": 5, "five_per_cent": 20, "all": 30}),
    Exercise(
        "09.8",
        1 - 0.95**20,
        mistakes={"added": 1, "one": 0.05, "none": 0.95**20},
        tolerance=0.005,
    ),
]
