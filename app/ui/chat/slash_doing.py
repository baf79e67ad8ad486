"""What a command of the request box does: what the window's own actions do, or the project itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agent.song.locks import Lock, TrackLock
from app.i18n import tr
from app.ui.kit.context import Kit
from app.viewmodels.chat.entries import MessageEntry, now
from app.viewmodels.chat.slash import SlashCommand, help_text
from app.viewmodels.chat.telling import plain
from app.viewmodels.edits.locking import bars_lock, clip_locks, lock_lines, lock_said
from app.viewmodels.open_project import OpenProject


class SlashDoing:
    """Carries out slash commands. `planner` opens the menu of planners, `find` searches the conversation for a text,
    `attach` attaches the selection and returns whether there was one. `act` triggers an action of the window by its id
    and returns whether it was enabled."""

    def __init__(
        self, opened: OpenProject, kit: Kit, *, planner: Callable[[], None], find: Callable[[str], None],
        attach: Callable[[], bool], act: Callable[[str], bool],
    ) -> None:
        self._opened, self._kit = opened, kit
        self._planner, self._find, self._attach = planner, find, attach
        self._act = act

    def do(self, command: SlashCommand) -> None:
        """Carry out a command; if it is not possible now, an entry in the conversation says so."""
        slash = command.slash
        match slash.deed:
            case "action":
                if not self._act(slash.value):
                    self._say(tr("/{name} is not possible now.", name=slash.name))
            case "attach":
                if not self._attach():
                    self._say(tr("Nothing is selected. Select clips, a track or bars first."))
            case "lock" | "unlock":
                self._kit.tasks.start(self._lock(command.rest, lock=slash.deed == "lock"), "chat")
            case "planner":
                self._planner()
            case "find":
                self._find(command.rest)
            case "help":
                self._say(help_text())

    def act_by_id(self, action: str) -> None:
        """Trigger an action of the window; if it is disabled, an entry in the conversation says so."""
        if not self._act(action):
            self._say(tr("That is not possible now."))

    async def _lock(self, part: str, *, lock: bool) -> None:
        opened = self._opened
        wanted = (lock_said(part, opened.workspace.song),) if part else self._selected()
        if not wanted:
            self._say(tr("Nothing is selected. Select clips, a track or bars first."))
            return
        held = opened.locks.value
        kept = (*held, *wanted) if lock else tuple(one for one in held if one not in wanted)
        await opened.lock(kept)
        names = ", ".join(line.words for line in lock_lines(wanted, opened.workspace.song))
        self._say(tr("Locked: {what}.", what=plain(names)) if lock else tr("Not locked: {what}.", what=plain(names)))

    def _selected(self) -> Sequence[Lock]:
        focus, song = self._opened.focus, self._opened.workspace.song
        found = (*clip_locks(focus.clips.value, song), *bars_lock(focus.bars.value))
        track = focus.track.value
        return found or (() if track is None else (TrackLock(track),))

    def _say(self, words: str) -> None:
        self._opened.conversation.add(MessageEntry("bandleader", words, now()))
