"""Tune and bass beside people: the same figures on the composer's pieces and on songs that people made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean, median, pstdev
from types import MappingProxyType

from msgspec import Struct

from agent.song.palette import Palette
from agent.song.song import Song
from tests.benchmarks.music.asking import Desk
from tests.benchmarks.music.colours import chromatic, entropy, pitch_classes
from tests.benchmarks.music.diversity import form_of, progression_of
from tests.benchmarks.music.lines import Line, bass_of, parts_at_once, tune_of
from tests.benchmarks.music.new_pieces import NEW_PIECES

Figures = Mapping[str, float]
"""What was measured on a song, by the name of the figure; without a tune or a bass those figures are left out."""
LABELS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "different_bars": ("different bars in the tune", "share"),
    "different_figures": ("the same, moved bars alike", "share"),
    "hook": ("two bars of the tune that come back exactly", "times"),
    "hooks": ("songs with such a hook", "share of songs"),
    "phrase": ("phrase of the tune", "bars"),
    "phrase_spread": ("spread of its phrases", "bars"),
    "tied": ("bar lines that the tune is tied over", "share, mean"),
    "notes_a_bar": ("notes a bar in the tune", "notes"),
    "repeated": ("repeated notes in the tune", "share"),
    "chromatic": ("chromatic notes in the tune", "share"),
    "chromatic_all": ("chromatic notes in all", "share"),
    "pitch_classes": ("pitch classes a piece", "classes"),
    "h1": ("entropy of pitch classes over a bar", "bits"),
    "h4": ("the same over four bars", "bits"),
    "bass_steps": ("steps of the bass", "share"),
    "bass_bars": ("different bass bars", "share"),
    "bass_figures": ("the same, moved bars alike", "share"),
    "parts": ("parts at once", "tracks"),
})
SEEDED = ("a pop song", "a techno track", "a jazz trio", "a waltz", "a lofi beat", "a rock song")
"""Requests of which forms and progressions in ten seeds are counted."""
SEEDS = range(1, 11)


_MEANS = ("hooks", "tied")
"""Figures of which the mean says more than the median, since many songs have none."""


class Beside(Struct, frozen=True):
    """All figures in the middle for the composer's pieces and for people's songs, and how many of each there were.

    `forms` and `progressions` are the median of the different ones in ten seeds.
    """

    ours: Figures
    theirs: Figures
    pieces: int
    songs: int
    forms: float = 0.0
    progressions: float = 0.0


def figures_of(song: Song, palette: Palette) -> dict[str, float]:
    """All figures of a song."""
    found = {
        "chromatic_all": chromatic(song, palette), "pitch_classes": float(pitch_classes(song, palette)),
        "h1": entropy(song, palette, 1), "h4": entropy(song, palette, 4), "parts": parts_at_once(song),
    }
    tune, bass = tune_of(song, palette), bass_of(song, palette)
    if tune is not None:
        found |= {**_tune(tune), "chromatic": chromatic(song, palette, tune.notes)}
    if bass is not None:
        found |= {"bass_steps": bass.steps, "bass_bars": bass.different_bars, "bass_figures": bass.different_figures}
    return found


def medians(songs: Iterable[Figures]) -> Figures:
    """The median of each figure over the songs that have it; of few the mean, as a share of songs is one."""
    each = list(songs)
    by_name = {name: [one[name] for one in each if name in one] for name in LABELS}
    return {
        name: (fmean if name in _MEANS else median)(values) for name, values in by_name.items() if values
    }


def new_pieces(desk: Desk, seed: int = 0) -> list[Song]:
    """The bench's new pieces; `seed` moves the seed of each, for pieces that nobody has looked at."""
    answers = [desk.ask(piece.words, seed=piece.seed + seed) for piece in NEW_PIECES]
    return [answer.song for answer in answers if not answer.trouble]


def beside(desk: Desk, people: Iterable[Song], seed: int = 0) -> Beside:
    """Ours beside theirs."""
    ours = [figures_of(song, desk.palette) for song in new_pieces(desk, seed)]
    theirs = [figures_of(song, desk.palette) for song in people]
    forms, progressions = in_ten_seeds(desk)
    return Beside(medians(ours), medians(theirs), len(ours), len(theirs), forms, progressions)


def in_ten_seeds(desk: Desk, requests: Sequence[str] = SEEDED) -> tuple[float, float]:
    """How many different forms and progressions ten seeds of one request have, as medians over the requests."""
    forms, progressions = [], []
    for words in requests:
        songs = [answer.song for seed in SEEDS if not (answer := desk.ask(words, seed=seed)).trouble]
        forms.append(len({form_of(song) for song in songs}))
        progressions.append(len({progression_of(song, desk) for song in songs}))
    return median(forms), median(progressions)


def show(found: Beside, missing: Sequence[str], say: Callable[[str], object] = print) -> None:
    """The table, and where people's songs come from."""
    say(f"\n{'tune and bass beside people (medians)':46} {'ours':>6} {'people':>7}")
    for name, (label, unit) in LABELS.items():
        ours, theirs = (f"{figures[name]:.2f}" if name in figures else "–" for figures in (found.ours, found.theirs))
        say(f"{label:46} {ours:>6} {theirs:>7}  {unit}")
    say(f"{'different forms in ten seeds':46} {found.forms:6.0f}")
    say(f"{'different progressions in ten seeds':46} {found.progressions:6.0f}")
    say(f"over {found.pieces} pieces of ours and {found.songs} songs of people")
    if missing:
        say(f"more songs of people come with the Debian packages {', '.join(missing)}, which are not installed here")


def _tune(line: Line) -> dict[str, float]:
    lengths = line.phrases
    return {
        "different_bars": line.different_bars, "different_figures": line.different_figures,
        "hook": float(line.hook), "hooks": float(line.hook > 0),
        "phrase": median(lengths), "phrase_spread": pstdev(lengths), "tied": line.tied,
        "notes_a_bar": line.notes_a_bar, "repeated": line.repeated,
    }
