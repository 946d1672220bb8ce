//===- AssignAliasScopes.cpp - tileaa-assign-alias-scopes -------------------------------------===//
//
// Objects are what the launch brought along (number 0), each alloca and each global. Arguments may
// be equal to each other, and a host may hand the address of a global in, so an argument may touch
// number 0 and every global. What went through memory or an integer may touch anything.
//
// Steps, in functions that have memory of their own:
//   1. every access gets the list of objects that its provenance names (AliasScopes.h);
//   2. a memref over one alloca gets its number as the alias scope of its type, and so do the
//      views of it;
//   3. a weak load does not wait for weak accesses to other objects: its token skips them, and
//      whoever waits for the load waits for them as well.
//
// Invariant: who waited for an access still does; only loads start earlier.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAA/Transforms/AliasScopes.h"
#include "compiler/dialect/TileAA/Transforms/Passes.h"
#include "compiler/dialect/TileAA/Transforms/Provenance.h"
#include "compiler/support/Plants.h"

#include "mlir/IR/Builders.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/TypeSwitch.h"

#include <set>

using namespace mlir;

namespace tilesmith::tileaa {
#define GEN_PASS_DEF_ASSIGNALIASSCOPESPASS
#include "compiler/dialect/TileAA/Transforms/Passes.h.inc"

namespace {

constexpr int32_t kLaunch = 0;

/// A weak access orders nothing by itself.
bool isWeakAccess(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<LoadOp, StoreOp>([](auto access) {
        return access.getMemSemantic() == MemSemantic::weak && !access.getIsVolatile();
      })
      .Case<TiledLoadOp, TiledStoreOp, GatherLoadOp, ScatterStoreOp>(
          [](auto access) { return access.getMemSemantic() == MemSemantic::weak; })
      .Default([](Operation *) { return false; });
}

class Scopes {
public:
  explicit Scopes(FuncOp function) : function(function), analysis(function) {}

  void run() {
    if (!numberObjects())
      return;
    function->walk([&](Operation *op) {
      if (auto access = dyn_cast<MemoryOpInterface>(op))
        note(access);
      else if (auto memref = dyn_cast<MakeMemRefOp>(op))
        scope(memref);
    });
    function->walk([&](Operation *op) {
      if (isa<LoadOp, TiledLoadOp, GatherLoadOp>(op) && isWeakAccess(op))
        startEarlier(op);
    });
  }

private:
  /// False where one object is all there is.
  bool numberObjects() {
    function->walk([&](Operation *op) {
      if (isa<AllocaOp>(op))
        allocas.try_emplace(op, ++last);
      else if (auto global = dyn_cast<GetGlobalOp>(op))
        if (globals.try_emplace(global.getName(), last + 1).second)
          ++last;
    });
    return !allocas.empty() || globals.size() > 1;
  }

  std::set<int32_t> objectsOf(Value root) {
    Operation *op = root.getDefiningOp();
    if (auto global = dyn_cast_or_null<GetGlobalOp>(op))
      return {globals.lookup(global.getName())};
    if (op)
      return {allocas.lookup(op)};
    if (TILESMITH_PLANT("alias-arguments-are-distinct"))
      return {-1 - int32_t(cast<BlockArgument>(root).getArgNumber())};
    std::set<int32_t> objects{kLaunch};
    for (auto &[name, number] : globals)
      objects.insert(number);
    return objects;
  }

  void note(MemoryOpInterface access) {
    const Provenance &provenance = analysis.getProvenance(access.getAccessedObject());
    if (provenance.unknown &&
        (provenance.roots.empty() || !TILESMITH_PLANT("alias-partly-known-is-known")))
      return;
    std::set<int32_t> objects;
    for (Value root : provenance.roots)
      objects.merge(objectsOf(root));
    Operation *address = access.getAccessedObject().getDefiningOp();
    if (isa_and_nonnull<AddPtrOp>(address) && TILESMITH_PLANT("alias-offset-is-new-memory"))
      objects = {++last};
    access->setDiscardableAttr(
        kObjects, DenseI32ArrayAttr::get(access->getContext(),
                                         SmallVector<int32_t>(objects.begin(), objects.end())));
  }

  /// The number of the alloca in the types of a memref and its views, where only accesses use them.
  void scope(MakeMemRefOp make) {
    const Provenance &provenance = analysis.getProvenance(make.getBase());
    if (provenance.unknown || provenance.roots.size() != 1 ||
        !allocas.contains(provenance.roots.front().getDefiningOp()))
      return;
    SmallVector<Value> values{make.getResult()};
    for (Operation *user : make.getResult().getUsers())
      if (isa<BlockTileOp>(user))
        values.push_back(user->getResult(0));
    for (Value value : values)
      if (!llvm::all_of(value.getUsers(), [](Operation *user) {
            return isa<MemoryOpInterface, BlockTileOp, GetDimSizeOp>(user);
          }))
        return;
    auto type = cast<MemRefType>(make.getResult().getType());
    int32_t number = allocas.lookup(provenance.roots.front().getDefiningOp());
    auto scoped = MemRefType::get(type.getContext(), type.getShape(), type.getElementType(),
                                  type.getStrides(), type.getAddressSpace(), number);
    make.setAliasScope(number);
    values.front().setType(scoped);
    for (Value value : llvm::drop_begin(values)) {
      auto view = cast<TiledViewType>(value.getType());
      value.setType(TiledViewType::get(view.getContext(), view.getTileShape(), scoped,
                                       view.getDimMap(), view.getPadding(),
                                       view.getTraversalStrides(), view.getSparseDim()));
    }
  }

  static Value tokenOperand(Operation *op) {
    auto operands = op->getOperands();
    auto found = llvm::find_if(operands, [](Value value) { return isToken(value.getType()); });
    return found == operands.end() ? Value() : *found;
  }

  /// The tokens behind `token` that a load has to wait for.
  static void collect(Value token, Operation *load, llvm::SmallSetVector<Value, 4> &kept) {
    Operation *op = token.getDefiningOp();
    if (op && isWeakAccess(op) &&
        (touchDistinctObjects(op, load) || TILESMITH_PLANT("alias-loads-pass-stores"))) {
      if (Value earlier = tokenOperand(op))
        collect(earlier, load, kept);
      return;
    }
    if (auto join = dyn_cast_or_null<JoinMemTokenOp>(op)) {
      llvm::SmallSetVector<Value, 4> behind;
      for (Value input : join.getTokens()) {
        collect(input, load, behind);
        if (TILESMITH_PLANT("alias-join-follows-first"))
          break;
      }
      if (!llvm::equal(behind, join.getTokens())) {
        kept.insert(behind.begin(), behind.end());
        return;
      }
    }
    kept.insert(token);
  }

  void startEarlier(Operation *load) {
    Value before = tokenOperand(load);
    if (!before)
      return;
    llvm::SmallSetVector<Value, 4> kept;
    collect(before, load, kept);
    if (kept.size() == 1 && kept.front() == before)
      return;
    OpBuilder builder(load);
    Type type = before.getType();
    MutableOperandRange operand = llvm::TypeSwitch<Operation *, MutableOperandRange>(load)
                                      .Case<LoadOp, TiledLoadOp, GatherLoadOp>(
                                          [](auto access) { return access.getTokenMutable(); });
    if (kept.empty())
      operand.clear();
    else
      operand.assign(kept.size() == 1 ? kept.front()
                                      : Value(JoinMemTokenOp::create(builder, load->getLoc(), type,
                                                                     kept.getArrayRef())));
    Value result = cast<AliasTokenOpInterface>(load).getTokenResult();
    if (!result || result.use_empty() || TILESMITH_PLANT("alias-load-forgets-earlier"))
      return;
    builder.setInsertionPointAfter(load);
    auto both = JoinMemTokenOp::create(builder, load->getLoc(), type, ValueRange{result, before});
    result.replaceAllUsesExcept(both, both);
  }

  FuncOp function;
  ProvenanceAnalysis analysis;
  int32_t last = kLaunch;
  llvm::DenseMap<Operation *, int32_t> allocas;
  llvm::StringMap<int32_t> globals;
};

struct AssignAliasScopes : impl::AssignAliasScopesPassBase<AssignAliasScopes> {
  void runOnOperation() override {
    getOperation()->walk([](FuncOp function) {
      if (!function.isExternal())
        Scopes(function).run();
    });
  }
};

} // namespace
} // namespace tilesmith::tileaa
