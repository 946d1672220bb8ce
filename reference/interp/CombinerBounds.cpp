//===- CombinerBounds.cpp - what reordering a reduction body of several ops may change --------===//
#include "reference/interp/CombinerBounds.h"

#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "reference/interp/Rounding.h"
#include "reference/value/Enclosure.h"

using namespace tilesmith;
using namespace tilesmith::reference;
using namespace tilesmith::cuda_tile;

namespace {

ElementType typeOf(mlir::Value v) {
  return *elementTypeOf(v.getType());
}

/// Relative error of one rounding of the op.
template <typename Op> double roundingOf(Op op) {
  double u = unitRoundoff(typeOf(op->getResult(0)));
  if constexpr (requires { op.getRoundingMode(); })
    switch (op.getRoundingMode()) {
    case RoundingMode::NEAREST_EVEN:
      return u;
    case RoundingMode::APPROX:
    case RoundingMode::FULL: // published bounds: 2 ulp for quotients and powers, 1 for roots
      return 6 * u;
    default:
      return 2 * u;
    }
  return u;
}

bool flushes(mlir::Operation &op) {
  return op.hasAttr("flush_to_zero");
}

double at(const std::vector<double> &v, size_t i) {
  return v.size() == 1 ? v[0] : v[i];
}

} // namespace

bool CombinerBounds::fail(mlir::Operation &op, llvm::StringRef what) {
  if (reason.empty())
    reason = ("'" + op.getName().getStringRef() + "' " + what).str();
  return false;
}

CombinerBounds::CombinerBounds(BlockContext &context, mlir::Block &body, const Tiles &elements)
    : context(context), body(body), arity(elements.size()), exact(arity, true),
      suprema(arity, 0.0) {
  for (auto [k, t] : llvm::enumerate(elements)) {
    if (!isFloat(t.type()))
      continue;
    limit = std::min(limit, maxFinite(t.type()) / 4);
    precisionLimit = std::min(precisionLimit, 1 / (2 * unitRoundoff(t.type())));
    tiny = std::max(
        tiny, std::ldexp(1.0, formatOf(t.type()).minExponent - formatOf(t.type()).precision + 1));
    for (size_t i = 0; i < t.size(); ++i) {
      Element e = t.element(i);
      auto range = rangeOf(t.type(), e);
      double value = decode(t.type(), e.bits);
      if (!range || (e.state == State::Enclosed && e.spread.error >= std::fabs(value))) {
        reason = "an element is not a finite number or vacuous";
        return;
      }
      suprema[k] = std::max({suprema[k], std::fabs(range->low), std::fabs(range->high)});
      integral &= std::floor(value) == value;
      if (e.state != State::Enclosed)
        continue;
      integral = exact[k] = false;
      band = std::max(band, e.spread.band);
      double size = std::fabs(value) - e.spread.error;
      elementError = std::max(elementError, outwardUp(e.spread.error / size));
    }
  }
  // Operands that the body computes from inexact ones are inexact; exact ones grow to the constants
  // that the body puts in.
  for (unsigned round = 0; round < 2 * arity + 4; ++round) {
    if (!analyse())
      return;
    bool stable = true;
    mlir::Operation *yield = body.getTerminator();
    for (unsigned k = 0; k < arity; ++k) {
      const Form &result = forms[yield->getOperand(k)];
      if (exact[k] && !result.exact)
        stable = exact[k] = false;
      if (exact[k] && isFloat(elements[k].type()) && result.bound > suprema[k]) {
        suprema[k] = round < arity + 2 ? result.bound : kInfinity;
        stable = false;
      }
    }
    if (stable)
      break;
  }
  for (unsigned k = 0; k < arity; ++k) {
    const Form &result = forms[body.getTerminator()->getOperand(k)];
    if (result.first > 1 || result.second > 1) {
      fail(*body.getTerminator(), "uses a side more than once");
      return;
    }
    perBody = std::max(perBody, result.own);
  }
}

bool CombinerBounds::analyse() {
  forms.clear();
  opCount = 0;
  for (unsigned k = 0; k < arity; ++k) {
    Form &a = form(body.getArgument(2 * k)), &b = form(body.getArgument(2 * k + 1));
    a.exact = b.exact = exact[k];
    a.bound = b.bound = exact[k] ? suprema[k] : kInfinity;
    a.first = b.second = exact[k] ? 0 : 1;
  }
  for (mlir::Operation &op : body.without_terminator())
    if (!analyseOp(op))
      return false;
  return true;
}

bool CombinerBounds::analyseOp(mlir::Operation &op) {
  if (op.getNumResults() != 1)
    return fail(op, "has no bound");
  llvm::SmallVector<Form, 3> in;
  bool allExact = true;
  for (mlir::Value v : op.getOperands()) {
    in.push_back(form(v));
    allExact &= in.back().exact;
  }
  Form out;
  out.exact = allExact;
  for (const Form &f : in) { // of the largest operand: what extrema, select and sums need
    out.first = std::max(out.first, f.first);
    out.second = std::max(out.second, f.second);
    out.own = std::max(out.own, f.own);
  }
  auto added = [&](double rounding) { // a rounded result
    out.own += rounding;
    out.exact = false;
    ++opCount;
    if (flushes(op))
      tiny = std::max(tiny, 0x1p-126);
  };
  auto multiplied = [&](const Form &a, const Form &b) {
    out.first = a.first + b.first;
    out.second = a.second + b.second;
    out.own = a.own + b.own;
  };
  ElementType type = typeOf(op.getResult(0));
  bool floating = isFloat(type) &&
                  llvm::all_of(op.getOperands(), [](mlir::Value v) { return isFloat(typeOf(v)); });
  if (auto constant = mlir::dyn_cast<ConstantOp>(op)) {
    out.bound = 0;
    if (isFloat(type)) {
      for (const llvm::APFloat &v : constant.getValue().getValues<llvm::APFloat>()) {
        bool lost;
        llvm::APFloat wide = v;
        wide.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &lost);
        out.bound = std::max(out.bound, std::fabs(wide.convertToDouble()));
        integral &= wide.isInteger();
        if (!wide.isFinite())
          return fail(op, "is not finite");
      }
    }
  } else if (mlir::isa<AddFOp, SubFOp>(op)) {
    out.bound = in[0].bound + in[1].bound;
    if (auto sum = mlir::dyn_cast<AddFOp>(op))
      added(roundingOf(sum));
    else
      added(roundingOf(mlir::cast<SubFOp>(op)));
  } else if (auto product = mlir::dyn_cast<MulFOp>(op)) {
    multiplied(in[0], in[1]);
    out.bound = in[0].bound * in[1].bound;
    added(roundingOf(product));
  } else if (auto fused = mlir::dyn_cast<FmaOp>(op)) {
    multiplied(in[0], in[1]);
    out.first = std::max(out.first, in[2].first);
    out.second = std::max(out.second, in[2].second);
    out.own = std::max(out.own, in[2].own);
    out.bound = in[0].bound * in[1].bound + in[2].bound;
    added(2 * roundingOf(fused));
  } else if (auto quotient = mlir::dyn_cast<DivFOp>(op)) {
    multiplied(in[0], in[1]);
    integral = false;
    added(roundingOf(quotient));
  } else if (auto root = mlir::dyn_cast<SqrtOp>(op)) {
    out.first /= 2;
    out.second /= 2;
    out.own /= 2;
    out.bound = std::sqrt(in[0].bound);
    integral = false;
    added(roundingOf(root));
  } else if (mlir::isa<ExpOp, Exp2Op>(op)) {
    if (in[0].first != 0 || in[0].second != 0 || !(in[0].bound < kInfinity))
      return fail(op, "of a value that depends on the order");
    bool approximate = false;
    if (auto exp = mlir::dyn_cast<ExpOp>(op))
      approximate = exp.getRoundingMode() == RoundingMode::APPROX;
    double moved = in[0].own * in[0].bound * (1 + 0x1p-20); // of the argument, absolute
    double ulps = publishedBound(UnaryFunction::Exp, type).ulps;
    if (approximate)
      ulps = 2 + std::floor(1.173 * in[0].bound);
    band = std::max(band, static_cast<float>((2 * ulps + 2) / ulps));
    out.own = moved * (1 + moved);
    out.bound = kInfinity;
    integral = false;
    if (!(moved < 0.25))
      return fail(op, "of too large a difference");
    added((ulps + 1) * 2 * unitRoundoff(type));
  } else if (floating && mlir::isa<MaxFOp, MinFOp, NegFOp, AbsFOp>(op)) {
    out.bound = 0;
    for (const Form &f : in)
      out.bound = std::max(out.bound, f.bound);
  } else if (auto select = mlir::dyn_cast<SelectOp>(op)) {
    if (!in[0].exact)
      return fail(op, "by a condition that depends on the order");
    out.bound = std::max(in[1].bound, in[2].bound);
  } else if (mlir::isa<FToFOp>(op)) {
    out.bound = in[0].bound;
    if (formatOf(type).precision < formatOf(typeOf(op.getOperand(0))).precision) {
      added(2 * unitRoundoff(type));
      integral = false;
      limit = std::min(limit, maxFinite(type) / 4);
      tiny = std::max(tiny,
                      std::ldexp(1.0, formatOf(type).minExponent - formatOf(type).precision + 1));
    }
  } else if (!isFloat(type)) { // conditions and integers
    if (!allExact)
      return fail(op, "of a value that depends on the order");
  } else {
    return fail(op, "has no bound");
  }
  forms[op.getResult(0)] = out;
  return true;
}

Tiles CombinerBounds::shadows(const Tiles &elements) const {
  Tiles result;
  for (const Tile &t : elements) {
    Tile value(ElementType::F64, t.shape()), majorant = value, ceiling = value;
    for (size_t i = 0; i < t.size() && isFloat(t.type()); ++i) {
      Element e = t.element(i);
      double x = decode(t.type(), e.bits);
      double size = std::fabs(x) + (e.state == State::Enclosed ? e.spread.error : 0);
      value.bits()[i] = std::bit_cast<uint64_t>(x);
      majorant.bits()[i] = std::bit_cast<uint64_t>(size);
      ceiling.bits()[i] = std::bit_cast<uint64_t>(std::max(1.0, size));
    }
    result.push_back(std::move(value));
    result.push_back(std::move(majorant));
    result.push_back(std::move(ceiling));
  }
  return result;
}

/// A tile of float64 as numbers.
static std::vector<double> numbersOf(const Tile &t) {
  std::vector<double> result(t.size());
  for (size_t i = 0; i < t.size(); ++i)
    result[i] = std::bit_cast<double>(t.bits()[i]);
  return result;
}

bool CombinerBounds::evaluateOp(mlir::Operation &op, size_t count) {
  if (!isFloat(typeOf(op.getResult(0))))
    return true; // conditions are read from the context
  llvm::SmallVector<const Numbers *, 3> in;
  size_t size = mlir::isa<ConstantOp>(op) ? 1 : count;
  for (mlir::Value v : op.getOperands())
    in.push_back(isFloat(typeOf(v)) ? &numbers.find(v)->second : nullptr);
  Numbers out;
  for (auto *v : {&out.value, &out.majorant, &out.ceiling})
    v->resize(size);
  auto set = [&](size_t i, double value, double majorant, double ceiling) {
    out.value[i] = value;
    out.majorant[i] = majorant;
    out.ceiling[i] = std::max(1.0, ceiling);
  };
  auto v = [&](unsigned k, size_t i) { return at(in[k]->value, i); };
  auto m = [&](unsigned k, size_t i) { return at(in[k]->majorant, i); };
  auto c = [&](unsigned k, size_t i) { return at(in[k]->ceiling, i); };
  /// No cancellation hides in the operand.
  auto accurate = [&](unsigned k, size_t i) {
    return m(k, i) <= std::fabs(v(k, i)) * (1 + 0x1p-20);
  };
  for (size_t i = 0; i < size; ++i) {
    if (mlir::isa<ConstantOp>(op)) {
      const Tile &t = context.tile(op.getResult(0));
      double x = decode(t.type(), t.bits()[0]);
      set(i, x, std::fabs(x), std::fabs(x));
    } else if (mlir::isa<AddFOp, SubFOp>(op)) {
      double sign = mlir::isa<AddFOp>(op) ? 1 : -1;
      set(i, v(0, i) + sign * v(1, i), m(0, i) + m(1, i), c(0, i) + c(1, i));
    } else if (mlir::isa<MulFOp>(op)) {
      set(i, v(0, i) * v(1, i), m(0, i) * m(1, i), c(0, i) * c(1, i));
    } else if (mlir::isa<FmaOp>(op)) {
      set(i, std::fma(v(0, i), v(1, i), v(2, i)), m(0, i) * m(1, i) + m(2, i),
          c(0, i) * c(1, i) + c(2, i));
    } else if (mlir::isa<DivFOp>(op)) {
      double divisor = std::fabs(v(1, i));
      if (!accurate(1, i) || divisor == 0)
        return fail(op, "by a difference");
      set(i, v(0, i) / v(1, i), m(0, i) / divisor, c(0, i) * std::max(1.0, 1 / divisor));
    } else if (mlir::isa<SqrtOp>(op)) {
      if (!accurate(0, i) || v(0, i) < 0)
        return fail(op, "of a difference");
      double root = std::sqrt(v(0, i)); // what is lost below counts 1 / (2 * root) times
      set(i, root, std::sqrt(m(0, i)), std::sqrt(c(0, i)) * (root > 0 ? 1 + 1 / root : 1));
    } else if (mlir::isa<ExpOp, Exp2Op>(op)) {
      double x = mlir::isa<ExpOp>(op) ? std::exp(v(0, i)) : std::exp2(v(0, i));
      set(i, x, x, x);
    } else if (mlir::isa<MaxFOp, MinFOp>(op)) {
      bool largest = mlir::isa<MaxFOp>(op);
      set(i, largest ? std::max(v(0, i), v(1, i)) : std::min(v(0, i), v(1, i)),
          std::max(m(0, i), m(1, i)), std::max(c(0, i), c(1, i)));
    } else if (mlir::isa<NegFOp, AbsFOp>(op)) {
      set(i, mlir::isa<NegFOp>(op) ? -v(0, i) : std::fabs(v(0, i)), m(0, i), c(0, i));
    } else if (mlir::isa<FToFOp>(op)) {
      set(i, v(0, i), m(0, i), c(0, i));
    } else { // select
      const Tile &condition = context.tile(op.getOperand(0));
      size_t position = condition.size() == 1 ? 0 : i;
      if (condition.state(position) != State::Known)
        return fail(op, "by an undecided condition");
      unsigned k = condition.bits()[position] ? 1 : 2;
      set(i, v(k, i), m(k, i), c(k, i));
    }
  }
  numbers[op.getResult(0)] = std::move(out);
  return true;
}

Tiles CombinerBounds::combine(const Tiles &first, const Tiles &second) {
  size_t count = first[0].size();
  numbers.clear();
  for (unsigned k = 0; k < arity; ++k)
    for (unsigned side : {0, 1}) {
      const Tiles &source = side ? second : first;
      numbers[body.getArgument(2 * k + side)] = {
          numbersOf(source[3 * k]), numbersOf(source[3 * k + 1]), numbersOf(source[3 * k + 2])};
    }
  if (reason.empty())
    for (mlir::Operation &op : body.without_terminator())
      if (!evaluateOp(op, count))
        break;
  Tiles result;
  for (unsigned k = 0; k < arity; ++k) {
    mlir::Value yielded = body.getTerminator()->getOperand(k);
    auto found = numbers.find(yielded);
    bool there = reason.empty() && found != numbers.end() && isFloat(typeOf(yielded));
    for (unsigned part = 0; part < 3; ++part) {
      Tile &t = result.emplace_back(ElementType::F64, first[0].shape());
      if (!there)
        continue;
      const std::vector<double> &from = part == 0   ? found->second.value
                                        : part == 1 ? found->second.majorant
                                                    : found->second.ceiling;
      for (size_t i = 0; i < count; ++i)
        t.bits()[i] = std::bit_cast<uint64_t>(at(from, i));
    }
  }
  return result;
}

bool CombinerBounds::confirms(unsigned k, const Tiles &a, const Tiles &b, size_t i, size_t j,
                              double count) const {
  auto number = [&](const Tiles &t, unsigned part, size_t at) {
    return std::bit_cast<double>(t[3 * k + part].bits()[at]);
  };
  double size = number(a, 1, i), rounding = count * (opCount + 8) * 0x1p-48;
  auto near = [](double x, double y, double tolerance) {
    return x == y || std::fabs(x - y) <= tolerance;
  };
  return near(number(a, 0, i), number(b, 0, j), size * rounding) &&
         near(size, number(b, 1, j), size * (rounding + 1e-9)) &&
         near(number(a, 2, i), number(b, 2, j), number(a, 2, i) * 0.5);
}

Element CombinerBounds::finish(unsigned k, const Element &centre, const Tiles &shadow, size_t at,
                               double count) const {
  ElementType type =
      shadow.empty() ? ElementType::F32 : typeOf(body.getTerminator()->getOperand(k));
  if (exact[k] || centre.state == State::Unknown)
    return centre;
  auto number = [&](unsigned part) {
    return std::bit_cast<double>(shadow[3 * k + part].bits()[at]);
  };
  double value = number(0), majorant = number(1), ceiling = number(2);
  double c = decode(type, centre.bits);
  if (integral && ceiling <= precisionLimit) { // integers in every order
    if (c != 0)
      return centre;
    Element zero{centre.bits, State::Enclosed};
    zero.spread.anyZeroSign = true;
    return zero;
  }
  // The value itself was computed in float64.
  double own = (type == ElementType::F64 ? 2 : 1) * perBody + opCount * 0x1p-52;
  double moved = count * elementError + (count + 1) * own;
  // Twice the ceiling seen, since another order may differ a little.
  if (!(moved < 0.25) || !(2 * ceiling <= limit) || !std::isfinite(c) || !std::isfinite(majorant))
    return vacuousElement(centre.bits);
  Element e{centre.bits, State::Enclosed};
  e.spread.error =
      outwardUp(outwardUp(std::fabs(c - value)) + majorant * (moved / (1 - moved)) * (1 + 0x1p-20) +
                (count + 1) * (opCount + 1) * tiny * 2 * ceiling);
  e.spread.band = band;
  e.spread.anyZeroSign = e.spread.error >= std::fabs(c);
  return e;
}
