"""The shape of a sentence: whether it asks to know, or wants something done.

It is told from how the sentence is built (question words, inversion, tags, lead-ins), not from what it is about; only
for bare nouns ("tempo?") `is_fact` says whether they name a fact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from agent.chat.reading.clauses import split_at_pauses
from agent.chat.reading.language import Language
from agent.chat.reading.phrases import PAUSES, without_leading

IsFact = Callable[[Sequence[str]], bool]
Names = Callable[[Sequence[str]], bool]
"""Whether tokens begin with the name of a part, place or other thing of the song."""
_NOT = "not"
_CLAUSES = 2
_CONDITION = 3
"""Tokens of the shortest condition before a question."""


class Shaped(Struct, frozen=True):
    """Whether a sentence asks a question, and its tokens without polite openers; `possible` if it asks whether or how
    something can be done."""

    asks: bool
    tokens: tuple[str, ...]
    possible: bool = False


def shape_of(tokens: Sequence[str], asked: bool, language: Language, is_fact: IsFact, names: Names) -> Shaped:
    """The shape of one sentence; `asked` says that a question mark ends it. `is_fact` tells whether bare nouns name a
    fact ("tempo?"), `names` whether tokens begin with the name of a part or place of the song."""
    return _Shape(language, asked, is_fact, names).of(tuple(tokens))


class _Shape:
    def __init__(self, language: Language, asked: bool, is_fact: IsFact, names: Names) -> None:
        self._language = language
        self._words = language.shape
        self._asked = asked
        self._is_fact = is_fact
        self._names = names

    def of(self, spoken: tuple[str, ...]) -> Shaped:
        tokens = without_leading(spoken, self._words["openers"]) or spoken
        shaped = self._plainly(self._without_adverbs(tokens))
        # an order keeps all its words
        return shaped if shaped.asks else Shaped(False, tokens)

    def _without_adverbs(self, tokens: tuple[str, ...]) -> tuple[str, ...]:
        kept: list[str] = []
        at = 0
        while at < len(tokens):
            length = self._words["adverbs"].at(tokens, at)
            kept += [] if length else [tokens[at]]
            at += length or 1
        return tuple(kept) or tokens

    def _plainly(self, tokens: tuple[str, ...]) -> Shaped:
        if self._might_be(tokens):
            return Shaped(False, tokens)
        # "I wonder if you could add …" begins as "I wonder if it is in tune" does
        wishes = self._words["suggests"].at(tokens) > self._words["tells"].at(tokens)
        if not wishes and self._told_as_wish(tokens):
            return Shaped(True, self._after_tell(tokens))
        if length := self._words["possible"].at(tokens):
            return Shaped(True, tokens[length:], possible=True)
        if (wanted := self._suggested(tokens)) is not None:
            return wanted
        if (asked := self._after_condition(tokens)) is not None:
            return asked
        if self._fronted(tokens):
            return Shaped(True, tokens)
        if self._ordered_last(tokens) or self._wished_later(tokens):
            return Shaped(False, tokens)
        if self._known_or_not(tokens) or self._tagged(tokens) or self._echoed(tokens) or self._bare(tokens):
            return Shaped(True, tokens)
        return Shaped(False, tokens)

    def _after_condition(self, tokens: tuple[str, ...]) -> Shaped | None:
        """if I make a beat here, can I sell it"""
        if not tokens or tokens[0] not in self._words["conditions"]:
            return None
        for at in range(_CONDITION, len(tokens) - 1):
            if tokens[at] in self._words["auxiliaries"] and tokens[at + 1] in self._words["pronouns"]:
                shaped = self._plainly(tokens[at:])
                return shaped if shaped.asks and self._fronted(tokens[at:]) else None
        return None

    def _ordered_last(self, tokens: tuple[str, ...]) -> bool:
        """The hats are stiff, loosen them up a bit? What is said first asks nothing; the mark is that of an order."""
        parts = list(split_at_pauses(tokens))
        if not self._asked or len(parts) < _CLAUSES:
            return False
        last = without_leading(parts[-1], self._words["openers"]) or parts[-1]
        return not self._is_tag(last) and not self._plainly(last).asks

    def _is_tag(self, tokens: tuple[str, ...]) -> bool:
        """right?, didn't you?"""
        if not tokens or self._words["tags"].at(tokens) == len(tokens):
            return bool(tokens)
        shape = (self._words["auxiliaries"], self._words["pronouns"])
        return tokens[0] in shape[0] and all(token == _NOT or any(token in one for one in shape) for token in tokens)

    def _might_be(self, tokens: tuple[str, ...]) -> bool:
        """I wonder whether the drums could be softer: what could be otherwise is wished for."""
        told = self._words["tells"].at(tokens)
        rest = tokens[told:]
        asks = rest[:1] == ("whether",) or (told and rest[:1] == ("if",))
        could = self._words["possibly"]
        if not asks or not any(token in could for token in rest):
            return False
        measures = self._language.asides["measures"]
        places = range(len(rest))
        otherwise = any(measures.at(rest, at) or self._words["doing"].at(rest, at) for at in places)
        able = any(rest[at - 1] in could and self._words["abilities"].at(rest, at) for at in places[1:])
        return otherwise and not able

    def _told_as_wish(self, tokens: tuple[str, ...]) -> bool:
        """tell me …, do you know …, show me the chords."""
        if length := self._words["tells"].at(tokens):
            # "you could describe" and "check the drums" want what they say; a fact or a question must follow.
            return not self._is_order(tokens[length:])
        length = self._words["shows"].at(tokens)
        if not length or any(token.isdecimal() for token in tokens[: length + 3]):
            return False
        rest = tokens[length:]
        return self._wh(rest) or (bool(self._words["definite"].at(rest)) and self._is_fact(rest) and self._plain(rest))

    def _after_tell(self, tokens: tuple[str, ...]) -> tuple[str, ...]:
        """What is asked for; of "do you know jazz?", where no clause follows, all of it."""
        length = self._words["tells"].at(tokens) or self._words["shows"].at(tokens)
        rest = without_leading(tokens[length:], self._words["openers"])
        clause = self._wh(rest) or self._begins(rest, "whether") or bool(self._words["definite"].at(rest))
        return rest if rest and (clause or tokens[0] not in self._words["auxiliaries"]) else tokens

    def _begins(self, tokens: tuple[str, ...], words: str) -> bool:
        return bool(tokens) and tokens[0] in self._words[words]

    def _plain(self, tokens: tuple[str, ...]) -> bool:
        """Whether nothing in it compares or tells how something shall be."""
        return not any(self._words["indefinite"].at(tokens, at) for at in range(len(tokens)))

    def _is_order(self, tokens: tuple[str, ...]) -> bool:
        return bool(tokens) and bool(self._words["doing"].at(tokens)) and not self._asked

    def _suggested(self, tokens: tuple[str, ...]) -> Shaped | None:
        """how about a flute, can you make it faster; but: can you tell me, can you hear it."""
        length = self._words["suggests"].at(tokens)
        if not length:
            return None
        rest = without_leading(tokens[length:], self._words["openers"])
        if not rest:
            return None
        if self._told_as_wish(rest):
            return Shaped(True, self._after_tell(rest))
        if self._words["abilities"].at(rest) and tokens[0] in self._words["modals"]:
            return Shaped(True, tokens)
        if self._words["shows"].at(tokens) and self._asks_about(rest):
            return Shaped(True, rest)
        return Shaped(False, rest)

    def _asks_about(self, rest: tuple[str, ...]) -> bool:
        """what about the key?"""
        return bool(self._words["definite"].at(rest)) and self._is_fact(rest) and self._plain(rest)

    def _fronted(self, tokens: tuple[str, ...]) -> bool:
        """Whether a question word or a verb stands where questions have it."""
        if not tokens:
            return False
        first, second = tokens[0], tokens[1] if len(tokens) > 1 else ""
        if first in self._words["placing"]:
            follows = second in self._words["auxiliaries"] or second in self._words["within"]
            return self._asked or follows or len(tokens) == 1
        if self._words["wh"].at(tokens):
            return self._question_word(tokens)
        if first in self._words["prepositions"] and self._words["wh"].at(tokens, 1):
            return second in self._words["asking_for"]
        if first in self._words["auxiliaries"] and second:
            return self._inverted(tokens)
        return False

    def _question_word(self, tokens: tuple[str, ...]) -> bool:
        second = tokens[1] if len(tokens) > 1 else ""
        if tokens[0] == "what" and second in ("a", "an") and not self._asked:
            return False  # what a mess
        if tokens[0] == "what" and second in ("i", "we") and not self._asked:
            wanting = any(token in self._words["wanting"] for token in tokens[2:5])
            return not wanting and any(token in self._words["modals"] for token in tokens[2:4])  # what I hear: …
        return not (tokens[0] == "how" and len(tokens) == 2 and not self._asked and not self._is_fact(tokens))

    def _inverted(self, tokens: tuple[str, ...]) -> bool:
        first = tokens[0]
        rest = tokens[1:]
        if not self._has_subject(rest):
            return False
        if first in self._words["be"]:
            return True
        if rest[0] == _NOT and len(rest) > 1 and first in ("do", "have"):
            # "don't the drums …?" asks, "don't touch the drums" does not
            return self._asked and (rest[1] in self._words["pronouns"] or bool(self._words["definite"].at(rest, 1)))
        if first == "have" and not self._asked and rest[0] not in self._words["pronouns"]:
            return False
        if first in ("do", "have"):
            return self._subject_asks(rest)
        if first in self._words["modals"]:
            return self._modal(first, rest)
        return False

    def _has_subject(self, rest: tuple[str, ...]) -> bool:
        """Whether somebody or something follows the verb: "must loop", "is for a wedding", "was thinking" have none."""
        after = rest[1:] if rest[0] == _NOT else rest
        if not after or after[0] in self._words["subjectless"]:
            return False
        others = self._language.asides["others"]
        subject = any(one.at(after) for one in (self._words["pronouns"], self._words["definite"], others))
        return self._asked or subject or after[0] in self._words["articles"] or self._names(after)

    def _subject_asks(self, rest: tuple[str, ...]) -> bool:
        """do the strings cover the voice, have you got; but: do the same there, have the drums come in later."""
        subject = rest[0] in self._words["pronouns"]
        if subject and len(rest) > 1 and rest[0] not in self._words["things"]:
            return True
        if self._asked:
            return len(rest) > 1
        if rest[0] in self._words["repeated"]:
            return False
        return any(self._words["states"].at(rest, at) for at in range(1, len(rest)))

    def _modal(self, first: str, rest: tuple[str, ...]) -> bool:
        subject = rest[0]
        if subject == "you":
            return bool(self._words["abilities"].at(rest, 1)) or (not self._words["doing"].at(rest, 1) and self._asked)
        if first in self._words["able"] and subject != "i":
            if subject in self._words["anybody"] and "play" in rest:
                return True
            if "instead" in rest:
                return False
            able = range(1, min(len(rest), 6))
            return any(self._words["abilities"].at(rest, at) for at in able)
        return not (first == "shall" and subject == "we")

    def _known_or_not(self, tokens: tuple[str, ...]) -> bool:
        """I don't know what key this is in."""
        found = self._words["knowing"].find(tokens)
        if found is None or found[0] > 6:
            return False
        rest = tokens[sum(found) :]
        later = any(self._wh(rest[at:]) or rest[at] in self._words["whether"] for at in range(min(len(rest), 6)))
        return later or (bool(rest) and rest[0] not in PAUSES and self._is_fact(rest) and self._plain(rest))

    def _wh(self, tokens: Sequence[str]) -> bool:
        return bool(tokens) and (bool(self._words["wh"].at(tokens)) or tokens[0] in self._words["placing"])

    def _tagged(self, tokens: tuple[str, ...]) -> bool:
        """It is in C minor, right?"""
        if not self._asked or "," not in tokens or self._words["doing"].at(tokens):
            return False
        comma = len(tokens) - 1 - tokens[::-1].index(",")
        return self._is_tag(tokens[comma + 1 :])

    def _echoed(self, tokens: tuple[str, ...]) -> bool:
        """The key is what? There is a bass?"""
        if self._words["doing"].at(tokens) or self._words["indefinite"].at(tokens):
            return False
        late = any(self._words["wh"].at(tokens, at) for at in range(1, len(tokens)))
        if late and (self._asked or self._words["wh"].at(tokens, len(tokens) - 1) or self._is_fact(tokens[:2])):
            return True
        finite = any(token in self._words["auxiliaries"] for token in tokens[1:6])
        wants = any(token in self._words["wanting"] for token in tokens[:3])
        return self._asked and finite and "," not in tokens and not wants

    def _wished_later(self, tokens: tuple[str, ...]) -> bool:
        """The pad is fine, but in the chorus can it be plucked? What is told first asks nothing, nor does the wish."""
        for at in range(_CONDITION, len(tokens) - 1):
            if tokens[at] in self._words["modals"] and tokens[at + 1] in self._words["pronouns"]:
                return not self._plainly(tokens[at:]).asks
        return False

    def _bare(self, tokens: tuple[str, ...]) -> bool:
        """tempo? chords in bar 4? any drums in there? the key please"""
        if tokens[0] in self._words["any"]:
            return self._asked
        if self._words["doing"].at(tokens) or tokens[0] in self._words["auxiliaries"]:
            return False
        if not self._asked and any(token in self._words["be"] for token in tokens):
            return False  # "the key is just right" tells
        if not self._is_fact(tokens) or not self._plain(tokens):
            return False
        if not all(self._is_fact(part) for part in split_at_pauses(tokens)):
            return False
        return self._asked or (len(tokens) <= 6 and self._is_one_fact(tokens))

    def _is_one_fact(self, tokens: tuple[str, ...]) -> bool:
        left = [token for token in tokens if token not in self._words["filler"]]
        return len(left) == 1 and not left[0].isdecimal() and self._is_fact(left)
