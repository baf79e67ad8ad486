"""The table of actions as Qt's actions and menus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from app.i18n import tr
from app.ui.kit.key_text import key_text, sequences
from app.ui.kit.shortcuts import shortcuts
from app.ui.kit.widgets.labels import plain_tip
from app.ui.shell.action_context import ActionContext
from app.ui.shell.actions import ACTIONS, Action, text_of
from app.ui.shell.keymap import Keymap
from app.ui.shell.menus import Menu


class ActionSet(QObject):
    """Makes the QActions of the table and keeps their texts, check marks and enabled states current."""

    triggered = Signal(object)
    """Emitted with the `Action` of the table that is to be carried out; it is enabled."""

    def __init__(self, window: QWidget, table: Sequence[Action] = ACTIONS) -> None:
        super().__init__(window)
        self.table = tuple(table)
        self.keymap = Keymap(self.table)
        self.context = ActionContext()
        self._made = {action.id: self._make(window, action) for action in self.table}
        themes = QActionGroup(window)
        for action in self.table:
            if action.id.startswith("view.theme_"):
                themes.addAction(self._made[action.id])
        window.addActions(list(self._made.values()))
        self._tell_keys()
        self.show(self.context)

    def __getitem__(self, name: str) -> QAction:
        """The action of that id."""
        return self._made[name]

    def fill(self, menus: Mapping[Menu, QMenu]) -> None:
        """Add the actions to their menus, with a separator wherever the group changes."""
        for menu, made in menus.items():
            made.setToolTipsVisible(True)
            last: int | None = None
            for action in self.table:
                if action.menu is menu:
                    if last is not None and action.group != last:
                        made.addSeparator()
                    made.addAction(self._made[action.id])
                    last = action.group

    def show(self, context: ActionContext) -> None:
        """Update texts, check marks and enabled states of all actions for this situation."""
        self.context = context
        for action in self.table:
            made, reason = self._made[action.id], action.need(context)
            text = action.words(context) if action.words is not None else text_of(action)
            # Undo names what the person wrote, and & would become a mnemonic.
            text = text.replace("&", "&&")
            if made.text() != text:
                made.setText(text)
            if made.isEnabled() == bool(reason):
                made.setEnabled(not reason)
            if action.checked is not None and made.isChecked() != action.checked(context):
                made.setChecked(action.checked(context))
            tip = plain_tip(tip_of(text.replace("&&", "&"), self.keys_of(action), reason))
            if made.toolTip() != tip:
                made.setToolTip(tip)

    def use(self, keymap: Keymap) -> None:
        """Take over a keymap: shortcuts change in menus and tooltips at once."""
        if keymap == self.keymap:
            return
        before, self.keymap = self.keymap, keymap
        for action in self.table:
            if keymap.keys(action) != before.keys(action):
                self._made[action.id].setShortcuts(sequences(keymap.keys(action)))
        self._tell_keys()
        self.show(self.context)

    def keys_of(self, action: Action) -> str:
        """The first key of an action as this system writes it; empty if it has none."""
        keys = self.keymap.keys(action)
        return key_text(keys[0]) if keys else ""

    def run(self, name: str) -> None:
        """Trigger the action of this id; does nothing while it is disabled."""
        self._made[name].trigger()

    def _tell_keys(self) -> None:
        """Whatever else tells of a key."""
        shortcuts().take({action.id: self.keys_of(action) for action in self.table})

    def _make(self, window: QWidget, action: Action) -> QAction:
        made = QAction(text_of(action), window)
        made.setObjectName(action.id)
        made.setShortcuts(sequences(action.keys))
        made.setMenuRole(_ROLES.get(action.id, QAction.MenuRole.NoRole))
        made.setCheckable(action.checked is not None)
        # A key that is held must not go from the request to the plan and through it.
        made.setAutoRepeat(action.id != "plan.run")
        made.triggered.connect(partial(self._call, action))
        return made

    def _call(self, action: Action, *_: object) -> None:
        # Qt has flipped a switch already; what it shows comes from the context.
        made = self._made[action.id]
        if action.checked is not None:
            made.setChecked(action.checked(self.context))
        if made.isEnabled():
            self.triggered.emit(action)


_ROLES = {"file.quit": QAction.MenuRole.QuitRole, "help.about": QAction.MenuRole.AboutRole}


def tip_of(text: str, keys: str, reason: str) -> str:
    """The text of a tooltip: the action's text, its key if any, and why it is disabled (`reason`, empty if it is
    not)."""
    tip = text.removesuffix("…") + (f" ({keys})" if keys else "")
    return tr("{command}: {reason}", command=tip, reason=f"{reason[0].lower()}{reason[1:]}") if reason else tip
