"""The theme: tokens, palette, style sheet and font of the whole application."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from app.ui.kit.smoothness.restyling import Restyling
from app.ui.kit.style_sheet import style_sheet
from app.ui.kit.tokens import DARK, LIGHT, Tokens

if TYPE_CHECKING:
    from PySide6.QtWidgets import QStyle

Choice = Literal["system", "dark", "light"]
CHOICES: tuple[Choice, ...] = ("system", "dark", "light")
FONT_SIZE = 12
"""Size of ordinary text in logical pixels."""
_DISABLED = 115
"""Alpha (0-255) of disabled text."""


class Theme(QObject):
    """Palette, style sheet, style and font of the application. Views read `tokens` when they paint; signal `changed`
    says that they must repaint.

    A `bare` theme has no style of its own until `finish`: an empty window does not need it and appears sooner."""

    changed = Signal()

    def __init__(self, app: QApplication, choice: Choice = "system", *, bare: bool = False) -> None:
        super().__init__(app)
        self._app = app
        self.choice: Choice = choice
        self.still = False
        """Whether animations are off."""
        self.tokens = DARK
        self._style: QStyle | None = None
        self._restyling = Restyling(app, lambda: (palette(self.tokens), style_sheet(self.tokens)), self.changed.emit)
        if not bare:
            self.finish()
        app.setFont(_base_font())
        app.styleHints().colorSchemeChanged.connect(self._system_changed)
        self._dress()

    def finish(self) -> None:
        """Install the program's own style for a `bare` theme."""
        from app.ui.kit.style import BandleaderStyle

        self._style = BandleaderStyle(lambda: self.tokens)
        self._app.setStyle(self._style)

    def choose(self, choice: Choice) -> None:
        """Switch at once to the system's theme, dark or light."""
        self.choice = choice
        self._dress()

    def turn(self, choice: Choice) -> None:
        """As `choose`, but over several turns of the event loop, so that the window stays responsive."""
        self.choice = choice
        self.tokens = self._wanted()
        self._restyling.soon()

    def color(self, name: str) -> QColor:
        """The colour of the token of this name."""
        return QColor(getattr(self.tokens, name))

    def _system_changed(self) -> None:
        if self.choice == "system":
            self.turn("system")

    def _dress(self) -> None:
        self.tokens = self._wanted()
        self._restyling.now()

    def _wanted(self) -> Tokens:
        if self.choice != "system":
            return DARK if self.choice == "dark" else LIGHT
        return LIGHT if self._app.styleHints().colorScheme() is Qt.ColorScheme.Light else DARK


def palette(tokens: Tokens) -> QPalette:
    """The palette for ordinary widgets."""
    roles = QPalette.ColorRole
    made = QPalette()
    for role, color in {
        roles.Window: tokens.panel, roles.WindowText: tokens.t1, roles.Base: tokens.canvas,
        roles.AlternateBase: tokens.row2, roles.Text: tokens.t1, roles.Button: tokens.ctl,
        roles.ButtonText: tokens.t1, roles.BrightText: tokens.bad, roles.PlaceholderText: tokens.t3,
        roles.Highlight: tokens.you_soft, roles.HighlightedText: tokens.t1, roles.Link: tokens.you,
        roles.LinkVisited: tokens.you, roles.Accent: tokens.you, roles.ToolTipBase: tokens.bar,
        roles.ToolTipText: tokens.t1, roles.Light: tokens.hover, roles.Midlight: tokens.hover,
        roles.Mid: tokens.line2, roles.Dark: tokens.line, roles.Shadow: tokens.frame,
    }.items():
        made.setColor(role, QColor(color))
    for role in (roles.WindowText, roles.Text, roles.ButtonText):
        faint = QColor(tokens.t1)
        faint.setAlpha(_DISABLED)
        made.setColor(QPalette.ColorGroup.Disabled, role, faint)
    made.setColor(QPalette.ColorGroup.Inactive, roles.Highlight, QColor(tokens.hover))
    return made


def _base_font() -> QFont:
    # Listing all families takes as long as the rest of the theme.
    inter = QFontDatabase.hasFamily("Inter")
    font = QFont("Inter") if inter else QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    font.setPixelSize(FONT_SIZE)
    with_tabular_digits(font)
    return font


def with_tabular_digits(font: QFont) -> None:
    """Give a font digits of equal width, so that changing numbers do not jump."""
    font.setFeature(QFont.Tag("tnum"), 1)


def font(size: float, weight: int = 400) -> QFont:
    """The application's font in another size (logical pixels) and weight (400, 500, 600, 700)."""
    made = QFont(QApplication.font())
    # Half pixels matter at these sizes, and only points can hold them.
    if size == int(size):
        made.setPixelSize(int(size))
    else:
        made.setPointSizeF(size * 72 / QGuiApplication.primaryScreen().logicalDotsPerInchY())
    made.setWeight(QFont.Weight(weight))
    with_tabular_digits(made)
    return made


def mono(size: int = 11) -> QFont:
    """The system's monospace font, for names of tools and for JSON."""
    made = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    made.setPixelSize(size)
    return made
