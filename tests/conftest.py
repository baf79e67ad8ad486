"""Settings for all tests: no display, and in CI the same examples always, so that its verdict is about the change."""

from __future__ import annotations

import os

from hypothesis import settings

# Before anything imports Qt, which chooses its platform once.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

settings.register_profile("ci", derandomize=True, print_blob=True)
if os.environ.get("CI"):
    settings.load_profile("ci")
