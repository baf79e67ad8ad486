"""What an input of a step can name: instruments, effects, tracks, clips, tools."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from agent.plan.inputs import Schema
from agent.plan.plan import Json
from agent.plan.references import references_in
from agent.song.ids import MASTER
from agent.song.palette import Palette
from agent.song.song import Song
from app.desktop.steps.goals import track_words
from app.desktop.texts.input_names import label_of, value_words
from app.desktop.texts.palette_words import said
from app.words import tr

MAX_CHOICES = 300


class Choice(Struct, frozen=True):
    """One of the values that a field takes, and what a person calls it."""

    value: Json
    label: str


class Surroundings(Struct, frozen=True):
    """What names can mean: the song that the row sees, the palette, the numbers of the plan's rows, and the tools that
    a goal may be given."""

    palette: Palette
    song: Song | None = None
    numbers: Mapping[str, int] = {}
    tools: tuple[str, ...] = ()


def choices_of(name: str, schema: Schema, around: Surroundings) -> tuple[Choice, ...]:
    """What an input of that name can be, if it is one of few."""
    if "enum" in schema:
        return tuple(Choice(one, value_words(one)) for one in schema["enum"])
    song = around.song
    match name:
        case "instrument":
            return tuple(
                Choice(one.name, f"{said(one.label)} ({value_words(one.family)})")
                for one in around.palette.instruments
            )
        case "effect_name":
            return tuple(Choice(one.name, said(one.label)) for one in around.palette.effects)
        case "track_id" | "to_track_id" if song is not None:
            return tuple(Choice(str(one.id), one.name) for one in song.tracks)
        case "clip_id" if song is not None:
            return tuple(
                Choice(str(clip.id), tr("{clip} on {track}", clip=clip.name or tr("Clip"), track=track.name))
                for track, clip in song.clips()
            )[:MAX_CHOICES]
        case "section_id" if song is not None:
            return tuple(Choice(str(one.id), one.name) for one in song.sections)
    return ()


def picks_of(name: str, value: Json, around: Surroundings) -> tuple[Choice, ...]:
    """What a list of names can hold, and what it holds already."""
    known: tuple[Choice, ...] = ()
    if name == "tools":
        known = tuple(Choice(one, label_of(one)) for one in around.tools)
    elif name == "tracks" and around.song is not None:
        tracks = tuple(Choice(str(one.id), one.name) for one in around.song.tracks)
        known = (*tracks, Choice(MASTER, tr("Master effects")))
    if not known:
        return ()
    held = [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
    there = {one.value for one in known}
    more = tuple(Choice(one, track_words(one, around.song, around.numbers)) for one in held if one not in there)
    # What is ticked comes first, so that it is seen without scrolling.
    return tuple(sorted((*more, *known), key=lambda one: one.value not in held))


def from_step(value: Json, numbers: Mapping[str, int]) -> str:
    """A reference in words: "from step 1"; "from each item" within a loop."""
    sources = [reference.source for reference in references_in(value)]
    known = [tr("step {number}", number=numbers[one]) for one in sources if one in numbers]
    return tr("from {steps}", steps=", ".join(known)) if known else tr("from each item")
