"""The notes that a question is about: those of its parts in its places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Literal

from msgspec import Struct

from agent.chat.answer import Answer, Fact, Link, TrackLink
from agent.chat.answering.parts import named_tracks
from agent.chat.answering.wording import bars_said, counted, links_to, listed, number, places, runs_of
from agent.chat.context import Context
from agent.chat.messages import About
from agent.song.ids import TrackId
from agent.song.song import Song
from agent.song.time import PPQ
from agent.theory.sounding import Sounding, kit_tracks, sounding

Kinds = Literal["all", "pitched", "drums"]
"""Which parts can answer: all, those whose notes have a pitch, or drum kits."""
_SIXTEENTH = PPQ // 4
_LINKED = 6


class NotesAsked(Struct, frozen=True):
    """The notes, by track in the order of the song, that begin in the places which a question names, in order of time;
    tracks without any are left out.

    `where` names the places with "in" before them, "" for the whole song; `bars` are the first and last bar of each
    place, and `names` what each track of the song is called.
    """

    notes: Mapping[TrackId, tuple[Sounding, ...]]
    names: Mapping[TrackId, str]
    where: str = ""
    bars: tuple[tuple[int, int], ...] = ()

    def together(self) -> list[Sounding]:
        """The notes of all tracks in order of time."""
        return sorted((note for notes in self.notes.values() for note in notes), key=lambda one: (one.start, one.pitch))

    def links(self, bars: Iterable[int] = ()) -> tuple[Link, ...]:
        """Links to the places, or to the first of some bars, and to the parts."""
        stretches = runs_of(sorted(set(bars)))[:_LINKED] or self.bars
        parts = tuple(TrackLink(track, self.names[track]) for track in [*self.notes][:_LINKED])
        return (*links_to(stretches), *parts)


def asked_notes(context: Context, about: About, kinds: Kinds = "all") -> NotesAsked:
    """The notes of the named parts (none: of all) of these kinds in the named places (none: in the song). Muted parts
    have none."""
    song = context.song
    kits = kit_tracks(song, context.palette) if kinds != "all" else frozenset()
    tracks = [
        track.id for track in named_tracks(context, about) if kinds == "all" or (track.id in kits) == (kinds == "drums")
    ]
    where = places(about, song)
    spans = [song.bar_map.span(first, last) for _, first, last in where]
    found: dict[TrackId, list[Sounding]] = {track: [] for track in tracks}
    for note in sounding(song, set(tracks)):
        if not spans or any(start <= note.start < end for start, end in spans):
            found[note.track].append(note)
    return NotesAsked(
        {track: tuple(notes) for track, notes in found.items() if notes}, part_names(song),
        f" in {listed(name for name, _, _ in where)}" if where else "",
        tuple((first, last) for _, first, last in where),
    )


def part_names(song: Song) -> dict[TrackId, str]:
    """What each track is called: its name, and where others have the same, its number and which of two lies higher."""
    shared = Counter(track.name for track in song.tracks)
    twins: dict[str, list[tuple[float, TrackId]]] = {}
    for track in song.tracks:
        if shared[track.name] > 1 and track.note_count:
            height = fmean(note.pitch for clip in track.clips for note in clip.notes)
            twins.setdefault(track.name, []).append((height, track.id))
    names = {}
    for place, track in enumerate(song.tracks, 1):
        alike = sorted(twins.get(track.name, ()))
        side = ""
        if len(alike) == 2 and track.id in dict(zip((one for _, one in alike), range(2), strict=True)):
            side = ", the lower" if alike[0][1] == track.id else ", the upper"
        names[track.id] = f"{track.name} (track {place}{side})" if shared[track.name] > 1 else track.name
    return names


def nothing_asked(context: Context, about: About, kinds: Kinds = "all") -> Answer:
    """An answer that says why the named parts have no notes in the named places that can be looked at."""
    song = context.song
    facts = (Fact("notes", 0),)
    where = places(about, song)
    beyond = [(name, first) for name, first, _ in where if first > song.bars]
    if beyond and len(beyond) == len(where):
        return Answer(f"Nothing sounds in {beyond[0][0]}: the song ends after bar {song.bars}.", facts)
    place = f" in {listed(name for name, _, _ in where)}" if where else ""
    links = links_to((first, last) for _, first, last in where)
    tracks = [track for track in song.tracks if track.id in about.tracks]
    kits = kit_tracks(song, context.palette)
    names = listed(track.name for track in tracks)
    are = "is" if len(tracks) == 1 else "are"
    if tracks and all(track.mute for track in tracks):
        return Answer(f"{names} {are} muted and {'sounds' if are == 'is' else 'sound'} nowhere.", facts, links)
    if tracks and kinds == "pitched" and all(track.id in kits for track in tracks):
        return Answer(f"{names} {are} drums, whose strokes have no pitch that this could be told of.", facts, links)
    if tracks and kinds == "drums" and not any(track.id in kits for track in tracks):
        return Answer(f"{names} {are} no drum kit, so there is no stroke of a drum to count.", facts, links)
    if tracks:
        return Answer(f"{names} {'plays' if are == 'is' else 'play'} no note{place}.", facts, links)
    what = {"all": "note", "pitched": "note with a pitch", "drums": "drum kit"}[kinds]
    return Answer(f"No {what} is heard{place or ' in the song'}.", facts, links)


def at_said(song: Song, tick: int) -> str:
    """The place of a tick to the nearest sixteenth: "bar 5, beat 3", "bar 5, beat 3.5"."""
    return "bar {}, beat {}".format(*bar_and_beat(song, tick))


def bar_and_beat(song: Song, tick: int) -> tuple[int, str]:
    """(bar, beat) of a tick to the nearest sixteenth; beats count from 1, halves as "2.5"."""
    start = song.bar_map.start_of(song.bar_map.bar_at(tick))
    near = start + (tick - start + _SIXTEENTH // 2) // _SIXTEENTH * _SIXTEENTH
    bar = song.bar_map.bar_at(near)
    begins = song.bar_map.start_of(bar)
    meter = song.bar_map.meter_at(begins)
    return bar, number(1 + (near - begins) * meter.beats / meter.bar_length)


def bars_listed(bars: Iterable[int], most: int = 6) -> str:
    """Bars in words, neighbours as a run: "bar 2, bars 5–8 and 3 more places"; "" without any."""
    stretches = runs_of(sorted(set(bars)))
    more = [counted(len(stretches) - most, "more place")] if len(stretches) > most else []
    return listed([*(bars_said(*one) for one in stretches[:most]), *more])


def bars_of(song: Song, notes: Iterable[Sounding]) -> list[int]:
    """The numbers of the bars in which notes begin, ascending."""
    return sorted({song.bar_map.bar_at(note.start) for note in notes})


def sentence(text: str) -> str:
    """The text with a capital letter at its beginning."""
    return f"{text[:1].upper()}{text[1:]}"


def share_said(part: int, whole: int) -> str:
    """A share in percent, "all" and "none" for the ends: "62%"."""
    if part == whole:
        return "all"
    return "none" if not part else f"{min(99, max(1, round(100 * part / whole)))}%"


def shown_first(names: Sequence[str], most: int) -> str:
    """The first names as a list, with the number of the rest."""
    return listed([*names[:most], *([f"{len(names) - most} more"] if len(names) > most else [])])
