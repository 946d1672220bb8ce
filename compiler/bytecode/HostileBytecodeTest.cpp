//===- HostileBytecodeTest.cpp - hand-made files that are broken, huge or odd -----------------===//
#include "compiler/bytecode/ByteSink.h"
#include "compiler/bytecode/BytecodeTestSupport.h"
#include "compiler/bytecode/Cursor.h"

#include <chrono>
#include <limits>

using namespace tilesmith;
using namespace tilesmith::bytecode;
using testing::HasSubstr;

namespace {

using HostileBytecodeTest = BytecodeTest;

/// A debug section of the given records with one owner: a function at one record and its first op
/// at the last.
ByteSink debugSection(const std::vector<std::string> &records, uint64_t functionRecord) {
  ByteSink sink;
  sink.varInt(1);
  sink.align(4);
  sink.little<uint32_t>(0);
  sink.varInt(2);
  sink.align(8);
  sink.little<uint64_t>(functionRecord);
  sink.little<uint64_t>(records.size());
  writeTable<uint32_t>(sink, records);
  return sink;
}

std::string withDebug(const std::vector<std::string> &records, uint64_t functionRecord = 0) {
  if (!functionRecord)
    functionRecord = records.size();
  std::string function("\x01\x00\x00\x02\x01\x03",
                       6); // one kernel: name 0, type 0, location index 1, 3 bytes
  ByteSink functions;
  functions.raw(function + kReturn);
  return FileMaker()
      .section(kString, table({"k", "file.py"}))
      .section(kType, table({kNoArguments}))
      .section(kFunc, functions)
      .section(kDebug, debugSection(records, functionRecord))
      .done();
}

TEST_F(HostileBytecodeTest, ReadsTheSmallestKernel) {
  std::string data = FileMaker()
                         .section(kFunc, oneKernel(kReturn))
                         .section(kType, table({kNoArguments}))
                         .section(kString, table({"k"}))
                         .done();
  EXPECT_THAT(read(data), HasSubstr("\"cuda_tile.return\""));
}

// [spec: bytecode-error-place, bytecode-sections, bytecode-strict]
TEST_F(HostileBytecodeTest, NamesSectionAndOffsetOfMissingAndDuplicateSections) {
  EXPECT_THAT(read(FileMaker().done()), HasSubstr("string section is mandatory"));
  EXPECT_THAT(read(FileMaker().section(kString, table({})).done()),
              HasSubstr("function section is mandatory"));
  EXPECT_THAT(read(FileMaker().section(kString, table({})).section(kString, table({})).done()),
              HasSubstr("duplicate string section"));
  EXPECT_THAT(read(FileMaker().raw("\x08").done()),
              HasSubstr("header, offset 13: unknown section ID: 8"));
  EXPECT_THAT(read(FileMaker().done() + "x"), HasSubstr("end section is not the last section"));
}

// [spec: bytecode-alignment]
TEST_F(HostileBytecodeTest, ChecksSectionAlignment) {
  EXPECT_THAT(read(FileMaker().raw(llvm::StringRef("\x01\x00", 2)).done()),
              HasSubstr("section 1 must have alignment that is a multiple of 4 bytes, but has no "
                        "alignment flag set"));
  EXPECT_THAT(read(FileMaker().raw(llvm::StringRef("\x81\x00\x03", 3)).done()),
              HasSubstr("invalid alignment value: 3"));
  EXPECT_THAT(read(FileMaker().raw(llvm::StringRef("\x81\x00\x80\x80\x01", 5)).done()),
              HasSubstr("invalid alignment value: 16384"));
}

// [spec: bytecode-counts]
TEST_F(HostileBytecodeTest, CountBombsAreErrorsBeforeAnythingIsAllocated) {
  ByteSink bomb;
  bomb.varInt(uint64_t(1) << 62);
  EXPECT_THAT(read(FileMaker().section(kString, bomb).section(kFunc, oneKernel(kReturn)).done()),
              HasSubstr("number of strings (4611686018427387904) exceeds"));
  EXPECT_THAT(read(FileMaker().section(kString, table({"k"})).section(kFunc, bomb).done()),
              HasSubstr("number of functions"));
  EXPECT_THAT(read(FileMaker()
                       .section(kString, table({"k"}))
                       .section(kType, bomb)
                       .section(kFunc, oneKernel(kReturn))
                       .done()),
              HasSubstr("number of types"));
  // A function type that promises 2^62 parameters.
  ByteSink type;
  type.varInt(TypeTag::Function);
  type.varInt(uint64_t(1) << 62);
  EXPECT_THAT(read(FileMaker()
                       .section(kString, table({"k"}))
                       .section(kType, table({type.str()}))
                       .section(kFunc, oneKernel(kReturn))
                       .done()),
              HasSubstr("number of parameter type (4611686018427387904) exceeds"));
}

// [spec: bytecode-type-tags]
TEST_F(HostileBytecodeTest, TypesThatContainThemselvesAreErrors) {
  // Type 0 is a function that takes type 0.
  EXPECT_THAT(read(FileMaker()
                       .section(kString, table({"k"}))
                       .section(kType, table({std::string("\x10\x01\x00\x00", 4)}))
                       .section(kFunc, oneKernel(kReturn))
                       .done()),
              HasSubstr("type 0 contains itself"));
}

TEST_F(HostileBytecodeTest, SharedPartsDoNotMultiply) {
  // Each call site has the one before it as callee and as caller: 2^100 paths, 100 records.
  std::vector<std::string> records{std::string("\x02\x01\x01", 3), std::string("\x01\x01", 2),
                                   std::string("\x05\x01\x07\x00\x00\x02\x08", 7),
                                   std::string("\x04\x03\x01\x09\x04", 5)};
  for (uint64_t i = 4; i < 104; ++i) {
    ByteSink site;
    site.varInt(DebugTag::CallSite);
    site.varInt(i);
    site.varInt(i);
    records.push_back(site.str());
  }
  EXPECT_THAT(read(withDebug(records)), HasSubstr("Function location must not be a CallSiteLoc"));
  std::string data = withDebug(records, /*functionRecord=*/4);
  auto module = readBytecode(data, holder.get());
  ASSERT_TRUE(static_cast<bool>(module)) << llvm::toString(module.takeError());
  EXPECT_TRUE(isTileIRBytecode(write(module->get(), {13, 3, 0})));

  // Function types of function types.
  std::vector<std::string> types{kNoArguments};
  for (uint64_t i = 0; i < 100; ++i) {
    ByteSink type;
    type.varInt(TypeTag::Function);
    type.varInt(uint64_t(2));
    type.varInt(i);
    type.varInt(i);
    type.varInt(uint64_t(0));
    types.push_back(type.str());
  }
  EXPECT_THAT(read(FileMaker()
                       .section(kString, table({"k"}))
                       .section(kType, table(types))
                       .section(kFunc, oneKernel(kReturn, 100))
                       .done()),
              HasSubstr("parameter type of a function type is a function type"));
}

// [spec: bytecode-13-4-types, bytecode-13-2, bytecode-13-3]
TEST_F(HostileBytecodeTest, TypesOfNewerVersionsAreErrors) {
  auto with = [&](uint8_t minor, std::string type) {
    return read(FileMaker(minor)
                    .section(kString, table({"k"}))
                    .section(kType, table({std::string("\x10\x01\x01\x00", 4), type}))
                    .section(kFunc, oneKernel(kReturn))
                    .done());
  };
  EXPECT_THAT(
      with(1, "\x12"),
      HasSubstr("type 'Float8E8M0FNU' requires bytecode version 13.2+, file version is 13.1"));
  EXPECT_THAT(with(2, "\x16"),
              HasSubstr("type 'Int4' requires bytecode version 13.3+, file version is 13.2"));
  EXPECT_THAT(with(3, "\x82\x01"),
              HasSubstr("type 'FloatNV8E5M3FNU' requires bytecode version 13.4+"));
  EXPECT_THAT(with(3, "\x17"), HasSubstr("unknown type tag: 23"));
  EXPECT_THAT(with(3, "\x80\x80\x01"), HasSubstr("unknown type tag: 16384"));
  EXPECT_THAT(with(3, "\x11"),
              HasSubstr("unsupported type in bytecode for entry argument #0: '!cuda_tile.token'"));
}

// [spec: bytecode-opcode-set]
TEST_F(HostileBytecodeTest, OpcodesOutsideTheTableAreErrors) {
  auto with = [&](std::string body) {
    return read(FileMaker()
                    .section(kString, table({"k"}))
                    .section(kType, table({kNoArguments}))
                    .section(kFunc, oneKernel(body))
                    .done());
  };
  EXPECT_THAT(with("\x19"), HasSubstr("unknown or unimplemented opcode: 25"));
  EXPECT_THAT(with("\x16"),
              HasSubstr("unknown or unimplemented opcode: 22")); // entry inside a body
  EXPECT_THAT(with("\x76"), HasSubstr("unsupported opcode 118 for bytecode version 13.3"));
  EXPECT_THAT(with("\x82\x80\x01"), HasSubstr("encountered public-preview opcode 16386"));
  EXPECT_THAT(with("\x80\x80\x80\x80\x10"),
              HasSubstr("operation opcode 4294967296 does not fit 32 bits"));
  EXPECT_THAT(with(std::string("\x5C\x00\x01\x07", 4)),
              HasSubstr("operand index 7 out of bounds (size=0)"));
}

// [spec: bytecode-block]
TEST_F(HostileBytecodeTest, DeepNestingIsAnErrorNotAStackOverflow) {
  // loop { loop { … } }: #results 0, #operands 0, one region of one block without arguments and
  // with one op.
  std::string body;
  for (int i = 0; i < 20000; ++i)
    body += std::string("\x41\x00\x00\x01\x01\x00\x01", 7);
  EXPECT_THAT(read(FileMaker()
                       .section(kString, table({"k"}))
                       .section(kType, table({kNoArguments}))
                       .section(kFunc, oneKernel(body))
                       .done()),
              HasSubstr("regions nest deeper than 256 levels"));
}

TEST_F(HostileBytecodeTest, ReadsDebugRecords) {
  // file, compile unit, subprogram k at line 7, location 9:4 in it.
  std::string text = read(withDebug({std::string("\x02\x01\x01", 3), std::string("\x01\x01", 2),
                                     std::string("\x05\x01\x07\x00\x00\x02\x08", 7),
                                     std::string("\x04\x03\x01\x09\x04", 5)}));
  EXPECT_THAT(text, HasSubstr("di_subprogram"));
  EXPECT_THAT(text, HasSubstr("\"file.py\":9:4"));
}

// [spec: bytecode-debug]
TEST_F(HostileBytecodeTest, DebugCyclesAndLongChainsAreErrors) {
  EXPECT_THAT(read(withDebug({std::string("\x06\x01\x01", 3)})),
              HasSubstr("debug info attribute 1 contains itself"));
  std::vector<std::string> chain{std::string("\x00", 1)};
  for (uint64_t i = 1; i < 20000; ++i) {
    ByteSink site;
    site.varInt(DebugTag::CallSite);
    site.varInt(i);
    site.varInt(uint64_t(0));
    chain.push_back(site.str());
  }
  EXPECT_THAT(read(withDebug(chain)),
              HasSubstr("debug info attributes nest deeper than 256 levels"));
}

/// A function section of a 13.5 file: kernel "k" with the given bytes between location and body
/// length.
std::string newFormKernel(llvm::StringRef hintsAndAttrs) {
  ByteSink functions;
  functions.raw(llvm::StringRef("\x01\x00\x00\x02\x00", 5));
  functions.raw(hintsAndAttrs);
  functions.raw(llvm::StringRef("\x03", 1));
  functions.raw(kReturn);
  return FileMaker(5)
      .section(kString, table({"k", "other"}))
      .section(kType, table({kNoArguments}))
      .section(kFunc, functions)
      .done();
}

// [spec: bytecode-entry-hints]
TEST_F(HostileBytecodeTest, EntriesOf13_5CarryHintsAndArgumentAttributes) {
  EXPECT_THAT(read(newFormKernel(llvm::StringRef("\x0B\x00\x06\x00", 4))),
              HasSubstr("cuda_tile.return"));
  // A dictionary in place of the array says "none".
  EXPECT_THAT(read(newFormKernel(llvm::StringRef("\x0B\x00\x0A\x00", 4))),
              HasSubstr("cuda_tile.return"));
  // The real tool crashes without the array.
  EXPECT_THAT(read(newFormKernel(llvm::StringRef("\x0B\x00", 2))),
              HasSubstr("error: function section, offset"));
  EXPECT_THAT(read(newFormKernel(llvm::StringRef("\x06\x00\x06\x00", 4))),
              HasSubstr("invalid optimization hints attribute for function 'k'"));
  EXPECT_THAT(read(newFormKernel(llvm::StringRef("\x0B\x00\x06\x01\x05\x01", 6))),
              HasSubstr("failed to satisfy constraint: Array of dictionary attributes"));
}

// [spec: bytecode-entry-flags]
TEST_F(HostileBytecodeTest, FunctionFlagsAreCheckedFrom13_4On) {
  auto with = [&](uint8_t minor, char flags) {
    ByteSink functions;
    functions.raw(llvm::StringRef("\x01\x00\x00", 3));
    functions.byte(static_cast<uint8_t>(flags));
    functions.raw(std::string("\x00\x03", 2) + kReturn);
    return read(FileMaker(minor)
                    .section(kString, table({"k"}))
                    .section(kType, table({kNoArguments}))
                    .section(kFunc, functions)
                    .done());
  };
  EXPECT_THAT(with(3, 0x0A), HasSubstr("cuda_tile.return"));
  EXPECT_THAT(with(4, 0x0A), HasSubstr("function entry has unrecognized flag bits (0x8);"));
  EXPECT_THAT(with(5, 0x06), HasSubstr("function entry cannot be both kernel and extern impl"));
  EXPECT_THAT(with(5, 0x0A), HasSubstr("function entry has testing form in non-test build"));
  EXPECT_THAT(with(3, 0x00), HasSubstr("un-expected non-entry function 'k'"));
  EXPECT_THAT(with(3, 0x03), HasSubstr("entry op must have public symbol visibility"));
}

TEST_F(HostileBytecodeTest, HugeButValidModulesTakeLinearTime) {
  auto start = std::chrono::steady_clock::now();
  std::string parameters = "%p0: tile<i32>", text;
  for (int i = 1; i < 30000; ++i)
    parameters += ", %p" + std::to_string(i) + ": tile<i32>";
  text = "entry @wide(" + parameters + ") { return }\n";
  for (int i = 0; i < 3000; ++i)
    text += "entry @k" + std::to_string(i) + "() { return }\n";
  text += "entry @big() { %c = constant <i32: 7> : tile<1048576xi32>\n%v0 = constant <i32: 1> : "
          "tile<i32>\n";
  for (int i = 0; i < 10000; ++i)
    text += "%v" + std::to_string(i + 1) + " = addi %v" + std::to_string(i) + ", %v0 : tile<i32>\n";
  text += "return }";
  std::string data = assemble(text);
  ASSERT_TRUE(isTileIRBytecode(data)) << data.substr(0, 200);
  EXPECT_TRUE(llvm::StringRef(read(data)).contains("sym_name = \"big\""));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST_F(HostileBytecodeTest, StridesNearTheLimitsDoNotOverflow) {
  auto with = [&](int64_t stride) {
    ByteSink view;
    view.varInt(TypeTag::TensorView);
    view.varInt(uint64_t(1));
    view.list<int64_t>({4});
    view.list<int64_t>({stride});
    return read(FileMaker()
                    .section(kString, table({"k"}))
                    .section(kType, table({std::string("\x10\x01\x02\x00", 4), "\x07", view.str()}))
                    .section(kFunc, oneKernel(kReturn))
                    .done());
  };
  EXPECT_THAT(with((int64_t(1) << 57) + 1),
              HasSubstr("unsupported type in bytecode for entry argument #0"));
  EXPECT_THAT(with(std::numeric_limits<int64_t>::max()),
              HasSubstr("unsupported type in bytecode for entry argument"));
  EXPECT_THAT(with(-1), HasSubstr("dimensions must have strictly positive constant strides"));
}

// [spec: bytecode-verified]
TEST_F(HostileBytecodeTest, VerifierErrorsArriveInTheText) {
  // A make_token and a yield directly inside an entry. The function section is the first one: its
  // payload starts at offset 16, the body behind #functions, name, signature, flags, location and
  // length.
  std::string body("\x44\x01\x6D\x00\x00", 5);
  std::string text = read(FileMaker()
                              .section(kFunc, oneKernel(body))
                              .section(kString, table({"k"}))
                              .section(kType, table({kNoArguments, "\x11"}))
                              .done());
  EXPECT_THAT(text, HasSubstr("function section, offset 24: 'cuda_tile.yield' op"));
  EXPECT_THAT(text, HasSubstr("verification failed for deserialized cuda_tile::ModuleOp"));
}

// [spec: bytecode-varint]
TEST(CursorTest, VarintsHoldSixtyFourBits) {
  auto read = [](bool isSigned, std::vector<uint8_t> bytes) -> std::string {
    ErrorTrail errors;
    Cursor cursor(bytes, 0, bytes.size(), "test", errors);
    uint64_t value = 0;
    bool good = succeeded(isSigned ? cursor.readSignedVarInt(value, "number")
                                   : cursor.readVarInt(value, "number"));
    return good ? std::to_string(static_cast<int64_t>(value)) : errors.text();
  };
  auto nineOnes = [](uint8_t last) {
    std::vector<uint8_t> bytes(9, 0xFF);
    bytes.push_back(last);
    return bytes;
  };
  EXPECT_EQ(read(false, {0xAC, 0x02}), "300");
  EXPECT_EQ(read(false, {0x80, 0x00}), "0") << "overlong forms are read";
  EXPECT_EQ(read(false, nineOnes(1)), "-1");
  EXPECT_THAT(read(false, nineOnes(2)), HasSubstr("does not fit 64 bits"));
  EXPECT_THAT(read(false, nineOnes(0x81)), HasSubstr("does not fit 64 bits"));
  EXPECT_THAT(read(false, {0x80}), HasSubstr("unexpected end of data"));
  EXPECT_EQ(read(true, {0x03}), "-2");
  EXPECT_EQ(read(true, nineOnes(3)), read(true, nineOnes(1))) << "bits above 64 are dropped";
  EXPECT_THAT(read(true, nineOnes(4)), HasSubstr("does not fit 64 bits"));
}

} // namespace
