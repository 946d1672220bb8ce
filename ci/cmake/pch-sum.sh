#!/bin/sh
# Writes the checksum of what a precompiled header says: its flags and its preprocessed text with the macros, no paths.
#   [PCH_BASE=SUM] pch-sum.sh HEADER SUM COMPILER FLAG...
# PCH_BASE: the checksum of the precompiled header that it stands on.
set -eu
header=$1 sum=$2
shift 2
text=$sum.text
{ "$1" --version | head -n 1; printf '%s\n' "$*"; "$@" -x c++-header -E -P -dD "$header"; cat ${PCH_BASE:+"$PCH_BASE"} </dev/null; } >"$text"
sha256sum <"$text" >"$sum"
rm -f "$text"
