"""How loud parts are against each other, and whether one covers another."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from statistics import fmean

from msgspec import Struct

from agent.chat.answer import Answer, Fact, Link, TrackLink
from agent.chat.answering.parts import links_of
from agent.chat.answering.wording import bars_said, decibels, links_to, listed, number, runs_of
from agent.chat.context import Context
from agent.chat.messages import About
from agent.song.ids import TrackId
from agent.song.song import Song
from agent.song.track import Track
from agent.theory.melody import melody_track
from agent.theory.mixing import total
from agent.theory.sounding import Sounding, kit_tracks, sounding

_NEAR = 7
"""Semitones within which two notes are in each other's way."""
_MUCH = 0.3
"""Share of a part's sounding time that must be shared before it counts as covered."""
_BELOW = -4.0
"""Decibels by which a part must be softer to cover nothing."""
_SOURCE = "Reckoned from faders, gains and how hard the notes are struck."


class PartLevel(Struct, frozen=True):
    """A track's fader and estimated level in dB: fader and gain effects, reduced by its velocities."""

    track: Track
    fader: float
    level: float


def levels(context: Context) -> tuple[PartLevel, ...]:
    """The levels of all unmuted tracks with notes, the loudest first."""
    found = [
        PartLevel(track, track.volume_db, level_of(context, track))
        for track in context.song.tracks if track.note_count and not track.mute
    ]
    return tuple(sorted(found, key=lambda one: -one.level))


def level_of(context: Context, track: Track) -> float:
    """The estimated level in dB: fader and gain effects, plus 40 log10 of the mean velocity's share of 127."""
    velocities = [note.velocity for clip in track.clips for note in clip.notes]
    struck = 40 * log10(fmean(velocities) / 127) if velocities else 0.0
    return track.volume_db + total(track.effects, context.palette, "gain", "gain") + struck


def loudness(context: Context, about: About) -> Answer:
    """An answer with the level of the named parts relative to the others, or the levels of all and the loudness
    target."""
    song, order = context.song, levels(context)
    target = Fact("loudness target", song.loudness_target, "LUFS")
    if not order:
        return Answer("Silent: no track sounds yet.", (target,))
    named = [one for one in order if one.track.id in about.tracks]
    if not named:
        silent = [track.name for track in song.tracks if track.id in about.tracks]
        if silent:
            return Answer(f"{listed(silent)} makes no sound: muted, or without notes.", (target,))
        said = ", ".join(f"{one.track.name} {decibels(one.level)}" for one in order[:24])
        text = (
            f"The mix is brought to {number(song.loudness_target)} LUFS, as set in the song. From loudest to softest: "
            f"{said}. {_SOURCE}"
        ).replace("-", "−", 1)
        return Answer(text, (target, *(Fact(one.track.name, round(one.level, 1), "dB") for one in order[:24])),
                      links_of([one.track for one in order[:1]]))
    texts = [_against(one, order) for one in named]
    facts = [fact for one in named for fact in (
        Fact(f"{one.track.name} fader", one.fader, "dB"), Fact(f"{one.track.name} level", round(one.level, 1), "dB"),
        Fact(f"{one.track.name} rank", order.index(one) + 1, f"of {len(order)}"))]
    return Answer(f"{' '.join(texts)} {_SOURCE}", (*facts, target), links_of([one.track for one in named]))


def _against(one: PartLevel, order: Sequence[PartLevel]) -> str:
    others = [other.level for other in order if other.track.id != one.track.id]
    text = f"{one.track.name} stands at {decibels(one.level)} (fader {decibels(one.fader)})"
    if not others:
        return f"{text} and plays alone."
    difference = one.level - fmean(others)
    side = "louder" if difference > 0 else "softer"
    how = "about as loud as" if abs(difference) < 1 else f"{abs(difference):.1f} dB {side} than"
    return f"{text}, {how} the other parts on average, {_rank(order.index(one) + 1, len(order))}."


def _rank(place: int, count: int) -> str:
    if place == 1:
        return f"the loudest of {count}"
    return f"the softest of {count}" if place == count else f"number {place} of {count} by level"


def covers(context: Context, about: About) -> Answer:
    """An answer that says whether one part masks another, by register and level, with a request that would help."""
    song = context.song
    pair = _pair(context, about)
    if pair is None:
        return Answer("It takes two parts that sound for one to cover the other.", (Fact("parts", len(song.tracks)),))
    cover, voice = (song.track(one) for one in pair)
    found = _overlap(song, cover.id, voice.id)
    above = level_of(context, cover) - level_of(context, voice)
    facts = (Fact("shared register", round(found.share, 2)), Fact("level difference", round(above, 1), "dB"))
    links: tuple[Link, ...] = (TrackLink(cover.id, cover.name), TrackLink(voice.id, voice.name))
    measured = (
        f"{cover.name} sounds within a fifth of {voice.name} for {found.share:.0%} of its time and stands "
        f"{decibels(above)} against it, counted from the notes and reckoned from the faders."
    )
    if not found.share:
        text = f"No: {cover.name} and {voice.name} never sound in the same register at the same time."
        return Answer(f"{text} Counted from the notes.", facts, links)
    stretches = runs_of(found.bars)[:4]
    links = (*links, *links_to(stretches))
    where = listed(bars_said(*one) for one in stretches)
    if found.share < _MUCH or above < _BELOW:
        return Answer(f"Hardly: {measured} They meet in {where}.", facts, links)
    offer = f"To make room, ask for “lower {cover.name} by 3 dB” or “{cover.name} an octave lower”."
    return Answer(f"Yes, in {where}: {measured} {offer}", facts, links)


class _Overlap(Struct, frozen=True):
    share: float
    bars: tuple[int, ...]


def _pair(context: Context, about: About) -> tuple[TrackId, TrackId] | None:
    """Who may cover whom: the two that are named, else the named one's nearest rival, else the melody and its own."""
    sounding_tracks = [track.id for track in context.song.tracks if track.note_count and not track.mute]
    named = [one for one in about.tracks if one in sounding_tracks]
    if len(named) > 1:
        return named[0], named[1]
    voice = named[0] if named else melody_track(context.song, context.palette)
    drums = kit_tracks(context.song, context.palette)
    others = [one for one in sounding_tracks if one != voice and one not in drums]
    if voice is None or not others:
        return None
    return max(others, key=lambda one: _overlap(context.song, one, voice).share), voice


def _overlap(song: Song, cover: TrackId, voice: TrackId) -> _Overlap:
    """The share of the voice's sounding time in which the other part sounds near its pitch, and the bars of it."""
    sung, over = sounding(song, {voice}), sounding(song, {cover})
    total_time = sum(note.end - note.start for note in sung)
    shared, bars, begin = 0, set(), 0
    longest = max((note.end - note.start for note in over), default=0)
    for note in sung:
        while begin < len(over) and over[begin].start + longest <= note.start:
            begin += 1
        spans = _near_spans(note, over, begin)
        shared += sum(end - start for start, end in spans)
        bars |= {song.bar_map.bar_at(start) for start, _ in spans}
    return _Overlap(shared / total_time if total_time else 0.0, tuple(sorted(bars)))


def _near_spans(note: Sounding, over: Sequence[Sounding], begin: int) -> list[tuple[int, int]]:
    """Where notes near its pitch sound with a note, without counting a moment twice."""
    spans: list[tuple[int, int]] = []
    at = begin
    while at < len(over) and over[at].start < note.end:
        other = over[at]
        if other.end > note.start and abs(other.pitch - note.pitch) <= _NEAR:
            start = max(note.start, other.start, spans[-1][1] if spans else 0)
            end = min(note.end, other.end)
            if end > start:
                spans.append((start, end))
        at += 1
    return spans
