"""The words of limits on the notes of a new piece, as values."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from agent.composer.piece_words import Phrases

Beats = Annotated[float, Meta(ge=0.125, le=8)]


class NoteWords(Struct, frozen=True, forbid_unknown_fields=True):
    """How is said which notes a new piece may hold, and how it ends.

    `static` says that the harmony stays, `power` that chords have no third; symbols before `called` are chords.
    `values` are note values in quarters. `over` and `under` before a pitch forbid what lies beyond it where a word
    of `refusing` stands before them, which `modal` words may lead to; `within_over` and `within_under` do so by
    themselves, and behind `staying` words a direction forbids the other side. `quicker` before a value forbids all
    that is shorter. `only` beside values says that there are no others, `using` that they are meant at all;
    `dotted` that they are others, `rests` that pauses of them are meant, `last` that one is the last note. A
    `major_chord` near a `final` word is the last one. `chords` lead to symbols of chords, `each` stands behind the
    bars of one, `around` says that they go round, and `once` that they do not; `one_chord` leads to one that stays.
    `top` before a letter is the highest of that name on the stave, and `voices` are those of a mixed choir, by the
    name of each. Letters are the only notes where a word of `notes_before` or `notes_behind` calls them
    notes and one of `limiting` before, `limiting_behind` right behind or `these_alone` anywhere behind says so.
    A word of `chord_nouns` near
    `final_chord` is the last chord, which is like `chord_traits` say, `chord_plain` words before it nothing, as all
    is said by those right behind `ending_so`; `ends_on` leads to the name of the last chord, `at_end` to those of
    several. Behind `ends_together` a letter alone is one. Words of `stabbing` right before a player make his chords
    short, and words of `few` before a player with `few_notes` say that he plays little. A limit behind which a
    player follows `sparing` is none of his. Between a pitch and a letter above it `rising` makes a range. Behind a
    player `sparse` and `stabs` say how he plays; `waves` swell and fall all the time. The others are phrases that
    say all by themselves.
    """

    values: dict[str, Beats]
    refusing: Phrases
    modal: Phrases
    staying: Phrases
    over: Phrases
    under: Phrases
    within_over: Phrases
    within_under: Phrases
    between: Phrases
    to: Phrases
    quicker: Phrases
    only: Phrases
    using: Phrases
    dotted: Phrases
    rests: Phrases
    last: Phrases
    high: Phrases
    low: Phrases
    stave: Phrases
    right_hand: Phrases
    left_hand: Phrases
    single: Phrases
    white: Phrases
    diatonic: Phrases
    octave: Phrases
    five_fingers: Phrases
    easy: Phrases
    easiest: Phrases
    loops: Phrases
    abrupt: Phrases
    bare_fifth: Phrases
    big_chord: Phrases
    on_tonic: Phrases
    steady: Phrases
    major_chord: Phrases = ()
    final: Phrases = ()
    chords: Phrases = ()
    progressions: dict[str, Phrases] = {}
    progressions_in_minor: dict[str, str] = {}
    each: Phrases = ()
    around: Phrases = ()
    one_chord: Phrases = ()
    once: Phrases = ()
    top: Phrases = ()
    static: Phrases = ()
    power: Phrases = ()
    called: Phrases = ()
    notes_before: Phrases = ()
    notes_behind: Phrases = ()
    limiting: Phrases = ()
    limiting_behind: Phrases = ()
    these_alone: Phrases = ()
    both_hands: Phrases = ()
    sparse: Phrases = ()
    stabs: Phrases = ()
    waves: Phrases = ()
    chord_nouns: Phrases = ()
    final_chord: Phrases = ()
    chord_traits: dict[str, Phrases] = {}
    chord_plain: Phrases = ()
    ending_so: Phrases = ()
    voices: dict[str, Phrases] = {}
    ends_on: Phrases = ()
    at_end: Phrases = ()
    rising: Phrases = ()
    ends_together: Phrases = ()
    few: Phrases = ()
    stabbing: Phrases = ()
    few_notes: Phrases = ()
    sparing: Phrases = ()
