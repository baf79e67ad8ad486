"""What to do about an error, as somebody at a terminal does it: by commands."""

from __future__ import annotations

from agent.fixes import advice, outside, songs
from agent.fixes.fix import Fix

_TYPED: dict[type[Fix], str] = {
    advice.Say: "{text}",
    songs.ListRuns: "`bandleader runs` lists them",
    songs.ShowRun: "bandleader runs show {run}",
    songs.ListRows: "bandleader runs show {run} lists its rows",
    songs.FollowRun: "{first}; bandleader runs show {run} --follow tells how it goes on",
    songs.ApproveRunAgain: "bandleader runs show {run}, then approve the hash that it shows",
    songs.ApprovePlan: "look at the plan, then: bandleader run PLAN.json --approve {hash}",
    songs.ResumeRun: "bandleader runs resume {run}",
    songs.SettleRun: "bandleader runs resume {run}, or cancel, or rollback",
    songs.CancelOrWait: "bandleader runs cancel {run}, or wait until it has ended",
    songs.PlanAgain: "bandleader runs cancel {run}, then plan the request again",
    songs.ConfirmRollback: "repeat with --yes to restore the song before the run all the same; nothing is lost",
    songs.ListVersions: "`bandleader history` lists them",
    songs.ListProjects: "`bandleader projects` lists all",
    songs.NameProject: "bandleader projects new NAME",
    songs.BeginProject: 'make one: bandleader projects new NAME, or bandleader compose "…"',
    songs.OpenPlanFile: "name a plan file, as `bandleader plan --out` writes it",
    songs.SavePlan: '`bandleader plan "…" --out FILE` writes a plan to begin from',
    songs.ChooseSeed: "--seed 1",
    outside.SetProviderKey: "bandleader keys set {provider}, or set {variable} for this process",
    outside.ChooseModel: "--model NAME, or choose one in the settings; `bandleader keys test {provider}` lists them",
    outside.KeepKeysApart: "give keys with `bandleader keys set` only",
    outside.GiveAddressAlone: "give the address alone, and the key with `bandleader keys set`",
    outside.ListServers: "bandleader services list",
    outside.RenameServer: "choose another name, or `bandleader services forget {name}` first",
    outside.AddServerAgain: "bandleader services forget {name}, then add it again",
    outside.AskServersMaker: "ask whoever made it; `bandleader services forget {name}` removes it if it was added",
    outside.NameProgram: "--command 'PROGRAM ARGUMENTS…'",
    outside.NameVariable: "--env NAME, or --env NAME=VALUE",
    outside.HandVariable: "give it as a variable: --env NAME",
    outside.UnlockForServer: (
        "unlock or start the keyring; a variable can be taken from the "
        "environment instead: --env NAME"
    ),
    outside.ListMachines: "bandleader machines list",
    outside.RenameMachine: "bandleader machines forget {name}, or give another name",
    outside.AddMachineAgain: "bandleader machines forget {name}, then add it again; or restore the newest backup",
    outside.NameCertificate: "forget it and add it with --ca-file, if its certificate is its own",
    outside.GiveHostAlone: "give a host's name or IP address and nothing else; a port goes after --port",
    outside.GiveUserAlone: "give the name alone; --password asks for the password",
    outside.ChooseSsh: "--way ssh",
    outside.GivePasswordOrSsh: "--password, or --way ssh",
    outside.ListFolders: "`bandleader folders` lists them",
    outside.ListLibrary: "`bandleader library` lists the folders",
    outside.ForgetFolder: "bandleader library forget {folder}",
    outside.WriteTag: "bandleader library tag FILE TAG...",
    outside.ScanLibrary: "bandleader library scan",
    songs.ComposeFirst: 'compose something first: bandleader compose "…"',
    songs.StateChords: 'state some: bandleader chords --set "| Am7 | D7 |"',
    songs.WriteElsewhere: "choose another folder with --out",
    songs.KeepFile: "choose another name, or add --replace",
    songs.UsualIntensity: "--intensity 100 is the usual measure",
    outside.InstallExtra: "pip install 'bandleader[{extra}]'",
    songs.ListNames: "`bandleader list {kind}` shows all names",
    songs.ListTools: (
        "`bandleader list tools` shows all names; those of machines and servers are "
        "there once one is added"
    ),
    outside.ApproveServer: "bandleader services approve {name}",
    outside.ProbeServer: "bandleader services test {name}",
    outside.ReadServerLog: "look into {log}, then bandleader services test {name}",
    outside.PinMachine: "bandleader machines pin {name}",
    outside.PinMachineAgain: "if you know why: bandleader machines pin {name}",
    outside.GiveMachinePassword: "bandleader machines password {name}",
    outside.AddMachineFolder: "bandleader machines folders {name} FOLDER",
    outside.RemoveMachineFolder: "bandleader machines folders {name} --remove FOLDER",
    outside.CheckSystem: "check that its system is {system}: `bandleader machines test {name}`",
    outside.NegotiateLogin: "add the machine with --auth negotiate",
    outside.TrustCertificate: "add the machine with --ca-file and the certificate, or have it signed",
    outside.AllowFolder: "bandleader folders allow FOLDER",
    outside.AllowWriting: "bandleader folders allow {folder} --write",
}


def typed(fix: Fix | None) -> str:
    """What to do about an error, with the command to type; empty for None."""
    return "" if fix is None else _TYPED[type(fix)].format(**fix.values())
