"""What to do about an error, as somebody at a terminal does it: by commands."""

from __future__ import annotations

from agent.fixes import Fix, FixKind

_WITHOUT_WINDOW = (
    'bandleader compose "a calm lo-fi song" works without a window; bandleader --help lists all commands'
)
_TYPED: dict[FixKind, str] = {
    FixKind.SAY: "{text}",
    FixKind.LIST_RUNS: "`bandleader runs` lists them",
    FixKind.SHOW_RUN: "bandleader runs show {run}",
    FixKind.LIST_ROWS: "bandleader runs show {run} lists its rows",
    FixKind.FOLLOW_RUN: "{first}; bandleader runs show {run} --follow tells how it goes on",
    FixKind.APPROVE_RUN_AGAIN: "bandleader runs show {run}, then approve the hash that it shows",
    FixKind.APPROVE_PLAN: "look at the plan, then: bandleader run PLAN.json --approve {hash}",
    FixKind.RESUME_RUN: "bandleader runs resume {run}",
    FixKind.SETTLE_RUN: "bandleader runs resume {run}, or cancel, or rollback",
    FixKind.CANCEL_OR_WAIT: "bandleader runs cancel {run}, or wait until it has ended",
    FixKind.PLAN_AGAIN: "bandleader runs cancel {run}, then plan the request again",
    FixKind.CONFIRM_ROLLBACK: "repeat with --yes to restore the song before the run all the same; nothing is lost",
    FixKind.LIST_VERSIONS: "`bandleader history` lists them",
    FixKind.LIST_PROJECTS: "`bandleader projects` lists all",
    FixKind.NAME_PROJECT: "bandleader projects new NAME",
    FixKind.BEGIN_PROJECT: 'make one: bandleader projects new NAME, or bandleader compose "…"',
    FixKind.OPEN_PLAN_FILE: "name a plan file, as `bandleader plan --out` writes it",
    FixKind.SAVE_PLAN: '`bandleader plan "…" --out FILE` writes a plan to begin from',
    FixKind.CHOOSE_SEED: "--seed 1",
    FixKind.SET_PROVIDER_KEY: "bandleader keys set {provider}, or set {variable} for this process",
    FixKind.CHOOSE_MODEL: "--model NAME, or choose one in the settings; `bandleader keys test {provider}` lists them",
    FixKind.KEEP_KEYS_APART: "give keys with `bandleader keys set` only",
    FixKind.GIVE_ADDRESS_ALONE: "give the address alone, and the key with `bandleader keys set`",
    FixKind.LIST_SERVERS: "bandleader services list",
    FixKind.RENAME_SERVER: "choose another name, or `bandleader services forget {name}` first",
    FixKind.ADD_SERVER_AGAIN: "bandleader services forget {name}, then add it again",
    FixKind.ASK_SERVERS_MAKER: "ask whoever made it; `bandleader services forget {name}` removes it if it was added",
    FixKind.NAME_PROGRAM: "--command 'PROGRAM ARGUMENTS…'",
    FixKind.NAME_VARIABLE: "--env NAME, or --env NAME=VALUE",
    FixKind.HAND_VARIABLE: "give it as a variable: --env NAME",
    FixKind.UNLOCK_FOR_SERVER: (
        "unlock or start the keyring; a variable can be taken from the "
        "environment instead: --env NAME"
    ),
    FixKind.LIST_MACHINES: "bandleader machines list",
    FixKind.RENAME_MACHINE: "bandleader machines forget {name}, or give another name",
    FixKind.ADD_MACHINE_AGAIN: "bandleader machines forget {name}, then add it again; or restore the newest backup",
    FixKind.NAME_CERTIFICATE: "forget it and add it with --ca-file, if its certificate is its own",
    FixKind.GIVE_HOST_ALONE: "give a host's name or IP address and nothing else; a port goes after --port",
    FixKind.GIVE_USER_ALONE: "give the name alone; --password asks for the password",
    FixKind.CHOOSE_SSH: "--way ssh",
    FixKind.GIVE_PASSWORD_OR_SSH: "--password, or --way ssh",
    FixKind.LIST_FOLDERS: "`bandleader folders` lists them",
    FixKind.LIST_LIBRARY: "`bandleader library` lists the folders",
    FixKind.FORGET_FOLDER: "bandleader library forget {folder}",
    FixKind.WRITE_TAG: "bandleader library tag FILE TAG...",
    FixKind.SCAN_LIBRARY: "bandleader library scan",
    FixKind.COMPOSE_FIRST: 'compose something first: bandleader compose "…"',
    FixKind.STATE_CHORDS: 'state some: bandleader chords --set "| Am7 | D7 |"',
    FixKind.WRITE_ELSEWHERE: "choose another folder with --out",
    FixKind.KEEP_FILE: "choose another name, or add --replace",
    FixKind.USUAL_INTENSITY: "--intensity 100 is the usual measure",
    FixKind.INSTALL_EXTRA: "pip install 'bandleader[{extra}]'",
    FixKind.LIST_NAMES: "`bandleader list {kind}` shows all names",
    FixKind.LIST_TOOLS: (
        "`bandleader list tools` shows all names; those of machines and servers are "
        "there once one is added"
    ),
    FixKind.APPROVE_SERVER: "bandleader services approve {name}",
    FixKind.PROBE_SERVER: "bandleader services test {name}",
    FixKind.READ_SERVER_LOG: "look into {log}, then bandleader services test {name}",
    FixKind.PIN_MACHINE: "bandleader machines pin {name}",
    FixKind.PIN_MACHINE_AGAIN: "if you know why: bandleader machines pin {name}",
    FixKind.GIVE_MACHINE_PASSWORD: "bandleader machines password {name}",
    FixKind.ADD_MACHINE_FOLDER: "bandleader machines folders {name} FOLDER",
    FixKind.REMOVE_MACHINE_FOLDER: "bandleader machines folders {name} --remove FOLDER",
    FixKind.CHECK_SYSTEM: "check that its system is {system}: `bandleader machines test {name}`",
    FixKind.NEGOTIATE_LOGIN: "add the machine with --auth negotiate",
    FixKind.TRUST_CERTIFICATE: "add the machine with --ca-file and the certificate, or have it signed",
    FixKind.ALLOW_FOLDER: "bandleader folders allow FOLDER",
    FixKind.USE_COMMANDS: _WITHOUT_WINDOW,
    FixKind.INSTALL_LIBRARY: f"install {{library}} (make setup names all libraries); {_WITHOUT_WINDOW}",
    FixKind.ALLOW_WRITING: "bandleader folders allow {folder} --write",
}


def typed(fix: Fix | None) -> str:
    """What to do about an error, with the command to type; empty for None."""
    return "" if fix is None else _TYPED[fix.kind].format_map(fix.values)
