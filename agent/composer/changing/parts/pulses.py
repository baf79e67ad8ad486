"""Pulses: an instrument that strikes at places of the bar, where the song has none or its kit rests."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.changing.hearing.feel_heard import Feel
from agent.composer.changing.hearing.grid import Grid
from agent.composer.changing.notes.kit_pieces import Places
from agent.composer.changing.notes.laying import lay
from agent.composer.changing.notes.rhythms import strokes
from agent.composer.changing.notes.voices import Voice
from agent.composer.changing.parts.room import colour_for
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Span, Stage
from agent.composer.parts import PlannedClip, PlannedTrack
from agent.composer.tones import STEP
from agent.composer.understanding.wishes import Wish
from agent.composer.writing.instruments import default_part, find_instrument
from agent.composer.writing.kit import PITCHES
from agent.message import msg
from agent.song.palette import Instrument

_LEVEL = 84
_SOFT = 0.75
"""The velocity, as a share, of a drum that comes in where its kit rested."""


def new_pulse(stage: Stage, wish: Wish, places: Places, step: int) -> None:
    """Add a track for the instrument or drum `wish` that strikes in the pattern `places` in every bar of the scope in
    which anything plays. `step` is the spacing in ticks of the pattern named "grid". Raises `Blocked` without an
    instrument, or if nothing plays there."""
    instrument = find_instrument(wish, stage.palette)
    if instrument is None or places == "rolls":
        raise Blocked(msg("the song has no {wish}", wish=wish.label))
    pitch = PITCHES[wish.pieces[0]] if wish.pieces else _pitch(instrument, stage)
    heard = stage.heard()
    grid = Grid(stage.song, Feel(heard.frame.swing, heard.frame.swing_ticks))
    passages = []
    for start, end in stage.spans:
        bars = [bar for bar in _bars(stage, start, end) if _sounds(stage, bar)]
        tones = strokes(pitch, _LEVEL, STEP // 2, places, step, bars, grid)
        inside = tuple(tone for tone in tones if start <= tone.start < end)
        if inside:
            passages.append(PlannedClip(wish.label.capitalize(), start, end, inside, "at the places that you named"))
    if not passages:
        raise Blocked(msg("nothing plays there"))
    label = wish.label[:1].upper() + wish.label[1:]
    part = default_part("percussion", label, (instrument.name,))
    stage.sketch.add_track(
        PlannedTrack(
            label, instrument.name, _level(stage, part.volume_db), 0.0, colour_for(part, stage.song), tuple(passages),
            (), "Drums", "you asked for it",
        )
    )


def in_rests(stage: Stage, kits: Sequence[Voice], wish: Wish, places: Places, step: int) -> None:
    """Let the drum `wish` strike in the pattern `places` in those bars of the scope in which the first of the `kits`
    plays nothing; `step` is the spacing in ticks of the pattern named "grid"."""
    voice = kits[0]
    track = stage.song.track(voice.track.id)
    struck = {stage.song.bar_map.bar_at(clip.start + note.start) for clip in track.clips for note in clip.notes}
    level = round(_SOFT * _LEVEL)
    for start, end in stage.spans:
        resting = [bar for bar in _bars(stage, start, end) if stage.song.bar_map.bar_at(bar[0]) not in struck]
        for bar in _runs(resting):
            bars = _bars(stage, *bar)
            tones = strokes(PITCHES[wish.pieces[0]], level, STEP // 2, places, step, bars, voice.grid)
            inside = [tone for tone in tones if max(start, bar[0]) <= tone.start < min(end, bar[1])]
            lay(stage, voice.track.id, bar, inside, wish.label.capitalize(), "you asked for it there")


def _bars(stage: Stage, start: int, end: int) -> list[Span]:
    bars = stage.song.bar_map
    spans = (bars.span(bar, bar) for bar in range(bars.bar_at(start), bars.bar_at(end - 1) + 1))
    return [(int(low), int(high)) for low, high in spans]


def _runs(bars: Sequence[Span]) -> list[Span]:
    """Bars that follow each other as one."""
    found: list[Span] = []
    for start, end in bars:
        if found and found[-1][1] == start:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def _sounds(stage: Stage, bar: Span) -> bool:
    return any(
        clip.start + note.start < bar[1] and clip.start + note.end > bar[0]
        for track in stage.song.tracks for clip in track.clips for note in clip.notes
    )


def _level(stage: Stage, usual: float) -> float:
    playing = [track.volume_db for track in stage.song.tracks if track.note_count and not track.mute]
    return round(sum(playing) / len(playing) if playing else usual, 1)


def _pitch(instrument: Instrument, stage: Stage) -> int:
    """The tonic nearest to the middle of what an instrument plays."""
    middle = (instrument.low + instrument.high) // 2
    tonic = stage.song.key.pitch_class
    return min(
        (pitch for pitch in range(instrument.low, instrument.high + 1) if pitch % 12 == tonic),
        key=lambda pitch: abs(pitch - middle), default=middle,
    )
