"""What the strips show: the tracks, how they are laid out, and values that are dragged or were set by keys."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect

from agent.song.ids import TrackId
from app.i18n import trn
from app.studio.observable import Observable
from app.ui.kit.keyed_rest import KeyedRest
from app.ui.kit.track_levels import TrackLevels
from app.ui.mixer.board import Board
from app.ui.mixer.strip_layout import LEAST_HEIGHT, STRIP_WIDTH, StripLayout, StripPart
from app.viewmodels.edits.strip_facts import MixerStrip, strip_in_words, strips_of


@dataclass
class DraggedMix:
    """Volume (dB) and pan (-1 to 1) of a track being dragged, until the song has them."""

    track: TrackId
    volume: float
    pan: float


class MixerScene:
    """State of the strips; `left` is the scroll position in pixels. Signal `changed` asks for a repaint."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.changed: Observable[None] = Observable()
        self.strips: tuple[MixerStrip, ...] = ()
        self.places = StripLayout(LEAST_HEIGHT)
        self.levels = TrackLevels()
        self.keyed = KeyedRest(board.opened, board.commit, self.repaint)
        self.dragged: DraggedMix | None = None
        self.left = 0

    def repaint(self) -> None:
        """Emit `changed`."""
        self.changed.emit(None)

    def renew(self) -> bool:
        """Read the tracks again; returns whether there are other tracks than before."""
        board, before = self.board, [one.track for one in self.strips]
        self.strips = strips_of(board.song, board.palette, board.opened.playback.solo.value, board.opened.locks.value)
        other = before != [one.track for one in self.strips]
        if other:
            self.levels.forget({one.track for one in self.strips})
        return other

    @property
    def current(self) -> MixerStrip | None:
        """The strip of the window's current track; None if no track is current."""
        at = self.index_of(self.board.opened.focus.track.value)
        return None if at is None else self.strips[at]

    def index_of(self, track: TrackId | None) -> int | None:
        """The index of a track's strip from the left; None if it has none."""
        return next((at for at, strip in enumerate(self.strips) if strip.track == track), None)

    def rect_of(self, at: int) -> QRect:
        """The rectangle of the strip at this index, in the viewport."""
        return QRect(at * STRIP_WIDTH - self.left, 0, STRIP_WIDTH, self.places.height)

    def place_of(self, strip: MixerStrip, part: QRect) -> QRect:
        """The rectangle of a part of a strip in the viewport; `part` is relative to the strip."""
        return part.translated(self.rect_of(self.index_of(strip.track) or 0).topLeft())

    def bars_of(self, at: int) -> QRect:
        """The rectangle of a strip's meter bars in the viewport."""
        left, right = self.places.bars
        return left.united(right).translated(self.rect_of(at).topLeft())

    def found(self, x: float, y: float) -> tuple[MixerStrip, StripPart] | None:
        """The strip at pixel (x, y) of the viewport and the part of it there; None beside the strips."""
        at = int((x + self.left) // STRIP_WIDTH)
        if not 0 <= at < len(self.strips):
            return None
        return self.strips[at], self.places.part_at(QPointF(x, y) - QPointF(self.rect_of(at).topLeft()))

    def shown(self, strip: MixerStrip) -> tuple[float, float]:
        """Volume (dB) and pan as shown on a strip: the values being dragged or set by keys, else the song's."""
        if self.dragged is not None and self.dragged.track == strip.track:
            return self.dragged.volume, self.dragged.pan
        return self.keyed.mix.of(strip.track, strip.volume_db, strip.pan)

    def words(self) -> str:
        """The current strip in words, else how many tracks there are, for the accessible description."""
        strip = self.current
        if strip is None:
            return trn("{count} track", "{count} tracks", len(self.strips))
        return strip_in_words(strip, *self.shown(strip))
