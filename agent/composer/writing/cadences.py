"""Cadences: how the last chords of a section lead to what follows, and the chords before the last of all."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from agent.composer.writing.frame import ChordSpan
from agent.song.chord import Chord
from agent.song.key import Key
from agent.theory.chords import diatonic
from agent.theory.pitch import in_scale

_LEADS = {7: 0, 5: 1, 10: 2, 11: 3, 2: 4, 1: 5}
"""Semitones above a root, and how well a chord there leads to it; fewer is better."""
_LEADS_WELL = 3
"""Up to this a chord leads well enough to stay."""
_NO_THIRD = ("5", "sus2", "sus4", "7sus4")


def leading_home(
    spans: tuple[ChordSpan, ...], chords: Sequence[Chord], home: Chord, bar: int
) -> tuple[ChordSpan, ...]:
    """The spans before the piece's last chord (`home`); if they end on the tonic already, one of `chords` (those of the
    theme) that leads to it is put in their last bar, of `bar` ticks.

    The fifth degree leads best, then the fourth, the seventh, any other.
    """
    last = spans[-1]
    ways = [chord for chord in chords if chord.root != home.root]
    if last.chord.root != home.root or not ways:
        return spans
    best = min(ways, key=lambda chord: _way(chord, home.root))
    return with_last(spans, (best,), (max(last.start, last.end - bar),))


def turned(
    spans: tuple[ChordSpan, ...], chords: Sequence[Chord], following: Chord, key: Key, starts: tuple[int, ...]
) -> tuple[ChordSpan, ...]:
    """The spans of a section whose last chord leads to the chord `following` it; `starts` are the ticks where that last
    chord may begin.

    A last chord that leads well stays; otherwise one of `chords` (those of the theme) or the dominant replaces it.
    """
    last = spans[-1].chord
    if len(spans) < 2 or _way(last, following.root) <= _LEADS_WELL:
        return spans
    fifth = diatonic(key, (_degree(key, following.root) or 1) + 4)
    ways = [chord for chord in (*chords, fifth) if chord.root != following.root and chord.quality not in ("dim", "aug")]
    best = min(ways, key=lambda chord: _way(chord, following.root), default=last)
    if _way(best, following.root) >= _way(last, following.root):
        return spans
    return with_last(spans, (structs.replace(best, bass=None),), starts[-1:])


def with_last(
    spans: tuple[ChordSpan, ...], chords: Sequence[Chord], starts: Sequence[int]
) -> tuple[ChordSpan, ...]:
    """The spans, with `chords` that begin at `starts` (ticks) replacing what lies from there to the end."""
    end = spans[-1].end
    kept = [
        ChordSpan(span.start, min(span.end, starts[0]), span.chord) for span in spans if span.start < starts[0]
    ]
    ends = (*starts[1:], end)
    return (*kept, *(ChordSpan(at, to, chord) for at, to, chord in zip(starts, ends, chords, strict=True)))


def smoothed(spans: tuple[ChordSpan, ...], last_of_all: int) -> tuple[ChordSpan, ...]:
    """The spans with thirds in the bass where the bass then moves by step between two roots; none from the tick
    `last_of_all` on."""
    result = list(spans)
    for at in range(1, len(spans) - 1):
        before, here, after = result[at - 1].chord.lowest, spans[at].chord, spans[at + 1].chord.lowest
        plain = here.bass is None and here.quality not in _NO_THIRD and len(here.intervals) in (3, 4)
        if not plain or spans[at].start >= last_of_all or before == after:
            continue
        third = here.pitch_classes[1]
        steps = ((third - before + 6) % 12 - 6, (after - third + 6) % 12 - 6)
        if all(1 <= abs(step) <= 2 for step in steps) and steps[0] * steps[1] > 0:
            result[at] = ChordSpan(spans[at].start, spans[at].end, structs.replace(here, bass=third))
    return tuple(result)


def borrowed(chords: Sequence[Chord], key: Key) -> tuple[Chord, ...]:
    """The chords with tones from outside the key, each once; in minor the raised sixth and seventh count as inside."""
    return tuple(
        dict.fromkeys(chord for chord in chords if not all(_at_home(key, tone) for tone in chord.pitch_classes))
    )


def _at_home(key: Key, tone: int) -> bool:
    raised = key.mode == "minor" and (tone - key.pitch_class) % 12 in (9, 11)
    return raised or in_scale(key, tone)


def _way(chord: Chord, root: int) -> int:
    return _LEADS.get((chord.root - root) % 12, len(_LEADS))


def _degree(key: Key, root: int) -> int | None:
    return next((degree for degree in range(1, 8) if diatonic(key, degree).root == root), None)
