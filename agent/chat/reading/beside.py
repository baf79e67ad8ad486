"""What stands beside the matter of a message: clauses that react, and clauses that want nothing of the music."""

from __future__ import annotations

from msgspec import Struct

from agent.chat.reading.clauses import cuts
from agent.chat.reading.language import Language
from agent.chat.reading.lookup import Lookup
from agent.chat.reading.naming import names_in
from agent.chat.reading.reactions import reactions_covering


class SmallTalkReader(Struct, frozen=True):
    """Recognises clauses that ask for nothing."""

    _lookup: Lookup
    _language: Language

    def only_reacts(self, tokens: tuple[str, ...]) -> bool:
        """Whether a clause only is a reaction to what was said or done."""
        return bool(reactions_covering(names_in(tokens, self._lookup), self._language))

    def names_music(self, tokens: tuple[str, ...]) -> bool:
        """Whether a clause names a part, place, style or other musical term."""
        _, music = self._language.elsewhere
        about = names_in(tokens, self._lookup).about()
        named = about.tracks or about.absent or about.sections or about.styles or about.bars or about.formats
        return bool(named) or music.find(tokens) is not None

    def wants_nothing(self, tokens: tuple[str, ...]) -> bool:
        """Whether a clause neither gives an order nor measures or describes music ("my sister came over")."""
        plain = self.plain(tokens)
        words = (self._language.shape["doing"], self._language.shape["suggests"])
        if any(one.at(plain) for one in words) or any(one.at(after) for _, after in cuts(plain) for one in words):
            return False
        heard = (self._language.asides["measures"], self._language.moods, self._language.shape["wanting"])
        described = any(one.at(plain, at) for one in heard for at in range(len(plain)))
        limits = self._language.shape["indefinite"]
        small = self._language.asides["small"]
        described = described or any(token in self._language.asides["vaguely"] for token in plain)
        described = described or any(limits.at(plain, at) for at in range(len(plain)) if plain[at] not in small)
        return not described and not self.names_music(plain) and not any(token.isdecimal() for token in plain)

    def plain(self, tokens: tuple[str, ...]) -> tuple[str, ...]:
        """The clause without leading exclamations and greetings; its subject stays."""
        shape, reactions = self._language.shape, self._language.reactions
        at = 0
        while at < len(tokens) and tokens[at] not in shape["pronouns"]:
            no = reactions["no"].at(tokens, at)
            after = tokens[at + no : at + no + 1]
            length = shape["openers"].at(tokens, at) or reactions["feeling"].at(tokens, at)
            if no and (not after or after[0] in shape["pronouns"] or after[0] in self._language.asides["again"]):
                length = no
            if not length:
                break
            at += length
        return tokens[at:]
