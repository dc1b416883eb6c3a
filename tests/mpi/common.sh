# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034 # those that include it use the variables
# What the tests in this folder share. $1 is the folder of the programs.
set -u
build=$1 KILLS=${KILLS:-10}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# check WHAT COMMAND...
check() {
	what=$1
	shift
	if "$@"; then echo "ok ${0##*/test_}: $what"; else echo "failed ${0##*/test_}: $what"; fi
}

# ranks_with PROGRAM WORD: prints the processes that are ranks of the job with this word in its command.
ranks_with() {
	for pid in $(pgrep -x "$1"); do
		tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | grep -q -e "$2" && echo "$pid"
	done
}

# When a rank was killed, mpirun of Open MPI 4 sometimes waits for ever for a lock of its own (openpmix/openpmix issue 1233). So it is
# killed when no rank has run for 20 s.
mpirun() {
	command mpirun "$@" &
	mpirun=$!
	idle=0
	while kill -0 $mpirun 2>/dev/null; do
		sleep 1
		idle=$((idle + 1))
		if pgrep -r D,R,S -P $mpirun; then idle=0; fi
		[ $idle -lt 20 ] || kill -9 $mpirun
	done >/dev/null &
	wait $mpirun
}
