//===- Samples.cpp - PTX text for every row of the instruction table ---------------------------===//
//
// One sample per word of a segment, the other segments at their first word or left out.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/ptx/Samples.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

using namespace tilesmith::ptx;
using llvm::StringRef;
using llvm::Twine;

namespace {

/// Hands out registers by width, so that a vector never names one twice.
class Registers {
public:
  std::string next(unsigned bits) {
    const char *prefix = bits == 1     ? "%p"
                         : bits == 8   ? "%b"
                         : bits == 16  ? "%h"
                         : bits == 32  ? "%r"
                         : bits == 128 ? "%q"
                                       : "%d";
    return prefix + std::to_string(used[bits]++);
  }

private:
  std::map<unsigned, unsigned> used;
};

class SampleWriter {
public:
  explicit SampleWriter(const Row &row) : row(row) {}

  /// The words chosen for each segment ("" leaves one out).
  std::string write(llvm::ArrayRef<StringRef> words) {
    std::string text = row.mnemonic.str();
    for (auto [segment, word] : llvm::zip(row.segments, words)) {
      if (word.empty())
        continue;
      std::string spelled = word.str();
      if (const size_t star = spelled.find('*'); star != std::string::npos)
        spelled.replace(star, 1, "64");
      text += "." + spelled;
      if (!segment.capture.empty())
        captured[segment.capture] = word;
    }
    const char *separator = " ";
    for (const OperandPattern &pattern : row.operands) {
      text += separator + operand(pattern);
      separator = ", ";
    }
    return text + ";";
  }

private:
  unsigned bitsOf(const OperandPattern &pattern) {
    auto found = captured.find(pattern.type);
    const Type *type = lookupType(found == captured.end() ? pattern.type : found->second);
    return type ? type->bits * (pattern.doubled ? 2 : 1) : 0;
  }

  std::string value(const OperandPattern &pattern) {
    unsigned bits = bitsOf(pattern);
    // Loads, stores and conversions of bytes use wider registers.
    if (pattern.relaxed && bits == 8)
      bits = 16;
    unsigned count = 0;
    if (pattern.count.starts_with("N/"))
      count = 64 / (pattern.count == "N/2" ? 2 : 4);
    else if (pattern.count.getAsInteger(10, count)) {
      count = 0;
      if (auto found = captured.find(pattern.count); found != captured.end())
        found->second.drop_front().getAsInteger(10, count);
    }
    if (count == 0) {
      std::string text = registers.next(bits);
      auto type = captured.find("T");
      if (pattern.needsSecond ||
          (pattern.secondPredicate && type != captured.end() && type->second.ends_with("16x2")))
        text += "|" + registers.next(1);
      return text;
    }
    std::string text = "{";
    for (unsigned i = 0; i < count; ++i)
      text += (i ? ", " : "") + registers.next(bits);
    return text + "}";
  }

  std::string operand(const OperandPattern &pattern) {
    switch (pattern.form) {
    case OperandPattern::Value:
      return value(pattern);
    case OperandPattern::Address: {
      // An entry reaches the parameter of a function that it calls by its name alone.
      std::string text = "[";
      text += captured["S"] == "param::func" ? "a1"
                                             : registers.next(pattern.space == "tensor" ? 32 : 64);
      if (!pattern.coordinates.empty()) {
        text += ", {";
        for (char i = '0'; i < captured[pattern.coordinates][0]; ++i)
          text += (i == '0' ? "" : ", ") + registers.next(32);
        text += "}";
      }
      return text + "]";
    }
    case OperandPattern::Immediate:
      return std::to_string(pattern.low == -1 ? 1 : pattern.low == INT64_MIN ? 0 : pattern.low);
    case OperandPattern::Label:
      return "LABEL";
    case OperandPattern::Targets:
      return "TARGETS";
    case OperandPattern::Sink:
      return "_";
    case OperandPattern::Symbol:
      return registers.next(64);
    case OperandPattern::Any: {
      OperandPattern any;
      any.type = "T";
      return value(any);
    }
    }
    return "";
  }

  const Row &row;
  std::map<StringRef, StringRef> captured;
  Registers registers;
};

} // namespace

// The 256-bit and 128-bit widths are legal for some types only.
static bool isWritable(StringRef text) {
  if (text.contains(".v8."))
    return text.contains("32 ");
  if (text.contains(".v4."))
    return !text.contains("64 ") && !text.contains("128 ");
  return !(text.contains(".v2.") && text.contains("128 "));
}

std::vector<Sample> tilesmith::ptx::instructionSamples() {
  std::vector<Sample> samples;
  std::set<std::string> seen;
  for (const Row &row : instructionRows()) {
    if (row.mnemonic == "call")
      continue;
    auto add = [&](llvm::ArrayRef<StringRef> words) {
      const std::string text = SampleWriter(row).write(words);
      if (!isWritable(text) || !seen.insert(text).second)
        return;
      for (StringRef name : {"sm_90a", "sm_100a", "sm_120a"}) {
        Target target;
        target.version = 90;
        parseTarget(name, target);
        bool has = targetHas(target, row.target) && !StringRef(text).contains(".v8.");
        has = has || (targetHas(target, row.target) && isAtLeast(target, 100, 0));
        if (!has)
          continue;
        samples.push_back({text, &row, name.str()});
        return;
      }
    };
    llvm::SmallVector<StringRef> least;
    for (const Segment &segment : row.segments)
      least.push_back(segment.optional ? StringRef() : segment.words[0]);
    add(least);
    for (auto [index, segment] : llvm::enumerate(row.segments))
      for (StringRef word : segment.words) {
        llvm::SmallVector<StringRef> words = least;
        words[index] = word;
        add(words);
      }
  }
  return samples;
}

std::string tilesmith::ptx::sampleKernel(StringRef target, StringRef version, StringRef body) {
  return (".version " + version + "\n.target " + target + "\n.address_size 64\n" +
          R"(.extern .func (.param .b32 r) callee (.param .b64 a, .param .align 8 .b8 b[16]);
.global .align 16 .b8 gv[64];
.const .align 4 .b32 cv[4] = {1, 2, 3, 4};
.visible .entry kernel(.param .u64 .ptr .global .align 1 pointer, .param .u32 number)
.reqntid 128, 1, 1
{
.reg .pred %p<16>; .reg .b8 %b<16>; .reg .b16 %h<64>; .reg .b32 %r<300>; .reg .b64 %d<64>;
.reg .f16 %fh<4>; .reg .f32 %f<8>; .reg .f64 %fd<8>; .reg .u32 %u<4>; .reg .s64 %sl<4>;
.shared .align 16 .b8 sv[256];
.local .align 16 .b8 lv[64];
.param .b64 a0; .param .align 8 .b8 a1[16]; .param .b32 r0;
ld.param.u64 %d63, [pointer];
TARGETS: .branchtargets LABEL;
)" + (body.contains(" %q") ? ".reg .b128 %q<16>;\n" : "\n") +
          body + "\nLABEL:\nret;\n}\n")
      .str();
}

std::string tilesmith::ptx::findPtxas() {
  for (const char *variable : {"CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"})
    if (const char *root = std::getenv(variable)) {
      const std::string path = std::string(root) + "/bin/ptxas";
      return llvm::sys::fs::can_execute(path) ? path : "";
    }
  if (llvm::sys::fs::can_execute("/usr/local/cuda/bin/ptxas"))
    return "/usr/local/cuda/bin/ptxas";
  auto found = llvm::sys::findProgramByName("ptxas");
  return found ? *found : "";
}

bool tilesmith::ptx::ptxasAccepts(StringRef path, StringRef ptx, StringRef target,
                                  std::string &output) {
  llvm::SmallString<128> source, log;
  if (llvm::sys::fs::createTemporaryFile("sample", "ptx", source) ||
      llvm::sys::fs::createTemporaryFile("sample", "log", log)) {
    output = "no temporary file";
    return false;
  }
  llvm::scope_exit remove([&] {
    llvm::sys::fs::remove(source);
    llvm::sys::fs::remove(log);
    llvm::sys::fs::remove(source + ".cubin");
  });
  {
    std::error_code error;
    llvm::raw_fd_ostream(source, error) << ptx;
  }
  const std::string cubin = (source + ".cubin").str();
  const int code =
      llvm::sys::ExecuteAndWait(path, {path, "-O0", "-arch", target, source, "-o", cubin},
                                std::nullopt, {StringRef(""), StringRef(log), StringRef(log)}, 300);
  if (auto text = llvm::MemoryBuffer::getFile(log))
    output = (*text)->getBuffer().str();
  return code == 0;
}
