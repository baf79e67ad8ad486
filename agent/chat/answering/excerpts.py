"""Stretches of the song to cut out: of a length, without drums, calm or full, with start and end on the clock."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from agent.chat.answer import Answer, Fact
from agent.chat.answering.asked import amounts, words_of
from agent.chat.answering.growth import energy
from agent.chat.answering.parts import bars_played
from agent.chat.answering.wording import (
    bars_said,
    counted,
    links_to,
    listed,
    minutes,
    places_heard,
    runs_of,
    section_bars,
    spelled,
)
from agent.chat.context import Context
from agent.chat.messages import Question
from agent.song.ids import TrackId
from agent.song.song import Song
from agent.theory.chords import chord_symbol
from agent.theory.harmony import chords_known
from agent.theory.sounding import bar_begun, percussive_tracks, sounding
from agent.theory.stretches import MeasuredBars, stretches

_USUAL = 15.0
"""Seconds of an excerpt where the words name no length."""
_NEAR = 0.15
"""Share of the length by which a section may miss it."""
_CALM = frozenset({"calm", "calmest", "quiet", "quietest", "soft", "softest", "gentle", "mellow", "peaceful", "sparse",
                   "thin", "ambient", "chill", "calmer", "quieter", "softer", "gentler", "talk", "talking", "speak",
                   "narration", "voiceover"})
"""Words that ask for little: also who talks over the music wants it calm."""
_WITHOUT = frozenset({"no", "not", "without", "none", "free", "don't", "dont", "minus", "drumless", "beatless"})
_DRUMS = frozenset({"drum", "drums", "beat", "beats", "boom", "percussion", "kick", "drumless", "beatless"})
_SHOWN = 6
_NEXT = 3
"""Calm stretches that are named."""
_LONGEST = 400
"""Windows of bars that are measured at most."""


class _Candidate(Struct, frozen=True):
    """A stretch that may be cut out; `place` is the name of its section, "" for none, `whole` says whether it is all of
    that section."""

    first: int
    last: int
    place: str
    whole: bool


def excerpt(context: Context, question: Question) -> Answer:
    """An answer with the sections or bars near the length that the words name, start and end on the clock: those
    without drums if they ask for that, the calmest if they ask for calm, else the fullest."""
    song = context.song
    if not song.note_count:
        return Answer("There is nothing to cut out: the song has no notes yet.", (Fact("notes", 0),))
    words = words_of(question.words)
    if _DRUMS & words and (_WITHOUT & words or {"drumless", "beatless"} & words):
        return _drumless(context, question)
    calm = bool(_CALM & words)
    found = _candidates(context, question)
    if not found:
        return Answer(f"The whole song is shorter than that: it lasts {_clock(song, 1, song.bars)}.",
                      (Fact("excerpts", 0),))
    measured = stretches(song, context.palette, [(one.first, one.last) for one in found])
    pairs = [(one, figures) for one, figures in zip(found, measured, strict=True) if figures.notes]
    if not pairs:
        return Answer("Nothing sounds in any stretch of that length.", (Fact("excerpts", 0),))
    if calm:
        pairs.sort(key=lambda pair: (round(energy(pair[1]), 2), not pair[0].whole, pair[0].first))
    else:
        pairs.sort(key=lambda pair: (not pair[0].whole, -energy(pair[1]), pair[0].first))
    best, figures = pairs[0]
    why = "the calmest" if calm else "the fullest"
    text = (
        f"{_named(best)}: {_clock(song, best.first, best.last)}, {why} stretch of that length, with "
        f"{figures.density:.0f} notes a bar from {counted(len(figures.parts), 'part')}."
    )
    text += _named_parts(context, question, figures)
    others = _apart([one for one, _ in pairs])[1:_NEXT] if calm else [
        one for one, _ in pairs if one.whole and one != best]
    if others and calm:
        text += f" Next: {listed(f'{_named(one)}, {_clock(song, one.first, one.last)}' for one in others)}."
    elif others:
        more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
        said = listed(f"{_named(one)}, {_clock(song, one.first, one.last)}" for one in others[:_SHOWN])
        text += f" About as long: {said}{more}."
    turns = _turns(context, [best, *others][:_SHOWN])
    facts = (Fact("first bar", best.first, "bar"), Fact("last bar", best.last, "bar"),
             Fact("start", round(_at(song, best.first), 2), "s"), Fact("end", round(_at(song, best.last + 1), 2), "s"))
    links = links_to((one.first, one.last) for one in [best, *others][:_SHOWN])
    return Answer(f"{text}{turns} Counted from the notes; which sounds best is for your ears.", facts, links)


def _apart(found: Sequence[_Candidate]) -> list[_Candidate]:
    """Of stretches in their order those that overlap none before them."""
    apart: list[_Candidate] = []
    for one in found:
        if all(one.last < other.first or one.first > other.last for other in apart) and len(apart) < _NEXT:
            apart.append(one)
    return apart


def _named_parts(context: Context, question: Question, figures: MeasuredBars) -> str:
    """What the parts that the question names play in a stretch."""
    named = [track for track in context.song.tracks if track.id in question.about.tracks]
    said = [
        f"{track.name} plays {counted(figures.of(track.id), 'note')} there" if track.id in figures.parts
        else f"{track.name} rests there" for track in named
    ]
    return f" {listed(said)}." if said else ""


def _candidates(context: Context, question: Question) -> list[_Candidate]:
    """Whole sections of about the length that is asked for, and bars of that length that begin a section or lie a
    multiple of four bars behind its beginning."""
    song = context.song
    value, unit = next(iter(amounts(question.words)), (_USUAL, "s"))
    inside = places_heard(question.about, song) if question.about.sections else ()
    parts = [(one.name, *section_bars(song, one)) for one in song.sections if one.start < song.end]
    parts = [(name, first, min(last, song.bars)) for name, first, last in parts] or [("", 1, song.bars)]
    if inside:
        wanted = {(first, last) for _, first, last in inside}
        parts = [one for one in parts if (one[1], one[2]) in wanted] or parts
    found = []
    for name, first, last in parts:
        length = (last - first + 1) if unit == "bars" else _at(song, last + 1) - _at(song, first)
        if name and abs(length - value) <= _NEAR * value:
            found.append(_Candidate(first, last, name, whole=True))
            continue
        for at in range(first, last + 1, 4):
            end = at + round(value) - 1 if unit == "bars" else _ending(song, at, value)
            if end <= last and end >= at and len(found) < _LONGEST:
                found.append(_Candidate(at, end, name, whole=False))
    if not found and song.bars:
        size = round(value) if unit == "bars" else _ending(song, 1, value)
        found = [_Candidate(at, at + size - 1, "", whole=False) for at in range(1, song.bars + 2 - size)][:_LONGEST]
    return found


def _ending(song: Song, first: int, seconds: float) -> int:
    """The last of the bars from `first` on that together come nearest to some seconds."""
    target = song.tempo_map.ticks(_at(song, first) + seconds)
    bar = song.bar_map.bar_at(target)
    late = _at(song, bar + 1) - (_at(song, first) + seconds)
    early = (_at(song, first) + seconds) - _at(song, bar)
    return max(first, bar if late < early else bar - 1)


def _drumless(context: Context, question: Question) -> Answer:
    """The stretches of bars in which no percussion sounds, longest first; where there are none, those in which the
    named percussion does not."""
    song = context.song
    kits = percussive_tracks(song, context.palette) or frozenset(question.about.tracks)
    none, asked = "", kits
    free, struck = _free(song, kits)
    if not free and frozenset(question.about.tracks) & kits not in (kits, frozenset()):
        none, asked = "No bar is without any percussion. ", frozenset(question.about.tracks) & kits
        free, struck = _free(song, asked)
    length, unit = next(iter(amounts(question.words)), (0.0, "s"))
    wanted = length if unit == "s" else length * _at(song, 2)
    names = listed(track.name for track in song.tracks if track.id in asked) or "drums"
    if not struck:
        return Answer(f"All of it: there are no drums in the song, {_clock(song, 1, song.bars)}.",
                      (Fact("without drums", song.bars, "bars"),))
    if not free:
        return Answer(f"None: {names} play in every bar. Counted from the notes.", (Fact("without drums", 0, "bars"),))
    free.sort(key=lambda run: (-(_at(song, run[1] + 1) - _at(song, run[0])), run[0]))
    enough = [run for run in free if _at(song, run[1] + 1) - _at(song, run[0]) >= wanted - 0.25]
    shown = (enough or free)[:_SHOWN]
    said = [
        f"{_place(song, run)}{bars_said(*run)}, {_clock(song, *run)}{_others(song, kits - asked, run)}" for run in shown
    ]
    text = f"{none}Without {names}: {listed(said)}."
    if wanted and not enough:
        text = f"{none}None of that length: the longest without {names} is {said[0]}."
    first, last = shown[0]
    facts = (
        Fact("without drums", last - first + 1, "bars"), Fact("start", round(_at(song, first), 2), "s"),
        Fact("end", round(_at(song, last + 1), 2), "s"), Fact("long enough", bool(enough)),
    )
    return Answer(f"{text} Counted from the notes, bar by bar.", facts, links_to(shown))


def _free(song: Song, kits: frozenset[TrackId]) -> tuple[list[tuple[int, int]], set[int]]:
    """The runs of bars in which none of some tracks sounds and others do, and the bars in which they sound."""
    struck = {bar for track in song.tracks if track.id in kits for bar in bars_played(song, track)}
    heard = {bar_begun(song, note) for note in sounding(song)}
    gaps = runs_of([bar for bar in range(1, song.bars + 1) if bar not in struck])
    return [run for run in gaps if any(bar in heard for bar in range(run[0], run[1] + 1))], struck


def _others(song: Song, others: frozenset[TrackId], run: tuple[int, int]) -> str:
    """Whether other percussion plays in bars without the drums that are asked about."""
    start, end = song.bar_map.span(*run)
    playing = {note.track for note in sounding(song, others) if start <= note.start < end} if others else set()
    names = [track.name for track in song.tracks if track.id in playing]
    rests = [track.name for track in song.tracks if track.id in others and track.id not in playing]
    if names:
        return f" (but {listed(names)} {'plays' if len(names) == 1 else 'play'} there)"
    return f" ({listed(rests)} {'rests' if len(rests) == 1 else 'rest'} there too)" if rests else ""


def _place(song: Song, run: tuple[int, int]) -> str:
    """The section that a run of bars begins in, with a comma."""
    at = song.bar_map.start_of(run[0])
    return next((f"{one.name}, " for one in song.sections if one.start <= at < one.end), "")


def _turns(context: Context, found: Sequence[_Candidate]) -> str:
    """The chords that stretches begin and end on, and which of them lead back to their own beginning."""
    song = context.song
    known = chords_known(song, percussive_tracks(song, context.palette))
    back: list[str] = []
    on: list[str] = []
    for one in found:
        start, end = song.bar_map.span(one.first, one.last)
        inside = [chord.chord for chord in known if chord.start < end and chord.end > start]
        if len(inside) < 2:
            continue
        last, first = (spelled(chord_symbol(chord, song.key)) for chord in (inside[-1], inside[0]))
        two = f"{_named(one)} (from {last} back to {first})"
        leads = (inside[-1].root - inside[0].root) % 12 == 7 and 4 in inside[-1].intervals
        (back if leads else on).append(two)
    if back:
        verb = "turns" if len(back) == 1 else "turn"
        return f" {listed(back[:3])} {verb} back to the beginning as dominant to tonic."
    return f" No dominant leads back to the beginning: {listed(on[:2])}." if on else ""


def _named(one: _Candidate) -> str:
    bars = bars_said(one.first, one.last)
    return f"{one.place} ({bars})" if one.place else f"{bars[:1].upper()}{bars[1:]}"


def _clock(song: Song, first: int, last: int) -> str:
    """0:22–0:37 (14.8 s)."""
    start, end = _at(song, first), _at(song, last + 1)
    return f"{minutes(start)}–{minutes(end)} ({end - start:.1f} s)"


def _at(song: Song, bar: int) -> float:
    return song.tempo_map.seconds(song.bar_map.start_of(bar))
