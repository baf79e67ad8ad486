"""Words that the person types while a plan is made are taken into account, whenever they come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

from model_plans import (
    Scripted,
    a_brief,
    in_process,
    over_the_wire,
    pad_rows,
    planned,
    row,
    the_prompts,
    the_registry,
    written,
)
from model_server import Answer, Asked, Text

from agent.conversation.messages import ModelTurn, ToolCall, UserTurn
from agent.model_planner.memory import AnswerMemory
from agent.model_planner.planner import ModelPlanner
from agent.plan.planning import Brief, StepsWithdrawn
from agent.providers.provider import Query, Reply, ReplyEvent, RetryWait, TextPart
from agent.song.song import Song

SOFT = pad_rows(8)
LOUD = pad_rows(8, "pad_halo")


class Typing:
    """What the person types: words come once they were put, and are told once."""

    def __init__(self) -> None:
        self._words: list[str] = []

    def put(self, words: str) -> None:
        self._words.append(words)

    def __call__(self) -> tuple[str, ...]:
        words, self._words = tuple(self._words), []
        return words


def told(query: Query) -> str:
    return "\n".join(turn.text for turn in query.turns if isinstance(turn, UserTurn))


def test_words_before_the_first_call_go_with_it() -> None:
    typing = Typing()
    typing.put("no drums please")
    provider = Scripted([written(SOFT)])
    [result] = in_process(provider, a_brief(song=Song(), steering=typing))
    assert "no drums please" in told(provider.queries[0])
    assert any("no drums please" in thought for thought in result.thoughts)


def test_words_while_it_streams_lead_to_another_answer() -> None:
    typing = Typing()

    def script(asked: Asked) -> Answer:
        if "make it brighter" in asked.last_words:
            return Text(written(LOUD))
        typing.put("make it brighter")
        return Text(written(SOFT))

    # The words come when the request has arrived, so they are found with the first piece or after the last.
    [result], server = over_the_wire(script, a_brief(song=Song(), steering=typing))
    assert result.draft.steps[0].inputs["instrument"] == "pad_halo"
    assert result.shown == list(result.draft.steps)
    assert len(server.requests) == 2


class Interrupted(Scripted):
    """The person types at an event of the first reply; `first` comes before all others. `left` replies were closed."""

    def __init__(
        self, script: list[str], typing: Typing, at: Callable[[ReplyEvent], bool], first: ReplyEvent | None = None
    ) -> None:
        super().__init__(script)
        self._typing, self._at, self._first, self.left = typing, at, first, 0

    async def reply(self, query: Query) -> AsyncIterator[ReplyEvent]:
        ended = False
        try:
            first, self._first = self._first, None
            if first is not None:
                if self._at(first):
                    self._typing.put("in 3/4")
                yield first
            async for event in super().reply(query):
                if self._at(event) and len(self.queries) == 1:
                    self._typing.put("in 3/4")
                yield event
            ended = True
        finally:
            self.left += not ended


def test_words_after_rows_were_shown_let_the_answer_end_first() -> None:
    typing, parts = Typing(), iter(range(1000))
    provider = Interrupted(
        [written(SOFT), written(LOUD)], typing, lambda event: isinstance(event, TextPart) and next(parts) == 4
    )
    [result] = in_process(provider, a_brief(song=Song(), steering=typing))
    assert provider.left == 0
    second = provider.queries[1].turns
    assert isinstance(second[1], ModelTurn)
    assert second[1].text == written(SOFT)
    assert "in 3/4" in told(provider.queries[1])
    assert any(isinstance(event, StepsWithdrawn) for event in result.events)
    assert result.shown == list(result.draft.steps)
    assert result.draft.steps[0].inputs["instrument"] == "pad_halo"


def test_words_before_the_answer_has_begun_let_it_begin_again() -> None:
    typing = Typing()
    waits = RetryWait(3.0, 1, "the server is busy")
    provider = Interrupted([written(LOUD)], typing, lambda event: event is waits, waits)
    [result] = in_process(provider, a_brief(song=Song(), steering=typing))
    assert provider.left == 1
    assert "in 3/4" in told(provider.queries[0])
    assert "Begins again with what you added" in result.thoughts


def test_words_between_looking_up_and_planning_are_heard() -> None:
    typing = Typing()

    def script(query: Query) -> str | Reply:
        if len(provider.queries) == 1:
            typing.put("and slower")
            return Reply("", "tools", (ToolCall("c1", "get_song", {}),))
        return written(SOFT)

    provider = Scripted(script)
    in_process(provider, a_brief(song=Song(), steering=typing))
    assert "and slower" in told(provider.queries[1])


def test_words_during_a_round_of_mending_are_heard_and_their_plan_counts() -> None:
    typing = Typing()
    faulty = [*SOFT, row("x", "add_effect", track_id="{{s1.track_id}}", effect_name="sparkle")]

    def script(query: Query) -> str:
        place = len(provider.queries)
        if place == 2:
            typing.put("with a longer clip")
        return written([faulty, SOFT, LOUD][place - 1])

    provider = Scripted(script)
    [result] = in_process(provider, a_brief(song=Song(), steering=typing))
    assert result.draft.steps[0].inputs["instrument"] == "pad_halo"
    assert "with a longer clip" in told(provider.queries[2])


def test_every_part_hears_the_words() -> None:
    typing = Typing()
    typing.put("both very slow")
    provider = Scripted(lambda _: written(SOFT))
    in_process(provider, a_brief("1. a pad 2. a bass", song=Song(), steering=typing))
    assert all("both very slow" in told(query) for query in provider.queries[:2])


def test_an_answer_to_added_words_is_not_remembered() -> None:
    typing, memory = Typing(), AnswerMemory()
    typing.put("no drums please")
    provider = Scripted([written(LOUD), written(SOFT)])
    planner = ModelPlanner(provider, the_prompts(), the_registry(), memory=memory)

    async def twice() -> list[str]:
        brief = a_brief(song=Song(), steering=typing)
        return [await _instrument(planner, brief), await _instrument(planner, brief)]

    assert asyncio.run(twice()) == ["pad_halo", "pad_warm"]


async def _instrument(planner: ModelPlanner, brief: Brief) -> str:
    return str((await planned(planner, brief)).draft.steps[0].inputs["instrument"])
