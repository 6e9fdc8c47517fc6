"""A comparison as HTML: a report in a notebook, or one file that needs nothing else."""

from collections.abc import Sequence
from html import escape
from pathlib import Path

from relviz.comparison import Comparison, Mover, Place
from relviz.difference import SHOWN
from relviz.draw.figure import Figure
from relviz.draw.intervals import Interval, intervals, profile, signed
from relviz.locale import language, say
from relviz.report import (
    called,
    gates,
    hollow,
    how,
    label,
    measure_of,
    moved,
    needed,
    opening,
    percent,
    rank,
    rows,
    strata_head,
    strata_notes,
    strata_table,
    title,
    verdicts,
    version,
    warnings,
)
from relviz.terminal import printable

__all__ = ["as_html", "as_page"]

STYLE = Path(__file__).with_name("report.css")


def as_html(c: Comparison) -> str:
    """The report as a piece of a page, with its style and no script."""
    sections = [_verdict_html(c), _figures_html(c), _table_html(c), _strata_html(c), _careful_html(c)]
    sections += [_movers_html(c, run) for run in c.runs]
    sections.append(_section(say("compare.how_head"), _items(how(c))))
    tag = {"zh": "zh-Hans"}.get(language(), language())
    style = STYLE.read_text(encoding="utf-8")
    return f'<div class="relviz-report" lang="{tag}"><style>{style}</style>{"".join(sections)}</div>'


def as_page(c: Comparison) -> str:
    """The report as a whole page that asks the network for nothing."""
    tag = {"zh": "zh-Hans"}.get(language(), language())
    policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
    return (
        f'<!doctype html>\n<html lang="{tag}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f'<meta name="color-scheme" content="light dark"><title>{safe(title(c))}</title></head>'
        f'<body class="relviz-page"><main>{as_html(c)}</main>'
        f"<footer>{safe(say('compare.footer', version=version()))}</footer></body></html>\n"
    )


def safe(text: str) -> str:
    """Text as HTML shows it letter by letter."""
    return escape(printable(text))


def _section(heading: str, body: str) -> str:
    return f"<section><h2>{safe(heading)}</h2>{body}</section>" if body else ""


def _items(lines: Sequence[str]) -> str:
    return "<ul>" + "".join(f"<li>{safe(line)}</li>" for line in lines) + "</ul>" if lines else ""


def _verdict_html(c: Comparison) -> str:
    kind = "several" if len(c.runs) > 1 else c.of().verdict
    said = "".join(f'<p class="rr-verdict rr-{kind}">{safe(words)}</p>' for words in opening(c) or verdicts(c))
    each = _items(verdicts(c)) if len(c.runs) > 1 else ""
    marks = [f"rr-gate{' rr-stops' if gate.stops else ''}" for gate in c.gates]
    asked = "".join(f'<p class="{mark}">{safe(line)}</p>' for mark, line in zip(marks, gates(c)))
    return f"<header><h1>{safe(title(c))}</h1>{said}{each}{asked}</header>"


def _figures_html(c: Comparison) -> str:
    several = len(c.runs) > 1
    key = "compare.intervals_title_several" if several else "compare.intervals_title"
    lines = [
        Interval(label(c, d.run, measure_of(c, d)), d.mean, d.low, d.high, d.verdict in SHOWN)
        for d in (*c.differences, *c.guards)
    ]
    names = {"a": called(c, c.baseline), "b": called(c, c.runs[0])}
    figure = intervals(lines, say(key, **names, level=percent(c.level)))
    legend = [f'<p class="rr-legend">{safe(line)}</p>' for line in (say("compare.legend"), *hollow(c))]
    pieces = [_figure(figure), *legend]
    by_run = {run: list(c.per_query(run).values()) for run in c.runs}
    reach = max(abs(d) for values in by_run.values() for d in values)
    for run, values in by_run.items():
        words = say("compare.profile_title", a=called(c, c.baseline), b=called(c, run), measure=c.measures[0])
        pieces.append(_figure(profile(values, words, reach=reach)))
    return "".join(pieces)


def _figure(figure: Figure) -> str:
    return _scroll("rr-figure", figure._repr_mimebundle_()["text/html"])


def _scroll(kind: str, content: str) -> str:
    """What may be wider than a telephone scrolls by itself, also from the keyboard."""
    return f'<div class="{kind}" tabindex="0" role="group">{content}</div>'


def _table(rows: Sequence[Sequence[str]], names: int = 1) -> str:
    top = "".join(f'<th scope="col">{safe(cell)}</th>' for cell in rows[0])
    body = "".join(
        "<tr>"
        + "".join(f'<th scope="row">{safe(cell)}</th>' for cell in line[:names])
        + "".join(f"<td>{safe(cell)}</td>" for cell in line[names:])
        + "</tr>"
        for line in rows[1:]
    )
    cue = f'<p class="rr-cue" aria-hidden="true">{safe(say("compare.goes_on"))}</p>'
    return cue + _scroll("rr-scroll", f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>")


def _table_html(c: Comparison) -> str:
    return _section(say("compare.table_head"), _table(rows(c), names=2 if len(c.runs) > 1 else 1))


def _strata_html(c: Comparison) -> str:
    if not c.strata:
        return ""
    return _section(strata_head(c), _table(strata_table(c)) + _items(strata_notes(c)))


def _careful_html(c: Comparison) -> str:
    return _section(say("compare.careful_head"), _items(warnings(c))) + _section(
        say("compare.needed_head"), _items(needed(c))
    )


def _movers_html(c: Comparison, run: str) -> str:
    heading = say("compare.movers_head", measure=label(c, run, c.measures[0]))
    legend = f'<p class="rr-legend">{safe(say("compare.way", a=called(c, c.baseline), b=called(c, run)))}</p>'
    articles = "".join(_mover_html(c, mover) for mover in c.movers[run])
    return _section(heading, legend + articles if articles else "")


def _mover_html(c: Comparison, mover: Mover) -> str:
    ink = "rr-up" if mover.b > mover.a else "rr-down"
    arrow = "▲" if mover.b > mover.a else "▼"
    return (
        f'<article><h3><span class="rr-id">{safe(mover.query)}</span> {safe(mover.text)}</h3>'
        f'<p>{mover.a:.3f} → {mover.b:.3f} <strong class="{ink}">{arrow} {signed(mover.b - mover.a)}</strong></p>'
        f'<div class="rr-pair">{_ranking(called(c, c.baseline), mover.top_a, False)}'
        f"{_ranking(called(c, mover.run), mover.top_b, True)}</div>"
        f"<p>{safe(moved(mover))}</p></article>"
    )


def _ranking(name: str, places: Sequence[Place], after: bool) -> str:
    rows = []
    for i, place in enumerate(places, start=1):
        grade = "–" if place.grade is None else str(place.grade)
        kind = "none" if place.grade is None else "good" if place.grade > 0 else "zero"
        spoken = say("compare.unjudged") if place.grade is None else f"{say('compare.grade')} {place.grade}"
        way = _way(place) if after else _gone(place, len(places))
        rows.append(
            f'<tr><td class="rr-rank">{i}</td>'
            f'<td><span class="rr-grade rr-{kind}" role="img" aria-label="{safe(spoken)}">{grade}</span></td>'
            f'<td class="rr-doc">{safe(place.doc)}</td><td class="rr-way">{way}</td></tr>'
        )
    heads = (say("compare.rank"), say("compare.grade"), say("compare.document"))
    hidden = "".join(f'<th scope="col">{safe(word)}</th>' for word in heads) + "<td></td>"
    return (
        f'<table class="rr-ranking"><caption>{safe(name)}</caption><thead><tr>{hidden}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _gone(place: Place, depth: int) -> str:
    """Where a document went that is not shown on the other side."""
    if place.rank_b is not None and place.rank_b <= depth:
        return ""
    return f"→ {safe(rank(place.rank_b))}"


def _way(place: Place) -> str:
    """How far a document came: up, down, or from nowhere."""
    if place.rank_a is None:
        return safe(say("compare.new"))
    up = place.rank_a - (place.rank_b or 0)
    return f"▲ {up}" if up > 0 else f"▼ {-up}" if up else ""
