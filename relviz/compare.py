"""Is run B better than run A? Both are scored on the same queries, and what came of it is a `Comparison`.

A is the baseline; a difference is B - A, so above 0 means that B is better. Everything is computed here, with the luck
of difference.py, and kept in comparison.py; report.py shows it as text, Markdown and JSON, report_html.py as a page.
"""

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from relviz.checks import each, finite, whole
from relviz.comparison import Comparison, Mover, Orders, Place, Stratum, Unread
from relviz.difference import (
    CORRECTIONS,
    SHOWN,
    Difference,
    Luck,
    alpha_of,
    corrected,
    difference,
    means,
    paired,
    verdict,
)
from relviz.evaluate import Evaluation, evaluate, name_of, named_runs
from relviz.locale import listed, say, short
from relviz.measures import parse_measures, same_measure
from relviz.qrels import as_qrels, look, nothing_met, only_relevant
from relviz.rows import is_missing
from relviz.significance import holm
from relviz.unjudged import first, worlds

__all__ = ["compare"]

BOUNDS = ("lowest", "highest")
# Rankings are shown so deep at most, unless more is asked for: nobody reads a thousand lines side by side.
DEEP = 20


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
    and how deep their rankings are shown (None: to the cutoff of the first measure, at most 20).
    Other options are those of `evaluate`, but for the bounds of ties and unjudged documents: each run would be scored
    in a world of its own, and the difference of two worlds is nobody's. What ties and unjudged documents could change
    is said for both runs at once. ValueError as there, when no query has a score under both runs, and when strata or
    queries are about other queries.
    Built in lesson 12.
    """
    if correction not in CORRECTIONS:
        raise ValueError(say("compare.no_correction", known=listed(map(repr, CORRECTIONS)), got=repr(correction)))
    bounds = [f"{name}={conventions[name]!r}" for name in ("ties", "unjudged") if conventions.get(name) in BOUNDS]
    if bounds:
        raise ValueError(say("compare.bounds", given=listed(bounds)))
    luck = Luck(level, n_boot, n_perm, seed)
    movers, worth = whole("movers", movers, least=0), [finite("worth", x, above=True) for x in each("worth", worth)]
    qrels, queries, strata = as_qrels(qrels), _texts("queries", queries), _texts("strata", strata)
    for what, of_queries in {"queries": queries, "strata": strata}.items():
        if of_queries and not any(query in qrels for query in of_queries):
            raise ValueError(say("compare.no_kind", what=what, query=repr(next(iter(of_queries)))))
    baseline, others = _named(run_a, run_b, names, qrels)
    texts = _distinct(measures)
    extra = _distinct(guards, texts) if guards else []
    judged_k = parse_measures(texts[0])[0].k or 10
    depth = min(judged_k, DEEP) if depth is None else whole("depth", depth)
    progress(say("compare.at_scores"))
    evaluation, judged = _scores([baseline, *others], qrels, [*texts, *extra], f"Judged@{judged_k}", conventions)
    _check_comparable(evaluation, [*texts, *extra], [baseline, *others], qrels)
    differences, guarded = _differences(evaluation, texts, extra, correction, luck, worth, progress)
    tests = 1 if correction == "none" else len(differences)
    looks = {name: look(run, evaluation.queries, judged_k) for name, run in (baseline, *others)}
    tied = {name: share for name, (share, _) in looks.items()}
    carried, orders, unread, moved = {}, {}, {}, {}
    for name, run in others:
        progress(f"{name} Judged@{judged_k}")
        decisive = next(d for d in differences if (d.run, d.measure) == (name, texts[0]))
        if n := _carried(evaluation, decisive, luck):
            carried[name] = n
        pair = [baseline, (name, run)]
        if tied[baseline[0]] + tied[name] and (ends := _orders(evaluation, pair, qrels, decisive, tests, luck)):
            orders[name] = ends
        if found := _unread(evaluation, pair, qrels, decisive, judged_k, tests, luck, conventions):
            unread[name] = found
        moved[name] = _movers(evaluation, (baseline[1], run), decisive, qrels, queries, movers, depth)
    rows_by_kind = _strata(evaluation, texts, strata, luck) if strata else []
    return Comparison(
        baseline=baseline[0],
        runs=[name for name, _ in others],
        measures=texts,
        differences=differences,
        guards=guarded,
        strata=rows_by_kind,
        movers=moved,
        judged=judged,
        judged_k=judged_k,
        only_relevant=only_relevant(qrels),
        evaluation=evaluation,
        level=level,
        n_boot=n_boot,
        n_perm=n_perm,
        seed=seed,
        correction=correction,
        texts=queries,
        carried=carried,
        unread=unread,
        absent=_absent(strata, rows_by_kind),
        tied=tied,
        orders=orders,
        depths={name: depth for name, (_, depth) in looks.items()},
    )


# ---------- scores and differences ----------


def _scores(
    runs: Sequence[tuple[str, Any]], qrels: Any, measures: Sequence[str], judged: str, conventions: Mapping[str, Any]
) -> tuple[Evaluation, dict[str, float]]:
    """All scores, and the share of judged documents of each run, which is of the rankings as they are.

    Only of the queries that count by the first measure: the others have no part in the difference.
    """
    if conventions.get("unjudged", "not_relevant") == "not_relevant":
        evaluation = shares = evaluate(runs, qrels, list(dict.fromkeys([*measures, judged])), **conventions)
    else:
        evaluation = evaluate(runs, qrels, measures, **conventions)
        shares = evaluate(runs, qrels, judged, **{**conventions, "unjudged": "not_relevant"})
    found = {}
    for name, row in shares.scores.items():
        share = row[judged][np.isfinite(evaluation.scores[name][measures[0]])]
        found[name] = float(np.nanmean(share)) if np.isfinite(share).any() else math.nan
    return evaluation, found


def _check_comparable(
    evaluation: Evaluation, measures: Sequence[str], runs: Sequence[tuple[str, Any]], qrels: Any
) -> None:
    """A difference to nothing is not a number, it is none."""
    for name, measure in product(evaluation.runs[1:], measures):
        if len(evaluation.undefined[measure]) == len(evaluation.queries) and not measure.startswith("Judged"):
            raise ValueError(say("compare.no_relevant", measure=measure))
        if not np.isfinite(paired(evaluation, name, measure)).any():
            raise ValueError(say("compare.no_score", measure=measure, a=repr(evaluation.runs[0]), b=repr(name)))
    if why := nothing_met(runs, qrels):
        raise ValueError(say("compare.nothing", why=why))


def _differences(
    evaluation: Evaluation,
    measures: Sequence[str],
    guards: Sequence[str],
    correction: str,
    luck: Luck,
    worth: Sequence[float],
    progress: Callable[[str], object],
) -> tuple[list[Difference], list[Difference]]:
    """Those by the measures, with p corrected over all of them, and those by the guards, with p as it is."""
    pairs = list(product(evaluation.runs[1:], [*measures, *guards]))
    lucks = {}
    for i, pair in enumerate(pairs, start=1):
        progress(f"{' '.join(pair)} ({i}/{len(pairs)})")
        lucks[pair] = luck.of(paired(evaluation, *pair))
    progress(say("compare.at_correction"))
    by_pair = corrected(evaluation, {pair: found["p"] for pair, found in lucks.items() if pair[1] in measures}, luck)
    found = [difference(evaluation, *pair, lucks[pair], by_pair.get(pair), correction, luck, worth) for pair in pairs]
    return [d for d in found if d.measure in measures], [d for d in found if d.measure in guards]


# ---------- what the verdict rests on ----------


def _blind(evaluation: Evaluation, run: str) -> set[str]:
    """The queries for which no document of a run is judged."""
    return {*evaluation.missing[run], *evaluation.unjudged[run]}


def _carried(evaluation: Evaluation, decisive: Difference, luck: Luck) -> int:
    """How many queries only one side has judged documents for, if the verdict is shown because of them; else 0."""
    one_sided = _blind(evaluation, evaluation.runs[0]) ^ _blind(evaluation, decisive.run)
    d = paired(evaluation, decisive.run, decisive.measure)
    rest = np.where([query in one_sided for query in evaluation.queries], np.nan, d)
    left = int(np.count_nonzero(np.isfinite(d) & np.isnan(rest)))
    if not left or decisive.verdict not in SHOWN:
        return 0
    met = luck.of(rest) if np.isfinite(rest).any() else None
    return 0 if met and verdict(met, met["p"], alpha_of(luck.level)) == decisive.verdict else left


def _orders(
    evaluation: Evaluation,
    runs: Sequence[tuple[str, Any]],
    qrels: Mapping[str, Mapping[str, int]],
    decisive: Difference,
    tests: int,
    luck: Luck,
) -> Orders | None:
    """The decisive difference once more, with the tied documents of each run in its best order or in its worst."""
    counted = evaluation.conventions
    if counted.ties != "doc_desc":
        return None
    rest = {name: getattr(counted, name) for name in ("unjudged", "empty", "missing", "duplicates")}
    known = {query: {doc: grade for doc, grade in rel.items() if grade >= 0} for query, rel in qrels.items()}
    lowest, highest = (
        evaluate(runs, known, decisive.measure, ties=ties, **rest).scores for ties in ("lowest", "highest")
    )
    a, b = evaluation.runs[0], decisive.run
    for_a, for_b = (
        paired(replace(evaluation, scores={a: ours[a], b: theirs[b]}), b, decisive.measure)
        for ours, theirs in ((highest, lowest), (lowest, highest))
    )
    if np.array_equal(for_a, for_b, equal_nan=True):
        return None
    ends = [luck.of(for_a), luck.of(for_b)]
    return Orders(ends[0]["mean"], ends[1]["mean"], _fate(decisive, ends, tests, luck))


def _fate(decisive: Difference, ends: Sequence[Mapping[str, Any]], tests: int, luck: Luck) -> str:
    """What becomes of a verdict at two ends: it "falls" or "stands", or neither is sure.

    That it falls is said when it does by the raw p, that it stands only when it does by Bonferroni's, which no
    correction exceeds.
    """
    if decisive.verdict not in SHOWN:
        return ""
    possible, sure = (
        {verdict(found, min(1.0, found["p"] * times), alpha_of(luck.level)) for found in ends} for times in (1, tests)
    )
    return "stands" if sure == {decisive.verdict} else "falls" if possible != {decisive.verdict} else ""


def _unread(
    evaluation: Evaluation,
    runs: Sequence[tuple[str, Any]],
    qrels: Mapping[str, Mapping[str, int]],
    decisive: Difference,
    k: int,
    tests: int,
    luck: Luck,
    conventions: Mapping[str, Any],
) -> Unread | None:
    """The decisive difference once more, in the two worlds of unjudged.py."""
    if only_relevant(qrels) or evaluation.conventions.unjudged != "not_relevant":
        return None
    undefined = {*evaluation.undefined[decisive.measure]}
    tops = [{query: first(run[query], k) for query in evaluation.queries if query in run} for _, run in runs]
    open_ = worlds(tops[0], tops[1], qrels, [query for query in evaluation.queries if query not in undefined], k)
    if not open_.n:
        return None
    if parse_measures(decisive.measure)[0].k is not None and evaluation.conventions.ties == "doc_desc":
        # The measure looks no deeper, and these are scored much faster.
        runs = [(name, top) for (name, _), top in zip(runs, tops)]
    ends = [
        luck.of(paired(evaluate(runs, world, decisive.measure, **conventions), decisive.run, decisive.measure))
        for world in (open_.for_a, open_.for_b)
    ]
    for_a, for_b = (found["mean"] for found in ends)
    return Unread(open_.n, open_.grade, for_a, for_b, _fate(decisive, ends, tests, luck))


def _strata(evaluation: Evaluation, measures: Sequence[str], strata: Mapping[str, str], luck: Luck) -> list[Stratum]:
    """A row per run, measure and kind of query; queries without a kind are left out here, and the report says so."""
    known = set(evaluation.queries)
    kinds = list(dict.fromkeys(kind for query, kind in strata.items() if query in known))
    labels = np.array([strata.get(query) for query in evaluation.queries], dtype=object)
    rows = []
    for run, measure in product(evaluation.runs[1:], measures):
        d = paired(evaluation, run, measure)
        found = []
        for kind in kinds:
            here = np.isfinite(d) & (labels == kind)
            if here.any():
                found.append((kind, means(evaluation, run, measure, here), luck.of(d[here])))
        by_holm = holm([one["p"] for *_, one in found])
        for (kind, (a, b), one), p_holm in zip(found, by_holm):
            numbers = {key: one[key] for key in ("n", "mean", "low", "high", "p")}
            rows.append(Stratum(run, measure, kind, a=a, b=b, p_holm=p_holm, **numbers))
    return rows


def _absent(strata: Mapping[str, str], rows: Iterable[Stratum]) -> list[str]:
    """The kinds that no row is about."""
    present = {row.name for row in rows}
    return [kind for kind in dict.fromkeys(strata.values()) if kind not in present]


# ---------- the queries that moved ----------


def _movers(
    evaluation: Evaluation,
    runs: tuple[Any, Any],
    decisive: Difference,
    qrels: Mapping[str, Mapping[str, int]],
    texts: Mapping[str, str],
    most: int,
    depth: int,
) -> list[Mover]:
    """The queries with the largest differences, ties in the order of their ids."""
    size = np.nan_to_num(np.abs(paired(evaluation, decisive.run, decisive.measure)))
    found = []
    for i in np.argsort(-size, kind="stable")[:most].tolist():
        if size[i] > 0:
            query = evaluation.queries[i]
            scores = [float(evaluation.scores[one][decisive.measure][i]) for one in (evaluation.runs[0], decisive.run)]
            rankings = [run.get(query, ()) for run in runs]
            found.append(_mover(decisive.run, query, scores, rankings, qrels[query], depth, texts.get(query, "")))
    return found


def _mover(
    run: str,
    query: str,
    scores: Sequence[float],
    rankings: Sequence[Any],
    rel: Mapping[str, int],
    depth: int,
    text: str,
) -> Mover:
    """One query with both of its rankings."""
    orders = [first(ranking, len(ranking)) for ranking in rankings]
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


def _distinct(measures: Any, known: Sequence[str] = ()) -> list[str]:
    """The measures that are not known yet, each once: another name for one would make a second test of it."""
    texts: list[str] = []
    for measure in parse_measures(measures):
        if same_measure(measure.text, [*known, *texts]) not in (*known, *texts):
            texts.append(measure.text)
    return texts


def _texts(name: str, given: Any) -> dict[str, str]:
    """`{query: text}` of a dict or a Series."""
    given = {} if given is None else given.to_dict() if hasattr(given, "to_dict") else given
    if not isinstance(given, Mapping):
        raise ValueError(say("compare.no_mapping", name=name, got=short(given)))
    for query, text in given.items():
        if not isinstance(query, str) or is_missing(text) or (isinstance(text, Iterable) and not isinstance(text, str)):
            raise ValueError(say("compare.no_text", name=name, query=short(query), got=short(text)))
    return {query: str(text) for query, text in given.items()}


def _named(run_a: Any, run_b: Any, names: Sequence[str] | None, qrels: Any) -> tuple[Any, list[tuple[str, Any]]]:
    """The baseline and the others as (name, run); a run without a name is called A or B."""
    if not isinstance(run_b, str | os.PathLike) and hasattr(run_b, "__len__") and len(run_b) == 0:
        raise ValueError(say("compare.no_run"))
    baseline, others = named_runs(run_a, qrels), named_runs(run_b, qrels)
    if len(baseline) > 1:
        raise ValueError(say("compare.one_baseline", got=listed(baseline)))
    (a, run) = next(iter(baseline.items()))
    pairs = list(others.items())
    if names is not None and not 1 <= len(each("names", names)) <= (2 if len(pairs) == 1 else 1):
        raise ValueError(say("compare.names_count", runs=len(pairs) + 1, names=len(names)))
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
