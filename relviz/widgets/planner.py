"""The query-count planner: how many queries a difference needs, and how little a few queries tell about that."""

from html import escape

from relviz.locale import say, words
from relviz.significance import power_of, queries_needed, sd_interval
from relviz.widgets.base import Output, page

__all__ = ["query_planner"]


def query_planner(
    sd: float, delta: float = 0.02, alpha: float = 0.05, power: float = 0.8, *, queries: int = 30
) -> Output:
    """How many queries detect a mean difference of delta; change any number and see the power curve move.

    sd: standard deviation of the per-query differences, measured on `queries` of them; the interval of n comes from
    what so few queries leave open about sd. The answers are those of `queries_needed`, `sd_interval` and `power_of`.
    Needs no kernel; without scripts it is a table. Built in lesson 10.
    """
    n = f"{queries_needed(sd, delta, alpha, power):,}"
    sd_low, sd_high = sd_interval(sd, queries)
    rows = []
    for effect in (delta / 2, delta, 2 * delta):
        middle, low, high = (f"{queries_needed(x, effect, alpha, power):,}" for x in (sd, sd_low, sd_high))
        rows.append([_short(effect), middle, say("planner.to", low=low, high=high)])
    given = {name: _short(x) for name, x in {"sd": sd, "delta": delta, "alpha": alpha, "power": power}.items()}
    given["seen"] = f"{queries:,}"
    found = {
        "n": n,
        "low": f"{queries_needed(sd_low, delta, alpha, power):,}",
        "high": f"{queries_needed(sd_high, delta, alpha, power):,}",
        "sd_low": _short(sd_low),
        "sd_high": _short(sd_high),
        "power_now": f"{power_of(queries, sd, delta, alpha):.2f}",
    }
    lines = [
        say("planner.words", **given, n=n),
        say("planner.uncertain", **given, **found),
        say("planner.now", **given, **found),
        say("planner.halve", n=f"{queries_needed(sd, delta / 2, alpha, power):,}"),
        say("planner.normal"),
    ]
    title, heads = say("planner.title"), [say(f"planner.{name}") for name in ("column", "column_n", "column_range")]
    data = {"words": words("planner"), "sd": sd, "delta": delta, "alpha": alpha, "power": power, "seen": queries}
    html = page("planner", title, _html(lines, heads, rows), data)
    width = max(len(cell) for cell in [heads[0], *(row[0] for row in rows)])
    table = [f"{row[0]:>{width}}  {row[1]:>6}  {row[2]}" for row in ([*heads], *rows)]
    return Output(html, "\n".join([title, *lines, "", *table]))


def _html(lines: list[str], heads: list[str], rows: list[list[str]]) -> str:
    # An untrusted notebook drops style sheets and keeps inline styles.
    cell = 'style="text-align:right;padding:2px 12px"'
    head = "".join(f"<th {cell}>{escape(name)}</th>" for name in heads)
    body = "".join("<tr>" + "".join(f"<td {cell}>{escape(x)}</td>" for x in row) + "</tr>\n" for row in rows)
    said = "".join(f"<p>{escape(line)}</p>\n" for line in lines)
    caption = escape(say("planner.table"))
    return f'<div class="rv-static">{said}<table>\n<caption>{caption}</caption>\n<tr>{head}</tr>\n{body}</table></div>'


def _short(x: float) -> str:
    return f"{x:.4g}"
