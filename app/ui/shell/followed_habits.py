"""The window lives by the person's habits: theme, motion and keys follow them, and what is changed is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from app.desktop.habits import Habits
from app.ui.kit.context import Kit
from app.ui.kit.theme import Choice
from app.ui.shell.action_set import ActionSet
from app.ui.shell.keymap import Keymap
from app.ui.shell.looks import Looks

if TYPE_CHECKING:
    from app.desktop.desktop import Desktop


class FollowedHabits:
    """Follows the habits of a desktop from the moment on that the window was filled; end it with `close`."""

    def __init__(self, desktop: Desktop, kit: Kit, actions: ActionSet, looks: Looks) -> None:
        self._book = desktop.habits
        self._kit = kit
        self._actions = actions
        self._book.open_with(Habits(kit.theme.choice, looks.language, looks.percent, looks.still))
        self._silence = self._book.now.watch(self._follow)

    @property
    def value(self) -> Habits:
        """The habits now."""
        return self._book.value

    def close(self) -> None:
        """Follow no more."""
        self._silence()

    def choose_theme(self, theme: Choice) -> None:
        """Follow the system, or be dark or light."""
        self._keep(replace(self.value, theme=theme))

    def keep_keys(self, keymap: Keymap) -> None:
        """Other keys for actions."""
        self._keep(replace(self.value, keys=keymap.kept()))

    def note(self, command: str) -> None:
        """A command was found and done."""
        self._keep(self.value.used(command))

    def _keep(self, habits: Habits) -> None:
        if habits != self.value:
            self._book.take(habits)
            self._kit.tasks.start(self._book.store(), "window")

    def _follow(self, habits: Habits | None) -> None:
        if habits is None:
            return
        theme = self._kit.theme
        theme.still = habits.calm
        if habits.theme != theme.choice:
            theme.turn(habits.theme)
        self._actions.use(Keymap.of(self._actions.table, habits.keys))
