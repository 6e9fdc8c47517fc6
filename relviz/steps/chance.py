"""Bootstrap and sign flips, drawn query by query before they are counted by the thousand."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from relviz.draw import Band, histogram, queries
from relviz.draw.palette import BLUE, ORANGE
from relviz.locale import say
from relviz.significance import (
    CHAPTER_DRAWS,
    MOST_EXACT,
    TOLERANCE,
    Scores,
    differences,
    exact_randomization_test,
    flipped_means,
    flips,
    paired_bootstrap,
    randomization_test,
    resampled_means,
    resamples,
    unpaired_bootstrap,
)
from relviz.steps.trace import Step, Trace, decimals, step, trace

# A figure has a column for each query.
MOST_QUERIES = 100
SHOWN = 3
TALL = 420


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
    steps = [step("paired.start", columns.figure(mean=mean), {"mean": mean}, mean=f"{mean:+.3f}", **columns.places)]
    for i, drawn in enumerate(resamples(columns.n, min(SHOWN, n_boot), np.random.default_rng(seed))):
        total = say("steps.resample_total", number=i + 1, mean=f"{means[i]:+.3f}")
        figure = columns.figure(drawn=drawn, total=total)
        words = {"number": i + 1, "total": total, **columns.told(drawn)}
        steps.append(step("paired.draw", figure, {"mean": float(means[i])}, **words, **columns.places))
    steps += _growing("paired.grow", means, mean)
    figure = histogram(means, interval=value, observed=mean, title=say("steps.means_title", count=n_boot))
    steps.append(step("paired.end", figure, _ends(value), **_written(value, level), count=n_boot))
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
    drawn_a, drawn_b = (resamples(columns.n, n_boot, rng)[:2] for _ in "ab")
    rng = np.random.default_rng(seed)
    means_a, means_b = (resampled_means(scores, n_boot, rng) for scores in (scores_a, scores_b))

    def bands(drawn: Sequence[Any] = ((), ())) -> list[Band]:
        shown = zip("AB", (scores_a, scores_b), (ORANGE, BLUE), drawn)
        return [columns.band(scores, say("steps.scores", name=n), n, color, d) for n, scores, color, d in shown]

    mean = float(difference.mean())
    figure = queries(bands(), columns.names)
    steps = [step("unpaired.start", figure, {"mean": mean}, mean=f"{mean:+.3f}", **columns.places)]
    for i, drawn in enumerate(zip(drawn_a, drawn_b)):
        means = f"{means_b[i]:.3f} - {means_a[i]:.3f} = {means_b[i] - means_a[i]:+.3f}"
        total = say("steps.apart_total", number=i + 1, means=means)
        alone = len(set(drawn[0].tolist()) ^ set(drawn[1].tolist()))
        figure = queries(bands(drawn), columns.names, total=total)
        apart = {"mean": float(means_b[i] - means_a[i])}
        steps.append(step("unpaired.draw", figure, apart, number=i + 1, total=total, alone=alone))
    means = means_b - means_a
    title = say("steps.means_title", count=n_boot)
    figure = histogram(means, interval=value, observed=mean, title=title, height=TALL)
    steps.append(step("unpaired.end", figure, _ends(value), **_written(value, level), count=n_boot))
    within = resampled_means(difference, n_boot, np.random.default_rng(seed))
    both = (say("steps.unpaired_name"), say("steps.paired_name"))
    figure = histogram(means, interval=value, other=within, names=both, title=title, height=TALL)
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
    steps += _growing("flip.grow", means, mean, both_sides=True)
    title = say("steps.flips_title", count=n_perm)
    figure = histogram(means, observed=abs(mean), both_sides=True, title=title)
    hits = int(np.count_nonzero(np.abs(means) >= abs(mean) - TOLERANCE))
    places = {"hits": hits, "count": n_perm, "p": decimals(value), "size": decimals(abs(mean))}
    steps.append(step("flip.end", figure, {"p": value, "hits": hits}, **places))
    changed = int(np.count_nonzero(difference))
    if changed <= MOST_EXACT:
        exact = exact_randomization_test(a, b)
        words = {"changed": changed, "patterns": 2**changed, "exact": decimals(exact), "p": decimals(value)}
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
        self.order = np.argsort(values, kind="stable")
        self.place = np.argsort(self.order)
        self.names = [names[i] for i in self.order]
        up, down = int((values > 0).sum()), int((values < 0).sum())
        self.places = {"n": self.n, "up": up, "down": down, "equal": self.n - up - down}

    def band(self, values: Any, title: str, key: str, color: str, drawn: Sequence[int]) -> Band:
        """Scores in their columns."""
        shown = [float(values[i]) for i in self.order]
        places = [int(self.place[i]) for i in drawn]
        return Band(title, shown, key, signed=False, color=color, drawn=places, mean=float(np.mean(values)))

    def figure(
        self, values: Any = None, *, mean: float | None = None, drawn: Sequence[int] = (), total: str = ""
    ) -> Any:
        """Differences in their columns."""
        values = self.values if values is None else values
        shown = [float(values[i]) for i in self.order]
        places = [int(self.place[i]) for i in drawn]
        band = Band(say("draw.differences"), shown, drawn=places, mean=mean, span=self.span)
        return queries([band], self.names, total=total)

    def told(self, drawn: Sequence[int]) -> dict[str, Any]:
        """What a resample holds, in words."""
        often, times = Counter(int(self.place[i]) for i in drawn).most_common(1)[0]
        return {"often": self.names[often], "times": times, "missing": self.n - len(set(map(int, drawn)))}


def _growing(key: str, means: np.ndarray[Any, Any], observed: float, *, both_sides: bool = False) -> Iterator[Step]:
    """The histogram after 100 and after 1,000."""
    span = (float(means.min()), float(means.max()))
    for count in (100, 1000):
        if count < len(means):
            title = say("steps.flips_title" if both_sides else "steps.means_title", count=count)
            seen = abs(observed) if both_sides else observed
            figure = histogram(means[:count], observed=seen, span=span, title=title, both_sides=both_sides)
            ends = {"low": float(means[:count].min()), "high": float(means[:count].max())}
            words = {name: f"{end:+.3f}" for name, end in ends.items()}
            yield step(key, figure, ends, count=count, **words)


def _ends(interval: tuple[float, float]) -> dict[str, float | None]:
    return {"low": interval[0], "high": interval[1]}


def _written(interval: tuple[float, float], level: float) -> dict[str, str]:
    inside = interval[0] <= 0 <= interval[1]
    verdict = say("steps.zero_inside" if inside else "steps.zero_outside")
    low, high = (f"{end:+.3f}" for end in interval)
    return {"low": low, "high": high, "percent": f"{100 * level:g}%", "verdict": verdict}
