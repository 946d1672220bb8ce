//===- LaneReduction.cpp - one instruction combines a number of each lane -------------------------===//
//
// Narrow integers are extended to the word that the instruction takes, 64 bits go as two words.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/Emitter.h"
#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;

Value tileas_to_nvgpu::combineLanes(Emitter &e, Operation *one, Value value) {
  OpBuilder &b = e.builder;
  using Kind = NVVM::ReduxKind;
  const Kind kind = llvm::TypeSwitch<Operation *, Kind>(one)
                        .Case([](arith::AddIOp) { return Kind::ADD; })
                        .Case([](arith::AndIOp) { return Kind::AND; })
                        .Case([](arith::OrIOp) { return Kind::OR; })
                        .Case([](arith::XOrIOp) { return Kind::XOR; })
                        .Case([](arith::MinSIOp) { return Kind::MIN; })
                        .Case([](arith::MaxSIOp) { return Kind::MAX; })
                        .Case([](arith::MinUIOp) { return Kind::UMIN; })
                        .Case([](arith::MaxUIOp) { return Kind::UMAX; })
                        .Case<arith::MinNumFOp, arith::MinimumFOp>([](auto) { return Kind::FMIN; })
                        .Default([](Operation *) { return Kind::FMAX; });
  const bool propagatesNaN =
      isa<arith::MinimumFOp, arith::MaximumFOp>(one) && !TILESMITH_PLANT("redux-number-over-nan");
  auto all = [&](Value word) -> Value {
    return NVVM::ReduxOp::create(b, e.loc, word.getType(), word, kind, e.i32(-1), /*abs=*/false,
                                 propagatesNaN);
  };
  Type type = value.getType(), word = b.getI32Type();
  if (type.isF32() || type.isInteger(32))
    return all(value);
  if (type.isInteger(64)) {
    Value high =
        arith::TruncIOp::create(b, e.loc, word, arith::ShRUIOp::create(b, e.loc, value, e.i64(32)));
    Value low = all(arith::TruncIOp::create(b, e.loc, word, value));
    high = arith::ExtUIOp::create(b, e.loc, type,
                                  TILESMITH_PLANT("redux-low-word-alone") ? high : all(high));
    high = arith::ShLIOp::create(b, e.loc, high, e.i64(32));
    return arith::OrIOp::create(b, e.loc, high, arith::ExtUIOp::create(b, e.loc, type, low));
  }
  const bool isSigned = isa<arith::MinSIOp, arith::MaxSIOp>(one);
  Value wide = isSigned && !TILESMITH_PLANT("redux-extends-unsigned")
                   ? Value(arith::ExtSIOp::create(b, e.loc, word, value))
                   : Value(arith::ExtUIOp::create(b, e.loc, word, value));
  return arith::TruncIOp::create(b, e.loc, type, all(wide));
}
