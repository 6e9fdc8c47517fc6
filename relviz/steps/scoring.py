"""The score of one document for one query, term by term."""

import math
from typing import Any

from relviz.draw import Panel, Row, lists
from relviz.draw.palette import GREEN, PURPLE
from relviz.locale import say
from relviz.retrieval import Index, tokenize
from relviz.steps.trace import Trace, decimals, named, step, trace

# More terms than this are added up together.
MOST_TERMS = 7


def trace_tfidf(index: Index, query: str, doc: str) -> Trace:
    """The TF-IDF cosine of one document with a query: `index.tfidf_terms`, taken apart. Used in lesson 05."""
    shares = sorted(index.tfidf_terms(query, doc), key=lambda item: -item[1])
    weights = index.tfidf_vector(query)
    value = math.fsum(x for _, x in shares)
    places = _places(index, query, doc, [term for term, _ in shares])
    rest = [x for _, x in shares[MOST_TERMS:]]
    del shares[MOST_TERMS:]
    terms = [term for term, _ in shares]
    in_query = [Row(t, note=f"{weights[t]:.3f}", bars=[weights[t]]) for t in terms]
    in_doc = [Row(t, note=f"{x / weights[t]:.3f}", bars=[x / weights[t]]) for t, x in shares]
    products = [Row(t, note=f"{weights[t]:.3f} * {x / weights[t]:.3f} = {x:.3f}", bars=[x]) for t, x in shares]
    two = [
        Panel(say("steps.query_panel"), in_query, key="query", ranks=False),
        Panel(doc, in_doc, key="doc", ranks=False, color=PURPLE),
    ]
    total = f"{say('steps.cosine')} = {_sum([x for _, x in shares], rest)} = {decimals(value)}"
    end = Panel(say("steps.products_panel"), products + _rest(rest), key="doc", ranks=False, color=GREEN)
    places["weights"] = named([f"{t} {weights[t]:.3f} | {x / weights[t]:.3f}" for t, x in shares])
    steps = [
        step("tfidf.start", lists([_counts(index, doc, terms)]), **places),
        step("tfidf.weights", lists(two, scale=1), **places),
        step("tfidf.end", lists([end], total=total), {doc: value}, total=total, **places),
    ]
    return trace(say("steps.tfidf.title", doc=doc), steps, value)


def trace_bm25(index: Index, query: str, doc: str, k1: float = 1.2, b: float = 0.75) -> Trace:
    """The BM25 score of one document for a query: `index.bm25_terms`, taken apart. Used in lesson 05."""
    found = index.bm25_terms(query, doc, k1, b)
    shares: dict[str, list[float]] = {}
    for term, x in found:  # a term asked twice counts twice
        shares.setdefault(term, []).append(x)
    ordered = sorted(shares, key=lambda term: -sum(shares[term]))
    terms, rest = ordered[:MOST_TERMS], [math.fsum(shares[term]) for term in ordered[MOST_TERMS:]]
    value = math.fsum(x for _, x in found)
    places = _places(index, query, doc, ordered) | {
        "k1": f"{k1:g}",
        "b": f"{b:g}",
        "length": index.length(doc),
        "mean": f"{index.mean_length:.1f}",
        "most": f"{k1 + 1:g}",
    }
    idf = {term: index.bm25_idf(term) for term in terms}
    rare = [Row(t, note=f"idf = {idf[t]:.3f}", bars=[idf[t]]) for t in terms]
    tf = {t: shares[t][0] / idf[t] for t in terms}
    often = [
        Row(t, note=say("steps.bm25.tf_note", tf=index.tf(t, doc), part=f"{tf[t]:.3f}"), bars=[tf[t]]) for t in terms
    ]
    places["idfs"] = named([f"{t} {idf[t]:.3f}" for t in terms])
    places["tfs"] = named([f"{t} {tf[t]:.3f}" for t in terms])
    products = []
    for t in terms:
        times = f"{len(shares[t])} * " if len(shares[t]) > 1 else ""
        note = f"{times}{idf[t]:.3f} * {tf[t]:.3f} = {math.fsum(shares[t]):.3f}"
        products.append(Row(t, note=note, bars=[math.fsum(shares[t])]))
    total = f"BM25 = {_sum([math.fsum(shares[t]) for t in terms], rest)} = {decimals(value)}"
    panel: Any = {"key": "doc", "ranks": False}
    ends = Panel(say("steps.products_panel"), products + _rest(rest), **panel, color=GREEN)
    steps = [
        step("bm25.start", lists([_counts(index, doc, terms)]), **places),
        step("bm25.idf", lists([Panel(say("steps.idf_panel"), rare, **panel)]), **places),
        step("bm25.tf", lists([Panel(say("steps.tf_panel"), often, **panel, color=PURPLE)]), **places),
        step("bm25.end", lists([ends], total=total), {doc: value}, total=total, **places),
    ]
    return trace(say("steps.bm25.title", doc=doc), steps, value)


def _places(index: Index, query: str, doc: str, terms: list[str]) -> dict[str, Any]:
    asked = list(dict.fromkeys(tokenize(query)))
    missing = [term for term in asked if term not in terms]
    return {"query": query, "doc": doc, "terms": named(terms), "missing": named(missing), "n": len(index)}


def _counts(index: Index, doc: str, terms: list[str]) -> Panel:
    rows = [Row(t, note=say("steps.counts_note", tf=index.tf(t, doc), df=index.df(t), n=len(index))) for t in terms]
    return Panel(say("steps.terms_panel"), rows, key="doc", ranks=False)


def _rest(shares: list[float]) -> list[Row]:
    """What all the terms add together that are not shown one by one."""
    if not shares:
        return []
    return [Row(say("steps.more_terms", count=len(shares)), note=f"{math.fsum(shares):.3f}", bars=[math.fsum(shares)])]


def _sum(shares: list[float], rest: list[float]) -> str:
    written = [f"{x:.3f}" for x in [*shares, *([math.fsum(rest)] if rest else [])]]
    return " + ".join(written) or "0"
