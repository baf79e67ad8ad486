"""The words of places, of pointing and of saying again, as values: what a language file holds of them."""

from __future__ import annotations

from msgspec import Struct

from agent.composer.piece_words import Forms, Phrases


class PointingWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Phrases that tell whether a request without a named song is about an existing one.

    `definite` words ("the") stand before what exists, `pronouns` ("it") for it, `comparing` ones ("louder") relate to
    it. `indefinite` words ("a") stand before a new piece, `anything` ("something") for it, `pieces` ("cue") are words
    for one besides `goals.works`. After `within` ("in a song") a piece is not what is asked for, and after `apart`
    ("and it") a pronoun refers to something else.
    """

    definite: Phrases = ()
    pronouns: Phrases = ()
    comparing: Phrases = ()
    indefinite: Phrases = ()
    anything: Phrases = ()
    pieces: Phrases = ()
    within: Phrases = ()
    apart: Phrases = ()


class AgainWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Phrases with which a request corrects itself or says something twice.

    `correcting` words stand before a figure that is wrong ("128, not 130"), `contrasting` ones behind it, before the
    right one; `rebuffs` say no to what was said before ("no, 120"), `insisting` words lead to what was meant ("I said
    120"). `glossing` words begin brackets that only repeat the order before them ("(like a shuffle)"); `glossed` are
    orders that the words in such brackets may complete: with "move it" the brackets "(8va)" say "move it 8va".
    """

    correcting: Phrases = ()
    contrasting: Phrases = ()
    rebuffs: Phrases = ()
    insisting: Phrases = ()
    glossing: Phrases = ()
    glossed: Phrases = ()


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
    this_section: Phrases
    """Phrases for the section named last ("that section")."""
    lasting: Phrases
    """Ends of prepositions that say that something goes on for all of a place, also of one that "it" means."""
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
    """Words for a bar, the most usual first."""
    short: Phrases
    """Letters for a bar before its number ("m")."""
    numbered: Phrases
    """Words between "bar" and the number ("no")."""
    from_number: Phrases
    """Words after which a number without a unit, at the end of a clause, is that of a bar: "from 17"."""
    at_number: Phrases
    """Words after which a number without a unit is that of a bar: "the downbeat of 9"."""
    through: Phrases
    """Words between the two ends of a range, of which the second is included."""
    till: Phrases
    """Words between the two ends of a range; a section at the second end is not included."""
    between: Phrases
    halfway: Phrases
    """Words before a place in the middle of which something begins."""
    each: Phrases
    """Articles for every one of several ("each chorus")."""
    plurals: Phrases
    """Plural endings of section names."""
    tail: Phrases
    """Nouns that may follow the name of a section ("part")."""
    everywhere: Phrases
    """Phrases for all of the song, whatever place the sentence names."""
    sounding: dict[str, Forms]
    """Patterns for bars by whether a {part} plays or is silent there, or from or until its entry or exit."""
    heard: dict[str, Phrases]
    """Phrases for sections by how they sound ("loud part"), by their name."""
    pointing: Phrases
    """Words that refer to a place; an order with one that is not understood is not carried out."""
    beat: Phrases
    """Words that refer to a place before a number ("beat 3")."""
    counts: Phrases
    """Dancers' words for beats."""
    carrying: Phrases
    """Verbs for taking something from one place to another."""
    then: Phrases
    """Words for what follows the place named last."""
    described: Phrases = ()
    """Phrases after a section's name that only say where it is: "the solo in the middle"."""
    untimed: Phrases = ()
    """Words after which a time is a length, not a position in the song: "up to 1:30"."""
    exactly: Phrases = ()
    """Words that may precede a time."""
    opening: Phrases = ()
    """Words before a length that make it the beginning of the song: "the first 30 seconds"."""
    time_marks: Phrases = ()
    """Words after a time that make it a position in the song: "20 seconds in"."""
    arriving: Phrases = ()
    """Words before a place and a verb for the point at which it begins: "when the chorus starts"."""
    returns: Phrases = ()
    """Verbs for the last section of a name beginning: "when the verse comes back"."""
    arrives: Phrases = ()
    """Verbs for a place being reached: "until the chorus starts"."""
