"""A model at work on a goal: turn after turn it calls tools on the ghost, and gets every result back."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing
from typing import TypeAlias

import msgspec

from agent.conversation.mending import first_of_each, mended
from agent.conversation.messages import ModelTurn, ResultsTurn, ToolResult, Turn, UserTurn
from agent.errors import BandleaderError
from agent.message import msg
from agent.model_planner.prompt.data_block import data_block, inert
from agent.model_planner.prompt.offered_schema import tool_offers
from agent.model_planner.prompt.song_text import song_text
from agent.providers.errors import ProviderError
from agent.providers.provider import Finished, Provider, Query, Reply, Usage
from agent.services.goal_service import SubStep
from agent.session.cancellation import Cancellation, WorkCancelled
from agent.session.ghost import GhostSong
from agent.session.spending import Spending
from agent.session.worker import Goal, Worked, one_line
from agent.song.fence import describe_fence
from agent.song.locks import describe
from agent.song.palette import Palette

Price: TypeAlias = Callable[[Usage], float | None]
"""Returns the cost of a usage in US dollars; None if it is not known."""

MAX_TURNS = 10
_BAD_CALLS = 2
"""Calls whose arguments are no JSON object that are returned to the model before it is given up."""
_LONGEST_RESULT = 40_000
SONG_ROOM = 6_000
"""Most tokens of the song's text in the first message; the model can read the rest by calls."""
_CUT = (
    "Your reply was cut off at its limit of length, and nothing of it was carried out. Go on with fewer or shorter "
    "calls at once."
)
_IDLE = "Nothing has been changed yet. Use the tools to reach the goal; if it cannot be reached, say why."
_AGAIN = "You have made this very call before, with the same result. Do something else, or end."


class ModelWorker:
    """Works on goals with a language model that calls tools. `prompt` is the system prompt of every call."""

    def __init__(self, provider: Provider, prompt: str, palette: Palette, price: Price = lambda _: None) -> None:
        self._provider = provider
        self._prompt = prompt
        self._palette = palette
        self._price = price

    @property
    def name(self) -> str:
        """The provider's name."""
        return self._provider.name

    async def work(self, goal: Goal, ghost: GhostSong, cancellation: Cancellation, spending: Spending) -> Worked:
        """Work on the goal in at most ten turns. A refusal or an error of the provider ends in `failed`; a model that
        repeats itself, makes no readable calls or does not finish is `stopped`."""
        offers = tool_offers(tuple(ghost.tools.values()))
        talk = _Talk(ghost, cancellation, self._opening(goal, ghost))
        for _ in range(MAX_TURNS):
            query = Query(self._prompt, mended(talk.turns), offers)
            try:
                reply = await cancellation.race(self._reply(query, spending))
            except WorkCancelled:
                raise
            except BandleaderError as problem:
                return Worked(failed=one_line(str(problem)))
            except Exception as fault:
                return Worked(failed=one_line(f"{self.name} broke: {type(fault).__name__}: {fault}"))
            ended = await talk.take(reply)
            if ended is not None:
                return ended
        return Worked(talk.words, stopped=f"the model came to no end in {MAX_TURNS} turns")

    def _opening(self, goal: Goal, ghost: GhostSong) -> str:
        """The first words: goal, limits, and the song as data."""
        tracks = ", ".join(goal.limits.tracks) or "none of those that exist"
        limits = f"You may change these tracks: {tracks}; and tracks that you make yourself."
        parts = [f"Goal: {goal.words}", f"{limits} At most {goal.max_edits} edits."]
        kept = ghost.kept
        if kept.fence is not None:
            only = describe_fence(kept.fence, kept.base)
            parts.append(f"Nothing outside of this may change:\n{data_block('fence', only)}")
        if kept.locks:
            locked = ", ".join(describe(lock, ghost.song) for lock in kept.locks)
            parts.append(f"Never to be changed:\n{data_block('locked', locked)}")
        window = self._provider.abilities.context
        room = SONG_ROOM if window is None else min(SONG_ROOM, window // 3)
        song = song_text(ghost.song, self._palette, goal.words, room)
        return "\n\n".join((*parts, data_block("song", song)))

    async def _reply(self, query: Query, spending: Spending) -> Reply:
        async with aclosing(self._provider.reply(query)) as stream:  # type: ignore[type-var]
            async for event in stream:
                if isinstance(event, Finished):
                    spending.add(event.reply.usage, self._price(event.reply.usage))
                    return event.reply
        raise ProviderError("cut_off", msg("{name} gave no whole reply", name=self.name))


class _Talk:
    """The turns so far, and what they say of how it goes."""

    def __init__(self, ghost: GhostSong, cancellation: Cancellation, opening: str) -> None:
        self.turns: tuple[Turn, ...] = (UserTurn(opening),)
        self.words = ""
        self._ghost = ghost
        self._cancellation = cancellation
        self._seen: dict[bytes, str] = {}
        self._warned = False
        self._idled = False
        self._bad = 0

    async def take(self, reply: Reply) -> Worked | None:
        """Carry out a reply; the end of the work, if it is one."""
        self.words = one_line(reply.text, 2000) or self.words
        match reply.finish:
            case "refused":
                return Worked(failed=one_line(f"the model refused: {reply.text}".rstrip(" :")))
            case "context":
                return Worked(self.words, stopped="the work no longer fits into the model's window")
            case "length":
                self._say(reply, _CUT)
                return None
            case "paused":
                if reply.text or reply.kept:
                    self.turns += (ModelTurn(reply.text, (), reply.kept),)
                return None
        if reply.calls or reply.bad_calls:
            return await self._carry_out(reply)
        if self._ghost.edits or self._idled:
            return Worked(self.words)
        self._idled = True
        self._say(reply, _IDLE)
        return None

    def _say(self, reply: Reply, words: str) -> None:
        # Nothing but the text goes back: what a cut reply holds besides may be half of something.
        answered: tuple[Turn, ...] = (ModelTurn(reply.text),) if reply.text.strip() else ()
        self.turns += (*answered, UserTurn(words))

    async def _carry_out(self, reply: Reply) -> Worked | None:
        results: list[ToolResult] = []
        for call in first_of_each(reply.calls):
            if self._cancellation.requested():
                raise WorkCancelled
            done = await self._ghost.call(call.name, call.arguments)
            if self._repeats(done):
                if self._warned:
                    return Worked(self.words, stopped=f"the model repeated its call of {done.tool}")
                self._warned = True
                results.append(ToolResult(call.id, f"{_told(done)}\n{_AGAIN}", failed=not done.ok))
            else:
                results.append(ToolResult(call.id, _told(done), failed=not done.ok))
        for bad in reply.bad_calls:
            self._bad += 1
            why = one_line(f"its arguments are no JSON object: {bad.why}")
            await self._ghost.refuse(bad.name, why)
            results.append(ToolResult(bad.id, why, failed=True))
        if self._bad > _BAD_CALLS:
            return Worked(self.words, stopped=f"the model wrote {self._bad} calls that cannot be read")
        turn = ModelTurn(reply.text, reply.all_calls, reply.kept)
        self.turns += (turn, ResultsTurn(tuple(results)))
        return None

    def _repeats(self, done: SubStep) -> bool:
        """Whether the call was made before and came to the same; ids that an edit makes are always new ones."""
        tool = self._ghost.tools.get(done.tool)
        made = tool is not None and tool.changes_song and done.ok
        key = msgspec.json.encode((done.tool, done.inputs), order="sorted")
        came_to = "" if made else _told(done)
        again = self._seen.get(key) == came_to
        self._seen[key] = came_to
        return again


def _told(done: SubStep) -> str:
    """What the model is told of a call: data, without anything hidden in it."""
    if not done.ok:
        return inert(done.reason)
    text = inert(_json(done.result)) if done.result else "done"
    rest = len(text) - _LONGEST_RESULT
    return text if rest <= 0 else f"{text[:_LONGEST_RESULT]}… ({rest} more characters: ask for less)"


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
