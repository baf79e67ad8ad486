"""Lone openings: who plays how long before everybody comes in, where nothing else is told of how a piece goes on."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.mark_joining import StageMark
from agent.composer.understanding.stage_phrases import stage_phrases
from agent.composer.understanding.stage_reading import StageRead, StageReader, StageWords

_SIGNS = frozenset(",.;!?")


def opening_apart(
    stretches: Sequence[StageWords], tokens: Sequence[str], lexicon: Lexicon, reader: StageReader
) -> tuple[StageWords, ...]:
    """The words of an opening that alone is told of, and those behind it, which are about the whole piece: "disco,
    start with 4 bars of just drums, no fade"; empty where there is none.

    A request that begins with it is about no more: "start with 4 bars of drums".
    """
    course, one = lexicon.words.course, stretches[0] if len(stretches) == 1 else None
    if course is None or one is None or one.head or one.begin == 0:
        return ()
    if not stage_phrases(course).length("opening", tokens, one.begin):
        return ()
    grammar = lexicon.words.grammar
    ends = frozenset({*_SIGNS, *grammar.joins, *(phrase.split()[0] for phrase in grammar.purposes)})
    end = next((at for at in range(one.mark.end, one.end) if _ends(tokens, at, ends, lexicon)), one.end)
    opening = structs.replace(one, end=end)
    stage = reader.read(opening, 0).stage
    told = bool(stage.alone) and bool(stage.bars or stage.seconds)
    return (opening, StageWords(StageMark("following", end, end), end, len(tokens), head=True)) if told else ()


def all_behind(read: Sequence[StageRead]) -> list[StageRead]:
    """The stages, in the last of which everybody plays unless it says who does alone."""
    *before, last = read
    stage = last.stage if last.stage.alone else structs.replace(last.stage, enters=(), everyone=True)
    return [*before, structs.replace(last, stage=stage)]


def _ends(tokens: Sequence[str], at: int, ends: frozenset[str], lexicon: Lexicon) -> bool:
    """Whether a clause ends at a token; "drums and bass" goes on."""
    return tokens[at] in ends and lexicon.wish_at(tokens[at + 1 : at + 6], 0) is None
