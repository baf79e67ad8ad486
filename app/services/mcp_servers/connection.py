"""The connection to one server: one task opens, holds and closes it, from the first call until nothing is asked."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from agent.fixes import Fix, FixKind
from agent.message import msg
from agent.services.service import InDoubt, ServiceError
from app.services.mcp_servers.address import Address, Stdio
from app.services.mcp_servers.ending import CloseReason
from app.services.mcp_servers.errors import ChangedTool, ServerFault, missing_library
from app.services.mcp_servers.opening import ServerEnvironment, transport_of
from app.services.mcp_servers.pins import Pin
from app.services.mcp_servers.plain_text import Cleaner, one_line
from app.services.mcp_servers.results import CallResult

if TYPE_CHECKING:
    from mcp.client.client import Client

    from app.services.mcp_servers import talk

T = TypeVar("T")
_SAID = 300
"""Characters of a server's own text that an error quotes."""
_GRACE = 0.3
"""Seconds to tell a server that a call was cancelled."""


@dataclass
class _Open:
    """A talk that has begun, and the task that holds it."""

    client: Client
    holder: asyncio.Task[None]
    stop: asyncio.Event
    ending: CloseReason
    clean: Cleaner
    calls: int = 0


class Connection:
    """A connection to one server, opened on demand, that calls its approved tools. For one event loop at a time."""

    def __init__(self, name: str, address: Address, around: ServerEnvironment, *, again: str = "") -> None:
        """`again` is how a person tries again when it cannot be reached, where testing it is not the way."""
        self._again = again
        self._name = name
        self.address = address
        """How the server is reached."""
        self._around = around
        self._handshake = True
        """Whether it begins with one, as far as is known."""
        self._open: _Open | None = None
        self._opening: asyncio.Lock = asyncio.Lock()
        self._idle: asyncio.TimerHandle | None = None
        self._holders: set[asyncio.Task[None]] = set()
        """Those that still hold a program or connection, also of talks that were let go."""

    async def tools(self) -> tuple[Pin, ...]:
        """The tools that the server offers now. Raises `ServerFault`, `BadServer` and `NotInstalled`."""
        return (await self._checked())[1]

    async def call(self, approved: Pin, inputs: Mapping[str, Any], tell: talk.Tell) -> tuple[CallResult, Cleaner]:
        """(answer, cleaner): the server's answer, and the function that cleans its texts; `tell` is called with
        progress. Raises `ServerFault` and `ChangedTool` if nothing was called, `InDoubt` if no answer came,
        `ServiceError` if the server refused."""
        session, found = await self._checked()
        now = next((one for one in found if one.name == approved.name), None)
        if now is None or now.digest != approved.digest:
            raise self._changed(approved, gone=now is None)
        session.calls += 1
        self._stay()
        try:
            return await self._called(session, approved, inputs, tell), session.clean
        finally:
            session.calls -= 1
            self._leave_later(session)

    async def close(self) -> None:
        """Close the connection and end the server's program, waiting a few seconds at most."""
        self._stay()
        session, self._open = self._open, None
        if session is not None:
            session.stop.set()
        here = asyncio.get_running_loop()
        holders = {holder for holder in self._holders if holder.get_loop() is here}
        if holders:
            _, late = await asyncio.wait(holders, timeout=self._around.patience.end)
            for holder in late:
                holder.cancel()
            if late:
                await asyncio.wait(late, timeout=self._around.patience.end)

    async def _called(self, session: _Open, tool: Pin, inputs: Mapping[str, Any], tell: talk.Tell) -> CallResult:
        talk = await _library()
        try:
            sure = isinstance(self.address, Stdio)
            answer: CallResult = await _broken_off(talk.called(session.client, tool.name, inputs, tell, sure=sure))
        except talk.ServerDeclined as refusal:
            said = one_line(session.clean(str(refusal)), _SAID)
            raise ServiceError(msg("{name} refuses {tool}", name=self._name, tool=tool.name), why=said) from None
        except talk.Lost as loss:
            why = one_line(session.clean(session.ending.why or str(loss)), _SAID)
            unsaid = msg(
                "no answer of {name} to {tool}: it may or may not have happened", name=self._name, tool=tool.name
            )
            raise InDoubt(unsaid, why=why) from None
        return answer

    def _changed(self, tool: Pin, *, gone: bool) -> ChangedTool:
        fix = FixKind.APPROVE_SERVER(self._name)
        if gone:
            return ChangedTool(
                msg("{name} no longer has the tool {tool} that you approved", name=self._name, tool=tool.name), fix=fix,
            )
        return ChangedTool(
            msg("the tool {tool} of {name} was not called", tool=tool.name, name=self._name),
            why=msg("its description changed since you approved it"), fix=fix,
        )

    async def _checked(self) -> tuple[_Open, tuple[Pin, ...]]:
        """A talk that lives, with the tools as the server tells of them at this moment: asked anew for every call."""
        talk = await _library()
        again = self._is_open()
        while True:
            session = await self._session()
            try:
                return session, await _broken_off(talk.offered(session.client), self._around.patience.tell)
            except talk.Lost as loss:
                fault = self._fault("does not answer", session, str(loss))
            except TimeoutError:
                fault = self._fault("does not answer", session, f"{self._around.patience.tell:g} s had passed")
            finally:
                self._leave_later(session)
            self._forget(session)
            if not again:
                raise fault
            # It may just have ended since the last call: nothing was sent yet, so a new one may be begun.
            again = False

    def _fault(self, does: str, session: _Open, why: str) -> ServerFault:
        why = one_line(session.clean(session.ending.why or why), _SAID)
        fix = session.ending.fix
        return ServerFault(
            msg("{name} {does}", name=self._name, does=does), why=why, fix=fix or FixKind.PROBE_SERVER(self._name),
            transient=not fix,
        )

    def _is_open(self) -> bool:
        return self._open is not None and not self._open.holder.done()

    async def _session(self) -> _Open:
        async with self._opening:
            held = self._open
            if held is not None and held.holder.get_loop() is asyncio.get_running_loop() and not held.holder.done():
                return held
            self._open = await self._begun()
            return self._open

    async def _begun(self) -> _Open:
        """Start the task that holds the talk, and wait until it has begun."""
        talk = await _library()
        ending, stop = CloseReason(), asyncio.Event()
        transport, clean = await asyncio.to_thread(transport_of, self._name, self.address, self._around, ending)
        ready: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        holder = asyncio.create_task(_hold(talk.client_of(transport, handshake=self._handshake), ready, stop))
        self._holders.add(holder)
        holder.add_done_callback(self._ended)
        try:
            await asyncio.wait((ready, holder), timeout=self._around.patience.begin, return_when="FIRST_COMPLETED")
        finally:
            if not ready.done():
                holder.cancel()
        if ready.done():
            return _Open(ready.result(), holder, stop, ending, clean)
        if not holder.done():
            raise self._unreached(f"it said nothing for {self._around.patience.begin:g} s")
        problem = None if holder.cancelled() else holder.exception()
        if self._handshake and talk.wants_discovery(problem):
            self._handshake = False
            return await self._begun()
        # What the server itself answered says more than that it went away after it.
        last = f"; its last words: {ending.last_words}" if ending.last_words else ""
        raise self._unreached(clean(talk.declined(problem) or f"{ending.why or _why(problem)}{last}"), ending.fix)

    def _unreached(self, why: str, fix: Fix | str | None = None) -> ServerFault:
        """The error of a server that could not be spoken to; one that needs a `fix` is not tried again by itself."""
        does = "cannot be started" if isinstance(self.address, Stdio) else "cannot be reached"
        return ServerFault(
            msg("{name} {does}", name=self._name, does=does), why=one_line(why, _SAID), fix=fix or self._try_again(),
            transient=not fix,
        )

    def _try_again(self) -> Fix | str:
        log = str(self._around.log) if isinstance(self.address, Stdio) else ""
        if self._again:
            return f"look into {log}, then {self._again}" if log else self._again
        return FixKind.READ_SERVER_LOG(self._name, log) if log else FixKind.PROBE_SERVER(self._name)

    def _stay(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None

    def _leave_later(self, session: _Open) -> None:
        """End the talk once it was idle for long enough."""
        self._stay()
        if session is self._open and session.calls == 0:
            self._idle = asyncio.get_running_loop().call_later(self._around.patience.idle, self._forget, session)

    def _forget(self, session: _Open) -> None:
        """Let a talk end by itself; the next call begins a new one."""
        if session is self._open:
            self._open = None
        session.stop.set()

    def _ended(self, holder: asyncio.Task[None]) -> None:
        self._holders.discard(holder)
        if not holder.cancelled():
            # What ended it was told to those who waited on it.
            holder.exception()


async def _hold(client: Client, ready: asyncio.Future[Client], stop: asyncio.Event) -> None:
    """Open, hold and close the talk within this one task, as its cancel scopes require."""
    async with client:
        ready.set_result(client)
        await stop.wait()


async def _broken_off(work: Coroutine[Any, Any, T], seconds: float | None = None) -> T:
    """The result of work that ends soon once it is cancelled: the library may wait long to tell a server of it.

    Raises `TimeoutError` after so many seconds.
    """
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait((task,), timeout=seconds)
        if not task.done():
            raise TimeoutError
        return task.result()
    finally:
        if not task.done():
            task.cancel()
            task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
            await asyncio.wait((task,), timeout=_GRACE)


def _why(problem: BaseException | None) -> str:
    """What kept a talk from beginning, in a few words."""
    while isinstance(problem, BaseExceptionGroup):
        problem = problem.exceptions[0]
    if isinstance(problem, FileNotFoundError):
        return f"there is no {os.fspath(problem.filename or 'such program')!s}"
    if isinstance(problem, OSError) and problem.strerror:
        return problem.strerror
    return str(problem) or type(problem).__name__


async def _library() -> Any:
    """What speaks the protocol, loaded in a thread on first use. Raises `NotInstalled`."""
    return await asyncio.to_thread(_loaded)


def _loaded() -> Any:
    try:
        from app.services.mcp_servers import talk
    except ImportError:
        raise missing_library() from None
    return talk
