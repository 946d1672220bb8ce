# Completion of tilesmith for fish: the commands and options that --help lists, with what it says of them, then files.
function __tilesmith_commands
    tilesmith --help 2>/dev/null | sed -n '/^SUBCOMMANDS:/,/^OPTIONS:/s/^  \([a-z][a-z]*\) *- \(.*\)/\1\t\2/p'
end
function __tilesmith_options
    set -l words (commandline -opc)
    tilesmith $words[2] --help 2>/dev/null | sed -n 's/^ *\(--\{0,1\}[A-Za-z][-A-Za-z]*\)[^ ]* *- \(.*\)/\1\t\2/p'
end
complete -c tilesmith -n '__fish_use_subcommand' -f -a '(__tilesmith_commands)'
complete -c tilesmith -n 'not __fish_use_subcommand; and string match -q -- "-*" (commandline -ct)' -a '(__tilesmith_options)'
