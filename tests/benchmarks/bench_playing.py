"""Whether every style is played as players play: planned and measured from the notes, nothing is rendered.

Options: `--style NAME` (may be repeated), `--seeds N`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from statistics import fmean

from tests.benchmarks.music.asking import open_desk
from tests.benchmarks.playing_figures import Playing, playing

_COLUMNS = ("ghosts", "bound", "slurred", "apart", "long", "breath", "strum", "roll", "arch", "backbeat")


def main(arguments: Sequence[str]) -> int:
    """Measure and print a row for each style, as a table of Markdown."""
    parser = argparse.ArgumentParser(description="How every style is played.")
    parser.add_argument("--style", action="append", help="only this one")
    parser.add_argument("--seeds", type=int, default=2, help="songs of each style")
    options = parser.parse_args(arguments)
    desk = open_desk()
    print(f"| style | fills | {' | '.join(_COLUMNS)} | swelling |\n|{'---|' * (len(_COLUMNS) + 3)}")
    for name in options.style or [style.name for style in desk.styles.styles]:
        words = name.replace("_", " ")
        seeds = range(1, options.seeds + 1)
        found = [playing(desk.compose(f"a {words} piece", seed), desk.palette) for seed in seeds]
        print(_row(name, found), flush=True)
    return 0


def _row(name: str, found: Sequence[Playing]) -> str:
    cells = [_share([one.fills for one in found])]
    for column in _COLUMNS:
        values = [value for one in found if (value := getattr(one, column)) is not None]
        cells.append(f"{fmean(values):.2f}" if values else "")
    return f"| {name} | {' | '.join((*cells, _share([one.swelling for one in found])))} |"


def _share(pairs: Sequence[tuple[int, int]]) -> str:
    done, could = sum(a for a, _ in pairs), sum(b for _, b in pairs)
    return f"{done}/{could}" if could else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
