"""`python -m tests.journeys [--to FOLDER] [NAME ...]`: at every size, in both themes, with pictures of each."""

from __future__ import annotations

import argparse
import importlib
import sys
import tempfile
import time
from pathlib import Path

_HERE = Path(__file__).parent
_SIZES = ((1280, 720, 1.0), (1600, 1000, 1.0), (3200, 2000, 2.0))
_NAMES = ("empty_to_export", "review_thirty_rows", "hand_and_agent")


def main() -> int:
    """0 if every journey came to its end; a line for each."""
    sys.path[:0] = [str(_HERE), str(_HERE.parent / "support")]
    from screens import a_screen, missing_packages

    parser = argparse.ArgumentParser(prog="journeys")
    parser.add_argument("--to", type=Path, default=Path("build/journeys"))
    parser.add_argument("names", nargs="*", default=_NAMES)
    wanted = parser.parse_args()
    if lacking := missing_packages():
        sys.stderr.write(f"journeys: this machine lacks {', '.join(lacking)}\n")
        return 6
    failed = 0
    for name in wanted.names:
        for theme in ("dark", "light"):
            for width, height, scale in _SIZES:
                label = f"{name} {width}x{height} {scale:g}x {theme}"
                with tempfile.TemporaryDirectory() as home, a_screen(width, height, wanted.to / label, scale) as screen:
                    began = time.monotonic()
                    try:
                        screen.start(Path(home), theme)
                        importlib.import_module(name).walk(screen, Path(home))
                        end = "arrived"
                    except AssertionError as fault:
                        screen.shot("fault")
                        end, failed = f"did not arrive: {str(fault)[:300]}", failed + 1
                    sys.stdout.write(f"{label}: {end} after {time.monotonic() - began:.0f} s\n")
                    sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
