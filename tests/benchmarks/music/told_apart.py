"""How well a classifier tells the composer's pieces, and MMA's, from those of people.

`PYTHONPATH=. python tests/benchmarks/music/told_apart.py --scores DIR [--share DIR] [--seed N]`
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from agent.song.palette import Palette
from agent.song.song import Song
from tests.benchmarks.music.asking import open_desk
from tests.benchmarks.music.beside_people import new_pieces
from tests.benchmarks.music.classifier import Accuracy, Features, accuracy
from tests.benchmarks.music.features import features_of
from tests.benchmarks.music.mma import Charted, charts, is_installed, played_by_mma, played_by_us
from tests.benchmarks.music.people import SHARE, Library

_LEAST = 2
"""Corpora that are needed: one is always left out, and the others are learnt from."""


def main(arguments: Sequence[str]) -> int:
    """Print every accuracy, and say whether there were pieces by people to tell from."""
    parser = argparse.ArgumentParser(description="A classifier between people's pieces and a program's.")
    parser.add_argument("--share", type=Path, default=SHARE, metavar="DIR", help="where packages have their files")
    parser.add_argument("--scores", type=Path, metavar="DIR", help="the listed scores, as scores_as_midi.py wrote them")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="moves the seeds of the composer's pieces")
    options = parser.parse_args(arguments)
    desk = open_desk()
    library = Library(options.share, options.scores)
    corpora = library.corpora(desk.palette)
    people = {name: told_of(songs, desk.palette) for name, songs in corpora.items()}
    if sum(bool(told) for told in people.values()) < _LEAST:
        print(lacking([name for name, told in people.items() if told], library), file=sys.stderr)
        return 1
    print("people's pieces with tune and bass: " + ", ".join(f"{name} {len(told)}" for name, told in people.items()))
    show("ours, all features", told_apart(people, told_of(new_pieces(desk, options.seed), desk.palette)))
    people = {name: told_of(songs, desk.palette, sung=False) for name, songs in corpora.items()}
    bands: dict[str, Callable[[Charted], Song]] = {"our": lambda one: played_by_us(one, desk, 1 + options.seed)}
    if is_installed():
        bands["MMA's"] = lambda one: played_by_mma(one, desk.palette)
    else:
        print("MMA is not installed here (Debian's package mma)")
    for name, band in bands.items():
        told = told_of(map(band, charts()), desk.palette, sung=False)
        show(f"{name} accompaniment over the charts, without the tune's features", told_apart(people, told))
    return 0


def lacking(found: Sequence[str], library: Library) -> str:
    """What, why and what to do where there are too few corpora of people."""
    here = f"only {', '.join(found)} has pieces with a tune and a bass" if found else "no piece by people was found"
    where = f"{library.share} and {library.scores}" if library.scores is not None else f"{library.share}"
    scores = "the listed scores with tests/benchmarks/scores_as_midi.py (it needs music21)"
    do = [f"install the Debian packages {', '.join(library.missing())}"] * bool(library.missing())
    do.append(f"write {scores}" + (" and name their folder by --scores" if library.scores is None else ""))
    return (
        f"error: pieces cannot be told apart: {here}\n"
        f"why: each corpus is judged by what was learnt from others, so that {_LEAST} are needed; looked in {where}\n"
        f"try: {', or '.join(do)}"
    )


def told_of(songs: Iterable[Song], palette: Palette, *, sung: bool = True) -> list[Features]:
    """The features of those songs that have a bass and, if they are to be sung, a tune."""
    return [found for song in songs if (found := features_of(song, palette, sung=sung)) is not None]


def told_apart(people: Mapping[str, Sequence[Features]], pieces: Sequence[Features]) -> Accuracy:
    """The accuracy over the corpora of which there are pieces."""
    return accuracy({name: told for name, told in people.items() if told}, pieces, list(pieces[0]))


def show(name: str, found: Accuracy) -> None:
    """One accuracy, that of each corpus that was left out, and what tells most."""
    print(f"{name}: {found.mean:.3f} ({found.pieces} pieces, {found.people} of people)")
    print("   left out: " + ", ".join(f"{corpus} {share:.2f}" for corpus, share in found.by_corpus.items()))
    print("   telling: " + ", ".join(f"{feature} {weight:+.2f}" for feature, weight in found.telling))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
