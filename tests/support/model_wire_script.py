"""What a scripted model server is told to answer: closed typed values, the same for every provider's form."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from agent.providers.provider import Finish

Form: TypeAlias = Literal["anthropic", "openai", "openai-chat"]
"""How a provider speaks: Anthropic Messages, OpenAI Responses, OpenAI Chat Completions."""

FORMS: tuple[Form, ...] = ("anthropic", "openai", "openai-chat")

Ending: TypeAlias = Finish | Literal["filtered", "because", "unsaid"]
"""Why the reply ends: besides the known reasons, a content filter, a reason that nobody knows, and none at all."""


@dataclass(frozen=True)
class Tokens:
    """The usage that the server tells."""

    input: int = 12
    output: int = 34
    cached: int = 0
    written: int = 0


@dataclass(frozen=True)
class Says:
    """A whole reply: text, then calls as (tool, arguments as JSON text). `tokens` None: no usage is told."""

    text: str = ""
    calls: tuple[tuple[str, str], ...] = ()
    finish: Ending = "end"
    tokens: Tokens | None = field(default_factory=Tokens)
    delta: int | None = None
    """Characters in one event; None: as the server is set."""


def Text(text: str, finish: Ending = "end", tokens: Tokens | None = Tokens(), delta: int | None = None) -> Says:  # noqa: N802
    """A reply of words."""
    return Says(text, (), finish, tokens, delta)


def Calls(*calls: tuple[str, object], text: str = "", finish: Ending = "tools", delta: int | None = None) -> Says:  # noqa: N802
    """A reply that wants tools: pairs of name and arguments, these as JSON text or as a value to be written so."""
    written = tuple((name, given if isinstance(given, str) else json.dumps(given)) for name, given in calls)
    return Says(text, written, finish, Tokens(), delta)


@dataclass(frozen=True)
class Cut:
    """The reply until `at` characters of its content, then the connection ends.

    `closed`: a body that lasts until the close, so that the cut looks like an end; `declared`: less than the
    declared length; `chunked`: no last chunk; `reset`: a TCP reset.
    """

    reply: Says
    at: int
    how: Literal["closed", "declared", "chunked", "reset"] = "chunked"


@dataclass(frozen=True)
class Stall:
    """The reply until `at` characters, then silence: until the event is set, or for ever. At 0 nothing is sent, not
    even headers."""

    reply: Says
    at: int = 0
    until: threading.Event | None = None


@dataclass(frozen=True)
class Insert:
    """The reply, with foreign bytes between its events after `at` characters. `last`: nothing comes after them."""

    reply: Says
    at: int
    raw: Mapping[Form, bytes]
    last: bool = False


@dataclass(frozen=True)
class Nameless:
    """The reply as events without `event:` lines, as some servers write them."""

    reply: Says


@dataclass(frozen=True)
class Fails:
    """A refusal in the provider's own error form. `echo`: the message ends with the key that was sent."""

    status: int
    message: str = "no"
    kind: str = "error"
    code: str | None = None
    headers: tuple[tuple[str, str], ...] = ()
    echo: bool = False


@dataclass(frozen=True)
class Page:
    """Any bytes as an HTTP answer."""

    body: bytes
    content_type: str = "text/html"
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Redirect:
    """307 to the same path of another origin, such as `http://127.0.0.1:1234`."""

    origin: str


@dataclass(frozen=True)
class Drop:
    """No HTTP at all: a reset at once, or foreign bytes and the end."""

    raw: bytes = b""


@dataclass(frozen=True)
class Absent:
    """Nothing listens at the port."""


Answer: TypeAlias = Says | Cut | Stall | Insert | Nameless | Fails | Page | Redirect | Drop | Absent


@dataclass
class Asked:
    """A request as it came. `left` is set when the client hung up before the reply ended."""

    form: Form
    method: str
    path: str
    headers: dict[str, str]
    raw: bytes
    left: threading.Event = field(default_factory=threading.Event)
    done: threading.Event = field(default_factory=threading.Event)

    @property
    def body(self) -> dict[str, Any]:
        """The JSON body; empty where there is none."""
        return dict(json.loads(self.raw)) if self.raw else {}

    @property
    def key(self) -> str:
        """The key that was sent, however it was sent."""
        bearer = self.headers.get("authorization", "").removeprefix("Bearer ")
        return self.headers.get("x-api-key") or bearer

    @property
    def model(self) -> str:
        return str(self.body.get("model", ""))

    @property
    def system(self) -> str:
        """The words of the system part."""
        body = self.body
        own = words(body.get("system")) + words(body.get("instructions"))
        return own + "".join(words(m.get("content")) for m in self.messages if m.get("role") in ("system", "developer"))

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The turns in the provider's own form."""
        body = self.body
        found = body.get("messages", body.get("input", []))
        return [{"role": "user", "content": found}] if isinstance(found, str) else list(found)

    @property
    def last_words(self) -> str:
        """The words of the last turn of the person."""
        said = [words(m.get("content")) for m in self.messages if m.get("role") == "user"]
        return next((text for text in reversed(said) if text), "")

    @property
    def tools(self) -> list[str]:
        """The names of the offered tools."""
        return [tool.get("name") or tool["function"]["name"] for tool in self.body.get("tools", [])]

    @property
    def results(self) -> list[str]:
        """The texts of all tool results in the talk, in their order."""
        found: list[str] = []
        for message in self.messages:
            if message.get("role") == "tool":
                found.append(words(message["content"]))
            elif message.get("type") == "function_call_output":
                found.append(words(message["output"]))
            elif isinstance(message.get("content"), list):
                parts = [p for p in message["content"] if p.get("type") == "tool_result"]
                found += [words(p.get("content")) for p in parts]
        return found


def words(content: Any) -> str:
    """The text in a content of any form; tool results and images have none."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))


Script: TypeAlias = Answer | Sequence[Answer] | Callable[[Asked], Answer]
"""One answer for every request, one for each in turn, or whatever a function makes of the request."""
