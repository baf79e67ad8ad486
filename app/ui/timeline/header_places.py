"""Which control of a track header lies at a place, and what it does in words."""

from __future__ import annotations

from typing import Literal

from app.i18n import tr
from app.ui.kit.widgets.labels import plain_tip
from app.ui.timeline import measures as m
from app.ui.timeline.stage import TimelineContext
from app.viewmodels.edits.curve_edits import curve_of
from app.viewmodels.edits.mixing import pan_in_words
from app.viewmodels.texts.curve_words import curve_in_words
from app.viewmodels.texts.figures import decibels
from app.viewmodels.texts.palette_words import instrument_label
from app.viewmodels.timeline.layout import Lane

Part = Literal["mute", "solo", "volume", "pan", "lock", "hide", "shape", ""]


def part_at(x: float, y: float, height: int = m.LANE_HEIGHT) -> Part:
    """The control at pixel (x, y) of a track header that is `height` pixels high; "" for none."""
    in_toggles = y < m.TOGGLE_TOP + m.TOGGLE_HEIGHT + 2
    if in_toggles and m.MUTE_AT <= x < m.MUTE_AT + m.TOGGLE_WIDTH + 1:
        return "mute"
    if in_toggles and m.SOLO_AT <= x < m.SOLO_AT + m.TOGGLE_WIDTH + 1:
        return "solo"
    if height < m.SLIDERS_FROM:
        return ""
    if x < m.SLIDER_LEFT - 6 and y > m.SLIDER_Y - 9:
        return "lock"
    if m.PAN_LEFT - 4 <= x <= m.PAN_RIGHT + 6 and abs(y - m.SLIDER_Y) <= 10:
        return "pan"
    if m.SLIDER_LEFT - 6 <= x <= m.SLIDER_RIGHT + 6 and abs(y - m.SLIDER_Y) <= 10:
        return "volume"
    return ""


def curve_part_at(x: float) -> Part:
    """The control at pixel x of an automation row's header; "" for none."""
    if x >= m.SOLO_AT:
        return "hide"
    return "shape" if x >= m.MUTE_AT - 2 else ""


def words_at(stage: TimelineContext, lane: Lane, x: float, y: float) -> str:
    """The tooltip for pixel (x, y) of a header, as plain text; empty for none."""
    track = lane.track
    if not lane.in_song:
        if lane.proposed is None:
            return ""
        return tr("New track, proposed by step {number}", number=lane.proposed.cause.number)
    if lane.curve:
        return _curve_words(lane, x)
    locked = track.id in stage.scene.locked_tracks
    match part_at(x, y, stage.axis.row_height):
        case "mute":
            return tr("Unmute (M)") if track.mute else tr("Mute (M)")
        case "solo":
            return tr("Hear this track alone (S)")
        case "lock":
            return tr("Unlock track") if locked else tr("Lock track: no step changes it")
        case "pan":
            return tr("Pan {pan}. Ctrl moves finely, a double click brings it to the middle",
                      pan=pan_in_words(track.pan))
        case "volume":
            return tr("Volume {level} dB. Ctrl moves finely", level=decibels(track.volume_db))
    instrument = instrument_label(track.instrument, stage.opened.studio.palette)
    words = f"{track.name} · {instrument}"
    if lane.proposed is not None and stage.overlay:
        words += " · " + tr("Step {number} would remove this track", number=lane.proposed.cause.number)
    if locked:
        words += " · " + tr("Locked: no step changes this track. You can still edit it by hand")
    return plain_tip(words)


def _curve_words(lane: Lane, x: float) -> str:
    match curve_part_at(x):
        case "hide":
            return tr("Hide this curve; it stays in the song")
        case "shape":
            hold = curve_of(lane.track, lane.curve).curve == "hold"
            return tr("Each point is held. Press for straight lines") if hold else tr(
                "Straight lines between points. Press to hold each point"
            )
    return plain_tip(tr("{curve} of {track}: press in the row to add a point", curve=curve_in_words(lane.curve),
                    track=lane.track.name))
