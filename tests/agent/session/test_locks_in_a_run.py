"""Whatever rows want to do in a run, what a lock freezes is the same afterwards, and the answer proves it."""

from __future__ import annotations

import asyncio
import re

import pytest
from examples import examples
from hypothesis import event, given, settings
from hypothesis import strategies as st
from songs import edits, songs
from studio_parts import (
    BASS,
    CHORDS,
    PAD,
    FastCancellation,
    Studio,
    a_plan,
    a_registry,
    a_song,
    a_tool,
    step,
    the_palette,
)

from agent.plan.planning import Brief
from agent.services.service import Call, Outcome
from agent.session.session import Ended, Session
from agent.song.edits import Edit
from agent.song.ids import ClipId
from agent.song.locks import BarsLock, ClipLock, Lock, TrackLock, broken, digest, standing
from agent.song.rules import check
from agent.song.song import Song


class AnyHand:
    """A service that gives edits as they come, also such as do not fit the song."""

    name = "hand"
    limit = 4

    def __init__(self, rows: list[list[Edit]]) -> None:
        self.rows = rows
        self.tools = (a_tool("do", self.name, changes_song=True, effect="song"),)

    async def call(self, call: Call) -> Outcome:
        """The edits of that number."""
        return Outcome({}, tuple(self.rows[call.inputs["number"]]))

    def foresee(self, call: Call) -> Outcome:
        """The same."""
        return Outcome({}, tuple(self.rows[call.inputs["number"]]))


class _NoPlanner:
    name, steers = "nobody", False

    def plan(self, brief: Brief) -> None:
        """Nothing is planned here."""


def locks_of(song: Song) -> st.SearchStrategy[list[Lock]]:
    every: list[Lock] = [TrackLock(track.id) for track in song.tracks]
    every += [ClipLock(clip.id) for _, clip in song.clips()]
    every += [BarsLock(first, first + more) for first in (1, 3) for more in (0, 2)]
    return st.lists(st.sampled_from(every), min_size=1, max_size=4, unique=True)


def carried_out(song: Song, rows: list[list[Edit]], locks: tuple[Lock, ...]) -> tuple[Ended, Song]:
    plan = a_plan(
        *(step(f"s{number}", "do", {"number": number}, on_error="continue") for number in range(len(rows))),
        song=song, locks=locks,
    )
    studio = Studio(song)
    session = Session(_NoPlanner(), a_registry(AnyHand(rows)), the_palette())  # type: ignore[arg-type]
    ended = asyncio.run(session.run("rrun", plan, song, studio, studio, FastCancellation()))
    return ended, studio.song


@pytest.mark.semantics("5.6")
@settings(max_examples=examples(60))
@given(songs(), st.data())
def test_no_row_changes_what_a_lock_freezes(song: Song, data: st.DataObject) -> None:
    locks = tuple(data.draw(locks_of(song)))
    rows = data.draw(st.lists(st.lists(edits(song), min_size=1, max_size=3), min_size=1, max_size=5))
    ended, after = carried_out(song, rows, locks)
    check(after)
    event("the song changed" if after != song else "the song is the same")
    assert broken(locks, song, after) is None
    assert [digest(lock, song) for lock in locks] == [digest(lock, after) for lock in locks]
    assert [proof.equal for proof in ended.answer.locks] == [True] * len(locks)
    assert [(proof.before, proof.after) for proof in ended.answer.locks] == [(digest(one, song),) * 2 for one in locks]


@pytest.mark.semantics("5.6")
def test_the_answer_names_the_clip_and_proves_it() -> None:
    song = a_song()
    session = Session(_NoPlanner(), a_registry(), the_palette())  # type: ignore[arg-type]
    plan = a_plan(
        step("s1", "transform_clip", {"clip_id": CHORDS, "operation": "transpose", "semitones": 1},
             on_error="continue"),
        step("s2", "update_track", {"track_id": PAD, "volume_db": -3}, on_error="continue"),
        step("s3", "update_track", {"track_id": BASS, "name": "Low"}, on_error="continue"),
        locks=(ClipLock(CHORDS),),
    )
    studio = Studio(song)
    ended = asyncio.run(session.run("rrun", plan, song, studio, studio, FastCancellation()))
    assert [str(report.state) for report in ended.reports] == ["failed", "done", "done"]
    assert "the row would change clip Chords of Pad, which is locked" in ended.reports[0].reason
    [proof] = ended.answer.locks
    assert (proof.target, proof.equal) == ("clip Chords of Pad", True)
    assert re.fullmatch(r"[0-9a-f]{64}", proof.before)
    assert "clip Chords of Pad is locked and unchanged" in ended.answer.text


def test_a_lock_on_what_the_song_does_not_have_stands_for_nothing() -> None:
    gone: tuple[Lock, ...] = (ClipLock(ClipId("cgone")), TrackLock(PAD), BarsLock(900, 901), ClipLock(CHORDS))
    assert standing(gone, a_song()) == gone[1:]
    assert standing(gone, Song()) == (BarsLock(900, 901),)
