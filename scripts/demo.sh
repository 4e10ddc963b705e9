#!/usr/bin/env bash
# A walk-through of dver on real documents: two devices, work done apart, a clean merge, a conflict, undo.
#
#   scripts/demo.sh [--keep]
#
# Everything happens in one temporary folder, removed at the end unless --keep is given. Each command is printed
# as it is run, with what came out. The script stops with status 1 at the first thing that isn't as promised.
# The long text history is taken from $DVER_HISTORIES, else ../shared/corpus/histories; without one the demo
# writes documents of its own.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
dver=${DVER:-$root/.build/release/dver}
histories=${DVER_HISTORIES:-$root/../shared/corpus/histories}
keep=no
[ "${1:-}" = --keep ] && keep=yes

[ -x "$dver" ] || { echo "demo: $dver is missing: run make build" >&2; exit 1; }
dver=$(cd "$(dirname "$dver")" && pwd)/$(basename "$dver")

work=$(mktemp -d "${TMPDIR:-/tmp}/dver-demo.XXXXXX")
leave() {
  local status=$?
  [ "$status" -eq 0 ] || echo "demo: stopped, exit status $status" >&2
  if [ "$keep" = yes ]; then echo "Kept: $work"; else rm -rf "$work"; fi
}
trap leave EXIT
unset DVER_NOW DVER_DEVICE_NAME DVER_LOCK_TIMEOUT NO_COLOR

# The device whose folder commands run in.
device=

say() { printf '\n%s\n' "$*"; }
chapter() { printf '\n== %s ==\n' "$*"; }
fail() {
  echo "demo: NOT AS PROMISED: $*" >&2
  exit 1
}
on() { device=$1; }

# run STATUS [NAME=VALUE…] dver ARGUMENT…: prints the command, runs it on the device, prints what came out, checks the
# exit status. What it wrote to standard output stays in $output.
output=
run() {
  local expected=$1 status=0 place=1
  shift
  printf '%-7s $ %s\n' "${device#.}" "$(shown "$@")"
  while [ "${!place}" != dver ]; do place=$((place + 1)); done
  output=$(cd "$work/$device" && env "${@:1:place-1}" "$dver" "${@:place+1}" 2>"$work/errors") || status=$?
  [ -z "$output" ] || printf '%s\n' "$output" | abridged
  [ ! -s "$work/errors" ] || abridged <"$work/errors"
  [ "$status" -eq "$expected" ] || fail "exit status $status, expected $expected"
}

# A command as a person would type it.
shown() {
  local word text=
  for word in "$@"; do
    if [[ $word =~ ^[A-Za-z0-9_./@~:=,+-]+$ ]]; then text+=" $word"; else text+=" '$word'"; fi
  done
  printf '%s' "${text# }"
}

# At most 14 lines, indented.
abridged() {
  awk '{ if (NR <= 14) print "          " $0 } END { if (NR > 14) print "          … " NR - 14 " more lines" }'
}

digest() { sha256sum <"$1" | cut -d' ' -f1; }
check() {
  local promise=$1
  shift
  "$@" || fail "$promise"
  echo "          ✓ $promise"
}
holds() { grep -qF -- "$2" "$1"; }
same() { cmp -s -- "$1" "$2"; }

# The ids of the versions in the JSON lines on standard input, in their order.
ids() { sed -n 's/^{"version":"\([0-9a-f]\{64\}\)".*/\1/p'; }

mkdir -p "$work/laptop/notes" "$work/stick"

chapter "A repository"
on laptop
run 0 dver --version
run 0 dver init --device laptop
run 0 dver init
check "a second init changes nothing and succeeds" test -d "$work/laptop/.dver"

cat >"$work/laptop/notes/plan.md" <<'TEXT'
# Plan for the garden

Spring: dig the north bed, order seeds.

Summer: water in the evening.
The cherries are for the birds.

Autumn: plant garlic.

Winter: read, sharpen the tools.
TEXT
cp "$root/LICENSE" "$work/laptop/licence.txt"
run 0 dver status
run 0 dver save -m 'first save'
run 0 dver status --exit-code
check "nothing is left to save" test -z "$output"

chapter "A long history"
mkdir "$work/revisions"
if [ -f "$histories/awesome-readme.tar.xz" ] && tar -xJf "$histories/awesome-readme.tar.xz" -C "$work/revisions" 2>/dev/null; then
  say "Each revision of a real document (sindresorhus/awesome, readme.md) is saved in turn."
else
  say "No real history is at hand, so the demo writes one: a list that grows, is corrected and sorted."
  for number in $(seq 1 150); do
    file=$(printf '%s/revisions/%05d.txt' "$work" "$number")
    { echo "# Words, state $number"; echo; head -n $((number * 3)) "$root/LICENSE" | tr -s ' ' '\n' | sort -u; } >"$file"
  done
fi
mapfile -t revisions < <(find "$work/revisions" -name '*.txt' | LC_ALL=C sort)
count=${#revisions[@]}
printf '%-7s $ %s   # %d times, a revision each\n' laptop "dver save -q readme.md" "$count"
distinct=0 last=
for revision in "${revisions[@]}"; do
  cp "$revision" "$work/laptop/readme.md"
  (cd "$work/laptop" && "$dver" save -q readme.md) || fail "saving $(basename "$revision")"
  now=$(digest "$revision")
  [ "$now" = "$last" ] || distinct=$((distinct + 1))
  last=$now
done
run 0 dver log readme.md --oneline -n 3
lines=$(cd "$work/laptop" && "$dver" log readme.md --oneline | wc -l)
check "$count saves made $distinct versions, one for each change" test "$lines" -eq "$distinct"

(cd "$work/laptop" && "$dver" log readme.md --json) | ids >"$work/ids"
back=0
for place in 1 $((distinct / 2)) "$distinct"; do
  id=$(sed -n "${place}p" "$work/ids")
  (cd "$work/laptop" && "$dver" cat "readme.md@$id") >"$work/old"
  wanted=$(cd "$work/laptop" && "$dver" log readme.md --json | sed -n "${place}s/.*\"content\":\"\([0-9a-f]*\)\".*/\1/p")
  [ "$(digest "$work/old")" = "$wanted" ] && back=$((back + 1))
done
check "newest, middle and oldest come back, their SHA-256 as the log says" test "$back" -eq 3
check "the oldest is the first revision, byte for byte" same "$work/old" "${revisions[0]}"
run 1 dver diff readme.md@~1 readme.md@current --stat --exit-code
run 0 dver stats
raw=$(cat "${revisions[@]}" | wc -c)
stored=$(find "$work/laptop/.dver" -type f -print0 | xargs -0 cat | wc -c)
say "The $count revisions are $raw bytes; everything below .dver, the other documents too, is $stored bytes."

chapter "A second device, by a folder that both can reach"
run 0 dver remote add stick "$work/stick"
run 0 dver sync stick
on .
run 0 DVER_DEVICE_NAME=desk dver clone "$work/stick" desk
on desk
check "the desk has the same documents" diff -r --exclude=.dver "$work/laptop" "$work/desk"
run 0 dver remote list

chapter "Both work offline: different places"
say "The laptop rewrites spring, the desk rewrites winter; neither has seen the other's edit."
sed -i 's/^Spring:.*/Spring: dig both beds, order seeds and two apple trees./' "$work/laptop/notes/plan.md"
on laptop
run 0 dver save notes/plan.md -m 'apple trees'
sed -i 's/^Winter:.*/Winter: repair the shed./' "$work/desk/notes/plan.md"
on desk
run 0 dver save notes/plan.md -m 'the shed'
on laptop
run 0 dver sync
on desk
run 0 dver sync
on laptop
run 0 dver sync
check "the laptop has the desk's edit" holds "$work/laptop/notes/plan.md" "repair the shed"
check "the desk has the laptop's edit" holds "$work/desk/notes/plan.md" "two apple trees"
check "both have the same bytes" same "$work/laptop/notes/plan.md" "$work/desk/notes/plan.md"
run 0 dver conflicts --exit-code
check "the merge was clean: no conflict" test -z "$output"
run 0 dver log notes/plan.md --graph --oneline

chapter "Both work offline: the same line"
sed -i 's/^The cherries.*/The cherries are for jam./' "$work/laptop/notes/plan.md"
run 0 dver save notes/plan.md -m 'jam'
sed -i 's/^The cherries.*/The cherries are for a cake./' "$work/desk/notes/plan.md"
on desk
run 0 dver save notes/plan.md -m 'cake'
on laptop
run 0 dver sync
on desk
run 0 dver sync
on laptop
run 0 dver sync
check "both devices show the same current version" same "$work/laptop/notes/plan.md" "$work/desk/notes/plan.md"
run 1 dver conflicts --exit-code
run 0 dver conflicts --json
other=$(printf '%s\n' "$output" | ids | head -n 1)
check "exactly one version is in conflict with it" test "$(printf '%s\n' "$output" | ids | wc -l)" -eq 1
run 0 dver cat "notes/plan.md@$other"
printf '%s\n' "$output" >"$work/other.md"
cp "$work/laptop/notes/plan.md" "$work/current.md"
kept=$(cat "$work/other.md" "$work/current.md" | grep -c -e 'for jam' -e 'for a cake' || true)
check "nothing is lost: one version has the jam, one the cake" test "$kept" -eq 2
run 1 dver merge notes/plan.md
run 0 dver resolve notes/plan.md --use "$other"
check "the chosen text is in the working file" same "$work/other.md" "$work/laptop/notes/plan.md"
run 0 dver conflicts --exit-code
run 0 dver sync
on desk
run 0 dver sync
run 0 dver conflicts --exit-code
check "the desk agrees, and asks nothing" same "$work/laptop/notes/plan.md" "$work/desk/notes/plan.md"
(cd "$work/desk" && "$dver" log notes/plan.md --all --json) >"$work/all"
check "the version that lost is still in the history" holds "$work/all" '"message":"cake"'
check "and so is the one that won" holds "$work/all" '"message":"jam"'

chapter "Undo"
on laptop
cp "$work/laptop/licence.txt" "$work/before"
echo 'All of this was a mistake.' >"$work/laptop/licence.txt"
run 0 dver save licence.txt -m 'a slip'
run 0 dver undo
check "the document is as before" same "$work/before" "$work/laptop/licence.txt"
run 0 dver log licence.txt --oneline
run 0 dver rm licence.txt
check "a deleted document is gone from the folder" test ! -e "$work/laptop/licence.txt"
run 0 dver undo
check "and comes back" same "$work/before" "$work/laptop/licence.txt"

chapter "Is everything there?"
run 0 dver sync
run 0 dver verify
on desk
run 0 dver sync
run 0 dver verify
check "both folders are equal" diff -r --exclude=.dver "$work/laptop" "$work/desk"

say "One byte of a stored pack is changed, in a copy of the folder on the stick:"
on .
cp -R "$work/stick" "$work/damaged"
victim=$(find "$work/damaged/packs" -type f -size +0 | LC_ALL=C sort | head -n 1)
[ -n "$victim" ] || fail "the remote holds no pack"
middle=$(($(wc -c <"$victim") / 2))
old=$(od -An -tu1 -j "$middle" -N 1 "$victim" | tr -d ' ')
chmod u+w "$victim"
printf "\\$(printf '%03o' $((old ^ 1)))" | dd of="$victim" bs=1 seek="$middle" conv=notrunc status=none
on desk
run 0 dver remote add damaged "$work/damaged"
run 1 dver verify damaged
check "verify found it" test -n "$output$(cat "$work/errors")"

say "Everything was as promised."
