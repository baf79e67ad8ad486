"""The root that music21 finds for each group of notes: JSON lists of names (C#4, B-3) come in, pitch classes go out.

Stands alone, so that any Python that has music21 can run it. A group of which it finds none is null.
"""

from __future__ import annotations

import json
import sys


def main() -> None:
    """Read, ask and write."""
    from music21 import chord  # type: ignore[import-not-found, unused-ignore]  # only here is music21 needed

    roots = []
    for names in json.load(sys.stdin):
        root = chord.Chord(names).root() if names else None
        roots.append(None if root is None else root.pitchClass)
    json.dump(roots, sys.stdout)


if __name__ == "__main__":
    main()
