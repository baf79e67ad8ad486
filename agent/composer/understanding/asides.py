"""Asides: clauses that ask for nothing, told by how they are built."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.phrase_sets import phrase_set
from agent.composer.typed_words import AsideWords
from agent.composer.understanding.lexicon import Lexicon

_LONGEST = 9


class Phrased:
    """A list of phrases, found at the beginning of a row of words."""

    def __init__(self, phrases: tuple[str, ...]) -> None:
        self._phrases = phrase_set(phrases)

    def at(self, words: Sequence[str], at: int = 0) -> int:
        """How many words the longest of them takes that stands at a word."""
        return self._phrases.length(words, at)

    def within(self, words: Sequence[str]) -> list[tuple[int, int]]:
        """Where each of them begins and ends in a row of words."""
        return [(at, at + n) for at in range(len(words)) if (n := self.at(words, at))]


class Asides:
    """Tells what asks for nothing in one language, about one song."""

    def __init__(self, words: AsideWords, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self.phrases = Phrased(words.phrases)
        self._openers, self._persons, self._owners = map(Phrased, (words.openers, words.persons, words.owners))
        self._people, self._states, self._past = map(Phrased, (words.people, words.states, words.past))
        self._pointing, self._says, self._wishing = map(Phrased, (words.pointing, words.says, words.wishing))
        self._activities, self._be = Phrased(words.activities), Phrased(words.be)
        self._judging, self._praise = Phrased(words.judging), Phrased(words.praise)
        self._limited = Phrased(words.limited)
        self.own = Phrased(words.own)
        self._linking, self._leading = Phrased(words.linking), Phrased(words.leading)

    def begins(self, words: Sequence[str], at: int) -> bool:
        """Whether a clause of its own begins at a word although no sign stands there: "louder it's too quiet"."""
        if at < 1 or self._linking.at(words[at - 1 : at]):
            return False
        return bool(self._pointing.at(words, at)) or self._somebody(words[at:], acts=True) > 0

    def leads(self, words: Sequence[str], at: int) -> int:
        """How many words lead from a reason to an order at a word: the "so" of "he is ill so make it slower"."""
        return self._leading.at(words, at)

    def said_by(self, words: Sequence[str]) -> int:
        """How many words only say who says what follows: "my brother says that"."""
        skipped = self._skipped(words)
        somebody = self._somebody(words[skipped:], acts=False)
        said = self._says.at(words, skipped + somebody) if somebody else 0
        return skipped + somebody + said if said else 0

    def ask_nothing(self, words: Sequence[str]) -> bool:
        """Whether a clause is about people, about what was, or only points at what is there, and wishes nothing."""
        if self.wishes(words):
            return False
        rest = words[self._skipped(words) :]
        if not rest:
            return False
        return bool(self._past.at(rest) or self._pointing.at(rest)) or self._somebody(rest, acts=False) > 0

    def about_somebody(self, words: Sequence[str]) -> bool:
        """Whether a clause says what somebody is or does, and wishes nothing: "we're trying this with the club"."""
        return self._somebody(words[self._skipped(words) :], acts=True) > 0 and not self.wishes(words)

    def points(self, words: Sequence[str]) -> bool:
        """Whether a clause says of what is there how it is."""
        return bool(self._pointing.at(words[self._skipped(words) :])) and not self.wishes(words)

    def describes(self, words: Sequence[str]) -> bool:
        """Whether a clause says how the music is: "it's just guitar", "in the verse is only guitar"."""
        return not self.wishes(words) and (self.points(words) or bool(self._limited.within(words)))

    def praises(self, words: Sequence[str]) -> bool:
        """Whether a part is said to be good as it is."""
        return self._said_to_be(words, self._praise)

    def judges(self, words: Sequence[str]) -> bool:
        """Whether a part is said to be bad, which is a reason beside an order about it."""
        return self._said_to_be(words, self._judging)

    def _said_to_be(self, words: Sequence[str], judgements: Phrased) -> bool:
        being = next((at for at in range(1, len(words)) if self._be.at(words, at)), 0)
        return bool(being) and not self.wishes(words) and bool(judgements.within(words[being:]))

    def _skipped(self, words: Sequence[str]) -> int:
        at = 0
        while at < len(words) and not self._person_at(words, at) and (length := self._openers.at(words, at)):
            at += length
        return at

    def _person_at(self, words: Sequence[str], at: int) -> bool:
        return bool(self._persons.at(words, at) or self._pointing.at(words, at) or self._owners.at(words, at))

    def _somebody(self, words: Sequence[str], *, acts: bool) -> int:
        """How many words name somebody at the beginning; with `acts` only where they do or are something."""
        length = self._persons.at(words)
        if not length and self._owners.at(words):
            length = self._owned(words)
        if not length or not acts:
            return length
        return length if self._states.at(words, length) or "'" in words[length - 1] else 0

    def _owned(self, words: Sequence[str]) -> int:
        """How many words name somebody who is somebody's: "my little sister"; a part or a song is nobody."""
        if self._people.at(words, 1):
            end = 1 + self._people.at(words, 1)
            return end if self._states.at(words, end) else 0
        for end in range(2, min(4, len(words)) + 1):
            if self._lexicon.wish_at(words, end - 1) or self._lexicon.sense(words, end - 1, "section") is not None:
                return 0
            if self._states.at(words, end) or self._says.at(words, end):
                return end
        named = words[1:2] and self._lexicon.names_something(words[1])
        work = words[1:2] and words[1] in self._lexicon.words.goals.works
        return 0 if named or work or len(words) < 2 else 2

    def wishing_at(self, words: Sequence[str], at: int = 0) -> int:
        """How many words at a word begin a wish: the "want" of "want it louder"."""
        return self._wishing.at(words, at)

    def wishes(self, words: Sequence[str]) -> bool:
        """Whether a word of wishing stands in a clause that leads to nothing that people do themselves."""
        for _, end in self._wishing.within(words):
            ahead = end + 1 if words[end : end + 1] == ["to"] else end
            if not self._activities.at(words, ahead):
                return True
        return False
