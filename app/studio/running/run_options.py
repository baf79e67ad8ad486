"""A run's options: how its request is to be planned, and by whom its rows that are left to a model are worked on."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from agent.fixes import FixKind
from agent.song.fence import Fence
from agent.song.ids import RunId
from app.storage import run_options
from app.storage.database import Transaction
from app.storage.rows import decoded
from app.studio.models import Chosen


class RunOptions(Struct, frozen=True, omit_defaults=True):
    """Options of a request. An empty `provider` leaves the choice to the settings at the time of planning. `locks` are
    a person's words, parsed when the request is planned. `intensity` is 0 to 1. `planned_by` is the name of the program
    that plans it now."""

    provider: str = ""
    model: str = ""
    seed: int | None = None
    intensity: float = 1.0
    locks: tuple[str, ...] = ()
    fence: Fence | None = None
    planned_by: str = ""

    @property
    def chosen(self) -> Chosen | None:
        """Who plans; None leaves it to the settings."""
        return Chosen(self.provider, self.model) if self.provider else None


def keep_run_options(transaction: Transaction, run: RunId, options: RunOptions) -> None:
    """Store a run's options."""
    run_options.put(transaction, run, msgspec.json.encode(options).decode())


def run_options_of(transaction: Transaction, run: RunId) -> RunOptions:
    """A run's options; the defaults for a run without stored ones."""
    body = run_options.find(transaction, run)
    if body is None:
        return RunOptions()
    options: RunOptions = decoded(body, RunOptions, f"how run {run} is to be planned", FixKind.PLAN_AGAIN(run))
    return options
