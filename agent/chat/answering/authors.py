"""Who wrote a part or a place: the version in which it came, and those that changed it since."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from agent.chat.answer import Answer, Fact, Link, RunLink, VersionLink
from agent.chat.answering.passages import Passage, named, passage
from agent.chat.answering.wording import counted, first_line, links_to, listed, places
from agent.chat.context import Context, Version
from agent.chat.messages import Question
from agent.song.ids import TrackId

_MOST = 5
_BY = {
    "ai_iteration": "I did", "edit": "You did, or whoever sat here", "import": "Neither of us here",
    "restore": "It was brought back", "merge": "It was put together from several versions",
}
_HOW = {
    "ai_iteration": "by a plan of mine that was approved", "edit": "by hand", "import": "with an imported file",
    "restore": "by bringing back an older version", "merge": "by putting versions together",
}
_SOURCE = "Compared note by note from version to version; levels and sounds are not looked at."


class _Event(Struct, frozen=True):
    """A version that changed the passage: how many notes it added and took out, and in words how it moved others."""

    version: Version
    added: int
    gone: int
    moved: str = ""


def author(context: Context, question: Question) -> Answer:
    """An answer with the version in which the named parts or places got their notes, who made it, and the versions that
    changed them since."""
    song, about = context.song, question.about
    what = named(about, song)
    if about.absent and not about.tracks:
        lacking = listed(about.absent, "or")
        return Answer(f"There is no {lacking} in the song, so nobody wrote it.", (Fact("versions", 0),))
    if not context.versions:
        return Answer("Nothing of this song is stored yet, so it is not known who wrote it.", (Fact("versions", 0),))
    if not any(passage(song, about, song).values()):
        return Answer(f"Nobody: {what} has no notes.", (Fact("notes", 0),))
    if not context.past:
        return _by_list(context, what)
    events = _events(context, question)
    first, *later = events
    facts: list[Fact] = [Fact("written in version", first.version.number), Fact("by", first.version.source),
                         Fact("changed since", len(later), "times")]
    opening = _opening([one.version.source for one in events])
    text = f"{opening}: {what} came in version {first.version.number}, {_how(first.version)}."
    if later:
        shown = later[-_MOST:]
        more = f" and {len(later) - len(shown)} times before" if len(later) > len(shown) else ""
        text += f" Changed since in {listed(map(_said, shown))}{more}."
    else:
        text += " No note of it was changed since."
    if passage(context.past[-1][1], about, song) != passage(song, about, song):
        text += f" Since version {context.past[-1][0]} a hand changed it again, which is in no version yet."
        facts.append(Fact("changed by hand", True))
    links: list[Link] = [VersionLink(one.version.id, one.version.number) for one in events[: _MOST + 1]]
    links += [RunLink(one.version.run) for one in events[:2] if one.version.run is not None]
    return Answer(f"{text} {_SOURCE}", tuple(facts),
                  (*links, *links_to((begin, end) for _, begin, end in places(about, song))))


def _events(context: Context, question: Question) -> list[_Event]:
    """The versions that changed the passage, the oldest first."""
    about, now = question.about, context.song
    by_number = {one.number: one for one in context.versions}
    chain = [(by_number[number], passage(song, about, now)) for number, song in context.past if number in by_number]
    found: list[_Event] = []
    before: Passage = {}
    for version, notes in chain:
        event = _change(version, before, notes)
        if event is not None:
            found.append(event)
        before = notes
    return found or [_Event(chain[0][0], 0, 0)]


def _change(version: Version, before: Passage, after: Passage) -> _Event | None:
    added = sum(len(after[track] - before.get(track, frozenset())) for track in after)
    gone = sum(len(before[track] - after.get(track, frozenset())) for track in before)
    if not added and not gone:
        return None
    return _Event(version, added, gone, _moved(before, after))


def _moved(before: Passage, after: Passage) -> str:
    """"up 2 semitones" if all that changed is the height of whole parts."""
    shifts = {_shift(before[track], after[track]) for track in _changed(before, after)}
    shift = shifts.pop() if len(shifts) == 1 else None
    if not shift:
        return ""
    return f"moved {'up' if shift > 0 else 'down'} {counted(abs(shift), 'semitone')}"


def _changed(before: Passage, after: Passage) -> list[TrackId]:
    return [track for track in before if track in after and before[track] != after[track]]


def _shift(before: frozenset[tuple[int, int, int]], after: frozenset[tuple[int, int, int]]) -> int | None:
    """By how many semitones all notes moved; None if they did not move alike."""
    if len(before) != len(after):
        return None
    distance = min(pitch for pitch, _, _ in after) - min(pitch for pitch, _, _ in before)
    alike = {(pitch + distance, at, length) for pitch, at, length in before} == after
    return distance if alike else None


def _opening(sources: Sequence[str]) -> str:
    makers = list(dict.fromkeys(source for source in sources if source in ("ai_iteration", "edit", "import")))
    if makers == ["ai_iteration", "edit"] or makers == ["edit", "ai_iteration"]:
        return "Both: I wrote some of it and a hand some"
    return _BY.get(makers[0] if len(makers) == 1 else sources[0], "It is mixed")


def _how(version: Version) -> str:
    asked = f" for “{first_line(version.request)}”" if version.request else ""
    label = f" (“{version.label}”)" if version.label and not asked else ""
    return f"{_HOW.get(version.source, version.source)}{asked}{label}"


def _said(one: _Event) -> str:
    sums = [counted(count, "note") + what for count, what in ((one.added, " added"), (one.gone, " taken out")) if count]
    change = one.moved or listed(sums)
    made = one.version.created[:16].replace("T", " ")
    when = f", {made} UTC" if made else ""
    return f"version {one.version.number} ({change}, {_HOW.get(one.version.source, one.version.source)}{when})"


def _by_list(context: Context, what: str) -> Answer:
    """What the list of versions alone tells."""
    makers = {one.source for one in context.versions}
    said = listed(_HOW[one] for one in ("ai_iteration", "edit", "import") if one in makers)
    links = tuple(VersionLink(one.id, one.number) for one in context.versions[:_MOST])
    text = f"The versions were made {said}; which of them wrote {what} is not known here."
    return Answer(text, (Fact("versions", len(context.versions)),), links)
