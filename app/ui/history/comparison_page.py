"""The page on which two iterations are compared: seen, heard, walked through, and tracks taken over."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from agent.song.ids import TrackId
from agent.song.time import Ticks
from app.i18n import tr
from app.storage.records import Iteration
from app.ui.canvas.viewport import ZOOM_STEP
from app.ui.history.comparison_bars import ComparisonHead, Legend
from app.ui.history.comparison_side import WIDTH, ComparisonSide
from app.ui.history.difference_overview import DifferenceOverview
from app.ui.history.difference_roll import DifferenceRoll
from app.ui.history.listen_bar import ListenBar
from app.ui.kit.context import Kit
from app.ui.kit.subscriptions import Subscriptions
from app.viewmodels.history.comparing import Comparison, as_text
from app.viewmodels.history.comparing_excerpt import Excerpt
from app.viewmodels.history.comparing_side import ComparingSide
from app.viewmodels.history.difference_scene import ComparedTrack, Prepared, prepared
from app.viewmodels.history.difference_sound import Heard
from app.viewmodels.open_project import OpenProject
from app.viewmodels.transport.playback import TransportState

_FRAME_MS = 33
_BINS = 120
_NARROW, _NARROW_SIDE = 1020, 250
_Held = Qt.KeyboardModifier


class ComparisonPage(QWidget):
    """Compares two iterations. Call `compare` once it is shown, and close it with `close_view`. The song does not
    change while it is open."""

    closed = Signal()
    """Emitted when the person leaves the comparison."""
    branch_made = Signal(str)
    """Emitted with the id of an iteration that was made as a branch with the picked tracks."""

    def __init__(self, opened: OpenProject, kit: Kit) -> None:
        super().__init__()
        self._opened, self._kit = opened, kit
        self._comparison: Comparison | None = None
        self._versions: tuple[Iteration, Iteration] | None = None
        self._side: ComparingSide | None = None
        self._excerpt: Excerpt | None = None
        self._walk: int | None = None
        self._made = Prepared({}, {}, ())
        self._closed = False
        self.setObjectName("comparison")
        self.setAccessibleName(tr("Comparison of two iterations"))
        self.setProperty("surface", "canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.head, self.legend = ComparisonHead(kit), Legend(kit)
        self.listen = ListenBar(opened.playback.toggle)
        self.overview, self.roll = DifferenceOverview(kit), DifferenceRoll(kit)
        self.side = ComparisonSide(kit, {one.name: one.family for one in opened.studio.palette.instruments})
        self._lay_out()
        self._connect()
        self._keys = self._key_table()
        self._timer = QTimer(self)
        self._timer.setInterval(_FRAME_MS)
        self._timer.timeout.connect(self._playhead)
        self._subscriptions = Subscriptions()
        self._subscriptions.add(opened.playback.state.watch(self._playing))
        self.setFocusProxy(self.side.list)

    # --- what it shows

    @property
    def versions(self) -> tuple[Iteration, Iteration] | None:
        """A and B; None before the comparison is ready."""
        return self._versions

    @property
    def comparison(self) -> Comparison | None:
        """The differences; None before the comparison is ready."""
        return self._comparison

    def gone(self) -> bool:
        """Whether `close_view` was called."""
        return self._closed

    async def compare(self, a: Iteration, b: Iteration) -> None:
        """Work out in a thread what differs from A to B, and show it; does nothing on a closed page."""
        if self.gone():
            return
        self.head.a.show_words(self._named(a))
        self.head.b.show_words(self._named(b))
        versions = self._opened.versions
        palette = self._opened.studio.palette
        found, made = await versions.compare(a, b, palette, lambda one: prepared(one, _BINS))
        if self.gone():
            return
        self._versions = a, b
        self._let_go()
        opened = self._opened
        self._excerpt = Excerpt(found, opened.playback)
        self.listen.follow(found, self._excerpt)
        self._show(found, made)
        self._side = ComparingSide(found, (a.root, b.root), opened.workspace, opened.listening, opened.focus)
        await self._side.match(self.listen.match.isChecked())
        self.listen.show_heard("b")

    def close_view(self) -> None:
        """End subscriptions and timers, and play the song itself again."""
        if not self._closed:
            self.roll.close_view()
        self._closed = True
        self._timer.stop()
        self._subscriptions.close()
        self._let_go()

    def _let_go(self) -> None:
        """Hear the song as before."""
        if self._side is not None:
            self._side.close()
        if self._excerpt is not None:
            self._excerpt.close()

    # --- what can be done

    def next_change(self, step: int = 1) -> None:
        """Go to the next change (`step` 1) or the one before (-1), starting over at the end."""
        if self._comparison is None or not self._comparison.changes:
            return
        start = -1 if step > 0 else 0
        self._go((start if self._walk is None else self._walk) + step)

    def hear(self, heard: Heard) -> None:
        """Play A, B, or only what differs."""
        if self._side is not None:
            self.listen.show_heard(heard)
            self._kit.tasks.start(self._side.hear(heard), "history")

    def swap(self) -> None:
        """Compare again with A and B exchanged."""
        if self._versions is not None:
            a, b = self._versions
            self._kit.tasks.start(self.compare(b, a), "history")

    def make_branch(self) -> None:
        """Make a branch of A with the picked tracks of B; does nothing without a picked track."""
        if self.side.picks and self._comparison is not None:
            self._kit.tasks.start(self._take(), "history")

    def copy(self) -> None:
        """Copy all differences as text to the clipboard."""
        if self._comparison is not None and self._versions is not None:
            a, b = (self._named(one) for one in self._versions)
            QGuiApplication.clipboard().setText(as_text(self._comparison, a, b))

    # --- keys

    def event(self, event: QEvent) -> bool:
        """Claim the page's keys before the window's shortcuts."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._act(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Handle the page's keys: 1 2 3, N, + −, Ctrl+Enter, Ctrl+C, Esc."""
        act = self._act(event)
        if act is None:
            super().keyPressEvent(event)
        else:
            act()

    def _act(self, event: QKeyEvent) -> Callable[[], object] | None:
        held = event.modifiers() & ~_Held.KeypadModifier
        if event.key() in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            held = _Held.NoModifier
        return self._keys.get((Qt.Key(event.key()), held))

    def _key_table(self) -> dict[tuple[Qt.Key, Qt.KeyboardModifier], Callable[[], object]]:
        keys, none = Qt.Key, _Held.NoModifier
        return {
            (keys.Key_1, none): lambda: self.hear("a"),
            (keys.Key_2, none): lambda: self.hear("b"),
            (keys.Key_3, none): lambda: self.hear("difference"),
            (keys.Key_B, none): lambda: self.hear("a" if self.listen.buttons["b"].isChecked() else "b"),
            (keys.Key_N, none): self.next_change,
            (keys.Key_N, _Held.ShiftModifier): lambda: self.next_change(-1),
            (keys.Key_Plus, none): lambda: self.roll.zoom(ZOOM_STEP),
            (keys.Key_Equal, none): lambda: self.roll.zoom(ZOOM_STEP),
            (keys.Key_Minus, none): lambda: self.roll.zoom(1 / ZOOM_STEP),
            (keys.Key_0, none): lambda: self.roll.zoom(0.0),
            (keys.Key_Return, _Held.ControlModifier): self.make_branch,
            (keys.Key_Enter, _Held.ControlModifier): self.make_branch,
            (keys.Key_C, _Held.ControlModifier): self.copy,
            (keys.Key_Escape, none): self.closed.emit,
        }

    # --- inside

    def _lay_out(self) -> None:
        self._frame = QFrame()
        self._frame.setFixedWidth(1)
        self._frame.setProperty("surface", "canvas")
        right = QVBoxLayout()
        right.setSpacing(0)
        for widget in (self.head, self.overview, self.legend):
            right.addWidget(widget)
        right.addWidget(self.roll, 1)
        right.addWidget(self.listen)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self.side.setFixedWidth(WIDTH)
        row.addWidget(self.side)
        row.addWidget(self._frame)
        row.addLayout(right, 1)

    def _connect(self) -> None:
        self.head.close_button.clicked.connect(self.closed)
        self.head.swap.clicked.connect(self.swap)
        self.head.next.clicked.connect(lambda: self.next_change())
        self.head.previous.clicked.connect(lambda: self.next_change(-1))
        self.legend.changed.connect(self._kinds)
        self.listen.heard.connect(self.hear)
        self.listen.matched.connect(self._match)
        self.overview.wanted.connect(self._to_middle)
        self.roll.moved.connect(lambda: self.overview.show_span(*self.roll.span))
        self.roll.chosen.connect(self._chosen)
        self.roll.sought.connect(lambda at: self._opened.playback.seek(Ticks(at)))
        self.side.chosen.connect(self._show_track)
        self.side.branch_wanted.connect(self.make_branch)
        self.side.copy_wanted.connect(self.copy)

    def _show(self, found: Comparison, made: Prepared) -> None:
        assert self._versions is not None
        a, b = self._versions
        self._comparison, self._walk = found, None
        self._made = made
        self.side.show_comparison(found, a.number, b.number)
        self.overview.show_comparison(found, made.bins)
        self.listen.name_versions(a.number, b.number)
        self.head.show_place(None, len(found.changes))
        first = next((one for one in found.tracks if one.counts.differing), next(iter(found.tracks), None))
        self._show_track(None if first is None else first.id)
        self.side.choose(None if first is None else first.id)

    def _show_track(self, track: TrackId | None) -> None:
        found = self._comparison
        if found is None:
            return
        shown = found.track(track)
        if shown is not None and self.roll.scene.notes.track is shown:
            return
        self.legend.show_track(shown)
        self.listen.show_track(shown)
        self.roll.show_scene(
            found, ComparedTrack(None, self.overview.end) if shown is None else self._made.scenes[shown.id]
        )
        self.overview.show_span(*self.roll.span)

    def _go(self, at: int) -> None:
        found = self._comparison
        assert found is not None
        self._walk = at % len(found.changes)
        change = found.changes[self._walk]
        self.head.show_place(self._walk, len(found.changes))
        self.side.choose(change.track)
        self._show_track(change.track)
        self.roll.show_current(change.mark)

    def _chosen(self, mark: int) -> None:
        track = self.roll.scene.notes.track
        if track is not None and (track.id, mark) in self._made.places:
            self._go(self._made.places[track.id, mark])

    def _kinds(self) -> None:
        kinds = self.legend.kinds
        self.roll.show_kinds(kinds)
        if self._side is not None:
            self._kit.tasks.start(self._side.take(kinds - {"same"}), "history")

    def _match(self, matched: bool) -> None:
        if self._side is not None:
            self._kit.tasks.start(self._side.match(matched), "history")

    def _to_middle(self, tick: int) -> None:
        first, last = self.roll.span
        self.roll.show_from(max(0, tick - (last - first) // 2))

    async def _take(self) -> None:
        found, versions = self._comparison, self._versions
        if found is None or versions is None:
            return
        made = await self._opened.versions.take_tracks(found, *versions, self.side.picks)
        self.branch_made.emit(made.id)

    def _named(self, one: Iteration) -> str:
        name = self._opened.versions.names.value.get(one.id, one.label)
        return f"{one.number}  {' '.join(name[:200].split())}"

    def _playing(self, state: TransportState) -> None:
        self.listen.show_playing(state.playing, state.preparing)
        if state.playing and not self._closed:
            self._timer.start()
        else:
            self._timer.stop()
        self._playhead()

    def _playhead(self) -> None:
        self.roll.show_playhead(self._opened.playback.position())

    def resizeEvent(self, event: object) -> None:  # noqa: N802 - Qt's name
        """Make the list narrower in a narrow page."""
        super().resizeEvent(event)  # type: ignore[arg-type]
        self.side.setFixedWidth(_NARROW_SIDE if self.width() < _NARROW else WIDTH)
