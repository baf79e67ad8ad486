"""Tasks done on a song as the composer does them, without a request: rows, review, and the song that they give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agent.composer.changing.change import ChangeWriter
from agent.composer.dice import Dice
from agent.composer.guard import Guard
from agent.composer.rows import Rows
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.tasks import Task
from agent.plan.document import Plan
from agent.plan.plan import Step
from agent.plan.planning import Brief
from agent.review.review import review
from agent.song.locks import Lock
from agent.song.song import Song


@dataclass(frozen=True)
class Proposed:
    """What tasks came to: rows, the song after them, and why some could not be done, by their number."""

    steps: tuple[Step, ...]
    song: Song
    blocked: dict[int, str]


def proposed(
    bench: Any, song: Song, *tasks: Task, locks: tuple[Lock, ...] = (), seed: int = 1, **said: Any
) -> Proposed:
    """Do tasks on a song; every row must be sound. `said` are further fields of the intent."""
    intent = Intent(goal="change", tasks=tasks, **said)
    brief = Brief("", song, bench.palette, tuple(bench.registry.tools.values()), seed, locks)
    rows = Rows(song, Guard(song, locks))
    change = ChangeWriter(brief, intent, bench.styles, None, Dice(seed, "test"))
    for _ in change.write(rows):
        pass
    steps = tuple(rows.steps)
    judged = review(Plan(steps=steps, project="p", locks=locks), song, bench.registry, bench.palette)
    assert not judged.errors, judged.errors
    assert judged.preview is not None
    return Proposed(steps, judged.preview.song, change.changed.blocked)


def described(song: Song) -> Any:
    """A song without its ids."""
    return (
        song.name, song.tempos, song.meters, song.key, song.loudness_target,
        sorted((s.start, s.name, s.duration) for s in song.sections),
        [_effect(effect) for effect in song.master_effects],
        [_track(track) for track in song.tracks],
    )


def _effect(effect: Any) -> Any:
    return effect.name, effect.params, effect.enabled


def _track(track: Any) -> Any:
    places = {effect.id: str(number) for number, effect in enumerate(track.effects)}
    clips = sorted(
        (c.start, c.name, c.duration, sorted((n.start, n.pitch, n.duration, n.velocity) for n in c.notes))
        for c in track.clips
    )
    lanes = sorted(
        (places.get(lane.target.partition(".")[0], "") + "." + lane.target.rpartition(".")[2], lane.curve, lane.points)
        for lane in track.automation
    )
    mix = track.name, track.instrument, track.volume_db, track.pan, track.mute, track.color
    return mix, clips, [_effect(effect) for effect in track.effects], lanes
