"""The kinds of things that lie in the library."""

from __future__ import annotations

from typing import Literal

Kind = Literal["instrument", "kit", "effect", "style", "midi", "sample"]
