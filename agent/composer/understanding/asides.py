"""Asides: clauses that ask for nothing, told by how they are built."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.phrase_sets import phrase_set
from agent.composer.typed_words import AsideWords
from agent.composer.understanding.lexicon import Lexicon

_LONGEST = 9


class Phrased:
    """A list of phrases, looked up in rows of words."""

    def __init__(self, phrases: tuple[str, ...]) -> None:
        self.at = phrase_set(phrases).length
        """The number of words of the longest phrase that begins at an index; 0 for none."""

    def within(self, words: Sequence[str]) -> list[tuple[int, int]]:
        """(start, end) of each phrase in a row of words."""
        return [(at, at + n) for at in range(len(words)) if (n := self.at(words, at))]


class Asides:
    """Recognises clauses that ask for nothing, in one language and for one song. All methods take casefolded words of a
    clause."""

    def __init__(self, words: AsideWords, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self.phrases = Phrased(words.phrases)
        self._openers, self._persons, self._owners = map(Phrased, (words.openers, words.persons, words.owners))
        self._people, self._states, self._past = map(Phrased, (words.people, words.states, words.past))
        self._pointing, self._says = Phrased(words.pointing), Phrased(words.says)
        self.wishing = Phrased(words.wishing)
        """What begins a wish: "want" in "want it louder"."""
        self._activities, self._be = Phrased(words.activities), Phrased(words.be)
        self._judging, self._praise = Phrased(words.judging), Phrased(words.praise)
        self._limited = Phrased(words.limited)
        self.own = Phrased(words.own)
        self._linking = Phrased(words.linking)
        self.leading = Phrased(words.leading)
        """What leads from a reason to an order: "so" in "he is ill so make it slower"."""

    def begins(self, words: Sequence[str], at: int) -> bool:
        """Whether a new clause begins at a word without a sign before it: "louder it's too quiet"."""
        if at < 1 or self._linking.at(words[at - 1 : at]):
            return False
        return bool(self._pointing.at(words, at)) or self._somebody(words[at:], acts=True) > 0

    def said_by(self, words: Sequence[str]) -> int:
        """The number of words that only say who speaks ("my brother says that"); 0 for none."""
        skipped = self._skipped(words)
        somebody = self._somebody(words[skipped:], acts=False)
        said = self._says.at(words, skipped + somebody) if somebody else 0
        return skipped + somebody + said if said else 0

    def ask_nothing(self, words: Sequence[str]) -> bool:
        """Whether a clause is about people, about the past, or only describes, and has no wish in it: "my brother plays
        drums"."""
        if self.wishes(words):
            return False
        rest = words[self._skipped(words) :]
        if not rest:
            return False
        return bool(self._past.at(rest) or self._pointing.at(rest)) or self._somebody(rest, acts=False) > 0

    def about_somebody(self, words: Sequence[str]) -> bool:
        """Whether a clause says what somebody is or does, and has no wish in it: "we're trying this with the club"."""
        return self._somebody(words[self._skipped(words) :], acts=True) > 0 and not self.wishes(words)

    def points(self, words: Sequence[str]) -> bool:
        """Whether a clause only describes what exists ("it is quiet"), and has no wish in it."""
        return bool(self._pointing.at(words[self._skipped(words) :])) and not self.wishes(words)

    def describes(self, words: Sequence[str]) -> bool:
        """Whether a clause only describes the music: "it's just guitar", "in the verse is only guitar"."""
        return not self.wishes(words) and (self.points(words) or bool(self._limited.within(words)))

    def praises(self, words: Sequence[str]) -> bool:
        """Whether a clause says that a part is good as it is: "the bass is great"."""
        return self._said_to_be(words, self._praise)

    def judges(self, words: Sequence[str]) -> bool:
        """Whether a clause says that a part is bad, which is the reason for an order about it: "the drums bug me"."""
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

    def wishes(self, words: Sequence[str]) -> bool:
        """Whether a clause has a word of wishing that does not lead to something that people do themselves ("want to
        sing")."""
        for _, end in self.wishing.within(words):
            ahead = end + 1 if words[end : end + 1] == ["to"] else end
            if not self._activities.at(words, ahead):
                return True
        return False
