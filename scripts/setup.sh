#!/usr/bin/env bash
# Installs the Debian packages that building dver needs, only those that are missing; changes nothing else.
# Needs Swift 6.3 in PATH. Quiet where all is there.
set -euo pipefail

fail() {
  echo "setup: $*" >&2
  exit 1
}

command -v swift >/dev/null 2>&1 || fail "swift is not in PATH: install Swift 6.3 from https://www.swift.org/install"

# Package and, behind the colon, a command that shows it is there however it was installed; without one dpkg is asked.
wanted=(zlib1g-dev: libssl-dev: libsqlite3-dev: libc6-dev: binutils:ld pkg-config:pkg-config make:make git:git)

is_installed() {
  [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

missing=()
if command -v dpkg-query >/dev/null 2>&1; then
  for entry in "${wanted[@]}"; do
    package=${entry%%:*} program=${entry#*:}
    if [ -n "$program" ] && command -v "$program" >/dev/null 2>&1; then continue; fi
    is_installed "$package" || missing+=("$package")
  done
  # The C++ library that Swift's run time links against: any version's package will do.
  compgen -G '/usr/lib/gcc/*/*/libstdc++.a' >/dev/null || missing+=(libstdc++-12-dev)
else
  for program in pkg-config make git; do
    command -v "$program" >/dev/null 2>&1 || missing+=("$program")
  done
  for library in zlib libcrypto sqlite3; do
    pkg-config --exists "$library" 2>/dev/null || missing+=("$library")
  done
fi
[ ${#missing[@]} -gt 0 ] || exit 0

command -v apt-get >/dev/null 2>&1 ||
  fail "missing: ${missing[*]}: this system has no apt-get, so install them by its own means"

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null 2>&1 || fail "missing packages, run as root: apt-get install ${missing[*]}"
  as_root=(sudo)
  # Without a terminal nobody can type a password.
  [ -t 0 ] || as_root+=(-n)
  "${as_root[@]}" true 2>/dev/null || fail "sudo refused; run as root: apt-get install ${missing[*]}"
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "setup: installing ${missing[*]}"
as_apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y "$@" >"$log" 2>&1 && return
  tail -n 20 "$log" >&2
  fail "apt-get $1 failed (its last lines are above)"
}
as_apt update
as_apt install --no-install-recommends "${missing[@]}"
