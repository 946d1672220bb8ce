//===- TurnLoop.h - counted loops around products, and the number of their turn --------------------===//
//
// Almost half of them count up by one from zero to a bound that is signed, as frontends write it. The others have any step,
// start at any number, also a negative one or one that is signed to some and unsigned to others, count in 16, 32 or 64
// bits, end between two numbers that they would come to, and have their bounds and step from the launch. Some of these
// have one turn alone when they run, or none.
//
// Promises: no loop has more turns than was asked for, its step is positive, and the number behind the last one has
// the index's type.
//
//===------------------------------------------------------------------------------------------===//
#ifndef GENERATORS_PROGRAM_TURNLOOP_H
#define GENERATORS_PROGRAM_TURNLOOP_H

#include "generators/program/KernelBuilder.h"

namespace tilesmith::generators {

class TurnLoop {
public:
  /// `mayStop`: it may have fewer turns than these when it runs.
  TurnLoop(KernelBuilder &kernel, ChoiceStream &stream, int64_t turns,
           llvm::ArrayRef<mlir::Value> carried, bool mayStop = true);

  cuda_tile::ForOp op() const { return loop; }
  /// How often the body ran before, as a scalar i32: at the insertion point, inside of the body.
  mlir::Value turn(KernelBuilder &kernel, ChoiceStream &stream) const;

private:
  void countPlainly(KernelBuilder &k, ChoiceStream &s, int64_t turns);
  void chooseStep(KernelBuilder &k, ChoiceStream &s, int64_t turns);
  void chooseFirst(KernelBuilder &k, ChoiceStream &s, int64_t turns);
  Int chooseEnd(KernelBuilder &k, ChoiceStream &s, int64_t turns);
  /// The number in the index's type, as a constant or as what only the launch knows.
  mlir::Value bound(KernelBuilder &k, ChoiceStream &s, Int value, unsigned percentOfLaunch) const;
  Int least() const { return isUnsigned ? 0 : signedMin(width); }
  Int most() const { return isUnsigned ? unsignedMax(width) : signedMax(width); }

  cuda_tile::ForOp loop;
  unsigned width = 32;
  bool isUnsigned = false;
  Int first = 0, step = 1;
};

} // namespace tilesmith::generators

#endif // GENERATORS_PROGRAM_TURNLOOP_H
