"""What every view of the window is handed."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.ui.kit.smoothness.refresh_queue import RefreshQueue
from app.ui.kit.tasks import Tasks
from app.ui.kit.theme import Theme
from app.viewmodels.texts.troubles import ErrorReporter


@dataclass(frozen=True)
class Kit:
    """What every view needs: theme, background tasks, the place to report errors, and the queue in which views refresh
    after a change."""

    theme: Theme
    tasks: Tasks
    troubles: ErrorReporter
    turns: RefreshQueue = field(default_factory=RefreshQueue)
