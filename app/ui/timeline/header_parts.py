"""The track headers as assistive programs find them: an item for each row, with its controls."""

from __future__ import annotations

from PySide6.QtCore import QRect

from agent.song.track import Track
from app.i18n import tr, trn
from app.ui.kit.accessibility.part import AccessiblePart, ValueScale
from app.ui.timeline import measures as m
from app.ui.timeline.header_state import HeaderState
from app.viewmodels.edits.clip_edits import HIGHEST, LOWEST, muted
from app.viewmodels.edits.curve_edits import curve_of
from app.viewmodels.edits.mixing import FADER_STEP, PAN_STEP, pan_in_words, with_mix
from app.viewmodels.plan.ghosts import Cause
from app.viewmodels.texts.curve_words import curve_in_words
from app.viewmodels.texts.figures import decibels
from app.viewmodels.timeline.layout import Lane

_LONGEST = 120


def header_parts(headers: HeaderState) -> tuple[AccessiblePart, ...]:
    """Accessible items of all rows from the top down; those scrolled out of view lie outside the widget's rectangle."""
    stage = headers.stage
    return tuple(
        _curve(headers, number, row) if row.curve else _track(headers, number, row)
        for number, row in enumerate(stage.scene.lanes)
    )


def track_in_words(headers: HeaderState, lane: Lane) -> str:
    """A track and its state in words: "Pad, volume −3.0 dB, pan C, muted, 2 clips"."""
    stage, track = headers.stage, lane.track
    if not lane.in_song:
        return tr("New track {name}, proposed", name=track.name[:_LONGEST])
    volume, pan = headers.mix_of(lane)
    parts = [_named(headers, track), tr("volume {level} dB", level=decibels(volume)),
             tr("pan {pan}", pan=pan_in_words(pan))]
    parts += [tr("muted")] * track.mute
    parts += [tr("solo")] * (track.id in stage.opened.playback.solo.value)
    parts += [tr("locked against steps")] * (track.id in stage.scene.locked_tracks)
    parts.append(trn("{count} clip", "{count} clips", len(lane.clips)))
    parts += [tr("would be removed")] * (lane.proposed is not None and stage.overlay)
    return tr(", ").join(parts)


def _track(headers: HeaderState, number: int, lane: Lane) -> AccessiblePart:
    stage, track = headers.stage, lane.track
    place = QRect(0, stage.axis.row_top(number), m.HEADER_WIDTH, stage.axis.row_height)
    steps = tuple(_step(headers, cause, lane, place) for cause in headers.causes_of(lane))
    controls = (
        *_switches(headers, lane, place), *_sliders(headers, lane, place),
        headers.levels.part(track.id, _named(headers, track), _meter(place)),
    ) if lane.in_song else ()
    return AccessiblePart(
        f"{track.id}/{'' if lane.in_song else 'new'}", "item", track_in_words(headers, lane), place,
        on=stage.opened.focus.track.value == track.id,
        press=(lambda: stage.opened.focus.track.set(track.id)) if lane.in_song else None, parts=(*controls, *steps),
    )


def _switches(headers: HeaderState, lane: Lane, place: QRect) -> tuple[AccessiblePart, ...]:
    stage, track, name = headers.stage, lane.track, _named(headers, lane.track)
    lock = QRect(m.STRIPE, place.y() + m.SLIDER_Y - 9, m.NAME_AT - m.STRIPE, 18) if _roomy(place) else place
    return (
        AccessiblePart("mute", "toggle", tr("Mute track {name}", name=name), _toggle(place, m.MUTE_AT), on=track.mute,
                       press=lambda: stage.commit(muted(stage.song, track.id))),
        AccessiblePart("solo", "toggle", tr("Solo track {name}", name=name), _toggle(place, m.SOLO_AT),
                       on=track.id in stage.opened.playback.solo.value, press=lambda: stage.toggle_solo(track.id)),
        AccessiblePart("lock", "toggle", tr("Lock track {name} against steps", name=name), lock,
                       on=track.id in stage.scene.locked_tracks, press=lambda: stage.toggle_lock(track.id)),
    )


def _sliders(headers: HeaderState, lane: Lane, place: QRect) -> tuple[AccessiblePart, ...]:
    stage, track, name = headers.stage, lane.track, _named(headers, lane.track)
    volume, pan = headers.mix_of(lane)

    def set_volume(level: float) -> None:
        stage.commit(with_mix(stage.song, track.id, level, None))

    def set_pan(percent: float) -> None:
        stage.commit(with_mix(stage.song, track.id, None, percent / 100))

    def along(left: int, right: int) -> QRect:
        return QRect(left, place.y() + m.SLIDER_Y - 10, right - left, 20) if _roomy(place) else place

    return (
        AccessiblePart(
            "volume", "slider", tr("Volume of track {name} in dB", name=name), along(m.SLIDER_LEFT, m.SLIDER_RIGHT),
            decibels(volume), scale=ValueScale(volume, LOWEST, HIGHEST, FADER_STEP, set_volume),
        ),
        AccessiblePart(
            "pan", "slider", tr("Pan of track {name}", name=name), along(m.PAN_LEFT, m.PAN_RIGHT), pan_in_words(pan),
            scale=ValueScale(round(pan * 100), -100, 100, PAN_STEP * 100, set_pan),
        ),
    )


def _step(headers: HeaderState, cause: Cause, lane: Lane, place: QRect) -> AccessiblePart:
    """A badge: the step that changes the track."""
    words = tr("Show step {number}, {name}", number=cause.number, name=_named(headers, lane.track))
    return AccessiblePart(
        f"step {cause.step}", "button", words, headers.badge_place(lane, cause, place),
        press=lambda: headers.stage.opened.focus.step.set(cause.step),
    )


def _curve(headers: HeaderState, number: int, lane: Lane) -> AccessiblePart:
    stage, track, target = headers.stage, lane.track, lane.curve
    place = QRect(0, stage.axis.row_top(number), m.HEADER_WIDTH, stage.axis.row_height)
    curve, words = curve_of(track, target), curve_in_words(target)
    name = _named(headers, track)
    points = trn("{count} point", "{count} points", len(curve.points))
    return AccessiblePart(
        f"{track.id}/{target}", "item",
        tr("Curve, {curve} of {track}, {points}", curve=words, track=name, points=points), place,
        parts=(
            AccessiblePart("shape", "toggle", tr("Hold each point of {curve} of {track}", curve=words, track=name),
                           QRect(m.MUTE_AT, place.y(), m.TOGGLE_WIDTH, place.height()), on=curve.curve == "hold",
                 press=lambda: headers.press_curve(lane, m.MUTE_AT)),
            AccessiblePart("hide", "button", tr("Hide {curve} of {track}", curve=words, track=name),
                           QRect(m.SOLO_AT, place.y(), m.TOGGLE_WIDTH, place.height()),
                 press=lambda: headers.press_curve(lane, m.SOLO_AT)),
        ),
    )


def _named(headers: HeaderState, track: Track) -> str:
    return headers.stage.scene.names.get(track.id, track.name[:_LONGEST])


def _toggle(place: QRect, left: int) -> QRect:
    return QRect(left, place.y() + m.TOGGLE_TOP, m.TOGGLE_WIDTH, m.TOGGLE_HEIGHT)


def _meter(place: QRect) -> QRect:
    return QRect(m.METER_AT[0], place.y() + 2, m.METER_AT[1] + m.METER_WIDTH - m.METER_AT[0], place.height() - 5)


def _roomy(place: QRect) -> bool:
    """Whether a header shows lock, volume and pan."""
    return place.height() >= m.SLIDERS_FROM
