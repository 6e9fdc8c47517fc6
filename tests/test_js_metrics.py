"""The measures of the ranking lab (JavaScript) answer what relviz.metrics answers: the same rankings go to both."""

import random
from typing import Any

import pytest
from node import in_node

from relviz.metrics import dcg, ideal_grades, ndcg_at_k, precision_at_k, recall_at_k, reciprocal_rank

ANSWERS = """data.map(({ ranking, rel, k, threshold, gain }) => {
  const grades = new Map(rel);
  const ask = (f) => { try { return f(); } catch (error) { return error.message; } };
  return {
    recall: ask(() => m.recallAtK(ranking, grades, k, { threshold })),
    precision: ask(() => m.precisionAtK(ranking, grades, k, { threshold })),
    rr: ask(() => m.reciprocalRank(ranking, grades, k, { threshold })),
    ndcg: ask(() => m.ndcgAtK(ranking, grades, k, { gain })),
    ideal: ask(() => m.dcg(m.idealGrades(grades, k), { gain })),
    words: ask(() => m.shown(m.precisionAtK(ranking, grades, k, { threshold }))),
    unchecked: ask(() => m.unchecked(ranking, grades, k, { threshold, gain })),
  };
})"""
EDGES: list[dict[str, Any]] = [
    {"ranking": [], "rel": []},
    {"ranking": [], "rel": [["a", 2]]},
    {"ranking": ["a"], "rel": []},
    {"ranking": ["a", "b"], "rel": [["a", 0], ["b", 0]]},
    {"ranking": ["a", "b", "c"], "rel": [["z", 3]]},
    {"ranking": ["a", "b", "a"], "rel": [["a", 1]]},
    {"ranking": ["b", "a", "a"], "rel": [["a", 1]], "k": 1},
    {"ranking": ["it's", 'a "b"', "it's"], "rel": [["it's", 1]]},
    {"ranking": ["a"], "rel": [["a", -1]]},
    {"ranking": ["a"], "rel": [["a", 1.5]]},
    {"ranking": ["a"], "rel": [["a", 1]], "k": 0},
    {"ranking": ["a"], "rel": [["a", 1]], "k": -3},
    {"ranking": ["constructor", "__proto__", "7", "007"], "rel": [["__proto__", 2], ["7", 1], ["toString", 1]]},
    {"ranking": ["文档一", "<img src=x onerror=alert(1)>", ""], "rel": [["", 1], ["文档一", 2]]},
    {"ranking": ["a"], "rel": [["a", 40], ["b", 52]], "gain": "exponential"},
    {"ranking": ["a", "b"], "rel": [["a", 1], ["b", 2]], "k": 1000},
    {"ranking": list("abcdefgh"), "rel": [["a", 1], ["b", 1], ["c", 1]], "k": 16},
    {"ranking": list("abcdefgh"), "rel": [["a", 1]], "k": 16},
    {"ranking": ["a", "b"], "rel": [["a", 2], ["b", 1]], "threshold": 9},
    {"ranking": ["a", "b"], "rel": [["b", 1]], "threshold": 0},
    {"ranking": ["a", "b"], "rel": [["b", 1]], "threshold": -3},
]


def vectors(count: int = 1500, seed: int = 20) -> list[dict[str, Any]]:
    rng = random.Random(seed)
    made = []
    for _ in range(count):
        docs = [f"D{i}" for i in range(rng.randint(1, 14))]
        ranking = rng.sample(docs, rng.randint(0, len(docs)))
        if ranking and rng.random() < 0.1:
            ranking.insert(rng.randint(0, len(ranking)), rng.choice(ranking))
        judged = rng.sample(docs, rng.randint(0, len(docs)))
        made.append(
            {
                "ranking": ranking,
                "rel": [[doc, rng.choice([0, 0, 1, 1, 2, 3])] for doc in judged],
                "k": rng.randint(1, 18),
                "threshold": rng.choice([1, 1, 1, 2, 3]),
                "gain": rng.choice(["linear", "exponential"]),
            }
        )
    return [{"k": 5, "threshold": 1, "gain": "linear"} | edge for edge in EDGES] + made


def expected(ranking: list[str], rel: list[list[Any]], k: int, threshold: int, gain: str) -> dict[str, Any]:
    grades = dict(rel)

    def ask(measure: Any, *args: Any, **options: Any) -> Any:
        try:
            return measure(*args, **options)
        except ValueError as error:
            return str(error)

    return {
        "recall": ask(recall_at_k, ranking, grades, k, threshold=threshold),
        "precision": ask(precision_at_k, ranking, grades, k, threshold=threshold),
        "rr": ask(reciprocal_rank, ranking, grades, k, threshold=threshold),
        "ndcg": ask(ndcg_at_k, ranking, grades, k, gain=gain),
        "ideal": ask(lambda: dcg(ideal_grades(grades, k, gain=gain), gain=gain)),
        "words": ask(lambda: f"{precision_at_k(ranking, grades, k, threshold=threshold):.3f}"),
    }


VECTORS = vectors()


@pytest.fixture(scope="module")
def answers() -> list[dict[str, Any]]:
    return in_node("metrics.js", ANSWERS, VECTORS)


def test_every_answer_is_the_answer_of_python(answers: list[dict[str, Any]]) -> None:
    agree(answers)


def agree(answers: list[dict[str, Any]]) -> None:
    assert len(answers) == len(VECTORS) > 1000
    for vector, answer in zip(VECTORS, answers):
        for name, value in expected(**vector).items():
            got = answer[name]
            close = (
                isinstance(value, float) and isinstance(got, int | float) and abs(got - value) <= 1e-12 * max(1, value)
            )
            assert got == value or close, (name, vector, got, value)


def test_the_vectors_hold_every_kind_of_answer(answers: list[dict[str, Any]]) -> None:
    assert sum(a["recall"] is None for a in answers) > 20
    assert sum(isinstance(a["recall"], str) and "stands twice" in a["recall"] for a in answers) > 50
    assert (
        sum(a["ndcg"] is not None and a["ndcg"] not in (0, 1) and not isinstance(a["ndcg"], str) for a in answers) > 500
    )


def test_unchecked_is_the_wrong_number_by_hand() -> None:
    # D twice on top of one relevant document: recall 2 / 1, precision 2 / 2, DCG (1 + 1/log2(3)) / 1.
    vector = {"ranking": ["D", "D"], "rel": [["D", 1]], "k": 2, "threshold": 1, "gain": "linear"}
    (answer,) = in_node("metrics.js", ANSWERS, [vector])
    wrong = answer["unchecked"]
    assert (wrong["recall"], wrong["precision"], wrong["rr"]) == (2, 1, 1)
    assert wrong["ndcg"] == pytest.approx(1.6309297535714573, abs=1e-12)


def test_unchecked_is_right_where_no_document_stands_twice(answers: list[dict[str, Any]]) -> None:
    for answer in answers:
        if not any(isinstance(answer[name], str) for name in ("recall", "ndcg")):
            assert answer["unchecked"] == {name: answer[name] for name in ("recall", "precision", "rr", "ndcg")}
