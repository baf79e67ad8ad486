"""Who plays: sounds given to parts that exist, in lists and to groups of players, with every note as it is."""

from __future__ import annotations

import pytest

from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.operations import Add, Remove, Replace
from agent.composer.understanding.sentences import told
from agent.composer.understanding.tasks import Task
from agent.song import edits as e
from agent.song.apply import apply_all
from agent.song.ids import ClipId, Kind, NoteId, TrackId, derive
from agent.song.song import Song
from agent.song.time import Ticks
from tests.agent.composer.doing import do, read

BEAT = 960
VOICES = {"Soprano": (72, 74, 76), "Alto": (67, 69, 69), "Tenor": (60, 62, 60), "Bass": (48, 50, 45)}


@pytest.fixture(scope="module")
def chorale() -> Song:
    """Three chords for four voices, all on a piano."""
    edits: list[e.Edit] = [e.SetTempo(bpm=90.0), e.SetKey(tonic="C", mode="major")]
    for name, pitches in VOICES.items():
        track = TrackId(derive(Kind.TRACK, name))
        edits.append(e.CreateTrack(track_id=track, name=name, instrument="piano_grand"))
        notes = tuple(
            e.NoteSpec(pitch, Ticks(n * BEAT), Ticks(BEAT), 80, NoteId(derive(Kind.NOTE, name, n)))
            for n, pitch in enumerate(pitches)
        )
        edits.append(e.CreateMidiClip(
            clip_id=ClipId(derive(Kind.CLIP, name)), track_id=track, start_time=Ticks(0), duration=Ticks(3840),
            notes=notes, name=name,
        ))
    return apply_all(Song(name="Chorale"), edits)


@pytest.fixture(scope="module")
def lexicon(bench, chorale) -> Lexicon:
    return Lexicon(bench.words, bench.styles, bench.palette, chorale)


def given(request: str, lexicon: Lexicon) -> list[tuple[str, str]]:
    """Part and player of each task; nothing of the request may be told."""
    intent = read(request, lexicon, has_music=True)
    assert [one.text for one in intent.clauses if one.outcome == "told"] == []
    return [
        (task.operation.wish.label.casefold(), task.operation.by.label)
        for task in intent.tasks if isinstance(task.operation, Replace)
    ]


STRINGS = [("soprano", "violin"), ("alto", "violin"), ("tenor", "viola"), ("bass", "cello")]
BRASS = [("soprano", "trumpet"), ("alto", "trumpet"), ("tenor", "trombone"), ("bass", "tuba")]


@pytest.mark.parametrize(
    ("text", "players"),
    [
        ("S and A = violins, tenor = viola, bass = cello", STRINGS),
        ("S -> violin, A -> violin, T -> viola, B -> vc.", STRINGS),
        ("sopranos and altos on violins, tenors on viola and the basses on cello", STRINGS),
        ("could you score this for string quartet please?", STRINGS),
        ("give the soprano and the alto to trumpets, tenor to a trombone, bass to a tuba, don't change a note", BRASS),
        ("trumpets on soprano and alto, trombone on tenor, tuba on the bass. Keep the notes as they are", BRASS),
        ("arrange it for brass quartet minus the horn: trumpets on soprano and alto, trombone on tenor, tuba on bass",
         BRASS),
        ("flute takes the soprano, clarinet plays the alto and bassoon the bass",
         [("soprano", "flute"), ("alto", "clarinet"), ("bass", "bassoon")]),
        ("set it for flute, oboe, clarinet and bassoon, please",
         [("soprano", "flute"), ("alto", "oboe"), ("tenor", "clarinet"), ("bass", "bassoon")]),
        ("could the soprano be swapped with a flute and bass with a tuba", [("soprano", "flute"), ("bass", "tuba")]),
        ("replace the piano by a harp for all four voices", [("piano", "harp")]),
        ("T and B on trombones, S and A on trumpets, tempo 72. Pitches and voicing must not be altered.",
         [("tenor", "trombone"), ("bass", "trombone"), ("soprano", "trumpet"), ("alto", "trumpet")]),
        ("make the soprano a fuzz guitar and the bass a tuba", [("soprano", "distorted guitar"), ("bass", "tuba")]),
    ],
)
def test_parts_and_players_stand_side_by_side_in_any_order(text, players, lexicon):
    assert given(text, lexicon) == players


@pytest.mark.parametrize(
    "text", ["swap the piano sound for something choir-ish", "can it sound like a choir instead of a piano"]
)
def test_all_that_sound_alike_change_together(text, bench, chorale, lexicon):
    assert given(text, lexicon) == [("piano", "choir")]
    after, changed = do(bench, chorale, read(text, lexicon, has_music=True).tasks[0])
    assert not changed.blocked
    assert all(track.instrument.startswith("choir") for track in after.tracks)
    assert [track.clips for track in after.tracks] == [track.clips for track in chorale.tracks]


@pytest.mark.parametrize("text", ["score this for string quartet", "S and A = violins, T = viola, B = cello"])
def test_only_the_sounds_change(text, bench, chorale, lexicon):
    song = chorale
    for task in read(text, lexicon, has_music=True).tasks:
        song, changed = do(bench, song, task)
        assert not changed.blocked
    sounds = ["strings_violin", "strings_violin", "strings_viola", "strings_cello"]
    assert [track.instrument for track in song.tracks] == sounds
    assert [track.name for track in song.tracks] == list(VOICES)
    assert [track.clips for track in song.tracks] == [track.clips for track in chorale.tracks]


@pytest.mark.parametrize(
    "text",
    [
        "the flute and the soprano, they are lovely",
        "soprano and oboe",
        "let the flute take the soprano in bar 1, tenor only chords",
        "no trumpets on the soprano please",
    ],
)
def test_names_without_an_order_or_with_a_limit_give_nothing_away(text, lexicon):
    tasks = [told(task, 90) for task in read(text, lexicon, has_music=True).tasks]
    assert all("tenor" not in one and "every note as it is" not in one for one in tasks)


def test_what_is_handed_on_is_not_deleted(bench, sample):
    words = Lexicon(bench.words, bench.styles, bench.palette, sample)
    (task,) = read("lose the lead, give the tune to a violin", words, has_music=True).tasks
    assert isinstance(task.operation, Replace)
    (task,) = read("I'd like to play this with my accordion, so you replace the lead by an accordion", words,
                   has_music=True).tasks
    assert isinstance(task, Task)
    assert not isinstance(task.operation, Add | Remove)


def test_a_player_points_back_at_the_part_that_was_named(lexicon):
    tasks = read("take the soprano away from the piano and hand it to an oboe, an octave up", lexicon,
                 has_music=True).tasks
    assert [task.operation.wish.label for task in tasks] == ["piano", "piano"]
    assert isinstance(tasks[0].operation, Replace)


def test_who_is_not_in_the_band_goes_with_all_that_sound_so(bench, chorale, lexicon):
    (task,) = read("theres no piano in my band", lexicon, has_music=True).tasks
    assert isinstance(task.operation, Remove)
    assert task.operation.wish.tracks == ()
    assert task.operation.wish.families == ("piano",)
