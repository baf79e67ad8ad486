"""The timeline of a song: time put in, taken out, copied or moved as a whole, with everything that lies on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import structs

from agent.composer.changing.time.moved_lanes import lane_closed, lane_copied, lane_opened
from agent.composer.changing.time.moves import Inserted, Stretched, TakenOut, TimeMove
from agent.composer.tones import SHORTEST
from agent.song.chart import ChordSymbol, without_stretch
from agent.song.clip import Clip, Note, in_order
from agent.song.ids import ClipId, SectionId
from agent.song.song import Section, Song
from agent.song.time import MeterChange, TempoChange, Ticks, distinct_meters, distinct_tempos
from agent.song.track import Point, Track

NewId = Callable[[str], str]
"""Makes an id for an object of a kind, given by its letter."""
EARLY = 80
"""Ticks by which a note may begin before a boundary and still belong behind it, if it mostly sounds there."""


def stretch_time(song: Song, up: int, down: int) -> Song:
    """The song with all times multiplied by `up` / `down`; its bars keep their length in ticks.

    Notes that would get shorter than a 1/64 keep that length, as far as the next note of their pitch allows.
    """
    move = Stretched(up, down)

    def at(tick: int) -> Ticks:
        return Ticks(move.placed(tick))

    tracks = []
    for track in song.tracks:
        clips = [_clip_stretched(clip, move) for clip in track.clips]
        lanes = tuple(
            structs.replace(lane, points=tuple({at(p.at): Point(at(p.at), p.value) for p in lane.points}.values()))
            for lane in track.automation
        )
        tracks.append(structs.replace(track, clips=_sorted(clips), automation=lanes))
    sections = [
        structs.replace(s, start=at(s.start), duration=Ticks(max(1, at(s.end) - at(s.start)))) for s in song.sections
    ]
    tempos = {at(c.at): structs.replace(c, at=at(c.at)) for c in song.tempos}
    meters = {at(c.at): structs.replace(c, at=at(c.at)) for c in song.meters}
    return structs.replace(
        song, tempos=distinct_tempos(list(tempos.values())), meters=distinct_meters(list(meters.values())),
        sections=_in_form(sections), chords=_moved_chords(song.chords, move), tracks=tuple(tracks),
    )


def _clip_stretched(clip: Clip, move: TimeMove) -> Clip:
    start, end = move.placed(clip.start), max(move.placed(clip.start) + 1, move.placed(clip.end))
    following: dict[int, int] = {}
    notes = []
    for note in reversed(clip.notes):
        begin = min(move.placed(clip.start + note.start), end - 1)
        stop = max(move.placed(clip.start + note.end), begin + min(SHORTEST, note.duration))
        stop = max(begin + 1, min(stop, end, following.get(note.pitch, end)))
        following[note.pitch] = begin
        notes.append(structs.replace(note, start=Ticks(begin - start), duration=Ticks(stop - begin)))
    return structs.replace(clip, start=Ticks(start), duration=Ticks(end - start), notes=in_order(notes))


def insert_time(song: Song, at: int, length: int, new_id: NewId) -> Song:
    """The song with `length` empty ticks inserted before `at`.

    What begins at `at` or later moves back, a clip that crosses it is split (its second half gets a new id), a note
    that crosses it ends there, a section that crosses it grows. Tempo and meter before `at` hold in the new time.
    """
    move = Inserted(at, length)
    return structs.replace(
        song,
        tempos=distinct_tempos([structs.replace(c, at=_shifted(c.at, at, length)) for c in song.tempos]),
        meters=distinct_meters([structs.replace(c, at=_shifted(c.at, at, length)) for c in song.meters]),
        sections=_sections(song.sections, move),
        chords=_moved_chords(song.chords, move),
        tracks=tuple(_opened(track, at, length, new_id) for track in song.tracks),
    )


def cut_time(song: Song, start: int, end: int) -> Song:
    """The song without the ticks from `start` to `end`; what lies behind them moves up.

    Notes that begin inside are removed, notes that cross `start` end there. Clips and sections shrink; those that lie
    inside, or lose their last note, are removed.
    """
    move = TakenOut(start, end)
    tempos = [c for c in song.tempos if c.at < start]
    tempos.append(TempoChange(Ticks(start), song.tempo_map.bpm(end)))
    tempos += [structs.replace(c, at=Ticks(move.placed(c.at))) for c in song.tempos if c.at > end]
    held = song.bar_map.meter_at(end)
    meters = [c for c in song.meters if c.at < start]
    meters.append(structs.replace(held, at=Ticks(start)))
    meters += [structs.replace(c, at=Ticks(move.placed(c.at))) for c in song.meters if c.at > end]
    return structs.replace(
        song,
        tempos=distinct_tempos(tempos),
        meters=distinct_meters(meters),
        sections=_sections(song.sections, move),
        chords=_moved_chords(song.chords, move),
        tracks=tuple(_closed(track, start, end) for track in song.tracks),
    )


def copy_time(song: Song, start: int, end: int, to: int, new_id: NewId) -> Song:
    """The song with what lies from `start` to `end` copied to the empty time at `to`.

    Clips and whole sections get new ids, sections keep their names; notes that cross an edge are cut. Tempo and meter
    are copied and return to their former values behind the copy.
    """
    length, shift = end - start, to - start
    tracks = []
    for track in song.tracks:
        clips = [
            structs.replace(piece, id=ClipId(new_id("c")), start=Ticks(piece.start + shift))
            for clip in track.clips
            if (piece := piece_of(clip, start, end)) is not None
        ]
        lanes = tuple(lane_copied(lane, start, end, to) for lane in track.automation)
        tracks.append(structs.replace(track, clips=_sorted([*track.clips, *clips]), automation=lanes))
    inside = [section for section in song.sections if start <= section.start and section.end <= end]
    copies = [
        structs.replace(section, id=SectionId(new_id("s")), start=Ticks(section.start + shift)) for section in inside
    ]
    return structs.replace(
        song,
        tempos=_tempos_copied(song, start, end, to),
        meters=_meters_copied(song, start, end, to),
        sections=_in_form([*song.sections, *copies]),
        chords=_copied_chords(song.chords, start, end, to),
        tracks=tuple(tracks),
    ) if length > 0 else song


def piece_of(clip: Clip, start: int, end: int) -> Clip | None:
    """The part of a clip between two ticks of the song, as a clip; None if it has no notes there."""
    low, high = max(clip.start, start), min(clip.end, end)
    if low >= high:
        return None
    notes = []
    for note in clip.notes:
        begin, stop = clip.start + note.start, clip.start + note.end
        if _belongs(begin, stop, low) and not _belongs(begin, stop, high):
            first = max(begin, low)
            notes.append(structs.replace(note, start=Ticks(first - low), duration=Ticks(min(stop, high) - first)))
    if not notes:
        return None
    return structs.replace(clip, start=Ticks(low), duration=Ticks(high - low), notes=in_order(notes))


def _belongs(begin: int, stop: int, seam: int) -> bool:
    """Whether a note from `begin` to `stop` belongs to what follows the tick `seam`: it begins there, or at most 80
    ticks early with most of it behind."""
    return begin >= seam or (seam - begin <= EARLY and stop - seam > seam - begin)


def split_sections(song: Song, at: int, new_id: NewId) -> Song:
    """The song with a section that crosses a tick split into two of the same name; `new_id` makes the id of the
    second."""
    sections: list[Section] = []
    for section in song.sections:
        if section.start < at < section.end:
            sections.append(structs.replace(section, duration=Ticks(at - section.start)))
            rest = Ticks(section.end - at)
            sections.append(Section(SectionId(new_id("s")), section.name, Ticks(at), rest))
        else:
            sections.append(section)
    return structs.replace(song, sections=_in_form(sections))


def _shifted(place: int, at: int, length: int) -> Ticks:
    """Where a tempo or meter goes when time is put in: the first of all stays."""
    return Ticks(place + length if place and place >= at else place)


def _sections(sections: Iterable[Section], move: TimeMove) -> tuple[Section, ...]:
    moved = []
    for section in sections:
        start, end = move.placed(section.start), move.placed(section.end, closing=True)
        if end > start:
            moved.append(structs.replace(section, start=Ticks(start), duration=Ticks(end - start)))
    return _in_form(moved)


def _in_form(sections: Iterable[Section]) -> tuple[Section, ...]:
    return tuple(sorted(sections, key=lambda section: (section.start, section.id)))


def _sorted(clips: Iterable[Clip]) -> tuple[Clip, ...]:
    return tuple(sorted(clips, key=lambda clip: (clip.start, clip.id)))


def _opened(track: Track, at: int, length: int, new_id: NewId) -> Track:
    clips: list[Clip] = []
    for clip in track.clips:
        if clip.end <= at:
            clips.append(clip)
        elif clip.start >= at:
            clips.append(structs.replace(clip, start=Ticks(clip.start + length)))
        else:
            clips += _halves(clip, at, length, new_id)
    lanes = tuple(lane_opened(lane, at, length) for lane in track.automation)
    return structs.replace(track, clips=_sorted(clips), automation=lanes)


def _halves(clip: Clip, at: int, length: int, new_id: NewId) -> list[Clip]:
    """Both sides of a clip, the later one moved; a side without a note is left out where the other has some."""
    left, right = piece_of(clip, clip.start, at), piece_of(clip, at, clip.end)
    if left is None and right is None:
        return [clip]
    halves = [left] if left is not None else []
    if right is not None:
        moved = structs.replace(right, start=Ticks(right.start + length))
        halves.append(moved if left is None else structs.replace(moved, id=ClipId(new_id("c"))))
    return halves


def _closed(track: Track, start: int, end: int) -> Track:
    clips = []
    for clip in track.clips:
        if clip.end <= start:
            clips.append(clip)
        elif clip.start >= end:
            clips.append(structs.replace(clip, start=Ticks(clip.start - (end - start))))
        else:
            joined = _joined(clip, start, end)
            if joined is not None:
                clips.append(joined)
    lanes = tuple(lane for one in track.automation if (lane := lane_closed(one, start, end)).points)
    return structs.replace(track, clips=_sorted(clips), automation=lanes)


def _joined(clip: Clip, start: int, end: int) -> Clip | None:
    """What is left of a clip of which a part is taken out."""
    left, right = piece_of(clip, clip.start, start), piece_of(clip, end, clip.end)
    begin = min(clip.start, start)
    length = max(0, start - clip.start) + max(0, clip.end - end)
    notes: list[Note] = list(left.notes) if left is not None else []
    shift = max(0, start - clip.start)
    if right is not None:
        notes += [structs.replace(note, start=Ticks(note.start + shift)) for note in right.notes]
    if length <= 0 or (not notes and clip.notes):
        return None
    return structs.replace(clip, start=Ticks(begin), duration=Ticks(length), notes=in_order(notes))


def _tempos_copied(song: Song, start: int, end: int, to: int) -> tuple[TempoChange, ...]:
    stop = to + end - start
    changes = [TempoChange(Ticks(to), song.tempo_map.bpm(start)), TempoChange(Ticks(stop), song.tempo_map.bpm(stop))]
    changes += [structs.replace(c, at=Ticks(c.at - start + to)) for c in song.tempos if start < c.at < end]
    kept = [c for c in song.tempos if c.at < to or c.at > stop]
    return distinct_tempos([*kept, *changes])


def _meters_copied(song: Song, start: int, end: int, to: int) -> tuple[MeterChange, ...]:
    stop = to + end - start
    changes = [
        structs.replace(song.bar_map.meter_at(start), at=Ticks(to)),
        structs.replace(song.bar_map.meter_at(stop), at=Ticks(stop)),
        *[structs.replace(c, at=Ticks(c.at - start + to)) for c in song.meters if start < c.at < end],
    ]
    kept = [c for c in song.meters if c.at < to or c.at > stop]
    return distinct_meters([*kept, *changes])


def _moved_chords(chords: Iterable[ChordSymbol], move: TimeMove) -> tuple[ChordSymbol, ...]:
    """The stated chords at their new times; one that time was inserted into gets longer, one whose time was removed is
    dropped."""
    moved = []
    for chord in chords:
        start, end = move.placed(chord.start), move.placed(chord.end, closing=True)
        if end > start:
            moved.append(structs.replace(chord, start=Ticks(start), duration=Ticks(end - start)))
    return tuple(moved)


def _copied_chords(chords: Iterable[ChordSymbol], start: int, end: int, to: int) -> tuple[ChordSymbol, ...]:
    """The stated chords, with those between `start` and `end` copied to `to` in place of what stands there."""
    chords = tuple(chords)
    copies = []
    for chord in chords:
        first, last = max(chord.start, start), min(chord.end, end)
        if first < last:
            copies.append(structs.replace(chord, start=Ticks(first - start + to), duration=Ticks(last - first)))
    others = without_stretch(chords, to, to + end - start)
    return tuple(sorted([*others, *copies], key=lambda chord: chord.start))
