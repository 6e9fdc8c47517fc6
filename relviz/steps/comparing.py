"""All measures of two rankings of one query, side by side."""

from collections.abc import Iterator, Sequence
from typing import Any

from relviz.draw import UNJUDGED, Figure, Panel, Row, Sum, lists
from relviz.draw.lists import MOST_LOOSE
from relviz.draw.palette import BLUE, GREEN, ORANGE
from relviz.locale import say
from relviz.metrics import Discount, Gain, ndcg_at_k, precision_at_k, recall_at_k, reciprocal_rank, top
from relviz.steps.ranking import Grades, Sums, grades_from_top, ideal, scale_of, unjudged_words
from relviz.steps.trace import Step, Trace, decimals, named, step, trace

COLORS = (ORANGE, BLUE)
# While the sums grow, so many rows of each ranking are drawn in all: five times five, or twice ten.
MOST_ROWS = 25
MOST_ADDED = 10


def trace_compare(
    ranking_a: Sequence[str],
    ranking_b: Sequence[str],
    rel: Grades,
    k: int,
    *,
    names: tuple[str, str] = ("A", "B"),
    rr_k: int = 10,
    threshold: int = 1,
    gain: Gain = "linear",
    discount: Discount = "log2",
) -> Trace:
    """Recall, precision, reciprocal rank and nDCG of two rankings of one query. Used in lesson 02.

    The value is `{"recall@5": (a, b), ...}`, each as the plain function gives it.
    """
    both = (ranking_a, ranking_b)
    values: dict[str, list[float | None]] = {
        f"recall@{k}": [recall_at_k(r, rel, k, threshold=threshold) for r in both],
        f"precision@{k}": [precision_at_k(r, rel, k, threshold=threshold) for r in both],
        f"RR@{rr_k}": [reciprocal_rank(r, rel, rr_k, threshold=threshold) for r in both],
        f"nDCG@{k}": [ndcg_at_k(r, rel, k, gain=gain, discount=discount) for r in both],
    }
    value = {measure: (a, b) for measure, (a, b) in values.items()}
    pair = Pair(both, rel, k, names, threshold, value)
    recall, precision, rr, ndcg = value
    sums = [Sums([rel.get(doc, 0) for doc in docs], gain, discount) for docs in pair.first]
    best, over = ideal(rel, k, gain, discount)
    scales = {"scale": scale_of(rel, gain), "sum_scale": max(over.total, *(s.total for s in sums))}
    steps = [
        pair.start(rr_k),
        pair.found("compare.recall", recall),
        pair.found("compare.precision", precision),
        pair.soonest(rr, rr_k),
        *pair.adding(sums, scales),
        pair.dcg(sums, scales),
        pair.ndcg(ndcg, sums, best, over, scales),
        pair.end(),
    ]
    return trace(say("steps.compare.title", a=names[0], b=names[1]), steps, value)


class Pair:
    """Two rankings of one query, and the steps that tell what each measure sees in them."""

    def __init__(
        self,
        rankings: Sequence[Sequence[str]],
        rel: Grades,
        k: int,
        names: tuple[str, str],
        threshold: int,
        value: dict[str, tuple[float | None, float | None]],
    ) -> None:
        self.rankings, self.rel, self.k, self.names, self.value = rankings, rel, k, names, value
        self.first = [top(ranking, k) for ranking in rankings]
        self.relevant = {doc for doc, grade in rel.items() if grade >= threshold}
        self.hits = [[doc for doc in docs if doc in self.relevant] for docs in self.first]
        grades = [grades_from_top(docs, rel) for docs in self.first]
        self.places: dict[str, Any] = {
            "k": k,
            "a": names[0],
            "b": names[1],
            "all": len(self.relevant),
            "grades_a": grades[0],
            "grades_b": grades[1],
            "hits_a": len(self.hits[0]),
            "hits_b": len(self.hits[1]),
        }

    def start(self, rr_k: int) -> Step:
        """The two rankings."""
        unjudged = unjudged_words([doc for docs in self.first for doc in docs], self.rel)
        return step("compare.start", self._runs(({}, {})), unjudged=unjudged, **self.places)

    def found(self, key: str, measure: str) -> Step:
        """The relevant documents of both, counted."""
        notes = [{doc: say("steps.hit_note", n=n) for n, doc in enumerate(docs, start=1)} for docs in self.hits]
        # In long lists the notes stand out enough.
        figure = self._runs(notes, self._total(measure), self.hits if self.k <= MOST_LOOSE else ((), ()))
        return step(key, figure, self._numbers(measure), **self._told(measure), **self.places)

    def soonest(self, measure: str, rr_k: int) -> Step:
        """The first relevant document of both."""
        notes: list[dict[str, str]] = []
        ranks = []
        for ranking in self.rankings:
            hits = [(n, doc) for n, doc in enumerate(top(ranking, rr_k), start=1) if doc in self.relevant][:1]
            notes.append({doc: f"1/{rank} = {decimals(1 / rank)}" for rank, doc in hits})
            ranks.append(hits[0][0] if hits else say("steps.none"))
        figure = self._runs(notes, self._total(measure), [list(note) for note in notes])
        words = {"rank_a": ranks[0], "rank_b": ranks[1], **self._told(measure)}
        return step("compare.rr", figure, self._numbers(measure), **words, **self.places)

    def adding(self, sums: Sequence[Sums], scales: dict[str, float]) -> Iterator[Step]:
        """The sums as they grow, one rank after the other where something is added; of long rankings the first few."""
        shares = [[*s.shares, *[0.0] * (self.k - len(s.shares))] for s in sums]
        ranks = [rank for rank, added in enumerate(zip(*shares), start=1) if any(added)]
        for rank in ranks[: MOST_ROWS // self.k if self.k <= MOST_ADDED else 0]:
            active = [docs[rank - 1 : rank] for docs in self.first]
            figure = self._sums(sums, rank, scales, active)
            notes = [[*s.notes, *["0"] * (self.k - len(s.notes))][rank - 1] for s in sums]
            so_far = [sum(s.shares[:rank], 0.0) for s in sums]
            words = {"note_a": notes[0], "note_b": notes[1], "rank": rank, "k": self.k}
            words |= {f"sum_{x}": decimals(y) for x, y in zip("ab", so_far)}
            numbers = {f"{say('steps.sum_of', name=name)}": x for name, x in zip(self.names, so_far)}
            yield step("compare.add", figure, numbers, a=self.names[0], b=self.names[1], **words)

    def dcg(self, sums: Sequence[Sums], scales: dict[str, float]) -> Step:
        """The two sums."""
        dcgs = [decimals(s.total) for s in sums]
        total = self._line(f"DCG@{self.k}", *dcgs)
        words = {"sum_a": sums[0].formula, "sum_b": sums[1].formula, "dcg_a": dcgs[0], "dcg_b": dcgs[1]}
        numbers = {f"DCG@{self.k} {name}": s.total for name, s in zip(self.names, sums)}
        figure = self._sums(sums, self.k, scales, ((), ()), total=total)
        return step("compare.dcg", figure, numbers, **words, **self.places)

    def ndcg(
        self, measure: str, sums: Sequence[Sums], best: Sequence[str], over: Sums, scales: dict[str, float]
    ) -> Step:
        """The ideal that both are divided by, beside them."""
        rows = [Row(doc, self.rel[doc], decimals(x), [x]) for doc, x in zip(best, over.shares)]
        panel = Panel(say("steps.ideal_panel", k=self.k), rows, key="ideal", color=GREEN)
        a, b = self.value[measure]
        words = {"sum": over.formula, "idcg": decimals(over.total), "ndcg_a": decimals(a), "ndcg_b": decimals(b)}
        words |= {"dcg_a": decimals(sums[0].total), "dcg_b": decimals(sums[1].total), **self._told(measure)}
        numbers = {f"IDCG@{self.k}": over.total, **self._numbers(measure)}
        bar = Sum(say("steps.ideal"), decimals(over.total), over.shares, GREEN)
        total = self._total(measure)
        figure = self._sums(sums, self.k, scales, ((), ()), total=total, ideal=(panel, bar))
        return step("compare.ndcg", figure, numbers, **words, **self.places)

    def _sums(
        self,
        sums: Sequence[Sums],
        done: int,
        scales: dict[str, float],
        active: Sequence[Sequence[str]],
        *,
        total: str = "",
        ideal: tuple[Panel, Sum] | None = None,
    ) -> Figure:
        """Both runs with what their first places add, and the sums; the ideal beside them."""
        panels, bars = [], []
        for i, s in enumerate(sums):
            notes = [decimals(x) if x else "0" for x in s.shares] if ideal else s.notes
            added = dict(zip(self.first[i], s.shares[:done]))
            panels.append(self._run(i, dict(zip(self.first[i], notes[:done])), added, active[i]))
            bars.append(Sum(self.names[i], decimals(sum(s.shares[:done], 0.0)), s.shares[:done], COLORS[i]))
        if ideal:
            panels, bars = [*panels, ideal[0]], [*bars, ideal[1]]
        return lists(panels, total=total, columns=3, sums=bars, **scales)  # type: ignore[arg-type]

    def end(self) -> Step:
        """All values, and which measures saw a difference."""
        table = []
        for i in (0, 1):
            rows = [Row(measure, note=decimals(v[i]), bars=[v[i] or 0]) for measure, v in self.value.items()]
            table.append(Panel(self.names[i], rows, f"table{i}", color=COLORS[i], ranks=False))
        everything = {name: x for measure in self.value for name, x in self._numbers(measure).items()}
        equal = named([measure for measure, (a, b) in self.value.items() if a == b])
        differ = named([measure for measure, (a, b) in self.value.items() if a != b])
        return step("compare.end", lists(table, scale=1), everything, equal=equal, differ=differ)

    def _run(
        self, i: int, notes: dict[str, str], bars: dict[str, float] | None = None, active: Sequence[str] = ()
    ) -> Panel:
        rows = [
            Row(
                doc,
                self.rel.get(doc, UNJUDGED),
                notes.get(doc, ""),
                [bars[doc]] if bars and doc in bars else (),
                active=doc in active,
            )
            for doc in self.first[i]
        ]
        return Panel(self.names[i], rows, key=f"run{i}" if self.k <= MOST_LOOSE else "", color=COLORS[i])

    def _runs(
        self, notes: Sequence[dict[str, str]], total: str = "", active: Sequence[Sequence[str]] = ((), ())
    ) -> Figure:
        return lists([self._run(i, notes[i], active=active[i]) for i in (0, 1)], total=total)

    def _line(self, measure: str, x: str, y: str) -> str:
        return say("steps.compare.total", measure=measure, a=self.names[0], b=self.names[1], x=x, y=y)

    def _total(self, measure: str) -> str:
        a, b = self.value[measure]
        return self._line(measure, decimals(a), decimals(b))

    def _told(self, measure: str) -> dict[str, str]:
        """The two values of a measure, and which is ahead."""
        a, b = self.value[measure]
        if a is None or b is None:
            verdict = say("steps.compare.unknown")
        elif a == b:
            verdict = say("steps.compare.equal", measure=measure)
        else:
            ahead = self.names[int(b > a)]
            verdict = say("steps.compare.ahead", measure=measure, name=ahead, by=decimals(abs(b - a)))
        return {"total": self._total(measure), "verdict": verdict}

    def _numbers(self, measure: str) -> dict[str, float | None]:
        return {f"{measure} {name}": x for name, x in zip(self.names, self.value[measure])}
