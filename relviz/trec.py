"""TREC runs at full speed: a file of millions of lines stays bytes, and numpy finds the columns in it.

`scan` reads only what it is sure of. Anything else (a bad line, a document twice, an odd character) makes it return
None, and the careful reader of files.py goes line by line and says what is wrong. Tests hold the two to each other.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NoReturn

import numpy as np

from relviz.locale import say
from relviz.rows import score

__all__ = ["Run", "scan"]

BLOCK = 1 << 19  # bytes looked at in one go: few enough for the cache of a processor
LONGEST = 256  # bytes of an id, 24 of a score; what is longer is left to the careful reader
WIDTH = 24
NEARLY = 0.9  # of the queries


class Run(Mapping[str, Mapping[str, float]]):
    """A run that reads like `{query: {document: score}}` and unpacks a query when it is first asked for.

    Asking again unpacks again, so a run of millions of lines needs little more memory than its file. What comes out
    cannot be changed; `run.dict()` gives a plain dict of dicts that can. `upside_down` says that in nearly every query
    scores rise with the column of ranks, which nothing else looks at: distances do.
    """

    def __init__(
        self,
        data: bytes,
        rows: dict[str, slice | np.ndarray],
        starts: np.ndarray,
        sizes: np.ndarray,
        scores: np.ndarray,
        upside_down: bool = False,
    ) -> None:
        self._data, self._rows = data, rows
        self.upside_down = upside_down
        self._starts, self._sizes, self._scores = starts, sizes, scores
        self._last: tuple[str, Scores] | None = None

    def __getitem__(self, query: str) -> dict[str, float]:
        if self._last is None or self._last[0] != query:
            docs, scores = self.arrays(query)
            self._last = query, Scores(zip(docs, scores.tolist()))
        return self._last[1]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, query: object) -> bool:
        return query in self._rows

    def __repr__(self) -> str:
        return f"<Run: {len(self)} queries, {len(self._scores)} documents>"

    def arrays(self, query: str) -> tuple[list[str], np.ndarray]:
        """The documents of a query and their scores, in the order of the file."""
        rows, data = self._rows[query], self._data
        starts = self._starts[rows]
        spans = zip(starts.tolist(), (starts + self._sizes[rows]).tolist())
        return [data[start:end].decode() for start, end in spans], self._scores[rows]

    def dict(self) -> dict[str, dict[str, float]]:
        """The run as a plain dict of dicts."""
        return {query: dict(self[query]) for query in self}


class Scores(dict[str, float]):
    """The documents of one query with their scores, not to be changed: a change would be gone the next time."""

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError(say("files.read_only"))

    __setitem__ = __delitem__ = __ior__ = update = pop = popitem = clear = setdefault = _refuse  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[dict], tuple[dict[str, float]]]:
        return dict, (dict(self),)


def scan(data: bytes) -> Run | None:
    """The run in the bytes of a TREC file; None when a line needs a closer look."""
    if not data.endswith(b"\n"):
        data += b"\n"
    most = sum(np.count_nonzero(part == 10) for part in blocks_of(data))
    starts, sizes = np.empty(most, np.int64), np.empty(most, np.int32)
    scores, marks = np.empty(most), np.empty(most, np.uint64)
    rows: dict[str, list[tuple[int, int]]] = {}
    at = done = down = up = 0
    while at < len(data):
        end = data.rfind(b"\n", at, at + BLOCK) + 1
        if not end:
            return None  # a line longer than a block
        block = np.frombuffer(data, np.uint8, end - at, at)
        edges = column_edges(block)
        if edges is None:
            return None
        if len(edges):
            query, doc, number = (Column(block, edges[:, i], edges[:, i + 1]) for i in (0, 4, 8))
            if max(query.longest, doc.longest) > LONGEST:
                return None
            values = numbers(number)
            if values is None:
                return None
            stop = done + len(edges)
            starts[done:stop], sizes[done:stop], scores[done:stop] = doc.starts + at, doc.sizes, values
            marks[done:stop] = fingerprints(doc)
            changes = [*group_starts(query), len(edges)]
            for first, last in pairwise(changes):
                name = block[query.starts[first] : query.starts[first] + query.sizes[first]].tobytes().decode()
                add_rows(rows.setdefault(name, []), done + first, done + last)
            way = ways(block, edges, values, changes)
            down, up = down + int(np.sum(way < 0)), up + int(np.sum(way > 0))
            done = stop
        at = end
    indices = {query: one_index(spans) for query, spans in rows.items()}
    if any_twice(marks, indices):
        return None
    return Run(data, indices, starts[:done], sizes[:done], scores[:done], upside_down=up > NEARLY * (up + down))


def blocks_of(data: bytes) -> Iterator[np.ndarray]:
    """The bytes, a block at a time."""
    every_byte = np.frombuffer(data, np.uint8)
    return (every_byte[at : at + BLOCK] for at in range(0, len(data), BLOCK))


def column_edges(block: np.ndarray) -> np.ndarray | None:
    """Where the six columns of each line start and stop, shape (lines, 12); None if it is not so simple.

    The block is whole lines: its last byte is a new line.
    """
    space = np.ones(len(block) + 1, bool)  # as if a space stood before the block
    np.less_equal(block, 32, out=space[1:])
    new_lines = np.count_nonzero(block == 10)
    if np.count_nonzero(block < 32) != new_lines + np.count_nonzero(block == 9) + np.count_nonzero(block == 13):
        return None  # a control character
    if block.max() > 127:
        try:
            block.tobytes().decode()
        except UnicodeDecodeError:
            return None
    edges = np.flatnonzero(space[1:] != space[:-1])
    if len(edges) % 12:
        return None
    rows = edges.reshape(-1, 12)
    if new_lines == len(rows) and (block[rows[:, 11]] == 10).all():
        return rows
    lines = np.flatnonzero(block == 10)
    line = np.searchsorted(lines, rows[:, 0])
    one_row_a_line = (line == np.searchsorted(lines, rows[:, 11] - 1)).all() and (np.diff(line) > 0).all()
    return rows if one_row_a_line else None


class Column:
    """One column of a block: where each of its cells starts, and how many bytes it has."""

    def __init__(self, block: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> None:
        self.block, self.starts, self.sizes = block, starts, ends - starts
        self.longest = int(self.sizes.max())

    def words(self) -> Iterator[np.ndarray]:
        """The bytes of each cell, eight at a time as whole numbers, with zeros after its end.

        A word may reach 7 bytes past an id; the columns that follow one in a TREC line are at least that long.
        """
        every_word = np.ndarray(len(self.block) - 7, "<u8", self.block, strides=(1,))
        for first in range(0, self.longest, 8):
            left = self.sizes - first
            yield every_word[self.starts + np.where(left > 0, first, 0)] & KEEP[np.clip(left, 0, 8)]


KEEP = np.array([(1 << 8 * size) - 1 for size in range(9)], np.uint64)


def numbers(column: Column) -> np.ndarray | None:
    """The numbers of a column; None if one is no finite number.

    Up to 15 digits and a point: an exact whole number divided by an exact power of ten, which rounds as float() does
    (Clinger 1990). Anything else is left to float().
    """
    block, starts, sizes = column.block, column.starts, column.sizes
    places = np.arange(min(column.longest, WIDTH))[:, None]
    text = block[np.minimum(starts + places, len(block) - 1)]
    text[places >= sizes] = 32
    digit = text - 48  # wraps around: below 10 for digits only
    is_digit, is_point, minus = digit < 10, text == 46, text[0] == 45
    whole = np.zeros(len(starts))
    for row, here in zip(digit, is_digit):
        np.copyto(whole, whole * 10 + row, where=here)
    digits, points = np.add.reduce(is_digit, dtype=np.uint8), np.add.reduce(is_point, dtype=np.uint8)
    point = np.add.reduce(is_point * places.astype(np.uint8), dtype=np.uint8)
    decimals = np.where(points == 1, sizes - 1 - point, 0)
    exact = (digits + points + minus == sizes) & (digits > 0) & (digits <= 15) & (points <= 1)
    values = whole / POWERS[np.minimum(decimals, 22)]
    values[minus] *= -1
    for row in np.flatnonzero(~exact):
        try:
            values[row] = score(block[starts[row] : starts[row] + sizes[row]].tobytes().decode())
        except ValueError:
            return None
    return values


def ways(block: np.ndarray, edges: np.ndarray, values: np.ndarray, changes: list[int]) -> np.ndarray:
    """For each stretch of a query: above 0 if rank and score rise together from its first line to its last."""
    ends = np.array([changes[:-1], changes[1:]]) - [[0], [1]]
    ranks = numbers(Column(block, edges[ends.ravel(), 6], edges[ends.ravel(), 7]))
    return np.zeros(0) if ranks is None else np.diff(ranks.reshape(2, -1), axis=0) * np.diff(values[ends], axis=0)


POWERS = np.array([float(10**power) for power in range(23)])


def group_starts(column: Column) -> list[int]:
    """The rows where another id stands than in the row before."""
    other = column.sizes[1:] != column.sizes[:-1]
    for word in column.words():
        other |= word[1:] != word[:-1]
    return [0, *(np.flatnonzero(other) + 1).tolist()]


def fingerprints(column: Column) -> np.ndarray:
    """64 bits for each id, equal for equal ids."""
    bits = column.sizes.astype(np.uint64)
    for word in column.words():
        bits = stir(bits ^ word)
    return bits


ODD = np.uint64(0x9E3779B97F4A7C15)


def stir(bits: np.ndarray) -> np.ndarray:
    """Spread each bit over the 64, one to one."""
    bits = bits * ODD
    bits = (bits ^ (bits >> np.uint64(32))) * ODD
    return bits ^ (bits >> np.uint64(29))


def add_rows(spans: list[tuple[int, int]], first: int, stop: int) -> None:
    """One more span of rows, joined to the last where they touch."""
    if spans and spans[-1][1] == first:
        first, _ = spans.pop()
    spans.append((first, stop))


def one_index(spans: list[tuple[int, int]]) -> slice | np.ndarray:
    """What picks the rows of the spans from an array."""
    if len(spans) == 1:
        return slice(*spans[0])
    return np.concatenate([np.arange(*span) for span in spans])


def any_twice(marks: np.ndarray, rows: Mapping[str, slice | np.ndarray]) -> bool:
    """Whether two rows of one query have the same 64 bits: the same document, or, hardly ever, chance."""
    parts: list[np.ndarray] = []
    waiting = 0
    for number, index in enumerate(rows.values()):
        part = marks[index]
        parts.append(part ^ np.uint64(number * int(ODD) % 2**64))
        waiting += len(part)
        if waiting >= BATCH:
            if repeats(np.concatenate(parts)):
                return True
            parts, waiting = [], 0
    return bool(parts) and repeats(np.concatenate(parts))


BATCH = 1 << 15


def repeats(marks: np.ndarray) -> bool:
    """Whether a number stands twice, by a hash table: of those that meet in a slot one stays, the others go on."""
    bits = (2 * len(marks)).bit_length()
    slots = (stir(marks) >> np.uint64(64 - bits)).astype(np.intp)
    table = np.empty(1 << bits, np.intp)
    rows = np.arange(len(marks))
    while len(rows):
        table[slots] = rows
        stayed = table[slots]
        gone = stayed != rows
        rows, slots = rows[gone], slots[gone]
        if (marks[stayed[gone]] == marks[rows]).any():
            return True
    return False
