#!/bin/bash -eu
# Called by `compile` with OUT, WORK, SANITIZER and LIB_FUZZING_ENGINE. CFLAGS are left alone: preset asan has its own.
cd "${SRC:-/src}/tilesmith"
WORK=${WORK:-/work}/asan ci/fuzz/build.sh
