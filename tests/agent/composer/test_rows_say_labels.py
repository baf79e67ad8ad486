"""Rows call instruments and effects what a musician calls them."""

from __future__ import annotations

import re

from stages import palette

from agent.composer.guard import Guard
from agent.composer.rows import Rows
from agent.song.palette import EffectUse
from agent.song.song import Song


def test_an_effect_is_called_by_its_label() -> None:
    rows = Rows(Song(), Guard(Song(), ()), palette())
    for effect in palette().effects:
        rows.effect("t1", EffectUse(effect.name, ()), owner="Pad", group="Pads")
    assert [row.title for row in rows.steps] == [f"{effect.label} on Pad" for effect in palette().effects]


def test_labels_are_no_internal_names() -> None:
    known = palette()
    for one in (*known.instruments, *known.effects):
        assert known.label(one.name) == one.label
        assert not re.search(r"_", known.label(one.name))
    assert known.label("no_such_thing") == "no_such_thing"
