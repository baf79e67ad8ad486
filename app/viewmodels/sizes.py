"""How small and how large the window may be drawn, in per cent."""

LEAST_ZOOM, MOST_ZOOM = 80, 200
ZOOMS = (80, 90, 100, 110, 125, 150, 175, 200)
"""Zooms that are offered, in per cent."""
