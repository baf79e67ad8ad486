"""Choosing a style: the one that was asked for, a blend of two, else the nearest in character to what was said."""

from __future__ import annotations

from collections.abc import Iterator
from math import log2

from agent.composer.styles import Character, PartStyle, Style, StyleBook
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.wishes import Wish
from agent.composer.vocabulary import Mood
from agent.composer.writing.blending import blended
from agent.song.palette import Palette

_NEUTRAL = Character(
    acoustic=0.75, energy=0.45, brightness=0.6, tension=0.2, formality=0.35, groove=0.35, play=0.3
)
"""What a piece is like of which nothing is said."""
_WEAK, _SETTING, _MOOD, _SOUND, _PACE = 0.1, 2.0, 0.5, 0.5, 0.4
"""How much the neutral character, a setting, a mood, an instrument and a pace weigh."""
_SUITS, _PLAYS, _SUBJECT, _BAND = 0.25, 0.3, 1.2, 0.5
"""What a style gains that suits a mood, has a part for an instrument, is made of one alone, or plays a whole band."""
_OTHER_METER, _UNASKED_METER, _OTHER_MODE, _REFUSED = 0.3, 0.6, 0.15, 0.15
"""What a style loses that is written in another meter than asked, in three where nobody asked for it, in another mode,
and for each part that is refused."""
_LATER = 0.6
"""How much what is said later points to a style: "a fanfare for the opening of our library" is a fanfare."""
_WRONG_METER = 1.5
"""What a style that lives by its meter loses in another: no waltz is in 2/4."""
_IDIOM = 0.6
"""What an idiom loses to which nothing points: "happy and bouncy" is no bossa nova."""
_POINTS, _NEXT = 1.4, 0.3
"""What a style gains that suits what the piece is for or like best, and how much less the next one does."""
_OCTAVE, _FREE = 3.0, 0.3
"""What it loses for each doubling of the tempo between what is asked and its range: this share of it, and by its
groove up to all."""


_TAGS = (
    ("acoustic", 1.0, frozenset({"acoustic", "voice"})),
    ("acoustic", 0.0, frozenset({"synthetic", "electronic"})),
    ("formality", 0.8, frozenset({"bowed", "orchestral", "dramatic", "solemn", "baroque", "noble"})),
    ("groove", 0.9, frozenset({"funky", "rock", "latin"})),
    ("groove", 0.6, frozenset({"jazz", "brushed"})),
    ("groove", 0.1, frozenset({"bowed", "orchestral", "baroque", "noble", "delicate"})),
)
"""What the tags of an instrument say of the music it is asked for."""
_CONSORT = frozenset({"woodwind", "brass", "strings", "choir"})
"""Families of players who need no rhythm section."""
_MANNERS = frozenset({"funky", "latin", "jazz", "brushed"})
"""Tags of instruments that are at home in an idiom."""


def choose_style(intent: Intent, book: StyleBook, palette: Palette) -> Style | None:
    """The style to write in; None for a change of a song that names no style.

    A new piece in two styles plays the groove of the first with the harmony and sounds of the other ("ambient techno":
    techno's beat, ambient sounds). Where none is named, the style nearest to the purpose, moods, meter, tempo and
    instruments is chosen; the same request always gives the same style.
    """
    if intent.style:
        style = book.style(intent.style)
        other = next((name for name in intent.other_styles if name != style.name), "")
        return blended(style, book.style(other)) if other and intent.goal != "change" else style
    if intent.goal == "change":
        return None
    known = [style for style in book.styles if style.character is not None] or list(book.styles)
    return min(known, key=lambda style: (distance(style, intent, palette), style.name))


def distance(style: Style, intent: Intent, palette: Palette) -> float:
    """How badly a style suits the request, without a fixed scale: the lower the better, negative where something speaks
    for the style."""
    character = style.character or Character()
    said = _said(intent, palette)
    far: float = sum(weight * (getattr(character, trait) - value) ** 2 for trait, value, weight in said)
    far -= sum(_SUITS for mood in intent.moods if style.name in mood.styles)
    far -= sum(
        (_POINTS - _NEXT * setting.styles.index(style.name)) * (_LATER if number else 1)
        for number, setting in enumerate(intent.settings) if style.name in setting.styles
    )
    if intent.rules.power:
        far -= _POINTS * any(part.power for part in style.parts)
    if style.idiom and not _points_to(style, intent, palette):
        far += _IDIOM
    return far + _of_frame(style, character, intent) + _of_band(style, intent)


def _points_to(style: Style, intent: Intent, palette: Palette) -> bool:
    """Whether a mood, a setting, the meter or an instrument of its manner points to an idiom."""
    named = any(style.name in setting.styles for setting in intent.settings)
    # "groovy" alone is funk, "happy and bouncy" is not
    named = named or (len(intent.moods) == 1 and style.name in intent.moods[0].styles)
    own_meter = style.meter != (4, 4) and intent.meter == style.meter
    wished = {name for wish in (*intent.wanted, *intent.players) for name in wish.instruments[:1]}
    tags = {tag for instrument in palette.instruments if instrument.name in wished for tag in instrument.tags}
    return named or own_meter or bool(_MANNERS & tags) or _own_band(style, intent)


def _own_band(style: Style, intent: Intent) -> bool:
    """Whether the players that are named are exactly those of the style, as the four of a quartet."""
    players = intent.players
    return len(players) == len(style.parts) > 2 and all(
        any(_plays(part, wish) for wish in players) for part in style.parts
    )


def _said(intent: Intent, palette: Palette) -> Iterator[tuple[str, float, float]]:
    """Traits with the value that they should have, and how much each weighs."""
    for trait in Character.__struct_fields__:
        yield trait, getattr(_NEUTRAL, trait), _WEAK
    staged = [setting for stage in intent.course for setting in stage.settings]
    for setting in dict.fromkeys((*intent.settings, *staged)):
        for trait in setting.traits.__struct_fields__:
            value = getattr(setting.traits, trait)
            if value is not None:
                yield trait, value, _SETTING
    for mood in intent.moods:
        yield from _of_mood(mood)
    if intent.pace in ("very slow", "slow", "fast", "very fast"):
        yield "energy", 0.2 if "slow" in intent.pace else 0.85, _PACE
    families = {family for wish in intent.players for family in wish.families}
    if len(intent.players) > 1 and families and families <= _CONSORT:
        # winds, bows and voices by themselves are chamber music
        yield "formality", 0.8, _SETTING
        yield "groove", 0.1, _SETTING
    for wish in dict.fromkeys((*intent.wanted, *intent.mentioned)):
        yield from _of_sound(wish, palette)


def _of_mood(mood: Mood) -> Iterator[tuple[str, float, float]]:
    if mood.brightness:
        yield "brightness", 0.5 + mood.brightness / 2, _MOOD * abs(mood.brightness)
    if mood.energy:
        yield "energy", max(0.0, min(1.0, 0.5 + mood.energy * 1.4)), _MOOD
    if mood.groove:
        yield "groove", mood.groove, _MOOD


def _of_sound(wish: Wish, palette: Palette) -> Iterator[tuple[str, float, float]]:
    """What the instrument that a wish names first says of the music, by its tags."""
    names = wish.instruments[:1]
    tags = next((instrument.tags for instrument in palette.instruments if instrument.name in names), ())
    for trait, value, meant in _TAGS:
        if meant & set(tags):
            yield trait, value, _SOUND


def _of_frame(style: Style, character: Character, intent: Intent) -> float:
    far = 0.0
    asked = tempo_range(intent)
    if asked is not None:
        low, high = style.tempo
        beside = max(0.0, log2(asked[0] / high), log2(low / asked[1]))
        # a groove is bound to its tempo, held chords are not
        far += _OCTAVE * beside * (_FREE + character.groove)
    if intent.mode and intent.mode not in style.modes:
        far += _OTHER_MODE
    if intent.meter and intent.meter != style.meter:
        # a groove that was written for another meter stumbles, held chords do not
        far += _OTHER_MODE if intent.meter in style.meters else _OTHER_METER + character.groove
        if style.meter != (4, 4) and intent.meter not in style.meters:
            far += _WRONG_METER
    if intent.meter is None and (4, 4) not in (style.meter, *style.meters):
        far += _UNASKED_METER
    return far


def tempo_range(intent: Intent) -> tuple[float, float] | None:
    """The lowest and highest tempo in BPM that is asked for; None if none is.

    A stated tempo counts before a stated range, and that before the range of a setting (what the piece is for); of
    several settings the first one with a range counts.
    """
    if intent.bpm is not None:
        return intent.bpm, intent.bpm
    ranges = (setting.bpm for setting in intent.settings if len(setting.bpm) == 2)
    return intent.tempo_between or next(((low, high) for low, high in ranges), None)


def _of_band(style: Style, intent: Intent) -> float:
    far = 0.0
    if len(intent.players) > 1:
        played = sum(any(_plays(part, wish) for part in style.parts) for wish in intent.players)
        return -_BAND * played / len(intent.players) - _SUBJECT * _own_band(style, intent)
    for wish in intent.wanted:
        fitting = sum(_plays(part, wish) for part in style.parts)
        far -= _PLAYS if fitting else 0.0
        if wish in intent.mentioned or intent.only:
            # "a piano piece" is about the piano: a style made of it suits better than a band with one
            far -= _SUBJECT * fitting / len(style.parts)
    refused = [wish.role for wish in intent.refused if wish.whole_role]
    return far + _REFUSED * sum(part.role in refused for part in style.parts)


def _plays(part: PartStyle, wish: Wish) -> bool:
    if wish.whole_role:
        return part.role == wish.role
    return any(name in wish.instruments for name in part.instruments)
