"""One call of a model, as a planner shows it: rows while they come, waiting, and what was spent."""

from __future__ import annotations

import asyncio

from agent.message import msg
from agent.model_planner.prompt.budget import least_tokens, texts_of
from agent.model_planner.reading.answer import AnswerReader
from agent.model_planner.reading.splicing import spliced
from agent.model_planner.rounds.account import Account
from agent.model_planner.rounds.steering import Steering
from agent.model_planner.rounds.stream import Stream
from agent.plan.plan import Step
from agent.plan.planning import Countdown, StepProposed, StepsWithdrawn, Thinking
from agent.plan.tool import ToolSpec
from agent.providers.closing import closing
from agent.providers.errors import ProviderError
from agent.providers.provider import (
    CallBegun,
    CallPart,
    Finished,
    Provider,
    Query,
    Reply,
    Restarted,
    RetryWait,
    TextPart,
)

_LONG_ROW = 4_096
_PIECE = 2_048
_READ_SHARE = 0.6
_FIRST_LOOK = 1_600
_SEAM = 200


class ModelCall:
    """Streams one reply of the model. Afterwards `reply` is set; `steered` says that the call was stopped before its
    first word because the person said something; `rows` are those shown.

    `before` is the text that the reply continues.
    """

    def __init__(
        self, provider: Provider, query: Query, account: Account, tools: tuple[ToolSpec, ...], *, show: bool,
        before: str = "",
    ) -> None:
        self._provider = provider
        self._query = query
        self._account = account
        self._tools = tools
        self._show = show
        self._before = before
        self._begin()
        self.reply: Reply | None = None
        self.rows: list[Step] = []
        self.steered = False

    async def events(self, steering: Steering | None = None, heard: int = 0) -> Stream:
        """The planner events of the call. With `steering` it stops before the reply's first word if the person has said
        more than `heard` messages. Raises `ProviderError`."""
        begun = False
        async with closing(self._provider.reply(self._query)) as stream:
            async for event in stream:
                if not begun and steering is not None and steering.since(heard) and not isinstance(event, Finished):
                    self.steered = True
                    return
                match event:
                    case TextPart(text=text):
                        begun = True
                        for step in await self._read(text):
                            yield StepProposed(step)
                    case Restarted():
                        begun = False
                        self._begin()
                        if self.rows:
                            self.rows = []
                            yield StepsWithdrawn()
                    case RetryWait(seconds=seconds, reason=reason):
                        yield Countdown(seconds, reason)
                    case CallBegun(name=name):
                        begun = True
                        yield Thinking(f"Looks it up: {name[:60]}")
                    case CallPart():
                        pass
                    case Finished(reply=reply):
                        for step in await self._rest():
                            yield StepProposed(step)
                        self.reply = reply
        if self.reply is None:
            raise ProviderError(
                "cut_off", msg("{provider} ended its answer without saying so", provider=self._provider.name),
                fix=msg("ask again"),
            )
        yield await self._account.add(self.reply)

    @property
    def cut_context(self) -> tuple[int, int] | None:
        """(tokens read, least tokens sent) if the server silently cut the query; None otherwise."""
        if self.reply is None or not self.reply.usage.known or not self.reply.usage.input:
            return None
        sent = least_tokens((self._query.system, *(text for turn in self._query.turns for text in texts_of(turn))))
        read = self.reply.usage.input
        return (read, sent) if read < _READ_SHARE * sent else None

    def _begin(self) -> None:
        self._reader = AnswerReader(self._tools)
        self._more: list[str] = []
        self._arrived = 0
        self._open_row = 0
        self._next_look = _FIRST_LOOK
        self._given: set[str] | None = None
        self._joins = False

    async def _read(self, text: str) -> tuple[Step, ...]:
        """The rows that this piece completes."""
        if not self._show:
            return ()
        steps = await (self._joined(text) if self._before else self._fed(text))
        self.rows += steps
        self._open_row = 0 if steps else self._open_row + len(text)
        return steps

    async def _fed(self, text: str, *, last: bool = False) -> tuple[Step, ...]:
        """Within a long row the pieces are gathered and read off the event loop: its end takes a while to read."""
        self._more.append(text)
        self._arrived += len(text)
        large = self._open_row + self._arrived > _LONG_ROW
        if large and self._arrived < _PIECE and not last:
            return ()
        piece, self._more, self._arrived = "".join(self._more), [], 0
        return await asyncio.to_thread(self._reader.feed, piece) if large else self._reader.feed(piece)

    async def _rest(self) -> tuple[Step, ...]:
        """The rows in what was gathered last."""
        if not self._more or (self._before and not self._joins):
            return ()
        steps = self._new(await self._fed("", last=True))
        self.rows += steps
        return steps

    async def _joined(self, text: str) -> tuple[Step, ...]:
        """The rows of a continuation. Where it joins is seen from what came, so it is looked at now and then until it
        does; what follows is read like any other piece."""
        if self._joins:
            return self._new(await self._fed(text))
        self._more.append(text)
        self._arrived += len(text)
        if self._arrived < self._next_look:
            return ()
        self._next_look = self._arrived * 2
        more = "".join(self._more)
        steps, self._joins = await asyncio.to_thread(self._look, more)
        if self._joins:
            self._more, self._arrived = [], 0
        return steps

    def _look(self, more: str) -> tuple[tuple[Step, ...], bool]:
        """The new rows if what came is joined as it now seems, and whether it ends as that does."""
        if self._given is None:
            self._given = {step.id for step in AnswerReader(self._tools).feed(self._before)}
        whole = spliced(self._before, more)
        self._reader = AnswerReader(self._tools)
        return self._new(self._reader.feed(whole)), whole.endswith(more[-_SEAM:])

    def _new(self, rows: tuple[Step, ...]) -> tuple[Step, ...]:
        """Those that were not shown before."""
        if self._given is None:
            return rows
        new = tuple(step for step in rows if step.id not in self._given)
        self._given.update(step.id for step in new)
        return new
