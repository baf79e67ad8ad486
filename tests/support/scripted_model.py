"""A language model that answers what a test tells it, without a network; and rows that are left to it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from itertools import count
from typing import Any

from studio_parts import Ran, Studio, a_plan, a_registry, a_song, step, the_palette

from agent.conversation.messages import ResultsTurn, ToolCall, ToolResult
from agent.plan.plan import Inputs, Step
from agent.providers.provider import Abilities, BadCall, Finish, Finished, Query, Reply, ReplyEvent, TextPart, Usage
from agent.session.cancellation import Cancellation
from agent.session.executor import Executor
from agent.session.ports import RowReport
from agent.session.spending import Spending
from agent.session.tool_loop import ModelWorker, Price
from agent.session.worker import Worker
from agent.song.locks import Lock

Answer = Reply | BaseException | Callable[[Query], Reply]
_ids = count(1)


def says(text: str = "It is done.", finish: Finish = "end", tokens: int = 10) -> Reply:
    """A reply of words."""
    return Reply(text, finish, usage=Usage(tokens, 1, calls=1))


def calls(*wanted: tuple[str, Inputs], text: str = "", bad: Sequence[str] = ()) -> Reply:
    """A reply that wants tools: pairs of name and arguments; `bad` are names of calls that cannot be read."""
    made = tuple(ToolCall(f"call{next(_ids)}", name, inputs) for name, inputs in wanted)
    unread = tuple(BadCall(f"call{next(_ids)}", name, '{"a": ', "it ends too early") for name in bad)
    return Reply(text, "tools", made, unread, Usage(10, 1, calls=1))


class ScriptedProvider:
    """Gives its answers in order, then the last one for ever. `queries` holds all that was asked."""

    name = "scripted"
    model = "scripted-1"
    abilities = Abilities()

    def __init__(self, *answers: Answer, seconds: float = 0) -> None:
        self._answers = answers
        self._seconds = seconds
        self.queries: list[Query] = []
        self.open = 0

    async def reply(self, query: Query) -> AsyncIterator[ReplyEvent]:
        """Stream the next answer."""
        self.queries.append(query)
        answer = self._answers[min(len(self.queries), len(self._answers)) - 1]
        self.open += 1
        try:
            yield TextPart("...")
            await asyncio.sleep(self._seconds)
            if isinstance(answer, BaseException):
                raise answer
            yield Finished(answer if isinstance(answer, Reply) else answer(query))
        finally:
            self.open -= 1

    async def models(self) -> tuple[str, ...]:
        """Its own."""
        return (self.model,)

    async def close(self) -> None:
        """Nothing to close."""

    @property
    def results(self) -> tuple[ToolResult, ...]:
        """The results that went back in the last query."""
        [*_, last] = [turn for turn in self.queries[-1].turns if isinstance(turn, ResultsTurn)]
        return last.results


def goal(
    step_id: str = "g", *, tools: Sequence[str] = ("update_track",), tracks: Sequence[str] = ("tpad",),
    accept: bool = True, max_edits: int = 5, words: str = "make it softer", **fields: Any,
) -> Step:  # fmt: skip
    """A row that is left to a model."""
    inputs = {"tools": list(tools), "tracks": list(tracks), "accept": accept}
    return step(step_id, "work_on", inputs, by="model", goal=words, max_edits=max_edits, **fields)


def louder(track: str = "tpad", volume: float = -3.0) -> tuple[str, Inputs]:
    """A call that changes a track."""
    return ("update_track", {"track_id": track, "volume_db": volume})


async def worked(
    worker: Worker | None, *rows: Step, locks: tuple[Lock, ...] = (), studio: Studio | None = None,
    cancellation: Cancellation | None = None, past: Sequence[RowReport] = (), spending: Spending | None = None,
) -> Ran:  # fmt: skip
    """Run rows with a worker and ports in memory."""
    studio, cancellation = studio or Studio(a_song()), cancellation or Cancellation()
    plan = a_plan(*rows, locks=locks)
    known = {(report.step, report.item): report for report in past}
    executor = Executor(
        "rrun", plan, "hash", a_registry(), studio, studio, cancellation, known, worker, spending or Spending()
    )
    return Ran(await executor.execute(), studio, cancellation)


def model(provider: ScriptedProvider, prompt: str = "prompt", price: Price = lambda _: None) -> ModelWorker:
    """A worker with that provider."""
    return ModelWorker(provider, prompt, the_palette(), price)


def by_model(*answers: Answer, row: Step | None = None, after: Sequence[Step] = (), **fields: Any) -> Ran:
    """Run one goal with a model of these answers."""
    return asyncio.run(worked(model(ScriptedProvider(*answers)), row or goal(), *after, **fields))
