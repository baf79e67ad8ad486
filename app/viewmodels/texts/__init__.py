"""Figures, places, keys and names as the window says them."""
