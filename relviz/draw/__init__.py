"""Pictures of values: pure functions that know nothing of notebooks' widgets."""

from relviz.draw.canvas import level
from relviz.draw.cells import cells
from relviz.draw.dots import differences
from relviz.draw.figure import Figure
from relviz.draw.lists import Panel, Row, lists
from relviz.draw.plots import curves, histogram, power_curve
from relviz.draw.queries import Band, queries

__all__ = [
    "Band",
    "Figure",
    "Panel",
    "Row",
    "cells",
    "curves",
    "differences",
    "histogram",
    "level",
    "lists",
    "power_curve",
    "queries",
]
