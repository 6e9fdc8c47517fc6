"""Pictures of values: pure functions that know nothing of notebooks' widgets."""

from relviz.draw.canvas import level
from relviz.draw.cells import cells
from relviz.draw.dots import differences
from relviz.draw.figure import Figure
from relviz.draw.lists import Panel, Row, lists

__all__ = [
    "Figure",
    "Panel",
    "Row",
    "cells",
    "differences",
    "level",
    "lists",
]
