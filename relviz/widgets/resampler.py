"""The resampling machine: draw the queries again, and watch two intervals grow, paired and unpaired side by side."""

from html import escape

from relviz.locale import say, words
from relviz.significance import Scores, differences, paired_bootstrap, unpaired_bootstrap
from relviz.widgets.base import Output, page

__all__ = ["resampler"]


def resampler(a: Scores, b: Scores, n_boot: int = 10_000, seed: int = 0, *, measure: str = "") -> Output:
    """Resample the queries once, 100 times or to the end, with their pairs kept and with their pairs broken.

    a and b: one score per query, in the same order; measure: its name, for the words. Where no script runs, the two
    intervals of `paired_bootstrap` and `unpaired_bootstrap`. The machine in the browser draws its own resamples, so
    its intervals differ from those in the last digits, by chance. Built in lesson 09.
    """
    difference = differences(a, b)
    paired, unpaired = paired_bootstrap(a, b, n_boot, seed), unpaired_bootstrap(a, b, n_boot, seed)
    width = paired[1] - paired[0]
    measure = measure or say("resampler.score")
    lines = [
        say("resampler.observed", measure=measure, n=f"{difference.size:,}", difference=f"{difference.mean():+.4f}"),
        *(
            say(
                f"resampler.{name}_interval",
                low=f"{low:+.4f}",
                high=f"{high:+.4f}",
                width=f"{high - low:.4f}",
                n=f"{n_boot:,}",
            )
            for name, (low, high) in {"paired": paired, "unpaired": unpaired}.items()
        ),
        say("resampler.ratio", ratio=f"{(unpaired[1] - unpaired[0]) / width:.2f}")
        if width > 1e-9
        else say("resampler.flat"),
    ]
    title = say("resampler.title")
    data = {
        "words": words("resampler"),
        "a": [float(x) for x in a],
        "b": [float(x) for x in b],
        "n": n_boot,
        "seed": seed,
        "measure": measure,
    }
    fallback = '<div class="rv-static">' + "".join(f"<p>{escape(line)}</p>\n" for line in lines) + "</div>"
    return Output(page("resampler", title, fallback, data), "\n".join([title, *lines]))
