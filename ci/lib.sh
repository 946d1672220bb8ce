# Sourced by the scripts of this folder: where things are, how many jobs, and timed steps.
# Works without HOME, git identity or ccache folder.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

jobs=$(nproc 2>/dev/null || echo 2)

# ccache needs a folder it may write to; without one the build must still work.
if [ -z "${CCACHE_DIR:-}" ] && ! { [ -n "${HOME:-}" ] && mkdir -p "$HOME/.cache/ccache" 2>/dev/null; }; then
  export CCACHE_DIR="$root/build/ccache"
fi

# step TITLE COMMAND...   prints the title, runs the command, prints how long it took; a failure ends the script.
step() {
  local title=$1 start=$SECONDS status=0
  shift
  printf '\n== %s\n   $ %s\n' "$title" "$*"
  "$@" || status=$?
  if [ "$status" -ne 0 ]; then
    printf '== %s: failed with exit code %d after %d s\n' "$title" "$status" $((SECONDS - start)) >&2
    exit "$status"
  fi
  printf '== %s: %d s\n' "$title" $((SECONDS - start))
}

# ownFolder FOLDER NAME...   makes FOLDER and marks it as ours, and removes what this script left in it before: NAMEs. Anything
# else in it stays. A folder without the mark that holds something, and what is no folder, ends the script with exit code 2.
ownFolder() {
  local folder=$1 mark=$1/.tilesmith-ci name
  shift
  if [ -L "$folder" ] || { [ -e "$folder" ] && [ ! -d "$folder" ]; }; then
    echo "error: expected a folder that $0 may make, found '$folder'" >&2
    exit 2
  fi
  if [ -d "$folder" ] && [ ! -e "$mark" ] && [ -n "$(ls -A "$folder")" ]; then
    echo "error: expected a new or empty folder or one that $0 made, found '$folder' with $(ls -A "$folder" | head -n 1) in it" >&2
    exit 2
  fi
  mkdir -p "$folder"
  echo "Written by $0." >"$mark"
  for name; do
    rm -rf "${folder:?}/$name"
  done
}

configure() { mkdir -p build; cmake --preset "$1" >"build/$1.configure.log" 2>&1 || { cat "build/$1.configure.log"; return 1; }; }
