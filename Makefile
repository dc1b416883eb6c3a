# SPDX-License-Identifier: MIT
# `make help` lists what can be made. Set-up and building talk on stderr only, so that the output of
# `make -s run` is the program's alone.

FUZZ_SECONDS ?= 600
PREFIX  ?= /usr/local
BUILD   ?= build/release
# What a build variant adds to the flags: sanitizers, small limits.
VARIANT ?=

WARN       = -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Werror
CFLAGS     = -O3 -g
ALL_CFLAGS = -std=c17 -D_GNU_SOURCE -I. $(WARN) $(CFLAGS) -fno-math-errno \
             -pthread $(VARIANT)

# Asked only when a recipe runs: by then tools/setup has installed what they ask for.
EVENT_CFLAGS = $(shell pkg-config --cflags libevent_core)
EVENT_LIBS   = $(shell pkg-config --libs libevent_core)
CHECK_CFLAGS = $(shell pkg-config --cflags check)
CHECK_LIBS   = $(shell pkg-config --libs check)

# Recipes print a short line; V=1 prints the commands.
SAY = $(if $(V),,@echo "  $(if $(filter %.o,$@),cc,ld) $@"; )

# Runs every test program, even after a failure; RUN is what runs a program that was cross-built.
run_all = failed=0; for t in $(1); do \
	YOMI=$(BUILD)/yomi YOMI_BUILD=$(BUILD) $(RUN) $$t || failed=1; done; exit $$failed
ARM64   = build/aarch64/root

SOURCES = $(wildcard */*.c */*/*.c)
HEADERS = $(wildcard */*.h */*/*.h)

objects  = $(patsubst %.c,$(BUILD)/%.o,$(wildcard $(1)))
CORE     = $(call objects,engine/*.c games/*.c)
PROTOCOL = $(filter-out $(BUILD)/protocol/main.o,$(call objects,protocol/*.c))
CORE_TESTS     = $(patsubst %.c,$(BUILD)/%,$(wildcard tests/engine/test_*.c tests/games/test_*.c))
PROTOCOL_TESTS = $(patsubst %.c,$(BUILD)/%,$(wildcard tests/protocol/test_*.c tests/tools/test_*.c))
TOOLS_LIB      = $(call objects,tools/lib/*.c)
TOOLS          = $(patsubst %.c,$(BUILD)/%,$(wildcard tools/*.c))

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all run check check-aarch64 test test-core tools layers bench latency asan tsan tiny fuzz lint install clean help \
        setup setup-check FORCE

all: setup
	@$(MAKE) --no-print-directory yomi tools >&2

## run: set up, build and start yomi on this terminal (what it reads and writes is GTP)
run: setup
	@$(MAKE) --no-print-directory yomi >&2
	@./yomi

## check: set up, build and run all tests
check: setup-check
	@$(MAKE) --no-print-directory layers test

## bench: print speeds (playouts, simulations, nodes and perft leaves a second) on this machine
bench: setup
	@$(MAKE) --no-print-directory yomi >&2
	@./yomi bench

## latency: measure how late moves come when all processors are busy (a minute)
latency: setup
	@$(MAKE) --no-print-directory yomi tools >&2
	@$(BUILD)/tools/latency

## asan, tsan: the tests under AddressSanitizer and UBSan, under ThreadSanitizer
asan: setup-check
	@ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=halt_on_error=1 \
	$(MAKE) --no-print-directory test BUILD=build/asan CFLAGS='-O1 -g' \
		VARIANT='-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer'

tsan: setup-check
	@TSAN_OPTIONS=halt_on_error=1 CK_FORK=no \
	$(MAKE) --no-print-directory test BUILD=build/tsan CFLAGS='-O1 -g' VARIANT='-fsanitize=thread'

## tiny: the tests with a "MiB" of 4 KiB, so that every tree and table overflows
tiny: setup-check
	@$(MAKE) --no-print-directory test BUILD=build/tiny VARIANT='-DMEMORY_UNIT=4096u'

## check-aarch64: cross-build the tests of engine/ and games/ and run them under qemu
check-aarch64:
	@tools/setup gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
	@tools/fetch-check-arm64 $(ARM64)
	@$(MAKE) --no-print-directory test-core BUILD=build/aarch64 CC=aarch64-linux-gnu-gcc \
		CHECK_CFLAGS=-I$(ARM64)/usr/include RUN='qemu-aarch64 -L /usr/aarch64-linux-gnu' \
		CHECK_LIBS='-L$(ARM64)/usr/lib/aarch64-linux-gnu -lcheck -lsubunit -lrt'

## fuzz: feed arbitrary bytes to what reads lines, moves, positions and SGF (FUZZ_SECONDS=600)
fuzz:
	@tools/setup clang libclang-rt-dev
	@mkdir -p build/fuzz/corpus
	@sed -n 's/^> //p' tests/protocol/transcripts/*.gtp | split -l 12 - build/fuzz/corpus/session-
	clang -std=c17 -D_GNU_SOURCE -I. -g -O1 -pthread -fsanitize=fuzzer,address,undefined \
		-fno-sanitize-recover=undefined -o build/fuzz/fuzz_gtp tests/protocol/fuzz_gtp.c \
		protocol/gtp.c protocol/sgf.c engine/*.c games/*.c -lm
	build/fuzz/fuzz_gtp -max_total_time=$(FUZZ_SECONDS) -max_len=1500 build/fuzz/corpus

## lint: clang-format, clang-tidy, cppcheck and shellcheck find nothing
lint: setup-check
	@tools/setup clang-format clang-tidy cppcheck shellcheck
	@clang-format --dry-run -Werror $(SOURCES) $(HEADERS)
	@cppcheck --quiet --error-exitcode=1 --enable=warning,performance,portability --inline-suppr \
		-I. -D_GNU_SOURCE engine games protocol tools
	@clang-tidy --quiet $(SOURCES) -- -std=c17 -D_GNU_SOURCE -I. $(EVENT_CFLAGS) $(CHECK_CFLAGS)
	@shellcheck $(shell grep -lE '^#!/bin/sh' .ci/* tools/* tests/*/* 2>/dev/null)

## install: put the program under PREFIX (/usr/local)
install: all
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 yomi $(DESTDIR)$(PREFIX)/bin/yomi

## clean: remove everything that was built
clean:
	rm -rf build yomi

help:
	@sed -n 's/^## /  make /p' Makefile

setup:
	@tools/setup pkg-config libevent-dev

setup-check:
	@tools/setup pkg-config libevent-dev check

# --- what the targets above build; needs the packages ---

yomi: $(BUILD)/yomi
	@cp $< $@

tools: $(TOOLS)

test: $(BUILD)/yomi $(TOOLS) $(CORE_TESTS) $(PROTOCOL_TESTS)
	@$(call run_all,$(CORE_TESTS) $(PROTOCOL_TESTS))

test-core: $(CORE_TESTS)
	@$(call run_all,$(CORE_TESTS))

# The order of the folders: each includes only what stands above it; libevent is protocol/'s alone.
layers:
	@! grep -nE '#include "(games|protocol|tests|tools)/' engine/*.[ch]
	@! grep -nE '#include "(protocol|tests|tools)/' games/*.[ch]
	@! grep -nE '#include "engine/' games/*.[ch] | grep -vE '"engine/(game|rng|control)\.h"'
	@! grep -nE '#include "(tests|tools)/' protocol/*.[ch]
	@! grep -nE '#include <event' engine/*.[ch] games/*.[ch]

$(BUILD)/yomi: $(BUILD)/protocol/main.o $(PROTOCOL) $(CORE)
	$(SAY)$(CC) $(ALL_CFLAGS) -o $@ $^ $(EVENT_LIBS) -lm

$(CORE_TESTS): $(BUILD)/%: $(BUILD)/%.o $(CORE)
	$(SAY)$(CC) $(ALL_CFLAGS) -o $@ $^ $(CHECK_LIBS) -lm

$(PROTOCOL_TESTS): $(BUILD)/%: $(BUILD)/%.o $(TOOLS_LIB) $(PROTOCOL) $(CORE)
	$(SAY)$(CC) $(ALL_CFLAGS) -o $@ $^ $(CHECK_LIBS) $(EVENT_LIBS) -lm

$(TOOLS): $(BUILD)/%: $(BUILD)/%.o $(TOOLS_LIB) $(PROTOCOL) $(CORE)
	$(SAY)$(CC) $(ALL_CFLAGS) -o $@ $^ $(EVENT_LIBS) -lm

$(BUILD)/protocol/%.o $(BUILD)/tools/%.o: EXTRA = $(EVENT_CFLAGS)
$(BUILD)/tests/%.o: EXTRA = $(CHECK_CFLAGS) $(EVENT_CFLAGS)

# The commit is compiled into one file, which is compiled again when it changes.
$(BUILD)/protocol/version.o: EXTRA += -DYOMI_COMMIT='"$(shell cat $(BUILD)/commit)"'
$(BUILD)/protocol/version.o: $(BUILD)/commit
$(BUILD)/commit: FORCE
	@mkdir -p $(@D); c=$$(git describe --always --dirty 2>/dev/null || echo unknown); \
	[ "$$c" = "$$(cat $@ 2>/dev/null)" ] || echo "$$c" >$@

$(BUILD)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(SAY)$(CC) $(ALL_CFLAGS) $(EXTRA) -MMD -MP -c -o $@ $<

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
