"""The opened rows of a plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QWidget

from app.desktop.table.row_stories import RowStory
from app.ui.plan.look import Look
from app.ui.plan.model import PlanModel
from app.ui.plan.story import Story


class Stories:
    """Keeps one story under each row that has one.

    `put` lays it over its place in the table, `connect` joins a new one to what its buttons do.
    """

    def __init__(
        self, put: Callable[[QModelIndex, QWidget], None], model: PlanModel, look: Look,
        connect: Callable[[str, Story], None],
    ) -> None:
        self._put = put
        self._model = model
        self._look = look
        self._connect = connect
        self._shown: dict[str, Story] = {}
        model.modelReset.connect(self._shown.clear)

    def show(self, stories: Mapping[str, RowStory], *, running: bool = False, asking: str | None = None) -> None:
        """Put these under their rows, which the model has opened before; `asking` is the row that the model is asked
        to repair."""
        for gone in self._shown.keys() - stories.keys():
            del self._shown[gone]
        for step, story in stories.items():
            known = self._shown.get(step)
            if known is None or not known.takes(story):
                known = Story(story, self._look)
                self._connect(step, known)
                self._put(self._model.story_index(step), known)
                self._shown[step] = known
            else:
                known.tell(story)
            known.allow(not running, asking=step == asking)

    def of(self, step: str | None) -> Story | None:
        """The story of a row."""
        return None if step is None else self._shown.get(step)
