"""How many real pieces pass the musical gate, and how many planted faults it finds in them.

The pieces are scores of music21's corpus, which is on PyPI. music21 is found in this Python, or in the one that
the variable MUSIC21_PYTHON names; a folder of MIDI files given as argument is measured as it is.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from msgspec.structs import replace

from agent.song.palette import Palette
from agent.song.song import Song
from agent.theory.gate import findings
from agent.theory.sounding import kit_tracks
from app.exchange.empty_tracks import empty_tracks
from app.exchange.errors import ExchangeError
from app.exchange.midi_in import import_midi
from app.paths import find_paths
from app.services.library_files import read_palette

_PER_SHELF = 12
"""Pieces of each composer or collection."""


def main() -> None:
    """Print both shares, and why the others do not pass."""
    if len(sys.argv) > 1:
        _measure(Path(sys.argv[1]))
        return
    python = os.environ.get("MUSIC21_PYTHON") or (importlib.util.find_spec("music21") and sys.executable)
    if not python:
        print("music21 is not installed here. In a virtual environment of its own: pip install music21, then")
        print("MUSIC21_PYTHON=that/bin/python make bench. (It takes some minutes.)")
        return
    with tempfile.TemporaryDirectory() as folder:
        script = Path(__file__).with_name("scores_as_midi.py")
        subprocess.run([python, str(script), folder, str(_PER_SHELF)], check=True, stderr=subprocess.DEVNULL)
        _measure(Path(folder))


def _measure(folder: Path) -> None:
    palette = read_palette(find_paths().resources)
    read = passed = planted = found = 0
    why: Counter[str] = Counter()
    for path in sorted(folder.rglob("*.mid")):
        try:
            song = import_midi(path, palette).song
        except ExchangeError as error:
            print(f"not read: {error}")
            continue
        read += 1
        rules = {flaw.rule for flaw in findings(song, palette)}
        rules |= {"silent track"} if empty_tracks(path.read_bytes(), path.name) else set()
        passed += not rules
        why.update(rules)
        if rules:
            print(f"  {path.stem}: {', '.join(sorted(rules))}")
        if not rules and (bad := _off_key(song, palette)) is not None:
            planted += 1
            found += any(flaw.rule == "key" for flaw in findings(bad, palette))
    print(f"{passed} of {read} pieces pass ({passed / max(1, read):.1%}); others: {dict(why) or 'none'}")
    print(f"{found} of {planted} lowest parts moved up by a semitone are found ({found / max(1, planted):.1%})")


def _off_key(song: Song, palette: Palette) -> Song | None:
    """The song with its lowest part a semitone too high; None for a single part or a very short one."""
    kits = kit_tracks(song, palette)
    parts = [track for track in song.tracks if track.id not in kits and track.note_count >= 16]
    if len(parts) < 2:
        return None
    low = min(parts, key=lambda part: sum(n.pitch for c in part.clips for n in c.notes) / part.note_count)
    clips = tuple(
        replace(clip, notes=tuple(replace(note, pitch=min(127, note.pitch + 1)) for note in clip.notes))
        for clip in low.clips
    )
    return replace(song, tracks=tuple(replace(one, clips=clips) if one is low else one for one in song.tracks))


if __name__ == "__main__":
    main()
