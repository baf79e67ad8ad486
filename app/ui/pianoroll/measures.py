"""Sizes of the piano roll, in logical pixels."""

from __future__ import annotations

KEYS_WIDTH = 64
LANES_WIDTH = 116
CHORD_HEIGHT = 16
RULER_HEIGHT = 20
VELOCITY_HEIGHT = 60
VELOCITY_LOW = 38
"""Height of the velocity lane in a view of little height."""
VELOCITY_PAD = 4
"""Pixels left free above the loudest and below the softest velocity."""
LOW_VIEW = 240
TOP_HEIGHT = CHORD_HEIGHT + RULER_HEIGHT

ROW_HEIGHT = 12
LEAST_ROW, MOST_ROW = 6, 28
LEAST_FITTED, MOST_FITTED = 8, 14
"""Heights of a row that a person, and that the view, may choose."""
LANE_ROW = 20
LEAST_LANE = 15
"""Usual and least height of a drum's lane."""
LEAD = 10
TAIL = 24
"""Pixels shown before the clip's start and after its end."""

EDGE_GRIP = 5
LEAST_FOR_EDGES = 14
REACH = 2.0
"""Pixels from the start of a short note within which a press grabs it."""
NAME_FROM_WIDTH = 26
NAME_FROM_ROW = 11
BAR_GRIP = 9
"""Pixels from a velocity bar within which a press grabs it."""
