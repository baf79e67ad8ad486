"""Mend a transcript before it is sent: each call has exactly one result, right behind it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from agent.conversation.messages import ModelTurn, ResultsTurn, ToolCall, ToolResult, Turn, UserTurn

_NOT_DONE = "This call was not carried out."


def mended(turns: Iterable[Turn]) -> tuple[Turn, ...]:
    """The same talk as every provider accepts it.

    Each model's turn with calls is followed by one turn of results: one for each call, in their order; a
    missing one is filled in as failed. Results of unknown calls and second results are dropped. A call's id
    stands once in the whole talk: one that comes again gets a new id, together with its result, and two
    calls of one turn with the same id count as one. Words keep their order.
    """
    mending = _Mending()
    for turn in turns:
        mending.take(turn)
    return mending.end()


class _Mending:
    def __init__(self) -> None:
        self._done: list[Turn] = []
        self._used: set[str] = set()
        self._calls: tuple[ToolCall, ...] = ()
        self._ids: dict[str, str] = {}
        self._results: dict[str, ToolResult] = {}
        self._words: list[UserTurn] = []

    def take(self, turn: Turn) -> None:
        match turn:
            case UserTurn():
                self._words.append(turn)
            case ResultsTurn(results=results):
                for result in results:
                    self._results.setdefault(result.id, result)
            case ModelTurn(calls=calls):
                self._settle()
                self._begin(turn, first_of_each(calls))

    def end(self) -> tuple[Turn, ...]:
        self._settle()
        return tuple(self._done)

    def _begin(self, turn: ModelTurn, calls: Sequence[ToolCall]) -> None:
        self._ids = {call.id: self._unused(call.id) for call in calls}
        self._calls = tuple(
            call if self._ids[call.id] == call.id else replace(call, id=self._ids[call.id]) for call in calls
        )
        self._done.append(turn if self._calls == turn.calls else replace(turn, calls=self._calls))

    def _settle(self) -> None:
        """Put the results that came for the last calls behind them, then the words that came meanwhile."""
        came = {self._ids[old]: result for old, result in self._results.items() if old in self._ids}
        if self._calls:
            self._done.append(ResultsTurn(tuple(_result(call.id, came.get(call.id)) for call in self._calls)))
        self._done += self._words
        self._calls, self._ids, self._results, self._words = (), {}, {}, []

    def _unused(self, name: str) -> str:
        unused, count = name, 1
        while unused in self._used:
            count += 1
            unused = f"{name}-{count}"
        self._used.add(unused)
        return unused


def first_of_each(calls: Iterable[ToolCall]) -> tuple[ToolCall, ...]:
    """Calls of one id are one call, because a model can be told of one only."""
    first: dict[str, ToolCall] = {}
    for call in calls:
        first.setdefault(call.id, call)
    return tuple(first.values())


def _result(id_: str, result: ToolResult | None) -> ToolResult:
    if result is None:
        return ToolResult(id_, _NOT_DONE, failed=True)
    return result if result.id == id_ else replace(result, id=id_)
