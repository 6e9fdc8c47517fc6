"""The arithmetic of every measure, for all queries at once.

No document is looked at that nobody judged: where the judged documents stand is enough. `Judged` holds all
judgements and `Found` the judged documents that a run retrieved, both as flat columns with one row per document;
a measure turns columns into one number per query. `metrics.py` says the same in words, one query at a time.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from relviz.locale import say, short
from relviz.measures import Measure

__all__ = ["Found", "Judged", "condense", "discounts", "gains", "has_relevant", "score"]

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Judged:
    """The judgements of n queries: row by row the number of a query and a grade."""

    n: int
    query: Array
    grade: Array


@dataclass(frozen=True)
class Found:
    """The judged documents that a run retrieved, ordered by query and rank.

    rank: place by score, then by document id, descending. above: how many documents have a higher score; tied: how
    many have this score, the document itself included. retrieved: for each query, how many documents came back.
    """

    query: Array
    grade: Array
    rank: Array
    above: Array
    tied: Array
    retrieved: Array


def score(measure: Measure, judged: Judged, found: Found, ties: str = "doc_desc") -> Array:
    """The measure of each query; NaN where it is undefined because nothing counts as relevant for it.

    ties: "doc_desc", "mean" (expected value when tied documents stand in random order), "lowest" or "highest" (over
    all orders of tied documents).
    """
    if measure.name == "Judged":
        seen = _weighted(found, np.ones(found.query.size), np.ones_like, measure.k, ties)
        shown = found.retrieved if measure.k is None else np.minimum(found.retrieved, measure.k)
        return _divide(seen, shown)
    if measure.name in ("DCG", "nDCG"):
        return _gained(measure, judged, found, ties)
    relevant = np.bincount(judged.query, judged.grade >= measure.rel, judged.n)
    hit = (found.grade >= measure.rel).astype(float)
    match measure.name:
        case "P":
            value = _weighted(found, hit, np.ones_like, measure.k, ties) / measure.k
        case "R":
            value = _divide(_weighted(found, hit, np.ones_like, measure.k, ties), relevant)
        case "R_cap":
            value = _divide(_weighted(found, hit, np.ones_like, measure.k, ties), np.minimum(relevant, measure.k or 0))
        case "RBP":
            value = _weighted(found, hit, lambda rank: (1 - measure.p) * measure.p ** (rank - 1), measure.k, ties)
        case "RR":
            value = _first(found, hit, lambda rank: 1 / rank, measure.k, ties)
        case "Success":
            value = _first(found, hit, np.ones_like, measure.k, ties)
        case "AP":
            value = _divide(_precisions(found, hit, measure.k, ties), relevant)
        case "Bpref":
            value = _preferences(judged, found, hit, relevant, ties)
        case name:
            raise AssertionError(f"{name} is known to measures.py only")
    return np.where(relevant > 0, value, np.nan)


def has_relevant(measure: Measure, judged: Judged) -> Array:
    """For each query, whether anything counts as relevant for this measure; always, for Judged."""
    if measure.name == "Judged":
        return np.ones(judged.n, dtype=bool)
    graded = measure.name in ("DCG", "nDCG")
    relevant = gains(measure, judged.grade) > 0 if graded else judged.grade >= measure.rel
    return np.bincount(judged.query[relevant], minlength=judged.n) > 0


def condense(found: Found) -> Found:
    """The same with every unjudged document taken out of the rankings, so that the judged ones move up.

    `found` must hold all judged documents, those of grade 0 included. Source: Sakai 2007.
    """
    rank = _counted(_starts(found.query))
    group = _starts(found.query, found.above)
    first, size = _first_rows(group), _sizes(group)
    n = found.retrieved.size
    retrieved = np.bincount(found.query, minlength=n)
    return Found(found.query, found.grade, rank, rank[first] - 1, size, retrieved)


# ---------- measures that share their arithmetic ----------


def _gained(measure: Measure, judged: Judged, found: Found, ties: str) -> Array:
    """DCG, and nDCG: divided by the DCG of all judged documents in the best order."""
    best = gains(measure, judged.grade)
    order = np.lexsort((-best, judged.query))
    query, best = judged.query[order], best[order]
    place = _counted(_starts(query))
    k = place.max(initial=1) if measure.k is None else measure.k
    ideal = np.bincount(query, np.where(place <= k, best / discounts(measure, place), 0.0), judged.n)
    value = _weighted(found, gains(measure, found.grade), lambda r: 1 / discounts(measure, r), measure.k, ties)
    return np.where(ideal > 0, value, np.nan) if measure.name == "DCG" else _divide(value, ideal)


def _weighted(found: Found, value: Array, weight: Any, k: int | None, ties: str) -> Array:
    """The sum over documents of value times weight(rank), for ranks up to k."""
    n = found.retrieved.size
    if ties != "mean":
        rank = _ranks(found, value, ties)
        inside = rank <= (np.inf if k is None else k)
        return np.bincount(found.query, value * np.where(inside, weight(rank.astype(float)), 0.0), n)
    # In random order a tied document stands on each rank of its group with the same probability.
    end = int((found.above + found.tied).max(initial=1))
    last = end if k is None else min(k, end)
    total = np.concatenate([[0.0], np.cumsum(weight(np.arange(1.0, last + 1)))])
    until = total[np.minimum(found.above + found.tied, last)] - total[np.minimum(found.above, last)]
    return np.bincount(found.query, value * until / found.tied, n)


def _first(found: Found, hit: Array, weight: Any, k: int | None, ties: str) -> Array:
    """weight(rank) of the first relevant document, 0 when it is behind k."""
    out = np.zeros(found.retrieved.size)
    last = np.iinfo(np.int64).max if k is None else k
    if ties != "mean":
        rank = np.full(out.size, np.inf)
        np.minimum.at(rank, found.query[hit > 0], _ranks(found, hit, ties)[hit > 0])
        return np.where(rank <= last, weight(np.where(rank <= last, rank, 1.0)), 0.0)
    for q, above, tied, hits in _groups(found, hit)[::-1]:  # backwards, so that the first group stays
        place = np.arange(tied - hits + 1)  # non-relevant documents of the group that stand before
        chance = np.cumprod(np.append(hits / tied, 1 - (hits - 1) / (tied - 1 - place[:-1])))
        rank = above + 1.0 + place
        out[q] = np.sum(chance * np.where(rank <= last, weight(rank), 0.0))
    return out


def _precisions(found: Found, hit: Array, k: int | None, ties: str) -> Array:
    """The sum of the precisions at each relevant document up to k."""
    out = np.zeros(found.retrieved.size)
    last = np.iinfo(np.int64).max if k is None else k
    if ties != "mean":
        query, rank = found.query[hit > 0], _ranks(found, hit, ties)[hit > 0]
        order = np.lexsort((rank, query))
        query, rank = query[order], rank[order]
        return np.bincount(query, np.where(rank <= last, _counted(_starts(query)) / rank, 0.0), out.size)
    before = np.zeros(out.size)
    for q, above, tied, hits in _groups(found, hit):
        # Each place holds a relevant document with the same chance; given that, the others spread evenly.
        place = np.arange(max(0, min(tied, last - above)))
        hits_until = before[q] + 1 + place * (hits - 1) / max(tied - 1, 1)
        out[q] += np.sum(hits / tied * hits_until / (above + 1 + place))
        before[q] += hits
    return out


def _preferences(judged: Judged, found: Found, hit: Array, relevant: Array, ties: str) -> Array:
    """Bpref: how few of the judged non-relevant documents stand before each relevant one. Buckley and Voorhees 2004."""
    n = judged.n
    counted = np.minimum(relevant, np.bincount(judged.query, minlength=n) - relevant)
    if ties == "mean":
        order = np.lexsort((hit, found.above, found.query))
    else:
        order = np.lexsort((_ranks(found, hit, ties), found.query))
    query, hit, above = found.query[order], hit[order], found.above[order]
    miss = 1 - hit
    before = np.cumsum(miss) - miss
    before -= before[_first_rows(_starts(query))]
    most = relevant[query]
    if ties == "mean":
        group = _starts(query, above)
        before = before[_first_rows(group)]
        inside = np.bincount(np.cumsum(group) - 1, miss)[np.cumsum(group) - 1] if query.size else miss
        # 0 to `inside` of the group's own stand before, each with the same chance; more than `most` count as `most`.
        low = np.clip(most - before, 0, inside)
        start = np.minimum(before, most)
        before = ((low + 1) * (start + low / 2) + (inside - low) * most) / (inside + 1)
    kept = 1 - np.where(before > 0, np.minimum(before, most) / np.maximum(counted[query], 1), 0.0)
    return _divide(np.bincount(query, hit * kept, n), relevant)


# ---------- gains, ranks, groups ----------


def gains(measure: Measure, grade: Array) -> Array:
    """The gain of each grade under the measure."""
    if measure.gain == "linear":
        return grade.astype(float)
    if measure.gain == "exp":
        # A DCG stays as large as its gains, and comparisons square it.
        if grade.max(initial=0) > (400 if measure.name == "DCG" else 1000):
            problem = say("errors.measure_large", grade=grade.max())
            raise ValueError(say("errors.measure", text=short(measure.text), problem=problem))
        return np.exp2(grade) - 1
    gain_of = {0: 0.0, **dict(measure.gain)}  # type: ignore[arg-type]
    grades, which = np.unique(grade, return_inverse=True)
    unknown = [int(one) for one in grades if one not in gain_of]
    if unknown:
        places = {"text": short(measure.text), "grade": unknown[0], "known": short(sorted(gain_of))}
        raise ValueError(say("errors.measure_silent", **places))
    return np.array([gain_of[int(one)] for one in grades], dtype=float)[which]


def discounts(measure: Measure, rank: Array) -> Array:
    """What the gain at each rank is divided by."""
    if measure.discount == "log2":
        return np.log2(rank + 1)
    return np.maximum(1.0, np.log(rank) / np.log(float(measure.discount)))


def _ranks(found: Found, value: Array, ties: str) -> Array:
    """The rank of each row when tied documents stand in the order that `ties` names."""
    if ties == "doc_desc":
        return found.rank
    order = np.lexsort((-value if ties == "highest" else value, found.above, found.query))
    group = _starts(found.query[order], found.above[order])
    place = _counted(group)
    if ties == "lowest":  # the judged documents behind all others of their group
        place = place + found.tied[order] - _sizes(group)
    rank = np.empty_like(found.rank)
    rank[order] = found.above[order] + place
    return rank


def _groups(found: Found, hit: Array) -> list[tuple[int, int, int, int]]:
    """Query, above, tied and number of relevant documents of each group of tied documents that has any."""
    query, above, tied = (column[hit > 0] for column in (found.query, found.above, found.tied))
    group = _starts(query, above)
    return list(zip(*(column[group].tolist() for column in (query, above, tied, _sizes(group)))))


def _starts(*columns: Array) -> Array:
    """True where one of the columns changes."""
    starts = np.ones(columns[0].size, dtype=bool)
    if starts.size:
        starts[1:] = np.any([column[1:] != column[:-1] for column in columns], axis=0)
    return starts


def _first_rows(starts: Array) -> Array:
    """For each row, the first row of its group."""
    return np.maximum.accumulate(np.where(starts, np.arange(starts.size), 0))


def _counted(starts: Array) -> Array:
    """1, 2, 3, ... within each group."""
    return np.arange(1, starts.size + 1) - _first_rows(starts)


def _sizes(starts: Array) -> Array:
    """For each row, the number of rows of its group."""
    group = np.cumsum(starts) - 1
    return np.bincount(group)[group] if starts.size else group


def _divide(value: Array, by: Array) -> Array:
    return np.divide(value, by, out=np.full(value.size, np.nan), where=by > 0)
