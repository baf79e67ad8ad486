"""Where the song comes from: a file or a request, a plan or a hand; no work is recognised."""

from __future__ import annotations

from agent.chat.answer import Answer, Fact, Link, RunLink, VersionLink
from agent.chat.answering.asked import words_of
from agent.chat.answering.wording import first_line, number, spelled
from agent.chat.context import Context, Version
from agent.chat.messages import Question

_OF_TEMPO = frozenset({"tempo", "bpm", "speed", "metronome", "beats"})
_OF_NAME = frozenset({"called", "name", "names", "named", "labelled", "labeled", "title"})


def origin(context: Context, question: Question) -> Answer:
    """An answer with what is known of where the song, its tempo or the names of its tracks come from, as the words ask:
    imported from a file, asked for, or made by hand; and that it is compared with no known work."""
    song = context.song
    words = words_of(question.words)
    first = _beginning(context)
    facts = [Fact("came from", "" if first is None else first.source)]
    links: list[Link] = []
    if first is not None:
        links.append(VersionLink(first.id, first.number))
        facts.append(Fact("version", first.number))
        if first.run is not None:
            links.append(RunLink(first.run))
    if _OF_TEMPO & words or number(song.bpm) in words:
        text = (
            f"{number(song.bpm)} BPM is the tempo set in this song. {_came(first, 'It')} Who chose that tempo is not "
            "stored, so I cannot say that a composer asked for it."
        )
        return Answer(text, (*facts, Fact("tempo", song.bpm, "BPM")), tuple(links))
    if _OF_NAME & words:
        names = ", ".join(f"“{track.name}”" for track in song.tracks[:8]) or "no tracks"
        why = "and whatever wrote the file named them so" if first is not None and first.source == "import" else (
            "and they can be renamed")
        return Answer(f"The tracks are called {names}. {_came(first, 'They')[:-1]}, {why}.", tuple(facts), tuple(links))
    known = f"it is set in {spelled(str(song.key))} at {number(song.bpm)} BPM"
    text = (
        f"{_came(first, 'It')} Whether it is a known work I cannot tell: I compare it with no collection of music, and "
        f"know of it only its notes; {known}."
    )
    if first is not None and first.source == "ai_iteration":
        text += " The offline composer writes notes by rules of the style and copies no recording or score."
    return Answer(text, (*facts, Fact("recognised", False)), tuple(links))


def _beginning(context: Context) -> Version | None:
    """The version that brought the music: the first import or plan, else the oldest version."""
    oldest = sorted(context.versions, key=lambda one: one.number)
    return next((one for one in oldest if one.source in ("import", "ai_iteration")), oldest[0] if oldest else None)


def _came(first: Version | None, what: str) -> str:
    verb = "were" if what == "They" else "was"
    if first is None:
        return f"Nothing is stored of where {what.lower()} came from."
    if first.source == "import":
        file = first.label.removeprefix("Imported ").strip()
        return f"{what} came in with the imported file “{file}” (version {first.number})."
    if first.source == "ai_iteration":
        asked = f", asked for as “{first_line(first.request)}”" if first.request else ""
        return f"{what} {verb} made by a plan in version {first.number}{asked}."
    return f"{what} {verb} made by hand here, first in version {first.number}."
