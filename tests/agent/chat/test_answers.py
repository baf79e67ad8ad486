"""Answers rest on facts that are counted from a song built here."""

from __future__ import annotations

import pytest
from chatting import context, language, part, small_song, with_plan
from msgspec.structs import replace

from agent.chat.answer import Answer, BarsLink, CommandLink, RowLink, TrackLink, VersionLink
from agent.chat.context import ComparedVersions, Context, RowOfRun, RunFacts, Version, Way
from agent.chat.messages import Question, Talk
from agent.chat.reply import Answered, ToCarryOut, ToPlan, reply
from agent.plan.document import Finding
from agent.plan.ledger import StepState
from agent.plan.plan import Step
from agent.song.ids import IterationId, RunId, TrackId
from app.services.exporting import SOUND_ENDS, SOUND_FILES
from app.sound.effects import TAIL_DB
from app.sound.part import LONGEST_TAIL


def asked(text: str, told: Context | None = None) -> Answer:
    found = reply(text, told or context(), language())
    assert isinstance(found, Answered), found
    return found.answer


def facts(answer: Answer) -> dict[str, object]:
    return {fact.name: fact.value for fact in answer.facts}


@pytest.mark.parametrize("text", [
    "in which bars do the strings rest?", "where are the strings silent", "which bars do the strings NOT play in?",
    "bruh where the hell do the strings have a gap",
])
def test_rests_are_the_gaps_between_where_a_part_plays(text: str) -> None:
    answer = asked(text)
    assert "Strings rests in bars 1–4" in answer.text
    assert facts(answer)["Strings rests"] == 4
    assert BarsLink(1, 4) in answer.links


@pytest.mark.parametrize("text", [
    "can i put a field recording under the pads and have it loop?", "could I import a voice memo of my gran?",
    "how do I drop my own samples into the intro?",
])
def test_sound_files_cannot_be_taken_in_and_nothing_is_said_of_parts(text: str) -> None:
    answer = asked(text)
    assert "no recording, loop, voice note" in answer.text
    assert "there is no" not in answer.text


@pytest.mark.parametrize("text", [
    "wait wtf did u do to my bass", "what the f*** have you done with the bass", "omg what happened to the bass lol",
    "hold on, what was that last edit?", "what on earth did that do to the bass", "dude what did ya change on the bass",
])
def test_noise_beside_a_question_about_the_last_change_is_passed_over(text: str) -> None:
    found = reply(text, changed(), language())
    assert isinstance(found, Answered)
    assert isinstance(found.message, Question)
    assert found.message.topic == "changed"


def test_a_pause_that_is_asked_for_is_no_noise() -> None:
    found = reply("wait two bars before the drums come in", context(), language())
    assert isinstance(found, ToPlan)


def test_two_commands_are_both_answered() -> None:
    ways = {
        "undo": Way("Undo it.", "bandleader restore {undo}"), "save": Way("All is stored."),
        "export": Way("A file is written.", "bandleader export {format}"),
    }
    told = context(versions=changed().versions, undo=1)
    told = replace(told, program=replace(told.program, ways=ways))
    for text in ("undo the last one then save it as spot_v3", "save as spot_v3 and undo the last change"):
        answer = asked(text, told)
        assert "bandleader restore 1" in answer.text
        assert "“spot_v3”" in answer.text or "“spot_v 3”" in answer.text
        assert "bandleader export" in answer.text


def test_a_place_to_hear_without_a_part_is_told_step_by_step() -> None:
    ways = {
        "go_to": Way("Click in the ruler."), "play": Way("Space plays."), "solo": Way("S."),
        "listen_without": Way("M."),
    }
    told = replace(context(), program=replace(context().program, ways=ways))
    found = reply("play from bar 5 without the drums please", told, language())
    assert isinstance(found, ToCarryOut)
    assert found.answer.text == "1. bar 5: Click in the ruler. 2. Drums: M. 3. Space plays."


@pytest.mark.parametrize("text", [
    "That was lovely, thank you. Now I must go and put the kettle on", "thanks! i have to run and catch the bus",
])
def test_an_errand_beside_thanks_is_no_order(text: str) -> None:
    found = reply(text, context(), language())
    assert isinstance(found, Answered)
    assert isinstance(found.message, Talk)


@pytest.mark.parametrize("text", [
    "undo that please, before it was nicer", "the strings sound odd now, undo", "go back, it had more life in it",
])
def test_how_it_was_is_the_reason_to_undo(text: str) -> None:
    found = reply(text, context(versions=changed().versions, undo=1), language())
    assert isinstance(found, ToCarryOut)
    assert found.message.name == "undo"


@pytest.mark.parametrize(("text", "name", "value"), [
    ("what key is this in?", "key", "C major"),
    ("how fast is it?", "tempo", 96.0),
    ("what time signature is it?", "meter", "4/4"),
    ("how long is it?", "length", 8),
    ("how many notes does the bass play?", "Bass", 32),
    ("when does the lead come in?", "Lead enters", 5),
    ("what is the highest note of the lead?", "Lead highest", "F5"),
    ("does the bass play in the intro?", "Bass", True),
    ("do the strings play in the intro?", "Strings", False),
    ("is there a trombone?", "trombone", False),
    ("how many choruses are there?", "Chorus", 2),
    ("where is the verse?", "Verse", "3-4"),
    ("is it in tune?", "notes outside the key", 0),
    ("how loud is the bass?", "Bass rank", 1),
    ("what is this song called?", "title", "Small"),
])  # fmt: skip
def test_a_question_is_answered_by_what_is_in_the_song(text: str, name: str, value: object) -> None:
    assert facts(asked(text))[name] == value


def test_chords_are_told_bar_by_bar_with_the_bars_to_look_at() -> None:
    answer = asked("which chords are in bars 1 and 2?")
    assert facts(answer)["chord of bar 1"] == "C"
    assert BarsLink(1, 2) in answer.links


def test_equal_sections_repeat_and_a_changed_one_does_not() -> None:
    assert asked("does the chorus repeat?").text.startswith("Yes")
    song = small_song()
    other = part("Lead", "lead_saw", [72, 74, 76, 77] * 2 + [80, 81, 83, 84] * 2, start=16, volume_db=-6.0)
    strings = part("Strings", "strings_ensemble", [72] * 8 + [60] * 8, start=16)
    tracks = (other, strings)
    assert asked("does the chorus repeat?", context(replace(song, tracks=tracks))).text.startswith("No")


def test_a_part_in_the_register_of_another_covers_it_and_an_octave_lower_it_does_not() -> None:
    answer = asked("do the strings cover the lead?")
    assert answer.text.startswith("Yes, in bars 5–8")
    assert facts(answer) == {"shared register": 1.0, "level difference": 6.0}
    assert TrackLink(TrackId("Strings-t"), "Strings") in answer.links
    song = small_song()
    low = part("Strings", "strings_ensemble", [48, 52, 55, 52] * 4, start=16)
    lower = replace(song, tracks=tuple(low if one.name == "Strings" else one for one in song.tracks))
    assert asked("do the strings cover the lead?", context(lower)).text.startswith("No")


def test_a_flat_is_written_as_one() -> None:
    song = replace(small_song(), key=replace(small_song().key, tonic="Bb"))
    assert "B♭ major" in asked("what key is it?", context(song)).text


def test_an_empty_song_is_said_to_be_empty() -> None:
    empty = replace(small_song(), tracks=(), sections=())
    for text in ("what chords are there?", "who plays?", "how loud is it?", "is it in tune?", "does anything repeat?"):
        assert asked(text, context(empty)).text.startswith("The song is still empty")


def changed() -> Context:
    before = small_song()
    after = replace(before, tracks=tuple(one for one in before.tracks if one.name != "Bass"))
    versions = (
        Version(IterationId("v2"), 2, "calmer", "ai_iteration", "2026-11-23T20:00:00Z", "calmer", IterationId("v1")),
        Version(IterationId("v1"), 1, "New project", "edit", "2026-11-23T19:00:00Z"),
    )
    row = RowOfRun("s1", 1, "Remove Bass", "makes room", StepState.DONE, tracks=(TrackId("Bass-t"),))
    run = RunFacts(RunId("r1"), "calmer", "COMPLETED", (row,), before)
    return context(after, versions=versions, compared=ComparedVersions(1, 2, before, after), run=run, undo=1)


def test_what_was_changed_is_compared_and_why_it_was_is_read_from_the_rows() -> None:
    answer = asked("what did you change?", changed())
    assert "Bass was taken out (32 notes)" in answer.text
    assert VersionLink(IterationId("v2"), 2) in answer.links
    why = asked("why did you remove the bass?", changed())
    assert "makes room" in why.text
    assert RowLink("s1", 1, RunId("r1")) in why.links
    assert "No row" in asked("why are the drums so loud?", changed()).text


def test_a_part_that_is_taken_for_gone_is_told_to_be_there() -> None:
    told = asked("why did you remove the drums?", changed())
    assert told.text.startswith("Drums is in the song as it is now. No row of the last run")
    assert TrackLink(TrackId("Drums-t"), "Drums") in told.links


def test_a_request_is_named_without_the_remarks_on_its_plan() -> None:
    told = changed()
    refined = replace(told, versions=(replace(told.versions[0], request="calmer\nbut not the tempo"), told.versions[1]))
    assert asked("what did you change?", refined).text.startswith("From version 1 to version 2 (“calmer, and more”):")


def test_what_changed_is_a_line_for_each_track_under_the_name_that_it_has_now() -> None:
    before = small_song()
    strings = next(track for track in before.tracks if track.name == "Strings")
    renamed = replace(strings, name="Choir", instrument="choir_aahs")
    after = replace(
        before, tracks=tuple(renamed if track is strings else track for track in before.tracks if track.name != "Lead")
    )
    told = context(after, compared=ComparedVersions(1, 2, before, after), versions=changed().versions)
    lines = asked("what did you change?", told).text.split("\n")
    assert lines[0].startswith("From version 1 to version 2")
    assert "Lead was taken out (16 notes)" in lines
    assert next(line for line in lines if line.startswith("Choir, which was Strings: ")).count("Choir") == 2


def test_the_busiest_and_the_emptiest_place_are_counted() -> None:
    told = asked("which part is the busiest?", changed())
    assert told.text.startswith("Chorus, bars 5–6 (0:10–0:15): 4 parts, ")
    assert "has 8" in told.text
    assert "Of the parts Drums plays the most, 32 notes" in told.text
    assert told.text.endswith("Counted from the notes in version 2.")
    assert told.links[0] == BarsLink(5, 6)
    assert asked("where is it emptiest?").text.startswith("Intro, bars 1–2")
    assert "busier" in asked("which part is the busiest?", context(replace(small_song(), tracks=()))).text


def test_what_the_waiting_plan_takes_away_is_named() -> None:
    gone = Step("s2", "delete_track", {"track_id": "Bass-t"}, title="Remove Bass")
    waiting = with_plan(None, Step("s1", "set_tempo", {"bpm": 80}, title="Tempo 80 BPM"), gone)
    assert asked("is anything getting deleted?", waiting).text.startswith("No: no row")
    assert waiting.plan is not None
    mark = Finding("s2", "removes", "Bass sounds no longer in bars 1–8")
    marked = replace(waiting, plan=replace(waiting.plan, plan=replace(waiting.plan.plan, lint=(mark,))))
    told = asked("what gets removed?", marked)
    assert "Row 2, Remove Bass: Bass sounds no longer in bars 1–8." in told.text
    assert told.links == (RowLink("s2", 2),)


def test_stepping_on_the_tune_is_covering_it() -> None:
    assert "Counted" in (told := asked("do the strings step on the lead anywhere?").text) or "counted" in told


def test_a_row_is_told_with_units() -> None:
    step = Step("s1", "update_track", {"track_id": "Bass-t", "volume_db": -8.0}, title="Mix of Bass", why="up 3 dB")
    told = asked("what would step 1 do?", with_plan(None, step)).text
    assert told == "Row 1 would do this: Mix of Bass (up 3 dB). It sets the level to −8 dB."


def test_what_is_disliked_and_not_there_is_told_and_not_added() -> None:
    found = reply("I don't like the bass, try again", changed(), language())
    assert isinstance(found, Answered)
    assert found.answer.text.startswith("This song has no bass")
    assert isinstance(reply("I don't like the drums, try again", changed(), language()), ToPlan)
    assert isinstance(reply("I don't like the bass, make it a tuba", changed(), language()), ToPlan)


def test_a_waiting_plan_is_told_row_by_row() -> None:
    steps = (
        Step("s1", "set_tempo", {"bpm": 80}, title="Slow the song down", why="you asked for calmer"),
        Step("s2", "delete_track", {"track_id": "Bass-t"}, title="Take Bass out"),
    )
    waiting = with_plan(None, *steps)
    assert "Slow the song down" in asked("what would step 1 do?", waiting).text
    assert RowLink("s2", 2) in asked("what will happen to the bass?", waiting).links
    assert "No row of the plan touches Strings" in asked("does the plan touch the strings?", waiting).text
    assert "has no row 9" in asked("what would step 9 do?", waiting).text


def test_an_unknown_question_is_told_so_with_three_that_can_be_asked() -> None:
    answer = asked("do your cousins have the same hair colour")
    assert facts(answer) == {"answered": False}
    assert answer.text.count("“") == 3


def test_a_command_names_its_way_with_what_the_message_named() -> None:
    told = changed()
    ways = {"undo": Way("Undo.", "go back {undo}{project}"), "export": Way("Export.", "write {format}")}
    told = replace(told, program=replace(told.program, ways=ways))
    found = reply("undo that", told, language())
    assert isinstance(found, ToCarryOut)
    assert found.answer.links == (CommandLink("go back 1"),)
    assert reply("export it as an mp3", told, language()).answer.links == (CommandLink("write mp3"),)


@pytest.mark.parametrize(("text", "words"), [
    ("put it back", "nothing to undo"), ("undo that", "nothing to undo"), ("redo", "nothing to redo"),
])
def test_where_nothing_was_changed_nothing_is_taken_back(text: str, words: str) -> None:
    told = context()
    ways = {"undo": Way("Undo.", "restore {undo}"), "redo": Way("Redo.", "restore {redo}")}
    found = reply(text, replace(told, program=replace(told.program, ways=ways)), language())
    assert isinstance(found, ToCarryOut)
    assert words in found.answer.text
    assert found.answer.links == ()


@pytest.mark.parametrize("text", [
    "can I get a 24 bit wav at 48 kHz", "does the wav include the tail of the reverb",
])
def test_exports_are_told_with_their_rate_depth_and_end(text: str) -> None:
    told = replace(context(), program=replace(context().program, sound_files=SOUND_FILES, sound_ends=SOUND_ENDS))
    said = asked(text, told).text
    assert "48 kHz" in said
    assert "24 bits" in said
    assert f"{TAIL_DB:g} dB".replace("-", "−") in said
    assert f"{LONGEST_TAIL:g} seconds" in said


def test_a_request_is_left_to_the_planner() -> None:
    assert isinstance(reply("make it faster", context(), language()), ToPlan)


@pytest.mark.parametrize(("text", "words"), [
    ("What is the highest pitch the lead plays in the second chorus, and in which bar?", "F5, in bars 7 and 8"),
    ("how low does the bass go?", "C2, in bars 1, 2, 3, 4, 5, 6 and 2 more"),
    ("which is the lowest note of the whole song?", "lowest note of Bass"),
    ("what is the highest note of the lead in the intro?", "No pitched note"),
])
def test_an_extreme_note_is_told_with_its_bars(text: str, words: str) -> None:
    assert words in asked(text).text


@pytest.mark.parametrize(("text", "meant"), [("loop bars 3 to 6", "bars 3–6"), ("solo the bass", "Bass")])
def test_a_command_without_a_line_to_type_names_what_is_meant(text: str, meant: str) -> None:
    ways = {"loop": Way("Loops are set in the window."), "solo": Way("Parts are heard alone in the window.")}
    told = context()
    found = reply(text, replace(told, program=replace(told.program, ways=ways)), language())
    assert isinstance(found, ToCarryOut)
    assert found.answer.text.endswith(f"Meant here: {meant}.")


@pytest.mark.parametrize(("text", "words"), [
    ("what key is it in?", "Its notes are C D E F G A B"),
    ("which chords are in the last 2 bars of the verse, as roman numerals?", "As numerals of C major"),
    ("how long is the chorus and when does it start?", "from 0:"),
    ("which bars does the lead play in, and how high does it go?", "The highest note of Lead"),
    ("why is the verse so empty?", "notes a bar"),
    ("can you sing real vocals?", "Nothing here sings words"),
])  # fmt: skip
def test_what_musicians_ask_is_answered_in_their_words(text: str, words: str) -> None:
    found = reply(text, context(), language())
    assert isinstance(found, Answered)
    assert words in found.answer.text


def test_bars_of_a_section_are_counted_from_where_it_begins() -> None:
    assert asked("who plays in the first bar of the verse?").text.startswith("Bar")
    assert BarsLink(3, 3) in asked("what chords are in the first 1 bars of the verse?").links


def test_a_plain_command_in_another_language_is_answered_by_its_way() -> None:
    told = context()
    ways = {"undo": Way("Undo brings it back.", "restore {undo}")}
    told = replace(told, program=replace(told.program, ways=ways), undo=1)
    found = reply("mach das bitte rückgängig", told, language())
    assert isinstance(found, Answered)
    assert CommandLink("restore 1") in found.answer.links


def test_where_it_shall_go_says_in_which_format() -> None:
    assert asked("how do I get this onto my phone?").text.startswith("Export it as MP3")
    assert "stems" in asked("how can I open it in Ableton?").text


def test_a_time_is_answered_with_its_bar_and_a_bar_with_its_time() -> None:
    answer = asked("how long is this, and what bar am I in at 0:08?")
    assert "8 bars" in answer.text
    assert "At 0:08 it is in bar 4, beat 1, in Verse" in answer.text
    assert facts(answer)["bar"] == 4
    assert "is over: it ends at 0:20, after bar 8" in asked("which bar is at 1:30?").text
    assert "from 0:10 on" in asked("when is bar 5?").text


def test_a_place_that_the_song_does_not_name_is_said_and_no_key_is_given() -> None:
    answer = asked("what key does he go to in the trio?")
    assert answer.text.startswith("There is no trio that I know of.")
    assert "major" not in answer.text


def test_the_key_of_a_place_is_heard_from_its_notes() -> None:
    low = part("Low", "bass_finger", [36, 40, 43, 36] * 2)
    high = part("High", "lead_saw", [63, 67, 70, 63, 68, 70, 62, 63], start=16)
    song = replace(small_song(), tracks=(low, high))
    answer = asked("what key are bars 5 to 6 in?", context(song))
    assert "Bars 5–6: E♭ major, heard from the notes." in answer.text
    assert "set in C major" in answer.text


def test_what_an_export_shall_be_like_is_answered_beside_it() -> None:
    told = context()
    told = replace(told, program=replace(
        told.program, sound_files="WAV at 48 kHz with 24 bits",
        ways={"export": Way("A file is written.", "bandleader export {format}")},
    ))  # fmt: skip
    for text in (
        "Can you export the parts as separate wavs? 48k/24 bit if there's a choice", "i need stems please, 24 bit",
        "export the tracks as separate 24bit wavs",
    ):
        answer = asked(text, told)
        assert "WAV at 48 kHz with 24 bits; there is no other choice" in answer.text
        assert "bandleader export stems" in answer.text


def test_the_bar_to_click_is_named_where_a_place_is_to_be_heard() -> None:
    ways = {"play": Way("Space plays."), "go_to": Way("Click in the ruler.", there="Click bar {bar} in the ruler.")}
    told = context()
    told = replace(told, program=replace(told.program, ways=ways))
    for text in ("play it from the first chorus please", "play from bar 5", "start playing at 0:10"):
        found = reply(text, told, language())
        assert isinstance(found, ToCarryOut)
        assert "Click bar 5 in the ruler." in found.answer.text


def test_of_two_questions_the_one_that_cannot_be_answered_is_named() -> None:
    answer = asked("how many bars is it and is there a pickup")
    assert "8 bars" in answer.text
    assert "“is there a pickup”: I cannot answer that" in answer.text


def test_djs_are_told_the_number_of_the_key() -> None:
    assert facts(asked("what key is this in?"))["camelot"] == "8B"


@pytest.mark.parametrize(("notes", "clean"), [([36, 43] * 16, True), ([36, 43] * 14 + [36], False)])
def test_whether_it_loops_is_told_from_its_end(notes: list[int], clean: bool) -> None:
    song = replace(small_song(), tracks=(part("Bass", "bass_finger", notes),))
    assert asked("does it loop cleanly?", context(song)).text.startswith("Yes" if clean else "Not cleanly")


def test_notes_that_a_loop_cuts_off_are_told_where_these_are_asked_for() -> None:
    bass = part("Bass", "bass_finger", [36, 43] * 16)
    dry = asked("does any note of it ring over when it loops?", context(replace(small_song(), tracks=(bass,))))
    assert dry.text.startswith("No note sounds past the end of bar 8")
    clip = bass.clips[0]
    held = replace(clip, notes=(*clip.notes[:-1], replace(clip.notes[-1], duration=clip.notes[-1].duration + 960)))
    song = replace(small_song(), tracks=(replace(bass, clips=(held,)),))
    for text in ("does any note of it ring over when it loops?", "does it loop cleanly?"):
        assert "1 note sounds past the end of bar 8: G2 of Bass by 1 beat." in asked(text, context(song)).text
