"""The interfaces of painted parts towards assistive programs: they ask for all anew each time."""

from __future__ import annotations

from collections.abc import Sequence
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

from app.i18n import tr
from app.ui.kit.accessibility.part import AccessiblePart, PartKind
from app.viewmodels.texts.figures import decibels

_Role, _Text, _Type = QAccessible.Role, QAccessible.Text, QAccessible.InterfaceType
_ROLES: dict[PartKind, QAccessible.Role] = {
    "list": _Role.List, "item": _Role.ListItem, "button": _Role.Button, "toggle": _Role.Button,
    "slider": _Role.Slider, "meter": _Role.ProgressBar, "text": _Role.StaticText,
}


class PartAction(QAccessibleActionInterface):
    """The action of a part: what a click on it does."""

    def __init__(self, interface: PartInterface) -> None:
        super().__init__()
        self._interface = interface

    def actionNames(self) -> list[str]:  # noqa: N802
        return [] if self._interface.part.press is None else [QAccessibleActionInterface.pressAction()]

    def doAction(self, name: str) -> None:  # noqa: N802
        press = self._interface.part.press
        if press is not None and name == QAccessibleActionInterface.pressAction():
            press()

    def keyBindingsForAction(self, _name: str) -> list[str]:  # noqa: N802
        return []


class PartValue(QAccessibleValueInterface):
    """The numeric value of a part."""

    def __init__(self, interface: PartInterface) -> None:
        super().__init__()
        self._interface = interface

    def currentValue(self) -> object:  # noqa: N802
        part = self._interface.part
        if part.read is not None:
            return part.read()
        return 0.0 if part.scale is None else part.scale.now

    def minimumValue(self) -> object:  # noqa: N802
        scale = self._interface.part.scale
        return 0.0 if scale is None else scale.least

    def maximumValue(self) -> object:  # noqa: N802
        scale = self._interface.part.scale
        return 0.0 if scale is None else scale.most

    def minimumStepSize(self) -> object:  # noqa: N802
        scale = self._interface.part.scale
        return 0.0 if scale is None else scale.step

    def setCurrentValue(self, value: object) -> None:  # noqa: N802
        scale = self._interface.part.scale
        if scale is not None and scale.set is not None and isinstance(value, int | float):
            scale.set(min(scale.most, max(scale.least, float(value))))


class PartInterface(QAccessibleInterface):
    """The accessible interface of one part and the parts inside it; `part` is its current state."""

    def __init__(self, root: WidgetInterface, above: WidgetInterface | PartInterface, part: AccessiblePart) -> None:
        super().__init__()
        self._root = root
        self._above = above
        self.part = part
        self.interfaces: list[PartInterface] = []
        self._action, self._value = PartAction(self), PartValue(self)
        QAccessible.registerAccessibleInterface(self)

    def end(self) -> None:
        """Delete the interface: its part does not exist any more."""
        for interface in self.interfaces:
            interface.end()
        # The interfaces of assistive programs belong to Qt, which takes this one away.
        QAccessible.deleteAccessibleInterface(QAccessible.uniqueId(self))

    def state(self) -> QAccessible.State:
        state, part = QAccessible.State(), self.part
        if part.kind == "toggle":
            state.checkable, state.checked = 1, int(part.on)
        elif part.kind == "item":
            state.selectable, state.selected = 1, int(part.on)
        elif part.kind in ("text", "meter"):
            state.readOnly = 1
        widget = self._root.widget()
        if widget is None or not widget.isVisible():
            state.invisible = 1
        elif not part.place.intersects(widget.rect()):
            state.offscreen = 1
        return state

    def rect(self) -> QRect:
        widget = self._root.widget()
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
            found = VoidPtr(getCppPointer(self._action)[0])
        elif kind == _Type.ValueInterface and self.part.scale is not None:
            found = VoidPtr(getCppPointer(self._value)[0])
        return found  # type: ignore[return-value]

    def role(self) -> QAccessible.Role:
        return _ROLES[self.part.kind]

    def isValid(self) -> bool:  # noqa: N802
        return self._root.widget() is not None

    def object(self) -> QObject:
        return None  # type: ignore[return-value]

    def window(self) -> QWindow:
        return self._root.window()

    def parent(self) -> QAccessibleInterface:
        return self._above

    def childCount(self) -> int:  # noqa: N802
        return len(self.interfaces)

    def child(self, index: int) -> QAccessibleInterface:
        return self.interfaces[index] if 0 <= index < len(self.interfaces) else None  # type: ignore[return-value]

    def childAt(self, x: int, y: int) -> QAccessibleInterface:  # noqa: N802
        return _at(self.interfaces, x, y)  # type: ignore[return-value]

    def indexOfChild(self, child: QAccessibleInterface) -> int:  # noqa: N802
        return next((at for at, interface in enumerate(self.interfaces) if interface is child), -1)

    def focusChild(self) -> QAccessibleInterface:  # noqa: N802
        return None  # type: ignore[return-value]

    def relations(self, match: QAccessible.RelationFlag = QAccessible.RelationFlag.AllRelations) -> list[
        tuple[QAccessibleInterface, QAccessible.RelationFlag]
    ]:
        del match
        return []

    def setText(self, kind: QAccessible.Text, text: str) -> None:  # noqa: N802
        """Does nothing: names cannot be set."""

    def foregroundColor(self) -> QColor:  # noqa: N802
        return QColor()

    def backgroundColor(self) -> QColor:  # noqa: N802
        return QColor()

    def virtual_hook(self, which: int, data: int) -> None:
        """Does nothing."""


class PartSource(Protocol):
    """Provides the parts of a widget."""

    def renewed(self, root: WidgetInterface, interfaces: list[PartInterface]) -> list[PartInterface]:
        """The interfaces of the current parts; those in `interfaces` whose parts still exist are reused."""


class WidgetInterface(QAccessibleWidget):
    """The accessible interface of a painted widget; its parts come after its child widgets."""

    def __init__(self, widget: QWidget, source: PartSource, role: QAccessible.Role) -> None:
        super().__init__(widget, role)
        # Qt keeps this as long as the widget, which must not be kept by it.
        self._source = ref(source)
        self._interfaces: list[PartInterface] = []

    def interfaces(self) -> list[PartInterface]:
        """The interfaces of the current parts."""
        source = self._source()
        if source is not None:
            self._interfaces = source.renewed(self, self._interfaces)
        return self._interfaces

    def end(self) -> None:
        """Delete the interfaces of the parts: the widget is being deleted."""
        interfaces, self._interfaces = self._interfaces, []
        for interface in interfaces:
            interface.end()

    def childCount(self) -> int:  # noqa: N802
        return super().childCount() + len(self.interfaces())

    def child(self, index: int) -> QAccessibleInterface:
        widgets, interfaces = super().childCount(), self.interfaces()
        if index < widgets:
            return super().child(index)
        return interfaces[index - widgets] if index - widgets < len(interfaces) else None  # type: ignore[return-value]

    def childAt(self, x: int, y: int) -> QAccessibleInterface:  # noqa: N802
        return _at(self.interfaces(), x, y) or super().childAt(x, y)

    def indexOfChild(self, child: QAccessibleInterface) -> int:  # noqa: N802
        for at, interface in enumerate(self._interfaces):
            if interface is child:
                return super().childCount() + at
        return super().indexOfChild(child)


def _at(interfaces: Sequence[PartInterface], x: int, y: int) -> PartInterface | None:
    return next((interface for interface in interfaces if interface.rect().contains(x, y)), None)
