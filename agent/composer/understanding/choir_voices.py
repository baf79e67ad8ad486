"""Choir voices: soprano, alto, tenor and bass of a choir that a new piece is for, where their limits are told."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from agent.composer.note_words import NoteWords
from agent.composer.tokens import phrase_tokens
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.note_pitches import NamedPitch
from agent.composer.understanding.wishes import Wish

_CHOIR = "choir"
_LONGEST = 2
_TOPS = {"soprano": 72, "alto": 66, "tenor": 60, "bass": 56}
"""Lowest pitch that may be meant as the highest of a voice, and likewise below."""
_LIFT = 2
_BOTTOMS = {"soprano": 57, "alto": 52, "tenor": 45, "bass": 38}


def choir_voices(tokens: Sequence[str], lexicon: Lexicon, words: NoteWords) -> dict[int, Wish]:
    """The choir voice that each token names, by index; empty unless the request names a choir."""
    if not choir_named(tokens, lexicon):
        return {}
    phrases = {phrase_tokens(phrase): voice for voice, said in words.voices.items() for phrase in said}
    found: dict[int, Wish] = {}
    for at in range(len(tokens)):
        for length in range(_LONGEST, 0, -1):
            voice = phrases.get(tuple(tokens[at : at + length]))
            if voice is not None and at not in found:
                found |= dict.fromkeys(range(at, at + length), Wish(voice))
    return found


def choir_named(tokens: Sequence[str], lexicon: Lexicon) -> bool:
    """Whether casefolded tokens name a choir by its voices."""
    named = (lexicon.standing.ensembles.longest_at(tokens, at) for at in range(len(tokens)))
    return any(one is not None and _CHOIR in one[1].players for one in named)


def in_voice(named: NamedPitch, wish: Wish | None, *, high: bool) -> NamedPitch:
    """The pitch `named` as one that makes sense as the highest (`high`) or lowest note of a voice, if its octave was
    not said: no tenor sings above E is E4. Unchanged for a part that is no choir voice."""
    lowest = (_TOPS if high else _BOTTOMS).get(wish.label if wish is not None else "")
    if lowest is None:
        return named
    # the high C of a soprano is the one above those that she sings all the time
    lowest += (_LIFT if high else -_LIFT) if named.lifted else 0
    return replace(named, pitch=lowest + (named.pitch - lowest) % 12, bare=False, either=False)
