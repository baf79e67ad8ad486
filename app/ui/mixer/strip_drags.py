"""Moving a fader and a pan: heard at once, one edit on release."""

from __future__ import annotations

from abc import abstractmethod

from app.desktop.edits.clip_edits import HandEdit
from app.desktop.edits.mixing import FINE, fader_share, fader_volume, held_pan, held_volume, with_mix
from app.desktop.edits.strip_facts import MixerStrip
from app.ui.canvas.tool import Drag, PointerSpot
from app.ui.mixer.scene import DraggedMix, MixerScene
from app.ui.mixer.strip_painter import StripPainter


class StripDrag(Drag[StripPainter]):
    """A drag within one strip; the song's own value is heard again once it has ended."""

    settles = True

    def __init__(self, scene: MixerScene, strip: MixerStrip, spot: PointerSpot) -> None:
        self._scene = scene
        self._from = spot
        self._moved = False
        self._now = scene.dragged = DraggedMix(strip.track, strip.volume_db, strip.pan)

    def move(self, spot: PointerSpot) -> None:
        """Hear the handle where the pointer is, finely with Ctrl or Shift."""
        way = self.way(spot.x - self._from.x, spot.y - self._from.y)
        self._moved = self._moved or way != 0
        if self._moved:
            self.hear(way * (FINE if spot.extend else 1.0))
            self._scene.repaint()

    @abstractmethod
    def way(self, dx: float, dy: float) -> float:
        """Pixels along the way of the handle."""

    @abstractmethod
    def hear(self, way: float) -> None:
        """Hear the handle so many pixels from where it was taken."""

    def release(self, spot: PointerSpot) -> None:  # noqa: ARG002
        """Keep what was moved."""
        song, now = self._scene.board.song, self._now
        edit = with_mix(song, now.track, *self.kept()) if self._moved else HandEdit()
        self._scene.board.commit(edit, self._settled)

    @abstractmethod
    def kept(self) -> tuple[float | None, float | None]:
        """Volume and pan that go into the song."""

    def cancel(self) -> None:
        """Hear the song's own value again."""
        self._scene.board.opened.playback.preview_mix(self._now.track, None, None)
        if self._scene.dragged is self._now:
            self._scene.dragged = None
        self._scene.repaint()

    def _settled(self) -> None:
        self.done = True
        self._scene.renew()
        self.cancel()


class DragFader(StripDrag):
    """Up and down; the volume."""

    def __init__(self, scene: MixerScene, strip: MixerStrip, spot: PointerSpot) -> None:
        super().__init__(scene, strip, spot)
        self._share = fader_share(strip.volume_db)

    def way(self, dx: float, dy: float) -> float:  # noqa: ARG002
        """Pixels upwards."""
        return -dy

    def hear(self, way: float) -> None:
        """The volume there."""
        share = self._share + way / max(1, self._scene.places.way)
        self._now.volume = held_volume(fader_volume(share))
        self._scene.board.opened.playback.preview_mix(self._now.track, self._now.volume, None)

    def kept(self) -> tuple[float | None, float | None]:
        """Only the volume."""
        return self._now.volume, None


class DragStripPan(StripDrag):
    """Left and right; the pan."""

    def __init__(self, scene: MixerScene, strip: MixerStrip, spot: PointerSpot) -> None:
        super().__init__(scene, strip, spot)
        self._pan = strip.pan

    def way(self, dx: float, dy: float) -> float:  # noqa: ARG002
        """Pixels to the right."""
        return dx

    def hear(self, way: float) -> None:
        """The pan there."""
        self._now.pan = held_pan(self._pan + 2 * way / max(1, self._scene.places.pan_way))
        self._scene.board.opened.playback.preview_mix(self._now.track, None, self._now.pan)

    def kept(self) -> tuple[float | None, float | None]:
        """Only the pan."""
        return None, self._now.pan
