"""A picture that stays text: SVG and the words that replace it."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import wraps
from html import escape
from typing import Any, TypeVar

WIDTH = 760
NARROW = 300
NARROW_PAGE = 640  # up to this width of the window the narrow form is shown

ENCODED = {ord(c): f"%{ord(c):02X}" for c in '%#&"<>\t\n\r'}

Draw = TypeVar("Draw", bound=Callable[..., "Figure"])


@dataclass(frozen=True)
class Figure:
    """One SVG document and its alt text, which says in words all that the picture says.

    narrow: draws the same picture for a page that is no wider than a telephone, where the drawing has such a form.
    """

    svg: str
    alt: str
    narrow: "Callable[[], Figure] | None" = field(default=None, repr=False, compare=False)

    @property
    def data_url(self) -> str:
        """The picture as an address that needs no network, and that may stand between the quotes of an HTML attribute.

        Percent-encoded where HTML or an address would read something else: a third smaller than base64, and a change
        of the picture can be read in a saved notebook.
        """
        # Quotes around attributes may be of either kind; where no text holds a quote, the kind that costs nothing here.
        quoted = "'" in self.svg or '"' in re.sub("<[^>]*>", "", self.svg)
        svg = self.svg if quoted else self.svg.replace('"', "'")
        return "data:image/svg+xml," + svg.translate(ENCODED)

    def image(self, style: str) -> str:
        """The picture as HTML, in its narrow form where the page is narrow."""
        # An <img> survives where a notebook is not trusted; inline SVG and image/svg+xml do not.
        image = f'<img src="{self.data_url}" alt="{escape(self.alt)}" style="{style}">'
        if self.narrow is None:
            return image
        address = self.narrow().data_url.replace(" ", "%20")  # in a srcset a space ends the address
        source = f'<source media="(max-width:{NARROW_PAGE}px)" srcset="{address}">'
        return f'<picture style="flex:none">{source}{image}</picture>'

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        image = self.image("display:block;max-width:none")
        more = f"max(0px,({WIDTH}px - 100%)*99)"  # 0 where there is room for the whole picture
        if self.narrow is not None:
            more += f",max(0px,(100vw - {NARROW_PAGE}px)*99)"
        # Where the page is too narrow the picture scrolls sideways in its frame, since shrunk its words could not be
        # read; a shadow on the right says that there is more.
        shadow = f"position:sticky;right:0;flex:none;width:min(32px,{more});margin-left:calc(-1*min(32px,{more}))"
        shadow += ";pointer-events:none;background:linear-gradient(to right,transparent,#1d273380)"
        frame = '<div style="display:flex;overflow-x:auto" tabindex="0">'
        return {"text/html": f'{frame}{image}<span style="{shadow}"></span></div>', "text/plain": self.alt}


def on_narrow_pages_too(draw: Draw) -> Draw:
    """A drawing that takes `width`, so that its pictures have a second form for narrow pages."""

    @wraps(draw)
    def both(*values: Any, **options: Any) -> Figure:
        return replace(draw(*values, **options), narrow=lambda: draw(*values, **options | {"width": NARROW}))

    return both  # type: ignore[return-value]
