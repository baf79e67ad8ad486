"""The phrases of a course's words, looked up at a token."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.phrase_sets import phrase_set
from agent.composer.piece_words import CourseWords
from agent.composer.same_objects import once_for_same
from agent.composer.tokens import phrase_tokens


class StagePhrases:
    """The phrases about stages of a new piece ("part 2", "drops out"), by the name of their list in `CourseWords`."""

    def __init__(self, words: CourseWords) -> None:
        self._phrases = {name: phrase_set(tuple(getattr(words, name))) for name in words.__struct_fields__}
        self.dynamics = {phrase_tokens(phrase): level for phrase, level in words.dynamics.items()}
        self.limits = {phrase_tokens(phrase): level for phrase, level in words.limits.items()}
        self.keys = {phrase_tokens(phrase): key for phrase, key in words.keys.items()}

    def length(self, name: str, tokens: Sequence[str], at: int) -> int:
        """The number of tokens of the longest phrase of list `name` that begins at token `at`; 0 for none."""
        return self._phrases[name].length(tokens, at)

    def spans(self, tokens: Sequence[str], name: str) -> tuple[bool, set[int]]:
        """Whether the tokens hold a phrase of list `name`, and the indices of the tokens of such phrases."""
        used: set[int] = set()
        for at in range(len(tokens)) if self._phrases[name].may_stand_in(tokens) else ():
            used.update(range(at, at + self.length(name, tokens, at)))
        return bool(used), used


@once_for_same
def stage_phrases(words: CourseWords) -> StagePhrases:
    """The phrases about stages of a vocabulary, cached."""
    return StagePhrases(words)
