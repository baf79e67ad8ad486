"""The proposal: rows that turn the song into its sketch, one for each object that differs, none that does nothing."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from types import MappingProxyType

from msgspec import UNSET, structs

from agent.composer.changing.differing import CHORDS, KEY, LOUDNESS, METER, NAME, TEMPO, font_key
from agent.composer.changing.hearing.listening import roles_of
from agent.composer.changing.report.row_order import is_move, rows_in_order
from agent.composer.changing.sketch import Reason, Sketch
from agent.composer.roles import GROUPS
from agent.composer.rows import CLEARING, EFFECT_REASONS, FORM, FRAME, MASTER, Rows
from agent.plan.plan import Inputs, Json, StepId
from agent.song import edits as e
from agent.song.apply import apply
from agent.song.chart import in_brief
from agent.song.clip import Note
from agent.song.ids import MASTER as MASTER_ID
from agent.song.ids import TrackId
from agent.song.song import Song
from agent.song.time import Ticks, to_beats

ROOM, MOVING_UP = "Making room", "Moving up"
"""Groups for rows that only move clips later or earlier."""
_LONGEST_NAME = 120
_MOST = 0.5
"""Share of a clip's notes that must stay for a row to name only those that change."""


NOTHING_MADE: Mapping[str, StepId] = MappingProxyType({})
"""No rows yet that make objects, by the object's id."""


class RowWriter:
    """Writes the plan's rows for the difference between the song and its sketch; `serving` has the ids of the rows by
    task."""

    def __init__(self, sketch: Sketch, rows: Rows, made: Mapping[str, StepId] = NOTHING_MADE) -> None:
        self._sketch = sketch
        self._rows = rows
        self._made = dict(made)
        self._groups = _groups(sketch)
        self.serving: dict[int, tuple[StepId, ...]] = {}
        """Ids of the rows for each task, in order."""
        self.keys: dict[StepId, str] = {}
        """For each row the id of the object that it changes, or the key of a field of the song."""

    def write(self, only: Container[str] | None = None) -> Iterator[None]:
        """Write all rows, or only those about the objects whose keys are in `only`; yields after each row."""
        song = self._sketch.before
        for edit in rows_in_order(song, self._sketch.song):
            changed = apply(song, edit)
            if changed != song:
                if only is None or self._told(edit, song)[0] in only:
                    self._row(edit, song)
                song = changed
                yield

    def _row(self, edit: e.Edit, song: Song) -> None:
        key, title, group = self._told(edit, song)
        reasons = self._sketch.touched.get(key, [])
        why = "; ".join(dict.fromkeys(reason.why for reason in reasons if reason.why))
        if isinstance(edit, e.AddEffect):
            why = why or EFFECT_REASONS.get(edit.effect_name, "")
        inputs = self._inputs(edit, song)
        if isinstance(edit, e.ModifyClip) and len(inputs) == 1:
            return
        step = self._rows.add(_tool(edit), inputs, title=_titled(title, reasons, edit), group=group, why=why)
        self.keys[step] = key
        if _tool(edit) in _MAKING:
            self._made.setdefault(getattr(edit, _MAKING[_tool(edit)]), step)
        for task in dict.fromkeys(reason.task for reason in reasons):
            self.serving[task] = (*self.serving.get(task, ()), step)

    def _told(self, edit: e.Edit, song: Song) -> tuple[str, str, str]:
        """The key of the edit's object, the row's title, and its group."""
        match edit:
            case e.RenameSong():
                return NAME, f"Name it {edit.name!r}", FRAME
            case e.SetKey():
                return KEY, f"Key {self._sketch.song.key}", FRAME
            case e.SetTempo():
                return TEMPO, f"Tempo {edit.bpm:g} BPM{_from(edit.at_beat)}", FRAME
            case e.SetTimeSignature():
                return METER, f"Meter {edit.beats}/{edit.unit}{_from(edit.at_beat)}", FRAME
            case e.SetChords():
                symbols = in_brief(spec.c for spec in edit.chords)
                title = f"Chords {symbols}" if symbols else "No stated chords"
                return CHORDS, f"{title}{_from(edit.start_time)}", FRAME
            case e.SetLoudness():
                words = f"Loudness {edit.target:g} LUFS".replace("-", "\N{MINUS SIGN}")
                return LOUDNESS, words, FRAME
            case e.SetSoundFont():
                name = self._sketch.song.track(edit.track_id).name if edit.track_id else "the song"
                group = self._groups.get(edit.track_id, "") if edit.track_id else FRAME
                title = f"{name[:1].upper()}{name[1:]} from {edit.file or 'the bank'}"
                return font_key(edit.track_id), title, group
            case e.AddSection():
                return edit.section_id, f"Section {edit.name}", FORM
            case e.UpdateSection():
                return edit.section_id, _section(edit, song), FORM
            case e.DeleteSection():
                return edit.section_id, f"Remove section {song.section(edit.section_id).name}", FORM
            case _:
                return self._told_of_track(edit, song)

    def _told_of_track(self, edit: e.Edit, song: Song) -> tuple[str, str, str]:
        group = self._groups
        match edit:
            case e.CreateTrack():
                return edit.track_id, f"Track {edit.name}", group.get(edit.track_id, "")
            case e.UpdateTrack():
                return edit.track_id, self._mixed(edit, song), group.get(edit.track_id, "")
            case e.DeleteTrack():
                return edit.track_id, f"Remove {song.track(edit.track_id).name}", CLEARING
            case e.CreateMidiClip():
                name = f"{song.track(edit.track_id).name}: {edit.name}"
                return edit.clip_id, name, group.get(edit.track_id, "")
            case e.ModifyClip() if is_move(edit):
                track, clip = song.clip(edit.clip_id)
                by = _by(clip.start, edit.start_time, song)
                later = isinstance(edit.start_time, int) and edit.start_time > clip.start
                return edit.clip_id, f"{track.name}: {clip.name} {by}", ROOM if later else MOVING_UP
            case e.ModifyClip() | e.DeleteClip():
                track, clip = song.clip(edit.clip_id)
                gone = isinstance(edit, e.DeleteClip)
                title = f"Remove {clip.name} of {track.name}" if gone else f"{track.name}: {clip.name}"
                return edit.clip_id, title, group.get(track.id, "")
            case e.AddEffect():
                owner = "the mix" if edit.track_id == MASTER_ID else song.track(edit.track_id).name
                called = self._sketch.palette.label(edit.effect_name)
                return edit.effect_id, f"{called} on {owner}", group.get(edit.track_id, MASTER)
            case e.UpdateEffect() | e.RemoveEffect():
                track_, effect = song.effect(edit.effect_id)
                owner = "the mix" if track_ is None else track_.name
                called = self._sketch.palette.label(effect.name)
                verb = f"{called} of" if isinstance(edit, e.UpdateEffect) else f"No {called.lower()} on"
                return edit.effect_id, f"{verb} {owner}", group.get(track_.id, "") if track_ else MASTER
            case e.SetAutomation():
                what = edit.target.replace("_db", "").replace("_", " ")
                title = f"{song.track(edit.track_id).name}: {what} over time"
                return f"{edit.track_id}:{edit.target}", title, group.get(edit.track_id, "")
            case _:
                raise AssertionError(edit)

    def _mixed(self, edit: e.UpdateTrack, song: Song) -> str:
        name = song.track(edit.track_id).name
        if isinstance(edit.instrument, str):
            renamed = f", now called {edit.name}" if isinstance(edit.name, str) else ""
            return f"{name} on {self._sketch.palette.label(edit.instrument)}{renamed}"
        if isinstance(edit.name, str):
            return f"{name} becomes {edit.name}"
        return f"Mix of {name}"

    def _inputs(self, edit: e.Edit, song: Song) -> Inputs:
        """What the tool takes: times in beats, made objects as references, defaults left out."""
        inputs: Inputs = {}
        for name in edit.__struct_fields__:
            value = getattr(edit, name)
            if value is UNSET or (_tool(edit) in _MAKING and name == _MAKING[_tool(edit)]):
                continue
            if name == "notes" and isinstance(edit, e.ModifyClip):
                inputs |= _notes(edit, song)
            elif value != _default(edit, name) or name in _SAID:
                inputs[name] = self._written(name, value)
        if isinstance(edit, e.AddEffect | e.UpdateEffect) and _is_last(edit, song):
            inputs.pop("position", None)
        if isinstance(edit, e.UpdateEffect):
            inputs |= _only_changed(edit, song)
        if isinstance(edit, e.UpdateSection):
            section = song.section(edit.section_id)
            same = {"name": section.name, "start_time": to_beats(section.start), "duration": to_beats(section.duration)}
            inputs = {name: value for name, value in inputs.items() if same.get(name) != value}
        return {name: value for name, value in inputs.items() if value != {}} | (
            {"params": inputs.get("params", {})} if isinstance(edit, e.AddEffect) else {}
        )

    def _written(self, name: str, value: Json) -> Json:
        if name in _TIMES:
            return to_beats(value)
        if name == "name":
            return _plain_name(value)
        if name == "notes":
            return [_note(spec) for spec in value]
        if name == "points":
            return [{"at": to_beats(point.at), "value": point.value} for point in value]
        if name == "chords":
            return [{"c": spec.c, "s": to_beats(spec.s), "d": to_beats(spec.d)} for spec in value]
        if name in _REFERRING and value in self._made:
            return f"{{{{{self._made[value]}.{name.removeprefix('to_')}}}}}"
        if name == "target" and isinstance(value, str) and value.partition(".")[0] in self._made:
            effect, _, param = value.partition(".")
            return f"{{{{{self._made[effect]}.effect_id}}}}.{param}"
        return list(value) if isinstance(value, tuple) else value


_MAKING = {
    "create_track": "track_id", "create_midi_clip": "clip_id", "add_effect": "effect_id", "add_section": "section_id",
}
_REFERRING = ("track_id", "to_track_id", "clip_id", "effect_id", "section_id")
_TIMES = ("start_time", "duration", "at_beat")
_SAID = ("volume_db", "name", "instrument")
"""Inputs that are written although they are the default: a reader looks for them."""


def _tool(edit: e.Edit) -> str:
    return str(edit.__struct_config__.tag)


def _default(edit: e.Edit, name: str) -> Json:
    fields = {field.name: field for field in structs.fields(edit)}
    return fields[name].default


def _groups(sketch: Sketch) -> dict[TrackId, str]:
    roles = {**roles_of(sketch.before, sketch.palette), **roles_of(sketch.song, sketch.palette)}
    return {track: GROUPS[role] for track, role in roles.items()}


def _section(edit: e.UpdateSection, song: Song) -> str:
    """A section's row: where it now lies, how long it now is, or both."""
    was = song.section(edit.section_id)
    said = [f"Section {edit.name if isinstance(edit.name, str) else was.name}"]
    if isinstance(edit.start_time, int) and edit.start_time != was.start:
        said.append(_by(was.start, edit.start_time, song))
    if isinstance(edit.duration, int) and edit.duration != was.duration:
        said.append("longer" if edit.duration > was.duration else "shorter")
    return " ".join(said)


def _by(was: int, now: object, song: Song) -> str:
    """How far something moves: in bars, where it is whole bars, else in beats."""
    assert isinstance(now, int)
    way, by = ("later" if now > was else "earlier"), abs(now - was)
    bar = song.bar_map.meter_at(min(now, was)).bar_length
    size, unit = (by // bar, "bar") if by % bar == 0 else (by / 960, "beat")
    return f"{size:g} {unit}{'' if size == 1 else 's'} {way}"


def _titled(title: str, reasons: Sequence[Reason], edit: e.Edit) -> str:
    verbs = ", ".join(dict.fromkeys(reason.verb for reason in reasons if reason.verb))
    return f"{title} {verbs}" if verbs and isinstance(edit, e.ModifyClip) and not is_move(edit) else title


def _from(at: int) -> str:
    return f" from beat {to_beats(at):g}" if at else ""


def _plain_name(name: str) -> str:
    """A name of the song as a row may give it: never empty, not too long, and never read as a reference."""
    while "{{" in name:
        name = name.replace("{{", "{ {")
    return name[:_LONGEST_NAME] or "Untitled"


def _note(spec: e.NoteSpec) -> Json:
    return {"n": spec.n, "s": to_beats(spec.s), "d": to_beats(spec.d), "v": spec.v}


def _notes(edit: e.ModifyClip, song: Song) -> Inputs:
    """All notes of a clip, or only those that change where most stay."""
    assert isinstance(edit.notes, tuple)
    _, clip = song.clip(edit.clip_id)
    wanted = [spec.note() for spec in edit.notes]
    if isinstance(edit.duration, int) and _sounds(wanted) == _sounds(_cut(clip.notes, edit.duration)):
        return {}
    old, new = {_sound(note) for note in clip.notes}, {_sound(note) for note in wanted}
    stays = isinstance(edit.duration, int) or len(old & new) < _MOST * len(clip.notes)
    if stays or len(old) < len(clip.notes) or len(new) < len(wanted):
        return {"notes": [_note(spec) for spec in edit.notes]}
    changed: Inputs = {
        "remove_notes": [note.id for note in clip.notes if _sound(note) not in new],
        "add_notes": [_note(spec) for spec in edit.notes if _sound(spec.note()) not in old],
    }
    return {name: value for name, value in changed.items() if value}


def _cut(notes: Sequence[Note], length: int) -> list[Note]:
    """The notes that a clip cut to a length keeps."""
    return [
        note if note.end <= length else structs.replace(note, duration=Ticks(length - note.start))
        for note in notes if note.start < length
    ]


def _sounds(notes: Sequence[Note]) -> list[tuple[int, int, int, int]]:
    return sorted(_sound(note) for note in notes)


def _sound(note: Note) -> tuple[int, int, int, int]:
    return note.start, note.pitch, note.duration, note.velocity


def _is_last(edit: e.AddEffect | e.UpdateEffect, song: Song) -> bool:
    """Whether the place in the chain is the one it has, or would get, anyway."""
    if isinstance(edit, e.AddEffect):
        chain = song.master_effects if edit.track_id == MASTER_ID else song.track(edit.track_id).effects
        return edit.position is None or edit.position >= len(chain)
    track, effect = song.effect(edit.effect_id)
    chain = song.master_effects if track is None else track.effects
    return not isinstance(edit.position, int) or chain.index(effect) == edit.position


def _only_changed(edit: e.UpdateEffect, song: Song) -> Inputs:
    _, effect = song.effect(edit.effect_id)
    now = dict(effect.params)
    return {"params": {name: value for name, value in edit.params.items() if now.get(name) != value}}
