"""Computations one step at a time: each trace shares the arithmetic of the function that it explains."""

from relviz.steps.ranking import trace_ndcg, trace_precision, trace_recall, trace_reciprocal_rank
from relviz.steps.trace import Step, Trace

__all__ = ["Step", "Trace", "trace_ndcg", "trace_precision", "trace_recall", "trace_reciprocal_rank"]
