"""Commitments: what the words of a request bind any planner to, also one that reads them in its own way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct, structs

from agent.composer.changing.change import ChangeWriter, kept_tracks, makes_tracks
from agent.composer.changing.operations.catalogue import catalogue
from agent.composer.choosing import choose_style
from agent.composer.dice import Dice
from agent.composer.guard import Guard
from agent.composer.rows import Rows
from agent.composer.styles import StyleBook
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.tasks import Task
from agent.plan.planning import Brief, Removable
from agent.song.ids import TrackId
from agent.song.locks import Lock, SongLock, TrackLock, broken
from agent.song.song import Song
from agent.theory.sounding import sounding

_NOTHING = Removable()
_ALL = Removable(everything=True)


class Commitments(Struct, frozen=True):
    """What a request binds every planner to: `locks` for what is to stay, what may be removed, and whether a new track
    is allowed."""

    locks: tuple[Lock, ...] = ()
    removable: Removable = _NOTHING
    new_tracks: bool = False


def commitments_of(intent: Intent, brief: Brief, styles: StyleBook) -> Commitments:
    """The commitments of a request that was read as `intent`.

    What may be removed is what the rules would remove in carrying it out. What the request says to keep is locked,
    unless the same request also changes it.
    """
    kept = tuple(TrackLock(track) for track in kept_tracks(intent, brief.song, brief.palette))
    whole = [SongLock("tempo")] * intent.keep_tempo + [SongLock("key")] * intent.keep_key
    if whole:
        after = carried_out(intent, range(len(intent.tasks)), brief, styles)
        whole = [lock for lock in whole if broken((lock,), brief.song, after) is None]
    going = removable(intent, range(len(intent.tasks)), brief, styles)
    return Commitments((*kept, *whole), going, makes_tracks(intent))


def removable(intent: Intent, tasks: Sequence[int], brief: Brief, styles: StyleBook) -> Removable:
    """What the intent's tasks with these numbers may remove from the brief's song: everything for a new piece, nothing
    if none of them removes music."""
    if intent.goal == "replace":
        return _ALL
    removing = [number for number in tasks if _removes(intent.tasks[number])]
    if intent.goal != "change" or not removing or not brief.song.note_count:
        return _NOTHING
    return Removable(cells=frozenset(_changed(brief.song, carried_out(intent, removing, brief, styles))))


def carried_out(intent: Intent, tasks: Sequence[int], brief: Brief, styles: StyleBook) -> Song:
    """The brief's song after the intent's tasks with these numbers, as far as the rules can do them; unchanged for a
    request that is no change."""
    if intent.goal != "change" or not tasks or not brief.song.note_count:
        return brief.song
    some = structs.replace(intent, tasks=tuple(intent.tasks[number] for number in tasks))
    dice, free = Dice(brief.seed, "commitments"), structs.replace(brief, fence=None)
    change = ChangeWriter(free, some, styles, choose_style(some, styles, brief.palette), dice)
    for _ in change.write(Rows(brief.song, Guard(brief.song, brief.locks), brief.palette)):
        pass
    return change.sketch.song


def _removes(task: Task) -> bool:
    return catalogue().of(task.operation).removes(task.operation)


def _changed(before: Song, after: Song) -> Iterator[tuple[TrackId, int]]:
    """The tracks and bars of a song in which other notes begin afterwards."""
    bars = before.bar_map
    old, new = ({(note.track, note.start, note.pitch, note.end) for note in sounding(song)} for song in (before, after))
    yield from ((track, bars.bar_at(start)) for track, start, _, _ in old - new)
