"""The faces of painted parts towards assistive programs: they ask for all anew each time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol
from weakref import ref

from PySide6.QtCore import QObject, QPoint, QRect
from PySide6.QtGui import (
    QAccessible,
    QAccessibleActionInterface,
    QAccessibleInterface,
    QAccessibleValueInterface,
    QColor,
    QWindow,
)
from PySide6.QtWidgets import QAccessibleWidget, QWidget
from shiboken6 import VoidPtr, getCppPointer

from app.desktop.texts.figures import decibels
from app.ui.kit.spoken.part import Kind, Part
from app.words import tr

_Role, _Text, _Type = QAccessible.Role, QAccessible.Text, QAccessible.InterfaceType
_ROLES: dict[Kind, QAccessible.Role] = {
    "list": _Role.List, "item": _Role.ListItem, "button": _Role.Button, "toggle": _Role.Button,
    "slider": _Role.Slider, "meter": _Role.ProgressBar, "text": _Role.StaticText,
}


class Pressing(QAccessibleActionInterface):
    """Does what a click on a part would do."""

    def __init__(self, face: PartFace) -> None:
        super().__init__()
        self._face = face

    def actionNames(self) -> list[str]:  # noqa: N802
        return [] if self._face.part.press is None else [QAccessibleActionInterface.pressAction()]

    def doAction(self, name: str) -> None:  # noqa: N802
        press = self._face.part.press
        if press is not None and name == QAccessibleActionInterface.pressAction():
            press()

    def keyBindingsForAction(self, _name: str) -> list[str]:  # noqa: N802
        return []


class Scaling(QAccessibleValueInterface):
    """The number of a part."""

    def __init__(self, face: PartFace) -> None:
        super().__init__()
        self._face = face

    def currentValue(self) -> object:  # noqa: N802
        part = self._face.part
        if part.read is not None:
            return part.read()
        return 0.0 if part.scale is None else part.scale.now

    def minimumValue(self) -> object:  # noqa: N802
        scale = self._face.part.scale
        return 0.0 if scale is None else scale.least

    def maximumValue(self) -> object:  # noqa: N802
        scale = self._face.part.scale
        return 0.0 if scale is None else scale.most

    def minimumStepSize(self) -> object:  # noqa: N802
        scale = self._face.part.scale
        return 0.0 if scale is None else scale.step

    def setCurrentValue(self, value: object) -> None:  # noqa: N802
        scale = self._face.part.scale
        if scale is not None and scale.set is not None and isinstance(value, int | float):
            scale.set(min(scale.most, max(scale.least, float(value))))


class PartFace(QAccessibleInterface):
    """One part, and those within it; `part` is what it is now."""

    def __init__(self, outline: Outline, above: Outline | PartFace, part: Part) -> None:
        super().__init__()
        self._outline = outline
        self._above = above
        self.part = part
        self.faces: list[PartFace] = []
        self._pressing, self._scaling = Pressing(self), Scaling(self)
        QAccessible.registerAccessibleInterface(self)

    def end(self) -> None:
        """It is there no more."""
        for face in self.faces:
            face.end()
        # The faces of assistive programs belong to Qt, which takes this one away.
        QAccessible.deleteAccessibleInterface(QAccessible.uniqueId(self))

    def state(self) -> QAccessible.State:
        state, part = QAccessible.State(), self.part
        if part.kind == "toggle":
            state.checkable, state.checked = 1, int(part.on)
        elif part.kind == "item":
            state.selectable, state.selected = 1, int(part.on)
        elif part.kind in ("text", "meter"):
            state.readOnly = 1
        widget = self._outline.widget()
        if widget is None or not widget.isVisible():
            state.invisible = 1
        elif not part.place.intersects(widget.rect()):
            state.offscreen = 1
        return state

    def rect(self) -> QRect:
        widget = self._outline.widget()
        return QRect() if widget is None else self.part.place.translated(widget.mapToGlobal(QPoint(0, 0)))

    def text(self, kind: QAccessible.Text) -> str:
        part = self.part
        if kind is _Text.Value and part.read is not None:
            return tr("{value} dB", value=decibels(part.read()))
        return {_Text.Name: part.name, _Text.Value: part.value}.get(kind, "")

    def interface_cast(self, kind: QAccessible.InterfaceType) -> int:
        # Nothing may be told by a null pointer only: None ends the program.
        found: object = VoidPtr(0)
        if kind == _Type.ActionInterface and self.part.press is not None:
            found = VoidPtr(getCppPointer(self._pressing)[0])
        elif kind == _Type.ValueInterface and self.part.scale is not None:
            found = VoidPtr(getCppPointer(self._scaling)[0])
        return found  # type: ignore[return-value]

    def role(self) -> QAccessible.Role:
        return _ROLES[self.part.kind]

    def isValid(self) -> bool:  # noqa: N802
        return self._outline.widget() is not None

    def object(self) -> QObject:
        return None  # type: ignore[return-value]

    def window(self) -> QWindow:
        return self._outline.window()

    def parent(self) -> QAccessibleInterface:
        return self._above

    def childCount(self) -> int:  # noqa: N802
        return len(self.faces)

    def child(self, index: int) -> QAccessibleInterface:
        return self.faces[index] if 0 <= index < len(self.faces) else None  # type: ignore[return-value]

    def childAt(self, x: int, y: int) -> QAccessibleInterface:  # noqa: N802
        return _at(self.faces, x, y)  # type: ignore[return-value]

    def indexOfChild(self, child: QAccessibleInterface) -> int:  # noqa: N802
        return next((at for at, face in enumerate(self.faces) if face is child), -1)

    def focusChild(self) -> QAccessibleInterface:  # noqa: N802
        return None  # type: ignore[return-value]

    def relations(self, match: QAccessible.RelationFlag = QAccessible.RelationFlag.AllRelations) -> list[
        tuple[QAccessibleInterface, QAccessible.RelationFlag]
    ]:
        del match
        return []

    def setText(self, kind: QAccessible.Text, text: str) -> None:  # noqa: N802
        """Words cannot be set."""

    def foregroundColor(self) -> QColor:  # noqa: N802
        return QColor()

    def backgroundColor(self) -> QColor:  # noqa: N802
        return QColor()

    def virtual_hook(self, which: int, data: int) -> None:
        """Nothing more can be asked for."""


class FaceSource(Protocol):
    """Who knows the parts of a widget."""

    def renewed(self, outline: Outline, faces: list[PartFace]) -> list[PartFace]:
        """The faces of the parts as they are now, with those of before where the parts are still there."""


class Outline(QAccessibleWidget):
    """A painted widget with its parts, behind the widgets that lie in it."""

    def __init__(self, widget: QWidget, spoken: FaceSource, role: QAccessible.Role) -> None:
        super().__init__(widget, role)
        # Qt keeps this as long as the widget, which must not be kept by it.
        self._spoken = ref(spoken)
        self._faces: list[PartFace] = []

    def faces(self) -> list[PartFace]:
        """The parts as they are now."""
        spoken = self._spoken()
        if spoken is not None:
            self._faces = spoken.renewed(self, self._faces)
        return self._faces

    def end(self) -> None:
        """The widget is going."""
        faces, self._faces = self._faces, []
        for face in faces:
            face.end()

    def childCount(self) -> int:  # noqa: N802
        return super().childCount() + len(self.faces())

    def child(self, index: int) -> QAccessibleInterface:
        widgets, faces = super().childCount(), self.faces()
        if index < widgets:
            return super().child(index)
        return faces[index - widgets] if index - widgets < len(faces) else None  # type: ignore[return-value]

    def childAt(self, x: int, y: int) -> QAccessibleInterface:  # noqa: N802
        return _at(self.faces(), x, y) or super().childAt(x, y)

    def indexOfChild(self, child: QAccessibleInterface) -> int:  # noqa: N802
        for at, face in enumerate(self._faces):
            if face is child:
                return super().childCount() + at
        return super().indexOfChild(child)


def all_of(faces: Sequence[PartFace]) -> Iterator[PartFace]:
    """Faces with all that lie within them."""
    for face in faces:
        yield face
        yield from all_of(face.faces)


def _at(faces: Sequence[PartFace], x: int, y: int) -> PartFace | None:
    return next((face for face in faces if face.rect().contains(x, y)), None)
