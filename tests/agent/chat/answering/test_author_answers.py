"""Who wrote something is told from the versions, note by note."""

from __future__ import annotations

from chatting import context, language, part, small_song
from msgspec.structs import replace

from agent.chat.answer import Answer, VersionLink
from agent.chat.answering.questions import answer_question
from agent.chat.context import Context, Version
from agent.chat.messages import About, Question, Topic
from agent.song.ids import IterationId, SectionId, TrackId
from agent.song.song import Song
from agent.song.time import PPQ, Ticks

BASS, LEAD = TrackId("Bass-t"), TrackId("Lead-t")


def version(number: int, source: str, request: str = "", label: str = "") -> Version:
    made = f"2026-11-{20 + number}T10:00:00Z"
    return Version(IterationId(f"v{number}"), number, label or f"Version {number}", source, made, request)


def told(*songs: tuple[str, Song], now: Song | None = None) -> Context:
    """A history of songs with how each was made, the oldest first."""
    versions = tuple(
        version(at, source, "a song" if source == "ai_iteration" else "") for at, (source, _) in enumerate(songs, 1)
    )
    past = tuple((at, song) for at, (_, song) in enumerate(songs, 1))
    return context(now or songs[-1][1], versions=tuple(reversed(versions)), past=past)


def asked(history: Context, about: About, words: str = "who wrote it?", topic: Topic = "author") -> Answer:
    return answer_question(Question(topic, words, about), history, language())


def facts(answer: Answer) -> dict[str, object]:
    return {fact.name: fact.value for fact in answer.facts}


def louder(song: Song, track: int, by: int) -> Song:
    """The song with one part moved by some semitones."""
    old = song.tracks[track]
    clip = old.clips[0]
    notes = tuple(replace(note, pitch=note.pitch + by) for note in clip.notes)
    moved = replace(old, clips=(replace(clip, notes=notes),))
    return replace(song, tracks=(*song.tracks[:track], moved, *song.tracks[track + 1 :]))


def test_a_plan_wrote_it_and_nobody_changed_it() -> None:
    answer = asked(told(("edit", Song()), ("ai_iteration", small_song())), About(tracks=(BASS,)))
    assert answer.text.startswith("I did: Bass came in version 2, by a plan of mine that was approved for “a song”.")
    assert "No note of it was changed since." in answer.text
    assert VersionLink(IterationId("v2"), 2) in answer.links


def test_a_hand_changed_one_part_and_not_the_other() -> None:
    history = told(("edit", Song()), ("ai_iteration", small_song()), ("edit", louder(small_song(), 1, 12)))
    bass = asked(history, About(tracks=(BASS,)))
    assert bass.text.startswith("Both: ")
    assert "version 3 (moved up 12 semitones, by hand, 2026-11-23 10:00 UTC)" in bass.text
    assert facts(asked(history, About(tracks=(LEAD,))))["changed since"] == 0


def test_an_imported_song_is_nobodys_here() -> None:
    answer = asked(told(("import", small_song())), About())
    assert answer.text.startswith("Neither of us here: the song came in version 1, with an imported file")


def test_a_place_is_looked_at_alone_even_if_it_moved() -> None:
    later = replace(small_song(), tracks=(
        *small_song().tracks[:3], part("Lead", "lead_saw", [72, 74, 76, 77] * 3 + [72, 74, 76, 79], start=16),
        *small_song().tracks[4:],
    ))
    history = told(("ai_iteration", small_song()), ("edit", later))
    assert facts(asked(history, About(sections=(SectionId("Chorus5"),))))["changed since"] == 0
    changed = asked(history, About(sections=(SectionId("Chorus7"),)))
    assert "version 2 (1 note added and 1 note taken out, by hand" in changed.text
    two_bars = Ticks(8 * PPQ)
    shifted = replace(
        small_song(), sections=tuple(replace(one, start=Ticks(one.start + two_bars)) for one in small_song().sections),
        tracks=tuple(
            replace(one, clips=tuple(replace(clip, start=Ticks(clip.start + two_bars)) for clip in one.clips))
            for one in small_song().tracks
        ),
    )
    moved = told(("ai_iteration", small_song()), ("edit", shifted))
    assert facts(asked(moved, About(sections=(SectionId("Chorus5"),))))["changed since"] == 0


def test_changes_that_are_in_no_version_yet() -> None:
    answer = asked(told(("ai_iteration", small_song()), now=louder(small_song(), 1, 2)), About(tracks=(BASS,)))
    assert "Since version 1 a hand changed it again" in answer.text


def test_missing_parts_and_empty_songs() -> None:
    assert "There is no trombone" in asked(told(("edit", small_song())), About(absent=("trombone",))).text
    assert "not known" in asked(context(), About()).text
    assert "Nobody" in asked(told(("edit", Song())), About()).text
    assert "which of them wrote" in asked(context(versions=(version(1, "edit"),)), About(tracks=(BASS,))).text


def test_origin_is_a_file_or_a_request_and_no_work_is_recognised() -> None:
    file = context(versions=(version(1, "import", label="Imported sonata.mid"),))
    answer = asked(file, About(), "surely this is K. 545?", "origin")
    assert answer.text.startswith("It came in with the imported file “sonata.mid” (version 1).")
    assert facts(answer)["recognised"] is False
    plan = asked(told(("ai_iteration", small_song())), About(), "is it copied from anywhere?", "origin")
    assert "asked for as “a song”" in plan.text
    assert "96 BPM is the tempo set in this song." in asked(file, About(), "where does 96 come from?", "origin").text
    assert "named them so" in asked(file, About(), "why are they called that?", "origin").text
    assert asked(context(), About(), "where is it from?", "origin").text.startswith("Nothing is stored")


def test_versions_of_a_day() -> None:
    known = tuple(version(number, "edit") for number in (5, 4, 3))  # Wednesday 25, Tuesday 24, Monday 23 November 2026
    told_days = context(versions=known, today="2026-11-25")
    tuesday = asked(told_days, About(), "is there a tuesday in here?", "versions")
    assert tuesday.text.startswith("1 version from Tuesday 24 November, newest first: 4 “Version 4”")
    assert facts(tuesday)["versions"] == 1
    sunday = asked(told_days, About(), "which one did I send on sunday?", "versions")
    assert sunday.text.startswith("No version is from a Sunday. The 3 versions are from Wednesday 25 November")
    assert "Which version was sent or exported is not stored." in sunday.text
    assert facts(asked(told_days, About(), "the one from yesterday", "versions"))["version 4"] == "Version 4"
    assert facts(asked(told_days, About(), "what was it two days ago", "versions"))["version 3"] == "Version 3"
    assert facts(asked(told_days, About(), "which versions are there?", "versions"))["versions"] == 3
