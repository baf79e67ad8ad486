"""What a service is: an owner of tools that turns a call into an outcome and never commits anything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from msgspec import Struct

from agent.errors import BandleaderError, Blame
from agent.fixes.fix import Fix
from agent.message import Text, msg
from agent.plan.plan import Inputs, Json
from agent.plan.tool import ToolSpec
from agent.song.edits import Edit
from agent.song.song import Song


class ServiceError(BandleaderError):
    """A call that failed. `transient` failures may be tried again by the executor."""

    blame = Blame.RUN

    def __init__(self, what: Text, *, why: Text = "", fix: Fix | Text | None = None, transient: bool = False) -> None:
        super().__init__(what, why=why, fix=fix)
        self.transient = transient


class Unforeseen(ServiceError):
    """What a call would come to can only be known once it is made: its row is shown as not seen yet, not as failing."""


class InDoubt(ServiceError):
    """A call that may or may not have had its effect, for example because the line broke while it was made.

    A service raises it where it cannot tell; the world is then asked (`Probing`), or a person decides.
    """


class Broken(ServiceError):
    """A fault of the service itself: nobody knows how far the call came."""


class Origin(Struct, frozen=True):
    """Where a call comes from; ids of what it makes and its idempotency derive from this."""

    plan_hash: str
    step: str
    item: int = -1
    """Place in the fan-out, or -1."""
    run: str = ""
    """Empty in a preview."""


class Call(Struct, frozen=True):
    """One use of a tool: resolved inputs (times in beats) and the song it sees."""

    tool: str
    inputs: Inputs
    song: Song
    origin: Origin
    project: str = ""
    cancelled: Callable[[], bool] = lambda: False
    """True once the person has cancelled: long work stops soon."""
    progress: Callable[[float, str], None] = lambda _share, _what: None
    """Told of the share done (0-1) and what is being done."""


class Outcome(Struct, frozen=True):
    """What a call came to: a JSON result for later steps (times in beats), and edits for the song."""

    result: Json
    edits: tuple[Edit, ...] = ()


class Service(Protocol):
    """Owns tools. `limit` is how many of its calls may run at once (at least 1)."""

    @property
    def name(self) -> str:
        """Unique among the services."""
        ...

    @property
    def limit(self) -> int:
        """Calls at once."""
        ...

    @property
    def tools(self) -> tuple[ToolSpec, ...]:
        """All tools it owns."""
        ...

    async def call(self, call: Call) -> Outcome:
        """Do it. Raises `ServiceError` or another `BandleaderError`."""
        ...

    def foresee(self, call: Call) -> Outcome:
        """What `call` would come to, as far as it can be known without any effect."""
        ...


@runtime_checkable
class Probing(Protocol):
    """A service that can tell, after a crash, whether the effect of a call that had begun has happened."""

    async def probe(self, call: Call) -> Outcome | None:
        """What the call came to if its effect is there, None if it is not; nothing is done.

        Raises a `BandleaderError` where it cannot be told.
        """
        ...


@runtime_checkable
class Closing(Protocol):
    """A service that holds connections or processes."""

    async def close(self) -> None:
        """End them; a later call may begin new ones."""
        ...


def foreseen(service: Service, call: Call) -> Outcome:
    """`service.foresee`, where a fault of the service itself is a `ServiceError` of this call."""
    try:
        return service.foresee(call)
    except BandleaderError:
        raise
    except Exception as fault:
        raise _broke(service, call, fault) from fault


async def called(service: Service, call: Call) -> Outcome:
    """`service.call`, where a fault of the service itself is a `ServiceError` of this call."""
    try:
        return await service.call(call)
    except (BandleaderError, TimeoutError):
        raise
    except Exception as fault:
        raise _broke(service, call, fault) from fault


def _broke(service: Service, call: Call, fault: Exception) -> Broken:
    why = f"{type(fault).__name__}: {fault}"
    return Broken(msg("{tool} broke within the service {service}", tool=call.tool, service=service.name), why=why[:400])
