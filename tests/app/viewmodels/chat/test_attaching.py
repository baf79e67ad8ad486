"""A request that is bound to clips, tracks or bars changes nothing else, whoever plans it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from asking_rooms import AskingRoom, asking_room
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from agent.review.rule import Rule
from agent.song.clip import Clip
from agent.song.errors import SongError
from agent.song.fence import Fence, locks_outside
from agent.song.ids import ClipId, TrackId
from agent.song.song import Song
from agent.song.time import Ticks
from agent.song.track import Track
from app.studio.studio import Studio
from app.viewmodels.chat.attaching import (
    RequestScope,
    attached,
    bound,
    chosen,
    fence_of,
    fence_words,
    joined,
    lock_text,
    stored,
    told,
)
from app.viewmodels.chat.entries import MessageEntry, PlanCard, ProblemEntry
from app.viewmodels.transport.focus import Focus

BAR = 4 * 960


def clip(name: str, bar: int) -> Clip:
    return Clip(ClipId(f"c{name}"), name, Ticks(bar * BAR), Ticks(BAR), ())


SONG = Song(
    name="One",
    tracks=(
        Track(TrackId("tpad"), "Pad", "pad_warm", clips=(clip("a", 0), clip("b", 1))),
        Track(TrackId("tbass"), "Bass · low", "bass_finger", clips=(clip("c", 7),)),
    ),
)


@pytest.mark.parametrize(
    ("scope", "locked", "said"),
    [
        (RequestScope(), (), ()),
        (RequestScope(tracks=(TrackId("tbass"),)), ("tpad",), ("Bass · low",)),
        (RequestScope(clips=(ClipId("ca"),)), ("clip:cb", "tbass"), ("a",)),
        (RequestScope(clips=(ClipId("ca"), ClipId("cb"))), ("tbass",), ("2 clips",)),
        (RequestScope(bars=(3, 6)), ("bars:1-2", "bars:7-8"), ("Bars 3–6",)),
        (RequestScope(bars=(1, 1)), ("bars:2-8",), ("Bar 1",)),
        (RequestScope(tracks=(TrackId("tpad"),), bars=(1, 8)), ("tbass",), ("Pad", "Bars 1–8")),
    ],
)
def test_all_outside_of_what_is_attached_is_locked(
    scope: RequestScope, locked: tuple[str, ...], said: tuple[str, ...]
) -> None:
    fence = fence_of(scope, SONG)
    assert tuple(lock_text(lock) for lock in locks_outside(fence, SONG)) == locked
    assert fence == (None if scope.whole else Fence(scope.tracks, scope.clips, scope.bars))
    assert tuple(one.words for one in attached(scope, SONG)) == said


def test_what_is_gone_binds_no_request_to_the_whole_song() -> None:
    with pytest.raises(SongError):
        fence_of(RequestScope(clips=(ClipId("gone"),)), SONG)
    with pytest.raises(SongError):
        fence_of(RequestScope(tracks=(TrackId("gone"),), bars=(1, 2)), SONG)


def test_each_thing_is_taken_away_alone() -> None:
    scope = RequestScope((ClipId("ca"),), (TrackId("tbass"),), (2, 3))
    rests = [one.rest for one in attached(scope, SONG)]
    assert rests == [replace(scope, clips=()), replace(scope, tracks=()), replace(scope, bars=None)]


def test_what_is_selected_is_clips_before_the_track() -> None:
    focus = Focus()
    assert chosen(focus, SONG).whole
    focus.track.set(TrackId("tpad"))
    focus.bars.set((2, 4))
    assert chosen(focus, SONG) == RequestScope(tracks=(TrackId("tpad"),), bars=(2, 4))
    focus.clips.set(frozenset({ClipId("cb"), ClipId("ghost")}))
    now = chosen(focus, SONG)
    assert now == RequestScope(clips=(ClipId("cb"),), bars=(2, 4))
    assert joined(RequestScope(bars=(1, 1)), now) == now


def test_the_bars_are_said_to_the_planner() -> None:
    assert bound("make it busier.", RequestScope(bars=(9, 16))) == "make it busier in bars 9-16"
    assert bound("make it busier.", RequestScope(tracks=(TrackId("tpad"),))) == "make it busier."


def test_what_was_attached_is_stored_with_the_words() -> None:
    scope = RequestScope(tracks=(TrackId("tbass"),), bars=(1, 4))
    assert told(stored("softer\nplease", scope, SONG)) == ("softer\nplease", ("Bass - low", "Bars 1–4"))


@given(st.text(alphabet="ab \n⌖·", max_size=30))
def test_no_words_of_a_person_pass_for_something_attached(words: str) -> None:
    assert told(stored(words, RequestScope(), SONG))[1] == ()


Room = AskingRoom


def opened(studio: Studio, story: Callable[[Room], Awaitable[None]]) -> None:
    asking_room(studio, story, Room)


async def made(room: Room) -> Song:
    await room.asking.ask("a calm lofi song in D minor at 82 bpm with drums, bass and electric piano, 16 bars")
    proposal = room.reviewing.proposal.value
    assert proposal is not None
    await room.asking.approving.run(proposal.judged.plan.hash)
    song: Song = room.workspace.song
    return song


def heard(song: Song, track: Track, first: int, last: int) -> set[tuple[object, ...]]:
    """Notes of a track that begin outside of these bars."""
    return {
        (one.start + note.start, note.pitch, note.duration, note.velocity) for one in track.clips for note in one.notes
        if not first <= song.bar_map.bar_at(one.start + note.start) <= last
    }


@pytest.mark.parametrize("request_", ["make it busier", "transpose it up an octave"])
def test_only_what_was_attached_is_changed(studio: Studio, request_: str) -> None:
    async def story(room: Room) -> None:
        before = await made(room)
        bass = next(track for track in before.tracks if track.name == "Bass")
        await room.asking.ask(request_, RequestScope(tracks=(bass.id,), bars=(5, 8)))
        proposal = room.reviewing.proposal.value
        assert proposal is not None
        ghost = proposal.ghost
        assert ghost is not None
        after = ghost.track(bass.id)
        assert after != bass
        assert [t for t in ghost.tracks if t.id != bass.id] == [t for t in before.tracks if t.id != bass.id]
        assert heard(ghost, after, 5, 8) == heard(before, bass, 5, 8)
        said = [one for one in room.conversation.entries if isinstance(one, MessageEntry) and one.author == "you"][-1]
        assert (said.text, said.attached) == (request_, ("Bass", "Bars 5–8"))
        await room.conversation.load()
        said = [one for one in room.conversation.entries if isinstance(one, MessageEntry) and one.author == "you"][-1]
        assert (said.text, said.attached) == (request_, ("Bass", "Bars 5–8"))

    opened(studio, story)


def test_rows_that_are_asked_for_again_keep_what_was_attached(studio: Studio) -> None:
    async def story(room: Room) -> None:
        before = await made(room)
        bass = next(track for track in before.tracks if track.name == "Bass")
        await room.asking.ask("make it busier", RequestScope(tracks=(bass.id,)))
        await room.asking.ask_afresh()
        proposal = room.reviewing.proposal.value
        assert proposal is not None
        assert proposal.ghost is not None
        assert proposal.plan.fence == Fence(tracks=(bass.id,))
        assert [t for t in proposal.ghost.tracks if t.id != bass.id] == [t for t in before.tracks if t.id != bass.id]

    opened(studio, story)


def test_a_clip_that_is_attached_keeps_the_tempo_out_of_it_and_the_run_proves_that(studio: Studio) -> None:
    async def story(room: Room) -> None:
        before = await made(room)
        bass = next(track for track in before.tracks if track.name == "Bass")
        await room.asking.ask("make this busier with some walking notes", RequestScope(clips=(bass.clips[0].id,)))
        proposal = room.reviewing.proposal.value
        assert proposal is not None
        assert fence_words(proposal.plan.fence, before) == f"Only {bass.clips[0].name} of Bass may change"
        outside = [one.step for one in proposal.judged.errors if one.rule == Rule.FENCE]
        await room.reviewing.reject(outside)
        await room.approve()
        after = room.workspace.song
        assert (after.tempos, after.key, after.sections) == (before.tempos, before.key, before.sections)
        assert "Nothing but clip" in room.said()[-1]
        [track] = [t for t, was in zip(after.tracks, before.tracks, strict=True) if t != was]
        assert [one for one in track.clips if one.id != bass.clips[0].id] == list(bass.clips[1:])

    opened(studio, story)


def test_a_request_whose_clips_are_gone_is_told_and_can_be_sent_again(studio: Studio) -> None:
    async def story(room: Room) -> None:
        await made(room)
        cards = sum(isinstance(one, PlanCard) for one in room.conversation.entries)
        await room.asking.ask("make it busier", RequestScope(clips=(ClipId("gone"),)))
        problem = room.conversation.entries[-1]
        assert isinstance(problem, ProblemEntry)
        assert problem.request == "make it busier"
        assert problem.scope == RequestScope(clips=(ClipId("gone"),))
        assert sum(isinstance(one, PlanCard) for one in room.conversation.entries) == cards

    opened(studio, story)
