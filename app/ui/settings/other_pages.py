"""The page of the built-in composer, and the one of what models may cost."""

from __future__ import annotations

from PySide6.QtWidgets import QDoubleSpinBox

from app.i18n import tr, trn
from app.storage.usage import UsageSum
from app.studio.models import Caps
from app.ui.kit.context import Kit
from app.ui.kit.widgets.buttons import MainButton
from app.ui.kit.widgets.labels import PlainLabel
from app.ui.settings.chosen_planner import ChosenPlanner
from app.ui.settings.parts import Page
from app.ui.settings.working import Working
from app.viewmodels.chat.choosing import COMPOSER, Choosing
from app.viewmodels.texts.money import dollars

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
        self.detail.setText(month_words(month))

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


def month_words(month: UsageSum) -> str:
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
