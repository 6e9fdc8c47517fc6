"""Builds notebooks/en and notebooks/zh from notebooks/source: the only text of the lessons that is edited by hand.

    python notebooks/build.py                  build every lesson in both languages
    python notebooks/build.py 05               build the lessons whose names begin so
    python notebooks/build.py --check          build nothing; fail where a notebook differs from a fresh build

A source is MyST Markdown (jupytext). Both languages stand side by side:

    +++ {"lang": "en"}                         this cell is for the English notebook only
    +++ {"lang": "zh", "slide": "slide"}       and this for the Chinese one; it begins a slide
    ```{code-cell} ... ```                     a code cell goes to both, the same bytes in each

- No number is typed into prose. `{{ expression }}` and `{{ expression:.3f }}` are computed by the notebook itself,
  after its last cell has run.
- LANGUAGE in a code cell becomes en or zh. Only the first code cell has it.
- "slide" is "slide", "subslide", "fragment", "notes" or "-" (stays on the slide); a cell without it is on no slide.

The same source gives the same bytes: ids come from contents, and nothing of the run is kept but its outputs.
"""

import argparse
import ast
import hashlib
import re
import sys
from collections import Counter
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient

LANGUAGES = ("en", "zh")
HERE = Path(__file__).parent
PLACE = re.compile(r"\{\{(.+?)\}\}", re.DOTALL)
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def build(source: Path, language: str) -> str:
    """The notebook of one lesson in one language, executed, as the text of its file."""
    notebook = in_language(jupytext.reads(source.read_text(encoding="utf-8"), fmt="md:myst"), language)
    # Printed text arrives in pieces that depend on the clock; it is kept as one.
    options = {"timeout": 120, "kernel_name": "python3", "coalesce_streams": True}
    client = NotebookClient(notebook, resources={"metadata": {"path": HERE}}, **options)
    with client.setup_kernel():
        for index, cell in enumerate(notebook.cells):
            client.execute_cell(cell, index)
            # What a run leaves behind besides outputs: times, the kernel's own notes.
            cell.metadata.pop("execution", None)
        fill(notebook, client)
    notebook.metadata = nbformat.from_dict(METADATA)
    nbformat.validate(notebook)
    return nbformat.writes(notebook) + "\n"


def in_language(source: nbformat.NotebookNode, language: str) -> nbformat.NotebookNode:
    """The cells of one language, with ids and metadata that depend on nothing but the source."""
    cells, seen = [], Counter()
    for cell in source.cells:
        if cell.metadata.get("lang", language) != language:
            continue
        if cell.cell_type == "code":
            cell.source = cell.source.replace("LANGUAGE", language)
        digest = hashlib.sha256(cell.source.encode()).hexdigest()[:12]
        seen[digest] += 1
        cell.id = f"{digest}-{seen[digest]}"
        cell.metadata = metadata_of(cell)
        cells.append(cell)
    return nbformat.v4.new_notebook(cells=cells)


def metadata_of(cell: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """What jupyter nbconvert --to slides reads, and the cell's tags."""
    metadata = {"slideshow": {"slide_type": cell.metadata.get("slide", "skip")}}
    if tags := cell.metadata.get("tags"):
        metadata["tags"] = tags
    return nbformat.from_dict(metadata)


def fill(notebook: nbformat.NotebookNode, client: NotebookClient) -> None:
    """Put the value of each {{ expression }} of the text in its place: one more cell computes them all as f-strings."""
    texts = [cell for cell in notebook.cells if cell.cell_type == "markdown"]
    places = [place.strip() for cell in texts for place in PLACE.findall(cell.source)]
    notebook.cells.append(nbformat.v4.new_code_cell("[" + ", ".join(f"f'''{{{place}}}'''" for place in places) + "]"))
    client.execute_cell(notebook.cells[-1], len(notebook.cells) - 1)
    values = iter(ast.literal_eval(notebook.cells.pop().outputs[0].data["text/plain"]))
    for cell in texts:
        cell.source = PLACE.sub(lambda _: next(values), cell.source)


def main() -> int:
    """Write the notebooks, or say which are not what their sources give."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lessons", nargs="*", default=[""], metavar="NN", help="only lessons whose names begin so")
    parser.add_argument("--check", action="store_true", help="fail where a notebook differs from a fresh build")
    options = parser.parse_args()

    sources = sorted(HERE.glob("source/[0-9][0-9]_*.md"))
    wanted = [s for s in sources if s.name.startswith(tuple(options.lessons))]
    stale = [
        notebook
        for language in LANGUAGES
        for notebook in (HERE / language).glob("*.ipynb")
        if notebook.stem not in {s.stem for s in sources}
    ]
    for source in wanted:
        for language in LANGUAGES:
            notebook = HERE / language / f"{source.stem}.ipynb"
            text = build(source, language)
            if not options.check:
                notebook.parent.mkdir(exist_ok=True)
                notebook.write_text(text, encoding="utf-8", newline="\n")
                print(f"built {notebook.relative_to(HERE)}")
            elif not notebook.exists() or notebook.read_bytes() != text.encode():
                stale.append(notebook)
    for notebook in stale:
        print(f"{notebook.relative_to(HERE)} is not what its source gives; run: python notebooks/build.py")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
