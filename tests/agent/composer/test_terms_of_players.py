"""Short forms and terms of players, as they type them."""

from __future__ import annotations

import pytest

from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.operations import Repeat, Transpose
from tests.agent.composer.doing import read


@pytest.fixture
def asked(bench, sample):
    """The operations of a request about the sample, and what was told."""
    lexicon = Lexicon(bench.words, bench.styles, bench.palette, sample)

    def operations(request):
        intent = read(request, lexicon, has_music=True)
        return [task.operation for task in intent.tasks], [c.text for c in intent.clauses if c.outcome == "told"]

    return operations


@pytest.mark.parametrize(("request_", "semitones"), [
    ("lead up an oct", 12), ("bass down an oct", -12), ("lead an oct up", 12), ("bass down one oct", -12),
])
def test_an_oct_is_an_octave(asked, request_, semitones):
    [operation], told = asked(request_)
    assert isinstance(operation, Transpose)
    assert (operation.semitones, told) == (semitones, [])


@pytest.mark.parametrize("request_", ["tierce de Picardie to finish", "a Picardy third at the end please"])
def test_a_picardy_third_is_a_last_chord_in_major(asked, request_):
    [operation], _ = asked(request_)
    assert operation.sentence(1.0, None) == "the last chord in major"


@pytest.mark.parametrize("request_", ["let bars 1-4 come round again", "let bars 1-4 go around once more"])
def test_what_comes_round_is_no_canon(asked, request_):
    [operation], _ = asked(request_)
    assert isinstance(operation, Repeat)
