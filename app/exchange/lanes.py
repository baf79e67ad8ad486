"""Automation lanes as controller messages."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from mido import Message

from agent.song.track import Automation
from app.exchange import controllers as cc

_STEP = 40
"""Ticks between the messages of a ramp: 1/96 of a bar of 4/4."""
_MOST_STEPS = 2000
PLAIN = {"pedal": cc.PEDAL, "expression": cc.EXPRESSION, "modulation": cc.MODULATION}


def lane_messages(lane: Automation, channel: int, offset_db: float) -> Iterator[tuple[int, Message]]:
    """(tick, message) of a lane, only where the value changes; volumes are raised by `offset_db`. Ramps go in steps of
    at least 40 ticks.

    The first value of a linear lane holds from the start of the song; before a hold lane the controller rests where the
    track's mix or the channel's default put it.
    """
    if lane.target == "bend":
        for control, setting in ((cc.RPN, 0), (cc.RPN_FINE, 0), (cc.DATA, cc.BEND_RANGE), (cc.DATA_FINE, 0)):
            yield 0, _control(channel, control, setting)
        for control in (cc.RPN, cc.RPN_FINE):
            yield 0, _control(channel, control, 127)
    last: Message | None = None
    for at, value in _sampled(lane):
        message = _message(lane.target, channel, value, offset_db)
        if last is None or message != last:
            yield at, message
        last = message


def _message(target: str, channel: int, value: float, offset_db: float) -> Message:
    if target == "bend":
        return Message("pitchwheel", channel=channel, pitch=cc.bend_to_wheel(value))
    if target == "volume_db":
        return _control(channel, cc.VOLUME, cc.volume_to_cc(value + offset_db))
    if target == "pan":
        return _control(channel, cc.PAN, cc.pan_to_cc(value))
    return _control(channel, PLAIN[target], max(0, min(127, round(value))))


def _control(channel: int, control: int, value: int) -> Message:
    return Message("control_change", channel=channel, control=control, value=value)


def _sampled(lane: Automation) -> Iterator[tuple[int, float]]:
    if lane.curve == "linear":
        yield 0, lane.points[0].value
    for a, b in pairwise(lane.points):
        yield a.at, a.value
        if lane.curve == "linear" and a.value != b.value:
            step = max(_STEP, -(-(b.at - a.at) // _MOST_STEPS))
            for at in range(a.at + step, b.at, step):
                yield at, a.value + (b.value - a.value) * (at - a.at) / (b.at - a.at)
    yield lane.points[-1].at, lane.points[-1].value
