"""Where parts rest: the gaps between the bars in which they sound, and how long they go on without one."""

from __future__ import annotations

from agent.chat.answer import Answer, Fact
from agent.chat.answering.asked import words_of
from agent.chat.answering.parts import bars_played, links_of, named_tracks
from agent.chat.answering.unbroken import unbroken
from agent.chat.answering.wording import bars_timed, clock_at, counted, links_to, listed, places, runs_of
from agent.chat.context import Context
from agent.chat.messages import Question
from agent.song.song import Song

_MOST = 12
"""Rests of one part that are named one by one."""
_LONG = frozenset({"long", "longest"})
_RUN = frozenset({"without", "breathe", "breath", "run", "stretch", "continuous", "continuously", "straight", "phrase"})
_GAP = frozenset({"gap", "gaps", "rest", "rests", "break", "breath", "breathing", "pause", "stop"})
_UNBROKEN = frozenset({"unbroken", "nonstop"})
_SILENCE = frozenset({"silent", "silence", "resting", "tacet"})



def rests(context: Context, question: Question) -> Answer:
    """An answer with the bars and times in which the named parts are silent, in the song or in the named places; with
    the longest run without a rest if the words ask for it."""
    if _asks_how_long_it_plays(words_of(question.words)):
        return unbroken(context, question.about)
    song, about = context.song, question.about
    where = places(about, song)
    every = set(range(1, song.bars + 1))
    if where:
        every = {bar for _, first, last in where for bar in range(first, last + 1)}
    texts: list[str] = []
    facts: list[Fact] = []
    gaps: list[tuple[int, int]] = []
    tracks = named_tracks(context, about)
    for track in tracks:
        played = set(bars_played(song, track))
        found = runs_of(sorted(every - played))
        gaps += found
        facts.append(Fact(f"{track.name} rests", len(every - played), "bars"))
        if not found:
            texts.append(f"{track.name} has no bar of rest: {_throughout(song, sorted(every))}")
            continue
        more = f" and {len(found) - _MOST} more places" if len(found) > _MOST else ""
        rest = f"{track.name} rests in {listed(bars_timed(song, *one) for one in found[:_MOST])}{more}"
        entry = min(played, default=1)
        texts.append(rest if where or entry == 1 else f"{rest}, and comes in at bar {entry} ({clock_at(song, entry)})")
    if not texts:
        return Answer("Nothing plays yet.", (Fact("tracks", len(song.tracks)),))
    return Answer(
        f"{'; '.join(texts)}. Counted from the notes, bar by bar.", tuple(facts),
        (*links_of(tracks), *links_to(gaps[:8])),
    )


def _asks_how_long_it_plays(words: frozenset[str]) -> bool:
    """Whether words ask for a run without a rest: "the longest stretch without a breath", not of silence."""
    if _SILENCE & words:
        return False
    return bool(_UNBROKEN & words or (_LONG & words and _RUN & words) or ("without" in words and _GAP & words))


def _throughout(song: Song, bars: list[int]) -> str:
    """It plays in all 8 bars, bars 1–8 (0:00–0:20)."""
    said = listed(bars_timed(song, *run) for run in runs_of(bars))
    return f"it plays in all {counted(len(bars), 'bar')}, {said}" if len(bars) > 1 else f"it plays in {said}"
