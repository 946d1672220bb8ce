//===- OpTable.cpp - the encoding of every op -------------------------------------------------===//
#include "compiler/bytecode/OpTable.h"

#include "compiler/dialect/CudaTile/IR/CudaTile.h"

#include "mlir/IR/OperationSupport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <algorithm>
#include <vector>

using namespace llvm;
using namespace tilesmith::bytecode;

namespace {
using K = FieldKind;

// Values that a missing attribute stands for.
constexpr uint32_t kFirstTestingOpcode = 0x3FF0; // below the opcodes of previews
constexpr uint32_t kOverflowNone = 0;
constexpr uint32_t kReductionAdd = 0;
constexpr uint32_t kRoundingNearestEven = 0;
constexpr uint32_t kRoundingZero = 1;
constexpr uint32_t kRoundingFull = 5;

Field in(StringLiteral name) {
  return {K::Operand, name};
}
Field inOptional(StringLiteral name, uint8_t since = 0) {
  return {K::OptionalOperand, name, since};
}
Field inMany(StringLiteral name) {
  return {K::VariadicOperand, name};
}
Field attr(K kind, StringLiteral name) {
  return {kind, name};
}
Field attrDefault(K kind, StringLiteral name, uint32_t value) {
  return {kind, name, 0, false, value};
}
Field attrOptional(K kind, StringLiteral name) {
  return {kind, name, 0, true};
}
Field attrSince(K kind, StringLiteral name, uint8_t since, uint32_t absent) {
  return {kind, name, since, false, absent};
}
Field inbounds(uint8_t since) {
  return {K::BoolArray, "inbounds", since};
}
Field unit(StringLiteral name, uint8_t since = 0) {
  return {K::Unit, name, since, true};
}

Field signedness(StringLiteral name = "signedness") {
  return attr(K::Signedness, name);
}
Field overflow() {
  return attrDefault(K::Overflow, "overflow", kOverflowNone);
}
Field rounding() {
  return attr(K::Rounding, "rounding_mode");
}
Field ftz() {
  return unit("flush_to_zero");
}
Field order() {
  return attr(K::MemoryOrder, "memory_ordering_semantics");
}
Field scope() {
  return attr(K::MemoryScope, "memory_scope");
}
Field scopeOptional() {
  return attrOptional(K::MemoryScope, "memory_scope");
}
Field mode() {
  return attr(K::AtomicMode, "mode");
}
Field hints() {
  return attrOptional(K::Hints, "optimization_hints");
}
Field reduction() {
  return attrDefault(K::MultimemReduction, "reduction", kReductionAdd);
}

OpRecord segmented(OpRecord op) {
  op.segmented = true;
  return op;
}

// [spec: bytecode-13-1, bytecode-13-2, bytecode-13-3, bytecode-13-4, bytecode-13-5]
std::vector<OpRecord> families() {
  std::vector<OpRecord> ops;
  auto add = [&](OpRecord op) { ops.push_back(std::move(op)); };

  // Elementwise ops whose operands are all there is.
  auto unary = [&](uint32_t opcode, StringLiteral name) {
    add({opcode, 1, name, 1, {in("source")}});
  };
  auto binary = [&](uint32_t opcode, StringLiteral name) {
    add({opcode, 1, name, 1, {in("lhs"), in("rhs")}});
  };
  unary(0x00, "absf");
  unary(0x01, "absi");
  binary(0x04, "andi");
  unary(0x09, "bitcast");
  unary(0x0B, "broadcast");
  unary(0x0D, "ceil");
  unary(0x12, "cos");
  unary(0x13, "cosh");
  unary(0x27, "floor");
  unary(0x33, "int_to_ptr");
  unary(0x3F, "log");
  unary(0x40, "log2");
  unary(0x4F, "negf");
  binary(0x52, "ori");
  unary(0x56, "ptr_to_int");
  unary(0x57, "ptr_to_ptr");
  binary(0x59, "remf");
  unary(0x5B, "reshape");
  unary(0x62, "sin");
  unary(0x63, "sinh");
  unary(0x69, "tan");
  binary(0x6C, "xori");
  add({0x4D, 1, "mulhii", 1, {in("x"), in("y")}});
  add({0x51, 1, "offset", 1, {in("ptr"), in("offset")}});
  add({0x54, 1, "pow", 1, {in("source"), in("exponent")}});
  add({0x5F, 1, "select", 1, {in("cond"), in("val_if_true"), in("val_if_false")}});
  add({0x6E, 2, "atan2", 1, {in("x"), in("y")}});
  add({0x6F, 3, "pack", 1, {in("source")}});
  add({0x70, 3, "unpack", 1, {in("source")}});
  add({0x79, 4, "fpowi", 1, {in("source"), in("exponent")}});

  // Integer arithmetic.
  for (auto [opcode, name] : {std::pair<uint32_t, StringLiteral>{0x03, "addi"},
                              {0x4E, "muli"},
                              {0x60, "shli"},
                              {0x68, "subi"}})
    add({opcode, 1, name, 1, {overflow(), in("lhs"), in("rhs")}});
  for (auto [opcode, name] : {std::pair<uint32_t, StringLiteral>{0x46, "maxi"},
                              {0x48, "mini"},
                              {0x5A, "remi"},
                              {0x61, "shri"}})
    add({opcode, 1, name, 1, {signedness(), in("lhs"), in("rhs")}});
  add({0x0F,
       1,
       "cmpi",
       1,
       {attr(K::Predicate, "comparison_predicate"), signedness(), in("lhs"), in("rhs")}});
  add({0x15,
       1,
       "divi",
       1,
       {signedness(), attrDefault(K::Rounding, "rounding", kRoundingZero), in("lhs"), in("rhs")}});
  add({0x50, 1, "negi", 1, {attrSince(K::Overflow, "overflow", 2, kOverflowNone), in("source")}});
  add({0x4A,
       1,
       "mmai",
       1,
       {signedness("signedness_lhs"), signedness("signedness_rhs"), in("lhs"), in("rhs"),
        in("acc")}});

  // Floating-point arithmetic.
  for (auto [opcode, name] : {std::pair<uint32_t, StringLiteral>{0x02, "addf"},
                              {0x14, "divf"},
                              {0x4C, "mulf"},
                              {0x67, "subf"}})
    add({opcode, 1, name, 1, {rounding(), ftz(), in("lhs"), in("rhs")}});
  for (auto [opcode, name] : {std::pair<uint32_t, StringLiteral>{0x45, "maxf"}, {0x47, "minf"}})
    add({opcode, 1, name, 1, {unit("propagate_nan"), ftz(), in("lhs"), in("rhs")}});
  add({0x0E,
       1,
       "cmpf",
       1,
       {attr(K::Predicate, "comparison_predicate"), attr(K::Ordering, "comparison_ordering"),
        in("lhs"), in("rhs")}});
  add({0x17,
       1,
       "exp",
       1,
       {attrSince(K::Rounding, "rounding_mode", 3, kRoundingFull), in("source")}});
  add({0x18, 1, "exp2", 1, {ftz(), in("source")}});
  add({0x28, 1, "fma", 1, {rounding(), ftz(), in("lhs"), in("rhs"), in("acc")}});
  add({0x49, 1, "mmaf", 1, {unit("fast_acc", 3), in("lhs"), in("rhs"), in("acc")}});
  add({0x5D, 1, "rsqrt", 1, {ftz(), in("source")}});
  add({0x64, 1, "sqrt", 1, {rounding(), ftz(), in("source")}});
  add({0x6A,
       1,
       "tanh",
       1,
       {attrSince(K::Rounding, "rounding_mode", 2, kRoundingFull), in("source")}});
  add({0x72,
       3,
       "mmaf_scaled",
       1,
       {in("lhs"), in("rhs"), in("acc"), in("lhs_scale"), in("rhs_scale")}});

  // Conversions.
  add({0x25, 1, "exti", 1, {signedness(), in("from")}});
  add({0x2A,
       1,
       "ftof",
       1,
       {attrDefault(K::Rounding, "rounding_mode", kRoundingNearestEven), in("from")}});
  add({0x2B, 1, "ftoi", 1, {signedness(), rounding(), unit("saturating", 4), in("from")}});
  add({0x3B, 1, "itof", 1, {signedness(), rounding(), in("from")}});
  add({0x6B, 1, "trunci", 1, {overflow(), in("from")}});

  // Shapes and constants.
  add({0x0C, 1, "cat", 1, {attr(K::I64, "dim"), in("lhs"), in("rhs")}});
  add({0x10, 1, "constant", 1, {attr(K::Dense, "value")}});
  add({0x26, 1, "extract", 1, {in("source"), inMany("indices")}});
  add({0x3A, 1, "iota", 1, {}});
  add({0x53, 1, "permute", 1, {attr(K::I32Array, "permutation"), in("source")}});
  add({0x76, 4, "insert", 1, {in("source"), in("destination"), inMany("indices")}});
  add({0x58,
       1,
       "reduce",
       -1,
       {attr(K::I32, "dim"), attr(K::Array, "identities"), inMany("operands")},
       1});
  add({0x5E,
       1,
       "scan",
       -1,
       {attr(K::I32, "dim"), attr(K::Bool, "reverse"), attr(K::Array, "identities"),
        inMany("operands")},
       1});

  // Control flow.
  add({0x05, 1, "assert", 0, {attr(K::String, "message"), in("condition")}});
  add({0x06, 1, "assume", 1, {attr(K::SelfContained, "predicate"), in("value")}});
  add({0x0A, 1, "break", 0, {inMany("operands")}});
  add({0x11, 1, "continue", 0, {inMany("operands")}});
  add({0x29,
       1,
       "for",
       -1,
       {unit("unsignedCmp", 2), in("lowerBound"), in("upperBound"), in("step"),
        inMany("initValues")},
       1});
  add({0x32, 1, "if", -1, {in("condition")}, 2});
  add({0x41, 1, "loop", -1, {inMany("initValues")}, 1});
  add({0x5C, 1, "return", 0, {inMany("operands")}});
  add({0x6D, 1, "yield", 0, {inMany("operands")}});
  OpRecord print = segmented(
      {0x55, 1, "print_tko", 1, {attr(K::String, "str"), inMany("args"), inOptional("token", 2)}});
  print.lastResultSince = 2;
  add(print);

  // Grid, globals, views.
  add({0x2C, 1, "get_global", 1, {attr(K::Symbol, "name")}});
  add({0x2D, 1, "get_index_space_shape", -1, {in("src")}});
  add({0x2E, 1, "get_num_tile_blocks", 3, {}});
  add({0x2F, 1, "get_tensor_shape", -1, {in("src")}});
  add({0x30, 1, "get_tile_block_id", 3, {}});
  add({0x42, 1, "make_partition_view", 1, {in("tensor_view")}});
  add(segmented({0x43,
                 1,
                 "make_tensor_view",
                 1,
                 {in("base"), inMany("dynamicShape"), inMany("dynamicStrides")}}));
  add({0x73, 3, "make_gather_scatter_view", 1, {in("tensor_view")}});
  add({0x74, 3, "make_strided_view", 1, {in("tensor_view")}});

  // Memory.
  add({0x71,
       3,
       "alloca",
       1,
       {attr(K::I64, "num_elem"), attr(K::I64, "alignment"), unit("global")}});
  add({0x3C, 1, "join_tokens", 1, {inMany("tokens")}});
  add({0x44, 1, "make_token", 1, {}});
  add(segmented({0x3D,
                 1,
                 "load_ptr_tko",
                 2,
                 {order(), scopeOptional(), hints(), in("source"), inOptional("mask"),
                  inOptional("paddingValue"), inOptional("token")}}));
  add(segmented({0x65,
                 1,
                 "store_ptr_tko",
                 1,
                 {order(), scopeOptional(), hints(), in("destination"), in("value"),
                  inOptional("mask"), inOptional("token")}}));
  add(segmented({0x3E,
                 1,
                 "load_view_tko",
                 2,
                 {order(), scopeOptional(), hints(), inbounds(4), in("view"), inMany("index"),
                  inOptional("token")}}));
  add(segmented({0x66,
                 1,
                 "store_view_tko",
                 1,
                 {order(), scopeOptional(), hints(), inbounds(4), in("tile"), in("view"),
                  inMany("index"), inOptional("token")}}));
  add(segmented({0x07,
                 1,
                 "atomic_cas_tko",
                 2,
                 {order(), scope(), in("pointers"), in("cmp"), in("val"), inOptional("mask"),
                  inOptional("token")}}));
  add(segmented({0x08,
                 1,
                 "atomic_rmw_tko",
                 2,
                 {order(), scope(), mode(), in("pointers"), in("arg"), inOptional("mask"),
                  inOptional("token")}}));
  add(segmented({0x75,
                 3,
                 "atomic_red_view_tko",
                 1,
                 {order(), scope(), mode(), inbounds(5), in("view"), inMany("index"), in("value"),
                  inOptional("token")}}));
  add({0x77, 4, "gdc_launch_dependents_tko", 1, {inOptional("token")}});
  add({0x78, 4, "gdc_wait_tko", 1, {inOptional("token")}});
  add({0x7A, 4, "memory_fence_alias_tko", 1, {in("token")}});
  add(segmented({0x7B,
                 5,
                 "multimem_load_reduce_view_tko",
                 2,
                 {order(), scopeOptional(), reduction(), inbounds(5), in("view"), inMany("index"),
                  inOptional("token")}}));
  add(segmented({0x7C,
                 5,
                 "multimem_reduce_view_tko",
                 1,
                 {order(), scope(), reduction(), inbounds(5), in("view"), in("tile"),
                  inMany("index"), inOptional("token")}}));
  add(segmented({0x7D,
                 5,
                 "multimem_store_view_tko",
                 1,
                 {order(), scopeOptional(), inbounds(5), in("view"), in("tile"), inMany("index"),
                  inOptional("token")}}));

  // Ops of test suites.
  add({kFirstTestingOpcode,
       kTestingLevel0,
       "testing$bytecode_test_new_attribute",
       0,
       {unit("new_flag", kTestingLevel1), attrSince(K::I32, "new_param", kTestingLevel1, 42)}});
  Field number = attrOptional(K::I32, "new_attr"),
        priority = attrOptional(K::SelfContained, "priority"),
        value = attrOptional(K::SelfContained, "test_attr");
  number.since = priority.since = value.since = kTestingLevel1;
  OpRecord evolution = segmented(
      {kFirstTestingOpcode + 1,
       kTestingLevel0,
       "testing$bytecode_test_evolution",
       1,
       {inMany("inputs"), number, inOptional("optional_token", kTestingLevel1), priority, value}});
  evolution.lastResultSince = kTestingLevel1;
  add(evolution);
  return ops;
}

bool isFlagged(const OpRecord &op, const Field &field) {
  return isOperand(field.kind) ? field.kind == K::OptionalOperand && op.segmented : field.optional;
}

/// Fills in what follows from the fields.
void derive(OpRecord &op) {
  op.countsResults = op.results < 0 ||
                     any_of(op.fields, [](const Field &f) { return f.kind == K::VariadicOperand; });
  op.countsOperands = !op.segmented && any_of(op.fields, [](const Field &f) {
    return f.kind == K::VariadicOperand || f.kind == K::OptionalOperand;
  });
  op.flagBits.assign(op.fields.size(), -1);
  SmallVector<unsigned> flagged;
  for (auto [i, field] : enumerate(op.fields)) {
    if (!field.since)
      field.since = op.since;
    if (isFlagged(op, field))
      flagged.push_back(i);
  }
  llvm::sort(flagged, [&](unsigned a, unsigned b) {
    const Field &x = op.fields[a], &y = op.fields[b];
    return std::make_tuple(x.since, isOperand(x.kind), a) <
           std::make_tuple(y.since, isOperand(y.kind), b);
  });
  for (auto [bit, index] : enumerate(flagged))
    op.flagBits[index] = static_cast<int8_t>(bit);
  if (!flagged.empty())
    op.flagsSince = op.fields[flagged.front()].since;
}

struct Table {
  std::vector<OpRecord> ops = families();
  std::vector<const OpRecord *> byOpcode;
  StringMap<const OpRecord *> byName;

  Table() {
    llvm::sort(ops, [](const OpRecord &a, const OpRecord &b) { return a.opcode < b.opcode; });
    byOpcode.assign(ops.back().opcode + 1, nullptr);
    for (OpRecord &op : ops) {
      derive(op);
      byOpcode[op.opcode] = &op;
      byName[op.name] = &op;
    }
  }
};

const Table &table() {
  static const Table instance;
  return instance;
}
} // namespace

ArrayRef<OpRecord> tilesmith::bytecode::opTable() {
  return opTableWithTestingOps().take_while(
      [](const OpRecord &op) { return op.opcode < kFirstTestingOpcode; });
}

ArrayRef<OpRecord> tilesmith::bytecode::opTableWithTestingOps() {
  return table().ops;
}

bool tilesmith::bytecode::isSupported(Version version, mlir::MLIRContext *context) {
  if (version.major == kTestingMajor)
    return version.minor <= 1 &&
           mlir::RegisteredOperationName::lookup(
               ("cuda_tile." + findOpByOpcode(kFirstTestingOpcode)->name).str(), context);
  return version.major == kMajor && version.minor >= kOldestMinor &&
         version.minor <= newestMinor(context);
}

unsigned tilesmith::bytecode::newestMinor(mlir::MLIRContext *context) {
  auto *dialect = context->getLoadedDialect<cuda_tile::CudaTileDialect>();
  return dialect && dialect->getProfile() == cuda_tile::Profile::Tileiras13_1 ? 1 : kNewestMinor;
}

const OpRecord *tilesmith::bytecode::findOpByOpcode(uint32_t opcode) {
  const auto &byOpcode = table().byOpcode;
  return opcode < byOpcode.size() ? byOpcode[opcode] : nullptr;
}

const OpRecord *tilesmith::bytecode::findOpByName(StringRef name) {
  return table().byName.lookup(name);
}
