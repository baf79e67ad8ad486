"""Which part of a song is meant, and who is to play it: by hands, heights, voices, and all but some."""

from __future__ import annotations

import pytest

from agent.composer.changing.stage import tracks_of
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.operations import Double, Mix, Replace, Transpose
from agent.song.clip import Clip, Note
from agent.song.key import Key
from agent.song.song import Song
from agent.song.track import Track
from tests.agent.composer.doing import do, read

_BAR = 3840


def _track(name: str, instrument: str, pitch: int) -> Track:
    key = f"{name.casefold()}{pitch}"
    notes = tuple(Note(f"n{key}{at}", pitch + at % 3, at * 960, 900, 80) for at in range(16))
    return Track(f"t{key}", name, instrument, clips=(Clip(f"c{key}", name, 0, 4 * _BAR, notes),))


def _song(*tracks: tuple[str, str, int]) -> Song:
    return Song(key=Key("C"), tracks=tuple(_track(*one) for one in tracks))


SONGS = {
    "chorale": _song(("Soprano", "piano_grand", 72), ("Alto", "piano_grand", 65), ("Tenor", "piano_grand", 60),
                     ("Bass", "piano_grand", 48)),
    "rag": _song(("Piano", "piano_grand", 74), ("Piano", "piano_grand", 50)),
    "aria": _song(("Choir", "choir_aahs", 69), ("Piano", "piano_grand", 64), ("Piano", "piano_grand", 48)),
    "band": _song(("Rhodes", "piano_electric_grand", 57), ("Drums", "kit_jazz", 40), ("Bass", "bass_finger", 38),
                  ("Lead", "keys_vibraphone", 72), ("Brass", "brass_section", 60), ("Pad", "pad_warm", 62)),
}


def meant(bench, song: Song, text: str) -> list[tuple[str, list[str]]]:
    """Each task as its kind and the names, with the lowest pitch, of the tracks that it works on."""
    intent = read(text, Lexicon(bench.words, bench.styles, bench.palette, song), has_music=True)
    return [
        (type(task.operation).__name__, [
            f"{song.track(one).name} {song.track(one).clips[0].notes[0].pitch}"
            for one in tracks_of(task.operation.wish, song, bench.palette)
        ])
        for task in intent.tasks
    ]


@pytest.mark.parametrize(("song", "text", "tracks"), [
    ("rag", "RH a bit louder", ["Piano 74"]),
    ("rag", "the left hand should be softer", ["Piano 50"]),
    ("rag", "both hands quieter", ["Piano 74", "Piano 50"]),
    ("rag", "both pianos quieter", ["Piano 74", "Piano 50"]),
    ("chorale", "the inner voices quieter", ["Alto 65", "Tenor 60"]),
    ("chorale", "outer parts louder", ["Soprano 72", "Bass 48"]),
    ("chorale", "the lower three voices quieter", ["Alto 65", "Tenor 60", "Bass 48"]),
    ("chorale", "turn the men's voices down", ["Tenor 60", "Bass 48"]),
    ("chorale", "the sopranos louder", ["Soprano 72"]),
    ("chorale", "everything but the bottom line quieter", ["Soprano 72", "Alto 65", "Tenor 60"]),
    ("aria", "the singer louder", ["Choir 69"]),
    ("aria", "could the accompaniment be quieter", ["Piano 64", "Piano 48"]),
    ("band", "the vibes louder", ["Lead 72"]),
    ("band", "the keys should be softer", ["Rhodes 57"]),
    ("band", "the horns quieter", ["Brass 60"]),
    ("band", "turn down the low end", ["Bass 38"]),
    ("band", "all but the drums and the bass quieter", ["Rhodes 57", "Lead 72", "Brass 60", "Pad 62"]),
    ("band", "the pad thing a bit louder", ["Pad 62"]),
])
def test_a_part_is_found_by_what_people_call_it(bench, song, text, tracks):
    assert meant(bench, SONGS[song], text) == [("Mix", tracks)]


@pytest.mark.parametrize(("song", "text"), [
    ("chorale", "the other two quieter, the soprano louder"), ("band", "everything else quieter"),
    ("chorale", "the left hand louder"), ("band", "the singer louder"),
])
def test_what_names_no_part_of_this_song_is_done_to_none(bench, song, text):
    words = Lexicon(bench.words, bench.styles, bench.palette, SONGS[song])
    done = [task.operation for task in read(text, words, has_music=True).tasks]
    assert [one for one in done if isinstance(one, Mix) and one.by < 0] == []
    assert "the soprano" in text or done == []


def test_another_instrument_of_the_family_is_not_taken_for_the_one_named(bench):
    song = _song(("Oboe", "woodwind_oboe", 72), ("Piano", "piano_grand", 55))
    intent = read("the flute louder", Lexicon(bench.words, bench.styles, bench.palette, song), has_music=True)
    _, changed = do(bench, song, intent.tasks[0])
    assert changed.blocked
    assert "the song has no flute; it has Oboe, Piano" in str(changed.blocked)


@pytest.mark.parametrize(("song", "text", "players"), [
    ("chorale", "top part on recorder please", {"Soprano 72": "recorder"}),
    ("chorale", "can the sopranos be a flute", {"Soprano 72": "flute"}),
    ("chorale", "Soprano on oboe, alto on clarinet and tenor on horn",
     {"Soprano 72": "oboe", "Alto 65": "clarinet", "Tenor 60": "horn"}),
    ("chorale", "make the lower two voices a cello and a bassoon respectively",
     {"Tenor 60": "cello", "Bass 48": "bassoon"}),
    ("rag", "RH goes to a string section", {"Piano 74": "strings"}),
    ("rag", "put the left hand on tuba and the right hand on banjo", {"Piano 50": "tuba", "Piano 74": "banjo"}),
    ("rag", "let's hear the whole thing on harpsichord", {"Piano 74": "harpsichord", "Piano 50": "harpsichord"}),
    ("aria", "have a cello play the vocal line", {"Choir 69": "cello"}),
    ("aria", "the accompaniment on harpsichord", {"Piano 64": "harpsichord", "Piano 48": "harpsichord"}),
    ("band", "swap the Rhodes for a real piano", {"Rhodes 57": "piano"}),
    ("band", "instead of the vibes a flute", {"Lead 72": "flute"}),
    ("band", "put brushes on the drums", {"Drums 40": "brushes"}),
    ("aria", "take the singer away and give her line to a violin", {"Choir 69": "violin"}),
])
def test_a_part_is_given_to_the_player_that_was_named(bench, song, text, players):
    there = SONGS[song]
    tasks = read(text, Lexicon(bench.words, bench.styles, bench.palette, there), has_music=True).tasks
    assert all(isinstance(task.operation, Replace) for task in tasks)
    assert {
        f"{there.track(track).name} {there.track(track).clips[0].notes[0].pitch}": task.operation.by.label
        for task in tasks for track in tracks_of(task.operation.wish, there, bench.palette)
    } == players


def test_notes_that_a_player_cannot_reach_are_moved_and_that_is_said(bench):
    song = SONGS["rag"]
    draft = bench.draft("the right hand on tuba", song)
    pitches = [note.pitch for note in bench.song(draft, song).tracks[0].clips[0].notes]
    assert pitches == [note.pitch - 24 for note in song.tracks[0].clips[0].notes]
    assert any("2 octaves down" in step.why for step in draft.steps)


@pytest.mark.parametrize(("text", "expected"), [
    ("horns 8vb", Transpose), ("double the horns an octave below with trombones", Double),
    ("flute in unison with the lead", Double), ("a cello under the tune", None),
])
def test_octaves_and_doublings_in_a_players_words(bench, text, expected):
    words = Lexicon(bench.words, bench.styles, bench.palette, SONGS["band"])
    done = [task.operation for task in read(text, words, has_music=True).tasks]
    assert len(done) == 1
    if expected is Transpose:
        assert isinstance(done[0], Transpose)
        assert done[0].semitones == -12
    else:
        assert type(done[0]).__name__ == ("Double" if expected is Double else "Add")


@pytest.mark.parametrize(("text", "instrument"), [
    ("use a nicer bass sound", True), ("change the bass patch", True), ("use a warmer bass sound", False),
])
def test_another_sound_is_another_instrument_of_the_family_and_a_warmer_one_the_same(bench, text, instrument):
    song = SONGS["band"]
    after = bench.song(bench.draft(text, song), song)
    track, was = after.tracks[2], song.tracks[2]
    assert (track.instrument != was.instrument) == instrument
    assert (track.name, track.clips, len(after.tracks)) == (was.name, was.clips, len(song.tracks))


def test_a_section_does_not_go_with_one_of_its_players(bench):
    words = Lexicon(bench.words, bench.styles, bench.palette, SONGS["band"])
    task = read("remove the french horns", words, has_music=True).tasks[0]
    assert tracks_of(task.operation.wish, SONGS["band"], bench.palette) == ()
    louder = read("the french horns louder", words, has_music=True).tasks[0]
    assert tracks_of(louder.operation.wish, SONGS["band"], bench.palette) == (SONGS["band"].tracks[4].id,)


def test_a_solo_is_no_order_to_silence_all_others(bench):
    words = Lexicon(bench.words, bench.styles, bench.palette, SONGS["band"])
    assert [type(task.operation) for task in read("the vibes solo louder", words, has_music=True).tasks] == [Mix]
    assert read("a double bass solo", words, has_music=True).tasks == ()
