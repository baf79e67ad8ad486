"""`edits_between(a, b)`: edits that turn one song into the other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from msgspec import UNSET

from agent.song import edits as e
from agent.song.clip import Clip
from agent.song.ids import MASTER, ClipId, TrackId
from agent.song.song import Song
from agent.song.time import Ticks
from agent.song.track import Effect, Track


def edits_between(before: Song, after: Song) -> tuple[e.Edit, ...]:
    """Edits e with apply_all(before, e) == after, for songs that keep the rules; none if they are equal."""
    return (
        *_frame(before, after), *_chords(before, after), *_sections(before, after), *_tracks(before, after),
    )


def _frame(before: Song, after: Song) -> Iterator[e.Edit]:
    if before.name != after.name:
        yield e.RenameSong(name=after.name)
    if before.key != after.key:
        yield e.SetKey(tonic=after.key.tonic, mode=after.key.mode)
    if before.loudness_target != after.loudness_target:
        yield e.SetLoudness(target=after.loudness_target)
    if before.soundfont != after.soundfont:
        yield e.SetSoundFont(file=after.soundfont)
    if before.tempos != after.tempos:
        for at in sorted({change.at for change in (*before.tempos, *after.tempos)}):
            yield e.SetTempo(bpm=after.tempo_map.bpm(at), at_beat=at)
    if before.meters != after.meters:
        for at in sorted({change.at for change in (*before.meters, *after.meters)}):
            meter: Any = after.bar_map.meter_at(at)
            yield e.SetTimeSignature(beats=meter.beats, unit=meter.unit, at_beat=at)


def _chords(before: Song, after: Song) -> Iterator[e.Edit]:
    """The one stretch from the first chord that differs to the last."""
    old, new = before.chords, after.chords
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
    left, right = old[same:], new[same:]
    while left and right and left[-1] == right[-1]:
        left, right = left[:-1], right[:-1]
    if left or right:
        start = min(chord.start for chord in (*left, *right))
        end = max(chord.end for chord in (*left, *right))
        stated = tuple(e.ChordSpec.of(chord) for chord in right)
        yield e.SetChords(start_time=start, duration=Ticks(end - start), chords=stated)


def _sections(before: Song, after: Song) -> Iterator[e.Edit]:
    kept = {section.id for section in after.sections}
    old = {section.id: section for section in before.sections}
    for section in before.sections:
        if section.id not in kept:
            yield e.DeleteSection(section_id=section.id)
    for section in after.sections:
        place = {"name": section.name, "start_time": section.start, "duration": section.duration}
        if section.id not in old:
            yield e.AddSection(section_id=section.id, **place)  # type: ignore[arg-type]
        elif old[section.id] != section:
            yield e.UpdateSection(section_id=section.id, **place)  # type: ignore[arg-type]


def _tracks(before: Song, after: Song) -> Iterator[e.Edit]:
    """Tracks are made before clips move and removed after, so that a clip may change its track."""
    kept = {track.id for track in after.tracks}
    old = {track.id: track for track in before.tracks}
    for track in after.tracks:
        yield from _made(old.get(track.id), track)
    yield from _clips(before, after, {clip.id for _, clip in after.clips()})
    for track in before.tracks:
        if track.id not in kept:
            yield e.DeleteTrack(track_id=track.id)
    yield from _ordered(before, after)
    for track in after.tracks:
        was = old.get(track.id)
        yield from _chain(track.id, was.effects if was else (), track.effects)
        yield from _automation(was, track)
    yield from _chain(MASTER, before.master_effects, after.master_effects)


def _made(was: Track | None, track: Track) -> Iterator[e.Edit]:
    if was is None:
        yield e.CreateTrack(
            track_id=track.id, name=track.name, instrument=track.instrument, type=track.type,
            volume_db=track.volume_db, pan=track.pan, mute=track.mute, color=track.color,
        )
        if track.soundfont:
            yield e.SetSoundFont(track_id=track.id, file=track.soundfont)
        return
    names = ("name", "instrument", "volume_db", "pan", "mute", "color")
    changed: dict[str, Any] = {
        name: getattr(track, name) for name in names if getattr(track, name) != getattr(was, name)
    }
    if changed:
        yield e.UpdateTrack(track_id=track.id, **changed)
    if was.soundfont != track.soundfont:
        yield e.SetSoundFont(track_id=track.id, file=track.soundfont)


def _ordered(before: Song, after: Song) -> Iterator[e.Edit]:
    wanted = [track.id for track in after.tracks]
    order = [track.id for track in before.tracks if track.id in set(wanted)]
    order += [track_id for track_id in wanted if track_id not in set(order)]
    for position, track_id in enumerate(wanted):
        if order[position] != track_id:
            order.remove(track_id)
            order.insert(position, track_id)
            yield e.UpdateTrack(track_id=track_id, position=position)


def _clips(before: Song, after: Song, kept: set[ClipId]) -> Iterator[e.Edit]:
    old = {clip.id: (track, clip) for track, clip in before.clips()}
    for clip_id in old:
        if clip_id not in kept:
            yield e.DeleteClip(clip_id=clip_id)
    for track, clip in after.clips():
        if clip.id not in old:
            yield _created(track, clip)
        else:
            yield from _modified(*old[clip.id], track, clip)


def _created(track: Track, clip: Clip) -> e.Edit:
    return e.CreateMidiClip(
        clip_id=clip.id, track_id=track.id, start_time=clip.start, duration=clip.duration,
        notes=tuple(e.NoteSpec.of(note) for note in clip.notes), name=clip.name,
    )


def _modified(home: Track, was: Clip, track: Track, clip: Clip) -> Iterator[e.Edit]:
    changed: dict[str, Any] = {}
    for field, name in (("name", "name"), ("start", "start_time"), ("duration", "duration")):
        if getattr(was, field) != getattr(clip, field):
            changed[name] = getattr(clip, field)
    if home.id != track.id:
        changed["to_track_id"] = track.id
    notes: Any = tuple(e.NoteSpec.of(note) for note in clip.notes) if was.notes != clip.notes else UNSET
    if changed or notes is not UNSET:
        yield e.ModifyClip(clip_id=clip.id, notes=notes, **changed)


def _chain(owner: TrackId, before: tuple[Effect, ...], after: tuple[Effect, ...]) -> Iterator[e.Edit]:
    kept = {effect.id for effect in after}
    order = [effect.id for effect in before if effect.id in kept]
    old = {effect.id: effect for effect in before}
    for effect in before:
        if effect.id not in kept or _lost_param(effect, after):
            yield e.RemoveEffect(effect_id=effect.id)
            order = [one for one in order if one != effect.id]
    for position, effect in enumerate(after):
        if effect.id not in order:
            order.insert(position, effect.id)
            yield e.AddEffect(
                effect_id=effect.id, track_id=owner, effect_name=effect.name, params=dict(effect.params),
                enabled=effect.enabled, position=position,
            )
        elif old[effect.id] != effect or order[position] != effect.id:
            order.remove(effect.id)
            order.insert(position, effect.id)
            yield e.UpdateEffect(
                effect_id=effect.id, params=dict(effect.params), enabled=effect.enabled, position=position
            )


def _lost_param(effect: Effect, after: tuple[Effect, ...]) -> bool:
    """Whether an effect of that id is another kind now or has fewer parameters: only a new one can say so."""
    return any(
        other.id == effect.id
        and (other.name != effect.name or not dict(effect.params).keys() <= dict(other.params).keys())
        for other in after
    )


def _automation(was: Track | None, track: Track) -> Iterator[e.Edit]:
    old = {lane.target: lane for lane in was.automation} if was else {}
    new = {lane.target: lane for lane in track.automation}
    for target in old:
        if target not in new:
            yield e.SetAutomation(track_id=track.id, target=target, points=())
    remade = {effect.id for effect in was.effects if _lost_param(effect, track.effects)} if was else set()
    for target, lane in new.items():
        if old.get(target) != lane or target.partition(".")[0] in remade:
            points = tuple(e.PointSpec(point.at, point.value) for point in lane.points)
            yield e.SetAutomation(track_id=track.id, target=target, points=points, curve=lane.curve)
