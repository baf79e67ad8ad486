"""Remarks: messages without an order, which praise, grumble, tell or take leave, whatever words of music they hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from agent.chat.reading.beside import SmallTalkReader
from agent.chat.reading.clauses import cuts, split_at_pauses
from agent.chat.reading.intents import ASIDE, TALK, WISH, IntentReader
from agent.chat.reading.language import Language
from agent.chat.reading.lookup import Lookup
from agent.chat.reading.naming import names_in
from agent.chat.reading.phrases import without_leading
from agent.chat.reading.reactions import dislikes
from agent.chat.reading.sentences import Sentence

# By how much a sentence must be more like talk than like a wish.
_PLAIN = 0.06
"""Where it tells something and names no music."""
_OF_MUSIC, _OF_PART = 0.12, 0.14
"""Where it names music; a part or a place of the song."""
_ERRAND = 0.18
"""Where it orders, but nothing of music: "wish me luck", "keep your fingers crossed"."""
_SHORT = 0.3
"""Where it has no verb, and could be the title of a piece."""
_ASKED = 0.3
"""Where it ends in a question mark: "can you imagine?"."""
_FEW = 2
"""Tokens of a sentence that says nothing by itself: "Water."."""
_TOLD = frozenset({ASIDE, *(f"{TALK}{kind}" for kind in (
    "thanks", "bye", "praise", "feeling", "joy", "luck", "sorrow", "weary", "grumble", "joke", "opinion",
    "agreement", "no",
))})
"""Intents of what asks for nothing."""
_FEELINGS = frozenset(f"{TALK}{kind}" for kind in ("joy", "luck", "sorrow", "weary"))
_FELT = 0.06
"""By how much it must be more like one of these than like what is only told: nobody is pitied by mistake."""
_AGREES = f"{TALK}agreement"
_MERE = frozenset({ASIDE, "no"})
"""Kinds that say little beside another."""
_ANSWERED = 0.15
"""By how much more it may be like a question or a command, which it does not ask, than like talk."""


class IdleRemarks(Struct, frozen=True):
    """Tells remarks from wishes: by their words no order may be meant, and the examples must say that they are talk."""

    _lookup: Lookup
    _language: Language
    _intents: IntentReader
    _beside: SmallTalkReader

    def kinds(self, sentences: Sequence[Sentence]) -> frozenset[str]:
        """The kinds of talk that the sentences of a message are ("aside" for what is only told); empty for a message
        that may want something."""
        told = any(self.tells(one.tokens) for one in sentences)
        kinds = [self._kind(one, title=not told) for one in sentences]
        if any(one is None for one in kinds):
            return frozenset()
        found = frozenset(one for one in kinds if one)
        return found - _MERE or found

    def tells(self, tokens: tuple[str, ...]) -> bool:
        """Whether it has a verb of what is or was."""
        past = any(token.endswith("ed") and len(token) > _ENDED for token in tokens)
        person = self._language.asides["first"].at(tokens) or tokens[0] in self._language.shape["they"]
        compared = any(self._compares(tokens, at) for at in range(len(tokens)))
        return past or bool(person) or compared or self._has_verb(tokens)

    def _has_verb(self, tokens: tuple[str, ...]) -> bool:
        asides = self._language.asides
        found = (self._language.shape["auxiliaries"], asides["past"], asides["stating"])
        return any(one.at(tokens, at) for one in found for at in range(len(tokens)))

    def may_order(self, tokens: tuple[str, ...]) -> bool:
        """Whether a clause says what shall be done, wants it, names music or complains; a measure of what was does
        not: "yesterday the drop had more pressure"."""
        past = self._language.asides["past"].find(tokens) is not None
        if not self._has_verb(tokens) and self._beside.names_music(tokens):
            return True
        return any(self._commands(one) or (not past and self._orders(one)) for one in self._clauses(tokens))

    def _kind(self, sentence: Sentence, *, title: bool) -> str | None:
        """The kind of a sentence, "" for one that is nothing by itself; None where it may be a wish. `title`: without
        a verb it may be what a piece is called."""
        scores = self._intents.scores(sentence.words, names_in(sentence.tokens, self._lookup))
        talk = {name: one for name, one in scores.items() if name in _TOLD}
        best = max(talk, key=lambda name: talk[name], default="")
        least = self._least(sentence, title=title)
        known = max(scores.values(), default=0.0) - talk.get(best, 0.0) > _ANSWERED
        if not best or least is None or known or talk[best] - scores.get(WISH, 0.0) < least:
            return "" if not title and self._says_nothing(sentence.tokens) else None
        unsure = talk[best] - max(talk.get(name, 0.0) for name in (ASIDE, f"{TALK}feeling")) < _FELT
        return ASIDE if (unsure and best in _FEELINGS) or best == _AGREES else best.removeprefix(TALK)

    def _says_nothing(self, tokens: tuple[str, ...]) -> bool:
        orders = self._language.shape["doing"].at(tokens)
        return len(tokens) <= _FEW and not orders and not self._beside.names_music(tokens)

    def _least(self, sentence: Sentence, *, title: bool) -> float | None:
        """By how much it must be like talk; None where it orders something of the music, or dislikes it."""
        tokens = sentence.tokens
        if sentence.asked:
            return _ASKED
        ordered = [one for one in self._clauses(tokens) if self._orders(one)]
        music = self._beside.names_music(tokens)
        if any(self._is_of_song(one) for one in ordered) or (music and ordered) or self._dislikes(tokens):
            return None
        if ordered:
            return _ERRAND
        if not self.tells(tokens):
            return None if music else _SHORT if title else _PLAIN
        about = names_in(tokens, self._lookup).about()
        if about.tracks or about.absent or about.sections or about.bars:
            return None if self._begins_with_part(tokens) else _OF_PART
        return _OF_MUSIC if music else _PLAIN

    def _dislikes(self, tokens: tuple[str, ...]) -> bool:
        """Whether it dislikes the song, and nothing that others have or made: my choir will hate me."""
        plain = without_leading(tokens, self._language.shape["openers"])
        others = self._language.asides["others"].at(plain) and not self._begins_with_part(plain)
        return dislikes(tokens, self._language) and not others

    def _clauses(self, tokens: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        """Every clause that an order may begin."""
        for part in split_at_pauses(tokens):
            yield part
            yield from (after for _, after in cuts(part))

    def _orders(self, clause: tuple[str, ...]) -> bool:
        """Whether a clause says what shall be done, or measures what there is."""
        if self._commands(clause):
            return True
        shape, asides = self._language.shape, self._language.asides
        plain = self._unopened(clause)
        measured = (asides["measures"].at(clause, at) for at in range(len(clause)) if not self._compares(clause, at))
        vague = asides["vaguely"].at(plain) > 0 or (shape["indefinite"].at(plain) > 0 and not self.tells(plain))
        return vague or any(measured)

    def _commands(self, clause: tuple[str, ...]) -> bool:
        """Whether a clause orders or wants something in so many words."""
        shape = self._language.shape
        plain = self._unopened(clause)
        ordered = shape["doing"].at(plain) or shape["suggests"].at(plain)
        return bool(ordered) or self._language.asides["ordering"].find(clause) is not None

    def _unopened(self, clause: tuple[str, ...]) -> tuple[str, ...]:
        """The clause without what leads to it; a no before somebody or something is said to what was heard."""
        shape = self._language.shape
        plain = without_leading(clause, shape["openers"]) or clause
        states = self._language.asides["stating"].at(plain, 2) or (plain[2:3] and plain[2] in shape["be"])
        return plain[1:] if plain[0] == "no" and states else plain

    def _compares(self, clause: tuple[str, ...], at: int) -> bool:
        """better than anything we ever did: what it is measured against is no music of the song."""
        than = next((place for place in range(at, len(clause)) if clause[place] == "than"), None)
        if than is None:
            return False
        matched = self._language.asides["matched"].at(clause, than + 1) > 0
        return matched or self._is_matched_with_part(clause, than)

    def _is_matched_with_part(self, clause: tuple[str, ...], than: int) -> bool:
        """The flute has more notes than the horn: one part has more than another, which is told of both."""
        names = names_in(clause, self._lookup)
        has = any(token in ("has", "have", "plays", "play") for token in clause[:than])
        return has and any(names.at("track", at) is not None for at in range(than + 1, len(clause)))

    def _is_of_song(self, clause: tuple[str, ...]) -> bool:
        """Whether the music may be meant: it is named, pointed at or measured."""
        asides = self._language.asides
        pointed = any(token in self._language.shape["they"] or token in asides["ofsongs"] for token in clause[1:])
        counted = any(token[0].isdecimal() for token in clause)
        measured = any(asides["measures"].at(clause, at) for at in range(len(clause)))
        vague = asides["vaguely"].at(clause) > 0
        return self._beside.names_music(clause) or pointed or counted or measured or vague

    def _begins_with_part(self, tokens: tuple[str, ...]) -> bool:
        """my drums vanished: what is told is told of a part."""
        plain = without_leading(tokens, self._language.shape["openers"]) or tokens
        names = names_in(plain, self._lookup)
        own = int(plain[0] in self._language.shape["definite"])
        return any(names.at(slot, own) is not None for slot in ("track", "section"))


_ENDED = 4
"""Letters than which a word that ends in "ed" has more."""
