"""Plug-ins: services that are known by an entry point alone, given little, and left out where they are at fault.

Those of other packages are found where they are installed; `MACHINES` comes with the program. A plug-in is code
that the user installed, and runs with the user's rights. What is checked here keeps a mistake in it from ending the
program or taking what is another's; it is no guard against malice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, Protocol, TypeAlias, runtime_checkable

import msgspec
from msgspec import Struct

from agent.errors import BandleaderError
from agent.message import msg
from agent.plan.tool import ToolSpec
from agent.services.registry import Registry
from agent.services.service import Call, Closing, Outcome, Probing, Service, ServiceError
from agent.song.palette import Palette
from app.private_files import make_private_folder
from app.storage.machines import HostKey, Machine

GROUP = "bandleader.services"
MACHINES = EntryPoint("machines", "app.services.machines.machines_service:MachinesService", GROUP)
"""The plug-in that reaches studio machines by SSH and WinRM. Nothing else names its room."""
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,30}")
_TOOL = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
_OURS = ("song", "library", "sound", "versions", "files", "machines", "mcp", "model")
_TYPES = frozenset(("object", "array", "string", "boolean", "null", "integer", "number"))
_DEEPEST = 32


class Host(Struct, frozen=True):
    """Everything that a plug-in is given: the palette of instruments and effects, and a folder of its own, which
    exists if the plug-in is another package's. `MACHINES` alone is given the stored machines, and the password of one
    by its name; the first may wait for the database, the second for the keyring."""

    palette: Palette
    folder: Path
    machines: Callable[[], tuple[Machine, ...]] = tuple
    password_of: Callable[[str], str | None] = lambda _name: None


Factory: TypeAlias = Callable[[Host], Service]
"""The callable that the entry point names; its service must have the entry point's name."""


@runtime_checkable
class Presenting(Protocol):
    """A service whose machines present keys, which a person may pin before anything is sent there."""

    async def host_key(self, machine: str) -> HostKey:
        """The host key that a machine presents now. Raises `ServiceError`."""
        ...


class BadPlugIn(BandleaderError):
    """A plug-in that cannot be used; `what` names it and its package."""


class PlugIn(Struct, frozen=True):
    """A plug-in in use, with its package and the names of its tools."""

    name: str
    package: str
    tools: tuple[str, ...]


class PluggedIn(Struct, frozen=True):
    """The plug-ins in use, and the errors of those that are not."""

    used: tuple[PlugIn, ...] = ()
    left_out: tuple[BadPlugIn, ...] = ()


def plug_in(registry: Registry, palette: Palette, folder: Path, found: Iterable[EntryPoint] | None = None) -> PluggedIn:
    """Add the services of all plug-ins to the registry; each has a folder of its own within `folder`. Never raises."""
    used: list[PlugIn] = []
    left_out: list[BadPlugIn] = []
    for one in sorted(entry_points(group=GROUP) if found is None else found, key=lambda entry: entry.name):
        try:
            service = _of_another(one, Host(palette, folder / one.name))
            registry.adopt(service)
            used.append(PlugIn(one.name, _package(one), tuple(tool.name for tool in service.tools)))
        except BandleaderError as problem:
            left_out.append(_fault(one, str(problem)))
        except (Exception, SystemExit) as fault:
            left_out.append(_fault(one, f"{type(fault).__name__}: {fault}"))
    return PluggedIn(tuple(used), tuple(left_out))


def _fault(one: EntryPoint, why: str) -> BadPlugIn:
    fix = msg("update or remove the package: pip uninstall {one}", one=_package(one) or "it")
    return BadPlugIn(
        msg("the plug-in {one!r} of {one_2}", one=one.name[:60], one_2=_package(one) or one.value[:60]), why=why[:400],
        fix=fix,
    )


def _package(one: EntryPoint) -> str:
    return one.dist.name if one.dist is not None else ""


def _of_another(one: EntryPoint, host: Host) -> Plugged:
    if not _NAME.fullmatch(one.name) or one.name in _OURS:
        raise BadPlugIn(msg("a service cannot have that name"))
    make_private_folder(host.folder)
    return plugged(one, host)


def plugged(one: EntryPoint, host: Host) -> Plugged:
    """The service that an entry point's factory makes. Raises `BadPlugIn` if it is not in order, and whatever the
    factory raises."""
    # What a package hands over is anything at all: its annotations prove nothing.
    service: Any = one.load()(host)
    limit, tools = service.limit, tuple(service.tools)
    if service.name != one.name:
        raise BadPlugIn(msg("its service calls itself {service!r:.60}", service=service.name))
    if not isinstance(limit, int) or not callable(service.call) or not callable(service.foresee):
        raise BadPlugIn(msg("it is no service"))
    if not tools:
        raise BadPlugIn(msg("it has no tools"))
    for tool in tools:
        _check(tool)
    return (PluggedProbing if isinstance(service, Probing) else Plugged)(one.name, limit, tools, service)


def _check(tool: Any) -> None:
    if not isinstance(tool, ToolSpec):
        raise BadPlugIn(msg("one of its tools is none"))
    try:
        msgspec.convert(msgspec.to_builtins(tool), ToolSpec)
    except (msgspec.ValidationError, TypeError, RecursionError) as problem:
        raise BadPlugIn(
            msg("the tool {tool!r:.60} is not well formed: {problem}", tool=tool.name, problem=problem),
        ) from None
    if not _TOOL.fullmatch(tool.name):
        raise BadPlugIn(msg("{tool!r:.60} cannot name a tool", tool=tool.name))
    for words, schema in (("inputs", tool.inputs), ("result", tool.result)):
        fault = schema_fault(schema)
        if not fault and (not isinstance(schema, dict) or schema.get("type") != "object"):
            fault = "it is not of an object"
        if fault:
            raise BadPlugIn(
                msg(
                    "the schema of the {words} of {tool} cannot be read: {fault}",
                    words=words, tool=tool.name, fault=fault,
                ),
            )


def schema_fault(schema: Any, depth: int = 0) -> str:
    """Why plans cannot be checked by a schema; empty if they can. `depth` is how deep the schema is nested in another
    one."""
    if not isinstance(schema, Mapping):
        return f"{schema!r:.40} is no schema"
    if depth > _DEEPEST:
        return "it is too deep"
    if "$ref" in schema:
        return "it has references: write them out"
    kinds = schema.get("type", [])
    if not all(isinstance(kind, str) and kind in _TYPES for kind in (kinds if isinstance(kinds, list) else [kinds])):
        return f"{kinds!r:.60} is no type"
    if fault := _value_fault(schema):
        return fault
    return next((fault for inner in _inner(schema) if (fault := schema_fault(inner, depth + 1))), "")


def _value_fault(schema: Mapping[str, Any]) -> str:
    if not isinstance(schema.get("properties", {}), Mapping):
        return "its properties are no object"
    for word in ("required", "enum", "anyOf", "prefixItems"):
        if not isinstance(schema.get(word, []), list | tuple):
            return f"its {word} is no list"
    try:
        re.compile(schema.get("pattern", ""))
    except (re.error, TypeError):
        return "its pattern cannot be read"
    return ""


def _inner(schema: Mapping[str, Any]) -> Iterable[Any]:
    yield from schema.get("properties", {}).values()
    yield from schema.get("anyOf", ())
    yield from schema.get("prefixItems", ())
    for word in ("items", "additionalProperties"):
        if not isinstance(schema.get(word, True), bool):
            yield schema[word]


class Plugged:
    """A plug-in's service with its checked tools; errors while closing it are ignored."""

    def __init__(self, name: str, limit: int, tools: tuple[ToolSpec, ...], service: Any) -> None:
        self.name = name
        self.limit = limit
        self.tools = tools
        self._service = service

    async def call(self, call: Call) -> Outcome:
        """Call the plug-in."""
        outcome: Outcome = await self._service.call(call)
        return outcome

    def foresee(self, call: Call) -> Outcome:
        """The plug-in's preview of a call."""
        outcome: Outcome = self._service.foresee(call)
        return outcome

    async def host_key(self, machine: str) -> HostKey:
        """The host key that a machine presents now. Raises `ServiceError`, also for a plug-in whose machines have
        none."""
        if not isinstance(self._service, Presenting):
            raise ServiceError(msg("the machines of {service} present no host keys", service=self.name))
        return await self._service.host_key(machine)

    async def close(self) -> None:
        """Close the plug-in's service if it can be closed."""
        if isinstance(self._service, Closing):
            try:
                await self._service.close()
            except Exception:
                # It is the end: there is nobody left to tell.
                return


class PluggedProbing(Plugged):
    """A plug-in's service that can tell whether a call has had its effect."""

    async def probe(self, call: Call) -> Outcome | None:
        """The plug-in's answer: the outcome of a call that had its effect, else None."""
        outcome: Outcome | None = await self._service.probe(call)
        return outcome
