"""Forming: sections that come, go or are played once more; what follows them moves."""

from __future__ import annotations

from types import MappingProxyType

from msgspec import structs

from agent.composer.changing.hearing.listening import hear
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.operations.repeating import MOST_BARS, bar_before, bar_line, called, more_bars, whole_bars
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Span, Stage
from agent.composer.changing.time.bridging import bridge, outro
from agent.composer.changing.time.form import (
    ending_of,
    free_section_name,
    instead_of_ending,
    nameable,
    numbered,
    peak_of,
)
from agent.composer.changing.time.moves import Inserted, TakenOut
from agent.composer.changing.time.new_sections import HARMONY, Parts, Plot, build, intro, rest
from agent.composer.changing.time.timeline import cut_time, insert_time, split_sections
from agent.composer.styles import RHYTHMIC, StyleBook
from agent.composer.understanding.operations import Cut, NewSection, Repeat
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Operation
from agent.message import msg
from agent.plan.plan import Ask
from agent.song.ids import SectionId
from agent.song.song import Section, Song
from agent.song.time import Ticks

_NAMES = {"intro": "Intro", "break": "Break", "build": "Build", "bridge": "Bridge", "outro": "Outro"}
_USUAL = {"intro": 4, "break": 4, "build": 4, "bridge": 8, "outro": 4}
_WHY = {
    "intro": "the song's first chords lead in", "break": "drums and bass rest before the song comes back",
    "build": "rises into what follows", "bridge": "other chords, for contrast",
    "outro": "the song's last phrase lets go",
}
_LONG_SONG = 56
"""Bars from which a song's new sections are eight bars long rather than four."""
_NEAR = 8
"""Bars within which chords come in that an intro begins with."""



def _new_section(stage: Stage, operation: NewSection) -> None:
    """Insert a section that is made from the song's own bars; what follows moves back. Raises `Blocked` if the song
    gets too long."""
    song = stage.song
    bars = operation.bars or _usual(operation.kind, song)
    close = int(song.bar_map.start_of(song.bars + 1))
    at = _place(stage, operation)
    if song.bars + bars > MOST_BARS:
        raise Blocked(msg("a song of more than {most_bars} bars is too long", most_bars=MOST_BARS))
    _name_form(stage)
    if operation.kind == "outro" and at == close:
        _outro(stage, bars)
        return
    bar = bar_before(song, at)
    source = at if at < close else max(0, at - bars * bar)
    if operation.kind == "intro":
        source = _first_harmony(stage)
    if operation.kind in ("build", "bridge", "outro") and at >= bars * bar:
        source = at - bars * bar
    plot = _plot(stage, at, bars, bar, source)
    parts = _written(operation, plot, stage)
    if not any(parts.values()):
        raise Blocked(msg("there is nothing to make it of"))
    name = _NAMES[operation.kind]
    why = f"makes room for the {name.lower()}"
    _open(stage, at, bars * bar, why)
    _play(stage, parts, name, at, plot.end, _WHY[operation.kind])


def cut(stage: Stage, operation: Cut) -> None:  # noqa: ARG001
    """Delete the bars of the stage's spans; what follows moves up. Raises `Blocked` if that is the whole song."""
    for start, end in reversed(whole_bars(stage)):
        song = stage.song
        if end - start >= song.bar_map.start_of(song.bars + 1):
            raise Blocked(msg("nothing of the song would be left"))
        take_out(stage, (start, end), f"{called(song, start, end)} is gone")


def take_out(stage: Stage, span: Span, why: str) -> None:
    """Delete a span of whole bars; tracks that are empty afterwards are deleted too. `why` is the reason shown."""
    playing = [track.id for track in stage.song.tracks if track.clips]
    stage.sketch.move(cut_time(stage.song, *span), TakenOut(*span), why)
    for track in playing:
        if not stage.song.track(track).clips:
            stage.sketch.remove_track(track, "nothing is left for it to play")


def _usual(kind: str, song: Song) -> int:
    if kind in ("intro", "break") and song.bars >= _LONG_SONG:
        return 8
    return _USUAL[kind] if song.bars > 8 or kind != "bridge" else 4


def _place(stage: Stage, operation: NewSection) -> int:
    """Where the new section begins: what the scope says, else where such sections usually stand."""
    song = stage.song
    close = int(song.bar_map.start_of(song.bars + 1))
    if not stage.whole:
        start, end = stage.spans[-1] if operation.kind in ("break", "bridge", "outro") else stage.spans[0]
        return min(close, bar_line(song, end if operation.after else start))
    if operation.kind == "intro":
        return 0
    if operation.kind == "outro":
        return close
    return peak_of(song, stage.palette, last=operation.kind != "build")


def _written(operation: NewSection, plot: Plot, stage: Stage) -> Parts:
    match operation.kind:
        case "intro":
            return intro(plot)
        case "break":
            return rest(plot)
        case "build":
            return build(plot)
        case "bridge":
            return bridge(plot, stage.dice)
        case "outro":
            return outro(plot, plot.end)


def _outro(stage: Stage, bars: int) -> None:
    """At the end of the song: before its ending where it has one, else with one."""
    song = stage.song
    close, ending = int(song.bar_map.start_of(song.bars + 1)), ending_of(stage)
    at = ending if 0 < ending < close else close
    bar, why = bar_before(song, at), "makes room for the outro"
    name = free_section_name(song, "Outro")
    end = at + bars * bar
    if at < close:
        parts = _before_ending(stage, ending, close, bars)
    else:
        rung = max(0, bars - (2 if bars >= 4 else 1))
        plot = _plot(stage, at, bars, bar, max(0, at - max(1, rung) * bar))
        parts = outro(plot, at + rung * bar)
    opened = insert_time(song, at, bars * bar, stage.sketch.new_id)
    # what the ending was part of keeps its length, and the outro ends the song
    sections = tuple(
        structs.replace(s, duration=Ticks(close - s.start)) if s.start < close < s.end else s for s in opened.sections
    )
    stage.sketch.move(structs.replace(opened, sections=sections), Inserted(at, bars * bar), why)
    _name_new(stage, "Outro", close, close + bars * bar, _WHY["outro"])
    for track, tones in parts.items():
        stage.sketch.add_clip(track, name, at, end, tones, _WHY["outro"])


def _before_ending(stage: Stage, ending: int, close: int, bars: int) -> Parts:
    """What goes on where the ending was, then the last phrase again, up to the ending."""
    bar = bar_before(stage.song, ending)
    first = min(bars, (close - ending) // bar)
    parts: Parts = {}
    if 0 < first < bars:
        plot = _plot(stage, ending, first, bar, instead_of_ending(stage.song, ending, close))
        parts = {track.id: plot.own(track) for track in plot.tracks}
    else:
        first = 0
    rest_of_it = bars - first
    plot = _plot(stage, ending + first * bar, rest_of_it, bar, max(0, ending - rest_of_it * bar))
    for track, tones in outro(plot, plot.end).items():
        parts[track] = [*parts.get(track, []), *tones]
    return parts


def _open(stage: Stage, at: int, length: int, why: str) -> None:
    song = split_sections(stage.song, at, stage.sketch.new_id)
    stage.sketch.move(insert_time(song, at, length, stage.sketch.new_id), Inserted(at, length), why)


def _play(stage: Stage, parts: Parts, name: str, at: int, end: int, why: str) -> None:
    own = free_section_name(stage.song, name)
    _name_new(stage, name, at, end, why)
    for track, tones in parts.items():
        if tones:
            stage.sketch.add_clip(track, own, at, end, tones, why)


def _plot(stage: Stage, at: int, bars: int, bar: int, source: int) -> Plot:
    song = stage.song
    heard = hear(song, stage.palette, song.bpm)
    return Plot(heard, stage.sketch.free_tracks(), at, bars, bar, source)


def _first_harmony(stage: Stage) -> int:
    """The first bar in which chords sound, where that is near the first pitched note; else the bar of that."""
    roles, song = stage.roles(), stage.song
    starts: dict[bool, int] = {}
    for track in song.tracks:
        for clip in track.clips:
            if clip.notes and roles[track.id] not in RHYTHMIC:
                harmony, at = roles[track.id] in HARMONY, clip.start + clip.notes[0].start
                starts[harmony] = min(at, starts.get(harmony, at))
    if not starts:
        return 0
    first = min(starts.values())
    chords = starts.get(True, first)
    bars = song.bar_map
    near = bars.bar_at(chords) - bars.bar_at(first) < _NEAR
    return int(bars.start_of(bars.bar_at(chords if near else first)))


def _name_form(stage: Stage) -> None:
    """A song without sections gets those that are heard, so that a new one has its place among them."""
    if not stage.song.sections:
        for section in nameable(stage.song, stage.palette):
            name = free_section_name(stage.song, section.name)
            stage.sketch.add_section(name, section.start, section.end, "the form of the song as it is heard")


def _name_new(stage: Stage, name: str, start: int, end: int, why: str) -> None:
    """Name a new section, unless it would be one of two in a song whose form nobody can name."""
    if len(stage.song.sections) != 1 or stage.song.sections[0].end > stage.song.bar_map.start_of(2):
        song = stage.song
        made = Section(SectionId(stage.sketch.new_id("s")), name, Ticks(start), Ticks(end - start))
        sections = tuple(numbered(song.sections, song.sections, [made]))
        stage.sketch.become(structs.replace(song, sections=sections), "", why)


def _read_new(filled: Filled) -> tuple[Operation, ...]:
    """A section that can be written anew; any other is played once more."""
    name, bars = filled.value("section"), filled.number("bars")
    kind = next((section.kind for section in filled.lexicon.words.sections if section.name == name), None)
    return (NewSection(kind, min(64, int(bars or 0))),) if kind is not None else (Repeat(),)


def _read_cut(_: Filled) -> tuple[Cut, ...]:
    return (Cut(),)


def _asks_cut(served: Served, _: Cut, _styles: StyleBook) -> list[Ask]:
    return [Ask(served.words, served.rows, "bars", "lower")]


KINDS = (
    OperationKind(
        NewSection, 17, _new_section, MappingProxyType({"section": SlotReading(_read_new, frozenset({"section"}))}),
        more_bars, moves_bars=lambda _: True, takes_place=True,
    ),
    OperationKind(
        Cut, 16, cut,
        MappingProxyType({"cut": SlotReading(_read_cut, frozenset({"from", "place", "within", "section"}))}),
        _asks_cut,
        moves_bars=lambda _: True, removes=lambda _: True,
    ),
)
