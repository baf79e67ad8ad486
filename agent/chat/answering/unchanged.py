"""What is said of a song whose notes have only come: they were imported or made, and nothing was changed since."""

from __future__ import annotations

from agent.chat.answer import Answer, Fact, Link, VersionLink
from agent.chat.answering.wording import counted, first_line
from agent.chat.context import Context, Version
from agent.chat.messages import About


def unchanged(context: Context, about: About) -> Answer | None:
    """An answer that nothing was changed since the notes came, where the compared versions are the empty song and the
    first with notes, and neither is named; None for anything else."""
    pair = context.compared
    if about.versions or pair is None or pair.before.note_count or not pair.after.note_count:
        return None
    made = next((one for one in context.versions if one.number == pair.newer), None)
    if made is None:
        return None
    later = sorted(one.number for one in context.versions if one.number > made.number)
    tracks = sum(1 for track in pair.after.tracks if track.note_count)
    came = f"it brought {counted(pair.after.note_count, 'note')} in {counted(tracks, 'track')}"
    since = f" Later versions: {', '.join(map(str, later))}." if later else ""
    who = "by a plan " if later else ""
    links: tuple[Link, ...] = (VersionLink(made.id, made.number),)
    text = f"Nothing was changed {who}since it was {_how(made)} in version {made.number}: {came}.{since}"
    return Answer(text, (Fact("changes", 0), Fact("first notes in version", made.number)), links)


def _how(made: Version) -> str:
    if made.source == "import":
        return "imported"
    return f"made (“{first_line(made.request)}”)" if made.request else "made"
