"""All step figures and plots in both languages on one page: artefacts/figures.html. Look at it after every change."""

from collections.abc import Iterator
from html import escape
from pathlib import Path

import relviz
from relviz import Index
from relviz.draw import Figure, curves, differences, histogram, power_curve
from relviz.steps import (
    Trace,
    trace_bm25,
    trace_compare,
    trace_evidence,
    trace_ndcg,
    trace_paired_bootstrap,
    trace_pool,
    trace_precision,
    trace_randomization_test,
    trace_recall,
    trace_reciprocal_rank,
    trace_rrf,
    trace_sliding_window,
    trace_tfidf,
    trace_unpaired_bootstrap,
)

OUT = Path(__file__).parents[1] / "artefacts" / "figures.html"
PAGE = """<!doctype html><meta charset="utf-8"><title>relviz: figures</title>
<style>body{font:15px/1.5 system-ui,sans-serif;margin:24px;background:#e9ebee}
section{display:flex;flex-wrap:wrap;gap:24px}
figure{margin:0;width:760px}img{max-width:100%}h2{margin:48px 0 12px}</style>
"""

REL = {"BUG-118": 2, "REQ-09": 2, "EXP-05": 1}
A = ["EXP-11", "BUG-118", "BUG-007", "REQ-31", "REQ-09", "EXP-05"]
B = ["BUG-118", "REQ-09", "BUG-007", "EXP-11", "REQ-31", "EXP-05"]
DOCS = {
    "BUG-118": "我的收藏页面：收藏的文章列表显示的是全部文章，不是我收藏的",
    "REQ-09": "收藏列表只显示当前用户收藏的文章，按收藏时间排列",
    "EXP-05": "浏览个人主页，收藏标签页能打开",
    "BUG-007": "标签筛选以后翻页是空白页",
}
# nDCG@5 of chapter 000: B - A where it is not 0.
MOVED = {24: -0.109, 28: -0.092, 12: -0.080, 20: -0.070, 25: -0.050, 1: -0.018, 13: -0.012, 21: -0.012}
MOVED |= {23: 0.022, 3: 0.037, 27: 0.140, 14: 0.236, 30: 0.236, 18: 0.326}
NAMES = [f"q{i:02}" for i in range(1, 31)]
DIFFERENCES = [MOVED.get(i, 0.0) for i in range(1, 31)]
INDEX = Index(DOCS)
QUERY = "我收藏的文章列表显示错了"


def traces() -> Iterator[Trace]:
    """One of each kind."""
    yield trace_recall(A, REL, 5)
    yield trace_precision(A[:3], REL, 5)
    yield trace_reciprocal_rank(A, REL)
    yield trace_ndcg(A, REL, 5)
    yield trace_ndcg(A, REL, 3, gain="exponential", discount=2)
    yield trace_compare(A, B, REL, 5, names=("A: TF-IDF", "B: BM25"))
    yield trace_tfidf(INDEX, QUERY, "BUG-118")
    yield trace_bm25(INDEX, QUERY, "BUG-118")
    yield trace_evidence()
    yield trace_rrf({"BM25": ["A", "B", "C"], "dense": ["B", "D", "A"], "title": ["D", "B"]}, weights=[1, 1, 0.5])
    yield trace_pool({"TF-IDF": A, "BM25": B, "dense": ["EXP-05", "BUG-118", "REQ-02"]}, 3)
    yield trace_sliding_window([f"d{i}" for i in range(1, 13)], lambda doc: int(doc[1:]) * 7 % 13, 6, 3)
    yield trace_sliding_window([f"d{i}" for i in range(100)], lambda doc: int(doc[1:]) * 37 % 101, 20, 10)
    scores = [0.3 + 0.7 * (i * 7 % 30) / 30 for i in range(30)]
    better = [x + d for x, d in zip(scores, DIFFERENCES)]
    yield trace_paired_bootstrap(scores, better, names=NAMES)
    yield trace_unpaired_bootstrap(scores, better, names=NAMES)
    yield trace_randomization_test(scores, better, names=NAMES)


def plots() -> Iterator[Figure]:
    """The pictures that stand alone."""
    yield differences(dict(zip(NAMES, DIFFERENCES)))
    yield histogram(
        [(i * 37 % 101 + i * 53 % 97) / 2000 - 0.03 for i in range(3000)], interval=(-0.012, 0.055), observed=0.018
    )
    yield power_curve(0.0953, (0.02, 0.05))
    lines = {"BM25": [(10, 3), (100, 4), (1000, 9)], "dense": [(10, 20), (100, 24), (1000, 30)]}
    yield curves(lines, x="k", y="ms", log_x=True, log_y=True)


def main() -> None:
    """Write the sheet."""
    parts = [PAGE]
    for language in relviz.locale.LANGUAGES:
        relviz.set_language(language)
        for trace in traces():
            parts.append(f"<h2>{escape(trace.title)}</h2><section>")
            for number, step in enumerate(trace, start=1):
                parts.append(figure(step.figure, f"{number}. {step.title}", step.words))
            parts.append("</section>")
        parts.append("<h2>plots</h2><section>")
        parts += [figure(plot, "", plot.alt) for plot in plots()]
        parts.append("</section>")
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text("".join(parts), encoding="utf-8")
    print(OUT)


def figure(picture: Figure, title: str, words: str) -> str:
    """A picture with its words and its size."""
    size = f"{len(picture.svg.encode()) / 1000:.1f} kB"
    image = f'<img src="{picture.data_url}" alt="{escape(picture.alt)}">'
    return f"<figure>{image}<figcaption><b>{escape(title)}</b> {escape(words)} ({size})</figcaption></figure>"


if __name__ == "__main__":
    main()
