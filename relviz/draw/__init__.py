"""Pictures of values: pure functions that know nothing of notebooks' widgets."""

from relviz.draw.figure import Figure

__all__ = ["Figure"]
