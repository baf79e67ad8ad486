"""Frames: clauses in an order that nobody wrote down are read by what they hold, and by all of it or not at all."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from agent.composer.styles import StyleError
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.sentences import told
from agent.song import edits as e
from agent.song.apply import apply_all
from agent.song.ids import Kind, SectionId, derive
from agent.song.time import Ticks
from app.services.style_files import read_vocabulary
from tests.agent.composer.doing import read

RESOURCES = Path(__file__).parents[3] / "resources"
BAR = 3840


@pytest.fixture(scope="module")
def lexicon(bench, sample) -> Lexicon:
    """The words about a song with a verse and a chorus of four bars each."""
    sections = [
        e.AddSection(
            section_id=SectionId(derive(Kind.SECTION, name)), name=name, start_time=Ticks(n * 4 * BAR),
            duration=Ticks(4 * BAR),
        )
        for n, name in enumerate(("Verse", "Chorus"))
    ]
    return Lexicon(bench.words, bench.styles, bench.palette, apply_all(sample, sections))


def tasks(request: str, lexicon: Lexicon) -> list[str]:
    intent = read(request, lexicon, has_music=True)
    return [told(task, 112) for task in intent.tasks]


@pytest.mark.parametrize(
    ("request_text", "asked"),
    [
        ("could the drums perhaps sit a bit further back", ["drums a little quieter"]),
        ("drums: more loud please, from bar 5", ["drums louder in bars 5-8"]),
        ("I wonder if the bass might be more prominent in the chorus", ["bass louder in the chorus"]),
        ("the volume of the bass should be lower by 3 dB", ["bass quieter by 3 dB"]),
        ("would you mind taking the bass down 2 dB", ["bass quieter by 2 dB"]),
        ("the drums need to go away in the verse", ["without drums in the verse"]),
        ("In the verse I don't want the drums anymore", ["without drums in the verse"]),
        ("hold the drums off until bar 5 please", ["drums only from bar 5"]),
        ("take the tempo down to about 96", ["tempo: exactly 96 BPM"]),
        ("a hair slower, 96 maybe", ["tempo: exactly 96 BPM"]),
        ("could everything go up by about a whole tone", ["2 semitones up"]),
        ("all the drums away in the verse please", ["without drums in the verse"]),
        ("the bass is overpowering everything", ["bass quieter"]),
        ("move everything a semitone lower", ["1 semitone down"]),
        ("the bass is too busy, thin it out", ["bass simpler"]),
        ("my kids find the drums too noisy, can they be turned down", ["drums quieter"]),
    ],
)
def test_a_clause_is_read_in_whatever_order_it_says_what_it_holds(lexicon, request_text, asked):
    intent = read(request_text, lexicon, has_music=True)
    assert [told(task, 112) for task in intent.tasks] == asked
    assert intent.ignored in ((), ("kids find the drums too noisy",))


@pytest.mark.parametrize(
    "request_text",
    [
        "the melody needs to come out in the chorus",
        "do nothing else with the drums",
        "I turned the drums down earlier",
        "never let the drums go away",
        "everything but the drums a bit further back",
        "the drums should wobble like jelly, a tad softer",
        "I love how the drums sit back in the verse",
    ],
)
def test_nothing_is_done_where_a_word_is_left_that_turns_what_is_said(lexicon, request_text):
    intent = read(request_text, lexicon, has_music=True)
    assert intent.tasks == ()
    assert intent.ignored


def test_a_form_that_explains_its_clause_is_left_as_it_is(lexicon):
    assert tasks("make the bass louder than the drums", lexicon) == ["bass louder than drums"]


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [('needs = ["key"]', 'needs = ["kee"]', "kee"), ('needs = ["steps"]', "needs = []", "lacks a slot"),
     ('operation = "rekey"', 'operation = "unkey"', "unkey")],
)
def test_a_broken_frame_is_named(tmp_path, old, new, named):
    shutil.copytree(RESOURCES / "language", tmp_path / "language")
    file = tmp_path / "language" / "english_frames.toml"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(StyleError) as caught:
        read_vocabulary(tmp_path)
    assert named in f"{caught.value.what} {caught.value.why}"


@pytest.mark.parametrize(
    ("request_text", "asked"),
    [
        ("I want the bass to be louder and the drums to be quieter", ["bass louder", "drums quieter"]),
        ("have the bass play an octave lower in the chorus", ["bass an octave down in the chorus"]),
        ("brighten the bass, mellow out the drums", ["bass brighter in sound", "drums warmer in sound"]),
        ("dry out the drums, widen the bass", ["less reverb on drums", "bass wider"]),
        ("tons of reverb on the bass", ["much more reverb on bass"]),
        ("warm the bass up, ease off the drums", ["bass warmer in sound", "drums quieter"]),
        ("make the drums go super loud", ["drums much louder"]),
        ("the drums get loud in the chorus", []),
        ("get the bass to be punchier", ["bass punchier"]),
        ("rough up the bass and let the drums play softly", ["more distortion on bass", "drums quieter"]),
        ("I'd prefer the bass to be on a tuba, and the drums to be softer", ["tuba instead of bass", "drums quieter"]),
        ("crank the drums, wash the bass in reverb", ["drums louder", "more reverb on bass"]),
    ],
)
def test_words_of_every_make_say_what_a_part_shall_be(request_text, asked, lexicon):
    assert tasks(request_text, lexicon) == asked


@pytest.mark.parametrize(
    ("request_text", "asked"),
    [
        ("the drums are waking up the baby! Can you take them out please", ["without drums"]),
        ("love the drums, make 'em louder", ["drums louder"]),
        ("put it in Em", ["key: E minor"]),
        ("kick up the tempo to 120", ["tempo: exactly 120 BPM"]),
        ("too much reverb on the bass, less please", ["much less reverb on bass"]),
        ("Bass: pp, from 5.", ["bass pp in bars 5-8"]),
        ("strip the chorus back to just the bass", ["only bass in the chorus"]),
        ("the drums please make silent", ["without drums"]),
        ("drums tacet bars 1-4", ["without drums in bars 1-4"]),
        ("più mosso from bar 5", ["faster: about 132 BPM in bars 5-8"]),
    ],
)
def test_short_hand_and_turned_order_say_where_and_what(request_text, asked, lexicon):
    assert tasks(request_text, lexicon) == asked
