"""The exercises of lesson 10: the noise of a mean, how many queries, power, d_z, changed queries, Holm, and peeking."""

import math

import numpy as np

from relviz.lessons import Exercise

# Small enough for paper: the differences have the mean 0.1 and the standard deviation 0.2.
TINY_A, TINY_B = [0.5, 0.9, 0.4, 0.1], [0.7, 0.7, 0.6, 0.3]
TINY = np.subtract(TINY_B, TINY_A)

LINE, ABOVE = 1.959964, 0.841621  # the quantiles of the chapter: two-sided 5 %, and 80 %


def smallest_difference(sd: float, n: int) -> float:
    """`queries_needed`, solved for the difference: what n queries show in four experiments of five."""
    return (LINE + ABOVE) * sd / math.sqrt(n)


EXERCISES = [
    Exercise(
        "10.1",
        0.12 / 36**0.5,
        mistakes={
            "by_n": 0.12 / 36,
            "the_sd": 0.12,
            "times": 0.12 * 6,
            "variance": 0.12**2 / 36,
            "hundredths": 2,
            "n_minus_one": 0.12 / 35**0.5,
        },
        tolerance=0.0002,
    ),
    Exercise(
        "10.2",
        200 * 9,
        mistakes={"straight": 200 * 3, "four": 200 * 4, "root": 200 * 3**0.5, "fewer": 200 / 9},
        tolerance=0.5,
    ),
    Exercise(
        "10.3",
        smallest_difference,
        cases=[(0.0953, 30), (0.2, 50), (0.1, 785)],
        mistakes={
            "half_the_time": lambda sd, n: LINE * sd / math.sqrt(n),
            "no_root": lambda sd, n: (LINE + ABOVE) * sd / n,
            "wobble": lambda sd, n: sd / math.sqrt(n),
            "squared": lambda sd, n: ((LINE + ABOVE) * sd) ** 2 / n,
            "eight": lambda sd, n: math.sqrt(8 * sd**2 / n),
            "power_only": lambda sd, n: ABOVE * sd / math.sqrt(n),
        },
        tolerance=0.0003,
    ),
    Exercise(
        "10.4", 0.5, mistakes={"usual": 0.8, "confidence": 0.95, "level": 0.05, "one_tail": 0.025, "hundredths": 50}
    ),
    Exercise(
        "10.5",
        float(TINY.mean() / TINY.std(ddof=1)),
        mistakes={
            "t": float(TINY.mean() / (TINY.std(ddof=1) / 2)),
            "mean": float(TINY.mean()),
            "divided_by_n": float(TINY.mean() / TINY.std()),
            "of_scores": float(TINY.mean() / np.std(TINY_A, ddof=1)),
        },
    ),
    Exercise(
        "10.6",
        [1000, 100],
        mistakes={
            "judge_all": [1000, 1000],
            "draw_few": [100, 100],
            "tenth": [100, 10],
            "swapped": [100, 1000],
            "tenth_of_tenth": [1000, 10],
        },
    ),
    Exercise(
        "10.7",
        [0.04, 0.016, 0.04, 0.036],
        mistakes={
            "bonferroni": [0.08, 0.016, 0.12, 0.048],
            "falling": [0.04, 0.016, 0.03, 0.036],
            "upside_down": [0.06, 0.004, 0.12, 0.024],
            "sorted": [0.016, 0.036, 0.04, 0.04],
        },
        tolerance=0.0005,
    ),
    Exercise(
        "10.8",
        set("bce"),
        mistakes={
            "once_more": set("bcde"),
            "every_ten": set("abce"),
            "spread": set("ce"),
            "two_looks": set("be"),
            "fresh": set("bc"),
        },
    ),
]
