//===- PlaceBuilder.cpp - offsets as expressions of positions and constants -------------------------===//
#include "generators/program/PlaceBuilder.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <utility>

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::ComparisonPredicate;
using cuda_tile::IntegerOverflow;
using cuda_tile::RoundingMode;
using cuda_tile::Signedness;
using cuda_tile::TileType;

Places PlaceBuilder::line(int64_t count) {
  Places p;
  p.shape = {count};
  p.ssa = cuda_tile::IotaOp::create(b, k.loc(), k.tileType(p.shape, k.intType(32)));
  for (int64_t i = 0; i < count; ++i)
    p.values.push_back(i);
  return p;
}

void PlaceBuilder::step(Places &p) {
  static constexpr Int kNumbers[] = {1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 33, 64, 100};
  Int c = kNumbers[s.below(std::size(kNumbers))];
  TileType type = typeOf(p);
  mlir::Value constant = k.intConstant(type, c).ssa;
  mlir::Location loc = k.loc();
  auto none = s.chance(50) ? IntegerOverflow::NONE : IntegerOverflow::NSW;
  auto each = [&](auto fn) {
    for (int64_t &v : p.values)
      v = fn(v);
  };
  bool natural = llvm::all_of(p.values, [](int64_t v) { return v >= 0; });
  Signedness sign = natural && s.chance(40) ? Signedness::Unsigned : Signedness::Signed;
  int log = static_cast<int>(s.between(1, 4));
  mlir::Value shift = k.intConstant(type, log).ssa;
  switch (s.below(17)) {
  case 12:
    return narrow(p);
  case 15:
  case 16:
    return passEnd(p);
  case 13:
    p.ssa = cuda_tile::AndIOp::create(b, loc, type, p.ssa, constant);
    return each([&](int64_t v) { return v & c; });
  case 14:
    p.ssa = cuda_tile::OrIOp::create(b, loc, type, p.ssa, constant);
    return each([&](int64_t v) { return v | c; });
  case 9:
    p.ssa = cuda_tile::ShRIOp::create(b, loc, type, p.ssa, shift, sign);
    return each([&](int64_t v) { return v >> log; });
  case 10:
    if (p.values.size() > 512)
      return;
    p.ssa = cuda_tile::ShLIOp::create(b, loc, type, p.ssa, shift, none);
    return each([&](int64_t v) { return v * (int64_t(1) << log); });
  case 11:
    p.ssa = cuda_tile::XOrIOp::create(b, loc, type, p.ssa, constant);
    return each([&](int64_t v) { return v ^ c; });
  case 0:
    p.ssa = cuda_tile::AddIOp::create(b, loc, type, p.ssa, constant, none);
    return each([&](int64_t v) { return v + c; });
  case 1:
    p.ssa = cuda_tile::SubIOp::create(b, loc, type, p.ssa, constant, none);
    return each([&](int64_t v) { return v - c; });
  case 2:
    p.ssa = cuda_tile::SubIOp::create(b, loc, type, constant, p.ssa, none);
    return each([&](int64_t v) { return c - v; });
  case 3:
    c = p.values.size() > 64 || s.chance(50) ? s.between(1, 6) : kNumbers[s.below(10)];
    if (s.chance(30))
      c = s.chance(60) ? 1 : s.between(2, 3);
    p.ssa = cuda_tile::MulIOp::create(
        b, loc, type, p.ssa, s.chance(60) ? promised(c, p.shape) : k.intConstant(type, c).ssa,
        none);
    return each([&](int64_t v) { return v * c; });
  case 4:
    p.ssa = cuda_tile::MinIOp::create(b, loc, type, p.ssa, constant, Signedness::Signed);
    return each([&](int64_t v) { return std::min<int64_t>(v, c); });
  case 5:
    p.ssa = cuda_tile::MaxIOp::create(b, loc, type, p.ssa, constant, Signedness::Signed);
    return each([&](int64_t v) { return std::max<int64_t>(v, c); });
  case 6:
    p.ssa = cuda_tile::RemIOp::create(b, loc, type, p.ssa, constant, sign);
    return each([&](int64_t v) { return v % c; });
  case 7:
    p.ssa = cuda_tile::DivIOp::create(b, loc, type, p.ssa, constant, sign, RoundingMode::ZERO);
    return each([&](int64_t v) { return v / c; });
  default: {
    mlir::Value first = cuda_tile::CmpIOp::create(b, loc, k.tileType(p.shape, k.intType(1)),
                                                  cuda_tile::ComparisonPredicate::LESS_THAN, p.ssa,
                                                  constant, Signedness::Signed);
    Int shift = s.between(1, 40);
    mlir::Value moved =
        cuda_tile::AddIOp::create(b, loc, type, p.ssa, k.intConstant(type, shift).ssa, none);
    p.ssa = cuda_tile::SelectOp::create(b, loc, type, first, p.ssa, moved);
    return each([&](int64_t v) { return v < c ? v : v + shift; });
  }
  }
}

mlir::Value PlaceBuilder::promised(Int number, llvm::ArrayRef<int64_t> shape) {
  k.note("promised-number");
  mlir::Value argument = k.addExtentArgument(static_cast<int64_t>(number));
  const auto value = static_cast<int64_t>(number);
  argument = cuda_tile::AssumeOp::create(b, k.loc(), argument.getType(), argument,
                                         cuda_tile::BoundedAttr::get(&k.context(), value, value));
  return k.splat({argument, {}}, shape).ssa;
}

void PlaceBuilder::narrow(Places &p) {
  mlir::Location loc = k.loc();
  const unsigned width = s.chance(65) ? 8 : 16;
  TileType wide = typeOf(p), less = k.tileType(p.shape, k.intType(width));
  // Often across an end of the shorter type, where its elements begin anew.
  auto [low, high] = std::minmax_element(p.values.begin(), p.values.end());
  const bool wraps = s.chance(60);
  const int64_t middle = (*low + *high) / 2;
  Int moved = 0; // in the shorter type
  if (int64_t end = int64_t(1) << (width - s.below(2)); wraps && middle < end) {
    moved = (end - middle) / 16 * 16 * (s.chance(70) ? 1 : -1);
    if (s.chance(50))
      move(p, std::exchange(moved, 0));
  }
  const bool isSigned = s.chance(60);
  mlir::Value cut;
  if (p.ssa.getDefiningOp<cuda_tile::IotaOp>() && *high < int64_t(1) << (width - 1) && s.chance(50))
    cut = cuda_tile::IotaOp::create(b, loc, less);
  else
    cut = cuda_tile::TruncIOp::create(b, loc, less, p.ssa, IntegerOverflow::NONE);
  if (moved != 0)
    cut = s.chance(50)
              ? cuda_tile::AddIOp::create(b, loc, less, cut, k.intConstant(less, moved).ssa,
                                          IntegerOverflow::NONE)
                    .getResult()
              : cuda_tile::SubIOp::create(b, loc, less, cut, k.intConstant(less, -moved).ssa,
                                          IntegerOverflow::NONE)
                    .getResult();
  for (int64_t &v : p.values)
    v += static_cast<int64_t>(moved);
  for (int64_t &v : p.values)
    v = isSigned && width == 8 ? static_cast<int8_t>(v)
        : isSigned             ? static_cast<int16_t>(v)
                               : v & ((1 << width) - 1);
  if (s.chance(50)) { // what the shorter type computes
    const Int c = s.chance(75) ? Int(2) << s.below(4) : s.between(3, 7);
    const bool divides = s.chance(65);
    mlir::Value constant = k.intConstant(less, c).ssa;
    auto signedness = isSigned ? Signedness::Signed : Signedness::Unsigned;
    cut = divides ? cuda_tile::DivIOp::create(b, loc, less, cut, constant, signedness,
                                              RoundingMode::ZERO)
                        .getResult()
                  : cuda_tile::RemIOp::create(b, loc, less, cut, constant, signedness).getResult();
    for (int64_t &v : p.values)
      v = divides ? v / static_cast<int64_t>(c) : v % static_cast<int64_t>(c);
  }
  p.ssa = cuda_tile::ExtIOp::create(b, loc, wide, cut,
                                    isSigned ? Signedness::Signed : Signedness::Unsigned);
}

void PlaceBuilder::passEnd(Places &p) {
  mlir::Location loc = k.loc();
  TileType type = typeOf(p);
  const int64_t middle = p.values[s.below(p.values.size())] / 16 * 16;
  const int64_t by = (int64_t(1) << 31) - middle - (s.chance(70) ? 0 : s.between(-3, 3));
  p.ssa = s.chance(50)
              ? cuda_tile::AddIOp::create(b, loc, type, p.ssa, k.intConstant(type, by).ssa,
                                          IntegerOverflow::NONE)
                    .getResult()
              : cuda_tile::SubIOp::create(b, loc, type, p.ssa, k.intConstant(type, -by).ssa,
                                          IntegerOverflow::NONE)
                    .getResult();
  for (int64_t &v : p.values)
    v = static_cast<int32_t>(v + by);
  // Back to where an array may be: what a compiler knows of the sum decides what this may become.
  const int log = static_cast<int>(s.between(25, 30));
  const Int number = s.chance(60) ? Int(4) << s.below(5) : s.between(3, 40);
  mlir::Value constant = k.intConstant(type, number).ssa, shift = k.intConstant(type, log).ssa,
              large = k.intConstant(type, Int(1) << log).ssa;
  auto each = [&](auto fn) {
    for (int64_t &v : p.values)
      v = fn(v);
  };
  switch (s.below(4)) {
  case 0:
    p.ssa = cuda_tile::RemIOp::create(b, loc, type, p.ssa, constant, Signedness::Signed);
    return each([&](int64_t v) { return v % static_cast<int64_t>(number); });
  case 1:
    p.ssa = cuda_tile::RemIOp::create(b, loc, type, p.ssa, constant, Signedness::Unsigned);
    return each([&](int64_t v) { return static_cast<uint32_t>(v) % static_cast<int64_t>(number); });
  case 2:
    p.ssa = cuda_tile::ShRIOp::create(b, loc, type, p.ssa, shift, Signedness::Signed);
    return each([&](int64_t v) { return v >> log; });
  default:
    p.ssa = cuda_tile::DivIOp::create(b, loc, type, p.ssa, large, Signedness::Signed,
                                      RoundingMode::ZERO);
    return each([&](int64_t v) { return v / (int64_t(1) << log); });
  }
}

void PlaceBuilder::scale(Places &p) {
  if (p.values.size() > 512)
    return;
  Int factor = Int(2) << s.below(4);
  TileType type = typeOf(p);
  p.ssa = cuda_tile::MulIOp::create(b, k.loc(), type, p.ssa, k.intConstant(type, factor).ssa,
                                    IntegerOverflow::NONE);
  for (int64_t &v : p.values)
    v *= static_cast<int64_t>(factor);
}

void PlaceBuilder::move(Places &p, Int by) {
  TileType type = typeOf(p);
  p.ssa = cuda_tile::AddIOp::create(b, k.loc(), type, p.ssa, k.intConstant(type, by).ssa,
                                    IntegerOverflow::NONE);
  for (int64_t &v : p.values)
    v += static_cast<int64_t>(by);
}

void PlaceBuilder::join(Places &p, const Places &other) {
  mlir::Type type = p.ssa.getType();
  bool adds = s.chance(75);
  p.ssa = adds
              ? cuda_tile::AddIOp::create(b, k.loc(), type, p.ssa, other.ssa, IntegerOverflow::NONE)
                    .getResult()
              : cuda_tile::SubIOp::create(b, k.loc(), type, p.ssa, other.ssa, IntegerOverflow::NONE)
                    .getResult();
  for (auto [mine, more] : llvm::zip_equal(p.values, other.values))
    mine += adds ? more : -more;
}

Places PlaceBuilder::blocks(int64_t count) {
  static constexpr int64_t kSizes[] = {4, 8, 16, 32, 2, 3, 6, 12};
  Places place = line(count);
  int64_t size = kSizes[s.below(std::size(kSizes))];
  if (s.chance(60))
    move(place, size * s.between(-6, 2) + (s.chance(20) ? 1 : 0));
  auto type = llvm::cast<TileType>(place.ssa.getType());
  mlir::Value divisor = k.intConstant(type, size).ssa;
  Places quotient = place, rest = place;
  quotient.ssa = cuda_tile::DivIOp::create(b, k.loc(), type, place.ssa, divisor, Signedness::Signed,
                                           RoundingMode::ZERO);
  for (int64_t &v : quotient.values)
    v /= size;
  scale(quotient);
  if (s.chance(50)) {
    rest.ssa = cuda_tile::RemIOp::create(b, k.loc(), type, place.ssa, divisor, Signedness::Signed);
    for (int64_t &v : rest.values)
      v %= size;
  }
  join(rest, quotient);
  return rest;
}

Places PlaceBuilder::expression(int64_t count) {
  if (s.chance(30))
    return blocks(count);
  auto one = [&] {
    Places p = line(count);
    if (s.chance(60))
      scale(p);
    if (s.chance(30))
      move(p, (Int(4) << s.below(4)) * (s.chance(60) ? -1 : 1));
    if (s.chance(85))
      step(p);
    return p;
  };
  Places p = one();
  if (s.chance(40))
    join(p, s.chance(65) ? line(count) : one());
  return p;
}

Places PlaceBuilder::quotient(int64_t count) {
  static constexpr int64_t kSizes[] = {3, 5, 6, 7, 12, 20, 24, 40, 4, 8, 16};
  Places p = line(count);
  const int64_t size = kSizes[s.below(std::size(kSizes))];
  if (s.chance(50))
    move(p, s.chance(60) ? size * s.between(-3, 6) : s.between(-9, 20));
  TileType type = typeOf(p);
  p.ssa = cuda_tile::DivIOp::create(b, k.loc(), type, p.ssa, k.intConstant(type, size).ssa,
                                    Signedness::Signed, RoundingMode::ZERO);
  for (int64_t &v : p.values)
    v /= size;
  return p;
}

Places PlaceBuilder::chain(int64_t count) {
  Places p = line(count);
  if (s.chance(60))
    move(p, (Int(4) << s.below(5)) * (s.chance(60) ? -1 : 1));
  for (uint64_t steps = 1 + s.below(3); steps > 0; --steps)
    s.chance(45) ? narrow(p) : step(p);
  return p;
}

mlir::Value PlaceBuilder::mask(const Places &of) {
  const auto count = static_cast<int64_t>(of.values.size());
  mlir::Value flags = guard(s.chance(70) ? expression(count) : chain(count));
  return of.shape.size() == 1
             ? flags
             : cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType(of.shape, k.intType(1)), flags)
                   .getResult();
}

mlir::Value PlaceBuilder::compare(const Places &p) {
  // A number of theirs, often where a group of them begins, or one beside that.
  int64_t bound = p.values[s.below(p.values.size())];
  if (int64_t unit = int64_t(4) << s.below(4); s.chance(50))
    bound = bound / unit * unit;
  if (s.chance(25))
    bound += s.chance(50) ? 1 : -1;
  mlir::Location loc = k.loc();
  TileType type = typeOf(p);
  mlir::Value left = p.ssa, right;
  if (s.chance(20)) { // in another type
    static constexpr unsigned kWidths[] = {64, 16, 8};
    const unsigned width = kWidths[s.below(3)];
    type = k.tileType(p.shape, k.intType(width));
    left = width > 32
               ? cuda_tile::ExtIOp::create(b, loc, type, left,
                                           s.chance(70) ? Signedness::Signed : Signedness::Unsigned)
                     .getResult()
               : cuda_tile::TruncIOp::create(b, loc, type, left, IntegerOverflow::NONE).getResult();
  }
  if (typeOf(p) == type && s.chance(30))
    right = k.splat({k.addExtentArgument(bound), {}}, p.shape).ssa;
  else
    right = k.intConstant(type, bound).ssa;
  if (s.chance(30))
    std::swap(left, right);
  const auto signedness = s.chance(70) ? Signedness::Signed : Signedness::Unsigned;
  return cuda_tile::CmpIOp::create(b, loc, k.tileType(p.shape, k.intType(1)),
                                   static_cast<ComparisonPredicate>(s.below(6)), left, right,
                                   signedness);
}

mlir::Value PlaceBuilder::guard(const Places &p) {
  mlir::Location loc = k.loc();
  TileType flags = k.tileType(p.shape, k.intType(1));
  mlir::Value first = compare(p), second;
  switch (s.below(10)) {
  case 0:
    return cuda_tile::AndIOp::create(b, loc, flags, first, compare(p));
  case 1:
    return cuda_tile::OrIOp::create(b, loc, flags, first, compare(p));
  case 2:
    return cuda_tile::XOrIOp::create(b, loc, flags, first,
                                     s.chance(50) ? compare(p) : k.intConstant(flags, 1).ssa);
  case 3:
    second = compare(p);
    return cuda_tile::SelectOp::create(b, loc, flags, first, second, compare(p));
  case 4:
    return cuda_tile::CmpIOp::create(
        b, loc, flags, s.chance(50) ? ComparisonPredicate::EQUAL : ComparisonPredicate::NOT_EQUAL,
        first, k.intConstant(flags, 0).ssa, Signedness::Unsigned);
  default:
    return first;
  }
}

void PlaceBuilder::reshape(Places &p) {
  int64_t count = static_cast<int64_t>(p.values.size());
  if (p.shape.size() == 1) {
    int64_t rows = int64_t(2) << s.below(6);
    if (rows >= count)
      return;
    p.shape = {rows, count / rows};
    if (int64_t planes = int64_t(2) << s.below(3); planes < rows && s.chance(50))
      p.shape = {planes, rows / planes, count / rows};
  } else if (s.chance(70)) {
    return turn(p);
  } else {
    p.shape = {count};
  }
  p.ssa = cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType(p.shape, k.intType(32)), p.ssa);
  if (p.shape.size() > 2)
    turn(p);
}

void PlaceBuilder::turn(Places &p) {
  const size_t rank = p.shape.size();
  // Dimensions in a cycle, one way or the other: two of them change places.
  const size_t by = 1 + s.below(rank - 1);
  llvm::SmallVector<int32_t> order(rank);
  for (size_t i = 0; i < rank; ++i)
    order[i] = static_cast<int32_t>((i + by) % rank);
  if (rank > 2 && s.chance(30))
    std::swap(order[0], order[1]);
  llvm::SmallVector<int64_t> shape(rank), steps(rank, 1), ofResult(rank);
  for (size_t i = rank - 1; i > 0; --i)
    steps[i - 1] = steps[i] * p.shape[i];
  for (size_t i = 0; i < rank; ++i) {
    shape[i] = p.shape[static_cast<size_t>(order[i])];
    ofResult[i] = steps[static_cast<size_t>(order[i])];
  }
  std::vector<int64_t> turned;
  for (size_t i = 0; i < p.values.size(); ++i) {
    auto rest = static_cast<int64_t>(i);
    int64_t from = 0;
    for (size_t dim = rank; dim-- > 0; rest /= shape[dim])
      from += rest % shape[dim] * ofResult[dim];
    turned.push_back(p.values[static_cast<size_t>(from)]);
  }
  p.ssa = cuda_tile::PermuteOp::create(b, k.loc(), k.tileType(shape, k.intType(32)), p.ssa,
                                       mlir::DenseI32ArrayAttr::get(&k.context(), order));
  p.values = turned;
  p.shape = shape;
  if (rank > 2)
    k.note("places-turned");
}

void PlaceBuilder::repeat(Places &p) {
  int64_t count = static_cast<int64_t>(p.values.size()), times = int64_t(2) << s.below(4);
  if (p.shape.size() != 1 || count * times > 4096)
    return;
  bool along = s.chance(75);
  p.shape = along ? llvm::SmallVector<int64_t>{count, 1} : llvm::SmallVector<int64_t>{1, count};
  p.ssa = cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType(p.shape, k.intType(32)), p.ssa);
  p.shape[along] = times;
  p.ssa = cuda_tile::BroadcastOp::create(b, k.loc(), k.tileType(p.shape, k.intType(32)), p.ssa);
  std::vector<int64_t> repeated;
  for (int64_t i = 0; i < count * times; ++i)
    repeated.push_back(p.values[static_cast<size_t>(along ? i / times : i % count)]);
  p.values = repeated;
}

Places PlaceBuilder::beginnings(int64_t count, int64_t length) {
  Places p = line(count);
  Int stride = std::max<Int>(1, length + (s.chance(25) ? 0 : s.between(-3, 6)));
  bool isRing = s.chance(40);
  if (isRing) // divided by more than the remainder is
    stride = Int(4) << s.below(4);
  else if (s.chance(40))
    stride = s.between(1, 12);
  p.ssa =
      cuda_tile::MulIOp::create(b, k.loc(), p.ssa.getType(), p.ssa,
                                k.intConstant(llvm::cast<TileType>(p.ssa.getType()), stride).ssa,
                                s.chance(50) ? IntegerOverflow::NONE : IntegerOverflow::NSW);
  for (int64_t &v : p.values)
    v *= static_cast<int64_t>(stride);
  if (isRing)
    wrap(p, s.between(3, 40));
  return p;
}

void PlaceBuilder::wrap(Places &p, Int length) {
  TileType type = typeOf(p);
  p.ssa = cuda_tile::RemIOp::create(b, k.loc(), type, p.ssa, k.intConstant(type, length).ssa,
                                    s.chance(50) ? Signedness::Signed : Signedness::Unsigned);
  for (int64_t &v : p.values)
    v %= static_cast<int64_t>(length);
}

Places PlaceBuilder::sum(const Places &rows, const Places &columns) {
  Places p;
  int64_t m = static_cast<int64_t>(rows.values.size()),
          n = static_cast<int64_t>(columns.values.size());
  p.shape = {m, n};
  TileType type = k.tileType(p.shape, k.intType(32));
  auto spread = [&](mlir::Value value, llvm::ArrayRef<int64_t> line) -> mlir::Value {
    value = cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType(line, k.intType(32)), value);
    return cuda_tile::BroadcastOp::create(b, k.loc(), type, value);
  };
  p.ssa = cuda_tile::AddIOp::create(b, k.loc(), type, spread(rows.ssa, {m, 1}),
                                    spread(columns.ssa, {1, n}), IntegerOverflow::NONE);
  for (int64_t r : rows.values)
    for (int64_t c : columns.values)
      p.values.push_back(r + c);
  return p;
}
