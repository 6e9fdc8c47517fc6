"""Computations one step at a time: each trace shares the arithmetic of the function that it explains."""

from relviz.steps.chance import trace_paired_bootstrap, trace_randomization_test, trace_unpaired_bootstrap
from relviz.steps.collecting import trace_pool, trace_sliding_window
from relviz.steps.comparing import trace_compare
from relviz.steps.fusion import trace_evidence, trace_rrf, trace_rrf_k
from relviz.steps.ranking import trace_ndcg, trace_precision, trace_recall, trace_reciprocal_rank
from relviz.steps.scoring import trace_bm25, trace_tfidf
from relviz.steps.trace import Step, Trace

__all__ = [
    "Step",
    "Trace",
    "trace_bm25",
    "trace_compare",
    "trace_evidence",
    "trace_ndcg",
    "trace_paired_bootstrap",
    "trace_pool",
    "trace_precision",
    "trace_randomization_test",
    "trace_recall",
    "trace_reciprocal_rank",
    "trace_rrf",
    "trace_rrf_k",
    "trace_sliding_window",
    "trace_tfidf",
    "trace_unpaired_bootstrap",
]
