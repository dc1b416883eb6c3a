# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# Completion of yomi's command line for bash. The program itself says what a word may become, with a tab
# and an explanation behind it.
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
complete -F _yomi yomi
