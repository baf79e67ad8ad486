"""What the waiting plan changes in a place, and which levels it sets: read from its preview."""

from __future__ import annotations

from agent.chat.answer import Answer, Fact, Link, RowLink, TrackLink
from agent.chat.answering.passages import named, passage
from agent.chat.answering.wording import counted, decibels, links_to, listed, places
from agent.chat.context import Context, PlanFacts
from agent.chat.messages import About
from agent.song.ids import TrackId
from agent.song.song import Song

_MOST = 8
_APPROVED = "Nothing is done before you approve it."
_UNSEEN = "What the plan would make of it is not known without a preview"


def place_planned(context: Context, waiting: PlanFacts, about: About) -> Answer:
    """An answer that says whether the plan changes a note, a level or a sound of the named parts (none: of all) in the
    named places."""
    song, after = context.song, waiting.after
    what = named(about, song)
    where = places(about, song)
    links: tuple[Link, ...] = (
        *links_to((first, last) for _, first, last in where),
        *(TrackLink(track.id, track.name) for track in song.tracks if track.id in about.tracks),
        *(RowLink(step.id, at) for at, step in enumerate(waiting.plan.steps[:_MOST], 1)),
    )
    if after is None:
        rows = len(waiting.plan.steps)
        text = f"{_UNSEEN}: it has {counted(rows, 'row')}, and nothing of it is done yet."
        return Answer(text, (Fact("rows", rows),), links)
    changes = _notes_changed(song, after, about)
    mix = _mix_changed(song, after, about)
    facts = (Fact("notes changed", sum(a + b for _, a, b in changes)), Fact("levels or sounds changed", len(mix)))
    besides = f" It does change {listed(mix)}, which is heard there too." if mix else ""
    if not changes:
        return Answer(f"No: in the preview no note of {what} changes.{besides} {_APPROVED}", facts, links)
    said = listed(f"{name} gains {a} and loses {b}" for name, a, b in changes[:_MOST])
    more = f", and {len(changes) - _MOST} more parts" if len(changes) > _MOST else ""
    text = f"Yes, of the notes in {what}: {said}{more}, as in the preview.{besides} {_APPROVED}"
    return Answer(text, facts, links)


def levels_planned(context: Context, waiting: PlanFacts, about: About) -> Answer:
    """An answer with the level of each track (or of the named ones) before and after the plan, where it changes."""
    song, after = context.song, waiting.after
    if after is None:
        return Answer(f"{_UNSEEN}.", (Fact("levels changed", 0),))
    then = {track.id: track.volume_db for track in song.tracks}
    moved = [
        (track, then[track.id]) for track in after.tracks
        if track.id in then and track.volume_db != then[track.id] and (not about.tracks or track.id in about.tracks)
    ]
    if not moved:
        return Answer("The plan moves no fader.", (Fact("levels changed", 0),))
    text = "\n".join(f"{track.name}: {decibels(before)} → {decibels(track.volume_db)}" for track, before in moved)
    facts = (Fact("levels changed", len(moved)), *(Fact(track.name, track.volume_db, "dB") for track, _ in moved))
    return Answer(text, facts, tuple(TrackLink(track.id, track.name) for track, _ in moved))


def _notes_changed(song: Song, after: Song, about: About) -> list[tuple[str, int, int]]:
    """The parts whose notes change, with how many they gain and lose."""
    old, new = passage(song, about, song), passage(after, about, song)
    names = {track.id: track.name for track in (*after.tracks, *song.tracks)}
    found = []
    for track in names:
        before, later = old.get(track, frozenset()), new.get(track, frozenset())
        if before != later:
            found.append((names[track], len(later - before), len(before - later)))
    return found


def _mix_changed(song: Song, after: Song, about: About) -> list[str]:
    """The levels, sounds and effects that change for the named parts, in words."""
    new = {track.id: track for track in after.tracks}
    wanted: set[TrackId] = set(about.tracks) or {track.id for track in song.tracks}
    said = []
    for track in song.tracks:
        later = new.get(track.id)
        if later is None or track.id not in wanted:
            continue
        if later.volume_db != track.volume_db:
            said.append(f"the level of {track.name} ({decibels(track.volume_db)} → {decibels(later.volume_db)})")
        if (later.instrument, later.effects, later.automation) != (track.instrument, track.effects, track.automation):
            said.append(f"the sound of {track.name}")
    return said[:_MOST]
