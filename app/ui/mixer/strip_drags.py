"""Moving a fader and a pan: heard at once, one edit on release."""

from __future__ import annotations

from abc import abstractmethod

from app.ui.canvas.tool import Drag, PointerSpot
from app.ui.mixer.scene import DraggedMix, MixerScene
from app.ui.mixer.strip_painter import StripPainter
from app.viewmodels.edits.clip_edits import HandEdit
from app.viewmodels.edits.mixing import FINE, fader_share, fader_volume, held_pan, held_volume, with_mix
from app.viewmodels.edits.strip_facts import MixerStrip


class StripDrag(Drag[StripPainter]):
    """A drag of a strip's fader or pan, audible at once; the song changes on release, and its own value is played again
    when the drag ends."""

    settles = True

    def __init__(self, scene: MixerScene, strip: MixerStrip, spot: PointerSpot) -> None:
        self._scene = scene
        self._from = spot
        self._moved = False
        self._now = scene.dragged = DraggedMix(strip.track, strip.volume_db, strip.pan)

    def move(self, spot: PointerSpot) -> None:
        """Set and play the value from the pointer; finely with Ctrl or Shift."""
        way = self.way(spot.x - self._from.x, spot.y - self._from.y)
        self._moved = self._moved or way != 0
        if self._moved:
            self.hear(way * (FINE if spot.extend else 1.0))
            self._scene.repaint()

    @abstractmethod
    def way(self, dx: float, dy: float) -> float:
        """Pixels that the pointer has moved in the control's direction; positive increases the value."""

    @abstractmethod
    def hear(self, way: float) -> None:
        """Set the value for `way` pixels from where the drag began, and play with it before the song has it."""

    def release(self, spot: PointerSpot) -> None:  # noqa: ARG002
        """Store the value in the song; nothing if the pointer did not move."""
        song, now = self._scene.board.song, self._now
        edit = with_mix(song, now.track, *self.kept()) if self._moved else HandEdit()
        self._scene.board.commit(edit, self._settled)

    @abstractmethod
    def kept(self) -> tuple[float | None, float | None]:
        """Volume and pan to store; None for the one that is unchanged."""

    def cancel(self) -> None:
        """Play with the song's own value again."""
        self._scene.board.opened.playback.preview_mix(self._now.track, None, None)
        if self._scene.dragged is self._now:
            self._scene.dragged = None
        self._scene.repaint()

    def _settled(self) -> None:
        self.done = True
        self._scene.renew()
        self.cancel()


class DragFader(StripDrag):
    """Drags the volume up and down."""

    def __init__(self, scene: MixerScene, strip: MixerStrip, spot: PointerSpot) -> None:
        super().__init__(scene, strip, spot)
        self._share = fader_share(strip.volume_db)

    def way(self, dx: float, dy: float) -> float:  # noqa: ARG002
        """Pixels moved upwards, for a pointer that moved by `dx` and `dy`; negative is down."""
        return -dy

    def hear(self, way: float) -> None:
        """Set the volume for `way` pixels above where the drag began, and play with it before the song has it."""
        share = self._share + way / max(1, self._scene.places.way)
        self._now.volume = held_volume(fader_volume(share))
        self._scene.board.opened.playback.preview_mix(self._now.track, self._now.volume, None)

    def kept(self) -> tuple[float | None, float | None]:
        """Volume and pan to store: the dragged volume in dB, and None for the pan, which stays."""
        return self._now.volume, None


class DragStripPan(StripDrag):
    """Drags the pan left and right."""

    def __init__(self, scene: MixerScene, strip: MixerStrip, spot: PointerSpot) -> None:
        super().__init__(scene, strip, spot)
        self._pan = strip.pan

    def way(self, dx: float, dy: float) -> float:  # noqa: ARG002
        """Pixels moved to the right, for a pointer that moved by `dx` and `dy`; negative is left."""
        return dx

    def hear(self, way: float) -> None:
        """Set the pan for `way` pixels to the right of where the drag began, and play with it before the song has
        it."""
        self._now.pan = held_pan(self._pan + 2 * way / max(1, self._scene.places.pan_way))
        self._scene.board.opened.playback.preview_mix(self._now.track, None, self._now.pan)

    def kept(self) -> tuple[float | None, float | None]:
        """Volume and pan to store: None for the volume, which stays, and the dragged pan (-1 to 1)."""
        return None, self._now.pan
