"""Lets assistive programs find, read and press what a widget only paints."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleEvent, QAccessibleStateChangeEvent, QAccessibleValueChangeEvent
from PySide6.QtWidgets import QWidget

from app.ui.kit.accessibility.interfaces import PartInterface, WidgetInterface
from app.ui.kit.accessibility.part import AccessiblePart
from app.ui.kit.tasks import Coalesced

_EVERY_MS = 150


class AccessibleParts(QObject):
    """Lets screen readers find the parts of a painted widget. `parts` is called only while a screen reader is active,
    so it costs nothing otherwise.

    `outdated` must be called after each change of what is painted. Changes of meters are not announced."""

    def __init__(
        self, widget: QWidget, parts: Callable[[], Sequence[AccessiblePart]],
        role: QAccessible.Role = QAccessible.Role.List,
    ) -> None:
        super().__init__(widget)
        self._parts = parts
        self._stale = True
        if QAccessible.isActive():
            # Qt has given it an interface already, with its name for example.
            QAccessible.deleteAccessibleInterface(QAccessible.uniqueId(QAccessible.queryAccessibleInterface(widget)))
        self._root = made = WidgetInterface(widget, self, role)
        QAccessible.registerAccessibleInterface(made)
        # Qt deletes interfaces with their widget and keeps no reference: what Python forgot earlier would be deleted
        # twice.
        widget.destroyed.connect(lambda: made.end())
        self._tell = Coalesced(_EVERY_MS, self._look, self)

    def outdated(self) -> None:
        """To be called when something painted has changed or moved."""
        self._stale = True
        if QAccessible.isActive():
            self._tell.ask()

    def renewed(self, root: WidgetInterface, interfaces: list[PartInterface]) -> list[PartInterface]:
        """The interfaces of the current parts; those in `interfaces` whose parts still exist are reused."""
        if not self._stale:
            return interfaces
        self._stale = False
        return _matched(root, root, interfaces, self._parts())

    def _look(self) -> None:
        self._root.interfaces()


def _matched(
    root: WidgetInterface, above: WidgetInterface | PartInterface, interfaces: Sequence[PartInterface],
    parts: Sequence[AccessiblePart],
) -> list[PartInterface]:
    before = {interface.part.key: interface for interface in interfaces}
    found: list[PartInterface] = []
    for part in parts:
        interface = before.pop(part.key, None)
        if interface is None:
            interface = PartInterface(root, above, part)
        else:
            old, interface.part = interface.part, part
            _announce(interface, old)
        found.append(interface)
        interface.interfaces = _matched(root, interface, interface.interfaces, part.parts)
    for gone in before.values():
        _tell_of(gone, QAccessible.Event.ObjectDestroyed)
        gone.end()
    return found


def _announce(interface: PartInterface, old: AccessiblePart) -> None:
    """Tell of what has become another."""
    now = interface.part
    if now.kind == "meter" or not QAccessible.isActive():
        return
    if now.name != old.name:
        _tell_of(interface, QAccessible.Event.NameChanged)
    if now.on != old.on:
        changed = QAccessible.State()
        if now.kind == "toggle":
            changed.checked = 1
        else:
            changed.selected = 1
        QAccessible.updateAccessibility(QAccessibleStateChangeEvent(interface, changed))
    if now.scale is not None and old.scale is not None and now.scale.now != old.scale.now:
        QAccessible.updateAccessibility(QAccessibleValueChangeEvent(interface, now.scale.now))


def _tell_of(interface: PartInterface, what: QAccessible.Event) -> None:
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleEvent(interface, what))
