"""Settings: what a new piece is for or about, found among the words that name nothing else."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from agent.composer.piece_words import Setting
from agent.composer.understanding.lexicon import Lexicon


@dataclass(frozen=True)
class Settings:
    """The settings in their order, and the numbers of the tokens that name them."""

    found: tuple[Setting, ...] = ()
    tokens: frozenset[int] = frozenset()


def settings_in(tokens: Sequence[str], owned: Collection[int], lexicon: Lexicon) -> Settings:
    """The settings that casefolded tokens name; those `owned` by something else name none.

    What is negated is taken in, but is no setting: "no scary bits".
    """
    negating = {*lexicon.words.groups["no"], *lexicon.words.bindings.inverse}
    found: list[Setting] = []
    taken: set[int] = set()
    at = 0
    while at < len(tokens):
        match = lexicon.setting_at(tokens, at)
        if match is None or any(place in owned for place in range(at, at + match[0])):
            at += 1
            continue
        negated = at > 0 and tokens[at - 1] in negating
        taken.update(range(at - negated, at + match[0]))
        if not negated and match[1] not in found:
            found.append(match[1])
        at += match[0]
    return Settings(tuple(found), frozenset(taken))
