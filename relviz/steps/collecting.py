"""Which documents are judged, and which are read again: pooling and reranking, one step at a time."""

from collections.abc import Mapping, Sequence
from typing import Any

from relviz.checks import ids
from relviz.draw import Figure, Panel, Row, cells, lists
from relviz.draw.cells import has_names
from relviz.draw.lists import MOST_LOOSE
from relviz.judging import pool
from relviz.locale import say
from relviz.metrics import top
from relviz.rerank import Score, as_score, sliding_rerank, windows
from relviz.steps.trace import Trace, named, step, trace

# Of more windows than these, what lies between is told in one step.
FIRST_CALLS, LAST_CALLS = 5, 4


def trace_pool(runs: Mapping[str, Sequence[str]], k: int) -> Trace:
    """`pool` of `{system: ranking}`: one system after the other adds what is new in its first k. Used in lesson 01."""
    if not isinstance(runs, Mapping):
        raise ValueError(say("errors.named_rankings", kind=type(runs).__name__))
    value = pool(runs.values(), k)
    seen: list[str] = []
    steps = []
    dense = len(value) > MOST_LOOSE  # from the first step on, if in the last

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
        figure = lists([run, pooled(seen, new)], dense=dense)
        steps.append(step("pool.run", figure, {"pool": len(seen)}, size=len(seen), **words))
    shown = sum(len(top(ranking, k)) for ranking in runs.values())
    words = {"size": len(value), "shown": shown, "docs": named(value), "k": k}
    steps.append(step("pool.end", lists([pooled(value)], dense=dense), {"pool": len(value)}, **words))
    return trace(say("steps.pool.title", k=k), steps, value)


def trace_sliding_window(ranking: Sequence[str], score: Score, window: int = 20, step_size: int = 10) -> Trace:
    """`sliding_rerank`: one window after the other, from the back to the front. Used in lesson 04.

    The bar of a document shows its place in the order that the score would give to all of them at once. Of many calls
    the first and the last ones have a picture each, and one step tells of those between.
    """
    ranking = ids(ranking)
    value = sliding_rerank(ranking, score, window, step_size)
    rate = as_score(score)
    best = sorted(ranking, key=rate, reverse=True)
    height = {doc: 1 - place / len(best) for place, doc in enumerate(best)}
    origin = {doc: place for place, doc in enumerate(ranking)}
    calls = windows(len(ranking), window, step_size)
    places: dict[str, Any] = {"n": f"{len(ranking):,}", "window": window, "step": step_size, "calls": len(calls)}
    places |= {"overlap": window - step_size, "ids": "" if has_names(ranking) else say("steps.sliding.ids")}

    def picture(docs: Sequence[str], at: tuple[int, int] | None = None, then: tuple[int, int] = (0, 0)) -> Figure:
        return cells(docs, [height[doc] for doc in docs], at, origins=[origin[doc] for doc in docs], then=then)

    def name(doc: str) -> str:
        """As the picture calls it."""
        return say("steps.sliding.from", doc=doc, place=f"{origin[doc] + 1:,}") if places["ids"] else doc

    steps = [step("sliding.start", picture(ranking, then=calls[0] if calls else (0, 0)), **places)]
    docs = list(ranking)
    between = range(FIRST_CALLS, len(calls) - LAST_CALLS) if len(calls) > FIRST_CALLS + LAST_CALLS + 1 else range(0)
    for call, (start, end) in enumerate(calls):
        docs[start:end] = sliding_rerank(docs[start:end], score, window, window)
        then = calls[call + 1] if call + 1 < len(calls) else (start, end)
        words = {"call": call + 1, "start": f"{start + 1:,}", "end": f"{end:,}", "first": name(docs[start]), **places}
        key = "sliding.window" if call + 1 < len(calls) else "sliding.window_last"
        if call in between:
            if call + 1 in between:
                continue
            highest, lowest = calls[between[0]]
            words |= {"from_call": between[0] + 1, "from_start": f"{highest + 1:,}", "from_end": f"{lowest:,}"}
            key = "sliding.between"
        steps.append(step(key, picture(docs, (start, end), then), {"call": call + 1}, **words))
    wrong = next((place for place, (a, b) in enumerate(zip(value, best), start=1) if rate(a) != rate(b)), None)
    key = "sliding.end" if wrong is None else "sliding.end_first" if wrong == 1 else "sliding.end_wrong"
    right = None if wrong is None else wrong - 1
    figure = picture(value, then=calls[-1] if calls else (0, 0))
    steps.append(step(key, figure, {"calls": len(calls)}, wrong=wrong, right=right, **places))
    return trace(say("steps.sliding.title"), steps, value)
