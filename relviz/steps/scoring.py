"""The score of one document for one query, term by term."""

import math
from typing import Any

from relviz.draw import Panel, Row, lists
from relviz.draw.lists import MOST_LOOSE
from relviz.draw.palette import GREEN, PURPLE
from relviz.locale import say
from relviz.retrieval import Index, tokenize
from relviz.steps.trace import Trace, decimals, named, step, trace

# More terms than this are added up together.
MOST_TERMS = 12
# Decimals of factors, of what each term adds, and of the total: one fewer each time, so that they agree on paper.
FACTOR, SHARE, TOTAL = 4, 4, 3
BM25_FACTOR, BM25_SHARE, BM25_TOTAL = 4, 3, 2


def trace_tfidf(index: Index, query: str, doc: str) -> Trace:
    """The TF-IDF cosine of one document with a query: `index.tfidf_terms`, taken apart. Used in lesson 05."""
    shares = sorted(index.tfidf_terms(query, doc), key=lambda item: -item[1])
    weights = index.tfidf_vector(query)
    value = math.fsum(x for _, x in shares)
    places = _places(index, query, doc, [term for term, _ in shares])
    most = _most(len(shares))
    rest = [x for _, x in shares[most:]]
    del shares[most:]
    terms = [term for term, _ in shares]
    dense = len(terms) + bool(rest) > MOST_LOOSE  # in all steps, if in the last
    in_query = [Row(t, note=decimals(weights[t], FACTOR), bars=[weights[t]]) for t in terms]
    in_doc = [Row(t, note=decimals(x / weights[t], FACTOR), bars=[x / weights[t]]) for t, x in shares]
    factors = {t: [decimals(weights[t], FACTOR), decimals(x / weights[t], FACTOR)] for t, x in shares}
    products = [Row(t, note=f"{' * '.join(factors[t])} = {decimals(x, SHARE)}", bars=[x]) for t, x in shares]
    two = [
        Panel(say("steps.query_panel"), in_query, key="query", ranks=False),
        Panel(doc, in_doc, key="doc", ranks=False, color=PURPLE),
    ]
    total = f"{say('steps.cosine')} = {_sum([x for _, x in shares], rest, SHARE)} = {decimals(value, TOTAL)}"
    end = Panel(say("steps.products_panel"), products + _rest(rest, SHARE), key="doc", ranks=False, color=GREEN)
    places["weights"] = named([f"{t} {' | '.join(factors[t])}" for t in terms])
    steps = [
        step("tfidf.start", lists([_counts(index, doc, terms)], dense=dense), **places),
        step("tfidf.weights", lists(two, scale=1, dense=dense), **places),
        step("tfidf.end", lists([end], total=total, dense=dense), {doc: value}, total=total, **places),
    ]
    return trace(say("steps.tfidf.title", doc=doc), steps, value)


def trace_bm25(index: Index, query: str, doc: str, k1: float = 1.2, b: float = 0.75) -> Trace:
    """The BM25 score of one document for a query: `index.bm25_terms`, taken apart. Used in lesson 05."""
    found = index.bm25_terms(query, doc, k1, b)
    shares: dict[str, list[float]] = {}
    for term, x in found:  # a term asked twice counts twice
        shares.setdefault(term, []).append(x)
    ordered = sorted(shares, key=lambda term: -sum(shares[term]))
    most = _most(len(ordered))
    terms, rest = ordered[:most], [math.fsum(shares[term]) for term in ordered[most:]]
    value = math.fsum(x for _, x in found)
    dense = len(terms) + bool(rest) > MOST_LOOSE
    places = _places(index, query, doc, ordered) | {
        "k1": f"{k1:g}",
        "b": f"{b:g}",
        "length": index.length(doc),
        "mean": f"{index.mean_length:.1f}",
        "most": f"{k1 + 1:g}",
    }
    idf = {term: index.bm25_idf(term) for term in terms}
    rare = [Row(t, note=f"idf = {decimals(idf[t], BM25_FACTOR)}", bars=[idf[t]]) for t in terms]
    tf = {t: shares[t][0] / idf[t] for t in terms}
    parts = {t: decimals(tf[t], BM25_FACTOR) for t in terms}
    often = [Row(t, note=say("steps.bm25.tf_note", tf=index.tf(t, doc), part=parts[t]), bars=[tf[t]]) for t in terms]
    places["idfs"] = named([f"{t} {decimals(idf[t], BM25_FACTOR)}" for t in terms])
    places["tfs"] = named([f"{t} {parts[t]}" for t in terms])
    products = []
    for t in terms:
        times = f"{len(shares[t])} * " if len(shares[t]) > 1 else ""
        factors = f"{times}{decimals(idf[t], BM25_FACTOR)} * {parts[t]}"
        added = math.fsum(shares[t])
        products.append(Row(t, note=f"{factors} = {decimals(added, BM25_SHARE)}", bars=[added]))
    total = f"BM25 = {_sum([math.fsum(shares[t]) for t in terms], rest, BM25_SHARE)} = {decimals(value, BM25_TOTAL)}"
    panel: Any = {"key": "doc", "ranks": False}
    ends = Panel(say("steps.products_panel"), products + _rest(rest, BM25_SHARE), **panel, color=GREEN)
    steps = [
        step("bm25.start", lists([_counts(index, doc, terms)], dense=dense), **places),
        step("bm25.idf", lists([Panel(say("steps.idf_panel"), rare, **panel)], dense=dense), **places),
        step("bm25.tf", lists([Panel(say("steps.tf_panel"), often, **panel, color=PURPLE)], dense=dense), **places),
        step("bm25.end", lists([ends], total=total, dense=dense), {doc: value}, total=total, **places),
    ]
    return trace(say("steps.bm25.title", doc=doc), steps, value)


def _places(index: Index, query: str, doc: str, terms: list[str]) -> dict[str, Any]:
    asked = list(dict.fromkeys(tokenize(query)))
    missing = [term for term in asked if term not in terms]
    return {"query": query, "doc": doc, "terms": named(terms), "missing": named(missing), "n": len(index)}


def _counts(index: Index, doc: str, terms: list[str]) -> Panel:
    rows = [Row(t, note=say("steps.counts_note", tf=index.tf(t, doc), df=index.df(t), n=len(index))) for t in terms]
    return Panel(say("steps.terms_panel"), rows, key="doc", ranks=False)


def _most(count: int) -> int:
    """How many of so many terms are shown one by one: nothing is gained by adding up a single one."""
    return MOST_TERMS if count > MOST_TERMS + 1 else count


def _rest(shares: list[float], places: int) -> list[Row]:
    """What all the terms add together that are not shown one by one."""
    if not shares:
        return []
    together = math.fsum(shares)
    return [Row(say("steps.more_terms", count=len(shares)), note=decimals(together, places), bars=[together])]


def _sum(shares: list[float], rest: list[float], places: int) -> str:
    added = [*shares, *([math.fsum(rest)] if rest else [])]
    return " + ".join(decimals(x, places) for x in added) or "0"
