"""The words of places as values: what a language file holds of where in a song something is."""

from __future__ import annotations

from msgspec import Struct

from agent.composer.piece_words import Forms, Phrases


class PlaceWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Patterns and phrases for places in a song, and the words before them that say how the place is meant.

    `range` and `one` hold {number}, `first` and `last` {bars}, `nth` {section} with {ordinal} or {number}. After
    `towards` ("into") stands what something leads up to, after `since` ("from") the bar where it starts. `whole` means
    all of the song. A letter after `section` is the name of one.
    """

    range: Forms
    one: Forms
    first: Forms
    last: Forms
    first_half: Forms
    second_half: Forms
    middle: Forms
    start: Forms
    end: Forms
    nth: Forms
    within: Phrases
    towards: Phrases
    since: Phrases
    before: Phrases
    after: Phrases
    onward: Phrases
    without: Phrases
    whole: Phrases
    articles: Phrases
    only: Phrases
    section: Phrases
    into: Phrases
    bar: Phrases
    """The words for a bar, the usual one first."""
    short: Phrases
    """Letters that stand for it before a number."""
    numbered: Phrases
    """Words between it and its number."""
    from_number: Phrases
    """What a number without a unit that ends its clause stands behind only where it is that of a bar: from 17."""
    at_number: Phrases
    """What a number that names no unit stands behind only where it is that of a bar: the downbeat of."""
    through: Phrases
    """Words between two ends, of which the second belongs to it."""
    till: Phrases
    """Words between two ends, of which a section at the second does not belong to it."""
    between: Phrases
    halfway: Phrases
    """Words before the place in whose middle something begins."""
    each: Phrases
    """Articles of every one of several."""
    plurals: Phrases
    """Endings of a name that is meant more than once."""
    tail: Phrases
    """Nouns that may stand behind the name of a section."""
    everywhere: Phrases
    """Phrases for all of the song, wherever else the sentence is about."""
    sounding: dict[str, Forms]
    """Forms of bars by whether a {part} is playing or silent in them, and from or till its entry or exit."""
    heard: dict[str, Phrases]
    """Phrases for what a song's sections are like to whoever hears them."""
    pointing: Phrases
    """Words that point at a place, so that nothing is done where it is not understood."""
    beat: Phrases
    """Words that do so before a number."""
    counts: Phrases
    """What dancers call beats."""
    carrying: Phrases
    """Verbs of bringing something from one place to another."""
    then: Phrases
    """Words for what comes behind the place that was named last."""
    described: Phrases = ()
    """Say behind the name of a section only where it is: "the solo in the middle"."""
    untimed: Phrases = ()
    """Places' words that lead to a length rather than to a time in the song: "up to 1:30"."""
    exactly: Phrases = ()
    """May stand before a time."""
    opening: Phrases = ()
    """Make a length that follows them the beginning of the song: "the first 30 seconds"."""
    time_marks: Phrases = ()
    """Make a time a point in the song: "20 seconds in"."""
    arriving: Phrases = ()
    """Words before a place and its verb, for the point at which it begins: "when the chorus starts"."""
    returns: Phrases = ()
    """What the last section of a name does when it begins: "when the verse comes back"."""
    arrives: Phrases = ()
    """What a place does up to which something goes, when it is reached: "until the chorus starts"."""
