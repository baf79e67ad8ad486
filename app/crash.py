"""A fault of the program itself, kept as a local report without values: nothing is ever sent."""

from __future__ import annotations

import platform
import sys
import traceback
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from agent.errors import BandleaderError, Blame
from agent.message import msg
from app.private_files import make_private_folder, private_opener

_KEPT = 20


class InternalError(BandleaderError):
    """A bug. `what` names its kind, `fix` where the report lies."""

    blame = Blame.BUG


def reported(fault: Exception, logs: Path) -> InternalError:
    """Write a report into the log folder and return the error to show.

    The report holds file names, line numbers and the fault's class, but no values and no message: those may
    come from a song, a file or a key.
    """
    report = logs / f"crash-{datetime.now(UTC).strftime('%Y%m%dT%H%M%S%f')}.txt"
    lines = [f"Python {platform.python_version()} on {platform.platform()}", f"fault: {type(fault).__name__}"]
    frames = traceback.extract_tb(fault.__traceback__)
    lines += [f"  {Path(frame.filename).name}:{frame.lineno} in {frame.name}" for frame in frames]
    try:
        make_private_folder(logs)
        with open(report, "x", encoding="utf-8", opener=private_opener) as file:
            file.write("\n".join(lines) + "\n")
        _thin(report)
        where = msg("look at the report {report} before you send it to the makers", report=report)
    except OSError:
        where = msg("the report could not be written: {end}", end="; ".join(line.strip() for line in lines[-3:]))
    return InternalError(msg("something went wrong inside Bandleader"), why=type(fault).__name__, fix=where)


def _thin(newest: Path) -> None:
    """Keep the last reports; the newest also when the clock went back, and by its name it is the oldest."""
    others = sorted(one for one in newest.parent.glob("crash-*.txt") if one != newest)
    for old in others[: -(_KEPT - 1)]:
        with suppress(OSError):
            old.unlink()


def show_if_asked(fault: Exception, environment: dict[str, str]) -> None:
    """With BANDLEADER_TRACEBACK set, print the whole traceback too, for people who work on the program."""
    if environment.get("BANDLEADER_TRACEBACK"):
        traceback.print_exception(fault, file=sys.stderr)
