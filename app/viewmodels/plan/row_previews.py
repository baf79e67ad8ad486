"""What a row of the plan shows of its result: a drawing, the track that it is for, and the notes that it writes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct

from agent.plan.plan import Json, Step
from agent.plan.references import is_reference
from agent.review.preview import RowPreview
from agent.song import edits as e
from agent.song.chart import in_brief
from agent.song.clip import Clip
from agent.song.edits import Edit
from agent.song.errors import SongError
from agent.song.ids import MASTER, ClipId, EffectId, TrackId
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.track import Track
from app.i18n import tr, trn
from app.viewmodels.texts.figures import CENTRE, decibels, number
from app.viewmodels.texts.palette_words import instrument_label

MAX_DRAWN = 256
"""More notes than this cannot be told apart in a drawing of a hundred pixels."""
_FEWEST_PITCHES = 6


class Notes(Struct, frozen=True, gc=False):
    """Notes to draw, as (start, length, pitch), each 0 to 1 of the drawing; pitch 1 is the highest. `gone` tells that
    they are removed."""

    notes: tuple[tuple[float, float, float], ...]
    gone: bool = False
    """Whether the row removes these notes."""


class ValueChange(Struct, frozen=True):
    """A value before and after a row, as text: "84" and "72"; "–" for none."""

    before: str
    after: str


class Curve(Struct, frozen=True):
    """The points of an automation as (time, value), each 0 to 1 of the drawing."""

    points: tuple[tuple[float, float], ...]


class Settings(Struct, frozen=True):
    """The values of an effect's parameters, each 0 to 1 of its range."""

    shares: tuple[float, ...]


class NewTrack(Struct, frozen=True):
    """An empty track that is not in the song yet."""


class Unheard(Struct, frozen=True):
    """Drawn for a row whose effect is not known before it runs: before a model has worked on it or, if `asks`, before a
    service outside of the song was asked."""

    asks: bool = False


RowDrawing: TypeAlias = Notes | ValueChange | Curve | Settings | NewTrack | Unheard


class Target(Struct, frozen=True):
    """What a row changes: a track with its colour (#rrggbb), or without a colour the song as a whole. `name` is what a
    person calls it, `id` that of the track, None if it is not known."""

    name: str
    color: str = ""
    new: bool = False
    """Whether the plan itself adds this track."""
    id: TrackId | None = None


def drawing_of(preview: RowPreview, palette: Palette, *, asks: bool = False) -> RowDrawing | None:
    """The drawing of the row's first edit that has one; None if none has. `asks` tells, of a row that cannot be
    foreseen, that it asks a service instead of a model."""
    if preview.unseen:
        return Unheard(asks)
    for edit in preview.edits:
        drawn = _drawing(edit, preview.before, preview.after, palette)
        if drawn is not None:
            return drawn
    return None


def start_of(preview: RowPreview) -> int | None:
    """Tick at which the first clip that the row writes begins; None if it writes none."""
    for edit in preview.edits:
        if isinstance(edit, e.CreateMidiClip):
            return edit.start_time
        clip_id = getattr(edit, "new_clip_id", None) or getattr(edit, "clip_id", None)
        if clip_id:
            found = [clip.start for _, clip in preview.after.clips() if clip.id == clip_id]
            if found:
                return found[0]
    return None


def notes_drawing(notes: Sequence[Json], length: float) -> Notes:
    """The drawing of notes as a tool takes them (`n`: pitch, `s`: start, `d`: duration; in beats) in a clip of `length`
    beats; entries that are no notes are left out."""
    spans = [
        (float(note["s"]), float(note["d"]), int(note["n"]))
        for note in notes if isinstance(note, dict) and _is_note(note)
    ]
    return Notes(_scaled(spans, length))


def _is_note(note: dict[str, Json]) -> bool:
    return all(isinstance(note.get(key), int | float) and not isinstance(note.get(key), bool) for key in "nsd")


def _drawing(edit: Edit, before: Song, after: Song, palette: Palette) -> RowDrawing | None:
    match edit:
        case e.CreateTrack() | e.DuplicateTrack():
            return NewTrack()
        case e.CreateMidiClip(notes=notes, duration=length):
            return Notes(_scaled([(note.s, note.d, note.n) for note in notes], length))
        case e.ModifyClip(clip_id=clip_id) | e.TransformClip(clip_id=clip_id):
            return _clip(after, clip_id)
        case e.DuplicateClip(clip_id=clip_id) | e.SplitClip(clip_id=clip_id):
            return _clip(before, clip_id)
        case e.DeleteClip(clip_id=clip_id):
            return _clip(before, clip_id, gone=True)
        case e.DeleteTrack(track_id=track_id):
            return _track(before, track_id)
        case e.AddEffect(effect_name=name, params=params):
            return _settings(name, params, palette)
        case e.UpdateEffect(effect_id=effect_id):
            _, effect = after.effect(effect_id)
            return _settings(effect.name, dict(effect.params), palette)
        case e.SetAutomation(points=points):
            return _curve(points)
    return _value(edit, before, palette)


def _value(edit: Edit, before: Song, palette: Palette) -> ValueChange | None:
    match edit:
        case e.SetTempo(bpm=bpm, at_beat=at):
            return ValueChange(number(before.tempo_map.bpm(at)), number(bpm))
        case e.SetLoudness(target=target):
            return ValueChange(number(before.loudness_target), number(target))
        case e.SetSoundFont(track_id=track_id, file=file):
            was_file = before.soundfont if track_id is None else before.track(track_id).soundfont
            return ValueChange(was_file or "–", file or "–")
        case e.SetKey(tonic=tonic, mode=mode):
            return ValueChange(f"{before.key.tonic} {before.key.mode}", f"{tonic} {mode}".replace("_", " "))
        case e.SetChords(start_time=start, duration=length, chords=stated):
            was_here = (one.symbol for one in before.chords if one.start < start + length and one.end > start)
            return ValueChange(in_brief(was_here, 4) or "–", in_brief((spec.c for spec in stated), 4) or "–")
        case e.SetTimeSignature(beats=beats, unit=unit, at_beat=at):
            was = before.bar_map.meter_at(at)
            return ValueChange(f"{was.beats}/{was.unit}", f"{beats}/{unit}")
        case e.UpdateTrack():
            return _mix(edit, before.track(edit.track_id), palette)
    return None


def _mix(edit: e.UpdateTrack, was: Track, palette: Palette) -> ValueChange | None:
    if isinstance(edit.volume_db, float | int):
        return ValueChange(decibels(was.volume_db), tr("{volume_db} dB", volume_db=decibels(edit.volume_db)))
    if isinstance(edit.pan, float | int):
        return ValueChange(_side(was.pan), _side(edit.pan))
    if isinstance(edit.instrument, str):
        return ValueChange("", instrument_label(edit.instrument, palette))
    return None


def _side(pan: float) -> str:
    """A place between left and right in few letters: L 30, C, R 20."""
    return "C" if abs(pan) < CENTRE else f"{'L' if pan < 0 else 'R'} {abs(pan) * 100:.0f}"


def _clip(song: Song, clip_id: ClipId, *, gone: bool = False) -> Notes:
    _, clip = song.clip(clip_id)
    return Notes(_scaled(_spans(clip, 0), clip.duration), gone)


def _track(song: Song, track_id: TrackId) -> Notes:
    track = song.track(track_id)
    start = min((clip.start for clip in track.clips), default=0)
    spans = [span for clip in track.clips for span in _spans(clip, clip.start - start)]
    return Notes(_scaled(spans, max(1, track.end - start)), gone=True)


def _spans(clip: Clip, offset: int) -> list[tuple[float, float, int]]:
    return [(note.start + offset, note.duration, note.pitch) for note in clip.notes]


def _scaled(spans: Sequence[tuple[float, float, int]], length: float) -> tuple[tuple[float, float, float], ...]:
    if not spans or length <= 0:
        return ()
    lowest, highest = min(one[2] for one in spans), max(one[2] for one in spans)
    missing = max(0, _FEWEST_PITCHES - 1 - (highest - lowest))
    low, reach = lowest - missing / 2, highest - lowest + missing
    every = -(-len(spans) // MAX_DRAWN)
    return tuple(
        (_share(start / length), _share(lasting / length), _share((pitch - low) / reach))
        for start, lasting, pitch in spans[::every]
    )


def _share(value: float) -> float:
    return min(1.0, max(0.0, value))


def _settings(name: str, params: dict[str, float], palette: Palette) -> Settings | None:
    kind = next((one for one in palette.effects if one.name == name), None)
    if kind is None or not kind.params:
        return None
    return Settings(tuple(
        _share((params.get(one.name, one.default) - one.low) / ((one.high - one.low) or 1)) for one in kind.params
    ))


def _curve(points: Sequence[e.PointSpec]) -> Curve | None:
    if not points:
        return None
    times, values = [point.at for point in points], [point.value for point in points]
    span, reach = max(times) - min(times) or 1, max(values) - min(values) or 1
    low, first = min(values), min(times)
    return Curve(tuple((_share((point.at - first) / span), _share((point.value - low) / reach)) for point in points))


def target_of(step: Step, preview: RowPreview | None, base: Song | None, numbers: dict[str, int]) -> Target:
    """The track, or the song as a whole, that a row changes. `preview` is None for a row that cannot be foreseen,
    `base` is the song without the plan, `numbers` are the row numbers by step id."""
    if preview is not None and preview.edits:
        found = [_touched(edit, preview) for edit in preview.edits]
        distinct = {one.id if isinstance(one, Track) else one: one for one in found}
        if len(distinct) > 1:
            return Target(trn("{count} track", "{count} tracks", len(distinct)))
        touched = found[0]
        if isinstance(touched, Track):
            known = base is not None and any(track.id == touched.id for track in base.tracks)
            return Target(touched.name, touched.color, not known, touched.id)
        return Target(touched)
    return _named(step, base if preview is None else preview.before, numbers)


def _touched(edit: Edit, preview: RowPreview) -> Track | str:
    """The track of an edit as it is afterwards (or was before), or a word for what stands above all tracks."""
    track_id = getattr(edit, "new_track_id", None) or getattr(edit, "to_track_id", None)
    track_id = track_id if isinstance(track_id, str) else getattr(edit, "track_id", None)
    if track_id == MASTER:
        return tr("Master")
    for song in (preview.after, preview.before):
        track = track_in(song, track_id, getattr(edit, "clip_id", None), getattr(edit, "effect_id", None))
        if track is not None:
            return track
    return tr("Master") if hasattr(edit, "effect_id") else tr("Song")


def track_in(song: Song, track_id: Json = None, clip_id: Json = None, effect_id: Json = None) -> Track | None:
    """The track with the first of these ids that is given, or the one that holds that clip or effect; None if the song
    has none."""
    try:
        if track_id:
            return song.track(TrackId(track_id))
        if clip_id:
            return song.clip(ClipId(clip_id))[0]
        return song.effect(EffectId(effect_id))[0] if effect_id else None
    except SongError:
        return None


def _named(step: Step, song: Song | None, numbers: dict[str, int]) -> Target:
    """The target by the inputs alone, where the row cannot be foreseen."""
    inputs = step.inputs
    if isinstance(inputs.get("tracks"), list) and step.by == "model":
        return _of_goal(inputs["tracks"], song)
    for name in ("to_track_id", "track_id", "clip_id", "effect_id"):
        value = inputs.get(name)
        if value == MASTER:
            return Target(tr("Master"))
        if isinstance(value, str) and is_reference(value):
            source = value.strip().strip("{} ").split(".")[0].split("[")[0]
            return Target(tr("of step {number}", number=numbers[source]) if source in numbers else tr("each in turn"))
        if isinstance(value, str) and song is not None:
            found = track_in(song, **{name.removeprefix("to_"): value})
            if found is not None:
                return Target(found.name, found.color, id=found.id)
        if isinstance(value, str):
            return Target("–")
    if step.tool == "create_track" and "name" in inputs:
        return Target(str(inputs["name"]), new=True)
    return Target(tr("Song"))


def _of_goal(tracks: list[Json], song: Song | None) -> Target:
    """The tracks that a goal may change; those that it makes are not known yet."""
    if len(tracks) != 1:
        return Target(trn("{count} track", "{count} tracks", len(tracks)) if tracks else tr("New tracks"))
    found = None if song is None else track_in(song, tracks[0])
    if found is not None:
        return Target(found.name, found.color, id=found.id)
    return Target(tr("Master") if tracks[0] == MASTER else trn("{count} track", "{count} tracks", 1))


_FEWEST_SHOWN = 12

Drawn = tuple[int, int, int]
"""Start and length in ticks within the clip, and the pitch."""


class RowNotes(Struct, frozen=True):
    """Notes of one clip before and after a row: `kept`, `new` and `gone`. `length` is that of the longer version, in
    ticks; `low` and `high` are the pitches to show. `clip` holds the new notes, or held the removed ones."""

    clip: ClipId
    name: str
    length: int
    low: int
    high: int
    kept: tuple[Drawn, ...] = ()
    new: tuple[Drawn, ...] = ()
    gone: tuple[Drawn, ...] = ()

    @property
    def words(self) -> str:
        """ "12 notes: 4 new, 8 as before, 2 gone"."""
        count = len(self.kept) + len(self.new)
        parts = [
            tr("{count} new", count=len(self.new)) if self.new else "",
            tr("{count} as before", count=len(self.kept)) if self.kept else "",
            tr("{count} gone", count=len(self.gone)) if self.gone else "",
        ]
        said = ", ".join(part for part in parts if part)
        return f"{trn('{count} note', '{count} notes', count)}: {said}" if said else tr("No notes")


def row_notes(preview: RowPreview) -> RowNotes | None:
    """The notes of the first clip that a row changes; None if it writes into no clip."""
    for clip_id in _clips(preview):
        before, after = _clip_of(preview.before, clip_id), _clip_of(preview.after, clip_id)
        if before is not after and (before or after) is not None:
            return _compared(clip_id, before, after)
    return None


def _clips(preview: RowPreview) -> Iterator[ClipId]:
    for edit in preview.edits:
        for name in ("new_clip_id", "clip_id"):
            found = getattr(edit, name, None)
            if isinstance(found, str) and found:
                yield ClipId(found)


def _clip_of(song: Song, clip_id: ClipId) -> Clip | None:
    return next((clip for _, clip in song.clips() if clip.id == clip_id), None)


def _compared(clip_id: ClipId, before: Clip | None, after: Clip | None) -> RowNotes:
    old, new = _notes(before), _notes(after)
    was, now = set(old), set(new)
    pitches = [pitch for _, _, pitch in (*old, *new)] or [60]
    low, high = min(pitches), max(pitches)
    missing = max(0, _FEWEST_SHOWN - 1 - (high - low))
    shown = after or before
    return RowNotes(
        clip_id, "" if shown is None else shown.name,
        max([clip.duration for clip in (before, after) if clip is not None]), low - missing // 2,
        high + missing - missing // 2, tuple(note for note in new if note in was),
        tuple(note for note in new if note not in was), tuple(note for note in old if note not in now),
    )


def _notes(clip: Clip | None) -> Sequence[Drawn]:
    return () if clip is None else [(note.start, note.duration, note.pitch) for note in clip.notes]
