"""Parts are shared out so that few processes load the same samples."""

from __future__ import annotations

from app.sound.part import PartLayer, SynthPart
from app.sound.sharing import next_part, sounds_of

PIANO, FLUTE, DRUMS = (frozenset({(bank, program, "")}) for bank, program in ((0, 0), (0, 73), (128, 0)))
NONE: frozenset[tuple[int, int, str]] = frozenset()


def test_a_process_goes_on_with_what_it_has_loaded() -> None:
    assert next_part([PIANO, FLUTE, DRUMS], PIANO, DRUMS) == 0


def test_else_it_takes_what_no_other_has_loaded_the_heaviest_first() -> None:
    assert next_part([PIANO, FLUTE, DRUMS], NONE, DRUMS) == 1
    assert next_part([PIANO, FLUTE, DRUMS], NONE, NONE) == 2


def test_it_helps_with_the_rest_of_another_rather_than_wait() -> None:
    assert next_part([DRUMS, DRUMS], PIANO, DRUMS) == 1


def test_a_layered_part_needs_the_sounds_of_all_its_layers() -> None:
    layers = tuple(PartLayer(0, program, 0, 0.0, 0, 0.0, 0.0) for program in (0, 73))
    both = sounds_of(SynthPart(0, 81, (), None, layers))
    assert both == PIANO | FLUTE
    assert next_part([DRUMS, both], PIANO, NONE) == 1
