"""The buttons of an opened row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from PySide6.QtWidgets import QPushButton

from app.desktop.table.row_stories import Deed
from app.ui.kit.shortcuts import keyed_tip
from app.ui.plan.look import Look
from app.ui.plan.widgets import button
from app.words import later, tr

STOP_ASKING = later("Stop asking")


class _Button(NamedTuple):
    text: str
    tight: str
    """The words where there is little room; empty where they are the same."""
    icon: str
    role: str
    name: str
    """For screen readers; `{n}` is the row's number."""
    tip: str


_BUTTONS: Mapping[Deed, _Button] = MappingProxyType({
    "hear": _Button(
        later("Hear the edits"), later("Hear"), "ear", "", later("Hear step {n} with its edits"),
        later("Play the song as these edits would make it; A / B compares (B)"),
    ),
    "approve": _Button(
        later("Approve these edits"), later("Approve"), "check", "main", later("Approve the edits of step {n}"),
        later("Put exactly these edits into the song, and go on"),
    ),
    "reject": _Button(
        later("Reject"), "", "minus-circle", "", later("Reject the edits of step {n}"),
        later("Leave this step out and go on; the song stays as it is"),
    ),
    "edit": _Button(
        later("Edit"), "", "pencil-simple", "", later("Edit step {n}"),
        "",
    ),
    "limits": _Button(
        later("Edit limits"), "", "pencil-simple", "", later("Edit the limits of step {n}"),
        later("What the step may use and change, and whether its edits are accepted in advance (F2)"),
    ),
    "repair": _Button(
        later("Ask the model for a repair"), later("Repair"), "wrench", "",
        later("Ask the model for a repair of step {n}"),
        later("It proposes other values for this step; nothing runs before you say so"),
    ),
    "retry": _Button(
        later("Retry"), "", "arrow-clockwise", "", later("Retry failed steps"),
        later("Run what failed and was not reached again"),
    ),
    "skip": _Button(
        later("Skip"), "", "skip-forward", "", later("Skip step {n}"),
        later("Leave this step out and go on"),
    ),
    "roll back": _Button(
        later("Roll back"), "", "arrow-counter-clockwise", "danger", later("Roll back the run"),
        later("Restore the song from before the run as a new iteration"),
    ),
})
_TONES = {"main": "on_you", "danger": "bad"}


def story_button(deed: Deed, number: int, look: Look, act: Callable[[str], object]) -> QPushButton:
    """A button that calls `act` with what is to be done with the row of that number."""
    its = _BUTTONS[deed]
    made = button(
        tr(its.text), lambda: act(deed), role=its.role,
        icon=look.icon(its.icon, _TONES.get(its.role, "t2")), tip=tr(its.tip) if its.tip else "",
        name=tr(its.name, n=number),
    )
    if deed == "retry":
        keyed_tip(made, "plan.retry", tr(its.tip))
    made.setProperty("full", tr(its.text))
    made.setProperty("tight", tr(its.tight) if its.tight else "")
    return made
