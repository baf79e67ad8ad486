"""Finding the parts of a request that asks for several things, so that each gets the whole attention."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import aclosing
from itertools import pairwise

import msgspec
from msgspec import Struct

from agent.conversation.messages import UserTurn
from agent.model_planner.prompt.budget import first_words
from agent.model_planner.prompt.data_block import inert
from agent.model_planner.prompt.words import words_of
from agent.model_planner.rounds.calling import ModelCall
from agent.model_planner.rounds.model_planning import ModelPlanning
from agent.model_planner.rounds.stream import Stream
from agent.providers.provider import OutputForm, Query

_NUMBER = re.compile(r"(?:^|(?<=[\s:;,]))\(?(\d{1,2})[.)]\s+")
_AND = re.compile(r"(?<=\s)AND(?=\s)")
_RANGE = re.compile(r"\b(?:between|both|from)\b[^,.;]{0,200}\Z", re.IGNORECASE)
_GAPS = " \t\r\n,;"
_THEN = re.compile(r"[,;.]?(?<!\s)\s++(?:and\s++then|then\s++also|after\s++that|and\s++also)\s++", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+(?=\S)")
_THINGS = frozenset({
    "drum", "beat", "kick", "snare", "hat", "bass", "bassline", "chord", "harmony", "pad", "melody", "lead", "string",
    "piano", "guitar", "arp", "arpeggio", "brass", "choir", "organ", "percussion", "intro", "verse", "chorus", "bridge",
    "outro", "drop", "break", "mix", "reverb", "delay", "tempo", "key",
})
_ANSWER = 900
_PART = {
    "type": "object", "properties": {"title": {"type": "string"}, "request": {"type": "string"}},
    "required": ["title", "request"], "additionalProperties": False,
}
_FORM = OutputForm("parts", {
    "type": "object", "properties": {"parts": {"type": "array", "items": _PART}},
    "required": ["parts"], "additionalProperties": False,
})


class RequestPart(Struct, frozen=True):
    """A part of a request in the person's words; characters `start` to `end` (not included) of the request, both 0 if
    it is not a single stretch of it."""

    title: str
    request: str
    start: int = 0
    end: int = 0


class _Parts(Struct, frozen=True):
    parts: tuple[RequestPart, ...]


def parts_by_rule(request: str, most: int) -> tuple[RequestPart, ...]:
    """The parts of a numbered list or of "A AND B AND C", at most `most`; empty if the request is neither."""
    return _packed(numbered_parts(request) or joined_parts(request), most)


def numbered_parts(request: str) -> tuple[RequestPart, ...]:
    """The items of a list "1. … 2. …" in a request; empty if there is no list. Words before the list are put before the
    text of every item."""
    marks = list(_NUMBER.finditer(request))
    numbers = [int(mark[1]) for mark in marks]
    if numbers[:2] != [1, 2] or numbers != list(range(1, len(numbers) + 1)):
        return ()
    before = request[: marks[0].start()].strip(_GAPS)
    heading = f"{before.rstrip(':')}: " if before else ""
    ends = [*(mark.start() for mark in marks[1:]), len(request)]
    return _stretches(request, [(mark.end(), end) for mark, end in zip(marks, ends, strict=True)], heading)


def joined_parts(request: str) -> tuple[RequestPart, ...]:
    """The parts joined by AND in capitals; empty for none, and for a request all in capitals."""
    marks = list(_AND.finditer(request))
    if not marks or request.isupper() or any(_RANGE.search(request[: mark.start()]) for mark in marks):
        return ()
    begins = [0, *(mark.end() for mark in marks)]
    ends = [*(mark.start() for mark in marks), len(request)]
    parts = _stretches(request, list(zip(begins, ends, strict=True)))
    return parts if len(parts) == len(begins) else ()


def _stretches(request: str, spans: Sequence[tuple[int, int]], heading: str = "") -> tuple[RequestPart, ...]:
    """A part for each stretch that holds more than gaps."""
    parts: list[RequestPart] = []
    for begin, end in spans:
        words = request[begin:end].strip(_GAPS)
        start = request.find(words, begin)
        if words:
            parts.append(RequestPart(first_words(words, 40), f"{heading}{words}", start, start + len(words)))
    return tuple(parts)


def _packed(parts: Sequence[RequestPart], most: int) -> tuple[RequestPart, ...]:
    """The parts, neighbours joined where there are more than `most`."""
    count = min(len(parts), most)
    bounds = [len(parts) * place // count for place in range(count + 1)] if count else [0]
    return tuple(_joined(parts[first:last]) for first, last in pairwise(bounds))


def _joined(parts: Sequence[RequestPart]) -> RequestPart:
    if len(parts) == 1:
        return parts[0]
    title = first_words(", ".join(part.title for part in parts), 40)
    return RequestPart(title, "\n".join(part.request for part in parts), parts[0].start, parts[-1].end)


def may_have_parts(request: str) -> bool:
    """Whether the request has several clauses that name different things, so that asking the model for its parts is
    worth it."""
    pieces = [piece for clause in _THEN.split(request) for piece in _SENTENCE.split(clause) if piece.strip()]
    named = [words_of(piece) & _THINGS for piece in pieces]
    several = [things for things in named if things]
    return len(several) > 1 and len(frozenset().union(*several)) > 1


class Splitting:
    """Finds the parts of a request. After `events`, `parts` is set; empty if the request is planned as a whole."""

    def __init__(self, desk: ModelPlanning) -> None:
        self._desk = desk
        self.parts: tuple[RequestPart, ...] = ()

    async def events(self) -> Stream:
        """The planner events of finding the parts: by rule if the request lists them, otherwise by a short model call
        if it may have some."""
        desk, request = self._desk, self._desk.brief.request
        listed = parts_by_rule(request, desk.limits.parts)
        if len(listed) > 1:
            self.parts = listed
            return
        new_piece = desk.small and not desk.brief.song.note_count
        if not (new_piece or may_have_parts(request)):
            return
        words = desk.prompts.filled("split", most=str(desk.limits.parts), request=inert(request))
        formed = desk.provider.abilities.forms != "none"
        query = Query("", (UserTurn(words),), form=_FORM if formed else None, max_tokens=_ANSWER, temperature=0.0)
        call = ModelCall(desk.provider, query, desk.account, (), show=False)
        async with aclosing(call.events()) as events:
            async for event in events:
                yield event
        assert call.reply is not None
        self.parts = tuple(_located(part, request) for part in read_parts(call.reply.text, desk.limits.parts))


def _located(part: RequestPart, request: str) -> RequestPart:
    """The part with its place in the request, where its words are one stretch of it."""
    start = request.casefold().find(part.request.casefold())
    same = start >= 0 and len(request) == len(request.casefold())
    return msgspec.structs.replace(part, start=start, end=start + len(part.request)) if same else part


def read_parts(text: str, most: int) -> tuple[RequestPart, ...]:
    """The parts in a model's answer `text`; empty if it cannot be read, or has fewer than two or more than `most`."""
    start, end = text.find("{"), text.rfind("}")
    try:
        found = msgspec.json.decode(text[start : end + 1].encode(), type=_Parts).parts if start >= 0 else ()
    except (msgspec.MsgspecError, UnicodeEncodeError):
        return ()
    parts = tuple(
        RequestPart(first_words(part.title, 40) or f"Part {number}", part.request.strip())
        for number, part in enumerate(found, 1) if part.request.strip()
    )
    return parts if 1 < len(parts) <= most else ()
