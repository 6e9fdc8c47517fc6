"""Bootstrap and sign flips, drawn query by query before they are counted by the thousand."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from relviz.draw import Band, Figure, histogram, queries
from relviz.draw.canvas import height_of
from relviz.draw.histogram import reach
from relviz.draw.palette import BLUE, ORANGE
from relviz.locale import say
from relviz.significance import (
    CHAPTER_DRAWS,
    MOST_EXACT,
    TOLERANCE,
    Scores,
    differences,
    every_flip,
    exact_randomization_test,
    flipped_means,
    flips,
    paired_bootstrap,
    randomization_test,
    resampled_means,
    resamples,
    unpaired_bootstrap,
)
from relviz.steps.trace import Step, Trace, decimals, named, probability, step, trace

# A figure has a column for each query.
MOST_QUERIES = 100
SHOWN = 3


def trace_paired_bootstrap(
    a: Scores,
    b: Scores,
    n_boot: int = 10_000,
    seed: int = 0,
    *,
    level: float = 0.95,
    names: Sequence[str] | None = None,
) -> Trace:
    """`paired_bootstrap`: three resamples query by query, then the histogram as it grows. Used in lesson 09.

    names: of the queries; q1, q2, ... when left out. At most 100 queries.
    """
    value = paired_bootstrap(a, b, n_boot, seed, level=level)
    columns = Columns(differences(a, b), names, n_boot)
    mean = float(columns.values.mean())
    means = resampled_means(differences(a, b), n_boot, np.random.default_rng(seed))
    shown = resamples(columns.n, min(SHOWN, n_boot), np.random.default_rng(seed))
    columns.rows = max(map(_deepest, shown))
    steps = [step("paired.start", columns.figure(mean=mean), {"mean": mean}, mean=f"{mean:+.3f}", **columns.places)]
    for count in _begun(columns.n):
        drawn = shown[0][:count]
        so_far = float(columns.values[drawn].mean())
        total = say("steps.partial_total", done=count, n=columns.n, mean=f"{so_far:+.3f}")
        names_drawn = columns.told_names(drawn)
        figure = columns.figure(drawn=drawn, total=total)
        key, words = "paired.first" if count == 1 else "paired.some", columns.places | {"done": count, "total": total}
        steps.append(step(key, figure, {"mean": so_far}, queries=names_drawn, **words))
    for i, drawn in enumerate(shown):
        total = say("steps.resample_total", number=i + 1, mean=f"{means[i]:+.3f}")
        figure = columns.figure(drawn=drawn, total=total)
        words = {"number": i + 1, "total": total, **columns.told(drawn)}
        steps.append(step("paired.draw", figure, {"mean": float(means[i])}, **words, **columns.places))
    growing = Growing(means, mean, "steps.means_title").as_tall_as(steps)
    steps += growing.steps("paired.grow")
    steps.append(step("paired.end", growing.figure(interval=value), _ends(value), **_written(value, level, n_boot)))
    return trace(say("steps.paired.title"), steps, value)


def trace_unpaired_bootstrap(
    a: Scores,
    b: Scores,
    n_boot: int = 10_000,
    seed: int = 0,
    *,
    level: float = 0.95,
    names: Sequence[str] | None = None,
) -> Trace:
    """`unpaired_bootstrap`: A and B drawn apart, and the paired interval beside it. Used in lesson 09."""
    value = unpaired_bootstrap(a, b, n_boot, seed, level=level)
    paired = paired_bootstrap(a, b, n_boot, seed, level=level)
    difference = differences(a, b)
    scores_a, scores_b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    columns = Columns(scores_a, names, n_boot)
    # As unpaired_bootstrap draws: all resamples of A, then all of B.
    rng = np.random.default_rng(seed)
    shown = list(zip(*(resamples(columns.n, n_boot, rng)[:SHOWN] for _ in "ab")))
    rng = np.random.default_rng(seed)
    means_a, means_b = (resampled_means(scores, n_boot, rng) for scores in (scores_a, scores_b))
    columns.rows = max(_deepest(drawn) for both in shown for drawn in both)
    columns.span = (min(0.0, *scores_a, *scores_b), max(0.0, *scores_a, *scores_b))

    def picture(drawn: Sequence[Any] = ((), ()), total: str = "") -> Figure:
        both = zip("AB", (scores_a, scores_b), (ORANGE, BLUE), drawn)
        bands = [columns.band(scores, say("steps.scores", name=n), n, color, d) for n, scores, color, d in both]
        return queries(bands, columns.names, total=total)

    mean = float(difference.mean())
    steps = [step("unpaired.start", picture(), {"mean": mean}, mean=f"{mean:+.3f}", **columns.places)]
    for count in _begun(columns.n):
        drawn = [d[:count] for d in shown[0]]
        far_a, far_b = (float(scores[d].mean()) for scores, d in zip((scores_a, scores_b), drawn))
        total = say("steps.partial_apart", done=count, n=columns.n, means=_minus(far_b, far_a))
        words = {"of_a": columns.told_names(drawn[0]), "of_b": columns.told_names(drawn[1]), "total": total}
        key = "unpaired.first" if count == 1 else "unpaired.some"
        steps.append(step(key, picture(drawn, total), {"mean": far_b - far_a}, done=count, **words))
    for i, both in enumerate(shown):
        total = say("steps.apart_total", number=i + 1, means=_minus(means_b[i], means_a[i]))
        alone = len(set(both[0].tolist()) ^ set(both[1].tolist()))
        apart = {"mean": float(means_b[i] - means_a[i])}
        steps.append(step("unpaired.draw", picture(both, total), apart, number=i + 1, total=total, alone=alone))
    growing = Growing(means_b - means_a, mean, "steps.means_title").as_tall_as(steps)
    steps += growing.steps("unpaired.grow")
    steps.append(step("unpaired.end", growing.figure(interval=value), _ends(value), **_written(value, level, n_boot)))
    within = resampled_means(difference, n_boot, np.random.default_rng(seed))
    names_of = (say("steps.unpaired_name"), say("steps.paired_name"))
    figure = growing.figure(interval=value, other=within, names=names_of)
    width, narrow = value[1] - value[0], paired[1] - paired[0]
    places = {"width": decimals(width), "narrow": decimals(narrow), "times": f"{width / narrow:.1f}" if narrow else "-"}
    numbers: dict[str, float | None] = {**_ends(value), "paired low": paired[0], "paired high": paired[1]}
    key = "unpaired.beside" if narrow else "unpaired.beside_flat"
    steps.append(step(key, figure, numbers, **places))
    return trace(say("steps.unpaired.title"), steps, value)


def trace_randomization_test(
    a: Scores, b: Scores, n_perm: int = 10_000, seed: int = 0, *, names: Sequence[str] | None = None
) -> Trace:
    """`randomization_test`: three sign flips query by query, then the histogram of thousands. Used in lesson 09."""
    value = randomization_test(a, b, n_perm, seed)
    difference = differences(a, b)
    columns = Columns(difference, names, n_perm, both_sides=True)
    mean = float(difference.mean())
    means = flipped_means(difference, n_perm, np.random.default_rng(seed))
    steps = [step("flip.start", columns.figure(mean=mean), {"mean": mean}, mean=f"{mean:+.3f}", **columns.places)]
    for i, signs in enumerate(flips(columns.n, min(SHOWN, n_perm), np.random.default_rng(seed))):
        total = say("steps.flip_total", number=i + 1, mean=f"{means[i]:+.3f}")
        figure = columns.figure(signs * difference, mean=float(means[i]), total=total)
        turned = int(((signs < 0) & (difference != 0)).sum())
        steps.append(step("flip.draw", figure, {"mean": float(means[i])}, number=i + 1, turned=turned, total=total))
    growing = Growing(means, abs(mean), "steps.flips_title", both_sides=True).as_tall_as(steps)
    steps += growing.steps("flip.grow")
    hits = int(np.count_nonzero(np.abs(means) >= abs(mean) - TOLERANCE))
    places = {"hits": f"{hits:,}", "count": f"{n_perm:,}", "p": probability(value), "size": decimals(abs(mean))}
    steps.append(step("flip.end", growing.figure(), {"p": value, "hits": hits}, **places))
    changed = difference[difference != 0]
    if changed.size <= MOST_EXACT:
        exact, every = exact_randomization_test(a, b), every_flip(changed) / difference.size
        title = say("steps.patterns_title", count=f"{every.size:,}")
        figure = growing.figure(every, title=title)
        words = {"changed": changed.size, "patterns": f"{every.size:,}", "exact": probability(exact)}
        hits = int(np.count_nonzero(np.abs(every) >= abs(mean) - TOLERANCE))
        words |= {"hits": f"{hits:,}", "p": probability(value)}
        steps.append(step("flip.exact", figure, {"p": value, "exact p": exact}, **words))
    return trace(say("steps.flip.title"), steps, value)


class Columns:
    """Queries from left to right, the smallest value first; every band and draw is put into that order."""

    def __init__(
        self, values: np.ndarray[Any, Any], names: Sequence[str] | None, repeats: int, *, both_sides: bool = False
    ) -> None:
        self.n = values.size
        if self.n > MOST_QUERIES or self.n * repeats > CHAPTER_DRAWS:
            limits = {"most": MOST_QUERIES, "draws": f"{CHAPTER_DRAWS:,}"}
            raise ValueError(say("errors.too_many_to_watch", n=self.n, repeats=repeats, **limits))
        names = [f"q{i}" for i in range(1, self.n + 1)] if names is None else [str(name) for name in names]
        if len(set(names)) != self.n:
            raise ValueError(say("errors.query_names", n=self.n, got=len(set(names))))
        self.values = values
        far = float(np.abs(values).max()) if both_sides else 0.0
        self.span = (-far, far)
        self.rows = 0
        self.order = np.argsort(values, kind="stable")
        self.place = np.argsort(self.order)
        self.names = [names[i] for i in self.order]
        up, down = int((values > 0).sum()), int((values < 0).sum())
        self.places = {"n": self.n, "up": up, "down": down, "equal": self.n - up - down}

    def band(self, values: Any, title: str, key: str, color: str, drawn: Sequence[int]) -> Band:
        """Scores in their columns."""
        shown = [float(values[i]) for i in self.order]
        places = [int(self.place[i]) for i in drawn]
        return Band(title, shown, key, False, color, places, float(np.mean(values)), self.span, self.rows)

    def figure(
        self, values: Any = None, *, mean: float | None = None, drawn: Sequence[int] = (), total: str = ""
    ) -> Figure:
        """Differences in their columns."""
        values = self.values if values is None else values
        shown = [float(values[i]) for i in self.order]
        places = [int(self.place[i]) for i in drawn]
        band = Band(say("draw.differences"), shown, drawn=places, mean=mean, span=self.span, rows=self.rows)
        return queries([band], self.names, total=total)

    def told_names(self, drawn: Sequence[int]) -> str:
        """The queries that were drawn, in that order."""
        return named([self.names[self.place[i]] for i in drawn])

    def told(self, drawn: Sequence[int]) -> dict[str, Any]:
        """What a resample holds, in words."""
        often, times = Counter(int(self.place[i]) for i in drawn).most_common(1)[0]
        return {"often": self.names[often], "times": times, "missing": self.n - len(set(map(int, drawn)))}


class Growing:
    """The histogram of many means after 100, after 1,000 and after all, on one axis that holds the observed one."""

    def __init__(self, means: np.ndarray[Any, Any], observed: float, title: str, *, both_sides: bool = False) -> None:
        self.means, self.title = means, title
        self.look: dict[str, Any] = {"observed": observed, "both_sides": both_sides}
        self.span = reach(means, observed, both_sides=both_sides)

    def as_tall_as(self, steps: Sequence[Step]) -> "Growing":
        """The histogram takes the place of the pictures before it."""
        self.look["height"] = max(float(height_of(step.figure)) for step in steps)
        return self

    def figure(self, values: Any = None, *, title: str = "", **more: Any) -> Figure:
        """The picture of all means, or of the values."""
        values = self.means if values is None else values
        title = title or say(self.title, count=f"{len(values):,}")
        return histogram(values, span=self.span, title=title, **self.look, **more)

    def steps(self, key: str) -> Iterator[Step]:
        """After 100 and after 1,000."""
        for count in (100, 1000):
            if count < len(self.means):
                some = self.means[:count]
                ends = {"low": float(some.min()), "high": float(some.max())}
                words = {name: f"{end:+.3f}" for name, end in ends.items()}
                yield step(key, self.figure(some), ends, count=f"{count:,}", **words)


def _begun(n: int) -> list[int]:
    """How many of n draws are done where the first resample is shown on its way: one, then five."""
    return [count for count in (1, 5) if count < n]


def _deepest(drawn: Sequence[int]) -> int:
    """How often the query was drawn that was drawn most often."""
    return max(Counter(map(int, drawn)).values())


def _minus(b: float, a: float) -> str:
    return f"{b:.3f} - {a:.3f} = {b - a:+.3f}"


def _ends(interval: tuple[float, float]) -> dict[str, float | None]:
    return {"low": interval[0], "high": interval[1]}


def _written(interval: tuple[float, float], level: float, count: int) -> dict[str, str]:
    inside = interval[0] <= 0 <= interval[1]
    verdict = say("steps.zero_inside" if inside else "steps.zero_outside")
    low, high = (f"{end:+.3f}" for end in interval)
    return {"low": low, "high": high, "percent": f"{100 * level:g}%", "verdict": verdict, "count": f"{count:,}"}
