"""Sizes of the piano roll, in logical pixels."""

from __future__ import annotations

KEYS_WIDTH = 64
LANES_WIDTH = 116
CHORD_HEIGHT = 16
RULER_HEIGHT = 20
VELOCITY_HEIGHT = 60
VELOCITY_LOW = 38
"""Height of the velocity lane in a low view."""
VELOCITY_PAD = 4
"""Free pixels above the loudest and below the softest."""
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
"""Pixels that can be seen before the clip's beginning and behind its end."""

EDGE_GRIP = 5
LEAST_FOR_EDGES = 14
REACH = 2.0
"""How near to the beginning of a short note a press takes it."""
NAME_FROM_WIDTH = 26
NAME_FROM_ROW = 11
BAR_GRIP = 9
"""Within how many pixels of a bar in the velocity lane a press takes it."""
