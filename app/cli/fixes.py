"""What to do about an error, as somebody at a terminal does it: by commands."""

from __future__ import annotations

from agent import fixes
from agent.fixes import Fix

_TYPED: dict[type[Fix], str] = {
    fixes.Say: "{text}",
    fixes.ListRuns: "`bandleader runs` lists them",
    fixes.ShowRun: "bandleader runs show {run}",
    fixes.ListRows: "bandleader runs show {run} lists its rows",
    fixes.FollowRun: "{first}; bandleader runs show {run} --follow tells how it goes on",
    fixes.ApproveRunAgain: "bandleader runs show {run}, then approve the hash that it shows",
    fixes.ApprovePlan: "look at the plan, then: bandleader run PLAN.json --approve {hash}",
    fixes.ResumeRun: "bandleader runs resume {run}",
    fixes.SettleRun: "bandleader runs resume {run}, or cancel, or rollback",
    fixes.CancelOrWait: "bandleader runs cancel {run}, or wait until it has ended",
    fixes.PlanAgain: "bandleader runs cancel {run}, then plan the request again",
    fixes.ConfirmRollback: "repeat with --yes to restore the song before the run all the same; nothing is lost",
    fixes.ListVersions: "`bandleader history` lists them",
    fixes.ListProjects: "`bandleader projects` lists all",
    fixes.NameProject: "bandleader projects new NAME",
    fixes.BeginProject: 'make one: bandleader projects new NAME, or bandleader compose "…"',
    fixes.OpenPlanFile: "name a plan file, as `bandleader plan --out` writes it",
    fixes.SavePlan: '`bandleader plan "…" --out FILE` writes a plan to begin from',
    fixes.ChooseSeed: "--seed 1",
}


def typed(fix: Fix | None) -> str:
    """What to do, with the command that does it; empty where nothing is advised."""
    return "" if fix is None else _TYPED[type(fix)].format(**vars(fix))
