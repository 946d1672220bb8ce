//===- ProductGraphRules.cpp - turns of products whose operands and sums come from anywhere ---------===//
//
// Rule `product-graph` of the pipeline family, of products of the size that groups of warps and tensor memory take: one
// to three products in each turn of a loop. Which operand goes into which product is drawn, so that one may feed
// several; where it comes from is one of ProductSources' ways. A product adds to what is carried, to that times a number
// of each row, or begins anew; sums may be carried in half as many bits and be read in each turn beside the product;
// several begin with one value, change places, or stand inside of a condition, with or without their loads. Behind the loop
// comes, maybe, one more product, and rows are multiplied by full fractions in any rounding.
//
// Needs: depth 0. Promises: those of ProductSources.h; sums are exact.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/IdiomRules.h"
#include "generators/program/OperandRules.h"
#include "generators/program/ProductSources.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using cuda_tile::TileType;

namespace {

class ProductGraph : public ProductSources {
public:
  using ProductSources::ProductSources;

  void build() {
    chooseForm();
    const uint64_t count = isDeep || rows == 256              ? 1
                           : rows * columns * depth > 1 << 18 ? s.between(1, 2)
                                                              : s.between(1, 3);
    for (bool isLeft : {true, false})
      for (uint64_t i = 0, some = s.between(1, int64_t(count)); i < some; ++i)
        (isLeft ? lefts : rights).push_back(makeOperand(isLeft));
    const mlir::Value shared = start();
    const bool isShared = s.chance(45);
    for (uint64_t i = 0; i < count; ++i)
      terms.push_back(makeTerm(isShared ? shared : start()));
    if (s.chance(25)) {
      k.note("product-graph-peak");
      peakAt = carry(zeros(sums));
    }
    for (auto *side : {&lefts, &rights})
      for (Operand &o : *side)
        if (o.form == Operand::Ahead)
          o.carriedAt = carry(o.source);
    const TurnLoop counted = openLoop(turns, starts);
    auto loop = counted.op();
    {
      mlir::OpBuilder::InsertionGuard guard(b);
      k.openBody(loop);
      cuda_tile::ContinueOp::create(b, k.loc(),
                                    bodyOf(counted.turn(k, s), loop.getRegionIterValues()));
    }
    for (const Term &term : terms)
      finish(loop->getResult(term.carriedAt));
    if (peakAt)
      finish(loop->getResult(*peakAt));
  }

private:
  /// One product of a turn.
  struct Term {
    enum Form { Adds, Scales, Anew, Narrow } form = Adds;
    size_t left = 0, right = 0;
    unsigned carriedAt = 0;
    std::optional<Tiles> factors;
    bool inBranch = false, loadsInside = false, isRead = false;
    bool ofPrevious = false; ///< multiplies what became of the product in front of it
  };

  unsigned carry(mlir::Value value) {
    starts.push_back(value);
    return unsigned(starts.size()) - 1;
  }

  mlir::Value start() {
    if (s.chance(60))
      return zeros(sums);
    if (s.chance(50))
      return k.floatConstant(sums, double(s.between(-4, 4))).ssa;
    mlir::Type stored = s.chance(50) ? mlir::Type(b.getF32Type()) : element;
    return converted(load(tiles(stored, {rows, columns}, k.blockCount(), 1, 1), number(0)),
                     b.getF32Type());
  }

  Term makeTerm(mlir::Value start) {
    Term term;
    static constexpr unsigned kWeights[] = {5, 3, 2, 2};
    term.form = Term::Form(s.weighted(kWeights));
    static constexpr const char *kNotes[] = {"product-graph-adds", "product-graph-scales",
                                             "product-graph-anew", "product-graph-narrow"};
    k.note(kNotes[term.form]);
    term.left = s.below(lefts.size());
    term.right = s.below(rights.size());
    term.isRead = s.chance(35);
    if (!terms.empty() && depth == columns && s.chance(30)) {
      k.note("product-graph-chain");
      term.ofPrevious = true;
    }
    if (s.chance(18)) {
      k.note("product-graph-branch");
      term.inBranch = true;
      term.loadsInside = s.chance(50);
    }
    if (term.form == Term::Scales && s.chance(70))
      term.factors = ofRows(s.chance(70) ? mlir::Type(b.getF32Type()) : element, turns);
    if (term.form == Term::Narrow) // f16, and sometimes what has fewer bits
      start = converted(start, s.chance(75) ? mlir::Type(b.getF16Type()) : b.getBF16Type());
    term.carriedAt = carry(start);
    return term;
  }

  llvm::SmallVector<mlir::Value> bodyOf(mlir::Value turn, mlir::ValueRange carried) {
    llvm::SmallVector<mlir::Value> next(carried);
    llvm::SmallVector<mlir::Value> left(lefts.size()), right(rights.size());
    mlir::Value previous;
    forgetLoads();
    auto fetchOnce = [&](llvm::SmallVector<mlir::Value> &there, std::vector<Operand> &side,
                         size_t i) {
      if (!there[i] || s.chance(15))
        there[i] = fetch(side[i], turn, carried);
      return there[i];
    };
    if (s.chance(50)) // all loads first, as frontends write them
      for (Term &term : terms)
        if (!term.loadsInside) {
          fetchOnce(left, lefts, term.left);
          fetchOnce(right, rights, term.right);
        }
    for (Term &term : terms) {
      mlir::Value &sum = next[term.carriedAt], x, y;
      if (!term.loadsInside) {
        x = term.ofPrevious && previous ? narrowed(previous) : fetchOnce(left, lefts, term.left);
        y = fetchOnce(right, rights, term.right);
      }
      const mlir::Value before = sum;
      if (!term.inBranch) {
        sum = summed(term, turn, x, y, before);
      } else {
        const mlir::Value outside = smallTile;
        forgetLoads();
        mlir::Operation *branch = k.addIf(
            condition(turn),
            [&] {
              mlir::Value a = term.loadsInside ? fetch(lefts[term.left], turn, carried) : x,
                          c = term.loadsInside ? fetch(rights[term.right], turn, carried) : y;
              cuda_tile::YieldOp::create(b, k.loc(), summed(term, turn, a, c, before));
            },
            [&] { cuda_tile::YieldOp::create(b, k.loc(), before); }, before.getType());
        smallTile = outside;
        forgetLoads();
        sum = branch->getResult(0);
      }
      previous = sum;
      if (term.isRead && peakAt)
        next[*peakAt] = larger(next[*peakAt], converted(sum, b.getF32Type()));
    }
    for (auto *side : {&lefts, &rights})
      for (Operand &o : *side)
        if (o.form == Operand::Ahead)
          next[o.carriedAt] = fetchAhead(o, turn);
    if (terms.size() > 1 && s.chance(15) &&
        next[terms[0].carriedAt].getType() == next[terms[1].carriedAt].getType()) {
      k.note("product-graph-swap");
      std::swap(next[terms[0].carriedAt], next[terms[1].carriedAt]);
    }
    return next;
  }

  /// Sums as a left operand.
  mlir::Value narrowed(mlir::Value sum) { return converted(clamped(sum), element); }

  mlir::Value summed(Term &term, mlir::Value turn, mlir::Value x, mlir::Value y,
                     mlir::Value before) {
    switch (term.form) {
    case Term::Adds:
      return product(sums, x, y, before);
    case Term::Scales:
      return product(sums, x, y, scaled(term, turn, before));
    case Term::Anew: {
      mlir::Value own = product(sums, x, y, zeros(sums));
      if (s.chance(40))
        own = larger(own, zeros(sums));
      return added(s.chance(50) ? scaled(term, turn, before) : before, own);
    }
    case Term::Narrow:
      break;
    }
    mlir::Type narrow = llvm::cast<TileType>(before.getType()).getElementType();
    mlir::Value sum = product(sums, x, y, converted(before, b.getF32Type()));
    sum = converted(sum, narrow);
    if (s.chance(25)) // read beside what goes on
      k.note("product-graph-narrow-read"), sum = larger(sum, before);
    return sum;
  }

  /// By numbers of rows, which a computed operand may have read as well, or by one half.
  mlir::Value scaled(Term &term, mlir::Value turn, mlir::Value before) {
    if (smallTile && s.chance(60))
      return multiplied(before, spread(converted(smallTile, b.getF32Type()), sums));
    if (!term.factors)
      return multiplied(before, k.floatConstant(sums, 0.5).ssa);
    return multiplied(before, spread(converted(load(*term.factors, turn), b.getF32Type()), sums));
  }

  void finish(mlir::Value sum) {
    Facts facts;
    facts.exact = true;
    if (llvm::cast<TileType>(sum.getType()) == sums) {
      if (s.chance(15)) {
        k.note("product-graph-behind");
        auto multiply = [&](mlir::Value before) {
          mlir::Value x = load(tiles(element, {rows, depth}, k.blockCount(), 1, 1), number(0)),
                      y = load(tiles(element, {depth, columns}, 1, 1, 0), number(0));
          return product(sums, x, y, before);
        };
        if (s.chance(50))
          sum = multiply(sum);
        else
          sum = k.addIf(
                     condition({}), [&] { cuda_tile::YieldOp::create(b, k.loc(), multiply(sum)); },
                     [&] { cuda_tile::YieldOp::create(b, k.loc(), sum); }, sums)
                    ->getResult(0);
      }
      if (s.chance(25))
        sum = roundedByRow(sum);
      else if (s.chance(20))
        sum = converted(sum, element);
    }
    s.chance(15) ? storePieces(sum) : emitFreeStore(k, s, {sum, facts});
  }

  /// Numbers of rows with all bits of a fraction, so that the last bit says how the product was rounded.
  mlir::Value roundedByRow(mlir::Value sum) {
    k.note("product-graph-rounded");
    static constexpr cuda_tile::RoundingMode kModes[] = {
        cuda_tile::RoundingMode::NEAREST_EVEN, cuda_tile::RoundingMode::ZERO,
        cuda_tile::RoundingMode::NEGATIVE_INF, cuda_tile::RoundingMode::POSITIVE_INF};
    mlir::Value factors = freshTile(k, s, k.tileType({rows, 1}, b.getF32Type()), Fill::Reals);
    return multiplied(sum, spread(factors, sums), kModes[s.below(std::size(kModes))]);
  }

  std::vector<Operand> lefts, rights;
  std::vector<Term> terms;
  llvm::SmallVector<mlir::Value> starts; ///< what is carried begins as
  std::optional<unsigned> peakAt;        ///< of the largest sums so far
};

} // namespace

bool tilesmith::generators::applyProductGraph(KernelBuilder &k, ChoiceStream &s) {
  if (!mayMultiply(k, "product-graph") || k.blockCount() > 2 ||
      llvm::count(k.trail, "product-graph") > 1)
    return false;
  ProductGraph(k, s).build();
  return true;
}
