"""The pointer over the strips: what a press takes or does, and what lies under it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt

from app.i18n import tr
from app.ui.canvas.tool import Drag, Hover, PointerSpot, Tool
from app.ui.mixer.commands import AskInstrument, CarryOut, TypeValue
from app.ui.mixer.scene import MixerScene
from app.ui.mixer.strip_drags import DragFader, DragStripPan
from app.ui.mixer.strip_layout import StripPart
from app.ui.mixer.strip_painter import StripPainter
from app.viewmodels.edits.clip_edits import muted
from app.viewmodels.edits.mixing import pan_in_words, with_mix
from app.viewmodels.edits.strip_facts import MixerStrip
from app.viewmodels.texts.figures import decibels

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
