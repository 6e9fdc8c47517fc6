"""One of each widget with words in both languages, as a lesson would show it."""

from relviz import Index, load_bughunt, ndcg_at_k
from relviz.locale import language, set_language
from relviz.steps import Trace, trace_ndcg, trace_sliding_window, trace_unpaired_bootstrap
from relviz.widgets.base import Output
from relviz.widgets.lab import ranking_lab
from relviz.widgets.planner import query_planner
from relviz.widgets.player import player
from relviz.widgets.quiz import flash_cards, quiz
from relviz.widgets.resampler import resampler

__all__ = ["KINDS", "largest", "set_language", "widget"]

KINDS = ("player", "lab", "planner", "resampler", "quiz", "cards")
WORDS = {
    "en": {
        "question": "The first two documents change places; both are relevant, grade 2 and grade 1. What sees it?",
        "recall": ("Recall@5", "It counts who is in the first five, and nobody came or went."),
        "rr": ("RR", "The first relevant document stands where it stood, at rank 1."),
        "ndcg": ("nDCG@5", "A higher grade now stands where the discount is smaller."),
        "card": "Why is the mean rank of the first hit a poor summary?",
        "short": "One query without a hit ruins it, and nobody knows which rank to give it.",
        "long": "Ranks 1, 1, 1 and 1000 have the mean 250.75. The mean of 1/rank is 0.75.",
        "trap": "MRR 0.5 does not mean that the first hit stands at rank 2 on average.",
    },
    "zh": {
        "question": "前两篇文档互换了位置，两篇都相关，等级是 2 和 1。哪些指标会变？",
        "recall": ("Recall@5", "它只数前五名里有谁，没有人进来，也没有人出去。"),
        "rr": ("RR", "第一篇相关文档仍在第 1 名。"),
        "ndcg": ("nDCG@5", "等级高的那篇换到了折扣小的位置。"),
        "card": "为什么不用“第一篇相关文档的平均名次”来概括？",
        "short": "一条查询没找到，平均值就毁了，而且谁也说不准该给它记第几名。",
        "long": "名次 1、1、1、1000 的平均是 250.75；1/名次 的平均是 0.75。",
        "trap": "MRR 等于 0.5，不等于第一篇相关文档平均排在第 2 名。",
    },
}


def largest() -> dict[str, Trace]:
    """The traces of the course with the most in their pictures."""
    docs = [f"d{i}" for i in range(100)]
    return {
        "sliding window, 100 documents": trace_sliding_window(docs, lambda doc: int(doc[1:]) * 37 % 101),
        "unpaired bootstrap, 30 queries": trace_unpaired_bootstrap(*_scores()),
    }


def _scores() -> list[list[float]]:
    """nDCG@5 of both searches on the thirty queries."""
    data = load_bughunt()
    index = Index(data.docs)
    return [
        [ndcg_at_k(search(text), data.qrels[q], 5) for q, text in data.queries.items()]
        for search in (index.tfidf, index.bm25)
    ]


def widget(kind: str) -> Output:
    """One of KINDS in the language of the moment, on the course's own collection."""
    data, words = load_bughunt(), WORDS[language()]
    index, rel = Index(data.docs), data.qrels["q18"]
    a, b = (search(data.queries["q18"])[:7] for search in (index.tfidf, index.bm25))
    if kind == "player":
        return player(trace_ndcg(a, rel, 5))
    if kind == "lab":
        titles = {doc: data.read(doc) for doc in {*a, *b, *rel}}
        return ranking_lab(a, rel, 5, other=b, titles=titles, query=data.read("q18"))
    if kind == "planner":
        return query_planner(0.09535)
    if kind == "resampler":
        return resampler(*_scores(), 1000, measure="nDCG@5")
    if kind == "quiz":
        options = [{"text": words[m][0], "why": words[m][1], "right": m == "ndcg"} for m in ("recall", "rr", "ndcg")]
        return quiz([{"text": words["question"], "options": options}])
    card = {"question": words["card"], **{part: words[part] for part in ("short", "long", "trap")}}
    return flash_cards([card, card | {"level": "hard"}])
