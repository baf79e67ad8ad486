"""Choosing a style: the one that was asked for, a blend of two, else one that suits mood, tempo and instruments."""

from __future__ import annotations

from agent.composer.dice import Dice
from agent.composer.styles import PartStyle, Style, StyleBook
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.wishes import Wish
from agent.composer.writing.blending import blended

_SUBJECT = 12.0


def choose_style(intent: Intent, book: StyleBook, dice: Dice) -> Style | None:
    """The style to write in; for a change of a song None unless one was named.

    A new piece in two styles plays the groove of the one that was meant first with the harmony and sounds of the
    other ("ambient techno": techno's beat under ambient sounds).
    """
    if intent.style:
        style = book.style(intent.style)
        other = next((name for name in intent.other_styles if name != style.name), "")
        return blended(style, book.style(other)) if other and intent.goal != "change" else style
    if intent.goal == "change":
        return None
    scored = [(_suits(style, intent), style) for style in book.styles]
    best = max(score for score, _ in scored)
    return dice.pick([style for score, style in scored if score == best])


def _plays(part: PartStyle, wish: Wish) -> bool:
    if wish.whole_role:
        return part.role == wish.role
    return any(name in wish.instruments for name in part.instruments)


def _suits(style: Style, intent: Intent) -> float:
    score: float = sum(4 for mood in intent.moods if style.name in mood.styles)
    if intent.bpm is not None:
        low, high = style.tempo
        score += 3 if low <= intent.bpm <= high else 1 if low * 0.85 <= intent.bpm <= high * 1.15 else 0
    if intent.pace:
        slow = style.tempo[1] <= 100
        score += 2 if slow == (intent.pace == "slow") else 0
    if intent.mode:
        score += 1 if intent.mode in style.modes else 0
    if intent.meter:
        score += 2 if intent.meter == style.meter or intent.meter in style.meters else 0
        score += 1 if style.swing_beats == 0.5 or not style.grooves else 0
    for wish in intent.wanted:
        fitting = sum(_plays(part, wish) for part in style.parts)
        score += 2 if fitting else 0
        if wish in intent.mentioned or intent.only:
            # "a piano piece" is about the piano: a style made of it suits better than a band with one
            score += _SUBJECT * fitting / len(style.parts)
    for wish in intent.refused:
        score -= sum(1 for part in style.parts if wish.whole_role and part.role == wish.role)
    return score
