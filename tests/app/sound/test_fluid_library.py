"""Reading the library of FluidSynth, which likes to tell where it is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

_LIBRARY = 'import sys\nprint("found somewhere")\nanswers_reach_people = sys.stdout is sys.__stdout__\n'
_PROGRAM = "from app.sound.fluid_library import load_library; print(load_library().answers_reach_people)"


def test_it_is_read_in_silence_while_other_threads_may_write_their_answers(tmp_path: Path) -> None:
    (tmp_path / "fluidsynth.py").write_text(_LIBRARY, encoding="utf-8")
    places = os.pathsep.join((str(tmp_path), str(Path(__file__).parents[3])))
    said = subprocess.run(
        [sys.executable, "-c", _PROGRAM], env={**os.environ, "PYTHONPATH": places, "CI": "1"}, capture_output=True,
        text=True, check=True,
    )
    assert said.stdout == "True\n"
