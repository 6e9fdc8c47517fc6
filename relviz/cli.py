"""The command `relviz`: compare, evaluate, check and fuse runs from files.

It reads files, calls the functions of the same names, and writes; nothing is computed here.
"""

import argparse
import json
import math
import os
import re
import sys
import threading
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from time import monotonic
from typing import Any, TextIO

from relviz.interrupt import STOPPED, raised
from relviz.locale import LANGUAGES, labelled, language, listed, say, set_language, words
from relviz.terminal import cut, printable, wide

__all__ = ["main"]

FINE, GATE_FAILED, BAD_INPUT = 0, 1, 2
MEASURES = "nDCG@10,RR@10,R@10"
CONVENTIONS = ("unjudged", "ties", "empty", "missing")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code: 0 fine, 1 a gate failed, 2 bad usage or input, 130 stopped."""
    if sys.stderr is None:  # closed: whatever is said there is said to nobody, and not on stdout in its place
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115  for the rest of the program
    for stream in (sys.stdout, sys.stderr):
        # A console that cannot write a character shows it as an escape: it must not end the program.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    arguments = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    before = language()
    try:
        with raised():
            set_language(_language(arguments))
            with _argparse_words():
                options = _parser().parse_args(arguments)
            _check_outputs(options)
            return int(options.command(options))
    except SystemExit as leaving:  # argparse has said why
        return int(leaving.code or 0)
    except (ValueError, OSError) as problem:
        _print(f"relviz: {_one_line(problem)}", sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        _print(f"relviz: {say('cli.stopped')}", sys.stderr)
        return STOPPED
    except Exception:  # a fault of relviz: seen whole, and not taken for a gate that failed
        _print(traceback.format_exc(), sys.stderr)
        return BAD_INPUT
    finally:
        set_language(before)


def _print(text: str, stream: TextIO | None = None) -> None:
    """A text for whoever reads; when the reader (head, less) has seen enough, the work and its exit code go on.

    So they do when stderr cannot be written; a result that cannot be is an error. What is said on stderr may name
    anything, and steers no terminal.
    """
    stream = stream or sys.stdout
    if stream is sys.stderr:
        text = "\n".join(map(printable, text.split("\n")))
    try:
        print(text, file=stream, flush=stream is not None)
    except OSError as problem:
        if stream is not sys.stderr and not isinstance(problem, BrokenPipeError):
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _one_line(problem: Exception) -> str:
    if isinstance(problem, OSError) and problem.filename is not None:
        known = {FileNotFoundError: "no_file", PermissionError: "no_permission", IsADirectoryError: "is_folder"}
        key = known.get(type(problem))
        what = say(f"cli.{key}") if key else problem.strerror
        return say("cli.at", path=problem.filename, problem=what)
    return " ".join(str(problem).split())


def _language(arguments: Sequence[str]) -> str:
    """Found before anything else is read, because help and errors are in it: as --lang says, or as the terminal is."""
    chosen = ""
    for argument, following in zip(arguments, [*arguments[1:], ""]):
        name, is_, value = argument.partition("=")
        if name == "--lang":
            chosen = value if is_ else following
    # The first of these that is set decides, as for other programs.
    place = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    return next((tongue for tongue in (chosen, place[:2]) if tongue in LANGUAGES), "en")


# ---------- the commands ----------


def _compare(options: argparse.Namespace) -> int:
    from relviz.compare import compare
    from relviz.comparison import parse_condition
    from relviz.measures import parse_measures
    from relviz.report import gates
    from relviz.report_html import as_page

    if len(options.runs) < 2:
        raise ValueError(say("cli.two_runs"))
    conventions = _conventions(options)
    # Both are read before the files are: a misspelt measure should not take a minute to be told.
    measures = [measure.text for measure in parse_measures(options.measures or MEASURES)]
    guards = [parse_condition(text)[0] for text in (*options.fail_if, *options.require)]
    with Progress(sys.stderr) as progress:
        qrels, runs = _read(options, progress)
        names = list(runs)
        found = compare(
            runs[names[0]],
            [(name, runs[name]) for name in names[1:]],
            qrels,
            measures,
            guards=guards,
            names=names[:1],
            strata=_mapping(options.strata),
            queries=_mapping(options.queries),
            correction=options.correction,
            level=options.level,
            seed=options.seed,
            movers=options.movers,
            depth=options.depth,
            worth=options.worth,
            trec=options.trec,
            progress=progress,
            **conventions,
        )
    if "-" not in (options.html, options.json, options.markdown):
        _print(_coloured(str(found), found))
    found = found.gated(options.fail_if, options.require)
    forms: dict[str, Callable[[], str]] = {
        "html": lambda: as_page(found).rstrip("\n"),
        "json": found.to_json,
        "markdown": found.to_markdown,
    }
    for form, text in forms.items():
        _write(getattr(options, form), text)
    for line in gates(found):
        _print(line, sys.stderr)
    return GATE_FAILED if any(gate.stops for gate in found.gates) else FINE


def _evaluate(options: argparse.Namespace) -> int:
    from relviz.evaluate import evaluate
    from relviz.qrels import nothing_met

    conventions = _conventions(options)
    with Progress(sys.stderr) as progress:
        qrels, runs = _read(options, progress)
        progress(say("compare.at_scores"))
        if why := nothing_met(runs.items(), qrels):
            raise ValueError(say("cli.nothing_to_score", why=why))
        found = evaluate(list(runs.items()), qrels, options.measures or MEASURES, trec=options.trec, **conventions)
        progress(say("cli.at_remarks"))
        remarks = _remarks(found, runs, qrels)
    _write(options.json, lambda: _evaluation_json(found))
    if options.json != "-":
        _print(str(found))
        if options.per_query:
            for run in found.runs:
                _print(f"\n{printable(run)}")
                rows = zip(map(printable, found.queries), *(found.scores[run][m].tolist() for m in found.measures))
                cells = ([query, *("-" if x != x else f"{x:.4f}" for x in values)] for query, *values in rows)
                _print("\n".join(map("\t".join, cells)))
    if remarks:
        _print(say("cli.check_says", remarks=say("cli.semicolon").join(remarks)), sys.stderr)
    return FINE


def _evaluation_json(found: Any) -> str:
    """Every number, and what must be the same before it is compared with another."""
    import relviz

    scores = {
        run: {m: dict(zip(found.queries, _without_nan(found.scores[run][m].tolist()))) for m in found.measures}
        for run in found.runs
    }
    means = {run: dict(zip(row, _without_nan(list(row.values())))) for run, row in found.means.items()}
    queries = {kind: getattr(found, kind) for kind in ("undefined", "missing", "unjudged", "extra")}
    data = {"version": relviz.__version__, "conventions": asdict(found.conventions), "means": means, "scores": scores}
    return json.dumps(data | queries, ensure_ascii=False, indent=1)


def _remarks(found: Any, runs: dict[str, Any], qrels: Any) -> list[str]:
    """What of the files makes the means doubtful, where a comparison would warn of it."""
    from relviz.evaluate import evaluate
    from relviz.measures import parse_measures
    from relviz.qrels import JUDGED_APART, SUSPECT, TIED, look, only_relevant

    measures = parse_measures(found.measures)
    deepest, k = max((m.k or 0 for m in measures), default=0), measures[0].k or 10
    remarks = []
    for name, run in runs.items():
        tied, depth = look(run, found.queries, k)
        if tied > TIED and found.conventions.ties == "doc_desc":
            remarks.append(say("cli.remark_tied", run=name, k=k, share=f"{tied:.1%}"))
        if depth < deepest:
            remarks.append(say("cli.remark_shallow", run=name, depth=depth, k=deepest))
        if len(found.unjudged[name]) > SUSPECT * len(found.queries):
            places = {"n": len(found.unjudged[name]), "of": len(found.queries)}
            remarks.append(say("cli.remark_unjudged", run=name, **places))
    if len(runs) > 1 and not only_relevant(qrels):
        judged = evaluate(list(runs.items()), qrels, f"Judged@{k}", trec=found.conventions.negative == "zero").means
        shares = {name: row[f"Judged@{k}"] for name, row in judged.items()}
        low, high = min(shares, key=shares.__getitem__), max(shares, key=shares.__getitem__)
        if shares[high] - shares[low] > JUDGED_APART:
            ends = {"low": f"{shares[low]:.1%}", "high": f"{shares[high]:.1%}"}
            remarks.append(say("cli.remark_judged", k=k, run=low, other=high, **ends))
    return remarks


def _conventions(options: argparse.Namespace) -> dict[str, Any]:
    """What the line says of conventions, each under its name in `Conventions`; --trec has decided all of them."""
    given = {name: value for name in CONVENTIONS if (value := getattr(options, name)) is not None}
    if options.trec and given:
        raise ValueError(say("cli.trec_decides", given=" ".join(f"--{name} {value}" for name, value in given.items())))
    return given


def _check(options: argparse.Namespace) -> int:
    from relviz.qrels import check_run

    with Progress(sys.stderr) as progress:
        qrels, runs = _read(options, progress)
        checks = {}
        for name, run in runs.items():
            progress(name)
            checks[name] = check_run(run, qrels, k=options.k)
    code = FINE
    for i, (name, found) in enumerate(checks.items()):
        _print(("\n" if i else "") + f"{printable(name)}\n{found}")
        if found.lost:
            _print(say("check.nothing", runs=repr(name), ids="").rstrip(), sys.stderr)
        if found.lost or found.below:  # evaluate and compare would stop here
            code = BAD_INPUT
    if all(len(found.empty) == len(qrels) for found in checks.values()):
        _print(say("cli.nothing_relevant", path=options.qrels), sys.stderr)
        code = BAD_INPUT
    return code


def _fuse(options: argparse.Namespace) -> int:
    from relviz.fusion import rrf
    from relviz.qrels import ranked, write_run
    from relviz.rows import score
    from relviz.writing import text_of

    if options.weights and len(options.weights) != len(options.runs):
        raise ValueError(say("cli.weights_count", weights=len(options.weights), runs=len(options.runs)))
    with Progress(sys.stderr) as progress:
        runs = _read_runs(options, progress, [] if options.lenient else False)
        progress("RRF")
        queries = list(dict.fromkeys(query for run in runs for query in run))
        fused = {}
        for query in queries:
            lists = [ranked(run.get(query, {}))[: options.depth] for run in runs]
            fused[query] = dict(rrf(lists, k=options.k, weights=options.weights)[: options.depth])
        progress(options.output)
        if options.output != "-":
            write_run(fused, options.output, tag="rrf")
    if remark := _fused_apart(options.runs, runs):
        _print(remark, sys.stderr)
    if options.output == "-":
        _print(text_of(fused, "-", score, "trec", "rrf").rstrip("\n"))
    return FINE


def _fused_apart(names: Sequence[str], runs: Sequence[Any]) -> str:
    """What makes a fusion doubtful: a run that shares no query, or no document, with the others; queries of one run."""
    for i, (name, run) in enumerate(zip(names, runs)):
        others = [*runs[:i], *runs[i + 1 :]]
        met = [(query, other) for query in run for other in others if query in other]
        if others and not met:
            return say("cli.fuse_no_query", run=name, mine=repr(next(iter(run))), other=repr(next(iter(others[0]))))
        if met and all(run[query].keys().isdisjoint(other[query]) for query, other in met):
            for query, other in met:
                if run[query] and other[query]:
                    ends = {"mine": repr(next(iter(run[query]))), "other": repr(next(iter(other[query])))}
                    return say("cli.fuse_no_document", run=name, query=repr(query), **ends)
    times = Counter(query for run in runs for query in run)
    once = [query for query, n in times.items() if n == 1]
    return say("cli.fuse_once", n=len(once), some=listed(once, 5)) if once and len(runs) > 1 else ""


def _warn_upside_down(name: str, run: Any) -> None:
    if getattr(run, "upside_down", False):
        _print(f"relviz: {labelled(name, say('check.upside_down'))}", sys.stderr)


# ---------- reading and writing ----------


def _check_outputs(options: argparse.Namespace) -> None:
    """Before any work: each output has a place, and none takes the place of an input or of another."""
    given = vars(options)
    inputs = [path for path in (given.get("qrels"), *options.runs, given.get("queries"), given.get("strata")) if path]
    read, written = {os.path.realpath(path) for path in inputs}, dict[str, str]()
    for form in ("html", "json", "markdown", "output"):
        path = given.get(form)
        if path is None:
            continue
        if not path:
            raise ValueError(say("cli.no_name", form=form))
        place = path if path == "-" else os.path.realpath(path)
        if place in read:
            raise ValueError(say("cli.overwrites", path=path, form=form))
        if place in written:
            raise ValueError(say("cli.both_write", one=written[place], other=form, path=path))
        if path == "-" or not os.path.exists(path) or os.path.isfile(path):  # /dev/null may be named often
            written[place] = form
        folder = os.path.dirname(place)
        if os.path.isdir(path) or (folder and not os.path.isdir(folder)):
            key = "is_folder" if os.path.isdir(path) else "no_folder"
            raise ValueError(say("cli.at", path=path, problem=say(f"cli.{key}", folder=folder)))
        if folder and not os.path.exists(path) and not os.access(folder, os.W_OK):
            raise ValueError(say("cli.folder_closed", path=path, folder=folder))


def _read(options: argparse.Namespace, progress: Callable[[str], None]) -> tuple[Any, dict[str, Any]]:
    """The judgements, and the runs by the names of their files."""
    from relviz.qrels import read_qrels

    lenient: Any = [] if options.lenient else False
    progress(options.qrels)
    qrels = read_qrels(options.qrels, lenient=lenient)
    runs = dict(zip(_names(options.runs), _read_runs(options, progress, lenient)))
    return qrels, runs


def _read_runs(options: argparse.Namespace, progress: Callable[[str], None], lenient: Any) -> list[Any]:
    """The runs in their order; what was mended so far is said."""
    from relviz.qrels import read_run

    runs = []
    for path in options.runs:
        progress(path)
        runs.append(read_run(path, lenient=lenient))
        if options.command is not _check:  # which says so itself
            _warn_upside_down(path, runs[-1])
    for sentence in _mended(lenient or []):
        _print(f"relviz: {sentence}", sys.stderr)
    return runs


def _mended(sentences: Sequence[str], most: int = 20) -> list[str]:
    """The first sentences on what was mended; how many more there are, and how many of each kind."""
    if len(sentences) <= most:
        return list(sentences)
    # The kind is what follows the last semicolon, whatever the values are.
    plain = (re.sub(r"'[^']*'|(?<![\w-])-?\d[\d.e+-]*", "…", sentence) for sentence in sentences)
    kinds = Counter(re.split("; |；", sentence)[-1] for sentence in plain)
    said = listed(say("cli.mended_kind", kind=kind, n=n) for kind, n in kinds.most_common())
    return [*sentences[:most], say("cli.mended_more", n=len(sentences) - most, of=len(sentences), kinds=said)]


def _names(paths: Sequence[str]) -> list[str]:
    """File names without what follows the first dot; whole paths where those are not distinct."""
    places = [os.path.realpath(path) for path in paths]
    twice = [path for path, place in zip(paths, places) if places.count(place) > 1]
    if twice:
        raise ValueError(say("cli.named_twice", path=twice[-1]))
    stems = [Path(path).name.split(".")[0] or path for path in paths]
    names = stems if len(set(stems)) == len(stems) else list(paths)
    # The bytes of a file's name need not be text; what is written must be.
    return [os.fsencode(name).decode("utf-8", "replace") for name in names]


def _mapping(path: str | None) -> dict[str, str] | None:
    """`{query: text}` from JSON, from BEIR's JSONL, or from lines of query, tab, text."""
    if path is None:
        return None
    from relviz.json_rows import json_pairs, jsonl_texts
    from relviz.lines import lines_of, load
    from relviz.rows import Source, encodable

    source = Source(path)
    data = load(path, source)
    pairs: list[tuple[int, str, Any]] = []
    if path.removesuffix(".gz").endswith(".json"):
        pairs = json_pairs(data, source)
    elif path.removesuffix(".gz").endswith((".jsonl", ".ndjson")):
        pairs = jsonl_texts(data, source)
    else:
        for number, line in lines_of(data, source):
            query, tab, value = line.partition("\t")
            if not tab:
                raise ValueError(say("cli.no_tab", path=path, line=number))
            pairs.append((number, query, value.strip()))
    found: dict[str, str] = {}
    for number, query, value in pairs:
        where = say("cli.line", path=path, line=number)
        if not isinstance(value, str) or not encodable(query + value):
            raise ValueError(say("cli.no_text", where=where, query=repr(query)))
        if query in found:
            raise ValueError(say("cli.query_twice", where=where, query=repr(query)))
        found[query] = value
    if not found:
        raise ValueError(say("cli.holds_nothing", path=path))
    return found


def _write(path: str | None, text: Callable[[], str]) -> None:
    if path == "-":
        _print(text())
    elif path:
        from relviz.writing import save

        save(path, f"{text()}\n".encode())


def _without_nan(values: Sequence[float]) -> list[float | None]:
    return [None if value != value else value for value in values]


# ---------- the terminal ----------


class Progress:
    """One line on a terminal that says what is being done and since when, and is gone at the end; silent elsewhere."""

    EVERY = 1.0  # seconds

    def __init__(self, stream: TextIO) -> None:
        self.stream, self.shown = stream, stream.isatty()
        self.what, self.since = "", monotonic()
        self.over = threading.Event()
        # A clock of its own, since a single reading or resampling may take long.
        self.clock = threading.Thread(target=self._tick, daemon=True)

    def __enter__(self) -> "Progress":
        if self.shown:
            self.clock.start()
        return self

    def __call__(self, what: str) -> None:
        self.what, self.since = printable(what), monotonic()
        self._write()

    def __exit__(self, *problem: object) -> None:
        self.over.set()
        if self.shown:
            self.clock.join()
            self.stream.write("\r\x1b[K")
            self.stream.flush()

    def _tick(self) -> None:
        while not self.over.wait(self.EVERY):
            self._write()

    def _write(self) -> None:
        if self.shown and self.what:
            seconds = int(monotonic() - self.since)
            clock = " " + say("cli.seconds", seconds=seconds) if seconds else ""
            self.stream.write(f"\r\x1b[K{cut(f'relviz: {self.what}', 60)} ...{clock}")
            self.stream.flush()


def _coloured(text: str, found: Any) -> str:
    """The verdicts in colour, on a terminal that has any and whose owner wants it; the words say it all."""
    if not sys.stdout or not sys.stdout.isatty() or "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb":
        return text
    from relviz.report import verdicts

    inks = {"higher": "34", "lower": "33"}
    for run, sentence in zip(found.runs, verdicts(found)):
        ink = inks.get(found.of(run).verdict)
        sentence = printable(sentence)
        text = text.replace(sentence, f"\x1b[1;{ink}m{sentence}\x1b[0m" if ink else f"\x1b[1m{sentence}\x1b[0m", 1)
    return text


# ---------- the words ----------


@contextmanager
def _argparse_words() -> Iterator[None]:
    """argparse has its words from gettext, which has no Chinese for them; inside, it has ours."""
    ours, theirs = words("argparse"), vars(argparse)["_"]
    vars(argparse)["_"] = lambda text: ours.get(text, text)
    try:
        yield
    finally:
        vars(argparse)["_"] = theirs


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, and where help is."""

    def __init__(self, prog: str, usage: str = "", **texts: str) -> None:
        super().__init__(prog, f"%(prog)s {usage}", allow_abbrev=False, formatter_class=_Help, add_help=False, **texts)  # type: ignore[arg-type]
        self.add_argument("-h", "--help", action="help", help=say("cli.help"))
        # Its words are found before the line is parsed; here it is only checked.
        self.add_argument("--lang", choices=LANGUAGES, help=say("cli.lang"))

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As argparse does; but a command names what it does not know itself, so that its own help is pointed at."""
        found, left = super().parse_known_args(args, namespace)
        if left:
            self.error(vars(argparse)["_"]("unrecognized arguments: %s") % " ".join(left))
        return found, left

    def error(self, message: str) -> Any:
        """Leave with exit code 2."""
        asked = words("argparse")["the following arguments are required: %s"].partition("%s")[0]
        if message.startswith(asked):
            message = asked + listed(message.removeprefix(asked).split(", "))
        self.exit(BAD_INPUT, f"{self.prog}: {say('cli.see_help', problem=message, prog=self.prog)}\n")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            told = say("cli.no_choice", got=repr(value), choices=listed(action.choices))
            raise argparse.ArgumentError(action, told)


# What a line may end behind: a quotation, a Chinese character or a word, with the punctuation that belongs to it.
_PIECE = re.compile(r'[（“]*("[^"]*"|[\u2e80-\uffef]|[^\u2e80-\uffef\s]+)[，。；：、？！）”]*|\s+')


class _Help(argparse.RawDescriptionHelpFormatter):
    """Breaks the words of an option by the columns they take, since Chinese takes two and has no spaces."""

    def format_help(self) -> str:
        """The help, with a full colon behind a heading of full characters."""
        return re.sub(r"(?m)(?<=[\u2e80-\uffef]):$", "：", super().format_help())

    def _split_lines(self, text: str, width: int) -> list[str]:
        lines = [""]
        for piece in _PIECE.finditer(text):
            if lines[-1] and wide(lines[-1] + piece[0].rstrip()) > width:
                lines.append("")
            lines[-1] += piece[0] if lines[-1] else piece[0].lstrip()
        return [line.rstrip() for line in lines]


def _parser() -> argparse.ArgumentParser:
    import relviz
    from relviz.compare import BOUNDS

    parser = _Parser("relviz", "COMMAND ...", description=say("cli.about"), epilog=say("cli.exit"))
    parser.add_argument("--version", action="version", version=f"relviz {relviz.__version__}", help=say("cli.version"))
    commands = parser.add_subparsers(title=say("cli.commands"), prog="relviz", metavar="COMMAND", required=True)

    check = _command(commands, "check", _check, "QRELS RUN [RUN ...] [OPTIONS]")
    check.add_argument("-k", type=_whole(1), default=10, help=say("cli.check_k"))

    evaluate = _command(commands, "evaluate", _evaluate, "QRELS RUN [RUN ...] [OPTIONS]")
    _measures(evaluate)
    evaluate.add_argument("--per-query", action="store_true", help=say("cli.per_query"))
    evaluate.add_argument("--json", metavar="FILE", help=say("cli.json"))

    compare = _command(commands, "compare", _compare, "QRELS BASELINE RUN [RUN ...] [OPTIONS]")
    _measures(compare, BOUNDS, say("cli.verdict"))
    compare.add_argument("--fail-if", action="append", default=[], metavar="COND", help=say("cli.fail_if"))
    compare.add_argument("--require", action="append", default=[], metavar="COND", help=say("cli.require"))
    for form in ("html", "json", "markdown"):
        compare.add_argument(f"--{form}", metavar="FILE", help=say(f"cli.{form}"))
    compare.add_argument("--queries", metavar="FILE", help=say("cli.queries"))
    compare.add_argument("--strata", metavar="FILE", help=say("cli.strata"))
    choices = ("max-t", "holm", "none")
    compare.add_argument("--correction", choices=choices, default="max-t", help=say("cli.correction"))
    compare.add_argument("--level", type=_level, default=0.95, metavar="L", help=say("cli.level"))
    compare.add_argument("--movers", type=_whole(0), default=3, metavar="N", help=say("cli.movers"))
    compare.add_argument("--depth", type=_whole(1), metavar="N", help=say("cli.shown"))
    compare.add_argument("--worth", type=_numbers, default=[0.02, 0.05], metavar="D,D", help=say("cli.worth"))
    compare.add_argument("--seed", type=_whole(0), default=0, metavar="N", help=say("cli.seed"))

    fuse = _command(commands, "fuse", _fuse, "RUN [RUN ...] -o FILE [OPTIONS]")
    fuse.add_argument("-o", "--output", required=True, metavar="FILE", help=say("cli.output"))
    fuse.add_argument("-k", type=_number, default=60, help=say("cli.fuse_k"))
    fuse.add_argument("--depth", type=_whole(1), default=1000, metavar="N", help=say("cli.depth"))
    fuse.add_argument("--weights", type=_numbers, metavar="W,W", help=say("cli.weights"))
    return parser


ENDS = {"check": "exit_check", "evaluate": "exit_plain", "compare": "exit", "fuse": "exit_plain"}


def _command(commands: Any, name: str, call: Callable[..., int], usage: str) -> argparse.ArgumentParser:
    texts = {"help": say(f"cli.{name}"), "description": say(f"cli.{name}_about"), "epilog": say(f"cli.{ENDS[name]}")}
    parser: argparse.ArgumentParser = commands.add_parser(name, usage=usage, **texts)
    if name != "fuse":
        parser.add_argument("qrels", metavar="QRELS", help=say("cli.qrels"))
    parser.add_argument("--lenient", action="store_true", help=say("cli.lenient"))
    parser.add_argument("runs", nargs="+", metavar="RUN", help=say("cli.baseline" if name == "compare" else "cli.runs"))
    parser.set_defaults(command=call)
    return parser


def _measures(parser: argparse.ArgumentParser, without: Sequence[str] = (), verdict: str = "") -> None:
    from relviz.evaluate import CHOICES
    from relviz.measures import EXAMPLES, names_of_measures

    places = {"names": names_of_measures(), "examples": listed(EXAMPLES)}
    text = say("cli.measures", measures=MEASURES, verdict=verdict, **places)
    parser.add_argument("-m", "--measures", metavar="M,M", action="append", help=text)
    for name in CONVENTIONS:
        choices = [one for one in CHOICES[name] if one not in without]
        more = "" if without or name not in ("ties", "unjudged") else say(f"cli.{name}_bounds")
        parser.add_argument(f"--{name}", choices=choices, help=say(f"cli.{name}", bounds=more))
    parser.add_argument("--trec", action="store_true", help=say("cli.trec"))


def _whole(least: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not re.fullmatch(r"[+-]?[0-9]{1,18}", text) or int(text) < least:
            raise argparse.ArgumentTypeError(say("cli.no_whole", least=least, text=repr(text)))
        return int(text)

    return read


def _number(text: str) -> float:
    try:
        if 0 <= float(text) < math.inf:
            return float(text)
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(say("cli.no_number", text=repr(text)))


def _numbers(text: str) -> list[float]:
    return [_number(part) for part in text.split(",")]


def _level(text: str) -> float:
    if 0 < (level := _number(text)) < 1:
        return level
    raise argparse.ArgumentTypeError(say("cli.no_level", text=repr(text)))
