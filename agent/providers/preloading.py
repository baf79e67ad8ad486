"""Load a provider's library before its first call."""

from __future__ import annotations

from agent.providers.kinds import Kind


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
