"""One task done on a song without the reading: what the operations are tested with."""

from __future__ import annotations

from typing import Any

from agent.composer.changing.change import ChangeWriter
from agent.composer.changing.changed import Changed
from agent.composer.changing.operations.catalogue import catalogue
from agent.composer.dice import Dice
from agent.composer.guard import Guard
from agent.composer.rows import Rows
from agent.composer.understanding import reading
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.tasks import Task
from agent.plan.plan import Draft
from agent.plan.planning import Brief, SoundFonts
from agent.song.locks import Lock
from agent.song.palette import Palette
from agent.song.song import Song
from agent.theory.gate import findings


def do(
    bench: Any, song: Song, task: Task, locks: tuple[Lock, ...] = (), seed: int = 1, fonts: SoundFonts | None = None
) -> tuple[Song, Changed]:
    """The song after a task, whose rows are checked and played."""
    tools = tuple(bench.registry.tools.values())
    brief = Brief("a change", song, bench.palette, tools, seed, locks, soundfonts=fonts)
    rows = Rows(song, Guard(song, locks))
    change = ChangeWriter(brief, Intent(goal="change", tasks=(task,)), bench.styles, None, Dice(seed, "test"))
    for _ in change.write(rows):
        pass
    steps = tuple(rows.steps)
    return (bench.song(Draft(steps=steps), song) if steps else song), change.changed


def flaws(song: Song, palette: Palette) -> set[tuple[str, str]]:
    """Rules that the song breaks, and where."""
    return {(flaw.rule, flaw.where) for flaw in findings(song, palette)}


def notes_outside(song: Song, start: int, end: int) -> list[tuple[str, int, int, int, int]]:
    """Track, start, pitch, length and velocity of the notes that begin outside a stretch."""
    return [
        (track.id, clip.start + note.start, note.pitch, note.duration, note.velocity)
        for track, clip in song.clips() for note in clip.notes if not start <= clip.start + note.start < end
    ]


def read(request: str, lexicon: Lexicon, *, has_music: bool) -> Intent:
    """The intent of a request, by all operations that there are."""
    return reading.read(request, lexicon, catalogue().readings, has_music=has_music)
