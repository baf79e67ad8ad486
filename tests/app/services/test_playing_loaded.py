"""What playing needs is loaded where a desk is made, in a thread, and not with the first song that is shown."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from patience import PATIENCE

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = """
import sys
from pathlib import Path
from agent.song.palette import Palette
from app.services.playing import PlaybackEngine
engine = PlaybackEngine(Path(sys.argv[1]), Palette((), ()))
assert "pedalboard" not in sys.modules
desk = engine.player(lambda: None, lambda error: None)
print("pedalboard" in sys.modules)
desk.close()
engine.close()
"""


def test_effects_are_loaded_with_the_desk(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE,
        check=False,
    )
    assert done.stdout.strip() == "True", done.stderr
