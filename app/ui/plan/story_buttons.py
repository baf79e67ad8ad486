"""The buttons of an opened row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from PySide6.QtWidgets import QPushButton

from app.desktop.row_stories import Deed
from app.ui.plan.look import Look
from app.ui.plan.widgets import button

STOP_ASKING = "Stop asking"


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
        "Hear the edits", "Hear", "ear", "", "Hear step {n} with its edits",
        "Play the song as these edits would make it; A / B compares (B)",
    ),
    "approve": _Button(
        "Approve these edits", "Approve", "check", "main", "Approve the edits of step {n}",
        "Put exactly these edits into the song, and go on",
    ),
    "reject": _Button(
        "Reject", "", "minus-circle", "", "Reject the edits of step {n}",
        "Leave this step out and go on; the song stays as it is",
    ),
    "edit": _Button("Edit", "", "pencil-simple", "", "Edit step {n}", ""),
    "limits": _Button(
        "Edit limits", "", "pencil-simple", "", "Edit the limits of step {n}",
        "What the step may use and change, and whether its edits are accepted in advance (F2)",
    ),
    "repair": _Button(
        "Ask the model for a repair", "Repair", "wrench", "", "Ask the model for a repair of step {n}",
        "It proposes other values for this step; nothing runs before you say so",
    ),
    "retry": _Button(
        "Retry", "", "arrow-clockwise", "", "Retry failed steps",
        "Run what failed and was not reached again (Ctrl+R)",
    ),
    "skip": _Button("Skip", "", "skip-forward", "", "Skip step {n}", "Leave this step out and go on"),
    "roll back": _Button(
        "Roll back", "", "arrow-counter-clockwise", "danger", "Roll back the run",
        "Restore the song from before the run as a new iteration",
    ),
})
_TONES = {"main": "on_you", "danger": "bad"}


def story_button(deed: Deed, number: int, look: Look, act: Callable[[str], object]) -> QPushButton:
    """A button that calls `act` with what is to be done with the row of that number."""
    its = _BUTTONS[deed]
    made = button(
        its.text, lambda: act(deed), role=its.role,
        icon=look.icon(its.icon, _TONES.get(its.role, "t2")), tip=its.tip,
        name=its.name.format(n=number),
    )
    made.setProperty("full", its.text)
    made.setProperty("tight", its.tight)
    return made
