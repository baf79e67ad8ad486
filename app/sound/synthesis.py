"""Plays a part on a fresh synthesizer until its tail has died away."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec.structs import replace

from agent.message import msg
from app.sound.drum_peaks import HARD, KICK, SNARE, rounded
from app.sound.errors import RenderCancelledError
from app.sound.fluid import Bank, Planar, SynthPlayer
from app.sound.layers import played_by, together
from app.sound.part import GRID, KITS, LONGEST_TAIL, OFFSET_HZ, SAMPLE_RATE, EventKind, SynthPart

_PIECE = 64 * GRID  # frames between two looks at whether anything still sounds
_FADE = 50 * SAMPLE_RATE // 1000
_HIT = SAMPLE_RATE // 4 // GRID
_SILENCE = 1e-5  # -100 dBFS
_SETTLING = SAMPLE_RATE // 5
"""Frames after which the remainder of a sample that ends abruptly has died away."""


def synthesise(bank: Bank, part: SynthPart, steps: int | None, stopped: Callable[[], bool]) -> Planar:
    """The dry sound of a part from its start to the end of its tail, as (2, frames).

    The tail ends when no voice sounds, at most `LONGEST_TAIL` seconds after the last note; there it is faded.
    `steps` ends it after so many steps of the grid, whatever sounds then. Raises `RenderCancelledError` within
    85 ms of sound (some 2 ms) after `stopped` says so.
    """
    if part.layers:
        return together([
            (layer, _single(bank, played_by(part, layer), layer.cents, steps, stopped)) for layer in part.layers
        ])
    sound = _single(bank, part, 0.0, steps, stopped)
    return rounded(sound, _stroke(bank, part)) if part.bank == KITS else sound


def _single(bank: Bank, part: SynthPart, cents: float, steps: int | None, stopped: Callable[[], bool]) -> Planar:
    """The sound of a part without layers, at a tuning."""
    last = max(step for step, kind, *_ in part.events if kind == EventKind.NOTE_OFF) * GRID
    limit = last + int(LONGEST_TAIL * SAMPLE_RATE) // GRID * GRID
    if steps is not None:
        limit = min(limit, steps * GRID)
    sound: Planar = np.zeros((2, limit), np.float32)
    with bank.player(part, cents) as player:
        frame = 0
        for step, kind, number, value in part.events:
            moment = min(step * GRID, limit)
            if frame >= limit:
                break
            if moment > frame:
                _advance(player, sound, frame, moment, stopped)
                frame = moment
                if frame > last and not player.voices:
                    break
            player.send(kind, number, value)
        end = _advance(player, sound, frame, limit, stopped)
    sound = _centred(sound, min(limit, end + _SETTLING))
    if end == limit and limit >= _FADE and steps is None:
        sound[:, -_FADE:] *= np.linspace(1, 0, _FADE, dtype=np.float32)
    return sound[:, : _audible_end(sound)]


def _stroke(bank: Bank, part: SynthPart) -> float:
    """How high a hard stroke of a kit peaks, the higher of kick and snare; it is measured once for each bank."""
    kit = part.bank, part.program, part.kit, part.font
    if kit not in bank.strokes:
        hits = [((0, EventKind.NOTE_ON, drum, HARD), (_HIT, EventKind.NOTE_OFF, drum, 0)) for drum in (KICK, SNARE)]
        sounds = [_single(bank, replace(part, events=events), 0.0, _HIT, lambda: False) for events in hits]
        bank.strokes[kit] = max(float(np.abs(sound).max(initial=0.0)) for sound in sounds)
    return bank.strokes[kit]


def _advance(player: SynthPlayer, sound: Planar, start: int, end: int, stopped: Callable[[], bool]) -> int:
    """Render from `start` to `end` while a voice sounds; returns where it ended, the rest stays zero."""
    for frame in range(start, end, _PIECE):
        if not player.voices:
            return frame
        if stopped():
            raise RenderCancelledError(msg("something more urgent is to be played"))
        player.write(sound, frame, min(_PIECE, end - frame))
    return end


def _centred(sound: Planar, end: int) -> Planar:
    """The sound to frame `end` without the offset that a bank's samples may have."""
    # It takes a tenth of a second to import.
    from pedalboard import HighpassFilter

    centred: Planar = HighpassFilter(OFFSET_HZ).process(sound[:, :end], SAMPLE_RATE, buffer_size=_PIECE)
    return centred


def _audible_end(sound: Planar) -> int:
    """First frame from which only silence follows; looked for from the end, because it is near."""
    for stop in range(sound.shape[1], 0, -_PIECE):
        start = max(0, stop - _PIECE)
        audible = np.flatnonzero(np.max(np.abs(sound[:, start:stop]), axis=0) > _SILENCE)
        if len(audible):
            return start + int(audible[-1]) + 1
    return 0
