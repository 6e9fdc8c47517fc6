"""Is run B better than run A? Differences with their luck, the queries that moved, and a verdict that claims no more.

A is the baseline; a difference is B - A, so above 0 means that B is better. Everything is computed here and shown by
report.py as text, Markdown and JSON, by report_html.py as a page.
"""

import math
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from relviz.evaluate import Evaluation, evaluate, name_of, named_runs
from relviz.locale import say
from relviz.measures import parse_measures, same_measure
from relviz.metrics import unique
from relviz.qrels import as_qrels, as_run, ranked
from relviz.significance import (
    MOST_EXACT,
    TOLERANCE,
    effect_size,
    exact_randomization_test,
    holm,
    max_t,
    paired_bootstrap,
    queries_needed,
    randomization_test,
    sd_interval,
)
from relviz.unjudged import first, worlds
from relviz.writing import save

__all__ = ["Comparison", "Difference", "Gate", "Mover", "Place", "Stratum", "Unread", "compare"]

CORRECTIONS = ("max-t", "holm", "none")
# Shares of judged documents further apart than this are worth a warning: one document in a hundred places.
JUDGED_APART = 0.01
# With fewer changed queries than this, resampling shows too little of what could happen.
FEW_CHANGED = 10
# What luck does more often than this is not called shown, however low the level of the intervals.
ALPHA = 0.05
SHOWN = ("higher", "lower")

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Difference:
    """One run against the baseline by one measure.

    n: the queries that both have a score for. a, b: the mean scores; mean: of B - A, with sd and the interval low to
    high at the comparison's level. p: two-sided, from all sign flips if exact, else by chance; p_holm and p_max_t are
    corrected over all differences of the comparison. effect: mean / sd, or None when all differences are equal.
    wins, losses, ties: queries where B is higher, lower, equal. needed: for each difference worth seeing, how many
    queries see it, with the range that the uncertain sd leaves; empty when the spread is unknown.
    verdict: "higher" or "lower" when the interval leaves out 0 and the corrected p is below 1 - level and 0.05; "edge"
    when one of the two says so; "not_shown" when neither does; "same" when no query differs.
    """

    run: str
    measure: str
    n: int
    a: float
    b: float
    mean: float
    sd: float
    low: float
    high: float
    p: float
    exact: bool
    p_holm: float
    p_max_t: float
    p_corrected: float
    effect: float | None
    wins: int
    losses: int
    ties: int
    needed: dict[float, tuple[int, int, int]]
    verdict: str


@dataclass(frozen=True)
class Stratum:
    """The queries of one kind, by one measure; p_holm is corrected over the strata of this run and measure."""

    run: str
    measure: str
    name: str
    n: int
    a: float
    b: float
    mean: float
    low: float
    high: float
    p: float
    p_holm: float


@dataclass(frozen=True)
class Unread:
    """What the unjudged documents among the first k of both runs could make of a difference by the first measure.

    n: how many of them A and B rank differently; grade: the highest that occurs. for_a: the mean difference if each had
    that grade where A ranks it higher and were not relevant elsewhere; for_b: the other way round. fate of a verdict
    "higher" or "lower": it "falls" in one of the two worlds, or "stands" in both; empty for another verdict, or between
    the two.
    """

    n: int
    grade: int
    for_a: float
    for_b: float
    fate: str


@dataclass(frozen=True)
class Place:
    """A document with its grade (None: not judged) and its ranks under both runs (None: not retrieved)."""

    doc: str
    grade: int | None
    rank_a: int | None
    rank_b: int | None


@dataclass(frozen=True)
class Mover:
    """A query whose score moved much: its scores, both rankings down to the depth, and the judged documents that moved.

    moved: the best grades first, then the longest ways.
    """

    run: str
    query: str
    text: str
    a: float
    b: float
    top_a: list[Place]
    top_b: list[Place]
    moved: list[Place]


@dataclass(frozen=True)
class Gate:
    """Whether a condition such as `nDCG@10 < -0.01` holds for a difference, judged on its interval.

    holds: "all" when the whole interval satisfies it, "none" when no part does, "part" when the data cannot tell. They
    cannot when the queries are too few for any p below 1 - level (6 are enough at 95%), nor when 0 would have to be
    ruled out and the verdict does not rule it out.
    """

    condition: str
    run: str
    low: float
    high: float
    holds: str


@dataclass(frozen=True, eq=False)
class Comparison:
    """Runs against a baseline; prints as a table with its verdict, shows as a report with figures in a notebook.

    differences: for each run, one per measure; the first measure is the one that verdict and movers are about.
    guards: the same for measures that only gates ask for, with p not corrected. judged: the mean share of judged
    documents among the first judged_k, by run; only_relevant says that the qrels list no document of grade 0, so that
    nobody can tell unjudged from not relevant. carried: for each run whose difference is shown only because of queries
    on which one side has no judged document, how many these are. unread: for each run, what could come of the documents
    that nobody judged. absent: kinds of which no query was compared. The scores of every query are in evaluation.
    First shown in lesson 12.
    """

    baseline: str
    runs: list[str]
    measures: list[str]
    differences: list[Difference]
    strata: list[Stratum]
    movers: dict[str, list[Mover]]
    judged: dict[str, float]
    judged_k: int
    only_relevant: bool
    evaluation: Evaluation = field(repr=False)
    level: float = 0.95
    n_boot: int = 10_000
    n_perm: int = 10_000
    seed: int = 0
    correction: str = "max-t"
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)
    carried: dict[str, int] = field(default_factory=dict)
    unread: dict[str, Unread] = field(default_factory=dict)
    guards: list[Difference] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)

    def of(self, run: str | None = None, measure: str | None = None) -> Difference:
        """The difference of one run by one measure; the first of each where none is named."""
        run, measure = run or self.runs[0], measure or self.measures[0]
        for difference in (*self.differences, *self.guards):
            if (difference.run, difference.measure) == (run, measure):
                return difference
        known = ", ".join(dict.fromkeys(d.measure for d in (*self.differences, *self.guards)))
        where = {"run": repr(run), "measure": repr(measure), "runs": ", ".join(self.runs), "measures": known}
        raise ValueError(say("compare.no_difference", **where))

    def per_query(self, run: str | None = None, measure: str | None = None) -> dict[str, float]:
        """B - A of each query that both have a score for, in the order of the queries' ids."""
        found = self.of(run, measure)
        paired = _pair(self.evaluation, found.run, found.measure)
        return {query: float(d) for query, d in zip(self.evaluation.queries, paired) if np.isfinite(d)}

    def gate(self, condition: str) -> list[Gate]:
        """How a condition such as "nDCG@10 < -0.01" fares for each run; judged on the interval, not the mean."""
        measure, sign, limit = parse_condition(condition)
        gates = []
        for run in self.runs:
            d = self.of(run, same_measure(measure, [d.measure for d in (*self.differences, *self.guards)]))
            low, high, zero = (_HOLDS[sign](value, limit) for value in (d.low, d.high, 0.0))
            enough = 2.0 ** (1 - d.n) < alpha_of(self.level)
            shown = enough and (zero == low or d.verdict in SHOWN)
            holds = "part" if low != high or not shown else "all" if low else "none"
            gates.append(Gate(condition, run, d.low, d.high, holds))
        return gates

    def __str__(self) -> str:
        from relviz.report import as_text

        return as_text(self)

    __repr__ = __str__

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": self._repr_html_()}

    def _repr_html_(self) -> str:
        from relviz.report_html import as_html

        return as_html(self)

    def to_json(self) -> str:
        """Every number, also those of each query, as JSON text."""
        from relviz.report import as_json

        return as_json(self)

    def to_markdown(self) -> str:
        """Verdict, table and movers for a pull request."""
        from relviz.report import as_markdown

        return as_markdown(self)

    def to_html(self, path: str | os.PathLike[str]) -> None:
        """The report as one file that needs nothing else: no network, no script, no other file."""
        from relviz.report_html import as_page

        save(path, as_page(self).encode())


_HOLDS: dict[str, Callable[[float, float], bool]] = {
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y,
    ">=": lambda x, y: x >= y,
}


def compare(
    run_a: Any,
    run_b: Any,
    qrels: Any,
    measures: str | Iterable[str] = ("nDCG@10", "RR@10", "R@10"),
    *,
    guards: str | Iterable[str] = (),
    names: Sequence[str] | None = None,
    strata: Mapping[str, str] | None = None,
    queries: Mapping[str, str] | None = None,
    worth: Sequence[float] = (0.02, 0.05),
    correction: str = "max-t",
    level: float = 0.95,
    n_boot: int = 10_000,
    n_perm: int = 10_000,
    seed: int = 0,
    movers: int = 5,
    depth: int | None = None,
    progress: Callable[[str], object] = lambda what: None,
    **conventions: Any,
) -> Comparison:
    """Run B, or several runs, against the baseline run A on the same judged queries.

    run_a, run_b: as `as_run` takes them (dict, DataFrame, path); run_b may be several, `{name: run}` or a list of
    (name, run). names: of A and B. measures: the one that decides comes first. guards: further measures that only
    gates ask for. Each is one question, put before the data were seen, and answered at its own level; so they stay out
    of the correction, which is for differences that one looks through, and make none of these harder to show.
    strata: `{query: kind}`; each kind gets its own row. queries: `{query: text}`, shown beside the ids. worth:
    differences worth seeing, for the number of queries that would see them. correction of p over all runs and
    measures: "max-t", "holm" or "none"; both corrected values are kept. movers and depth: how many queries that moved,
    and how deep their rankings are shown (None: to the cutoff of the first measure).
    Other options are those of `evaluate`. ValueError as there, and when no query has a score under both runs.
    Built in lesson 12.
    """
    if correction not in CORRECTIONS:
        raise ValueError(say("compare.no_correction", known=", ".join(map(repr, CORRECTIONS)), got=repr(correction)))
    if movers < 0 or (depth is not None and depth < 1):
        raise ValueError(say("compare.no_depth", movers=repr(movers), depth=repr(depth)))
    luck = Luck(level, n_boot, n_perm, seed)
    qrels = as_qrels(qrels)
    baseline, others = _named(run_a, run_b, names, qrels)
    runs = [baseline, *others]
    asked = parse_measures(measures)
    texts = [m.text for m in asked]
    extra = [m.text for m in parse_measures(guards) if same_measure(m.text, texts) not in texts] if guards else []
    judged_k = asked[0].k or 10
    progress(say("compare.at_scores"))
    evaluation, shares = _scores(runs, qrels, [*texts, *extra], f"Judged@{judged_k}", conventions)
    pairs = [(name, measure) for name, _ in others for measure in [*texts, *extra]]
    paired = {pair: _pair(evaluation, pair[0], pair[1]) for pair in pairs}
    _check_comparable(evaluation, paired)
    lucks = {}
    for i, pair in enumerate(pairs, start=1):
        progress(f"{' '.join(pair)} ({i}/{len(pairs)})")
        lucks[pair] = luck.of(paired[pair])
    progress(say("compare.at_correction"))
    corrected = _corrected({pair: lucks[pair]["p"] for pair in pairs if pair[1] in texts}, paired, luck)
    differences = {
        pair: _difference(evaluation, pair, paired[pair], lucks[pair], corrected.get(pair), correction, luck, worth)
        for pair in pairs
    }
    carried, unread = {}, {}
    tests = 1 if correction == "none" else len(corrected)
    for name, run in others:
        progress(f"{name} Judged@{judged_k}")
        decisive = differences[name, texts[0]]
        if n := _carried(evaluation, decisive, paired[name, texts[0]], luck):
            carried[name] = n
        if found := _unread(baseline, (name, run), qrels, evaluation, decisive, judged_k, tests, luck, conventions):
            unread[name] = found
    rows_by_kind = _strata(evaluation, texts, paired, strata, luck) if strata else []
    present = {row.name for row in rows_by_kind}
    return Comparison(
        baseline=baseline[0],
        runs=[name for name, _ in others],
        measures=texts,
        differences=[differences[pair] for pair in corrected],
        guards=[differences[pair] for pair in pairs if pair not in corrected],
        strata=rows_by_kind,
        movers={
            name: _movers(evaluation, run, baseline[1], name, texts[0], qrels, queries or {}, movers, depth or judged_k)
            for name, run in others
        },
        judged=shares,
        judged_k=judged_k,
        only_relevant=_only_relevant(qrels),
        evaluation=evaluation,
        level=level,
        n_boot=n_boot,
        n_perm=n_perm,
        seed=seed,
        correction=correction,
        texts=queries or {},
        carried=carried,
        unread=unread,
        absent=[kind for kind in dict.fromkeys(map(str, (strata or {}).values())) if kind not in present],
    )


# ---------- scores and differences ----------


def _scores(
    runs: Sequence[tuple[str, Any]], qrels: Any, measures: Sequence[str], judged: str, conventions: Mapping[str, Any]
) -> tuple[Evaluation, dict[str, float]]:
    """All scores, and the share of judged documents of each run, which is of the rankings as they are."""
    if conventions.get("unjudged", "not_relevant") == "not_relevant":
        evaluation = shares = evaluate(runs, qrels, list(dict.fromkeys([*measures, judged])), **conventions)
    else:
        evaluation = evaluate(runs, qrels, measures, **conventions)
        shares = evaluate(runs, qrels, judged, **{**conventions, "unjudged": "not_relevant"})
    return evaluation, {name: row[judged] for name, row in shares.means.items()}


def _pair(evaluation: Evaluation, run: str, measure: str) -> Array:
    """B - A per query, NaN where either has no score; sums that differ in the last bits only are equal."""
    d = evaluation.scores[run][measure] - evaluation.scores[evaluation.runs[0]][measure]
    d[np.abs(d) <= TOLERANCE] = 0.0
    return d


def _check_comparable(evaluation: Evaluation, paired: Mapping[tuple[str, str], Array]) -> None:
    """A difference between nothing and nothing is not 0, it is none."""
    for (name, measure), d in paired.items():
        if not np.isfinite(d).any():
            raise ValueError(say("compare.no_score", measure=measure, a=repr(evaluation.runs[0]), b=repr(name)))
        if len(evaluation.undefined[measure]) == len(evaluation.queries) and not measure.startswith("Judged"):
            raise ValueError(say("compare.no_relevant", measure=measure))
    if all(len(_blind(evaluation, name)) == len(evaluation.queries) for name in evaluation.runs):
        raise ValueError(say("compare.nothing", runs=say("compare.or").join(map(repr, evaluation.runs))))


@dataclass(frozen=True)
class Luck:
    """How chance is reckoned: the level of the intervals, and how it is drawn."""

    level: float
    n_boot: int
    n_perm: int
    seed: int

    def of(self, d: Array) -> dict[str, Any]:
        """What differences say about their mean, as fields of Difference; those that are NaN are left out."""
        d = d[np.isfinite(d)]
        zeros = np.zeros(d.size)
        exact = bool(np.count_nonzero(d) <= MOST_EXACT)
        low, high = paired_bootstrap(zeros, d, self.n_boot, self.seed, level=self.level)
        return {
            "n": int(d.size),
            "mean": float(d.mean()),
            "sd": float(d.std(ddof=1)) if d.size > 1 else 0.0,
            "low": low,
            "high": high,
            "p": exact_randomization_test(zeros, d) if exact else randomization_test(zeros, d, self.n_perm, self.seed),
            "exact": exact,
            "effect": effect_size(zeros, d),
            "wins": int(np.count_nonzero(d > 0)),
            "losses": int(np.count_nonzero(d < 0)),
            "ties": int(np.count_nonzero(d == 0)),
        }


def _verdict(luck: Mapping[str, Any], p: float, alpha: float) -> str:
    if luck["wins"] + luck["losses"] == 0:
        return "same"
    apart, rare = luck["low"] > 0 or luck["high"] < 0, p < alpha
    if apart and rare:
        return "higher" if luck["mean"] > 0 else "lower"
    return "edge" if apart or rare else "not_shown"


def alpha_of(level: float) -> float:
    """Below this, p is small enough to call a difference shown."""
    return min(1 - level, ALPHA + TOLERANCE)


def _corrected(
    p: Mapping[tuple[str, str], float], paired: Mapping[tuple[str, str], Array], luck: Luck
) -> dict[tuple[str, str], tuple[float, float]]:
    """p by Holm and by max-T, over all pairs of p."""
    rows = [np.nan_to_num(paired[pair]) for pair in p]
    by_flips = max_t([np.zeros_like(row) for row in rows], rows, luck.n_perm, luck.seed)
    # By chance, a corrected p can come out a hair below the raw one; the truth cannot.
    return {pair: (p_holm, max(p[pair], p_max)) for pair, p_holm, p_max in zip(p, holm(list(p.values())), by_flips)}


def _difference(
    evaluation: Evaluation,
    pair: tuple[str, str],
    d: Array,
    found: Mapping[str, Any],
    corrected: tuple[float, float] | None,
    correction: str,
    luck: Luck,
    worth: Sequence[float],
) -> Difference:
    run, measure = pair
    p_holm, p_max_t = corrected or (found["p"], found["p"])
    p = {"max-t": p_max_t, "holm": p_holm, "none": found["p"]}[correction]
    a, b = (float(evaluation.scores[name][measure][np.isfinite(d)].mean()) for name in (evaluation.runs[0], run))
    return Difference(
        run=run,
        measure=measure,
        a=a,
        b=b,
        p_holm=p_holm,
        p_max_t=p_max_t,
        p_corrected=p,
        needed=_needed(found["sd"], found["n"], worth, alpha_of(luck.level)),
        verdict=_verdict(found, p, alpha_of(luck.level)),
        **found,
    )


def _needed(sd: float, n: int, worth: Sequence[float], alpha: float) -> dict[float, tuple[int, int, int]]:
    if sd <= TOLERANCE:
        return {}
    low, high = sd_interval(sd, n)
    fewest = next(count for count in range(1, 1100) if 2.0 ** (1 - count) < alpha)  # for p to get that small at all
    counts = {delta: [max(fewest, queries_needed(s, delta, alpha)) for s in (sd, low, high)] for delta in worth}
    return {delta: (middle, least, most) for delta, (middle, least, most) in counts.items()}


# ---------- what the verdict rests on ----------


def unmet(evaluation: Evaluation, run: str) -> dict[str, list[str]]:
    """The queries that the run does not answer ("missing"), and those where none of its documents is judged."""
    found = {"missing": evaluation.missing[run]}
    if evaluation.conventions.unjudged in ("not_relevant", "left_out"):  # not for bounds over what nobody judged
        found["unjudged"] = evaluation.unjudged[run]
    return found


def _blind(evaluation: Evaluation, run: str) -> set[str]:
    """The queries for which no document of a run is judged."""
    return {*evaluation.missing[run], *evaluation.unjudged[run]}


def _carried(evaluation: Evaluation, decisive: Difference, d: Array, luck: Luck) -> int:
    """How many queries only one side has judged documents for, if the verdict is shown because of them; else 0."""
    one_sided = _blind(evaluation, evaluation.runs[0]) ^ _blind(evaluation, decisive.run)
    rest = np.where([query in one_sided for query in evaluation.queries], np.nan, d)
    left = int(np.count_nonzero(np.isfinite(d) & np.isnan(rest)))
    if not left or decisive.verdict not in SHOWN:
        return 0
    met = luck.of(rest) if np.isfinite(rest).any() else None
    return 0 if met and _verdict(met, met["p"], alpha_of(luck.level)) == decisive.verdict else left


def _only_relevant(qrels: Mapping[str, Mapping[str, int]]) -> bool:
    return all(grade > 0 for rel in qrels.values() for grade in rel.values())


def _unread(
    a: tuple[str, Any],
    b: tuple[str, Any],
    qrels: Mapping[str, Mapping[str, int]],
    evaluation: Evaluation,
    decisive: Difference,
    k: int,
    tests: int,
    luck: Luck,
    conventions: Mapping[str, Any],
) -> Unread | None:
    """The decisive difference once more, in the two worlds of unjudged.py.

    That the verdict falls is said when it does by the raw p, that it stands only when it does by Bonferroni's, which
    no correction exceeds.
    """
    if _only_relevant(qrels) or evaluation.conventions.unjudged != "not_relevant":
        return None
    undefined = {*evaluation.undefined[decisive.measure]}
    tops = [{query: first(run[query], k) for query in evaluation.queries if query in run} for _, run in (a, b)]
    open_ = worlds(tops[0], tops[1], qrels, [query for query in evaluation.queries if query not in undefined], k)
    if not open_.n:
        return None
    runs: Any = [a, b]
    if parse_measures(decisive.measure)[0].k is not None and evaluation.conventions.ties == "doc_desc":
        runs = [(a[0], tops[0]), (b[0], tops[1])]  # the measure looks no deeper, and these are scored much faster
    means, sure, possible = [], [], []
    for world in (open_.for_a, open_.for_b):
        found = luck.of(_pair(evaluate(runs, world, decisive.measure, **conventions), b[0], decisive.measure))
        means.append(found["mean"])
        possible.append(_verdict(found, found["p"], alpha_of(luck.level)))
        sure.append(_verdict(found, min(1.0, found["p"] * tests), alpha_of(luck.level)))
    fate = ""
    if decisive.verdict in SHOWN:
        fate = "stands" if {*sure} == {decisive.verdict} else "falls" if {*possible} != {decisive.verdict} else ""
    return Unread(open_.n, open_.grade, for_a=means[0], for_b=means[1], fate=fate)


def _strata(
    evaluation: Evaluation,
    measures: Sequence[str],
    paired: Mapping[tuple[str, str], Array],
    strata: Mapping[str, str],
    luck: Luck,
) -> list[Stratum]:
    """A row per run, measure and kind of query; queries without a kind are left out here, and the report says so."""
    known = set(evaluation.queries)
    kinds = list(dict.fromkeys(kind for query, kind in strata.items() if query in known))
    if not kinds:
        raise ValueError(say("compare.no_kind", query=repr(next(iter(strata)))))
    labels = np.array([strata.get(query) for query in evaluation.queries], dtype=object)
    rows = []
    for (run, measure), d in paired.items():
        found = []
        for kind in kinds if measure in measures else ():
            here = np.isfinite(d) & (labels == kind)
            if here.any():
                both = (evaluation.runs[0], run)
                a, b = (float(evaluation.scores[name][measure][here].mean()) for name in both)
                found.append((kind, a, b, luck.of(d[here])))
        corrected = holm([one["p"] for *_, one in found])
        for (kind, a, b, one), p_holm in zip(found, corrected):
            numbers = {key: one[key] for key in ("n", "mean", "low", "high", "p")}
            rows.append(Stratum(run, measure, str(kind), a=a, b=b, p_holm=p_holm, **numbers))
    return rows


# ---------- the queries that moved ----------


def _movers(
    evaluation: Evaluation,
    run: Any,
    before: Any,
    name: str,
    measure: str,
    qrels: Mapping[str, Mapping[str, int]],
    texts: Mapping[str, str],
    most: int,
    depth: int,
) -> list[Mover]:
    """The queries with the largest differences, ties in the order of their ids."""
    size = np.nan_to_num(np.abs(_pair(evaluation, name, measure)))
    found = []
    for i in np.argsort(-size, kind="stable")[:most].tolist():
        if size[i] > 0:
            query = evaluation.queries[i]
            scores = [float(evaluation.scores[one][measure][i]) for one in (evaluation.runs[0], name)]
            rankings = (before.get(query, ()), run.get(query, ()))
            found.append(_mover(name, query, scores, rankings, qrels[query], depth, texts.get(query, "")))
    return found


def _mover(
    run: str,
    query: str,
    scores: Sequence[float],
    rankings: tuple[Any, Any],
    rel: Mapping[str, int],
    depth: int,
    text: str,
) -> Mover:
    """One query with both of its rankings."""
    orders = [
        ranked(as_run({query: ranking})[query]) if isinstance(ranking, Mapping) else unique(ranking)
        for ranking in rankings
    ]
    ranks_a, ranks_b = ({doc: rank for rank, doc in enumerate(order, start=1)} for order in orders)

    def place(doc: str) -> Place:
        return Place(doc, rel.get(doc), ranks_a.get(doc), ranks_b.get(doc))

    def way(found: Place) -> float:
        # Out of a ranking is further than any rank in it.
        far = len(ranks_a) + len(ranks_b) + 1
        return abs((found.rank_a or far) - (found.rank_b or far))

    moved = [found for found in map(place, rel) if found.rank_a != found.rank_b]
    moved.sort(key=lambda found: (-(found.grade or 0), -way(found), found.doc))
    top_a, top_b = ([place(doc) for doc in order[:depth]] for order in orders)
    return Mover(run, query, text, a=scores[0], b=scores[1], top_a=top_a, top_b=top_b, moved=moved)


# ---------- what was handed in ----------


def parse_condition(text: str) -> tuple[str, str, float]:
    """`nDCG@10 < -0.01` as measure, sign and limit; a ValueError says what a condition looks like."""
    measure, sign, limit = re.fullmatch("([^<>]*)([<>]?=?)(.*)", text, re.DOTALL).groups()  # type: ignore[union-attr]
    try:
        number = float(limit)
    except ValueError:
        number = math.nan
    if sign not in _HOLDS or not math.isfinite(number):
        raise ValueError(say("compare.no_condition", text=repr(text)))
    return parse_measures(measure.strip())[0].text, sign, number


def _named(run_a: Any, run_b: Any, names: Sequence[str] | None, qrels: Any) -> tuple[Any, list[tuple[str, Any]]]:
    """The baseline and the others as (name, run); a run without a name is called A or B."""
    if not isinstance(run_b, str | os.PathLike) and hasattr(run_b, "__len__") and len(run_b) == 0:
        raise ValueError(say("compare.no_run"))
    baseline, others = named_runs(run_a, qrels), named_runs(run_b, qrels)
    if len(baseline) > 1:
        raise ValueError(say("compare.one_baseline", got=", ".join(baseline)))
    (a, run) = next(iter(baseline.items()))
    pairs = list(others.items())
    if len(pairs) > 1:
        a = names[0] if names else name_of(run_a) or "baseline"
    else:
        named = isinstance(run_b, list | tuple) or pairs[0][0] != "run"
        b = pairs[0][0] if named else name_of(run_b) or "B"
        a = name_of(run_a) or "A"
        a, b = names if names and len(names) == 2 else (names[0], b) if names else (a, b) if a != b else ("A", "B")
        pairs = [(b, pairs[0][1])]
    if a in dict(pairs):
        raise ValueError(say("compare.same_name", name=repr(a)))
    return (a, run), pairs
