//===- RemarksOracle.cpp - do remarks say what the code holds -------------------------------===//
#include "oracles/remarks/RemarksOracle.h"

#include "compiler/tools/TileirasCompiler.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>
#include <set>

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

/// One way that a remark may name, and how it shows in PTX and in NVVM operations.
struct Way {
  llvm::StringLiteral remark; ///< name of the remark
  llvm::StringLiteral instruction, operation;
  llvm::StringLiteral text, otherText = "";

  bool isIn(llvm::StringRef code) const {
    return code.contains(text) || (!otherText.empty() && code.contains(otherText));
  }
  bool wasIn(llvm::StringRef nvvm) const { return nvvm.contains(operation); }
};

constexpr Way kWays[] = {
    {"RemarkTensorCoreMMA", "Tensor-core SM80", "mma.sync", "mma.sync.aligned"},
    {"RemarkTensorCoreMMA", "Tensor-core SM90", "wgmma", "wgmma.mma_async"},
    {"RemarkTensorCoreMMA", "Tensor-core SM100", "tcgen05.mma", "tcgen05.mma."},
    {"RemarkMemoryLoadInstructionSelected", "Ldgsts instruction", "cp.async.shared", "cp.async.ca.",
     "cp.async.cg."},
    {"RemarkMemoryLoadInstructionSelected", "TMA Load instruction",
     "cp.async.bulk.tensor.shared.cluster", ".shared::cluster.global.tile",
     ".shared::cta.global.tile"},
    {"RemarkMemoryStoreInstructionSelected", "TMA Store instruction", "cp.async.bulk.tensor.global",
     ".global.shared::cta.tile"},
};

/// What stands there instead where a remark lies. Without that either, or with the operation in front
/// of LLVM's optimiser, that has found the code dead which the remark was true of: a loop that never
/// runs.
bool isDoneOtherwise(llvm::StringRef remark, llvm::StringRef code) {
  return remark == "RemarkTensorCoreMMA" ? code.contains("fma.") || code.contains("mad.")
         : remark == "RemarkMemoryStoreInstructionSelected" ? code.contains("st.global")
                                                            : code.contains("ld.global");
}

/// By entry, then by name of the remark: the instructions named.
using Named = std::map<std::string, std::map<std::string, std::set<std::string>>>;

Named readRemarks(llvm::StringRef text) {
  Named named;
  std::string function, name;
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  for (llvm::StringRef line : lines) {
    line = line.trim();
    if (line.consume_front("in function: "))
      function = line.drop_back(line.ends_with(":")).str();
    else if (line.consume_front("= name: "))
      name = line.str();
    else if (line.consume_front("= note: Instruction = "))
      named[function][name].insert(line.str());
  }
  return named;
}

/// The text of each entry, from its head to the next one.
std::map<std::string, std::string> readEntries(llvm::StringRef ptx) {
  std::map<std::string, std::string> entries;
  llvm::StringRef head = ".entry ";
  for (size_t at = ptx.find(head); at != llvm::StringRef::npos;) {
    size_t next = ptx.find(head, at + head.size());
    llvm::StringRef body = ptx.slice(at + head.size(), next);
    entries[body.take_until([](char c) { return c == '(' || c == '\n'; }).trim().str()] =
        body.str();
    at = next;
  }
  return entries;
}

class RemarksOracle : public Oracle {
public:
  llvm::StringRef name() const override { return "remarks"; }
  llvm::StringRef question() const override { return "do remarks say what the code holds"; }
  unsigned share() const override { return 64; }
  bool growsWithKernel() const override { return true; }
  bool isSlow() const override { return true; }
  bool applies(const OracleContext &context, const ModuleReport &soFar) const override {
    return !context.testCase.expectReject && !context.testCase.mayReject && soFar.verdict.isAgree();
  }

  Verdict judge(const OracleContext &context, ModuleReport &) const override {
    std::set<std::string> seen;
    for (const testcase::Launch &launch : context.testCase.launches) {
      const testcase::ModuleFile *file = launch.module(context.version);
      if (!file || !seen.insert(file->file).second)
        continue;
      tools::TileirasResult result =
          tools::compileTileIR(llvm::toStringRef(llvm::ArrayRef(file->bytes)),
                               optionsFor(context.options.differential.engine.compile));
      if (result.exitCode != tools::kExitSuccess)
        return Verdict::inconclusive("remarks: " +
                                     llvm::StringRef(result.diagnostics).split('\n').first.str());
      std::string wrong = contradiction(result.remarks, result.output, [&] {
        tools::TileirasOptions before = optionsFor(context.options.differential.engine.compile);
        before.emit = "nvvm";
        return tools::compileTileIR(llvm::toStringRef(llvm::ArrayRef(file->bytes)), before).output;
      });
      if (!wrong.empty())
        return Verdict::disagree("remarks against the PTX", "remarks", wrong);
    }
    return Verdict::agree();
  }

  Attribution blame(const Finding &) const override {
    return Attribution::of("driver", "remarks of tileiras");
  }

  Triple triple() const override {
    return {{"planted/remark-of-product-lost"},
            {"planted/remark-of-product-lost", "remark-of-product-lost"},
            {"oracles/truncated"},
            "remarks of tileiras"};
  }

private:
  static tools::TileirasOptions optionsFor(const CompileOptions &compile) {
    tools::TileirasOptions options;
    options.gpuName = compile.gpuName;
    options.optLevel = compile.optLevel;
    options.cudaPath = compile.cudaPath;
    options.mathLibrary = target::spelling(compile.mathLibrary).str();
    options.emulateTypes = true;
    options.emit = "ptx";
    options.remarks = "all";
    return options;
  }
};

} // namespace

std::string tilesmith::oracles::contradiction(llvm::StringRef remarks, llvm::StringRef ptx,
                                              llvm::function_ref<std::string()> nvvm) {
  Named named = readRemarks(remarks);
  for (const auto &[entry, code] : readEntries(ptx))
    for (const Way &way : kWays) {
      auto ofKind = named[entry].find(way.remark.str());
      if (ofKind == named[entry].end())
        continue; // nothing of the kind in the kernel, or it was folded away
      bool isNamed = ofKind->second.count(way.instruction.str()), isThere = way.isIn(code);
      if (isNamed && !isThere &&
          (!isDoneOtherwise(way.remark, code) || (nvvm && way.wasIn(nvvm()))))
        continue;
      if (isNamed != isThere)
        return llvm::formatv("entry {0}: {1} names {2}, the code has {3}{4}", entry, way.remark,
                             llvm::join(ofKind->second, " and "), isThere ? "" : "no ", way.text);
    }
  return "";
}

const Oracle &tilesmith::oracles::remarksOracle() {
  static const RemarksOracle oracle;
  return oracle;
}
