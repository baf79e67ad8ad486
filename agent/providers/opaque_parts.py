"""Keep the parts of a provider's own form in their places between words and calls, and give them back there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Struct

from agent.conversation.messages import ModelTurn, ToolCall
from agent.plan.plan import Json


class TextPiece(Struct, frozen=True):
    """A piece of a turn's text; `phase` is the label that OpenAI's API puts on it, "" for none."""

    text: str
    phase: str = ""


class CallPlace(Struct, frozen=True):
    """The position of a call, by its id."""

    id: str


class OpaquePart(Struct, frozen=True):
    """A part that only its provider understands, to be returned unchanged."""

    part: Json


Placed: TypeAlias = TextPiece | CallPlace | OpaquePart
Piece: TypeAlias = TextPiece | ToolCall | OpaquePart


def to_keep(owner: str, placed: Sequence[Placed]) -> tuple[Json, ...]:
    """The pieces of a reply in their order, as JSON objects to be stored in `ModelTurn.kept`; empty if there are only
    text and calls. `owner` names provider and model: only that provider and model get these pieces back."""
    if not any(isinstance(one, OpaquePart) or (isinstance(one, TextPiece) and one.phase) for one in placed):
        return ()
    return tuple(_written(owner, one) for one in placed if not isinstance(one, TextPiece) or one.text)


def pieces(owner: str, turn: ModelTurn) -> list[Piece]:
    """The turn's text, calls and opaque parts in order: as stored in `turn.kept`, if `owner` (provider and model)
    stored them, with the turn's present text and calls."""
    calls = {call.id: call for call in turn.calls}
    kept = [_read(entry) for entry in turn.kept if isinstance(entry, dict) and entry.get("of") == owner]
    if "".join(one.text for one in kept if isinstance(one, TextPiece)) != turn.text:
        kept = [one for one in kept if not isinstance(one, TextPiece)]
        first_call = next((at for at, one in enumerate(kept) if isinstance(one, CallPlace)), len(kept))
        kept.insert(first_call, TextPiece(turn.text))
    found: list[Piece] = []
    for one in kept:
        if not isinstance(one, CallPlace):
            found.append(one)
        elif one.id in calls:
            found.append(calls.pop(one.id))
    return [*found, *calls.values()]


def _written(owner: str, one: Placed) -> Json:
    match one:
        case TextPiece(text=text, phase=phase):
            return {"of": owner, "text": text, "phase": phase}
        case CallPlace(id=id_):
            return {"of": owner, "call": id_}
        case OpaquePart(part=part):
            return {"of": owner, "part": part}


def _read(entry: dict[str, Json]) -> Placed:
    if "part" in entry:
        return OpaquePart(entry["part"])
    if "call" in entry:
        return CallPlace(str(entry["call"]))
    return TextPiece(str(entry.get("text", "")), str(entry.get("phase", "")))
