"""Where the list of commands can lead besides actions: tracks, pages of the settings, other projects."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from shiboken6 import isValid

from app.i18n import tr
from app.ui.shell.finding import SearchEntry

if TYPE_CHECKING:
    # The database is slow to import; the window is shown before it.
    from app.ui.shell.find_command import FindCommand
    from app.ui.shell.workbench import Workbench
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
