#!/bin/sh
# SPDX-License-Identifier: MIT
# Usage: fake.sh BEHAVIOUR [N]
# An engine for the tests of the match tool: $YOMI's random player, with $YOMI_OPTIONS, which behaves as
# told, from its first command or at its N-th genmove (7).
behaviour=$1 at=${2:-7} genmoves=0 last=
exec 3>&1

misbehave() {
	case $behaviour in
	die) exit ;; # the player reads the end of its input, and leaves
	stopped)
		touch "$D/stopped"
		exit
		;;
	hang) exec sleep 1000 ;;
	slow) sleep 4.5 ;;
	noise) echo "thinking about $line" >&3 ;;
	bytes) printf '= \201]\n\n' >&3 ;;
	garbage) line="echo somewhere" ;;
	illegal) line="echo $last" ;; # a square that is taken
	refuse) line=unknown ;;
	resign) line="echo resign" ;;
	esac
}

# What a plain engine has: neither list_commands nor anything that is not in the draft of GTP.
plain_knows() {
	case $1 in
	time_settings | time_left) echo true ;;
	*) echo false ;;
	esac
}

listen() {
	while read -r line; do
		case $behaviour:$line in
		no_passes:play*pass) line=unknown ;;
		refuse_play:play*) line=unknown ;;
		refuse_size:boardsize*) line=unknown ;;
		plain:list_commands) line=unknown ;;
		plain:known_command*) line="echo $(plain_knows "${line##* }")" ;;
		lazy:genmove*) sleep 0.02 ;;
		unexplained:*explain_last_move) exit ;;
		*:genmove*)
			genmoves=$((genmoves + 1))
			if [ $genmoves -eq "$at" ]; then misbehave; fi
			;;
		*:play*) last=${line##* } ;;
		esac
		echo "$line"
	done
}

# shellcheck disable=SC2086 # one word for each option
listen | "$YOMI" --search=random --threads=1 $YOMI_OPTIONS
