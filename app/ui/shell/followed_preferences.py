"""The window lives by the person's preferences: theme, motion and keys follow them, and what is changed is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from app.ui.kit.context import Kit
from app.ui.kit.theme import Choice
from app.ui.shell.action_set import ActionSet
from app.ui.shell.keymap import Keymap
from app.ui.shell.looks import Looks
from app.viewmodels.preferences import Preferences

if TYPE_CHECKING:
    from app.viewmodels.desktop import Desktop


class FollowedPreferences:
    """Applies the person's preferences (theme, motion, keys) to the window and stores changes of them, until
    `close`."""

    def __init__(self, desktop: Desktop, kit: Kit, actions: ActionSet, looks: Looks) -> None:
        self._book = desktop.preferences
        self._kit = kit
        self._actions = actions
        self._book.open_with(Preferences(kit.theme.choice, looks.language, looks.percent, looks.still))
        self._silence = self._book.now.watch(self._follow)

    @property
    def value(self) -> Preferences:
        """The preferences now."""
        return self._book.value

    def close(self) -> None:
        """End the subscription."""
        self._silence()

    def choose_theme(self, theme: Choice) -> None:
        """Store the choice of theme: the system's, dark or light."""
        self._keep(replace(self.value, theme=theme))

    def keep_keys(self, keymap: Keymap) -> None:
        """Store another keymap."""
        self._keep(replace(self.value, keys=keymap.kept()))

    def note(self, command: str) -> None:
        """Note that the command of this id was run from the list of commands, so that it comes first there."""
        self._keep(self.value.used(command))

    def _keep(self, preferences: Preferences) -> None:
        if preferences != self.value:
            self._book.take(preferences)
            self._kit.tasks.start(self._book.store(), "window")

    def _follow(self, preferences: Preferences | None) -> None:
        if preferences is None:
            return
        theme = self._kit.theme
        theme.still = preferences.calm
        if preferences.theme != theme.choice:
            theme.turn(preferences.theme)
        self._actions.use(Keymap.of(self._actions.table, preferences.keys))
