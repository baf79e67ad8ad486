"""Steps of a plan and what a plan reaches, in plain words."""

from __future__ import annotations

from agent.plan.plan import Step
from agent.review.preview import RowPreview
from agent.song import edits as e
from agent.song.clip import Clip
from agent.song.edits import Edit
from agent.song.ids import ClipId, EffectId
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.track import Track
from app.desktop.figures import bars_text, counted, decibels, number, panned
from app.desktop.row_previews import MASTER, effect_label, instrument_label, track_in

_LONGEST_TEXT = 60
_SHARES = ("mix", "amount")
"""Units of the effect table that go from 0 to 1."""


def step_sentence(step: Step, preview: RowPreview | None, palette: Palette) -> str:
    """One row in one sentence: what its edits do; where they cannot be foreseen its tool and inputs."""
    if step.by == "model":
        return step.goal or "Left to the model"
    if preview is None or not preview.edits:
        return _by_inputs(step)
    said = _edit(preview.edits[0], preview.before, preview.after, palette)
    more = len(preview.edits) - 1
    return f"{said}, and {counted(more, 'more change')} like it" if more else said


def bars_of(song: Song, start: int, end: int) -> str:
    """The bars that a stretch of ticks touches."""
    return bars_text(song.bar_map.bar_at(start), song.bar_map.bar_at(max(start, end - 1)))


def _by_inputs(step: Step) -> str:
    words = step.tool.rpartition(".")[2].replace("_", " ").capitalize()
    said = [f"“{step.inputs['name']}”"] if isinstance(step.inputs.get("name"), str) else []
    notes = step.inputs.get("notes")
    if isinstance(notes, list):
        said.append(counted(len(notes), "note"))
    said += [
        f"{name.replace('_', ' ')} {value if isinstance(value, str) else number(value)}"[:_LONGEST_TEXT]
        for name, value in step.inputs.items()
        if name != "name" and not name.endswith("_id") and isinstance(value, str | int | float)
        and not isinstance(value, bool)
    ]
    return f"{words}: {', '.join(said)}" if said else words


def _edit(edit: Edit, before: Song, after: Song, palette: Palette) -> str:
    match edit:
        case e.CreateMidiClip() | e.ModifyClip() | e.TransformClip() | e.DuplicateClip() | e.SplitClip() \
                | e.DeleteClip():
            return _clip_edit(edit, before, after)
        case e.CreateTrack() | e.UpdateTrack() | e.DeleteTrack() | e.DuplicateTrack() | e.SetAutomation():
            return _track_edit(edit, before, after, palette)
        case e.AddEffect() | e.UpdateEffect() | e.RemoveEffect():
            return _effect_edit(edit, before, palette)
    return _frame_edit(edit, before)


def _clip_edit(edit: Edit, before: Song, after: Song) -> str:
    match edit:
        case e.CreateMidiClip(notes=notes, start_time=start, duration=length):
            return f"Write {counted(len(notes), 'note')}, {bars_of(after, start, start + length)}"
        case e.ModifyClip():
            return _modified(edit, before, after)
        case e.TransformClip(clip_id=clip_id):
            return _transformed(edit, before.clip(clip_id)[1])
        case e.DuplicateClip(clip_id=clip_id, new_clip_id=new):
            return f"Copy {_clip_name(before, clip_id)} to {_where(after, after.clip(new)[1])}"
        case e.SplitClip(clip_id=clip_id, at_time=at):
            return f"Split {_clip_name(before, clip_id)} in bar {before.bar_map.bar_at(at)}"
        case e.DeleteClip(clip_id=clip_id):
            return f"Remove {_clip_name(before, clip_id)}, {_where(before, before.clip(clip_id)[1])}"
    return ""


def _where(song: Song, clip: Clip) -> str:
    return bars_of(song, clip.start, clip.end)


def _clip_name(song: Song, clip_id: ClipId) -> str:
    track, clip = song.clip(clip_id)
    return f"“{clip.name}”" if clip.name else f"a clip of {track.name}"


def _modified(edit: e.ModifyClip, before: Song, after: Song) -> str:
    clip, name = after.clip(edit.clip_id)[1], _clip_name(before, edit.clip_id)
    if isinstance(edit.notes, tuple):
        return f"Rewrite {name} with {counted(len(clip.notes), 'note')}, {_where(after, clip)}"
    said = []
    if edit.add_notes:
        said.append(f"add {counted(len(edit.add_notes), 'note')} to {name}")
    if edit.remove_notes:
        said.append(f"remove {counted(len(edit.remove_notes), 'note')} from {name}")
    if isinstance(edit.start_time, int) or isinstance(edit.to_track_id, str):
        said.append(f"move {name} to {after.clip(edit.clip_id)[0].name}, {_where(after, clip)}")
    if isinstance(edit.duration, int):
        said.append(f"make {name} {number(edit.duration / 960)} beats long")
    if isinstance(edit.name, str):
        said.append(f"rename {name} to “{edit.name}”")
    text = ", ".join(said) or f"leave {name} as it is"
    return text[0].upper() + text[1:]


def _transformed(edit: e.TransformClip, clip: Clip) -> str:
    name = f"“{clip.name}”" if clip.name else "the clip"
    match edit.operation:
        case "transpose":
            way = "up" if edit.semitones >= 0 else "down"
            return f"Transpose {name} {way} by {counted(abs(edit.semitones), 'semitone')}"
        case "quantize":
            return f"Quantize {name} to {number(edit.grid / 960, 3)} beats"
        case "scale_velocity":
            return f"Scale the velocities of {name} to {edit.factor:.0%}"
        case "stretch":
            return f"Stretch {name} to {edit.factor:.0%} of its length"
        case "thin":
            return f"Thin {name} to {edit.keep:.0%} of its notes"
    return f"{edit.operation.capitalize()} {name}"


def _track_edit(edit: Edit, before: Song, after: Song, palette: Palette) -> str:
    match edit:
        case e.CreateTrack(name=name, instrument=instrument):
            return f"Add a track, “{name}”, played on {instrument_label(instrument, palette)}"
        case e.UpdateTrack(track_id=track_id):
            return _updated(edit, before.track(track_id), palette)
        case e.DeleteTrack(track_id=track_id):
            track = before.track(track_id)
            return f"Remove {track.name} with {counted(len(track.clips), 'clip')}"
        case e.DuplicateTrack(track_id=track_id, new_track_id=new):
            return f"Copy {before.track(track_id).name} as “{after.track(new).name}”"
        case e.SetAutomation(track_id=track_id, target=target, points=points):
            what = f"{_automated(target, before)} of {_owner(before, track_id)}"
            said = f"Draw the {what} with {counted(len(points), 'point')}"
            return said if points else f"Remove the curve of the {what}"
    return ""


def _automated(target: str, song: Song) -> str:
    head, _, param = target.partition(".")
    if not param:
        return {"volume_db": "volume"}.get(target, target)
    track = track_in(song, None, None, EffectId(head))
    name = song.effect(EffectId(head))[1].name if track is not None else "effect"
    return f"{name} {param.replace('_', ' ')}"


def _owner(song: Song, track_id: str) -> str:
    if track_id == MASTER:
        return "the mix"
    track = track_in(song, track_id)
    return track.name if track is not None else "the track"


def _updated(edit: e.UpdateTrack, was: Track, palette: Palette) -> str:
    said = []
    if isinstance(edit.instrument, str):
        said.append(f"play {was.name} on {instrument_label(edit.instrument, palette)}")
    if isinstance(edit.volume_db, float | int):
        verb = "lower" if edit.volume_db < was.volume_db else "raise"
        said.append(f"{verb} {was.name} from {decibels(was.volume_db)} to {decibels(edit.volume_db)} dB")
    if isinstance(edit.pan, float | int):
        said.append(f"pan {was.name} to {panned(edit.pan)}")
    if isinstance(edit.mute, bool):
        said.append(f"{'mute' if edit.mute else 'unmute'} {was.name}")
    if isinstance(edit.name, str):
        said.append(f"rename {was.name} to “{edit.name}”")
    if isinstance(edit.color, str):
        said.append(f"give {was.name} another colour")
    if isinstance(edit.position, int):
        said.append(f"move {was.name} to place {edit.position + 1}")
    text = ", ".join(said) or f"leave {was.name} as it is"
    return text[0].upper() + text[1:]


def _effect_edit(edit: Edit, before: Song, palette: Palette) -> str:
    match edit:
        case e.AddEffect(track_id=track_id, effect_name=name, params=params):
            said = _params(name, params, palette)
            label = effect_label(name, palette).lower()
            return f"Add {label} to {_owner(before, track_id)}{f', {said}' if said else ''}"
        case e.UpdateEffect(effect_id=effect_id, params=params, enabled=enabled):
            track, effect = before.effect(effect_id)
            label, owner = effect_label(effect.name, palette).lower(), track.name if track is not None else "the mix"
            if isinstance(enabled, bool) and not params:
                return f"Switch {label} on {owner} {'on' if enabled else 'off'}"
            return f"Set {label} on {owner}: {_params(effect.name, params, palette)}"
        case e.RemoveEffect(effect_id=effect_id):
            track, effect = before.effect(effect_id)
            return f"Remove {effect_label(effect.name, palette).lower()} from {track.name if track else 'the mix'}"
    return ""


def _params(name: str, params: dict[str, float], palette: Palette) -> str:
    kind = next((one for one in palette.effects if one.name == name), None)
    units = {one.name: one.unit for one in kind.params} if kind is not None else {}
    return ", ".join(_param(key, value, units.get(key, "")) for key, value in params.items())


def _param(name: str, value: float, unit: str) -> str:
    words = name.replace("_", " ")
    if unit in _SHARES:
        return f"{words} {value:.0%}"
    return f"{words} {number(value)} {unit}".rstrip()


def _frame_edit(edit: Edit, before: Song) -> str:
    match edit:
        case e.SetTempo(bpm=bpm, at_beat=at):
            was = before.tempo_map.bpm(at)
            verb = "Slow the song" if bpm < was else "Speed the song up"
            place = f", from bar {before.bar_map.bar_at(at)} on" if at else ""
            return f"{verb} from {number(was)} to {number(bpm)} BPM{place}"
        case e.SetTimeSignature(beats=beats, unit=unit, at_beat=at):
            return f"Set the meter to {beats}/{unit}" + (f" from bar {before.bar_map.bar_at(at)} on" if at else "")
        case e.SetKey(tonic=tonic, mode=mode):
            return f"Set the key to {tonic} {mode.replace('_', ' ')}"
        case e.SetLoudness(target=target):
            return f"Bring the mix to {number(target)} LUFS"
        case e.RenameSong(name=name):
            return f"Name the song “{name}”"
        case e.AddSection(name=name, start_time=start, duration=length):
            return f"Add the section “{name}”, {bars_of(before, start, start + length)}"
        case e.UpdateSection(section_id=section):
            return f"Change the section “{before.section(section).name}”"
        case e.DeleteSection(section_id=section):
            return f"Remove the section “{before.section(section).name}”, its clips stay"
    return ""
