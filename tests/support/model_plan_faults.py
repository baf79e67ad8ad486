"""The faults of the wire around a real plan, so that what arrives of a broken answer would look like one."""

from __future__ import annotations

import traceback
from dataclasses import replace

from model_providers import KEY
from model_wire_faults import FaultName, answer_of
from model_wire_script import Answer, Cut, Insert, Nameless, Says, Stall

from agent.errors import BandleaderError

STALLS: tuple[FaultName, ...] = ("stall_at_start", "stall_mid_text", "stall_mid_call")


def plan_fault(fault: FaultName, plan: str, elsewhere: str) -> Answer:
    """The fault in an answer that is this plan; a stream that breaks does so when all rows are out."""
    return _around(answer_of(fault, elsewhere), plan)


def _around(answer: Answer, plan: str) -> Answer:
    match answer:
        case Says(text=text, calls=()) if text:
            return replace(answer, text=plan, delta=answer.delta and len(plan))
        case Nameless(reply):
            return Nameless(_said(reply, plan))
        case Cut(reply, at) | Stall(reply, at) | Insert(reply, at) if not reply.calls:
            return replace(answer, reply=_said(reply, plan), at=at and len(plan) - 2)
        case _:
            return answer


def _said(reply: Says, plan: str) -> Says:
    return replace(reply, text=plan)


def check_told(error: BandleaderError) -> None:
    """What, why and what to do, in one short line each; no piece of the key in any of them."""
    for part in (error.what, error.why, error.advice):
        assert part, repr((error.what, error.why, error.advice))
        assert part.isprintable(), part
        assert len(part) < 500
    shown = "".join(traceback.format_exception(error)) + repr(error) + str(vars(error))
    assert KEY[:12] not in shown
