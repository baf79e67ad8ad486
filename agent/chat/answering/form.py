"""Sections, what repeats, and what is in a bar."""

from __future__ import annotations

from collections.abc import Sequence

from agent.chat.answer import Answer, BarsLink, Fact, Link, TrackLink
from agent.chat.answering.past_end import asks_past_end, past_end
from agent.chat.answering.wording import bars_said, counted, links_to, listed, places, section_bars
from agent.chat.context import Context
from agent.chat.messages import About, Question
from agent.song.ids import TrackId
from agent.song.song import Section, Song
from agent.theory.chords import chord_symbol
from agent.theory.harmony import bar_chords
from agent.theory.looping import loop_faults
from agent.theory.sounding import Sounding, percussive_tracks, sounding
from agent.theory.stretches import bars_again

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
    whole = [one for one in same if one[2] == 1][:_PAIRS]
    partly = [one for one in same if one[2] < 1][:_PAIRS]
    said = "; ".join(_repeating(song, *one) for one in whole)
    nearly = "; ".join(_repeating(song, *one) for one in partly)
    text = f"Yes: {said}." if whole else "No, none repeats another note for note."
    text += f" In part: {nearly}." if partly else ""
    return Answer(f"{text} Counted from the notes.", facts, links)


def _repeating(song: Song, a: Section, b: Section, share: float) -> str:
    """That a section repeats another, and how much of the notes unless all."""
    some = "" if share == 1 else f", {int(share * 100)}% of the notes"
    here, there = (bars_said(*section_bars(song, one)) for one in (b, a))
    return f"{b.name} ({here}) repeats {a.name} ({there}){some}"


_SAME = 0.6
_PAIRS = 6


def loops(context: Context, question: Question) -> Answer:
    """An answer that says whether the end of the song leads back into its beginning, and which notes sound past its
    end; where the words ask for such notes, that first."""
    song = context.song
    if not song.note_count:
        return Answer("There is nothing to loop: the song has no notes yet.", (Fact("loop faults", 0),))
    faults = loop_faults(song)
    links = (BarsLink(song.bars, song.bars),)
    over, tail = past_end(song)
    facts = (Fact("loop faults", faults), Fact("notes past the end", over))
    asked = asks_past_end(question.words)
    if not faults:
        good = "it ends at the tempo it begins with, and its last bar plays on."
        return Answer(f"{tail} For the rest {good}" if asked else f"Yes: {good} {tail}", facts, links)
    slower = song.tempo_map.bpm(song.end - 1) != song.tempos[0].bpm
    thin = faults > slower
    why = listed((*(("the tempo is another at the end",) if slower else ()),
                  *(("its last bar hardly plays, as an ending does",) if thin else ())))
    told = f"Not cleanly: {why}. “Make it loop” asks for a plan that mends it."
    return Answer(f"{tail} {told}" if asked else f"{told} {tail}", facts, links)


def _bars_repeated(context: Context, named: Sequence[Section]) -> Answer:
    song = context.song
    if named:
        first, last = section_bars(song, named[0])
        text = f"No, {named[0].name} comes once, in {bars_said(first, last)}."
        return Answer(text, (Fact(named[0].name, 1, "times"),), (BarsLink(first, last),))
    again, _ = bars_again(song, sounding(song))
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
