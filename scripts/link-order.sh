#!/usr/bin/env bash
# Writes scripts/link-order.txt: the functions of an everyday save, in the order in which it calls them first.
# The linker puts them side by side, so that a save touches fewer pages of the program (scripts/build.sh).
# To be run now and then; a function that isn't there any more is passed over. Needs valgrind and objcopy, and make build before.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# valgrind can't read the debugging information of Swift.
objcopy --strip-debug .build/release/dver "$work/dver"
mkdir "$work/documents"
cd "$work/documents"
for number in 1 2 3; do
  seq "$number" 2500 >letter.txt
  [ "$number" = 1 ] && ../dver init -q
  # The third save is one of the everyday kind: it goes on from what the second left.
  [ "$number" = 3 ] || ../dver save -q letter.txt
done
order() { valgrind --tool=callgrind --demangle=no --callgrind-out-file="$work/$1" ../dver "${@:2}" >/dev/null 2>&1; }
order save save -q letter.txt
order version --version
cd - >/dev/null
sed -nE "s/^c?fn=\([0-9]+\) ([^ ]+).*/\1/p" "$work/save" "$work/version" | sed "s/'[0-9]*$//" | grep -v '^[0(]' |
  awk '!seen[$0]++' >scripts/link-order.txt
echo "link-order: $(wc -l <scripts/link-order.txt) functions"
