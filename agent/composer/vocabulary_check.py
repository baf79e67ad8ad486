"""Whether the words of a language file fit each other and the operations that they name."""

from __future__ import annotations

from collections.abc import Mapping

from agent.composer.phrasing import FormError, slots_of
from agent.composer.styles import StyleError
from agent.composer.vocabulary import Vocabulary
from agent.message import msg

_SLOTS = frozenset({
    "part", "played", "refused", "by", "mood", "style", "key", "mode", "meter", "number", "bars", "time", "steps",
    "decibels", "place", "spot", "within", "section", "tempo", "bpm", "aspect", "grid", "degrees", "times", "source",
    "target", "ahead", "to_end", "name", "top", "pitch", "from", "until", "onset", "own", "players",
    "dynamic", "sole", "gap", "down_to", "edge", "running", "in_turn", "close", "span", "till", "kit",
    "drums", "bar", "each", "share", "hertz", "outside", "chords", "chord", "symbol", "progression",
    "soundfont",
})


def check_vocabulary(words: Vocabulary, needed: Mapping[str, frozenset[str]]) -> None:
    """Raise `StyleError` if the words contradict each other or a pattern cannot be parsed.

    `needed` has, by the name of the operation, the slots of which every pattern must hold at least one.
    """
    moods = [mood.name for mood in words.moods]
    for mood in words.moods:
        if mood.opposite and mood.opposite not in moods:
            raise StyleError(
                msg(
                    "mood {mood!r}: there is no mood {opposite!r} to be its opposite",
                    mood=mood.name, opposite=mood.opposite,
                ),
            )
    if not any(thing.name == "drums" for thing in words.things):
        raise StyleError(msg("the things lack 'drums'"), why=msg("beatless music refuses them"))
    for condition in words.conditions:
        for form in condition.forms:
            _check_form(form, words, frozenset(), "conditions")
    for operation in words.operations:
        where = f"operation {operation.operation!r}"
        if operation.operation not in needed:
            raise StyleError(
                msg("{where}: there is no such operation", where=where),
                fix=msg("use one of {needed}", needed=sorted(needed)),
            )
        if operation.mood and operation.mood not in moods:
            raise StyleError(msg("{where}: there is no mood {mood!r}", where=where, mood=operation.mood))
        for form in operation.forms:
            _check_form(form, words, needed[operation.operation], where)
    for frame in words.framing.frames:
        where = f"frame {frame.operation!r}"
        if frame.operation not in needed:
            raise StyleError(
                msg("{where}: there is no such operation", where=where),
                fix=msg("use one of {needed}", needed=sorted(needed)),
            )
        if unknown := sorted({*frame.needs, *frame.may} - _SLOTS):
            raise StyleError(
                msg("{where}: there is no slot {unknown!r}", where=where, unknown=unknown[0]),
                fix=msg("use {slots}", slots=sorted(_SLOTS)),
            )
        if needed[frame.operation] and not needed[frame.operation] & {*frame.needs}:
            raise StyleError(
                msg("{where}: it lacks a slot", where=where),
                fix=msg("it needs one of {needed}", needed=sorted(needed[frame.operation])),
            )
        for form in frame.forms:
            _check_form(form, words, frozenset(), where, frozenset())
    counted = frozenset({"number", "bars", "ordinal", "section"})
    for name in ("range", "one", "first", "last", "nth"):
        for form in getattr(words.places, name):
            _check_form(form, words, frozenset(), f"places, {name}", counted)
    for forms in words.places.sounding.values():
        for form in forms:
            _check_form(form, words, frozenset({"part"}), "places, sounding", frozenset({"part"}))
    for form in (*words.layout.lengths, *words.layout.bare):
        _check_form(form, words, frozenset({"section"}), "layout", counted | {"part"})


def _check_form(
    form: str, words: Vocabulary, needed: frozenset[str], where: str, known: frozenset[str] = _SLOTS
) -> None:
    try:
        slots = slots_of(words.parser.elements(form))
    except FormError as error:
        raise StyleError(
            msg("{where}: {what}", where=where, what=error.said.what), why=error.said.why, fix=error.fix,
        ) from error
    if "own" in slots:
        slots |= {"part"}
    if unknown := sorted(slots - known):
        raise StyleError(
            msg(
                "{where}: the form {form!r} has no slot {unknown!r} to fill",
                where=where, form=form, unknown=unknown[0],
            ),
            fix=msg("use {known}", known=sorted(known)),
        )
    if needed and not slots & needed:
        raise StyleError(
            msg("{where}: the form {form!r} lacks a slot", where=where, form=form),
            fix=msg("it needs one of {needed}", needed=sorted(needed)),
        )
