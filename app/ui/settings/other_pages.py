"""Pages of the settings: the window itself, the built-in composer, and what models may cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox

from app.i18n import tr, trn
from app.languages import PLAIN, PSEUDO, SYSTEM, catalogues
from app.storage.usage import UsageSum
from app.studio.models import Caps
from app.ui.kit.context import Kit
from app.ui.kit.subscriptions import Subscriptions
from app.ui.kit.widgets.buttons import MainButton, PlainButton
from app.ui.kit.widgets.labels import PlainLabel
from app.ui.settings.chosen_planner import ChosenPlanner
from app.ui.settings.parts import Page, ResultLabel
from app.ui.settings.working import Working
from app.viewmodels.chat.choosing import COMPOSER, Choosing
from app.viewmodels.preferences import Preferences, PreferenceStore, ThemeChoice
from app.viewmodels.sizes import ZOOMS
from app.viewmodels.texts.money import dollars

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


_NONE = -1.0
"""The value of the field that stands for no cap."""
_MOST = 1_000_000.0
_FIELD = 132


class ComposerPage(Page):
    """The page of the built-in composer, which needs no settings; it can be chosen here."""

    def __init__(self, kit: Kit, choosing: Choosing) -> None:
        super().__init__(
            tr("Built-in composer"),
            tr("Works offline and needs nothing: no account, no key, no network. It is free, runs on this computer, "
            "and nothing that you write is sent anywhere."),
        )
        self._choosing = choosing
        self.working = Working(kit)
        self.use = MainButton(tr("Plan with the composer"), icon="wifi-slash", tip=tr("From the next request on"))
        self.use.clicked.connect(self._use)
        self.working.held = (self.use,)
        self.planner = ChosenPlanner(
            kit, choosing, self.use, lambda offer: offer.local,
            lambda _: tr("Chosen: the built-in composer plans your requests."),
        )
        self.column.addSpacing(10)
        self.column.addWidget(self.planner)
        self.column.addWidget(self.working)
        self.column.addStretch()

    def look(self) -> None:
        """Does nothing: the page has nothing to read."""

    def close_page(self) -> None:
        """End subscription and work under way."""
        self.planner.close_part()
        self.working.close_part()

    def _use(self) -> None:
        self.working.start(tr("Choosing"), lambda: self._choosing.choose(COMPOSER), lambda _: None)


class SpendingPage(Page):
    """The page of spending: caps per run and per month, and what this month has cost."""

    def __init__(self, kit: Kit, choosing: Choosing) -> None:
        super().__init__(
            tr("Spending"),
            tr("When a cap is reached, planning and runs stop cleanly: what is done stays, and you are told. Prices "
            "are estimates; your provider's bill is what counts."),
        )
        self._choosing, self._models = choosing, choosing.models
        self._shown = Caps()
        self.working = Working(kit)
        self.spent = PlainLabel("", size="strong")
        self.detail = PlainLabel("", tone="t3", size="small")
        self.run, self.month = _amount(tr("Cap of one run")), _amount(tr("Cap of a month"))
        self.heading(tr("Spent this month"))
        self.column.addWidget(self.spent)
        self.column.addWidget(self.detail)
        self.heading(tr("Caps in US dollars"))
        self.row(PlainLabel(tr("For one run")), self.run, PlainLabel(tr("For a month")), self.month, stretch=-1)
        self.column.addWidget(self.working)
        self.column.addStretch()
        for field in (self.run, self.month):
            field.editingFinished.connect(self._keep)

    def look(self) -> None:
        """Read and show caps and sums."""
        self.working.start(tr("Adding up"), self._read, self._show)

    def close_page(self) -> None:
        """End work under way."""
        self.working.close_part()

    async def _read(self) -> Caps:
        await self._choosing.count()
        return await self._models.caps()

    def _show(self, caps: Caps) -> None:
        self._shown = caps
        self.run.setValue(_NONE if caps.per_run is None else caps.per_run)
        self.month.setValue(_NONE if caps.per_month is None else caps.per_month)
        month = self._choosing.month.value
        spent, cap = dollars(month.cost), caps.per_month
        self.spent.setText(spent if cap is None else tr("{spent} of {cap}", spent=spent, cap=dollars(cap)))
        self.detail.setText(_month_words(month))

    def _caps(self) -> Caps:
        values = [None if field.value() < 0 else round(field.value(), 2) for field in (self.run, self.month)]
        return Caps(*values)

    def _keep(self) -> None:
        wanted = self._caps()
        if wanted == self._shown:
            return

        async def work() -> Caps:
            await self._models.keep_caps(wanted)
            return await self._models.caps()

        def done(kept: Caps) -> None:
            self._show(kept)
            self.working.said.tell(tr("Saved."))

        self.working.quietly(work, done)


def _month_words(month: UsageSum) -> str:
    """The month's use of models: "12 answers, 48,210 tokens", and how many answers have no known price."""
    if not month.calls:
        return tr("No model was asked yet.")
    answers = trn("{count:,} answer", "{count:,} answers", month.calls)
    tokens = trn("{count:,} token", "{count:,} tokens", month.tokens)
    if not month.unpriced:
        return f"{answers}, {tokens}"
    unknown = trn("the price of {count:,} answer is unknown", "the price of {count:,} answers is unknown",
                  month.unpriced)
    return f"{answers}, {tokens}; {unknown}"


def _amount(name: str) -> QDoubleSpinBox:
    made = QDoubleSpinBox()
    made.setRange(_NONE, _MOST)
    made.setDecimals(2)
    made.setSingleStep(1.0)
    made.setPrefix("$")
    made.setValue(_NONE)
    made.setSpecialValueText(tr("No cap"))
    made.setAccessibleName(name)
    made.setToolTip(tr("{name} in US dollars; below 0 there is none", name=name))
    made.setFixedWidth(_FIELD)
    return made
