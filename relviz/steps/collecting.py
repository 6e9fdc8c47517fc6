"""Which documents are judged, and which are read again: pooling and reranking, one step at a time."""

from collections.abc import Mapping, Sequence
from typing import Any

from relviz.checks import ids
from relviz.draw import Figure, Panel, Row, cells, lists
from relviz.judging import pool
from relviz.locale import say
from relviz.metrics import top
from relviz.rerank import Score, as_score, sliding_rerank, windows
from relviz.steps.trace import Trace, named, step, trace


def trace_pool(runs: Mapping[str, Sequence[str]], k: int) -> Trace:
    """`pool` of `{system: ranking}`: one system after the other adds what is new in its first k. Used in lesson 01."""
    if not isinstance(runs, Mapping):
        raise ValueError(say("errors.named_rankings", kind=type(runs).__name__))
    value = pool(runs.values(), k)
    seen: list[str] = []
    steps = []

    def pooled(docs: Sequence[str], new: Sequence[str] = ()) -> Panel:
        rows = [Row(doc, active=doc in new) for doc in docs]
        return Panel(say("steps.pool_panel", count=len(docs)), rows, key="pool", ranks=False)

    for name, ranking in runs.items():
        first = top(ranking, k)
        new = [doc for doc in first if doc not in seen]
        notes = {doc: say("steps.pool_new" if doc in new else "steps.pool_known") for doc in first}
        run = Panel(name, [Row(doc, note=notes[doc], active=doc in new) for doc in first], key="run")
        seen += new
        words = {"name": name, "k": k, "new": named(new), "n": len(new), "known": len(first) - len(new)}
        steps.append(step("pool.run", lists([run, pooled(seen, new)]), {"pool": len(seen)}, size=len(seen), **words))
    shown = sum(len(top(ranking, k)) for ranking in runs.values())
    words = {"size": len(value), "shown": shown, "docs": named(value), "k": k}
    steps.append(step("pool.end", lists([pooled(value)]), {"pool": len(value)}, **words))
    return trace(say("steps.pool.title", k=k), steps, value)


def trace_sliding_window(ranking: Sequence[str], score: Score, window: int = 20, step_size: int = 10) -> Trace:
    """`sliding_rerank`: one window after the other, from the back to the front. Used in lesson 08.

    The bar of a document shows its place in the order that the score would give to all of them at once.
    """
    ranking = ids(ranking)
    value = sliding_rerank(ranking, score, window, step_size)
    best = sorted(ranking, key=as_score(score), reverse=True)
    height = {doc: 1 - place / len(best) for place, doc in enumerate(best)}

    def picture(docs: Sequence[str], at: tuple[int, int] | None = None) -> Figure:
        return cells(docs, [height[doc] for doc in docs], at)

    places: dict[str, Any] = {"n": len(ranking), "window": window, "step": step_size, "overlap": window - step_size}
    calls = windows(len(ranking), window, step_size)
    steps = [step("sliding.start", picture(ranking), calls=len(calls), **places)]
    docs = list(ranking)
    for call, (start, end) in enumerate(calls, start=1):
        docs[start:end] = sliding_rerank(docs[start:end], score, window, window)
        words = {"call": call, "calls": len(calls), "start": start + 1, "end": end, "first": docs[start]}
        key = "sliding.window" if call < len(calls) else "sliding.window_last"
        steps.append(step(key, picture(docs, (start, end)), {"call": call}, **words, **places))
    wrong = next((place for place, (a, b) in enumerate(zip(value, best), start=1) if a != b), None)
    key = "sliding.end" if wrong is None else "sliding.end_wrong"
    steps.append(step(key, picture(value), {"calls": len(calls)}, calls=len(calls), wrong=wrong, **places))
    return trace(say("steps.sliding.title"), steps, value)
