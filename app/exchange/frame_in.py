"""Tempo, meter, key, sections and names out of the meta events of a MIDI file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeVar

from agent.message import msg
from agent.song import rules
from agent.song.errors import SongError
from agent.song.ids import Kind, SectionId, derive
from agent.song.key import Key
from agent.song.song import Section
from agent.song.time import PPQ, MeterChange, TempoChange, TempoMap, Ticks
from app.exchange.chord_texts import Named, chord_mark, named_chords
from app.exchange.conductor import (
    DEFAULT_SIGNATURE,
    SHORTEST_QUARTER,
    key_from_text,
    key_of_signature,
    microseconds_to_bpm,
)
from app.exchange.smf import Smf
from app.exchange.texts import from_meta

_TEXT, _NAME, _LYRIC, _MARKER, _CUE, _PORT, _TEMPO, _METER, _KEY = 0x01, 0x03, 0x05, 0x06, 0x07, 0x21, 0x51, 0x58, 0x59
_LOST = {
    0x02: "copyright notices", 0x04: "instrument names", 0x05: "lyrics", 0x07: "cue points",
    0x54: "SMPTE offsets", 0x7F: "sequencer data",
}
_OTHER = "other texts and marks"
_OWN = 0x7F
T = TypeVar("T")
_MAJOR = ("Cb", "Gb", "Db", "Ab", "Eb", "Bb", "F", "C", "G", "D", "A", "E", "B", "F#", "C#")
_MINOR = ("Ab", "Eb", "Bb", "F", "C", "G", "D", "A", "E", "B", "F#", "C#", "G#", "D#", "A#")


@dataclass(slots=True)
class MidiStructure:
    """What the meta events of a file say; `names` and `ports` belong to its tracks in order. `key_is_meant` is False
    for a C major that many programs write unasked; `dropped` are sentences about what was left out."""

    tempos: tuple[TempoChange, ...] = ()
    meters: tuple[MeterChange, ...] = ()
    key: Key | None = None
    key_is_meant: bool = True
    markers: list[tuple[int, str]] = field(default_factory=list)
    chords: Named = ()
    """Chords that texts or marks name; where they are the markers, `markers` are those all the same."""
    chords_are_markers: bool = False
    names: list[str] = field(default_factory=list)
    ports: list[int] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)


def read_frame(smf: Smf, ticks: Callable[[int], Ticks]) -> MidiStructure:
    """Tempos, meters, key, markers and chords of a file; `ticks` converts its times into ticks of the song. What the
    song cannot hold is left out and named in `dropped`."""
    frame = MidiStructure()
    tempos, meters, markers = {0: 120.0}, {0: (4, 4)}, list[tuple[int, str]]()
    lost: Counter[str] = Counter()
    texts: dict[tuple[int, int], list[tuple[int, str]]] = {}
    marks: list[tuple[int, str]] = []
    exact: Key | None = None
    for number, track in enumerate(smf.tracks):
        frame.names.append("")
        frame.ports.append(0)
        for raw, kind, body in track.metas:
            at = ticks(raw)
            if kind in (_TEXT, _LYRIC, _MARKER, _CUE):
                texts.setdefault((number, kind), []).append((at, from_meta(body)))
            elif kind == _OWN and (symbol := chord_mark(body)) is not None:
                marks.append((at, symbol))
                continue
            if kind == _TEMPO and len(body) == 3 and not smf.timed:
                length = int.from_bytes(body, "big")
                tempos[at] = microseconds_to_bpm(length)
                lost["tempos above 999 BPM: read as 999"] += length < SHORTEST_QUARTER
            elif kind == _METER and len(body) >= 2 and 1 <= body[0] <= 32 and body[1] <= 5:
                meters[at] = (body[0], 1 << body[1])
            elif kind == _KEY and (key := _signature(body)):
                lost["key changes"] += frame.key is not None and key != frame.key
                frame.key = frame.key or key
                frame.key_is_meant = frame.key != key_of_signature(DEFAULT_SIGNATURE)
            elif kind == _MARKER:
                markers.append((at, from_meta(body)))
            elif kind == _NAME and not frame.names[number]:
                frame.names[number] = from_meta(body)
            elif kind == _PORT and len(body) == 1:
                frame.ports[number] = body[0]
            elif kind == _TEXT and (named := key_from_text(from_meta(body))):
                exact = named
            elif kind == _METER:
                lost["time signatures that a song cannot have"] += 1
            elif kind not in (_NAME, _TEMPO):
                lost[_LOST.get(kind, _OTHER)] += 1
    _take_chords(frame, texts, marks, lost)
    if exact:
        frame.key, frame.key_is_meant = exact, True
    frame.tempos = _tempos([TempoChange(Ticks(at), bpm) for at, bpm in _changes(tempos)], lost)
    changed = [MeterChange(Ticks(at), *meter) for at, meter in _changes(meters)]
    frame.meters = tuple(changed[: rules.MAX_METERS])
    lost[f"time signature changes after the first {rules.MAX_METERS:,}"] += len(changed) - len(frame.meters)
    frame.markers = sorted(markers, key=lambda marker: marker[0])
    lost[f"markers after the first {rules.MAX_SECTIONS:,}"] += max(0, len(markers) - rules.MAX_SECTIONS)
    frame.dropped = [f"{count} {what}" for what, count in sorted(lost.items()) if count]
    return frame


def _take_chords(
    frame: MidiStructure, texts: dict[
        tuple[int, int], list[tuple[int, str]]
    ], marks: list[tuple[int, str]], lost: Counter[str]
) -> None:
    """Let the frame have the chords that the file names; what they were is not lost then."""
    found = named_chords(texts)
    if marks:
        frame.chords = tuple(marks)
    elif found is not None:
        (_, kind), frame.chords = found
        frame.chords_are_markers = kind == _MARKER
        if kind != _MARKER:
            lost[_LOST.get(kind, _OTHER)] -= len(frame.chords)


def sections(markers: list[tuple[int, str]], end: int, origin: str) -> Iterator[Section]:
    """The sections of (tick, name) markers, each lasting to the next; at most as many as a song may have. Markers at or
    after the tick `end` give none; ids derive from `origin`."""
    inside = [(at, name) for at, name in markers if at < end]
    starts = sorted({at for at, _ in inside})
    following = dict(pairwise([*starts, end]))
    for number, (at, name) in enumerate(inside[: rules.MAX_SECTIONS], 1):
        identity = SectionId(derive(Kind.SECTION, origin, "section", number))
        yield Section(identity, name or f"Section {number}", Ticks(at), Ticks(following[at] - at))


def _tempos(changes: list[TempoChange], lost: Counter[str]) -> tuple[TempoChange, ...]:
    if len(changes) <= rules.MAX_TEMPOS:
        return tuple(changes)
    kept = thinned(changes)
    if len(kept) > rules.MAX_TEMPOS:
        raise SongError(
            msg("it changes its tempo {count:,} times", count=len(changes)),
            why=msg(
                "with {max_tempos:,} changes, notes would sound more than {farthest:g} ms off",
                max_tempos=rules.MAX_TEMPOS, farthest=FARTHEST * 1000,
            ),
        )
    lost[f"tempo changes: what sounds is less than {FARTHEST * 1000:g} ms off"] += len(changes) - len(kept)
    return kept


def _changes(values: dict[int, T]) -> list[tuple[int, T]]:
    kept: list[tuple[int, T]] = []
    for at in sorted(values):
        if not kept or kept[-1][1] != values[at]:
            kept.append((at, values[at]))
    return kept


def _signature(body: bytes) -> Key | None:
    if len(body) != 2:
        return None
    sharps = body[0] - 256 if body[0] > 127 else body[0]
    if abs(sharps) > 7 or body[1] > 1:
        return None
    return Key(_MINOR[sharps + 7], "minor") if body[1] else Key(_MAJOR[sharps + 7], "major")


FARTHEST = 0.005
"""Seconds by which an event may sound earlier or later."""
_FASTEST, _SLOWEST = 60 / (999 * PPQ), 60 / PPQ
"""Seconds a tick at the fastest and the slowest tempo of a song."""


def thinned(changes: Sequence[TempoChange]) -> tuple[TempoChange, ...]:
    """As few of the changes, with tempos between theirs, as leave no event more than `FARTHEST` off.

    One tempo holds for as long as there is one that passes every change within that distance (the swing filter of
    Elmeleegy et al., 2009). Distances do not add up: each is one from the file's own time. The last tempo is kept.
    """
    true = TempoMap(changes)
    kept: list[TempoChange] = []
    start, seconds = changes[0].at, 0.0
    least, most = _FASTEST, _SLOWEST
    for before, change in pairwise(changes):
        wanted, length = true.seconds(change.at) - seconds, change.at - start
        low, high = max(least, (wanted - FARTHEST) / length), min(most, (wanted + FARTHEST) / length)
        if low > high:
            slope = _between(least, (true.seconds(before.at) - seconds) / (before.at - start), most)
            kept.append(TempoChange(start, 60 / (slope * PPQ)))
            start, seconds = before.at, seconds + slope * (before.at - start)
            wanted, length = true.seconds(change.at) - seconds, change.at - start
            low, high = max(_FASTEST, (wanted - FARTHEST) / length), min(_SLOWEST, (wanted + FARTHEST) / length)
        least, most = low, high
    last = changes[-1]
    if last.at > start:
        slope = _between(least, (true.seconds(last.at) - seconds) / (last.at - start), most)
        kept.append(TempoChange(start, 60 / (slope * PPQ)))
    return (*kept, last)


def _between(low: float, value: float, high: float) -> float:
    return max(low, min(value, high))
