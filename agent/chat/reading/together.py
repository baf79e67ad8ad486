"""What the clauses of one message say of each other."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from agent.chat.messages import Command, Question
from agent.chat.reading.clause import Clause, WishClause
from agent.chat.reading.language import Language
from agent.chat.reading.lookup import Lookup
from agent.chat.reading.naming import names_in
from agent.chat.reading.phrases import ENDS, PAUSES, PhraseList
from agent.chat.reading.sentences import Sentence, plain_tokens
from agent.chat.reading.topics import OF_PARTS, OF_PROGRAM
from agent.song.ids import TrackId


def following(questions: Sequence[Question], language: Language) -> list[Question]:
    """The questions; a bare "how many times?" or "where?" after one about the song asks of what that one asks."""
    bare = PhraseList(language.words.groups["follow_up"])
    found: list[Question] = []
    for one in questions:
        tokens = tuple(token for token in plain_tokens(one.words, language) if token not in (*PAUSES, *ENDS))
        before = found[-1] if found else None
        if before is not None and before.topic not in (*OF_PROGRAM, "unknown") and bare.at(tokens) == len(tokens):
            continue  # its answer says where, and how often
        found.append(one)
    return found


def limited(clauses: Sequence[Clause], sentences: Sequence[Sentence], lookup: Lookup) -> Sequence[Clause]:
    """The clauses of the sentences, with questions about parts limited to those of which a sentence says no more than
    "just the soprano", and without that one."""
    asked = [one for one in clauses if isinstance(one, Question) and one.topic in OF_PARTS]
    tracks = next((found for one in sentences if (found := _only(one.tokens, lookup))), ())
    if not asked or not tracks:
        return clauses
    return [
        structs.replace(one, about=structs.replace(one.about, tracks=tracks))
        if isinstance(one, Question) and one in asked and not (one.about.tracks or one.about.absent) else one
        for one in clauses
        if not isinstance(one, WishClause | Command) or not _only(plain_tokens(one.words, lookup.language), lookup)
    ]


def _only(spoken: tuple[str, ...], lookup: Lookup) -> tuple[TrackId, ...]:
    """The parts of a clause that says no more than "just the soprano"; empty for any other."""
    tokens = tuple(token for token in spoken if token not in ENDS)
    begin = PhraseList(lookup.language.words.groups["only_of"]).at(tokens)
    begin += int(0 < begin < len(tokens) and tokens[begin] == "the")
    named = names_in(tokens, lookup).at("track", begin) if 0 < begin < len(tokens) else None
    return tuple(named.tracks) if named is not None and begin + named.length == len(tokens) else ()


def says_why_heard(wish: WishClause, commands: Sequence[Command], language: Language) -> bool:
    """Whether it only says, beside a command to play, that something shall be heard: "need to hear how it ends"."""
    heard = bool(commands) and all(one.at_once for one in commands)
    return heard and language.listening["hear"].at(wish.tokens) > 0
