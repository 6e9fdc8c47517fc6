"""The measures of one ranking, one step at a time."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from relviz.draw import UNJUDGED, Figure, Panel, Row, Sum, lists
from relviz.draw.lists import MOST_LOOSE
from relviz.draw.palette import GREEN
from relviz.locale import say
from relviz.metrics import (
    Discount,
    Gain,
    as_gain,
    gains_and_discounts,
    grades_of,
    ideal_grades,
    ndcg_at_k,
    precision_at_k,
    recall_at_k,
    reciprocal_rank,
    top,
)
from relviz.steps.trace import Trace, decimals, named, step, trace

# More places than this are looked at in one step instead of one by one.
MOST_STEPS = 6
# Empty places are drawn up to this rank.
MOST_EMPTY = 10

Grades = Mapping[str, int]
T = TypeVar("T")


def trace_recall(ranking: Sequence[str], rel: Grades, k: int, *, threshold: int = 1) -> Trace:
    """`recall_at_k`, one found document at a time. Used in lesson 02."""
    value = recall_at_k(ranking, rel, k, threshold=threshold)
    relevant = [doc for doc, grade in rel.items() if grade >= threshold]
    first = top(ranking, k)
    missed = [doc for doc in relevant if doc not in first]
    places: dict[str, Any] = {"k": k, "threshold": threshold, "relevant": named(relevant), "all": len(relevant)}
    places["unjudged"] = unjudged_words(first, rel)

    def picture(found: Sequence[str] = (), active: str = "", missing: Sequence[str] = (), total: str = "") -> Figure:
        run = _panel(first, rel, k, active=active)
        notes = {doc: say("steps.found_at", rank=first.index(doc) + 1) for doc in found}
        notes |= {doc: say("steps.missed") for doc in missing}
        rows = [Row(doc, rel[doc], notes.get(doc, ""), active=doc == active) for doc in relevant]
        title = say("steps.relevant_panel", count=len(relevant))
        return lists([run, Panel(title, rows, key="relevant", ranks=False)], total=total)

    steps = [step("recall.start", picture(), **places)]
    found = [doc for doc in first if doc in relevant]
    most = _most(first)
    for n, doc in _one_by_one(found, most):
        words = {"doc": doc, "rank": first.index(doc) + 1, "n": n, "shown": named(found)}
        key = "recall.found" if len(found) <= most else "recall.found_all"
        steps.append(step(key, picture(found[:n], doc), {"found": n}, **places, **words))
    if missed:
        steps.append(step("recall.missed", picture(found, missing=missed), missed=named(missed), **places))
    if value is None:
        total = say("steps.recall.undefined_total", k=k)
        steps.append(step("recall.undefined", picture(total=total), {f"recall@{k}": None}, **places))
    else:
        total = f"recall@{k} = {len(found)}/{len(relevant)} = {decimals(value)}"
        figure = picture(found, missing=missed, total=total)
        steps.append(step("recall.end", figure, {f"recall@{k}": value}, n=len(found), total=total, **places))
    return trace(f"recall@{k}", steps, value)


def trace_precision(ranking: Sequence[str], rel: Grades, k: int, *, threshold: int = 1) -> Trace:
    """`precision_at_k`, one relevant place at a time. Used in lesson 02."""
    value = precision_at_k(ranking, rel, k, threshold=threshold)
    first = top(ranking, k)
    hits = [doc for doc in first if rel.get(doc, 0) >= threshold]
    places: dict[str, Any] = {"k": k, "threshold": threshold, "shown": len(first), "empty": k - len(first)}
    places["unjudged"] = unjudged_words(first, rel)

    def picture(done: int = 0, looked: int = 0, active: str = "", total: str = "") -> Figure:
        def note(rank: int, doc: str) -> str:
            if doc in hits[:done]:
                return say("steps.hit_note", n=hits.index(doc) + 1)
            return say("steps.not_relevant") if rank <= looked else ""

        return lists([_panel(first, rel, k, note=note, active=active, empty=True)], total=total)

    steps = [step("precision.start", picture(), **places)]
    most = _most(first)
    for n, doc in _one_by_one(hits, most):
        words = {"doc": doc, "rank": first.index(doc) + 1, "n": n}
        figure = picture(n, first.index(doc) + 1, doc)
        key = "precision.hit" if len(hits) <= most else "precision.hit_all"
        steps.append(step(key, figure, {"relevant": n}, **places, **words))
    total = f"precision@{k} = {len(hits)}/{k} = {decimals(value)}"
    key = "precision.end" if len(first) == k else "precision.end_short"
    figure = picture(len(hits), len(first), total=total)
    steps.append(step(key, figure, {f"precision@{k}": value}, n=len(hits), total=total, **places))
    return trace(f"precision@{k}", steps, value)


def trace_reciprocal_rank(ranking: Sequence[str], rel: Grades, k: int = 10, *, threshold: int = 1) -> Trace:
    """`reciprocal_rank`, from the top down to the first relevant document. Used in lesson 02."""
    value = reciprocal_rank(ranking, rel, k, threshold=threshold)
    first = top(ranking, k)
    hit = next((rank for rank, doc in enumerate(first, start=1) if rel.get(doc, 0) >= threshold), None)
    places: dict[str, Any] = {"k": k, "threshold": threshold, "unjudged": unjudged_words(first, rel)}

    def picture(looked: int, active: str = "", total: str = "") -> Figure:
        def note(rank: int, doc: str) -> str:
            if rank <= looked and rank != hit:
                return say("steps.go_on")
            here = f"1/{rank} = {decimals(1 / rank)}"
            return say("steps.stop", here=here) if rank <= looked else here if not looked else ""

        def bars(rank: int, doc: str) -> list[float]:
            return [1 / rank if not looked or rank == hit == looked else 0]

        return lists(
            [_panel(first, rel, k, note=note, bars=bars, active=active, waiting_from=looked + 1)], total=total, scale=1
        )

    steps = [step("rr.start", picture(0), **places)]
    passed = first[: (hit or len(first) + 1) - 1]
    most = _most(first)
    for n, doc in _one_by_one(passed, most):
        key = "rr.pass" if len(passed) <= most else "rr.pass_all"
        steps.append(step(key, picture(n, doc), {"rank": n}, doc=doc, n=n, **places))
    if hit is None:
        total = f"RR@{k} = 0"
        steps.append(step("rr.none", picture(len(first), total=total), {f"RR@{k}": value}, total=total, **places))
    else:
        doc, total = first[hit - 1], f"RR@{k} = 1/{hit} = {decimals(value)}"
        figure = picture(hit, doc, total=total)
        steps.append(step("rr.end", figure, {f"RR@{k}": value}, doc=doc, rank=hit, total=total, **places))
    return trace(f"RR@{k}", steps, value)


def trace_ndcg(
    ranking: Sequence[str], rel: Grades, k: int, *, gain: Gain = "linear", discount: Discount = "log2"
) -> Trace:
    """`ndcg_at_k`: what each place is worth, the sum DCG, the ideal list, its sum IDCG, and the ratio.

    Used in lesson 02; gain and discount in lesson 03.
    """
    value = ndcg_at_k(ranking, rel, k, gain=gain, discount=discount)
    first = top(ranking, k)
    sums = Sums([rel.get(doc, 0) for doc in first], gain, discount)
    best, best_sums = ideal(rel, k, gain, discount)
    places: dict[str, Any] = {"k": k, "gain": gain_words(gain), "unjudged": unjudged_words(first, rel)}
    # One scale and one width for all steps: a bar keeps its length.
    look: dict[str, Any] = {"scale": scale_of(rel, gain), "columns": 2, "sum_scale": max(sums.total, best_sums.total)}

    def run(notes: Sequence[str] = (), bars: Sequence[float] = (), active: str = "") -> Panel:
        note = lambda rank, doc: notes[rank - 1] if rank <= len(notes) else ""  # noqa: E731
        bar = lambda rank, doc: bars[rank - 1 : rank]  # noqa: E731
        return _panel(first, rel, k, note=note, bars=bar, active=active)

    def so_far(done: int) -> Sum:
        return Sum(say("steps.sum_so_far"), decimals(sum(sums.shares[:done], 0.0)), sums.shares[:done])

    nothing = [so_far(0)]
    steps = [step("ndcg.start", lists([run()], sums=nothing, **look), grades=grades_from_top(first, rel), **places)]
    discounts = [1 / d for _, d in sums.parts]
    worths = [f"1/{written} = {decimals(worth)}" for written, worth in zip(sums.divisors, discounts)]
    figure = lists([run(worths, discounts)], sums=nothing, **look)
    steps.append(step("ndcg.worth", figure, worths=named(worths, 5), **places))
    adding = [rank for rank, share in enumerate(sums.shares, start=1) if share]
    most = _most(first)
    for n, rank in _one_by_one(adding, most):
        doc, before, now = first[rank - 1], sum(sums.shares[: rank - 1]), sum(sums.shares[:rank])
        figure = lists([run(sums.notes[:rank], sums.shares[:rank], doc)], sums=[so_far(rank)], **look)
        key = "ndcg.add" if len(adding) <= most else "ndcg.add_all"
        added = f"{decimals(before)} + {decimals(now - before)} = " if before and key == "ndcg.add" else ""
        words = {"doc": doc, "grade": rel.get(doc, 0), "rank": rank, "note": sums.notes[rank - 1]}
        steps.append(step(key, figure, {"sum": now}, sum=added + decimals(now), n=n, **words, **places))
    finished = run(sums.notes, sums.shares)
    dcg = Sum(f"DCG@{k}", decimals(sums.total), sums.shares)
    total = f"DCG@{k} = {sums.formula} = {decimals(sums.total)}"
    figure = lists([finished], sums=[dcg], total=total, **look)
    steps.append(step("ndcg.dcg", figure, {f"DCG@{k}": sums.total}, total=total, **places))

    missed = [doc for doc in best if doc not in first and as_gain(gain)(rel[doc]) > 0]
    places |= {"count": len(rel), "missed": named(missed), "dcg": decimals(sums.total)}
    judged, sorted_ = _ideal_panels(rel, k, best, best_sums)
    key = "ndcg.judged_missed" if missed else "ndcg.judged"
    steps.append(step(key, lists([finished, judged], sums=[dcg], **look), **places))
    idcg = Sum(f"IDCG@{k}", decimals(best_sums.total), best_sums.shares, GREEN)
    total = f"IDCG@{k} = {best_sums.formula} = {decimals(best_sums.total)}"
    figure = lists([finished, sorted_], sums=[dcg, idcg], total=total, **look)
    steps.append(step("ndcg.idcg", figure, {f"IDCG@{k}": best_sums.total}, total=total, **places))
    numbers = {f"DCG@{k}": sums.total, f"IDCG@{k}": best_sums.total, f"nDCG@{k}": value}
    if value is None:
        total, end = say("steps.ndcg.undefined_total", k=k), "ndcg.undefined"
    else:
        ratio = f"{decimals(sums.total)} / {decimals(best_sums.total)}"
        total, end = f"nDCG@{k} = DCG@{k} / IDCG@{k} = {ratio} = {decimals(value)}", "ndcg.end"
        places["percent"] = f"{100 * value:.1f}%"
    figure = lists([finished, sorted_], sums=[dcg, idcg], total=total, **look)
    steps.append(step(end, figure, numbers, total=total, **places))
    return trace(f"nDCG@{k}", steps, value)


def _ideal_panels(rel: Grades, k: int, best: Sequence[str], sums: "Sums") -> tuple[Panel, Panel]:
    """The judged documents as they are listed, and in their best order with what that earns."""
    rest = [doc for doc in rel if doc not in best][:3]
    title = say("steps.judged_panel", count=len(rel))
    judged = Panel(title, [Row(doc, rel[doc]) for doc in rel if doc in {*best, *rest}], key="ideal", ranks=False)
    sorted_ = Panel(
        say("steps.ideal_panel", k=k),
        [Row(doc, rel[doc], note, [share]) for doc, note, share in zip(best, sums.notes, sums.shares)],
        key="ideal",
        below=[Row(doc, rel[doc], waiting=True) for doc in rest],
        cut=say("steps.cut", k=k),
        color=GREEN,
    )
    return judged, sorted_


class Sums:
    """A DCG taken apart: at each rank gain, discount and their ratio, as numbers and as they are written."""

    def __init__(self, grades: Sequence[int], gain: Gain, discount: Discount) -> None:
        self.parts = gains_and_discounts(grades, gain=gain, discount=discount)
        self.shares = [g / d for g, d in self.parts]
        self.total = sum(self.shares, 0.0)
        self.divisors = [
            f"log2({rank + 1})" if discount == "log2" else f"{d:.4g}" for rank, (_, d) in enumerate(self.parts, start=1)
        ]
        self.terms = [f"{g:g}/{divisor}" if g else "0" for (g, _), divisor in zip(self.parts, self.divisors)]
        self.notes = [f"{term} = {decimals(share)}" if share else "0" for term, share in zip(self.terms, self.shares)]

    @property
    def formula(self) -> str:
        """The sum as it is written; of a long one only the places that add something."""
        terms = self.terms if len(self.terms) <= 10 else [term for term in self.terms if term != "0"]
        if len(terms) > 10:
            terms = [*terms[:8], "..."]
        return " + ".join(terms) or "0"


def scale_of(rel: Grades, gain: Gain) -> float:
    """The most that one place can add: what the full width of a bar stands for."""
    return max([1.0, *(as_gain(gain)(grade) for grade in rel.values())])


def grades_from_top(docs: Sequence[str], rel: Grades) -> str:
    """The grades of a ranking in a row, with a question mark where there is none."""
    return named([rel.get(doc, UNJUDGED) for doc in docs])


def unjudged_words(docs: Sequence[str], rel: Grades) -> str:
    """What the question mark stands for, if there is one."""
    return "" if all(doc in rel for doc in docs) else say("steps.unjudged_words")


def gain_words(gain: Gain) -> str:
    """How a grade becomes a gain, in words."""
    return say(f"steps.gain.{gain}" if isinstance(gain, str) else "steps.gain.other")


def ideal(rel: Grades, k: int, gain: Gain, discount: Discount) -> tuple[list[str], Sums]:
    """The judged documents in their best order, cut at k, and what that order sums to."""
    order = sorted(rel, key=lambda doc: as_gain(gain)(rel[doc]), reverse=True)
    return order[:k], Sums(ideal_grades(rel, k, gain=gain), gain, discount)


def _panel(
    first: Sequence[str],
    rel: Grades,
    k: int,
    *,
    note: Callable[[int, str], str] = lambda rank, doc: "",
    bars: Callable[[int, str], Sequence[float]] = lambda rank, doc: (),
    active: str = "",
    waiting_from: int | None = None,
    empty: bool = False,
) -> Panel:
    """The first k of the ranking; `empty` shows that fewer came back than k."""
    grades_of(rel)
    rows = [
        Row(
            doc,
            rel.get(doc, UNJUDGED),
            note(rank, doc),
            bars(rank, doc),
            active=doc == active,
            waiting=waiting_from is not None and rank >= waiting_from,
        )
        for rank, doc in enumerate(first, start=1)
    ]
    if empty:
        rows += [Row("")] * (min(k, MOST_EMPTY) - len(rows))
    return Panel(say("steps.run_panel", k=k), rows, key="run")


def _most(first: Sequence[str]) -> int:
    """How many places of a ranking are looked at one by one; of a long one, a picture each would be too much."""
    return MOST_STEPS if len(first) <= MOST_LOOSE else 1


def _one_by_one(things: Sequence[T], most: int) -> list[tuple[int, T]]:
    """How many are done after each step, and the newest; all at once when there are more than `most`."""
    counted = list(enumerate(things, start=1))
    return counted if len(counted) <= most else counted[-1:]
