"""What a comparison of runs found, and what can be asked of it: a difference, a condition, a report."""

import math
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from relviz.difference import Difference, alpha_of, fewest, paired
from relviz.evaluate import Evaluation
from relviz.locale import listed, say
from relviz.measures import parse_measures, same_measure
from relviz.writing import save

__all__ = ["Comparison", "Gate", "Mover", "Orders", "Place", "Stratum", "Unread", "parse_condition"]


@dataclass(frozen=True)
class Stratum:
    """The queries of one kind, by one measure; p_holm is corrected over the strata of this run and measure."""

    run: str
    measure: str
    name: str
    n: int
    a: float
    b: float
    mean: float
    low: float
    high: float
    p: float
    p_holm: float


@dataclass(frozen=True)
class Unread:
    """What the unjudged documents among the first k of both runs could make of a difference by the first measure.

    n: how many of them A and B rank differently; grade: the highest that occurs. for_a: the mean difference if each had
    that grade where A ranks it higher and were not relevant elsewhere; for_b: the other way round. fate of a verdict
    "higher" or "lower": it "falls" in one of the two worlds, or "stands" in both; empty for another verdict, or between
    the two.
    """

    n: int
    grade: int
    for_a: float
    for_b: float
    fate: str


@dataclass(frozen=True)
class Orders:
    """What other orders of documents with equal scores could make of a difference by the first measure.

    for_a: the mean difference in the orders that are best for A and worst for B; for_b: the other way round. fate: as
    of `Unread`.
    """

    for_a: float
    for_b: float
    fate: str


@dataclass(frozen=True)
class Place:
    """A document with its grade (None: not judged) and its ranks under both runs (None: not retrieved)."""

    doc: str
    grade: int | None
    rank_a: int | None
    rank_b: int | None


@dataclass(frozen=True)
class Mover:
    """A query whose score moved much: its scores, both rankings down to the depth, and the judged documents that moved.

    moved: the best grades first, then the longest ways.
    """

    run: str
    query: str
    text: str
    a: float
    b: float
    top_a: list[Place]
    top_b: list[Place]
    moved: list[Place]


@dataclass(frozen=True)
class Gate:
    """Whether a condition such as `nDCG@10 < -0.01` holds for a difference, judged on its interval.

    holds: "all" when the whole interval satisfies it, "none" when no part does, "part" when the data cannot tell. why
    they cannot: "interval" when only a part of it satisfies the condition; "few" when the queries are too few for any p
    below 1 - level (6 are enough at 95%); "test" when 0 would have to be ruled out, and p does not. rule: "fail_if" or
    "require" where a build asked; stops: whether it is to stop.
    """

    condition: str
    run: str
    low: float
    high: float
    holds: str
    why: str = ""
    rule: str = ""
    stops: bool = False


@dataclass(frozen=True, eq=False)
class Comparison:
    """Runs against a baseline; prints as a table with its verdict, shows as a report with figures in a notebook.

    differences: for each run, one per measure; the first measure is the one that verdict and movers are about.
    guards: the same for measures that only gates ask for, with p not corrected. judged: the mean share of judged
    documents among the first judged_k, by run; only_relevant says that the qrels list no document of grade 0, so that
    nobody can tell unjudged from not relevant. carried: for each run whose difference is shown only because of queries
    on which one side has no judged document, how many these are. unread: for each run, what could come of the documents
    that nobody judged. tied: for each run, the mean share of its first documents whose order ids decide; orders: what
    other orders could make of its difference. absent: kinds of which no query was compared. gates: the results of
    `gated`. The scores of every query are in evaluation.
    First shown in lesson 12.
    """

    baseline: str
    runs: list[str]
    measures: list[str]
    differences: list[Difference]
    strata: list[Stratum]
    movers: dict[str, list[Mover]]
    judged: dict[str, float]
    judged_k: int
    only_relevant: bool
    evaluation: Evaluation = field(repr=False)
    level: float = 0.95
    n_boot: int = 10_000
    n_perm: int = 10_000
    seed: int = 0
    correction: str = "max-t"
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)
    carried: dict[str, int] = field(default_factory=dict)
    unread: dict[str, Unread] = field(default_factory=dict)
    guards: list[Difference] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    tied: dict[str, float] = field(default_factory=dict)
    orders: dict[str, Orders] = field(default_factory=dict)
    depths: dict[str, int] = field(default_factory=dict)
    gates: list[Gate] = field(default_factory=list)

    def of(self, run: str | None = None, measure: str | None = None) -> Difference:
        """The difference of one run by one measure; the first of each where none is named."""
        run, measure = run or self.runs[0], measure or self.measures[0]
        for difference in (*self.differences, *self.guards):
            if (difference.run, difference.measure) == (run, measure):
                return difference
        known = listed(dict.fromkeys(d.measure for d in (*self.differences, *self.guards)))
        where = {"run": repr(run), "measure": repr(measure), "runs": listed(self.runs), "measures": known}
        raise ValueError(say("compare.no_difference", **where))

    def by_any_name(self, run: str, measure: str) -> Difference:
        """The same, of a measure by any of its names: MRR@10 is RR@10."""
        return self.of(run, same_measure(measure, [d.measure for d in (*self.differences, *self.guards)]))

    def per_query(self, run: str | None = None, measure: str | None = None) -> dict[str, float]:
        """B - A of each query that both have a score for, in the order of the queries' ids."""
        found = self.of(run, measure)
        differences = paired(self.evaluation, found.run, found.measure)
        return {query: float(d) for query, d in zip(self.evaluation.queries, differences) if np.isfinite(d)}

    def gate(self, condition: str) -> list[Gate]:
        """How a condition such as "nDCG@10 < -0.01" fares for each run; judged on the interval, not the mean."""
        measure, sign, limit = parse_condition(condition)
        gates = []
        for run in self.runs:
            d = self.by_any_name(run, measure)
            low, high, zero = (_HOLDS[sign](value, limit) for value in (d.low, d.high, 0.0))
            why = ""
            if low != high:
                why = "interval"
            elif d.n < fewest(alpha_of(self.level)):
                why = "few"
            elif zero != low and d.p >= alpha_of(self.level):
                why = "test"
            gates.append(Gate(condition, run, d.low, d.high, "part" if why else "all" if low else "none", why))
        return gates

    def gated(self, fail_if: str | Iterable[str] = (), require: str | Iterable[str] = ()) -> "Comparison":
        """The same comparison, whose reports say how gates fare: each stops a build if its condition holds on the
        whole interval (fail_if), or unless it does (require).
        """
        gates = []
        for rule, conditions in (("fail_if", fail_if), ("require", require)):
            for condition in [conditions] if isinstance(conditions, str) else conditions:
                for gate in self.gate(condition):
                    gates.append(replace(gate, rule=rule, stops=(gate.holds == "all") == (rule == "fail_if")))
        return replace(self, gates=gates)

    def __str__(self) -> str:
        from relviz.report import as_text

        return as_text(self)

    __repr__ = __str__

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": self._repr_html_()}

    def _repr_html_(self) -> str:
        from relviz.report_html import as_html

        return as_html(self)

    def to_json(self) -> str:
        """Every number, also those of each query, as JSON text."""
        from relviz.report import as_json

        return as_json(self)

    def to_markdown(self) -> str:
        """Verdict, table and movers for a pull request."""
        from relviz.report import as_markdown

        return as_markdown(self)

    def to_html(self, path: str | os.PathLike[str]) -> None:
        """The report as one file that needs nothing else: no network, no script, no other file."""
        from relviz.report_html import as_page

        save(path, as_page(self).encode())


_HOLDS: dict[str, Callable[[float, float], bool]] = {
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y,
    ">=": lambda x, y: x >= y,
}


def parse_condition(text: str) -> tuple[str, str, float]:
    """`nDCG@10 < -0.01` as measure, sign and limit; a ValueError says what a condition looks like."""
    measure, sign, limit = re.fullmatch("([^<>]*)([<>]?=?)(.*)", text, re.DOTALL).groups()  # type: ignore[union-attr]
    try:
        number = float(limit)
    except ValueError:
        number = math.nan
    if sign not in _HOLDS or not math.isfinite(number):
        raise ValueError(say("compare.no_condition", text=repr(text)))
    return parse_measures(measure.strip())[0].text, sign, number
