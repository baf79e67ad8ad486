"""Sizes of the timeline, in logical pixels."""

from __future__ import annotations

HEADER_WIDTH = 236
SECTION_HEIGHT = 20
CHORD_HEIGHT = 22
RULER_HEIGHT = 22
BARS_TOP = SECTION_HEIGHT + CHORD_HEIGHT
TOP_HEIGHT = BARS_TOP + RULER_HEIGHT
LANE_HEIGHT = 40
SLIDERS_FROM = 38
"""Lane height in pixels from which a header shows volume and pan."""

CLIP_TOP = 1
CLIP_BOTTOM = 2
STRIP_HEIGHT = 12
NAME_FROM_WIDTH = 28
STRIP_FROM_WIDTH = 8
NAME_INSET = 4
CLIP_TEXT = 9.5
LABEL_TEXT = 11
RULER_TEXT = 10
NAME_TEXT = 12

LEAST_SPAN = 6
"""Least pitch range (semitones) over which a clip's notes are spread."""
GHOST_NOTES_TOP = 16
GHOST_OUTLINE = 1.25
LIT_OUTLINE = 2.0
DASH = (4.0, 2.4)
PLATE_INSET = (3, 2)
PLATE_HEIGHT = 13
BADGE_HEIGHT = 12
BADGE_RADIUS = 3
BADGE_PADDING = 4
CORNER_ICON = 11

LOOP_BAR = 5
LOOP_GRIP = 7
HEAD_WIDTH = 11

STRIPE = 4
ICON_AT = 12
ICON_SIZE = 16
NAME_AT = 34
MUTE_AT = 174
SOLO_AT = 196
TOGGLE_WIDTH = 20
TOGGLE_HEIGHT = 16
TOGGLE_TOP = 4
SLIDER_LEFT = 34
SLIDER_RIGHT = 124
PAN_LEFT = 134
PAN_RIGHT = 164
SLIDER_Y = 29
SLIDER_HANDLE = (6, 10)
VALUE_RIGHT = 214
METER_AT = (222, 227)
METER_WIDTH = 4

EDGE_GRIP = 6
"""Pixels from an edge of a clip or section within which a press grabs the edge."""
CURVE_INSET = 5
"""Pixels left free above and below an automation curve in its row."""
POINT_REACH = 8
"""Pixels from an automation point within which a press grabs it."""
