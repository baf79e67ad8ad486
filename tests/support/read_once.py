"""Answers of pure functions kept within a process: hundreds of tests open a studio, which reads the same files.

Each answer is what the function itself gave for an equal question, a new copy of it where it could be changed; errors
are not kept.
"""

from __future__ import annotations

import marshal
import tomllib
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import msgspec

_MOST = 1000
_Read = TypeVar("_Read")


def remember() -> None:
    """Keep what TOML texts, schemas of types, styles and the language files come to, from now on in this process."""
    loads, components = tomllib.loads, msgspec.json.schema_components
    read_before, asked_before = _Answers(), _Answers()

    def read(text: str, /, *, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
        return read_before.of((text, parse_float), lambda: loads(text, parse_float=parse_float))

    def asked(types: Iterable[Any], *, ref_template: str = "#/$defs/{name}", **more: Any) -> Any:
        kinds = tuple(types)
        if more:
            return components(kinds, ref_template=ref_template, **more)
        return asked_before.of((kinds, repr(kinds), ref_template), lambda: components(kinds, ref_template=ref_template))

    tomllib.loads = read
    msgspec.json.schema_components = asked
    # Only now, so that whoever takes these functions from it takes the ones that remember.
    from app.services import sayings_files, style_files

    style_files.read_styles = _once(style_files.read_styles, ("styles", "forms"))
    style_files.read_vocabulary = _once(style_files.read_vocabulary, ("language",))
    style_files.read_chat_words = _once(style_files.read_chat_words, ("language",))
    sayings_files.read_sayings = _once(sayings_files.read_sayings, ("language",))
    sayings_files.read_manual = _once(sayings_files.read_manual, ("language",))


def _once(read: Callable[..., _Read], folders: tuple[str, ...]) -> Callable[..., _Read]:
    """`read` of frozen values in some folders of the resources, asked again once a file of them has changed."""
    known: dict[object, _Read] = {}

    @wraps(read)
    def once(resources: Path, *more: object, **_: object) -> _Read:
        # what the files came to before is no part of the question
        more = tuple(one for one in more if isinstance(one, str))
        try:
            found_files = (file for folder in folders for file in sorted((resources / folder).glob("*.toml")))
            files = [(file, *_state(file)) for file in found_files]
        except OSError:  # `read` says what is wrong
            return read(resources, *more)
        question = (more, *files)
        found = known.get(question)
        if found is None:
            found = known[question] = read(resources, *more)
        return found

    return once


def _state(file: Path) -> tuple[int, int, int]:
    """What differs once a file was written again."""
    found = file.stat()
    return found.st_mtime_ns, found.st_size, found.st_mode


class _Answers:
    def __init__(self) -> None:
        self._known: dict[Any, bytes] = {}

    def of(self, question: Any, answer: Callable[[], Any]) -> Any:
        """The answer to a question; what cannot be kept, such as a date or a question without a hash, is not."""
        try:
            known = self._known.get(question)
        except TypeError:
            return answer()
        if known is not None:
            return marshal.loads(known)
        found = answer()
        if len(self._known) < _MOST:
            try:
                self._known[question] = marshal.dumps(found)
            except ValueError:
                return found
        return found
