#!/usr/bin/env python3
"""Self-test of rooms.py: a clean tree has no violation, and every planted violation is found under its rule."""

import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import rooms  # noqa: E402

CLEAN = {
    "CMakeLists.txt": "project(x)\n",
    "compiler/support/LinearLayout.h": '#include <vector>\n#include "llvm/ADT/SmallVector.h"\n',
    "compiler/dialect/CudaTile/IR/CudaTile.h": '#include "compiler/dialect/CudaTile/IR/Ops.h.inc"\n',
    "compiler/dialect/CudaTile/CMakeLists.txt": "tilesmith_library(TilesmithCudaTile SOURCES IR/A.cpp DEPS TilesmithSupport)\n",
    "compiler/pipeline/CMakeLists.txt": "tilesmith_library(TilesmithPipeline SOURCES P.cpp DEPS TilesmithCudaTile)\n",
    "reference/interp/Evaluator.cpp": '#include "compiler/dialect/CudaTile/IR/CudaTile.h"\n'
                                      "// never call op->fold(x) here\nint scaffold(int);\nint x = scaffold(1);\n"
                                      'const char *s = "a->fold(b)";\n',
    "reference/testcase/TestCase.h": '#include "llvm/Support/Error.h"\n',
    "generators/program/Rules.cpp": '#include "reference/testcase/TestCase.h"\n#include "compiler/bytecode/W.h"\n',
    "oracles/engines/E.cpp": '#include "reference/interp/Evaluator.h"\n#include "compiler/pipeline/Pipeline.h"\n',
    "oracles/engines/CMakeLists.txt": "tilesmith_library(TilesmithEngines SOURCES E.cpp DEPS TilesmithPipeline)\n",
    "oracles/Oracle.h": '#include "oracles/verdict/Verdict.h"\n',
    "oracles/luck/LuckOracle.h": '#include "oracles/Oracle.h"\n',
    "oracles/luck/LuckTest.cpp": '#include "oracles/hazards/HazardsOracle.h"\n',
    "fuzz/cli/Main.cpp": '#include "generators/program/Rules.h"\n#include "oracles/engines/E.h"\n',
    "corpus/frontends/add/kernel.py": "import cuda.tile\n",
    "corpus/seeds/add/case.json": "{}\n",
}

# (rule, file, text that breaks it)
PLANTED = [
    ("folder", "tools/x.cpp", "int x;\n"),
    ("folder", "compiler/utils/x.h", "\n"),
    ("folder", "compiler/conversion/TileAAToNVGPU/x.cpp", "\n"),
    ("folder", "oracles/misc/x.h", "\n"),
    ("include", "compiler/support/x.cpp", '#include "reference/value/V.h"\n'),
    ("include", "compiler/pipeline/x.cpp", '#include "oracles/engines/E.h"\n'),
    ("include", "compiler/target/x.cpp", "#  include <fuzz/cli/Main.h>\n"),
    ("include", "compiler/dialect/CudaTile/IR/x.td", 'include "generators/program/Rules.td"\n'),
    ("include", "reference/interp/x.cpp", '#include "compiler/conversion/GPUToNVVM/P.h"\n'),
    ("include", "reference/interp/y.cpp", '#include "compiler/pipeline/Pipeline.h"\n'),
    ("include", "reference/interp/z.cpp", '#include "oracles/verdict/Verdict.h"\n'),
    ("include", "reference/interp/w.cpp", '#include "generators/entropy/ChoiceStream.h"\n'),
    ("include", "generators/program/x.cpp", '#include "oracles/verdict/Verdict.h"\n'),
    ("include", "generators/program/y.cpp", '#include "reference/interp/Evaluator.h"\n'),
    ("include", "generators/program/z.cpp", '#include "compiler/target/PTX.h"\n'),
    ("include", "generators/program/w.cpp", '#include "fuzz/cli/Main.h"\n'),
    ("include", "oracles/verdict/x.cpp", '#include "generators/program/Rules.h"\n'),
    ("include", "oracles/verdict/y.cpp", '/* a */ int a;\n#include "fuzz/campaign/C.h"\n'),
    ("include", "oracles/engines/x.cpp", '#include "ci/cmake/pch.h"\n'),
    ("include", "reference/testcase/x.cpp", '#include "TestCase.h"\n'),
    ("include", "reference/testcase/y.cpp", '#include "../testcase/TestCase.h"\n'),
    ("arrow", "oracles/luck/x.cpp", '#include "oracles/hazards/HazardsOracle.h"\n'),
    ("arrow", "oracles/engines/x.cpp", '#include "oracles/blame/EngineBisect.h"\n'),
    ("arrow", "oracles/verdict/x.cpp", '#include "oracles/Oracle.h"\n'),
    ("arrow", "fuzz/campaign/x.cpp", '#include "fuzz/triage/Triage.h"\n'),
    ("arrow", "fuzz/store/x.cpp", '#include "fuzz/campaign/Judge.h"\n'),
    ("include", "oracles/devices/emulator/x.cpp", '#include "oracles/engines/Engine.h"\n'),
    ("layout", "oracles/devices/ptx/x.cpp", '#include "mlir/IR/Value.h"\n'),
    ("link", "reference/interp/CMakeLists.txt", "tilesmith_library(TilesmithInterp SOURCES a.cpp\n  DEPS TilesmithPipeline)\n"),
    ("link", "generators/program/CMakeLists.txt", "tilesmith_gtest(ProgramTest SOURCES a.cpp DEPS TilesmithEngines)\n"),
    ("meaning", "reference/interp/f1.cpp", "auto r = op->fold(operands, results);\n"),
    ("meaning", "reference/interp/f2.cpp", "auto r = addOp.fold(adaptor);\n"),
    ("meaning", "reference/interp/f3.cpp", "if (failed(AddIOp::inferReturnTypes(c)))\n  return;\n"),
    ("meaning", "reference/interp/f4.cpp", "SelectOp::getCanonicalizationPatterns(patterns, ctx);\n"),
    ("meaning", "reference/interp/f5.cpp", "if (matchPattern(v, m_Constant(&attr))) return;\n"),
    ("meaning", "reference/interp/f6.cpp", "auto v = builder.createOrFold<AddIOp>(loc, a, b);\n"),
    ("layout", "compiler/support/LinearLayoutX.cpp", '#include "mlir/IR/Value.h"\n'),
    ("statistic", "compiler/dialect/TileAS/Transforms/Passes.td", '  let statistics = [Statistic<"packed", "packed", "x">];\n'),
    ("temporary", "compiler/dialect/TileAS/Transforms/x.cpp", "for (unsigned index : flow.behind(op).set_bits()) {\n"),
    ("data", "corpus/seeds/helper.cpp", "int x;\n"),
    ("data", "corpus/frontends/make.py", "print()\n"),
    ("data", "corpus/regressions/x/case.json", '{"notes": "a", "grid": [{"notes": 1}], "notes": "b"}'),
    ("data", "corpus/seeds/CMakeLists.txt", "\n"),
]


def violations(files):
    with tempfile.TemporaryDirectory() as root:
        for name, text in files.items():
            path = os.path.join(root, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as f:
                f.write(text)
        return list(rooms.check(root))


class RoomsTest(unittest.TestCase):
    def testCleanTree(self):
        self.assertEqual(violations(CLEAN), [])

    def testPlantedViolations(self):
        for rule, name, text in PLANTED:
            with self.subTest(rule=rule, file=name):
                found = violations({**CLEAN, name: text})
                self.assertEqual([(v[0], v[2]) for v in found], [(name, rule)])

    def testLineNumbers(self):
        found = violations({**CLEAN, "oracles/verdict/x.cpp": '/*\n\n*/\n#include "fuzz/cli/Main.h"\n'})
        self.assertEqual([(v[0], v[1]) for v in found], [("oracles/verdict/x.cpp", 4)])


if __name__ == "__main__":
    unittest.main()
