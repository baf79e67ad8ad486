"""TOML files that a musician may edit."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from agent.errors import BandleaderError


def read_toml(file: Path, family: type[BandleaderError]) -> dict[str, Any]:
    """The tables of a file; raises the error of that family, which names the file."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise family(f"cannot read {file}", why=error.strerror or str(error), fix="check the file") from error
    except ValueError as error:
        raise family(f"{file} is not valid TOML", why=str(error), fix="mend the line that is named") from error
