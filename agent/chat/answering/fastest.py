"""The quickest notes of parts, which value they have and where they are."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from agent.chat.answer import Answer, Fact
from agent.chat.answering.asked_notes import asked_notes, bars_listed, nothing_asked
from agent.chat.answering.note_values import nearest_value, value_name
from agent.chat.answering.timing import swing_of
from agent.chat.answering.wording import counted, number
from agent.chat.context import Context
from agent.chat.messages import About
from agent.song.song import Song
from agent.song.time import PPQ
from agent.theory.sounding import Sounding, kit_tracks, strokes

_WINDOW = 3
"""Steps in a row that make a run."""
_ORNAMENT = PPQ // 5
"""Ticks below which a step outside a run is an ornament."""
_SLACK = 1.2
_SHOWN = 4
_BRITISH = {
    PPQ: "crotchets", PPQ // 2: "quavers", PPQ // 4: "semiquavers", PPQ // 8: "demisemiquavers", 2 * PPQ: "minims",
    PPQ // 3: "quaver triplets", PPQ // 6: "semiquaver triplets",
}


class QuickNotes(Struct, frozen=True):
    """The quickest notes of a part that come four in a row or more: the `value` in ticks, notes a `second`, the
    longest run, and the bars in which such runs are. `run` is 0 where only single notes are so quick.

    `dense` is the bar with the most strokes, and `strokes` their number. `single` is the value of still quicker notes
    that never come four in a row, in `single_bars`; it is `value` without any.
    """

    value: int
    second: float
    run: int
    bars: tuple[int, ...]
    dense: int
    strokes: int
    single: int
    single_bars: tuple[int, ...] = ()


def fastest(context: Context, about: About) -> Answer:
    """An answer with the quickest notes of the named parts (none: of the quickest parts that are no drums), their note
    value, how many that are a second, in which bars, and the bar with the most strokes."""
    song = context.song
    asked = asked_notes(context, about)
    kits = kit_tracks(song, context.palette)
    notes = {track: one for track, one in asked.notes.items() if about.tracks or track not in kits} or asked.notes
    found = {track: quick for track, own in notes.items() if (quick := quickest(song, own)) is not None}
    if not notes:
        return nothing_asked(context, about)
    if not found:
        text = f"No two notes follow each other{asked.where}, so none is quicker than another."
        return Answer(text, (Fact("notes", sum(map(len, notes.values()))),), asked.links())
    order = sorted(found, key=lambda track: -found[track].second)
    shown = order if about.tracks else order[:_SHOWN]
    texts: list[str] = []
    facts: list[Fact] = []
    bars: list[int] = []
    for track in shown:
        quick, name = found[track], asked.names[track]
        dense = f"; its fullest bar is {quick.dense}, with {quick.strokes}" if about.tracks or track == order[0] else ""
        texts.append(f"{name}{asked.where}: {_told(quick)}{dense}.")
        bars += quick.bars
        facts += [
            Fact(f"{name} quickest", value_name(quick.single)),
            Fact(f"{name} a second", round(quick.second, 1), "notes"),
            Fact(f"{name} fullest bar", quick.dense, "bar"),
        ]
    return Answer(f"{' '.join(texts)} Counted from the notes.", tuple(facts), asked.links(bars))


def quickest(song: Song, notes: Sequence[Sounding]) -> QuickNotes | None:
    """The quickest notes of a part whose `notes` are in order of time; None where it strikes less than twice."""
    starts = [group[0].start for group in strokes(notes)]
    if len(starts) < 2:
        return None
    steps = [after - before for before, after in pairwise(unswung(starts))]
    windows = [max(steps[at : at + _WINDOW]) for at in range(len(steps) - _WINDOW + 1)]
    value = nearest_value(min(windows) if windows else min(steps))
    runs = _runs(steps, value) if windows else []
    if not runs:  # too few notes for a run
        at = steps.index(min(steps))
        runs = [(at, 1)]
    at, longest = max(runs, key=lambda run: run[1])
    lasts = song.tempo_map.seconds(starts[at + longest]) - song.tempo_map.seconds(starts[at])
    bars = {
        song.bar_map.bar_at(starts[step]) for first, length in runs for step in range(first, first + length + 1)
    }
    by_bar: dict[int, int] = {}
    for start in starts:
        by_bar[song.bar_map.bar_at(start)] = by_bar.get(song.bar_map.bar_at(start), 0) + 1
    dense = max(by_bar, key=lambda bar: by_bar[bar])
    run = longest + 1 if longest >= _WINDOW else 0
    second = longest / max(lasts, 0.001)
    singles = _singles(song, starts, steps, value)
    return QuickNotes(value, second, run, tuple(sorted(bars)), dense, by_bar[dense], *singles)


def _singles(song: Song, starts: Sequence[int], steps: Sequence[int], value: int) -> tuple[int, tuple[int, ...]]:
    """The value of notes that are quicker than those of the runs and no ornaments, and the bars in which they begin."""
    quicker = [step for step in steps if step >= _ORNAMENT and nearest_value(step) * _SLACK < value]
    if not quicker:
        return value, ()
    single = nearest_value(min(quicker))
    bars = {song.bar_map.bar_at(at) for at, step in zip(starts, steps, strict=False) if nearest_value(step) == single}
    return single, tuple(sorted(bars))


def unswung(starts: Sequence[int]) -> list[int]:
    """Ascending ticks with swung pairs made straight, so that the lengths of their notes can be told."""
    pair, ratio = swing_of(starts)
    if ratio <= 0.5:
        return list(starts)
    long = ratio * pair

    def straight(at: int) -> int:
        place = at % pair
        moved = place * pair / (2 * long) if place < long else pair / 2 + (place - long) * pair / (2 * (pair - long))
        return round(at - place + moved)

    return [straight(at) for at in starts]


def _runs(steps: Sequence[int], value: int) -> list[tuple[int, int]]:
    """(first, length) of each row of at least three steps that are as quick as the value."""
    found, length = [], 0
    for at, step in enumerate([*steps, 10**9]):
        if step <= _SLACK * value:
            length += 1
            continue
        if length >= _WINDOW:
            found.append((at - length, length))
        length = 0
    return found


def _told(quick: QuickNotes) -> str:
    speed = number(round(quick.second, 1))
    where = bars_listed(quick.bars)
    run = f", up to {counted(quick.run, 'note')} in a row" if quick.run else ", never more than a few in a row"
    running = f"{_value(quick.value)}, about {speed} a second{run}, in {where}"
    if not quick.single_bars:
        return f"its quickest notes are {running}"
    single = f"{_value(quick.single)}, never four in a row, in {bars_listed(quick.single_bars)}"
    return f"its quickest notes are {single}; those in a row are {running}"


def _value(ticks: int) -> str:
    """A note value in both namings: "eighths (quavers)"."""
    return f"{value_name(ticks)} ({_BRITISH[ticks]})" if ticks in _BRITISH else value_name(ticks)
