//===- Performance.h - what compiled code costs, and when that got worse ----------------------===//
//
// Figures of one case for one target and level, all deterministic: classes of PTX instructions,
// counters of the emulated GPU, registers, spills, stack and shared memory as ptxas reports them,
// classes of SASS instructions (both only where the tools are found), instructions that the
// compiler itself executed (only where the kernel lets us count).
//
// A figure is worse when it grew by more than a share of the stored one *and* by more than an
// absolute floor, so that neither one more instruction in ten nor 0.1 % of ten thousand is an
// alarm. The same code (by its hash) is unchanged whatever else was measured of it; only what its
// compilation cost can get worse then. Figures of a tool are compared when the same version of it
// measured both; the others are named as not compared.
//
// Time of a GPU is measured elsewhere (ci/gpu-day) and comes in rows of its own (readTimes), with the
// time of each round: what got slower is said by rank (ChangePoints.h), never by a gate.
//
// What a compilation costs varies a little. It is measured several times (MeasureOptions::repeat), and
// a row holds the median and, as `compile/sigma`, the spread: where both rows have one, a change
// counts from three times the spread on. `compile/reference` is what another program, which stays the
// same, took for the case at the same time: what the machine changed is taken out.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_PERFORMANCE_PERFORMANCE_H
#define ORACLES_PERFORMANCE_PERFORMANCE_H

#include "oracles/engines/Engine.h"
#include "oracles/verdict/Verdict.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <map>
#include <optional>

namespace tilesmith::oracles {

/// One row of a baseline.
struct CodeFigures {
  std::string caseName, gpuName;
  unsigned optLevel = 3;
  std::string code;                      ///< hash of the PTX, in hexadecimal digits
  std::map<std::string, double> figures; ///< `FAMILY/NAME`
  /// Who measured a family of figures, where that is not this repository alone: `ptxas` -> version.
  std::map<std::string, std::string> tools = {};
  /// Of a figure of kind Time, each round's value, where the figure is their median.
  std::map<std::string, std::vector<double>> samples = {};
};

/// What is measured beside the PTX.
struct MeasureOptions {
  bool emulator = true; ///< run the case on the emulated GPU
  bool ptxas = true;    ///< where it is found
  /// Compilations; with more than one, and where instructions cannot be counted, CPU time stands for
  /// them.
  unsigned repeat = 1;
};

/// What a figure may do by itself, and so what two values of it tell (ChangePoints.h).
enum class FigureKind { Exact, Cost, Time };
FigureKind kindOf(llvm::StringRef figure);
/// Says how good other figures are, or is another compiler's: none that gets worse.
bool isAuxiliary(llvm::StringRef figure);

/// `ptx/instructions` and `ptx/CLASS` of a PTX text.
void addPTXFigures(llvm::StringRef ptx, std::map<std::string, double> &figures);

/// `ptxas/registers`, `ptxas/spills`, `ptxas/stack`, `ptxas/shared` from the output of `ptxas -v`;
/// of several kernels the sum.
void addPtxasFigures(llvm::StringRef log, std::map<std::string, double> &figures);

/// `sass/instructions` and `sass/CLASS` from a disassembly by `nvdisasm` or `cuobjdump -sass`.
void addSASSFigures(llvm::StringRef listing, std::map<std::string, double> &figures);

/// User-mode instructions that the function executes in this process; nothing where the kernel does
/// not let us count.
std::optional<uint64_t> countInstructions(llvm::function_ref<void()> work);

/// Compiles all launches of a case and collects what can be measured here. `missing` gets a line
/// for each tool that was not found.
llvm::Expected<CodeFigures> measureCode(const testcase::TestCase &testCase, llvm::StringRef version,
                                        const EngineOptions &options,
                                        std::vector<std::string> &missing,
                                        const MeasureOptions &what = {});

/// What an engine (`emulator`, `sass`, `external@PATH`) counts while it runs a case, of all launches
/// together. `micros`, unless it is null, gets what the steps of the run took, of engines that say so.
llvm::Expected<std::map<std::string, double>>
engineCounters(llvm::StringRef engine, const testcase::TestCase &testCase, llvm::StringRef version,
               EngineOptions options, std::map<std::string, double> *micros = nullptr);

/// A counter of machine code: of ours (`machine/NAME`), and of another compiler's for the same case
/// (`external/NAME`).
struct MachineFigure {
  std::string name;
  double ours;
  std::optional<double> theirs;
  std::optional<double> ratio() const {
    return theirs && *theirs > 0 ? std::optional(ours / *theirs) : std::nullopt;
  }
};
std::vector<MachineFigure> machineFigures(const std::map<std::string, double> &figures);

/// The counters of engine `sass` as figures `machine/NAME`, and those of the code of `otherCompiler`,
/// unless it is empty, as `external/NAME`; `tools` has the families that were counted. `missing` gets
/// a line for the other ones, and `micros` of each family what the steps took on this machine
/// (`machine/ptxas`: microseconds).
CodeFigures measureMachineCode(const testcase::TestCase &testCase, llvm::StringRef version,
                               const EngineOptions &options, const std::string &otherCompiler,
                               std::vector<std::string> &missing,
                               std::map<std::string, double> &micros);

/// How much a figure may grow: by `relative` of the stored value, or by `absolute`.
struct Gate {
  double relative, absolute;
};
Gate gateOf(llvm::StringRef figure);
/// Whether `after` is beyond the gate of the figure.
bool isWorse(llvm::StringRef figure, double before, double after);

/// One figure that is not what it was.
struct FigureChange {
  std::string figure;
  double before, after;
  bool isWorse; ///< beyond its gate
};

/// All changes among the figures that both rows have from the same tools.
std::vector<FigureChange> changedFigures(const CodeFigures &stored, const CodeFigures &measured);

/// The stored families (`ptxas`, ...) that the measured row has not, or has from another tool.
std::vector<std::string> familiesNotCompared(const CodeFigures &stored,
                                             const CodeFigures &measured);

/// Agrees when no figure got worse; inconclusive without a stored row for the same target and
/// level.
Verdict comparePerformance(const CodeFigures *stored, const CodeFigures &measured);

/// What is stored after an update: the measured row, and what the stored one says of the same code
/// in families that were not measured. A row of counters alone names no code and goes with any.
CodeFigures updatedRow(const CodeFigures *stored, CodeFigures measured);

/// A baseline is a file of JSON rows, one a line.
std::string toJsonLine(const CodeFigures &row);
llvm::Expected<std::vector<CodeFigures>> readBaseline(llvm::StringRef text);

/// `gpu/nanoseconds` of each kernel and way, from the raw file of `ci/gpu-day`: the interleaved rounds
/// in their order. `wrong` gets those whose result was wrong once; they have no row.
llvm::Expected<std::vector<CodeFigures>> readTimes(llvm::StringRef text,
                                                   std::vector<std::string> &wrong);

} // namespace tilesmith::oracles

#endif // ORACLES_PERFORMANCE_PERFORMANCE_H
