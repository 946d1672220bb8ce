#!/bin/sh
# PREFIX/lib/tilesmith/bin/tileiras: our compiler, writing modules for the driver on the CPU.
exec "$(dirname "$(readlink -f "$0")")/../../../bin/tileiras" --emit=emulated "$@"
