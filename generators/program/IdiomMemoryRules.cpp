//===- IdiomMemoryRules.cpp - idioms of addresses -----------------------------------------------------===//
//
// Loads of what was just stored, gathers whose offsets are expressions over positions and constants,
// views that begin behind an aligned pointer: see IdiomRules.cpp.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/IdiomRules.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::IntegerOverflow;
using cuda_tile::RoundingMode;
using cuda_tile::Signedness;
using cuda_tile::TileType;

/// What was just stored, or updated, is loaded through the same pointers. Few elements: threads hold
/// them twice, and one of them stores.
bool tilesmith::generators::applyReadBack(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  mlir::OpBuilder &b = k.builder();
  int64_t count = int64_t(1) << s.below(8);
  bool updates = s.chance(45);
  mlir::Type element = updates ? k.intType(s.chance(60) ? 64 : 32) : k.pickElement(s, Kind::Any);
  TileType type = k.tileType({count}, element);
  ArrayInfo &array = k.addFlatArray(element, count * k.blockCount(), /*output=*/true);
  mlir::Value pointers = ownElements(k, s, array.base, count);
  mlir::Value value = freshTile(k, s, type, Fill::Any), token;
  if (updates)
    token =
        atomicRmw(k, s, cuda_tile::AtomicRMWMode::ADD, pointers, value, {},
                  joinedWithFreshToken(k, s,
                                       cuda_tile::MakeTokenOp::create(
                                           b, k.loc(), cuda_tile::TokenType::get(&k.context()))),
                  false)
            .token;
  else
    token = storePointers(k, s, pointers, value, {}, {});
  Loaded back = loadPointers(k, s, type, pointers, {}, {}, token);
  mlir::Value next = combineExactly(k, back.tile, freshTile(k, s, type, Fill::Any));
  storePointers(k, s, pointers, next, {}, back.token);
  if (s.chance(50))
    keepTile(k, s, back.tile);
  return true;
}

namespace {

/// Offsets and what they are, element by element in row-major order.
struct Places {
  mlir::Value ssa;
  std::vector<int64_t> values;
  llvm::SmallVector<int64_t> shape;
};

class PlaceBuilder {
public:
  PlaceBuilder(KernelBuilder &k, ChoiceStream &s) : k(k), s(s), b(k.builder()) {}

  Places line(int64_t count) {
    Places p;
    p.shape = {count};
    p.ssa = cuda_tile::IotaOp::create(b, k.loc(), k.tileType(p.shape, k.intType(32)));
    for (int64_t i = 0; i < count; ++i)
      p.values.push_back(i);
    return p;
  }

  /// One operation with a constant on all of them.
  void step(Places &p) {
    static constexpr Int kNumbers[] = {1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 33, 64, 100};
    Int c = kNumbers[s.below(std::size(kNumbers))];
    auto type = llvm::cast<TileType>(p.ssa.getType());
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
    switch (s.below(12)) {
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
      p.ssa = cuda_tile::MulIOp::create(b, loc, type, p.ssa, k.intConstant(type, c).ssa, none);
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
                                                    cuda_tile::ComparisonPredicate::LESS_THAN,
                                                    p.ssa, constant, Signedness::Signed);
      Int shift = s.between(1, 40);
      mlir::Value moved =
          cuda_tile::AddIOp::create(b, loc, type, p.ssa, k.intConstant(type, shift).ssa, none);
      p.ssa = cuda_tile::SelectOp::create(b, loc, type, first, p.ssa, moved);
      return each([&](int64_t v) { return v < c ? v : v + shift; });
    }
    }
  }

  /// Multiples of a power of two, so that the next step is about what divides them.
  void scale(Places &p) {
    if (p.values.size() > 512)
      return;
    Int factor = Int(2) << s.below(4);
    auto type = llvm::cast<TileType>(p.ssa.getType());
    p.ssa = cuda_tile::MulIOp::create(b, k.loc(), type, p.ssa, k.intConstant(type, factor).ssa,
                                      IntegerOverflow::NONE);
    for (int64_t &v : p.values)
      v *= static_cast<int64_t>(factor);
  }

  void move(Places &p, Int by) {
    auto type = llvm::cast<TileType>(p.ssa.getType());
    p.ssa = cuda_tile::AddIOp::create(b, k.loc(), type, p.ssa, k.intConstant(type, by).ssa,
                                      IntegerOverflow::NONE);
    for (int64_t &v : p.values)
      v += static_cast<int64_t>(by);
  }

  /// Another expression of the same places, added or taken off.
  void join(Places &p, const Places &other) {
    mlir::Type type = p.ssa.getType();
    bool adds = s.chance(75);
    p.ssa =
        adds ? cuda_tile::AddIOp::create(b, k.loc(), type, p.ssa, other.ssa, IntegerOverflow::NONE)
                   .getResult()
             : cuda_tile::SubIOp::create(b, k.loc(), type, p.ssa, other.ssa, IntegerOverflow::NONE)
                   .getResult();
    for (auto [mine, more] : llvm::zip_equal(p.values, other.values))
      mine += adds ? more : -more;
  }

  /// Multiples of what a group of places shares, and the place inside of it or the place itself: what
  /// becomes of a position that is cut into blocks.
  Places blocks(int64_t count) {
    static constexpr int64_t kSizes[] = {4, 8, 16, 32, 2, 3, 6, 12};
    Places place = line(count);
    int64_t size = kSizes[s.below(std::size(kSizes))];
    if (s.chance(60))
      move(place, size * s.between(-6, 2) + (s.chance(20) ? 1 : 0));
    auto type = llvm::cast<TileType>(place.ssa.getType());
    mlir::Value divisor = k.intConstant(type, size).ssa;
    Places quotient = place, rest = place;
    quotient.ssa = cuda_tile::DivIOp::create(b, k.loc(), type, place.ssa, divisor,
                                             Signedness::Signed, RoundingMode::ZERO);
    for (int64_t &v : quotient.values)
      v /= size;
    scale(quotient);
    if (s.chance(50)) {
      rest.ssa =
          cuda_tile::RemIOp::create(b, k.loc(), type, place.ssa, divisor, Signedness::Signed);
      for (int64_t &v : rest.values)
        v %= size;
    }
    join(rest, quotient);
    return rest;
  }

  /// Positions, multiplied and moved by powers of two or not, then one step; often joined with such
  /// another or with the positions themselves: the sum of a run and of what is constant in groups
  /// is a run again, and a multiple keeps what divides it.
  Places expression(int64_t count) {
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

  /// Where an expression of the same positions is on one side of a number that it takes.
  mlir::Value mask(const Places &of) {
    Places p = expression(static_cast<int64_t>(of.values.size()));
    int64_t bound = p.values[s.below(p.values.size())];
    auto type = llvm::cast<TileType>(p.ssa.getType());
    mlir::Value flags =
        cuda_tile::CmpIOp::create(b, k.loc(), k.tileType(p.shape, k.intType(1)),
                                  static_cast<cuda_tile::ComparisonPredicate>(s.below(6)), p.ssa,
                                  k.intConstant(type, bound).ssa, Signedness::Signed);
    return of.shape.size() == 1
               ? flags
               : cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType(of.shape, k.intType(1)), flags)
                     .getResult();
  }

  /// Another shape of the same elements, or the elements in another order.
  void reshape(Places &p) {
    int64_t count = static_cast<int64_t>(p.values.size());
    if (p.shape.size() == 1) {
      int64_t rows = int64_t(2) << s.below(6);
      if (rows >= count)
        return;
      p.shape = {rows, count / rows};
    } else if (s.chance(70)) {
      p.ssa = cuda_tile::PermuteOp::create(
          b, k.loc(), k.tileType({p.shape[1], p.shape[0]}, k.intType(32)), p.ssa,
          mlir::DenseI32ArrayAttr::get(&k.context(), {1, 0}));
      std::vector<int64_t> turned;
      for (int64_t column = 0; column < p.shape[1]; ++column)
        for (int64_t row = 0; row < p.shape[0]; ++row)
          turned.push_back(p.values[static_cast<size_t>(row * p.shape[1] + column)]);
      p.values = turned;
      std::swap(p.shape[0], p.shape[1]);
      return;
    } else {
      p.shape = {count};
    }
    p.ssa = cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType(p.shape, k.intType(32)), p.ssa);
  }

  /// Each element in `times` places next to each other, or below each other.
  void repeat(Places &p) {
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

  /// Where the rows of a matrix begin: its stride is the length of a row, or a little more, or less,
  /// so that most rows begin where no wide access may.
  Places beginnings(int64_t count, int64_t length) {
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

  /// As in a ring of that many elements.
  void wrap(Places &p, Int length) {
    auto type = llvm::cast<TileType>(p.ssa.getType());
    p.ssa = cuda_tile::RemIOp::create(b, k.loc(), type, p.ssa, k.intConstant(type, length).ssa,
                                      s.chance(50) ? Signedness::Signed : Signedness::Unsigned);
    for (int64_t &v : p.values)
      v %= static_cast<int64_t>(length);
  }

  /// rows[:, None] + columns[None, :]
  Places sum(const Places &rows, const Places &columns) {
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

private:
  KernelBuilder &k;
  ChoiceStream &s;
  mlir::OpBuilder &b;
};

} // namespace

/// A gather whose offsets are an expression of positions and constants.
bool tilesmith::generators::applyPlaces(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  mlir::OpBuilder &b = k.builder();
  PlaceBuilder builder(k, s);
  // In a line or in rows; threads should hold several elements, or nothing is vectorised.
  int64_t count = s.chance(50) ? int64_t(512) << s.below(3) : int64_t(32) << s.below(3);
  Places p = s.chance(50) ? builder.expression(count) : builder.line(count);
  for (uint64_t steps = s.chance(50) ? 0 : s.below(5); steps > 0; --steps)
    switch (s.below(10)) {
    case 0:
    case 1:
      builder.repeat(p);
      break;
    case 2:
    case 3:
    case 4:
      builder.reshape(p);
      break;
    default:
      builder.step(p);
    }
  if (p.shape.size() == 1 && p.values.size() <= 128 && s.chance(80)) {
    int64_t lines = std::max<int64_t>(4, int64_t(512 << s.below(2)) / count);
    Places rows = s.chance(35) ? builder.beginnings(lines, count) : builder.expression(lines);
    p = s.chance(80) ? builder.sum(rows, p) : builder.sum(p, rows);
    if (s.chance(40)) // lines that are runs, turned or cut into other lines
      builder.reshape(p);
  }
  if (s.chance(25))
    builder.step(p);
  auto [low, high] = std::minmax_element(p.values.begin(), p.values.end());
  int64_t first = *low, extent = *high - first + 1;
  if (extent > 8192)
    return false;
  // A base that is aligned, or a few elements behind that.
  int64_t ahead = s.chance(70) ? 0 : s.between(1, 8);
  // What is ahead belongs to the offsets, or to the base.
  bool movesBase = ahead > 0 && s.chance(50);
  if (Int by = (movesBase ? 0 : ahead) - first)
    builder.move(p, by);
  static constexpr unsigned kWidths[] = {8, 16, 32};
  mlir::Type element = s.chance(60) ? k.intType(kWidths[s.below(3)]) : chooseWideFloat(k, s);
  ArrayInfo &array = k.addFlatArray(element, extent + ahead, /*output=*/false);
  mlir::Value base = cuda_tile::AssumeOp::create(
      b, k.loc(), array.base.getType(), array.base,
      cuda_tile::DivByAttr::get(&k.context(), 16, std::nullopt, std::nullopt));
  if (movesBase)
    base = cuda_tile::OffsetOp::create(b, k.loc(), base.getType(), base,
                                       k.intConstant(k.scalarType(k.intType(32)), ahead).ssa);
  TileType tile = k.tileType(p.shape, element);
  mlir::Value mask, padding;
  if (s.chance(20)) {
    mask = s.chance(40) ? k.use(s, k.tileType(p.shape, k.intType(1))).ssa : builder.mask(p);
    padding = k.constant(s, tile).ssa;
  }
  keepTile(k, s, loadPointers(k, s, tile, pointersAt(k, base, p.ssa), mask, padding, {}).tile);
  return true;
}

/// A tile of a view whose base lies some elements behind an aligned pointer.
bool tilesmith::generators::applyShiftedView(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  mlir::OpBuilder &b = k.builder();
  mlir::Type element = s.chance(50) ? k.pickElement(s, Kind::Any) : chooseWideFloat(k, s);
  int64_t count = int64_t(256) << s.below(3), ahead = s.between(1, 8);
  ArrayInfo &array = k.addFlatArray(element, count + ahead, /*output=*/false);
  mlir::Value start = k.intConstant(k.scalarType(k.intType(32)), ahead).ssa;
  mlir::Value base = cuda_tile::OffsetOp::create(b, k.loc(), array.base.getType(),
                                                 maybeAssumeAligned(k, s, array.base), start);
  auto pointer =
      llvm::cast<cuda_tile::PointerType>(llvm::cast<TileType>(base.getType()).getElementType());
  auto tensorType =
      cuda_tile::TensorViewType::get(&k.context(), element, {count}, {1}, pointer.getPtrAttr());
  mlir::Value tensor = cuda_tile::MakeTensorViewOp::create(b, k.loc(), tensorType, base,
                                                           mlir::ValueRange(), mlir::ValueRange());
  auto viewType = cuda_tile::PartitionViewType::get(
      &k.context(), mlir::DenseI32ArrayAttr::get(&k.context(), {static_cast<int32_t>(count)}),
      tensorType, {0}, {});
  mlir::Value view = k.emit<cuda_tile::MakePartitionViewOp>(viewType, tensor).getResult();
  mlir::Value first = k.intConstant(k.scalarType(k.intType(32)), 0).ssa;
  keepTile(k, s, loadView(k, s, k.tileType({count}, element), view, first, {}).tile);
  return true;
}
