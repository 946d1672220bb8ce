"""The one lit configuration of the repository.

tilesmith_lit_suite() writes a lit.site.cfg.py per suite into the build tree; it sets the values named `ts_*` below and
loads this file. A suite is the test/ folder beside a CMakeLists.txt: every *.mlir and *.test file below it is a test.

Substitutions besides lit's own (%s, %S, %t, %T):
  %source        the repository root
  %corpus        the corpus folder
  %shared        ../shared beside the checkout (only with the feature `shared-frontends`)
  %ptxas         full path of ptxas (only with the feature `ptxas`)
  %python        the Python that runs lit
Features for REQUIRES and UNSUPPORTED: plants, sanitize, ptxas, shared-frontends.
PATH is: build/<preset>/bin, the LLVM 22 tools (FileCheck, not, count, split-file), the caller's PATH.
"""

import os
import shutil
import sys

import lit.formats

config.name = config.ts_name
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]

path = os.pathsep.join([config.ts_bin, config.ts_llvm_bin, config.environment.get("PATH", os.defpath)])
config.environment["PATH"] = path
config.environment["TILESMITH_SOURCE_DIR"] = config.ts_source
for name in ("CUDA_ROOT", "CUDA_HOME", "CUDA_PATH", "HOME", "TMPDIR", "ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]


def findPtxas():
    """The order of the tools: the first of three variables that is set decides, even when wrong; then the usual places."""
    for variable in ("CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"):
        root = os.environ.get(variable)
        if root:
            candidate = os.path.join(root, "bin", "ptxas")
            return candidate if os.access(candidate, os.X_OK) else None
    for root in (os.path.dirname(config.ts_bin), "/usr/local/cuda"):
        candidate = os.path.join(root, "bin", "ptxas")
        if os.access(candidate, os.X_OK):
            return candidate
    return shutil.which("ptxas")


ptxas = findPtxas()
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))

shared = os.path.join(os.path.dirname(config.ts_source), "shared")
if os.path.isdir(os.path.join(shared, "frontends")):
    config.available_features.add("shared-frontends")
    config.substitutions.append(("%shared", shared))

if config.ts_plants:
    config.available_features.add("plants")
if config.ts_sanitize:
    config.available_features.add("sanitize")

config.substitutions.append(("%source", config.ts_source))
config.substitutions.append(("%corpus", os.path.join(config.ts_source, "corpus")))
config.substitutions.append(("%python", sys.executable))
