"""Tokens without a tokenizer: estimates that are safe to one side, and turns that fit into a window."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil

import msgspec
from msgspec.structs import replace

from agent.conversation.messages import ModelTurn, ResultsTurn, ToolResult, Turn, UserTurn
from agent.message import msg
from agent.plan.errors import PlanError

_BYTES_PER_TOKEN = 3.0
"""Fewer than any tokenizer needs for words or for JSON of notes: an estimate errs to the large side."""
_MOST_BYTES_PER_TOKEN = 6.5
"""More than any tokenizer makes of such texts: whoever counted fewer tokens has not read them all."""
_PER_TURN = 8
_SHORT_RESULT = 240


def tokens(text: str) -> int:
    """An upper estimate of the tokens of a text."""
    return ceil(_bytes(text) / _BYTES_PER_TOKEN)


def least_tokens(texts: Iterable[str]) -> int:
    """A lower estimate of the tokens of the texts; a server that counts fewer has cut what it was sent."""
    return int(sum(_bytes(text) for text in texts) / _MOST_BYTES_PER_TOKEN)


def tokens_of(turns: Sequence[Turn]) -> int:
    """An upper estimate of the tokens of the turns."""
    return sum(_PER_TURN + sum(tokens(text) for text in texts_of(turn)) for turn in turns)


def texts_of(turn: Turn) -> Iterable[str]:
    """All texts of a turn, tool calls and results included."""
    match turn:
        case UserTurn(text=text):
            yield text
        case ModelTurn(text=text, calls=calls, kept=kept):
            yield text
            for call in calls:
                yield msgspec.json.encode(call).decode()
            if kept:
                yield msgspec.json.encode(kept).decode()
        case ResultsTurn(results=results):
            for result in results:
                yield result.text


def fitted(turns: tuple[Turn, ...], room: int) -> tuple[Turn, ...]:
    """The turns shortened to at most `room` tokens: tool results are cut to their first words, the oldest first.

    The first turn (locks and request) and the model's answers stay whole. Raises `PlanError` if that is not enough.
    """
    kept = list(turns)
    for place, turn in enumerate(turns):
        if tokens_of(kept) <= room:
            return tuple(kept)
        if isinstance(turn, ResultsTurn):
            kept[place] = ResultsTurn(tuple(_shortened(result) for result in turn.results))
    if tokens_of(kept) > room:
        raise PlanError(
            msg("the request does not fit into the model's window"),
            why=msg("about {kept:,} tokens are needed and {max:,} are free", kept=tokens_of(kept), max=max(0, room)),
            fix=msg("ask for less at once, lock or name fewer tracks, or choose a model with a larger context"),
        )
    return tuple(kept)


def first_words(text: str, most: int) -> str:
    """The text on one line, cut to `most` characters with an ellipsis."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def _shortened(result: ToolResult) -> ToolResult:
    if len(result.text) <= _SHORT_RESULT:
        return result
    left_out = len(result.text) - _SHORT_RESULT
    return replace(result, text=f"{result.text[:_SHORT_RESULT]} … ({left_out:,} characters left out)")


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())
