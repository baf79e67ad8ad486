"""Below the request box: who plans, how much models have cost today and this month, and the way to the settings."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QSizePolicy, QWidget

from app.i18n import tr
from app.storage.usage import UsageSum
from app.ui.kit.context import Kit
from app.ui.kit.style import draw_caret
from app.ui.kit.subscriptions import Subscriptions
from app.ui.kit.widgets.buttons import FlatButton
from app.ui.kit.widgets.labels import PlainLabel, plain_tip
from app.viewmodels.chat.choosing import COMPOSER, Choosing, PlannerOption
from app.viewmodels.texts.money import dollars

_HEIGHT = 24
_DOT = 6
_SIDE = 10
_CARET = 16
_GAP = 8
_FAR = 20
"""Pixels between text and right edge, where the caret is."""
_AROUND = _SIDE + _DOT + _GAP + _FAR
"""Pixels that everything beside the text takes."""


class PlannerPicker(QWidget):
    """A button with the chosen planner, a menu of the others, and what models have cost; a choice holds from the next
    request on."""

    settings_wanted = Signal(str)
    """Emitted with the page of the settings to open; empty for the first."""

    def __init__(self, kit: Kit, choosing: Choosing) -> None:
        super().__init__()
        self._kit, self._choosing = kit, choosing
        self.button = _Chosen(kit)
        self.spent = PlainLabel("", tone="t3", size="small")
        self._short = self._long = ""
        self.add_key = FlatButton(
            tr("Add a key…"), icon="key", tip=tr("Set up a model of a provider in the settings"), name=tr("Add a key…")
        )
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP)
        row.addWidget(self.button, 1)
        row.addWidget(self.spent)
        row.addWidget(self.add_key)
        self.button.clicked.connect(self.open_menu)
        self.add_key.clicked.connect(lambda: self.settings_wanted.emit("anthropic"))
        self.subscriptions = Subscriptions()
        for silence in (
            choosing.chosen.watch(self._show), choosing.offers.watch(lambda _: self._offer()),
            choosing.month.watch(lambda _: self._count()), choosing.today.watch(lambda _: self._count()),
        ):
            self.subscriptions.add(silence)

    def open_menu(self) -> None:
        """Open the menu above the button."""
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setMinimumWidth(self.button.width())
        menu.popup(self.button.mapToGlobal(QPoint(0, -menu.sizeHint().height())))

    def menu(self) -> QMenu:
        """A menu of all planners and the settings."""
        menu = QMenu(self)
        menu.setAccessibleName(tr("Who plans"))
        menu.setToolTipsVisible(True)
        group = QActionGroup(menu)
        now = self._choosing.chosen.value
        for offer in self._choosing.offers.value:
            action = QAction(offer.words.replace("&", "&&"), menu)
            action.setToolTip(plain_tip(offer.note or offer.words))
            action.setCheckable(True)
            action.setChecked((offer.provider, offer.model) == (now.provider, now.model))
            action.triggered.connect(lambda _=False, offer=offer: self._choose(offer))
            group.addAction(action)
            menu.addAction(action)
        menu.addSeparator()
        menu.addAction(tr("Settings…"), lambda: self.settings_wanted.emit("" if now.local else now.provider))
        return menu

    def _choose(self, offer: PlannerOption) -> None:
        self.button.warn("")
        self._kit.tasks.start(self._choosing.choose(offer), "chat")

    def _show(self, offer: PlannerOption) -> None:
        self.button.tell(offer)
        self._fit()

    def _offer(self) -> None:
        """Whoever has set up nothing is shown how to."""
        alone = self._choosing.offers.value == (COMPOSER,)
        self.add_key.setVisible(alone)
        self.spent.setVisible(not alone and bool(self.spent.text()))

    def _count(self) -> None:
        today, month = self._choosing.today.value, self._choosing.month.value
        now = tr("Today {cost}", cost=_cost(today)) if today.cost else ""
        all_of_it = tr("This month {cost}", cost=_cost(month)) if month.cost else ""
        self._short = now or all_of_it
        self._long = tr("{today} · month {cost}", today=now, cost=_cost(month)) if now and all_of_it else self._short
        lines = [tr("What models have cost, without those whose price is unknown") if month.unpriced
                 else tr("What models have cost"), now, all_of_it]
        self.spent.setToolTip(plain_tip("\n".join(filter(None, lines))))
        self.spent.setAccessibleDescription(all_of_it)
        self._fit()

    def _fit(self) -> None:
        """The month is told as well where the planner's name still has its room, and the way to a key in words where
        its shorter name has it."""
        self.add_key.setText(tr("Add a key…"))
        if self.width() - self.add_key.sizeHint().width() - _GAP < self.button.least:
            self.add_key.setText("")
        taken = self.spent.fontMetrics().horizontalAdvance(self._long) + _GAP
        self.spent.setText(self._long if self.width() - taken >= self.button.sizeHint().width() else self._short)
        self._offer()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Show as much of the costs as there is room for."""
        super().resizeEvent(event)
        self._fit()


def _cost(spent: UsageSum) -> str:
    cost = dollars(spent.cost)
    return tr("{cost} and more", cost=cost) if spent.unpriced else cost


class _Chosen(QPushButton):
    """A wide button: a dot that tells whether all is well, the words, a caret."""

    def __init__(self, kit: Kit) -> None:
        super().__init__()
        self._kit = kit
        self._offer = COMPOSER
        self._trouble = ""
        self.setObjectName("planner")
        self.setFixedHeight(_HEIGHT)
        self.setAutoDefault(False)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        kit.theme.changed.connect(self.update)
        self._tell()

    def tell(self, offer: PlannerOption) -> None:
        """Show another planner."""
        self._offer, self._trouble = offer, ""
        self._tell()

    def warn(self, trouble: str) -> None:
        """Show why it did not answer."""
        self._trouble = trouble
        self._tell()

    @property
    def said(self) -> str:
        """Who is shown, in full."""
        return self._offer.words

    @property
    def shown(self) -> str:
        """The words that stand on it: all of them, the shorter name, or of that what there is room for."""
        room = self.width() - _AROUND
        if self._wide(self.said) <= room:
            return self.said
        return self.fontMetrics().elidedText(self._offer.brief, Qt.TextElideMode.ElideRight, room)

    @property
    def least(self) -> int:
        """Pixels in which the shorter name stands whole."""
        return self._wide(self._offer.brief) + _AROUND

    def _wide(self, words: str) -> int:
        return self.fontMetrics().horizontalAdvance(words)

    def _tell(self) -> None:
        state, note = self._trouble or tr("ready"), self._offer.note
        self.setAccessibleName(tr("Planner: {said}, {state}", said=self.said, state=state))
        said = f"{self.said}: {state}" if self._trouble else self.said
        self.setToolTip(plain_tip("\n".join(filter(None, (tr("{said}. Choose who plans", said=said), note)))))
        self.setAccessibleDescription(note)
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As wide as its words."""
        return QSize(self._wide(self.said) + _AROUND, _HEIGHT)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """It gives way: the tooltip has all of it."""
        return QSize(4 * _FAR, _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """The button of the style sheet, with dot, words and caret."""
        super().paintEvent(event)
        tokens = self._kit.theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tokens.color("warn" if self._trouble else "ok"))
        middle = self.height() / 2
        if self._trouble:
            # Not by colour alone: a triangle is no circle.
            painter.drawPolygon([
                QPoint(_SIDE - 1, round(middle) + 3), QPoint(_SIDE + _DOT + 1, round(middle) + 3),
                QPoint(_SIDE + _DOT // 2, round(middle) - 4),
            ])
        else:
            painter.drawEllipse(QRectF(_SIDE, middle - _DOT / 2, _DOT, _DOT))
        left = _SIDE + _DOT + _GAP
        room = QRectF(left, 0, self.width() - left - _FAR, self.height())
        painter.setPen(tokens.color("t1"))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.shown)
        draw_caret(painter, QRectF(self.width() - _FAR, 0, _CARET, self.height()), "down", tokens.tokens)
        painter.end()
