"""Roles: what the instruments of a family usually do, and the group of rows that a role belongs to."""

from __future__ import annotations

from agent.composer.styles import Role
from agent.song.palette import Family

GROUPS: dict[Role, str] = {
    "drums": "Rhythm", "percussion": "Rhythm", "bass": "Bass", "chords": "Harmony", "pad": "Harmony",
    "arp": "Harmony", "lead": "Melody", "counter": "Melody", "texture": "Colour",
}
"""The group of rows for tracks of each role."""
_USUAL: dict[Family, Role] = {
    "drums": "drums", "percussion": "percussion", "bass": "bass", "guitar": "chords", "keys": "chords",
    "piano": "chords", "organ": "chords", "strings": "pad", "brass": "lead", "woodwind": "lead", "choir": "pad",
    "pad": "pad", "lead": "lead", "pluck": "arp", "arp": "arp", "fx": "texture",
}


def role_of_family(family: Family) -> Role:
    """The role that an instrument of a family usually plays."""
    return _USUAL[family]
