"""Which keys an action has: those of the table, or those that the person gave it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeySequence

from app.ui.kit.key_text import stored_key
from app.ui.shell.action_context import need_welcome
from app.ui.shell.actions import Action
from app.viewmodels.preferences import Shortcut

_ALONE = {
    Qt.Key.Key_Control, Qt.Key.Key_Shift, Qt.Key.Key_Alt, Qt.Key.Key_AltGr, Qt.Key.Key_Meta, Qt.Key.Key_CapsLock,
    Qt.Key.Key_NumLock, Qt.Key.Key_Super_L, Qt.Key.Key_Super_R, Qt.Key.Key_unknown, Qt.Key(0),
}
_KEPT = {Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter}
"""Keys that operate dialogs and fields, and can be assigned only with Ctrl or the like."""


@dataclass(frozen=True)
class Keymap:
    """The shortcuts of all actions: those of the table with the person's changes. `changes` maps an action's id to its
    keys; an empty tuple means none."""

    table: tuple[Action, ...]
    changes: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def of(cls, table: Sequence[Action], kept: Iterable[Shortcut]) -> Keymap:
        """A keymap with stored changes; actions that do not exist any more and keys that Qt does not know are left
        out."""
        ids = {action.id for action in table}
        found = {
            one.action: tuple(filter(None, map(stored_key, one.keys))) for one in kept if one.action in ids
        }
        return cls(tuple(table), MappingProxyType(found))

    def keys(self, action: Action) -> tuple[str, ...]:
        """The keys of an action in portable text, the one that is shown first; empty for none."""
        return self.changes.get(action.id, action.keys)

    def changed(self, action: Action) -> bool:
        """Whether the action has other keys than its defaults."""
        return self.keys(action) != action.keys

    def owners(self, key: str, beside: Action) -> tuple[Action, ...]:
        """Other actions that would conflict if `beside` had this key: they have it too, and both can be enabled at the
        same time."""
        return tuple(
            one for one in self.table
            if one.id != beside.id and stored_key(key) in map(stored_key, self.keys(one)) and _together(one, beside)
        )

    def given(self, action: Action, key: str) -> Keymap:
        """A keymap in which this key is the action's only one and is taken from every action in conflict; an empty key
        leaves it none."""
        changes = dict(self.changes)
        for one in self.owners(key, action):
            changes[one.id] = tuple(held for held in self.keys(one) if stored_key(held) != stored_key(key))
        changes[action.id] = (stored_key(key),) if key else ()
        return self._with(changes)

    def reset(self, action: Action) -> Keymap:
        """A keymap in which the action has its default keys again; they are taken from actions in conflict."""
        changes = dict(self.changes)
        for key in action.keys:
            for one in self.owners(key, action):
                changes[one.id] = tuple(held for held in self.keys(one) if stored_key(held) != stored_key(key))
        changes.pop(action.id, None)
        return self._with(changes)

    def kept(self) -> tuple[Shortcut, ...]:
        """The changes, to be stored."""
        return tuple(Shortcut(action, keys) for action, keys in self.changes.items())

    def _with(self, changes: dict[str, tuple[str, ...]]) -> Keymap:
        first = {one.id: one.keys for one in self.table}
        return Keymap(self.table, MappingProxyType({
            name: keys for name, keys in changes.items() if keys != first[name]
        }))


def pressed(keys: QKeyCombination) -> str:
    """The pressed key in portable text; empty for one that cannot be assigned, such as Ctrl alone."""
    key, held = keys.key(), keys.keyboardModifiers() & ~Qt.KeyboardModifier.KeypadModifier
    plain = held & ~Qt.KeyboardModifier.ShiftModifier == Qt.KeyboardModifier.NoModifier
    if key in _ALONE or (key in _KEPT and plain):
        return ""
    if plain and held and _sign(key):
        # Where a sign lies above another one, Shift is how it is written.
        held = Qt.KeyboardModifier.NoModifier
    return stored_key(QKeySequence(QKeyCombination(held, key)).toString())


def _sign(key: Qt.Key) -> bool:
    return Qt.Key.Key_Exclam.value <= key.value <= 0xFF and not chr(key.value).isalnum()


def _together(one: Action, other: Action) -> bool:
    """Whether both can be possible at once: the start page has keys of its own."""
    return (one.need is need_welcome) == (other.need is need_welcome)
