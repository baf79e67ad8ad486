"""What a bass plays against the chords: roots, fifths, other tones of the chord and tones between."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence

from agent.chat.answering.asked_notes import share_said
from agent.chat.answering.wording import listed
from agent.chat.context import Context
from agent.theory.harmony import chords_known
from agent.theory.sounding import Sounding, percussive_tracks

_FIFTH = 7
_NEARLY_ALL = 0.9


def bass_tones(context: Context, notes: Sequence[Sounding]) -> str:
    """A sentence that says how many of a bass's notes are roots, fifths, other tones of the chord that is stated or
    heard there, and none of its tones; "" where no chord is known."""
    chords = chords_known(context.song, percussive_tracks(context.song, context.palette))
    starts = [one.start for one in chords]
    counts: Counter[str] = Counter()
    for note in notes:
        at = bisect_right(starts, note.start) - 1
        if at < 0 or chords[at].end <= note.start:
            continue
        chord = chords[at].chord
        above = (note.pitch - chord.root) % 12
        kind = "roots" if not above else "fifths" if above == _FIFTH else "other tones of the chord"
        inside = note.pitch % 12 in chord.pitch_classes
        counts[kind if inside or kind != "other tones of the chord" else "no tones of the chord"] += 1
    whole = counts.total()
    if not whole:
        return ""
    said = listed(f"{share_said(count, whole)} {kind}" for kind, count in counts.most_common())
    plain = counts["roots"] + counts["fifths"]
    enough = "hardly more than roots and fifths" if plain >= _NEARLY_ALL * whole else "more than roots and fifths"
    return f" Against the chords it plays {enough}: {said}."
