"""The bars of the comparison: which versions, the walk through changes, the legend, and what is listened to."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QCheckBox, QHBoxLayout, QSizePolicy, QWidget

from app.desktop.comparing import TrackDifference
from app.desktop.difference import KINDS, Counts, Kind
from app.desktop.difference_sound import Heard
from app.desktop.figures import bars_text
from app.ui.history.difference_marks import swatch
from app.ui.history.letters import Version
from app.ui.kit.context import Kit
from app.ui.kit.widgets.buttons import IconButton, PlainButton, ToggleButton
from app.ui.kit.widgets.labels import ElidedLabel, PlainLabel
from app.words import tr

_HEAD, _LEGEND, FOOT = 38, 30, 43
_SIDE, _GAP = 10, 8


class _Bar(QWidget):
    def __init__(self, height: int, surface: str = "bar") -> None:
        super().__init__()
        self.setProperty("surface", surface)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(height)
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(_SIDE, 0, _SIDE, 0)
        self.row.setSpacing(_GAP)


class ComparisonHead(_Bar):
    """A and B with their names, the walk through what differs, and the way out."""

    def __init__(self, kit: Kit) -> None:
        super().__init__(_HEAD)
        self.a, self.b = Version(kit, "A"), Version(kit, "B")
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
        """Which change the person is at, from 0; None before the first."""
        if not count:
            words = tr("No changes")
        elif at is None:
            words = tr("{count} changes", count=f"{count:,}")
        else:
            words = tr("Change {at} of {count}", at=f"{at + 1:,}", count=f"{count:,}")
        self.place.setText(words)
        self.previous.setEnabled(count > 0)
        self.next.setEnabled(count > 0)


class Legend(_Bar):
    """The track that is shown, and a switch for each kind of note."""

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
        """Those that are to be shown."""
        return frozenset(kind for kind, box in self.boxes.items() if box.isChecked())

    def show_track(self, track: TrackDifference | None) -> None:
        """Its name and its counts."""
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


class ListenBar(_Bar):
    """Play, and what is heard: A, B or only what differs. `heard` asks for another, `matched` for loudness."""

    heard = Signal(str)
    matched = Signal(bool)

    def __init__(self, toggle: Callable[[], None]) -> None:
        super().__init__(FOOT)
        self.setAccessibleName(tr("Listen to"))
        self.play = IconButton("play-fill", tr("Play"), key="Space")
        self.play.clicked.connect(lambda: toggle())
        self.row.addWidget(self.play)
        self.words = PlainLabel(tr("Listen to"), tone="t3")
        self.row.addWidget(self.words)
        group = QButtonGroup(self)
        choices: tuple[tuple[Heard, str, str, str], ...] = (
            ("a", "A", tr("Hear A"), "1"), ("b", "B", tr("Hear B"), "2"),
            ("difference", tr("Only what differs"), tr("Hear only the notes that differ, of the kinds that are shown"),
             "3"),
        )
        self.buttons = {heard: ToggleButton(words, tip=tip, key=key) for heard, words, tip, key in choices}
        row = QHBoxLayout()
        row.setSpacing(0)
        for heard, button in self.buttons.items():
            group.addButton(button)
            button.clicked.connect(lambda _=False, heard=heard: self.heard.emit(heard))
            row.addWidget(button)
        self.row.addLayout(row)
        self.match = QCheckBox(tr("Match loudness"))
        self.match.setToolTip(tr("Hear A as loud as B, so that louder does not sound better"))
        self.match.setChecked(True)
        self.match.toggled.connect(self.matched)
        self.row.addSpacing(_GAP)
        self.row.addWidget(self.match)
        self.state = ElidedLabel("", tone="t3")
        self.state.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.row.addWidget(self.state, 1)

    def name_versions(self, a: int, b: int) -> None:
        """The numbers of A and B."""
        for heard, letter, number in (("a", "A", a), ("b", "B", b)):
            button = self.buttons[heard]  # type: ignore[index]
            button.setText(tr("{letter}  Iteration {number}", letter=letter, number=number))
            button.setAccessibleName(tr("Listen to {letter}, iteration {number}", letter=letter, number=number))

    def show_heard(self, heard: Heard) -> None:
        """Which is heard."""
        self.buttons[heard].setChecked(True)

    def show_playing(self, playing: bool, preparing: float | None) -> None:
        """Whether it plays, and how much of it can be heard."""
        if playing:
            self.play.show_icon("stop-fill", tr("Stop"), key="Space")
        else:
            self.play.show_icon("play-fill", tr("Play"), key="Space")
        self.state.setText(
            tr("The song does not change while you listen") if preparing is None
            else tr("Preparing sound {share}", share=f"{preparing:.0%}")
        )


def _kind_words(kind: Kind) -> str:
    return {"same": tr("Same"), "added": tr("Added"), "removed": tr("Removed"), "moved": tr("Moved")}[kind]
