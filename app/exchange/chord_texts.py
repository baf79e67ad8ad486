"""Chords that a MIDI file names: in texts, markers, cue points or lyrics, or in the chord marks of XF files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agent.errors import BandleaderError
from agent.song.chart import ChordSymbol
from agent.song.chord_symbols import LONGEST_SYMBOL, NO_CHORD, chord
from agent.song.ids import TrackId
from agent.song.song import Song
from agent.song.time import Ticks
from agent.theory.charts.notation import is_no_chord
from agent.theory.sounding import pitched

Named = tuple[tuple[int, str], ...]
"""Chords with the ticks at which they begin, in order."""
_FEWEST = 2
_READABLE = 0.9
"""The share of the texts of one kind that are chords where they name chords."""
_AGREED = 0.6
"""The least share of what sounds under named chords that belongs to them."""
_MARK = b"\x43\x7b\x01"
_XF_LETTERS = ("", "C", "D", "E", "F", "G", "A", "B")
_XF_SIGNS = ("", "bb", "b", "", "#", "##")
_XF_KINDS = (
    "", "6", "maj7", "maj7(#11)", "add9", "maj9", "6/9", "aug", "m", "m6", "m7", "m7b5", "madd9", "m9", "m11", "mMaj7",
    "mMaj7(9)", "dim", "dim7", "7", "7sus4", "7(b5)", "9", "7(#11)", "13", "7(b9)", "7(b13)", "7(#9)", "maj7(#5)",
    "7(#5)", "5", "5", "sus4", "sus2",
)
_XF_NONE = 34


def symbol_of(text: str) -> str | None:
    """The chord symbol in a text, "N.C." for no chord; None if the text is no chord."""
    bare = text.strip().strip("[](){}|%").strip()
    if not bare or len(bare) > LONGEST_SYMBOL:
        return None
    if is_no_chord(bare):
        return NO_CHORD
    try:
        chord(bare)
    except BandleaderError:
        return None
    return bare


def chord_mark(body: bytes) -> str | None:
    """The chord symbol of an XF chord mark, from the body of a sequencer-specific meta event; None for any other
    event."""
    if len(body) < 5 or not body.startswith(_MARK):
        return None
    root, kind = _xf_note(body[3]), body[4]
    if kind == _XF_NONE:
        return NO_CHORD
    if not root or kind >= len(_XF_KINDS):
        return None
    bass = _xf_note(body[5]) if len(body) > 5 else ""
    return symbol_of(f"{root}{_XF_KINDS[kind]}" + (f"/{bass}" if bass and bass != root else ""))


def named_chords(texts: Mapping[tuple[int, int], Sequence[tuple[int, str]]]) -> tuple[tuple[int, int], Named] | None:
    """((track, kind), chords) of the source of texts with the most chords; None if no texts are chords. `texts` has
    (tick, text) pairs by track and kind of meta event.

    Nearly all texts of a source must be chords, and not all of one letter: "A", "B", "C" are sections.
    """
    best: tuple[tuple[int, int], Named] | None = None
    for source, own in texts.items():
        said = [(at, text) for at, text in own if text.strip()]
        read = [(at, symbol) for at, text in said if (symbol := symbol_of(text)) is not None]
        plain = all(len(symbol) == 1 for _, symbol in read)
        if len(read) < _FEWEST or plain or len(read) < _READABLE * len(said):
            continue
        if best is None or len(read) > len(best[1]):
            best = source, tuple(read)
    return best


def lasting(named: Named, end: int) -> tuple[ChordSymbol, ...]:
    """The chords, each until the next one begins, the last one to the tick `end`; of several at one tick the last
    counts."""
    begun = sorted(dict(named).items())
    if not begun:
        return ()
    ends = [*(at for at, _ in begun[1:]), end]
    return tuple(
        ChordSymbol(Ticks(at), Ticks(until - at), symbol)
        for (at, symbol), until in zip(begun, ends, strict=True) if at < until
    )


def agreement(song: Song, chords: Sequence[ChordSymbol], kits: frozenset[TrackId]) -> float:
    """The share, 0 to 1, of the sounding time under chords in which the notes belong to the chord; 1 if nothing sounds.
    `kits` are the drum tracks, which are left out."""
    inside = total = 0
    at = 0
    for note in pitched(song, kits):
        while at < len(chords) and chords[at].end <= note.start:
            at += 1
        one = chords[at] if at < len(chords) and chords[at].start < note.end else None
        shape = None if one is None else one.chord
        if one is not None and shape is not None:
            length = min(note.end, one.end) - max(note.start, one.start)
            total += length
            inside += length * (note.pitch in shape or note.pitch % 12 == shape.lowest)
    return inside / total if total else 1.0


def meant(sure: float) -> bool:
    """Whether texts are taken for chords: whether `sure`, their `agreement` with the notes, is high enough."""
    return sure >= _AGREED


def _xf_note(byte: int) -> str:
    sign, letter = byte >> 4 & 7, byte & 15
    return _XF_LETTERS[letter] + _XF_SIGNS[sign] if 0 < letter < 8 and 0 < sign < 6 and byte != 0x7F else ""
