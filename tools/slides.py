"""The lessons as slides for a projector, from the cells that their sources mark: build/slides."""

import sys
from pathlib import Path

import nbformat
from nbconvert import SlidesExporter

from relviz.widgets.base import SLIDES

ROOT = Path(__file__).parents[1]


def slides_of(notebook: nbformat.NotebookNode, **options: object) -> str:
    """The page of a notebook, 16 to 9 and without prompts. Reveal.js comes from the network unless options differ."""
    exporter = SlidesExporter(
        reveal_width="1280", reveal_height="720", exclude_input_prompt=True, exclude_output_prompt=True, **options
    )
    page, _ = exporter.from_notebook_node(notebook)
    return page.replace("</head>", f"<style>{SLIDES}</style></head>", 1)


def main(language: str) -> None:
    """Make the slides of every lesson in a language."""
    out = ROOT / "build" / "slides" / language
    out.mkdir(parents=True, exist_ok=True)
    for path in sorted((ROOT / "notebooks" / language).glob("*.ipynb")):
        page = out / f"{path.stem}.html"
        page.write_text(slides_of(nbformat.read(path, 4)), encoding="utf-8")
        print(page.relative_to(ROOT))


if __name__ == "__main__":
    main(*sys.argv[1:])
