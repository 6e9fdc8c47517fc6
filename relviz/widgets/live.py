"""The step player as a Jupyter widget, for the cells in which Python must read or set the step."""

from typing import Any

import anywidget
import traitlets

from relviz.locale import say
from relviz.widgets.base import module
from relviz.widgets.player import Player


class LivePlayer(anywidget.AnyWidget):
    """A player whose `index` is the step on show, from 0; it follows the reader, and the reader sees what is set."""

    _esm = module("player")
    html = traitlets.Unicode().tag(sync=True)
    index = traitlets.Int(min=0).tag(sync=True)

    def __init__(self, player: Player, index: int = 0) -> None:
        self._player = player
        super().__init__(html=player.html, index=index)

    @traitlets.validate("index")
    def _has_step(self, proposal: Any) -> int:
        last = len(self._player.trace.steps) - 1
        if proposal.value > last:
            raise traitlets.TraitError(say("errors.step_index", last=last, got=proposal.value))
        return proposal.value

    def _repr_mimebundle_(self, **options: Any) -> Any:
        bundle: Any = super()._repr_mimebundle_(**options)
        data, metadata = bundle
        return data | self._player._repr_mimebundle_(), metadata
