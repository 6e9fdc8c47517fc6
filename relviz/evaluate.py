"""Many queries, many runs and many measures at once, with the conventions printed beside the numbers.

The readable twin of each measure is in metrics.py. Here the same numbers come from counting: the rank of a document
is 1 + the documents with a higher score, so no ranking is sorted and no document is touched that nobody judged.
"""

import html
import math
import os
import re
import struct
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from typing import Any

import numpy as np

from relviz.bounds import bound
from relviz.checks import NO_NUMBERS
from relviz.locale import listed, say, short
from relviz.measures import Measure, parse_measures
from relviz.qrels import as_qrels, as_run
from relviz.rows import is_records, sound_ids
from relviz.scoring import Found, Judged, condense, has_relevant, score
from relviz.terminal import aligned, printable
from relviz.trec import Run as FileRun

__all__ = ["Conventions", "Evaluation", "evaluate"]

Grades = Mapping[str, Mapping[str, int]]
Array = np.ndarray[Any, Any]
Run = Mapping[str, Mapping[str, float] | Sequence[str]]

CHOICES = {
    "ties": ("doc_desc", "mean", "lowest", "highest"),
    "unjudged": ("not_relevant", "left_out", "lowest", "highest"),
    "empty": ("undefined", "zero"),
    "missing": ("zero", "left_out"),
    "negative": ("error", "zero"),
    "duplicates": ("error", "first"),
}
# With more judged documents than this in one ranking, sorting it once is cheaper than counting for each.
FEW = 8
NUMBERS = (int, float, np.floating, np.integer)
# A number of more bits than a float may be finite alone.
NOT_PLAIN = (*NO_NUMBERS, np.longdouble)
# So many scores are held until they are looked at together.
HELD = 1 << 16


@dataclass(frozen=True)
class Conventions:
    """What two numbers must share before they may be compared. The default of each comes first.

    ties: "doc_desc" (equal scores by document id, descending, as trec_eval), "mean" (expected value over random orders
    of tied documents), "lowest" and "highest" (bounds over all orders).
    unjudged: "not_relevant", "left_out" (the ranking is condensed to its judged documents), "lowest" and "highest"
    (bounds over all grades that the unjudged documents of the run could have; with ties by document id only).
    empty: a query with no relevant document is "undefined", left out of every mean, or "zero".
    missing: a judged query that the run does not answer is "zero", or "left_out".
    negative: a grade below 0 is an "error", or "zero" (gain 0 and, for Bpref and Judged, unjudged).
    duplicates: a document that stands twice in a ranking is an "error", or the "first" place counts.
    Each is the subject of a section of lesson 03.
    """

    ties: str = "doc_desc"
    unjudged: str = "not_relevant"
    empty: str = "undefined"
    missing: str = "zero"
    negative: str = "error"
    duplicates: str = "error"

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            got = getattr(self, name)
            if not isinstance(got, str) or got not in choices:
                known = listed(map(repr, choices))
                raise ValueError(say("errors.choice", name=name, choices=known, got=short(got)))
        if self.unjudged in ("lowest", "highest") and self.ties != "doc_desc":
            raise ValueError(say("errors.bounds_need_order"))

    def __str__(self) -> str:
        chosen = (say(f"evaluate.{name}_{getattr(self, name)}") for name in ("ties", "unjudged", "empty", "missing"))
        return say("evaluate.conventions", choices=say("evaluate.separator").join(chosen))


TREC = Conventions(empty="zero", negative="zero")


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The scores of runs on the same queries; prints as a table of means with its conventions.

    queries: the judged queries, in the order of their ids. scores[run][measure]: one number per query, in that order,
    NaN where the measure is undefined or the query is left out. means[run][measure]: the mean of the others.
    undefined[measure]: the queries with no relevant document. missing[run]: judged queries that the run does not
    answer. unjudged[run]: queries for which it retrieved documents, none of them judged. extra[run]: queries that
    are in the run only, and count nowhere.
    First used in lesson 02.
    """

    queries: list[str]
    runs: list[str]
    measures: list[str]
    scores: dict[str, dict[str, Array]]
    means: dict[str, dict[str, float]]
    undefined: dict[str, list[str]]
    missing: dict[str, list[str]]
    unjudged: dict[str, list[str]]
    extra: dict[str, list[str]]
    conventions: Conventions

    def per_query(self, run: str | None = None) -> Any:
        """A DataFrame with a row per query and a column per measure; the run may be left out when there is one."""
        import pandas as pd

        if run is None and len(self.runs) > 1:
            raise ValueError(say("errors.which_run", runs=listed(self.runs)))
        run = self.runs[0] if run is None else run
        if not isinstance(run, str) or run not in self.runs:
            raise ValueError(say("errors.no_run", run=short(run), runs=listed(self.runs)))
        return pd.DataFrame(self.scores[run], index=pd.Index(self.queries, name="query_id"))

    def table(self) -> Any:
        """A DataFrame of means with a row per run and a column per measure."""
        import pandas as pd

        return pd.DataFrame.from_dict(self.means, orient="index", columns=self.measures).rename_axis("run")

    @property
    def notes(self) -> list[str]:
        """What a reader of the means must know: how many queries, and which of them count as what."""
        notes = [say("evaluate.one_query" if len(self.queries) == 1 else "evaluate.queries", n=len(self.queries))]
        for kind, found in {
            "undefined": self.undefined,
            "missing": self.missing,
            "unjudged": self.unjudged,
            "extra": self.extra,
        }.items():
            alike: dict[tuple[str, ...], list[str]] = {}
            for name, queries in found.items():
                alike.setdefault(tuple(queries), []).append(name)
            zero = kind == "undefined" and self.conventions.empty == "zero"
            for these, names in alike.items():
                if these:
                    key = "evaluate.empty" if zero else f"evaluate.{kind}"
                    notes.append(say(key, name=listed(names), n=len(these), which=listed(these, 3)))
        unsaid = [m for m in parse_measures(self.measures) if m.name == "RBP" and not re.search(r"\bp\s*=", m.text)]
        return [*notes, *(say("evaluate.persistence", name=m.text, p=m.p) for m in unsaid)]

    def __str__(self) -> str:
        rows = [["", *self.measures], *([run, *map(_three, self.means[run].values())] for run in self.runs)]
        return "\n".join([*aligned(rows), *map(printable, self.notes), str(self.conventions)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{html.escape(measure)}</th>" for measure in self.measures)
        body = "".join(
            f"<tr><th>{html.escape(run)}</th>" + "".join(f"<td>{_three(mean)}</td>" for mean in row.values()) + "</tr>"
            for run, row in self.means.items()
        )
        words = "".join(f"<p>{html.escape(line)}</p>" for line in [*self.notes, str(self.conventions)])
        return f"<table><thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table>{words}"


def evaluate(
    runs: Any,
    qrels: Any,
    measures: str | Iterable[str],
    *,
    ties: str = "doc_desc",
    unjudged: str = "not_relevant",
    empty: str = "undefined",
    missing: str = "zero",
    duplicates: str = "error",
    trec: bool = False,
) -> Evaluation:
    """The measures of one run or of several, per query and in the mean.

    runs: one run, `{query: {document: score}}`, `{query: [document, ...]}` with the best first, a DataFrame or a path;
    or several by name, `{name: run}`, or a list of paths. qrels: `{query: {document: grade}}`, a DataFrame or a path.
    measures: as in `"nDCG@10"` or `["P(rel=2)@5", "RR@10"]`.
    What a run holds at queries that nobody judged is not looked at, nor whether the id of a document with a score can
    be written in UTF-8: `as_run` looks at both.
    The other options are those of `Conventions`. trec=True takes the conventions of `trec_eval -c`; scores are
    compared in double precision, as trec_eval 10 does and trec_eval 9 does not.
    A query with no relevant document is undefined for every measure but Judged, so that all means of a table are over
    the same queries; that includes precision and reciprocal rank, which metrics.py calls 0.
    ValueError, naming query and document: ids that are not text, a score that is no finite number, a grade that is no
    whole number of at least 0, a document twice in a ranking; and a measure or option that is not known.
    First used in lesson 02, from one query to the mean of thirty; in full in lesson 12.
    """
    if not isinstance(trec, bool):
        raise ValueError(say("errors.choice", name="trec", choices=listed([True, False]), got=short(trec)))
    conventions = Conventions(ties, unjudged, empty, missing, duplicates=duplicates)
    if trec:
        if conventions not in (Conventions(), Conventions(empty="zero")):
            raise ValueError(say("errors.trec_decides"))
        conventions = TREC
    parsed = parse_measures(measures)
    grades = _checked_qrels(qrels, conventions.negative)
    named = named_runs(runs, grades)
    queries = sorted(grades)
    judged = _flat(queries, grades)
    all_judged = unjudged != "not_relevant" or any(measure.name in ("Bpref", "Judged") for measure in parsed)
    scores, missing_from, nothing_judged, extra = {}, {}, {}, {}
    for name, run in named.items():
        found, matched = _find(name, run, grades, queries, 0 if all_judged else 1, conventions.duplicates)
        answered = np.array([query in run for query in queries], dtype=bool)
        missing_from[name] = [query for query, here in zip(queries, answered) if not here]
        nothing_judged[name] = [queries[i] for i in np.flatnonzero((matched == 0) & (found.retrieved > 0)).tolist()]
        extra[name] = sorted(query for query in run if query not in grades)
        if unjudged == "left_out":
            found = condense(found)
        scores[name] = {m.text: _by_convention(m, judged, found, answered, conventions) for m in parsed}
    return Evaluation(
        queries=queries,
        runs=list(named),
        measures=[measure.text for measure in parsed],
        scores=scores,
        means={name: {text: _mean(values) for text, values in row.items()} for name, row in scores.items()},
        undefined={m.text: _without_relevant(m, judged, queries) for m in parsed},
        missing=missing_from,
        unjudged=nothing_judged,
        extra=extra,
        conventions=conventions,
    )


# ---------- what was handed in ----------


def named_runs(runs: Any, qrels: Grades) -> dict[str, Run]:
    """The runs by name: a file by the name it has without its ending, another run that comes alone "run"."""
    if isinstance(runs, list | tuple) and not is_records(runs):
        pairs = [one if _is_pair(one) else (name_of(one), one) for one in runs]
        names = [name for name, _ in pairs]
        if not pairs or None in names:
            raise ValueError(say("errors.runs_list"))
        twice = [name for i, name in enumerate(names) if name in names[:i]]
        if twice:
            raise ValueError(say("errors.runs_twice", name=short(twice[0])))
        runs = dict(pairs)
    elif not isinstance(runs, Mapping) or isinstance(runs, FileRun) or not _are_several(runs, qrels):
        runs = {name_of(runs) or "run": runs}
    for name in runs:
        if not isinstance(name, str):
            raise ValueError(say("errors.run_name_text", name=short(name)))
    return {name: _as_mapping(name, run) for name, run in runs.items()}


def _as_mapping(name: str, run: Any) -> Run:
    """A dict as it is, since its rankings are looked at one by one when they are scored; what is not, is read."""
    if isinstance(run, Mapping) and sound_ids(run):
        return run
    return as_run(run, name=say("errors.run_name", name=short(name)))


def _is_pair(one: Any) -> bool:
    return isinstance(one, tuple) and len(one) == 2 and isinstance(one[0], str)


def name_of(run: Any) -> str | None:
    """bm25 of results/bm25.run.gz."""
    return Path(run).name.split(".")[0] or None if isinstance(run, str | os.PathLike) else None


def _are_several(runs: Mapping[Any, Any], qrels: Grades) -> bool:
    """Whether a mapping is {name: run} or one run: in a run, documents or scores stand one level higher."""
    found: dict[bool, Any] = {}
    for key, value in runs.items():
        if isinstance(value, Mapping):
            inner = next(iter(value.values()), None)
            if inner is not None:
                found.setdefault(isinstance(inner, Iterable) and _holds_queries(key, value, inner, qrels), key)
        else:
            # What stands at the id of a query is meant for its documents, right or wrong.
            found.setdefault(not isinstance(value, list | tuple | np.ndarray) and key not in qrels, key)
    if len(found) == 2:
        raise ValueError(say("errors.runs_mixed", run=short(found[True]), query=short(found[False])))
    if found:
        return True in found
    if runs and not any(key in qrels for key in runs):
        raise ValueError(say("errors.runs_empty", name=short(next(iter(runs)))))
    return False


def _holds_queries(key: Any, value: Mapping[Any, Any], inner: Any, qrels: Grades) -> bool:
    """Whether inner, which is no number, is meant for the documents of a query, and not for the score of a document.

    Text may be a score, so both sides must speak for documents; of anything else, one side is enough.
    """
    speaks = any(query in qrels for query in value)
    return speaks and key not in qrels if isinstance(inner, str) else speaks or key not in qrels


def _checked_qrels(qrels: Any, negative: str) -> Grades:
    """The judgements; one below 0 is an error, or as if nobody had judged the document."""
    grades = as_qrels(qrels)
    if not grades:
        raise ValueError(say("errors.no_query"))
    below = {query: rel for query, rel in grades.items() if min(rel.values(), default=0) < 0}
    if below and negative == "error":
        query, rel = next(iter(below.items()))
        doc = min(rel, key=rel.__getitem__)
        raise ValueError(say("errors.below_zero", query=short(query), doc=short(doc), grade=rel[doc]))
    kept = {query: {doc: grade for doc, grade in rel.items() if grade >= 0} for query, rel in below.items()}
    return {**grades, **kept} if below else grades


def _flat(queries: Sequence[str], grades: Grades) -> Judged:
    sizes = [len(grades[query]) for query in queries]
    flat = [grade for query in queries for grade in grades[query].values()]
    return Judged(len(queries), np.repeat(np.arange(len(queries)), sizes), np.array(flat, dtype=np.int64))


# ---------- where the judged documents stand ----------


# Scores of numpy's small types may add up to too much for their type, and of the sum only the kind matters then.
@np.errstate(over="ignore", invalid="ignore")
def _find(
    name: str, run: Run, grades: Grades, queries: Sequence[str], least: int, duplicates: str
) -> tuple[Found, Array]:
    """The judged documents of at least this grade in a run; and for each query, how many of any grade there are."""
    rows = array("q")
    retrieved, matched = np.zeros(len(queries), dtype=np.int64), np.zeros(len(queries), dtype=np.int64)
    held: list[tuple[str, Mapping[str, float], Array]] = []
    size_held = 0
    for i, query in enumerate(queries):
        if query not in run:
            continue
        ranking, rel = run[query], grades[query]
        if isinstance(ranking, Mapping):
            ranking, scores = _scored(ranking, query, name)
            held.append((query, ranking, scores))
            size_held += scores.size
            if size_held > HELD:
                _refuse_truth(held, name)
                size_held = 0
            judged = [doc for doc in rel if doc in ranking]
            docs = [doc for doc in judged if rel[doc] >= least]
            places, size = _count_higher(ranking, scores, docs), scores.size
        else:
            first = _listed(ranking, query, name, duplicates)
            judged = [doc for doc in rel if doc in first]
            docs = [doc for doc in judged if rel[doc] >= least]
            places, size = [(first[doc] + 1, first[doc], 1) for doc in docs], len(first)
        retrieved[i], matched[i] = size, len(judged)
        for doc, (rank, above, tied) in zip(docs, places):
            rows.extend((i, rel[doc], rank, above, tied))
    _refuse_truth(held, name)
    table = np.frombuffer(rows, dtype=np.int64).reshape(-1, 5).T
    return Found(*table[:, np.lexsort((table[2], table[0]))], retrieved=retrieved), matched  # type: ignore[misc]


def _scored(ranking: Mapping[str, float], query: str, name: str) -> tuple[Any, Array]:
    """The ranking and its scores, after the fastest check that ids are text and scores finite numbers."""
    try:
        # startswith refuses what is no text and finds the empty id, sum refuses what is no number: a thousand documents
        # in a few microseconds, of which most go to fetching them from memory.
        if not "".startswith(tuple(ranking)):
            values = ranking.values()
            total = sum(values)
            if (type(total) is float or type(total) is int or _are_numbers(values)) and math.isfinite(total):
                return ranking, np.frombuffer(struct.pack(f"{len(values)}d", *values))
    except (TypeError, ValueError, OverflowError, struct.error):
        pass
    ranking = _entry_by_entry(ranking, query, name)
    return ranking, np.fromiter(ranking.values(), dtype=float)


def _are_numbers(values: Iterable[Any]) -> bool:
    """Whether all are numbers of kinds that a sum cannot mistake."""
    kinds = set(map(type, values))
    return all(issubclass(kind, NUMBERS) and not issubclass(kind, NOT_PLAIN) for kind in kinds)


def _entry_by_entry(ranking: Any, query: str, name: str) -> Mapping[str, float]:
    """The ranking as it is in order; otherwise what is wrong is said."""
    return as_run({query: ranking}, name=say("errors.run_name", name=short(name)))[query]


def _refuse_truth(held: list[tuple[str, Mapping[str, float], Array]], name: str) -> None:
    """No score is True or False: they add and compare like numbers, but as numbers they can only be 1 and 0."""
    scores = np.concatenate([scores for _, _, scores in held] or [np.empty(0)])
    if np.count_nonzero(scores == (scores != 0)):
        for query, ranking, scores in held:
            suspects = compress(ranking.values(), (scores == (scores != 0)).tobytes())
            if not _are_numbers(suspects):
                _entry_by_entry(ranking, query, name)
    held.clear()


def _listed(ranking: Sequence[str], query: str, name: str, duplicates: str) -> dict[str, int]:
    """Document to place, from 0, of a ranking that is a list, best first."""
    if isinstance(ranking, np.ndarray) and ranking.ndim == 1:
        ranking = ranking.tolist()
    if isinstance(ranking, list | tuple) and sound_ids(ranking):
        places = {doc: place for place, doc in enumerate(dict.fromkeys(ranking))}
        if len(places) == len(ranking) or duplicates == "first":
            return places
    return {doc: place for place, doc in enumerate(_entry_by_entry(ranking, query, name))}


def _count_higher(ranking: Mapping[str, float], scores: Array, docs: Sequence[str]) -> list[tuple[int, int, int]]:
    """Rank, number of higher scores and number of equal scores of each document."""
    own = [float(ranking[doc]) for doc in docs]
    many = len(docs) > FEW
    if many:
        order = np.argsort(scores)
        starts, ends = (np.searchsorted(scores, own, side, sorter=order).tolist() for side in ("left", "right"))
        counts = [(scores.size - end, end - start) for start, end in zip(starts, ends)]
    else:
        counts = [(np.count_nonzero(scores > s), np.count_nonzero(scores == s)) for s in own]
    places: list[tuple[int, int, int]] = []
    names: list[str] = []
    groups: dict[float, dict[str, int]] = {}
    for doc, s, (above, tied) in zip(docs, own, counts):
        place = 1
        if tied > 1:
            if s not in groups:
                names = names or list(ranking)
                end = scores.size - above
                alike = order[end - tied : end] if many else np.flatnonzero(scores == s)
                groups[s] = _by_id_descending([names[i] for i in alike.tolist()])
            place = groups[s][doc]
        places.append((above + place, above, tied))
    return places


def _by_id_descending(docs: list[str]) -> dict[str, int]:
    return {doc: place for place, doc in enumerate(sorted(docs, reverse=True), start=1)}


# ---------- numbers under the conventions ----------


def _by_convention(measure: Measure, judged: Judged, found: Found, answered: Array, conventions: Conventions) -> Array:
    if conventions.unjudged in ("lowest", "highest"):
        values = bound(measure, judged, found, conventions.unjudged == "highest")
    else:
        values = score(measure, judged, found, conventions.ties)
    if conventions.empty == "zero" and measure.name != "Judged":
        values = np.nan_to_num(values)
    if conventions.missing == "left_out":
        values = np.where(answered, values, np.nan)
    return values


def _without_relevant(measure: Measure, judged: Judged, queries: Sequence[str]) -> list[str]:
    return [queries[i] for i in np.flatnonzero(~has_relevant(measure, judged)).tolist()]


def _mean(values: Array) -> float:
    """Exact, so that the order of the queries cannot matter; NaN when nothing is defined."""
    defined = values[~np.isnan(values)]
    return math.fsum(defined) / defined.size if defined.size else math.nan


def _three(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f}"
