//===- EngineBisect.h - which pass is to blame for a wrong result -----------------------------===//
//
// Runs a failing case on engines that stop at different stages, and with fewer and fewer optional
// passes, until one step is left (or an interval of steps that no engine looks into).
//
// Steps
//  1. Engines that agree with each other against a stored expectation: the frontend, which all
//     engines share.
//     An engine that runs what left our LLVM IR (EngineEntry::beyond) is to blame itself when the
//     emulator agrees with the reference; else what follows explains both.
//  2. reference against tileaa: convert-cudatile-to-tileaa.
//  3. reference against tileaa-opt, with the optional passes of that stage one by one.
//  4. reference against tileas, likewise: the optional passes over nv_tileas, or the conversion to
//     it. A hazard is a missing barrier: tileas-insert-barriers, or a token that got lost anywhere
//     before (the engines of nv_tileaa keep to program order and need none).
//  5. reference against emulator, with the optional passes of the whole pipeline one by one. A pass
//     of an earlier stage was cleared there and only shows the fault of what reads its result.
//     Where nv_tileas could not be run, a pass is cleared when its IR without layouts and
//     annotations is the same before and after (LayoutEquivalence.h).
//     What these stages leave open disagrees with nobody: when all wrong elements are of that kind,
//     the first stage that leaves them open is to blame (PoisonProbe.h).
//  6. The emulated GPU is asked for the shuffles that kernels use (EmulatorSelfTest.h).
//  7. Each scalar operation of the kernel at stage gpu is lowered and run by itself
//     (ScalarLoweringProbe.h): convert-gpu-to-nvvm, or what comes behind it.
//  8. What is left: convert-tileas-to-nvgpu, by far the most code behind nv_tileas. `decided` is
//     false then, and `interval` names all steps that it stands for.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_BLAME_ENGINEBISECT_H
#define ORACLES_BLAME_ENGINEBISECT_H

#include "oracles/Oracle.h"

namespace tilesmith::oracles {

/// Blames a step of our compiler for a finding that engines show: `finding.options.engines` holds
/// the reference and, last, the engine under suspicion.
Attribution bisectEngines(const Finding &finding);

/// The optional passes at this level, in order: those that --opt-bisect-limit counts. A program of
/// nv_tileaa has those from that stage on.
std::vector<std::string> optionalPasses(const EngineOptions &options, bool isProgram = false);

/// How many optional passes come before a mandatory one.
int64_t optionalPassesBefore(llvm::StringRef pass, const EngineOptions &options,
                             bool isProgram = false);

/// The least number of optional passes with which `fails` holds, between one with which it does not
/// and one with which it does.
int64_t firstBad(int64_t good, int64_t bad, llvm::function_ref<bool(int64_t)> fails);

} // namespace tilesmith::oracles

#endif // ORACLES_BLAME_ENGINEBISECT_H
