"""What planning will use is told before anything is sent, and is not far from what it then uses."""

from __future__ import annotations

import pytest
from model_plans import Scripted, a_brief, in_process, pad_rows, the_prompts, written
from studio_parts import a_song

from agent.model_planner.estimate import ROUNDS, SongTold, estimate_planning
from agent.model_planner.prompt.budget import tokens, tokens_of
from agent.model_planner.rounds.limits import PlanningLimits
from agent.model_planner.rounds.sizing import first_size
from agent.plan.errors import PlanError
from agent.plan.planning import Brief, ConversationLine
from agent.providers.provider import Abilities
from agent.song.locks import BarsLock
from agent.song.revision import song_revision
from agent.song.song import Song

BRIEFS = [
    a_brief("compose a calm pad", song=Song()),
    a_brief("make the bass warmer", locks=(BarsLock(1, 2),), said=(ConversationLine("you", "a slow song " * 40),)),
]


def estimated(brief: Brief, context: int | None = None, **more: object) -> tuple[int, int]:
    return estimate_planning(brief, the_prompts(), PlanningLimits(), context, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("context", [None, 8_192])
@pytest.mark.parametrize("brief", BRIEFS)
def test_it_is_about_what_is_then_sent(brief: Brief, context: int | None) -> None:
    provider = Scripted(lambda _: written(pad_rows(8)), Abilities(forms="strict", context=context))
    in_process(provider, brief, parts=0)
    sent = next(query for query in provider.queries if query.system)
    told = tokens(sent.system) + tokens_of(sent.turns)
    read, wrote = estimated(brief, context)
    assert told <= read / ROUNDS <= 2 * told + 3_000
    assert wrote == pytest.approx(ROUNDS * sent.max_tokens, rel=0.35)


def test_more_to_read_and_more_to_write_cost_more() -> None:
    read, wrote = estimated(a_brief("a pad", song=Song()))
    longer = estimated(a_brief("drums, bass, chords and a melody for 64 bars", song=Song()))
    assert longer[1] > 2 * wrote
    assert estimated(a_brief("a pad " * 900, song=Song()))[0] > read + 1_000
    parts = estimated(a_brief("1. a pad 2. a bass 3. a lead", song=Song()))
    assert parts[0] > 2.9 * read
    assert parts[1] == pytest.approx(3 * wrote, abs=3)


def test_a_song_is_put_into_words_once_for_each_revision() -> None:
    told, song = SongTold(), a_song()
    first = told.text(a_brief("a", song), song_revision(song), 9_000)
    assert told.text(a_brief("b", song), song_revision(song), 9_001) is first
    assert told.text(a_brief("b", Song()), song_revision(Song()), 9_000) != first
    assert estimated(a_brief("a", song), told=told, revision="r") == estimated(a_brief("a", song))


def test_what_has_no_room_is_told_as_planning_would_tell_it() -> None:
    with pytest.raises(PlanError, match="does not fit"):
        estimated(a_brief("a pad " * 20_000), 8_192)


def test_the_answer_that_is_expected_is_the_one_that_is_asked_for() -> None:
    brief = a_brief("a pad", song=Song())
    assert estimated(brief)[1] == ROUNDS * first_size(brief.request, brief.song, PlanningLimits(), 100_000)
