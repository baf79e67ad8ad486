"""Who has the tune: the part that sings in a place, and what the others do there."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from agent.chat.answer import Answer, BarsLink, Fact, Link, TrackLink
from agent.chat.answering.asked_notes import nothing_asked, part_names, share_said
from agent.chat.answering.wording import counted, places, spelled
from agent.chat.context import Context
from agent.chat.messages import About
from agent.song.ids import TrackId
from agent.song.song import Song
from agent.theory.excerpts import excerpt
from agent.theory.melody import melody_line, melody_track
from agent.theory.pitch import pitch_name
from agent.theory.sounding import family_tracks, percussive_tracks, sounding, strokes

_LINE = 0.6
"""The share of a part's strokes that are single notes from which on it plays a line."""


class TunePart(Struct, frozen=True):
    """What a part plays in a place: its notes, the share of strokes that are single notes, its lowest and highest pitch
    and the share of the top line that is its own."""

    notes: int
    single: float
    low: int
    high: int
    top: float


def melody(context: Context, about: About) -> Answer:
    """An answer that says which part most likely has the tune in each named place (none: in the song), with what it was
    judged by, and of named parts whether it is they. Of the two parts of a piano it says which is which hand."""
    song = context.song
    where = places(about, song)
    if not song.note_count or (where and all(first > song.bars for _, first, _ in where)):
        return nothing_asked(context, About(bars=about.bars, sections=about.sections))
    texts: list[str] = []
    facts: list[Fact] = []
    links: list[Link] = []
    for name, first, last in where or (("", 1, song.bars),):
        if first > song.bars:
            continue
        part = excerpt(song, first, min(last, song.bars)) if where else song
        place = f" in {name}" if name else ""
        told, track = _told(context, part, about, place)
        texts.append(told)
        facts.append(Fact(f"melody{place}", part_names(song)[track] if track is not None else ""))
        links += [BarsLink(first, last)] if name else []
        links += [TrackLink(track, song.track(track).name)] if track is not None else []
    hands = _hands(context) if not about.tracks else ""
    text = f"{' '.join(texts)}{hands} Judged from names, sounds and notes."
    return Answer(text, tuple(facts), tuple(dict.fromkeys(links)))


def _told(context: Context, part: Song, about: About, place: str) -> tuple[str, TrackId | None]:
    kits = percussive_tracks(part, context.palette)
    names = part_names(context.song)
    tops = Counter(note.track for note in melody_line(part, None, kits))
    whole = sum(tops.values())
    found = _singer(context, part, tops)
    if found is None:
        return f"Nobody has a tune{place}: nothing but drums or bass sounds there.", None
    tune = _part(part, found, tops[found] / whole if whole else 0.0)
    text = f"{names[found]} most likely has the tune{place}: {_described(context.song, tune)}"
    if about.tracks:
        text = f"Yes: {text}" if found in about.tracks else f"No: {text}"
    above, count = tops.most_common(1)[0] if tops else (found, 0)
    if above != found and 2 * count > whole:
        text += f". {names[above]} lies on top there more often ({share_said(count, whole)} of the top notes)"
    if tune.single < _LINE:
        text += ". It plays more chords than single notes, so no part clearly sings"
    others = [track for track in about.tracks if track != found]
    for track in others:
        text += f". {_other(context, part, track, tops[track] / whole if whole else 0.0)}"
    return f"{text}.", found


def _singer(context: Context, part: Song, tops: Counter[TrackId]) -> TrackId | None:
    """The part that sings; of instruments of one family, such as a string quartet, the one that lies on top."""
    found = melody_track(part, context.palette)
    if found is None or not tops:
        return found
    families = {one.name: one.family for one in context.palette.instruments}
    above, count = tops.most_common(1)[0]
    alike = families.get(part.track(above).instrument) == families.get(part.track(found).instrument)
    whole = sum(tops.values())
    return above if alike and count > _LINE * whole and tops[found] < (1 - _LINE) * whole else found


def _other(context: Context, part: Song, track: TrackId, top: float) -> str:
    name = part_names(context.song)[track]
    if not sounding(part, {track}):
        return f"{name} is silent there"
    if track in percussive_tracks(context.song, context.palette):
        return f"{name} is drums"
    return f"{name} plays {_described(context.song, _part(part, track, top))}"


def _part(song: Song, track: TrackId, top: float) -> TunePart:
    notes = sounding(song, {track})
    groups = strokes(notes)
    pitches = [note.pitch for note in notes]
    single = sum(len(group) == 1 for group in groups) / len(groups)
    return TunePart(len(notes), single, min(pitches), max(pitches), top)


def _described(song: Song, one: TunePart) -> str:
    low, high = (spelled(pitch_name(pitch, song.key)) for pitch in (one.low, one.high))
    how = (
        "all single notes" if one.single == 1 else "mostly single notes" if one.single >= _LINE
        else "both single notes and chords" if one.single > 1 - _LINE else "mostly chords"
    )
    top = f"with {share_said(round(100 * one.top), 100)} of the top notes"
    return f"{counted(one.notes, 'note')} from {low} to {high}, {how}, {top}"


def _hands(context: Context) -> str:
    """Which of two keyboard parts of one name or sound is the right hand, where there are just two."""
    song = context.song
    keyboards = [
        track for track in song.tracks
        if track.note_count and track.id in family_tracks(song, context.palette, "piano", "keys", "organ")
    ]
    if len(keyboards) != 2 or len({track.name for track in keyboards}) != 1:
        return ""
    names = part_names(song)
    upper, lower = sorted(keyboards, key=lambda track: ", the upper" not in names[track.id])
    counts = [f"{names[track.id]} with {counted(track.note_count, 'note')}" for track in (upper, lower)]
    return f" The right hand is {counts[0]}; the left is {counts[1]}."
