"""Note keys: the key of a piece that may hold only the notes that somebody named."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.understanding.note_rules import NamedNotes
from agent.composer.writing.harmony import is_minor
from agent.song.key import Key, Mode
from agent.theory.pitch import in_scale, usual_tonic


def key_of_notes(named: Sequence[NamedNotes], mode: Mode) -> Key | None:
    """The key that holds all the notes: on the first of them, else on another; None where no notes are named.

    Of a major and a minor key the one comes first that is as bright as `mode`.
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
