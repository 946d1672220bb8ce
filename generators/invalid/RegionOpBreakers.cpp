//===- RegionOpBreakers.cpp - loops, branches, reductions and entries, broken in place --------===//
//
// One row per rule (InPlace.h explains the columns). Block arguments, terminators and functions.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/invalid/InPlace.h"

#include "compiler/dialect/CudaTile/IR/CudaTileTargets.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using namespace tilesmith::cuda_tile;
using llvm::StringRef;

static mlir::Block &bodyOf(const BrokenOp &site, unsigned region = 0) {
  return site.op->getRegion(region).front();
}

static TileType scalar(BrokenOp &site, StringRef element) {
  return tile({}, typeOf(site.context(), element));
}

static mlir::Type view(BrokenOp &site, bool ofTiles) {
  auto tensor = TensorViewType::get(site.context(), site.builder.getF32Type(), {64}, {1});
  if (!ofTiles)
    return tensor;
  return PartitionViewType::get(site.context(), site.builder.getDenseI32ArrayAttr({8}), tensor, {0},
                                PaddingValueAttr());
}

/// The terminator of this region, where it is a `yield`.
static mlir::Operation *yieldOf(const BrokenOp &site, unsigned region) {
  if (site.op->getRegion(region).empty())
    return nullptr;
  mlir::Operation *last = &bodyOf(site, region).back();
  return llvm::isa<YieldOp>(last) ? last : nullptr;
}

/// The loop that a `continue` or `break` leaves.
static mlir::Operation *loopOf(const BrokenOp &site) {
  mlir::Operation *parent = site.op->getParentOp();
  while (llvm::isa_and_nonnull<IfOp>(parent))
    parent = parent->getParentOp();
  return parent;
}

static std::string types(mlir::TypeRange range) {
  std::string text;
  for (mlir::Type type : range)
    text += (text.empty() ? "" : ", ") + quoted(type);
  return text;
}

/// One operand more or less, or another type.
static void wrongOperands(BrokenOp &site) {
  unsigned count = site.op->getNumOperands();
  uint64_t way = count ? site.stream.below(3) : 0;
  if (way == 0) {
    site.op->insertOperands(count, site.value(scalar(site, "i32")));
  } else if (way == 1) {
    site.op->eraseOperand(count - 1);
  } else {
    auto at = static_cast<unsigned>(site.stream.below(count));
    TileType have = site.in(at);
    site.operand(at,
                 have && have == scalar(site, "f64") ? scalar(site, "f16") : scalar(site, "f64"));
  }
}

/// The op becomes this terminator, without operands.
static void replaceTerminator(BrokenOp &site, StringRef name) {
  mlir::OperationState state(site.op->getLoc(), ("cuda_tile." + name).str());
  mlir::Operation *other = site.builder.create(state);
  site.op->erase();
  site.op = other;
}

/// A view that the loop carries besides its values.
static Said carry(BrokenOp &site, bool ofTiles, StringRef kind) {
  mlir::Type type = view(site, ofTiles);
  unsigned at = site.op->getNumOperands();
  site.op->insertOperands(at, site.value(type));
  mlir::Value carried = bodyOf(site).addArgument(type, site.op->getLoc());
  site.op->walk([&](ContinueOp next) {
    mlir::Operation *parent = next->getParentOp();
    while (llvm::isa<IfOp>(parent))
      parent = parent->getParentOp();
    if (parent == site.op)
      next->insertOperands(next->getNumOperands(), carried);
  });
  return ("loop-carried value " + llvm::Twine(at) + " is a " + kind + ", which is not supported")
      .str();
}

/// A value for the end of a region, made in front of its terminator.
static mlir::Value atEnd(BrokenOp &site, mlir::Operation *terminator, mlir::Type type) {
  mlir::OpBuilder::InsertionGuard guard(site.builder);
  site.builder.setInsertionPoint(terminator);
  return site.made(type);
}

static mlir::Type otherScalar(BrokenOp &site, mlir::Type element) {
  return tile({}, elementBut(site, element, {"f32", "f16", "i32", "i8"}));
}

static size_t operandsOf(const BrokenOp &site) {
  return site.op->getNumOperands();
}

static Said identities(BrokenOp &site, llvm::ArrayRef<mlir::Attribute> values, StringRef said) {
  site.set("identities", site.builder.getArrayAttr(values));
  return said.str();
}

static mlir::FunctionType typeOfEntry(const BrokenOp &site) {
  return llvm::cast<EntryOp>(site.op).getFunctionType();
}

/// The body of a reduction prints.
static Said printInside(BrokenOp &site, StringRef said) {
  std::string text = (said + site.op->getName().getStringRef() + "'").str();
  site.builder.setInsertionPoint(&bodyOf(site).back());
  mlir::OperationState state(site.op->getLoc(), "cuda_tile.print_tko");
  state.addTypes(TokenType::get(site.context()));
  state.addAttribute("str", site.builder.getStringAttr("x"));
  state.addAttribute("operandSegmentSizes", site.builder.getDenseI32ArrayAttr({0, 0}));
  site.op = site.builder.create(state);
  return text;
}

// clang-format off
static constexpr OpBreaker kBreakers[] = {
    {"for_induction", "for", "for", [](BrokenOp &s) -> Said {
       TileType want = s.in(0);
       TileType wrong = tile({}, elementBut(s, want.getElementType(), {"i64", "i32", "i16"}));
       s.argument(bodyOf(s).getArgument(0), wrong);
       return "expected induction variable to be same type as bounds and step: " + quoted(wrong) + " vs " + quoted(want);
     }},
    {"for_induction_missing", "for", "for", [](BrokenOp &s) -> Said {
       mlir::Block &body = bodyOf(s);
       for (mlir::BlockArgument argument : body.getArguments())
         s.argument(argument, argument.getType());
       body.eraseArguments(0, body.getNumArguments());
       return "expected at least one block argument for induction variable";
     }},
    {"for_init_type", "for", "for", [](BrokenOp &s) -> Said {
       mlir::Block &body = bodyOf(s);
       if (body.getNumArguments() < 2)
         return std::nullopt;
       auto at = static_cast<unsigned>(s.stream.below(body.getNumArguments() - 1));
       mlir::Type want = body.getArgument(at + 1).getType();
       auto have = llvm::dyn_cast<TileType>(want);
       mlir::Type wrong = otherScalar(s, have ? have.getElementType() : mlir::Type());
       s.argument(body.getArgument(at + 1), wrong);
       return ("init value " + llvm::Twine(at) + " and region iter_value " + llvm::Twine(at) + " have different type: " + quoted(want) + " != " + quoted(wrong)).str();
     }},
    {"loop_counts", "loop", "loop", [](BrokenOp &s) -> Said {
       mlir::Block &body = bodyOf(s);
       unsigned count = body.getNumArguments();
       body.addArgument(scalar(s, "i32"), s.op->getLoc());
       return ("mismatch in number of region iterator values and loop iterator inits: " + llvm::Twine(count + 1) + " vs " + llvm::Twine(count)).str();
     }},
    {"loop_view", "loop", "loop", [](BrokenOp &s) { return carry(s, false, "tensor_view"); }},
    {"loop_tile_view", "loop", "loop", [](BrokenOp &s) { return carry(s, true, "tile view"); }},
    {"continue_types", "continue", "for", [](BrokenOp &s) -> Said {
       mlir::Operation *loop = loopOf(s);
       if (!llvm::isa<ForOp>(loop))
         return std::nullopt;
       wrongOperands(s);
       return "`for` is missing a valid terminator. `continue` op should have operand types that match the parent loop return types: (" +
              types(loop->getResultTypes()) + "), but found: (" + types(s.op->getOperandTypes()) + ")";
     }},
    {"continue_loop_types", "continue", "loop", [](BrokenOp &s) -> Said {
       mlir::Operation *loop = loopOf(s);
       if (!llvm::isa<LoopOp>(loop))
         return std::nullopt;
       wrongOperands(s);
       return "`loop` is missing a valid terminator. `continue` op should have operand types that match the parent loop iter_values: (" +
              types(loop->getOperandTypes()) + "), but found: (" + types(s.op->getOperandTypes()) + ")";
     }},
    {"break_types", "break", "loop", [](BrokenOp &s) -> Said {
       wrongOperands(s);
       return "operand types must correspond to the parent loop result types: (" + types(s.op->getOperandTypes()) + ") vs (" +
              types(loopOf(s)->getResultTypes()) + ")";
     }},
    {"break_in_for", "yield|continue", "control", [](BrokenOp &s) -> Said {
       auto parent = llvm::dyn_cast<IfOp>(s.op->getParentOp());
       if (!parent || parent->getNumResults() || !llvm::isa<ForOp>(loopOf(s)))
         return std::nullopt;
       replaceTerminator(s, "break");
       return "can only be nested within a ancestor chain of 'cuda_tile.loop', 'cuda_tile.if' operations";
     }},
    {"break_ancestor", "return", "integer", [](BrokenOp &s) -> Said {
       if (!llvm::isa<EntryOp>(s.op->getParentOp()))
         return std::nullopt;
       replaceTerminator(s, "break");
       return "expects parent op to be one of";
     }},
    {"yield_parent", "return", "integer", [](BrokenOp &s) -> Said {
       if (!llvm::isa<EntryOp>(s.op->getParentOp()))
         return std::nullopt;
       replaceTerminator(s, "yield");
       return "expects parent op to be one of";
     }},
    {"return_count", "return", "integer", [](BrokenOp &s) -> Said {
       mlir::Operation *entry = s.op->getParentOfType<EntryOp>();
       s.op->insertOperands(0, s.value(scalar(s, "i32")));
       return "has 1 operands, but enclosing function (@" + llvm::cast<EntryOp>(entry).getName().str() + ") returns 0";
     }},
    {"if_no_else", "if", "if", [](BrokenOp &s) -> Said {
       mlir::Region &other = s.op->getRegion(1);
       if (s.op->getNumResults() == 0 || other.empty())
         return std::nullopt;
       other.dropAllReferences();
       other.getBlocks().clear();
       return "has non-empty return type, must define else branch";
     }},
    {"if_no_yield", "if", "if", [](BrokenOp &s) -> Said {
       auto region = static_cast<unsigned>(s.stream.below(2));
       mlir::Operation *yield = yieldOf(s, region);
       if (!yield || s.op->getNumResults() == 0)
         return std::nullopt;
       yield->eraseOperands(0, yield->getNumOperands());
       return "has return type of " + types(s.op->getResultTypes()) + " but " + (region ? "else" : "then") + " branch does not yield anything";
     }},
    {"if_yields", "if", "if", [](BrokenOp &s) -> Said {
       auto region = static_cast<unsigned>(s.stream.below(2));
       mlir::Operation *yield = yieldOf(s, region);
       if (!yield || s.op->getNumResults())
         return std::nullopt;
       yield->insertOperands(0, atEnd(s, yield, scalar(s, "f32")));
       return ("does not return a value, but " + llvm::Twine(region ? "else" : "then") + " branch yields " + quoted(scalar(s, "f32"))).str();
     }},
    {"if_yield_type", "if", "if", [](BrokenOp &s) -> Said {
       auto region = static_cast<unsigned>(s.stream.below(2));
       mlir::Operation *yield = yieldOf(s, region);
       if (!yield || s.op->getNumResults() == 0)
         return std::nullopt;
       auto at = static_cast<unsigned>(s.stream.below(yield->getNumOperands()));
       auto have = llvm::dyn_cast<TileType>(yield->getOperand(at).getType());
       yield->setOperand(at, atEnd(s, yield, otherScalar(s, have ? have.getElementType() : mlir::Type())));
       return "type does not match yield type, " + std::string(region ? "else" : "then") + " branch yields " + types(yield->getOperandTypes()) +
              " but op result type is " + types(s.op->getResultTypes());
     }},
    {"if_view", "if", "if", [](BrokenOp &s) -> Said {
       mlir::Operation *first = yieldOf(s, 0), *second = yieldOf(s, 1);
       if (!first || !second || s.op->getNumResults() == 0)
         return std::nullopt;
       bool ofTiles = s.stream.chance(50);
       mlir::Type type = view(s, ofTiles);
       for (mlir::Operation *yield : {first, second})
         yield->setOperand(0, atEnd(s, yield, type));
       s.result(0, type);
       return std::string("result type 0 is a ") + (ofTiles ? "tile view" : "tensor_view") + ", which is not supported";
     }},
    {"aggregate_identities", "reduce|scan", "reduce", [](BrokenOp &s) -> Said {
       size_t count = operandsOf(s);
       return identities(s, {}, ("expect identities to match the number of operands but got: " + llvm::Twine(count) + " operands and 0 identities").str());
     }},
    {"aggregate_identity_type", "reduce|scan", "reduce", [](BrokenOp &s) -> Said {
       mlir::Type want = s.elementIn(0), wrong = elementBut(s, want, {"f32", "i32", "f64"});
       llvm::SmallVector<mlir::Attribute> values(s.op->getAttrOfType<mlir::ArrayAttr>("identities").getValue());
       values[0] = wrong.isInteger() ? mlir::Attribute(s.builder.getIntegerAttr(wrong, 0)) : s.builder.getFloatAttr(wrong, 0.0);
       return identities(s, values, "expect same type for operand at index: 0 and identity at index: 0 but got: " + quoted(want) + " and " + quoted(wrong));
     }},
    {"aggregate_identity_untyped", "reduce|scan", "reduce", [](BrokenOp &s) -> Said {
       llvm::SmallVector<mlir::Attribute> values(s.op->getAttrOfType<mlir::ArrayAttr>("identities").getValue());
       values[0] = s.builder.getArrayAttr({});
       return identities(s, values, "expect a typed attribute for identity at index: 0");
     }},
    {"aggregate_dim", "reduce|scan", "reduce", [](BrokenOp &s) -> Said {
       int64_t rank = s.in(0).getRank(), dim = rank + static_cast<int64_t>(s.stream.below(5));
       s.set("dim", s.builder.getI32IntegerAttr(static_cast<int32_t>(dim)));
       return ("dimension (" + llvm::Twine(dim) + ") is out of bound [0, " + llvm::Twine(rank) + ")").str();
     }},
    {"reduce_result", "reduce", "reduce", [](BrokenOp &s) -> Said {
       Shape shape = s.shapeOut();
       shape.push_back(2);
       s.result(0, tile(shape, s.elementOut()));
       return "are incompatible with return type(s) of operation";
     }},
    {"reduce_result_count", "reduce|scan", "reduce", [](BrokenOp &s) -> Said {
       llvm::SmallVector<mlir::Type> all(s.op->getResultTypes());
       all.push_back(all.front());
       s.results(all);
       return "expect same number of operands and results";
     }},
    {"scan_operand_type", "scan", "scan", [](BrokenOp &s) -> Said {
       s.result(0, tile(s.shapeOut(), elementBut(s, s.elementOut(), {"f64", "i64", "f32"})));
       return "expect same type for operand at index: 0 and result at index: 0";
     }},
    {"aggregate_arguments", "reduce|scan", "reduce", [](BrokenOp &s) -> Said {
       mlir::Block &body = bodyOf(s);
       unsigned count = body.getNumArguments();
       body.addArgument(body.getArgument(0).getType(), s.op->getLoc());
       return ("expect " + llvm::Twine(count) + " block arguments but got: " + llvm::Twine(count + 1)).str();
     }},
    {"aggregate_argument_rank", "reduce|scan", "reduce", [](BrokenOp &s) -> Said {
       mlir::Block &body = bodyOf(s);
       auto at = static_cast<unsigned>(s.stream.below(body.getNumArguments()));
       TileType wrong = tile({2}, llvm::cast<TileType>(body.getArgument(at).getType()).getElementType());
       s.argument(body.getArgument(at), wrong);
       return ("expect 0-rank tile type at index: " + llvm::Twine(at) + " but got: " + quoted(wrong)).str();
     }},
    {"aggregate_argument_pair", "reduce|scan", "reduce", [](BrokenOp &s) -> Said {
       mlir::Type want = s.elementIn(0), wrong = elementBut(s, want, {"f32", "i32", "f64"});
       s.argument(bodyOf(s).getArgument(1), tile({}, wrong));
       return "expect same element type for block argument at index: 0 and 1 but got: " + quoted(want) + " and " + quoted(wrong);
     }},
    {"aggregate_argument_type", "reduce|scan", "reduce", [](BrokenOp &s) -> Said {
       mlir::Type want = s.elementIn(0), wrong = elementBut(s, want, {"f32", "i32", "f64"});
       for (unsigned i = 0; i < 2; ++i)
         s.argument(bodyOf(s).getArgument(i), tile({}, wrong));
       return "expect same type for operand at index: 0 and block argument at index: 0 but got: " + quoted(want) + " and " + quoted(wrong);
     }},
    {"aggregate_yield_count", "reduce|scan", "reduce", [](BrokenOp &s) -> Said {
       mlir::Operation *yield = yieldOf(s, 0);
       size_t count = operandsOf(s);
       yield->insertOperands(0, yield->getOperand(0));
       return ("expect number of terminators operands (" + llvm::Twine(count + 1) + ") to match number of operands (" + llvm::Twine(count) + ")").str();
     }},
    {"aggregate_yield_type", "reduce|scan", "reduce", [](BrokenOp &s) -> Said {
       mlir::Operation *yield = yieldOf(s, 0);
       mlir::Type want = s.elementIn(0), wrong = elementBut(s, want, {"f32", "i32", "f64"});
       yield->setOperand(0, atEnd(s, yield, tile({}, wrong)));
       return "expect same type for operand at index: 0 and terminator argument at index: 0 but got: " + quoted(want) + " and " + quoted(wrong);
     }},
    {"reduce_yield_tile", "reduce|scan", "reduce", [](BrokenOp &s) -> Said {
       mlir::Operation *yield = yieldOf(s, 0);
       yield->setOperand(0, atEnd(s, yield, TokenType::get(s.context())));
       return "expected TileType for operand and terminator types but got: " + quoted(s.in(0)) + " and '!cuda_tile.token'";
     }},
    {"tool_aggregate", "reduce|scan", "reduce", [](BrokenOp &s) { return printInside(s, "only memory-effect-free operations are allowed inside '"); }},
    {"aggregate_pure", "reduce|scan", "reduce", [](BrokenOp &s) { return printInside(s, "only pure operations are allowed inside '"); }},
    {"entry_rank", "entry", "integer", [](BrokenOp &s) -> Said {
       mlir::FunctionType type = typeOfEntry(s);
       if (type.getNumInputs() == 0)
         return std::nullopt;
       auto at = static_cast<unsigned>(s.stream.below(type.getNumInputs()));
       llvm::SmallVector<mlir::Type> inputs(type.getInputs());
       inputs[at] = tile({4}, llvm::cast<TileType>(inputs[at]).getElementType());
       s.argument(bodyOf(s).getArgument(at), inputs[at]);
       s.set("function_type", mlir::TypeAttr::get(mlir::FunctionType::get(s.context(), inputs, {})));
       return "entry op must have scalar types (rank 0 !cuda_tile.tile)";
     }},
    {"entry_results", "entry", "integer", [](BrokenOp &s) -> Said {
       s.set("function_type", mlir::TypeAttr::get(mlir::FunctionType::get(s.context(), typeOfEntry(s).getInputs(), {scalar(s, "f32")})));
       return "entry op must not return values";
     }},
    {"hints_error", "entry", "integer", [](BrokenOp &s) -> Said {
       mlir::NamedAttribute hint = s.builder.getNamedAttr("num_cta_in_cga", s.builder.getI32IntegerAttr(3));
       mlir::NamedAttribute target = s.builder.getNamedAttr(cuda_tile::defaultTarget(), s.builder.getDictionaryAttr(hint));
       s.set("optimization_hints", OptimizationHintsAttr::get(s.context(), s.builder.getDictionaryAttr(target)));
       return "Optimization hints verification failed";
     }},
};
// clang-format on

llvm::ArrayRef<OpBreaker> tilesmith::generators::regionOpBreakers() {
  return kBreakers;
}
