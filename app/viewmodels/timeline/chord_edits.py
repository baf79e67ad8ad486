"""What a hand does to the chords that a song states: types them over a stretch, keeps heard ones, takes them out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from agent.song.chart import in_brief
from agent.song.chord_symbols import NO_CHORD
from agent.song.edits import ChordSpec, SetChords
from agent.song.key import Key
from agent.song.song import Song
from agent.song.time import PPQ, Ticks
from agent.theory.charts.notation import is_no_chord, nearest, notation_of
from app.i18n import tr
from app.viewmodels.edits.clip_edits import MAX_NAME, HandEdit
from app.viewmodels.timeline.chords import LaneChord, at_tick, shown_symbol

LONGEST_LINE = 200
"""Characters of the chords typed over one span."""
HOLDS = frozenset({".", "/", "_"})
"""Symbols that let the chord before continue for another part of the span."""


class Typed(Struct, frozen=True):
    """Typed chords, with "" where the one before continues; `fault` says why the text could not be read, empty if it
    could."""

    symbols: tuple[str, ...] = ()
    fault: str = ""


def read_typed(text: str, key: Key) -> Typed:
    """The chords in a typed text: symbols, roman numerals or scale degrees, with or without bar lines."""
    if is_no_chord(text.strip()):
        return Typed((NO_CHORD,))
    words = [word.strip(",;") for word in text.replace("|", " ").split()]
    words = [word for word in words if word]
    chords = [word for word in words if word not in HOLDS]
    read = notation_of(chords)
    symbols: list[str] = []
    for word in words:
        symbol = "" if word in HOLDS else read(word, key)
        if symbol is None:
            return Typed(fault=_fault(word))
        symbols.append(symbol)
    if symbols and not symbols[0]:
        return Typed(fault=tr("“{text}” holds a chord, and none stands before it", text=words[0]))
    return Typed(tuple(symbols))


def stated(song: Song, span: LaneChord, symbols: Sequence[str]) -> HandEdit:
    """The edit that writes `symbols` over a span, each equally long, on whole beats if possible; no symbols remove what
    the song states there."""
    if not symbols:
        return removed(song, span)
    specs: list[ChordSpec] = []
    starts = _starts(song, span.start, span.end, len(symbols))
    if len(starts) < len(symbols):
        return HandEdit()
    for symbol, start, end in zip(symbols, starts, (*starts[1:], span.end), strict=True):
        if symbol:
            specs.append(ChordSpec(symbol, Ticks(start), Ticks(end - start)))
        else:
            last = specs[-1]
            specs[-1] = ChordSpec(last.c, last.s, Ticks(end - last.s))
    here = [one for one in song.chords if one.start < span.end and one.end > span.start]
    if [ChordSpec.of(one) for one in here] == specs:
        return HandEdit()
    words = shown_symbol(in_brief(spec.c for spec in specs))
    label = tr("Chords {symbols}, {place}", symbols=words, place=_place(song, span.start))
    return HandEdit((_set(span, specs),), label[:MAX_NAME])


def removed(song: Song, span: LaneChord) -> HandEdit:
    """The edit that removes the chords that the song states in a span."""
    if all(one.start >= span.end or one.end <= span.start for one in song.chords):
        return HandEdit()
    return HandEdit((_set(span, ()),), tr("Take out chords, {place}", place=_place(song, span.start)))


def kept(spans: Iterable[LaneChord]) -> HandEdit:
    """The edit that writes the detected chords of these spans into the song, as one version."""
    heard = [span for span in spans if span.heard]
    if not heard:
        return HandEdit()
    runs: list[list[ChordSpec]] = []
    for span in heard:
        spec = ChordSpec(span.symbol, Ticks(span.start), Ticks(span.end - span.start))
        if runs and runs[-1][-1].s + runs[-1][-1].d == span.start:
            runs[-1].append(spec)
        else:
            runs.append([spec])
    words = shown_symbol(in_brief(span.symbol for span in heard))
    edits = tuple(_set(LaneChord(run[0].s, run[-1].s + run[-1].d), run) for run in runs)
    return HandEdit(edits, tr("Keep heard chords {symbols}", symbols=words)[:MAX_NAME])


def beside(spans: Sequence[LaneChord], now: LaneChord | None, by: int, near: int) -> LaneChord | None:
    """The span `by` places after `now` (negative: before), within the lane; if `now` is None the span at tick `near`.
    None without spans."""
    if not spans:
        return None
    if now is None or now not in spans:
        return at_tick(spans, near) or spans[-1]
    return spans[max(0, min(len(spans) - 1, list(spans).index(now) + by))]


def _fault(word: str) -> str:
    meant = nearest(word)
    shown = word[:24]
    if meant:
        return tr("“{text}” is no chord. Did you mean {chord}?", text=shown, chord=shown_symbol(meant))
    return tr("“{text}” is no chord. Write C, F♯m7, B♭maj7/D or N.C.", text=shown)


def _set(span: LaneChord, specs: Sequence[ChordSpec]) -> SetChords:
    return SetChords(start_time=Ticks(span.start), duration=Ticks(span.end - span.start), chords=tuple(specs))


def _starts(song: Song, start: int, end: int, pieces: int) -> list[int]:
    """Where the parts of a stretch begin: on beats, the earlier ones longer, where it has as many whole beats."""
    length = end - start
    if not 0 < pieces <= length:
        return []
    beat = PPQ * 4 // song.bar_map.meter_at(start).unit
    beats = length // beat
    if beats < pieces or length % beat:
        return [start + length * at // pieces for at in range(pieces)]
    each, rest = divmod(beats, pieces)
    return [start + beat * (each * at + min(at, rest)) for at in range(pieces)]


def _place(song: Song, at: int) -> str:
    return tr("bar {bar}", bar=song.bar_map.bar_at(at))
