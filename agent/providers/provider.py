"""The protocol of every language model: what is asked of it and what it streams back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Literal, Protocol, TypeAlias

from msgspec import Struct

from agent.conversation.messages import ToolCall, Turn
from agent.plan.plan import Json

Finish: TypeAlias = Literal["end", "tools", "length", "context", "paused", "refused"]
"""Why a reply ended: by itself, to have tools used, at its limit of tokens, at the end of the context window, in a
pause that the next call goes on from, or in a refusal."""


class ToolOffer(Struct, frozen=True):
    """A tool that the model may call; `about` describes it for the model. `schema` is the JSON schema of its
    arguments."""

    name: str
    about: str
    schema: Json


class OutputForm(Struct, frozen=True):
    """The JSON schema for the reply's text, if the provider can enforce one."""

    name: str
    schema: Json


class Query(Struct, frozen=True):
    """One call. `system` and `tools` should stay equal between calls, so that a provider can cache them. `max_tokens`
    limits the reply. `tool_choice` "any" requires a call. `temperature` is dropped if the API has none."""

    system: str
    turns: tuple[Turn, ...]
    tools: tuple[ToolOffer, ...] = ()
    tool_choice: Literal["auto", "any", "none"] = "auto"
    form: OutputForm | None = None
    max_tokens: int = 8192
    temperature: float | None = None


class Usage(Struct, frozen=True):
    """Tokens of one or more calls, whose number is `calls`. `input` counts all tokens read, `cached` and `written` the
    parts of it read from or written to the provider's cache; `output` counts those of the reply. `known` is False if a
    server reported nothing."""

    input: int = 0
    output: int = 0
    cached: int = 0
    written: int = 0
    calls: int = 0
    known: bool = True

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input + other.input, self.output + other.output, self.cached + other.cached,
            self.written + other.written, self.calls + other.calls, self.known and other.known,
        )

    @property
    def total(self) -> int:
        """Tokens in and out."""
        return self.input + self.output


class BadCall(Struct, frozen=True):
    """A call whose arguments are no JSON object (`raw` is their text, `why` what is wrong with it); it is not carried
    out, and the model is told why."""

    id: str
    name: str
    raw: str
    why: str


class Reply(Struct, frozen=True):
    """A complete answer, whose end the server has stated. One cut by its limit (`truncated`) has no calls; its text is
    what there is so far. `model` is the server's name of the model, `kept` are parts in the provider's own form that
    must be returned unchanged in a `ModelTurn`."""

    text: str
    finish: Finish
    calls: tuple[ToolCall, ...] = ()
    bad_calls: tuple[BadCall, ...] = ()
    usage: Usage = Usage()
    model: str = ""
    """The server's name of the model that answered."""
    kept: tuple[Json, ...] = ()
    """Parts in the provider's own form that must be returned unchanged in a `ModelTurn`."""

    @property
    def all_calls(self) -> tuple[ToolCall, ...]:
        """Every call, including those whose arguments are no JSON object: a conversation that goes on needs a result
        for each."""
        return (*self.calls, *(ToolCall(bad.id, bad.name, {}) for bad in self.bad_calls))

    @property
    def truncated(self) -> bool:
        """Whether the reply was cut by a limit."""
        return self.finish in ("length", "context")


class TextPart(Struct, frozen=True):
    """The next piece of the reply's text."""

    text: str


class CallBegun(Struct, frozen=True):
    """A tool call of the reply begins, at this index from 0."""

    index: int
    name: str


class CallPart(Struct, frozen=True):
    """The next piece of the arguments of the call at `index`, as raw JSON text, only for display."""

    index: int
    text: str


class RetryWait(Struct, frozen=True):
    """The call failed in a way that may pass, for `reason`; it is sent again in `seconds`, as try number `attempt`.
    Emitted about once a second."""

    seconds: float
    attempt: int
    reason: str


class Restarted(Struct, frozen=True):
    """The call is sent again; all parts so far are void."""


class Finished(Struct, frozen=True):
    """The whole reply; the stream ends here."""

    reply: Reply


ReplyEvent: TypeAlias = TextPart | CallBegun | CallPart | RetryWait | Restarted | Finished


class Abilities(Struct, frozen=True):
    """What a provider's API can do: whether it takes `tools` and a `temperature`. `context` is the model's context
    window in tokens, None if not known. `forms` is how a reply is held to a schema: strictly by the API, by its JSON
    mode, or not at all."""

    tools: bool = True
    forms: Literal["strict", "json", "none"] = "none"
    temperature: bool = False
    context: int | None = None


class Provider(Protocol):
    """A language model. Must be closed; one whose stream was cancelled can be used again at once."""

    @property
    def name(self) -> str:
        """The provider's name in settings and plans, such as `anthropic`."""
        ...

    @property
    def model(self) -> str:
        """The model's name as the server takes it."""
        ...

    @property
    def abilities(self) -> Abilities:
        """What it can do."""
        ...

    def reply(self, query: Query) -> AsyncIterator[ReplyEvent]:
        """Stream one reply; ends with `Finished` or raises `ProviderError`, never anything else."""
        ...

    async def models(self) -> tuple[str, ...]:
        """The names of the server's models. Raises `ProviderError`."""
        ...

    async def close(self) -> None:
        """Close the connections."""
        ...
