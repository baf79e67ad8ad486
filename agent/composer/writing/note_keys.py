"""Note keys: the key of a piece that may hold only the notes that somebody named."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.understanding.note_rules import NamedNotes
from agent.composer.writing.harmony import is_minor
from agent.song.key import Key, Mode
from agent.theory.pitch import in_scale, usual_tonic


def key_of_notes(named: Sequence[NamedNotes], mode: Mode) -> Key | None:
    """The key that contains all these notes, with the first of them as tonic if possible; None if none are named or no
    key fits.

    A key of the same kind (major or minor) as `mode` is preferred.
    """
    classes = list(dict.fromkeys(one for notes in named for one in notes.classes))
    modes: tuple[Mode, Mode] = ("minor", "major") if is_minor(mode) else ("major", "minor")
    for tonics in (classes[:1], classes[1:]):
        for one in modes:
            for tonic in tonics:
                key = Key(usual_tonic(tonic, one), one)
                if all(in_scale(key, note) for note in classes):
                    return key
    return None
