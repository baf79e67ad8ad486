"""Where the song is fullest and where it is emptiest: notes a bar of its sections, and notes of its parts."""

from __future__ import annotations

from bisect import bisect_left

from agent.chat.answer import Answer, BarsLink, Fact, TrackLink
from agent.chat.answering.asked import words_of
from agent.chat.answering.growth import growth, sections_or_windows
from agent.chat.answering.places_compared import Place
from agent.chat.answering.ranking import ranked
from agent.chat.answering.wording import bars_said, bars_timed, counted, listed, number
from agent.chat.context import Context
from agent.chat.messages import Question
from agent.song.ids import TrackId
from agent.theory.sounding import Sounding, sounding

_MOST = 5
_FEW = frozenset({"emptiest", "sparsest", "thinnest", "quietest", "calmest", "fewest", "least"})
"""Words that ask for the other end."""
_GREAT = frozenset({"dramatic", "climax", "climactic", "intense", "epic", "massive", "biggest"})
"""Words that ask for the climax, which is made of level as well."""


def busiest(context: Context, question: Question) -> Answer:
    """An answer with the sections (without any, stretches of bars) by notes per bar and the parts by number of notes,
    fullest first; emptiest first if the question asks for few; for the most dramatic place with the climax."""
    song = context.song
    notes = list(sounding(song, {track.id for track in song.tracks}))
    if not notes:
        return Answer("No note is played yet, so no place is busier than another.", (Fact("notes", 0),))
    if _GREAT & words_of(question.words):
        return growth(context, question)
    few = bool(_FEW & set(question.words.casefold().strip("?!. ").split()))
    kind = ranked(question.words)
    only = frozenset(question.about.tracks) if kind == "parts" and len(question.about.tracks) > 1 else None
    said = [
        None if kind == "parts" else _places(context, notes, few=few, bars=kind == "bars"),
        None if kind in ("places", "bars") else _parts(context, notes, few=few, only=only),
    ]
    told = [one for one in said if one is not None]
    version = f" in version {context.versions[0].number}" if context.versions else ""
    return Answer(
        f"{' '.join(one.text for one in told)} Counted from the notes{version}.",
        tuple(fact for one in told for fact in one.facts), tuple(link for one in told for link in one.links),
    )


def _places(context: Context, notes: list[Sounding], *, few: bool, bars: bool) -> Answer | None:
    """None where the song has no two sections, nor two stretches of bars; `bars`: single bars are ranked."""
    song = context.song
    where = [(bars_said(bar, bar), bar, bar) for bar in range(1, song.bars + 1)] if bars else sections_or_windows(song)
    if len(where) < 2:
        return None
    starts = [note.start for note in notes]

    def inside(place: Place) -> list[Sounding]:
        start, end = song.bar_map.span(*place[1:])
        return notes[bisect_left(starts, start) : bisect_left(starts, end)]

    def a_bar(place: Place) -> float:
        _, first, last = place
        return len(inside(place)) / (last - first + 1)

    def said(place: Place) -> str:
        timed = bars_timed(song, *place[1:])
        return f"{place[0]}, {timed}" if song.sections and not bars else timed

    ranked = sorted(where, key=a_bar, reverse=not few)[:_MOST]
    first, *others = ranked
    tracks = len({note.track for note in inside(first)})
    head = f"{said(first)}: {counted(tracks, 'part')}, {_rounded(a_bar(first))}"
    rest = [f"{said(one)}, has {_rounded(a_bar(one))}" for one in others]
    return Answer(
        f"{head[:1].upper()}{head[1:]} notes a bar. {listed(rest)}.",
        tuple(Fact(f"notes a bar, {one[0]}", round(a_bar(one), 1)) for one in ranked),
        tuple(BarsLink(*one[1:]) for one in ranked),
    )


def _parts(context: Context, notes: list[Sounding], *, few: bool, only: frozenset[TrackId] | None) -> Answer:
    counts: dict[TrackId, int] = {}
    for note in notes:
        if only is None or note.track in only:
            counts[note.track] = counts.get(note.track, 0) + 1
    ranked = sorted(counts, key=lambda track: counts[track], reverse=not few)[:2]
    names = {track: context.song.track(track).name for track in ranked}
    said = [f"{names[ranked[0]]} plays the {'fewest' if few else 'most'}, {counted(counts[ranked[0]], 'note')}"]
    said += [f"then {names[one]}, {counts[one]:,}" for one in ranked[1:]]
    return Answer(
        f"Of the parts {', '.join(said)}.", tuple(Fact(f"notes, {names[one]}", counts[one]) for one in ranked),
        tuple(TrackLink(one, names[one]) for one in ranked),
    )


def _rounded(value: float) -> str:
    return number(round(value)) if value >= 10 else number(round(value, 1))
