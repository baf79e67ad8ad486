"""The services whose rows may be approved before anyone has seen them."""

from __future__ import annotations

from typing import Final

IN_ADVANCE: Final = ("song", "library", "sound", "versions")
"""What they do can be taken back, or only adds a file: `--yes` may stand for an approval."""
