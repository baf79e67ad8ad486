"""The menu of a strip."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from app.i18n import tr
from app.ui.mixer.board import Board
from app.ui.mixer.commands import AskInstrument, CarryOut, TypeValue
from app.viewmodels.edits.clip_edits import muted
from app.viewmodels.edits.mixing import with_mix
from app.viewmodels.edits.strip_facts import MixerStrip


def made_menu(board: Board, strip: MixerStrip, carry_out: CarryOut, parent: QWidget) -> QMenu:
    """The context menu of a strip; it deletes itself when it is closed. Commands for the view go to `carry_out`."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    lock = menu.addAction(tr("Unlock track") if strip.locked else tr("Lock track"))
    lock.triggered.connect(lambda: board.toggle_lock(strip.track))
    mute = menu.addAction(tr("Unmute track") if strip.mute else tr("Mute track"))
    mute.triggered.connect(lambda: board.commit(muted(board.song, strip.track)))
    solo = menu.addAction(tr("Hear all tracks") if strip.solo else tr("Solo track"))
    solo.triggered.connect(lambda: board.toggle_solo(strip.track))
    menu.addSeparator()
    menu.addAction(tr("Instrument…")).triggered.connect(lambda: carry_out(AskInstrument(strip)))
    menu.addAction(tr("Volume…")).triggered.connect(lambda: carry_out(TypeValue(strip)))
    menu.addAction(tr("Pan…")).triggered.connect(lambda: carry_out(TypeValue(strip, "pan")))
    menu.addAction(tr("Volume to 0 dB")).triggered.connect(
        lambda: board.commit(with_mix(board.song, strip.track, 0.0, None))
    )
    menu.addAction(tr("Pan to the centre")).triggered.connect(
        lambda: board.commit(with_mix(board.song, strip.track, None, 0.0))
    )
    return menu
