"""Which notes of two parts rub against each other: a semitone or a tritone apart at the same moment."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct

from agent.chat.answer import Answer, Fact, Link, TrackLink
from agent.chat.answering.asked_notes import at_said, bars_listed, nothing_asked, part_names, sentence
from agent.chat.answering.given_notes import given_notes, with_given
from agent.chat.answering.note_values import an_interval
from agent.chat.answering.wording import counted, links_to, listed, places, runs_of, spelled
from agent.chat.context import Context
from agent.chat.messages import About, Question
from agent.song.ids import TrackId
from agent.song.song import Song
from agent.song.time import PPQ
from agent.theory.pitch import in_scale, pitch_name
from agent.theory.sounding import Sounding, kit_tracks, sounding

_SEMITONE, _SEVENTH, _TRITONE = 1, 11, 6
"""Intervals within an octave: a semitone (or minor ninth), a major seventh, and a tritone."""
_SHARPEST = {1: 0, 13: 1, 11: 2}
"""How sharp an interval of that many semitones rubs, the sharpest first; wider ones rub less."""
_HEARD = PPQ // 4
"""Ticks that two notes must sound together to rub, unless one of them is shorter than twice that."""
_SHOWN = 4
_LINKED = 6


class Rub(Struct, frozen=True):
    """Two notes of different parts that sound together a semitone, a major seventh or a tritone apart: the tick at
    which that begins first, the ticks that it lasts in all, and the bars in which it begins."""

    one: tuple[TrackId, int]
    other: tuple[TrackId, int]
    at: int
    lasts: int
    bars: tuple[int, ...]

    @property
    def semitones(self) -> int:
        """Their distance."""
        return abs(self.one[1] - self.other[1])

def clashes(context: Context, question: Question) -> Answer:
    """An answer that says which notes of two parts lie a semitone (also as a minor ninth or a major seventh) apart at
    the same moment in the named places (none: the song), with their bars and beats, which of them are outside the key,
    and how many tritones there are; of named parts only theirs. At a time of the clock the bars around it are looked at
    too. Notes that the words name are compared with the key and the chords instead."""
    song, about = context.song, question.about
    if not about.tracks and (given := given_notes(question.words)):
        return with_given(context, about, given)
    about = _around(about, song)
    kits = kit_tracks(song, context.palette)
    where = places(about, song)
    spans = [song.bar_map.span(first, last) for _, first, last in where]
    notes = [
        note for note in sounding(song) if note.track not in kits
        and (not spans or any(note.start < end and note.end > start for start, end in spans))
    ]
    if not any(note.track in about.tracks for note in notes) if about.tracks else not notes:
        return nothing_asked(context, about, "pitched")
    place = f" in {listed(name for name, _, _ in where)}" if where else ""
    found = rubs(song, notes, about.tracks, spans)
    semitones = sorted((one for one in found if one.semitones % 12 != _TRITONE), key=lambda one: _weight(song, one))
    tritones = [one for one in found if one.semitones % 12 == _TRITONE]
    facts = (Fact("semitones", len(semitones)), Fact("tritones", len(tritones)))
    links: tuple[Link, ...] = links_to((first, last) for _, first, last in where)
    if len({note.track for note in notes}) < 2:
        name = part_names(song)[notes[0].track]
        return Answer(f"It takes two parts to clash, and only {name} sounds{place}.", facts, links)
    if not found:
        text = f"No: no two parts are a semitone or a tritone apart at the same moment{place}."
        return Answer(f"{text} Counted from the notes.", facts, links)
    sharp = [one for one in semitones if one.semitones in _SHARPEST] or semitones
    shown = (sharp or tritones)[:_SHOWN]
    names = part_names(song)
    said = "; ".join(_told(song, names, one) for one in shown)
    if semitones:
        rest = len(semitones) - len(shown)
        others = counted(rest, "more pair is", "more pairs are")
        more = f" {others} a semitone apart, with or without octaves between." if rest else ""
        text = f"Yes{',' * bool(place)}{place}: {said}.{more}"
        text += f" {sentence(counted(len(tritones), 'pair'))} are a tritone apart." if tritones else ""
    else:
        text = f"No semitone rubs{place}, only tritones, which a seventh chord has too: {said}."
    bars = sorted({bar for one in shown for bar in one.bars})
    tracks = dict.fromkeys(track for one in shown for track, _ in (one.one, one.other))
    links = (*links_to(runs_of(bars)[:_LINKED]), *(TrackLink(track, names[track]) for track in [*tracks][:_LINKED]))
    return Answer(f"{text} Counted from the notes; whether it is meant so I cannot know.", facts, links)


def rubs(
    song: Song, notes: Sequence[Sounding], tracks: Collection[TrackId] = (), spans: Sequence[tuple[int, int]] = ()
) -> list[Rub]:
    """The pairs of notes of different parts that sound together a semitone, major seventh or tritone apart, octaves not
    counted, each pair of pitches once. One of them is in `tracks` (both if several, none: any), and they begin to sound
    together in `spans` (none: anywhere); `notes` are in order of time."""
    found: dict[tuple[tuple[TrackId, int], tuple[TrackId, int]], list[tuple[int, int]]] = {}
    held: list[Sounding] = []
    for note in notes:
        held = [one for one in held if one.end > note.start]
        for one in held:
            if one.track == note.track or (one.pitch - note.pitch) % 12 not in (_SEMITONE, _SEVENTH, _TRITONE):
                continue
            named = (one.track in tracks) + (note.track in tracks)
            lasts = min(one.end, note.end) - note.start
            short = min(_HEARD, (one.end - one.start) // 2, (note.end - note.start) // 2)
            inside = not spans or any(start <= note.start < end for start, end in spans)
            if (tracks and named < min(2, len(tracks))) or lasts < short or not inside:
                continue
            upper, lower = sorted(((one.track, one.pitch), (note.track, note.pitch)), key=lambda two: -two[1])
            found.setdefault((upper, lower), []).append((note.start, lasts))
        held.append(note)
    return [
        Rub(upper, lower, times[0][0], sum(lasts for _, lasts in times),
            tuple(sorted({song.bar_map.bar_at(at) for at, _ in times})))
        for (upper, lower), times in found.items()
    ]


def _weight(song: Song, one: Rub) -> tuple[int, bool, int]:
    """What makes a pair rub more comes first: close together, a note outside the key, and long."""
    outside = any(not in_scale(song.key, pitch) for _, pitch in (one.one, one.other))
    return (_SHARPEST.get(one.semitones, len(_SHARPEST)), not outside, -one.lasts)


def _around(about: About, song: Song) -> About:
    """With the bars beside the one that sounds at a time of the clock, which people name a little late."""
    if about.moment is None or about.bars is None:
        return about
    first, last = about.bars
    return About(tracks=about.tracks, bars=(max(1, first - 1), max(first, min(song.bars, last + 1))))


def _told(song: Song, names: dict[TrackId, str], one: Rub) -> str:
    sides = [f"{spelled(pitch_name(pitch, song.key))} of {names[track]}" for track, pitch in (one.one, one.other)]
    strays = [
        spelled(pitch_name(pitch, song.key)) for _, pitch in (one.one, one.other) if not in_scale(song.key, pitch)
    ]
    again = [bar for bar in one.bars if bar != song.bar_map.bar_at(one.at)]
    text = f"{sides[0]} against {sides[1]}, {an_interval(one.semitones)} apart, in {at_said(song, one.at)}"
    text += f" and again in {bars_listed(again, 3)}" if again else ""
    return text + (f" ({listed(strays)} {'is' if len(strays) == 1 else 'are'} outside the key)" if strays else "")
