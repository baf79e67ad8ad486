"""The words that a person reads, in their language: every text of the window goes through here.

A text is its own key: what has no translation is shown as it stands, in English. Values stand in braces, by name, so
that another language may put them in another order: `tr("{count} rows of {name}", count=3, name="Drums")`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache

from agent.message import Message

_FIELD = re.compile(r"\{[^{}]*\}")


def _same(text: str) -> str:
    return text


def _english(one: str, many: str, count: float) -> str:
    return one if count == 1 else many


@dataclass(frozen=True)
class Translations:
    """Translations: of a text, and of the form of a text that fits a count."""

    text: Callable[[str], str] = _same
    form: Callable[[str, str, float], str] = _english


ENGLISH = Translations()
# A person has one language: handing it to every widget and sentence would be in the way of everything else.
_spoken = [ENGLISH]


def tr(text: str, /, **values: object) -> str:
    """The text in the person's language, with its values put in."""
    return _filled(text, _spoken[-1].text(text), text, values)


def said(message: Message) -> str:
    """A sentence that came from below, in the person's language."""
    return message.worded(lambda text, values: _filled(text, _spoken[-1].text(text), text, values))


def trn(one: str, many: str, count: float, /, **values: object) -> str:
    """The form that fits a count, which is also the value `count` where none is given."""
    english = one if count == 1 else many
    return _filled(english, _spoken[-1].form(one, many, count), one + many, {"count": count, **values})


def lazy(text: str, /) -> str:
    """The text as it stands, for tables that are made before there is a language: `tr` it where it is shown."""
    return text


def speak(language: Translations) -> None:
    """Use a language from now on, in this program; what is shown already stays as it is."""
    _spoken[0] = language


@contextmanager
def speaking(language: Translations) -> Iterator[None]:
    """Use a language within."""
    _spoken.append(language)
    try:
        yield
    finally:
        _spoken.pop()


def _filled(english: str, found: str, model: str, values: Mapping[str, object]) -> str:
    """A translation with its values; the English text where it asks for others than `model` does."""
    if not values:
        return found
    return (found if found == english or _asks_no_more(found, model) else english).format_map(values)


@lru_cache(4096)
def _asks_no_more(found: str, model: str) -> bool:
    """Whether a translation has no other fields than its model.

    A catalogue decides nothing about values: `{name.__class__}` would read the program, `{count:9999999}` fill memory.
    """
    fields = set(_FIELD.findall(model))
    rest = _FIELD.sub(lambda field: "" if field[0] in fields else field[0], found)
    return "{" not in rest and "}" not in rest
