"""Where parts rest: the gaps between the bars in which they sound."""

from __future__ import annotations

from agent.chat.answer import Answer, Fact
from agent.chat.answering.parts import bars_played, links_of, named_tracks
from agent.chat.answering.wording import bars_said, links_to, listed, places, runs_of
from agent.chat.context import Context
from agent.chat.messages import About

_MOST = 12
"""Rests of one part that are named one by one."""


def rests(context: Context, about: About) -> Answer:
    """An answer with the bars in which the named parts are silent, in the song or in the named places."""
    song = context.song
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
            texts.append(f"{track.name} has no bar of rest")
            continue
        more = f" and {len(found) - _MOST} more places" if len(found) > _MOST else ""
        rest = f"{track.name} rests in {listed(bars_said(*one) for one in found[:_MOST])}{more}"
        texts.append(rest if where or min(played, default=1) == 1 else f"{rest}, and comes in at bar {min(played)}")
    if not texts:
        return Answer("Nothing plays yet.", (Fact("tracks", len(song.tracks)),))
    return Answer(
        f"{'; '.join(texts)}. Counted from the notes, bar by bar.", tuple(facts),
        (*links_of(tracks), *links_to(gaps[:8])),
    )
