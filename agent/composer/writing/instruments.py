"""Instruments: the one that a wish means, and a plain part for a role that a style does not have."""

from __future__ import annotations

from agent.composer.styles import PartStyle, Role
from agent.composer.understanding.wishes import Wish
from agent.song.palette import Instrument, Palette

SUBSTITUTES: dict[Role, tuple[str, ...]] = {
    "drums": ("kit_standard",),
    "percussion": ("kit_room",),
    "bass": ("bass_finger", "strings_contrabass"),
    "chords": ("piano_grand", "guitar_clean", "keys_tine", "strings_ensemble"),
    "pad": ("pad_warm", "strings_slow", "choir_oohs", "keys_tine"),
    "arp": ("guitar_clean", "keys_tine", "strings_harp", "pluck_kalimba"),
    "counter": ("strings_cello", "strings_viola", "keys_vibraphone", "strings_ensemble", "pad_poly"),
    "lead": ("keys_vibraphone", "woodwind_flute", "lead_square", "guitar_jazz", "strings_violin"),
    "texture": ("keys_celesta", "fx_crystal", "strings_harp"),
}
"""Other instruments that can play a role, the best first."""
_CENTRES: dict[Role, int] = {"bass": 39, "lead": 70, "counter": 60, "texture": 76, "arp": 66}


def find_instrument(wish: Wish, palette: Palette) -> Instrument | None:
    """The instrument that a wish means: the first named one that exists, otherwise the first of its families; None if
    there is none."""
    by_name = {instrument.name: instrument for instrument in palette.instruments}
    named = [by_name[name] for name in wish.instruments if name in by_name]
    return next(iter(named or [i for i in palette.instruments if i.family in wish.families]), None)


def default_part(role: Role, name: str, instruments: tuple[str, ...]) -> PartStyle:
    """A plain part for a role that the style lacks; for a single instrument it is called by `name`."""
    return PartStyle(
        name=name, role=role, instruments=instruments or SUBSTITUTES[role], centre=_CENTRES.get(role, 62),
        volume_db=-8, why="you asked for it", named=len(instruments) == 1,
    )
