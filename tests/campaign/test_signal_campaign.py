"""Four hundred signals, swept over the whole lives of real commands and the window, quiet and beside busy loops."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import pytest
from commandline import CommandLine
from signalling import Range, busy, counted, server_that_never_answers, shots

SIGNALS = 400
BUSY = 4
Figures = Callable[..., None]


@pytest.mark.parametrize("loops", [0, BUSY], ids=["quiet", "busy"])
def test_a_signal_at_any_moment_ends_a_command_in_order(tmp_path: Path, loops: int, figures: Figures) -> None:
    made = CommandLine(tmp_path / "made")
    made.ask("compose", "a short lo-fi song of 8 bars", "--yes", "--seed", "1")
    with server_that_never_answers() as model, busy(loops) if loops else nullcontext():
        place = Range(made, tmp_path, model)
        hits = [place.hit(shot) for shot in shots(place.commands, SIGNALS)]
    figures(f"signals beside {loops} busy loops", **counted(hits))
    assert [(hit.shot, hit.status, hit.faults, hit.said) for hit in hits if hit.faults] == []
