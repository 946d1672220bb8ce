# Completion of tilesmith for bash: commands, then the options that --help of the command lists, then files.
_tilesmith() {
  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "bench bisect bundle check conform corpus emulate explain fuzz generate merge oracles perf plants reduce replay report" -- "$word")
  elif [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" "$command" --help 2>/dev/null |
      sed -n 's/^ *\(--\?[A-Za-z][-A-Za-z]*\).*/\1/p')" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}
complete -o filenames -F _tilesmith tilesmith
