# SPDX-License-Identifier: MIT
# Completion of yomi's command line for fish. The program itself says what a word may become, with a tab
# and an explanation behind it.
function __yomi_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l said ($words[1] complete -- $words[2..-1] 2>/dev/null)
    if test "$said[1]" = :files
        set -l flag (string match -r '^--[^=]*=' -- $words[-1])
        printf "$flag%s\n" (__fish_complete_path (string replace -r '^--[^=]*=' '' -- $words[-1]))
    else
        printf '%s\n' $said
    end
end
complete -c yomi -f -a '(__yomi_complete)'
