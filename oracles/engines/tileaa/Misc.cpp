//===- Misc.cpp - grid queries, facts, messages -----------------------------------------------===//
//
// A violated assume is not remarked here: the reference does that. print formats every element of a
// tile with the same conversion, nested in brackets per dimension.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/engines/tileaa/Machine.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "reference/value/PrintFormat.h"

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

Status formatOperand(Machine &machine, const reference::Conversion &spec, const Tile &t,
                     std::string &text) {
  if (!reference::isDecided(spec, t.type()))
    return reference::unsupported("a conversion of floats, or a width that is an operand");
  if (spec.letter == 's') {
    std::string characters;
    TILESMITH_TRY(readString(machine, t, characters));
    text += reference::formatString(spec, characters);
    return Status::success();
  }
  bool showsBits = StringRef("xXaA").contains(spec.letter);
  for (size_t i = 0; i < t.size(); ++i)
    if (t.state(i) == State::Unknown || (t.state(i) == State::NaN && showsBits))
      return inconclusive("unspecified-print", "an unspecified value is printed");
  text += reference::formatTile(spec, t);
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
    auto spec = reference::parseConversion(format);
    if (!spec || spec->letter == 'n' || next >= op.getArgs().size())
      return reference::unsupported("format does not match its operands");
    TILESMITH_TRY(formatOperand(machine, *spec, machine.tile(op.getArgs()[next++]), text));
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
