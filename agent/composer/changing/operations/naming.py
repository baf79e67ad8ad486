"""Naming: the song, a track or a section gets a name."""

from __future__ import annotations

from types import MappingProxyType
from typing import Annotated

from msgspec import Meta, structs

from agent.composer.changing.operations.kind import OperationKind
from agent.composer.changing.report.measuring import Served
from agent.composer.changing.scopes import sections_of
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import Stage
from agent.composer.changing.time.form import free_section_name
from agent.composer.styles import StyleBook
from agent.composer.understanding.items import PlaceRef
from agent.composer.understanding.operations import Rename
from agent.composer.understanding.sentences import told_place
from agent.composer.understanding.slot_filling import Filled, SlotReading
from agent.composer.understanding.tasks import Named, Operation, Place
from agent.composer.understanding.wishes import Wish
from agent.message import msg
from agent.plan.plan import Ask

_WHY = "you named it"
Label = Annotated[str, Meta(min_length=1, max_length=80)]


class NameTrack(Operation, frozen=True):
    """Name a track."""

    wish: Wish
    name: Label

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        return f"call {self.wish.label} {self.name!r}"


class NameSection(Operation, frozen=True):
    """Name the sections at the places `source`; of several the second is called "NAME 2", and so on."""

    source: Annotated[tuple[Place, ...], Meta(min_length=1)]
    name: Label

    def sentence(self, _amount: float, _bpm: float | None, /) -> str:
        return f"call {' and '.join(map(told_place, self.source))} {self.name!r}"


def rename(stage: Stage, operation: Rename) -> None:
    """Name the song. Raises `Blocked` for an empty name."""
    if not operation.name:
        raise Blocked(msg("that is no name"))
    stage.sketch.rename(operation.name, _WHY)


def name_track(stage: Stage, operation: NameTrack) -> None:
    """Name the tracks that the wish means; a second one gets a number. Raises `Blocked` if the name is taken or the
    track has it already."""
    tracks = stage.free(operation.wish)
    if [track.name for track in tracks] == [operation.name]:
        raise Blocked(msg("it is called that already"))
    others = {track.name for track in stage.song.tracks if track not in tracks}
    if operation.name in others:
        raise Blocked(msg("another track is called {operation!r} already", operation=operation.name))
    for number, track in enumerate(tracks, start=1):
        stage.sketch.update_track(
            track.id, _WHY, name=operation.name if number == 1 else f"{operation.name} {number}"
        )


def name_section(stage: Stage, operation: NameSection) -> None:
    """Name the sections that the places mean. Raises `Blocked` if the song has no sections."""
    song = stage.song
    if not song.sections:
        raise Blocked(msg("the song has no sections that could be named"))
    meant = {section.id for place in operation.source for section in sections_of(place, song, stage.palette)}
    taken = {section.name for section in song.sections if section.id not in meant}
    sections = []
    for section in song.sections:
        name = free_section_name(song, operation.name, taken) if section.id in meant else section.name
        taken.add(name)
        sections.append(structs.replace(section, name=name))
    if tuple(sections) == song.sections:
        raise Blocked(msg("it is called that already"))
    stage.sketch.become(structs.replace(song, sections=tuple(sections)), "", _WHY)


def _name(filled: Filled) -> str:
    return str(filled.value("name") or "").strip()[:80]


def _read(filled: Filled) -> tuple[Operation, ...]:
    return (Rename(_name(filled)),) if _name(filled) else ()


def _read_track(filled: Filled) -> tuple[Operation, ...]:
    name, number = _name(filled), filled.number("number")
    tracks = filled.lexicon.song.tracks
    if number is not None and 1 <= number <= len(tracks):
        track = tracks[int(number) - 1]
        return (NameTrack(Wish(track.name, tracks=(track.id,)), name),)
    return tuple(NameTrack(wish, name) for wish in filled.parts[:1]) if name else ()


def _read_section(filled: Filled) -> tuple[Operation, ...]:
    source, section, name = filled.value("source"), filled.value("section"), _name(filled)
    places = source.places if isinstance(source, PlaceRef) else (Named(str(section)),)
    return (NameSection(places, name),) if name else ()


def _asks(served: Served, operation: Rename, _: StyleBook) -> list[Ask]:
    return [Ask(served.words, served.rows, "name", "equals", operation.name)]


def _asks_track(served: Served, operation: NameTrack, _: StyleBook) -> list[Ask]:
    return [Ask(served.words, served.rows, f"called:{operation.name}", "equals", 1.0)]


def _asks_section(served: Served, operation: NameSection, _: StyleBook) -> list[Ask]:
    return [Ask(served.words, served.rows, f"sections_called:{operation.name}", "equals", 1.0)]


KINDS = (
    OperationKind(Rename, 0, rename, MappingProxyType({"name": SlotReading(_read, frozenset({"name"}))}), _asks),
    OperationKind(
        NameTrack, 0, name_track, MappingProxyType({"name_track": SlotReading(_read_track, frozenset({"name"}))}),
        _asks_track,
    ),
    OperationKind(
        NameSection, 20, name_section,
        MappingProxyType({"name_section": SlotReading(_read_section, frozenset({"name"}))}),
        _asks_section,
    ),
)
