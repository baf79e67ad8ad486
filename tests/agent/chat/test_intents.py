"""What a saying means is learned from examples: what they are checked for, and what becomes of words nobody said."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from chatting import RESOURCES, context, language, palette
from hypothesis import given
from hypothesis import strategies as st

from agent.chat.context import Context
from agent.chat.messages import Command, ForeignLanguage, Question, Request, Several, Talk
from agent.chat.reading.clause import Reaction
from agent.chat.reading.intent_features import FeatureReader
from agent.chat.reading.intent_learning import learned
from agent.chat.reading.intent_model import METHOD
from agent.chat.reading.intents import IntentReader
from agent.chat.reading.names import SentenceNames
from agent.chat.reading.reading import read_message
from agent.chat.reading.settling import clause_of
from agent.chat.reply import Answered, reply
from agent.song.song import Song
from app.services.kept_tables import KeptTables
from app.services.sayings_files import kept_model, read_manual, read_sayings

STRANGERS = json.loads((Path(__file__).parent / "sayings" / "strangers.json").read_text("utf-8"))


def model():  # type: ignore[no-untyped-def]
    reader = FeatureReader(language())
    return learned([(name, reader.of(text)) for name, text in (
        ("song.key", "what key is this in"), ("song.key", "is it minor or major"), ("song.key", "which scale is that"),
        ("song.tempo", "what bpm is this"), ("song.tempo", "how fast does it go"), ("song.tempo", "what is the tempo"),
    )])


def test_a_saying_is_most_like_the_examples_with_its_words() -> None:
    reader, found = FeatureReader(language()), model()
    for text, intent in (("is that a minor scale", "song.key"), ("which tempo does it have", "song.tempo")):
        scores = found.scores(reader.of(text))
        assert max(scores, key=lambda name: scores[name]) == intent


def test_words_that_nobody_said_make_a_saying_less_like_all() -> None:
    reader, found = FeatureReader(language()), model()
    plain, strange = (max(found.scores(reader.of(text)).values()) for text in (
        "what key", "what zyxel quux blorp key",
    ))
    assert strange < plain / 1.1


def test_every_intent_of_the_examples_is_known() -> None:
    """An intent with a slip in its name would be an aside, and its questions would go unanswered."""
    known = IntentReader(language()).model.intents
    clauses = {name: clause_of(name, "words", SentenceNames(("words",))) for name in known}
    lost = [name for name, one in clauses.items() if one == Reaction(frozenset({"aside"})) and name != "aside"]
    assert not lost
    assert len(known) > 200


def test_every_question_of_the_manual_has_its_entry() -> None:
    names = {one.name for one in read_manual(RESOURCES)}
    for intent in IntentReader(language()).model.intents:
        clause = clause_of(intent, "words", SentenceNames(("words",)))
        if isinstance(clause, Question) and clause.topic == "manual":
            assert clause.value in names


def test_the_manual_answers_in_whole_sentences() -> None:
    for entry in read_manual(RESOURCES):
        assert entry.answer.lstrip("“")[0].isalpha()
        assert entry.answer.endswith((".", "!", "?", "”", ")"))


@pytest.mark.parametrize("one", [one for one in STRANGERS if "read_as" in one], ids=lambda one: one["id"])
def test_what_strangers_asked_and_was_answered_rightly_is_read_so_still(one: dict[str, str]) -> None:
    found = read_message(one["text"], context(), language())
    parts = found.parts if isinstance(found, Several) else (found,)
    assert " + ".join(_said(part) for part in parts) in one["read_as"].split(" | ")


def _said(message: object) -> str:
    match message:
        case Question():
            more = message.value if message.topic == "manual" else message.action or ""
            return f"Question {message.topic} {more}".strip()
        case Command():
            return f"Command {message.name}"
        case Talk():
            return f"Talk {message.kind}"
    return type(message).__name__


@pytest.mark.parametrize(("text", "part"), [
    ("does anything i type in here leave my laptop", "leaves this computer"),
    ("can i record my guitar over this", "records nothing"),
    ("is there midi in for my keyboard", "takes no MIDI input"),
    ("will it load serum", "no VST"),
    ("do i owe you royalties when this gets on the radio", "nothing is owed"),
])
def test_questions_about_the_program_are_answered_from_the_manual(text: str, part: str) -> None:
    found = reply(text, context(), language())
    assert isinstance(found, Answered)
    assert part in found.answer.text


def test_of_an_empty_song_the_program_is_asked_beside_a_wish() -> None:
    text = "do i owe you royalties when it gets on the radio? my singer needs it lower"
    found = read_message(text, Context(Song(), palette()), language())
    parts = found.parts if isinstance(found, Several) else (found,)
    assert [type(part) for part in parts] in ([Request, Question], [Question, Request])


@pytest.mark.parametrize(("text", "name"), [
    ("stop stop STOP my ears", "stop"), ("just keep it going round and round while I chop onions", "loop"),
])
def test_what_is_only_heard_is_a_command_in_whatever_words(text: str, name: str) -> None:
    found = read_message(text, context(), language())
    assert isinstance(found, Command)
    assert found.name == name


@pytest.mark.parametrize(("text", "name"), [
    ("hvad har vi egentlig lavet om indtil nu?", "Danish"), ("ano po ang chords nito per measure", "Filipino"),
])
def test_further_languages_are_named(text: str, name: str) -> None:
    found = read_message(text, context(), language())
    assert isinstance(found, ForeignLanguage)
    assert found.name == name


@pytest.mark.parametrize("text", [
    "stop the drums at bar 8", "write a new song about the sea", "a techno loop, 4 bars", "solo piano piece",
    "give the second verse to the flute and keep the drums out", "add a shaker in the chorus, quietly",
    "something slow and warm for a film about the sea", "no drums until bar 9 please", "the hats are too loud",
    "could the bass be an octave lower in the bridge?",
])
def test_a_wish_stays_one(text: str) -> None:
    assert isinstance(read_message(text, context(), language()), Request)


def test_what_is_learned_is_kept_and_learned_anew_when_an_example_changes(tmp_path: Path) -> None:
    made: list[int] = []

    def make():  # type: ignore[no-untyped-def]
        made.append(1)
        return model()

    sayings = read_sayings(RESOURCES)
    first = kept_model(tmp_path, tmp_path / "made", sayings)(make)
    assert kept_model(tmp_path, tmp_path / "made", sayings)(make) == first
    assert len(made) == 1
    kept_model(tmp_path, tmp_path / "made", sayings, "another example")(make)
    assert len(made) == 2


def test_what_the_installation_brings_is_not_learned(tmp_path: Path) -> None:
    brought, cache = tmp_path / "brought", tmp_path / "cache"
    first = kept_model(brought, brought, "words")(model)
    assert kept_model(cache, brought, "words")(lambda: learned([("talk.praise", {"great": 1.0})])) == first
    assert not cache.exists()


def test_what_another_version_kept_is_learned_anew(tmp_path: Path) -> None:
    tables = KeptTables(tmp_path, "intents.msgpack")
    text = msgspec.json.encode((METHOD, "words")).decode()
    tables.of(text, lambda _: {"model": msgspec.msgpack.encode({"intents": 3})})
    tables.write()
    made = learned([("talk.thanks", {"thanks": 1.0})])
    assert kept_model(tmp_path, tmp_path / "made", "words")(lambda: made) == made
    assert kept_model(tmp_path, tmp_path / "made", "words")(lambda: made) == made
    other = learned([("talk.praise", {"great": 1.0})])
    assert kept_model(tmp_path, tmp_path / "made", "words")(lambda: other) == made, "it was kept"


@given(st.text(max_size=200))
def test_any_text_has_scores_within_bounds(text: str) -> None:
    scores = IntentReader(language()).scores(text, SentenceNames(()))
    assert all(-1.0 <= one <= 2.0 for one in scores.values())


@pytest.mark.parametrize(("text", "kind"), [
    ("thirty cubs, one tent, no stove. wish me luck", "luck"),
    ("well blimey, that's nicer than anything my old band ever recorded", "praise"),
    ("keep your fingers crossed for the inspection", "luck"),
    ("she said it reminds her of the seaside. forty years I have known her", "feeling"),
    ("my father loved that sort of thing, we played it at his funeral", "sorrow"),
    ("God bless you, I'm off to choir practice", "bye"),
    ("most of this computer stuff is garbage for a wedding. yours is fine", "praise"),
])
def test_what_orders_nothing_is_a_remark(text: str, kind: str) -> None:
    assert read_message(text, context(), language()) == Talk(kind, text)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", [
    "something sad for piano, short, my dog has died yesterday",
    "anyone ever flip this into dnb? do it. 174, chopped breaks, strings stay but the first 8 bars no drums",
    "wish the drums were softer", "my sister says it should be slower", "the strings were nicer an octave up",
    "something my grandfather would know, for two fiddles", "no reverb", "desert caravan at night",
    "the kids want more drums in the chorus", "dinner jazz", "the lead's gotta come in later",
])
def test_what_may_be_an_order_is_no_remark(text: str) -> None:
    assert not isinstance(read_message(text, context(), language()), Talk)


@pytest.mark.parametrize(("text", "topics"), [
    ("total running time, and does the tempo change anywhere?", ["length", "tempo"]),
    ("what key is it in, what time signature and how fast", ["key", "meter", "tempo"]),
    ("how loud is the bass, and does it rest anywhere?", ["loudness", "rests"]),
    ("how many bars is the chorus - and which chords does it have?", ["place", "chords"]),
    ("do the bass and the drums strike together?", None),
    ("is it swung or straight?", None),
    ("my title card lasts 8 seconds. what chord is that?", ["chords"]),
])
def test_each_question_of_a_sentence_is_read(text: str, topics: list[str] | None) -> None:
    found = read_message(text, context(), language())
    parts = found.parts if isinstance(found, Several) else (found,)
    assert all(isinstance(part, Question) for part in parts)
    read = [part.topic for part in parts if isinstance(part, Question)]
    assert len(read) == 1 if topics is None else read == topics


def test_a_second_question_is_about_the_place_of_the_first() -> None:
    found = read_message("who has the tune in the chorus, and how high does it go", context(), language())
    assert isinstance(found, Several)
    first, second = found.parts
    assert isinstance(first, Question)
    assert isinstance(second, Question)
    assert second.about.sections == first.about.sections != ()


def test_what_is_told_of_yesterday_is_no_wish() -> None:
    text = "yesterday the chorus had more weight. what is different in this version?"
    found = read_message(text, context(), language())
    assert isinstance(found, Question)
    assert found.topic == "changed"


@pytest.mark.parametrize(("text", "entry"), [
    ("is it ok to use it at our school play, do we need permission for it", "rights"),
    ("do we need a licence to play it to the care home", "rights.royalties"),
    ("will it open my old sibelius files", "other_programs.open"),
    ("where is the buffer, everything sounds late", "audio_device.buffer"),
])
def test_who_is_there_does_not_decide_what_is_asked(text: str, entry: str) -> None:
    found = read_message(text, context(), language())
    assert isinstance(found, Question)
    assert found.value.partition(".")[0] == entry.partition(".")[0]


@pytest.mark.parametrize("text", [
    "can I play the lead on a mandolin or does it go below my open G?",
    "i have a pile of old .tef files, will this open em",
])
def test_one_question_in_two_clauses_is_one(text: str) -> None:
    assert isinstance(read_message(text, context(), language()), Question)
