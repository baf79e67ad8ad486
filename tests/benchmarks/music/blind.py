"""Pages for judges who read notes and do not know whose they are, and the count of what they answered.

`PYTHONPATH=. python tests/benchmarks/music/blind.py write FOLDER --scores DIR [--share DIR] [--seed N]` writes
the pages into FOLDER/pairs and FOLDER/tunes, whose they are apart into FOLDER/keys, and FOLDER/judges.md.
`… blind.py count FOLDER/keys/pairs.json ANSWERS.json…` says how they were judged. It is reading, not hearing.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from pathlib import Path
from random import Random
from typing import TypeVar

import msgspec

from agent.song.palette import Palette
from agent.song.song import Song
from agent.theory.melody import melody_track
from agent.theory.sounding import kit_tracks
from tests.benchmarks.music.asking import Desk, open_desk
from tests.benchmarks.music.beside_people import new_pieces
from tests.benchmarks.music.features import excerpt_of
from tests.benchmarks.music.mma import charts, played_by_mma, played_by_us, through_midi
from tests.benchmarks.music.people import SHARE, Library
from tests.benchmarks.music.rolls import KEY, by_instrument, by_voice, roll

TUNES = 40
"""Pages of each side."""
BARS = 16
OURS, MMA, PEOPLE = "ours", "mma", "people"
_FRESH = 700
"""What moves the seeds of the composer's pieces, so that they are none that anybody has looked at."""
T = TypeVar("T")
JUDGES = Path(__file__).with_name("judges.md")
"""What the judges are told."""


def main(arguments: Sequence[str]) -> None:
    """Write the pages, or count the answers."""
    parser = argparse.ArgumentParser(description="Pages for judges who do not know whose they are.")
    commands = parser.add_subparsers(dest="command", required=True)
    write = commands.add_parser("write")
    write.add_argument("folder", type=Path)
    write.add_argument("--share", type=Path, default=SHARE, metavar="DIR")
    write.add_argument("--scores", type=Path, metavar="DIR")
    write.add_argument("--seed", type=int, default=1, metavar="N", help="of the order, and of the composer's pieces")
    count = commands.add_parser("count")
    count.add_argument("key", type=Path, help="FOLDER/keys/pairs.json or tunes.json")
    count.add_argument("answers", type=Path, nargs="+")
    options = parser.parse_args(arguments)
    if options.command == "count":
        key = msgspec.json.decode(options.key.read_bytes(), type=dict[str, str])
        for path in options.answers:
            print(f"{path.name}: {counted(key, msgspec.json.decode(path.read_bytes(), type=dict[str, str]))}")
        return
    desk = open_desk()
    options.folder.mkdir(parents=True, exist_ok=True)
    (options.folder / JUDGES.name).write_bytes(JUDGES.read_bytes())
    dice = Random(options.seed)
    _save(options.folder / "pairs", pairs(desk, dice, options.seed))
    _save(options.folder / "tunes", tunes(desk, Library(options.share, options.scores), dice, options.seed))


def counted(key: Mapping[str, str], answers: Mapping[str, str]) -> str:
    """The share of ours among the pages that were answered: preferred in a pair, or taken for a person's."""
    judged = {page: answer for page, answer in answers.items() if page in key}
    if set(key.values()) & {PEOPLE}:
        said = {
            who: [answer == "person" for page, answer in judged.items() if key[page] == who] for who in (OURS, PEOPLE)
        }
        return ", ".join(f"{who} taken for a person's {sum(all_)} of {len(all_)}" for who, all_ in said.items())
    preferred = sum(key[page] == answer for page, answer in judged.items())
    return f"ours preferred {preferred} of {len(judged)}"


def pairs(desk: Desk, dice: Random, seed: int) -> Iterator[tuple[str, str]]:
    """Each page with the letter of ours."""
    for chart in charts():
        both = [(OURS, played_by_us(chart, desk, seed)), (MMA, played_by_mma(chart, desk.palette))]
        dice.shuffle(both)
        head = f"{chart.request} at {chart.bpm} bpm, {chart.beats}/4\n{chart.text}\n{KEY}\n"
        parts = [f"\n===== Accompaniment {letter} =====\n{_band(song, desk.palette, len(chart.bars))}"
                 for letter, (_, song) in zip("AB", both, strict=True)]
        yield head + "".join(parts), "AB"[[who for who, _ in both].index(OURS)]


def tunes(desk: Desk, library: Library, dice: Random, seed: int) -> Iterator[tuple[str, str]]:
    """Each page with whose it is: people's in turn from every corpus, ours evenly from all requests."""
    in_turn = chain.from_iterable(zip_longest(*library.corpora(desk.palette).values()))
    people = [page for song in in_turn if song is not None and (page := _tune(song, desk.palette))]
    pieces = [through_midi(song, desk.palette) for song in new_pieces(desk, _FRESH + seed)]
    ours = [page for song in pieces if (page := _tune(song, desk.palette))]
    pages = [(page, PEOPLE) for page in people[:TUNES]] + [(page, OURS) for page in evenly(ours, TUNES)]
    dice.shuffle(pages)
    yield from pages


def evenly(values: Sequence[T], count: int) -> list[T]:
    """So many of the values, evenly over their row."""
    step = max(1.0, len(values) / count)
    return [values[int(number * step)] for number in range(min(count, len(values)))]


def _band(song: Song, palette: Palette, bars: int) -> str:
    last = min(bars, BARS, song.bars)
    return roll(song, by_instrument(song, palette), (1, last), kits=kit_tracks(song, palette))


def _tune(song: Song, palette: Palette) -> str:
    """The page of a song; empty where it has no tune or no bass."""
    part, tune = excerpt_of(song, palette), melody_track(song, palette)
    if part is None or part.tune is None or tune is None:
        return ""
    meter = song.bar_map.meter_at(song.bar_map.start_of(part.first))
    names = by_voice(song, palette, tune, part.bass.notes[0].track)
    last = min(part.last, part.first + BARS - 1)
    return f"{meter.beats}/{meter.unit}\n{KEY}\n" + roll(song, names, (part.first, last), accents=False)


def _save(folder: Path, pages: Iterator[tuple[str, str]]) -> None:
    keys = folder.parent / "keys"
    for one in (folder, keys):
        one.mkdir(parents=True, exist_ok=True)
    key = {}
    for number, (page, answer) in enumerate(pages, 1):
        (folder / f"{number:02}.txt").write_text(page, encoding="utf-8")
        key[f"{number:02}"] = answer
    (keys / f"{folder.name}.json").write_bytes(msgspec.json.encode(key))


if __name__ == "__main__":
    main(sys.argv[1:])
