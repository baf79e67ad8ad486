"""A small song to talk about, the words of talk, and sayings with the kind that they are."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from agent.chat.context import Context, PlanFacts, ProgramFacts, StyleInfo
from agent.chat.reading.language import Language
from agent.plan.document import Plan
from agent.plan.plan import Step
from agent.song.clip import Clip, Note
from agent.song.ids import ClipId, NoteId, SectionId, TrackId
from agent.song.key import Key
from agent.song.palette import Palette
from agent.song.song import Section, Song
from agent.song.time import TempoChange, Ticks, to_ticks
from agent.song.track import Track
from app.services.library_files import read_palette
from app.services.sayings_files import read_manual, read_sayings
from app.services.style_files import read_chat_words, read_styles, read_vocabulary

RESOURCES = Path(__file__).parents[2] / "resources"
SAYINGS = Path(__file__).parents[1] / "agent" / "chat" / "sayings"


@cache
def language() -> Language:
    """The words that ship."""
    return Language(
        read_chat_words(RESOURCES), read_vocabulary(RESOURCES), read_sayings(RESOURCES), read_manual(RESOURCES),
    )


@cache
def palette() -> Palette:
    """The instruments that ship."""
    return read_palette(RESOURCES)


@cache
def styles() -> tuple[StyleInfo, ...]:
    """The styles that ship."""
    return tuple(StyleInfo(one.name, one.label, tuple(one.words), one.tempo) for one in read_styles(RESOURCES).styles)


def part(name: str, instrument: str, pitches: list[int], *, start: int = 0, velocity: int = 90, **mix: float) -> Track:
    """A track that plays a quarter note after another from beat `start` on."""
    notes = tuple(
        Note(NoteId(f"{name}-n{at}"), pitch, to_ticks(at), to_ticks(1), velocity) for at, pitch in enumerate(pitches)
    )
    clip = Clip(ClipId(f"{name}-c"), name, to_ticks(start), to_ticks(len(pitches)), notes)
    return Track(TrackId(f"{name}-t"), name, instrument, clips=(clip,), **mix)


def section(name: str, first: int, bars: int = 2) -> Section:
    """A section from a bar of 4/4 on."""
    return Section(SectionId(f"{name}{first}"), name, to_ticks(4 * (first - 1)), to_ticks(4 * bars))


def small_song() -> Song:
    """Eight bars in C at 96 BPM: drums and bass throughout, strings and lead from bar 5 on, two equal choruses."""
    return Song(
        name="Small", key=Key("C"), tempos=(TempoChange(Ticks(0), 96.0),),
        sections=(section("Intro", 1), section("Verse", 3), section("Chorus", 5), section("Chorus", 7)),
        tracks=(
            part("Drums", "drums_standard", [36, 38] * 16),
            part("Bass", "bass_finger", [36, 36, 43, 43] * 8, velocity=110),
            part("Strings", "strings_ensemble", [72, 76, 79, 76] * 4, start=16),
            part("Lead", "lead_saw", [72, 74, 76, 77] * 4, start=16, volume_db=-6.0),
            part("Rhodes", "keys_tine", [60, 64, 67, 64] * 8),
        ),
    )


def context(song: Song | None = None, **fields: object) -> Context:
    """The small song, or another, with nothing waiting."""
    program = ProgramFacts(styles=styles(), exports=("mid", "wav", "flac"), imports=("mid",))
    return Context(small_song() if song is None else song, palette(), program, **fields)  # type: ignore[arg-type]


def with_plan(song: Song | None = None, *steps: Step) -> Context:
    """The same with a plan in front of the person."""
    return context(song, plan=PlanFacts(Plan(steps)), in_front=True)


def sayings(name: str) -> list[tuple[str, str]]:
    """The sayings of a file, each with what is wanted of it; empty where the file wants nothing."""
    lines = (SAYINGS / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [(wanted.strip(), text) for wanted, _, text in (line.rpartition(" | ") for line in lines) if text.strip()]
