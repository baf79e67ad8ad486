"""The names that a plan may use: instruments with their ranges, effects with their parameters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from agent.model_planner.prompt.words import words_of
from agent.song.palette import EffectKind, Family, Instrument, Palette
from agent.song.song import Song

_PER_FAMILY = 3
_HINTS: Mapping[str, tuple[Family, ...]] = MappingProxyType({
    "beat": ("drums",), "groove": ("drums",), "rhythm": ("drums", "percussion"), "kick": ("drums",),
    "snare": ("drums",), "chord": ("keys", "pad", "piano"), "harmony": ("pad", "keys"),
    "melody": ("lead", "piano", "woodwind"),
    "ambient": ("pad", "strings", "choir"), "atmospheric": ("pad", "fx"),
    "orchestral": ("strings", "brass", "woodwind"),
    "synth": ("lead", "pad"), "voice": ("choir",), "sparkle": ("pluck", "keys"), "arpeggio": ("arp", "pluck"),
})
"""Families that a word asks for without naming them."""
_ALWAYS: tuple[Family, ...] = ("drums", "bass", "piano", "pad", "lead")


def library_text(palette: Palette) -> str:
    """All instruments by family and all effects, for the prompt."""
    return "\n".join([*_instruments(palette.instruments), *(_effect(kind) for kind in palette.effects)])


def library_for(palette: Palette, request: str, song: Song) -> str:
    """The instruments and effects that a request needs, for a short prompt: those it names, those the song uses, and a
    few for each usual role."""
    words = words_of(request)
    used = {track.instrument for track in song.tracks}
    families = {str(one.family) for one in palette.instruments if str(one.family) in words}
    families.update(family for word in words for family in _HINTS.get(word, ()))
    families = families or set(_ALWAYS)
    counts: dict[str, int] = defaultdict(int)
    chosen = []
    for instrument in palette.instruments:
        named = instrument.name in used or not words.isdisjoint((*instrument.name.split("_")[1:], *instrument.tags))
        wanted = instrument.family in families and counts[instrument.family] < _PER_FAMILY
        if instrument.name in used or (named and instrument.family in families) or wanted:
            counts[instrument.family] += 1
            chosen.append(instrument)
    effects = [kind for kind in palette.effects if kind.name in words] or list(palette.effects[:3])
    return "\n".join([*_instruments(chosen), *(_effect(kind) for kind in effects)])


def _instruments(instruments: Sequence[Instrument]) -> list[str]:
    by_family: dict[str, list[str]] = defaultdict(list)
    for one in instruments:
        by_family[one.family].append(f"{one.name} {one.low}-{one.high}" if not one.is_kit else f"{one.name} (drum kit)")
    return [f"{family}: {', '.join(names)}" for family, names in by_family.items()]


def _effect(kind: EffectKind) -> str:
    params = ", ".join(f"{one.name} {one.low:g} to {one.high:g} {one.unit} = {one.default:g}" for one in kind.params)
    return f"effect {kind.name}({params})"
