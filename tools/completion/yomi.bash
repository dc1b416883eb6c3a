# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# bash: completion of the command lines of yomi and its tools. The program itself prints the completions of the last
# word, each with a tab and an explanation.
_yomi()
{
	local word words
	COMPREPLY=()
	mapfile -t words < <("${1/#\~/$HOME}" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
	if [[ ${words[0]} == :files ]]; then
		word=${COMP_WORDS[COMP_CWORD]}
		[[ $word == = ]] && word=
		compopt -o filenames
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
		return
	fi
	for word in "${words[@]}"; do
		COMPREPLY+=("${word%%$'\t'*}")
	done
	if [[ ${COMPREPLY[0]} == *= ]]; then
		compopt -o nospace
	fi
}
complete -F _yomi yomi yomi-match yomi-report yomi-train yomi-book yomi-openings yomi-solve
