"""What was changed, why, and which versions there are."""

from __future__ import annotations

from agent.chat.answer import Answer, Fact, Link, RowLink, RunLink, TrackLink, VersionLink
from agent.chat.answering.asked import words_of
from agent.chat.answering.concerning import rows_concerning, tracks_gone
from agent.chat.answering.days import Day, day_named, day_said, made_on
from agent.chat.answering.frame import frame_lines
from agent.chat.answering.unchanged import unchanged
from agent.chat.answering.wording import counted, decibels, first_line, listed, places
from agent.chat.context import Context, RowOfRun, Version
from agent.chat.messages import About, Question
from agent.song.changes import FieldChange, TrackChanges, compare
from agent.song.palette import Palette

_MOST = 8
_ROWS = 5
"""Rows of a run that are told one by one."""
_SOURCES = {
    "ai_iteration": "made by a plan", "edit": "edited by hand", "import": "imported", "restore": "restored",
    "merge": "put together from others",
}


def compared(question: Question, versions: tuple[Version, ...]) -> tuple[int, int] | None:
    """(older, newer): the numbers of the two versions that a question about changes compares; None with fewer than two
    versions.

    A question with the word "you" ("what did you change?") compares the last version made by a plan with the one before
    it.
    """
    numbers = {one.id: one.number for one in versions}
    if len(versions) < 2:
        return None
    named = _resolved(versions, question.about)
    known = tuple(sorted(number for number in named if number in numbers.values()))
    if len(known) > 1:
        return known[0], known[-1]
    if known and known[0] != versions[0].number:
        return known[0], versions[0].number
    by_plan = [one for one in versions if one.source == "ai_iteration"]
    later = by_plan[0] if by_plan and _YOU & set(question.words.casefold().split()) else versions[0]
    earlier = numbers.get(later.parent, 0) if later.parent is not None else 0
    return (earlier, later.number) if earlier else (versions[1].number, versions[0].number)


_YOU = frozenset({"you", "u", "your"})
_GONE = frozenset({
    "remove", "removed", "delete", "deleted", "drop", "dropped", "cut", "kill", "killed", "lose", "lost", "gone",
    "missing", "silent", "disappear", "disappeared", "vanish", "vanished", "mute", "muted", "take", "took", "taken",
})


def changed(context: Context, about: About) -> Answer:
    """An answer with the differences between the newest version and the one before, or between the two named; that
    nothing was changed where the newer one only brought the notes."""
    if context.compared is None:
        count = len(context.versions)
        return Answer("Nothing yet: there is only one version of this song.", (Fact("versions", count),))
    if (nothing := unchanged(context, about)) is not None:
        return nothing
    a, b = context.compared.older, context.compared.newer
    before, after = context.compared.before, context.compared.after
    links = _version_links(context, (a, b))
    by_request = next((one.request for one in context.versions if one.number == b and one.request), "")
    head = f"From version {a} to version {b}" + (f" (“{first_line(by_request)}”)" if by_request else "")
    limited = bool(about.tracks or about.absent)
    wanted = {*about.tracks, *tracks_gone(before, about)}
    tracks = [one for one in compare(before, after).tracks if not limited or one.track_id in wanted]
    song_lines = [] if limited else list(frame_lines(before, after))
    if not tracks and not song_lines:
        text = f"{head}: {listed(_names(context, about))} did not change." if limited else f"{head}: nothing differs."
        return Answer(text, (Fact("changes", 0),), links)
    shown = tracks[:_MOST]
    lines = [_capital(line) for line in (*song_lines, *(_track_line(one, context.palette) for one in shown))]
    more = len(tracks) - len(shown)
    lines += [f"And {counted(more, 'more track')}"] if more else []
    told = (Fact(one.name, _track_line(one, context.palette)) for one in shown)
    facts = (Fact("changes", len(song_lines) + len(tracks)), *told)
    links = (*links, *(TrackLink(one.track_id, one.name) for one in shown if one.change != "removed"))
    return Answer("\n".join((f"{head}:", *lines, "Compared note by note.")), facts, links)


def _field(one: FieldChange, palette: Palette) -> str:
    match one.field:
        case "volume_db":
            return f"level {decibels(float(one.before))} → {decibels(float(one.after))}"
        case "instrument":
            return f"{palette.label(one.before)} → {palette.label(one.after)}"
        case "effects" | "automation":
            return f"other {one.field}"
    return f"{one.field} {one.before} → {one.after}"


def _capital(line: str) -> str:
    return f"{line[:1].upper()}{line[1:]}"


def _track_line(one: TrackChanges, palette: Palette) -> str:
    """A track as it is called now, with its old name behind it where it had another."""
    sums = ((one.notes_added, "added"), (one.notes_removed, "taken out"), (one.notes_moved, "changed"))
    notes = [f"{counted(count, 'note')} {what}" for count, what in sums if count]
    was = next((str(field.before) for field in one.fields if field.field == "name"), "")
    fields = [_field(field, palette) for field in one.fields if field.field != "name"][:3]
    if one.change == "added":
        return f"{one.name} is new ({listed(notes) or 'no notes'})"
    if one.change == "removed":
        return f"{one.name} was taken out ({counted(one.notes_removed, 'note')})"
    called = f"{one.name}, which was {was}" if was else one.name
    return f"{called}: {listed([*notes, *fields]) or ('the name' if was else 'moved clips')}"


def why(context: Context, question: Question) -> Answer:
    """An answer with the rows of the last run that concern the named parts, bars and sections, the first five each with
    its reason.

    If a part is asked about as if it were missing, the answer says that it is still there.
    """
    run, about = context.run, question.about
    there = _still_there(context, about) if _GONE & set(question.words.casefold().split()) else ""
    if run is None:
        return Answer(
            "No plan was run on this song yet, so I changed nothing and have no reasons to tell.", (Fact("runs", 0),)
        )
    rows = rows_concerning(run, about, context.song)
    links: tuple[Link, ...] = (RunLink(run.id), *(RowLink(row.step, row.number, run.id) for row in rows[:_ROWS]))
    asked = f"the last run (“{first_line(run.request)}”)" if run.request else "the last run"
    if not rows:
        where = listed(name for name, _, _ in places(about, context.song))
        names = " in ".join(one for one in (listed(_names(context, about)), where) if one) or "that"
        text = f"No row of {asked} touched {names}, so this is how it was before, or how a hand left it."
        return Answer(there + text, (Fact("rows", 0),), (*links, *_parts(context, about)))
    said = "; ".join(f"row {row.number} “{row.title}”{_reason(row)}" for row in rows[:_ROWS])
    more = f"; and {counted(len(rows) - _ROWS, 'more row')}" if len(rows) > _ROWS else ""
    facts = tuple(Fact(f"row {row.number}", row.why or row.title) for row in rows[:_ROWS])
    if there:
        return Answer(f"{there}What {asked} did there: {said}{more}.", facts, (*links, *_parts(context, about)))
    return Answer(f"Because of {asked}: {said}{more}.", facts, links)


def _parts(context: Context, about: About) -> tuple[TrackLink, ...]:
    return tuple(TrackLink(one.id, one.name) for one in context.song.tracks if one.id in about.tracks)


def _still_there(context: Context, about: About) -> str:
    """That the parts a question speaks of play in the song as it is: who asks may take them for gone."""
    there = [one.name for one in context.song.tracks if one.id in about.tracks and one.note_count and not one.mute]
    if not there:
        return ""
    return f"{listed(there)} {'is' if len(there) == 1 else 'are'} in the song as it is now. "


def _reason(row: RowOfRun) -> str:
    reason = row.why.rstrip(".")
    return f" ({reason[0].lower()}{reason[1:]})" if reason else ""


def versions(context: Context, question: Question) -> Answer:
    """An answer with the number of versions and who made which, or about those that are named by number or by day."""
    known, about = context.versions, question.about
    if not known:
        return Answer("None yet: nothing of this song is stored.", (Fact("versions", 0),))
    if about.versions:
        numbers = _resolved(known, about)
        found = [one for one in known if one.number in numbers]
        if not found:
            text = f"There is no such version; the newest is {known[0].number}."
            return Answer(text, (Fact("versions", len(known)),))
        text = "; ".join(_version_line(one) for one in found)
        return Answer(f"{text}.", tuple(Fact(f"version {one.number}", one.source) for one in found), _links(found))
    day = day_named(question.words, known, context.today)
    if day is not None:
        return _of_day(known, day, question.words)
    shown = known[:_MOST]
    text = f"{counted(len(known), 'version')}, newest first: {'; '.join(_version_line(one) for one in shown)}"
    text += f"; and {len(known) - _MOST} older." if len(known) > _MOST else "."
    facts = (Fact("versions", len(known)), *(Fact(f"version {one.number}", one.label) for one in shown))
    return Answer(text, facts, _links(shown))


def _of_day(known: tuple[Version, ...], day: Day, words: str) -> Answer:
    """The versions of a day, newest first; without one, the days that there are."""
    found = day.versions(known)
    sent = " Which version was sent or exported is not stored." if _SENT & words_of(words) else ""
    if not found:
        days = sorted({made for one in known if (made := made_on(one)) is not None}, reverse=True)
        have = f" The {counted(len(known), 'version')} are from {listed(map(day_said, days[:4]))}." if days else ""
        return Answer(f"No version is from {day.said}.{have}{sent}", (Fact("versions", 0),), _links(known[:1]))
    shown = found[:_MOST]
    more = f"; and {len(found) - _MOST} older" if len(found) > _MOST else ""
    count = counted(len(found), "version")
    text = f"{count} from {day.said}, newest first: {'; '.join(_version_line(one) for one in shown)}{more}.{sent}"
    facts = (Fact("versions", len(found)), *(Fact(f"version {one.number}", one.label) for one in shown))
    return Answer(text, facts, _links(shown))


_SENT = frozenset({"sent", "send", "bounced", "bounce", "exported", "mailed", "emailed", "shared", "gave", "given"})


def _version_line(one: Version) -> str:
    when = one.created[:16].replace("T", " ")
    return f"{one.number} “{one.label}”, {_SOURCES.get(one.source, one.source)}{f', {when} UTC' if when else ''}"


def saved(context: Context) -> Answer:
    """An answer that every change is stored at once."""
    newest = f" The newest version is {context.versions[0].number}." if context.versions else ""
    return Answer(
        f"Yes: every change is stored at once, and every version is kept, so there is nothing to save.{newest}",
        (Fact("saved", True), Fact("versions", len(context.versions))), _links(context.versions[:1]),
    )


def _resolved(versions: tuple[Version, ...], about: About) -> tuple[int, ...]:
    newest = versions[0].number
    return tuple({-1: newest, 0: max(newest - 1, 1)}.get(number, number) for number in about.versions)


def _names(context: Context, about: About) -> list[str]:
    return [track.name for track in context.song.tracks if track.id in about.tracks] + list(about.absent)


def _version_links(context: Context, numbers: tuple[int, ...]) -> tuple[Link, ...]:
    return _links([one for one in context.versions if one.number in numbers])


def _links(found: list[Version] | tuple[Version, ...]) -> tuple[Link, ...]:
    return tuple(VersionLink(one.id, one.number) for one in found)
