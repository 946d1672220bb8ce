//===- TurnLoop.cpp - counted loops around products, and the number of their turn ------------------===//
#include "generators/program/TurnLoop.h"
#include "generators/program/Access.h"

using namespace tilesmith;
using namespace tilesmith::generators;

TurnLoop::TurnLoop(KernelBuilder &k, ChoiceStream &s, int64_t turns,
                   llvm::ArrayRef<mlir::Value> carried, bool mayStop) {
  mlir::OpBuilder &b = k.builder();
  mlir::Value begin, end, by;
  if (s.chance(45)) {
    cuda_tile::TileType i32 = k.scalarType(k.intType(32));
    // Compilers take loops for long ones where they do not know how long they are.
    end = s.chance(60) ? k.addExtentArgument(turns) : k.intConstant(i32, turns).ssa;
    begin = k.intConstant(i32, 0).ssa;
    by = k.intConstant(i32, 1).ssa;
  } else {
    if (mayStop && s.chance(16)) {
      turns = s.chance(50) ? 0 : 1;
      k.note(turns ? "turns-of-one" : "turns-of-none");
    }
    static constexpr unsigned kWidths[] = {32, 32, 32, 32, 32, 32, 64, 64, 16};
    width = s.pick(llvm::ArrayRef<unsigned>(kWidths));
    isUnsigned = k.version() >= 2 && s.chance(45);
    chooseStep(k, s, std::max<int64_t>(turns, 1));
    chooseFirst(k, s, std::max<int64_t>(turns, 1));
    end = bound(k, s, chooseEnd(k, s, turns), 65);
    begin = bound(k, s, first, 20);
    by = bound(k, s, step, 20);
  }
  loop = cuda_tile::ForOp::create(b, k.loc(), begin, end, by, carried, nullptr, isUnsigned);
}

void TurnLoop::chooseStep(KernelBuilder &k, ChoiceStream &s, int64_t turns) {
  const Int all = most() - least(), largest = all / (turns + 1);
  switch (s.below(8)) {
  case 0:
  case 1:
    return;
  case 2:
    step = 2;
    break;
  case 3:
    step = 3;
    break;
  case 4: // a tile's extent
    step = Int(16) << s.below(3);
    break;
  case 5:
    step = s.between(5, 100);
    break;
  case 6: // a few turns go all the way
    step = largest - s.between(0, 9);
    break;
  default: // as many as the sign's bit says, or half of that
    step = std::min<Int>(Int(1) << (width - 1 - s.below(3)), largest);
  }
  step = std::min(step, largest);
  k.note("turns-by-step");
}

void TurnLoop::chooseFirst(KernelBuilder &k, ChoiceStream &s, int64_t turns) {
  const Int way = turns * step, last = most() - way; // the largest one to begin with
  const Int signEnds = Int(1) << (width - 1);        // as an unsigned number
  switch (s.below(isUnsigned ? 10 : 7)) {
  case 0:
  case 1:
    break;
  case 2: // anywhere near zero
    first = isUnsigned ? s.between(1, 40) : s.between(-40, 40);
    break;
  case 3: // by whole steps
    first = step * s.between(isUnsigned ? 1 : -turns - 1, 2);
    break;
  case 4: // to the last number that there is, or almost
    first = last - Int(s.below(3));
    break;
  default: // from, to or across where signed and unsigned numbers part; from the least number there is
    first = isUnsigned ? signEnds - way + Int(s.below(2 * uint64_t(turns) + 1)) * step / 2 -
                             Int(s.below(3))
                       : least() + Int(s.below(3));
  }
  first = std::clamp(first, least(), last);
  if (isUnsigned && first + way >= signEnds)
    k.note("turns-above-signed");
  if (first < 0)
    k.note("turns-below-zero");
}

Int TurnLoop::chooseEnd(KernelBuilder &k, ChoiceStream &s, int64_t turns) {
  if (turns > 0) {
    // The last step may go too far.
    const Int past =
        step == 1 || s.chance(40) ? 0 : Int(s.below(uint64_t(std::min<Int>(step, 1 << 20))));
    return first + turns * step - past;
  }
  switch (s.below(3)) {
  case 0:
    return first;
  case 1: // read as a number of the other signedness, the end may come behind the beginning
    return least() + std::min<Int>(first - least(), Int(s.below(6)));
  default:
    return std::max(least(), first - Int(s.below(6)));
  }
}

mlir::Value TurnLoop::bound(KernelBuilder &k, ChoiceStream &s, Int value,
                            unsigned percentOfLaunch) const {
  mlir::OpBuilder &b = k.builder();
  cuda_tile::TileType type = k.scalarType(k.intType(width));
  if (!s.chance(percentOfLaunch))
    return k.intConstant(type, value).ssa;
  if (width == 32)
    return k.addExtentArgument(int64_t(value));
  if (width < 32)
    return cuda_tile::TruncIOp::create(b, k.loc(), type, k.addExtentArgument(int64_t(value)),
                                       cuda_tile::IntegerOverflow::NONE);
  // Some of it from the launch, the rest is known.
  const Int part = std::clamp<Int>(value, signedMin(32), signedMax(32));
  mlir::Value low = widenTo(k, k.addExtentArgument(int64_t(part)), k.intType(width));
  if (part == value)
    return low;
  return cuda_tile::AddIOp::create(b, k.loc(), type, low, k.intConstant(type, value - part).ssa,
                                   cuda_tile::IntegerOverflow::NONE);
}

mlir::Value TurnLoop::turn(KernelBuilder &k, ChoiceStream &s) const {
  mlir::OpBuilder &b = k.builder();
  cuda_tile::TileType type = k.scalarType(k.intType(width)), i32 = k.scalarType(k.intType(32));
  cuda_tile::ForOp op = loop;
  mlir::Value at = op.getInductionVar();
  if (first != 0)
    at = cuda_tile::SubIOp::create(b, k.loc(), type, at,
                                   s.chance(50) ? mlir::Value(op.getLowerBound())
                                                : k.intConstant(type, first).ssa,
                                   cuda_tile::IntegerOverflow::NONE);
  // What lies between is less than the whole range, but may be more than a signed number is.
  if (step != 1)
    at = cuda_tile::DivIOp::create(b, k.loc(), type, at,
                                   s.chance(50) ? mlir::Value(op.getStep())
                                                : k.intConstant(type, step).ssa,
                                   cuda_tile::Signedness::Unsigned, cuda_tile::RoundingMode::ZERO);
  if (width > 32)
    return cuda_tile::TruncIOp::create(b, k.loc(), i32, at, cuda_tile::IntegerOverflow::NONE);
  if (width < 32)
    return cuda_tile::ExtIOp::create(b, k.loc(), i32, at,
                                     s.chance(50) ? cuda_tile::Signedness::Signed
                                                  : cuda_tile::Signedness::Unsigned);
  return at;
}
