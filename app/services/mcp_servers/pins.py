"""What was approved of a server's tools: each pinned by a digest, so that a later change is seen."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct

from agent.message import msg
from agent.plan.plan import Json
from app.services.mcp_servers.errors import BadServer
from app.services.mcp_servers.plain_text import hides

MOST_TOOLS = 200
_LARGEST = 64 * 1024
"""Most bytes of one tool with its schemas."""
_LONGEST_NAME = 200


class Pin(Struct, frozen=True, forbid_unknown_fields=True):
    """A tool as the server describes it; `inputs` and `outputs` are JSON schemas, `digest` is the SHA-256 of all
    fields. `annotations` are its own claims, which can only make its handling stricter."""

    name: str
    description: str
    inputs: Json
    outputs: Json = None
    annotations: Json = None
    digest: str = ""


class Differences(Struct, frozen=True):
    """How a server's tools differ from the approved ones."""

    changed: tuple[tuple[Pin, Pin], ...] = ()
    """Pairs of the approved tool and the present one."""
    gone: tuple[Pin, ...] = ()
    new: tuple[Pin, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.changed or self.gone or self.new)


def pin(name: str, description: str, inputs: Json, outputs: Json = None, annotations: Json = None) -> Pin:
    """A tool with the SHA-256 of its canonical form."""
    digest = _digest(name, description, inputs, outputs, annotations)
    return Pin(name, description, inputs, outputs, annotations, digest)


def is_whole(one: Pin) -> bool:
    """Whether a stored tool has its digest, and so is what was approved."""
    return one.digest == _digest(one.name, one.description, one.inputs, one.outputs, one.annotations)


def _digest(*parts: Json) -> str:
    return hashlib.sha256(msgspec.json.encode(parts, order="sorted")).hexdigest()


def check_pins(pins: Sequence[Pin]) -> tuple[Pin, ...]:
    """The tools of a server, if they can be shown and stored. Raises `BadServer`."""
    if not pins:
        raise BadServer(msg("the server has no tools"), fix=msg("ask whoever made it"))
    if len(pins) > MOST_TOOLS:
        raise BadServer(msg("the server has more than {most_tools} tools", most_tools=MOST_TOOLS))
    names = [one.name for one in pins]
    for one in pins:
        _check(one)
        if names.count(one.name) > 1:
            raise BadServer(
                msg("the server has two tools called {one!r}", one=one.name[:60]),
                why=msg("which is meant cannot be told"),
            )
    return tuple(pins)


def _check(one: Pin) -> None:
    if not one.name or len(one.name) > _LONGEST_NAME or hides(one.name):
        raise BadServer(msg("the server calls a tool {one!r}", one=one.name[:40]), why=msg("that is no usable name"))
    if not isinstance(one.inputs, dict):
        raise BadServer(msg("the tool {one!r} says nothing of its inputs", one=one.name[:60]))
    fields = one.inputs.get("properties")
    if isinstance(fields, dict) and any(hides(str(name)) for name in fields):
        raise BadServer(msg("an input of the tool {one!r} has hidden characters in its name", one=one.name[:60]))
    if len(msgspec.json.encode(one)) > _LARGEST:
        raise BadServer(
            msg(
                "the tool {one!r} describes itself in more than {largest} kB",
                one=one.name[:60], largest=_LARGEST // 1024,
            ),
        )


def differences(approved: Iterable[Pin], found: Iterable[Pin]) -> Differences:
    """How the tools found now differ from the approved ones."""
    before, now = {one.name: one for one in approved}, {one.name: one for one in found}
    return Differences(
        tuple((one, now[name]) for name, one in before.items() if name in now and now[name].digest != one.digest),
        tuple(one for name, one in before.items() if name not in now),
        tuple(one for name, one in now.items() if name not in before),
    )
