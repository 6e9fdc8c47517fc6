"""Judgements and runs: every form they come in, and what to look at before the first number.

Judgements are `{query: {document: grade}}`, runs `{query: {document: score}}`. `as_qrels` and `as_run` make them of
whatever stands for them: such a dict, a DataFrame with the columns query_id, doc_id and relevance or score, or the
path of a file; a run may also be `{query: [document, ...]}`, best first. Ids are text and stay as they are.
"""

import heapq
import math
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from relviz.checks import whole
from relviz.files import read_qrels, read_run
from relviz.locale import listed, say, short
from relviz.rows import Lenient, grade, in_memory, score, sound
from relviz.terminal import printable
from relviz.trec import Run
from relviz.writing import write_qrels, write_run

__all__ = [
    "RunCheck",
    "as_qrels",
    "as_run",
    "check_run",
    "ranked",
    "read_qrels",
    "read_run",
    "write_qrels",
    "write_run",
]

Qrels = Mapping[str, Mapping[str, int]]
Scores = Mapping[str, Mapping[str, float]]


def ranked(scores: Mapping[str, float]) -> list[str]:
    """The documents of `{document id: score}`, best first; equal scores by document id, descending, as trec_eval does.

    A score is what `as_run` takes for one, and is compared as a float: "10" is 10.0. Built in lesson 03.
    """
    if not isinstance(scores, Mapping):
        raise ValueError(say("errors.scores_of_docs", kind=type(scores).__name__))
    if not sound({"query": scores}, score):
        for doc, value in scores.items():
            if not isinstance(doc, str):
                raise ValueError(say("errors.id", doc=short(doc), kind=type(doc).__name__))
            try:
                score(value)
            except ValueError as problem:
                raise ValueError(say("errors.document", doc=short(doc), problem=problem)) from None
    return sorted(scores, key=lambda doc: (float(scores[doc]), doc), reverse=True)


def as_qrels(qrels: Any, *, lenient: Lenient = False, name: str = "qrels") -> Qrels:
    """`{query: {document: grade}}` of a dict (itself, when nothing is wrong with it), a DataFrame or a path.

    ValueError names query and document: an id that is not text, a grade that is no whole number, a document twice.
    `lenient` is as in `read_qrels`; `name` is what messages call the judgements. First used in lesson 12.
    """
    if isinstance(qrels, str | os.PathLike):
        return read_qrels(qrels, lenient=lenient)
    return in_memory(qrels, grade, lenient, name)


def as_run(run: Any, *, lenient: Lenient = False, name: str = "run") -> Scores:
    """`{query: {document: score}}` of a dict (itself, when nothing is wrong with it), a DataFrame or a path.

    A list of n documents becomes the scores n, n - 1, ..., 1. ValueError names query and document: an id that is not
    text, a score that is no finite number, a document twice. A number written as text, as in "12.5", is a number.
    `lenient` and `name` as in `as_qrels`.
    First used in lesson 12.
    """
    if isinstance(run, str | os.PathLike):
        return read_run(run, lenient=lenient)
    if isinstance(run, Run):
        return run
    return in_memory(run, score, lenient, name)


# ---------- before any number ----------

# A few ties are ordinary; from this share on, much of the order is by id.
TIED = 0.1
# A few queries without a judged document are ordinary; from this share on, ids may be written in another way.
SUSPECT = 0.1
# Shares of judged documents further apart than this are worth a warning: one document in a hundred places.
JUDGED_APART = 0.01
# So many different grades nobody gives; scores take as many values.
MANY = 10


@dataclass(frozen=True, repr=False)
class RunCheck:
    """What a run has to do with judgements, before any number is computed; prints as a few sentences.

    queries: how many are both judged and answered. missing: judged queries that the run does not answer. extra:
    answered queries that nobody judged. judged: for each query of both, the share of its first k documents that are
    judged. unmet: queries of both for which no retrieved document is judged. empty: judged queries with no relevant
    document. hints: sentences on ids that would meet if they were written alike, counted over all queries. tied: of the
    first k documents, the mean share whose score another document of the query has, too, so that ids decide their
    order. below: query and document of each grade below 0, which `evaluate` refuses. lost: no document is judged for
    the query that it was retrieved for. apart: when it is so and no hint says why, an example. upside_down: the run's
    file puts the lowest scores first. grades: how many different grades occur.
    """

    k: int
    queries: int
    missing: list[str]
    extra: list[str]
    judged: dict[str, float]
    unmet: list[str]
    empty: list[str]
    hints: list[str]
    tied: float = 0.0
    below: list[tuple[str, str]] = field(default_factory=list)
    depth: int = 0
    lost: bool = False
    apart: str = ""
    upside_down: bool = False
    grades: int = 0

    @property
    def judged_at_k(self) -> float | None:
        """The mean share of judged documents among the first k; None when no query is in both."""
        return math.fsum(self.judged.values()) / len(self.judged) if self.judged else None

    @property
    def ok(self) -> bool:
        """Whether every judged query is answered, every answered one judged, and all first k documents are judged."""
        strange = self.hints or self.below or self.upside_down or self.grades > MANY
        return not (self.missing or self.extra or self.unmet or strange) and self.judged_at_k == 1

    def __str__(self) -> str:
        lines = [say("check.queries", both=self.queries, judged=self.queries + len(self.missing))]
        if self.judged_at_k is not None:
            lines.append(say("check.judged", k=self.k, share=f"{self.judged_at_k:.1%}"))
        if 0 < self.depth < self.k:
            lines.append(say("check.shallow", k=self.k, depth=self.depth))
        for key in ("missing", "extra", "unmet", "empty"):
            found = getattr(self, key)
            if found:
                lines.append(say(f"check.{key}", n=len(found), some=listed(found, 5)))
        if self.tied > TIED:
            lines.append(say("check.tied", k=self.k, share=f"{self.tied:.1%}"))
        if self.upside_down:
            lines.append(say("check.upside_down"))
        if self.grades > MANY:
            lines.append(say("check.many_grades", n=self.grades))
        if self.below:
            query, doc = self.below[0]
            lines.append(say("check.below", n=len(self.below), query=short(query), doc=short(doc)))
        return "\n".join(map(printable, [*lines, *self.hints, *filter(None, [self.apart])]))

    __repr__ = __str__


def check_run(run: Any, qrels: Any, *, k: int = 10) -> RunCheck:
    """Do this run and these judgements fit? Coverage, judged@k, queries on one side only, ids that never meet.

    run and qrels: as `as_run` and `as_qrels` take them. k: how deep judged@k looks; a query that returned fewer
    documents is divided by those. Built in lesson 12.
    """
    k = whole("k", k)
    run, qrels = as_run(run), as_qrels(qrels)
    both = sorted(query for query in qrels if query in run)
    judged, tied, unmet, depth = {}, [], [], 0
    for query in both:
        scores, rel = run[query], qrels[query]
        depth = max(depth, len(scores))
        if scores:
            top = heapq.nlargest(k, scores, key=lambda doc: (float(scores[doc]), doc))
            judged[query] = sum(doc in rel for doc in top) / len(top)
            tied.append(tied_share(scores, k))
        if rel and scores.keys().isdisjoint(rel):
            unmet.append(query)
    missing = sorted(query for query in qrels if query not in run)
    extra = sorted(query for query in run if query not in qrels)
    hints = [*hint("check.query_hint", [(extra, missing)]), *hint("check.doc_hint", strangers(run, qrels, both))]
    lost = meets_nothing(run, qrels)
    return RunCheck(
        k=k,
        queries=len(both),
        missing=missing,
        extra=extra,
        judged=judged,
        unmet=unmet,
        empty=sorted(query for query, rel in qrels.items() if not any(value > 0 for value in rel.values())),
        hints=hints,
        tied=math.fsum(tied) / len(tied) if tied else 0.0,
        below=[(query, doc) for query, rel in qrels.items() for doc, value in rel.items() if value < 0],
        depth=depth,
        upside_down=getattr(run, "upside_down", False),
        grades=len({value for rel in qrels.values() for value in rel.values()}),
        lost=lost,
        apart=apart(run, qrels) if lost and not hints else "",
    )


def tied_share(scores: Mapping[str, float], k: int) -> float:
    """Of the first k documents of a ranking, the share whose score another document has, too."""
    best = heapq.nlargest(k + 1, map(float, scores.values()))  # one more, since the last may share its score with it
    alike = Counter(best)
    return sum(alike[score] > 1 for score in best[:k]) / len(best[:k])


def look(run: Mapping[str, Any], queries: Iterable[str], k: int) -> tuple[float, int]:
    """The mean share of the first k documents whose order ids decide, and how many documents a query has at most.

    In one pass, since a file's rankings are unpacked when they are asked for. A list has an order of its own.
    """
    shares, depth = [], 0
    for query in queries:
        if query in run and len(ranking := run[query]):
            shares.append(tied_share(ranking, k) if isinstance(ranking, Mapping) else 0.0)
            depth = max(depth, len(ranking))
    return math.fsum(shares) / len(shares), depth


def only_relevant(qrels: Qrels) -> bool:
    """Whether every grade is above 0, so that nobody can tell unjudged from not relevant."""
    return all(value > 0 for rel in qrels.values() for value in rel.values())


ALIKE: dict[str, Callable[[str], str]] = {
    "space": str.strip,
    "case": str.casefold,
    "zeros": lambda an_id: an_id.lstrip("0") or "0",
    "decimal": lambda an_id: an_id.removesuffix(".0"),
    "extension": lambda an_id: os.path.splitext(an_id)[0],
    "prefix": lambda an_id: an_id[max(map(an_id.rfind, "/:_-# ")) + 1 :],
}
# What these leave is the whole id, so that neither side need be written bare.
WHOLE = ("space", "case", "zeros")


def strangers(run: Scores, qrels: Qrels, queries: Iterable[str]) -> Iterator[tuple[list[str], list[str]]]:
    """Of each query: the documents that only the run has and no query judges, and those that only the qrels have."""
    known = {doc for rel in qrels.values() for doc in rel}
    for query in queries:
        scores = run[query]
        theirs = [doc for doc in qrels[query] if doc not in scores]
        if theirs:
            yield [doc for doc in scores if doc not in known], theirs


def hint(key: str, sides: Iterable[tuple[list[str], list[str]]]) -> list[str]:
    """What keeps ids of the run from meeting those of the judgements: the difference that explains most."""
    pairs: dict[str, list[tuple[str, str]]] = {why: [] for why in ALIKE}
    for ours, theirs in sides:
        for why, alike in ALIKE.items():
            there = {alike(an_id): an_id for an_id in theirs}
            met = ((an_id, there[alike(an_id)]) for an_id in ours if alike(an_id) in there)
            # A tail in common is not enough: FT-7 and LA-7 are two documents.
            pairs[why] += [pair for pair in met if alike(pair[0]) and (why in WHOLE or alike(pair[0]) in pair)]
    why = max(pairs, key=lambda why: len(pairs[why]))
    if not pairs[why]:
        return []
    mine, other = pairs[why][0]
    n = len({mine for mine, _ in pairs[why]})
    places = {"n": n, "pairs": len(pairs[why]), "mine": repr(mine), "other": repr(other)}
    return [say(key, why=say(f"check.why_{why}"), **places)]


def meets_nothing(run: Scores, qrels: Qrels) -> bool:
    """Whether no document is judged for the query that it was retrieved for."""
    return all(rel.keys().isdisjoint(run.get(query, ())) for query, rel in qrels.items())


def nothing_met(runs: Iterable[tuple[str, Any]], qrels: Qrels) -> str:
    """Which of the runs meet no judgement, and how the ids of the first of them differ; nothing when all of them do."""
    lost = {name: run for name, run in runs if meets_nothing(run, qrels)}
    if not lost:
        return ""
    names = say("compare.or").join(map(repr, lost))
    return say("check.nothing", runs=names, ids=apart(next(iter(lost.values())), qrels)).rstrip()


def apart(run: Scores, qrels: Qrels) -> str:
    """How the ids of a run that meets no judgement differ from those of the judgements, or an example of each."""
    both = [query for query in qrels if query in run]
    kind, sides = ("doc", strangers(run, qrels, both)) if both else ("query", [(list(run), list(qrels))])
    if found := hint(f"check.{kind}_hint", sides):
        return found[0]
    pairs = [(query, run[query], qrels[query]) for query in both] if both else [("", run, qrels)]
    known = {doc for rel in qrels.values() for doc in rel} if both else set()
    elsewhere = len({doc for _, ours, _ in pairs for doc in ours} & known)
    shifted = say("check.elsewhere", n=elsewhere) if elsewhere else ""
    for query, ours, theirs in pairs:
        if len(ours) and theirs:
            places = {"query": query, "mine": repr(next(iter(ours))), "other": repr(next(iter(theirs)))}
            return shifted + say(f"check.{kind}_apart", **places)
    return shifted
