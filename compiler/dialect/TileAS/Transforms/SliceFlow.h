//===- SliceFlow.h - tiles that slices and concatenations connect -----------------------------===//
//
// A position inside a tile is a number of bits. Elementwise operations, views, permutations, slices and
// concatenations make bits of one tile those of another: such bits form a class. A slice fixes some bits
// of its source, and a concatenation adds one to its result; where these lie in registers, both
// are a renaming of the registers of each thread. Bytes of a tile that are reinterpreted stay in their thread
// where the bits that tell apart the parts of its wider elements lie in registers. `SliceFlow` finds the classes in one block, `planRoles`
// says where each class lies, from one operation to the next.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_TRANSFORMS_SLICEFLOW_H
#define COMPILER_DIALECT_TILEAS_TRANSFORMS_SLICEFLOW_H

#include "compiler/dialect/TileAS/IR/TileAS.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/IntEqClasses.h"

namespace tilesmith::tileas {

/// Where a bit of a position lies: which bit of the lane or of the warp decides it; else registers.
struct Role {
  enum Place : uint8_t { Register, Lane, Warp };
  Place place = Register;
  unsigned slot = 0;

  bool operator==(const Role &other) const { return place == other.place && slot == other.slot; }
};

using Roles = llvm::SmallVector<Role, 0>; ///< by class

class SliceFlow {
public:
  static constexpr unsigned kNone = ~0u;

  /// A tile as an operation makes or takes it.
  struct Tile {
    mlir::Value value;
    llvm::SmallVector<unsigned, 12> bits; ///< class of each bit of a position
  };
  struct Step {
    mlir::Operation *op;
    llvm::SmallVector<unsigned, 3> operands; ///< tile of each operand; kNone: no tile
    unsigned result = kNone;                 ///< tile of the first result
    llvm::SmallVector<unsigned, 4> forced;   ///< classes that have to lie in registers here
    unsigned group = 0;

    unsigned anyTile() const; ///< a step has one
  };

  explicit SliceFlow(mlir::Block &block);

  llvm::ArrayRef<Step> steps() const LLVM_LIFETIME_BOUND { return allSteps; }
  const Tile &tile(unsigned number) const LLVM_LIFETIME_BOUND { return tiles[number]; }
  unsigned numClasses() const { return classCount; }
  /// Bits of the number of a warp, for the tiles of a group.
  unsigned warpBits(llvm::ArrayRef<unsigned> group) const;
  /// Groups of steps whose tiles are connected, in which something is sliced or concatenated: the numbers of their steps.
  llvm::SmallVector<llvm::SmallVector<unsigned>> groups() const;
  /// Instructions for an element of a tile that each thread can compute by itself; 0: an ordinary tile.
  int64_t indexCost(mlir::Value value);

private:
  void add(mlir::Operation *op);
  void addSlice(Step &step, ExtractSliceOp op);
  void addCat(Step &step, CatOp op);
  void addReinterpret(Step &step, ReinterpretOp op);
  unsigned newTile(mlir::Value value, llvm::ArrayRef<unsigned> bits);
  /// The tile of an ordinary value; new classes for one that nothing in the block makes.
  unsigned tileOf(mlir::Value value);
  llvm::SmallVector<unsigned> newClasses(unsigned count);
  /// A use of the value whose bits are these: its own tile, or, where that would make two bits of a tile
  /// one, a copy that the two layouts are converted between.
  unsigned use(mlir::Value value, llvm::ArrayRef<unsigned> bits);
  bool unify(llvm::ArrayRef<unsigned> a, llvm::ArrayRef<unsigned> b);

  std::vector<Tile> tiles;
  std::vector<Step> allSteps;
  llvm::DenseMap<mlir::Value, unsigned> tileNumbers;
  llvm::DenseMap<mlir::Value, int64_t> indexCosts;
  llvm::IntEqClasses classes, connected; ///< of bits; of tiles
  std::vector<llvm::SmallVector<unsigned>> tilesOfClass;
  unsigned classCount = 0;
};

/// The roles of all classes, from some steps on.
struct RolePlan {
  llvm::SmallVector<std::pair<unsigned, Roles>> epochs; ///< first step; ascending

  const Roles &at(unsigned step) const LLVM_LIFETIME_BOUND;
};

/// The layout of a tile of these bits; null where two bits have one place.
LayoutAttr layoutOf(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> shape,
                    llvm::ArrayRef<unsigned> bits, const Roles &roles, unsigned warpBits);

/// Roles for the steps of a group: constant ones, if all that is forced fits into registers, the lanes as
/// they were or in order; those that change as slices and concatenations come, the class that is forced
/// last giving way.
std::optional<RolePlan> planConstantRoles(const SliceFlow &flow, llvm::ArrayRef<unsigned> group,
                                          unsigned warpBits, bool lanesInOrder);
std::optional<RolePlan> planChangingRoles(const SliceFlow &flow, llvm::ArrayRef<unsigned> group,
                                          unsigned warpBits);

/// Bytes of an element in a thread or in memory, at least one.
int64_t bytesOfElement(mlir::Type tile);
/// Whether a load or store through memory moves as much at once with one layout of its tile as with
/// another, or almost so. Any other operation: true.
bool keepsAccess(mlir::Operation *access, LayoutAttr now, LayoutAttr before);
/// Bits of a position whose elements an access moves at once.
llvm::SmallVector<unsigned> vectorBitsOf(mlir::Operation *access);

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_TRANSFORMS_SLICEFLOW_H
