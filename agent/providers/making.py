"""Make the provider that the settings name, and load its library before its first call."""

from __future__ import annotations

from agent.message import msg
from agent.providers.anthropic import AnthropicProvider
from agent.providers.errors import ProviderError
from agent.providers.kinds import Kind
from agent.providers.openai_chat import OpenAIChatProvider
from agent.providers.openai_responses import OpenAIProvider
from agent.providers.provider import Provider


def make_provider(kind: Kind, model: str, *, key: str | None, base_url: str | None, idle: float = 60.0) -> Provider:
    """The provider of this kind for `model`; nothing is imported or sent before its first call. `key` None means no
    key. `base_url` None means the provider's own address; `openai-chat` has none and raises `ProviderError` then.
    `idle` is how many seconds a server may be silent."""
    match kind:
        case "anthropic":
            return AnthropicProvider(model, key, base_url, idle=idle)
        case "openai":
            return OpenAIProvider(model, key, base_url, idle=idle)
        case "openai-chat":
            if not base_url:
                raise ProviderError(
                    "not_a_model", msg("openai-chat has no address"), why=msg("every such server has its own"),
                    fix=msg("set its address in the settings, such as http://localhost:11434/v1"),
                )
            return OpenAIChatProvider(model, base_url, key, idle=idle)


def preload(kind: Kind) -> None:
    """Import everything that the first call to a provider of this kind needs; nothing is sent, and no key is needed.
    Takes up to a second: call it in a thread. A call that begins meanwhile waits for it."""
    import httpx2  # noqa: F401 - loading it is the purpose

    match kind:
        case "anthropic":
            from anthropic.resources.messages import AsyncMessages  # noqa: F401
        case "openai":
            from openai.resources.responses import AsyncResponses  # noqa: F401
        case "openai-chat":
            from openai.resources.chat.chat import AsyncChat  # noqa: F401
