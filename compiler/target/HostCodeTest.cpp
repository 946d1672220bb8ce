//===- HostCodeTest.cpp - the form of the object that a cubin carries for the host ------------===//
//
// Sections, symbols and words as a driver looks for them, for every system that can be asked for.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/target/HostCode.h"

#include "compiler/target/CudaToolkit.h"
#include "compiler/target/Ptxas.h"
#include "compiler/target/Targets.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

using namespace llvm;
using namespace tilesmith::target;
using support::endian::read64le;

namespace {

constexpr char kFunctions[] = R"(
define void @host_maps_second(ptr %image) {
  %base = load i64, ptr %image
  %map = getelementptr i8, ptr %image, i32 112
  store i64 %base, ptr %map
  ret void
}
define void @other() { ret void }
)";

std::vector<KernelInfo> kernels() {
  std::vector<KernelInfo> kernels(2);
  kernels[0].name = "first";
  kernels[1].name = "second";
  kernels[1].parameters = {{KernelParameter::Kind::Pointer, 0, 8}};
  kernels[1].hostMapOffset = 112;
  kernels[1].hostMaps = 1;
  return kernels;
}

struct Parsed {
  std::string bytes;
  std::unique_ptr<object::ObjectFile> file;
  std::map<std::string, object::SymbolRef> symbols;
  std::map<std::string, object::SectionRef> sections;
};

Parsed objectFor(const HostSystem &system) {
  LLVMContext context;
  SMDiagnostic error;
  auto device = parseAssemblyString(kFunctions, error, context);
  auto host = takeHostFunctions(*device);
  EXPECT_FALSE(device->getFunction("host_maps_second"));
  EXPECT_TRUE(device->getFunction("other"));
  Parsed parsed;
  parsed.bytes = cantFail(emitHostObject(*host, kernels(), system));
  parsed.file = cantFail(
      object::ObjectFile::createELFObjectFile(MemoryBufferRef(parsed.bytes, "host object")));
  for (object::SymbolRef symbol : parsed.file->symbols())
    parsed.symbols[cantFail(symbol.getName()).str()] = symbol;
  for (object::SectionRef section : parsed.file->sections())
    parsed.sections[cantFail(section.getName()).str()] = section;
  return parsed;
}

StringRef contentsOf(const Parsed &parsed, const char *symbol) {
  object::SymbolRef ref = parsed.symbols.at(symbol);
  StringRef section = cantFail(cantFail(ref.getSection())->getContents());
  return section.substr(cantFail(ref.getValue()), object::ELFSymbolRef(ref).getSize());
}

struct HostObject : testing::TestWithParam<HostSystem> {};

TEST_P(HostObject, HasWhatTheDriverLooksFor) {
  Parsed parsed = objectFor(GetParam());
  const bool isX86 = GetParam().arch == "x86_64";
  EXPECT_EQ(parsed.file->getArch(), isX86 ? Triple::x86_64 : Triple::aarch64);
  for (const char *name : {isX86 ? ".ltext" : ".text", isX86 ? ".lbss" : ".bss",
                           isX86 ? ".lrodata" : ".rodata", ".data.rel.ro", ".eh_frame"})
    EXPECT_TRUE(parsed.sections.count(name)) << name;
  for (const char *name :
       {"__CUDA_TILEIR_FUNC_ON_ARGUMENTS_CHANGE_0", "__CUDA_TILEIR_FUNC_ON_ARGUMENTS_CHANGE_1",
        "__CUDA_TILEIR_CALLBACKS_ON_PRE_LOAD"})
    EXPECT_FALSE(cantFail(parsed.symbols.at(name).getFlags()) & object::SymbolRef::SF_Global);
  for (const char *name : {"__CUDA_TILEIR_ON_PRE_LOAD", "__CUDA_TILEIR_CALLBACKS"})
    EXPECT_TRUE(cantFail(parsed.symbols.at(name).getFlags()) & object::SymbolRef::SF_Global);
  for (auto &[name, symbol] : parsed.symbols)
    if (cantFail(symbol.getFlags()) & object::SymbolRef::SF_Undefined)
      EXPECT_TRUE(name.empty() || name == "_GLOBAL_OFFSET_TABLE_") << name;
  EXPECT_EQ(contentsOf(parsed, "__CUDA_TILEIR_FUNC_NAME_0"), StringRef("first\0", 6));
  EXPECT_EQ(contentsOf(parsed, "__CUDA_TILEIR_FUNC_NAME_1"), StringRef("second\0", 7));
  EXPECT_EQ(contentsOf(parsed, "__CUDA_TILEIR_FUNC_CALLBACKS").size(), 128u);
  StringRef words = contentsOf(parsed, "__CUDA_TILEIR_CALLBACKS");
  std::vector<uint64_t> values;
  for (size_t at = 0; at + 8 <= words.size(); at += 8)
    values.push_back(read64le(words.data() + at));
  // Addresses come with relocations.
  EXPECT_THAT(values, testing::ElementsAre(2, 0, 0, 0, 64, 0, 2, 2, 0));
}

TEST_P(HostObject, RelocatesAddressesInTheTableOnly) {
  Parsed parsed = objectFor(GetParam());
  // In the section of read-only data: of each kernel name and function, then list and function to load.
  std::vector<uint64_t> offsets;
  for (object::SectionRef section : parsed.file->sections())
    if (section.relocations().begin() != section.relocations().end() &&
        cantFail(cantFail(section.getRelocatedSection())->getName()) == ".data.rel.ro")
      for (object::RelocationRef relocation : section.relocations())
        offsets.push_back(relocation.getOffset());
  const uint64_t table = cantFail(parsed.symbols.at("__CUDA_TILEIR_CALLBACKS").getValue());
  EXPECT_THAT(offsets, testing::UnorderedElementsAre(0, 40, 64, 104, table + 40, table + 64));
}

INSTANTIATE_TEST_SUITE_P(Systems, HostObject,
                         testing::Values(HostSystem{"x86_64", "linux"},
                                         HostSystem{"x86_64", "windows"},
                                         HostSystem{"aarch64", "linux"},
                                         HostSystem{"aarch64", "windows"}),
                         [](const auto &info) { return info.param.arch + "_" + info.param.os; });

TEST(HostMaps, AreHiddenParametersInPTX) {
  std::string ptx = ".version 8.8\n.address_size 64\n\n.visible .entry second(\n"
                    "\t.param .u64 .ptr .global .align 1 second_param_0,\n"
                    "\t.param .align 64 .b8 second_param_1[128]\n)\n";
  cantFail(hideHostMaps(ptx, kernels()));
  EXPECT_THAT(ptx, testing::HasSubstr("\t.hidden .param .align 64 .b8 second_param_1[128]"));
  EXPECT_THAT(ptx, testing::HasSubstr("\t.param .u64 .ptr .global .align 1 second_param_0,"));
  EXPECT_THAT(ptx, testing::HasSubstr("___NV_TILE_LAUNCH_META_DATA___[64];"));
}

TEST(HostMaps, AreHiddenInTheKernelThatHasThem) {
  const std::string other = "\t.param .align 64 .b8 the_second_param_1[128]\n";
  std::string ptx = ".address_size 64\n.visible .entry the_second(\n" + other +
                    ")\n.visible .entry second(\n\t.param .u64 second_param_0,\n"
                    "\t.param .align 64 .b8 second_param_1[128]\n)\n";
  cantFail(hideHostMaps(ptx, kernels()));
  EXPECT_THAT(ptx, testing::HasSubstr("(\n" + other));
  EXPECT_THAT(ptx, testing::HasSubstr("\t.hidden .param .align 64 .b8 second_param_1[128]"));
  std::string without = ".address_size 64\n.visible .entry the_second(\n" + other + ")\n";
  EXPECT_THAT(toString(hideHostMaps(without, kernels())),
              testing::HasSubstr("expected the parameter second_param_1[128]"));
}

/// Whose offsets the function of the host uses, and with which ptxas lays out the bank.
TEST(HostMaps, LieWhereTheRecordOfTheGPUSays) {
  Expected<std::string> ptxas = findPtxas("");
  if (!ptxas) {
    consumeError(ptxas.takeError());
    GTEST_SKIP() << "ptxas not found";
  }
  unsigned assembled = 0;
  for (const GpuTarget &gpu : gpuTargets()) {
    if (!gpu.has(Feature::TensorCopy))
      continue;
    PtxasOptions options;
    options.gpuName = gpu.name.str();
    Expected<std::string> cubin = assemblePTX(
        formatv(".version 9.0\n.target {0}\n.address_size 64\n.visible .entry k(\n"
                ".param .u64 k_param_0,\n.hidden .param .align 64 .b8 k_param_1[128]\n)\n"
                "{{ ret; }\n",
                gpu.arch)
            .str(),
        options);
    if (!cubin) { // a ptxas older than the GPU
      consumeError(cubin.takeError());
      continue;
    }
    ++assembled;
    auto file = cantFail(object::ObjectFile::createELFObjectFile(MemoryBufferRef(*cubin, "cubin")));
    uint64_t bytes = 0;
    for (object::SectionRef section : file->sections())
      if (cantFail(section.getName()) == ".nv.constant0.k")
        bytes = section.getSize();
    EXPECT_EQ(bytes, alignTo(gpu.parameterBank + 8, 64) + 128) << gpu.name.str();
  }
  EXPECT_GE(assembled, 2u); // sm_90 and sm_100
}

} // namespace
