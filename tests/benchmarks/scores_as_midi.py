"""Write scores of music21's corpus as MIDI files: `python scores_as_midi.py FOLDER [PER_SHELF]`.

Stands alone, so that any Python that has music21 can run it. Takes up to PER_SHELF pieces of each composer or
collection, evenly over its list, and of a book of tunes one tune. A piece that takes too long is left out.
"""

from __future__ import annotations

import re
import signal
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

_SECONDS = 12
"""The longest that one piece may take."""
_TUNE = re.compile(r"^X: *(\d+)", re.MULTILINE)
_NO_MUSIC = frozenset({"demos", "theoryExercises"})
"""Shelves of test cases and school exercises."""


def main() -> None:
    """Write them, one after the other, each named after its shelf and file."""
    from music21 import corpus  # type: ignore[import-not-found, unused-ignore]  # only here is music21 needed

    folder, most = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 40
    folder.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGALRM, _too_long)
    for shelf, path in _sample([Path(path) for path in corpus.getCorePaths()], most):
        target = folder / f"{shelf}--{path.parent.name}-{path.stem}.mid"
        signal.alarm(_SECONDS)
        try:
            if not target.exists():
                corpus.parse(str(path), number=_tune(path)).write("midi", fp=str(target))
        except Exception as error:  # a score that music21 cannot write is not our matter
            target.unlink(missing_ok=True)
            print(f"left out {shelf} {path.name}: {type(error).__name__}", file=sys.stderr)
        finally:
            signal.alarm(0)


def _sample(paths: list[Path], most: int) -> Iterator[tuple[str, Path]]:
    shelves: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(paths):
        shelf = path.parts[path.parts.index("corpus") + 1]
        if path.suffix != ".rntxt" and shelf not in _NO_MUSIC:
            shelves[shelf].append(path)
    for shelf, found in sorted(shelves.items()):
        step = max(1.0, len(found) / most)
        for number in range(min(most, len(found))):
            yield shelf, found[int(number * step)]


def _tune(path: Path) -> int | None:
    """Number of the tune in the middle of a book of tunes; None for a single piece."""
    tunes = _TUNE.findall(path.read_text(encoding="utf-8", errors="replace")) if path.suffix == ".abc" else []
    return int(tunes[len(tunes) // 2]) if len(tunes) > 1 else None


def _too_long(*_: object) -> None:
    raise TimeoutError


if __name__ == "__main__":
    main()
