"""What a service is: an owner of tools that turns a call into an outcome and never commits anything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from msgspec import Struct

from agent.errors import BandleaderError, Blame
from agent.fixes import Fix
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
    """The result of a call can only be known once it is made: the preview shows its row as not seen yet, not as
    failing."""


class InDoubt(ServiceError):
    """A call that may or may not have had its effect, for example because the connection broke while it was made.

    A service raises it if it cannot tell; it is then asked once (`Probing.probe`), or a person decides.
    """


class Broken(ServiceError):
    """A fault of the service itself: it is not known what the call has done."""


class Origin(Struct, frozen=True):
    """Where a call comes from; the ids of what it makes and its idempotency key derive from this. `item` is the index
    in a fan-out, -1 for none; `run` is empty in a preview."""

    plan_hash: str
    step: str
    item: int = -1
    """Place in the fan-out, or -1."""
    run: str = ""
    """Empty in a preview."""


class Call(Struct, frozen=True):
    """One use of a tool: resolved inputs (times in beats) and the song it sees. `cancelled` tells whether the person
    has cancelled; `progress` takes the share done, 0 to 1, and what is being done."""

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
    """The outcome of a call: a JSON result for later steps (times in beats), and edits for the song."""

    result: Json
    edits: tuple[Edit, ...] = ()


class Service(Protocol):
    """Owns tools. `limit` is how many of its calls may run at once (at least 1)."""

    @property
    def name(self) -> str:
        """The service's name, unique among all services."""
        ...

    @property
    def limit(self) -> int:
        """How many calls may run at once, at least 1."""
        ...

    @property
    def tools(self) -> tuple[ToolSpec, ...]:
        """All tools it owns."""
        ...

    async def call(self, call: Call) -> Outcome:
        """Carry out the call and return its outcome. Raises `ServiceError` or another `BandleaderError`."""
        ...

    def foresee(self, call: Call) -> Outcome:
        """The outcome that `call` would have, as far as it can be known without any effect. Raises `Unforeseen` if it
        cannot."""
        ...


@runtime_checkable
class Probing(Protocol):
    """A service that can tell, after a crash, whether the effect of a call that had begun has happened."""

    async def probe(self, call: Call) -> Outcome | None:
        """The outcome of the call if its effect has happened, None if it has not; nothing is done. Raises a
        `BandleaderError` if that cannot be told."""
        ...


@runtime_checkable
class Closing(Protocol):
    """A service that holds connections or processes."""

    async def close(self) -> None:
        """Close the connections and processes; a later call may open new ones."""
        ...


def foreseen(service: Service, call: Call) -> Outcome:
    """The outcome of `service.foresee`; an unexpected exception of the service is raised as `ServiceError`."""
    try:
        return service.foresee(call)
    except BandleaderError:
        raise
    except Exception as fault:
        raise _broke(service, call, fault) from fault


async def called(service: Service, call: Call) -> Outcome:
    """The outcome of `service.call`; an unexpected exception of the service is raised as `ServiceError`."""
    try:
        return await service.call(call)
    except (BandleaderError, TimeoutError):
        raise
    except Exception as fault:
        raise _broke(service, call, fault) from fault


def _broke(service: Service, call: Call, fault: Exception) -> Broken:
    why = f"{type(fault).__name__}: {fault}"
    return Broken(msg("{tool} broke within the service {service}", tool=call.tool, service=service.name), why=why[:400])
