"""The style sheet, made from the tokens; what needs more than flat boxes is in the proxy style."""

from __future__ import annotations

from app.ui.kit.tokens import Tokens


def style_sheet(t: Tokens) -> str:
    """The application's style sheet for these tokens: menus, docks, tabs, buttons by their `role`, fields, headers,
    scroll bars and tooltips."""
    return "".join((_frame(t), _buttons(t), _fields(t), _views(t)))


def _frame(t: Tokens) -> str:
    """Window, menus, docks, tabs and tooltips."""
    return f"""
QMainWindow, QMainWindow::separator {{ background: {t.frame}; }}
QMainWindow::separator {{ width: 1px; height: 1px; margin: 0; }}
QMenuBar {{ background: {t.bar}; color: {t.t2}; padding: 2px 6px; spacing: 2px; }}
QMenuBar::item {{ padding: 3px 8px; border-radius: 4px; background: transparent; }}
QMenuBar::item:selected {{ background: {t.hover}; color: {t.t1}; }}
QMenu {{ background: {t.bar}; color: {t.t1}; border: 1px solid {t.line2}; padding: 4px; }}
QMenu::item {{ padding: 4px 24px 4px 20px; border-radius: 3px; }}
QMenu::item:selected {{ background: {t.hover}; }}
QMenu::item:disabled {{ color: {t.line3}; }}
QMenu::item:disabled:selected {{ background: transparent; }}
QMenu::separator {{ height: 1px; background: {t.line}; margin: 4px 6px; }}
QToolTip {{ background: {t.bar}; color: {t.t1}; border: 1px solid {t.line2}; padding: 4px 6px; }}
QStatusBar, #bar {{ background: {t.bar}; color: {t.t3}; }}
QStatusBar::item {{ border: none; }}
QDockWidget {{ color: {t.t1}; }}
QTabBar {{ background: {t.bar}; qproperty-drawBase: 0; }}
QTabBar::tab {{ background: {t.bar}; color: {t.t2}; padding: 6px 12px; border-top: 2px solid transparent; }}
QTabBar::tab:selected {{ background: {t.panel}; color: {t.t1}; border-top: 2px solid {t.you}; }}
QTabBar::tab:hover:!selected {{ background: {t.hover}; }}
QTabWidget::pane {{ border: none; }}
"""


def _buttons(t: Tokens) -> str:
    """Buttons, by their `role`."""
    return f"""
QPushButton {{ background: {t.ctl}; color: {t.t1}; border: 1px solid {t.line2}; border-radius: 4px;
    padding: 4px 10px; font-weight: 500; }}
QPushButton:hover {{ background: {t.hover}; }}
QPushButton:pressed {{ background: {t.line2}; }}
QPushButton:disabled {{ color: {t.line3}; background: {t.bar}; border-color: {t.line}; }}
QPushButton[role="main"] {{ background: {t.you_fill}; color: {t.on_you}; border-color: {t.you_fill}; }}
QPushButton[role="main"]:hover {{ border-color: {t.you}; }}
QPushButton[role="main"]:disabled {{ background: {t.ctl}; color: {t.line3}; border-color: {t.line}; }}
QPushButton[role="plain"] {{ background: transparent; border-color: transparent; color: {t.t2}; }}
QPushButton[role="plain"]:hover {{ background: {t.hover}; color: {t.t1}; }}
QPushButton[role="plain"]:disabled {{ color: {t.line3}; }}
QPushButton[role="danger"] {{ background: transparent; border-color: {t.bad}; color: {t.bad}; }}
QPushButton[role="danger"]:hover {{ background: {t.bad_soft}; }}
QPushButton[role="danger"]:disabled {{ color: {t.line3}; border-color: {t.line}; }}
QPushButton[role="toggle"]:checked, QToolButton[role="toggle"]:checked {{ background: {t.you_soft};
    color: {t.you}; border-color: {t.you}; }}
QToolButton {{ background: transparent; border: 1px solid transparent; border-radius: 4px; padding: 3px;
    color: {t.t2}; }}
QToolButton:hover {{ background: {t.hover}; color: {t.t1}; }}
QToolButton:pressed {{ background: {t.line2}; }}
QToolButton[role="icon"]:checked {{ background: {t.you_soft}; border-color: {t.you}; }}
QToolButton[role="box"] {{ background: {t.ctl}; border-color: {t.line2}; }}
QToolButton[role="box"]:hover {{ background: {t.hover}; }}
QToolButton::menu-indicator {{ image: none; }}
"""


def _fields(t: Tokens) -> str:
    """What is typed into, and what is chosen from."""
    return f"""
QLineEdit, QPlainTextEdit, QTextEdit, QSpinBox, QDoubleSpinBox {{ background: {t.well}; color: {t.t1};
    border: 1px solid {t.line3}; border-radius: 4px; padding: 3px 6px; selection-background-color: {t.you_soft};
    selection-color: {t.t1}; }}
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QSpinBox:focus,
QDoubleSpinBox:focus {{ border: 2px solid {t.you}; padding: 2px 5px; }}
QLineEdit[wrong="true"], QPlainTextEdit[wrong="true"], QSpinBox[wrong="true"],
QDoubleSpinBox[wrong="true"] {{ border: 1px solid {t.bad}; }}
QComboBox QAbstractItemView {{ background: {t.bar}; color: {t.t1}; border: 1px solid {t.line2}; }}
QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button, QDoubleSpinBox::down-button {{
    border: none; background: transparent; width: 0; height: 0; }}
"""


def _views(t: Tokens) -> str:
    """Lists, headers, scroll bars, cards and texts."""
    return f"""
QTreeView, QListView, QTableView {{ background: {t.canvas}; color: {t.t1}; border: none;
    alternate-background-color: {t.row2}; }}
QHeaderView {{ background: {t.bar}; }}
QHeaderView::section {{ background: {t.bar}; color: {t.t3}; border: none; border-right: 1px solid {t.line};
    padding: 2px 8px; font-size: 11px; }}
QScrollArea, QAbstractScrollArea {{ border: none; }}
QScrollBar {{ background: transparent; border: none; }}
QScrollBar:vertical {{ width: 10px; }}
QScrollBar:horizontal {{ height: 10px; }}
QScrollBar::handle {{ background: {t.line2}; border-radius: 3px; margin: 2px; }}
QScrollBar::handle:vertical {{ min-height: 24px; }}
QScrollBar::handle:horizontal {{ min-width: 24px; }}
QScrollBar::handle:hover {{ background: {t.line3}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QSplitter::handle {{ background: {t.frame}; }}
QProgressBar {{ background: {t.ctl}; border: none; border-radius: 2px; text-align: center; color: {t.t1}; }}
QProgressBar::chunk {{ background: {t.agent_fill}; border-radius: 2px; }}
QCheckBox, QRadioButton {{ color: {t.t1}; spacing: 6px; padding: 3px 4px; }}

QFrame[card="plain"] {{ background: {t.panel}; border: 1px solid {t.line2}; border-radius: 4px; }}
QFrame[card="you"] {{ background: {t.you_soft}; border-radius: 4px; }}
QFrame[card="ok"] {{ background: {t.ok_soft}; border-left: 3px solid {t.ok}; }}
QFrame[card="agent"] {{ background: {t.agent_soft}; border-left: 3px solid {t.agent}; }}
QFrame[card="warn"] {{ background: {t.warn_soft}; border-left: 3px solid {t.warn}; }}
QFrame[card="bad"] {{ background: {t.bad_soft}; border-left: 3px solid {t.bad}; }}
QWidget[surface="bar"] {{ background: {t.bar}; }}
QWidget[surface="panel"] {{ background: {t.panel}; }}
QWidget[surface="canvas"] {{ background: {t.canvas}; }}
QWidget[surface="well"] {{ background: {t.well}; }}
QLabel {{ background: transparent; }}
QLabel[tone="t2"] {{ color: {t.t2}; }}
QLabel[tone="t3"] {{ color: {t.t3}; }}
QLabel[tone="you"] {{ color: {t.you}; }}
QLabel[tone="agent"] {{ color: {t.agent}; }}
QLabel[tone="ok"] {{ color: {t.ok}; }}
QLabel[tone="warn"] {{ color: {t.warn}; }}
QLabel[tone="bad"] {{ color: {t.bad}; }}
QLabel[textSize="small"] {{ font-size: 11px; }}
QLabel[textSize="strong"] {{ font-weight: 600; }}
QLabel[textSize="card"] {{ font-size: 13px; font-weight: 600; }}
QLabel[textSize="welcome"] {{ font-size: 26px; font-weight: 600; }}
QPlainTextEdit[role="bare"], QTextEdit[role="bare"], QTextBrowser[role="bare"], QLineEdit[role="bare"] {{
    background: transparent; border: none; padding: 0; }}
"""
