//===- IdiomExtentRules.cpp - what is asked of views, and what is promised about their extents ---------------===//
//
// A view of two or three dimensions whose extents and strides the launch gives, some of them with a promise of
// their own: a divisor, or bounds. What is asked of the view (the extents, the number of its tiles) bounds or
// moves the accesses of a tile through pointers. What a compiler knows of one extent holds for that one alone:
// a mask by an extent that nothing divides cuts a wide access in the middle.
//
// Needs: depth 0. Promises: promises are true; offsets lie inside of the array, masked or not.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/IdiomRules.h"

#include <algorithm>

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::IntegerOverflow;
using cuda_tile::TileType;

namespace {

class Extents {
public:
  Extents(KernelBuilder &k, ChoiceStream &s)
      : k(k), s(s), b(k.builder()), i32(k.scalarType(k.intType(32))) {}

  void build() {
    k.note("asked-extents");
    const size_t rank = s.chance(70) ? 2 : 3;
    for (size_t i = 0; i < rank; ++i)
      shape.push_back(rank == 3 && i == 0 ? s.between(1, 9)
                      : s.chance(50)      ? int64_t(16) * s.between(1, 4)
                                          : s.between(1, 61));
    asked = s.below(rank);
    makeView();
    mlir::Value bound = ask();
    static constexpr unsigned kWidths[] = {8, 16, 32};
    mlir::Type element = s.chance(70) ? k.intType(kWidths[s.below(3)]) : chooseWideFloat(k, s);
    const int64_t count = int64_t(64) << s.below(3);
    TileType line = k.tileType({count}, k.intType(32)), type = k.tileType({count}, element);
    mlir::Value places = cuda_tile::IotaOp::create(b, k.loc(), line), at = places;
    auto spread = [&](mlir::Value number) { return k.splat({number, {}}, {count}).ssa; };
    if (s.chance(35)) // behind what was asked for
      at = cuda_tile::AddIOp::create(b, k.loc(), line, at, spread(bound), IntegerOverflow::NSW);
    mlir::Value mask;
    if (s.chance(80)) {
      const auto predicate = s.chance(70) ? cuda_tile::ComparisonPredicate::LESS_THAN
                                          : cuda_tile::ComparisonPredicate::GREATER_THAN_OR_EQUAL;
      mask = cuda_tile::CmpIOp::create(b, k.loc(), k.tileType({count}, k.intType(1)), predicate,
                                       places, spread(bound), cuda_tile::Signedness::Signed);
    }
    const int64_t all = count + (known + 15) / 16 * 16;
    const bool stores = s.chance(35);
    ArrayInfo &array = k.addFlatArray(element, all * (stores ? k.blockCount() : 1), stores);
    mlir::Value base = promised(array.base, 16);
    if (!stores)
      return keepTile(k, s,
                      loadPointers(k, s, type, pointersAt(k, base, at), mask,
                                   mask ? k.constant(s, type).ssa : mlir::Value(), {})
                          .tile);
    mlir::Value start = cuda_tile::MulIOp::create(
        b, k.loc(), i32, k.blockNumber().ssa, k.intConstant(i32, all).ssa, IntegerOverflow::NSW);
    storePointers(k, s, pointersAt(k, pointersAt(k, base, start), at),
                  freshTile(k, s, type, Fill::Any), mask, {});
  }

private:
  mlir::Value promised(mlir::Value value, uint64_t by) {
    return cuda_tile::AssumeOp::create(
        b, k.loc(), value.getType(), value,
        cuda_tile::DivByAttr::get(&k.context(), by, std::nullopt, std::nullopt));
  }

  /// A number that only the launch knows, with what is true of it; the one that is asked for more seldom.
  mlir::Value launched(int64_t value, bool isAsked) {
    mlir::Value number = k.addExtentArgument(value);
    const uint64_t divisor =
        std::min<uint64_t>(64, static_cast<uint64_t>(value) & (~static_cast<uint64_t>(value) + 1));
    if (divisor > 1 && s.chance(isAsked ? 30 : 80))
      return promised(number, divisor);
    if (!s.chance(25))
      return number;
    return cuda_tile::AssumeOp::create(
        b, k.loc(), number.getType(), number,
        cuda_tile::BoundedAttr::get(&k.context(), s.between(0, 1), value + s.between(0, 64)));
  }

  void makeView() {
    const size_t rank = shape.size();
    llvm::SmallVector<int64_t> extents(shape), strides(rank, 1);
    for (size_t i = rank - 1; i > 0; --i)
      strides[i - 1] = strides[i] * shape[i] + (s.chance(40) ? s.between(1, 16) : 0);
    llvm::SmallVector<bool> isStatic(rank), keepsStride(rank);
    for (size_t i = 0; i < rank; ++i)
      isStatic[i] = i != asked && s.chance(25), keepsStride[i] = i + 1 == rank || s.chance(50);
    ArrayInfo &array =
        k.addPlacedArray(k.intType(8), shape, strides, llvm::SmallVector<bool>(rank, true),
                         llvm::SmallVector<bool>(rank, true), Fill::Any);
    llvm::SmallVector<mlir::Value> sizes, steps;
    for (size_t i = 0; i < rank; ++i) {
      if (!isStatic[i])
        extents[i] = mlir::ShapedType::kDynamic, sizes.push_back(launched(shape[i], i == asked));
      if (!keepsStride[i])
        steps.push_back(launched(strides[i], false)), strides[i] = mlir::ShapedType::kDynamic;
    }
    auto type = cuda_tile::TensorViewType::get(&k.context(), array.element, extents, strides, {});
    tensor = cuda_tile::MakeTensorViewOp::create(b, k.loc(), type, array.base, sizes, steps);
  }

  /// An extent, or the number of tiles along it.
  mlir::Value ask() {
    const size_t rank = shape.size();
    llvm::SmallVector<mlir::Type> types(rank, i32);
    known = shape[asked];
    if (s.chance(75))
      return k.emit<cuda_tile::GetTensorShapeOp>(types, tensor)
          ->getResult(static_cast<unsigned>(asked));
    llvm::SmallVector<int32_t> tile, map;
    for (size_t i = 0; i < rank; ++i) {
      tile.push_back(1 << s.below(4));
      map.push_back(static_cast<int32_t>(i));
    }
    auto viewType = cuda_tile::PartitionViewType::get(
        &k.context(), mlir::DenseI32ArrayAttr::get(&k.context(), tile),
        llvm::cast<cuda_tile::TensorViewType>(tensor.getType()), map, {});
    mlir::Value view = k.emit<cuda_tile::MakePartitionViewOp>(viewType, tensor).getResult();
    known = (shape[asked] + tile[asked] - 1) / tile[asked];
    return k.emit<cuda_tile::GetIndexSpaceShapeOp>(types, view)
        ->getResult(static_cast<unsigned>(asked));
  }

  KernelBuilder &k;
  ChoiceStream &s;
  mlir::OpBuilder &b;
  TileType i32;
  llvm::SmallVector<int64_t> shape;
  size_t asked = 0;  ///< the dimension
  int64_t known = 0; ///< what is asked for
  mlir::Value tensor;
};

} // namespace

bool tilesmith::generators::applyAskedExtents(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  Extents(k, s).build();
  return true;
}
