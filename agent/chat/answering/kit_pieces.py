"""The drums of a kit, and which of them words name."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from agent.chat.reading.language import Language
from agent.chat.reading.phrases import PhraseList
from agent.chat.reading.sentences import plain_tokens
from agent.composer.changing.notes.kit_pieces import pitches_of
from agent.song.palette import Palette
from agent.song.track import Track


class KitPiece(Struct, frozen=True):
    """A drum of a kit: what one and several strokes on it are called, and its General MIDI pitches."""

    one: str
    many: str
    pitches: frozenset[int]


def _piece(one: str, *pitches: int, many: str = "") -> KitPiece:
    return KitPiece(one, many or f"{one}s", frozenset(pitches))


KICK = _piece("kick", 35, 36)
_PIECES = (
    KICK, _piece("snare", 38, 40), _piece("rim click", 37), _piece("clap", 39), _piece("closed hi-hat", 42),
    _piece("pedal hi-hat", 44), _piece("open hi-hat", 46), _piece("low tom", 41, 43, 45), _piece("mid tom", 47),
    _piece("high tom", 48, 50), _piece("crash", 49, 57, many="crashes"), _piece("splash", 55, many="splashes"),
    _piece("china", 52), _piece("ride", 51, 59), _piece("ride bell", 53), _piece("tambourine", 54),
    _piece("cowbell", 56), _piece("vibraslap", 58), _piece("bongo", 60, 61), _piece("conga", 62, 63, 64),
    _piece("timbale", 65, 66), _piece("agogo", 67, 68), _piece("cabasa", 69), _piece("maraca", 70),
    _piece("whistle", 71, 72), _piece("guiro", 73, 74), _piece("clave", 75), _piece("wood block", 76, 77),
    _piece("cuica", 78, 79), _piece("triangle", 80, 81), _piece("shaker", 82), _piece("sleigh bell", 83),
    _piece("surdo", 86, 87),
)
OTHER = _piece("other stroke")
_BY_PITCH = {pitch: piece for piece in _PIECES for pitch in piece.pitches}


def piece_of(pitch: int) -> KitPiece:
    """The drum of a General MIDI pitch; `OTHER` for one that none is known for."""
    return _BY_PITCH.get(pitch, OTHER)


def usual_keys(track: Track, palette: Palette) -> dict[int, int]:
    """For each key on which the kit of a track has a drum elsewhere than General MIDI, the pitch there."""
    kit = next((one for one in palette.instruments if one.name == track.instrument), None)
    return {key: usual for usual, key in kit.drums} if kit is not None else {}


def pieces_named(words: str, language: Language) -> tuple[frozenset[int], ...]:
    """The General MIDI pitches of each drum that words name, in the order in which they are named."""
    tokens = plain_tokens(words, language)
    phrases = [(PhraseList(thing.words), pitches_of(thing.pieces)) for thing in language.music.things if thing.pieces]
    found: list[frozenset[int]] = []
    at = 0
    while at < len(tokens):
        length, pitches = max(((phrase.at(tokens, at), pitches) for phrase, pitches in phrases), key=lambda one: one[0])
        if length and pitches not in found:
            found.append(pitches)
        at += max(length, 1)
    return tuple(found)


def names_of(pitches: Iterable[int]) -> tuple[KitPiece, ...]:
    """The drums of some pitches, each once, in the order of the table."""
    wanted = {piece_of(pitch).one for pitch in pitches}
    return tuple(piece for piece in _PIECES if piece.one in wanted)
