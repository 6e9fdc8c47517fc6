"""How long nDCG@10, RR@10 and R@100 take from dicts to means, and how much memory, beside other tools.

    python bench/evaluate.py                     6,980 queries x 1,000 documents; some minutes and 4 GB
    python bench/evaluate.py --queries 200       seconds
    python bench/evaluate.py --record            also into RESULTS.md, with a plot in artefacts/

Each tool runs in a process of its own, after one call that does not count, on the same made-up dicts of dicts, and must
come to the same means. pytrec_eval knows no RR@10: the run is cut to its first ten for it, or RR is left uncut, which
is less work.
"""

import argparse
from pathlib import Path

from common import measure, record, versions

# About as many judged documents a query, and as many of them retrieved, as for BM25 on the queries of MS MARCO dev.
DATA = """
import random
rng = random.Random(1)
run, qrels = {}, {}
for q in range(arguments["queries"]):
    query = str(1_000_000 + 7 * q)
    docs = [str(doc) for doc in rng.sample(range(8_841_823), arguments["docs"])]
    run[query] = {doc: 40 - rng.random() * 30 for doc in docs}
    best = sorted(docs, key=run[query].get)[-20:]
    relevant = rng.sample(best, min(rng.choice([1] * 12 + [2]), len(best)))
    qrels[query] = {doc if rng.random() < 0.86 else "not retrieved": rng.choice([1, 2]) for doc in relevant}
"""

TOOLS = {
    "relviz": """
from relviz import evaluate
def work():
    means = evaluate(run, qrels, ["nDCG@10", "RR@10", "R@100"]).means["run"]
    return [means["nDCG@10"], means["R@100"]]
""",
    "pytrec_eval-terrier": """
import heapq, pytrec_eval
def work():
    per_query = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10", "recall.100"}).evaluate(run)
    first_ten = {q: dict(heapq.nlargest(10, docs.items(), key=lambda pair: pair[1])) for q, docs in run.items()}
    ranks = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"}).evaluate(first_ten)
    mean = lambda name, scores: sum(one[name] for one in scores.values()) / len(scores)
    mean("recip_rank", ranks)
    return [mean("ndcg_cut_10", per_query), mean("recall_100", per_query)]
""",
    "pytrec_eval-terrier, RR uncut": """
import pytrec_eval
def work():
    per_query = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10", "recip_rank", "recall.100"}).evaluate(run)
    mean = lambda name: sum(scores[name] for scores in per_query.values()) / len(per_query)
    mean("recip_rank")
    return [mean("ndcg_cut_10"), mean("recall_100")]
""",
    "ir_measures": """
import ir_measures
from ir_measures import RR, R, nDCG
def work():
    means = ir_measures.calc_aggregate([nDCG @ 10, RR @ 10, R @ 100], qrels, run)
    return [means[nDCG @ 10], means[R @ 100]]
""",
    "ranx, dicts to means": """
import ranx
def work():
    means = ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), ["ndcg@10", "mrr@10", "recall@100"])
    return [float(means["ndcg@10"]), float(means["recall@100"])]
""",
    "ranx, its own objects given": """
import ranx
built = ranx.Qrels(qrels), ranx.Run(run)
def work():
    means = ranx.evaluate(*built, ["ndcg@10", "mrr@10", "recall@100"])
    return [float(means["ndcg@10"]), float(means["recall@100"])]
""",
}

SHAPES = {1000: (1, 10, 100, 1000, 7000), 10: (10, 100, 1000, 10_000, 100_000, 200_000)}


def compare(queries: int, docs: int, rounds: int, tools: list[str]) -> str:
    """The table of all tools, in Markdown."""
    lines = [
        "| tool | processor s | x relviz | clock s | first call s | MB above the data |",
        "|---|---|---|---|---|---|",
    ]
    ours = None
    for name in tools:
        took = measure(DATA + TOOLS[name], rounds, queries=queries, docs=docs)
        if took is None:
            continue
        ours = ours or took  # ratios by the processor, which a busy machine disturbs least
        if max(abs(a - b) for a, b in zip(ours["answer"], took["answer"])) > 1e-9:
            raise SystemExit(f"{name} comes to {took['answer']}, {tools[0]} to {ours['answer']}")
        lines.append(
            f"| {name} | {took['cpu']:.4g} | {took['cpu'] / ours['cpu']:.1f} | {took['clock']:.4g} "
            f"| {took['first']:.4g} | {took['mb']:.0f} |"
        )
        print(lines[-1], flush=True)
    return "\n".join(lines)


def scale(rounds: int) -> tuple[str, dict[int, list[tuple[int, float, float]]]]:
    """Time and memory of relviz against size: a table, and the same as numbers."""
    lines = [
        "| queries | documents each | processor s | microseconds a query | MB above the data |",
        "|---|---|---|---|---|",
    ]
    found: dict[int, list[tuple[int, float, float]]] = {}
    for docs, sizes in SHAPES.items():
        for queries in sizes:
            took = measure(DATA + TOOLS["relviz"], rounds, queries=queries, docs=docs)
            found.setdefault(docs, []).append((queries, took["cpu"], took["mb"]))
            each = took["cpu"] / queries * 1e6
            lines.append(f"| {queries:,} | {docs:,} | {took['cpu']:.4g} | {each:.1f} | {took['mb']:.0f} |")
            print(lines[-1], flush=True)
    return "\n".join(lines), found


def plot(found: dict[int, list[tuple[int, float, float]]], path: Path) -> None:
    """Time and memory against the number of queries, on logarithmic axes, beside what grows as the queries do."""
    from matplotlib.figure import Figure

    from relviz.draw.palette import BLUE, MUTED, ORANGE

    figure = Figure(figsize=(11, 5), layout="constrained")
    units = ("processor seconds", "MB above the data, at least 1")
    for axes, column, least, unit in zip(figure.subplots(1, 2), (1, 2), (0.0, 1.0), units):
        for (docs, rows), colour, marker in zip(found.items(), (BLUE, ORANGE), "os"):
            sizes, values = [row[0] for row in rows], [max(row[column], least) for row in rows]
            axes.loglog(sizes, values, f"{marker}-", color=colour, markersize=7)
            if column == 1:  # above the slower line, below the faster
                at, side = (3, (-10, 6, "right")) if docs == max(found) else (1, (10, -8, "left"))
                style = {"color": colour, "textcoords": "offset points", "xytext": side[:2], "ha": side[2]}
                axes.annotate(f"{docs:,} documents a query", (sizes[at], values[at]), **style)
        if column == 1:
            line = [size * values[-1] / sizes[-1] / 8 for size in sizes[3:]]
            axes.loglog(sizes[3:], line, ":", color=MUTED)
            axes.annotate("twice the queries,\ntwice the time", (sizes[-1], line[0]), color=MUTED, ha="right", va="top")
        axes.set_xlabel("queries")
        axes.set_ylabel(unit)
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.yaxis.set_major_formatter("{x:,g}")
        axes.spines[["top", "right"]].set_visible(False)
        for item in (axes.xaxis.label, axes.yaxis.label, *axes.get_xticklabels(), *axes.get_yticklabels()):
            item.set_fontsize(12)
        for text in axes.texts:
            text.set_fontsize(12)
    path.parent.mkdir(exist_ok=True)
    figure.savefig(path)


def main() -> None:
    """Print the tables; with --record, keep them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=6980)
    parser.add_argument("--docs", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="*", default=list(TOOLS), help="tools to measure")
    parser.add_argument("--record", action="store_true")
    chosen = parser.parse_args()
    size = f"{chosen.queries:,} queries x {chosen.docs:,} documents, best of {chosen.rounds} after a first call"
    text = f"{size}. {versions('relviz', 'pytrec_eval-terrier', 'ir_measures', 'ranx', 'numpy')}\n"
    text += "Ratios are of processor time, which a busy machine disturbs least.\n\n"
    text += compare(chosen.queries, chosen.docs, chosen.rounds, chosen.only)
    if chosen.record:
        small = compare(30, 10, 200, ["relviz", "pytrec_eval-terrier", "ir_measures"])
        table, found = scale(chosen.rounds)
        plot(found, Path("artefacts") / "evaluate_scaling.svg")
        record("evaluate", f"{text}\n\n30 queries x 10 documents, best of 200:\n\n{small}\n\nAgainst size:\n\n{table}")


if __name__ == "__main__":
    main()
