"""Lets assistive programs find, read and press what a widget only paints."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QAccessibleStateChangeEvent,
    QAccessibleValueChangeEvent,
)
from PySide6.QtWidgets import QWidget

from app.ui.kit.spoken.faces import Outline, PartFace
from app.ui.kit.spoken.part import Part
from app.ui.kit.tasks import Coalesced

_EVERY_MS = 150


class Spoken(QObject):
    """The parts of `widget`; `parts` is asked for them only while someone listens, so it costs nothing otherwise.

    After each change of what is painted `outdated` must be called. Of meters nothing is announced.
    """

    def __init__(
        self, widget: QWidget, parts: Callable[[], Sequence[Part]], role: QAccessible.Role = QAccessible.Role.List
    ) -> None:
        super().__init__(widget)
        self._parts = parts
        self._stale = True
        if QAccessible.isActive():
            # Qt has given it a face already, with its name for example.
            QAccessible.deleteAccessibleInterface(QAccessible.uniqueId(QAccessible.queryAccessibleInterface(widget)))
        self._outline = made = Outline(widget, self, role)
        QAccessible.registerAccessibleInterface(made)
        # Qt deletes faces with their widget and keeps no reference: what Python forgot earlier would be deleted twice.
        widget.destroyed.connect(lambda: made.end())
        self._tell = Coalesced(_EVERY_MS, self._look, self)

    def outdated(self) -> None:
        """Something of what is painted has changed, or moved."""
        self._stale = True
        if QAccessible.isActive():
            self._tell.ask()

    def renewed(self, outline: Outline, faces: list[PartFace]) -> list[PartFace]:
        """The faces of the parts as they are now, with those of before where the parts are still there."""
        if not self._stale:
            return faces
        self._stale = False
        return _matched(outline, outline, faces, self._parts())

    def _look(self) -> None:
        self._outline.faces()


def _matched(
    outline: Outline, above: Outline | PartFace, faces: Sequence[PartFace], parts: Sequence[Part]
) -> list[PartFace]:
    before = {face.part.key: face for face in faces}
    found: list[PartFace] = []
    for part in parts:
        face = before.pop(part.key, None)
        if face is None:
            face = PartFace(outline, above, part)
        else:
            old, face.part = face.part, part
            _announce(face, old)
        found.append(face)
        face.faces = _matched(outline, face, face.faces, part.parts)
    for gone in before.values():
        _tell_of(gone, QAccessible.Event.ObjectDestroyed)
        gone.end()
    return found


def _announce(face: PartFace, old: Part) -> None:
    """Tell of what has become another."""
    now = face.part
    if now.kind == "meter" or not QAccessible.isActive():
        return
    if now.name != old.name:
        _tell_of(face, QAccessible.Event.NameChanged)
    if now.on != old.on:
        changed = QAccessible.State()
        if now.kind == "toggle":
            changed.checked = 1
        else:
            changed.selected = 1
        QAccessible.updateAccessibility(QAccessibleStateChangeEvent(face, changed))
    if now.scale is not None and old.scale is not None and now.scale.now != old.scale.now:
        QAccessible.updateAccessibility(QAccessibleValueChangeEvent(face, now.scale.now))


def _tell_of(face: PartFace, what: QAccessible.Event) -> None:
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleEvent(face, what))
