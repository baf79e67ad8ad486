"""Changing the mix: what a wish turns, and lanes that come back."""
