"""The pointer over the strips: what a press takes or does, what a drag moves, and what lies under it."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from PySide6.QtCore import Qt

from app.i18n import tr
from app.ui.canvas.tool import Drag, Hover, PointerSpot, Tool
from app.ui.mixer.commands import AskInstrument, CarryOut, TypeValue
from app.ui.mixer.scene import DraggedMix, MixerScene
from app.ui.mixer.strip_layout import StripPart
from app.ui.mixer.strip_painter import StripPainter
from app.viewmodels.edits.clip_edits import HandEdit, muted
from app.viewmodels.edits.mixing import FINE, fader_share, fader_volume, held_pan, held_volume, pan_in_words, with_mix
from app.viewmodels.edits.strip_facts import MixerStrip
from app.viewmodels.texts.figures import decibels


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


_LONGEST = 300


class StripTool(Tool[Drag[Any]]):
    """The pointer over the strips: a press selects the strip; faders and pans are dragged, buttons pressed; a click on
    a value opens a field to type it."""

    def __init__(self, scene: MixerScene, carry_out: CarryOut) -> None:
        self._scene = scene
        self._carry_out = carry_out

    def press(self, spot: PointerSpot, button: Qt.MouseButton) -> Drag[Any] | None:
        """Select the strip, and begin the drag or press the button there; None if there is nothing to drag."""
        scene, board, found = self._scene, self._scene.board, self._scene.found(spot.x, spot.y)
        if found is None or button != Qt.MouseButton.LeftButton:
            return None
        strip, part = found
        scene.keyed.keep()
        board.choose(strip.track)
        match part:
            case "fader":
                return DragFader(scene, strip, spot)
            case "pan":
                return DragStripPan(scene, strip, spot)
            case "value":
                return ClickValue(scene, strip, self._carry_out)
            case "mute":
                board.commit(muted(board.song, strip.track))
            case "solo":
                board.toggle_solo(strip.track)
            case "meter":
                scene.levels.clear(strip.track)
            case "instrument":
                self._carry_out(AskInstrument(strip))
        scene.repaint()
        return None

    def double_press(self, spot: PointerSpot, button: Qt.MouseButton) -> Drag[Any] | None:
        """Set a fader to 0 dB or a pan to the centre; elsewhere as a second press."""
        board, found = self._scene.board, self._scene.found(spot.x, spot.y)
        if found is None or found[1] not in ("fader", "pan"):
            return self.press(spot, button)
        strip, fader = found[0], found[1] == "fader"
        board.commit(with_mix(board.song, strip.track, 0.0 if fader else None, None if fader else 0.0))
        return None

    def hover(self, spot: PointerSpot) -> Hover:
        """The part under the pointer as tooltip."""
        found = self._scene.found(spot.x, spot.y)
        return Hover(tip="" if found is None else self._words(*found)[:_LONGEST])

    def _words(self, strip: MixerStrip, part: StripPart) -> str:
        volume, pan = self._scene.shown(strip)
        name = strip.name[:_LONGEST // 2]
        match part:
            case "instrument" if not strip.family:
                return tr("{instrument}: this instrument is not known", instrument=strip.instrument)
            case "instrument":
                return tr("{instrument}. Click for another instrument", instrument=strip.instrument)
            case "pan" if strip.moves_pan:
                return tr("Automation moves the pan while the song plays")
            case "pan":
                return tr("Pan of {name}: {value}. Double click for the centre", name=name, value=pan_in_words(pan))
            case "fader" | "value" if strip.moves_volume:
                return tr("Automation moves the volume of {name} while the song plays", name=name)
            case "fader":
                return tr("Volume of {name}: {value} dB. Double click for 0 dB", name=name, value=decibels(volume))
            case "value":
                return tr("Click to type the volume of {name}", name=name)
            case "mute":
                return tr("Unmute {name}", name=name) if strip.mute else tr("Mute {name}", name=name)
            case "solo":
                return tr("Hear all tracks") if strip.solo else tr("Solo {name}", name=name)
            case "lock" if strip.locked:
                return tr("Locked: no step changes this track. You can still edit it by hand")
            case "meter" if self._scene.levels.clipped(strip.track):
                return tr("{name} was too loud. Click to clear the mark", name=name)
        return strip.name


class ClickValue(Drag[StripPainter]):
    """A click on a value opens its field if the button is also released over it."""

    def __init__(self, scene: MixerScene, strip: MixerStrip, carry_out: CarryOut) -> None:
        self._scene = scene
        self._strip = strip
        self._carry_out = carry_out

    def move(self, spot: PointerSpot) -> None:
        """Does nothing."""

    def release(self, spot: PointerSpot) -> None:
        """Open the field if the pointer is still over the value."""
        if self._scene.found(spot.x, spot.y) == (self._strip, "value"):
            self._carry_out(TypeValue(self._strip))
