#!/usr/bin/env bash
# Builds the libFuzzer targets the way OSS-Fuzz asks for: binaries, seed corpora, dictionaries and options in $OUT.
#
#   OUT=folder [LIB_FUZZING_ENGINE=-fsanitize=fuzzer] [SANITIZER=address|undefined] [WORK=folder] ci/fuzz/build.sh
#
# Both sanitizers are one build here (preset asan: address and undefined), because libMLIR comes ready-made; memory is not
# possible with it. LIB_FUZZING_ENGINE other than -fsanitize=fuzzer replaces it at link time. The libraries that the image
# may lack go to $OUT/lib, and binaries look for them there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

: "${OUT:?set OUT to the folder of the results}"
: "${SANITIZER:=address}"
: "${LIB_FUZZING_ENGINE:=-fsanitize=fuzzer}"
: "${WORK:=build/asan}"
case $SANITIZER in
  address|undefined) ;;
  *) echo "build.sh: expected SANITIZER address or undefined, found '$SANITIZER'" >&2; exit 1 ;;
esac
mkdir -p "$OUT/lib"
if [ "$LIB_FUZZING_ENGINE" != -fsanitize=fuzzer ]; then
  extra=(-DCMAKE_EXE_LINKER_FLAGS="$LIB_FUZZING_ENGINE")
fi
if [ "${BUILD_SH_NO_BUILD:-0}" != 1 ]; then   # 1: WORK is built already
  [ -e "$WORK/build.ninja" ] || cmake --preset asan -B "$WORK" ${extra[@]+"${extra[@]}"}
  cmake --build "$WORK" --target fuzz-targets
fi

while read -r name; do
  cp "$WORK/bin/$name" "$OUT/$name"
  # The loader finds the copies first; no patchelf in the base image is no error, LD_LIBRARY_PATH works, too.
  if command -v patchelf >/dev/null; then
    patchelf --set-rpath '$ORIGIN/lib' "$OUT/$name"
  fi
  ldd "$WORK/bin/$name" | awk '$3 ~ /^\// {print $3}' | while read -r library; do
    cp -nL "$library" "$OUT/lib/" || true
  done
  if [ -d "corpus/seeds/$name" ]; then
    rm -f "$OUT/${name}_seed_corpus.zip"
    python3 - "corpus/seeds/$name" "$OUT/${name}_seed_corpus.zip" <<'PY'
import os, sys, zipfile
with zipfile.ZipFile(sys.argv[2], "w", zipfile.ZIP_DEFLATED) as archive:
    for folder, _, files in sorted(os.walk(sys.argv[1])):
        for name in sorted(files):
            path = os.path.join(folder, name)
            archive.write(path, os.path.relpath(path, sys.argv[1]).replace(os.sep, "-"))
PY
  fi
  if [ -f "fuzz/targets/$name.dict" ]; then
    cp "fuzz/targets/$name.dict" "$OUT/$name.dict"
  fi
  printf '[libfuzzer]\ntimeout = 25\nrss_limit_mb = 2560\n' >"$OUT/$name.options"
done <"$WORK/fuzz-targets.txt"
echo "build.sh: $(wc -l <"$WORK/fuzz-targets.txt") targets in $OUT"
