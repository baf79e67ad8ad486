"""Who plays, when, with which sound, how high and how much."""

from __future__ import annotations

from collections.abc import Sequence

from agent.chat.answer import Answer, Fact, Link, TrackLink
from agent.chat.answering.wording import (
    bars_said,
    bars_timed,
    clock_at,
    counted,
    links_to,
    listed,
    places,
    runs_of,
    spelled,
)  # fmt: skip
from agent.chat.context import Context
from agent.chat.messages import About
from agent.song.palette import Instrument, Palette
from agent.song.song import Song
from agent.song.track import Track
from agent.theory.mixing import value_of
from agent.theory.pitch import pitch_name
from agent.theory.sounding import HAIR, bar_begun, kit_tracks, sounding

_MOST = 24


def named_tracks(context: Context, about: About) -> tuple[Track, ...]:
    """The tracks that the question names, otherwise all that have notes."""
    if about.tracks:
        return tuple(track for track in context.song.tracks if track.id in about.tracks)
    return tuple(track for track in context.song.tracks if track.note_count)


def sound_of(track: Track, palette: Palette) -> str:
    """The name of a track with its instrument in parentheses, unless they are the same."""
    label = palette.label(track.instrument)
    return label if label.casefold() == track.name.casefold() else f"{track.name} ({label})"


def links_of(tracks: Sequence[Track]) -> tuple[Link, ...]:
    """A link to each of the tracks."""
    return tuple(TrackLink(track.id, track.name) for track in tracks)


def missing(context: Context, about: About) -> Answer:
    """An answer that the song has none of the parts asked about, and which it has."""
    asked = listed(about.absent, "or")
    tracks = [track.name for track in context.song.tracks]
    rest = f"There are {listed(tracks)}." if tracks else "The song has no tracks yet."
    return Answer(f"No, there is no {asked} in the song. {rest}", tuple(Fact(one, False) for one in about.absent))


def players(context: Context, about: About) -> Answer:
    """An answer with the parts that play, in the song or in the named places; for named parts whether and where they
    play."""
    song = context.song
    if not song.tracks:
        return Answer("Nobody yet: the song has no tracks.", (Fact("tracks", 0),))
    where = places(about, song)
    if about.tracks:
        return _plays(context, named_tracks(context, about), where)
    if not where:
        said = listed(sound_of(track, context.palette) for track in song.tracks[:_MOST])
        facts = tuple(Fact(track.name, context.palette.label(track.instrument)) for track in song.tracks[:_MOST])
        return Answer(f"{counted(len(song.tracks), 'track')}: {said}.", facts, links_of(song.tracks[:_MOST]))
    texts: list[str] = []
    found: list[Track] = []
    for name, first, last in where:
        start, end = song.bar_map.span(first, last)
        heard = {note.track for note in sounding(song) if note.start < end and note.end > start}
        playing = [track for track in song.tracks if track.id in heard]
        found += [track for track in playing if track not in found]
        texts.append(f"{name}: {listed(track.name for track in playing) or 'nobody'}")
    links = (*links_to((first, last) for _, first, last in where), *links_of(found))
    facts = tuple(Fact(track.name, True) for track in found)
    text = "; ".join(texts)
    return Answer(f"{text[0].upper()}{text[1:]}. Counted from the notes.", facts, links)


def _plays(context: Context, tracks: Sequence[Track], where: tuple[tuple[str, int, int], ...]) -> Answer:
    song = context.song
    texts, facts = [], []
    stretches: list[tuple[int, int]] = []
    for track in tracks:
        bars = bars_played(song, track)
        if where:
            name, first, last = where[0]
            inside = [bar for bar in bars if first <= bar <= last]
            verdict = f"Yes, {track.name} plays in {name}" if inside else f"No, {track.name} rests in {name}"
            facts.append(Fact(track.name, bool(inside)))
            stretches += runs_of(inside)
        else:
            verdict = f"Yes, {sound_of(track, context.palette)} plays in {_said(runs_of(bars))}" if bars else (
                f"{sound_of(track, context.palette)} is there, but {'is muted' if track.mute else 'has no notes'}")
            facts.append(Fact(track.name, len(bars), "bars"))
            stretches += runs_of(bars)
        texts.append(verdict)
    return Answer(
        f"{'. '.join(texts)}. Counted from the notes.", tuple(facts), (*links_of(tracks), *links_to(stretches[:6]))
    )


def entrance(context: Context, about: About) -> Answer:
    """An answer with the bars and times where the named parts (none: all, in the order in which they come in) begin and
    play."""
    song = context.song
    texts: list[str] = []
    facts: list[Fact] = []
    stretches: list[tuple[int, int]] = []
    tracks = named_tracks(context, about)
    played = {track: bars_played(song, track) for track in tracks}
    if not about.tracks:
        tracks = tuple(sorted(tracks, key=lambda track: played[track][:1] or [song.bars + 1]))
    for track in tracks:
        bars = played[track]
        if not bars:
            texts.append(f"{track.name} does not play")
            continue
        found = runs_of(bars)
        stretches += found
        entry = f"{track.name} comes in at bar {bars[0]} ({clock_at(song, bars[0])})"
        texts.append(f"{entry} and plays in {_timed(song, found)}")
        facts += [Fact(f"{track.name} enters", bars[0], "bar"), Fact(f"{track.name} plays", len(bars), "bars")]
    if not texts:
        return Answer("Nothing plays yet.", (Fact("tracks", len(song.tracks)),))
    return Answer(
        f"{'; '.join(texts)}. Counted from the notes.", tuple(facts), (*links_of(tracks), *links_to(stretches[:8]))
    )


def sound(context: Context, about: About) -> Answer:
    """An answer with the instruments of the named tracks (none: of all)."""
    tracks = named_tracks(context, about)
    if not tracks:
        return players(context, About())
    said = listed(f"{track.name} is {_article(context.palette.label(track.instrument))}" for track in tracks[:_MOST])
    facts = tuple(Fact(track.name, context.palette.label(track.instrument)) for track in tracks[:_MOST])
    return Answer(f"{said}, as set in the song.", facts, links_of(tracks[:_MOST]))


def effects_on(context: Context, about: About) -> Answer:
    """An answer with the effects of the named tracks, otherwise of all tracks and the master."""
    palette, song = context.palette, context.song
    tracks = named_tracks(context, about) if about.tracks else song.tracks
    texts, facts = [], []
    for track in tracks:
        labels = [_effect(context, one.name, value_of(one, "mix", palette)) for one in track.effects if one.enabled]
        if labels or about.tracks:
            texts.append(f"{track.name}: {listed(labels) or 'no effects'}")
            facts.append(Fact(track.name, ", ".join(palette.label(one.name) for one in track.effects if one.enabled)))
    if song.master_effects and not about.tracks:
        labels = [palette.label(one.name) for one in song.master_effects if one.enabled]
        texts.append(f"the whole mix: {listed(labels)}")
        facts.append(Fact("mix", ", ".join(labels)))
    if not texts:
        return Answer("No track has an effect.", (Fact("effects", 0),))
    text = "; ".join(texts)
    links = links_of(tracks if about.tracks else ())
    return Answer(f"{text[0].upper()}{text[1:]}. Set in the song.", tuple(facts), links)


def _effect(context: Context, name: str, mix: float) -> str:
    label = context.palette.label(name)
    return f"{label} ({mix:.0%} wet)" if mix else label


def pitch_range(context: Context, about: About) -> Answer:
    """An answer with the lowest and highest note of the named parts, compared with their instruments' ranges."""
    song = context.song
    kits = kit_tracks(song, context.palette)
    known = {one.name: one for one in context.palette.instruments}
    texts, facts = [], []
    tracks = [track for track in named_tracks(context, about) if track.id not in kits]
    for track in tracks[:_MOST]:
        pitches = [note.pitch for clip in track.clips for note in clip.notes]
        if not pitches:
            texts.append(f"{track.name} has no notes")
            continue
        low, high = (pitch_name(one, song.key) for one in (min(pitches), max(pitches)))
        outside = _outside(known.get(track.instrument), pitches)
        texts.append(f"{track.name} goes from {spelled(low)} to {spelled(high)}{outside}")
        facts += [Fact(f"{track.name} lowest", low), Fact(f"{track.name} highest", high)]
    if not texts:
        drums = "A drum kit has no range." if about.tracks else "There are no pitched notes."
        return Answer(drums, (Fact("notes", 0),), links_of(named_tracks(context, about) if about.tracks else ()))
    return Answer(f"{'; '.join(texts)}. Counted from the notes.", tuple(facts), links_of(tracks[:_MOST]))


def _outside(instrument: Instrument | None, pitches: Sequence[int]) -> str:
    if instrument is None:
        return ""
    count = sum(not instrument.low <= pitch <= instrument.high for pitch in pitches)
    if not count:
        return f", all within what {_article(instrument.label)} can play"
    return f"; {counted(count, 'note')} of it lie outside what {_article(instrument.label)} can play"


def bars_played(song: Song, track: Track) -> list[int]:
    """The numbers of the bars in which a track sounds, ascending; empty for a muted track. A hair over a bar line does
    not count."""
    bars = song.bar_map
    return sorted({
        bar for note in sounding(song, {track.id}) for first in (bar_begun(song, note),)
        for bar in range(first, max(first, bars.bar_at(max(note.end - 1 - HAIR, 0))) + 1)
    })


def _said(stretches: Sequence[tuple[int, int]]) -> str:
    return _first_six([bars_said(*one) for one in stretches])


def _timed(song: Song, stretches: Sequence[tuple[int, int]]) -> str:
    return _first_six([bars_timed(song, *one) for one in stretches])


def _first_six(said: Sequence[str]) -> str:
    shown = listed(said[:6])
    return shown if len(said) <= 6 else f"{shown} and {len(said) - 6} more places"


def _article(label: str) -> str:
    return f"{'an' if label[:1].casefold() in 'aeiou' else 'a'} {label}"
