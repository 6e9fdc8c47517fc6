"""Reorder a long ranking with a judge that sees only a few documents at a time."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from relviz.checks import ids, whole
from relviz.locale import say, short
from relviz.metrics import top
from relviz.rows import score as score_of

__all__ = ["sliding_rerank", "windows"]

Score = Mapping[str, float] | Callable[[str], float]


def sliding_rerank(ranking: Sequence[str], score: Score, window: int = 20, step: int = 10) -> list[str]:
    """The ranking after each window of it, from the back to the front, was put in order of score, best first.

    score: {document: score} or a function of the document; it stands for the model that reads a window. Equal scores
    keep their order. Neighbouring windows share window - step places, so at most that many documents can rise from
    one window into the next, however good the rest are.
    Source: Sun et al. 2023 (RankGPT: the first 100 of BM25, window 20, step 10). Built in lesson 04.
    """
    docs = ids(ranking)
    docs = list(top(docs, max(len(docs), 1)))
    for start, end in windows(len(docs), window, step):
        docs[start:end] = sorted(docs[start:end], key=as_score(score), reverse=True)
    return docs


def windows(n: int, window: int = 20, step: int = 10) -> list[tuple[int, int]]:
    """Start and end of each window over n places, back to front; the last one starts at the top.

    Where n does not fit, the last window is cut short at the top, so that every place is seen.
    Source: Sun et al. 2023. Built in lesson 04.
    """
    if whole("step", step) > whole("window", window):
        raise ValueError(say("errors.step", step=step, window=window))
    if n == 0:
        return []
    ends = [n]
    while ends[-1] > window:
        ends.append(ends[-1] - step)
    return [(max(end - window, 0), end) for end in ends]


def as_score(score: Score) -> Callable[[str], Any]:
    """The score as a function of the document."""
    if not callable(score) and not isinstance(score, Mapping):
        raise ValueError(say("errors.rerank_score", kind=type(score).__name__))

    def look_up(doc: str) -> float:
        if isinstance(score, Mapping) and doc not in score:
            raise ValueError(say("errors.no_score", doc=short(doc)))
        try:
            return score_of(score[doc] if isinstance(score, Mapping) else score(doc))
        except ValueError as problem:
            raise ValueError(say("errors.document", doc=short(doc), problem=problem)) from None

    return look_up
