"""Learns what sayings mean into resources/learned, so that nobody's first message waits for it.

There is nothing to do if that is done for the sayings as they are.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from agent.chat.reading.intents import IntentReader  # noqa: E402
from app.bootstrap import read_language  # noqa: E402
from app.services.style_files import read_vocabulary  # noqa: E402


def learn(resources: Path = ROOT / "resources") -> int:
    """Keep the model in `resources`/learned, where every user may read it; gives the number of intents."""
    learned = resources / "learned"
    learned.mkdir(exist_ok=True)
    found = len(IntentReader(read_language(resources, learned, read_vocabulary(resources))).model.intents)
    for file in learned.iterdir():
        file.chmod(0o644)
    return found


if __name__ == "__main__":
    learn()
