"""Sizes of the piano roll, in logical pixels."""

from __future__ import annotations

KEYS_WIDTH = 64
LANES_WIDTH = 116
CHORD_HEIGHT = 16
RULER_HEIGHT = 20
VELOCITY_HEIGHT = 60
VELOCITY_LOW = 38
"""Height of the velocity lane in a low view."""
LOW_VIEW = 240
TOP_HEIGHT = CHORD_HEIGHT + RULER_HEIGHT

ROW_HEIGHT = 12
LEAST_ROW, MOST_ROW = 6, 28
LEAST_FITTED, MOST_FITTED = 8, 14
"""Heights of a row that a person, and that the view, may choose."""
LANE_ROW = 20
LEAST_LANE = 15
"""Usual and least height of a drum's lane."""
NARROWEST, WIDEST = 0.5, 800.0
"""Pixels for a quarter note."""
LEAD = 10
TAIL = 24
"""Pixels that can be seen before the clip's beginning and behind its end."""

EDGE_GRIP = 5
LEAST_FOR_EDGES = 14
LEAST_NOTE = 2.0
NAME_FROM_WIDTH = 26
NAME_FROM_ROW = 11
MOST_NAMES = 400
BAR_WIDTH = 5
BAR_GRIP = 9
"""Width of a bar in the velocity lane, and within how many pixels of it a press takes it."""

NOTE_TEXT = 9.5
LABEL_TEXT = 11
RULER_TEXT = 10
SCROLL_STEP = 40
ZOOM_STEP = 1.25
FINE_ZOOM_STEP = 1.1
BANDS = 4
"""Kinds of loudness that notes are coloured by."""
