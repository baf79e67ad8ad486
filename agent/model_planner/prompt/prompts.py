"""The texts that are sent to a model: Markdown with `<<placeholders>>`, checked before the first use."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from types import MappingProxyType

from msgspec import Struct

from agent.errors import BandleaderError
from agent.message import msg

PLACEHOLDERS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "plan": ("tools", "library"),
    "small": ("tools", "library"),
    "request": ("song", "locks", "conversation", "verdicts", "request"),
    "summarise": ("lines",),
    "part": ("title", "part", "rows"),
    "split": ("most", "request"),
    "continue": ("where",),
    "reflect": ("findings",),
    "revise": ("plan", "rows", "wish"),
    "steer": ("words",),
    "goal": (),
    "repair": (),
    "probe": (),
})
"""Every prompt by its name (its file is NAME.md), and the placeholders that it must contain."""

_PLACEHOLDER = re.compile(r"<<\s*([A-Za-z_]+)\s*>>")
_OPENED, _CLOSED = "<!--", "-->"


class PromptError(BandleaderError):
    """Raised for a prompt that cannot be used; `what` begins with its file."""


class Prompt(Struct, frozen=True):
    """A prompt text with placeholders; `file` is its file, for errors."""

    name: str
    text: str
    file: str


class Prompts(Struct, frozen=True, dict=True):
    """All prompts; made by `checked_prompts`, which ensures that none is missing or incomplete."""

    prompts: tuple[Prompt, ...]

    def filled(self, name: str, **values: str) -> str:
        """The prompt called `name` with its placeholders replaced by `values` in a single pass, so that values are not
        searched for placeholders. Raises `PromptError` for an unknown prompt or a placeholder without a value."""
        prompt = self._by_name.get(name)
        if prompt is None:
            raise PromptError(msg("there is no prompt called {name!r}", name=name), fix=msg("reinstall Bandleader"))

        def value(match: re.Match[str]) -> str:
            if match[1] not in values:
                raise PromptError(msg("{file}: <<{match}>> has no value here", file=prompt.file, match=match[1]))
            return values[match[1]]

        return _PLACEHOLDER.sub(value, prompt.text)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of all prompts; if it changes, the same request may get another answer."""
        joined = "\x00".join(f"{prompt.name}\x00{prompt.text}" for prompt in self.prompts)
        return hashlib.sha256(joined.encode()).hexdigest()

    @cached_property
    def _by_name(self) -> dict[str, Prompt]:
        return {prompt.name: prompt for prompt in self.prompts}


def checked_prompts(prompts: tuple[Prompt, ...]) -> Prompts:
    """The prompts without comments. Raises `PromptError` for a prompt that is missing, empty or unknown, and for a
    placeholder that is missing or unknown."""
    made = tuple(_checked(prompt) for prompt in prompts)
    missing = [name for name in PLACEHOLDERS if name not in {prompt.name for prompt in made}]
    if missing:
        raise PromptError(
            msg("the prompt {missing}.md is missing", missing=missing[0]), fix=msg("reinstall Bandleader"),
        )
    return Prompts(made)


def check_name(name: str, file: str) -> None:
    """Raise `PromptError`, which names `file`, if there is no prompt of this name."""
    if name not in PLACEHOLDERS:
        raise PromptError(
            msg("{file}: there is no prompt of this name", file=file),
            fix=msg("there are {placeholders}", placeholders=_listed(PLACEHOLDERS)),
        )


def _checked(prompt: Prompt) -> Prompt:
    check_name(prompt.name, prompt.file)
    text = _without_comments(prompt.text).strip()
    if not text:
        raise PromptError(
            msg("{file} is empty", file=prompt.file), fix=msg("delete the file to get the text that ships"),
        )
    known, found = PLACEHOLDERS[prompt.name], set(_PLACEHOLDER.findall(text))
    for name in sorted(found - set(known)):
        raise PromptError(
            msg("{file}: <<{name}>> is no placeholder of this prompt", file=prompt.file, name=name),
            fix=msg("it has {known}", known=_listed(f"<<{one}>>" for one in known) or "none"),
        )
    for name in known:
        if name not in found:
            raise PromptError(
                msg("{file}: <<{name}>> is missing", file=prompt.file, name=name),
                why=msg("the model would not be told of it"),
                fix=msg("write <<{name}>> where it belongs, or delete the file to get the text that ships", name=name),
            )
    return Prompt(prompt.name, text, prompt.file)


def _without_comments(text: str) -> str:
    """The text without `<!-- … -->` and the white space after each; what is opened and never closed is no comment."""
    kept, at = [], 0
    while (opened := text.find(_OPENED, at)) >= 0 and (closed := text.find(_CLOSED, opened + len(_OPENED))) >= 0:
        kept.append(text[at:opened])
        at = closed + len(_CLOSED)
        while text[at : at + 1].isspace():
            at += 1
    return "".join((*kept, text[at:]))


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
