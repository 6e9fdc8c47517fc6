"""Did retrieval get better? Measures, fusion and significance for search, each built step by step in a lesson."""

import relviz.interrupt  # noqa: F401  before numpy, which takes a while to load
from relviz.compare import compare
from relviz.comparison import Comparison
from relviz.datasets import load_bughunt
from relviz.evaluate import Conventions, Evaluation, evaluate
from relviz.fusion import rrf
from relviz.judging import pool, raw_agreement, weighted_kappa
from relviz.locale import set_language
from relviz.metrics import dcg, ideal_grades, ndcg_at_k, precision_at_k, recall_at_k, reciprocal_rank, unique
from relviz.qrels import as_qrels, as_run, check_run, ranked, read_qrels, read_run, write_qrels, write_run
from relviz.rerank import sliding_rerank
from relviz.retrieval import Index, tokenize
from relviz.significance import (
    effect_size,
    exact_randomization_test,
    holm,
    max_t,
    paired_bootstrap,
    queries_needed,
    randomization_test,
    sd_interval,
    unpaired_bootstrap,
)

__version__ = "0.1.0"
__all__ = [
    "Comparison",
    "Conventions",
    "Evaluation",
    "Index",
    "as_qrels",
    "as_run",
    "check_run",
    "compare",
    "dcg",
    "effect_size",
    "evaluate",
    "exact_randomization_test",
    "holm",
    "ideal_grades",
    "load_bughunt",
    "max_t",
    "ndcg_at_k",
    "paired_bootstrap",
    "pool",
    "precision_at_k",
    "queries_needed",
    "randomization_test",
    "ranked",
    "raw_agreement",
    "read_qrels",
    "read_run",
    "recall_at_k",
    "reciprocal_rank",
    "rrf",
    "sd_interval",
    "set_language",
    "sliding_rerank",
    "tokenize",
    "unique",
    "unpaired_bootstrap",
    "weighted_kappa",
    "write_qrels",
    "write_run",
]
