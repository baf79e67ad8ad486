"""A song as a standard MIDI file: the channels of its tracks, its automation as controllers, its notes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from itertools import pairwise
from pathlib import Path

from mido import Message, MetaMessage, MidiFile, MidiTrack
from msgspec import Struct

from agent.message import msg
from agent.song.palette import Instrument, Palette
from agent.song.song import Song
from agent.song.time import PPQ
from agent.song.track import Automation, Track
from app.atomic_write import Permit
from app.exchange import controllers as cc
from app.exchange.conductor import conductor, frame_losses
from app.exchange.errors import ExchangeError
from app.exchange.raw_notes import RawNote, without_overlaps
from app.exchange.saving import save
from app.exchange.texts import to_meta

_STEP = 40
"""Ticks between the messages of a ramp: 1/96 of a bar of 4/4."""
_MOST_STEPS = 2000
PLAIN = {"pedal": cc.PEDAL, "expression": cc.EXPRESSION, "modulation": cc.MODULATION}


def _lane_messages(lane: Automation, channel: int, offset_db: float) -> Iterator[tuple[int, Message]]:
    """(tick, message) of a lane, only where the value changes; volumes are raised by `offset_db`. Ramps go in steps of
    at least 40 ticks.

    The first value of a linear lane holds from the start of the song; before a hold lane the controller rests where the
    track's mix or the channel's default put it.
    """
    if lane.target == "bend":
        for control, setting in ((cc.RPN, 0), (cc.RPN_FINE, 0), (cc.DATA, cc.BEND_RANGE), (cc.DATA_FINE, 0)):
            yield 0, _control(channel, control, setting)
        for control in (cc.RPN, cc.RPN_FINE):
            yield 0, _control(channel, control, 127)
    last: Message | None = None
    for at, value in _sampled(lane):
        message = _message(lane.target, channel, value, offset_db)
        if last is None or message != last:
            yield at, message
        last = message


def _message(target: str, channel: int, value: float, offset_db: float) -> Message:
    if target == "bend":
        return Message("pitchwheel", channel=channel, pitch=cc.bend_to_wheel(value))
    if target == "volume_db":
        return _control(channel, cc.VOLUME, cc.volume_to_cc(value + offset_db))
    if target == "pan":
        return _control(channel, cc.PAN, cc.pan_to_cc(value))
    return _control(channel, PLAIN[target], max(0, min(127, round(value))))


def _control(channel: int, control: int, value: int) -> Message:
    return Message("control_change", channel=channel, control=control, value=value)


def _sampled(lane: Automation) -> Iterator[tuple[int, float]]:
    if lane.curve == "linear":
        yield 0, lane.points[0].value
    for a, b in pairwise(lane.points):
        yield a.at, a.value
        if lane.curve == "linear" and a.value != b.value:
            step = max(_STEP, -(-(b.at - a.at) // _MOST_STEPS))
            for at in range(a.at + step, b.at, step):
                yield at, a.value + (b.value - a.value) * (at - a.at) / (b.at - a.at)
    yield lane.points[-1].at, lane.points[-1].value


DRUMS = 9
_MELODIC = tuple(channel for channel in range(16) if channel != DRUMS)
_ON_CHANNEL = frozenset({"volume_db", "pan", "pedal", "bend", "expression", "modulation"})


class Seat(Struct, frozen=True):
    """A channel (0-15, 9 is the drums) on a MIDI port."""

    port: int
    channel: int


def seats(tracks: Sequence[tuple[Track, Instrument]]) -> tuple[Seat, ...]:
    """One seat for each track, in order.

    A port has one channel for kits and fifteen for the rest. While they last, each track has its own. Then a
    track without automation sits with an earlier one of the same instrument, volume and pan, also without
    automation: it sounds the same. All others, and kits that differ, take the next port.
    """
    taken: list[Seat] = []
    shareable: dict[tuple[object, ...], Seat] = {}
    for track, instrument in tracks:
        sound = _sound(track, instrument)
        free = _free(taken, instrument)
        seat = free if free.port == 0 else shareable.get(sound, free) if sound else free
        if sound:
            shareable.setdefault(sound, seat)
        taken.append(seat)
    return tuple(taken)


def _sound(track: Track, instrument: Instrument) -> tuple[object, ...]:
    if any(lane.target in _ON_CHANNEL for lane in track.automation):
        return ()
    return (instrument.bank, instrument.program, track.volume_db, track.pan, track.mute)


def _free(taken: Sequence[Seat], instrument: Instrument) -> Seat:
    port = 0
    while True:
        for channel in (DRUMS,) if instrument.is_kit else _MELODIC:
            if (seat := Seat(port, channel)) not in taken:
                return seat
        port += 1


Timed = tuple[int, int, "Message | MetaMessage"]
"""A tick, the rank within that tick, and the message."""
_SETUP, _OFF, _CONTROL, _ON = range(4)
_LANES = frozenset({"volume_db", "pan", "bend", *PLAIN})


class ExportedMidi(Struct, frozen=True):
    """A finished file: its bytes, what the format could not hold, and the number of notes in it."""

    data: bytes
    dropped: tuple[str, ...]
    kept: int


def export_midi(song: Song, palette: Palette, path: Path, permit: Permit | None = None) -> ExportedMidi:
    """Write the song to `path`, whole or not at all; errors are those of `midi_bytes` and `save`."""
    exported = midi_bytes(song, palette)
    save(path, exported.data, permit)
    return exported


def midi_bytes(song: Song, palette: Palette) -> ExportedMidi:
    """The song as a MIDI file; `ExchangeError` without notes, `SongError` for unknown instruments.

    Volumes above 0 dB have no controller value: all volumes are then lowered alike, so that the balance
    stays. A muted track is written with volume 0. Where equal pitches overlap on a track, the earlier note
    ends at the later one, as a synthesizer plays it. Effects have no place in the format.
    """
    if not song.note_count:
        raise ExchangeError(
            msg("the song {song!r} has no notes", song=song.name), fix=msg("add a clip with notes first"),
        )
    players = [(track, palette.instrument(track.instrument)) for track in song.tracks]
    places = seats(players)
    lift = -max(0.0, max(_loudest(track) for track in song.tracks))
    file = MidiFile(type=1, ticks_per_beat=PPQ)
    file.tracks.append(_in_time(conductor(song), _whole_length(song)))
    kept = 0
    for (track, instrument), seat in zip(players, places, strict=True):
        notes = _notes(track)
        kept += len(notes)
        rows = [*_setup(track, instrument, seat, lift), *_controls(track, seat, lift), *_strokes(notes, seat)]
        file.tracks.append(_in_time(rows, track.end))
    buffer = BytesIO()
    file.save(file=buffer)
    return ExportedMidi(buffer.getvalue(), tuple(_losses(song, places, lift, kept)), kept)


def _in_time(rows: Iterable[Timed], end: int) -> MidiTrack:
    track, now = MidiTrack(), 0
    for at, _, message in sorted(rows, key=lambda row: row[:2]):
        track.append(message.copy(time=at - now))
        now = at
    track.append(MetaMessage("end_of_track", time=max(0, end - now)))
    return track


def _setup(track: Track, instrument: Instrument, seat: Seat, lift: float) -> Iterator[Timed]:
    yield 0, _SETUP, MetaMessage("track_name", name=to_meta(track.name))
    if seat.port:
        yield 0, _SETUP, MetaMessage("midi_port", port=seat.port)
    channel = seat.channel
    if instrument.bank and not instrument.is_kit:
        yield 0, _SETUP, Message("control_change", channel=channel, control=cc.BANK, value=instrument.bank)
    yield 0, _SETUP, Message("program_change", channel=channel, program=instrument.program)
    volume = 0 if track.mute else cc.volume_to_cc(track.volume_db + lift)
    for control, value in ((cc.VOLUME, volume), (cc.PAN, cc.pan_to_cc(track.pan))):
        yield 0, _SETUP, Message("control_change", channel=channel, control=control, value=value)


def _controls(track: Track, seat: Seat, lift: float) -> Iterator[Timed]:
    for lane in track.automation:
        if lane.target in _LANES and not (track.mute and lane.target == "volume_db"):
            for at, message in _lane_messages(lane, seat.channel, lift):
                yield at, _CONTROL, message


def _strokes(notes: Sequence[RawNote], seat: Seat) -> Iterator[Timed]:
    for start, pitch, end, velocity in notes:
        yield start, _ON, Message("note_on", channel=seat.channel, note=pitch, velocity=velocity)
        yield end, _OFF, Message("note_off", channel=seat.channel, note=pitch, velocity=64)


def _notes(track: Track) -> list[RawNote]:
    return without_overlaps(
        (clip.start + note.start, note.pitch, clip.start + note.end, note.velocity)
        for clip in track.clips
        for note in clip.notes
    )


def _loudest(track: Track) -> float:
    lanes = [point.value for lane in track.automation if lane.target == "volume_db" for point in lane.points]
    return max([track.volume_db, *lanes])


def _whole_length(song: Song) -> int:
    return max(song.end, max((section.end for section in song.sections), default=0))


def _losses(song: Song, places: Sequence[Seat], lift: float, kept: int) -> Iterator[str]:
    if lift:
        yield f"volumes above 0 dB: all volumes are lowered by {-lift:.1f} dB, the balance is kept"
    if kept < song.note_count:
        yield f"{song.note_count - kept} notes that double another of the same pitch and start"
    if effects := sum(len(track.effects) for track in song.tracks) + len(song.master_effects):
        yield f"{effects} effects: MIDI has none"
    if lanes := sum(lane.target not in _LANES for track in song.tracks for lane in track.automation):
        yield f"automation of {lanes} effect parameters"
    for track in song.tracks:
        if track.mute:
            yield f"the mute of track {track.name!r}: it is written with volume 0"
    far = [track.name for track, seat in zip(song.tracks, places, strict=True) if seat.port]
    if far:
        names = ", ".join(far)
        yield f"channels: {len(far)} tracks found none on MIDI port 1 and use the next: {names}"
    shared = Counter(places)
    if together := sum(count for count in shared.values() if count > 1):
        yield f"{together} tracks share a channel with another of the same sound"
    yield from frame_losses(song)
