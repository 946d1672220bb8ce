//===- Misc.cpp - grid queries, facts, messages -----------------------------------------------===//
//
// A violated assume is not remarked here: the reference does that. print formats every element of a
// tile with the same conversion, nested in brackets per dimension.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/engines/tileaa/Machine.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "reference/value/Float.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tilesmith;
using namespace tilesmith::oracles::tileaa_engine;
using namespace mlir;
using reference::inconclusive;

namespace {

Status evalProgramId(Machine &machine, tileaa::GetProgramIdOp op) {
  machine.set(op.getResult(),
              Tile::scalar(ElementType::I32, static_cast<uint32_t>(machine.blockId[op.getAxis()])));
  return Status::success();
}

Status evalNumPrograms(Machine &machine, tileaa::GetNumProgramsOp op) {
  machine.set(
      op.getResult(),
      Tile::scalar(ElementType::I32, static_cast<uint32_t>(machine.launch.grid[op.getAxis()])));
  return Status::success();
}

Status evalAssume(Machine &machine, tileaa::AssumeOp op) {
  machine.set(op.getResult(), machine.get(op.getSource()));
  return Status::success();
}

Status evalBarrier(Machine &machine, tileaa::OptimizationBarrierOp op) {
  machine.setAll(op.getResults(), machine.values(op.getOperands()));
  return Status::success();
}

/// Text for the host, without a meaning on the device.
Status evalMessage(Machine &, tileaa::MessageOp) {
  return Status::success();
}

Status evalAssert(Machine &machine, tileaa::AssertOp op) {
  const Tile &condition = machine.tile(op.getCondition());
  for (size_t i = 0; i < condition.size(); ++i) {
    if (condition.state(i) != State::Known)
      return inconclusive("unspecified-assert",
                          "condition of an assertion depends on an unspecified value");
    if (condition.bits()[i] == 0)
      return Status::make(reference::Stop::Reason::Trapped, "assert", op.getMessage());
  }
  return Status::success();
}

/// `flags` is everything between '%' and the letter, without length modifiers.
struct Spec {
  std::string flags;
  char letter = 0;
};

std::string formatElement(const Spec &spec, ElementType type, uint64_t bits) {
  auto print = [](const std::string &format, auto value) {
    char text[512];
    std::snprintf(text, sizeof text, format.c_str(), value);
    return std::string(text);
  };
  std::string start = "%" + spec.flags;
  if (reference::isFloat(type)) {
    bool known = StringRef("eEfFgGaA").contains(spec.letter);
    return print(start + (known ? spec.letter : 'f'), reference::decode(type, bits));
  }
  if (spec.letter == 'p')
    return "0x" + llvm::utohexstr(bits, /*LowerCase=*/true);
  int64_t value =
      type == ElementType::I1 ? static_cast<int64_t>(bits) : reference::signedValue(type, bits);
  if (spec.letter == 'c')
    return print(start + "c", static_cast<int>(value));
  if (spec.letter == 'd' || spec.letter == 'i')
    return print(start + "lld", static_cast<long long>(value));
  return print(
      start + "ll" + spec.letter,
      static_cast<unsigned long long>(static_cast<uint64_t>(value) & reference::maskOf(type)));
}

std::string formatTile(const Spec &spec, const Tile &t, unsigned dim = 0, size_t base = 0) {
  if (dim == t.rank())
    return formatElement(spec, t.type(), t.bits()[base]);
  std::string text;
  for (int64_t i = 0; i < t.shape()[dim]; ++i)
    text += (i ? ", " : "[") + formatTile(spec, t, dim + 1, base + i * t.strides()[dim]);
  return text + "]";
}

Status readString(Machine &machine, const Tile &pointer, std::string &text) {
  if (pointer.type() != ElementType::Pointer || pointer.size() != 1)
    return reference::unsupported("conversion '%s' of something that is not one pointer");
  if (pointer.state(0) != State::Known)
    return inconclusive("unspecified-address", "address of a printed string is unspecified");
  for (uint64_t address = pointer.bits()[0]; text.size() < 500; ++address) {
    Element e;
    if (auto fault = machine.launch.memory.load(ElementType::I8, address, e))
      return reference::undefined(reference::spelling(fault->kind), fault->message);
    if (e.state != State::Known)
      return inconclusive("unspecified-print", "an unspecified value is printed");
    if (e.bits == 0)
      return Status::success();
    text += static_cast<char>(e.bits);
  }
  return reference::unsupported("printed string longer than 500 characters");
}

Status formatOperand(Machine &machine, const Spec &spec, const Tile &t, std::string &text) {
  if (spec.letter == 's') {
    std::string characters;
    TILESMITH_TRY(readString(machine, t, characters));
    char buffer[512];
    std::snprintf(buffer, sizeof buffer, ("%" + spec.flags + "s").c_str(), characters.c_str());
    text += buffer;
    return Status::success();
  }
  bool showsBits = StringRef("xXaA").contains(spec.letter);
  for (size_t i = 0; i < t.size(); ++i)
    if (t.state(i) == State::Unknown || (t.state(i) == State::NaN && showsBits))
      return inconclusive("unspecified-print", "an unspecified value is printed");
  text += formatTile(spec, t);
  return Status::success();
}

Status evalPrint(Machine &machine, tileaa::PrintOp op) {
  StringRef format = op.getFormat().take_until([](char c) { return c == '\0'; });
  std::string text;
  unsigned next = 0;
  while (!format.empty()) {
    char c = format.front();
    format = format.drop_front();
    if (c != '%' || format.consume_front("%")) {
      text += c;
      continue;
    }
    Spec spec;
    size_t letter = format.find_first_of("diuoxXeEfFgGaAcsp");
    if (letter == StringRef::npos || next >= op.getArgs().size())
      return reference::unsupported("format does not match its operands");
    for (char flag : format.take_front(letter))
      if (!StringRef("hljztL").contains(flag))
        spec.flags += flag;
    spec.letter = format[letter];
    format = format.drop_front(letter + 1);
    TILESMITH_TRY(formatOperand(machine, spec, machine.tile(op.getArgs()[next++]), text));
  }
  machine.launch.printed += text;
  if (op.getResultToken())
    machine.set(op.getResultToken(), Machine::Value());
  return Status::success();
}

} // namespace

void tilesmith::oracles::tileaa_engine::registerMisc(OpTable &t) {
  t.add<tileaa::GetProgramIdOp, evalProgramId>();
  t.add<tileaa::GetNumProgramsOp, evalNumPrograms>();
  t.add<tileaa::AssumeOp, evalAssume>(/*elementwise=*/true);
  t.add<tileaa::OptimizationBarrierOp, evalBarrier>();
  t.add<tileaa::AssertOp, evalAssert>();
  t.add<tileaa::PrintOp, evalPrint>();
  t.addWithout("nv_tileaa", "func global", "entered or initialised by the launch");
  t.add<tileaa::MessageOp, evalMessage>();
  t.addWithout("nv_tileaa", "cancel_next_program_id is_valid_program_id",
               "persistent kernels: no cuda_tile op is converted to it");
  t.addWithout("nv_tileaa", "elementwise_inline_asm inject_ir",
               "embeds code that is not IR; no cuda_tile op is converted to it");
  t.addWithout("nv_tileaa", "launch_func",
               "a launch belongs to the host; no cuda_tile op is converted to it");
}
