# SPDX-License-Identifier: MIT
# `make help` lists what can be made. Set-up and building talk on stderr only, so that the output of
# `make -s run` is the program's alone.

# Uses all processors, unless -j was given.
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)
endif

FUZZ_SECONDS ?= 1800
SOAK_GAMES   ?= 2000
AUDIT_POSITIONS ?= 20000
# Root installs for all users, others for themselves.
PREFIX  ?= $(if $(filter 0,$(shell id -u)),/usr/local,$(HOME)/.local)
# Where the shells look by themselves: zsh in no home, fish below /usr/local only if XDG_DATA_DIRS says so.
ZSH_COMPLETIONS  ?= $(PREFIX)/share/zsh/site-functions
FISH_COMPLETIONS ?= $(if $(filter /usr/local,$(PREFIX)),/etc/fish/completions,$(PREFIX)/share/fish/vendor_completions.d)
STRIP   ?= strip
PKG_CONFIG ?= pkg-config
OBJCOPY ?= objcopy
# The version of the newest entry. Nothing else names it.
VERSION := $(shell sed -n '1s/.*(\(.*\)).*/\1/p' tools/debian/changelog)
BUILD   ?= build/release
# Set by `make mpi`: the tools are for many machines.
MPI     ?=
# What a build variant adds to the flags: sanitizers, small limits.
VARIANT ?=

# Checks turn warnings into errors; a user's newer compiler must not stop the build.
WERROR    ?=
WARN       = -Wall -Wextra -Wno-missing-field-initializers -Wno-unused-parameter -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes $(WERROR)
# Line numbers suffice for profiles and traces; all of -g takes a fifth of the time to compile.
CFLAGS     = -O3 -g1
# Position-independent code can go into the libraries of the tests.
SHARING    = -fPIC -fno-semantic-interposition -pthread
# Without fused multiplications searches find the same on every processor.
ALL_CFLAGS = -std=c17 -D_GNU_SOURCE -I. -I$(BUILD) $(WARN) $(CFLAGS) -fno-math-errno -ffp-contract=off $(SHARING) $(VARIANT)
LDFLAGS   ?=

# Asked only when a recipe runs: by then tools/setup has installed what they ask for.
EVENT_CFLAGS = $(shell $(PKG_CONFIG) --cflags libevent_core libevent_extra jansson)
SYSTEM_LIBS ?=
LIBS         = $(shell $(PKG_CONFIG) --libs libevent_core libevent_extra $(if $(filter windows,$(SYSTEM)),,libedit) jansson zlib) $(CORE_LIBS)
TOOL_LIBS    = $(NEEDED) $(shell $(PKG_CONFIG) --libs sqlite3) $(LIBS)
CORE_LIBS    = $(shell $(PKG_CONFIG) --libs libzstd) $(SYSTEM_LIBS)
MPI_CFLAGS   = $(patsubst -I%,-isystem%,$(shell mpicc --showme:compile 2>/dev/null))
CHECK_CFLAGS = $(shell $(PKG_CONFIG) --cflags check)
CHECK_LIBS   = $(shell $(PKG_CONFIG) --libs check)

# Recipes print a short line; V=1 prints the commands.
SAY = $(if $(V),,@echo "  $(if $(filter %.o,$@),cc,$(if $(filter %.1,$@),man,ld)) $@" >&2; )

# Line numbers are all that reports of sanitizers need; with all of -g the programs take 5 GB.
ASAN_BUILD = BUILD=build/asan WERROR=-Werror CFLAGS='-O1 -g1' \
             VARIANT='-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer'
ASAN_ENV   = ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=halt_on_error=1

# Keeps the config file and the own book of whoever develops yomi out of what is measured and tested.
NO_CONFIG = XDG_CONFIG_HOME=/nonexistent XDG_DATA_HOME=/nonexistent

# Runs every test program. RUN is what runs a program that was cross-built.
run_all = CK_DEFAULT_TIMEOUT=300 $(NO_CONFIG) YOMI=$(BUILD)/yomi YOMI_BUILD=$(BUILD) RUN='$(RUN)' tests/run $(1)
ARM64   = build/aarch64/root

# `yomi match` starts yomi-match. The other programs of tools/ are for developers.
INSTALLED        = match report train book openings solve
PROGRAMS         = yomi $(INSTALLED:%=yomi-%)
MAN              = $(PREFIX)/share/man/man1
MPI_FOLDER       = $(PREFIX)/lib/yomi-mpi
BASH_COMPLETIONS = $(PREFIX)/share/bash-completion/completions
# Folders that `uninstall` removes if they are empty: in /usr and /usr/local those of a single program, else all.
FOLDERS         = $(MPI_FOLDER) $(addprefix $(PREFIX)/share/,man/man1 bash-completion/completions bash-completion) \
                  $(FISH_COMPLETIONS) $(patsubst %/,%,$(dir $(FISH_COMPLETIONS))) \
                  $(if $(filter /usr /usr/local,$(PREFIX)),,$(addprefix $(PREFIX)/,share/zsh/site-functions share/zsh share/man share bin))

# A file whose name ends with a system's, like disk_windows.c, is for that system alone. Linux is one of the POSIX systems, and so is
# WebAssembly with Emscripten's library.
ifeq ($(shell uname -s),Darwin)
SYSTEM  ?= posix darwin
NEEDED   = -Wl,-dead_strip_dylibs
LIBRARY  = -dynamiclib
THIN     =
else
SYSTEM  ?= posix linux
# Links only libraries that a program uses; calls within a library go to itself; an archive names its files.
NEEDED   = -Wl,--as-needed
LIBRARY  = -shared -Wl,-Bsymbolic
THIN     = T
endif
SYSTEMS  = posix linux darwin windows wasm
# The end of a program's name.
EXE      = $(if $(filter windows,$(SYSTEM)),.exe)
OTHERS   = $(addprefix %_,$(addsuffix .c,$(filter-out $(SYSTEM),$(SYSTEMS))))
# The files of folders and of those in them.
files   = $(sort $(shell find $(1) -name '$(2)'))
SOURCES = $(filter-out $(OTHERS),$(call files,engine games protocol tools tests,*.c))

# The folders that stand in others and have C files.
folders  = $(sort $(patsubst %/,%,$(dir $(wildcard $(1:%=%/*/*.c)))))
objects  = $(patsubst %.c,$(BUILD)/%.o,$(filter-out $(OTHERS),$(call files,$(1),*.c)))
CORE     = $(call objects,engine games)
MAIN     = $(BUILD)/protocol/program/main.o
PROTOCOL = $(filter-out $(MAIN),$(call objects,protocol))
CORE_TESTS     = $(patsubst %.c,$(BUILD)/%$(EXE),$(call tests_here,$(call files,tests/engine tests/games,test_*.c)))
# Those tests that need no processes or signals can be compiled for Windows.
tests_here     = $(if $(filter windows,$(SYSTEM)),$(shell grep -LE '^#include <(signal|sys/)' $(1)),$(1))
# The tests that take longest come first, so that none of them ends alone.
PROTOCOL_TESTS = $(patsubst %.c,$(BUILD)/%,$(call files,tests/tools,test_*.c) $(call files,tests/protocol,test_*.c))
# Each is a program that takes its kept inputs; libFuzzer is another driver.
FUZZ           = $(patsubst %.c,$(BUILD)/%,$(filter-out %/replay.c,$(wildcard tests/fuzz/*.c)))
FUZZ_DRIVER    = $(BUILD)/tests/fuzz/replay.o
TOOLS_LIB      = $(filter-out $(if $(MPI),,%/ranks_mpi.o),$(call objects,$(call folders,tools)))
ARCHIVE        = $(BUILD)/all.a
# Test programs and tools for developers share their code, which has 10 MB of weights. The tests of engine/ and games/ need no
# libraries of the other folders.
CORE_SHARED    = $(if $(filter windows,$(SYSTEM)),$(ARCHIVE),$(BUILD)/libcore.so)
SHARED         = $(BUILD)/liball.so
SHARED_LDFLAGS = -Wl,-rpath,'$(abspath $(BUILD))'
YOMI_TOOLS     = $(INSTALLED:%=$(BUILD)/yomi-%$(EXE))
DEV_TOOLS      = $(filter-out $(INSTALLED:%=$(BUILD)/tools/%) $(BUILD)/tools/single,$(patsubst %.c,$(BUILD)/%,$(wildcard tools/*.c)))
TOOLS          = $(YOMI_TOOLS) $(DEV_TOOLS)

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all run play check check-aarch64 test test-core test-threads test-trees test-long tools layers names results bench latency web-latency startup asan tsan tiny clang programs valgrind long fuzz fuzz-targets soak audit lint \
        install installable uninstall deb check-deb static windows check-windows dist check-dist check-static check-install check-bare check-web check-firefox site check-site clients mpi check-mpi programs-mpi install-mpi deb-mpi check-deb-mpi clean help setup setup-check FORCE

all: yomi tools

## run: set up, build and start yomi at this terminal; type `help` there
run: yomi
	@./yomi

## play: set up, build and start the board for a browser; it prints the address to open
play: yomi
	@./yomi web

## check: set up, build, run all tests, compare the tables of measurements with their data
check: layers names results test

## bench: print speeds (playouts, evaluations, simulations, nodes and perft leaves a second) on this machine
bench: yomi
	@./yomi bench

## latency: measure how late moves come when all processors are busy (a minute)
latency: yomi tools
	@$(NO_CONFIG) $(BUILD)/tools/measure latency

## web-latency: measure how soon the web server answers while eight pages analyse (half a minute, on an idle machine)
web-latency: yomi tools
	@$(NO_CONFIG) $(BUILD)/tools/measure web --seconds=30

## startup: measure what a client waits for: the first answer, a ruler's start, moves told (a few seconds)
startup: yomi tools
	@$(NO_CONFIG) $(BUILD)/tools/measure startup

## asan, tsan: the tests under AddressSanitizer and UBSan; those in which threads meet under ThreadSanitizer; both without those tagged "native", tsan also without "alone" (tests/suite.h)
asan:
	@$(ASAN_ENV) CK_FORK=no CK_EXCLUDE_TAGS=native $(MAKE) --no-print-directory test $(ASAN_BUILD)

tsan:
	@TSAN_OPTIONS=halt_on_error=1 CK_FORK=no CK_EXCLUDE_TAGS='native alone' \
	$(MAKE) --no-print-directory test-threads BUILD=build/tsan WERROR=-Werror CFLAGS='-O1 -g1' VARIANT='-fsanitize=thread'

## tiny: the tests with a "MiB" of 4 KiB, so that every tree and table overflows, but for those tagged "native"; built with clang where there is one
tiny:
	@CK_FORK=no CK_EXCLUDE_TAGS=native $(MAKE) --no-print-directory test-trees BUILD=build/tiny WERROR=-Werror CC=$(or $(shell command -v clang),$(CC)) VARIANT='-DMEMORY_UNIT=4096u'

## valgrind: the tests of engine/ and games/ under valgrind's memcheck, but for those tagged "native" (tests/suite.h)
valgrind: setup-check
	@tools/setup valgrind libc6-dbg
	@YOMI_SLOW=1 CK_FORK=no CK_EXCLUDE_TAGS=native $(MAKE) --no-print-directory test-core \
		RUN='valgrind -q --error-exitcode=1 --leak-check=full'

## long: all legal positions of Go on 4x4, slow captures, ten times as many comparisons of its solver, and all failing allocations (minutes)
long:
	@$(MAKE) --no-print-directory test-long

## clang: build everything with clang, and run the tests of engine/ and games/
clang: setup-check
	@tools/setup clang
	@$(MAKE) --no-print-directory programs test-core BUILD=build/clang WERROR=-Werror CC=clang

## mpi: build the tools that run on many machines, in build/mpi; `mpirun yomi match ...` then starts them
MPI_TOOLS  = match train solve
MPI_BUILD ?= build/mpi
mpi: setup
	@tools/setup libopenmpi-dev openmpi-bin
	@$(MAKE) --no-print-directory programs-mpi

programs-mpi:
	@$(MAKE) --no-print-directory $(MPI_TOOLS:%=$(MPI_BUILD)/yomi-%) BUILD=$(MPI_BUILD) CC=mpicc MPI=1 VARIANT=-DYOMI_MPI

## check-mpi: run them with several ranks on this machine (minutes)
check-mpi: mpi yomi tools $(BUILD)/tests/mpi/sleeper
	@tests/mpi/run $(BUILD)

## check-aarch64: cross-build the tests of engine/ and games/ and run them under qemu
check-aarch64:
	@tools/setup gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
	@tools/fetch-check-arm64 $(ARM64)
	@$(MAKE) --no-print-directory test-core BUILD=build/aarch64 CC=aarch64-linux-gnu-gcc \
		CHECK_CFLAGS=-I$(ARM64)/usr/include RUN='qemu-aarch64 -L /usr/aarch64-linux-gnu' \
		CHECK_LIBS='-lcheck -lsubunit -lrt' CORE_LIBS='-L$(ARM64)/usr/lib/aarch64-linux-gnu -lzstd' VARIANT=-I$(ARM64)/usr/include

## fuzz: feed arbitrary bytes to what reads lines, requests, games, positions and options (FUZZ_SECONDS=1800 each)
fuzz: setup-check
	@tools/setup clang libclang-rt-dev
	@$(MAKE) --no-print-directory fuzz-targets build/fuzz/yomi BUILD=build/fuzz WERROR=-Werror CC=clang CFLAGS='-O1 -g' FUZZ_DRIVER= \
		FUZZ_LDFLAGS=-fsanitize=fuzzer VARIANT='-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -Wno-ignored-attributes'
	@tests/fuzz/run build/fuzz $(FUZZ_SECONDS)

## soak: SOAK_GAMES=2000 fast games over pipes and sockets at once, all of them disturbed; 200 that look for leaks
soak: yomi tools
	@$(MAKE) --no-print-directory build/asan/yomi $(ASAN_BUILD)
	@$(NO_CONFIG) $(BUILD)/tools/soak --games=$(SOAK_GAMES)
	@$(NO_CONFIG) $(ASAN_ENV) $(BUILD)/tools/soak --games=200 --late=1000 --growth=0 build/asan/yomi

# Minimax or a solver finds the truth in these games.
## audit: compare what all searches claim at AUDIT_POSITIONS=20000 positions of four games with the truth (ten minutes)
audit: yomi tools
	@printf '%s\n' tictactoe connectfour othello pentago | xargs -P "$$(nproc)" -I GAME \
		$(BUILD)/tools/audit --positions=$(AUDIT_POSITIONS) --game=GAME

## lint: clang-format, clang-tidy, cppcheck and shellcheck find nothing; files of Windows and of the site if their compilers are installed
lint: setup-check $(BUILD)/games/common/rows.h
	@tools/setup clang-format clang-tidy cppcheck shellcheck mandoc
	@clang-format --dry-run -Werror $(call files,engine games protocol site tools tests,*.[ch])
	@cppcheck --quiet --error-exitcode=1 --enable=warning,performance,portability --inline-suppr --suppress=unknownMacro \
		-I. -I$(BUILD) -D_GNU_SOURCE engine games protocol site tools
	@$(call tidy,$(if $(MPI_CFLAGS),$(SOURCES),$(filter-out %/ranks_mpi.c,$(SOURCES))),$(EVENT_CFLAGS) $(CHECK_CFLAGS) $(MPI_CFLAGS))
	@! command -v $(WINDOWS_CC) >/dev/null || $(call tidy,$(LINT_WINDOWS),--target=$(WINDOWS_TOOLS) $(WINDOWS_FLAGS) -idirafter /usr/include)
	@! command -v emcc >/dev/null || $(call tidy,$(LINT_WASM),--target=wasm32-unknown-emscripten -msimd128 \
		-isystem $(EMSCRIPTEN)/include -idirafter /usr/include)
	@shellcheck -x $(shell grep -lE --exclude='*.md' '^#!/bin/sh' .ci/* tools/* tools/*/* tests/* tests/*/* tests/*/*/* 2>/dev/null) \
		tools/completion/yomi.bash
	@$(MAKE) --no-print-directory installable
	@mandoc -T lint -W warning $(PROGRAMS:%=$(BUILD)/%.1)

tidy         = printf '%s\n' $(1) | xargs -P "$$(nproc)" -I {} clang-tidy --quiet {} -- -std=c17 -D_GNU_SOURCE -I. -I$(BUILD) $(2)
# libevent's headers are those of one system.
LINT_WINDOWS = $(filter-out $(if $(wildcard $(WINDOWS)/root/include/event2),,protocol/carriers/%),$(call files,engine protocol tools,*_windows.c))
LINT_WASM    = $(call files,engine protocol tools,*_wasm.c) site/site.c engine/evaluation/board_layers.c
EMSCRIPTEN   = /usr/share/emscripten/cache/sysroot

# A blank would make other files of what they name.
no_blanks = $(if $(or $(word 2,$(PREFIX)),$(word 2,$(DESTDIR))),$(error PREFIX and DESTDIR must not contain blanks))

## install, uninstall: put programs, man pages and completions under PREFIX (root: /usr/local, others: ~/.local); take them away
install: installable
	$(no_blanks)
	install -d $(addprefix $(DESTDIR),$(PREFIX)/bin $(MAN) $(BASH_COMPLETIONS) $(ZSH_COMPLETIONS) $(FISH_COMPLETIONS))
	install -m 755 $(BUILD)/single $(DESTDIR)$(PREFIX)/bin/yomi
	$(STRIP) $(DESTDIR)$(PREFIX)/bin/yomi
	install -m 644 $(PROGRAMS:%=$(BUILD)/%.1) $(DESTDIR)$(MAN)
	install -m 644 tools/completion/yomi.bash $(DESTDIR)$(BASH_COMPLETIONS)/yomi
	install -m 644 tools/completion/_yomi $(DESTDIR)$(ZSH_COMPLETIONS)/_yomi
	install -m 644 tools/completion/yomi.fish $(DESTDIR)$(FISH_COMPLETIONS)/yomi.fish
	@for tool in $(INSTALLED); do \
		ln -sf yomi $(DESTDIR)$(PREFIX)/bin/yomi-$$tool && \
		ln -sf yomi $(DESTDIR)$(BASH_COMPLETIONS)/yomi-$$tool && \
		ln -sf yomi.fish $(DESTDIR)$(FISH_COMPLETIONS)/yomi-$$tool.fish || exit 1; \
	done
	$(if $(filter /usr /usr/local,$(PREFIX)),,@echo 'zsh finds the completion if this stands in ~/.zshrc before compinit: fpath+=$(ZSH_COMPLETIONS)')
	$(if $(DESTDIR),,@rm -f $(PREFIX_FILE) && echo '$(PREFIX)' >$(PREFIX_FILE); \
	case :$$PATH: in (*:$(PREFIX)/bin:*) ;; (*) echo 'The shell finds yomi if this stands in ~/.profile: PATH=$(PREFIX)/bin:$$PATH' ;; esac)

## install-mpi: put the tools for many machines there, too
install-mpi: mpi
	$(no_blanks)install -d $(DESTDIR)$(MPI_FOLDER)
	install -m 755 $(MPI_TOOLS:%=$(MPI_BUILD)/yomi-%) $(DESTDIR)$(MPI_FOLDER)
	$(STRIP) $(MPI_TOOLS:%=$(DESTDIR)$(MPI_FOLDER)/yomi-%)

# Of the last `make install`, unless PREFIX is given.
PREFIX_FILE = build/prefix
uninstall: PREFIX := $(or $(shell cat $(PREFIX_FILE) 2>/dev/null),$(PREFIX))
uninstall:
	$(no_blanks)rm -f $(PREFIX_FILE)
	rm -f $(addprefix $(DESTDIR),$(PROGRAMS:%=$(PREFIX)/bin/%) $(PROGRAMS:%=$(MAN)/%.1) \
		$(PROGRAMS:%=$(BASH_COMPLETIONS)/%) $(ZSH_COMPLETIONS)/_yomi $(PROGRAMS:%=$(FISH_COMPLETIONS)/%.fish) \
		$(MPI_TOOLS:%=$(MPI_FOLDER)/yomi-%))
	@for folder in $(addprefix $(DESTDIR),$(FOLDERS)); do \
		rmdir "$$folder" 2>/dev/null || true; \
	done

## deb, deb-mpi: make the Debian package in build/deb; with another one of the tools for many machines
DEB_TREE  = build/deb/yomi-$(VERSION)
DEB_NEEDS = build-essential debhelper dpkg-dev pkg-config libevent-dev libedit-dev libjansson-dev libsqlite3-dev libzstd-dev zlib1g-dev
DEB_FILES = build/deb/yomi_*.deb build/deb/yomi-mpi_*.deb
deb: DEB_PROFILES = pkg.yomi.nompi
deb deb-mpi:
	@tools/setup $(DEB_NEEDS) $(if $(DEB_PROFILES),,libopenmpi-dev)
	@rm -rf build/deb && mkdir -p $(DEB_TREE)
	@git ls-files -z >build/deb/files 2>/dev/null || find . -path ./build -prune -o -type f -print0 >build/deb/files
	@tar -c -f build/deb/tree.tar --exclude=tools/results --null -T build/deb/files
	@tar -x -f build/deb/tree.tar -C $(DEB_TREE)
	@cp -R tools/debian $(DEB_TREE)/debian
	@cd $(DEB_TREE) && env -u MAKEFLAGS -u MAKELEVEL dpkg-buildpackage --build=binary --no-sign \
		--build-profiles='$(DEB_PROFILES)' >&2
	@ls $(DEB_FILES) 2>/dev/null || true

## check-deb, check-deb-mpi: make them, and check that lintian finds no errors, that they install, run, and are removed
check-deb: deb
check-deb-mpi: deb-mpi
check-deb check-deb-mpi:
	@tools/setup lintian man-db
	@tools/debian/check $$(ls $(DEB_FILES) 2>/dev/null)

## static: build yomi with all tools as one file for every Linux with this kind of processor, build/static/yomi
STATIC    = build/static
STATIC_CC = musl-gcc
static:
	@tools/setup pkg-config musl-tools autoconf automake libtool tcl xz-utils
	@tools/static-libraries $(STATIC)/root
	@PKG_CONFIG_LIBDIR='$(abspath $(STATIC)/root/lib/pkgconfig)' $(MAKE) --no-print-directory $(STATIC)/objects/single \
		BUILD=$(STATIC)/objects CC='$(STATIC_CC)' PKG_CONFIG='pkg-config --static' LDFLAGS='-static -s' VARIANT='-isystem $(STATIC)/root/include'
	@cp $(STATIC)/root/licenses $(STATIC)
	@cp $(STATIC)/objects/single $(STATIC)/yomi
	@ls -l $(STATIC)/yomi

## windows: cross-build yomi with all tools as one program for 64-bit Windows, build/windows/yomi-VERSION-windows.zip
WINDOWS       = build/windows
WINDOWS_TOOLS = x86_64-w64-mingw32
WINDOWS_CC    = $(WINDOWS_TOOLS)-gcc-posix
WINDOWS_FLAGS = -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64 -D__USE_MINGW_ANSI_STDIO=1 -isystem $(WINDOWS)/root/include
# MinGW's isnan() is a macro that narrows. Searches need more stack than the usual 2 MiB.
WINDOWS_BUILD = PKG_CONFIG_LIBDIR='$(abspath $(WINDOWS)/root/lib/pkgconfig)' $(MAKE) --no-print-directory \
	SYSTEM=windows BUILD=$(WINDOWS)/objects CC='$(WINDOWS_CC)' AR=$(WINDOWS_TOOLS)-ar OBJCOPY=$(WINDOWS_TOOLS)-objcopy \
	PKG_CONFIG='pkg-config --static' LDFLAGS='-static -s -Wl,--stack,16777216,--no-insert-timestamp' SYSTEM_LIBS='-lbcrypt -lws2_32 -liphlpapi -lntdll' \
	MANIFEST=$(WINDOWS)/objects/manifest.o \
	VARIANT='$(WINDOWS_FLAGS) -Wno-float-conversion'
windows:
	@tools/setup pkg-config gcc-mingw-w64-x86-64-posix autoconf automake libtool tcl xz-utils zip
	@tools/windows-libraries $(WINDOWS)/root
	+@$(WINDOWS_BUILD) $(WINDOWS)/objects/single.exe
	@cp $(WINDOWS)/objects/single.exe $(WINDOWS)/yomi.exe
	@for file in tools/windows.txt:README LICENSE:LICENSE $(WINDOWS)/root/licenses:licenses; do \
		sed 's/\r*$$/\r/' "$${file%:*}" >$(WINDOWS)/"$${file#*:}.txt"; \
	done
	@tools/pack zip $(WINDOWS)/yomi-$(VERSION)-windows $(addprefix $(WINDOWS)/,yomi.exe README.txt LICENSE.txt licenses.txt)

$(WINDOWS)/objects/manifest.o: tools/windows.rc
	$(SAY)$(WINDOWS_TOOLS)-windres $< $@

## dist: make all files of a release, with their SHA-256 sums, in build/dist: sources, deb, static, windows and site
DIST = deb static windows site
dist: $(DIST)
	@tools/dist build/dist $(VERSION) $(DIST)

## check-dist: build them in two other folders and compare the bytes; DIST='deb site' takes only these (20 minutes each)
check-dist:
	@DIST='$(DIST)' tests/dist/run

## check-windows: build it and run it under wine: signatures, all searches of all games, transcripts, files, modes, the page, a match; the tests of engine/ and games/ (minutes)
check-windows: windows $(BUILD)/tests/protocol/gtp/test_transcripts
	@tools/setup wine64 curl
	@tests/windows/run $(WINDOWS) $(BUILD)
	+@WINEPREFIX=$(abspath $(WINDOWS))/wine CK_EXCLUDE_TAGS=posix $(WINDOWS_BUILD) test-core RUN=tests/windows/wine

## check-static: build it and run it in an empty root: signatures, all searches of all games, a terminal, a page, a match (half a minute)
check-static: static
	@tests/static/run $(STATIC)

## site: build a folder for any web server: the page of `yomi web` with the engine in the browser, build/site
SITE      = build/site
WASM      = build/wasm
WASM_ROOT = $(WASM)/root
site:
	@tools/setup emscripten autoconf automake libtool
	@tools/site-libraries $(WASM_ROOT)
	@$(MAKE) --no-print-directory $(WASM)/yomi.js BUILD=$(WASM) SYSTEM='posix wasm' CC=emcc PKG_CONFIG=: SHARING= CFLAGS=-O3 \
		WARN='-Wall -Wextra -Wno-missing-field-initializers -Wno-unused-parameter -Wstrict-prototypes -Wmissing-prototypes $(WERROR)' \
		VARIANT='-msimd128 -isystem $(WASM_ROOT)/include'
	@site/assemble $(WASM) $(SITE)

## check-site: build it; compare signatures under node; play all games in a real Chromium, headless, also without a server (minutes)
check-site: site yomi
	@tests/site/run $(BUILD) $(WASM) $(SITE)

## check-install: install into scratch folders, complete words in the shells that are there, uninstall
check-install: installable
	@tests/install/run

## clients: play whole games with the real clients there are: Quarry, GRhino, Sabaki's library (a minute)
clients: yomi tools
	@tests/clients/run $(BUILD)

## check-web: play on the page of `yomi web` and read that of `yomi report` in a real Chromium, headless (minutes)
check-web: yomi $(YOMI_TOOLS)
	@tests/web/run $(BUILD)

## check-firefox: play on the page of `yomi web` in a real Firefox, headless (a minute)
check-firefox: yomi
	@tests/web/firefox $(BUILD)

## check-bare: make Debian 12 and 13 with debootstrap, and do there what README says (half an hour; needs root)
check-bare:
	@tests/bare/run

## clean: remove everything that was built
clean:
	rm -rf build yomi

help:
	@sed -n 's/^## /  make /p' Makefile

setup:
	@tools/setup pkg-config libevent-dev $(if $(filter linux,$(SYSTEM)),libedit-dev) libjansson-dev libsqlite3-dev libzstd-dev zlib1g-dev

setup-check: setup
	@tools/setup check

# --- what the targets above build; needs the packages ---

# A link, so that yomi finds its tools beside the file that it names.
yomi: $(BUILD)/yomi$(EXE)
	@ln -sf $< $@

tools: $(TOOLS)

# What `make install` installs: one program, and a manual for each of its names.
installable: $(BUILD)/single $(PROGRAMS:%=$(BUILD)/%.1)

# All that can be compiled.
programs: $(BUILD)/yomi $(TOOLS) $(CORE_TESTS) $(PROTOCOL_TESTS) $(FUZZ)

# ./yomi is the release build's, and never an old one.
test: $(if $(filter build/release,$(BUILD)),yomi) programs
	@$(call run_all,$(PROTOCOL_TESTS) $(CORE_TESTS) $(FUZZ))

test-core: $(CORE_TESTS)
	@$(call run_all,$(CORE_TESTS))

# The tests in which threads meet: the tools that play and learn at once, commands beside a search, servers, and those of engine/
# and games/ whose source has the word `threads`.
THREAD_TESTS = $(addprefix $(BUILD)/tests/,$(addprefix tools/,learn/test_board_learn book/test_builder match/test_match learn/test_quadrant_learn \
               train/test_selfplay solve/test_solve train/test_tune) \
               $(addprefix protocol/gtp/test_,analysis commands time) $(addprefix protocol/carriers/test_,listen process) $(addprefix protocol/session/test_,ponder session) \
               protocol/terminal/test_people protocol/katago/test_katago protocol/web/test_web) \
               $(patsubst %.c,$(BUILD)/%,$(shell grep -lw threads $(patsubst $(BUILD)/%$(EXE),%.c,$(CORE_TESTS))))

# The tests of what has trees and tables: not those of rules, processors and tools alone, nor those of what carries or reads lines.
TREE_TESTS = $(filter-out $(addprefix $(BUILD)/tests/,games/test_property games/go/test_go_capture engine/base/test_kernel engine/search/test_asserted \
               tools/% $(addprefix protocol/,carriers/% terminal/% program/% records/% web/%)),$(PROTOCOL_TESTS) $(CORE_TESTS))

test-trees: $(BUILD)/yomi $(TOOLS) $(TREE_TESTS)
	@$(call run_all,$(TREE_TESTS))

test-threads: $(BUILD)/yomi $(TOOLS) $(THREAD_TESTS)
	@$(call run_all,$(THREAD_TESTS))

LONG_TESTS = $(patsubst %,$(BUILD)/tests/%,games/breakthrough/test_breakthrough $(addprefix games/go/test_,go go_capture go_solver) protocol/program/test_memory)

test-long: $(LONG_TESTS)
	@YOMI_LONG=1 $(call run_all,$(LONG_TESTS))

fuzz-targets: $(FUZZ)

# The order of the folders: each includes only those that stand before it. Libraries stay where they belong:
# libevent and libedit in protocol/, sqlite in tools/match/.
FOLDERS_ORDER = engine/base engine/rules engine/search/common engine/evaluation $(addprefix engine/search/,simple alphabeta proof mcts) engine/search \
                games/common $(filter-out games/common,$(call folders,games)) games \
                $(addprefix protocol/,records session gtp gomocup nboard lessons carriers terminal katago web program) site \
                tools/lib tools/ranks tools/check tools/measuring tools/match tools/report tools/learn tools/train tools/book tools/openings tools/solve tools tests
layers: yomi tools
	@tools/layers $(BUILD) $(FOLDERS_ORDER)
	@! grep -nE '#include <(event|histedit|sqlite)' -r engine games
	@! grep -n '#include <sqlite' -r protocol

# Each function has a name of its own.
names: yomi tools $(BUILD)/tools/single.o
	@tools/names $(MAIN) $(PROTOCOL) $(CORE) $(TOOLS_LIB) $(patsubst %.c,$(BUILD)/%.o,$(wildcard tools/*.c))

# The tables of tools/results/README.md are those of the data.
results: $(BUILD)/yomi-match $(BUILD)/tools/measure
	@BUILD=$(BUILD) tools/experiments check

$(BUILD)/yomi$(EXE): $(MAIN) $(PROTOCOL) $(CORE) $(MANIFEST)
	$(SAY)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) -lm

# What a session needs, without what carries it elsewhere. The stack is that of a search.
SESSION   = $(filter-out $(addprefix $(BUILD)/protocol/,carriers/% gomocup/% katago/% nboard/% program/% terminal/% web/assets.o web/web.o),$(PROTOCOL)) \
            $(addprefix $(BUILD)/protocol/program/,bench.o tables.o)
WASM_LINK = -s MODULARIZE -s EXPORT_NAME=yomi -s ENVIRONMENT=worker,node -s FILESYSTEM=0 -s TOTAL_STACK=16MB -s INITIAL_MEMORY=64MB -s ALLOW_MEMORY_GROWTH -s MAXIMUM_MEMORY=2GB \
            -s EXPORTED_FUNCTIONS=_memalign,_malloc,_free -s EXPORTED_RUNTIME_METHODS=ccall -s ASSERTIONS=0
$(BUILD)/yomi.js: $(BUILD)/site/site.o $(SESSION) $(CORE)
	$(SAY)NODE_PATH=/usr/share/nodejs $(CC) $(ALL_CFLAGS) $(WASM_LINK) -o $@ $^ -L$(WASM_ROOT)/lib -ljansson -lzstd

$(BUILD)/libcore.so: $(CORE)
	$(SAY)$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(LIBRARY) -o $@ $^ $(CORE_LIBS) -lm

$(SHARED): $(TOOLS_LIB) $(PROTOCOL) $(CORE)
	$(SAY)$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(LIBRARY) -o $@ $^ $(TOOL_LIBS) -lm

$(CORE_TESTS): $(BUILD)/%$(EXE): $(BUILD)/%.o $(CORE_SHARED)
	$(SAY)$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(SHARED_LDFLAGS) -o $@ $^ $(CHECK_LIBS) $(CORE_LIBS) -lm

$(PROTOCOL_TESTS): $(BUILD)/%: $(BUILD)/%.o $(SHARED)
	$(SAY)$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(SHARED_LDFLAGS) -o $@ $^ $(CHECK_LIBS) $(TOOL_LIBS) -lm

$(FUZZ): $(BUILD)/%: $(BUILD)/%.o $(FUZZ_DRIVER) $(SHARED)
	$(SAY)$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(SHARED_LDFLAGS) $(FUZZ_LDFLAGS) -o $@ $^ $(TOOL_LIBS) -lm

# Tools take from an archive what they use, and need only those libraries.
$(YOMI_TOOLS): $(BUILD)/yomi-%$(EXE): $(BUILD)/tools/%.o $(ARCHIVE) $(MANIFEST)
	$(SAY)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(TOOL_LIBS) -lm

# tools/single.c calls the main() of all these.
MAINS = $(patsubst %,$(BUILD)/mains/%.o,yomi $(INSTALLED))
$(BUILD)/single$(EXE): $(BUILD)/tools/single.o $(MAINS) $(ARCHIVE) $(MANIFEST)
	$(SAY)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(TOOL_LIBS) -lm

$(BUILD)/mains/yomi.o: $(MAIN)
$(INSTALLED:%=$(BUILD)/mains/%.o): $(BUILD)/mains/%.o: $(BUILD)/tools/%.o
$(MAINS):
	@mkdir -p $(@D)
	$(if $(V),,@)$(OBJCOPY) --redefine-sym main=$(basename $(@F))_main $< $@

$(DEV_TOOLS): $(BUILD)/%: $(BUILD)/%.o $(SHARED)
	$(SAY)$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(SHARED_LDFLAGS) -o $@ $^ $(TOOL_LIBS) -lm

$(BUILD)/tests/mpi/sleeper: $(BUILD)/tests/mpi/sleeper.o
	$(SAY)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^

$(ARCHIVE): $(TOOLS_LIB) $(PROTOCOL) $(CORE)
	$(if $(V),,@)rm -f $@ && $(AR) rcs$(THIN) $@ $^

$(BUILD)/protocol/%.o $(BUILD)/tools/%.o: EXTRA = $(EVENT_CFLAGS)
$(BUILD)/tests/%.o: EXTRA = $(CHECK_CFLAGS) $(EVENT_CFLAGS) $(if $(filter windows,$(SYSTEM)),-include tests/windows/posix.h)

# One file has the version, the commit and its date. It is compiled again when they change. In an archive of the sources tools/commit
# tells them. A user who may not run git, such as root who installs another user's build, keeps the commit of the last build.
$(BUILD)/engine/base/version.o: EXTRA += -DYOMI_VERSION='"$(word 1,$(shell cat $(BUILD)/version))"' \
                                       -DYOMI_COMMIT='"$(word 2,$(shell cat $(BUILD)/version))"' \
                                       -DYOMI_DATE='"$(word 3,$(shell cat $(BUILD)/version))"'
$(BUILD)/engine/base/version.o: $(BUILD)/version
$(BUILD)/version: FORCE
	@mkdir -p $(@D); \
	c=$$(grep -v Format tools/commit) || \
	c=$$(git describe --always --abbrev=12 --dirty 2>/dev/null && git log -1 --format=%cs) || \
	c=$$(cut -s -d ' ' -f 2- $@ 2>/dev/null) && [ "$$c" ] || c=unknown; \
	c="$(VERSION) $$(echo $$c)"; \
	[ "$$c" = "$$(cat $@ 2>/dev/null)" ] || echo "$$c" >$@

# The rows of games/common/list.h: first these games, the default one at the head, then those of other folders that have games of
# their own. A file that names no game is read as the first that fits. Then the files with rules, for games/rbg/rbg_library.c.
RBG_FILES = $(sort $(wildcard games/rbg/*.rbg))
GAMES = othello tictactoe pentago connectfour go breakthrough loa gomoku havannah hex
$(BUILD)/games/common/rows.h: FORCE
	@mkdir -p $(@D); \
	{ \
		printf '#define GAME_LIST(GAME)'; \
		for game in $(GAMES) $(filter-out $(GAMES) common rbg,$(patsubst games/%,%,$(call folders,games))); do \
			printf ' GAME(%s)' $$(cat games/$$game/tables 2>/dev/null || echo $$game); \
		done; \
		echo; \
		printf '#define RBG_FILES(FILE)'; \
		for file in $(RBG_FILES); do \
			printf ' FILE(%s, "%s")' $$(basename $$file .rbg | tr - _) $$file; \
		done; \
		echo; \
	} >$@.$$$$; \
	if cmp -s $@.$$$$ $@; then rm $@.$$$$; else mv $@.$$$$ $@; fi

# Weights, books and the page are bound into the program: games/go/go.net into games/go/go.o.
BOUND = $(filter-out %.c %.h %.md %.rbg,$(wildcard games/*/*.*))
$(foreach file,$(BOUND),$(eval $(BUILD)/$(dir $(file))$(notdir $(patsubst %/,%,$(dir $(file)))).o: $(file)))
$(BUILD)/games/rbg/rbg_library.o: $(RBG_FILES)
$(BUILD)/protocol/web/assets.o: $(wildcard protocol/web/*.*s protocol/web/*.html)
$(BUILD)/protocol/lessons/collection.o: protocol/lessons/puzzles.jsonl
$(BUILD)/tools/report/report.o: $(wildcard tools/report/*.*s)
$(BUILD)/tools/lib/usual.o: $(wildcard tools/data/*.txt)

# The first file that is compiled sets up.
$(patsubst %.c,$(BUILD)/%.o,$(call files,tests,*.c)): | setup-check
$(BUILD)/%.o: %.c Makefile | setup $(BUILD)/games/common/rows.h
	@mkdir -p $(@D)
	$(SAY)$(CC) $(ALL_CFLAGS) $(EXTRA) -MMD -MP -c -o $@ $<

$(PROGRAMS:%=$(BUILD)/names/%): $(BUILD)/single
	@mkdir -p $(@D) && ln -sf ../single $@

$(PROGRAMS:%=$(BUILD)/%.1): $(BUILD)/%.1: $(BUILD)/names/%
	$(SAY)$< manual >$@

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
