"""Rules of forms as values: the small grammars of `resources/forms/*.toml`, by which families of styles are built."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

Row = Annotated[str, Meta(max_length=200, pattern=r"^[A-Za-z \-]*$")]
"""Words separated by spaces: capitalised ones are sections, the others rules."""
Bars = Annotated[tuple[Annotated[int, Meta(ge=1, le=64)], ...], Meta(min_length=1, max_length=16)]
MOST_SECTIONS = 32
"""The highest number of sections in a form drawn by rules."""


class FormRules(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How the forms (orders of sections) of a family of styles are built.

    A form is one of the rows `form`: a capitalised word is a section, any other a rule that is replaced by one of its
    rows. A rule is chosen once per piece, so that it gives the same wherever it occurs. `bars` are the possible lengths
    of a section, one of them for the whole piece; sections not listed have their style's length. A piece without a
    length asked for lasts between the two `seconds` at a usual tempo. With `repeats` a section that follows itself has
    the same melody and is called a repeat, otherwise such sections are numbered. With `early` an intro is shorter than
    eight seconds, and a melody follows it.
    """

    name: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]*$")]
    seconds: tuple[Annotated[float, Meta(gt=0, le=1200)], Annotated[float, Meta(gt=0, le=1200)]]
    form: Annotated[tuple[Row, ...], Meta(min_length=1, max_length=64)]
    rules: dict[str, Annotated[tuple[Row, ...], Meta(min_length=1, max_length=64)]] = {}
    bars: dict[str, Bars] = {}
    repeats: bool = False
    early: bool = False


def is_section(word: str) -> bool:
    """Whether a word of a row is the name of a section; otherwise it is that of a rule."""
    return word[:1].isupper()


def rules_fault(rules: FormRules) -> str:
    """What is wrong with the rules, in a few words; "" if every word leads to sections."""
    if rules.seconds[0] > rules.seconds[1]:
        return f"{rules.seconds[0]:g} to {rules.seconds[1]:g} seconds is no range"
    longest: dict[str, int] = {}
    for name in rules.rules:
        if is_section(name):
            return f"the rule {name!r} begins with a capital"
        if fault := _measured(name, rules, longest, ()):
            return fault
    for row in rules.form:
        if fault := next(filter(None, (_word_fault(word, rules) for word in row.split())), ""):
            return fault
        if not 1 <= (most := _length(row, longest)) <= MOST_SECTIONS:
            return f"the form {row!r} may have {most} sections"
    return ""


def _measured(name: str, rules: FormRules, longest: dict[str, int], within: tuple[str, ...]) -> str:
    """Note how many sections a rule has at most; the fault where it leads back to itself or to a word that is none."""
    if name in within:
        return f"the rule {name!r} leads back to itself"
    if name in longest:
        return ""
    for word in " ".join(rules.rules[name]).split():
        fault = _word_fault(word, rules)
        if not fault and not is_section(word):
            fault = _measured(word, rules, longest, (*within, name))
        if fault:
            return fault
    longest[name] = max(_length(row, longest) for row in rules.rules[name])
    return ""


def _word_fault(word: str, rules: FormRules) -> str:
    return "" if is_section(word) or word in rules.rules else f"there is no rule {word!r}"


def _length(row: str, longest: dict[str, int]) -> int:
    return sum(1 if is_section(word) else longest[word] for word in row.split())
