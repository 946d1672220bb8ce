#!/bin/sh
# PREFIX/lib/tilesmith/bin/tileiras: our compiler, writing modules for the driver on the CPU.
# Where the machine-code device is asked for, it gets the cubin along.
case "$TILESMITH_ENGINE" in *sass*) set -- --embed-cubin "$@" ;; esac
exec "$(dirname "$(readlink -f "$0")")/../../../bin/tileiras" --emit=emulated "$@"
