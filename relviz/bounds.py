"""What a measure could still become: its lowest and highest value when nobody knows the unjudged documents.

The unjudged documents of a ranking may have any grade that occurs in the judgements; documents that the run did not
retrieve stay as they are. One query at a time; ranks without a judged document are those of unjudged ones.
"""

from typing import Any

import numpy as np

from relviz.locale import say, short
from relviz.measures import Measure
from relviz.scoring import Array, Found, Judged, discounts, gains, score

__all__ = ["bound"]


def bound(measure: Measure, judged: Judged, found: Found, highest: bool) -> Array:
    """The highest or lowest value of each query; NaN where the measure is undefined as things are judged.

    `found` must hold all judged documents, those of grade 0 included.
    """
    if measure.name in ("Bpref", "Judged"):
        raise ValueError(say("errors.measure", text=short(measure.text), problem=say("errors.measure_bounds")))
    values = score(measure, judged, found)
    graded = measure.name in ("DCG", "nDCG")
    if graded:
        worth, got = gains(measure, judged.grade), gains(measure, found.grade)
    else:
        worth, got = (1.0 * (grade >= measure.rel) for grade in (judged.grade, found.grade))
    levels = np.unique(np.append(worth, 0.0))
    ends = np.cumsum(np.bincount(judged.query, minlength=judged.n))
    by_query = np.argsort(judged.query, kind="stable")
    for i in np.flatnonzero(~np.isnan(values)).tolist():
        rows = slice(*np.searchsorted(found.query, [i, i + 1]))
        n = int(found.retrieved[i])
        seen = np.zeros(n)
        open_ = np.ones(n, dtype=bool)
        seen[found.rank[rows] - 1] = got[rows]
        open_[found.rank[rows] - 1] = False
        relevant = worth[by_query[(ends[i - 1] if i else 0) : ends[i]]]
        values[i] = _one(measure, seen, np.flatnonzero(open_), relevant, levels, float(values[i]), highest)
    return values


def _one(
    measure: Measure, seen: Array, unknown: Array, worth: Array, levels: Array, value: float, highest: bool
) -> float:
    """One query. seen: the gain at each place, 0 where it is open; unknown: the open places, from 0; worth: the gains
    of all judged documents."""
    n, k = seen.size, seen.size if measure.k is None else measure.k
    inside = unknown[unknown < k]
    hits, relevant = seen[:k].sum(), worth.sum()
    match measure.name:
        case "nDCG":
            # Behind this rank neither the ranking nor the ideal holds anything.
            most = max(n, worth.size + unknown.size)
            k = most if measure.k is None else min(k, most)
            return (_highest_ndcg if highest else _lowest_ndcg)(measure, seen, unknown, worth, levels, k)
        case "AP":
            return _average_precision(seen, unknown, relevant, k, highest)
        case "R" | "R_cap":
            more = inside.size if highest else unknown.size - inside.size
            total = relevant + more
            return (hits + more * highest) / (min(total, k) if measure.name == "R_cap" else total)
    if not highest:
        return value
    filled = seen.copy()
    filled[unknown] = levels[-1]
    hit = np.flatnonzero(filled[:k])
    match measure.name:
        case "P":
            return hit.size / k
        case "RR":
            return 1 / (hit[0] + 1) if hit.size else 0.0
        case "Success":
            return float(hit.size > 0)
        case "RBP":  # uncut, what stands behind the last document is open too: the residual of Moffat and Zobel
            rest = measure.p**n if measure.k is None else 0.0
            return float(np.sum((1 - measure.p) * measure.p**hit)) + rest
        case "DCG":
            return float(np.sum(filled[:k] / discounts(measure, np.arange(1.0, filled[:k].size + 1))))
    raise AssertionError(f"{measure.name} has no bounds")


def _average_precision(seen: Array, unknown: Array, relevant: float, k: int, highest: bool) -> float:
    """The more relevant documents, the larger the divisor, so every number m of them is tried, from the top or the end.

    What each of m = 0, 1, 2, ... adds to the sum of precisions is known beforehand: at the place that is filled, the
    relevant documents before it; at each relevant document behind that place, one more.
    """
    rank = np.arange(1.0, seen.size + 1)
    weight = np.where(rank <= k, 1 / rank, 0.0)
    hits, hit = np.cumsum(seen), np.flatnonzero(seen)
    places = unknown if highest else unknown[::-1]
    before = np.searchsorted(unknown, hit)  # open places before each relevant document
    if highest:  # it gains from as many fillings as there are open places before it, the first ones
        gaining = np.bincount(before, weight[hit], places.size + 1)[::-1].cumsum()[::-1][1:]
        own = weight[places] * (hits[places] + np.arange(1, places.size + 1))
    else:  # it gains from the last ones; so does each place that was filled earlier, from all that follow
        gaining = np.bincount(places.size - before, weight[hit], places.size + 1).cumsum()[:-1]
        own = weight[places] * hits[places] + weight[places].cumsum()
    sums = np.sum(weight[hit] * hits[hit]) + np.append(0.0, np.cumsum(own + gaining))
    values = sums / (relevant + np.arange(places.size + 1))
    return float(values.max() if highest else values.min())


def _lowest_ndcg(measure: Measure, seen: Array, unknown: Array, worth: Array, levels: Array, k: int) -> float:
    """Some documents at the end of the ranking have the highest gain, the others none: every number is tried."""
    weight, ideal = _weights(measure, k)
    at = np.append(weight, np.zeros(max(0, seen.size - k)))
    more = np.arange(unknown.size + 1)
    dcg = np.sum(seen * at[: seen.size]) + levels[-1] * np.append(0.0, np.cumsum(at[unknown[::-1]]))
    best = sum(
        step * ideal[np.minimum(k, np.count_nonzero(worth >= level) + more)]
        for level, step in zip(levels[1:], np.diff(levels))
    )
    return float(np.min(dcg / best))


def _highest_ndcg(measure: Measure, seen: Array, unknown: Array, worth: Array, levels: Array, k: int) -> float:
    """The largest ratio of DCG to ideal DCG, by Dinkelbach's steps.

    Both are sums over the levels of gain, and for a fixed ratio each level has its own best number of documents that
    reach it, counted from the top; the ratio grows until nothing changes.
    """
    weight, ideal = _weights(measure, k)
    inside = unknown[unknown < k]
    gained = np.append(0.0, np.cumsum(weight[inside]))
    dcg = np.array([np.sum(weight[: seen[:k].size][seen[:k] >= level]) for level in levels[1:]])
    relevant = np.array([np.count_nonzero(worth >= level) for level in levels[1:]])
    best = ideal[np.minimum(k, relevant[:, None] + np.arange(inside.size + 1))]
    step, ratio = np.diff(levels), -1.0
    while True:
        choice = np.argmax(gained - max(ratio, 0.0) * best, axis=1)
        new = float(step @ (dcg + gained[choice]) / (step @ best[np.arange(step.size), choice]))
        if new <= ratio:
            return ratio
        ratio = new


def _weights(measure: Measure, k: int) -> tuple[Any, Any]:
    """1 / discount of the first k ranks, and the sums of the first 0, 1, 2, ... of them."""
    weight = 1 / discounts(measure, np.arange(1.0, k + 1))
    return weight, np.append(0.0, np.cumsum(weight))
