"""Edit → audible block, mixer move → audible block, A/B and the cost of a block, against a whole render.

The song has 3 minutes, 16 tracks and 7,000 notes, half of the tracks with two effects. Blocks are pulled as
fast as they come, so the figures are what playback adds; a device adds its own block (21 ms) and latency.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from bench_render import big_song
from msgspec.structs import replace

from agent.song.clip import Note
from agent.song.ids import EffectId, NoteId, TrackId
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.time import PPQ, Ticks
from agent.song.track import Effect, Track
from app.paths import find_paths
from app.services.library_files import read_palette
from app.services.playing import PlaybackEngine
from app.sound.output import Fill, Lost
from app.sound.preparing import AHEAD
from app.sound.project_player import ProjectPlayer
from app.sound.renderer import Renderer
from app.sound.soundfont import find_soundfont

_EDITS = 60
_BLOCK = 1024
_BLOCK_MS = _BLOCK / 48


class _Output:
    name, silent, note, patience, latency = "benchmark", False, "", float("inf"), 0.0

    def open(self, fill: Fill, _lost: Lost) -> _Output:
        self._fill = fill
        self._out = np.zeros((_BLOCK, 2), np.float32)
        return self

    def pull(self) -> np.ndarray:
        self._fill(self._out)
        return self._out

    def close(self) -> None:
        """Nothing to end."""


def main() -> None:
    """Print milliseconds, and ratios to the whole render of the same run."""
    palette = read_palette(find_paths().resources)
    song = with_effects(big_song(palette))
    with TemporaryDirectory() as folder:
        with Renderer(Path(folder) / "other", find_soundfont(), palette) as renderer:
            whole = _milliseconds(lambda: renderer.render(song))
            again = _milliseconds(lambda: renderer.render(_edited(song, 0, random.Random(0))))
        _playing(palette, song, Path(folder), whole, again)


def _playing(palette: Palette, song: Song, folder: Path, whole: float, again: float) -> None:
    output = _Output()
    engine = PlaybackEngine(folder, palette, open_output=output.open)
    desk = engine.player(lambda: None, lambda error: print("failed:", error))
    began = time.perf_counter()
    desk.show("song", song)
    desk.play(Ticks(0))
    while not output.pull().any():
        time.sleep(0.001)
    first = (time.perf_counter() - began) * 1000
    while not _playable(desk, song):
        time.sleep(0.005)
    playable = (time.perf_counter() - began) * 1000
    _settle(desk)
    ready = (time.perf_counter() - began) * 1000
    edits, following = _edits(desk, output, song)
    _settle(desk)
    turns, following = _turns(desk, output, following)
    _settle(desk)
    switches, following = _switches(desk, output, following)
    rows = [
        ("whole render, nothing cached", whole, ""),
        ("whole render after an edit of one clip", again, ""),
        ("new song: first sound", first, _against(first, whole)),
        ("new song: the first seconds of every track", playable, _against(playable, whole)),
        ("new song: all ready and measured", ready, _against(ready, whole)),
        ("edit of one clip at the playhead: audible, median", float(np.median(edits)), ""),
        ("  p95", float(np.percentile(edits, 95)), _against(float(np.percentile(edits, 95)), again)),
        ("  worst of " + str(len(edits)), max(edits), ""),
        *_figures("effect turned at the playhead: audible", turns, again),
        *_figures("effect switched at the playhead: audible", switches, again),
    ]
    for name, value, ratio in rows:
        print(f"{name:<52} {value:9.1f} ms  {ratio}")
    _settle(desk)
    print(f"mixer move: audible after {_mixer_move(desk, output, following)} block(s) of {_BLOCK_MS:.1f} ms, no render")
    print(f"other side: audible after {_other_side(desk, output, following)} block(s)")
    blocks = [_milliseconds(output.pull) for _ in range(1000)]
    print(f"one block of 16 tracks: median {np.median(blocks):.3f} ms, p99 {np.percentile(blocks, 99):.3f} ms,"
          f" {100 * float(np.median(blocks)) / _BLOCK_MS:.1f} % of its time")
    size = sum(work.size for _, work in desk._stage.sides["song"].works()) / 1e6
    print(f"memory of the tracks' sound: {size:.0f} MB (float32: {16 * 180 * 48_000 * 8 / 1e6:.0f} MB)")
    desk.close()
    engine.close()


def _playable(desk: ProjectPlayer, song: Song) -> bool:
    """Whether each track has what is played next; the rest comes faster than it is played."""
    head = desk.player.heard // (32 * _BLOCK)
    works = [work for _, work in desk._stage.sides["song"].works()]
    return len(works) == len(song.tracks) and not any(
        work.wants(number) for work in works for number in range(head, head + AHEAD)
    )


def _edits(desk: ProjectPlayer, output: _Output, song: Song) -> tuple[list[float], Song]:
    """Milliseconds from an edit until a block has the new sound, playing on meanwhile."""
    dice = random.Random(5)
    took = []
    for number in range(_EDITS):
        # Between the edits the rest of the last one is made, as between two gestures.
        time.sleep(0.3 * dice.random())
        index = number % len(song.tracks)
        clip = dice.randrange(1, len(song.tracks[index].clips) - 1)
        desk.seek(Ticks(song.tracks[index].clips[clip].start + 2 * PPQ))
        output.pull()
        _wait_for_head(desk)
        before = _sound_at(desk, index)
        song = _edited(song, index, dice, clip)
        began = time.perf_counter()
        desk.show("song", song)
        while _sound_at(desk, index) is before:
            time.sleep(0.0005)
        output.pull()
        took.append((time.perf_counter() - began) * 1000)
    return took, song


def _figures(name: str, took: list[float], whole: float) -> list[tuple[str, float, str]]:
    p95 = float(np.percentile(took, 95))
    return [
        (f"{name}, median", float(np.median(took)), ""),
        ("  p95", p95, _against(p95, whole)),
        ("  worst of " + str(len(took)), max(took), ""),
    ]


def _turns(desk: ProjectPlayer, output: _Output, song: Song) -> tuple[list[float], Song]:
    """Milliseconds from another value of a parameter until a block has it."""
    dice = random.Random(6)

    def turned(track: Track) -> Track:
        room = ("room_size", dice.uniform(0.1, 0.9))
        return replace(track, effects=tuple(
            replace(one, params=(room,)) if one.name == "reverb" else one for one in track.effects
        ))

    return _changes(desk, output, song, turned)


def _switches(desk: ProjectPlayer, output: _Output, song: Song) -> tuple[list[float], Song]:
    """The same for an effect that is switched off, and on again."""
    def switched(track: Track) -> Track:
        first, *others = track.effects
        return replace(track, effects=(replace(first, enabled=not first.enabled), *others))

    return _changes(desk, output, song, switched)


def _changes(
    desk: ProjectPlayer, output: _Output, song: Song, change: Callable[[Track], Track]
) -> tuple[list[float], Song]:
    dice = random.Random(7)
    took = []
    for number in range(_EDITS):
        time.sleep(0.3 * dice.random())
        index = 1 + 2 * (number % (len(song.tracks) // 2))
        clip = dice.randrange(1, len(song.tracks[index].clips) - 1)
        desk.seek(Ticks(song.tracks[index].clips[clip].start + 2 * PPQ))
        output.pull()
        _wait_for_head(desk)
        before = _sound_at(desk, index)
        changed = change(song.tracks[index])
        song = replace(song, tracks=tuple(changed if at == index else one for at, one in enumerate(song.tracks)))
        began = time.perf_counter()
        desk.show("song", song)
        while _sound_at(desk, index) is before:
            time.sleep(0.0005)
        output.pull()
        took.append((time.perf_counter() - began) * 1000)
    return took, song


def _sound_at(desk: ProjectPlayer, index: int) -> object:
    """The chunk that the next block plays of a track."""
    deck = desk.player.wanted.deck
    assert deck is not None
    return deck.channels[index].chunks.get(desk.player.heard // (32 * _BLOCK))


def _wait_for_head(desk: ProjectPlayer) -> None:
    head = desk.player.heard // (32 * _BLOCK)
    while any(work.wants(head) for _, work in desk._stage.sides["song"].works()):
        time.sleep(0.001)


def _edited(song: Song, index: int, dice: random.Random, at: int = 3) -> Song:
    """One more note in a clip, two beats from its start."""
    track = song.tracks[index]
    clip = track.clips[at]
    pitch = dice.randint(40, 50)
    # No two alike: an edit that changes nothing that sounds would never be heard.
    velocity = max((note.velocity for note in clip.notes if note.id.startswith("new")), default=90) + 1
    added = Note(NoteId(f"new{dice.random()}"), pitch, Ticks(2 * PPQ), Ticks(PPQ), velocity)
    notes = tuple(sorted((*clip.notes, added), key=lambda note: (note.start, note.pitch, note.id)))
    clips = tuple(replace(one, notes=notes) if one is clip else one for one in track.clips)
    tracks = tuple(replace(one, clips=clips) if one is track else one for one in song.tracks)
    return replace(song, tracks=tracks)


def _mixer_move(desk: ProjectPlayer, output: _Output, song: Song) -> int:
    desk.play(Ticks(0))
    for _ in range(20):
        output.pull()
    desk.mix(frozenset(), {TrackId(track.id): (-96.0, None) for track in song.tracks})
    return next(count for count in range(1, 100) if np.abs(output.pull()[512:]).max() < 1e-3)


def _other_side(desk: ProjectPlayer, output: _Output, song: Song) -> int:
    desk.mix(frozenset(), {})
    silent = replace(song, tracks=tuple(replace(track, mute=True) for track in song.tracks))
    desk.show("plan", silent)
    _settle(desk)
    output.pull()
    desk.listen("plan")
    blocks = next(count for count in range(1, 100) if not output.pull()[512:].any())
    desk.listen("song")
    return blocks


def _settle(desk: ProjectPlayer) -> None:
    stage = desk._stage
    while not all(side.song is None or (side.ready and side.key == side.measured_key) for side in stage.order):
        time.sleep(0.01)


def with_effects(song: Song) -> Song:
    """Every other track gets an equalizer and a reverb."""
    chain = (Effect(EffectId("e1"), "eq"), Effect(EffectId("e2"), "reverb"))
    tracks = (replace(track, effects=chain) if index % 2 else track for index, track in enumerate(song.tracks))
    return replace(song, tracks=tuple(tracks))


def _milliseconds(work: object) -> float:
    began = time.perf_counter()
    work()  # type: ignore[operator]
    return (time.perf_counter() - began) * 1000


def _against(value: float, whole: float) -> str:
    return f"{whole / value:.0f} times sooner than the whole" if value < whole else f"{value / whole:.1f} × the whole"


if __name__ == "__main__":
    main()
