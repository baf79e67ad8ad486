"""How one Chat Completions server wants to be asked, learnt from what it refuses."""

from __future__ import annotations

import re
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from agent.providers.errors import Fault, ProviderError
from agent.providers.provider import Query

Form: TypeAlias = Literal["strict", "json", "none"]

_LEARNABLE: frozenset[Fault] = frozenset({"bad_request", "server", "malformed"})
_FORM = re.compile(r"response[_ ]format|json[_ ]?schema|json[_ ]?object|structured output|grammar", re.IGNORECASE)
_TOOLS = re.compile(r"(not|n't) support(ed)? (tools?|functions?)\b|tools? (is|are) not supported", re.IGNORECASE)


class Dialect(Struct, frozen=True):
    """Which variants of the API a server accepts; the defaults are what most servers accept. `form` is how the output
    is held to a schema, `tokens` the name of the field for the longest output; `tells_usage`, `temperature` and `tools`
    say which of these requests may contain."""

    form: Form = "strict"
    tokens: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    tells_usage: bool = True
    temperature: bool = True
    tools: bool = True

    def fields(self, query: Query) -> dict[str, Any]:
        """The fields of a request that differ from server to server."""
        fields: dict[str, Any] = {self.tokens: query.max_tokens}
        if self.tells_usage:
            fields["stream_options"] = {"include_usage": True}
        if self.temperature and query.temperature is not None:
            fields["temperature"] = query.temperature
        if query.form is not None and self.form == "strict":
            form = {"name": query.form.name, "strict": True, "schema": query.form.schema}
            fields["response_format"] = {"type": "json_schema", "json_schema": form}
        elif query.form is not None and self.form == "json":
            # llama.cpp's own way; others read no more of it than that JSON is wanted.
            fields["response_format"] = {"type": "json_object", "schema": query.form.schema}
        return fields

    def without(self, query: Query, refusal: ProviderError) -> Dialect | None:
        """The dialect to try next for this query; None if the refusal is about nothing that has another variant."""
        why = refusal.why
        if refusal.fault not in _LEARNABLE:
            return None
        if self.tells_usage and ("stream_options" in why or "include_usage" in why):
            return replace(self, tells_usage=False)
        if self.tokens == "max_tokens" and "max_completion_tokens" in why:
            return replace(self, tokens="max_completion_tokens")
        if self.temperature and query.temperature is not None and "temperature" in why:
            return replace(self, temperature=False)
        if query.form is not None and self.form != "none" and _FORM.search(why):
            return replace(self, form="json" if self.form == "strict" else "none")
        return None

    def refuses_tools(self, refusal: ProviderError) -> bool:
        """Whether the server says that this model cannot use tools."""
        return refusal.fault in _LEARNABLE and _TOOLS.search(refusal.why) is not None
