"""What was changed and why: notes that only came are no alteration, and reasons keep to the place asked about."""

from __future__ import annotations

import pytest
from chatting import context, language, part, small_song
from msgspec.structs import replace

from agent.chat.answer import Answer
from agent.chat.answering.questions import answer_question
from agent.chat.context import ComparedVersions, Context, RowOfRun, RunFacts, Version
from agent.chat.messages import About, Question, Topic
from agent.plan.ledger import StepState
from agent.song.ids import IterationId, RunId, SectionId, TrackId
from agent.song.song import Song


def asked(topic: Topic, told: Context, about: About | None = None, words: str = "") -> Answer:
    return answer_question(Question(topic, words, about or About()), told, language())


def told_of(source: str, *later: Version, request: str = "") -> Context:
    made = Version(IterationId("v2"), 2, "Two", source, "", request, IterationId("v1"))
    first = Version(IterationId("v1"), 1, "New", "edit", "")
    return context(versions=(*later, made, first), compared=ComparedVersions(1, 2, Song(), small_song()))


@pytest.mark.parametrize(("source", "request_", "said"), [
    ("import", "", "Nothing was changed since it was imported in version 2: it brought 128 notes in 5 tracks."),
    ("ai_iteration", "a waltz", "Nothing was changed since it was made (“a waltz”) in version 2: it brought 128 notes"),
])
def test_notes_that_only_came_are_no_alteration(source: str, request_: str, said: str) -> None:
    assert asked("changed", told_of(source, request=request_)).text.startswith(said)
    lead = asked("changed", told_of(source), About(tracks=(TrackId("Lead-t"),)))
    assert lead.text.startswith("Nothing was changed since")


def test_named_versions_and_later_ones_are_told() -> None:
    later = Version(IterationId("v3"), 3, "Louder", "edit", "", "", IterationId("v2"))
    text = asked("changed", told_of("ai_iteration", later)).text
    assert text.startswith("Nothing was changed by a plan since it was made in version 2")
    assert text.endswith("Later versions: 3.")
    assert asked("changed", told_of("import"), About(versions=(1, 2))).text.startswith("From version 1 to version 2")


def run_of(*, rows: int = 2) -> Context:
    """The lead was written anew in bars 5 to 8, the bass made louder in all bars."""
    song = small_song()
    before = replace(song, tracks=tuple(
        part("Lead", "lead_saw", [60] * 16, start=16) if one.name == "Lead" else one for one in song.tracks
    ))
    lead = [
        RowOfRun(f"s{at}", at, f"Write Lead {at}", "as asked", StepState.DONE, tracks=(TrackId("Lead-t"),))
        for at in range(1, rows)
    ]
    bass = RowOfRun("b", rows, "Louder Bass", "more weight", StepState.DONE, tracks=(TrackId("Bass-t"),))
    return context(song, run=RunFacts(RunId("r"), "again", "COMPLETED", (*lead, bass), before))


def test_reasons_are_those_of_rows_that_touch_the_place() -> None:
    there = asked("why", run_of(), About(bars=(5, 6))).text
    assert "Write Lead" in there
    assert "Louder Bass" not in there
    elsewhere = asked("why", run_of(), About(bars=(1, 2))).text
    assert elsewhere.startswith("No row of the last run (“again”) touched bars 1–2")
    named = asked("why", run_of(), About(sections=(SectionId("Chorus5"),), tracks=(TrackId("Bass-t"),))).text
    assert "touched Bass in Chorus (bars 5–6)" in named


def test_five_rows_are_told_and_the_rest_counted() -> None:
    text = asked("why", run_of(rows=10), About(bars=(5, 6))).text
    assert "Write Lead 5" in text
    assert "Write Lead 6" not in text
    assert text.endswith("and 4 more rows.")
