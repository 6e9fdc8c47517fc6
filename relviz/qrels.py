"""Judgements and runs: what they look like, and how they are read, checked and written."""

from collections.abc import Mapping

__all__ = ["ranked"]


def ranked(scores: Mapping[str, float]) -> list[str]:
    """The documents of `{document id: score}`, best first; equal scores by document id, descending, as trec_eval does.

    Built in lesson 03.
    """
    return sorted(scores, key=lambda doc: (scores[doc], doc), reverse=True)
