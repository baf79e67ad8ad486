"""The form: which sections a piece has and how many bars each gets."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from agent.composer.dice import Dice
from agent.composer.form_rules import FormRules
from agent.composer.styles import Form, SectionStyle, Style
from agent.composer.tones import STEP
from agent.composer.understanding.intent import AskedSection
from agent.composer.understanding.section_kinds import kind_of
from agent.composer.writing.asked_form import asked_form, forms_with
from agent.composer.writing.bar_meters import Laid, chord_lengths_in
from agent.composer.writing.cadences import leading_home, smoothed, turned, with_last
from agent.composer.writing.drawn_form import drawn, named
from agent.composer.writing.frame import ChordSpan, Frame, Scene, Turn
from agent.composer.writing.harmony import chord_lengths, lay
from agent.composer.writing.stretching import stretched
from agent.composer.writing.turns_of_bars import length_of
from agent.message import msg
from agent.plan.errors import PlanError
from agent.song.chord import Chord
from agent.song.key import Key
from agent.song.time import PPQ

MAX_BARS = 400
_PEAK, _RISE = 0.7, 0.2
"""Energy of a peak, and how much stronger than the section before it is."""


def choose_form(
    style: Style, bars: int | None, dice: Dice, asked: tuple[AskedSection, ...] = (),
    holding: tuple[AskedSection, ...] = (),
) -> tuple[SectionStyle, ...]:
    """A form of the style, or exactly the sections `asked` for; with `bars` bars if that is given.

    A single section asked for, and those of `holding`, are fitted into a form of the style. Such a form may lose
    sections in a short piece; sections asked for stay as long as there is a bar for each, with exactly the lengths
    stated. Raises `PlanError` if these leave no bars for the others.
    """
    if len(asked) < 2:
        inside = (*asked, *holding)
        forms = style.forms if style.rules is None else (drawn(style, style.rules, dice, inside),)
        for one in inside:
            forms = forms_with(style, forms, one)
        form = dice.pick(forms)
        sections = form.sections if bars in (None, form.bars) else stretched(form, bars, whole=style.round)
        return sections if style.rules is None else named(sections, style.rules)
    form = Form(asked_form(style, asked))
    if bars is None or bars == form.bars or all(one.bars for one in asked):
        return form.sections
    if not any(one.bars for one in asked):
        return stretched(form, bars, keep=True)
    left = bars - sum(one.bars for one in asked)
    free = tuple(section for section, one in zip(form.sections, asked, strict=True) if not one.bars)
    if left < len(free):
        raise PlanError(
            msg("{bars} bars are too few for these sections", bars=bars),
            why=msg("those with a length leave {max} bars", max=max(0, left)),
            fix=msg("ask for more bars or shorter sections"),
        )
    rest = iter(stretched(Form(free), left, keep=True))
    return tuple(
        section if one.bars else next(rest) for section, one in zip(form.sections, asked, strict=True)
    )


def usual_bars(style: Style) -> float:
    """The usual length of a piece of the style, in bars."""
    if style.rules is None:
        return sum(form.bars for form in style.forms) / len(style.forms)
    beats, unit = style.meter
    return sum(style.rules.seconds) / 2 * sum(style.tempo) / 120 * unit / (4 * beats)


def fitting_bars(rules: FormRules, bars: int, seconds: float, whole: int | None) -> int | None:
    """The number of bars that brings a form of `bars` bars and `seconds` seconds to a length usual for its family
    (`rules`), in multiples of `whole` (None: 4); None if its length is usual already."""
    low, high = rules.seconds
    each, unit = seconds / bars, whole or 4
    fewest, most = -(-low // (each * unit)) * unit, high // (each * unit) * unit
    return None if low <= seconds <= high else int(max(unit, fewest if seconds < low else most))


class Harmonies(Struct, frozen=True):
    """The chords of a piece in one key: the progression of each theme, and the chords before the final one (`last`).

    The theme "home" is the chord to end on.
    """

    themes: dict[str, tuple[Chord, ...]]
    last: tuple[Chord, ...]


def scenes_of(
    sections: Sequence[Laid], style: Style, frame: Frame, harmonies: Callable[[Key], Harmonies], lift: float,
    turns: tuple[Turn, ...] = (), *, ends: bool = True,
) -> tuple[Scene, ...]:
    """The sections placed in time with their chords; `lift` is added to all energies. With `ends` the last one closes
    on a bar of the tonic.

    `harmonies` gives the chords of a key; `turns`, if any, say how each section differs.
    """
    plain = _placed(sections, frame.bar, lift, turns, ends=ends)
    result = []
    for scene, following in zip(plain, (*plain[1:], None), strict=True):
        own = frame.within(scene)
        lengths = _lengths(style, scene, own)
        key = own.key
        known = harmonies(key)
        chords = known.themes[scene.theme]
        if style.round is not None and not scene.first and len(scene.bar_starts) < style.round:
            # what is shorter than a round is its end
            chords = chords[-len(scene.bar_starts) :]
        if scene.first:
            done = int(scene.first / style.chord_bars) % len(chords)
            chords = chords[done:] + chords[:done]
        if scene.closing:
            spans = _to_the_end(scene, chords, known.themes["home"][0], known.last, lengths, own)
        else:
            spans = lay(chords, scene.start, scene.end, lengths)
            if style.transitions.turnaround and scene.bars > 1 and following is not None and not scene.goes_on:
                ways = (*known.last[-1:], *chords)
                goal = harmonies(frame.within(following).key).themes[following.theme][0]
                late = _late(spans, scene.end, own)
                if scene.up == following.up:
                    spans = turned(spans, ways, goal, key, late)
                else:
                    # a new key is entered by its own fifth
                    bare = all(chord.quality == "5" for chord in chords)
                    spans = with_last(spans, (Chord((goal.root + 7) % 12, "5" if bare else "7"),), late)
        if style.inversions:
            spans = smoothed(spans, scene.end - own.bar if following is None else scene.end)
        result.append(replace(_led(scene, following, style, own), chords=spans))
    return tuple(result)


def _lengths(style: Style, scene: Scene, frame: Frame) -> tuple[int, ...]:
    """Ticks of one chord of a scene after another."""
    if len(scene.meters) > 1:
        return chord_lengths_in(scene.meters, style.chord_bars)
    return chord_lengths(style.chord_bars, frame.bar, frame.beats)


def _placed(
    sections: Sequence[Laid], home: int, lift: float, turns: tuple[Turn, ...], *, ends: bool
) -> list[Scene]:
    scenes: list[Scene] = []
    start, number = 0, -1
    # before a silence nothing comes to an end
    ends = ends and not (turns and turns[-1].rests)
    for index, laid in enumerate(sections):
        section = laid.section
        number += not laid.first
        bar = length_of(laid.meters) or home
        energy = max(0.0, min(1.0, section.energy + lift))
        again = sum(scene.theme == section.theme and not scene.first for scene in scenes)
        solo = kind_of(section.name.casefold()).sings
        rises = bool(scenes) and energy >= _PEAK and energy - scenes[-1].energy >= _RISE
        scenes.append(
            Scene(
                section.name, index, start, section.bars, bar, energy, section.theme, section.parts, (),
                ends and index == len(sections) - 1, section.groove, again, rises and not turns,
                turn=turns[number] if turns else None, up=section.up,
                repeats=section.repeats and index > 0 and _as_long(sections[index - 1], laid) and not solo,
                sings=f"{section.theme} {section.name}" if solo else "",
                meters=laid.meters, first=laid.first, goes_on=laid.goes_on,
            )
        )
        start += section.bars * bar
    return scenes


def _as_long(before: Laid, laid: Laid) -> bool:
    """Whether two whole sections have the same bars."""
    whole = not (before.first or laid.first or laid.goes_on)
    return whole and before.section.bars == laid.section.bars and before.meters == laid.meters


def _led(scene: Scene, following: Scene | None, style: Style, frame: Frame) -> Scene:
    """The scene with what leads to a peak after it."""
    if following is None or not following.arrives or scene.bars < 2:
        return scene
    known = style.transitions
    drop = min(frame.bar, int(known.drop * PPQ) // STEP * STEP)
    return replace(scene, builds=known.build != "none", drop=drop)


def _late(spans: Sequence[ChordSpan], end: int, frame: Frame) -> tuple[int, ...]:
    """Where the last chord of a section may begin: with its own span, at most a bar before the end."""
    return (max(spans[-1].start, end - frame.bar),)


def _to_the_end(
    scene: Scene, chords: tuple[Chord, ...], home: Chord, last: tuple[Chord, ...], lengths: tuple[int, ...],
    frame: Frame,
) -> tuple[ChordSpan, ...]:
    """The chords of the closing scene: its theme, what leads home, and the bar at home."""
    if scene.bars == 1:
        return lay((home,), scene.start, scene.end, (frame.bar,))
    body = scene.end - frame.bar
    spans = lay(chords, scene.start, body, lengths)
    if last and scene.bars > 2:
        each = frame.bar if scene.bars > 2 * len(last) else 0
        starts = [body - each * (len(last) - at) for at in range(len(last))]
        if not each:
            cuts = chord_lengths(1 / len(last), frame.bar, frame.beats)
            starts = [body - frame.bar + sum(cuts[:at]) for at in range(len(cuts))]
        spans = with_last(spans, last[-len(starts) :], starts)
    else:
        spans = leading_home(spans, chords, home, frame.bar)
    return (*spans, ChordSpan(body, scene.end, home))
