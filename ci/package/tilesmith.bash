# Completion of tilesmith for bash: the commands and options that --help lists, then files.
_tilesmith() {
  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" --help 2>/dev/null |
      sed -n '/^SUBCOMMANDS:/,/^OPTIONS:/s/^  \([a-z][a-z]*\) *- .*/\1/p')" -- "$word")
  elif [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" "$command" --help 2>/dev/null |
      sed -n 's/^ *\(--\?[A-Za-z][-A-Za-z]*\).*/\1/p')" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}
complete -o filenames -F _tilesmith tilesmith
