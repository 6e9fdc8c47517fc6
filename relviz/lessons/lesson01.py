"""The exercises of lesson 01: lines of judgements, a rule applied, agreement, strata, pools and unjudged documents."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from relviz.datasets import bughunt_path, load_bughunt
from relviz.evaluate import evaluate
from relviz.judging import pool
from relviz.lessons import Exercise, Reply, number, plain, shown, untouched
from relviz.locale import say
from relviz.qrels import read_run

bughunt = load_bughunt()

# In the notebook too: eight pairs to grade with three lines, and four with the long rule.
EIGHT = [
    *[("q18", "BUG-118"), ("q18", "EXP-05"), ("q18", "REQ-11"), ("q03", "BUG-112")],
    *[("q30", "EXP-01"), ("q30", "BUG-131"), ("q25", "REQ-11"), ("q25", "REQ-03")],
]
FOUR = [("q18", "BUG-101"), ("q28", "BUG-103"), ("q24", "EXP-03"), ("q24", "BUG-109")]
OPEN = {3, 5}  # places in EIGHT that the three lines leave open, and on which two judges differed


def grades(pairs: Sequence[tuple[str, str]]) -> list[int]:
    """The collection's grades of these pairs."""
    return [bughunt.qrels[query].get(doc, 0) for query, doc in pairs]


@dataclass
class OwnGrades(Exercise):
    """Grades of the reader's own. None that the rule knows is wrong: the form is checked, and where judge A, whose
    grades are `answer`, decided otherwise is told with A's reason.
    """

    def _judge(self, answer: Any) -> Reply:
        received = plain(answer)
        if untouched(received):
            return Reply(say("lessons.untouched"))
        if problem := self._problem(received):
            return self._not_yet(shown(received), self._say(f"wrong.{problem}"))
        self.solved = True
        differ = [i for i, (mine, theirs) in enumerate(zip(received, self.answer), 1) if mine != theirs]
        told = say("lesson01.2.noted", same=len(self.answer) - len(differ), total=len(self.answer))
        reasons = [self._say("differ"), *(self._say(f"why{i}") for i in differ)] if differ else []
        return Reply(say("text.gap").join([told, *reasons]))

    def _problem(self, received: Any) -> str | None:
        """Why these are not grades of the pairs, by the name of the words that say so."""
        if not isinstance(received, list) or len(received) != len(self.answer):
            return "count"
        return None if all(number(grade) in (0, 1, 2) for grade in received) else "grade"


runs = {name: read_run(bughunt_path(f"runs/{name}.run")) for name in ("tfidf", "bm25")}
result = evaluate(runs, bughunt.qrels, "nDCG@5")
kinds = np.array([bughunt.about[query]["type"] for query in result.queries])
lookups, filed = kinds == "bug-lookup", kinds == "coverage-bugs"
tfidf, bm25 = (result.scores[name]["nDCG@5"] for name in runs)


def mixed(scores: Any) -> float:
    """The mean nDCG@5 of a mix of half bug lookups, half questions for the bugs of a page."""
    return float(scores[lookups].mean() + scores[filed].mean()) / 2


X, Y = ["D3", "D1", "D7", "D2"], ["D1", "D9", "D3", "D5"]
LINES = {"q19": {"REQ-12": 2, "EXP-06": 1, "REQ-08": 0}}

EXERCISES = [
    Exercise(
        "01.1",
        LINES,
        mistakes={
            "no_zero": {"q19": {"REQ-12": 2, "EXP-06": 1}},
            "text": {"q19": {"REQ-12": "2", "EXP-06": "1", "REQ-08": "0"}},
            "second_column": {"q19": {"REQ-12": 0, "EXP-06": 0, "REQ-08": 0}},
            "no_query": LINES["q19"],
        },
    ),
    OwnGrades("01.2", grades(EIGHT), mistakes={"count": [2, 1], "grade": [2, 1, 0, 0, 3, 0, 2, 1]}),
    Exercise(
        "01.3",
        grades(FOUR),
        mistakes={
            "same_module": [1, 1, 1, 2],
            "same_code": [0, 0, 1, 2],
            "other_type": [0, 1, 2, 2],
        },
    ),
    Exercise(
        "01.4",
        [6 / 8, 1 - (2 / 8) / (56 / 64)],
        mistakes={
            "raw": [6 / 8, 6 / 8],
            "unweighted": [6 / 8, 1 - (2 / 8) / (44 / 64)],
            "squared": [6 / 8, 1 - (2 / 8) / (80 / 64)],
            "quotient": [6 / 8, (2 / 8) / (56 / 64)],
            "swapped": [1 - (2 / 8) / (56 / 64), 6 / 8],
        },
    ),
    Exercise(
        "01.5",
        [1 - 3 / 10000, 0],
        mistakes={"kappa_is_raw": [1 - 3 / 10000] * 2, "disagreement": [3 / 10000, 0], "swapped": [0, 1 - 3 / 10000]},
        tolerance=0.00005,
    ),
    Exercise(
        "01.6",
        mixed(bm25),
        mistakes={
            "by_query": float(bm25[lookups | filed].mean()),
            "other_system": mixed(tfidf),
            "all": float(bm25.mean()),
        },
        facts={
            "lookups": f"{bm25[lookups].mean():.3f}",
            "filed": f"{bm25[filed].mean():.3f}",
            "tfidf": f"{mixed(tfidf):.3f}",
            "n": int(filed.sum()),
        },
    ),
    Exercise(
        "01.7",
        set(pool([X, Y], 3)),
        mistakes={
            "everything": sorted({*X, *Y}),
            "both": sorted({*X[:3]} & {*Y[:3]}),
            "too_shallow": sorted({*X[:2]} | {*Y[:2]}),
        },
        facts={"docs": pool([X, Y], 3)},
    ),
    Exercise(
        "01.8",
        [2 / 5, 1 / 5, 4 / 5],
        mistakes={
            "all_relevant": [2 / 5, 1 / 5, 1],
            "condensed": [2 / 5, 1 / 5, 1 / 2],
            "unjudged": [3 / 5, 1 / 5, 4 / 5],
        },
    ),
]
