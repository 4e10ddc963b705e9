#!/usr/bin/env bash
# Builds one product for release: scripts/build.sh PRODUCT [link options…]
# Leaves .build/release/PRODUCT. Says what to do where the static link fails.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

product=$1
shift
# A short command spends a good part of its time on making generic types ready by their names: called by their accessors
# that needs no search through every conformance in the program.
flags=(-Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors)
# The functions of an everyday save stand side by side, so that it touches fewer pages: scripts/link-order.sh.
flags+=(-Xswiftc -Xfrontend -Xswiftc -function-sections -Xswiftc -use-ld=lld)
flags+=(-Xlinker "--symbol-ordering-file=$PWD/scripts/link-order.txt" -Xlinker --no-warn-symbol-ordering)
if swift build -c release --product "$product" "${flags[@]}" "$@"; then
  echo "built .build/release/$product"
  exit 0
fi
if [[ " $* " == *" -static-executable "* ]]; then
  cat >&2 <<MESSAGE
build: $product was not built. If the messages above come from the linker, this machine lacks a static library
build: (libz.a, libcrypto.a, libsqlite3.a, libstdc++.a or libc.a): run scripts/setup.sh, or link dynamically: make build LINK=
MESSAGE
fi
exit 1
