"""Steps of a plan and what a plan reaches, in plain words."""

from __future__ import annotations

from collections.abc import Sequence

from agent.plan.plan import Step
from agent.review.preview import RowPreview
from agent.song import edits as e
from agent.song.changes import Changes
from agent.song.chart import in_brief
from agent.song.clip import Clip
from agent.song.edits import Edit
from agent.song.ids import MASTER, ClipId, EffectId, TrackId
from agent.song.key import Key
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.time import to_beats
from agent.song.track import Track
from app.i18n import lazy, tr, trn
from app.viewmodels.edits.effect_values import parameter_in_words
from app.viewmodels.plan.row_previews import track_in
from app.viewmodels.texts.color_words import color_in_words
from app.viewmodels.texts.figures import bars_text, decibels, number, panned
from app.viewmodels.texts.key_words import key_in_words
from app.viewmodels.texts.palette_words import effect_label, instrument_label
from app.viewmodels.texts.places import touched_bars

_LONGEST_TEXT = 60
_SHARES = ("mix", "amount")
"""Units of the effect table that go from 0 to 1."""


def step_sentence(step: Step, preview: RowPreview | None, palette: Palette) -> str:
    """One row in one sentence: what its edits do, or its tool and inputs if they cannot be foreseen (`preview` is None
    or has no edits)."""
    if step.by == "model":
        return step.goal or tr("Left to the model")
    if preview is None or not preview.edits:
        return _by_inputs(step)
    said = _edit(preview.edits[0], preview.before, preview.after, palette)
    more = len(preview.edits) - 1
    if not more:
        return said
    return trn("{said}, and {count:,} more change like it", "{said}, and {count:,} more changes like it", more,
               said=said)


def bars_of(song: Song, start: int, end: int) -> str:
    """The bars that the ticks from `start` to `end` touch, in words: "bars 1–4"."""
    return bars_text(*touched_bars(song.bar_map, start, end))


def _by_inputs(step: Step) -> str:
    words = step.tool.rpartition(".")[2].replace("_", " ").capitalize()
    said = [f"“{step.inputs['name']}”"] if isinstance(step.inputs.get("name"), str) else []
    notes = step.inputs.get("notes")
    if isinstance(notes, list):
        said.append(_notes(len(notes)))
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
            bars = bars_of(after, start, start + length)
            return trn("Write {count:,} note, {bars}", "Write {count:,} notes, {bars}", len(notes), bars=bars)
        case e.ModifyClip():
            return _modified(edit, before, after)
        case e.TransformClip(clip_id=clip_id):
            return _transformed(edit, before.clip(clip_id)[1])
        case e.DuplicateClip(clip_id=clip_id, new_clip_id=new):
            bars = _where(after, after.clip(new)[1])
            return tr("Copy {clip} to {bars}", clip=_clip_name(before, clip_id), bars=bars)
        case e.SplitClip(clip_id=clip_id, at_time=at):
            return tr("Split {clip} in bar {bar}", clip=_clip_name(before, clip_id), bar=before.bar_map.bar_at(at))
        case e.DeleteClip(clip_id=clip_id):
            bars = _where(before, before.clip(clip_id)[1])
            return tr("Remove {clip}, {bars}", clip=_clip_name(before, clip_id), bars=bars)
    return ""


def _where(song: Song, clip: Clip) -> str:
    return bars_of(song, clip.start, clip.end)


def _clip_name(song: Song, clip_id: ClipId) -> str:
    track, clip = song.clip(clip_id)
    return f"“{clip.name}”" if clip.name else tr("a clip of {track}", track=track.name)


def _modified(edit: e.ModifyClip, before: Song, after: Song) -> str:
    clip, name = after.clip(edit.clip_id)[1], _clip_name(before, edit.clip_id)
    if isinstance(edit.notes, tuple):
        return tr("Rewrite {clip} with {notes}, {bars}", clip=name, notes=_notes(len(clip.notes)),
                  bars=_where(after, clip))
    said = []
    if edit.add_notes:
        said.append(tr("add {notes} to {clip}", notes=_notes(len(edit.add_notes)), clip=name))
    if edit.remove_notes:
        said.append(tr("remove {notes} from {clip}", notes=_notes(len(edit.remove_notes)), clip=name))
    if isinstance(edit.start_time, int) or isinstance(edit.to_track_id, str):
        track = after.clip(edit.clip_id)[0].name
        said.append(tr("move {clip} to {track}, {bars}", clip=name, track=track, bars=_where(after, clip)))
    if isinstance(edit.duration, int):
        said.append(tr("make {clip} {beats} beats long", clip=name, beats=number(to_beats(edit.duration))))
    if isinstance(edit.name, str):
        said.append(tr("rename {what} to “{name}”", what=name, name=edit.name))
    text = ", ".join(said) or tr("leave {what} as it is", what=name)
    return text[0].upper() + text[1:]


def _transformed(edit: e.TransformClip, clip: Clip) -> str:
    name = f"“{clip.name}”" if clip.name else tr("the clip")
    match edit.operation:
        case "transpose":
            if edit.semitones >= 0:
                return trn("Transpose {clip} up by {count:,} semitone", "Transpose {clip} up by {count:,} semitones",
                           edit.semitones, clip=name)
            return trn("Transpose {clip} down by {count:,} semitone", "Transpose {clip} down by {count:,} semitones",
                       -edit.semitones, clip=name)
        case "quantize":
            return tr("Quantize {clip} to {beats} beats", clip=name, beats=number(to_beats(edit.grid), 3))
        case "scale_velocity":
            return tr("Scale the velocities of {clip} to {share:.0%}", clip=name, share=edit.factor)
        case "stretch":
            return tr("Stretch {clip} to {share:.0%} of its length", clip=name, share=edit.factor)
        case "thin":
            return tr("Thin {clip} to {share:.0%} of its notes", clip=name, share=edit.keep)
        case "humanize":
            return tr("Humanize {clip}", clip=name)
    return tr("Reverse {clip}", clip=name)


def _track_edit(edit: Edit, before: Song, after: Song, palette: Palette) -> str:
    match edit:
        case e.CreateTrack(name=name, instrument=instrument):
            return tr("Add a track, “{name}”, played on {instrument}", name=name,
                      instrument=instrument_label(instrument, palette))
        case e.UpdateTrack(track_id=track_id):
            return _updated(edit, before.track(track_id), palette)
        case e.DeleteTrack(track_id=track_id):
            track = before.track(track_id)
            return trn("Remove {track} with {count:,} clip", "Remove {track} with {count:,} clips", len(track.clips),
                       track=track.name)
        case e.DuplicateTrack(track_id=track_id, new_track_id=new):
            return tr("Copy {track} as “{name}”", track=before.track(track_id).name, name=after.track(new).name)
        case e.SetAutomation(track_id=track_id, target=target, points=points):
            what = tr("{target} of {owner}", target=_automated(target, before), owner=_owner(before, track_id))
            if not points:
                return tr("Remove the curve of the {what}", what=what)
            return trn("Draw the {what} with {count:,} point", "Draw the {what} with {count:,} points", len(points),
                       what=what)
    return ""


def _automated(target: str, song: Song) -> str:
    head, _, param = target.partition(".")
    if not param:
        return _lane(target)
    track = track_in(song, None, None, EffectId(head))
    name = song.effect(EffectId(head))[1].name if track is not None else tr("effect")
    return f"{name} {parameter_in_words(param)}"


def _lane(target: str) -> str:
    known = {"volume_db": tr("volume"), "pan": tr("pan"), "pedal": tr("pedal"), "bend": tr("pitch bend"),
             "expression": tr("expression"), "modulation": tr("modulation")}
    return known.get(target, target)


def _owner(song: Song, track_id: str) -> str:
    if track_id == MASTER:
        return tr("the mix")
    track = track_in(song, track_id)
    return track.name if track is not None else tr("the track")


def _updated(edit: e.UpdateTrack, was: Track, palette: Palette) -> str:
    said = []
    if isinstance(edit.instrument, str):
        label = instrument_label(edit.instrument, palette)
        said.append(tr("play {track} on {instrument}", track=was.name, instrument=label))
    if isinstance(edit.volume_db, float | int):
        old, new = decibels(was.volume_db), decibels(edit.volume_db)
        lower = tr("lower {track} from {old} to {new} dB", track=was.name, old=old, new=new)
        louder = tr("raise {track} from {old} to {new} dB", track=was.name, old=old, new=new)
        said.append(lower if edit.volume_db < was.volume_db else louder)
    if isinstance(edit.pan, float | int):
        said.append(tr("pan {track} to {place}", track=was.name, place=panned(edit.pan)))
    if isinstance(edit.mute, bool):
        said.append(tr("mute {track}", track=was.name) if edit.mute else tr("unmute {track}", track=was.name))
    if isinstance(edit.name, str):
        said.append(tr("rename {what} to “{name}”", what=was.name, name=edit.name))
    if isinstance(edit.color, str):
        said.append(tr("give {track} the colour {color}", track=was.name, color=color_in_words(edit.color)))
    if isinstance(edit.position, int):
        said.append(tr("move {track} to place {place}", track=was.name, place=edit.position + 1))
    text = ", ".join(said) or tr("leave {what} as it is", what=was.name)
    return text[0].upper() + text[1:]


def _effect_edit(edit: Edit, before: Song, palette: Palette) -> str:
    match edit:
        case e.AddEffect(track_id=track_id, effect_name=name, params=params):
            said = _params(name, params, palette)
            label = effect_label(name, palette).lower()
            owner = _owner(before, track_id)
            if not said:
                return tr("Add {effect} to {owner}", effect=label, owner=owner)
            return tr("Add {effect} to {owner}, {values}", effect=label, owner=owner, values=said)
        case e.UpdateEffect(effect_id=effect_id, params=params, enabled=enabled):
            track, effect = before.effect(effect_id)
            label = effect_label(effect.name, palette).lower()
            owner = track.name if track is not None else tr("the mix")
            if isinstance(enabled, bool) and not params:
                on = tr("Switch {effect} on {owner} on", effect=label, owner=owner)
                return on if enabled else tr("Switch {effect} on {owner} off", effect=label, owner=owner)
            values = _params(effect.name, params, palette)
            return tr("Set {effect} on {owner}: {values}", effect=label, owner=owner, values=values)
        case e.RemoveEffect(effect_id=effect_id):
            track, effect = before.effect(effect_id)
            return tr("Remove {effect} from {owner}", effect=effect_label(effect.name, palette).lower(),
                      owner=track.name if track else tr("the mix"))
    return ""


def _params(name: str, params: dict[str, float], palette: Palette) -> str:
    kind = next((one for one in palette.effects if one.name == name), None)
    units = {one.name: one.unit for one in kind.params} if kind is not None else {}
    return ", ".join(_param(key, value, units.get(key, "")) for key, value in params.items())


def _param(name: str, value: float, unit: str) -> str:
    words = parameter_in_words(name)
    if unit in _SHARES:
        return f"{words} {value:.0%}"
    return f"{words} {number(value)} {unit}".rstrip()


def _frame_edit(edit: Edit, before: Song) -> str:
    match edit:
        case e.SetTempo(bpm=bpm, at_beat=at):
            was = before.tempo_map.bpm(at)
            slow = tr("Slow the song from {old} to {new} BPM", old=number(was), new=number(bpm))
            fast = tr("Speed the song up from {old} to {new} BPM", old=number(was), new=number(bpm))
            return _from_bar(slow if bpm < was else fast, before, at)
        case e.SetTimeSignature(beats=beats, unit=unit, at_beat=at):
            return _from_bar(tr("Set the meter to {meter}", meter=f"{beats}/{unit}"), before, at)
        case e.SetKey(tonic=tonic, mode=mode):
            return tr("Set the key to {key}", key=key_in_words(Key(tonic, mode)))
        case e.SetChords(start_time=start, duration=length, chords=stated):
            bars = bars_of(before, start, start + length)
            symbols = in_brief(spec.c for spec in stated)
            if not symbols:
                return tr("Take the stated chords away, {bars}", bars=bars)
            return tr("Set the chords {chords}, {bars}", chords=symbols, bars=bars)
        case e.SetLoudness(target=target):
            return tr("Bring the mix to {loudness} LUFS", loudness=number(target))
        case e.SetSoundFont(track_id=track, file=file):
            return _font_edit(track, file, before)
        case e.RenameSong(name=name):
            return tr("Name the song “{name}”", name=name)
        case e.AddSection(name=name, start_time=start, duration=length):
            return tr("Add the section “{name}”, {bars}", name=name, bars=bars_of(before, start, start + length))
        case e.UpdateSection(section_id=section):
            return tr("Change the section “{name}”", name=before.section(section).name)
        case e.DeleteSection(section_id=section):
            return tr("Remove the section “{name}”, its clips stay", name=before.section(section).name)
    return ""


def _font_edit(track: TrackId | None, file: str, before: Song) -> str:
    if track is None:
        return tr("Play the song from {file}", file=file) if file else tr("Play the song from the bank again")
    name = before.track(track).name
    if not file:
        return tr("Play “{name}” from the bank again", name=name)
    return tr("Play “{name}” from {file}", name=name, file=file)


def _from_bar(said: str, song: Song, at: int) -> str:
    return tr("{said}, from bar {bar} on", said=said, bar=song.bar_map.bar_at(at)) if at else said


def _notes(count: int) -> str:
    return trn("{count:,} note", "{count:,} notes", count)


NOTHING = lazy("Changes nothing in the song.")


def changes_text(song: Song, ghost: Song, changes: Changes) -> str:
    """What differs between the song and its preview, in one sentence: "Changes 6 tracks, bars 1–40."."""
    if changes.empty:
        return tr(NOTHING)
    # A sound or a mix is heard in every bar, a clip only where it stands.
    whole = bool(changes.song) or any(track.fields for track in changes.tracks)
    touched = frozenset(clip.clip_id for track in changes.tracks for clip in track.clips)
    start, end = (0, max(song.end, ghost.end)) if whole else _span((song, ghost), touched)
    count = len(changes.tracks)
    subject = trn("{count} track", "{count} tracks", count) if count else tr("the song")
    if end <= start:
        return tr("Changes {subject}.", subject=subject)
    return tr("Changes {subject}, {bars}.", subject=subject, bars=bars_of(ghost, start, end))


def _span(songs: Sequence[Song], touched: frozenset[ClipId]) -> tuple[int, int]:
    clips = [clip for song in songs for _, clip in song.clips() if clip.id in touched]
    return min((clip.start for clip in clips), default=0), max((clip.end for clip in clips), default=0)
