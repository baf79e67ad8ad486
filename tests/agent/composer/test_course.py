"""A new piece goes on in time as its request tells: stages with lengths, players, dynamics, keys and tempi."""

from __future__ import annotations

from statistics import mean

import pytest

from agent.composer.changing.hearing.listening import roles_of
from agent.song.song import Section, Song
from agent.theory.gate import findings
from agent.theory.sounding import sounding


def lengths(song: Song) -> list[int]:
    return [song.bar_map.count(section.end) - song.bar_map.count(section.start) for section in song.sections]


def playing(song: Song, section: Section) -> set[str]:
    heard = {note.track for note in sounding(song) if section.start <= note.start < section.end}
    return {track.name for track in song.tracks if track.id in heard}


def loudness(song: Song, section: Section) -> float:
    return mean(note.velocity for note in sounding(song) if section.start <= note.start < section.end)


def classes(song: Song, section: Section) -> set[int]:
    return {note.pitch % 12 for note in sounding(song) if section.start <= note.start < section.end - 3840}


def test_sections_with_lengths_and_players(bench):
    song = bench.compose(
        "synthwave at 100: 4 bar intro with just the pads, 16 bar drop, 8 bar breakdown, 16 bar second drop, "
        "4 bar outro"
    )
    assert lengths(song) == [4, 16, 8, 16, 4]
    (pad,) = playing(song, song.sections[0])
    assert pad.endswith("pad")
    assert len(playing(song, song.sections[1])) > 3


def test_soft_and_then_loud(bench):
    song = bench.compose("a piece about a kitten who tiptoes around and then suddenly a really loud dog comes")
    first, second = song.sections
    assert loudness(song, second) > loudness(song, first) + 30


def test_phases_have_their_own_tempo_key_and_players(bench):
    song = bench.compose(
        "Phase 1: 8 bars, A minor, 100 BPM, strings and timpani, no choir yet. "
        "Phase 2: 130 BPM, up a minor third, the choir comes in."
    )
    first, second = song.sections
    assert [round(tempo.bpm) for tempo in song.tempos][:2] == [100, 130]
    assert song.tempos[1].at == second.start
    assert "Choir" not in playing(song, first)
    assert "Choir" in playing(song, second)
    assert classes(song, first) <= {9, 11, 0, 2, 4, 5, 7, 8}
    assert classes(song, second) <= {0, 2, 3, 5, 7, 8, 10, 11}
    assert {3, 10} & classes(song, second)


def test_players_join_after_seconds_and_one_is_left(bench):
    song = bench.compose(
        "two minutes: begin with a solo flute; after thirty seconds a harp and strings join; "
        "finally only the flute is left"
    )
    seconds = song.tempo_map.seconds(song.end)
    assert 105 <= seconds <= 135
    first, *_, last = song.sections
    assert playing(song, first) == playing(song, last) == {"Flute"}
    joined = song.tempo_map.seconds(song.sections[1].start)
    assert 24 <= joined <= 36
    assert {"Harp", "Strings"} <= playing(song, song.sections[1])


def test_layers_enter_one_by_one_and_silence_ends_it(bench):
    song = bench.compose("tension cue, 60 seconds, low strings, one layer at a time, and silence for the last two bars")
    counts = [len(playing(song, section)) for section in song.sections]
    assert counts[:-1] == sorted(set(counts[:-1]))
    assert counts[0] == 1
    assert counts[-1] == 0
    assert lengths(song)[-1] == 2
    assert song.bars == sum(lengths(song))


def test_the_theme_comes_in_the_relative_minor_and_goes_home(bench):
    song = bench.compose(
        "for oboe and harp, F major: the theme is heard, the second time in the relative minor, before coming home"
    )
    first, second, third = song.sections
    told = [note.pitch % 12 for note in sounding(song) if first.start <= note.start < first.end]
    assert sum(one in {5, 7, 9, 10, 0, 2, 4} for one in told) >= 0.95 * len(told), "but for a chord that leads on"
    assert song.key.tonic == "F"
    assert {note.pitch % 12 for note in sounding(song) if note.start == second.start} <= {2, 5, 9}
    home = {song.key.pitch_class, (song.key.pitch_class + 4) % 12, (song.key.pitch_class + 7) % 12}
    last = {note.pitch % 12 for note in sounding(song) if note.start >= third.end - 1920}
    assert last <= home
    assert findings(song, bench.palette) == ()


def test_nothing_is_louder_than_said(bench):
    song = bench.compose("a waltz for clarinet and piano, never louder than mezzo-piano")
    assert max(note.velocity for note in sounding(song)) <= 64


def test_a_solo_before_the_others_come_in(bench):
    song = bench.compose("jazz for piano, double bass and drums. solo piano intro for 8 bars before the others come in")
    assert lengths(song)[0] == 8
    assert all(name.startswith("Piano") for name in playing(song, song.sections[0]))
    assert {"Double bass", "Drums"} <= playing(song, song.sections[1])


def test_a_piece_that_gets_faster_and_louder(bench):
    song = bench.compose("a piano piece that gets faster and faster and louder and louder")
    tempi = [tempo.bpm for tempo in song.tempos]
    assert tempi == sorted(tempi)
    assert tempi[-1] > tempi[0] * 1.2
    half = song.end // 2
    early = [note.velocity for note in sounding(song) if note.start < half]
    late = [note.velocity for note in sounding(song) if half <= note.start < song.end - 3840]
    assert mean(late) > mean(early) + 8


def test_a_refusal_behind_the_last_stage_holds_for_all(bench):
    song = bench.compose("rock, 8 bars of solo guitar, then the band kicks in, no organ please")
    assert not any(track.instrument.startswith("organ") for track in song.tracks)


def test_a_stated_length_that_the_stages_contradict_is_asked(bench):
    question = bench.question("techno, 32 bars: 16 bar intro with pads only, 16 bar drop, 8 bar outro")
    assert "40" in question.text
    assert "32" in question.text
    assert any("40 bars" in choice.request for choice in question.choices)


@pytest.mark.parametrize(
    "request_text", ["a lofi beat, 40 bars", "house with an 8 bar intro", "indie, verse 16, chorus 16, 120 bpm"]
)
def test_a_plain_request_tells_no_course(bench, request_text):
    assert not any(line.startswith("stage ") for line in bench.draft(request_text).understood)


@pytest.mark.parametrize(
    ("request_text", "stages"),
    [
        ("Opening: quiet. Middle: the storm. Ending: calm again. Strings and timpani.", 3),
        ("the bass is alone for the first 4 bars, the piano joins at bar 5 and the drums at bar 9, jazz", 3),
        ("16 bars of solo harpsichord, 16 bars with strings, 16 bars tutti, all in D minor", 3),
        ("phase one 12 bars soft strings, phase two 12 bars loud brass, phase three back to phase one", 3),
        ("techno, intro 16 bars, then hats, break at bar 33, 64 bars", 3),
        ("first slowly, then much faster, at the end slowly again, for accordion and violin", 3),
    ],
)
def test_stages_are_told_in_many_ways(bench, request_text, stages):
    said = [line for line in bench.draft(request_text).understood if line.startswith("stage ")]
    assert len(said) == stages, said


def test_a_player_whom_no_stage_names_still_plays(bench):
    song = bench.compose("for oboe, harp and strings. The oboe enters alone; the strings follow after eight bars.")
    assert playing(song, song.sections[0]) == {"Oboe"}
    assert {track.name for track in song.tracks} == {"Oboe", "Harp", "Strings"}


def test_a_bar_of_silence_is_no_length_of_the_piece(bench):
    song = bench.compose("rock, one minute, stop for one bar before the last chorus")
    assert 51 <= song.tempo_map.seconds(song.end) <= 69


def test_a_piece_lasts_as_long_as_was_asked(bench):
    for request in ("a calm piano piece, 20 seconds", "jazz, 75 seconds", "a sad cello piece, two minutes"):
        draft = bench.draft(request)
        asked = [ask for ask in draft.asks if ask.measure == "seconds"]
        after = bench.song(draft)
        assert len(asked) == 2
        assert asked[0].value <= after.tempo_map.seconds(after.end) <= asked[1].value


@pytest.mark.parametrize(
    ("request_", "entrances"),
    [
        (
            "in D minor, 32 bars: bars 1-8 solo piano, cello comes in at 9, strings join at bar 17",
            {"Piano": 1, "Cello": 9, "Strings": 17},
        ),
        (
            "rock at 120, 32 bars, guitar alone for bars 1 to 4, bass enters at 5, drums come in at 9",
            {"Guitar": 1, "Bass": 5, "Drums": 9},
        ),
        (
            "ambient, 48 bars: pads only in bars 1-16, choir joins at 33, harp comes in at bar 17",
            {"Harp": 17, "Choir": 33},
        ),
    ],
)
def test_players_come_in_at_their_bars(bench, request_, entrances):
    song = bench.compose(request_)
    for name, bar in entrances.items():
        tracks = {track.id for track in song.tracks if track.name.startswith(name)}
        assert min(song.bar_map.bar_at(note.start) for note in sounding(song) if note.track in tracks) == bar
        assert any(song.bar_map.bar_at(section.start) == bar for section in song.sections)


def test_sections_begin_at_their_bars(bench):
    song = bench.compose("house at 124: 16 bars intro, drop at 17, breakdown at 33, second drop at 49, 64 bars")
    assert [song.bar_map.bar_at(section.start) for section in song.sections] == [1, 17, 33, 49]
    assert [tempo.bpm for tempo in song.tempos] == [124]
    assert sum(lengths(song)) == 64


@pytest.mark.parametrize(
    ("request_", "bars"),
    [
        ("film cue, D minor, 32 bars. solo violin for 8 bars, then strings enter softly, then loud", [8, 12, 12]),
        ("reggae, 32 bars, bass and drums 8 bars, then organ, then guitar, then trumpet", [8, 8, 8, 8]),
        (
            "house 124 bpm, 64 bars: 16 bars just kick and hats, then bass joins, then chords, then breakdown without "
            "drums", [16, 16, 16, 16],
        ),
        ("trance, 64 bars, break at bar 33 with no drums, drop at bar 49 with everything", [32, 16, 16]),
        ("battle music, 24 bars, timpani at bar 1, brass at bar 9, choir at bar 17", [8, 8, 8]),
        ("techno, 32 bars, at bar 17 the drums drop out for 4 bars and then come back", [16, 4, 12]),
    ],
)
def test_the_length_of_a_stage_is_none_of_the_piece(bench, request_, bars):
    assert lengths(bench.compose(request_)) == bars


def test_stages_are_called_by_letters(bench):
    song = bench.compose("two sections, A without drums, B with drums, chiptune at 120")
    first, second = song.sections
    assert (first.name, second.name) == ("A", "B")
    assert "Noise" not in playing(song, first)
    assert "Noise" in playing(song, second)
    assert [round(tempo.bpm) for tempo in song.tempos] == [120]


def test_what_stands_before_the_end_is_said_of_it(bench):
    song = bench.compose("cinematic, 32 bars, quiet at the beginning and very loud at the end")
    assert loudness(song, song.sections[-1]) > loudness(song, song.sections[0]) + 30


def test_an_opening_of_which_nothing_is_said_is_no_introduction(bench):
    song = bench.compose("rock, 140 bpm, 16 bars, last 4 bars half the tempo")
    assert {"Drums", "Bass"} <= playing(song, song.sections[0])


@pytest.mark.parametrize(
    ("request_", "starts", "seconds"),
    [
        (
            "film cue, 1:00 long, 60 bpm. 0:00-0:20 solo piano. 0:20 strings creep in. at 0:40 the drums join.",
            [0, 20, 40], 60,
        ),
        ("ambient, 2:00, 60 bpm, piano. from 0:40 to 1:20 the strings join, from 1:20 the choir", [0, 40, 80], 120),
    ],
)
def test_clocks_say_when_stages_begin_and_how_long_all_of_it_lasts(bench, request_, starts, seconds):
    song = bench.compose(request_)
    times = [song.tempo_map.seconds(section.start) for section in song.sections]
    assert times == pytest.approx(starts, abs=4)
    assert song.tempo_map.seconds(song.sections[-1].end) == pytest.approx(seconds, rel=0.1)


@pytest.mark.parametrize(
    ("request_", "role", "first"),
    [
        ("16 bar house loop at 124: drums, bass, chords. bass only comes in from bar 9", "bass", 9),
        ("techno, 32 bars: kick, hats, bass, pad. pad from bar 25", "pad", 25),
        ("berlin school, 32 bars: bass sequence, choir pad from bar 9, a slow lead from bar 17, no drums", "lead", 17),
    ],
)
def test_who_is_named_in_the_band_waits_for_the_bar_that_is_said(bench, request_, role, first):
    song = bench.compose(request_)
    roles = roles_of(song, bench.palette)
    own = {track.id for track in song.tracks if roles[track.id] == role or role in track.name.casefold()}
    bars = {int(song.bar_map.bar_at(note.start)) for note in sounding(song) if note.track in own}
    assert min(bars) in (first, first + 1)


def test_the_pace_of_a_player_is_none_of_the_piece(bench):
    song = bench.compose("berlin school, 118 bpm, 32 bars: bass, choir pad from bar 9, a slow lead from bar 17")
    assert {round(tempo.bpm) for tempo in song.tempos if tempo.at <= song.sections[-1].start} == {118}


def test_one_more_part_comes_in_every_so_many_bars(bench):
    song = bench.compose(
        "a piece for marimba, xylophone, vibraphone and glockenspiel. "
        "Start with the marimba on its own and then add one part every 4 bars"
    )
    assert lengths(song)[:3] == [4, 4, 4]
    assert [len(playing(song, section)) for section in song.sections] == [1, 2, 3, 4]
