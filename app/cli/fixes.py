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
    fixes.SetKey: "bandleader keys set {provider}, or set {variable} for this process",
    fixes.ChooseModel: "--model NAME, or choose one in the settings; `bandleader keys test {provider}` lists them",
    fixes.KeepKeysApart: "give keys with `bandleader keys set` only",
    fixes.GiveAddressAlone: "give the address alone, and the key with `bandleader keys set`",
    fixes.ListServers: "bandleader services list",
    fixes.RenameServer: "choose another name, or `bandleader services forget {name}` first",
    fixes.AddServerAgain: "bandleader services forget {name}, then add it again",
    fixes.AskServersMaker: "ask whoever made it; `bandleader services forget {name}` removes it if it was added",
    fixes.NameProgram: "--command 'PROGRAM ARGUMENTS…'",
    fixes.NameVariable: "--env NAME, or --env NAME=VALUE",
    fixes.HandVariable: "give it as a variable: --env NAME",
    fixes.UnlockForServer: (
        "unlock or start the keyring; a variable can be taken from the "
        "environment instead: --env NAME"
    ),
    fixes.ListMachines: "bandleader machines list",
    fixes.RenameMachine: "bandleader machines forget {name}, or give another name",
    fixes.AddMachineAgain: "bandleader machines forget {name}, then add it again; or restore the newest backup",
    fixes.NameCertificate: "forget it and add it with --ca-file, if its certificate is its own",
    fixes.GiveHostAlone: "give a host's name or IP address and nothing else; a port goes after --port",
    fixes.GiveUserAlone: "give the name alone; --password asks for the password",
    fixes.ChooseSsh: "--way ssh",
    fixes.GivePasswordOrSsh: "--password, or --way ssh",
    fixes.ListFolders: "`bandleader folders` lists them",
    fixes.ListLibrary: "`bandleader library` lists the folders",
    fixes.ForgetFolder: "bandleader library forget {folder}",
    fixes.WriteTag: "bandleader library tag FILE TAG...",
    fixes.ScanLibrary: "bandleader library scan",
    fixes.ComposeFirst: 'compose something first: bandleader compose "…"',
    fixes.StateChords: 'state some: bandleader chords --set "| Am7 | D7 |"',
    fixes.WriteElsewhere: "choose another folder with --out",
    fixes.KeepFile: "choose another name, or add --replace",
    fixes.ChartAfterwards: (
        "write the whole chart in one meter, or set the chart on the piece "
        "afterwards: bandleader chords --set"
    ),
    fixes.UsualIntensity: "--intensity 100 is the usual measure",
    fixes.InstallExtra: "pip install 'bandleader[{extra}]'",
}


def typed(fix: Fix | None) -> str:
    """What to do, with the command that does it; empty where nothing is advised."""
    return "" if fix is None else _TYPED[type(fix)].format(**vars(fix))
