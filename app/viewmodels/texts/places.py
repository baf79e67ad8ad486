"""Places and lengths of a song as a person counts them."""

from __future__ import annotations

from agent.song.time import PPQ, BarMap
from app.i18n import tr, trn
from app.viewmodels.texts.figures import number


def bar_and_beat(bars: BarMap, at: int) -> tuple[int, float]:
    """The bar of a tick and the beat of its meter, both counted from 1: the fifth eighth of a bar in 6/8 is beat 5."""
    bar = bars.bar_at(at)
    return bar, (at - bars.start_of(bar)) / (PPQ * 4 // bars.meter_at(at).unit) + 1


def beat_in_words(bars: BarMap, at: int) -> str:
    """Bar and beat of a tick for screen readers: "bar 9 beat 2", "bar 9 beat 2.25"."""
    bar, beat = bar_and_beat(bars, at)
    return tr("bar {bar} beat {beat}", bar=bar, beat=number(beat))


def place_in_words(bars: BarMap, at: int) -> str:
    """Bar, beat and sixteenth of a tick: "25.1.1"."""
    bar = bars.bar_at(at)
    meter = bars.meter_at(at)
    inside = at - bars.start_of(bar)
    unit = PPQ * 4 // meter.unit
    return f"{bar}.{inside // unit + 1}.{inside % unit * 4 // unit + 1}"


def length_in_words(bars: BarMap, start: int, length: int) -> str:
    """A length in ticks from `start` as "8 bars", or "2.5 beats" if it is not of whole bars."""
    bar = bars.bar_at(start)
    first = bars.start_of(bar)
    end = start + length
    whole = bars.bar_at(end) - bar
    if whole > 0 and bars.start_of(bar + whole) - first == length:
        return trn("{count} bar", "{count} bars", whole)
    beats = length / PPQ
    return trn("{beats} beat", "{beats} beats", beats, beats=f"{beats:.4g}")


def touched_bars(bars: BarMap, start: int, end: int) -> tuple[int, int]:
    """The first and last bar (inclusive) that the ticks from `start` to `end` overlap."""
    return bars.bar_at(start), bars.bar_at(max(start, end - 1))


def bars_in_words(bars: BarMap, start: int, end: int) -> str:
    """The bars that the ticks from `start` to `end` overlap, for screen readers: "bars 1 to 25"; `bars_text` is for the
    eye."""
    first, last = touched_bars(bars, start, end)
    return tr("bar {bar}", bar=first) if first == last else tr("bars {first} to {last}", first=first, last=last)
