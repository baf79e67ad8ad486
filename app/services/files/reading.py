"""The tools that read files: listing, text, and MIDI into the song."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from typing import Protocol

import msgspec
from msgspec.structs import replace

from agent.message import msg
from agent.plan.inputs import read_inputs
from agent.services.schemas import input_schema, taken
from agent.services.service import Call, Outcome
from agent.song import edits as e
from agent.song.clip import Clip
from agent.song.ids import ClipId, Kind, NoteId, TrackId, derive
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.time import Ticks, to_beats
from agent.song.track import Track
from app.exchange.midi_in import MAX_BYTES, song_from_midi
from app.services.files import shapes
from app.services.files.door import Door, read_at_most, read_whole
from app.services.files.errors import FileError
from app.services.files.listing import granted, listed
from app.services.files.names import shown
from app.services.files.places import Allowed, Place, place_of
from app.services.files.shapes import ImportMidi, MidiImported, TrackImported

_LONGEST_NAME = 120


def _brought(
    found: Song, dropped: Sequence[str], digest: str, wanted: ImportMidi, path: str, song: Song
) -> tuple[MidiImported, tuple[e.Edit, ...]]:
    """The result of importing `found` (the song read from the file at `path` with that digest) and the edits of `song`
    that do it. Ids are derived from the file and the position of each thing in it; a second import of the same file
    gets other ids. Raises `FileError` for wanted tracks that the file does not have."""
    chosen = _chosen(found, wanted)
    copy = _free_copy(digest, chosen, song)
    tracks = [_Arrival(track, digest, ordinal, copy, wanted, alone=len(chosen) == 1) for ordinal, track in chosen]
    edits: list[e.Edit] = [*_frame(found, wanted)]
    for track in tracks:
        edits += track.edits()
    told = [*dropped, *_left(found, wanted, song)]
    meter = found.meters[0]
    result = MidiImported(
        path, tuple(track.told() for track in tracks), sum(track.note_count for _, track in chosen),
        found.tempos[0].bpm, f"{meter.beats}/{meter.unit}", str(found.key),
        to_beats(wanted.start_time + max(track.end for _, track in chosen)), digest, tuple(told),
    )
    return result, tuple(edits)


class _Arrival:
    """A track of the file on its way into the song."""

    def __init__(
        self, track: Track, digest: str, ordinal: int, copy: int, wanted: ImportMidi, *, alone: bool
    ) -> None:
        self._track = track
        self._origin = _origin(digest, ordinal, copy)
        self._start = wanted.start_time
        given = track.name if wanted.name is None else wanted.name if alone else f"{wanted.name} {track.name}"
        self._name = given[:_LONGEST_NAME]
        self._id = TrackId(derive(Kind.TRACK, *self._origin))

    def edits(self) -> Iterator[e.Edit]:
        track = self._track
        yield e.CreateTrack(
            track_id=self._id, name=self._name, instrument=track.instrument, volume_db=track.volume_db, pan=track.pan,
            mute=track.mute,
        )
        for number, clip in enumerate(track.clips):
            yield e.CreateMidiClip(
                clip_id=self._clip_id(number), track_id=self._id, start_time=Ticks(clip.start + self._start),
                duration=clip.duration, notes=tuple(self._notes(number, clip)), name=clip.name[:_LONGEST_NAME] or None,
            )
        for lane in track.automation:
            points = tuple(e.PointSpec(Ticks(point.at + self._start), point.value) for point in lane.points)
            yield e.SetAutomation(track_id=self._id, target=lane.target, points=points, curve=lane.curve)

    def told(self) -> TrackImported:
        return TrackImported(
            self._id, self._clip_id(0), self._name, self._track.instrument, self._track.note_count
        )

    def _clip_id(self, number: int) -> ClipId:
        return ClipId(derive(Kind.CLIP, *self._origin, number))

    def _notes(self, number: int, clip: Clip) -> Iterator[e.NoteSpec]:
        for ordinal, note in enumerate(clip.notes):
            identity = NoteId(derive(Kind.NOTE, *self._origin, number, ordinal))
            yield replace(e.NoteSpec.of(note), id=identity)


def _origin(digest: str, ordinal: int, copy: int) -> tuple[str | int, ...]:
    return (digest, "track", ordinal, *((copy,) if copy else ()))


def _free_copy(digest: str, chosen: Sequence[tuple[int, Track]], song: Song) -> int:
    """How many times tracks of this file stand in the song already, as far as their ids tell."""
    taken = {track.id for track in song.tracks} | {clip.id for _, clip in song.clips()}
    copy = 0
    while any(_ids(_origin(digest, ordinal, copy)) & taken for ordinal, _ in chosen):
        copy += 1
    return copy


def _ids(origin: tuple[str | int, ...]) -> set[str]:
    return {derive(Kind.TRACK, *origin), derive(Kind.CLIP, *origin, 0)}


def _chosen(found: Song, wanted: ImportMidi) -> list[tuple[int, Track]]:
    """The wanted tracks with their place in the file."""
    numbered = list(enumerate(found.tracks))
    if not wanted.tracks:
        return numbered
    names = {track.name.casefold() for track in found.tracks}
    for name in wanted.tracks:
        if name.casefold() not in names:
            listed = ", ".join(shown(track.name) for track in found.tracks[:24])
            raise FileError(
                msg("the file has no track called {name!r}", name=shown(name)),
                why=msg("it has: {listed}", listed=listed),
            )
    asked = {name.casefold() for name in wanted.tracks}
    return [(ordinal, track) for ordinal, track in numbered if track.name.casefold() in asked]


def _frame(found: Song, wanted: ImportMidi) -> Iterator[e.Edit]:
    """Tempo and meter of the file, where they are asked for."""
    for tempo in found.tempos if wanted.use_tempo else ():
        yield e.SetTempo(bpm=tempo.bpm, at_beat=Ticks(tempo.at + wanted.start_time))
    for meter in found.meters if wanted.use_meter else ():
        at = Ticks(meter.at + wanted.start_time)
        yield msgspec.convert({"edit": "set_time_signature", "beats": meter.beats, "unit": meter.unit, "at_beat": at},
                              e.SetTimeSignature)


def _left(found: Song, wanted: ImportMidi, song: Song) -> Iterator[str]:
    """What the song's own frame keeps out."""
    at = wanted.start_time
    ours, theirs = song.tempo_map.bpm(at), found.tempos[0].bpm
    if not wanted.use_tempo and (abs(ours - theirs) > 0.01 or len(found.tempos) > 1):
        more = f" and {len(found.tempos) - 1} changes of it" if len(found.tempos) > 1 else ""
        yield f"tempo {theirs:g} BPM{more}: the song has {ours:g} there, and keeps it"
    meter, theirs_meter = song.bar_map.meter_at(at), found.meters[0]
    same = (meter.beats, meter.unit) == (theirs_meter.beats, theirs_meter.unit)
    if not wanted.use_meter and (not same or len(found.meters) > 1):
        yield f"meter {theirs_meter.beats}/{theirs_meter.unit}: the song has {meter.beats}/{meter.unit}, and keeps it"
    if found.sections:
        yield f"{len(found.sections)} sections"
    if wanted.tracks and (others := len(found.tracks) - len(_chosen(found, wanted))):
        yield f"{others} tracks that were not asked for"


MAX_TEXT = 256 * 1024
"""Most bytes of a text that are read, as they are stored with the run."""


class FolderSource(Protocol):
    """Provides the allowed folders."""

    def allowed(self, project: str) -> Allowed:
        """The allowed folders of a project by its id; blocks until the database has answered."""
        ...


class FileReaders:
    """The tools `list_files`, `read_text` and `import_midi`; they read the disk and change nothing on it."""

    def __init__(self, folders: FolderSource, palette: Palette, door: Door) -> None:
        self._folders = folders
        self._palette = palette
        self._door = door
        self._import_schema = input_schema(shapes.ImportMidi)

    def list(self, call: Call) -> Outcome:
        """List a folder."""
        wanted, allowed = taken(call.inputs, shapes.ListFiles), self._folders.allowed(call.project)
        if wanted.folder is None:
            return _outcome(granted(allowed.grants, self._door))
        place = place_of(wanted.folder, allowed)
        if place == Place(allowed.home) and not os.path.isdir(place.path):
            return _outcome(shapes.FilesListed(()))
        return _outcome(listed(place, wanted, self._door, call.cancelled))

    def read(self, call: Call) -> Outcome:
        """Read the beginning of a text file."""
        place = self.place(call, taken(call.inputs, shapes.ReadText).path)
        with self._door.reading(place) as file:
            data = read_at_most(file, MAX_TEXT + 1)
        truncated = len(data) > MAX_TEXT
        text = _decoded(place, data[:MAX_TEXT], truncated)
        return _outcome(shapes.TextRead(place.path, text, len(text.splitlines()), truncated))

    def bring(self, call: Call) -> Outcome:
        """The edits that add the tracks of a MIDI file."""
        wanted = msgspec.convert(read_inputs(self._import_schema, call.inputs), shapes.ImportMidi)
        place = self.place(call, wanted.path)
        data = read_whole(self._door, place, MAX_BYTES)
        digest = hashlib.sha256(data).hexdigest()
        if wanted.sha256 not in (None, digest):
            raise FileError(
                msg("{shown} is not the file that was meant", shown=place.shown), why=msg("its content is another one"),
            )
        found = song_from_midi(data, place.shown, self._palette)
        result, edits = _brought(found.song, found.dropped, digest, wanted, place.path, call.song)
        return Outcome(msgspec.to_builtins(result), edits)

    def place(self, call: Call, path: str) -> Place:
        """The place of a path in a call. Raises `NotAllowed`."""
        return place_of(path, self._folders.allowed(call.project))


def _outcome(result: msgspec.Struct) -> Outcome:
    return Outcome(msgspec.to_builtins(result))


def _decoded(place: Place, data: bytes, truncated: bool) -> str:
    """The text; where it was cut, a sign that is cut in two is left out."""
    if b"\0" in data:
        raise FileError(
            msg("{shown} is no text", shown=place.shown), why=msg("byte {index:,} is zero", index=data.index(0)),
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        cut = truncated and error.start > len(data) - 4 and error.reason == "unexpected end of data"
        if cut:
            return data[: error.start].decode("utf-8-sig")
        raise FileError(
            msg("{shown} is no text", shown=place.shown), why=msg("byte {start:,} is not UTF-8", start=error.start),
        ) from None
