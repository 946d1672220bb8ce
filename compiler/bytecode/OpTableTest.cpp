//===- OpTableTest.cpp - the op table against the dialect -------------------------------------===//
#include "compiler/bytecode/OpTable.h"

#include "compiler/bytecode/Enums.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

using namespace tilesmith;
using namespace tilesmith::bytecode;

namespace {

/// Ops that live in sections of the container or in tests, not in function bodies.
bool isContainerOp(llvm::StringRef name) {
  return name == "module" || name == "entry" || name == "global";
}

// [spec: bytecode-opcode-set]
TEST(OpTable, HoldsEveryOpOfEveryVersionOnce) {
  std::map<unsigned, unsigned> perVersion;
  std::set<uint32_t> opcodes;
  for (const OpRecord &op : opTable()) {
    ++perVersion[op.since];
    EXPECT_TRUE(opcodes.insert(op.opcode).second) << op.name.str();
    EXPECT_EQ(findOpByOpcode(op.opcode), &op);
    EXPECT_EQ(findOpByName(op.name), &op);
  }
  // 92 ops of 13.1, three of which are container ops.
  EXPECT_THAT(perVersion,
              testing::ElementsAre(testing::Pair(1, 89), testing::Pair(2, 1), testing::Pair(3, 7),
                                   testing::Pair(4, 5), testing::Pair(5, 3)));
}

// [spec: bytecode-opcode-set]
TEST(OpTable, LeavesHolesEmpty) {
  for (uint32_t hole : {0x19u, 0x24u, 0x34u, 0x39u, 0x7Eu, 0x4002u, 0xFFFFFFFFu})
    EXPECT_EQ(findOpByOpcode(hole), nullptr);
}

TEST(OpTable, AgreesWithTheDialectOnNamesOperandsResultsAndRegions) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<cuda_tile::CudaTileDialect>();
  for (mlir::RegisteredOperationName name : context.getRegisteredOperationsByDialect("cuda_tile")) {
    llvm::StringRef mnemonic = name.stripDialect();
    // `print` is only the 13.1 text spelling: opcode 0x55 is read as print_tko in every version.
    if (isContainerOp(mnemonic) || mnemonic.contains('$') || mnemonic == "print")
      continue;
    EXPECT_NE(findOpByName(mnemonic), nullptr) << mnemonic.str() << " has no bytecode record";
  }
  for (const OpRecord &op : opTable()) {
    auto name = mlir::RegisteredOperationName::lookup(("cuda_tile." + op.name).str(), &context);
    ASSERT_TRUE(name) << op.name.str() << " is not registered";
    std::set<std::string> fields, attributes;
    for (const Field &field : op.fields)
      if (!isOperand(field.kind))
        fields.insert(field.name.str());
    for (mlir::StringAttr attribute : name->getAttributeNames())
      if (attribute != "operandSegmentSizes" && attribute != "operand_segment_sizes")
        attributes.insert(attribute.str());
    EXPECT_EQ(fields, attributes) << op.name.str();
    EXPECT_EQ(op.segmented, name->hasTrait<mlir::OpTrait::AttrSizedOperandSegments>())
        << op.name.str();
  }
}

// [spec: bytecode-op-flags]
TEST(OpTable, OrdersFlagBitsByVersionThenAttributesThenDeclaration) {
  const OpRecord *load = findOpByName("load_view_tko");
  std::map<std::string, int> bits;
  for (auto [field, bit] : llvm::zip_equal(load->fields, load->flagBits))
    bits[field.name.str()] = bit;
  EXPECT_EQ(bits["memory_scope"], 0);
  EXPECT_EQ(bits["optimization_hints"], 1);
  EXPECT_EQ(bits["token"], 2);
  EXPECT_EQ(bits["inbounds"], -1);
  EXPECT_EQ(bits["memory_ordering_semantics"], -1);
}

// [spec: bytecode-op-flags]
TEST(OpTable, GivesFlagsOnlyToFilesThatKnowAFlaggedField) {
  EXPECT_TRUE(findOpByName("addf")->hasFlags(1));
  EXPECT_FALSE(findOpByName("addi")->hasFlags(5));
  EXPECT_FALSE(findOpByName("for")->hasFlags(1));
  EXPECT_TRUE(findOpByName("for")->hasFlags(2));
  EXPECT_FALSE(findOpByName("ftoi")->hasFlags(3));
  EXPECT_TRUE(findOpByName("ftoi")->hasFlags(4));
  EXPECT_FALSE(findOpByName("gdc_wait_tko")->hasFlags(5));
}

// [spec: bytecode-op]
TEST(OpTable, CountsResultsExactlyWhenSomethingIsVariadic) {
  for (llvm::StringRef name :
       {"extract", "join_tokens", "make_tensor_view", "load_view_tko", "if", "print_tko"})
    EXPECT_TRUE(findOpByName(name)->countsResults) << name.str();
  for (llvm::StringRef name : {"load_ptr_tko", "store_ptr_tko", "addf", "constant", "gdc_wait_tko"})
    EXPECT_FALSE(findOpByName(name)->countsResults) << name.str();
}

// [spec: bytecode-enum-since]
TEST(Enums, RejectNumbersWithoutAName) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<cuda_tile::CudaTileDialect>();
  for (auto kind = FieldKind::Signedness; isEnum(kind);
       kind = static_cast<FieldKind>(static_cast<int>(kind) + 1)) {
    EXPECT_FALSE(makeEnum(kind, 99, &context));
    mlir::Attribute one = makeEnum(kind, 1, &context);
    ASSERT_TRUE(one);
    EXPECT_EQ(enumValue(kind, one), 1u);
  }
}

} // namespace
