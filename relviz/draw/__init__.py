"""Pictures of values: pure functions that know nothing of notebooks' widgets."""

from relviz.draw.canvas import level
from relviz.draw.cells import cells
from relviz.draw.dots import differences
from relviz.draw.figure import Figure
from relviz.draw.histogram import histogram
from relviz.draw.lists import UNJUDGED, Panel, Row, Sum, lists
from relviz.draw.plots import curves, power_curve
from relviz.draw.queries import Band, queries

__all__ = [
    "UNJUDGED",
    "Band",
    "Figure",
    "Panel",
    "Row",
    "Sum",
    "cells",
    "curves",
    "differences",
    "histogram",
    "level",
    "lists",
    "power_curve",
    "queries",
]
