"""How long a test waits for what must come: so long that no busy machine is taken for a fault."""

PATIENCE = 240.0
"""Seconds; a whole test has more (`--timeout` in pyproject.toml)."""
