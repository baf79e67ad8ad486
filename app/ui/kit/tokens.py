"""The colours of both themes, and the tones that are derived from a track's colour."""

from __future__ import annotations

from dataclasses import dataclass

from agent.song.colors import COLORS


@dataclass(frozen=True, eq=False, repr=False)
class Tokens:
    """All colours of a theme as #RRGGBB. A `_soft` is the fill behind text in the colour of the same name."""

    dark: bool
    frame: str
    canvas: str
    row2: str
    panel: str
    bar: str
    ctl: str
    hover: str
    well: str
    line: str
    line2: str
    line3: str
    grid: str
    grid2: str
    grid3: str
    t1: str
    t2: str
    t3: str
    you: str
    you_soft: str
    you_fill: str
    agent: str
    agent_soft: str
    agent_fill: str
    ok: str
    ok_soft: str
    warn: str
    warn_soft: str
    bad: str
    bad_soft: str
    meter: str
    on_you: str = "#FFFFFF"
    on_agent: str = "#17181A"
    on_track: str = "#141518"
    """Text on a track's colour."""


DARK = Tokens(
    dark=True, frame="#131416", canvas="#191A1D", row2="#1C1D20", panel="#1F2124", bar="#26282C", ctl="#303338",
    hover="#3A3E44", well="#131416", line="#2B2D31", line2="#45494F", line3="#80858D",
    grid="#212226", grid2="#2B2D31", grid3="#3A3D42", t1="#ECEDEF", t2="#B6BAC1", t3="#A6ABB3",
    you="#7FB0FF", you_soft="#22304A", you_fill="#2F6FD6", agent="#E6B84A", agent_soft="#352D1C",
    agent_fill="#E6B84A", ok="#5CC79A", ok_soft="#1C3128", warn="#F09A56", warn_soft="#3A2A1C",
    bad="#F58A8A", bad_soft="#2F1F22", meter="#5CC79A",
)
LIGHT = Tokens(
    dark=False, frame="#C4C6C9", canvas="#FAFAF9", row2="#F5F5F3", panel="#F3F3F1", bar="#E8E8E6", ctl="#FFFFFF",
    hover="#E0E0DD", well="#FFFFFF", line="#DDDDDA", line2="#B9BAB8", line3="#7A7E83",
    grid="#EDEDEB", grid2="#E0E0DD", grid3="#C9C9C6", t1="#17181A", t2="#43464B", t3="#565A60",
    you="#1F5FC4", you_soft="#D6E4FB", you_fill="#1F5FC4", agent="#805200", agent_soft="#F7EBCF",
    agent_fill="#E6B84A", ok="#0F6B48", ok_soft="#D6EDE2", warn="#9A4A00", warn_soft="#FAE4D0",
    bad="#B3261E", bad_soft="#F9DEDC", meter="#24875F",
)
TRACK_COLORS = dict(zip((
    "Violet", "Coral", "Gold", "Teal", "Mint", "Moss", "Sky", "Brick", "Sand", "Blue", "Rose", "Pink",
), COLORS, strict=True))
"""Colours of tracks as #RRGGBB, in the order in which new tracks get them."""


def mix(a: str, b: str, share: float) -> str:
    """The colour `share` (0 to 1) of `a` and the rest of `b`, mixed in each sRGB channel."""
    parts = zip(_channels(a), _channels(b), strict=True)
    return "#" + "".join(f"{round(x * share + y * (1 - share)):02X}" for x, y in parts)


def clip_body(color: str, tokens: Tokens) -> str:
    """The background colour of a clip on a track of this colour."""
    return mix(color, tokens.canvas, 0.30 if tokens.dark else 0.42)


def clip_notes(color: str, tokens: Tokens) -> str:
    """The colour of notes on a clip."""
    return mix(color, "#FFFFFF", 0.80) if tokens.dark else mix(color, "#17181A", 0.50)


def ghost_wash(color: str, tokens: Tokens) -> str:
    """The background colour of a proposed clip, between its hatch lines."""
    return mix(color, tokens.canvas, 0.14 if tokens.dark else 0.18)


def ghost_hatch(color: str, tokens: Tokens) -> str:
    """The colour of the hatch lines of a proposed clip."""
    return mix(color, tokens.canvas, 0.34 if tokens.dark else 0.55)


def ghost_outline(color: str, tokens: Tokens) -> str:
    """The colour of outline and notes of a proposed clip."""
    return mix(color, "#FFFFFF", 0.88) if tokens.dark else mix(color, "#17181A", 0.55)


def on_track(color: str, tokens: Tokens) -> str:
    """The text colour on a track's colour: dark or white, whichever has more contrast."""
    return max((tokens.on_track, tokens.on_you), key=lambda ink: contrast(ink, color))


def contrast(a: str, b: str) -> float:
    """The contrast ratio of two colours, 1-21 (WCAG 2: relative luminance of linearised sRGB)."""
    light, dark = sorted((_luminance(a), _luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: str) -> float:
    linear = [
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (channel / 255 for channel in _channels(color))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _channels(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)
