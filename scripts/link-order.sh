#!/usr/bin/env bash
# Writes scripts/link-order.txt: the functions of an everyday save, then those that cat, log and status call besides, in the
# order in which they are called first. The linker puts them side by side, so that these commands touch fewer pages of the
# program (scripts/build.sh).
# Those that come alone or in small company stand first: whoever names a function of a large section moves all of it.
# To be run now and then; a function that isn't there any more is passed over. Needs valgrind and objcopy.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
scripts/build.sh dver -Xswiftc -static-executable -Xlinker "-Map=$work/map"
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
order cat cat letter.txt
order log log letter.txt
order status status
cd - >/dev/null
sed -nE "s/^c?fn=\([0-9]+\) ([^ ]+).*/\1/p" "$work/save" "$work/version" "$work/cat" "$work/log" "$work/status" | sed "s/'[0-9]*$//" | grep -v '^[0(]' |
  awk '!seen[$0]++' >"$work/called"
# In the linker's map a line of an input section is followed by those of its symbols: address, load address, size, alignment.
awk -v largest=8192 '
  function hexadecimal(text, i, value) {
    value = 0
    for (i = 1; i <= length(text); i++) value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
    return value
  }
  NR == FNR {
    if ($5 ~ /:\(/) section = hexadecimal($3); else if (!($5 in size)) size[$5] = section
    next
  }
  size[$1] <= largest { print; next }
  { later[++count] = $0 }
  END { for (i = 1; i <= count; i++) print later[i] }
' "$work/map" "$work/called" >scripts/link-order.txt
echo "link-order: $(wc -l <scripts/link-order.txt) functions"
