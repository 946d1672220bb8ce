#!/usr/bin/env python3
"""Checks that only the record of the targets (compiler/target/Targets) decides by the GPU.

Rules, for C++ sources; comments do not count:
  comparison  a compute capability, `sm` or `cudaArch` stands beside a relational operator or in a switch: ask the record,
              `target.has(Feature::...)`
  name        a string literal that begins with the name of a GPU: take the name from the record (drawnGpus, kDefaultGpu, ...)

Tests and benchmarks say which GPU they are about, so `name` leaves them alone. EXEMPT lists what is left out, with the reason.

Usage: targets.py [ROOT]      prints one line per violation (file:line: rule: text), exit code 1 if there is any
       targets.py --self-test plants violations and expects each to be found
"""

import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import rooms  # noqa: E402

EXEMPT = {
    # file or folder: (rules, reason)
    "compiler/target/Targets.h": ("comparison name", "the record"),
    "compiler/target/Targets.cpp": ("comparison name", "the record"),
    "compiler/target/TargetsTest.cpp": ("comparison", "the record's own test"),
    "oracles/devices/ptx/Types.cpp": ("comparison", "the ISA's own table of targets: a check that asked our record would "
                                                    "share its faults"),
    "oracles/devices/sass/Decoder.cpp": ("comparison", "the encodings' own table: which machines have a form"),
    "oracles/devices/sass/SassLanesTest.cpp": ("comparison", "the first target of an operation as the PTX ISA has it"),
    "oracles/devices/sass/SassSweepTest.cpp": ("comparison", "the first target of an operation as the PTX ISA has it"),
    "oracles/engines/runtime/MachineCode.cpp": ("comparison", "which binaries a GPU loads: CUDA's rule for the numbers themselves"),
    "oracles/devices/ptx/": ("name", "targets of PTX text, which are chips and not our GPUs"),
}

CODE = (".cpp", ".cc", ".c", ".h", ".hpp", ".def", ".inc")
TEST = re.compile(r"(Test|Benchmark|TestSupport|Client)\.(cpp|h|c)$")
# A chain such as `options.gpu->sm` or `getComputeCapability(op)`, then or before an operator that orders or equals.
WHAT = r"(?:[A-Za-z_]\w*(?:\.|->|::))*(?:\w*[cC]omputeCapability|\w*[cC]apability|sm|cudaArch)\b(?:\([^()]*(?:\([^()]*\))?[^()]*\))?"
OPERATOR = r"(?:<=|>=|==|!=|(?<=\s)[<>](?=\s))"  # clang-format sets spaces around < and > unless they are brackets
AFTER = re.compile(rf"(?<![\w.>:]){WHAT}\s*{OPERATOR}")
BEFORE = re.compile(rf"{OPERATOR}\s*{WHAT}(?!\s*[\w<])")
SWITCH = re.compile(rf"\bswitch\s*\(\s*{WHAT}")
NAME = re.compile(r'"sm_[0-9]')


def exempt(name, rule):
    for prefix, (rules, _) in EXEMPT.items():
        if (name == prefix or (prefix.endswith("/") and name.startswith(prefix))) and rule in rules.split():
            return True
    return False


def checkText(name, text):
    for number, line in enumerate(rooms.stripComments(text).split("\n"), 1):
        code = re.sub(r'"(?:\\.|[^"\\])*"', '""', line)
        if not code.lstrip().startswith("#") and not exempt(name, "comparison"):
            found = AFTER.search(code) or BEFORE.search(code) or SWITCH.search(code)
            if found:
                yield name, number, "comparison", f"'{found.group(0).strip()}' decides by a number; ask the record"
        if NAME.search(line) and not TEST.search(name) and not exempt(name, "name"):
            yield name, number, "name", "the name of a GPU stands here; take it from the record"


def check(root):
    for name in rooms.listFiles(root):
        if name.endswith(CODE) and name.split("/")[0] in rooms.ROOMS:
            with open(os.path.join(root, name), encoding="utf-8", errors="replace") as f:
                yield from checkText(name, f.read())


PLANTED = [
    ("comparison", "compiler/a.cpp", "if (capability < 90)\n"),
    ("comparison", "compiler/a.cpp", "if (90 <= capability)\n"),
    ("comparison", "compiler/a.cpp", "return gpu.sm != 100 && ready;\n"),
    ("comparison", "compiler/a.cpp", "bool x = tileaa::getComputeCapability(getOperation()) == 90;\n"),
    ("comparison", "compiler/a.cpp", "bool x = getComputeCapability(op->getParent()) >= 90;\n"),
    ("comparison", "compiler/a.cpp", "switch (computeCapability) {\n"),
    ("comparison", "compiler/a.cpp", "use(gpu->cudaArch() > 800);\n"),
    ("comparison", "compiler/a.cpp", "return needed <= gpu->sm;\n"),
    ("comparison", "fuzz/ATest.cpp", "EXPECT_TRUE(target.sm >= 90);\n"),
    ("comparison", "oracles/devices/ptx/Checker.cpp", "if (target.sm < 70)\n"),
    ("name", "oracles/a.cpp", 'if (options.gpuName == "sm_90")\n'),
    ("name", "oracles/a.h", 'static constexpr StringLiteral kGpus[] = {"sm_80", "sm_90"};\n'),
    ("name", "fuzz/a.cpp", 'return name.starts_with("sm_8");\n'),
]
CLEAN = [
    ("compiler/a.cpp", "// before sm_90: capability < 90\nif (gpu.has(Feature::Wgmma))\n"),
    ("compiler/a.cpp", 'emit("capability < 90 is refused");\n'),
    ("compiler/a.cpp", "std::optional<unsigned> capability = parse(text);\nmap<sm, int> x;\n"),
    ("compiler/a.cpp", "const GpuTarget &gpu = targetOfCapability(value.getInt());\nos << gpu.sm << ' ';\n"),
    ("compiler/a.cpp", '#include <sm>\nstd::string name = "sm_" + std::to_string(gpu.sm);\n'),
    ("compiler/target/Targets.cpp", 'if (gpu.sm <= capability)\n  return lookup("sm_90");\n'),
    ("fuzz/ATest.cpp", 'run("sm_90");\n'),
    ("oracles/devices/ptx/Samples.cpp", 'for (StringRef name : {"sm_90a", "sm_100a"})\n'),
]


def selfTest():
    wrong = []
    for rule, name, text in PLANTED:
        if rule not in [found[2] for found in checkText(name, text)]:
            wrong.append(f"not found in {name}: {rule}: {text.strip()}")
    for name, text in CLEAN:
        wrong += [f"found in clean {name}: {found[2]}: {found[3]}" for found in checkText(name, text)]
    for line in wrong:
        print(line)
    print(f"target lint self-test: {len(PLANTED)} planted, {len(CLEAN)} clean, {len(wrong)} wrong")
    return 1 if wrong else 0


def main(arguments):
    if "--self-test" in arguments:
        return selfTest()
    root = arguments[1] if len(arguments) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    violations = sorted(set(check(os.path.abspath(root))))
    for name, line, rule, text in violations:
        print(f"{name}:{line}: {rule}: {text}")
    print(f"target lint: {len(violations)} violations")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
