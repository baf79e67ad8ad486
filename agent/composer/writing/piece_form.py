"""The form of a piece: its sections as asked, drawn or looped, with who plays in them and as long as it is to last."""

from __future__ import annotations

from msgspec import structs

from agent.composer.dice import Dice
from agent.composer.styles import SectionStyle, Style
from agent.composer.understanding.intent import AskedSection, Intent
from agent.composer.understanding.metered import metered_sections
from agent.composer.writing.asked_form import asked_form
from agent.composer.writing.casting import cast
from agent.composer.writing.charted import Charted
from agent.composer.writing.early_tune import at_once, sung_early
from agent.composer.writing.ensemble import sections_for
from agent.composer.writing.form import choose_form, fitting_bars
from agent.composer.writing.frame import Player
from agent.composer.writing.looped import is_loop, loop_form
from agent.composer.writing.solo import plays_alone, with_soloist

_TRIES = 4
"""Forms that are made until one is as long as pieces of its family are, with its tune early."""


def formed(
    style: Style, intent: Intent, players: tuple[Player, ...], bars: int | None, dice: Dice, chart: Charted | None
) -> tuple[SectionStyle, ...]:
    """The sections of a piece of `bars` bars (None: open) for which no stages are described, with the players that
    exist; over the `chart` if there is one."""
    if bars is not None and is_loop(intent):
        sections = loop_form(style, bars, dice.of("loop form"))
    else:
        sections = _drawn_or_asked(style, intent, bars, dice, chart)
    if plays_alone(intent):
        return with_soloist(sections, tuple(player.style.name for player in players))
    if len(intent.players) > 1:
        sections = sections_for(sections, style, [player.style for player in players])
    return cast(sections, players)


def timed(
    style: Style, intent: Intent, players: tuple[Player, ...], bars: int | None, dice: Dice, chart: Charted | None,
    seconds: float,
) -> tuple[SectionStyle, ...]:
    """The sections of a piece whose bars last `seconds` seconds each, in `bars` bars (None: a length usual for the
    style) and with an early melody; over the `chart` if there is one."""
    sections = formed(style, intent, players, bars, dice, chart)
    if not intent.sections and chart is None:
        sections = at_once(sections, players, seconds)
    if style.rules is None or chart is not None or len(intent.sections) > 1:
        return sections
    early = style.rules.early and not intent.sections
    if bars is not None:
        return sung_early(sections, players, seconds, whole=True) if early else sections
    for _ in range(_TRIES):
        shaped = sung_early(sections, players, seconds, whole=False) if early else sections
        many = sum(one.bars for one in shaped)
        fitting = fitting_bars(style.rules, many, seconds * many, style.round)
        if fitting is None:
            break
        # what an early tune takes from the intro, the rest has more
        lost = sum(one.bars for one in sections) - many
        sections = formed(style, intent, players, fitting + lost, dice, chart)
    return shaped


def _drawn_or_asked(
    style: Style, intent: Intent, bars: int | None, dice: Dice, chart: Charted | None
) -> tuple[SectionStyle, ...]:
    if chart is not None and len(intent.sections) > 1 and not intent.asks_length:
        # they last as long as each is written, in whatever order they come
        bars = None
    asked = intent.sections if chart is None else chart.asked_sections(intent.sections, bars)
    if chart is None and style.round is not None and bars is None:
        asked = tuple(structs.replace(one, bars=one.bars or style.round) for one in asked)
    alone = len(asked) == 1 and asked[0].bars == bars
    if alone:
        return asked_form(style, asked)
    holding = tuple(AskedSection(name) for name in metered_sections(intent)) if chart is None else ()
    return choose_form(style, bars, _form_dice(style, intent, dice), asked, holding)


def _form_dice(style: Style, intent: Intent, dice: Dice) -> Dice:
    """What a form is drawn with: words of mood and scene draw another one, those of key, tempo and band the same."""
    if style.rules is None:
        return dice.of("form")
    moods, scenes = [mood.name for mood in intent.moods], [setting.name for setting in intent.settings]
    return dice.of(" ".join(["form of", style.name, *moods, *scenes]))
