"""The same requests to Bandleader and to two programs from PyPI.

`PYTHONPATH=. python tests/benchmarks/music/rivals.py --ark PATH --claw PATH`

Each program stands in a virtual environment of its own and is run as its documentation says, in turn, offline and
with seed 1. Their MIDI files and ours are read by the same import and judged by the same gate and words. Options:
`--ark` and `--claw` are paths of the programs, `--soundfont` the bank that claw-daw renders with.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from agent.song.palette import Palette
from agent.theory.gate import findings
from app.exchange.empty_tracks import empty_tracks
from app.exchange.errors import ExchangeError
from app.exchange.midi_in import import_midi
from app.paths import find_paths
from app.services.library_files import read_palette
from tests.benchmarks.music.checks import Check, InStyle, Than, Titled
from tests.benchmarks.music.heard import unmet
from tests.benchmarks.music.new_pieces import NEW_PIECES

_PATIENCE = 180.0
"""Seconds that one program may take for one request."""
_NOT_IN_A_FILE = (InStyle, Than, Titled)
"""What a MIDI file cannot show."""


@dataclass(frozen=True)
class Made:
    """What a program left for a request; `seconds` is None where there was no sound."""

    midi: Path | None
    seconds: float | None
    trouble: str = ""


@dataclass(frozen=True)
class Verdict:
    """A program's piece: broken rules of the gate, words that are not met, seconds to the whole sound file."""

    rules: tuple[str, ...]
    unmet: tuple[str, ...]
    words: int
    seconds: float | None
    trouble: str = ""

    @property
    def cell(self) -> str:
        """A cell of the table."""
        if self.trouble:
            return f"no piece ({self.trouble})"
        gate = "passes" if not self.rules else ", ".join(self.rules)
        sound = "no sound" if self.seconds is None else f"{self.seconds:.1f} s"
        return f"{gate}; {self.words - len(self.unmet)}/{self.words}; {sound}"


Program = Callable[[str, Path], Made]


def main(arguments: Sequence[str]) -> None:
    """Run all programs on all requests, in turn, and print the tables."""
    parser = argparse.ArgumentParser(description="The same requests to Bandleader and to two programs from PyPI.")
    parser.add_argument("--ark", type=Path, help="the program ark-audio")
    parser.add_argument("--claw", type=Path, help="the program claw-daw")
    parser.add_argument("--soundfont", type=Path, default=Path("/usr/share/sounds/sf2/default-GM.sf2"))
    parser.add_argument("--few", type=int, default=1000, help="only the first requests")
    options = parser.parse_args(arguments)
    programs: dict[str, Program] = {"Bandleader": bandleader}
    if options.ark is not None:
        programs["ark-audio-agent"] = lambda words, folder: ark(options.ark.absolute(), words, folder)
    if options.claw is not None:
        programs["claw-daw"] = lambda words, folder: claw(options.claw.absolute(), options.soundfont, words, folder)
    palette = read_palette(find_paths().resources)
    requests = [piece for piece in NEW_PIECES if piece.beside][: options.few]
    found: dict[str, list[Verdict]] = {name: [] for name in programs}
    print("| request | " + " | ".join(programs) + " |\n|---|" + "---|" * len(programs))
    for piece in requests:
        checks = [check for check in piece.checks if not isinstance(check, _NOT_IN_A_FILE)]
        for name, program in programs.items():
            with tempfile.TemporaryDirectory() as folder:
                found[name].append(judge(program(piece.words, Path(folder)), checks, palette))
        cells = " | ".join(found[name][-1].cell for name in programs)
        print(f"| {piece.words} | {cells} |", flush=True)
    _totals(found)


def judge(made: Made, checks: Sequence[Check], palette: Palette) -> Verdict:
    """The gate as `bandleader check` runs it on a file, and the words that bind."""
    lost = tuple(str(check) for check in checks)
    if made.midi is None:
        return Verdict((), lost, len(checks), made.seconds, made.trouble or "no MIDI file")
    try:
        song = import_midi(made.midi, palette).song
    except ExchangeError as error:
        return Verdict((), lost, len(checks), made.seconds, str(error))
    rules = {flaw.rule for flaw in findings(song, palette)}
    rules |= {"silent track"} if empty_tracks(made.midi.read_bytes(), made.midi.name) else set()
    failed = tuple(reason for check in checks if (reason := unmet(check, song, palette)))
    return Verdict(tuple(sorted(rules)), failed, len(checks), made.seconds)


def bandleader(words: str, folder: Path) -> Made:
    """The command line in a home that did not exist: planned, run, saved, MIDI and WAV."""
    environment = {**os.environ, "BANDLEADER_HOME": str(folder / "home")}
    out = folder / "out"
    command = [sys.executable, "-m", "app", "compose", words, "--yes", "--seed", "1", "--out", str(out)]
    seconds, trouble = _timed(command, folder, environment, at=Path.cwd())
    return _made(out, seconds, trouble)


def ark(program: Path, words: str, folder: Path) -> Made:
    """The words as text and as direction, which is where it reads tempo and key; WAV, no MP3."""
    command = [
        str(program), words, "--direction", words, "--offline", "--no-mp3", "--seed", "1", "-o", str(folder / "out")
    ]
    seconds, trouble = _timed(command, folder, dict(os.environ))
    return _made(folder / "out", seconds, trouble)


def claw(program: Path, soundfont: Path, words: str, folder: Path) -> Made:
    """Its prompt gives a script; that is run with a WAV of the whole piece instead of its MP3s.

    The time is that of both commands. Its sampler's drums are in the sound, but not on channel 10 of the file.
    """
    environment = {**os.environ, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"}
    command = [str(program), "prompt", "--prompt", words, "--out", "piece", "--seed", "1"]
    first, trouble = _timed(command, folder, environment)
    script = folder / "tools" / "piece.txt"
    if trouble or not script.exists():
        return Made(None, None, trouble or "no script")
    lines = [line for line in script.read_text().splitlines() if "_mp3" not in line]
    script.write_text("\n".join([*lines, "export_wav out/piece.wav", ""]))
    command = [str(program), "--headless", "--soundfont", str(soundfont), "--script", str(script)]
    second, trouble = _timed(command, folder, environment)
    return _made(folder / "out", first + second, trouble)


def _made(out: Path, seconds: float, trouble: str) -> Made:
    midi = next(iter(sorted(out.glob("*.mid"))), None)
    sound = any(path.stat().st_size > 1000 for path in out.glob("*.wav"))
    return Made(midi, seconds if sound and not trouble else None, trouble if midi is None else "")


def _timed(
    command: Sequence[str], folder: Path, environment: Mapping[str, str], at: Path | None = None
) -> tuple[float, str]:
    """Seconds, and the last line of what it said where it failed."""
    began = time.perf_counter()
    try:
        run = subprocess.run(
            command, cwd=at or folder, env=dict(environment), capture_output=True, text=True, timeout=_PATIENCE
        )
    except subprocess.TimeoutExpired:
        return time.perf_counter() - began, f"more than {_PATIENCE:g} s"
    said = (run.stderr.strip() or run.stdout.strip()).splitlines()
    return time.perf_counter() - began, "" if run.returncode == 0 else (said[-1] if said else "failed")[:120]


def _totals(found: Mapping[str, Sequence[Verdict]]) -> None:
    print("\n| | " + " | ".join(found) + " |\n|---|" + "---|" * len(found))
    rows: dict[str, Callable[[Sequence[Verdict]], str]] = {
        "pieces that pass the gate": lambda all_: f"{sum(not (v.rules or v.trouble) for v in all_)} of {len(all_)}",
        "words that bind, met": _words,
        "requests with all words met": lambda all_: f"{sum(not v.unmet for v in all_)} of {len(all_)}",
        "seconds to the sound file, median": lambda all_: _seconds(all_, median),
        "slowest": lambda all_: _seconds(all_, max),
    }
    for name, row in rows.items():
        print(f"| {name} | " + " | ".join(row(all_) for all_ in found.values()) + " |")
    print()
    for name, all_ in found.items():
        rules = Counter(rule for verdict in all_ for rule in verdict.rules)
        print(f"{name}: the gate finds {dict(rules.most_common()) or 'nothing'}; not met:")
        for verdict in all_:
            for reason in verdict.unmet:
                print(f"  - {reason}")


def _words(all_: Sequence[Verdict]) -> str:
    return f"{sum(v.words - len(v.unmet) for v in all_)} of {sum(v.words for v in all_)}"


def _seconds(all_: Sequence[Verdict], of: Callable[[list[float]], float]) -> str:
    times = [verdict.seconds for verdict in all_ if verdict.seconds is not None]
    return f"{of(times):.1f}" if times else "no sound"


if __name__ == "__main__":
    main(sys.argv[1:])
