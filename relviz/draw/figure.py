"""A picture that stays text: SVG and the words that replace it."""

from base64 import b64encode
from dataclasses import dataclass
from html import escape
from typing import Any


@dataclass(frozen=True)
class Figure:
    """One SVG document and its alt text, which says in words all that the picture says."""

    svg: str
    alt: str

    @property
    def data_url(self) -> str:
        """The picture as an address that needs no network."""
        return "data:image/svg+xml;base64," + b64encode(self.svg.encode()).decode()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        # An <img> survives where a notebook is not trusted; inline SVG and image/svg+xml do not.
        # On a narrow page it scrolls sideways in its frame: shrunk, its words could not be read.
        image = f'<img src="{self.data_url}" alt="{escape(self.alt)}" style="max-width:none">'
        return {"text/html": f'<div style="overflow-x:auto" tabindex="0">{image}</div>', "text/plain": self.alt}
