"""The bars over the comparison: which versions, the walk through changes, and the legend."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QSizePolicy, QWidget

from app.i18n import tr
from app.ui.history.difference_marks import swatch
from app.ui.history.letters import VersionLabel
from app.ui.kit.context import Kit
from app.ui.kit.widgets.buttons import IconButton, PlainButton
from app.ui.kit.widgets.labels import ElidedLabel, PlainLabel
from app.viewmodels.history.comparing import DifferingTrack
from app.viewmodels.history.difference import KINDS, Counts, Kind
from app.viewmodels.texts.figures import bars_text

_HEAD, _LEGEND = 38, 30
_SIDE, _GAP = 10, 8


class Bar(QWidget):
    """A bar `height` pixels high with widgets in a row, on the background that the style sheet has for `surface`."""

    def __init__(self, height: int, surface: str = "bar") -> None:
        super().__init__()
        self.setProperty("surface", surface)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(height)
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(_SIDE, 0, _SIDE, 0)
        self.row.setSpacing(_GAP)


class ComparisonHead(Bar):
    """The bar with A and B by name, the buttons to step through the changes, and the button that closes the
    comparison."""

    def __init__(self, kit: Kit) -> None:
        super().__init__(_HEAD)
        self.a, self.b = VersionLabel(kit, "A"), VersionLabel(kit, "B")
        self.swap = IconButton("swap", tr("Swap A and B"), tr("Make A the later one and B the earlier one, or back"))
        self.previous = IconButton("caret-up", tr("Previous change"), key="Shift+N")
        self.next = IconButton("caret-down", tr("Next change"), key="N")
        self.place = PlainLabel(tone="t2")
        self.close_button = PlainButton(tr("Close"), icon="x", tip=tr("Close the comparison"), key="Esc")
        self.row.addWidget(self.a, 1)
        self.row.addWidget(self.swap)
        self.row.addWidget(self.b, 1)
        self.row.addSpacing(_GAP)
        for widget in (self.previous, self.place, self.next, self.close_button):
            self.row.addWidget(widget)

    def show_place(self, at: int | None, count: int) -> None:
        """Show which of `count` changes is current, counted from 0; None before the first."""
        if not count:
            words = tr("No changes")
        elif at is None:
            words = tr("{count} changes", count=f"{count:,}")
        else:
            words = tr("Change {at} of {count}", at=f"{at + 1:,}", count=f"{count:,}")
        self.place.setText(words)
        self.previous.setEnabled(count > 0)
        self.next.setEnabled(count > 0)


class Legend(Bar):
    """The bar with the name of the shown track and a check box for each kind of note."""

    changed = Signal()

    def __init__(self, kit: Kit) -> None:
        super().__init__(_LEGEND, "panel")
        self._kit = kit
        self.name = ElidedLabel("", size="strong")
        self.bars = PlainLabel(tone="t3")
        self.row.addWidget(self.name)
        self.row.addWidget(self.bars)
        self.row.addStretch()
        self.boxes = {kind: self._box() for kind in KINDS}
        self.name.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.show_track(None)
        kit.theme.changed.connect(self._renew)

    @property
    def kinds(self) -> frozenset[Kind]:
        """The kinds of notes whose boxes are checked."""
        return frozenset(kind for kind, box in self.boxes.items() if box.isChecked())

    def show_track(self, track: DifferingTrack | None) -> None:
        """Show name, bars and counts of a track; None clears them."""
        self.name.setText("" if track is None else track.name)
        self.bars.setText("" if track is None or track.bars is None else bars_text(*track.bars))
        counts = Counts() if track is None else track.counts
        for kind, box in self.boxes.items():
            box.setText(f"{_kind_words(kind)}  {getattr(counts, kind):,}")
            box.setAccessibleName(tr("Show notes: {kind}", kind=box.text()))
        self._renew()

    def _box(self) -> QCheckBox:
        box = QCheckBox()
        box.setChecked(True)
        box.setMinimumHeight(20)
        box.toggled.connect(lambda _: self.changed.emit())
        self.row.addWidget(box)
        return box

    def _renew(self) -> None:
        for kind, box in self.boxes.items():
            box.setIcon(swatch(kind, self._kit.theme, self.devicePixelRatioF()))


def _kind_words(kind: Kind) -> str:
    return {"same": tr("Same"), "added": tr("Added"), "removed": tr("Removed"), "moved": tr("Moved")}[kind]
