"""Joining an answer that was cut off with what the model went on with, without loss or repetition.

A continuation may go on exactly, repeat an end of what came before, or begin the row or the whole object anew,
with or without words and fences before it. Among the ways to join, the first that leaves the text a possible
beginning of JSON is taken: begun anew, then a repetition of at least 8 characters (12 within quotes or with
gaps, and more than digits), then exactly, then with a comma more or less, then a shorter one. So where equal notes
follow each other and the cut lies between them, and the continuation begins with the same note again, it is
read as a repetition: the same note twice at one time would sound as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from agent.model_planner.reading.answer_scanner import AnswerScanner, Span, scanned
from agent.model_planner.reading.json_finding import holds_whole
from agent.model_planner.reading.restarted import JsonPrefix, rejoined, row_id

_REPEATED, _REPEATED_TEXT = 8, 12
_FARTHEST = 400_000
_MOST_COMPARED = 200_000_000
_CLOSE = 160
_SHORT = 80
_FENCE = re.compile(r"[^`]{0,600}?```[A-Za-z]*[ \t]*\r?\n")
_WORDS = re.compile(r"[A-Z][^{}\[\]\"]{0,200}?:\s*+(?=[{\[\",])")
_DOTS = re.compile(r"\s*+(?:\.{3}|…)")
_BEGUN = re.compile(r"(?:\A|(?<=\n))[{\[]\s*\Z")
_DIGITS = re.compile(r"[\d.eE+-]*")
_NOTE = re.compile(r'\{[^{}"]*"n"[^{}]*\}')
_TEXT_END = re.compile(r"musical[ _]reasoning", re.IGNORECASE)


class _Cut(Struct):
    """What came before: its outline, and the JSON up to its last complete token, if it is JSON."""

    text: str
    outline: AnswerScanner
    prefix: JsonPrefix | None
    pending: str
    """The begun token after it."""


def spliced(before: str, after: str) -> str:
    """The cut text `before` and its continuation `after` as one text; a continuation that cannot be joined is left
    out."""
    if not before or not after.strip():
        return before or after
    cut = _cut(before)
    if cut.outline.whole or cut.outline.root is None:
        return before + after[_repeated_lines(before, after):]
    # Dots at the begin mean "as I was saying"; dots of the answer's own that begin right at a cut are rarer.
    dots = _DOTS.match(after)
    after = after if dots is None else after[dots.end():]
    for start in _starts(after):
        joined = _joined(cut, after[start:])
        if joined is not None:
            return joined
    return before if cut.prefix is not None else before + after


def is_whole(text: str) -> bool:
    """Whether the text holds a complete answer. A plan in plain text is complete once it gives its reasons."""
    return holds_whole(text) or ("{" not in text[:1] and scanned(text).root is None and bool(_TEXT_END.search(text)))


def tail_for_continuation(text: str, *, characters: int = 600) -> str:
    """The end of the model's own text (at most `characters` characters), to show it where to continue; it begins with a
    note or field if possible."""
    tail = text[-characters:]
    if len(tail) == len(text):
        return tail
    begins = tail.find("{")
    return tail[begins:] if 0 <= begins < len(tail) // 2 else tail


def resume_words(text: str) -> str:
    """A prompt to continue the cut answer `text`: what has arrived (complete rows, and the row that was cut with its
    notes), and how to go on."""
    outline = scanned(text)
    complete = [row for row in outline.rows if row.end is not None]
    opened = outline.rows[-1] if outline.rows and outline.rows[-1].end is None else None
    parts = []
    if complete:
        last = row_id(text, complete[-1])
        parts.append(f"{len(complete)} rows are complete" + (f"; the last one is {last[:40]}" if last else ""))
    if opened is not None:
        name = row_id(text, opened)
        notes = sum(1 for _ in _NOTE.finditer(text, opened.start))
        parts.append(f"row {name[:40] if name else len(complete) + 1} has begun, with {notes} complete notes")
    begun = f"{'. '.join(parts)}. " if parts else ""
    return (
        f"{begun[:1].upper()}{begun[1:]}It ends with these characters:\n{tail_for_continuation(text, characters=200)}\n"
        "Go on with the very next character after them. Repeat nothing, begin nothing anew, add no words and no fence."
    )


def _cut(before: str) -> _Cut:
    outline = scanned(before)
    if outline.root is None:
        begun = _BEGUN.search(before, max(0, len(before) - _SHORT))
        if begun is None:
            return _Cut(before, outline, None, "")
        outline.root = Span(begun.start())
    prefix = JsonPrefix()
    place, possible = prefix.read(before, outline.root.start)
    return _Cut(before, outline, prefix if possible else None, before[place:])


def _starts(after: str) -> list[int]:
    """Where the continuation proper may begin: at once, after a fence, after words, after each of the first lines."""
    starts = [0, *(found.end() for found in (_FENCE.match(after), _WORDS.match(after)) if found is not None)]
    place = 0
    for _ in range(6):
        place = after.find("\n", place, 800) + 1
        if not place:
            break
        starts.append(place)
    return list(dict.fromkeys(start for start in starts if start < len(after)))


def _joined(cut: _Cut, after: str) -> str | None:
    anew = rejoined(cut.text, cut.outline, after)
    if anew is not None:
        return anew
    if cut.prefix is None:
        repeated = next(_repetitions(cut, after), None)
        return None if repeated is None else cut.text + repeated
    for rest in _repetitions(cut, after):
        if _fits(cut, rest):
            return cut.text + rest
    for rest in (after, "," + after, after.lstrip().removeprefix(",")):
        if _fits(cut, rest):
            return cut.text + rest
    if cut.pending == "" and cut.text.rstrip().endswith(",") and after.lstrip()[:1] in ("]", "}"):
        return cut.text.rstrip()[:-1] + after
    for size in range(min(_REPEATED_TEXT, len(after)), 0, -1):
        if cut.text.endswith(after[:size]) and _fits(cut, after[size:]):
            return cut.text + after[size:]
    return None


def _fits(cut: _Cut, rest: str) -> bool:
    """Whether the text stays a possible JSON; a fault far behind the seam is not the seam's."""
    assert cut.prefix is not None
    text = cut.pending + rest
    place, possible = cut.prefix.copy().read(text[:len(cut.pending) + _FARTHEST])
    return possible or place > len(cut.pending) + _CLOSE


def _repetitions(cut: _Cut, after: str) -> Iterator[str]:
    """What follows each long enough end of the text that `after` begins with, longest first; gaps do not count."""
    yield from _long_repetitions(cut, after)
    if not cut.outline.in_text:
        yield from _repetitions_with_gaps(cut.text[-_SHORT:], after)


def _long_repetitions(cut: _Cut, after: str) -> Iterator[str]:
    before = "".join(cut.text[-_FARTHEST:].split())
    begins = "".join(after[:_FARTHEST].split())
    head = begins[:_REPEATED]
    place = before.find(head) if len(head) == _REPEATED else -1
    compared = 0
    while place >= 0 and compared < _MOST_COMPARED:
        size = len(before) - place
        compared += size
        if begins.startswith(before[place:]) and _is_telling(cut, begins[:size]):
            rest = after[_end_of(after, size):]
            yield rest.lstrip() if cut.text[-1].isspace() else rest
        place = before.find(head, place + 1)


def _repetitions_with_gaps(before: str, after: str) -> Iterator[str]:
    """The same for short ends that hold more gaps than characters, as in indented lists."""
    for size in range(min(len(before), len(after)), _REPEATED_TEXT - 1, -1):
        if before.endswith(after[:size]) and len(after[:size].split()) > 1:
            yield after[size:]


def _is_telling(cut: _Cut, repeated: str) -> bool:
    """Whether so much cannot be equal by chance."""
    if _DIGITS.fullmatch(repeated):
        return False
    within = cut.outline.in_text and '"' not in repeated
    return not within or (len(repeated) >= _REPEATED_TEXT and len(set(repeated)) > 3)


def _end_of(text: str, count: int) -> int:
    """The place after so many characters that are no gaps."""
    for run in re.finditer(r"\S+", text):
        if count <= run.end() - run.start():
            return run.start() + count
        count -= run.end() - run.start()
    return len(text)


def _repeated_lines(before: str, after: str) -> int:
    """How much of the begin of `after` is an end of `before`, in plain text; 0 for less than a line's worth."""
    for size in range(min(len(before), len(after), 4000), _REPEATED_TEXT - 1, -1):
        if before.endswith(after[:size]):
            return size
    return 0
