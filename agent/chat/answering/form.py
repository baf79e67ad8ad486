"""Sections, what repeats, and what is in a bar."""

from __future__ import annotations

from collections.abc import Sequence

from agent.chat.answer import Answer, BarsLink, Fact, Link, TrackLink
from agent.chat.answering.wording import bars_said, counted, links_to, listed, minutes, places, section_bars
from agent.chat.context import Context
from agent.chat.messages import About
from agent.song.ids import TrackId
from agent.song.song import Section, Song
from agent.theory.chords import chord_symbol
from agent.theory.harmony import bar_chords
from agent.theory.looping import loop_faults
from agent.theory.sounding import Sounding, percussive_tracks, sounding

_MOST = 24


def form(context: Context, about: About) -> Answer:
    """An answer with the sections in order, or how often the named section occurs."""
    song = context.song
    if not song.sections:
        return Answer(
            f"No sections are set; the song has {counted(song.bars, 'bar')}.", (Fact("sections", 0),),
        )
    if about.sections:
        named = [song.section(one) for one in about.sections]
        bars = [section_bars(song, one) for one in named]
        said = listed(f"{one.name} ({bars_said(*at)})" for one, at in zip(named, bars, strict=True))
        return Answer(
            f"{counted(len(named), 'time')}: {said}, as set in the song." if len(named) > 1 else
            f"Yes, once: {said}, as set in the song.", (Fact(named[0].name, len(named), "times"),), links_to(bars),
        )
    shown = song.sections[:_MOST]
    bars = [section_bars(song, one) for one in shown]
    said = ", ".join(f"{one.name} {at[0]}–{at[1]}" for one, at in zip(shown, bars, strict=True))
    more = f" and {len(song.sections) - _MOST} more" if len(song.sections) > _MOST else ""
    facts = tuple(Fact(one.name, f"{at[0]}-{at[1]}", "bars") for one, at in zip(shown, bars, strict=True))
    return Answer(
        f"{counted(len(song.sections), 'section')}, with their bars: {said}{more}. Set in the song.",
        facts, links_to(bars),
    )


def no_such_section(context: Context, asked: Sequence[str]) -> Answer:
    """An answer that the song has no sections of these names, and which it has."""
    names = list(dict.fromkeys(section.name for section in context.song.sections))
    rest = f"The song has {listed(names)}." if names else "The song has no sections yet."
    ask = "Name its bars instead, such as “bars 1–8”, and I look there."
    facts = tuple(Fact(one, 0, "times") for one in asked)
    return Answer(f"There is no {listed(asked, 'or')} that I know of. {rest} {ask}", facts)


def place(context: Context, about: About) -> Answer:
    """An answer that says where the named sections are, or in which sections the named bars are."""
    song = context.song
    if about.bars is not None and not about.sections:
        first, last = about.bars
        start, end = song.bar_map.span(first, last)
        found = [one for one in song.sections if one.start < end and one.end > start]
        said = listed(f"{one.name} ({bars_said(*section_bars(song, one))})" for one in found)
        where = bars_said(first, last)
        inside = f"is in {said}" if found else "is in no section"
        text = f"{where[0].upper()}{where[1:]} {inside}: {_timed(song, first, last)}."
        return Answer(text, tuple(Fact("section", one.name) for one in found), (BarsLink(first, last),))
    found_places = places(about, song)
    if not found_places:
        return form(context, About())
    said = listed(
        f"{name.partition(' (')[0]} in {bars_said(first, last)} ({_timed(song, first, last)})"
        for name, first, last in found_places
    )
    facts = tuple(Fact(name.partition(" (")[0], f"{first}-{last}", "bars") for name, first, last in found_places)
    links = links_to((first, last) for _, first, last in found_places)
    return Answer(f"{said}, as set in the song.", facts, links)


def clock(context: Context, about: About) -> Answer:
    """An answer with the bar, beat and section that sound at the time asked about."""
    song, seconds = context.song, about.moment
    if seconds is None:
        return place(context, about)
    said = minutes(seconds)
    tick = song.tempo_map.ticks(seconds)
    if tick >= song.end:
        return Answer(
            f"At {said} the song is over: it ends at {minutes(song.tempo_map.seconds(song.end))}, after bar "
            f"{song.bars}.", (Fact("bar", song.bars),),
        )
    bar = song.bar_map.bar_at(tick)
    start = song.bar_map.start_of(bar)
    meter = song.bar_map.meter_at(start)
    beat = (tick - start) * meter.beats // meter.bar_length + 1
    inside = listed(one.name for one in song.sections if one.start <= tick < one.end)
    where = f", in {inside}" if inside else ""
    facts = (Fact("bar", bar), Fact("beat", beat), Fact("section", inside))
    return Answer(f"At {said} it is in bar {bar}, beat {beat}{where}.", facts, (BarsLink(bar, bar),))


def _timed(song: Song, first: int, last: int) -> str:
    """How long bars last, and when they begin: 8 bars, 0:26, from 0:52 on."""
    start, end = (song.tempo_map.seconds(at) for at in song.bar_map.span(first, last))
    return f"{counted(last - first + 1, 'bar')}, {minutes(end - start)} long, from {minutes(start)} on"


def repeats(context: Context, about: About) -> Answer:
    """An answer that says which sections have the same notes as an earlier one, and which clips recur."""
    song = context.song
    named = [song.section(one) for one in about.sections]
    if len(named) == 1:
        name = named[0].name.casefold()
        named = [one for one in song.sections if one.name.casefold() == name]
    compared = named or list(song.sections)
    if len(compared) < 2:
        return _bars_repeated(context, named)
    pairs = _equal(song, compared)
    facts = tuple(Fact(f"{a.name} = {b.name}", f"{share:.0%}") for a, b, share in pairs)
    links = links_to(section_bars(song, one) for one in compared)
    same = [(a, b, share) for a, b, share in pairs if share > _SAME]
    if not same:
        names = listed(f"{one.name} ({bars_said(*section_bars(song, one))})" for one in compared)
        closest = max((share for _, _, share in pairs), default=0.0)
        return Answer(
            f"No: of {names} none repeats another note for note; at most {closest:.0%} of the notes agree. "
            "Counted from the notes.", facts, links,
        )
    said = "; ".join(
        f"{b.name} ({bars_said(*section_bars(song, b))}) repeats {a.name} ({bars_said(*section_bars(song, a))})"
        + ("" if share == 1 else f", {share:.0%} of the notes")
        for a, b, share in same[:6]
    )
    return Answer(f"Yes: {said}. Counted from the notes.", facts, links)


_SAME = 0.6


def loops(context: Context, _: About) -> Answer:
    """An answer that says whether the end of the song leads back into its beginning."""
    song = context.song
    if not song.note_count:
        return Answer("There is nothing to loop: the song has no notes yet.", (Fact("loop faults", 0),))
    faults = loop_faults(song)
    facts, links = (Fact("loop faults", faults),), (BarsLink(song.bars, song.bars),)
    if not faults:
        return Answer("Yes: it ends at the tempo it begins with, and its last bar plays on.", facts, links)
    slower = song.tempo_map.bpm(song.end - 1) != song.tempos[0].bpm
    thin = faults > slower
    why = listed((*(("the tempo is another at the end",) if slower else ()),
                  *(("its last bar hardly plays, as an ending does",) if thin else ())))
    return Answer(f"Not cleanly: {why}. “Make it loop” asks for a plan that mends it.", facts, links)


def _bars_repeated(context: Context, named: Sequence[Section]) -> Answer:
    song = context.song
    if named:
        first, last = section_bars(song, named[0])
        text = f"No, {named[0].name} comes once, in {bars_said(first, last)}."
        return Answer(text, (Fact(named[0].name, 1, "times"),), (BarsLink(first, last),))
    by_bar: dict[int, set[tuple[TrackId, int, int, int]]] = {}
    for note in sounding(song):
        bar = song.bar_map.bar_at(note.start)
        start = song.bar_map.start_of(bar)
        by_bar.setdefault(bar, set()).add((note.track, note.pitch, note.start - start, note.end - note.start))
    seen: dict[frozenset[tuple[TrackId, int, int, int]], int] = {}
    again = [bar for bar in sorted(by_bar) if seen.setdefault(frozenset(by_bar[bar]), bar) != bar]
    text = f"{counted(len(again), 'bar')} of {song.bars} repeat an earlier bar note for note. Counted from the notes."
    return Answer(text, (Fact("repeated bars", len(again), "bars"),))


def _equal(song: Song, sections: Sequence[Section]) -> list[tuple[Section, Section, float]]:
    """Each section with the earlier one that it is most like, and the share of notes in which they agree."""
    heard = sounding(song)
    notes = [_notes(heard, one.start, one.end) for one in sections]
    found = []
    for later in range(1, len(sections)):
        shares = []
        for earlier in range(later):
            union = notes[earlier] | notes[later]
            shares.append((len(notes[earlier] & notes[later]) / len(union) if union else 0.0, earlier))
        share, best = max(shares, key=lambda one: (one[0], -one[1]))
        found.append((sections[best], sections[later], share))
    return found


def _notes(heard: Sequence[Sounding], start: int, end: int) -> frozenset[tuple[TrackId, int, int, int]]:
    """The notes of a stretch, counted from its start."""
    return frozenset(
        (note.track, note.pitch, note.start - start, note.end - note.start)
        for note in heard if start <= note.start < end
    )


def bar_content(context: Context, about: About) -> Answer:
    """An answer with the parts that play in the named bars, their notes, and the chords."""
    song = context.song
    where = places(about, song)
    if not where:
        return form(context, about)
    name, first, last = where[0]
    shown = bars_said(first, last)
    title = f"{shown[0].upper()}{shown[1:]}" if about.bars is not None else name
    if first > song.bars:
        return Answer(f"Nothing: the song ends after bar {song.bars}.", (Fact("notes", 0),))
    start, end = song.bar_map.span(first, last)
    notes = [note for note in sounding(song) if note.start < end and note.end > start]
    if not notes:
        return Answer(f"{title}: silence, nothing sounds there.", (Fact("notes", 0),), (BarsLink(first, last),))
    counts = [(track, sum(note.track == track.id for note in notes)) for track in song.tracks]
    playing = [(track, count) for track, count in counts if count]
    chords = bar_chords(song, percussive_tracks(song, context.palette))[first - 1 : min(last, song.bars)]
    symbols = [chord_symbol(one, song.key) for one in chords if one is not None]
    said = listed(f"{track.name} ({counted(count, 'note')})" for track, count in playing)
    heard = f" Chords, as heard: {' | '.join(symbols[:16])}." if symbols else ""
    facts = (Fact("notes", len(notes)), *(Fact(track.name, count, "notes") for track, count in playing))
    links: tuple[Link, ...] = (BarsLink(first, last), *(TrackLink(track.id, track.name) for track, _ in playing))
    return Answer(f"{title}: {said} play.{heard} Counted from the notes.", facts, links)
