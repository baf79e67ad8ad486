"""Judges a plan before anyone approves it: check, lint, preview."""
