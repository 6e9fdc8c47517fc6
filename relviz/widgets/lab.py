"""The ranking lab: documents as cards to move, and four measures that answer each move and say what they missed."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from relviz.checks import ids
from relviz.draw.figure import Figure
from relviz.draw.lists import Panel, Row, lists
from relviz.locale import say, short, words
from relviz.metrics import (
    as_k,
    dcg,
    grades_of,
    ideal_grades,
    ndcg_at_k,
    precision_at_k,
    recall_at_k,
    reciprocal_rank,
    top,
)
from relviz.widgets.base import Output, page

__all__ = ["ranking_lab"]

Ranking = Sequence[str]
Grades = Mapping[str, int]


def ranking_lab(
    ranking: Ranking,
    rel: Grades,
    k: int = 5,
    other: Ranking | None = None,
    titles: Mapping[str, str] | None = None,
    query: str = "",
    *,
    gain: str = "linear",
    threshold: int = 1,
) -> Output:
    """One query to play with: move documents, change grades and k, and see which measure notices.

    ranking: document ids, best first; other: a second ranking B of the same query. rel: `{document id: grade}`; judged
    documents that the ranking misses lie below it. titles: `{document id: text}`, shown on the cards. gain: "linear"
    or "exponential". All four measures are cut at k. No kernel is needed; in text/plain and where scripts do not run
    it is a table of both rankings with the same numbers. Built in lesson 02.
    """
    given = {"A": ids(ranking)} if other is None else {"A": ids(ranking), "B": ids(other)}
    if not given["A"]:
        raise ValueError(say("errors.lab_empty"))
    if not isinstance(gain, str) or gain not in ("linear", "exponential"):
        raise ValueError(say("errors.lab_gain", got=short(gain)))
    options = {"k": as_k(k), "gain": gain, "threshold": threshold}
    both = {name: [*top(docs, k), *docs[k:]] for name, docs in given.items()}
    titles = {} if titles is None else titles
    if not isinstance(titles, Mapping) or not all(isinstance(title, str) for title in titles.values()):
        raise ValueError(say("errors.lab_titles", got=short(titles)))
    tables = {name: _rows(docs, grades_of(rel), titles) for name, docs in both.items()}
    answers = {name: _answers(docs, rel, k, gain, threshold) for name, docs in both.items()}
    known = dict.fromkeys([*rel, *(doc for docs in both.values() for doc in docs)])
    data = {
        "words": words("lab"),
        "docs": [{"id": doc, "title": titles.get(doc, ""), "grade": _grade(rel, doc)} for doc in known],
        "lists": {"A": both["A"], "B": both.get("B")},
        **options,
    }
    title = say("lab.title") if not query else say("lab.colon", name=say("lab.title"), words=query)
    settings = say("lab.settings", k=k, gain=say(f"lab.{gain}"), threshold=threshold)
    html = page("lab", title, _html(settings, _figure(tables, k), tables, answers), data)
    return Output(html, _text([title, settings], tables, answers))


def _rows(docs: Ranking, rel: Grades, titles: Mapping[str, str]) -> list[tuple[str, str, str, str]]:
    """Rank, grade, document and title, the judged documents that were missed last, with no rank."""
    missed = sorted((doc for doc in rel if doc not in set(docs)), key=lambda doc: -rel[doc])
    ranked = [(str(rank), doc) for rank, doc in enumerate(docs, start=1)] + [("–", doc) for doc in missed]
    return [(rank, str(rel.get(doc, "?")), doc, titles.get(doc, "")) for rank, doc in ranked]


def _answers(docs: Ranking, rel: Grades, k: int, gain: str, threshold: int) -> list[tuple[str, str, str]]:
    """Name, value and sentence of each measure: what the lab says before anything was moved."""
    first = top(docs, k)
    relevant = [doc for doc, grade in rel.items() if grade >= threshold]
    hits = [doc for doc in first if doc in set(relevant)]
    rank = first.index(hits[0]) + 1 if hits else 0
    reached = f"{dcg([rel.get(doc, 0) for doc in first], gain=gain):.3f}"
    best = f"{dcg(ideal_grades(rel, k, gain=gain), gain=gain):.3f}"
    counts = {"hits": len(hits), "relevant": len(relevant), "empty": k - len(first), "k": k, "threshold": threshold}
    recall = recall_at_k(docs, rel, k, threshold=threshold)
    ndcg = ndcg_at_k(docs, rel, k, gain=gain)
    answers: list[tuple[str, float | None, str, dict[str, Any]]] = [
        ("recall", recall, "recall_none" if recall is None else "recall_hits", counts),
        (
            "precision",
            precision_at_k(docs, rel, k, threshold=threshold),
            "precision_empty" if len(first) < k else "precision_hits",
            counts,
        ),
        (
            "rr",
            reciprocal_rank(docs, rel, k, threshold=threshold),
            "rr_first" if hits else "rr_none",
            {"doc": hits[0] if hits else "", "rank": rank, "k": k},
        ),
        ("ndcg", ndcg, "ndcg_none" if ndcg is None else "ndcg_sum", {"dcg": reached, "ideal": best}),
    ]
    return [
        (
            say(f"lab.{name}", k=k),
            say("lab.undefined") if value is None else f"{value:.3f}",
            _capital(say(f"lab.{reason}", **places)),
        )
        for name, value, reason, places in answers
    ]


def _figure(tables: Mapping[str, Any], k: int) -> Figure:
    """The rankings side by side; what stands below k waits in grey, and what was missed lies under a line."""
    panels = []
    for name, table in tables.items():
        rows = [Row(doc, None if grade == "?" else int(grade)) for _, grade, doc, _ in table]
        missed = [rank for rank, *_ in table].count("–")
        ranked = [Row(row.doc, row.grade, waiting=i >= k) for i, row in enumerate(rows[: len(rows) - missed])]
        below = rows[len(ranked) :]
        panels.append(Panel(say("lab.ranking", name=name), ranked, key=name, below=below, cut=say("lab.missed")))
    return lists(panels)


def _html(settings: str, figure: Figure, tables: Mapping[str, Any], answers: Mapping[str, Any]) -> str:
    heads = [say(f"lab.{name}") for name in ("rank", "grade", "document")]
    image = f'<img src="{figure.data_url}" alt="{escape(figure.alt)}" style="max-width:100%">'
    parts = [f"<p>{escape(settings)}</p>", image]
    for name, rows in tables.items():
        parts.append(_table(say("lab.ranking", name=name), [*heads, ""], rows))
        measures = [say(f"lab.{word}") for word in ("measure", "value", "says")]
        parts.append(
            _table(say("lab.ranking", name=name) + say("lab.comma") + say("lab.panel"), measures, answers[name])
        )
    return '<div class="rv-static">' + "\n".join(parts) + "</div>"


def _table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    # An untrusted notebook drops style sheets and keeps inline styles.
    left = 'style="text-align:left"'
    head = "".join(f"<th {left}>{escape(cell)}</th>" if cell else "<td></td>" for cell in heads)
    body = "".join("<tr>" + "".join(f"<td {left}>{escape(cell)}</td>" for cell in row) + "</tr>\n" for row in rows)
    return f"<table>\n<caption>{escape(caption)}</caption>\n<tr>{head}</tr>\n{body}</table>"


def _text(head: Sequence[str], tables: Mapping[str, Any], answers: Mapping[str, Any]) -> str:
    lines = list(head)
    for name, rows in tables.items():
        lines += ["", say("lab.ranking", name=name)]
        lines += [f"{rank:>3}  [{grade}]  {doc}  {title}".rstrip() for rank, grade, doc, title in rows]
        lines += [f"     {measure} = {value}  {sentence}" for measure, value, sentence in answers[name]]
    return "\n".join(lines)


def _grade(rel: Grades, doc: str) -> int | None:
    return int(rel[doc]) if doc in rel else None


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
