# SPDX-License-Identifier: MIT
# fish: completion of the command lines of yomi and its tools. The program itself prints the completions of the last
# word, each with a tab and an explanation. fish reads this file once for each program, by the program's name.
function __yomi_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l lines ($words[1] complete -- $words[2..-1] 2>/dev/null)
    if test "$lines[1]" = :files
        set -l flag (string match -r '^--[^=]*=' -- $words[-1])
        printf "$flag%s\n" (__fish_complete_path (string replace -r '^--[^=]*=' '' -- $words[-1]))
    else
        printf '%s\n' $lines
    end
end
complete -c (string replace -r '.*/(.*)\.fish$' '$1' -- (status filename)) -f -a '(__yomi_complete)'
