"""The buttons of an opened row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from PySide6.QtWidgets import QPushButton

from app.desktop.row_stories import Deed
from app.ui.plan.look import Look
from app.ui.plan.widgets import button

STOP_ASKING = "Stop asking"
_Button = tuple[str, str, str, str, str, str]

_BUTTONS: Mapping[Deed, _Button] = MappingProxyType({
    "hear": ("Hear the edits", "Hear", "ear", "", "Hear step {n} with its edits",
             "Play the song as these edits would make it; A / B compares (B)"),
    "approve": ("Approve these edits", "Approve", "check", "main", "Approve the edits of step {n}",
                "Put exactly these edits into the song, and go on"),
    "reject": ("Reject", "", "minus-circle", "", "Reject the edits of step {n}",
               "Leave this step out and go on; the song stays as it is"),
    "edit": ("Edit", "", "pencil-simple", "", "Edit step {n}", ""),
    "limits": ("Edit limits", "", "pencil-simple", "", "Edit the limits of step {n}",
               "What the step may use and change, and whether its edits are accepted in advance (F2)"),
    "repair": ("Ask the model for a repair", "Repair", "wrench", "", "Ask the model for a repair of step {n}",
               "It proposes other values for this step; nothing runs before you say so"),
    "retry": ("Retry", "", "arrow-clockwise", "", "Retry failed steps",
              "Run what failed and was not reached again (Ctrl+R)"),
    "skip": ("Skip", "", "skip-forward", "", "Skip step {n}", "Leave this step out and go on"),
    "roll back": ("Roll back", "", "arrow-counter-clockwise", "danger", "Roll back the run",
                  "Restore the song from before the run as a new iteration"),
})
"""Words, words where there is little room, icon, role, accessible name, tooltip."""
_TONES = {"main": "on_you", "danger": "bad"}


def story_button(deed: Deed, number: int, look: Look, act: Callable[[str], object]) -> QPushButton:
    """A button that calls `act` with what is to be done with the row of that number."""
    text, tight, icon, role, name, tip = _BUTTONS[deed]
    made = button(
        text, lambda: act(deed), role=role, icon=look.icon(icon, _TONES.get(role, "t2")), tip=tip,
        name=name.format(n=number),
    )
    made.setProperty("full", text)
    made.setProperty("tight", tight)
    return made
