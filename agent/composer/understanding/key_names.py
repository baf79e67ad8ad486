"""Key names: the note of a key by its sung or German name, "sol minor", "As-Dur", and the note a piece rests on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agent.composer.piece_words import FigureWords
from agent.composer.understanding.lexicon import Lexicon
from agent.song.key import TONICS, Mode
from agent.theory.german_names import NAMES, german_key

_KINDS = frozenset({"style", "genre", "mood"})
_REACH = 3
"""Most words between a ground and "on": "a low drone all on D"."""


def sung_tonic(tokens: Sequence[str], at: int, words: FigureWords) -> tuple[int, str] | None:
    """The number of casefolded tokens of a solfège name ("sol"), and its letter with accidental; None for none."""
    name = tokens[at]
    stuck = name[-1:] if name[-1:] in words.signs else ""
    letter = words.tonics.get(name.removesuffix(stuck))
    if letter is None:
        return None
    if stuck:
        return 1, letter + words.signs[stuck]
    sign = words.signs.get(tokens[at + 1]) if at + 1 < len(tokens) else None
    return (2, letter + sign) if sign is not None else (1, letter)


def german_key_at(
    spoken: Sequence[str], at: int, mode_at: Callable[[int], tuple[Mode, int] | None], *, announced: bool
) -> tuple[int, tuple[str, Mode | None]] | None:
    """The number of tokens of a German key, its tonic and mode; None for none. `As-Dur` and `h moll` always count (B is
    B flat), `Fis minor` and `Es` only where a key is `announced`. `spoken` are the tokens as written; `mode_at` reads a
    mode at a token as (mode, number of tokens)."""
    for used in (1, 2):
        whole = german_key(" ".join(spoken[at : at + used]))
        if whole is not None:
            return used, (whole.tonic, whole.mode)
    tonic = NAMES.get(spoken[at].casefold()) if spoken[at][:1].isupper() else None
    if tonic not in TONICS or not announced:
        return None
    mode = mode_at(at + 1)
    closes = at + 1 >= len(spoken) or not spoken[at + 1].isalnum()
    return (1 + mode[1], (tonic, mode[0])) if mode is not None else (1, (tonic, None)) if at and closes else None


def sung_key_at(
    tokens: Sequence[str], at: int, words: FigureWords, mode_at: Callable[[int], tuple[Mode, int] | None]
) -> tuple[int, tuple[str, Mode | None]] | None:
    """The number of tokens of a solfège key (`la minor`, `si bemol major`), its tonic and mode; None for none, and for
    a name without a mode. `mode_at` reads a mode at a token as (mode, number of tokens)."""
    sung = sung_tonic(tokens, at, words)
    mode = mode_at(at + sung[0]) if sung is not None else None
    if sung is None or mode is None or sung[1] not in TONICS:
        return None
    return sung[0] + mode[1], (sung[1], mode[0])


def rests_on(tokens: Sequence[str], at: int, words: FigureWords) -> bool:
    """Whether the note at a token is the one on which a piece rests: "a drone on D", "centred on E"."""
    if at < 2 or tokens[at - 1] not in ("on", "around"):
        return False
    return any(word in words.grounds for word in tokens[max(0, at - 1 - _REACH) : at - 1])


def of_style(tokens: Sequence[str], at: int, length: int, lexicon: Lexicon) -> bool:
    """Whether a note of `length` tokens is the key of the style named after it: "F blues", but not "G-funk"."""
    named = lexicon.find(tokens, at)
    if named is not None and named.length > length and _KINDS & named.senses.keys():
        return False
    style = lexicon.find(tokens, at + length) if at + length < len(tokens) else None
    return style is not None and bool(_KINDS & style.senses.keys())
