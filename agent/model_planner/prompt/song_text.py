"""A song in words for a model: its frame, tracks and clips, and as many of its notes as there is room for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.model_planner.prompt.budget import tokens
from agent.model_planner.prompt.data_block import quoted
from agent.song.clip import Clip
from agent.song.ids import TrackId
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.time import to_beats
from agent.song.track import Automation, Effect, Track
from agent.theory.description import Description, Portrait, describe

_NAMES_ONLY = 60
"""Clips of one track that are listed one by one where room is short."""


def song_text(song: Song, palette: Palette, request: str, room: int) -> str:
    """A description of the song for a model, in at most about `room` tokens; times are in beats.

    Tempo, key, sections and every track with its id are always included. Notes are listed track by track, those that
    the request names first, until the room is used; other tracks get figures only.
    """
    if not song.tracks:
        return "\n".join((*_frame(song), "It has no tracks yet."))
    known = describe(song, palette)
    families = {instrument.name: str(instrument.family) for instrument in palette.instruments}
    head = [*_frame(song), *_sections(song, known)]
    tracks = {track.id: "\n".join(_track(track, song, families, known)) for track in song.tracks}
    if tokens("\n".join([*head, *tracks.values()])) > room:
        tracks = {track.id: _short_track(track, song, families) for track in song.tracks}
    left = room - tokens("\n".join([*head, *tracks.values()]))
    notes = _notes_within(_by_interest(song.tracks, families, request), left)
    body = [f"{tracks[track.id]}{_notes_of(track, notes)}" for track in song.tracks]
    if len(notes) < sum(1 for track in song.tracks if track.note_count):
        body.append("Notes that are not listed can be read with get_track.")
    return "\n".join([*head, *body])


def _frame(song: Song) -> Iterator[str]:
    meter = song.meters[0]
    yield (
        f"Song {quoted(song.name)}: {song.bpm:g} BPM, {meter.beats}/{meter.unit}, {song.key}, "
        f"{song.bars} bars ({to_beats(song.end):g} beats), {len(song.tracks)} tracks, {song.note_count} notes, "
        f"loudness target {song.loudness_target:g} LUFS"
    )
    if len(song.tempos) > 1:
        tempos = [f"{one.bpm:g} from beat {to_beats(one.at):g}" for one in song.tempos[:40]]
        yield f"Tempo: {', '.join(tempos)}"
    if len(song.meters) > 1:
        meters = [f"{one.beats}/{one.unit} from beat {to_beats(one.at):g}" for one in song.meters[:40]]
        yield f"Meter: {', '.join(meters)}"
    if song.soundfont:
        yield f"SoundFont: {quoted(song.soundfont)}"
    if song.master_effects:
        yield "Master effects: " + ", ".join(_effect(effect) for effect in song.master_effects)


def _sections(song: Song, known: Description) -> Iterator[str]:
    starts = {section.id: section for section in song.sections}
    for one in known.sections:
        section = starts[one.id]
        yield (
            f"Section {one.id} {quoted(one.name)}: bars {one.first_bar}-{one.last_bar} "
            f"(beats {to_beats(section.start):g}-{to_beats(section.end):g}); {_figures(one.portrait)}"
        )
    if not known.sections:
        yield f"No sections. Figures: {_figures(known.whole)}"


def _figures(portrait: Portrait) -> str:
    if not portrait.notes:
        return "silent"
    pitched = f"pitches {portrait.low}-{portrait.high}, mean length {portrait.mean_note_beats:.2g} beats, "
    return (
        f"{portrait.onsets_per_bar:.3g} notes a bar, {pitched if portrait.high else ''}"
        f"mean velocity {portrait.mean_velocity:.0f}"
    )


def _track(track: Track, song: Song, families: dict[str, str], known: Description) -> Iterator[str]:
    figures = next(_figures(one.portrait) for one in known.tracks if one.id == track.id)
    yield f"{_headline(track, families)}; {figures}"
    for effect in track.effects:
        yield f"  effect {_effect(effect)}"
    for lane in track.automation:
        yield f"  automation {_lane(lane)}"
    for clip in track.clips:
        yield f"  {_clip(clip, song)}"


def _headline(track: Track, families: dict[str, str]) -> str:
    family = families.get(track.instrument, "unknown family")
    muted = ", muted" if track.mute else ""
    return (
        f"Track {track.id} {quoted(track.name)}: {quoted(track.instrument)} ({family}), "
        f"{track.volume_db:g} dB, pan {track.pan:g}{muted}"
    )


def _short_track(track: Track, song: Song, families: dict[str, str]) -> str:
    clips = [f"{clip.id} {_bars(clip, song)}" for clip in track.clips[:_NAMES_ONLY]]
    more = f" and {len(track.clips) - _NAMES_ONLY} more" if len(track.clips) > _NAMES_ONLY else ""
    return f"{_headline(track, families)}; clips: {', '.join(clips) or 'none'}{more}"


def _clip(clip: Clip, song: Song) -> str:
    return (
        f"clip {clip.id} {quoted(clip.name)}: {_bars(clip, song)} "
        f"(beats {to_beats(clip.start):g}-{to_beats(clip.end):g}), {len(clip.notes)} notes"
    )


def _bars(clip: Clip, song: Song) -> str:
    first, last = song.bar_map.bar_at(clip.start), song.bar_map.bar_at(clip.end - 1)
    return f"bar {first}" if first == last else f"bars {first}-{last}"


def _effect(effect: Effect) -> str:
    params = ", ".join(f"{name} {value:g}" for name, value in effect.params)
    return f"{effect.id} {quoted(effect.name)}({params}){'' if effect.enabled else ' off'}"


def _lane(lane: Automation) -> str:
    values = [point.value for point in lane.points]
    span = f"{min(values):g} to {max(values):g}" if values else "empty"
    return f"{quoted(lane.target)}: {len(lane.points)} points, {span}, {lane.curve}"


def _by_interest(tracks: Sequence[Track], families: dict[str, str], request: str) -> list[Track]:
    """The tracks that the request names first, then those with few notes."""
    words = request.casefold()

    def named(track: Track) -> bool:
        names = (track.name, families.get(track.instrument, ""), track.id)
        return any(name and name.casefold() in words for name in names)

    return sorted(tracks, key=lambda track: (not named(track), track.note_count))


def _notes_within(tracks: Sequence[Track], room: int) -> dict[TrackId, list[str]]:
    """The note lines of as many whole tracks as fit."""
    found: dict[TrackId, list[str]] = {}
    for track in tracks:
        # A note takes at least five tokens: no need to write out what cannot fit.
        if not track.note_count or track.note_count * 5 > room:
            continue
        lines = list(_note_lines(track))
        cost = tokens("\n".join(lines))
        if cost <= room:
            found[track.id] = lines
            room -= cost
    return found


def _note_lines(track: Track) -> Iterator[str]:
    written: dict[str, str] = {}
    for clip in track.clips:
        notes = "; ".join(
            f"{note.pitch} {to_beats(note.start):.4g} {to_beats(note.duration):.4g} {note.velocity}"
            for note in clip.notes
        )
        if notes in written:
            yield f"  notes of {clip.id}: as in {written[notes]}"
        elif notes:
            written[notes] = clip.id
            yield f"  notes of {clip.id} (pitch, start in clip, length, velocity): {notes}"


def _notes_of(track: Track, notes: dict[TrackId, list[str]]) -> str:
    return "".join(f"\n{line}" for line in notes.get(track.id, ()))
