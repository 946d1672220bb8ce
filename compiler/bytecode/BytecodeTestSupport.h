//===- BytecodeTestSupport.h - the fixture of the bytecode tests ------------------------------===//
#ifndef COMPILER_BYTECODE_BYTECODETESTSUPPORT_H
#define COMPILER_BYTECODE_BYTECODETESTSUPPORT_H

#include "compiler/bytecode/ByteSink.h"
#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/bytecode/BytecodeWriter.h"

#include "mlir/Parser/Parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tilesmith::bytecode {

class BytecodeTest : public testing::Test {
protected:
  BytecodeTest() { resetContext(); }

  void resetContext() {
    holder = std::make_unique<mlir::MLIRContext>(mlir::MLIRContext::Threading::DISABLED);
    // Real files are judged by the rules of the tools that their frontends target.
    holder->getOrLoadDialect<cuda_tile::CudaTileDialect>()->setProfile(
        cuda_tile::Profile::Tileiras13_5);
  }

  std::string print(cuda_tile::ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream os(text);
    module->print(os, mlir::OpPrintingFlags().printGenericOpForm().enableDebugInfo());
    return text;
  }

  /// Without locations.
  std::string printBare(cuda_tile::ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream os(text);
    module->print(os, mlir::OpPrintingFlags().printGenericOpForm());
    return llvm::StringRef(text).rtrim().str();
  }

  std::string printPretty(cuda_tile::ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream os(text);
    module->print(os);
    return llvm::StringRef(text)
        .rtrim()
        .str(); // a top-level op ends in a newline, a nested one does not
  }

  /// Text of the module, or "error: …".
  std::string read(llvm::StringRef data) {
    auto module = readBytecode(data, holder.get());
    return module ? print(module->get()) : "error: " + llvm::toString(module.takeError());
  }

  std::string readBare(llvm::StringRef data, bool verify = true) {
    ReaderOptions options;
    options.verify = verify;
    auto module = readBytecode(data, holder.get(), options);
    return module ? printBare(module->get()) : "error: " + llvm::toString(module.takeError());
  }

  std::string write(cuda_tile::ModuleOp module, Version version) {
    std::string data;
    llvm::raw_string_ostream os(data);
    if (llvm::Error error = writeBytecode(module, os, version))
      return "error: " + llvm::toString(std::move(error));
    return data;
  }

  /// Parses the body of a module and writes it.
  std::string assemble(llvm::StringRef body, Version version = {13, 3, 0}) {
    auto module = parse(body);
    return module ? write(*module, version) : "error: text does not parse";
  }

  mlir::OwningOpRef<cuda_tile::ModuleOp> parse(llvm::StringRef body) {
    std::string text = ("cuda_tile.module @kernels {\n" + body + "\n}").str();
    auto outer = mlir::parseSourceString<mlir::ModuleOp>(text, holder.get());
    if (!outer)
      return {};
    auto inner = mlir::cast<cuda_tile::ModuleOp>(outer->getBody()->front());
    inner->remove();
    return inner;
  }

  std::unique_ptr<mlir::MLIRContext> holder;
};

inline constexpr const char *kSmall = R"(
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %c = constant <f32: 1.5> : tile<f32>
    return
  })";

/// A file made of sections given as payloads.
class FileMaker {
public:
  explicit FileMaker(uint8_t minor = 3) {
    for (unsigned char byte : kMagic)
      file.byte(byte);
    file.byte(13);
    file.byte(minor);
    file.little<uint16_t>(0);
  }
  FileMaker &section(uint8_t id, const ByteSink &payload) {
    uint64_t alignment = requiredAlignment(id);
    file.byte(alignment > 1 ? id | kSectionAligned : id);
    file.varInt(payload.size());
    if (alignment > 1) {
      file.varInt(alignment);
      file.align(alignment);
    }
    file.raw(payload.str());
    return *this;
  }
  FileMaker &raw(llvm::StringRef bytes) {
    file.raw(bytes);
    return *this;
  }
  std::string done() {
    file.byte(kEnd);
    return file.str();
  }

private:
  ByteSink file;
};

inline ByteSink table(std::vector<std::string> items) {
  ByteSink sink;
  writeTable<uint32_t>(sink, items);
  return sink;
}

/// A function section with one kernel of the given body: name 0, signature type `signature`.
inline ByteSink oneKernel(llvm::StringRef body, uint64_t signature = 0) {
  ByteSink sink;
  sink.varInt(1);
  sink.varInt(0);
  sink.varInt(signature);
  sink.byte(kKernel);
  sink.varInt(0);
  sink.varInt(body.size());
  sink.raw(body);
  return sink;
}

inline const std::string kNoArguments("\x10\x00\x00", 3);
inline const std::string kReturn("\x5C\x00\x00", 3);

} // namespace tilesmith::bytecode

#endif // COMPILER_BYTECODE_BYTECODETESTSUPPORT_H
