"""Write scores of music21's corpus as MIDI files: `python scores_as_midi.py FOLDER [PER_SHELF | LIST.toml]`.

Stands alone, so that any Python that has music21 can run it. Takes up to PER_SHELF pieces of each composer or
collection, evenly over its list, and of a book of tunes one tune; or those that the table `music21` of a list names,
each in a folder of its group. A piece that takes too long is left out. An upbeat stands at the end of a whole bar.
"""

from __future__ import annotations

import re
import signal
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_SECONDS = 60
"""The most of a processor's time that one piece may take."""
_TUNE = re.compile(r"^X: *(\d+)", re.MULTILINE)
_NO_MUSIC = frozenset({"demos", "theoryExercises"})
"""Shelves of test cases and school exercises."""


def main() -> None:
    """Write them, one after the other, each named after its shelf and file."""
    folder, wanted = Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "40"
    chosen = _listed(Path(wanted)) if wanted.endswith(".toml") else _sample(int(wanted))
    signal.signal(signal.SIGPROF, _too_long)
    for name, path in chosen:
        target = folder / f"{name}.mid"
        target.parent.mkdir(parents=True, exist_ok=True)
        signal.setitimer(signal.ITIMER_PROF, _SECONDS)
        try:
            if not target.exists():
                _write(path, target)
        except Exception as error:  # a score that music21 cannot write is not our matter
            target.unlink(missing_ok=True)
            print(f"left out {name}: {type(error).__name__}", file=sys.stderr)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)


def _write(path: Path, target: Path) -> None:
    from music21 import corpus  # type: ignore[import-not-found, unused-ignore]  # only here is music21 needed

    score = corpus.parse(str(path), number=_tune(path))
    for part in getattr(score, "parts", ()):
        _fill_upbeat(part)
    score.write("midi", fp=str(target))


def _fill_upbeat(part: Any) -> None:
    """Put a rest before a short first bar, for in a MIDI file the first bar begins with the file."""
    bars = list(part.getElementsByClass("Measure"))
    missing = bars[0].paddingLeft if bars else 0
    if not missing:
        return
    bars[0].shiftElements(missing)
    for one in bars[0].getElementsByClass(("Clef", "KeySignature", "TimeSignature", "MetronomeMark")):
        bars[0].setElementOffset(one, 0)
    bars[0].paddingLeft = 0
    for later in bars[1:]:
        part.setElementOffset(later, later.offset + missing)


def _listed(path: Path) -> Iterator[tuple[str, Path]]:
    from music21 import corpus  # type: ignore[import-not-found, unused-ignore]

    root = Path(corpus.__file__).parent
    for group, pieces in tomllib.loads(path.read_text(encoding="utf-8"))["music21"].items():
        for piece in pieces:
            yield f"{group}/{piece.rpartition('.')[0].replace('/', '--')}", root / piece


def _sample(most: int) -> Iterator[tuple[str, Path]]:
    from music21 import corpus  # type: ignore[import-not-found, unused-ignore]

    shelves: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(Path(path) for path in corpus.getCorePaths()):
        shelf = path.parts[path.parts.index("corpus") + 1]
        if path.suffix != ".rntxt" and shelf not in _NO_MUSIC:
            shelves[shelf].append(path)
    for shelf, found in sorted(shelves.items()):
        step = max(1.0, len(found) / most)
        for number in range(min(most, len(found))):
            path = found[int(number * step)]
            yield f"{shelf}--{path.parent.name}-{path.stem}", path


def _tune(path: Path) -> int | None:
    """Number of the tune in the middle of a book of tunes; None for a single piece."""
    tunes = _TUNE.findall(path.read_text(encoding="utf-8", errors="replace")) if path.suffix == ".abc" else []
    return int(tunes[len(tunes) // 2]) if len(tunes) > 1 else None


def _too_long(*_: object) -> None:
    raise TimeoutError


if __name__ == "__main__":
    main()
