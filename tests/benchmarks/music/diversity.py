"""Diversity: how many different forms, progressions and melodies come of requests that do not ask for the same."""

from __future__ import annotations

from itertools import groupby, pairwise

from msgspec import Struct

from agent.song.song import Song
from agent.theory.melody import melody_line, melody_track
from tests.benchmarks.music.asking import Desk
from tests.benchmarks.music.identity import degrees

WITHOUT_STYLE = (
    "something for a rainy evening", "music for the end of a long day", "a piece in C minor", "play me something new",
    "a short instrumental", "something with piano and strings", "a happy tune", "a sad tune", "dark and slow",
    "bright and fast", "calm music to read by", "an energetic piece at 128 bpm", "a piece in 3/4",
    "something mysterious", "a song in D major", "music for a road at night", "90 bpm, with flute",
    "a romantic piece", "write a song with a big chorus", "something playful with bells",
)
"""Requests that name no style, so that nothing common is asked for."""
ONE_REQUEST, SEEDS = "a pop song in G major", range(1, 11)
FORMS, PROGRESSIONS, MELODIES = 8, 14, 10
"""Least numbers of different ones."""
_SHAPE = 32
"""Notes of a melody that are compared."""


class Diversity(Struct, frozen=True):
    """Different forms and progressions among the requests, and different melodies among the seeds."""

    requests: int
    answered: int
    forms: int
    progressions: int
    melodies: int
    seeds: int

    @property
    def missed(self) -> tuple[str, ...]:
        """Targets that are not reached."""
        pairs = (("forms", self.forms, FORMS), ("progressions", self.progressions, PROGRESSIONS),
                 ("melodies", self.melodies, MELODIES))
        return tuple(name for name, found, least in pairs if found < least)


def diversity(desk: Desk) -> Diversity:
    """Ask all of them; a question is answered with its first choice."""
    songs = [song for number, words in enumerate(WITHOUT_STYLE) if (song := _piece(desk, words, number + 1))]
    tunes = {melody_of(desk.ask(ONE_REQUEST, seed=seed).song, desk) for seed in SEEDS}
    return Diversity(
        len(WITHOUT_STYLE), len(songs), len({form_of(song) for song in songs}),
        len({progression_of(song, desk) for song in songs}), len(tunes), len(SEEDS),
    )


def form_of(song: Song) -> tuple[int, ...]:
    """The lengths of the sections in bars, whatever they are called."""
    return tuple(
        song.bar_map.bar_at(section.end) - song.bar_map.bar_at(section.start) for section in song.sections
    )


def progression_of(song: Song, desk: Desk) -> tuple[int | None, ...]:
    """The first four chords, as degrees without repeats, of the section that a quarter of the song lies in."""
    bar = 1 + song.bars // 4
    starts = [song.bar_map.bar_at(section.start) for section in song.sections]
    first = max((start for start in starts if start <= bar), default=1)
    return tuple(degree for degree, _ in groupby(degrees(song, desk.palette)[first - 1 :]))[:4]


def melody_of(song: Song, desk: Desk) -> tuple[int, ...]:
    """The first intervals of the melody."""
    singer = melody_track(song, desk.palette)
    line = melody_line(song, {singer}) if singer is not None else ()
    pitches = [note.pitch for note in line[:_SHAPE]]
    return tuple(b - a for a, b in pairwise(pitches))


def _piece(desk: Desk, words: str, seed: int) -> Song | None:
    answer = desk.ask(words, seed=seed)
    if answer.choice:
        answer = desk.ask(answer.choice, seed=seed)
    return None if answer.trouble else answer.song
