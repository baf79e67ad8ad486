"""What a planner and the plan's rules need to know of a tool: data only."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from agent.plan.plan import Json

Effect = Literal["none", "song", "files", "database", "outside"]


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

    @property
    def default_on_error(self) -> Literal["stop", "continue"]:
        """Edits stop a run, reads let independent steps go on."""
        return "stop" if self.changes_song or (self.effect != "none" and not self.only_reads) else "continue"
