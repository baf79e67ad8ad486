"""The program's entry: without arguments the window, with arguments the command line."""

from __future__ import annotations

import multiprocessing
import sys


def main() -> int:
    """Run the command that the arguments name, or open the window; returns the exit status."""
    multiprocessing.freeze_support()
    try:
        if len(sys.argv) > 1:
            from app.cli.main import run
            from app.cli.terminal import open_streams

            open_streams()
            return run(sys.argv[1:])
        from app.window.entry import open_window

        return open_window()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
