"""The names of programs that make music, as systems list their processes."""

from __future__ import annotations

_NAMES = frozenset((
    "ableton live", "ardour", "ardour-", "audacity", "audiodg", "bitwig studio", "bitwigstudio", "carla", "coreaudiod",
    "cubase", "fl", "fl64", "fluidsynth", "garageband", "harrison mixbus", "hydrogen", "jackd", "jackdbus", "live",
    "lmms", "logic pro", "logic pro x", "mixbus", "mscore", "musescore", "nuendo", "pipewire", "pipewire-pulse",
    "pro tools", "protools", "pulseaudio", "qjackctl", "qsynth", "qtractor", "reaper", "reason", "renoise",
    "rosegarden", "scsynth", "sclang", "studio one", "supernova", "tracktion", "waveform", "wireplumber", "zrythm",
))
_LINUX_LENGTH = 15
"""Characters to which Linux cuts names of processes."""
_SHORT = frozenset(name[:_LINUX_LENGTH] for name in _NAMES)


def plays_music(name: str) -> bool:
    """Whether a process of this name is music software, ignoring a version at the end."""
    plain = name.casefold().removesuffix(".exe").removesuffix(".bin").rstrip("0123456789. -")
    return plain in _NAMES or plain in _SHORT or name.casefold() in _SHORT
