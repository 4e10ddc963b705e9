# make build     the release program, static: .build/release/dver
# make demo      a walk-through on real documents in temporary folders
# make test      all tests
# make lint      the formatter's checks, strict
# make format    formats all Swift files in place
# make bench     measures dver beside git; BENCH="--rounds 5" passes options on
# make install   copies dver to $(DESTDIR)$(PREFIX)/bin; PREFIX is /usr/local
# make clean     removes what was built
#
# `make demo` and `make test` install missing system packages first (scripts/setup.sh).
# LINK= links against the shared libraries of this machine in place of a static program.

PREFIX ?= /usr/local
LINK ?= -Xswiftc -static-executable
DVER := .build/release/dver

.DEFAULT_GOAL := help
.PHONY: help setup build demo test lint format bench install clean

help:
	@sed -n 's/^# \{0,1\}//p; /^$$/q' Makefile

setup:
	@scripts/setup.sh

build:
	@scripts/build.sh dver $(LINK)

demo: setup build
	@scripts/demo.sh

test: setup
	swift test

lint:
	swift format lint --strict --recursive Sources Tests Package.swift

format:
	swift format format --in-place --recursive Sources Tests Package.swift

bench: build
	@scripts/build.sh dver-benchmark $(LINK)
	@scripts/bench $(BENCH)

install:
	@[ -x $(DVER) ] || $(MAKE) --no-print-directory build
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 $(DVER) "$(DESTDIR)$(PREFIX)/bin/dver"

clean:
	swift package clean
