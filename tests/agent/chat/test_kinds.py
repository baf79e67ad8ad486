"""Every saying has its kind before anything is planned. The sayings were written after the rules, by ear."""

from __future__ import annotations

import pytest
from chatting import context, language, sayings, with_plan
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from agent.chat.context import Context
from agent.chat.messages import (
    ApprovalInWords,
    Command,
    ForeignLanguage,
    Message,
    Question,
    Refinement,
    Refusal,
    Request,
    Several,
    Talk,
)  # fmt: skip
from agent.chat.reading.reading import read_message
from agent.song.song import Song

PLAN_WAITS = ("refinements", "refusals", "approvals")
KINDS: dict[str, type[Message]] = {
    "questions": Question, "questions_again": Question, "commands": Command, "requests": Request,
    "requests_again": Request, "refinements": Refinement, "refusals": Refusal, "approvals": ApprovalInWords,
    "talk": Talk, "foreign": ForeignLanguage,
}
SAID = [(name, wanted, text) for name in KINDS for wanted, text in sayings(name)]


def read(text: str, told: Context | None = None) -> Message:
    return read_message(text, told or context(), language())


def detail(message: Message) -> str:
    match message:
        case Question():
            return message.topic
        case Command() | ForeignLanguage():
            return message.name
    return ""


@pytest.mark.parametrize(("name", "wanted", "text"), SAID)
def test_a_saying_has_its_kind(name: str, wanted: str, text: str) -> None:
    found = read(text, with_plan() if name in PLAN_WAITS else None)
    assert type(found) is KINDS[name]
    if wanted:
        assert detail(found) == wanted


@pytest.mark.parametrize(("wanted", "text"), sayings("questions_of_program"))
def test_a_question_about_the_program_is_about_what_it_says(wanted: str, text: str) -> None:
    found = read(text)
    assert isinstance(found, Question)
    assert f"{found.topic} {found.action or found.value}".strip() == wanted


@pytest.mark.parametrize("text", [
    "is there a way to get the drums louder", "is it possible to have a flute there",
    "is there any way to slow it down",
])
def test_who_asks_whether_a_change_is_possible_wants_it(text: str) -> None:
    assert isinstance(read(text), Request)


@pytest.mark.parametrize("text", [
    "do your cousins have the same hair colour", "do our neighbours have the same fence height",
])
def test_one_word_of_a_song_makes_no_question_of_it(text: str) -> None:
    assert detail(read(text)) == "unknown"


@pytest.mark.parametrize(("_", "text"), sayings("questions_never_planned"))
@pytest.mark.parametrize("told", [context(), with_plan()], ids=["alone", "with a plan"])
def test_a_question_is_never_planned_whatever_it_is_about(told: Context, _: str, text: str) -> None:
    assert not isinstance(read(text, told), Request | Refinement | Refusal)


@pytest.mark.parametrize(("name", "wanted", "text"), [one for one in SAID if one[0] == "refinements"])
def test_without_a_plan_in_front_a_refinement_is_no_refinement(name: str, wanted: str, text: str) -> None:
    assert not isinstance(read(text), Refinement)


@pytest.mark.parametrize(("_", "text"), sayings("approvals"))
def test_a_yes_without_a_plan_is_talk(_: str, text: str) -> None:
    assert isinstance(read(text), Talk)


@pytest.mark.parametrize("text", [
    "write a new song about the sea", "start over, something calm", "give me a techno beat instead", "compose a waltz",
    "a slow piano piece in C minor, 8 bars",
])  # fmt: skip
def test_a_new_piece_is_a_request_whatever_plan_waits(text: str) -> None:
    assert isinstance(read(text, with_plan()), Request)


def test_a_plan_that_is_not_in_front_is_not_refined() -> None:
    left = with_plan()
    behind = Context(left.song, left.palette, left.program, plan=left.plan, in_front=False)
    assert isinstance(read("without the strings", behind), Request)
    assert isinstance(read("yes, do it", behind), ApprovalInWords)


@pytest.mark.parametrize(("text", "parts"), [
    ("undo that and make it faster", (Command, Request)),
    ("add a flute and export it as mp3", (Command, Request)),
    ("what key is this in? make the bass louder", (Question, Request)),
    ("what key is this in and how fast is it?", (Question, Question)),
    ("How long is it? Which chords are in bar 2?", (Question, Question)),
])  # fmt: skip
def test_two_things_in_one_message_are_kept_apart(text: str, parts: tuple[type[Message], ...]) -> None:
    found = read(text)
    held = found.parts if isinstance(found, Several) else (found,)
    assert tuple(type(part) for part in held) == parts


@pytest.mark.parametrize(("text", "kind"), [
    ("what key is this? my neighbour wants to jam along on his accordion", "key"),
    ("my flute teacher asked me, how fast does it go", "tempo"),
    ("Which chords are in bar 2, I have to write them on the board", "chords"),
    ("how long is it? it's for a wedding on Friday", "length"),
])
def test_what_stands_beside_a_question_is_no_second_thing(text: str, kind: str) -> None:
    assert detail(read(text)) == kind


@pytest.mark.parametrize("text", [
    "what key is this? the drums are too loud", "what key is this? I want more bass",
    "how long is it? my singer needs it lower",
])
def test_a_complaint_or_a_wish_beside_a_question_is_kept(text: str) -> None:
    found = read(text)
    assert isinstance(found, Several)
    assert [type(part) for part in found.parts] == [Question, Request]


@pytest.mark.parametrize(("text", "names"), [
    ("loop bars 3-6 and mute the strings for a sec so I can check the bass", ("loop", "listen_without")),
    ("let me hear just the bass and the drums, round and round", ("loop", "solo")),
    ("no, that was a mistake. take it back", ("undo",)),
    ("drums only for a moment", ("solo",)), ("print the score for me", ("export",)),
])
def test_each_command_of_a_message_is_read(text: str, names: tuple[str, ...]) -> None:
    found = read(text)
    held = found.parts if isinstance(found, Several) else (found,)
    assert tuple(detail(part) for part in held) == names


@pytest.mark.parametrize("text", [
    "take the strings out", "play the strings only in the chorus", "mute the bass and make the strings softer",
])
def test_what_may_be_meant_to_last_is_planned(text: str) -> None:
    assert isinstance(read(text), Request)


def test_a_command_that_can_be_planned_goes_with_its_request() -> None:
    text = "mute the bass and make the strings softer"
    assert read(text) == Request(text)


def test_a_model_reads_every_language() -> None:
    german = "mach das Lied ruhiger"
    assert read(german) == ForeignLanguage("German", german)
    assert read(german, context(any_language=True)) == Request(german)


@pytest.mark.parametrize("text", [
    "play the strings con sordino", "allegro ma non troppo", "a bossa nova with a ritardando at the end",
    "la la la in the chorus, sung by a choir", 'sing "ich liebe dich" in the chorus', "a lied for piano and voice",
])  # fmt: skip
def test_words_of_musicians_make_no_sentence_foreign(text: str) -> None:
    assert isinstance(read(text), Request)


def test_a_question_names_what_it_is_about() -> None:
    found = read("does the bass play in the second chorus?")
    assert isinstance(found, Question)
    assert found.about.tracks == ("Bass-t",)
    assert found.about.sections == ("Chorus7",)
    bars = read("what chords are in bars 3 to 5?")
    assert isinstance(bars, Question)
    assert bars.about.bars == (3, 5)


def test_a_refusal_says_what_is_disliked_and_what_is_wanted() -> None:
    found = read("I don't like the drums, try something with brushes")
    assert isinstance(found, Refusal)
    assert found.about.tracks == ("Drums-t",)
    assert "brushes" in found.wish


def test_a_command_holds_its_value() -> None:
    found = read("rename the lead to Bright Flute")
    assert isinstance(found, Command)
    assert (found.about.tracks, found.value) == (("Lead-t",), "Bright Flute")


@given(st.text(max_size=200))
def test_any_text_has_a_kind(text: str) -> None:
    assert read(text) is not None


@pytest.mark.parametrize("word", ["why ", "? ", "play the ", "yes, but ", "the second chorus and ", "bars 1 to "])
def test_a_long_text_is_read_in_time(word: str) -> None:
    assert read(word * 3000) is not None


@pytest.mark.parametrize("text", [
    "the bass is a bit thin, fatten it up?", "it's quite high for my altos, could you take it all down?",
    "must be over in a minute", "should end softly", "Was hoping the strings could grow into bar 5",
    "does the bass have to be so loud? turn it down", "I was wondering whether the lead might be a touch softer",
])
def test_a_statement_or_a_polite_order_is_no_question(text: str) -> None:
    assert isinstance(read(text), Request)


@pytest.mark.parametrize("text", [
    "Suspense cue. 40 seconds. Low brass, no beat. Must cut clean.", "has to loop, no drums, just a music box",
    "Is for my cousin's birthday, something bright with trumpets", "What I hear: a lone harp, then a choir",
    "dusty beat. are there horns? oh yes. 90 bpm", "a tune for my gran, can it have a fiddle?",
])
def test_without_a_note_what_describes_music_wants_a_piece(text: str) -> None:
    assert read(text, context(Song())) == Request(text)


def test_without_a_note_one_may_still_ask() -> None:
    assert detail(read("which instruments do you have?", context(Song()))) == "palette"
    assert detail(read("what key is this in?", context(Song()))) == "key"


@pytest.mark.parametrize(("text", "kind"), [
    ("Thanks ever so much, he adored it! Snoring already :)", "thanks"), ("cheers mate, you rescued my day", "thanks"),
    ("Love it. My wife says hello", "praise"),
])
def test_thanks_with_a_tale_stay_thanks(text: str, kind: str) -> None:
    found = read(text)
    assert isinstance(found, Talk)
    assert found.kind == kind


@pytest.mark.parametrize("text", ["thanks! now make the lead softer", "lovely, something dreamier", "great, no pads"])
def test_thanks_before_a_wish_do_not_swallow_it(text: str) -> None:
    assert isinstance(read(text), Request)


@pytest.mark.parametrize("text", ["great, do it, and thanks, you have made my day", "yes, go for it, the boss is here"])
def test_a_yes_with_a_tale_is_a_yes(text: str) -> None:
    assert isinstance(read(text, with_plan()), ApprovalInWords)


@pytest.mark.parametrize(("text", "name"), [
    ("haha no ctrl z, put it back how it was", "undo"), ("oops, undo that, my dog sat on the keys", "undo"),
    ("no that is silly, forget it", "discard"),
])
def test_a_command_with_a_tale_is_the_command(text: str, name: str) -> None:
    assert detail(read(text, with_plan())) == name


def test_the_words_of_the_plan_said_again_want_another_plan() -> None:
    waiting = with_plan()
    assert waiting.plan is not None
    words = "make the bass louder and add strings"
    asked = structs.replace(waiting, plan=structs.replace(
        waiting.plan, plan=structs.replace(waiting.plan.plan, request=words)
    ))
    assert isinstance(read("Make the bass louder  and add strings.", asked), Request)
    assert isinstance(read("make the bass louder", asked), Refinement)
    refined = structs.replace(asked, plan=structs.replace(
        waiting.plan, plan=structs.replace(waiting.plan.plan, request=f"{words}\nleave the tempo")
    ))
    assert isinstance(read(words, refined), Request)


@pytest.mark.parametrize(("text", "kind"), [
    ("The strings have a good deal more notes than the bass. Are they panned as their names say?", Question),
    ("locate to the top of the chorus and stand by. don't roll yet.", Command),
    ("run it back from the chorus", Command),
    ("play it from the chorus please, need to hear how it ends while the kettle boils", Command),
    ("what is the lowest note of the bass, and how many times?", Question),
    ("what's the lowest note the bass has? How many times?", Question),
    ("nah this is dead, sounds like the music in a garden centre. no offence", Talk),
    ("why did you do it like that, what were you thinking", Question),
    ("any seventh chords in here? dominant ones I mean, not the sweet kind", Question),
])
def test_what_tells_or_is_heard_beside_the_matter_orders_nothing(text: str, kind: type[Message]) -> None:
    assert type(read(text)) is kind


@pytest.mark.parametrize(("text", "kind"), [
    ("My cabin lies up a fjord. No signal, one solar panel. Does it go on working without the internet?", Question),
    ("The board asked me, sorry for the hard question. Can we sell music made with this?", Question),
    ("make me a sad waltz. is it free to use?", Several),
    ("A slow waltz in D minor. Can I sell it?", Several),
])
def test_of_no_song_a_question_about_the_program_is_asked_whatever_is_told(text: str, kind: type[Message]) -> None:
    assert type(read(text, context(Song()))) is kind


def test_a_complaint_beside_a_question_and_a_measure_are_kept() -> None:
    assert type(read("The drums are too loud. What key is it in?")) is Several
    assert type(read("The bass should have more notes than the lead. What key is it in?")) is Several


def test_a_sentence_that_only_names_a_part_limits_the_question_before() -> None:
    found = read("Which bars have the widest leaps? Just the lead.")
    assert isinstance(found, Question)
    assert len(found.about.tracks) == 1


def test_notes_in_a_bar_are_asked_for_whatever_the_verb() -> None:
    assert detail(read("which notes is the rhodes hitting in bar 1?")) == "notes"
