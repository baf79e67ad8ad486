"""How many examples a property is tried with: a third in `make test`, all of them in `make campaign`."""

from __future__ import annotations

import os


def examples(most: int) -> int:
    """The number for this run, of `most`."""
    return most if os.environ.get("BANDLEADER_ALL_EXAMPLES") else max(20, most // 3)
