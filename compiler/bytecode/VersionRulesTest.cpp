//===- VersionRulesTest.cpp - what each version of the format may hold ------------------------===//
//
// One test per rule of the format that depends on the file's version or that the real readers
// settle: function entries, types, enum values, constants, spare bytes, debug records, preview
// content. Ops and their fields are walked in OpRoundTripTest.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeTestSupport.h"

using namespace tilesmith;
using namespace tilesmith::bytecode;
using testing::AllOf;
using testing::HasSubstr;

namespace {

std::string bytes(std::initializer_list<int> values) {
  std::string result;
  for (int value : values)
    result.push_back(static_cast<char>(value));
  return result;
}

class VersionRulesTest : public BytecodeTest {
protected:
  /// A kernel `k` whose one argument has type 1; the given entries are types 1, 2, …
  std::string readTypes(uint8_t minor, std::vector<std::string> types) {
    types.insert(types.begin(), bytes({16, 1, 1, 0}));
    return read(
        FileMaker(minor)
            .section(kString, table({"k"}))
            .section(kType, table(types))
            .section(kFunc, minor >= 5 ? newKernel(bytes({11, 0, 6, 0})) : oneKernel(kReturn))
            .done());
  }

  /// The function section of 13.5 with the given bytes between location and body length.
  ByteSink newKernel(llvm::StringRef middle, uint8_t flags = kKernel,
                     llvm::StringRef body = kReturn) {
    ByteSink sink;
    sink.raw(bytes({1, 0, 0}));
    sink.byte(flags);
    sink.byte(0);
    sink.raw(middle);
    sink.varInt(body.size());
    sink.raw(body);
    return sink;
  }

  std::string readEntry(uint8_t minor, ByteSink functions,
                        std::vector<std::string> types = {kNoArguments},
                        std::vector<std::string> strings = {"k", "cuda_tile.foo", "bare"}) {
    return read(FileMaker(minor)
                    .section(kString, table(strings))
                    .section(kType, table(types))
                    .section(kFunc, functions)
                    .done());
  }

  /// `constant` of the given tile type (type 1, element type 2) with the given payload.
  std::string readConstant(uint8_t minor, std::string tile, std::string element,
                           llvm::StringRef payload) {
    ByteSink item, section;
    item.varInt(payload.size());
    item.raw(payload);
    writeTable<uint64_t>(section, {item.str()});
    return read(FileMaker(minor)
                    .section(kString, table({"k"}))
                    .section(kConstant, section)
                    .section(kType, table({kNoArguments, tile, element}))
                    .section(kFunc, oneKernel(bytes({0x10, 1, 0}) + kReturn))
                    .done());
  }
};

std::string tileOf(int element, std::initializer_list<int> extents) {
  std::string result = bytes({13, element, static_cast<int>(extents.size())});
  for (int extent : extents)
    result += bytes({extent, 0, 0, 0, 0, 0, 0, 0});
  return result;
}

//===------------------------------------------------------------------------------------------===//
// function entries
//===------------------------------------------------------------------------------------------===//

// [spec: bytecode-entry-hints, bytecode-13-5]
TEST_F(VersionRulesTest, HintsAreOptionalUpTo13_4AndMandatoryIn13_5) {
  auto flagged = [&](uint8_t minor, llvm::StringRef middle) {
    return readEntry(minor, newKernel(middle, kKernel | kHasHints));
  };
  for (uint8_t minor : {1, 2, 3, 4}) {
    EXPECT_THAT(readEntry(minor, newKernel("")), HasSubstr("cuda_tile.return"));
    EXPECT_THAT(flagged(minor, bytes({11, 0})), HasSubstr("cuda_tile.return"));
    EXPECT_THAT(flagged(minor, bytes({6, 0})),
                AllOf(HasSubstr("invalid optimization hints attribute for function 'k'"),
                      HasSubstr("failed to parse function section")));
  }
  EXPECT_THAT(readEntry(5, newKernel("")), HasSubstr("error: function section, offset "));
}

// [spec: bytecode-entry-hints]
TEST_F(VersionRulesTest, ArgumentAttributesMayBeFewerOrMoreThanArguments) {
  std::vector<std::string> types{bytes({16, 1, 1, 0}), tileOf(2, {}), bytes({3})};
  auto with = [&](std::string array) {
    return readEntry(5, newKernel(bytes({11, 0}) + array), types);
  };
  EXPECT_THAT(with(bytes({6, 0})), testing::Not(HasSubstr("arg_attrs")));
  EXPECT_THAT(with(bytes({6, 1, 10, 1, 1, 3, 1})),
              HasSubstr("arg_attrs = [{cuda_tile.foo = true}]"));
  EXPECT_THAT(with(bytes({6, 2, 10, 1, 1, 3, 1, 10, 0})),
              HasSubstr("arg_attrs = [{cuda_tile.foo = true}]"));
  EXPECT_THAT(with(bytes({6, 1, 10, 1, 2, 3, 1})),
              HasSubstr("arguments may only have dialect attributes"));
  // Written for an older version they are an error, not lost.
  auto module = parse("entry @k(%a: tile<i32> {cuda_tile.foo = true}) { return }");
  ASSERT_TRUE(module);
  EXPECT_THAT(
      write(*module, {13, 4, 0}),
      HasSubstr("attribute 'arg_attrs' requires bytecode version 13.5+, but targeting 13.4"));
  EXPECT_TRUE(isTileIRBytecode(write(*module, {13, 5, 0})));
}

// [spec: bytecode-entry-flags]
TEST_F(VersionRulesTest, FlagBitsThatNobodyKnowsAreIgnoredBefore13_4) {
  for (int bit : {8, 16, 32, 64, 128}) {
    auto with = [&](uint8_t minor) {
      return readEntry(minor, newKernel(minor >= 5 ? bytes({11, 0, 6, 0}) : "",
                                        static_cast<uint8_t>(kKernel | bit)));
    };
    for (uint8_t minor : {1, 2, 3})
      EXPECT_THAT(with(minor), HasSubstr("cuda_tile.return"));
    EXPECT_THAT(with(4), HasSubstr("function entry has unrecognized flag bits (0x"));
    EXPECT_THAT(with(5), HasSubstr(bit == 8 ? "function entry has testing form in non-test build"
                                            : "function entry has unrecognized flag bits (0x"));
  }
}

// [spec: bytecode-entry-flags, bytecode-strings, launch-entry]
TEST_F(VersionRulesTest, EntriesHaveNamesScalarArgumentsAndNoResults) {
  EXPECT_THAT(readEntry(3, oneKernel(kReturn), {kNoArguments}, {""}),
              HasSubstr("function name is empty"));
  EXPECT_THAT(readEntry(3, oneKernel(kReturn), {bytes({16, 0, 1, 1}), tileOf(2, {}), bytes({3})}),
              HasSubstr("entry op must not return values"));
  EXPECT_THAT(readEntry(3, oneKernel(kReturn), {bytes({16, 1, 1, 0}), tileOf(2, {4}), bytes({3})}),
              HasSubstr("entry op must have scalar types (rank 0 !cuda_tile.tile)"));
  EXPECT_THAT(readEntry(3, oneKernel(kReturn, 1), {kNoArguments, bytes({3})}),
              HasSubstr("does not refer to a function type"));
  EXPECT_THAT(readEntry(3, oneKernel(kReturn, 2)), HasSubstr("type index 2 out of bounds"));
}

//===------------------------------------------------------------------------------------------===//
// preview content
//===------------------------------------------------------------------------------------------===//

// [spec: bytecode-preview]
TEST_F(VersionRulesTest, PreviewContentIsRefusedWithOneMessage) {
  std::string file = FileMaker(5).section(kString, table({"k"})).done();
  file[10] = 1;
  EXPECT_THAT(read(file), HasSubstr("public-preview bytecode requires at least one enabled preview "
                                    "feature; none is supported"));
  file[9] = 4;
  EXPECT_THAT(read(file),
              HasSubstr("public-preview bytecode at version 13.4.1 is not readable; preview "
                        "content is only valid at the current version 13.5"));
  EXPECT_THAT(readEntry(5, newKernel(bytes({6, 0}), kHasHints)),
              HasSubstr("function entry is an extern implementation, which is preview content"));
  EXPECT_THAT(readEntry(5, newKernel(bytes({6, 0}), kPrivate, "")),
              HasSubstr("uses preview feature 'simt', which is not enabled"));
  EXPECT_THAT(readEntry(3, oneKernel(bytes({0x82, 0x80, 1}))),
              HasSubstr("encountered public-preview opcode 16386 but the header does not advertise "
                        "preview content"));
}

//===------------------------------------------------------------------------------------------===//
// types
//===------------------------------------------------------------------------------------------===//

// [spec: bytecode-13-4, bytecode-enum-since]
TEST_F(VersionRulesTest, PointersAndTensorViewsCarryFlagsFrom13_4) {
  std::string tile = tileOf(2, {}), f32 = bytes({7});
  for (uint8_t minor : {1, 2, 3})
    EXPECT_THAT(readTypes(minor, {tile, bytes({12, 3}), f32}), HasSubstr("ptr<f32>"));
  EXPECT_THAT(readTypes(4, {tile, bytes({12, 0, 3}), f32}), HasSubstr("ptr<f32>"));
  EXPECT_THAT(readTypes(4, {tile, bytes({12, 1, 3, 0}), f32}), HasSubstr("ptr<f32, <none>>"));
  EXPECT_THAT(readTypes(4, {tile, bytes({12, 1, 3, 1}), f32}),
              HasSubstr("enum value 1 is not available in bytecode version 13.4"));
  EXPECT_THAT(readTypes(5, {tile, bytes({12, 1, 3, 2}), f32}), HasSubstr("ptr<f32, <multicast>>"));
  EXPECT_THAT(readTypes(5, {tile, bytes({12, 1, 3, 3}), f32}),
              HasSubstr("invalid integer value for enum type: 3"));
  EXPECT_THAT(readTypes(5, {tile, bytes({12, 2, 3}), f32}),
              HasSubstr("unused bits set in optional parameter flags"));
}

// [spec: bytecode-downgrade, bytecode-13-5]
TEST_F(VersionRulesTest, PointerAttributesAreNotWrittenToVersionsThatLackThem) {
  auto none = parse("entry @k(%p: tile<ptr<f32, <none>>>) { return }");
  auto multicast = parse("entry @k(%p: tile<ptr<f32, <multicast>>>) { return }");
  ASSERT_TRUE(none && multicast);
  EXPECT_THAT(write(*none, {13, 3, 0}),
              HasSubstr("pointer attribute requires bytecode version 13.4+"));
  EXPECT_TRUE(isTileIRBytecode(write(*none, {13, 4, 0})));
  EXPECT_THAT(write(*multicast, {13, 4, 0}),
              HasSubstr("pointer attribute requires bytecode version 13.5+, but targeting 13.4"));
  EXPECT_TRUE(isTileIRBytecode(write(*multicast, {13, 5, 0})));
}

// [spec: bytecode-13-4-types, bytecode-13-4, type-e5m3]
TEST_F(VersionRulesTest, FnvE5M3ExistsFrom13_4On) {
  std::string pointer = "entry @k(%p: tile<ptr<fnv8E5M3FNU>>) { return }";
  std::string constant = "entry @k() { %c = constant <fnv8E5M3FNU: [0.5, 1.0]> : "
                         "tile<2xfnv8E5M3FNU> return }";
  for (const std::string &text : {pointer, constant}) {
    auto module = parse(text);
    ASSERT_TRUE(module) << text;
    for (uint8_t minor = kOldestMinor; minor <= kNewestMinor; ++minor) {
      std::string data = write(*module, {13, minor, 0});
      if (minor >= 4)
        EXPECT_EQ(readBare(data), printBare(*module));
      else
        EXPECT_THAT(data, HasSubstr("type 'FloatNV8E5M3FNU' requires bytecode version 13.4+, "
                                    "targeting 13." +
                                    std::to_string(minor)));
    }
  }
}

// [spec: bytecode-type-tags]
TEST_F(VersionRulesTest, SpareBytesBehindATypeAreIgnored) {
  EXPECT_THAT(readTypes(3, {tileOf(2, {}), bytes({12, 3, 9, 9, 9}), bytes({7, 1, 2})}),
              HasSubstr("ptr<f32>"));
  // A pointer of 13.4 (flags 1, pointee 3, attribute 0) in a file of 13.3 points to type 1, the
  // tile.
  EXPECT_THAT(readTypes(3, {tileOf(2, {}), bytes({12, 1, 3, 0}), bytes({7})}),
              HasSubstr("type 1 contains itself"));
}

// [spec: bytecode-13-1, bytecode-13-3]
TEST_F(VersionRulesTest, PartitionViewsHoldAPresenceByteBefore13_3AndFlagsSince) {
  std::string view = bytes({14, 2, 1, 64, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0});
  std::string extents = bytes({1, 8, 0, 0, 0}), map = bytes({1, 0, 0, 0, 0});
  std::vector<std::string> old{bytes({15}) + extents + bytes({3}) + map + bytes({1, 0}), bytes({7}),
                               view};
  std::vector<std::string> now{bytes({15, 1}) + extents + bytes({3}) + map + bytes({0}), bytes({7}),
                               view};
  std::string expected = "partition_view<tile=(8), padding_value = zero, "
                         "tensor_view<64xf32, strides=[1]>>'; expected a rank-0";
  for (uint8_t minor : {1, 2})
    EXPECT_THAT(readTypes(minor, old), HasSubstr(expected));
  EXPECT_THAT(readTypes(3, now), HasSubstr(expected));
}

//===------------------------------------------------------------------------------------------===//
// constants
//===------------------------------------------------------------------------------------------===//

// [spec: bytecode-constants]
TEST_F(VersionRulesTest, ConstantsHaveExactlyTheSizesOfTheirElements) {
  std::string tile = tileOf(2, {8}), tf32 = bytes({8}), f4 = bytes({19}), i1 = bytes({0});
  auto sized = [&](std::string element, size_t size) {
    return readConstant(3, tile, element, std::string(size, '\0'));
  };
  EXPECT_THAT(sized(tf32, 24), HasSubstr("cuda_tile.constant"));
  EXPECT_THAT(sized(tf32, 3), HasSubstr("cuda_tile.constant")); // a splat
  EXPECT_THAT(sized(tf32, 2), HasSubstr("failed to validate buffer size and format"));
  EXPECT_THAT(sized(tf32, 4), HasSubstr("failed to validate buffer size and format"));
  EXPECT_THAT(sized(f4, 1), HasSubstr("cuda_tile.constant"));
  EXPECT_THAT(sized(f4, 8), HasSubstr("cuda_tile.constant"));
  for (size_t size : {0, 2, 4, 9})
    EXPECT_THAT(sized(f4, size), HasSubstr("failed to validate buffer size and format"));
  EXPECT_THAT(sized(i1, 1), HasSubstr("cuda_tile.constant"));
  for (size_t size : {0, 2, 8})
    EXPECT_THAT(sized(i1, size),
                HasSubstr("i1 dense attribute payload size " + std::to_string(size) +
                          " is not a recognized encoding for 8 elements"));
  EXPECT_THAT(sized(bytes({7}), 16), HasSubstr("failed to validate buffer size and format"));
}

//===------------------------------------------------------------------------------------------===//
// debug records
//===------------------------------------------------------------------------------------------===//

class DebugRulesTest : public VersionRulesTest {
protected:
  /// Function at record `owner`; its one op has no location.
  std::string readDebug(uint8_t minor, const std::vector<std::string> &records, uint64_t owner) {
    ByteSink debug, functions;
    debug.varInt(1);
    debug.align(4);
    debug.little<uint32_t>(0);
    debug.varInt(2);
    debug.align(8);
    debug.little<uint64_t>(owner);
    debug.little<uint64_t>(0);
    writeTable<uint32_t>(debug, records);
    functions.raw(bytes({1, 0, 0, 2, 1}));
    if (minor >= 5)
      functions.raw(bytes({11, 0, 6, 0}));
    functions.raw(bytes({3}) + kReturn);
    return read(FileMaker(minor)
                    .section(kString, table({"k", "f.py", "other"}))
                    .section(kType, table({kNoArguments}))
                    .section(kFunc, functions)
                    .section(kDebug, debug)
                    .done());
  }
  std::vector<std::string> records(std::string subprogram, std::string last) {
    return {bytes({2, 1, 1}), bytes({1, 1}), subprogram, last};
  }
  std::string subprogram = bytes({5, 1, 7, 0, 0, 2, 8}), location = bytes({4, 3, 1, 9, 4});
};

// [spec: bytecode-13-5, bytecode-debug]
TEST_F(DebugRulesTest, SubprogramsCarryFlagsSince13_5) {
  EXPECT_THAT(readDebug(5, records(subprogram + bytes({0}), location), 4),
              HasSubstr("di_subprogram"));
  EXPECT_THAT(readDebug(5, records(subprogram, location), 4),
              HasSubstr("failed to read flags when parsing DISubprogramAttr"));
  EXPECT_THAT(readDebug(5, records(subprogram + bytes({2}), location), 4),
              HasSubstr("unrecognized flag bits (0x2) when parsing DISubprogramAttr"));
  EXPECT_THAT(readDebug(5, records(subprogram + bytes({1}), location), 4),
              HasSubstr("flags = declaration"));
  // Spare bytes of older files are ignored.
  EXPECT_THAT(readDebug(4, records(subprogram + bytes({2, 3}), location), 4),
              HasSubstr("di_subprogram"));
}

// [spec: bytecode-debug]
TEST_F(DebugRulesTest, AFunctionIsLocatedInASubprogramOfItsName) {
  EXPECT_THAT(readDebug(3, records(subprogram, location), 3),
              HasSubstr("failed to read function location for 'k'"));
  EXPECT_THAT(readDebug(3, records(subprogram, bytes({4, 0, 1, 9, 4})), 4),
              HasSubstr("failed to read scope attribute when parsing DILocAttr"));
  EXPECT_THAT(
      readDebug(3, records(bytes({5, 1, 7, 0, 2, 2, 8}), location), 4),
      HasSubstr("Function name \"k\" does not match subprogram scope linkage name \"other\""));
  EXPECT_THAT(readDebug(3, records(subprogram, bytes({4, 2, 1, 9, 4})), 4),
              HasSubstr("failed to read scope attribute when parsing DILocAttr"));
}

//===------------------------------------------------------------------------------------------===//
// sections
//===------------------------------------------------------------------------------------------===//

// [spec: bytecode-sections]
TEST_F(VersionRulesTest, SpareBytesOfSectionsAreIgnoredInEveryVersion) {
  for (uint8_t minor : {1, 2, 3, 4}) {
    ByteSink functions = oneKernel(kReturn), types = table({kNoArguments});
    functions.raw("spare");
    types.raw("spare");
    EXPECT_THAT(read(FileMaker(minor)
                         .section(kType, types)
                         .section(kString, table({"k"}))
                         .section(kFunc, functions)
                         .done()),
                HasSubstr("cuda_tile.return"));
  }
}

// [spec: bytecode-13-3]
TEST_F(VersionRulesTest, TheProducerIsKeptFrom13_3On) {
  auto module = parse(kSmall);
  (*module)->setAttr("producer", mlir::StringAttr::get(holder.get(), "somebody"));
  for (uint8_t minor = kOldestMinor; minor <= kNewestMinor; ++minor) {
    std::string text = read(write(*module, {13, minor, 0}));
    if (minor >= 3)
      EXPECT_THAT(text, HasSubstr("producer = \"somebody\""));
    else
      EXPECT_THAT(text, testing::Not(HasSubstr("producer")));
  }
}

// [spec: bytecode-13-3, global-visibility]
TEST_F(VersionRulesTest, GlobalsCarryVisibilityAndConstantnessFrom13_3On) {
  auto plain = parse("global @g <i32: [1, 2]> : tile<2xi32>");
  auto secret = parse("global private @g <i32: [1, 2]> : tile<2xi32>");
  auto fixed = parse("global constant @g <i32: [1, 2]> : tile<2xi32>");
  ASSERT_TRUE(plain && secret && fixed);
  for (uint8_t minor = kOldestMinor; minor <= kNewestMinor; ++minor) {
    Version version{13, minor, 0};
    EXPECT_EQ(readBare(write(*plain, version)), printBare(*plain));
    for (auto *module : {&secret, &fixed}) {
      std::string data = write(**module, version);
      if (minor >= 3)
        EXPECT_EQ(readBare(data), printBare(**module));
      else
        EXPECT_THAT(data, AllOf(HasSubstr("encoded in bytecode version " + version.str()),
                                HasSubstr("requires bytecode 13.3+"), HasSubstr("`g`")));
    }
  }
}

} // namespace
