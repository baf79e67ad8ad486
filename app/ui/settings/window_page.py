"""The page of the window itself: language, theme, size of everything, motion, and what the system tells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QCheckBox, QComboBox

from app.i18n import tr
from app.languages import PLAIN, PSEUDO, SYSTEM, catalogues
from app.ui.kit.context import Kit
from app.ui.kit.subscriptions import Subscriptions
from app.ui.kit.widgets.buttons import PlainButton
from app.ui.settings.parts import Page, ResultLabel
from app.viewmodels.preferences import Preferences, PreferenceStore, ThemeChoice
from app.viewmodels.sizes import ZOOMS

_WIDE = 260
_THEMES: tuple[ThemeChoice, ...] = ("system", "dark", "light")


class WindowPage(Page):
    """Language, theme, zoom, animations and notifications. Every choice is stored at once; language and zoom hold from
    the next start on, for which a button calls `restart`."""

    def __init__(self, kit: Kit, book: PreferenceStore, resources: Path, restart: Callable[[], None]) -> None:
        super().__init__(tr("Window"), tr("How Bandleader looks and speaks. Every choice is kept at once."))
        self._kit, self._book = kit, book
        self._subscriptions = Subscriptions()
        self._opened = book.shown or book.value
        self._filling = False
        self.language = _choice(tr("Language"), _languages(resources))
        themes = (tr("As the system"), tr("Dark"), tr("Light"))
        self.theme = _choice(tr("Theme"), tuple(zip(_THEMES, themes, strict=True)))
        self.zoom = _choice(tr("Size of everything"), [(str(one), f"{one}%") for one in ZOOMS])
        self.calm = QCheckBox(tr("Reduce motion: nothing turns or blinks by itself"))
        self.notices = QCheckBox(tr("Let the system tell what ended while the window was not in front"))
        self.said = ResultLabel(kit)
        self.restart = PlainButton(
            tr("Restart now"), icon="arrow-clockwise",
            tip=tr("Close the window and open it again with this project and what you have written"),
        )
        self.restart.clicked.connect(restart)
        self.restart.hide()
        for heading, field in (
            (tr("Language"), self.language), (tr("Theme"), self.theme), (tr("Size of everything"), self.zoom),
        ):
            self.heading(heading)
            self.row(field, stretch=-1)
        self.heading(tr("Motion and messages"))
        for box in (self.calm, self.notices):
            box.setAccessibleName(box.text())
            self.row(box, stretch=-1)
            box.toggled.connect(lambda _: self._keep())
        self.column.addWidget(self.said)
        self.row(self.restart, stretch=-1)
        self.column.addStretch()
        for field in (self.language, self.theme, self.zoom):
            field.activated.connect(lambda _: self._keep())
        self._subscriptions.add(book.now.watch(lambda _: self.look()))

    def look(self) -> None:
        """Show the current preferences."""
        now = self._book.value
        self._filling = True
        for field, value in ((self.language, now.language), (self.theme, now.theme), (self.zoom, str(now.zoom))):
            field.setCurrentIndex(max(field.findData(value), 0))
        self.calm.setChecked(now.calm)
        self.notices.setChecked(now.notices)
        self._filling = False
        waits = _needs_start(self._opened, now)
        self.restart.setVisible(waits)
        if waits:
            self.said.tell(tr("Language and size change when Bandleader is started the next time."), "t3")
        else:
            self.said.clear()

    def close_page(self) -> None:
        """End the subscription."""
        self._subscriptions.close()

    def _keep(self) -> None:
        if self._filling:
            return
        wanted = replace(
            self._book.value, language=self.language.currentData(), theme=self.theme.currentData(),
            zoom=int(self.zoom.currentData()), calm=self.calm.isChecked(), notices=self.notices.isChecked(),
        )
        self._book.take(wanted)
        self._kit.tasks.start(self._book.store(), "window")


def _needs_start(opened: Preferences, now: Preferences) -> bool:
    return (opened.language, opened.zoom) != (now.language, now.zoom)


def _languages(resources: Path) -> list[tuple[str, str]]:
    own = [(name, QLocale(name).nativeLanguageName() or name) for name in catalogues(resources)]
    return [
        (SYSTEM, tr("As the system")), (PLAIN, tr("English")), *own, (PSEUDO, tr("Pseudo, for translators")),
    ]


def _choice(name: str, entries: Sequence[tuple[str, str]]) -> QComboBox:
    made = QComboBox()
    for value, words in entries:
        made.addItem(words, value)
    made.setAccessibleName(name)
    made.setToolTip(name)
    made.setMinimumWidth(_WIDE)
    return made
