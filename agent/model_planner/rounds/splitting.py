"""Finding the parts of a request that asks for several things, so that each gets the whole attention."""

from __future__ import annotations

import re
from contextlib import aclosing

import msgspec
from msgspec import Struct

from agent.conversation.messages import UserTurn
from agent.model_planner.rounds.calling import Call
from agent.model_planner.rounds.desk import Desk
from agent.model_planner.rounds.stream import Stream
from agent.model_planner.telling.budget import first_words
from agent.model_planner.telling.data_block import inert
from agent.model_planner.telling.words import words_of
from agent.providers.provider import OutputForm, Query

_NUMBER = re.compile(r"(?:^|[\s:;,])\(?(\d{1,2})[.)]\s")
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


class Part(Struct, frozen=True):
    """One part of a request, in the person's words."""

    title: str
    request: str


class _Parts(Struct, frozen=True):
    parts: tuple[Part, ...]


def numbered_parts(request: str) -> tuple[Part, ...]:
    """The items of a list "1. … 2. …", or none. Words before the list hold for every item."""
    numbers = [int(number) for number in _NUMBER.findall(f" {request}")]
    if numbers[:2] != [1, 2] or numbers != list(range(1, len(numbers) + 1)):
        return ()
    pieces = [piece.strip(" \n\t,;") for piece in re.split(r"(?:^|(?<=[\s:;,]))\(?\d{1,2}[.)]\s+", request)]
    before, items = pieces[0], [piece for piece in pieces[1:] if piece]
    heading = f"{before.rstrip(':')}: " if before else ""
    return tuple(Part(first_words(item, 40), f"{heading}{item}") for item in items)


def may_have_parts(request: str) -> bool:
    """Whether it is worth asking the model: several clauses that name different things."""
    pieces = [piece for clause in _THEN.split(request) for piece in _SENTENCE.split(clause) if piece.strip()]
    named = [words_of(piece) & _THINGS for piece in pieces]
    several = [things for things in named if things]
    return len(several) > 1 and len(frozenset().union(*several)) > 1


class Splitting:
    """Finds the parts of a request. After `events`, `parts` holds them; none means that it is planned whole."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.parts: tuple[Part, ...] = ()

    async def events(self) -> Stream:
        """By rule where the request is a numbered list, else by a short call where it may have parts."""
        desk, request = self._desk, self._desk.brief.request
        listed = numbered_parts(request)
        if 1 < len(listed) <= desk.limits.parts:
            self.parts = listed
            return
        new_piece = desk.small and not desk.brief.song.note_count
        if not (listed or new_piece or may_have_parts(request)):
            return
        words = desk.prompts.filled("split", most=str(desk.limits.parts), request=inert(request))
        formed = desk.provider.abilities.forms != "none"
        query = Query("", (UserTurn(words),), form=_FORM if formed else None, max_tokens=_ANSWER, temperature=0.0)
        call = Call(desk.provider, query, desk.account, (), show=False)
        async with aclosing(call.events()) as events:
            async for event in events:
                yield event
        assert call.reply is not None
        self.parts = read_parts(call.reply.text, desk.limits.parts)


def read_parts(text: str, most: int) -> tuple[Part, ...]:
    """The parts in a model's answer; none where it cannot be read or names fewer than two."""
    start, end = text.find("{"), text.rfind("}")
    try:
        found = msgspec.json.decode(text[start : end + 1].encode(), type=_Parts).parts if start >= 0 else ()
    except (msgspec.MsgspecError, UnicodeEncodeError):
        return ()
    parts = tuple(
        Part(first_words(part.title, 40) or f"Part {number}", part.request.strip())
        for number, part in enumerate(found, 1) if part.request.strip()
    )
    return parts if 1 < len(parts) <= most else ()
