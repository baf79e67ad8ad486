"""121 requests to the composer, judged by the gate and by what each one asks for: `make bench-music`.

Options: `--only N` (a request's number; may be repeated) judges few and shows all of them, `--json` gives one
document, `--fail` ends with status 1 where a target is missed. `--lines` shows only tune and bass beside people,
`--people DIR` adds a folder of MIDI files by people, `--seed N` takes other seeds for the pieces beside them.
`--share DIR` and `--scores DIR` say where people's songs lie: see `people.py`.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from agent.theory.gate import findings
from tests.benchmarks.music.asking import Desk, open_desk
from tests.benchmarks.music.beside_people import Beside, beside, show
from tests.benchmarks.music.changes import CHANGES
from tests.benchmarks.music.checks import Request
from tests.benchmarks.music.diversity import FORMS, MELODIES, PROGRESSIONS, Diversity, diversity
from tests.benchmarks.music.new_pieces import NEW_PIECES
from tests.benchmarks.music.people import SHARE, Library
from tests.benchmarks.music.scoring import TARGETS, Score, Totals, score, totals
from tests.benchmarks.music.songs import sample_songs

REQUESTS: tuple[Request, ...] = (*NEW_PIECES, *CHANGES)
_NAMES = {
    "gate": "songs that pass the gate", "binding": "binding words met", "measure": "measures moved as asked",
    "identity": "identity kept", "rows": "plans without an idle row", "quick": "planned within 300 ms",
}


def main(arguments: Sequence[str]) -> int:
    """Run, print, and say whether the targets are reached."""
    options = _options(arguments)
    began = time.perf_counter()
    desk = open_desk()
    library = Library(options.share, options.scores, tuple(options.people))
    lines = None if options.only else beside(desk, library.songs(desk.palette), options.seed)
    if options.lines and lines is not None:
        show(lines, library.missing())
        return 0
    songs = sample_songs(desk.palette, desk.compose)
    desk.ask("a waltz")
    for name, song in songs.items():
        for flaw in findings(song, desk.palette):
            print(f"sample song {name!r} does not pass the gate itself: {flaw.message}", file=sys.stderr)
    numbered = [(n, one) for n, one in enumerate(REQUESTS, 1) if not options.only or n in options.only]
    scores = [score(number, request, desk, songs) for number, request in numbered]
    sums = totals(scores)
    spread = None if options.only else diversity(desk)
    if options.json:
        print(_document(scores, sums, spread, lines))
    else:
        _show(scores, sums, spread, desk, whole=bool(options.only))
        if lines is not None:
            show(lines, library.missing())
        print(f"\n{time.perf_counter() - began:.0f} s in all")
    missed = (*sums.missed, *(spread.missed if spread else ()))
    return 1 if options.fail and missed else 0


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="121 requests to the composer, judged.")
    parser.add_argument("--only", type=int, action="append", metavar="N", help="the request of this number")
    parser.add_argument("--json", action="store_true", help="one document")
    parser.add_argument("--fail", action="store_true", help="status 1 where a target is missed")
    parser.add_argument("--lines", action="store_true", help="only tune and bass beside people")
    parser.add_argument("--share", type=Path, default=SHARE, metavar="DIR", help="where packages have their files")
    parser.add_argument("--scores", type=Path, metavar="DIR", help="the listed scores, as scores_as_midi.py wrote them")
    parser.add_argument("--people", type=Path, action="append", default=[], metavar="DIR", help="more MIDI by people")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="moves the seeds of the pieces beside people")
    return parser.parse_args(arguments)


def _show(scores: Sequence[Score], sums: Totals, spread: Diversity | None, desk: Desk, *, whole: bool) -> None:
    for one in scores:
        where = f" [{one.song}]" if one.song else ""
        if one.reasons:
            print(f"{one.number:3}{where} {one.words}\n      " + "\n      ".join(one.reasons))
        elif whole:
            held = ", ".join(outcome.check for outcome in one.outcomes)
            print(f"{one.number:3}{where} {one.words}: {one.seconds * 1000:.0f} ms; holds: {held}")
    print(f"\n{sums.whole} of {sums.requests} requests are met in full")
    for key, name in _NAMES.items():
        good, of = sums.counts[key]
        print(f"{name:32} {good:4} of {of:4}  {sums.shares[key]:7.1%}  (target {TARGETS[key]:.0%})")
    of_it = f"95 % {sums.p95_seconds * 1000:.0f} ms, of processor time {sums.p95_busy * 1000:.0f} ms"
    print(f"{'planning':32} median {sums.median_seconds * 1000:.0f} ms, {of_it}")
    if spread is not None:
        among = f"among {spread.answered} of {spread.requests} requests without a style"
        print(f"{'different forms':32} {spread.forms:4} {among} (target {FORMS})")
        print(f"{'different progressions':32} {spread.progressions:4} {among} (target {PROGRESSIONS})")
        print(f"{'different melodies':32} {spread.melodies:4} of {spread.seeds} seeds (target {MELODIES})")


def _document(
    scores: Sequence[Score], sums: Totals, spread: Diversity | None, lines: Beside | None
) -> str:
    document = {
        "requests": [
            {
                "number": one.number, "request": one.words, "song": one.song, "seconds": round(one.seconds, 4),
                "reasons": one.reasons,
            }
            for one in scores
        ],
        "totals": sums, "missed": (*sums.missed, *(spread.missed if spread else ())), "diversity": spread,
        "beside_people": lines,
    }
    return msgspec.json.format(msgspec.json.encode(document)).decode()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
