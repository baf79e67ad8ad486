"""How every style sounds: offset, peak, loudness, low end, limiter, parts that are not heard, swells, render time; and
how much brighter the hard strokes are of each kit that acoustic styles play.

Options: `--style NAME` (may be repeated), `--seeds N`, `--bars N`, `--fail` ends with status 1 where a bound is missed.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from agent.song.palette import Palette
from agent.song.song import Song
from app.sound.fluid import Bank
from app.sound.limiter import CEILING_DBTP, TOLERANCE_LU, master
from app.sound.master_chain import MasterChain
from app.sound.part import SAMPLE_RATE
from app.sound.renderer import Renderer, ended
from app.sound.soundfont import find_soundfont
from tests.benchmarks.music.asking import Desk, open_desk
from tests.benchmarks.sound_figures import heard_shares, limited_share, low_side_db, offset
from tests.benchmarks.sound_swells import LEAST_BRIGHTER, Swell, brighter, swells

MOST_OFFSET = 0.001
MOST_LIMITED = 0.02
"""Share of the time in which the limiter may take more than 3 dB away."""
LEAST_HEARD = 0.15
"""Share of its time in which a part must stand out somewhere."""
MOST_LOW_SIDE_DB = -12.0
LEAST_SWELL_DB = 1.5
ACOUSTIC = 0.5
"""From here on a style's drums are those of a player."""
_QUIET_DB = -50.0


class Sounding(Struct, frozen=True):
    """The figures of one song. `hidden` are parts that are silent or masked, `busy` processor seconds a minute."""

    style: str
    seed: int
    offset: float
    loudness: float | None
    target: float
    peak: float | None
    low_side_db: float
    limited: float
    hidden: tuple[str, ...]
    busy: float
    swells: tuple[Swell, ...]

    @property
    def missed(self) -> tuple[str, ...]:
        """The bounds that do not hold."""
        loud = self.loudness is not None and abs(self.loudness - self.target) <= TOLERANCE_LU
        held = {
            "offset": self.offset < MOST_OFFSET, "loudness": loud,
            "peak": self.peak is not None and self.peak <= CEILING_DBTP + 0.05,
            "low end": self.low_side_db <= MOST_LOW_SIDE_DB, "limiter": self.limited <= MOST_LIMITED,
            "parts": not self.hidden, "swells": all(one.heard_db >= LEAST_SWELL_DB for one in self.swells),
        }
        return tuple(name for name, good in held.items() if not good)


def main(arguments: Sequence[str]) -> int:
    """Measure and print; whether all bounds hold."""
    options = _options(arguments)
    desk = open_desk()
    names = options.style or [style.name for style in desk.styles.styles]
    print(f"bank: {find_soundfont().path.name}")
    print(f"{'style':16} seed  offset   LUFS (target)   dBTP  low side  >3 dB  s/min  parts that are not heard")
    found = []
    for seed in range(1, options.seeds + 1):
        for name in names:
            one = measured(desk, name, seed, options.bars)
            found.append(one)
            print(_row(one), flush=True)
    missed = [one for one in found if one.missed]
    busy = sum(one.busy for one in found) / len(found)
    dull = _kits(desk, names)
    print(f"\n{len(found) - len(missed)} of {len(found)} hold all bounds; {busy:.2f} processor s a minute")
    return 1 if options.fail and (missed or dull) else 0


def _kits(desk: Desk, names: Sequence[str]) -> list[str]:
    """Print how much brighter hard strokes are of each kit of the acoustic styles; those that are not enough so."""
    parts = [
        part for style in desk.styles.styles if style.name in names
        if style.character is not None and style.character.acoustic >= ACOUSTIC
        for part in style.parts if part.role == "drums"
    ]
    kits = dict.fromkeys(name for part in parts for name in part.instruments)
    bank, dull = Bank(find_soundfont().path), []
    print(f"\n{'kit':20} brighter at velocity 120 than at 40")
    for name in kits:
        shares = brighter(desk.palette.instrument(name), bank)
        dull += [name] if min(shares.values()) < LEAST_BRIGHTER else []
        told = ", ".join(f"{drum} {share:+.0%}" for drum, share in shares.items())
        print(f"{name:20} {told}{'   MISSED' if name in dull else ''}", flush=True)
    return dull


def measured(desk: Desk, style: str, seed: int, bars: int) -> Sounding:
    """Compose, render with nothing cached, and measure."""
    words = style.replace("_", " ")
    song = desk.compose(f"a {words} piece, {bars} bars", seed)
    with TemporaryDirectory() as cache, Renderer(Path(cache), find_soundfont(), desk.palette) as renderer:
        return _figures(renderer, song, desk.palette, style, seed)


def _figures(renderer: Renderer, song: Song, palette: Palette, style: str, seed: int) -> Sounding:
    before = _busy()
    tracks = renderer.mix_down(song, stems=True)
    whole = MasterChain(song.master_effects, palette).process_whole(tracks.mix, _nothing)
    mastered = master(ended(song, whole), song.loudness_target, _nothing)
    # what the processes that play have used is only known once they have ended
    renderer.close()
    busy = _busy() - before
    names = {track.id: track.name for track in song.tracks if track.clips and not track.mute}
    heard = heard_shares({names[track]: stem for track, stem in tracks.stems.items() if track in names})
    silent = {
        names[track] for track, level in tracks.levels.items()
        if track in names and (level.rms_db is None or level.rms_db + mastered.gain_db < _QUIET_DB)
    }
    hidden = [f"{name} silent" for name in sorted(silent)]
    hidden += [f"{name} {share:.0%}" for name, share in heard.items() if share < LEAST_HEARD and name not in silent]
    return Sounding(
        style, seed, offset(mastered.sound), mastered.loudness, song.loudness_target, mastered.true_peak,
        low_side_db(mastered.sound), limited_share(mastered), tuple(hidden),
        busy * 60 * SAMPLE_RATE / mastered.sound.shape[1], tuple(swells(renderer, song, palette)),
    )


def _row(one: Sounding) -> str:
    loudness, peak = (f"{value:6.1f}" if value is not None else "  none" for value in (one.loudness, one.peak))
    return (
        f"{one.style:16} {one.seed:4}  {one.offset:.4f} {loudness} ({one.target:5.1f})  {peak}  "
        f"{one.low_side_db:6.1f}  {one.limited:6.1%}  {one.busy:5.2f}  {', '.join(one.hidden)}"
        f"  swells: {', '.join(f'{s.track} {s.span:.0f} {s.heard_db:.1f} dB' for s in one.swells) or 'none held'}"
        + (f"   MISSED: {', '.join(one.missed)}" if one.missed else "")
    )


def _busy() -> float:
    """Processor seconds of this process and of those that it has ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _nothing() -> None:
    """Nothing ends the work."""


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="How every style sounds.")
    parser.add_argument("--style", action="append", help="only this one")
    parser.add_argument("--seeds", type=int, default=2, help="songs of each style")
    parser.add_argument("--bars", type=int, default=16, help="of each song")
    parser.add_argument("--fail", action="store_true", help="status 1 where a bound is missed")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
