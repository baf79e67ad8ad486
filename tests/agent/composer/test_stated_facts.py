"""What the words of a new piece state: keys and tempi in many notations, lengths, voices, and who plays where."""

from __future__ import annotations

import pytest
from style_parts import track_of

from agent.theory.sounding import sounding


def bars_of(song, name):
    """The bars in which the tracks of that name, or of that part, play."""
    part = track_of(song, name)
    tracks = {track.id for track in song.tracks if track.name.startswith(name) or track == part}
    return {int(song.bar_map.bar_at(note.start)) for note in sounding(song) if note.track in tracks}


def pitches_of(song, name):
    """The pitches of the track of that name."""
    track = track_of(song, name).id
    return [note.pitch for note in sounding(song) if note.track == track]


@pytest.mark.parametrize(
    ("request_", "tonic", "mode"),
    [
        ("a waltz in re minor for accordion, 16 bars", "D", "minor"),
        ("a slow piano piece in si bemol major, 8 bars", "Bb", "major"),
        ("a low drone on E, one minute", "E", None),
        ("a calm guitar piece, nothing minor, 8 bars", None, "major"),
        ("a ballad in H moll, 8 bars", "B", "minor"), ("a waltz in As-Dur, 8 bars", "Ab", "major"),
        ("pop in b-moll, 8 bars", "Bb", "minor"), ("rock in B-Dur, 8 bars", "Bb", "major"),
        ("rock in B, 8 bars", "B", "major"), ("folk in Es, 8 bars", "Eb", None),
        ("techno in Cis minor, 8 bars", "C#", "minor"),
        ("a string quartet in F major, moving to the relative minor, 16 bars", "F", "major"),
    ],
)
def test_a_key_is_read_however_it_is_named(bench, request_, tonic, mode):
    key = bench.compose(request_).key
    assert tonic in (None, key.tonic)
    assert mode in (None, key.mode)


@pytest.mark.parametrize(
    ("request_", "bpm"),
    [
        ("a duo for two trumpets, noire = 112, 8 bars", 112),
        ("a waltz for clarinet, the black at 172, 16 bars", 172),
        ("jazz at 95 for my dad, he is 66, 8 bars", 95),
    ],
)
def test_a_tempo_is_no_age_and_has_many_names(bench, request_, bpm):
    assert bench.compose(request_).tempos[0].bpm == bpm


def test_an_age_alone_sets_no_tempo(bench):
    assert not any("81" in said for said in bench.draft("a piano piece for my aunt, she is 81, 8 bars").understood)


@pytest.mark.parametrize(
    ("request_", "low", "high"),
    [
        ("a boss fight, really fast", 150, 200), ("a chase for strings, super fast", 150, 200),
        ("something fast for piano", 138, 172), ("something really slow for cello", 40, 62),
    ],
)
def test_fast_is_fast_where_no_style_is_named(bench, request_, low, high):
    assert low <= bench.compose(request_).tempos[0].bpm <= high


def test_minutes_and_bare_seconds_are_one_length(bench):
    song = bench.compose("a pop song, 1 min 40")
    assert abs(song.tempo_map.seconds(song.bar_map.start_of(song.bars + 1)) - 100) < 6


def test_the_voices_of_a_choir_are_lines_in_their_ranges(bench):
    song = bench.compose("a gentle piece for SATB choir in G, 16 bars, tenors not above E, sopranos not above F")
    assert [track.name for track in song.tracks] == ["Soprano", "Alto", "Tenor", "Bass"]
    middle = [sum(pitches_of(song, track.name)) / len(pitches_of(song, track.name)) for track in song.tracks]
    assert middle == sorted(middle, reverse=True)
    assert max(pitches_of(song, "Tenor")) <= 64
    assert max(pitches_of(song, "Soprano")) <= 77
    for track in song.tracks:
        starts = [note.start for note in sounding(song) if note.track == track.id]
        assert len(starts) == len(set(starts))


@pytest.mark.parametrize(
    ("request_", "name", "plays"),
    [
        ("a soul song in C, verse chorus bridge chorus. brass only from the bridge on", "Horns", range(17, 33)),
        ("a ballad for tenor sax, brass and piano, 32-bar AABA. No brass before the bridge.", "Brass", range(17, 33)),
        ("a pop song, intro verse chorus verse chorus. strings only in the choruses", "Strings",
         [*range(13, 21), *range(29, 37)]),
    ],
)
def test_a_part_plays_only_where_it_is_to(bench, request_, name, plays):
    found = bars_of(bench.compose(request_), name)
    assert found <= set(plays)
    assert len(found) > len(plays) * 0.8


def test_a_drum_drops_out_for_its_bars(bench):
    song = bench.compose("house at 124, 32 bars, the kick drops out 17-20 then slams back in")
    kicks = {
        int(song.bar_map.bar_at(note.start)) for note in sounding(song)
        if note.pitch == 36 and song.track(note.track).name == "Drums"
    }
    assert not kicks & {17, 18, 19, 20}
    assert {16, 21} & kicks


def test_what_follows_a_list_of_sections_is_said_of_all_of_them(bench):
    song = bench.compose("rock, verse chorus verse chorus. Guitar, bass and drums. A minor")
    assert str(song.key) == "A minor"
    assert bars_of(song, "Bass") == set(range(1, song.bars + 1))


def test_a_tempo_goes_steadily_from_one_to_the_other(bench):
    song = bench.compose("a piece for clarinet and piano, 24 bars, begins at 66 and accelerates steadily to 132")
    tempi = [change.bpm for change in song.tempos]
    assert (tempi[0], tempi[-1]) == (66, 132)
    assert tempi == sorted(tempi)


def test_a_form_of_letters_has_the_keys_that_are_said_of_its_parts(bench):
    song = bench.compose("a piece for oboe and piano, ABA, A in G major, B in the relative minor, about 24 bars")
    names = [section.name for section in sorted(song.sections, key=lambda one: one.start)]
    assert (song.bars, str(song.key), names) == (24, "G major", ["A", "B", "A 2"])
    first, again = (
        [(note.start % (8 * 3840), note.pitch) for note in sounding(song) if low <= note.start < low + 3 * 3840]
        for low in (0, 16 * 3840)
    )
    assert first == again


@pytest.mark.parametrize(
    ("request_", "roots"),
    [
        ("a blues in A for guitar, bass and drums, tempo 90, three choruses", {1: 9, 5: 2, 9: 4, 13: 9, 17: 2, 21: 4}),
        ("a short rock song, just D and G power chords, verse chorus verse chorus", {1: 2, 2: 7, 9: 2, 10: 7}),
    ],
)
def test_chords_that_custom_or_words_give_are_the_only_ones(bench, request_, roots):
    song = bench.compose(request_)
    bass = track_of(song, "Bass").id
    bars: dict[int, int] = {}
    for note in sounding(song):
        if note.track == bass:
            bars.setdefault(int(song.bar_map.bar_at(note.start + 120)), note.pitch % 12)
    assert {bar: bars[bar] for bar in roots} == roots


def test_no_change_of_harmony_leaves_one_chord(bench):
    song = bench.compose("a drone on D with bells, two minutes, no change of harmony")
    ground = track_of(song, "Ground").id
    assert {note.pitch % 12 for note in sounding(song) if note.track == ground} <= {2, 6, 9, 5}


def test_a_tune_that_exists_is_told_in_a_sentence(bench):
    draft = bench.draft("Jingle Bells, but as a slow waltz for accordion")
    assert any("I cannot play a tune that exists" in said for said in draft.ignored)


@pytest.mark.parametrize(
    ("request_", "instrument"),
    [
        ("a string quartet in C, the viola carries the tune", "strings_viola"),
        ("bossa nova in F, the nylon guitar has the tune, electric piano, bass and drums", "guitar_nylon"),
        ("a happy piece in D, trumpet has the melody", "brass_trumpet"),
    ],
)
def test_the_tune_is_with_whom_it_is_said_to_be(bench, request_, instrument):
    song = bench.compose(request_)
    own = [track for track in song.tracks if track.instrument == instrument]
    starts = [note.start for note in sounding(song) if note.track == own[0].id]
    assert len(own) == 1
    assert len(starts) == len(set(starts)) > song.bars


def test_a_sentence_behind_the_stages_is_about_all_of_them(bench):
    song = bench.compose("A film cue, 48 seconds. First only cello, after 16 seconds strings join. D minor")
    assert str(song.key) == "D minor"


@pytest.mark.parametrize(
    ("request_", "entrances"),
    [
        (
            "20 bars, D minor, turning to F major at m. 13. Solo flute mm. 1-6; harp enters m. 7; strings from m. 13.",
            {"Flute": 1, "Harp": 7, "Strings": 13},
        ),
        (
            "funk in E minor for drums, bass and guitar, one after the other: first drums, 4 bars later bass, 4 bars "
            "later guitar", {"Drums": 1, "Bass": 5, "Guitar": 9},
        ),
    ],
)
def test_players_come_in_at_their_measures_in_any_order(bench, request_, entrances):
    song = bench.compose(request_)
    assert {name: min(bars_of(song, name)) for name in entrances} == entrances


def test_a_story_tells_no_stage_and_a_reason_no_mood(bench):
    request = "a girl comes back to her village, piano and strings, nothing sad, it makes me sad"
    said = " ".join(bench.draft(request).understood)
    assert "as at the beginning" not in said
    assert "sadder" not in said


def test_the_middle_is_how_it_is_said_to_be(bench):
    said = bench.draft("solo piano, starts soft, gets bigger in the middle and then calms down").understood
    assert [one for one in said if one.startswith("stage")][1:] == ["stage 2: it builds", "stage 3: it fades"]


def test_a_drum_loop_is_drums_alone_and_a_guitar_only_one_guitar(bench):
    loop = bench.compose("a 4 bar trap drum loop at 140")
    assert {track.name for track in loop.tracks} == {"Drums"}
    waltz = bench.compose("a waltz for one guitar only, 16 bars, only with the chords Em, Am and B7")
    assert all(track.instrument.startswith("guitar") for track in waltz.tracks)


@pytest.mark.parametrize(
    "request_",
    [
        "a happy song, verse chorus verse chorus, 104 bpm, E major, guitar, bass, no drums until the first chorus",
        "strings for 8 bars, then piano joins, 24 bars, E major, 104 bpm",
        "ABA for solo guitar, A in E major, B in E minor, 3/4, 24 bars, at 104",
    ],
)
def test_figures_behind_a_comma_at_the_end_are_those_of_the_piece(bench, request_):
    song = bench.compose(request_)
    assert (str(song.key), song.tempos[0].bpm) == ("E major", 104)


def test_all_but_one_leave(bench):
    song = bench.compose("starts with strings and piano, at bar 9 everything drops out except the piano, 16 bars")
    assert {track.name.split()[0] for track in song.tracks if 9 in bars_of(song, track.name)} == {"Piano"}


def test_a_chorale_is_written_where_its_voices_are_named(bench):
    song = bench.compose("a chorale for SATB in D minor, 8 bars, the last chord major")
    assert [track.name for track in song.tracks] == ["Soprano", "Alto", "Tenor", "Bass"]


def test_a_refusal_for_bare_bars_is_none_for_all(bench):
    song = bench.compose("house at 124 in A flat minor, 32 bars, no drums 17-24")
    assert not bars_of(song, "Drums") & set(range(17, 25))
    assert bars_of(song, "Drums") & {16, 25}


def test_a_choir_is_its_voices_and_a_flat_key_stands_between_commas(bench):
    song = bench.compose("a hymn for our choir, SATB, unaccompanied, A flat, 8 bars")
    assert [track.name for track in song.tracks] == ["Soprano", "Alto", "Tenor", "Bass"]
    assert song.key.tonic == "Ab"


@pytest.mark.parametrize("request_", [
    "disco in G minor, start with 4 bars of just drums",
    "disco in G minor, start with 4 bars of just drums so he can talk, and end on a button, all together, no fade",
    "disco in G minor with bass, strings and drums. begin with only the drums for 4 bars",
])
def test_an_opening_is_played_before_the_band_and_is_not_the_whole_piece(bench, request_):
    song = bench.compose(request_)
    assert song.bars > 16
    first = {note.track for note in sounding(song) if song.bar_map.bar_at(note.start) <= 4}
    assert first == {track_of(song, "Drums").id}
    assert len({note.track for note in sounding(song)}) > 2


@pytest.mark.parametrize(("request_", "bars"), [
    ("pop, begin with 8 bars of piano, 24 bars in all", 24), ("start with 16 bars of lofi", 16),
    ("start with 4 bars of drums and bass", 4), ("4 bars of just drums", 4),
])
def test_bars_that_do_not_lead_to_more_are_the_length(bench, request_, bars):
    assert bench.compose(request_).bars == bars
