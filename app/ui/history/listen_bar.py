"""The bar under the comparison: what is heard of it, how loud, and which part."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QCheckBox, QHBoxLayout

from app.i18n import tr
from app.ui.history.comparison_bars import Bar
from app.ui.kit.widgets.buttons import IconButton, ToggleButton
from app.ui.kit.widgets.labels import ElidedLabel, PlainLabel
from app.ui.kit.widgets.notice import sentence
from app.viewmodels.history.comparing import Comparison, DifferingTrack
from app.viewmodels.history.comparing_excerpt import Excerpt, differing_bars
from app.viewmodels.history.difference_sound import Heard, matched_by
from app.viewmodels.texts.figures import bars_text, decibels
from app.viewmodels.texts.figures import number as number_words

FOOT = 43
_GAP = 8
_WIDEST_SOLO = 110
_NARROW = 960


class ListenBar(Bar):
    """Play button, which calls `toggle`, and choice of A, B or only what differs. Signal `heard` asks for another
    choice, `matched` for equal loudness."""

    heard = Signal(str)
    matched = Signal(bool)

    def __init__(self, toggle: Callable[[], None]) -> None:
        super().__init__(FOOT)
        self._comparison: Comparison | None = None
        self._excerpt: Excerpt | None = None
        self._track: DifferingTrack | None = None
        self._numbers: tuple[int, int] | None = None
        self._narrow = False
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
        self.match.toggled.connect(lambda _: self._tell_match())
        self.by = PlainLabel(tone="t3")
        self.row.addSpacing(_GAP)
        self.row.addWidget(self.match)
        self.row.addWidget(self.by)
        self.state = ElidedLabel("", tone="t3")
        self.state.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.row.addWidget(self.state, 1)
        self.loop = ToggleButton(tr("Repeat"), icon="repeat")
        self.loop.clicked.connect(self._turn_loop)
        self.row.addWidget(self.loop)
        self.solo = QCheckBox()
        self.solo.setToolTip(tr("Hear only this track, in A, in B and of what differs"))
        self.solo.clicked.connect(self._turn_solo)
        self.row.addWidget(self.solo)
        self.show_track(None)

    def follow(self, comparison: Comparison, excerpt: Excerpt) -> None:
        """Show this comparison and the loop and solo that belong to it."""
        self._comparison, self._excerpt = comparison, excerpt
        excerpt.changed.listen(lambda _: self._tell_excerpt())
        self._tell_match()
        self._tell_excerpt()

    def show_track(self, track: DifferingTrack | None) -> None:
        """Offer to solo this track and to loop its changed bars; if the track before was soloed, this one is instead.
        None for no track."""
        before, self._track = self._track, track
        excerpt = self._excerpt
        if excerpt is not None and before is not None and before is not track and excerpt.is_alone(before.id):
            excerpt.hear_alone(None if track is None else track.id)
        self._tell_excerpt()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Hide texts if the bar is narrow."""
        super().resizeEvent(event)
        narrow = self.width() < _NARROW
        if narrow != self._narrow:
            self._narrow = narrow
            self.words.setVisible(not narrow)
            self.state.setVisible(not narrow)
            self._name_versions()

    def name_versions(self, a: int, b: int) -> None:
        """Set the numbers of the iterations A and B."""
        self._numbers = a, b
        self._name_versions()

    def show_heard(self, heard: Heard) -> None:
        """Show which choice is playing."""
        self.buttons[heard].setChecked(True)

    def show_playing(self, playing: bool, preparing: float | None) -> None:
        """Show whether it plays, and the share (0 to 1) of the sound that is ready; None when all of it is."""
        if playing:
            self.play.show_icon("stop-fill", tr("Stop"), key="Space")
        else:
            self.play.show_icon("play-fill", tr("Play"), key="Space")
        self.state.setText("" if preparing is None else tr("Preparing sound {share}", share=f"{preparing:.0%}"))

    def _name_versions(self) -> None:
        if self._numbers is None:
            return
        for heard, letter, number in zip(("a", "b"), "AB", self._numbers, strict=True):
            button = self.buttons[heard]  # type: ignore[index]
            button.setText(
                tr("{letter}  {number}", letter=letter, number=number) if self._narrow
                else tr("{letter}  Iteration {number}", letter=letter, number=number)
            )
            button.setAccessibleName(tr("Listen to {letter}, iteration {number}", letter=letter, number=number))
        self.buttons["difference"].setText(tr("Difference") if self._narrow else tr("Only what differs"))

    def _tell_match(self) -> None:
        """By how much A is louder or quieter than it is, or that both are as loud as they are."""
        found = self._comparison
        by = 0.0 if found is None else matched_by(found)
        if found is None or not self.match.isChecked():
            words = ""
        elif round(by, 1):
            words = f"A {'+' if by > 0 else ''}{decibels(by)} dB"
        else:
            words = tr("both {loudness} LUFS", loudness=number_words(found.b.loudness_target))
        self.by.setText(words)
        self.match.setAccessibleDescription(words)

    def _tell_excerpt(self) -> None:
        excerpt, track = self._excerpt, self._track
        bars = self._bars()
        self.loop.setEnabled(excerpt is not None and bars is not None)
        self.loop.setChecked(excerpt is not None and excerpt.looping)
        words = tr("Repeat") if bars is None else sentence(bars_text(*bars)).rstrip(".")
        self.loop.say(words, tr("Repeat the bars in which the track differs, or go on behind them"))
        self.loop.setAccessibleName(tr("Repeat") if bars is None else tr("Repeat {bars}", bars=bars_text(*bars)))
        name = "" if track is None else " ".join(track.name.split())
        self.solo.setVisible(track is not None)
        self.solo.setText(self.solo.fontMetrics().elidedText(
            tr("Solo {name}", name=name), Qt.TextElideMode.ElideRight, _WIDEST_SOLO
        ).replace("&", "&&"))
        self.solo.setAccessibleName(tr("Solo {name}", name=name[:200]))
        self.solo.setChecked(excerpt is not None and track is not None and excerpt.is_alone(track.id))

    def _bars(self) -> tuple[int, int] | None:
        """Those of the loop while there is one, else those in which the track differs."""
        if self._comparison is None or self._excerpt is None:
            return None
        return self._excerpt.bars if self._excerpt.looping else differing_bars(self._comparison, self._track)

    def _turn_loop(self) -> None:
        if self._excerpt is not None:
            self._excerpt.repeat(None if self._excerpt.looping else self._bars())

    def _turn_solo(self, alone: bool) -> None:
        if self._excerpt is not None:
            self._excerpt.hear_alone(self._track.id if alone and self._track is not None else None)
