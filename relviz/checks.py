"""What a number, a ranking or a row of numbers that is handed in may be: each rule and its sentence once.

Everything is said in the reader's language. What Python and its libraries add stands in brackets behind our words in
English, and is left out in Chinese.
"""

import math
from collections.abc import Iterable, Mapping, Set
from numbers import Integral, Real
from typing import Any

import numpy as np

from relviz.locale import say, short

# Python counts truth values among the whole numbers, and numpy spans of time.
NO_NUMBERS = (bool, np.timedelta64)

__all__ = ["between", "each", "finite", "ids", "is_finite", "whole"]


def whole(name: str, value: Any, least: int = 1, most: float = math.inf) -> int:
    """A whole number of at least and at most so much, as an int."""
    if isinstance(value, NO_NUMBERS) or not isinstance(value, Integral) or value < least:
        raise ValueError(say("errors.whole", name=name, least=least, got=short(value)))
    if int(value) > most:
        raise ValueError(say("errors.most", name=name, most=most, got=short(value)))
    return int(value)


def finite(name: str, value: Any, least: float = 0, most: float = math.inf, *, above: bool = False) -> float:
    """A finite number of at least so much, or above it, and at most so much."""
    if not is_finite(value) or value < least or (above and value == least):
        raise ValueError(say("errors.above" if above else "errors.finite", name=name, least=least, got=short(value)))
    if value > most:
        raise ValueError(say("errors.most", name=name, most=most, got=short(value)))
    return value


def between(name: str, value: Any) -> float:
    """A probability that is neither 0 nor 1."""
    if not is_finite(value) or not 0 < value < 1:
        raise ValueError(say("errors.probability", name=name, got=short(value)))
    return float(value)


def is_finite(value: Any) -> bool:
    """Whether it is a number that a float can hold."""
    try:
        return isinstance(value, Real) and not isinstance(value, NO_NUMBERS) and math.isfinite(value)
    except OverflowError:  # an int of more than 308 digits
        return False


def each(name: str, values: Any) -> list[Any]:
    """What is in a list, a tuple, an array, a column, as a list; a dict, a set and a text have no places."""
    if (
        isinstance(values, str | bytes | Mapping | Set)
        or not isinstance(values, Iterable)
        or hasattr(values, "columns")
    ):
        raise ValueError(say("errors.list", name=name, kind=type(values).__name__))
    try:
        return list(values)
    except TypeError:  # an array of no dimension says that it can be iterated
        raise ValueError(say("errors.list", name=name, kind=type(values).__name__)) from None


def ids(ranking: Any) -> list[str]:
    """The documents of a ranking as a list, after a check that they are ids."""
    if isinstance(ranking, str | bytes | Mapping | Set) or not isinstance(ranking, Iterable):
        raise ValueError(say("errors.ranking", kind=type(ranking).__name__))
    docs = each("ranking", ranking)
    for rank, doc in enumerate(docs, start=1):
        if not isinstance(doc, str):
            key = "errors.ranking_pair" if isinstance(doc, tuple) else "errors.ranking_id"
            raise ValueError(say(key, rank=rank, doc=short(doc), kind=type(doc).__name__))
    return docs
