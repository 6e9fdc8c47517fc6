"""Rank fusion one step at a time, and what it leaves open: is the evidence good enough to answer?"""

from collections.abc import Mapping, Sequence
from typing import Any

from relviz.checks import each
from relviz.draw import Figure, Panel, Row, lists
from relviz.draw.palette import SERIES
from relviz.fusion import rrf, rrf_shares
from relviz.locale import labelled, say
from relviz.metrics import precision_at_k, recall_at_k, unique
from relviz.steps.trace import Step, Trace, decimals, named, step, trace

TOTAL = 6  # decimals of a sum
MOST_WRITTEN = 6  # documents whose shares are written out

Rankings = Mapping[str, Sequence[str]] | Sequence[Sequence[str]]


def trace_rrf(rankings: Rankings, k: float = 60, *, weights: Sequence[float] | None = None) -> Trace:
    """`rrf` of any lists: the orders, what each rank gives, the sums, the new order. Used in lesson 06.

    rankings: `{name: ranking}`, or rankings alone, which are then called list 1, list 2, ...
    """
    fusion = Fusion(rankings, k, weights)
    steps = [fusion.start("rrf.start"), fusion.shares("rrf.shares"), fusion.sums("rrf.sums"), fusion.order("rrf.order")]
    return trace(say("steps.rrf.title"), steps, fusion.value)


def trace_rrf_k(rankings: Rankings, ks: Sequence[float] = (0, 1, 60, 1000)) -> Trace:
    """`rrf` of the same lists with one constant after another; the value is `{k: fused list}`. Used in lesson 06.

    Bars are scaled within each step, since a large constant makes every share small.
    """
    fusions = [Fusion(rankings, k, None) for k in each("ks", ks)]
    steps = [fusion.start("rrf.start") for fusion in fusions[:1]] + [
        fusion.constant("rrf_k.order") for fusion in fusions
    ]
    return trace(say("steps.rrf_k.title"), steps, {fusion.k: fusion.value for fusion in fusions})


def trace_evidence(
    rankings: Rankings | None = None,
    k: float = 60,
    *,
    outdated: Sequence[str] = ("B",),
    needed: Sequence[str] = ("A", "B"),
) -> Trace:
    """Figure F29 of chapter 004: from two candidate lists to evidence that may be used. Used in lesson 06.

    Fusion, then two questions that no score answers: is the source current, and are all the documents there that the
    answer needs? `outdated` documents state an old version; the answer needs one condition from each of `needed`.
    The candidates are the same in every step; the value is the fused list, as `rrf` returns it.
    """
    if rankings is None:
        rankings = {say("steps.keyword"): ["A", "B", "C"], say("steps.semantic"): ["B", "C", "A"]}
    fusion = Fusion(rankings, k, None)
    docs = [doc for doc, _ in fusion.value]
    usable = [doc for doc in docs if doc not in outdated]
    have = [doc for doc in needed if doc in usable]
    lack = [doc for doc in needed if doc not in usable]

    versions = [
        Row(doc, note=say("steps.outdated" if doc in outdated else "steps.current"), active=doc in outdated)
        for doc in docs
    ]
    candidates = Panel(say("steps.fused_panel"), versions, key="fused")
    answer = Panel(
        say("steps.needed_panel"),
        [Row(doc, note=say("steps.usable" if doc in have else "steps.lacking"), active=doc in lack) for doc in needed],
        key="needed",
        ranks=False,
    )
    size = len(docs)
    needs = dict.fromkeys(needed, 1)
    numbers = {
        f"precision@{size}": precision_at_k(usable, needs, size) if size else None,
        f"recall@{size}": recall_at_k(usable, needs, size) if size else None,
        "all needed": float(not lack),
    }
    places: dict[str, Any] = {
        "old": named([doc for doc in docs if doc in outdated]),
        "usable": named(usable),
        "needed": named(needed),
        "have": named(have),
        "lack": named(lack),
        "count": len(needed),
        "n": len(have),
    }
    end = "evidence.end" if lack else "evidence.end_enough"
    total = say("steps.evidence.insufficient" if lack else "steps.evidence.sufficient", **places)
    steps = [
        fusion.start("evidence.start"),
        fusion.shares("rrf.shares"),
        fusion.order("evidence.order"),
        step("evidence.version", lists([candidates]), {"usable": len(usable)}, **places),
        step(end, lists([candidates, answer], total=total), numbers, **places),
    ]
    return trace(say("steps.evidence.title"), steps, fusion.value)


class Fusion:
    """The steps that both traces share."""

    def __init__(self, rankings: Rankings, k: float, weights: Sequence[float] | None) -> None:
        if not isinstance(rankings, Mapping):
            rankings = {say("steps.list", number=n): ranking for n, ranking in enumerate(each("rankings", rankings), 1)}
        if not rankings:
            raise ValueError(say("errors.nothing_to_fuse"))
        self.value = rrf(rankings.values(), k, weights=weights)
        self.given = rrf_shares(rankings.values(), k, weights=weights)
        self.rankings = {name: unique(ranking) for name, ranking in rankings.items()}
        self.k, self.weights = k, [1] * len(rankings) if weights is None else each("weights", weights)
        # Three rounded shares add up to the rounded sum, but for its last digit; of more lists they are written longer.
        self.digits = TOTAL if len(rankings) <= 3 else TOTAL + 1
        self.places: dict[str, Any] = {
            "k": f"{k:g}",
            "lists": say("steps.semicolon").join(f"{name} {named(docs)}" for name, docs in self.rankings.items()),
            "order": self._order(),
            "first": self.value[0][0] if self.value else say("steps.none"),
        }

    def start(self, key: str) -> Step:
        """The lists as they came."""
        return step(key, self._lists(), **self.places)

    def shares(self, key: str) -> Step:
        """What each rank gives."""
        return step(key, self._lists(notes=True), written=self._written(), **self.places)

    def sums(self, key: str) -> Step:
        """What each document was given in all, in no order yet."""
        sums = dict(self.value)
        words = named([f"{doc} {decimals(sums[doc], TOTAL)}" for doc in self.given])
        return step(key, self._fused(list(self.given), ranks=False), sums, sums=words, **self.places)

    def order(self, key: str) -> Step:
        """The fused list."""
        gaps = [high - low for (_, high), (_, low) in zip(self.value, self.value[1:])]
        figure = self._fused([doc for doc, _ in self.value], ranks=True)
        return step(key, figure, dict(self.value), gap=decimals(min(gaps, default=0), TOTAL), **self.places)

    def constant(self, key: str) -> Step:
        """The fused list, and what this constant makes of the first two ranks."""
        figure = self._fused([doc for doc, _ in self.value], ranks=True)
        return step(key, figure, dict(self.value), ratio=f"{(self.k + 2) / (self.k + 1):.4g}", **self.places)

    def _order(self) -> str:
        """The fused list in one line; equal sums are said to be equal."""
        parts = []
        for (doc, x), above in zip(self.value[:12], [None, *(x for _, x in self.value)]):
            parts += [" = " if x == above else say("steps.above"), f"{doc} {decimals(x, TOTAL)}"]
        return "".join(parts[1:])

    def _lists(self, notes: bool = False) -> Figure:
        panels = []
        for i, (name, docs) in enumerate(self.rankings.items()):
            rows = [Row(doc) for doc in docs]
            if notes:
                rows = [self._share_row(doc, i, rank) for rank, doc in enumerate(docs, start=1)]
            panels.append(Panel(name, rows, key=f"list{i + 1}", color=SERIES[i % len(SERIES)]))
        return lists(*[panels[i : i + 2] for i in range(0, len(panels), 2)], scale=self._scale())

    def _fused(self, docs: Sequence[str], ranks: bool) -> Figure:
        sums = dict(self.value)
        rows = []
        for doc in docs:
            terms = [decimals(x, self.digits) for x in self.given[doc] if x]
            formula = f"{' + '.join(terms)} = " if len(terms) > 1 else ""
            rows.append(Row(doc, note=formula + decimals(sums[doc], TOTAL), bars=self.given[doc]))
        title = say("steps.fused_panel" if ranks else "steps.sums_panel")
        return lists([Panel(title, rows, key="fused", ranks=ranks)])

    def _share_row(self, doc: str, i: int, rank: int) -> Row:
        share = self.given[doc][i]
        return Row(doc, note=f"{self.weights[i]:g}/({self.k:g}+{rank}) = {decimals(share, self.digits)}", bars=[share])

    def _scale(self) -> float:
        return max((x for given in self.given.values() for x in given), default=0)

    def _written(self) -> str:
        """The shares of each document as a sum, those that stand highest first."""
        lines = []
        for doc, _ in self.value[:MOST_WRITTEN]:
            ranks = [docs.index(doc) + 1 if doc in docs else None for docs in self.rankings.values()]
            terms = [f"{w:g}/({self.k:g}+{rank})" for w, rank in zip(self.weights, ranks) if rank]
            lines.append(labelled(doc, " + ".join(terms)))
        written = say("steps.semicolon").join(lines)
        more = len(self.value) - len(lines)
        return say("steps.and_more", things=written, count=more) if more else written
