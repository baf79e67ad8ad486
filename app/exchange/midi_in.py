"""Standard MIDI files as songs that keep every rule; whatever is unreadable is one clear error."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath

from msgspec import Struct, structs

from agent.message import msg
from agent.song import rules
from agent.song.clip import Clip, Note, in_order
from agent.song.colors import color_in_turn
from agent.song.errors import SongError
from agent.song.ids import ClipId, Kind, NoteId, TrackId, derive
from agent.song.key import Key
from agent.song.palette import Instrument, Palette
from agent.song.song import Song
from agent.song.time import PPQ, BarMap, Ticks
from agent.song.track import Automation, Point, Track
from agent.theory.measures import key_fit, key_of
from agent.theory.sounding import kit_tracks, pitched
from app.exchange import controllers as cc
from app.exchange.channel_events import ChannelEvents, Values, channel_events, instrument_for, is_drums
from app.exchange.chord_texts import agreement, lasting, meant
from app.exchange.frame_in import MidiStructure, read_frame, sections
from app.exchange.raw_notes import RawNote, without_overlaps
from app.exchange.smf import Smf, read_smf, unreadable

MAX_BYTES = 64 * 1024 * 1024
_DEFAULT_VOLUME = 100
_CLEARLY, _ENOUGH_NOTES = 0.05, 32
"""How much more of how many notes another key must hold before an unasked C major gives way."""
_LANES = (("pedal", cc.PEDAL, 0.0), ("expression", cc.EXPRESSION, 127.0), ("modulation", cc.MODULATION, 0.0))


class ImportedMidi(Struct, frozen=True):
    """A song read from a file, sentences about what was left out (`dropped`), and the number of notes `kept`.

    If the file names chords, `chords` is the number of those that the song states, and `agreed`, 0 to 1, the share of
    the sounding time in which the notes belong to them.
    """

    song: Song
    dropped: tuple[str, ...]
    kept: int
    chords: int = 0
    agreed: float = 1.0


def import_midi(path: Path, palette: Palette) -> ImportedMidi:
    """The song in a MIDI file. Raises `ExchangeError`, with the file's name and the reason, for a file that cannot be
    read."""
    try:
        if not path.is_file():
            raise unreadable(path.name, "it is not a file" if path.exists() else "there is no such file")
        if path.stat().st_size > MAX_BYTES:
            raise unreadable(path.name, f"it is larger than {MAX_BYTES >> 20} MiB")
        data = path.read_bytes()
    except OSError as error:
        raise unreadable(path.name, (error.strerror or str(error)).lower()) from error
    return song_from_midi(data, path.name, palette)


def song_from_midi(data: bytes, name: str, palette: Palette) -> ImportedMidi:
    """The song in the bytes of a MIDI file called `name`.

    One track for each channel of each file track that has notes. Times are rescaled to 960 ticks a quarter.
    Ids follow from the bytes, so that the same file gives the same song. Without a key signature the key is
    found from the notes; so it is when the signature says C major, which many programs write unasked, and
    another key holds clearly more of the notes. Overlapping notes of a pitch are cut as a synthesizer plays
    them, notes that never end last to the end of their track. Raises `ExchangeError` only.
    """
    if len(data) > MAX_BYTES:
        raise unreadable(name, f"it is larger than {MAX_BYTES >> 20} MiB")
    smf = read_smf(data, name)
    try:
        imported = _Import(smf, hashlib.sha256(data).hexdigest(), palette).song(PurePath(name).stem)
        rules.check(imported.song)
    except SongError as error:
        raise unreadable(name, str(error)) from error
    if not imported.kept:
        raise unreadable(name, "it holds no notes")
    return imported


@dataclass(slots=True)
class _Part:
    """A strand that has notes, with where it stands and what plays it."""

    number: int
    channel: int
    strand: ChannelEvents
    strokes: list[RawNote]
    instrument: Instrument


class _Import:
    """One file on its way to a song."""

    def __init__(self, smf: Smf, origin: str, palette: Palette) -> None:
        self._smf = smf
        self._origin = origin
        self._palette = palette
        self._ticks = _scale(smf)
        self._frame: MidiStructure = read_frame(smf, self._ticks)
        self._bars = BarMap(self._frame.meters)
        self._lost: Counter[str] = Counter()
        self._notes = 0
        self._agreed = 1.0

    def song(self, stem: str) -> ImportedMidi:
        parts = self._parts()
        if sum(len(part.strokes) for part in parts) > rules.MAX_NOTES:
            raise SongError(msg("it holds more than {max_notes:,} notes", max_notes=rules.MAX_NOTES))
        end = self._bar_end(max((stroke[2] for part in parts for stroke in part.strokes), default=0))
        tracks = tuple(self._track(ordinal, part, parts, end) for ordinal, part in enumerate(parts))
        latest = max(self._ticks(track.end) for track in self._smf.tracks)
        whole = max(end, min(self._bar_end(latest), rules.MAX_TICKS))
        song = Song(
            name=self._song_name(parts) or stem or "Imported",
            tempos=self._frame.tempos,
            meters=self._frame.meters,
            key=self._frame.key or Key("C"),
            sections=tuple(sections(self._frame.markers, whole, self._origin)),
            tracks=tracks,
        )
        song = self._with_chords(self._in_its_key(song), whole)
        self._lost["system exclusive messages"] += sum(track.exclusive for track in self._smf.tracks)
        losses = [f"{count} {what}" for what, count in sorted(self._lost.items()) if count]
        return ImportedMidi(
            song, tuple(self._frame.dropped + losses), self._notes, len(song.chords), round(self._agreed, 3)
        )

    def _with_chords(self, song: Song, end: int) -> Song:
        """Let the song state the chords that the file names, unless its notes deny that they are chords."""
        chords = lasting(self._frame.chords, end)
        if not chords:
            return song
        agreed = agreement(song, chords, kit_tracks(song, self._palette))
        if not meant(agreed):
            self._lost["names of chords that the notes deny"] += len(chords)
            return song
        self._agreed = agreed
        song = structs.replace(song, chords=chords[: rules.MAX_CHORDS])
        return structs.replace(song, sections=()) if self._frame.chords_are_markers else song

    def _in_its_key(self, song: Song) -> Song:
        if self._frame.key and self._frame.key_is_meant:
            return song
        kits = kit_tracks(song, self._palette)
        found = key_of(song, kits).key
        if self._frame.key:
            notes = pitched(song, kits)
            gain = key_fit(notes, found) - key_fit(notes, song.key)
            if gain < _CLEARLY or len(notes) < _ENOUGH_NOTES:
                return song
            self._lost[f"key signature of {song.key}, which the notes deny: they are in {found}"] += 1
        return structs.replace(song, key=found)

    def _parts(self) -> list[_Part]:
        found = [channel_events(track) for track in self._smf.tracks]
        sounding = sum(bool(strand.strokes) for channels in found for strand in channels.values())
        if sounding > rules.MAX_TRACKS:
            # Said here: what follows looks at every track for each of them.
            raise SongError(
                msg("{sounding:,} tracks are too many", sounding=sounding),
                why=msg("a song holds at most {max_tracks}", max_tracks=rules.MAX_TRACKS),
            )
        parts: list[_Part] = []
        for number, channels in enumerate(found):
            for channel, strand in channels.items():
                self._lost.update(strand.lost)
                self._lost["notes without an end: they last to the end of their track"] += strand.unfinished
                if not strand.strokes:
                    continue
                for other_number, others in enumerate(found):
                    same_port = self._frame.ports[other_number] == self._frame.ports[number]
                    if other_number != number and same_port and channel in others:
                        _borrow(strand, others[channel])
                strokes = self._in_song_time(strand)
                parts.append(_Part(number, channel, strand, strokes, self._instrument(channel, strand)))
        return parts

    def _in_song_time(self, strand: ChannelEvents) -> list[RawNote]:
        scaled = [
            (start := self._ticks(raw), pitch, max(start + 1, self._ticks(end)), velocity)
            for raw, pitch, end, velocity in strand.strokes
        ]
        clear = without_overlaps(scaled)
        doubled = len(scaled) - len(clear)
        self._lost["notes that double another of the same pitch and start"] += doubled
        cut = len(set(clear) - set(scaled))
        self._lost["notes shortened where the same pitch begins again"] += cut
        return clear

    def _instrument(self, channel: int, strand: ChannelEvents) -> Instrument:
        first = min(stroke[0] for stroke in strand.strokes)
        program = int(_in_force(strand.programs, first, 0))
        bank = int(_in_force(strand.controls.get(cc.BANK, []), first, 0))
        drums = is_drums(channel, bank)
        found = instrument_for(self._palette, program, bank, drums=drums)
        found = found or instrument_for(self._palette, program, bank, drums=not drums)
        if found is None:
            raise SongError(msg("no instrument is installed to play it"))
        self._lost["program changes within a track"] += sum(at > first for at, _ in strand.programs)
        if found.program != program:
            self._lost[f"track with program {program + 1}, which {found.label} plays instead"] += 1
        return found

    def _track(self, ordinal: int, part: _Part, parts: list[_Part], song_end: int) -> Track:
        first = min(part.strokes)[0]
        start = self._bars.start_of(self._bars.bar_at(first))
        last = self._bar_end(max(stroke[2] for stroke in part.strokes))
        end = min(max(last, self._bar_end(self._ticks(self._smf.tracks[part.number].end))), song_end)
        volume, volumes = self._mix(part, cc.VOLUME, _DEFAULT_VOLUME)
        pan, pans = self._mix(part, cc.PAN, 64)
        name = self._track_name(part, parts)
        muted = volume == 0 and not volumes
        clip = Clip(
            ClipId(derive(Kind.CLIP, self._origin, "clip", ordinal)), name, start, Ticks(end - start),
            in_order(list(self._note_values(part.strokes, start))),
        )
        lanes = [
            *_lane("volume_db", [(at, cc.cc_to_volume(int(value))) for at, value in volumes]),
            *_lane("pan", [(at, cc.cc_to_pan(int(value))) for at, value in pans]),
            *self._played_lanes(part.strand),
        ]
        return Track(
            TrackId(derive(Kind.TRACK, self._origin, "track", ordinal)),
            name,
            part.instrument.name,
            volume_db=cc.cc_to_volume(_DEFAULT_VOLUME if muted else volume),
            pan=cc.cc_to_pan(pan),
            mute=muted,
            color=color_in_turn(ordinal),
            clips=(clip,),
            automation=tuple(lanes),
        )

    def _note_values(self, strokes: list[RawNote], clip_start: int) -> Iterator[Note]:
        for start, pitch, end, velocity in strokes:
            self._notes += 1
            identity = NoteId(derive(Kind.NOTE, self._origin, "note", self._notes))
            yield Note(identity, pitch, Ticks(start - clip_start), Ticks(end - start), velocity)

    def _mix(self, part: _Part, control: int, default: int) -> tuple[int, Values]:
        """The value in force at the first note, and the changes after it in song time."""
        values = part.strand.controls.get(control, [])
        first = min(stroke[0] for stroke in part.strand.strokes)
        start = _in_force(values, first, default)
        return int(start), [(self._ticks(at), value) for at, value in values if at > first]

    def _played_lanes(self, strand: ChannelEvents) -> Iterator[Automation]:
        rows = [(target, strand.controls.get(control, []), rest) for target, control, rest in _LANES]
        for target, values, rest in [*rows, ("bend", strand.bends, 0.0)]:
            if any(value != rest for _, value in values):
                yield from _lane(target, [(self._ticks(at), value) for at, value in values])

    def _bar_end(self, at: int) -> int:
        return self._bars.start_of(self._bars.bar_at(at - 1) + 1) if at > 0 else 0

    def _song_name(self, parts: list[_Part]) -> str:
        plays = any(part.number == 0 for part in parts)
        return "" if plays and self._smf.kind == 1 else self._frame.names[0]

    def _track_name(self, part: _Part, parts: list[_Part]) -> str:
        alone = sum(other.number == part.number for other in parts) == 1
        given = self._frame.names[part.number] if alone and self._smf.kind == 1 else ""
        return given or part.instrument.label


def _scale(smf: Smf) -> Callable[[int], Ticks]:
    ratio = PPQ / smf.ticks_per_quarter
    above, below = 2 * ratio.numerator, 2 * ratio.denominator

    def ticks(raw: int) -> Ticks:
        return Ticks((raw * above + ratio.denominator) // below)

    return ticks


def _borrow(strand: ChannelEvents, other: ChannelEvents) -> None:
    """Take settings that the channel gets in another track and this one lacks."""
    strand.programs = strand.programs or other.programs
    strand.bends = strand.bends or other.bends
    for control, values in other.controls.items():
        if not strand.controls.get(control):
            strand.controls[control] = values


def _in_force(values: Values, at: int, default: float) -> float:
    index = bisect_right([when for when, _ in values], at)
    return values[index - 1][1] if index else default


def _lane(target: str, values: Values) -> Iterator[Automation]:
    latest = dict(values)
    points: list[Point] = []
    for at, value in latest.items():
        if not points or points[-1].value != value:
            points.append(Point(Ticks(at), float(value)))
    if points:
        yield Automation(target, tuple(points), "hold")
