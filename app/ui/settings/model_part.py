"""How a provider is reached: its server, its model, and what only some servers take."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace
from PySide6.QtCore import QObject, QStringListModel, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QSpinBox, QWidget

from agent.providers.kinds import ANTHROPIC_HOME, OPENAI_HOME
from app.i18n import tr
from app.studio.models import Kind, ProviderSettings
from app.ui.kit.widgets.buttons import PlainButton
from app.ui.kit.widgets.labels import PlainLabel
from app.ui.settings.parts import Page, paragraph
from app.viewmodels.chat.choosing import NAMES, SERVERS

_HOMES: dict[Kind, str] = {"anthropic": ANTHROPIC_HOME, "openai": OPENAI_HOME, "openai-chat": OPENAI_HOME}
"""The server that is asked while the address field is empty."""
_COLDEST, _HOTTEST, _STEP = -0.1, 2.0, 0.1
_LEAST_CONTEXT, _MOST_CONTEXT = 1023, 100_000_000
"""Range of the field for the context window in tokens; its least value means that the server knows."""
_MOST_NAMES = 2000
_FIELD = 132


class ModelPart(QObject):
    """The fields for a provider's server and model. Signal `changed` is emitted when the person changes one."""

    changed = Signal()

    def __init__(self, kind: Kind, page: Page) -> None:
        super().__init__(page)
        self._shown = ProviderSettings(kind)
        self._filling = False
        name = NAMES[kind]
        self.url = _choices(tr("Base URL of {name}", name=name), _HOMES[kind])
        self.model = _choices(tr("Model of {name}", name=name), tr("Its name as the server lists it"))
        self.ask = PlainButton(tr("Ask the server"), icon="list-bullets",
                               tip=tr("Fill the list with the server's models"))
        self._names = QStringListModel(self)
        self.model.setModel(self._names)
        page.heading(tr("Base URL"))
        page.row(self.url)
        self.note = paragraph("", "warn")
        self.note.hide()
        page.column.addWidget(self.note)
        if kind == "openai-chat":
            self._suggest(page)
        page.heading(tr("Default model"))
        page.row(self.model, self.ask)
        self.heat, self.context = _heat(page), _context(page)
        self.small = QCheckBox(tr("Small model: ask for one part at a time"), page)
        if kind == "openai-chat":
            self._more(page)
        else:
            for widget in (self.heat, self.context, self.small):
                widget.hide()
        for field in (self.url, self.model):
            line = field.lineEdit()
            assert line is not None
            line.editingFinished.connect(self._tell)
            field.activated.connect(self._tell)
        for spin in (self.heat, self.context):
            spin.editingFinished.connect(self._tell)
        self.small.toggled.connect(self._tell)

    @property
    def widgets(self) -> tuple[QWidget, ...]:
        """The widgets to be disabled while something is waited for."""
        return self.url, self.model, self.ask, self.heat, self.context, self.small

    def show_settings(self, settings: ProviderSettings) -> None:
        """Fill the fields."""
        self._filling = True
        self._shown = settings
        self.url.setEditText(settings.base_url)
        self.model.setEditText(settings.model)
        self.heat.setValue(_COLDEST if settings.temperature is None else settings.temperature)
        self.context.setValue(_LEAST_CONTEXT if settings.context is None else settings.context)
        self.small.setChecked(settings.small)
        self._filling = False

    def say_given(self, note: str) -> None:
        """Show below the address what the environment sets instead; empty hides it."""
        self.note.setText(note)
        self.note.setVisible(bool(note))

    def settings(self) -> ProviderSettings:
        """The settings as they stand in the fields."""
        heat, context = self.heat.value(), self.context.value()
        return replace(
            self._shown, base_url=self.url.currentText().strip(), model=self.model.currentText().strip(),
            temperature=None if heat < 0 else round(heat, 2), context=None if context <= _LEAST_CONTEXT else context,
            small=self.small.isChecked(),
        )

    def take_kept(self, wanted: ProviderSettings, kept: ProviderSettings) -> None:
        """Show the settings as they were stored (`kept`) for `wanted`; what was changed since then stays."""
        if self.settings() == wanted:
            self.show_settings(kept)
        else:
            self._shown = kept

    def list_models(self, names: Sequence[str]) -> None:
        """Offer these models for completion; the typed text stays."""
        written = self.model.currentText()
        self._filling = True
        self._names.setStringList([name for name in names[:_MOST_NAMES] if name.isprintable()])
        self.model.setEditText(written)
        self._filling = False

    def _tell(self) -> None:
        if not self._filling and self.settings() != self._shown:
            self.changed.emit()

    def _suggest(self, page: Page) -> None:
        buttons = []
        for name, url in SERVERS:
            self.url.addItem(url)
            button = PlainButton(name, tip=url, name=tr("Use {name} at {url}", name=name, url=url))
            button.clicked.connect(lambda _=False, url=url: self._take(url))
            buttons.append(button)
        self.url.setEditText("")
        page.row(*buttons, stretch=-1)

    def _take(self, url: str) -> None:
        self.url.setEditText(url)
        self._tell()

    def _more(self, page: Page) -> None:
        page.heading(tr("For models on this computer"))
        self.small.setToolTip(
            tr("For models that lose the thread of a long request; slower, but it fits in 8,000 tokens")
        )
        self.small.setAccessibleName(tr("Small model"))
        page.row(PlainLabel(tr("Temperature")), self.heat, PlainLabel(tr("Context, tokens")), self.context, stretch=-1)
        page.row(self.small, stretch=-1)


def _choices(name: str, hint: str) -> QComboBox:
    """A field with a list that anything can be written into."""
    made = QComboBox()
    made.setEditable(True)
    made.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
    made.setAccessibleName(name)
    made.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    made.setMinimumContentsLength(12)
    made.setToolTip(name)
    line = made.lineEdit()
    assert line is not None
    line.setPlaceholderText(hint)
    line.setAccessibleName(name)
    # A name that is being written must not become another one by itself.
    made.setCompleter(None)  # type: ignore[arg-type]
    return made


def _heat(page: QWidget) -> QDoubleSpinBox:
    made = QDoubleSpinBox(page)
    made.setRange(_COLDEST, _HOTTEST)
    made.setSingleStep(_STEP)
    made.setDecimals(2)
    made.setValue(_COLDEST)
    made.setSpecialValueText(tr("The server's own"))
    made.setAccessibleName(tr("Temperature"))
    made.setToolTip(tr("0 is always the same answer, 2 the wildest; below 0 the server decides"))
    made.setFixedWidth(_FIELD)
    return made


def _context(page: QWidget) -> QSpinBox:
    made = QSpinBox(page)
    made.setRange(_LEAST_CONTEXT, _MOST_CONTEXT)
    made.setSingleStep(1024)
    made.setGroupSeparatorShown(True)
    made.setValue(_LEAST_CONTEXT)
    made.setSpecialValueText(tr("As the server says"))
    made.setAccessibleName(tr("Context in tokens"))
    made.setToolTip(tr("How much the model can read at once; below 1,024 the server is believed"))
    made.setFixedWidth(_FIELD)
    made.setAlignment(Qt.AlignmentFlag.AlignLeft)
    return made
