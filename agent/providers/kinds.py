"""The kinds of providers that there are, and where the two big ones are."""

from __future__ import annotations

from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["anthropic", "openai", "openai-chat"]
"""Kinds of APIs: Anthropic's Messages, OpenAI's Responses, Chat Completions."""

ANTHROPIC_HOME = "https://api.anthropic.com"
OPENAI_HOME = "https://api.openai.com/v1"
