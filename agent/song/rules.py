"""What every song must satisfy; an error names the track, the clip and the note."""

from __future__ import annotations

import re
from itertools import pairwise
from operator import attrgetter
from typing import get_args

from agent.message import msg
from agent.song.chart import ChordSymbol
from agent.song.chord_symbols import NO_CHORD, chord
from agent.song.clip import Clip, Note
from agent.song.errors import SongError
from agent.song.song import Section, Song
from agent.song.time import distinct_meters, distinct_tempos
from agent.song.track import Automation, Effect, SoundFontFile, Track

_FONT = re.compile(str(get_args(SoundFontFile)[1].pattern))
MAX_FONT_NAME = 120
MAX_TRACKS = 256
MAX_NOTES = 1_000_000
MAX_SECTIONS = MAX_METERS = 2_000
MAX_TEMPOS = 50_000
MAX_CHORDS = 10_000
MAX_TICKS = 960 * 4 * 100_000
"""Songs end before bar 100,000 of 4/4; beyond that a time is a mistake."""


def check(song: Song) -> None:
    """Raise `SongError` at the first broken rule."""
    check_frame(song)
    for track in song.tracks:
        check_track(track)
        for clip in track.clips:
            check_clip(clip, track)


def check_frame(song: Song) -> None:
    """Raise `SongError` at the first broken rule about the song as a whole; single notes are not looked at."""
    _check_counts(song)
    _check_tempos(song)
    _check_meters(song)
    _check_between("the song", "loudness target", song.loudness_target, -40, -5, " LUFS")
    for section in song.sections:
        _check_section(section)
    _check_chords(song.chords)
    _check_unique_ids(song)
    _check_chain("the master", song.master_effects)
    _check_font("the song", song.soundfont)


def check_change(before: Song, after: Song) -> None:
    """Raise `SongError` at the first rule that `after` breaks, where `before` keeps them all, and if the change adds
    more than is allowed at once. Parts that both songs share are not checked again."""
    _check_growth(before, after)
    _check_counts(after)
    if after.tempos is not before.tempos:
        _check_tempos(after)
    if after.meters is not before.meters:
        _check_meters(after)
    _check_between("the song", "loudness target", after.loudness_target, -40, -5, " LUFS")
    if after.sections is not before.sections:
        known = set(map(id, before.sections))
        for section in after.sections:
            if id(section) not in known:
                _check_section(section)
    if after.chords is not before.chords:
        _check_chords(after.chords)
    _check_unique_ids(after)
    _check_chain("the master", after.master_effects)
    _check_font("the song", after.soundfont)
    old = {id(track) for track in before.tracks}
    for track in after.tracks:
        if id(track) not in old:
            _check_font(f"track {track.name!r}", track.soundfont)


def check_track(track: Track) -> None:
    """Raise `SongError` at the first rule that a track breaks; the notes of its clips are not looked at."""
    where = f"track {track.name!r}"
    _check_between(where, "volume", track.volume_db, -96, 24, "dB")
    _check_between(where, "pan", track.pan, -1, 1, "")
    places = list(map(attrgetter("start", "id"), track.clips))
    if places != sorted(places):
        raise SongError(msg("{where}: clips are out of order", where=where))
    targets = [lane.target for lane in track.automation]
    if len(set(targets)) != len(targets):
        raise SongError(msg("{where}: two automation lanes have the same target", where=where))
    _check_chain(where, track.effects)
    _check_font(where, track.soundfont)
    for lane in track.automation:
        _check_lane(where, lane, track.effects)


def check_clip(clip: Clip, track: Track) -> None:
    """Raise `SongError` at the first rule that a clip of `track` or one of its notes breaks."""
    where = f"track {track.name!r}, clip {clip.name!r}"
    if clip.start < 0 or clip.duration < 1 or clip.end > MAX_TICKS:
        raise SongError(
            msg("{where}: its place in time is impossible", where=where),
            why=msg("{start} + {duration}", start=clip.start, duration=clip.duration),
        )
    if len({note.id for note in clip.notes}) != len(clip.notes):
        raise SongError(msg("{where}: two notes have the same id", where=where))
    previous: tuple[int, int, str] | None = None
    for number, note in enumerate(clip.notes, 1):
        _check_note(where, number, note, clip)
        order = (note.start, note.pitch, note.id)
        if previous is not None and order <= previous:
            raise SongError(
                msg("{where}, note {number}: notes are out of order or doubled", where=where, number=number),
            )
        previous = order


def _check_counts(song: Song) -> None:
    if len(song.tracks) > MAX_TRACKS:
        raise SongError(
            msg("{count} tracks are too many", count=len(song.tracks)),
            why=msg("a song holds at most {max_tracks}", max_tracks=MAX_TRACKS),
        )
    if song.note_count > MAX_NOTES:
        raise SongError(
            msg("{note_count:,} notes are too many", note_count=song.note_count),
            why=msg("a song holds at most {max_notes:,}", max_notes=MAX_NOTES),
        )


def _check_growth(before: Song, after: Song) -> None:
    """Refuse a change that gives a song more of its frame than it may hold.

    A rule of changes and not of songs: one that holds more than that already can be opened, played and shortened.
    """
    for what, had, has, most in (
        ("sections", before.sections, after.sections, MAX_SECTIONS),
        ("time signature changes", before.meters, after.meters, MAX_METERS),
        ("tempo changes", before.tempos, after.tempos, MAX_TEMPOS),
        ("chords", before.chords, after.chords, MAX_CHORDS),
    ):
        if len(has) > max(most, len(had)):
            raise SongError(
                msg("{count:,} {what} are too many", count=len(has), what=what),
                why=msg("a song holds at most {most:,}", most=most), fix=msg("remove some first"),
            )


def _check_tempos(song: Song) -> None:
    _check_timeline("tempo", [change.at for change in song.tempos])
    if distinct_tempos(song.tempos) != song.tempos:
        raise SongError(msg("a tempo change repeats the one before it"))
    for change in song.tempos:
        _check_between("the song", "tempo", change.bpm, 1, 999, " BPM")


def _check_meters(song: Song) -> None:
    _check_timeline("time signature", [change.at for change in song.meters])
    if distinct_meters(song.meters) != song.meters:
        raise SongError(msg("a time signature change repeats the one before it"))
    for meter in song.meters:
        _check_between("the song", "beats in a bar", meter.beats, 1, 32, "")
        _check_between("the song", "beat unit", meter.unit, 1, 32, "")


def _check_note(where: str, number: int, note: Note, clip: Clip) -> None:
    if not 0 <= note.pitch <= 127:
        raise SongError(
            msg("{where}, note {number}: pitch {pitch} is not in 0-127", where=where, number=number, pitch=note.pitch),
        )
    if not 1 <= note.velocity <= 127:
        raise SongError(
            msg(
                "{where}, note {number}: velocity {velocity} is not in 1-127",
                where=where, number=number, velocity=note.velocity,
            ),
        )
    if note.start < 0 or note.duration < 1 or note.end > clip.duration:
        raise SongError(
            msg("{where}, note {number} (pitch {pitch}) leaves its clip", where=where, number=number, pitch=note.pitch),
            why=msg(
                "it lasts from beat {start:g} to {end:g} of a clip of {duration:g} beats",
                start=note.start / 960, end=note.end / 960, duration=clip.duration / 960,
            ),
            fix=msg("shorten the note or lengthen the clip"),
        )


def _check_timeline(name: str, times: list[int]) -> None:
    if not times or times[0] != 0 or any(a >= b for a, b in pairwise(times)):
        raise SongError(msg("the {name} changes must begin at beat 0 and go forward", name=name))
    if times[-1] > MAX_TICKS:
        raise SongError(msg("a {name} change at beat {times:g} lies beyond any song", name=name, times=times[-1] / 960))


def _check_section(section: Section) -> None:
    if section.start < 0 or section.duration < 1 or section.end > MAX_TICKS:
        raise SongError(msg("section {section!r}: its place in time is impossible", section=section.name))


def _check_chords(chords: tuple[ChordSymbol, ...]) -> None:
    for one in chords:
        if one.start < 0 or one.duration < 1 or one.end > MAX_TICKS:
            raise SongError(msg("chord {symbol!r}: its place in time is impossible", symbol=one.symbol))
    for symbol in {one.symbol for one in chords} - {NO_CHORD}:
        chord(symbol)
    for one, following in pairwise(chords):
        if following.start < one.end:
            raise SongError(
                msg(
                    "the chords {symbol!r} and {symbol_2!r} are out of order or overlap",
                    symbol=one.symbol, symbol_2=following.symbol,
                ),
                why=msg(
                    "one ends at beat {end:g}, the other begins at beat {start:g}",
                    end=one.end / 960, start=following.start / 960,
                ),
            )


def _check_between(where: str, what: str, value: float, low: float, high: float, unit: str) -> None:
    if not low <= value <= high:
        raise SongError(
            msg("{where}: {what} {value:g}{unit}", where=where, what=what, value=value, unit=unit),
            why=msg("it must lie between {low:g} and {high:g}", low=low, high=high),
        )


def _check_chain(where: str, effects: tuple[Effect, ...]) -> None:
    for effect in effects:
        names = [name for name, _ in effect.params]
        if names != sorted(set(names)):
            raise SongError(
                msg(
                    "{where}, effect {effect!r}: parameters are out of order or doubled",
                    where=where, effect=effect.name,
                ),
            )
        for name, value in effect.params:
            if value != value or value in (float("inf"), float("-inf")):
                raise SongError(
                    msg(
                        "{where}, effect {effect!r}: {name} is not a number",
                        where=where, effect=effect.name, name=name,
                    ),
                )


def _check_font(where: str, file: str) -> None:
    if len(file) > MAX_FONT_NAME or not _FONT.fullmatch(file):
        raise SongError(
            msg("{where}: {file!r} is not the name of a SoundFont file", where=where, file=file[:MAX_FONT_NAME]),
            fix=msg("name a file that ends in .sf2 or .sf3, without its folder"),
        )


RANGES: dict[str, tuple[float, float]] = {
    "volume_db": (-96, 24),
    "pan": (-1, 1),
    "pedal": (0, 127),
    "bend": (-12, 12),
    "expression": (0, 127),
    "modulation": (0, 127),
}
"""Automation targets of every track and their ranges."""


def _check_lane(where: str, lane: Automation, effects: tuple[Effect, ...]) -> None:
    where = f"{where}, automation of {lane.target}"
    if not lane.points or any(a.at >= b.at for a, b in pairwise(lane.points)):
        raise SongError(msg("{where}: points must exist and go forward in time", where=where))
    effect_id, _, param = lane.target.partition(".")
    if lane.target not in RANGES and not (param and any(effect.id == effect_id for effect in effects)):
        targets = ", ".join(RANGES)
        raise SongError(
            msg("{where}: no such target", where=where),
            fix=msg("use {targets} or EFFECT_ID.PARAM of its effects", targets=targets),
        )
    low, high = RANGES.get(lane.target, (float("-1e9"), float("1e9")))
    for point in lane.points:
        if not low <= point.value <= high or point.at > MAX_TICKS:
            raise SongError(
                msg(
                    "{where}: {value:g} at beat {at:g} is out of range",
                    where=where, value=point.value, at=point.at / 960,
                ),
            )


def _check_unique_ids(song: Song) -> None:
    ids: list[str] = [track.id for track in song.tracks]
    ids += [clip.id for track in song.tracks for clip in track.clips]
    ids += [effect.id for effect in song.master_effects]
    ids += [effect.id for track in song.tracks for effect in track.effects]
    ids += [section.id for section in song.sections]
    if len(set(ids)) == len(ids) and all(ids):
        return
    seen = {""}
    for identity in ids:
        if identity in seen:
            raise SongError(msg("the id {identity!r} is empty or stands twice in the song", identity=identity))
        seen.add(identity)
