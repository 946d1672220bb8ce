//===- WmmaFamilyTest.cpp - every wmma that LLVM knows ----------------------------------------===//
//
// Walks the intrinsics below llvm.nvvm.wmma. Every multiplication loads its operands from memory
// and stores its result, so that every load and store takes part.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/emulator/MatrixTestSupport.h"

namespace tilesmith::emulator {
namespace {

struct Stored {
  std::vector<uint64_t> memory;
  int leading; // elements between rows (columns)
  bool byColumns;
};

Stored store(const Matrix &matrix, const Operand &operand, bool byColumns, bool wide) {
  const int rows = matrix.size(), columns = matrix[0].size();
  Stored stored;
  stored.byColumns = byColumns;
  const int length = byColumns ? rows : columns, runs = byColumns ? columns : rows;
  // A wide row has room for more: multiples of 16 bytes.
  stored.leading = length + (wide ? 16 * 8 / operand.container : 0);
  stored.memory.assign(
      (static_cast<size_t>(stored.leading) * runs * operand.container + 63) / 64 + 4, 0);
  auto *bytes = reinterpret_cast<uint8_t *>(stored.memory.data());
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const size_t at =
          byColumns ? size_t(column) * stored.leading + row : size_t(row) * stored.leading + column;
      const uint64_t bits = operand.encode(matrix[row][column]);
      const size_t bit = at * operand.container;
      if (operand.container < 8)
        bytes[bit / 8] |= bits << (bit % 8);
      else
        std::memcpy(bytes + bit / 8, &bits, operand.container / 8);
    }
  return stored;
}

std::set<std::string> transfersUsed;

// Text that calls a load; results go to %<operand>0 ...
std::string loadText(const std::string &shape, char operand, const Stored &from, bool wide,
                     const std::string &type, const std::vector<std::string> &registers,
                     std::string &declarations) {
  const std::string name = "llvm.nvvm.wmma." + shape + ".load." + operand + "." +
                           (from.byColumns ? "col." : "row.") + (wide ? "stride." : "") + type;
  transfersUsed.insert(name);
  const std::string result =
      registers.size() == 1 ? registers[0] : "{ " + llvm::join(registers, ", ") + " }";
  declarations += llvm::formatv("declare {0} @{1}.p1(ptr addrspace(1){2})\n", result, name,
                                wide ? ", i32" : "");
  std::string text =
      llvm::formatv("  %{0} = call {1} @{2}.p1(ptr addrspace(1) %m{0}{3})\n", operand, result, name,
                    wide ? ", i32 " + std::to_string(from.leading) : std::string());
  for (auto [i, type] : llvm::enumerate(registers))
    text +=
        registers.size() == 1
            ? llvm::formatv("  %{0}0 = freeze {1} %{0}\n", operand, result).str()
            : llvm::formatv("  %{0}{1} = extractvalue {2} %{0}, {1}\n", operand, i, result).str();
  return text;
}

void checkWmma(StringRef name, unsigned id, const Operation &op, bool wide, bool cByColumns) {
  const Signature signature = signatureOf(id);
  Matrix a = randomMatrix(op.m, op.k, op.a), b = randomMatrix(op.k, op.n, op.b),
         c = randomMatrix(op.m, op.n, op.c);
  const Matrix d = product(op, a, b, c);
  const Stored inA = store(a, op.a, op.aByColumns, wide), inB = store(b, op.b, op.bByColumns, wide),
               inC = store(c, op.c, cByColumns, wide);
  Stored out = store(Matrix(op.m, std::vector<double>(op.n, 0)), op.d, cByColumns, !wide);
  const std::string shape = llvm::formatv("m{0}n{1}k{2}", op.m, op.n, op.k);
  auto registersOf = [&](const Operand &operand, int elements) {
    const int words = operand.type == typeNamed("f16") && elements == 0
                          ? 8
                          : elements * operand.container / 32 / (operand.container == 64 ? 2 : 1);
    return words;
  };
  const bool half = op.a.type == typeNamed("f16");
  const size_t aCount = half ? 8 : registersOf(op.a, op.m * op.k) / 32,
               bCount = half ? 8 : registersOf(op.b, op.k * op.n) / 32;
  const auto &p = signature.parameters;
  std::string declarations, body;
  const std::vector<std::string> aTypes(p.begin(), p.begin() + aCount),
      bTypes(p.begin() + aCount, p.begin() + aCount + bCount),
      cTypes(p.begin() + aCount + bCount, p.end());
  body += loadText(shape, 'a', inA, wide, op.a.type->name, aTypes, declarations);
  body += loadText(shape, 'b', inB, wide, op.b.type->name, bTypes, declarations);
  body += loadText(shape, 'c', inC, wide, op.c.type->name, cTypes, declarations);
  std::vector<std::string> operands, results;
  for (char operand : {'a', 'b', 'c'}) {
    const auto &types = operand == 'a' ? aTypes : operand == 'b' ? bTypes : cTypes;
    for (auto [i, type] : llvm::enumerate(types))
      operands.push_back(type + " %" + operand + std::to_string(i));
  }
  body += llvm::formatv("  %d = call {0} @{1}({2})\n", signature.result, name,
                        llvm::join(operands, ", "));
  for (auto [i, type] : llvm::enumerate(signature.results)) {
    body += llvm::formatv("  %d{0} = extractvalue {1} %d, {0}\n", i, signature.result);
    results.push_back(type + " %d" + std::to_string(i));
  }
  const std::string storeName = "llvm.nvvm.wmma." + shape + ".store.d." +
                                (cByColumns ? "col." : "row.") + (wide ? "" : "stride.") +
                                op.d.type->name;
  transfersUsed.insert(storeName);
  declarations +=
      llvm::formatv("declare {0} @{1}({2})\ndeclare void @{3}.p1(ptr addrspace(1), {4}{5})\n",
                    signature.result, name, llvm::join(p, ", "), storeName,
                    llvm::join(signature.results, ", "), wide ? "" : ", i32");
  body += llvm::formatv("  call void @{0}.p1(ptr addrspace(1) %md, {1}{2})\n", storeName,
                        llvm::join(results, ", "),
                        wide ? std::string() : ", i32 " + std::to_string(out.leading));
  const std::string text = "target triple = \"nvptx64-nvidia-cuda\"\n" + declarations +
                           "define ptx_kernel void @k(ptr addrspace(1) %ma, ptr addrspace(1) %mb, "
                           "ptr addrspace(1) %mc, ptr addrspace(1) %md) {\n" +
                           body + "  ret void\n}\n";
  // Fragments need their own size as alignment.
  std::vector<std::vector<uint64_t>> space;
  std::vector<llvm::ArrayRef<uint64_t>> buffers;
  for (const Stored *stored : {&inA, &inB, &inC, static_cast<const Stored *>(&out)}) {
    auto &room = space.emplace_back(stored->memory.size() + 8);
    const size_t skip = (64 - reinterpret_cast<uintptr_t>(room.data()) % 64) % 64 / 8;
    std::copy(stored->memory.begin(), stored->memory.end(), room.begin() + skip);
    buffers.push_back(llvm::ArrayRef(room).slice(skip, stored->memory.size()));
  }
  const Report report = run(text, buffers);
  ASSERT_EQ(report.status, Report::Completed) << name.str() << ": " << report.message << "\n"
                                              << text;
  const auto *bytes = reinterpret_cast<const uint8_t *>(buffers[3].data());
  for (int row = 0; row < op.m; ++row)
    for (int column = 0; column < op.n; ++column) {
      const size_t at =
          cByColumns ? size_t(column) * out.leading + row : size_t(row) * out.leading + column;
      uint64_t bits = 0;
      std::memcpy(&bits, bytes + at * op.d.container / 8, op.d.container / 8);
      ASSERT_EQ(op.d.decode(bits), d[row][column]) << name.str() << " " << row << " " << column;
    }
}

TEST(WmmaFamilyTest, EveryWmmaIsExactAndUsesEveryLoadAndStore) {
  unsigned count = 0;
  for (unsigned id = 1; id < llvm::Intrinsic::num_intrinsics && !HasFatalFailure(); ++id) {
    const StringRef name = llvm::Intrinsic::getBaseName(id);
    if (!name.starts_with("llvm.nvvm.wmma.") || !name.contains(".mma."))
      continue;
    const auto op = parse(name);
    ASSERT_TRUE(op) << name.str();
    for (bool wide : {false, true})
      checkWmma(name, id, *op, wide, (count + wide) % 2);
    ++count;
  }
  EXPECT_EQ(count, 186u);
  for (unsigned id = 1; id < llvm::Intrinsic::num_intrinsics; ++id) {
    const StringRef name = llvm::Intrinsic::getBaseName(id);
    if (name.starts_with("llvm.nvvm.wmma.") && !name.contains(".mma."))
      EXPECT_TRUE(transfersUsed.count(name.str())) << name.str();
  }
}

TEST(WmmaFamilyTest, WmmaOfDoublesRoundsAsAsked) {
  for (auto [rounding, expected] :
       {std::pair{"rn", 1.0}, {"rz", 1.0}, {"rm", 1.0}, {"rp", 1.0 + 0x1p-52}}) {
    const std::string name = llvm::formatv("llvm.nvvm.wmma.m8n8k4.mma.row.col.{0}.f64", rounding);
    std::vector<uint64_t> in(1), out(32 * 2);
    const std::string text = llvm::formatv(R"(target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare {{ double, double } @{0}(double, double, double, double)
define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = call {{ double, double } @{0}(double 0x3C70000000000000, double 0x3C70000000000000, double 1.0, double 1.0)
  %d0 = extractvalue {{ double, double } %d, 0
  %p = getelementptr double, ptr addrspace(1) %b, i32 %t
  store double %d0, ptr addrspace(1) %p
  ret void
}
)",
                                           name);
    const Report report = run(text, {in, out});
    ASSERT_EQ(report.status, Report::Completed) << report.message;
    for (int lane = 0; lane < 32; ++lane) // four tiny products are added
      EXPECT_EQ(bitsTo<double>(out[lane]),
                std::string(rounding) == "rp" ? 1.0 + 4 * 0x1p-52 : expected)
          << rounding;
  }
}

} // namespace
} // namespace tilesmith::emulator
