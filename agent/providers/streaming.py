"""Hand a reply over while it comes: parts joined to a calm pace, cancelling at once, one family of errors."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable

from agent.providers.faults import Faults
from agent.providers.provider import CallBegun, CallPart, Finished, Reply, ReplyEvent, TextPart
from agent.providers.secret import Secret


class KeyLeakGuard:
    """Detects the API key in a streamed reply, also split over pieces, and in the whole reply. It raises nothing: an
    exception from here would carry the key in its frames."""

    def __init__(self, secret: Secret) -> None:
        self._secret = secret
        self._tails: dict[int | None, str] = {}

    def heard(self, event: ReplyEvent) -> bool:
        """Whether the key is complete in the reply with this event."""
        match event:
            case TextPart(text):
                return self._part(None, text)
            case CallPart(index, text):
                return self._part(index, text)
            case CallBegun(_, name):
                return self._secret.is_in(name)
            case _:
                return False

    def heard_in(self, reply: Reply) -> bool:
        """Whether a whole reply contains the key, also where escape sequences hide it in the stream."""
        if not self._secret:
            return False
        calls = [(call.id, call.name, call.arguments) for call in reply.calls]
        bad = [(call.id, call.name, call.raw, call.why) for call in reply.bad_calls]
        return self._secret.is_in(json.dumps((reply.text, reply.model, calls, bad, reply.kept), default=str))

    def _part(self, index: int | None, text: str) -> bool:
        text = self._tails.get(index, "") + text
        self._tails[index] = self._secret.tail(text)
        return self._secret.is_in(text)


_PACE = 0.02
_FAREWELL = 1.0
LONGEST = 1800.0
"""Seconds that one answer may take: 8,192 tokens at 4.5 a second, which a slow local computer still reaches."""


class Outlet:
    """A queue of a reply's pieces; consecutive pieces of one kind are joined until they are taken."""

    def __init__(self) -> None:
        self._runs: list[tuple[int | None, list[str]] | CallBegun] = []
        self.news = asyncio.Event()
        """Set while a piece waits, and by who knows that nothing more will come."""

    def text(self, piece: str) -> None:
        """Add the next piece of the text."""
        self._put(None, piece)

    def begin(self, index: int, name: str) -> None:
        """Add the beginning of the call at `index`, of the tool `name`."""
        self._runs.append(CallBegun(index, name))
        self.news.set()

    def arguments(self, index: int, piece: str) -> None:
        """Add the next piece of the arguments of the call at `index`, as raw JSON text."""
        self._put(index, piece)

    def take(self) -> list[ReplyEvent]:
        """Remove and return everything added since the last call, in order."""
        runs, self._runs = self._runs, []
        self.news.clear()
        return [run if isinstance(run, CallBegun) else _part(*run) for run in runs]

    def _put(self, index: int | None, piece: str) -> None:
        last = self._runs[-1] if self._runs else None
        if isinstance(last, tuple) and last[0] == index:
            last[1].append(piece)
        else:
            self._runs.append((index, [piece]))
        self.news.set()


async def streamed(
    work: Callable[[Outlet], Awaitable[Reply]], faults: Faults, longest: float = LONGEST
) -> AsyncGenerator[ReplyEvent, None]:
    """Run `work` concurrently and yield what it puts into the outlet, at most 50 times a second, then `Finished`.

    Raises `ProviderError` for any error of `work`, and if it takes longer than `longest` seconds. Cancelling or closing
    ends `work`."""
    outlet, echo = Outlet(), KeyLeakGuard(faults.secret)
    task = asyncio.ensure_future(_in_time(work(outlet), faults, longest))
    wake = outlet.news.set
    task.add_done_callback(lambda _: wake())
    outcome: Reply | BaseException | None = None
    event: ReplyEvent | None = None
    try:
        while outcome is None:
            ended = task.done()
            if not ended:
                await outlet.news.wait()
            for event in outlet.take():
                if echo.heard(event):
                    outcome = faults.repeated_key()
                    break
                yield event
            if outcome is None and ended:
                outcome = _outcome(task, faults)
            elif outcome is None:
                await asyncio.wait({task}, timeout=_PACE)
        if isinstance(outcome, Reply):
            if not echo.heard_in(outcome):
                yield Finished(outcome)
                return
            outcome = faults.repeated_key()
    finally:
        await _dismiss(task)
        # What failed may hold a key that a server repeated: no report of this frame's variables may show it.
        del task, outlet, echo, event
    raise outcome


async def _in_time(work: Awaitable[Reply], faults: Faults, longest: float) -> Reply:
    try:
        async with asyncio.timeout(longest) as clock:
            return await work
    except TimeoutError:
        if not clock.expired():
            raise
        raise faults.make("endless", f"its answer had no end after {longest:g} s") from None


def _outcome(task: asyncio.Future[Reply], faults: Faults) -> Reply | BaseException:
    """The reply or the error to raise: outside of any handler, so that it carries no other one with it."""
    if task.cancelled():
        return asyncio.CancelledError()
    error = task.exception()
    if error is None:
        return task.result()
    return faults.of(error) if isinstance(error, Exception) else error


async def _dismiss(task: asyncio.Future[Reply]) -> None:
    """Let the work end; it gets a moment to close its connection."""
    task.cancel()
    await asyncio.wait({task}, timeout=_FAREWELL)
    if task.done() and not task.cancelled():
        task.exception()


def _part(index: int | None, pieces: list[str]) -> ReplyEvent:
    text = paired("".join(pieces))
    return TextPart(text) if index is None else CallPart(index, text)


def paired(text: str) -> str:
    """The text with halves of surrogate pairs joined, as some servers split one over two pieces; a lone half becomes
    "�"."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
