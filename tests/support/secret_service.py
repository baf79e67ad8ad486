"""A real Secret Service for one command: a message bus and a keyring of its own, gone when the command ends."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from patience import PATIENCE
from system_packages import has_programs, needs

ROOT = Path(__file__).parents[2]
needs_secret_service = needs(
    "dbus", "gnome-keyring", available=has_programs("dbus-run-session", "gnome-keyring-daemon")
)

_UNLOCKED = 'eval "$(printf "test\\n" | gnome-keyring-daemon --unlock --components=secrets)"'
_LOCKED = f"""{_UNLOCKED}
busctl() {{ dbus-send --session --print-reply --dest=org.freedesktop.secrets "$@" >/dev/null; }}
busctl /org/freedesktop/secrets org.freedesktop.Secret.Service.Lock \\
    array:objpath:/org/freedesktop/secrets/collection/login"""


def with_secret_service(
    home: Path, *words: str, locked: bool = False, stdin: str = "", **more: str
) -> subprocess.CompletedProcess[str]:
    """Run a command with a keyring whose files lie in `home`; `locked` needs a prompt that nobody can answer."""
    script = f'{_LOCKED if locked else _UNLOCKED}\nexec "$@"'
    return _run(home, ["dbus-run-session", "--", "bash", "-c", script, "bash", *words], stdin, more)


def _run(
    home: Path, words: Sequence[str], stdin: str, more: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    runtime = home / "runtime"
    runtime.mkdir(parents=True, exist_ok=True)
    runtime.chmod(0o700)
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "PYTHON_KEYRING_BACKEND", "CI")
    kept = {name: value for name, value in os.environ.items() if name not in hidden}
    places = {"HOME": str(home), "XDG_RUNTIME_DIR": str(runtime), "XDG_DATA_HOME": str(home / "share")}
    return subprocess.run(
        words, cwd=ROOT, input=stdin, capture_output=True, text=True, timeout=PATIENCE, check=False,
        env={**kept, **places, "BANDLEADER_HOME": str(home / "bandleader"), **more},
    )
