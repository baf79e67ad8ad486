"""Plain words: the spellings of a chat as the words that they stand for, each with its place in the request."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec.structs import replace

from agent.composer.same_objects import once_for_same
from agent.composer.tokens import Token, phrase_tokens, tokens_in
from agent.composer.typed_words import Typing
from agent.composer.understanding.dictionary import dictionary
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.numbers import number_at, unit_at

_RUN = re.compile(r"([^\W\d_])\1{2,}")
EQUALS = "="
"""The sign between a part and its player, in whatever way it was typed."""
_GIVES = re.compile(r"=|[-–—]>|[→⇒]")
_PLUS = "+"
_DASH = re.compile(r"(?<=\s)[-–—]{1,3}(?=\s)|—")
_ENDING = "s"
_LONGEST = 4
_FEWEST = 2
"""Parts of a list in one word."""
_SHORT = 2
"""Letters of an ending that needs a hyphen before it: "jazz-y"."""
_SAID = 4
"""Words in brackets that make a clause; fewer belong to what stands before them."""


def plain(text: str, lexicon: Lexicon) -> list[Token]:
    """The tokens of a text with colloquial spellings replaced by plain words; each keeps the position of what was
    typed.

    Names of the song's tracks, and words with a meaning of their own, stay as they are.
    """
    listed = [one for token in tokens_in(text) for one in _listed(token, lexicon)]
    tokens = _named_ones(_parted(text, _possessed(listed, lexicon), lexicon), lexicon)
    typing = lexicon.words.typing
    if typing is None:
        return tokens
    table = _table(typing)
    tokens = _signed([_drawn_out(token, table, lexicon) for token in tokens], lexicon)
    befores = ("", *(token.text for token in tokens))
    tokens = [_unlikened(*pair, typing.likened, lexicon) for pair in zip(tokens, befores, strict=False)]
    tokens = [_described(*pair, typing.described, lexicon) for pair in zip(tokens, befores, strict=False)]
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        length = _typed(tokens, at, table, lexicon)
        if not length:
            found.append(tokens[at])
        else:
            typed = tuple(token.text.casefold() for token in tokens[at : at + length])
            first, last = tokens[at].start, tokens[at + length - 1].end
            found += [Token(word, first, last) for word in table[typed]]
        at += length or 1
    return found


@once_for_same
def _table(typing: Typing) -> dict[tuple[str, ...], tuple[str, ...]]:
    """What is typed, and what is meant by it."""
    return {phrase_tokens(typed): phrase_tokens(meant) for typed, meant in typing.plain.items()}


def _listed(token: Token, lexicon: Lexicon) -> list[Token]:
    """A token that lists parts of the song as one word, as its parts with commas: "drums/bass/guitar"."""
    names = token.text.split("/")
    if len(names) < _FEWEST or not all(lexicon.wish_at([name.casefold()], 0) is not None for name in names):
        return [token]
    found: list[Token] = []
    at = token.start
    for name in names:
        found += [Token(",", at - 1, at)] if found else []
        found.append(Token(name, at, at + len(name)))
        at += len(name) + 1
    return found


def _possessed(tokens: Sequence[Token], lexicon: Lexicon) -> list[Token]:
    """The tokens, in which a part of the song that has a line, or is something, stands by its name: of "the flute's
    melody" the flute, and of "the guitar's too loud" that it is."""
    parts, asides, grammar = lexicon.words.parts, lexicon.words.asides, lexicon.words.grammar
    judging = {*grammar.excess, *grammar.graded, *(asides.judging if asides is not None else ())}
    found: list[Token] = []
    passed = False
    for token, after in zip(tokens, [*tokens[1:], None], strict=False):
        stem, mark, ending = token.text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").rpartition("'")
        wish = lexicon.wish_at([stem.casefold()], 0) if mark and ending.casefold() == _ENDING else None
        if passed or wish is None or parts is None or not lexicon.has(wish[1]) or after is None:
            found += [] if passed else [token]
            passed = False
            continue
        name, said = replace(token, text=stem), after.text.casefold()
        whole = lexicon.wish_at([token.text.casefold(), said], 0)
        passed = said in parts.lines and whole is None
        judged = whole is None and said in judging
        if whole is None and said in parts.belongings:
            # "open the guitar's filter"
            found.append(name)
            continue
        found += [name] if passed else [name, replace(token, text=parts.being)] if judged else [token]
    return found


def _parted(text: str, tokens: Sequence[Token], lexicon: Lexicon) -> list[Token]:
    """The tokens with a comma for a dash between clauses, and for the brackets around one."""
    words = [token.text.casefold() for token in tokens]
    found: list[Token] = []
    opened = False
    for at, token in enumerate(tokens):
        before = tokens[at - 1].end if at else 0
        gap = text[before : token.start]
        dash = _DASH.search(gap) if all(word.isalpha() for word in words[max(0, at - 3) : at + 1]) else None
        opens = "(" in gap and at > 0 and sum(word.isalpha() for word in _bracketed(text, tokens, at)) >= _SAID
        closes = ")" in gap and opened
        mark = before + (dash.start() if dash else gap.find("(" if opens else ")"))
        if at > 2 and (dash or opens or closes) and not _in_name(words, at, lexicon):
            found.append(Token(",", mark, mark + 1))
        if at and _GIVES.search(gap) and words[at].isalpha() and _names_part(words, at, lexicon):
            found.append(Token(EQUALS, before, token.start))
        if at and gap.strip() == _PLUS and _names_part(words, at - 1, lexicon) and _begins_part(words, at, lexicon):
            found.append(Token(lexicon.words.grammar.joins[0], before, token.start))
        opened = opens or (opened and not closes)
        found.append(token)
    return found


def _signed(tokens: Sequence[Token], lexicon: Lexicon) -> list[Token]:
    """The tokens with the words for plus and minus before what is not a level: "+20 bpm" is 20 BPM more."""
    signs = lexicon.words.typing.signs if lexicon.words.typing is not None else {}
    words = [token.text.casefold() for token in tokens]
    found: list[Token] = []
    for at, token in enumerate(tokens):
        number = number_at(words, at + 1, lexicon) if token.text in signs else None
        unit = unit_at(words, at + 1 + number[0], lexicon) if number is not None else None
        steps = lexicon.sense(words, at + 1 + number[0], "step") if number is not None else None
        tempo = (unit is not None and unit[1] == "bpm") or (at > 0 and _is_tempo(words, at - 1, lexicon))
        meant = signs[token.text] if number is not None and (tempo or steps is not None) else ""
        found.append(replace(token, text=meant) if meant else token)
    return found


def _is_tempo(words: Sequence[str], at: int, lexicon: Lexicon) -> bool:
    aspect = lexicon.sense(words, at, "aspect")
    return aspect is not None and aspect[1] == "tempo"


def _bracketed(text: str, tokens: Sequence[Token], at: int) -> list[str]:
    """The words in brackets from a token on."""
    close = text.find(")", tokens[at].start)
    return [token.text for token in tokens[at:] if token.end <= close]


def _begins_part(words: Sequence[str], at: int, lexicon: Lexicon) -> bool:
    """Whether a part or a player stands at a token, perhaps behind an article."""
    led = words[at] in lexicon.words.grammar.determiners
    return any(lexicon.wish_at(words, one) is not None for one in range(at, min(at + 1 + led, len(words))))


def _names_part(words: Sequence[str], at: int, lexicon: Lexicon) -> bool:
    """Whether a part or a player stands at a token or right before it."""
    letters = lexicon.words.assigning.letters if lexicon.words.assigning is not None else {}
    return words[at - 1] in letters or any(lexicon.wish_at(words, one) is not None for one in (at - 1, at))


def _in_name(words: Sequence[str], at: int, lexicon: Lexicon) -> bool:
    """Whether the name of a track goes on over a token: "Synth - Lead"."""
    names = ((first, lexicon.sense(words, first, "track")) for first in range(max(0, at - _LONGEST), at))
    return any(name is not None and first + name[0] > at for first, name in names)


def _typed(
    tokens: Sequence[Token], at: int, table: Mapping[tuple[str, ...], tuple[str, ...]], lexicon: Lexicon
) -> int:
    """How many tokens the longest spelling takes that stands at one."""
    if at and tokens[at - 1].text[-1:].isdecimal() and tokens[at - 1].end == tokens[at].start:
        # the unit of "3k"
        return 0
    words = tuple(token.text.casefold() for token in tokens[at : at + _LONGEST])
    length = next((n for n in range(len(words), 0, -1) if words[:n] in table), 0)
    if any(token.text[:1].isupper() and token.text[1:].islower() for token in tokens[at + 1 : at + length]):
        # a capital within a sentence begins a name: the Em of "instead of Em" is no "them"
        return 0
    return 0 if any(lexicon.names_track(word) for word in words[:length]) else length


def _unlikened(token: Token, before: str, endings: Sequence[str], lexicon: Lexicon) -> Token:
    """A token without an ending that says what it is like: "Motown-y" and "motownesque" are about Motown."""
    word = token.text.casefold()
    if word in lexicon.known:
        return token
    stem, dash, ending = word.rpartition("-")
    if not dash:
        ending = next((one for one in endings if len(one) > _SHORT and word.endswith(one)), "")
        stem = word.removesuffix(ending) if ending else ""
    likens = lexicon.likens(stem) or (before.isdecimal() and lexicon.likens(f"{before} {stem}"))
    liked = bool(stem) and ending in endings and likens
    return replace(token, text=token.text[: len(stem)]) if liked else token


def _described(token: Token, before: str, meant: Mapping[str, str], lexicon: Lexicon) -> Token:
    """A token that names a player, unless a word describes it: "summer vibes" are no vibraphone, "and vibes" are."""
    word, describing = meant.get(token.text.casefold()), before.casefold()
    if word is None or not before[-1:].isalpha():
        return token
    grammar, bindings = lexicon.words.grammar, lexicon.words.bindings
    leading = {*grammar.skip, *grammar.joins, *grammar.heads, *grammar.determiners, *grammar.limiting,
               *bindings.add, *bindings.refuse, *bindings.only, *bindings.keep}
    named = lexicon.wish_at([token.text.casefold()], 0)
    playing = (named is not None and lexicon.has(named[1])) or lexicon.wish_at([describing], 0) is not None
    return token if playing or describing in leading else replace(token, text=word)


def _drawn_out(token: Token, table: Collection[tuple[str, ...]], lexicon: Lexicon) -> Token:
    """A token without letters that are repeated for effect: "sooo" is so, and "coool" is cool."""
    if _RUN.search(token.text) is None or token.text.casefold() in lexicon.known:
        return token
    shorter = list(_shortened(token.text.casefold()))
    known = next((one for one in shorter if one in lexicon.known or (one,) in table), None)
    if known is None:
        existing = dictionary(lexicon.words.dictionary)
        known = next((one for one in shorter if one in existing), None)
    return token if known is None else replace(token, text=known)


def _shortened(word: str) -> Iterator[str]:
    yield _RUN.sub(r"\1\1", word)
    yield _RUN.sub(r"\1", word)


_REACH = 12
"""Tokens before it among which the instrument stands."""


def _named_ones(tokens: Sequence[Token], lexicon: Lexicon) -> list[Token]:
    """The tokens with each "one" after a kind of instrument ("a nylon one") replaced by the instrument named before it,
    or else after it, if the two together name an instrument."""
    words = lexicon.words.parts
    if words is None:
        return list(tokens)
    said = [token.text.casefold() for token in tokens]
    found = list(tokens)
    for at, word in enumerate(said):
        if at and word in words.kind and lexicon.wish_at(said[at - 1 : at + 1], 0) is None:
            near = [*reversed(said[max(0, at - _REACH) : at - 1]), *said[at + 1 : at + _REACH]]
            noun = next((one for one in near if _makes(said[at - 1], one, lexicon)), None)
            found[at] = replace(tokens[at], text=noun) if noun is not None else tokens[at]
    return found


def _makes(kind: str, noun: str, lexicon: Lexicon) -> bool:
    """Whether two words together name an instrument, and the second one does alone."""
    whole = lexicon.wish_at([kind, noun], 0)
    return whole is not None and whole[0] > 1 and lexicon.wish_at([noun], 0) is not None
