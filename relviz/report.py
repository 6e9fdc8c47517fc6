"""A comparison as text for a terminal, Markdown for a pull request and JSON for a program."""

import dataclasses
import json
import math
import re
from collections.abc import Sequence
from html import escape
from typing import Any

from relviz.comparison import Comparison, Gate, Mover, Place, Stratum, parse_condition
from relviz.difference import SHOWN, Difference, alpha_of, fewest
from relviz.draw.intervals import signed
from relviz.locale import labelled, listed, say
from relviz.measures import parse_measures
from relviz.qrels import JUDGED_APART, SUSPECT, TIED
from relviz.significance import MOST_EXACT
from relviz.terminal import aligned, cut, printable, wide

__all__ = ["as_json", "as_markdown", "as_text", "gates", "verdicts"]

# With fewer changed queries than this, resampling shows too little of what could happen.
FEW_CHANGED = 10
# No difference between two systems is so large; who asks for one may mean the score.
SCORE_LIKE = 0.3
MOVED = 6  # judged documents named in one line
NAME, ID = 24, 40  # columns of a terminal that the name of a run and the id of a document may take in a table


# ---------- words that every form shares ----------


def title(c: Comparison) -> str:
    """What is compared with what."""
    if len(c.runs) > 1:
        return say("compare.title_several", a=c.baseline, n=len(c.runs))
    key = "compare.title" if called(c, c.baseline) == c.baseline else "compare.title_letters"
    return say(key, a=c.baseline, b=c.runs[0])


def called(c: Comparison, run: str) -> str:
    """The name of a run; where names are long, A and B, or as much of both of its ends as there is room for."""
    runs = (c.baseline, *c.runs)
    if max(map(wide, runs)) <= NAME:
        return run
    if len(c.runs) == 1:
        return "A" if run == c.baseline else "B"
    return cut(run, NAME) if len({cut(one, NAME) for one in runs}) == len(runs) else run


def opening(c: Comparison) -> list[str]:
    """The verdicts on several runs in a sentence, which comes before the verdict on each."""
    if len(c.runs) == 1:
        return []
    found = {run: c.of(run).verdict for run in c.runs}
    shown = {kind: [_noted(c, run) for run, verdict in found.items() if verdict == kind] for kind in SHOWN}
    better, worse = (listed(runs) or say("compare.none") for runs in shown.values())
    counts = {"rest": len(found) - sum(map(len, shown.values())), "n": len(found)}
    places = {"a": called(c, c.baseline), "measure": c.measures[0], "better": better, "worse": worse}
    return [say("compare.summary", **places, **counts) + _others(c, c.runs)]


def _noted(c: Comparison, run: str) -> str:
    """The name of a run, and whether its verdict says more."""
    name = called(c, run)
    return say("compare.noted", run=name) if _but(c, c.of(run)) else name


def verdicts(c: Comparison) -> list[str]:
    """A few sentences for each run, about the first measure, and what is shown by the others."""
    return [verdict(c, c.of(run)) + _but(c, c.of(run)) + _others(c, [run]) for run in c.runs]


def _others(c: Comparison, runs: Sequence[str]) -> str:
    """What is shown by other measures than the first; of several runs, with their names."""
    parts = []
    for kind in SHOWN:
        by_run = {run: [m for m in c.measures[1:] if c.of(run, m).verdict == kind] for run in runs}
        lists = {run: listed(found) for run, found in by_run.items() if found}
        if lists and len(runs) > 1:
            lists = {run: say("compare.others_of", run=called(c, run), measures=found) for run, found in lists.items()}
        if lists:
            parts.append(say(f"compare.others_{kind}", found=listed(lists.values())))
    return say("compare.others", parts=say("compare.semicolon").join(parts)) if parts else ""


def verdict(c: Comparison, d: Difference) -> str:
    """What the data say about one difference, and no more."""
    changed, least, kind = d.wins + d.losses, 2.0 ** (1 - d.n), d.verdict
    if kind in ("edge", "not_shown") and least >= alpha_of(c.level):
        kind = "too_few"
    elif kind == "not_shown" and changed < FEW_CHANGED:
        kind = "few_changed" if changed < d.n else "few_all"
    return say(
        f"compare.verdict_{kind}",
        a=called(c, c.baseline),
        b=called(c, d.run),
        measure=d.measure,
        n=d.n,
        changed=changed,
        least=chance(least),
        level=percent(c.level),
        mean=signed(d.mean),
        low=signed(d.low),
        high=signed(d.high),
        p=_p(c, d),
    )


def _p(c: Comparison, d: Difference) -> str:
    """The p of the verdict, by its name."""
    corrected = len(c.differences) > 1 and c.correction != "none" and d.measure in c.measures
    return _equal(say("compare.p_name_corrected" if corrected else "compare.p_name"), d.p_corrected)


def _equal(name: str, p: float) -> str:
    shown = chance(p)
    return f"{name} {shown}" if shown.startswith("<") else f"{name} = {shown}"


def _but(c: Comparison, d: Difference) -> str:
    """The first reason why what a verdict calls shown may not stand."""
    names = {"a": called(c, c.baseline), "b": called(c, d.run)}
    if d.run in c.carried:
        return say("compare.carried", **names, n=c.carried[d.run])
    if d.run in c.orders and c.orders[d.run].fate == "falls":
        return say("compare.reordered", **_ends(c, d.run))
    if loser := _leaning(c, d):
        return say("compare.leaning", run=called(c, loser))
    return ""


def _ends(c: Comparison, run: str) -> dict[str, str]:
    """The mean differences between which the orders of tied documents decide."""
    return {"low": signed(c.orders[run].for_a), "high": signed(c.orders[run].for_b)}


def _leaning(c: Comparison, d: Difference) -> str:
    """The run that a verdict puts below the other, if the judgements that it lacks could take the verdict back."""
    if c.only_relevant or d.run not in c.unread or c.unread[d.run].fate != "falls":
        return ""
    loser, winner = (c.baseline, d.run) if d.verdict == "higher" else (d.run, c.baseline)
    return loser if c.judged[winner] - c.judged[loser] > JUDGED_APART else ""


def hollow(c: Comparison) -> list[str]:
    """Why a difference is not shown whose interval leaves out 0."""
    places = [
        say("compare.hollow_place", measure=label(c, d.run, d.measure), p=_p(c, d))
        for d in (*c.differences, *c.guards)
        if d.verdict == "edge" and not d.low <= 0 <= d.high
    ]
    return [say("compare.hollow", places=listed(places))] if places else []


def gates(c: Comparison) -> list[str]:
    """How each gate fares, in a sentence."""
    return [_gate(c, gate) for gate in c.gates]


def _gate(c: Comparison, gate: Gate) -> str:
    measure, sign, limit = parse_condition(gate.condition)
    d = c.by_any_name(gate.run, measure)
    asked = {"measure": measure, "sign": sign, "limit": f"{limit:g}", "rule": f"--{gate.rule.replace('_', '-')}"}
    names = {"a": called(c, c.baseline), "b": called(c, gate.run)}
    fate = say(
        f"compare.gate_{gate.why or gate.holds}",
        low=signed(gate.low, 4),
        high=signed(gate.high, 4),
        side=say("compare.gate_above" if gate.low > 0 else "compare.gate_below"),
        p=_equal(say("compare.p_name"), d.p),  # a gate is one question, put in advance
        n=d.n,
        least=fewest(alpha_of(c.level)),
    )
    said = say("compare.gate_failed" if gate.stops else "compare.gate_passed", fate=fate, **asked, **names)
    return said + say("compare.gate_score") if abs(limit) >= SCORE_LIKE else said


def needed(c: Comparison) -> list[str]:
    """How many queries would see the differences worth seeing, by the first measure."""
    found: dict[float, dict[str, tuple[int, int, int]]] = {}
    for run in c.runs:
        for delta, counts in c.of(run).needed.items():
            found.setdefault(delta, {})[run] = counts
    lines = []
    for delta, by_run in found.items():
        if len(c.runs) == 1:
            d, (n, least, most) = c.of(), by_run[c.runs[0]]
            places = {"n": n, "least": least, "most": most, "have": d.n}
            lines.append(say("compare.needed", sd=f"{d.sd:.4f}", delta=f"{delta:g}", **places))
        else:
            ones = [
                say("compare.needed_one", run=called(c, run), n=n, least=least, most=most)
                for run, (n, least, most) in by_run.items()
            ]
            lines.append(say("compare.needed_several", delta=f"{delta:g}", runs=say("compare.semicolon").join(ones)))
    return lines


def warnings(c: Comparison) -> list[str]:
    """What could make the numbers mislead."""
    changed = {label(c, d.run, d.measure): d.wins + d.losses for d in c.differences}
    few = [
        say("compare.few_place", measure=name, n=n, least=chance(2.0 ** (1 - n)))
        for name, n in changed.items()
        if 0 < n < FEW_CHANGED
    ]
    lines = [say("compare.few", places=say("compare.semicolon").join(few))] if few else []
    lines += [*_tied(c), *_shallow(c), *_unmet(c, "missing")]
    if c.only_relevant:
        return [*lines, *_unmet(c, "unjudged"), say("compare.only_relevant")]
    return [*lines, *_judged_apart(c), *_unmet(c, "unjudged"), *_unread(c)]


def _tied(c: Comparison) -> list[str]:
    """The runs of which ids decide much of the order, and what other orders could do to the verdicts."""
    if c.evaluation.conventions.ties != "doc_desc":
        return []
    lines = [
        say("compare.tied", k=c.judged_k, run=called(c, run), share=f"{share:.1%}")
        for run, share in c.tied.items()
        if share > TIED
    ]
    fallen = [run for run, found in c.orders.items() if found.fate == "falls"]
    if not c.orders or not (lines or fallen):
        return lines
    if len(c.runs) == 1:
        ((run, found),) = c.orders.items()
        fate = say(f"compare.orders_{found.fate}") if found.fate else ""
        said = say("compare.orders", **_ends(c, run)) + fate
    else:
        runs = [say("compare.orders_one", run=called(c, run), **_ends(c, run)) for run in c.orders]
        said = say("compare.orders_several", runs=listed(runs))
        if fallen:
            names = listed(called(c, run) for run in fallen)
            said += say("compare.orders_fall_several", runs=names)
    return [*lines, said + say("compare.orders_how")]


def _shallow(c: Comparison) -> list[str]:
    """The runs that end before the deepest measure does, where others do not end there."""
    measures = [m for m in parse_measures(dict.fromkeys(d.measure for d in (*c.differences, *c.guards))) if m.k]
    deepest = max(measures, key=lambda m: m.k or 0, default=None)
    if deepest is None or len({min(depth, deepest.k or 0) for depth in c.depths.values()}) == 1:
        return []
    return [
        say("compare.shallow", run=called(c, run), depth=depth, measure=deepest.text, k=deepest.k)
        for run, depth in c.depths.items()
        if depth < (deepest.k or 0)
    ]


def _unmet(c: Comparison, kind: str) -> list[str]:
    """The queries that runs do not answer ("missing"), or of which none of their documents is judged ("unjudged")."""
    counted, undefined = c.evaluation.conventions, set(c.evaluation.undefined[c.measures[0]])
    key = "left_out" if kind == "missing" and counted.missing == "left_out" else kind
    lines, of = [], len(c.evaluation.queries)
    for run in (c.baseline, *c.runs):
        n = sum(query not in undefined for query in getattr(c.evaluation, kind)[run])
        if n:
            ids = say("compare.see_ids") if kind == "unjudged" and n > SUSPECT * of else ""
            lines.append(say(f"compare.{key}_queries", run=called(c, run), n=n, of=of) + ids)
    return lines


def _judged_apart(c: Comparison) -> list[str]:
    """Whose documents are judged less often, and in which direction that leads astray."""
    counted, a = c.evaluation.conventions.unjudged, c.baseline
    shares = {run: f"{share:.1%}" for run, share in c.judged.items()}
    lines = []
    for key, sign in (("compare.judged_more", 1), ("compare.judged_less", -1)):
        apart = [run for run in c.runs if (c.judged[run] - c.judged[a]) * sign > JUDGED_APART]
        if apart and len(c.runs) == 1:
            more, fewer = (c.runs[0], a) if sign > 0 else (a, c.runs[0])
            names = {"more": called(c, more), "fewer": called(c, fewer)}
            so = say(f"compare.so_{counted}", fewer=called(c, fewer))
            places = {"more_share": shares[more], "fewer_share": shares[fewer]}
            lines.append(say("compare.judged_apart", k=c.judged_k, so=so, **names, **places))
        elif apart:
            runs = [say("compare.judged_one", run=called(c, run), share=shares[run]) for run in apart]
            so = say(f"compare.so_{counted}", fewer=called(c, a) if sign > 0 else say("compare.these"))
            places = {"a": called(c, a), "share": shares[a], "runs": listed(runs)}
            lines.append(say(key, k=c.judged_k, so=so, **places))
    return lines


def _unread(c: Comparison) -> list[str]:
    """What the documents that nobody judged could do to the verdicts."""
    if len(c.runs) > 1:
        runs = [called(c, run) for run, found in c.unread.items() if found.fate == "falls"]
        return [say("compare.unread_several", runs=listed(runs))] if runs else []
    lines = []
    for run, found in c.unread.items():
        names = {"a": called(c, c.baseline), "b": called(c, run), "k": c.judged_k, "n": found.n}
        ends = {"grade": found.grade, "for_a": signed(found.for_a), "for_b": signed(found.for_b)}
        fate = say(f"compare.unread_{found.fate}") if found.fate else ""
        lines.append(say("compare.unread", **names, **ends) + fate)
    return lines


def how(c: Comparison) -> list[str]:
    """Judged shares, corrections, queries, conventions and random numbers."""
    shares = listed(
        say("compare.judged_one", run=called(c, run), share=f"{share:.1%}") for run, share in c.judged.items()
    )
    lines = [say("compare.judged", k=c.judged_k, shares=shares)]
    if len(c.differences) > 1:
        method = "" if c.correction == "none" else say(f"compare.method_{c.correction}")
        key = "compare.uncorrected" if c.correction == "none" else "compare.corrected"
        lines.append(say(key, n=len(c.differences), method=method))
    if c.guards:
        lines.append(say("compare.guards"))
    counts = {"n_boot": f"{c.n_boot:,}", "n_perm": f"{c.n_perm:,}", "exact": MOST_EXACT, "seed": c.seed}
    return [*lines, say("compare.computed", **counts), *c.evaluation.notes, str(c.evaluation.conventions)]


def head(c: Comparison) -> list[str]:
    """The columns of the table."""
    columns = ["measure", "A", "B", "difference", "interval", "p", "p_corrected", "effect", "counts"]
    if len(c.runs) > 1:
        columns.insert(0, "run")
    names = {"A": called(c, c.baseline), "B": called(c, c.runs[0]) if len(c.runs) == 1 else say("compare.score")}
    return [names[key] if key in names else say(f"compare.{key}", level=percent(c.level)) for key in columns]


def rows(c: Comparison) -> list[list[str]]:
    """The head of the table, and a row for each difference; those that only gates ask for come last."""
    return [head(c), *(row(c, d) for d in (*c.differences, *c.guards))]


def row(c: Comparison, d: Difference) -> list[str]:
    """One difference as cells of the table."""
    guard = d.measure not in c.measures
    cells = [
        measure_of(c, d),
        f"{d.a:.3f}",
        f"{d.b:.3f}",
        signed(d.mean),
        between(d),
        f"{chance(d.p)} {say('compare.exact' if d.exact else 'compare.chance')}",
        say("compare.undefined") if guard else chance(d.p_corrected),
        say("compare.undefined") if d.effect is None else f"{d.effect:+.2f}",
        f"{d.wins}/{d.losses}/{d.ties}",
    ]
    return [called(c, d.run), *cells] if len(c.runs) > 1 else cells


def measure_of(c: Comparison, d: Difference) -> str:
    """The measure of a difference, and whether only a gate asks for it."""
    return d.measure if d.measure in c.measures else say("compare.guard", measure=d.measure)


def strata_head(c: Comparison) -> str:
    """What stands above the rows by kind of query."""
    return say("compare.strata_head", measure=c.measures[0])


def strata_table(c: Comparison) -> list[list[str]]:
    """Head and rows by kind of query, for the first measure."""
    keys = ["kind", "n", "A", "B", "difference", "interval", "p_holm"]
    names = {"A": called(c, c.baseline), "B": say("compare.score") if len(c.runs) > 1 else called(c, c.runs[0])}
    lines = [[names.get(key) or say(f"compare.{key}", level=percent(c.level)) for key in keys]]
    for s in c.strata:
        if s.measure == c.measures[0]:
            name = labelled(called(c, s.run), s.name) if len(c.runs) > 1 else s.name
            numbers = [f"{s.a:.3f}", f"{s.b:.3f}", signed(s.mean), between(s)]
            lines.append([name, str(s.n), *numbers, chance(s.p_holm)])
    return lines


def strata_notes(c: Comparison) -> list[str]:
    """What to know about the rows by kind."""
    counted = max(
        (sum(s.n for s in c.strata if (s.run, s.measure) == (run, c.measures[0])) for run in c.runs), default=0
    )
    left = c.of().n - counted
    absent = [say("compare.strata_absent", kinds=listed(c.absent))] if c.absent else []
    return [say("compare.strata_note"), *absent, *([say("compare.strata_left", n=left)] if left else [])]


def moved(mover: Mover) -> str:
    """The judged documents of a query that moved, in a line."""
    places = moves(mover)
    return say("compare.moved", places=places) if places else say("compare.not_moved")


def moves(mover: Mover) -> str:
    """Those documents with their ranks; the first few, and how many more there are."""
    places = [
        say("compare.moved_place", doc=p.doc, grade=p.grade, a=rank(p.rank_a), b=rank(p.rank_b))
        for p in mover.moved[:MOVED]
    ]
    more = len(mover.moved) - len(places)
    return say("compare.semicolon").join([*places, *([say("compare.more", n=more)] if more else [])])


def label(c: Comparison, run: str, measure: str) -> str:
    """A measure, with its run where there are several."""
    return f"{called(c, run)} {measure}" if len(c.runs) > 1 else measure


def rank(place: int | None) -> str:
    """A rank, or that there is none."""
    return say("compare.out") if place is None else str(place)


def between(found: Difference | Stratum) -> str:
    """The interval; one query has none, since nothing varies."""
    return f"[{signed(found.low)}, {signed(found.high)}]" if found.n > 1 else say("compare.undefined")


def chance(p: float) -> str:
    """A p-value in three digits."""
    return "< 0.001" if p < 0.0005 else f"{p:.3f}"


def percent(level: float) -> str:
    """0.95 as 95%."""
    return f"{round(100 * level, 6):g}%"


# ---------- text ----------


def as_text(c: Comparison) -> str:
    """Verdict, table, movers with their rankings side by side, and how it was computed."""
    parts = [[title(c)], opening(c), verdicts(c), gates(c), aligned(rows(c))]
    if c.strata:
        parts.append([strata_head(c), *aligned(strata_table(c)), *strata_notes(c)])
    parts += [warnings(c), needed(c)]
    for run in c.runs:
        if c.movers[run]:
            parts.append([say("compare.movers_head", measure=label(c, run, c.measures[0]))])
        parts += [mover_text(c, mover) for mover in c.movers[run]]
    parts.append(how(c))
    return "\n\n".join("\n".join(map(printable, part)) for part in parts if part)


def mover_text(c: Comparison, mover: Mover) -> list[str]:
    """One query: scores, both rankings side by side, what moved."""
    scores = f"{mover.a:.3f} -> {mover.b:.3f}  ({signed(mover.b - mover.a)})"
    lines = ["  ".join(filter(None, [mover.query, mover.text, scores]))]
    columns = [["", called(c, c.baseline), "", called(c, mover.run), ""]]
    for i in range(max(len(mover.top_a), len(mover.top_b))):
        a, b = (top[i] if i < len(top) else None for top in (mover.top_a, mover.top_b))
        columns.append([str(i + 1), *cells(a), *cells(b)])
    return [*lines, *(f"    {line}" for line in aligned(columns, left=5)), f"    {moved(mover)}"]


def cells(place: Place | None) -> list[str]:
    """Document and grade; a document that nobody judged has no grade."""
    if place is None:
        return ["", ""]
    return [cut(place.doc, ID), "." if place.grade is None else f"({place.grade})"]


# ---------- JSON ----------


def as_json(c: Comparison) -> str:
    """Every field of the comparison and the scores of each query; what is undefined is null."""
    names = {f.name for f in dataclasses.fields(c)} - {"evaluation", "texts"}
    data: dict[str, Any] = {"version": version(), "verdicts": verdicts(c), "warnings": warnings(c), "notes": how(c)}
    data |= {name: _plain(getattr(c, name)) for name in sorted(names)}
    data["gates"] = [gate | {"words": words} for gate, words in zip(data["gates"], gates(c))]
    data["conventions"] = dataclasses.asdict(c.evaluation.conventions)
    scores = c.evaluation.scores
    data["scores"] = {
        run: {
            measure: {
                q: None if math.isnan(x) else x for q, x in zip(c.evaluation.queries, scores[run][measure].tolist())
            }
            for measure in dict.fromkeys(d.measure for d in (*c.differences, *c.guards))
        }
        for run in (c.baseline, *c.runs)
    }
    return json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False)


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return None if isinstance(value, float) and math.isnan(value) else value


# ---------- Markdown ----------


def as_markdown(c: Comparison) -> str:
    """Verdict and table in sight, the rest folded; ids stand as code, so that none of them becomes markup."""
    lines = [f"### {quiet(title(c))}", ""]
    several = opening(c)
    for sentence in several or verdicts(c):
        lines += [f"**{quiet(sentence)}**", ""]
    if several:
        lines += [*(f"- {quiet(line)}" for line in verdicts(c)), ""]
    if c.gates:
        said = zip(c.gates, map(quiet, gates(c)))
        lines += [*(f"- **{line}**" if gate.stops else f"- {line}" for gate, line in said), ""]
    lines += _md_table(rows(c), left=2 if several else 1)
    if found := warnings(c):
        lines += ["", *(f"- {quiet(line)}" for line in found)]
    if c.strata:
        lines += ["", f"**{quiet(strata_head(c))}**", "", *_md_table(strata_table(c)), ""]
        lines += [f"- {quiet(line)}" for line in strata_notes(c)]
    for run in c.runs:
        if c.movers[run]:
            summary = say("compare.movers_head", measure=label(c, run, c.measures[0]))
            lines += ["", f"<details><summary>{quiet(summary)}</summary>", ""]
            columns = [say("compare.query"), say("compare.moved_head"), called(c, c.baseline), called(c, run)]
            table = [[*columns, say("compare.difference")], *map(_md_mover, c.movers[run])]
            lines += [*_md_table(table, left=2), "", "</details>"]
    lines += ["", f"<details><summary>{quiet(say('compare.how_head'))}</summary>", ""]
    lines += [*(f"- {quiet(line)}" for line in [*needed(c), *how(c)]), "", "</details>", ""]
    return "\n".join(lines)


def _md_mover(mover: Mover) -> list[str]:
    numbers = [f"{mover.a:.3f}", f"{mover.b:.3f}", signed(mover.b - mover.a)]
    return [f"{mover.query} {mover.text}".strip(), moves(mover) or say("compare.not_moved"), *numbers]


def _md_table(rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    lines = ["| " + " | ".join(map(quiet, line)) + " |" for line in rows]
    return [lines[0], "|" + " --- |" * left + " ---: |" * (len(rows[0]) - left), *lines[1:]]


def quiet(text: str) -> str:
    """Text in which nothing is markup, a link, an issue or a mention."""

    def stopped(found: re.Match[str]) -> str:
        # Mentions and addresses are found after entities are read; a comment between the letters stops that. A dollar
        # in its own element begins no formula.
        if found[0] == "$":
            return "<span>$</span>"
        if found["commit"]:
            return re.sub(r"\w{6}\B", r"\g<0><!-- -->", found[0])
        return f"&#{ord(found['mark'])};" if found["mark"] else f"{found[0]}<!-- -->"

    marks = r"(?P<mark>[\\`*_{}\[\]|~])|(?<!\w)@(?=\w)|@(?=[\w-]+\.\w)|#(?=\w)|:(?=//|[\w+-]+:)|www(?=\.)"
    marks += r"|\$|\b[gG][hH]-(?=\d)|(?P<commit>\b[0-9a-fA-F]{7,40}\b)"
    return re.sub(marks, stopped, escape(printable(text), quote=False))


def version() -> str:
    """Whose numbers these are."""
    import relviz

    return relviz.__version__
