"""The scripted model server as a process of its own, so that its work is none of who asks it.

It reads one answer's text from stdin's first line as JSON and tells on stdout, a JSON document a line, first the base
URL for each form, then each request's form and key. It ends when stdin does.
"""

from __future__ import annotations

import json
import sys

from model_server import FORMS, Answer, Asked, Text, model_server


def main() -> int:
    """Serve."""
    reply = Text(json.loads(sys.stdin.readline()))

    def answer(asked: Asked) -> Answer:
        print(json.dumps([asked.form, asked.key]), flush=True)  # noqa: T201 - it speaks by stdout
        return reply

    with model_server(answer) as server:
        print(json.dumps({form: server.url(form) for form in FORMS}), flush=True)  # noqa: T201
        sys.stdin.read()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
