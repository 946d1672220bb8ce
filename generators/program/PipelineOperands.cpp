//===- PipelineOperands.cpp - operands of products over loops that compilers pipeline -------------===//
#include "generators/program/PipelineOperands.h"
#include "compiler/dialect/CudaTile/IR/CudaTileTargets.h"

#include "llvm/Support/MathExtras.h"

using namespace tilesmith;
using namespace tilesmith::generators;

mlir::Value PipelineOperands::number(Int value) {
  return k.intConstant(k.scalarType(k.intType(32)), value).ssa;
}

int64_t PipelineOperands::bytes() {
  return llvm::isa<mlir::FloatTF32Type>(types.input) ? 4 : widthOf(types.input) / 8;
}

mlir::Value PipelineOperands::divisible(mlir::Value value, uint64_t by) {
  k.note("assume");
  auto fact = cuda_tile::DivByAttr::get(&k.context(), by, std::nullopt, std::nullopt);
  return cuda_tile::AssumeOp::create(b, k.loc(), value.getType(), value, fact);
}

PipelineOperands::Operand PipelineOperands::makeOperand(unsigned depthDim, int64_t outerTile,
                                                        int64_t blocks) {
  Operand o;
  o.depthDim = depthDim;
  unsigned outerDim = 1 - o.depthDim;
  int64_t outerExtent = outerTile * blocks;
  if (!shape.exactEdges && s.chance(50))
    outerExtent -= s.between(0, outerTile - 1);
  o.overhangsOuter = outerExtent % outerTile != 0;
  o.overhangsDepth = shape.totalDepth % shape.depth != 0;

  llvm::SmallVector<int64_t> tile(2), extents(2), strides(2);
  tile[o.depthDim] = shape.depth;
  tile[outerDim] = outerTile;
  extents[o.depthDim] = shape.totalDepth;
  extents[outerDim] = outerExtent;
  o.tile = k.tileType(tile, types.stored);
  // Rows of memory run along the depth or along the other dimension.
  // Warpgroup products read elements of two bytes only across, those in tensor memory of one and four,
  // too.
  unsigned contiguous =
      s.chance(60) || (isIdeal && bytes() == 1 && s.chance(65)) ? o.depthDim : outerDim;
  int64_t unit = 16 / bytes();
  bool aligned = isIdeal || s.chance(85);
  strides[contiguous] = 1;
  strides[1 - contiguous] =
      aligned ? static_cast<int64_t>(llvm::alignTo(extents[contiguous], unit)) + unit * s.below(2)
              : extents[contiguous] + s.between(0, 3);
  llvm::SmallVector<bool> staticShape(2), staticStride(2);
  for (unsigned i : {0u, 1u}) {
    staticShape[i] = s.chance(40);
    staticStride[i] = i == contiguous ? s.chance(90) : s.chance(50);
  }
  const Fill fill = isInteger ? Fill::Any : exact ? Fill::SmallIntegers : Fill::Reals;
  // The array begins in front of where the last offset starts, at an address that tensor maps may have.
  const int64_t back = isShifted && s.chance(35) ? unit * s.between(1, 4) : 0;
  const int64_t lead = back                        ? unit * s.between(0, 2)
                       : isShifted && s.chance(70) ? s.between(1, 2 * unit)
                                                   : 0;
  const bool isBehind = back || lead;
  ArrayInfo &array =
      isBehind ? addShifted(lead, back, extents, strides, fill)
               : k.addPlacedArray(types.stored, extents, strides, staticShape, staticStride, fill);
  o.array = &array;
  if (isBehind) {
    array.staticShape = staticShape;
    array.staticStride = staticStride;
    for (unsigned i : {0u, 1u}) {
      array.extentArgs.push_back(staticShape[i] ? mlir::Value() : k.addExtentArgument(extents[i]));
      array.strideArgs.push_back(staticStride[i] ? mlir::Value() : k.addExtentArgument(strides[i]));
    }
  } else if (isIdeal || s.chance(85)) {
    array.base = divisible(array.base, 16);
  }
  for (unsigned i : {0u, 1u}) {
    if (array.strideArgs[i] && i != contiguous && strides[i] % unit == 0 &&
        (isIdeal || s.chance(80)))
      array.strideArgs[i] = divisible(array.strideArgs[i], static_cast<uint64_t>(unit));
    if (array.extentArgs[i] && extents[i] % unit == 0 && s.chance(isIdeal ? 80 : 50))
      array.extentArgs[i] = divisible(array.extentArgs[i], static_cast<uint64_t>(unit));
  }
  if (isDirected && s.chance(80)) {
    k.note("k-loop-directed");
    o.rounding = k.version() >= 4 && s.chance(40) ? cuda_tile::RoundingMode::NEAREST_AWAY
                                                  : cuda_tile::RoundingMode::ZERO;
  }
  o.outer = blocks > 1 ? k.blockNumber().ssa : number(0);
  if (shape.cluster == 1 && !isPlain && (byPointers ? s.chance(90) : s.chance(isIdeal ? 8 : 25)))
    makePointers(o);
  else
    makeView(o);
  return o;
}

ArrayInfo &PipelineOperands::addShifted(int64_t lead, int64_t back, llvm::ArrayRef<int64_t> extents,
                                        llvm::ArrayRef<int64_t> strides, Fill fill) {
  k.note("k-loop-shifted-base");
  int64_t count = lead + back + 1;
  for (auto [extent, stride] : llvm::zip_equal(extents, strides))
    count += (extent - 1) * stride;
  ArrayInfo &seen =
      shifted.emplace_back(k.addFlatArray(types.stored, count, /*output=*/false, fill));
  auto moved = [&](mlir::Value base, int64_t by) -> mlir::Value {
    mlir::Value elements = s.chance(back ? 80 : 40) ? k.addExtentArgument(by) : number(by);
    return cuda_tile::OffsetOp::create(b, k.loc(), base.getType(), base, elements);
  };
  if (back) {
    k.note("k-loop-base-goes-back");
    k.pointBehind(seen, lead + back);
  }
  seen.base = moved(divisible(seen.base, 16), back ? -back : lead);
  seen.shape.assign(extents.begin(), extents.end());
  seen.strides.assign(strides.begin(), strides.end());
  seen.extentArgs.clear();
  seen.strideArgs.clear();
  return seen;
}

void PipelineOperands::makeView(Operand &o) {
  ArrayInfo &array = *o.array;
  llvm::SmallVector<int64_t> extents, strides;
  llvm::SmallVector<mlir::Value> extentValues, strideValues;
  // The array as it is, or with its dimensions in the other order, which dim_map undoes.
  bool swapped = s.chance(30);
  for (unsigned at : {0u, 1u}) {
    unsigned i = swapped ? 1 - at : at;
    extents.push_back(array.staticShape[i] ? array.shape[i] : mlir::ShapedType::kDynamic);
    strides.push_back(array.staticStride[i] ? array.strides[i] : mlir::ShapedType::kDynamic);
    if (!array.staticShape[i])
      extentValues.push_back(k.extentOf(array, i));
    if (!array.staticStride[i])
      strideValues.push_back(k.strideOf(array, i));
  }
  // As frontends give tiles to products: in the order of the array, or one of a batch.
  o.isPermuted = s.chance(25);
  llvm::SmallVector<int32_t> map = {swapped != o.isPermuted, swapped == o.isPermuted};
  llvm::SmallVector<int32_t> tile(o.tile.getShape().begin(), o.tile.getShape().end());
  if (o.isPermuted)
    std::swap(tile[0], tile[1]);
  bool isOfBatch = s.chance(25), isOutside = false;
  if (isOfBatch) {
    k.note("k-loop-unit-dimension");
    bool isDynamic = s.chance(60);
    extents.insert(extents.begin(), isDynamic ? mlir::ShapedType::kDynamic : 1);
    if (isDynamic)
      extentValues.insert(extentValues.begin(), number(1));
    strides.insert(strides.begin(), llvm::alignTo(array.shape[0] * array.shape[1] * 2, 16));
    for (int32_t &dim : map)
      ++dim;
    map.insert(map.begin(), 0);
    tile.insert(tile.begin(), 1);
    isOutside = s.chance(15); // padding only
    o.batch = number(isOutside ? s.between(1, 2) : 0);
  }
  auto type = cuda_tile::TensorViewType::get(&k.context(), array.element, extents, strides, {});
  mlir::Value tensor =
      cuda_tile::MakeTensorViewOp::create(b, k.loc(), type, array.base, extentValues, strideValues);
  cuda_tile::PaddingValueAttr padding;
  if (o.overhangsOuter || o.overhangsDepth || isOutside || s.chance(50)) {
    // Along the depth mostly zeros: a product is then the same as without the padding. Infinities and NaN
    // decide all of a row or column.
    auto value =
        ((o.overhangsDepth || isOutside) && !maySpoilDepth) || !exact || !isFloat(types.stored)
            ? cuda_tile::PaddingValueAttr::get(&k.context(), cuda_tile::PaddingValue::zero)
        : isPlain && s.chance(80)
            ? cuda_tile::PaddingValueAttr::get(&k.context(), cuda_tile::PaddingValue::nan)
            : choosePadding(k, s, types.stored);
    if (o.overhangsDepth && value.getValue() != cuda_tile::PaddingValue::zero)
      k.note("k-loop-spoiled-depth");
    padding = value;
  }
  auto viewType = cuda_tile::PartitionViewType::get(
      &k.context(), mlir::DenseI32ArrayAttr::get(&k.context(), tile), type, map, padding);
  o.view = k.emit<cuda_tile::MakePartitionViewOp>(viewType, tensor).getResult();
}

mlir::Value PipelineOperands::wrapping(mlir::Value x, Int y) {
  return cuda_tile::AddIOp::create(b, k.loc(), x.getType(), x, number(y),
                                   cuda_tile::IntegerOverflow::NONE);
}

mlir::Value PipelineOperands::add(mlir::Value x, mlir::Value y) {
  return cuda_tile::AddIOp::create(b, k.loc(), x.getType(), x, y, cuda_tile::IntegerOverflow::NSW);
}

mlir::Value PipelineOperands::multiply(mlir::Value x, mlir::Value y) {
  return cuda_tile::MulIOp::create(b, k.loc(), x.getType(), x, y, cuda_tile::IntegerOverflow::NSW);
}

mlir::Value PipelineOperands::splat(mlir::Value scalar, llvm::ArrayRef<int64_t> to) {
  return k.splat({scalar, {}}, to).ssa;
}

mlir::Value PipelineOperands::coordinates(llvm::ArrayRef<int64_t> to, unsigned dim) {
  mlir::Type i32 = k.intType(32);
  llvm::SmallVector<int64_t> flat = {to[dim]}, column(to.size(), 1);
  column[dim] = to[dim];
  mlir::Value line = cuda_tile::IotaOp::create(b, k.loc(), k.tileType(flat, i32));
  mlir::Value reshaped = cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType(column, i32), line);
  if (llvm::ArrayRef<int64_t>(column) == to)
    return reshaped;
  return cuda_tile::BroadcastOp::create(b, k.loc(), k.tileType(to, i32), reshaped);
}

void PipelineOperands::makePointers(Operand &o) {
  k.note("k-loop-pointers");
  llvm::ArrayRef<int64_t> to = o.tile.getShape();
  mlir::Value offsets;
  for (unsigned dim : {0u, 1u}) {
    mlir::Value at = coordinates(to, dim);
    if (dim != o.depthDim)
      at = add(at, splat(multiply(o.outer, number(to[dim])), to));
    if (o.array->strides[dim] != 1 || !o.array->staticStride[dim])
      at = multiply(at, splat(k.strideOf(*o.array, dim), to));
    offsets = offsets ? add(offsets, at) : at;
  }
  o.pointers = pointersAt(k, o.array->base, offsets);
  if (mayCarry && s.chance(byPointers ? 80 : 40)) {
    k.note("k-loop-carried-pointers");
    mlir::Value distance = number(shape.depth * shape.skips);
    if (o.array->strides[o.depthDim] != 1 || !o.array->staticStride[o.depthDim])
      distance = multiply(distance, k.strideOf(*o.array, o.depthDim));
    o.advance = splat(distance, to);
  }
}

llvm::SmallVector<mlir::NamedAttribute> PipelineOperands::loadAttributes() {
  llvm::SmallVector<mlir::NamedAttribute> attributes = {k.attr(
      "memory_ordering_semantics", cuda_tile::MemoryOrderingSemanticsAttr::get(
                                       &k.context(), cuda_tile::MemoryOrderingSemantics::WEAK))};
  if (s.chance(40)) {
    k.note("hints");
    llvm::SmallVector<mlir::NamedAttribute> hints;
    if (s.chance(30))
      hints.push_back(b.getNamedAttr("allow_tma", b.getBoolAttr(s.chance(50))));
    hints.push_back(b.getNamedAttr("latency", b.getI64IntegerAttr(s.between(1, 8))));
    llvm::ArrayRef<llvm::StringRef> gpus = cuda_tile::drawnTargets();
    llvm::StringRef key = k.version() >= 3 ? "default" : gpus[s.below(gpus.size())];
    attributes.push_back(k.attr(
        "optimization_hints",
        cuda_tile::OptimizationHintsAttr::get(
            &k.context(), b.getDictionaryAttr({b.getNamedAttr(key, b.getDictionaryAttr(hints))}))));
  }
  return attributes;
}

Loaded PipelineOperands::load(Operand &o, mlir::Value step, mlir::Value before) {
  Loaded loaded = loadStored(o, step, before);
  if (types.stored != types.input)
    loaded.tile = cuda_tile::FToFOp::create(b, k.loc(), k.tileType(o.tile.getShape(), types.input),
                                            loaded.tile, o.rounding);
  return loaded;
}

mlir::Value PipelineOperands::paddingOf(cuda_tile::TileType type) {
  if (!maySpoilDepth || s.chance(40))
    return zeros(type);
  const llvm::fltSemantics &semantics =
      llvm::cast<mlir::FloatType>(type.getElementType()).getFloatSemantics();
  const llvm::APFloat values[] = {
      llvm::APFloat::getInf(semantics), llvm::APFloat::getInf(semantics, true),
      llvm::APFloat::getNaN(semantics), llvm::APFloat::getZero(semantics, true)};
  return k.floatConstant(type, values[s.below(std::size(values))]).ssa;
}

mlir::Value PipelineOperands::moved(Operand &o, mlir::Value depth) {
  mlir::Value distance = o.array->strides[o.depthDim] == 1 && o.array->staticStride[o.depthDim]
                             ? depth
                             : multiply(depth, k.strideOf(*o.array, o.depthDim));
  return cuda_tile::OffsetOp::create(b, k.loc(), o.pointers.getType(), o.pointers,
                                     splat(distance, o.tile.getShape()));
}

Loaded PipelineOperands::loadStored(Operand &o, mlir::Value step, mlir::Value before) {
  llvm::SmallVector<mlir::Type> results = {o.tile, cuda_tile::TokenType::get(&k.context())};
  if (o.view) {
    llvm::SmallVector<mlir::Value> operands = {o.view};
    if (o.batch)
      operands.push_back(o.batch);
    for (unsigned dim : {0u, 1u})
      operands.push_back((dim == o.depthDim) != o.isPermuted ? step : o.outer);
    if (before)
      operands.push_back(before);
    llvm::SmallVector<int64_t> loaded(o.tile.getShape());
    if (o.isPermuted)
      std::swap(loaded[0], loaded[1]);
    cuda_tile::TileType matrix = k.tileType(loaded, o.tile.getElementType());
    if (o.batch)
      loaded.insert(loaded.begin(), 1);
    results[0] = k.tileType(loaded, o.tile.getElementType());
    k.note("load_view_tko");
    auto op = k.emit<cuda_tile::LoadViewTkoOp>(results, operands, loadAttributes(),
                                               {1, o.batch ? 3 : 2, before ? 1 : 0});
    mlir::Value tile = op.getTile();
    if (o.batch)
      tile = cuda_tile::ReshapeOp::create(b, k.loc(), matrix, tile);
    if (o.isPermuted)
      tile = cuda_tile::PermuteOp::create(b, k.loc(), o.tile, tile, b.getDenseI32ArrayAttr({1, 0}));
    return {tile, op.getResultToken()};
  }
  llvm::ArrayRef<int64_t> to = o.tile.getShape();
  mlir::Value first = depthOfTurn ? depthOfTurn : multiply(step, number(shape.depth));
  mlir::Value pointers = o.pointers;
  if (!o.advance)
    pointers = moved(o, first);
  mlir::Value mask, padding;
  auto bound = [&](unsigned dim, mlir::Value start) {
    mlir::Value inside = cuda_tile::CmpIOp::create(
        b, k.loc(), k.tileType(to, k.intType(1)), cuda_tile::ComparisonPredicate::LESS_THAN,
        add(coordinates(to, dim), splat(start, to)), splat(k.extentOf(*o.array, dim), to),
        cuda_tile::Signedness::Signed);
    mask = mask ? cuda_tile::AndIOp::create(b, k.loc(), inside.getType(), mask, inside).getResult()
                : inside;
  };
  if (o.overhangsDepth || s.chance(20))
    bound(o.depthDim, first);
  if (o.overhangsOuter || s.chance(20))
    bound(1 - o.depthDim, multiply(o.outer, number(to[1 - o.depthDim])));
  llvm::SmallVector<mlir::Value> operands = {pointers};
  if (mask) {
    padding = isInteger ? k.intConstant(o.tile, 0).ssa : paddingOf(o.tile);
    operands.append({mask, padding});
  }
  if (before)
    operands.push_back(before);
  k.note("load_ptr_tko");
  auto op = k.emit<cuda_tile::LoadPtrTkoOp>(results, operands, loadAttributes(),
                                            {1, mask ? 1 : 0, mask ? 1 : 0, before ? 1 : 0});
  return {op.getResult(), op.getResultToken()};
}

mlir::Value PipelineOperands::zeros(cuda_tile::TileType type) {
  return k.floatConstant(type, 0.0).ssa;
}

mlir::Value PipelineOperands::batchOfOne(mlir::Value tile) {
  auto type = llvm::cast<cuda_tile::TileType>(tile.getType());
  llvm::SmallVector<int64_t> to = {1};
  llvm::append_range(to, type.getShape());
  return cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType(to, type.getElementType()), tile);
}

mlir::Value PipelineOperands::product(cuda_tile::TileType type, mlir::Value x, mlir::Value y,
                                      mlir::Value sum) {
  if (type.getRank() == 3) {
    x = batchOfOne(x);
    y = batchOfOne(y);
  }
  if (isInteger)
    return cuda_tile::MmaIOp::create(b, k.loc(), type, x, y, sum, leftSign, rightSign);
  auto multiply = [&](cuda_tile::TileType sums, mlir::Value before) -> mlir::Value {
    return cuda_tile::MmaFOp::create(b, k.loc(), sums, x, y, before,
                                     isFast ? b.getUnitAttr() : mlir::UnitAttr());
  };
  if (!roundsSum)
    return multiply(type, sum);
  k.note("k-loop-rounded-sum");
  auto convert = [&](mlir::Value value, cuda_tile::TileType to) -> mlir::Value {
    return cuda_tile::FToFOp::create(b, k.loc(), to, value, cuda_tile::RoundingMode::NEAREST_EVEN);
  };
  cuda_tile::TileType wide = k.tileType(type.getShape(), b.getF32Type());
  return convert(multiply(wide, convert(sum, wide)), type);
}

cuda_tile::RoundingModeAttr PipelineOperands::nearest() {
  return cuda_tile::RoundingModeAttr::get(&k.context(), cuda_tile::RoundingMode::NEAREST_EVEN);
}

mlir::Value PipelineOperands::multiplyFloats(mlir::Value x, mlir::Value y) {
  return cuda_tile::MulFOp::create(b, k.loc(), x.getType(), x, y, nearest(), mlir::UnitAttr());
}

mlir::Value PipelineOperands::larger(mlir::Value x, mlir::Value y) {
  return cuda_tile::MaxFOp::create(b, k.loc(), x.getType(), x, y, mlir::UnitAttr(),
                                   mlir::UnitAttr());
}

mlir::Value PipelineOperands::sumOf(mlir::Value x, mlir::Value y) {
  return cuda_tile::AddFOp::create(b, k.loc(), x.getType(), x, y, nearest(), mlir::UnitAttr());
}
