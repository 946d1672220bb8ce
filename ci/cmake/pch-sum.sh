#!/bin/sh
# Writes the checksum of what a precompiled header says: its flags and its preprocessed text with the macros, no paths.
#   pch-sum.sh HEADER SUM COMPILER FLAG...
set -eu
header=$1 sum=$2
shift 2
text=$sum.text
{ "$1" --version | head -n 1; printf '%s\n' "$*"; "$@" -x c++-header -E -P -dD "$header"; } >"$text"
sha256sum <"$text" >"$sum"
rm -f "$text"
