"""The left side of the comparison: what differs, which tracks are picked from B, and the branch made of them."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from agent.song.ids import TrackId
from app.i18n import tr, trn
from app.ui.history.difference_list import DifferenceList
from app.ui.history.difference_marks import draw_mark, mark_tones
from app.ui.kit.context import Kit
from app.ui.kit.key_text import key_text
from app.ui.kit.theme import font
from app.ui.kit.widgets.buttons import FlatButton, MainButton
from app.ui.kit.widgets.key_hint import KeyHint
from app.ui.kit.widgets.labels import ElidedLabel, PlainLabel
from app.viewmodels.history.comparing import Comparison, counts_in_words, headline
from app.viewmodels.history.difference import Counts, Kind
from app.viewmodels.history.difference_rows import difference_rows, picked_in_words
from app.viewmodels.history.picked_tracks import picked_names

WIDTH = 300
_SIDE, _GAP = 12, 6
_MAKE_KEY = "Ctrl+Enter"


class ComparisonSide(QWidget):
    """The list of differences. Signal `chosen` carries the current row (a track's id, or None for the song),
    `branch_wanted` asks for a branch with the picked tracks."""

    chosen = Signal(object)
    branch_wanted = Signal()
    copy_wanted = Signal()

    def __init__(self, kit: Kit, families: dict[str, str]) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._comparison: Comparison | None = None
        self._numbers = (0, 0)
        self.headline = PlainLabel(tr("Comparing…"), size="card")
        self.headline.setWordWrap(True)
        self.counts = CountMarks(kit)
        self.copy = FlatButton(tr("Copy"), icon="copy", tip=tr("Copy the comparison as text"), key="Ctrl+C")
        self.all = FlatButton(tr("All"), tip=tr("Pick all tracks that differ"))
        self.none = FlatButton(tr("None"), tip=tr("Pick no track"))
        self.list = DifferenceList(kit, families)
        self.picked = PlainLabel(size="strong")
        self.named = ElidedLabel("", tone="t3")
        self.explained = PlainLabel(tone="t2", size="small")
        self.explained.setWordWrap(True)
        self.make = MainButton("", icon="git-branch")
        self._key = KeyHint(kit, _MAKE_KEY)
        self._lay_out()
        self.all.clicked.connect(self.list.rows.pick_all)
        self.none.clicked.connect(lambda: self.list.rows.pick(frozenset()))
        self.make.clicked.connect(self.branch_wanted)
        self.copy.clicked.connect(self.copy_wanted)
        self.list.rows.picks_changed.connect(self._picks)
        self.list.selectionModel().currentChanged.connect(lambda now, _: self._current(now))
        self._picks()

    @property
    def picks(self) -> frozenset[TrackId]:
        """Ids of the tracks that are to be taken from B."""
        return self.list.rows.picked

    def show_comparison(self, comparison: Comparison, a: int, b: int) -> None:
        """Show the differences between the iterations of the numbers `a` and `b`."""
        self._comparison, self._numbers = comparison, (a, b)
        self.headline.setText(headline(comparison))
        self.counts.show_counts(comparison.counts)
        self.list.rows.show_rows(difference_rows(comparison))
        for button in (self.all, self.none):
            button.setEnabled(bool(comparison.tracks))

    def choose(self, track: TrackId | None) -> None:
        """Make a track's row the current one; None is the song's."""
        index = self.list.rows.index_of(track)
        if index.isValid() and index != self.list.currentIndex():
            self.list.setCurrentIndex(index)
            self.list.scrollTo(index)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        head = QVBoxLayout()
        head.setContentsMargins(_SIDE, _SIDE - 2, _SIDE, _GAP)
        head.setSpacing(_GAP)
        top = QHBoxLayout()
        top.addWidget(self.headline, 1)
        top.addWidget(self.copy)
        head.addLayout(top)
        head.addWidget(self.counts)
        pick = QHBoxLayout()
        pick.setSpacing(0)
        pick.addWidget(PlainLabel(tr("Pick from B"), tone="t3"), 1)
        pick.addWidget(self.all)
        pick.addWidget(self.none)
        head.addLayout(pick)
        column.addLayout(head)
        column.addWidget(self.list, 1)
        foot = QVBoxLayout()
        foot.setContentsMargins(_SIDE, 10, _SIDE, 10)
        foot.setSpacing(_GAP)
        said = QHBoxLayout()
        said.setSpacing(_GAP)
        said.addWidget(self.picked)
        said.addWidget(self.named, 1)
        said.addWidget(self._key)
        foot.addLayout(said)
        foot.addWidget(self.explained)
        foot.addWidget(self.make)
        column.addLayout(foot)

    def _current(self, index: object) -> None:
        row = self.list.rows.row(index)  # type: ignore[arg-type]
        if row is not None and not row.quiet:
            self.chosen.emit(row.track)

    def _picks(self) -> None:
        picks, comparison = self.picks, self._comparison
        count = len(picks)
        self.make.setEnabled(count > 0)
        self.make.say(
            trn("Make branch from {count} picked track", "Make branch from {count} picked tracks", count)
            if count else tr("Make branch from picked tracks"),
            tr("A new branch from A with these tracks as they are in B ({key})", key=key_text(_MAKE_KEY)) if count
            else tr("Pick tracks first: click their boxes, or press X"),
        )
        if comparison is None:
            return
        self.picked.setText(picked_in_words(comparison, picks))
        self.named.setText(picked_names(comparison.a, comparison.b, picks))
        a, b = self._numbers
        self.explained.setText(tr(
            "They go on top of iteration {a} in a new branch. Iterations {a} and {b} stay as they are.", a=a, b=b
        ))


_MARK = (15, 11)
_BETWEEN = 10


class CountMarks(QWidget):
    """Numbers of added, removed and moved notes in a row, each with its mark."""

    def __init__(self, kit: Kit) -> None:
        super().__init__()
        self._kit = kit
        self._shown: tuple[tuple[int, Kind], ...] = ()
        kit.theme.changed.connect(self.update)

    def show_counts(self, counts: Counts) -> None:
        """Show these counts; those of 0 are left out."""
        all_of: tuple[tuple[int, Kind], ...] = (
            (counts.added, "added"), (counts.removed, "removed"), (counts.moved, "moved")
        )
        self._shown = tuple(one for one in all_of if one[0])
        self.setAccessibleName(counts_in_words(counts))
        self.setToolTip(counts_in_words(counts))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The size of one line."""
        return QSize(120, self.fontMetrics().height() + 4)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As `sizeHint`."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's name
        """Paint marks and numbers."""
        painter = QPainter(self)
        painter.setFont(font(11, 500))
        tones = mark_tones(self._kit.theme.tokens, self.devicePixelRatioF())
        x, height = 0.0, self.height()
        for count, kind in self._shown:
            draw_mark(painter, QRectF(x, (height - _MARK[1]) // 2, *_MARK), kind, tones, "arrow-up")
            x += _MARK[0] + 5
            x += self._say(painter, x, f"{count:,}", "t1") + _BETWEEN
        self._say(painter, x, tr("notes") if self._shown else tr("No notes differ"), "t3")
        painter.end()

    def _say(self, painter: QPainter, x: float, words: str, token: str) -> float:
        painter.setPen(self._kit.theme.color(token))
        wide = painter.fontMetrics().horizontalAdvance(words)
        painter.drawText(QRectF(x, 0, wide + 2, self.height()), Qt.AlignmentFlag.AlignVCenter, words)
        return float(wide)
