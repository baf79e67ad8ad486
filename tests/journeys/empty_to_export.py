"""From an empty window to a song on disk: ask, leave a step out, hear, approve, drag a clip, undo, export."""

from __future__ import annotations

import time
from pathlib import Path

import mido
import soundfile
from hands import approve, ask, cell, lanes, settle
from patience import PATIENCE
from screens import Screen

REQUEST = "a calm lofi beat in D minor at 82 bpm, 8 bars"


def walk(screen: Screen, home: Path) -> None:
    """Ends with a MIDI file and a WAV file in the folder of exports."""
    screen.shot("1 first start")
    ask(screen, REQUEST)
    screen.shot("2 plan")
    count = int(screen.wait("Approve and run", "push button").name.split()[-1])
    box = cell(screen, 5)
    screen.click_at(*box.middle)
    screen.wait(f"Approve and run {count - 1}", "push button")
    screen.keys("h")
    screen.wait("Stop", "push button")
    settle(screen)
    screen.shot("3 heard, one step left out")
    screen.keys("space")
    approve(screen)
    screen.wait("Iteration a calm lofi beat", "list item")
    screen.shot("4 done")
    _drag_and_undo(screen)
    _export(screen, home)


def _drag_and_undo(screen: Screen) -> None:
    screen.keys("Escape", "0")
    settle(screen)
    place = lanes(screen)
    # The second half sounds on this track, whatever was composed.
    screen.drag(place.at(0.6, 0), place.at(0.9, 0))
    moved = screen.wait("Iteration Move", "list item")
    screen.shot("5 moved by hand")
    screen.keys("Escape", "ctrl+z")
    screen.wait("Iteration Undo", "list item")
    assert moved.name
    settle(screen)
    screen.shot("6 undone")


def _export(screen: Screen, home: Path) -> None:
    screen.keys("ctrl+e")
    settle(screen)
    screen.shot("7 export")
    screen.click("Export", "push button")
    end = time.monotonic() + PATIENCE
    while not (made := [one for one in (home / "exports").rglob("*.*") if one.suffix in (".mid", ".wav")]):
        assert time.monotonic() < end, "nothing was exported"
        time.sleep(0.3)
    settle(screen)
    screen.shot("8 exported")
    for one in made:
        if one.suffix == ".mid":
            assert len(mido.MidiFile(one).tracks) > 5
        else:
            assert soundfile.info(one).duration > 10
