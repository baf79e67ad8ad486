"""What every view of the window is handed."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.desktop.texts.troubles import Troubles
from app.ui.kit.tasks import Tasks
from app.ui.kit.theme import Theme
from app.ui.kit.turns import RefreshQueue


@dataclass(frozen=True)
class Kit:
    """Looks, asynchronous work, the place for errors, and the order in which views follow a change."""

    theme: Theme
    tasks: Tasks
    troubles: Troubles
    turns: RefreshQueue = field(default_factory=RefreshQueue)
