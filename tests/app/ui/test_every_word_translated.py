"""Every part of the window in the pseudo language: what a person reads has been translated, or is their own."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest
from key_rings import Memory
from people import Person, at_window
from PySide6.QtCore import QPoint
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QDialog, QMenu, QWidget
from qt_fixtures import Loop
from wording import Found, painted, shown_in, texts_of, untranslated, windows

from app.i18n import speaking
from app.languages import pseudo
from app.storage.keyring import Keys
from app.ui.kit.theme import Theme
from app.ui.settings.dialog import SettingsDialog
from app.ui.shell.actions import ACTIONS
from app.viewmodels.open_project import OpenProject

REQUEST = "a calm lofi beat in D minor at 82 bpm with drums, bass and piano, 8 bars"
_ELSEWHERE = {"file.open_midi", "file.quit", "plan.discard"}
"""A dialog of Qt's own, the end, and the end of the plan."""


class Reader:
    """Collects what can be read."""

    def __init__(self, one: Person) -> None:
        self.one = one
        self.found: set[Found] = set()
        self.data: set[str] = {"Untitled", REQUEST}

    def look(self) -> None:
        """At all that is on the screen."""
        self.learn(self.one.room.opened)
        for window in windows():
            self.found.update(shown_in(window))

    def learn(self, opened: OpenProject) -> None:
        """The person's own words: song, plan, conversation, names of tools, and what is in their library."""
        own: list[object] = [
            opened.workspace.name, opened.workspace.name.replace(",", ""), opened.workspace.song,
            list(opened.conversation.entries), list(opened.versions.iterations.value),
            list(opened.studio.palette.instruments),
        ]
        proposal, live = opened.reviewing.proposal.value, opened.running.live.value
        own += [] if proposal is None else [proposal.plan]
        own += [] if live is None or live.view is None else [live.view.plan]
        own += [line.text for line in opened.events.lines if line.kind in ("STEP_STARTED", "STEP_DONE")]
        for one in own:
            self.data |= texts_of(one)

    async def everything(self) -> None:
        """Docks with their pages, menus, context menus, and every dialog that an action opens now."""
        for dock in ("chat", "history", "plan", "pianoroll", "mixer", "events"):
            self.one.window.docks.bring(dock)
            await self.one.room.still()
            self.look()
        for widget in self.one.window.findChildren(QWidget):
            if widget.isVisible() and _own_menu(widget):
                self._context(widget)
        await self._dialogs()

    def _context(self, widget: QWidget) -> None:
        at = QPoint(widget.width() // 3, min(60, widget.height() // 2))
        event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, at, widget.mapToGlobal(at))
        QApplication.sendEvent(widget, event)
        menu = QApplication.activePopupWidget()
        if isinstance(menu, QMenu):
            self.found.update(Found(action.text(), type(widget).__module__, "context menu")
                              for action in menu.actions())
            menu.close()

    async def _dialogs(self) -> None:
        for action in ACTIONS:
            if not action.text.endswith("…") or action.id in _ELSEWHERE:
                continue
            self.one.window._refresh()
            if self.one.window.actions_[action.id].isEnabled():
                self.one.window.actions_.run(action.id)
                await self.one.room.still()
                self.look()
                await self._close()
        for name in ("help.shortcuts", "help.about"):
            self.one.action(name)
            await self.one.room.still()
            self.look()
            await self._close()

    async def _close(self) -> None:
        for window in windows():
            if window is not self.one.window and isinstance(window, QDialog):
                window.close()
        for finder in self.one.window.findChildren(QWidget, "find-command"):
            finder.close()
        await self.one.room.still()


def _own_menu(widget: QWidget) -> bool:
    return type(widget).__module__.startswith("app.ui") and "contextMenuEvent" in vars(type(widget))


def faults(reader: Reader, noted: list[Found]) -> dict[str, set[str]]:
    """Texts that were not translated, by the room that shows them."""
    found = defaultdict(set)
    for one in (*reader.found, *noted):
        if one.room.startswith(("app.ui", "app.window")) and untranslated(one.text, reader.data):
            found[one.room].add(f"{one.what}: {one.text[:100]!r}")
    return found


@pytest.mark.slow
def test_everything_that_can_be_read_is_translated(theme: Theme, tmp_path: Path, qloop: Loop) -> None:
    readers: list[Reader] = []

    async def story(one: Person) -> None:
        reader = Reader(one)
        readers.append(reader)
        reader.look()
        one.action("file.new")
        await reader.everything()
        opened = one.room.opened
        await opened.asking.ask(REQUEST)
        await one.room.still()
        await reader.everything()
        proposal = opened.reviewing.proposal.value
        assert proposal is not None
        await opened.asking.approving.run(proposal.judged.plan.hash)
        await one.room.still()
        track = opened.workspace.song.tracks[0]
        opened.focus.track.set(track.id)
        opened.focus.clips.set(frozenset({track.clips[0].id}))
        opened.focus.clip.set(track.clips[0].id)
        await reader.everything()
        await _settings(one, reader)
        one.action("file.start_page")
        await one.room.still()
        reader.look()

    with speaking(pseudo()), painted() as noted:
        qloop.run(at_window(theme, tmp_path / "home", story, Keys(backend=Memory())))
    found = faults(readers[0], noted)
    lines = [f"{room}\n    " + "\n    ".join(sorted(texts)) for room, texts in sorted(found.items())]
    assert not lines, "not translated:\n" + "\n".join(lines)


async def _settings(one: Person, reader: Reader) -> None:
    one.action("file.settings")
    await one.room.still()
    [dialog] = [window for window in windows() if isinstance(window, SettingsDialog)]
    for row in range(dialog.list.count()):
        dialog.list.setCurrentRow(row)
        await one.room.still()
        reader.look()
    dialog.close()
    await one.room.still()


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("⟦Mûtê Drums~~⟧", ""), ("Mute", "Mute"), ("⟦Söng~⟧ end", "end"), ("⟦Mûtê Dr…", ""), ("…ûms~⟧", ""),
        ("Night Ferry", ""), ("Night Fe…", ""), ("112 BPM", ""), ("Ctrl+Shift+K", ""), ("⟦{a ⟦b⟧ c}⟧", ""),
        ("F#m7", ""),
        ("⟦Ä~⟧, nothing", "nothing"), ("Night Ferry is", "is"),
    ],
)
def test_what_nobody_translated_is_found(text: str, letters: str) -> None:
    assert untranslated(text, {"Night Ferry"}) == letters


@pytest.mark.parametrize("data", [("Loop A again", "Section Loop A again"), ("Section Loop A again", "Loop A again")])
def test_the_longest_of_the_own_words_is_taken_out(data: tuple[str, str]) -> None:
    assert untranslated("5  Section Loop A again", data) == ""
