"""The strips as assistive programs find them: an item for each track, with its controls."""

from __future__ import annotations

from PySide6.QtCore import QRect

from app.i18n import tr
from app.ui.kit.accessibility.part import AccessiblePart, ValueScale
from app.ui.mixer.commands import AskInstrument, CarryOut, Choose
from app.ui.mixer.scene import MixerScene
from app.viewmodels.edits.clip_edits import HIGHEST, LOWEST, muted
from app.viewmodels.edits.mixing import FADER_STEP, PAN_STEP, pan_in_words, with_mix
from app.viewmodels.edits.strip_facts import MixerStrip, strip_in_words
from app.viewmodels.texts.figures import decibels

_LONGEST = 120


def parts_of(scene: MixerScene, carry_out: CarryOut) -> tuple[AccessiblePart, ...]:
    """Accessible items of all strips from left to right, with their controls."""
    now = scene.board.opened.focus.track.value
    return tuple(
        _strip(scene, at, strip, carry_out, chosen=strip.track == now) for at, strip in enumerate(scene.strips)
    )


def _strip(scene: MixerScene, at: int, strip: MixerStrip, carry_out: CarryOut, *, chosen: bool) -> AccessiblePart:
    board, places, place = scene.board, scene.places, scene.rect_of(at)
    name = strip.accessible_name
    volume, pan = scene.shown(strip)

    def there(part: QRect) -> QRect:
        return part.translated(place.topLeft())

    def set_volume(level: float) -> None:
        board.commit(with_mix(board.song, strip.track, level, None))

    def set_pan(percent: float) -> None:
        board.commit(with_mix(board.song, strip.track, None, percent / 100))

    parts = [
        AccessiblePart("name", "text", name, there(places.name)),
        AccessiblePart("instrument", "button", tr("Instrument of {name}", name=name), there(places.instrument),
                       strip.instrument[:_LONGEST], press=lambda: carry_out(AskInstrument(strip))),
        AccessiblePart("pan", "slider", tr("Pan of {name}", name=name), there(places.pan), pan_in_words(pan),
                       scale=ValueScale(round(pan * 100), -100, 100, PAN_STEP * 100, set_pan)),
        AccessiblePart("volume", "slider", tr("Volume of {name} in dB", name=name), there(places.fader),
                       decibels(volume), scale=ValueScale(volume, LOWEST, HIGHEST, FADER_STEP, set_volume)),
        scene.levels.part(strip.track, name, there(places.meter)),
        AccessiblePart("mute", "toggle", tr("Mute {name}", name=name), there(places.mute), on=strip.mute,
                       press=lambda: board.commit(muted(board.song, strip.track))),
        AccessiblePart("solo", "toggle", tr("Solo {name}", name=name), there(places.solo), on=strip.solo,
                       press=lambda: board.toggle_solo(strip.track)),
    ]
    if strip.locked:
        words = tr("{name} is locked against steps", name=name)
        parts.append(AccessiblePart("lock", "text", words, there(places.lock)))
    return AccessiblePart(
        strip.track, "item", strip_in_words(strip, volume, pan), place, on=chosen,
        press=lambda: carry_out(Choose(at)), parts=tuple(parts),
    )
