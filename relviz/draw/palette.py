"""The colours of every picture: five inks that colour-blind readers tell apart, on a ground of their own.

Each hue is an Okabe and Ito hue, darkened until it stands at 4.5:1 on GROUND, so that it may carry text as well. A
colour never says anything alone: a shape, a number or a word stands beside it.
"""

INK = "#1d2733"
BLUE = "#0068a3"
ORANGE = "#b84c00"
GREEN = "#00734f"
PURPLE = "#9a4a77"

GROUND = "#fcfcf9"
MUTED = "#56616d"  # ink for what matters less; still 4.5:1
LINE = "#d5d9dd"  # rules and outlines that only help
TINT = "#e4eef5"  # thin blue, behind what the step is about

# One colour for each list or system, in order.
SERIES = (BLUE, ORANGE, GREEN, PURPLE, INK)
