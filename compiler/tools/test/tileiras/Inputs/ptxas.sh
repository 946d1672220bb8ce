#!/bin/sh
# A stand-in for ptxas: writes how it was called to FILE.arguments beside itself, and a word as its output.
[ "$1" = --version ] && echo "Cuda compilation tools, release 13.2, V13.2.0" && exit 0
echo "$@" > "$0.arguments"
while [ $# -gt 0 ]; do
  [ "$1" = -o ] && echo cubin > "$2"
  shift
done
