"""Reading a request: from words to an intent. Any text is only text here; nothing in it is obeyed."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import structs

from agent.composer.understanding.adjoining import adjoined
from agent.composer.understanding.charting import with_chart, without_chord_part
from agent.composer.understanding.corrections import corrections_in, rebuff_in
from agent.composer.understanding.denying import denials, denied_in, denying
from agent.composer.understanding.finishing_tasks import without_pieces
from agent.composer.understanding.given_chords import asked_chart
from agent.composer.understanding.glosses import with_glosses
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.request_reader import RequestReader
from agent.composer.understanding.said_apart import said_apart
from agent.composer.understanding.slot_filling import SlotReading
from agent.composer.understanding.spelled_request import SpelledRequest


def read(request: str, lexicon: Lexicon, readings: Mapping[str, SlotReading], *, has_music: bool) -> Intent:
    """The intent of a request. `readings` turn matched patterns into operations, `has_music` says whether the song has
    notes."""
    text = SpelledRequest(request, lexicon)
    tokens = [token.casefold() for token in text.spoken]
    corrections = corrections_in(text.spoken, tokens, lexicon)
    silent = frozenset(at for one in (rebuff_in(tokens, lexicon), *corrections) for at in one)
    reader = RequestReader(text, readings, silent, has_music=has_music)
    intent = _read(text, reader, lexicon, readings, has_music=has_music)
    if not corrections:
        return intent
    return structs.replace(intent, clauses=reader.spelled(adjoined(intent.clauses, corrections)))


def _read(
    text: SpelledRequest, reader: RequestReader, lexicon: Lexicon, readings: Mapping[str, SlotReading], *,
    has_music: bool,
) -> Intent:
    """The intent of a request whose words are given to a reader."""
    chords = reader.chords()
    if not reader.is_new and reader.intent.goal == "change" and (has_music or not chords):
        return without_chord_part(reader.intent) if chords else with_glosses(text, reader, readings)
    charted = frozenset(at for one in chords for at in (*one.tokens, *one.naming))
    intent = _with_rules(reader.passing(charted), charted, lexicon, readings)
    asked = asked_chart(chords)
    return without_pieces(intent if asked is None else with_chart(intent, asked, text.request, lexicon))


def _with_rules(
    reader: RequestReader, charted: frozenset[int], lexicon: Lexicon, readings: Mapping[str, SlotReading]
) -> Intent:
    """The intent of a new piece with what is said beside its form; the words of that say nothing else, nor do those
    that say its chart, nor what stands behind a word of denying that is left over."""
    apart = said_apart(
        reader.tokens, reader.spoken, lexicon, readings, staged=lambda: bool(reader.intent.course)
    )
    passed = apart.passed | charted
    rest = reader.passing(passed).intent
    if passed and rest.goal == "change":
        return reader.intent
    denied = denied_in(rest.clauses, reader.tokens, lexicon.words.grammar.denying)
    told = reader.spelled([*denials(denied, reader.tokens)])
    if denied:
        rest = reader.passing(passed | denied).intent
    if passed or denied:
        tunes = reader.told_at(apart.tunes)
        clauses = sorted((*rest.clauses, *reader.clauses_at(apart.said | charted), *tunes), key=lambda one: one.first)
        ignored = (*rest.ignored, *(f"{one.text} ({one.reason})" for one in tunes))
        rest = structs.replace(apart.added_to(rest), clauses=tuple(clauses), ignored=ignored)
    return denying(rest, told) if told else rest
