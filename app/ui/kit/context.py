"""What every view of the window is handed."""

from __future__ import annotations

from dataclasses import dataclass

from app.desktop.troubles import Troubles
from app.ui.kit.tasks import Tasks
from app.ui.kit.theme import Theme


@dataclass(frozen=True)
class Kit:
    """Looks, asynchronous work and the place for errors."""

    theme: Theme
    tasks: Tasks
    troubles: Troubles
