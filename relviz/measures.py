"""The names of measures, as the field writes them: `nDCG@10`, `P(rel=2)@5`, `nDCG(gain="exp")@10`, `RBP(p=0.8)`.

The spelling is that of ir_measures: a name, options in brackets, a cutoff behind @. A name says which number is meant,
so two numbers may be compared when their names and their conventions are the same.
"""

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from typing import Any

from relviz.checks import whole
from relviz.locale import listed, say, short

__all__ = ["EXAMPLES", "KNOWN", "Measure", "names_of_measures", "parse_measure", "parse_measures"]

# What each measure takes: whether it has a cutoff ("needed", "optional", "none"), and its options.
KNOWN: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "nDCG": ("optional", ("gain", "discount")),
    "DCG": ("optional", ("gain", "discount")),
    "R": ("optional", ("rel",)),
    "R_cap": ("needed", ("rel",)),
    "P": ("needed", ("rel",)),
    "RR": ("optional", ("rel",)),
    "AP": ("optional", ("rel",)),
    "Success": ("needed", ("rel",)),
    "RBP": ("optional", ("rel", "p")),
    "Bpref": ("none", ("rel",)),
    "Judged": ("optional", ()),
}
# No ranking is longer, and no grade has more than nine digits.
MOST = 10**9
# Larger gains add up to more than a float holds.
LARGEST = 1e300
# How options are written.
EXAMPLES = ("P(rel=2)@5", "nDCG(gain=exp)@10", "RBP(p=0.8)")
# Other names in use for the same measure.
ALIASES = {
    "NDCG": "nDCG",
    "MRR": "RR",
    "MAP": "AP",
    "Recall": "R",
    "Precision": "P",
    "BPref": "Bpref",
    "bpref": "Bpref",
}
# What others call them, to be guessed: trec_eval, which writes a cutoff behind _ as in ndcg_cut_10, and those who
# count hits.
GUESSED = {"map": "AP", "map_cut": "AP", "ndcg_cut": "nDCG", "recip_rank": "RR"}
GUESSED |= dict.fromkeys(("hit", "hits", "hit_rate", "hitrate"), "Success")
# Measures of others that are spelt like one of these, and are none of them.
ANOTHER = ("err", "nrbp", "nnrbp", "sdcg", "strecall")


@dataclass(frozen=True)
class Measure:
    """One measure with its options; `text` is how it was written.

    k: the cutoff, None for the whole ranking. rel: the lowest grade that counts as relevant. gain: "linear", "exp"
    (2**grade - 1) or pairs (grade, gain). discount: "log2" or the base of Järvelin and Kekäläinen. p: the persistence
    of RBP, the probability of reading on.
    """

    text: str
    name: str
    k: int | None = None
    rel: int = 1
    gain: str | tuple[tuple[int, float], ...] = "linear"
    discount: str | float = "log2"
    p: float = 0.8


def parse_measures(measures: str | Iterable[str]) -> tuple[Measure, ...]:
    """One measure or several, each once, in the order given; in a text they stand between commas.

    A measure of ir_measures counts as its text.
    """
    several = isinstance(measures, Iterable) and not isinstance(measures, str) and getattr(measures, "ndim", 1) == 1
    given = measures if several else [measures]
    texts = list(dict.fromkeys(text for one in given for text in _split(str(one))))
    if not texts:
        raise ValueError(say("errors.no_measure", known=_known()))
    return tuple(parse_measure(text) for text in texts)


def _split(text: str) -> list[str]:
    """The measures between commas; a comma inside brackets belongs to its measure."""
    return [part.strip() for part in re.split(r",(?![^({]*[)}])", text)] if "," in text else [text]


def same_measure(text: str, texts: Iterable[str]) -> str:
    """The one of texts that is this measure by any of its names, else the text itself."""
    wanted = replace(parse_measure(text), text="")
    return next((one for one in texts if replace(parse_measure(one), text="") == wanted), text)


@cache
def parse_measure(text: str) -> Measure:
    """`Name(option=value)@k` as a Measure; a ValueError names the text and what is known. First used in lesson 02."""
    name, options, k = _parts(text)
    try:
        return _checked(text, ALIASES.get(name, name), options, k)
    except ValueError as problem:
        raise ValueError(say("errors.measure", text=short(text), problem=problem)) from None


def _checked(text: str, name: str, options: Mapping[str, Any], k: Any) -> Measure:
    if name not in KNOWN:
        raise ValueError(say("errors.measure_unknown", name=short(name), meant=_meant(name, k), known=_known()))
    cutoff, allowed = KNOWN[name]
    if k is None and cutoff == "needed":
        raise ValueError(say("errors.measure_needs_k", name=name))
    if k is not None and cutoff == "none":
        raise ValueError(say("errors.measure_no_k", name=name))
    if k is not None:
        whole(say("errors.measure_k"), k, most=MOST)
    checked: dict[str, Any] = {}
    for option, value in options.items():
        option, value = _as_our_own(option, value)
        if option not in allowed:
            takes = listed(allowed) or say("errors.no_options")
            raise ValueError(say("errors.measure_option", name=name, option=short(option), options=takes))
        checked[option] = _CHECKS[option](value)
    return Measure(text, name, k, **checked)


def _parts(text: str) -> tuple[str, dict[str, Any], Any]:
    """Name, options and what stands behind @; the text is a Python expression, so Python reads it."""
    try:
        node: Any = ast.parse(text.strip(), mode="eval").body
        options, k = {}, None
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            node, k = node.left, ast.literal_eval(node.right)
        if isinstance(node, ast.Call) and not node.args:
            options = {str(word.arg): _value(word.value) for word in node.keywords}
            node = node.func
        if isinstance(node, ast.Name):
            return node.id, options, k
    except (SyntaxError, ValueError, AttributeError, TypeError, RecursionError, MemoryError):
        pass
    raise ValueError(say("errors.measure_unread", text=short(text), known=_known()))


def _value(node: Any) -> Any:
    """The value of an option; a bare word is text, since a shell takes the quotes of gain="exp" away."""
    return node.id if isinstance(node, ast.Name) else ast.literal_eval(node)


def _as_our_own(option: str, value: Any) -> tuple[str, Any]:
    """ir_measures writes the gain as dcg='exp-log2' or gains={grade: gain}."""
    if option == "dcg":
        return "gain", {"log2": "linear", "exp-log2": "exp"}.get(value, value) if isinstance(value, str) else value
    return ("gain", value) if option == "gains" else (option, value)


def _rel(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value < MOST:
        raise ValueError(say("errors.measure_rel", got=short(value)))
    return int(value)


def _gain(value: Any) -> str | tuple[tuple[int, float], ...]:
    if value in ("linear", "exp"):
        return value
    if value == "exponential":
        return "exp"
    if not isinstance(value, dict) or not all(map(_is_gain, value, value.values())):
        raise ValueError(say("errors.measure_gain", got=short(value)))
    return tuple(sorted((grade, float(gain)) for grade, gain in value.items()))


def _is_gain(grade: Any, gain: Any) -> bool:
    """An unjudged document counts as grade 0, so a gain for grade 0 would reward what nobody has seen."""
    whole = isinstance(grade, int) and not isinstance(grade, bool) and 0 <= grade < MOST
    return whole and isinstance(gain, int | float) and 0 <= gain <= LARGEST and (grade > 0 or gain == 0)


def _discount(value: Any) -> str | float:
    if value != "log2" and (isinstance(value, bool) or not isinstance(value, int | float) or not 1 < value <= LARGEST):
        raise ValueError(say("errors.measure_discount", got=short(value)))
    return value if isinstance(value, str) else float(value)


def _p(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1:
        raise ValueError(say("errors.measure_p", got=short(value)))
    return float(value)


_CHECKS = {"rel": _rel, "gain": _gain, "discount": _discount, "p": _p}


def _meant(name: str, k: Any) -> str:
    """The measure that is spelt most like it, in brackets; nothing where none is."""
    if cut := re.fullmatch(r"(.*[^\W\d_])_?(\d{1,9})", name):
        name, k = cut[1], int(cut[2])
    names = {known.lower(): ALIASES.get(known, known) for known in (*KNOWN, *ALIASES)} | GUESSED
    close = get_close_matches(name.lower(), names, 1, 0.7)
    if not close or name.lower() in ANOTHER:
        return ""
    found = names[close[0]]
    cutoff = KNOWN[found][0]
    if cutoff == "none" or not isinstance(k, int):
        k = 10 if cutoff == "needed" else None
    return say("errors.measure_meant", measure=found if k is None else f"{found}@{k}")


def names_of_measures() -> str:
    """Every name, with its cutoff; in brackets where it may be left out."""
    cutoffs = {"needed": "@k", "optional": "[@k]", "none": ""}
    return listed(name + cutoffs[KNOWN[name][0]] for name in KNOWN)


def _known() -> str:
    return say("errors.known_measures", names=names_of_measures())
