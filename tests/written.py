"""What a lesson writes, taken out of its notebook so that tests can call it."""

import ast
from pathlib import Path
from typing import Any

import nbformat

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"


def notebook_of(lesson: str) -> nbformat.NotebookNode:
    """The English notebook of a lesson."""
    return nbformat.read(NOTEBOOKS / f"en/{lesson}.ipynb", as_version=4)


def code_of(notebook: nbformat.NotebookNode) -> list[str]:
    """Its code cells."""
    return [cell.source for cell in notebook.cells if cell.cell_type == "code"]


def functions_in(code: list[str], also: str = "", **names: Any) -> dict[str, Any]:
    """The functions that code cells define, beside the `names` they need; also: how an assignment begins that they
    need."""
    body = ast.parse("\n".join(code)).body
    kept = [n for n in body if isinstance(n, ast.FunctionDef) or (also and ast.unparse(n).startswith(also))]
    exec(compile(ast.Module(kept, []), "lesson", "exec"), names)
    return names


def left_by(code: list[str]) -> dict[str, Any]:
    """What the cells leave behind, run from the first to the last."""
    names: dict[str, Any] = {}
    for cell in code:
        exec(cell, names)
    return names
