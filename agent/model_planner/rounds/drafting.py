"""From one question to one answer: reading turns, continuations, and words that come in between."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from contextlib import aclosing

import msgspec

from agent.conversation.messages import ModelTurn, ResultsTurn, ToolCall, ToolResult, Turn, UserTurn
from agent.errors import BandleaderError
from agent.message import msg
from agent.model_planner.prompt.budget import first_words
from agent.model_planner.prompt.data_block import inert
from agent.model_planner.reading.answer import ParsedAnswer, read_answer
from agent.model_planner.reading.answered import TruncatedAnswer, UnreadableAnswer
from agent.model_planner.reading.splicing import is_whole, resume_words, spliced
from agent.model_planner.rounds.calling import ModelCall
from agent.model_planner.rounds.errors import NoPlan
from agent.model_planner.rounds.model_planning import ModelPlanning
from agent.model_planner.rounds.showing import reshown
from agent.model_planner.rounds.stream import Stream
from agent.plan.plan import Step
from agent.plan.planning import PlannerEvent, StepsWithdrawn, Thinking
from agent.providers.provider import BadCall, Query, Reply
from agent.services.registry import Registry
from agent.services.service import Call, Origin, foreseen
from agent.song.song import Song

_SHOWN_WORDS = 300


class Drafting:
    """Gets one answer of the model to `turns`, with as many calls as needed (tool calls, continuations); `size` is the
    expected length of the answer in tokens. After `events`, `answer` and `text` are set.

    `heard` is the number of the person's messages taken into account. Rows are shown as they arrive if `show` is set.
    """

    def __init__(
        self, desk: ModelPlanning, turns: tuple[Turn, ...], size: int, *, heard: int = 0, show: bool = True
    ) -> None:
        self._desk = desk
        self._turns = turns
        self._size = size
        self._show = show
        self._shown: list[Step] = []
        self._reads = 0
        self._continues = 0
        self._pauses = 0
        self._before_pause = ""
        self._cut_context: tuple[int, int] | None = None
        self.heard = heard
        self.text = ""
        self.answer: ParsedAnswer | None = None

    async def events(self) -> Stream:
        """The planner events until the answer is complete. Raises `NoPlan`, `UnreadableAnswer` and `ProviderError`."""
        while self.answer is None:
            for event in self._hear():
                yield event
            call = await self._call()
            async with aclosing(call.events(None if self.text else self._desk.steering, self.heard)) as events:
                async for event in events:
                    yield event
            self._shown += call.rows
            if call.steered:
                yield Thinking("Begins again with what you added")
                continue
            async with aclosing(self._take(call)) as events:
                async for event in events:
                    yield event

    async def _call(self) -> ModelCall:
        """The next call. What has arrived may be long, and telling where it ends takes its time: not on the loop."""
        query = await asyncio.to_thread(self._query) if self.text else self._query()
        desk = self._desk
        return ModelCall(desk.provider, query, desk.account, desk.tools, show=self._show, before=self.text)

    def _query(self) -> Query:
        """The next question; an answer in pieces is asked for its rest, without a form: a rest is no whole object."""
        desk, turns, continuing = self._desk, self._turns, bool(self.text)
        if continuing and self._continues:
            where = desk.prompts.filled("continue", where=resume_words(self.text))
            turns = (*turns, ModelTurn(self.text), UserTurn(where))
        may_read = self._reads < desk.limits.reads and not continuing
        return desk.query(turns, self._size, may_read=may_read, formed=not continuing)

    async def _take(self, call: ModelCall) -> Stream:
        """Go on by why the reply ended."""
        reply = call.reply
        assert reply is not None
        if call.cut_context is not None and self._cut_context is None:
            self._cut_context = call.cut_context
            yield Thinking(f"{self._cut_words()}: its context is set too small".capitalize())
        if reply.finish == "refused":
            raise NoPlan(msg("the model refused the request"), why=_words(reply.text), fix=msg("say it in other words"))
        if reply.finish == "tools":
            async with aclosing(self._looked_up(reply)) as events:
                async for event in events:
                    yield event
            return
        if reply.finish == "paused":
            self._pause(reply)
            return
        more = self._before_pause + reply.text
        self._before_pause = ""
        self.text = await asyncio.to_thread(spliced, self.text, more) if self.text else more
        if reply.truncated and not await asyncio.to_thread(is_whole, self.text):
            yield self._continued(reply)
            return
        async with aclosing(self._read(reply)) as events:
            async for event in events:
                yield event

    async def _looked_up(self, reply: Reply) -> Stream:
        """Answer the model's calls."""
        if self._shown:
            self._shown = []
            yield StepsWithdrawn()
        if self._reads >= self._desk.limits.reads:
            raise NoPlan(
                msg("the model only looked things up and planned nothing"),
                why=msg("in {reads} turns", reads=self._reads), fix=msg("ask again, or choose another model"),
            )
        self._reads += 1
        offered = {offer.name for offer in self._desk.offers}
        results = await asyncio.to_thread(_looked_up, reply, offered, self._desk.registry, self._desk.brief.song)
        self._turns = (*self._turns, ModelTurn(reply.text, reply.all_calls, reply.kept), ResultsTurn(results))

    def _pause(self, reply: Reply) -> None:
        """Let the model go on from where it paused."""
        self._pauses += 1
        if self._pauses > self._desk.limits.continues:
            raise NoPlan(
                msg("the model paused again and again"), why=msg("{pauses} times", pauses=self._pauses),
                fix=msg("ask again"),
            )
        self._turns = (*self._turns, ModelTurn(reply.text, (), reply.kept))
        self._before_pause += reply.text

    def _continued(self, reply: Reply) -> PlannerEvent:
        """Ask for the rest, with more room."""
        most = self._desk.limits.continues
        if reply.finish == "context" or self._continues >= most:
            why = "the model's window is full" if reply.finish == "context" else f"it was continued {most} times"
            raise NoPlan(
                msg("the model's answer was cut off"),
                why=msg(
                    "{why}; {count} rows and {count_2:,} characters arrived, and none of it is used",
                    why=why, count=len(self._shown), count_2=len(self.text),
                ),
                fix=msg("ask for less at once, or choose a model with longer answers"),
            )
        self._continues += 1
        self._size = min(self._size * 2, self._desk.limits.most_output)
        return Thinking(f"The answer was cut off; asking for the rest ({self._continues} of {most})")

    async def _read(self, reply: Reply) -> Stream:
        """Read the whole answer, and show the rows that count."""
        if not self.text.strip():
            raise NoPlan(
                msg("the model gave an empty answer"), why=self._cut_words() or msg("it ended without a word"),
                fix=self._advice() or msg("ask again, or choose another model"),
            )
        try:
            answer = await asyncio.to_thread(read_answer, self.text, self._desk.tools)
        except TruncatedAnswer:
            # Some servers say that an answer is complete where they cut it.
            yield self._continued(reply)
            return
        except UnreadableAnswer:
            if "{" not in self.text and not self._shown:
                raise NoPlan(
                    msg("the model answered without a plan"), why=_words(self.text),
                    fix=self._advice() or msg("say it in other words, or choose another model"),
                ) from None
            raise
        if answer.question is None and self._desk.steering.since(self.heard):
            self._turns = (*self._turns, ModelTurn(self.text))
            self.text, self._continues = "", 0
            if self._shown:
                self._shown = []
                yield StepsWithdrawn()
            return
        self.answer = answer
        if self._show and answer.question is None:
            for event in reshown(self._shown, answer.draft.steps):
                yield event

    def _hear(self) -> list[PlannerEvent]:
        """Take in what the person typed, unless an answer is being continued."""
        words = self._desk.steering.since(self.heard)
        if not words or self.text:
            return []
        self.heard += len(words)
        told = self._desk.prompts.filled("steer", words="\n".join(words).replace("<", "&lt;"))
        self._turns = (*self._turns, UserTurn(told))
        return [Thinking(f"Takes into account: {first_words(' / '.join(words), 120)}")]

    def _cut_words(self) -> str:
        if self._cut_context is None:
            return ""
        got, sent = self._cut_context
        return f"the server read only {got:,} of at least {sent:,} tokens"

    def _advice(self) -> str:
        if self._cut_context is None:
            return ""
        return "give the server a larger context (for Ollama: num_ctx), or use a larger model"


def _words(text: str) -> str:
    """A model's words as data: short and on one line."""
    return f"it said: {first_words(text, _SHOWN_WORDS)}" if text.strip() else "without a word"


_MOST = 24_000
_MOST_CALLS = 32


def _looked_up(reply: Reply, offered: Collection[str], registry: Registry, song: Song) -> tuple[ToolResult, ...]:
    """A result for every tool call of the reply, in order. A call that fails, or of a tool not offered, gets its error
    as result."""
    good = [_result(place, call, offered, registry, song) for place, call in enumerate(reply.calls)]
    return (*good, *(_refused(call) for call in reply.bad_calls))


def _result(place: int, call: ToolCall, offered: Collection[str], registry: Registry, song: Song) -> ToolResult:
    if call.name not in offered:
        names = ", ".join(sorted(offered))
        why = "there is no such tool to read with; changes are rows of the plan"
        return ToolResult(call.id, f"{inert(call.name)[:60]}: {why}. You may use: {names}", failed=True)
    if place >= _MOST_CALLS:
        return ToolResult(call.id, f"not answered: at most {_MOST_CALLS} calls in one turn", failed=True)
    try:
        # `foreseen` has no effect whatever the service is; only tools without one are offered besides.
        outcome = foreseen(registry.owner(call.name), Call(call.name, call.arguments, song, Origin("", "planning")))
    except BandleaderError as problem:
        told = ". ".join(part for part in (str(problem), problem.advice) if part)
        return ToolResult(call.id, inert(told), failed=True)
    text = inert(msgspec.json.encode(outcome.result).decode())
    if len(text) > _MOST:
        text = f"{text[:_MOST]} … ({len(text) - _MOST:,} characters left out: ask for less)"
    return ToolResult(call.id, text)


def _refused(call: BadCall) -> ToolResult:
    return ToolResult(call.id, f"the arguments are no JSON object: {inert(call.why)[:200]}", failed=True)
