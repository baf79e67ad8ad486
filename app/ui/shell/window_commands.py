"""What is done with the window itself: parts, theme, layout, lists of commands and keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from importlib import metadata
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QMainWindow, QVBoxLayout, QWidget
from shiboken6 import isValid

from app.i18n import tr
from app.private_files import make_private_folder
from app.ui.kit.context import Kit
from app.ui.kit.theme import Choice
from app.ui.kit.widgets.buttons import PlainButton
from app.ui.kit.widgets.labels import PlainLabel
from app.ui.shell.action_set import ActionSet
from app.ui.shell.docks import Docks
from app.ui.shell.file_commands import show_folder
from app.ui.shell.find_command import FindCommand, action_entries
from app.ui.shell.finding import SearchEntry
from app.ui.shell.followed_preferences import FollowedPreferences
from app.ui.shell.keys_dialog import KeysDialog
from app.ui.shell.views import SettingsActs
from app.ui.shell.workbench import Workbench

if TYPE_CHECKING:
    # The database is slow to import; the window is shown before it.
    from app.viewmodels.desktop import Desktop


_MOST = 200
_LONGEST = 120


class PaletteTargets:
    """Makes entries of the list of commands that are no actions; `open_project` takes a project's id, `focus` the name
    of a view, `settings` that of a page."""

    def __init__(
        self, desktop: Desktop, bench: Workbench, open_project: Callable[[str], None], focus: Callable[[str], None],
        settings: Callable[[str], None],
    ) -> None:
        self._desktop = desktop
        self._bench = bench
        self._open = open_project
        self._focus = focus
        self._settings = settings

    def at_hand(self) -> tuple[SearchEntry, ...]:
        """Entries for the song's tracks and the pages of the settings."""
        return (*self._tracks(), *self._pages())

    async def projects(self, finder: FindCommand) -> None:
        """Read the other projects and add them to the list of commands, if it is still open by then."""
        now = self._desktop.opened.value
        own = None if now is None else now.workspace.project
        found = [one for one in reversed(await self._desktop.studio.projects.all()) if one.id != own][:_MOST]
        group = tr("Project")
        if isValid(finder):
            finder.add([
                SearchEntry(f"project {one.id}", one.name[:_LONGEST], group, partial(self._open, one.id),
                      icon="folder-open")
                for one in found
            ])

    def _tracks(self) -> list[SearchEntry]:
        if not self._bench.parts():
            return []
        group = tr("Track")
        return [
            SearchEntry(f"track {one.id}", one.name[:_LONGEST], group, partial(self._to_track, one.id), icon="faders")
            for one in self._bench.opened.workspace.song.tracks
        ]

    def _to_track(self, track: str) -> None:
        from agent.song.ids import TrackId

        self._bench.opened.focus.track.set(TrackId(track))
        self._focus("timeline")

    def _pages(self) -> list[SearchEntry]:
        from app.ui.settings.entries import page_names

        group = tr("Settings")
        return [
            SearchEntry(f"settings {name}", words, group, partial(self._settings, name), icon=sign)
            for name, words, sign in page_names()
        ]


class WindowCommands:
    """Actions on the window: views, theme, layout, and the dialogs of commands and keys.

    `changed` is called when the state of actions may have changed. `example` chooses a request of the start page by
    index, counted from 0; `make_settings` opens the settings, or returns None where there are none."""

    def __init__(
        self, window: QMainWindow, desktop: Desktop, kit: Kit, bench: Workbench, docks: Docks, actions: ActionSet,
        preferences: FollowedPreferences, open_project: Callable[[str], None], changed: Callable[[], None],
        example: Callable[[int], None], make_settings: Callable[[], SettingsActs | None],
    ) -> None:
        self._window = window
        self.quit = window.close
        """Closes the window, and with it the program."""
        self._desktop = desktop
        self._kit = kit
        self._bench = bench
        self._docks = docks
        self._actions = actions
        self._preferences = preferences
        self._places = PaletteTargets(desktop, bench, open_project, self.focus, self.settings)
        self._changed = changed
        self.example = example
        self._make_settings = make_settings
        self._settings: SettingsActs | None = None

    def settings(self, page: str = "") -> None:
        """Open the settings at a page (empty: the first), or bring the open dialog forward."""
        if self._settings is None:
            self._settings = self._make_settings()
        if self._settings is not None:
            self._settings.open_page(page)

    def forget_settings(self) -> None:
        """To be called when the settings dialog was closed by the person."""
        self._settings = None

    def close_settings(self) -> None:
        """Close the settings, if they are open."""
        if self._settings is not None:
            self._settings.close()

    def overlay(self) -> None:
        """Show or hide the ghosts: the proposed changes drawn over the song."""
        overlay = self._bench.opened.focus.overlay
        overlay.set(not overlay.value)

    def theme(self, choice: Choice) -> None:
        """Use this theme now and at the next start: the system's, dark or light."""
        self._preferences.choose_theme(choice)
        self._changed()

    def focus(self, part: str) -> None:
        """Give the view named `part` the keyboard, opening its dock if it is closed."""
        parts = self._bench.stops()
        self._docks.bring(part)
        if part in parts:
            parts[part].focus()

    def next_part(self, step: int) -> None:
        """Give the keyboard to the view `step` places on (-1: the one before) among those that are visible, in the
        order of F6."""
        shown = [name for name, part in self._bench.stops().items() if part.widget.isVisible()]
        if shown:
            now = self._bench.focused()
            at = shown.index(now) + step if now in shown else 0
            self.focus(shown[at % len(shown)])

    def toggle(self, dock: str) -> None:
        """Open or close a dock."""
        self._docks.toggle(dock)
        self._changed()

    def follow(self) -> None:
        """Let the timeline follow the playhead, or stop following."""
        follow = self._bench.opened.focus.follow
        follow.set(not follow.value)
        self._changed()

    def reset_layout(self) -> None:
        """Put every dock back to its first place and size."""
        self._docks.reset()
        self._changed()

    def full_screen(self) -> None:
        """Switch between full screen and a normal window."""
        if self._window.isFullScreen():
            self._window.showNormal()
        else:
            self._window.showFullScreen()

    def locks(self) -> None:
        """Open the dialog of the project's locks."""
        from app.ui.shell.locks_dialog import LocksDialog

        opened = self._bench.opened
        LocksDialog(
            self._window, opened, lambda kept: self._kit.tasks.start(opened.lock(kept), "window")
        ).open()

    def undo_list(self) -> None:
        """Open the list of undo and redo steps."""
        from app.ui.shell.undo_list import MOST, UndoList

        versions, start = self._bench.opened.versions, self._kit.tasks.start
        UndoList(
            self._window, self._kit, versions.trail(MOST),
            lambda way, wanted: start(versions.walk_to(way, wanted.id), "window"),
        ).open()

    def find_command(self) -> None:
        """Open the list of commands, tracks, projects and pages of the settings."""
        entries = (*action_entries(self._actions), *self._places.at_hand())
        noted = tuple(replace(entry, act=partial(self._found, entry)) for entry in entries)
        finder = FindCommand(self._window, self._kit.theme, noted, self._preferences.value.recent)
        finder.open()
        self._kit.tasks.start(self._places.projects(finder), "window")

    def shortcuts(self) -> None:
        """Open the dialog in which shortcuts are shown and changed."""
        KeysDialog(self._window, self._actions.keymap, self._preferences.keep_keys).open()

    def show_logs(self) -> None:
        """Show the folder of crash reports in the file manager, making it if need be."""
        logs = self._desktop.studio.paths.logs
        self._kit.troubles.guarded(lambda: make_private_folder(logs), "window")
        show_folder(logs)

    def about(self) -> None:
        """Show the dialog with name and version."""
        try:
            version = metadata.version("bandleader")
        except metadata.PackageNotFoundError:
            version = tr("from source")
        AboutDialog(self._window, version).open()

    def _found(self, entry: SearchEntry) -> None:
        self._preferences.note(entry.id)
        entry.act()


_MARGIN, _GAP = 16, 8


class AboutDialog(QDialog):
    """Shows the program's name, its version and what it promises."""

    def __init__(self, parent: QWidget, version: str) -> None:
        super().__init__(parent)
        self.setObjectName("about")
        self.setWindowTitle(tr("About Bandleader"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        column.setSpacing(_GAP)
        column.addWidget(PlainLabel("Bandleader", size="welcome"))
        column.addWidget(PlainLabel(tr("Version {version}", version=version), tone="t3"))
        for line in (
            tr("You lead. Bandleader plays what you approved, all of it, and nothing else."),
            tr("Works offline, without a key. Nothing is sent anywhere unless you choose a model."),
            tr("Free software under the GPL, version 3 or later."),
        ):
            column.addWidget(PlainLabel(line))
        close = PlainButton(tr("Close"))
        close.clicked.connect(self.accept)
        column.addWidget(close, 0, Qt.AlignmentFlag.AlignRight)
