"""The HTTP client of a provider: what it reads whole, errors and lists of models, is never long. Import it late."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2

_MOST_OF_A_LIST = 16 * 1024 * 1024
_MOST_OF_AN_ERROR = 64 * 1024
_SECONDS = 60.0
_OF_THE_BODY = ("content-encoding", "content-length", "transfer-encoding")


class ShortAnswers(httpx2.AsyncClient):
    """An HTTP client that limits bodies that are read whole. Successful streams are passed on. Of an error the
    beginning is kept; a list that is too long raises `DecodingError`; a body that takes longer than a minute raises
    `ReadTimeout`."""

    async def send(self, request: httpx2.Request, *, stream: bool = False, **how: Any) -> httpx2.Response:
        """Send a request; everything but a successful stream is read here."""
        response = await super().send(request, stream=True, **how)
        if stream and response.is_success:
            return response
        body = await _body(response, _MOST_OF_A_LIST if response.is_success else _MOST_OF_AN_ERROR)
        headers = [(name, value) for name, value in response.headers.multi_items() if name not in _OF_THE_BODY]
        return httpx2.Response(
            response.status_code, headers=headers, content=body, request=request, extensions=response.extensions
        )


async def _body(response: httpx2.Response, most: int) -> bytes:
    pieces: list[bytes] = []
    room = most
    try:
        async with asyncio.timeout(_SECONDS):
            # Counted after unpacking: a small compressed body can hold a thousand times as much.
            async for piece in response.aiter_bytes():
                pieces.append(piece[:room])
                room -= len(piece)
                if room < 0 and response.is_success:
                    raise httpx2.DecodingError(f"more than {most // 1024**2} MB for one list", request=response.request)
                if room < 0:
                    break
                await asyncio.sleep(0)
    except TimeoutError:
        raise httpx2.ReadTimeout(f"its answer took longer than {_SECONDS:g} s", request=response.request) from None
    finally:
        await response.aclose()
    return b"".join(pieces)
