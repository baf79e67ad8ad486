"""What a planner and the plan's rules need to know of a tool: data only."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from agent.plan.plan import Inputs, Json

Effect = Literal["none", "song", "files", "database", "outside"]


class Targets(Struct, frozen=True, forbid_unknown_fields=True):
    """What the calls of a tool reach outside of the program, such as machines: by its name a digest of its address and
    identity.

    The input `named_by` names the target of a call; if it is empty, or not known yet, a call may reach any. `whole` is
    a digest of all targets.
    """

    digests: Mapping[str, str]
    named_by: str = ""
    whole: str = ""
    """A digest of all of them."""


def targets(identities: Mapping[str, object], named_by: str = "") -> Targets:
    """The targets of a tool from their `identities` by name; an identity is any value that msgspec encodes, and holds
    no secret. `named_by` is the input that names a call's target, "" for none."""
    digests = {name: _digest(identities[name]) for name in sorted(identities)}
    return Targets(digests, named_by, _digest(digests))


def _digest(value: object) -> str:
    return hashlib.sha256(msgspec.json.encode(value, order="sorted")).hexdigest()[:16]


class ToolSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """A tool of one service.

    `inputs` and `result` are JSON schemas (`unit: "beats"` marks times that become ticks). `changes_song`
    and `reads_song` order the steps; one that `replaces_song` must be the only song-changing row of a plan.
    `pure` results are cached; `safe_to_repeat` says whether a step that a crash left running may simply run
    again; one that is not and `probes` is asked whether its effect has happened (`agent.services.service.Probing`).
    One that `only_reads` the world outside changes nothing there, so its failure lets the rest of a run go on.
    """

    name: str
    service: str
    version: str
    about: str
    inputs: Json
    result: Json
    changes_song: bool = False
    reads_song: bool = False
    replaces_song: bool = False
    effect: Effect = "none"
    pure: bool = False
    safe_to_repeat: bool = False
    probes: bool = False
    only_reads: bool = False
    timeout: Annotated[float, Meta(gt=0)] = 600.0
    """Seconds after which a call counts as failed."""
    targets: Targets | None = None
    """None for a tool that reaches nothing which could become something else under the same name."""

    def version_for(self, inputs: Inputs) -> str:
        """What an approval of a call with these inputs is bound to: the version, and what the call reaches."""
        if self.targets is None:
            return self.version
        named = inputs.get(self.targets.named_by)
        one = self.targets.digests.get(named) if isinstance(named, str) else None
        return f"{self.version}:{one or self.targets.whole}"

    @property
    def default_on_error(self) -> Literal["stop", "continue"]:
        """Edits stop a run, reads let independent steps go on."""
        return "stop" if self.changes_song or (self.effect != "none" and not self.only_reads) else "continue"
