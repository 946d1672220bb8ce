//===- HostLoweringAssembly.cpp - matrix instructions in inline assembly ---------------------------===//
//
// `wgmma.mma_async` has no LLVM intrinsic, and CUDA C++ writes `mma.sync` as assembly. The text is
// parsed: qualifiers, and operands as lists of $n, literals or one predicate that a setp defines.
// Anything else about it is unsupported.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/emulator/HostLowering.h"
#include "oracles/devices/emulator/Matrix.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace tilesmith::emulator {

using namespace matrix;

namespace {

struct ParsedAssembly {
  SmallVector<StringRef> qualifiers;
  SmallVector<SmallVector<std::string>> operands; // a list for {...}, one entry otherwise
  std::string predicate;                          // the operand that setp tests
};

std::optional<ParsedAssembly> parseMatrix(StringRef text, StringRef mnemonic) {
  ParsedAssembly parsed;
  const size_t at = text.find(mnemonic);
  if (at == StringRef::npos)
    return std::nullopt;
  if (const size_t setp = text.find("setp.ne.b32"); setp != StringRef::npos) {
    StringRef rest = text.substr(setp + 11).ltrim();
    SmallVector<StringRef> parts;
    rest.take_until([](char c) { return c == ';'; }).split(parts, ',');
    if (parts.size() == 3)
      parsed.predicate = parts[1].trim().str();
  }
  StringRef rest = text.substr(at);
  StringRef name = rest.take_until([](char c) { return isSpace(c) || c == '{'; });
  name.drop_front(mnemonic.size()).split(parsed.qualifiers, '.', -1, false);
  rest = rest.drop_front(name.size()).take_until([](char c) { return c == ';'; });
  while (!(rest = rest.ltrim(", \t\r\n")).empty()) {
    auto &list = parsed.operands.emplace_back();
    if (rest.consume_front("{")) {
      StringRef inside = rest.take_until([](char c) { return c == '}'; });
      rest = rest.drop_front(std::min(inside.size() + 1, rest.size()));
      SmallVector<StringRef> parts;
      inside.split(parts, ',');
      for (StringRef part : parts)
        list.push_back(part.trim().str());
    } else {
      StringRef one = rest.take_until([](char c) { return c == ','; });
      rest = rest.drop_front(one.size());
      list.push_back(one.trim().str());
    }
  }
  return parsed;
}

/// The values behind $n: outputs, then inputs; an output's value is that of the input tied to it.
struct AssemblyValues {
  SmallVector<Value *> byNumber;
  unsigned outputs = 0;

  explicit AssemblyValues(const CallInst &call) {
    const auto *assembly = cast<InlineAsm>(call.getCalledOperand());
    SmallVector<std::pair<unsigned, Value *>> tied;
    unsigned argument = 0;
    for (const InlineAsm::ConstraintInfo &info : assembly->ParseConstraints()) {
      if (info.Type == InlineAsm::isOutput) {
        ++outputs;
        byNumber.push_back(nullptr);
      } else if (info.Type == InlineAsm::isInput) {
        Value *value = call.getArgOperand(argument++);
        unsigned number;
        if (!info.Codes.empty() && !StringRef(info.Codes[0]).getAsInteger(10, number) &&
            number < byNumber.size())
          byNumber[number] = value;
        byNumber.push_back(value);
      }
    }
  }
  Value *get(StringRef text, LLVMContext &context) const {
    unsigned number;
    int literal;
    if (text.consume_front("$")) {
      text.consume_front("{");
      text = text.take_until([](char c) { return c == ':' || c == '}'; });
      return text.getAsInteger(10, number) || number >= byNumber.size() ? nullptr
                                                                        : byNumber[number];
    }
    return text.getAsInteger(0, literal) ? nullptr
                                         : ConstantInt::get(Type::getInt32Ty(context), literal);
  }
};

std::optional<int> elementOf(StringRef name) {
  static const std::pair<StringRef, int> names[] = {
      {"f16", F16},   {"bf16", BF16}, {"tf32", TF32}, {"f64", F64}, {"e4m3", E4M3},
      {"e5m2", E5M2}, {"s8", S8},     {"u8", U8},     {"s4", S4},   {"u4", U4},
      {"f32", F32},   {"s32", S32},   {"b1", B1}};
  for (auto [text, element] : names)
    if (text == name)
      return element;
  return std::nullopt;
}

} // namespace

/// Who uses the value or a mere copy of it, except for the calls in `skips`.
static SmallPtrSet<Instruction *, 32> usesBehindCopies(Value &root,
                                                       function_ref<bool(CallInst &)> skips) {
  SmallVector<Value *> work{&root};
  SmallPtrSet<Value *, 32> seen;
  SmallPtrSet<Instruction *, 32> uses;
  while (!work.empty()) {
    Value *value = work.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    for (User *user : value->users()) {
      auto *at = cast<Instruction>(user);
      if (isa<ExtractValueInst, InsertValueInst, ExtractElementInst, PHINode, BitCastInst,
              FreezeInst>(at))
        work.push_back(at);
      else if (auto *other = dyn_cast<CallInst>(at); !other || !skips(*other))
        uses.insert(at);
    }
  }
  return uses;
}

// A use of a warpgroup result that is neither another wgmma nor a mere copy asks the runtime.
void HostLowering::guardWgmmaResults(Function &f) {
  wgmmaOperations.clear(); // the calls of earlier functions are gone
  for (Instruction &i : instructions(f)) {
    auto *call = dyn_cast<CallInst>(&i);
    if (!call || !isWgmma(*call))
      continue;
    result.ownOperations.push_back(*IntrinsicTable::get().find("wgmma"));
    Intrinsic &op = result.ownOperations.back();
    op.shared = op.name;
    op.ordinal = result.ownOperations.size();
    wgmmaOperations[call] = &op;
  }
  for (auto &[call, op] : wgmmaOperations) {
    if (call->getFunction() != &f)
      continue;
    for (Instruction *use : usesBehindCopies(*call, isWgmma)) {
      IRBuilder<> builder(use);
      builder.CreateCall(runtime("rt.wgmma.use"), {builder.getInt32(addSite(op, *use))});
    }
  }
}

// Likewise of values loaded from tensor memory.
void HostLowering::guardTensorLoads(Function &f) {
  tensorLoads.clear();
  SmallVector<CallInst *> loads;
  for (Instruction &i : instructions(f))
    if (auto *call = dyn_cast<CallInst>(&i); call && isTensorLoad(*call))
      loads.push_back(call);
  for (CallInst *load : loads) {
    result.ownOperations.push_back(
        *IntrinsicTable::get().find(load->getCalledFunction()->getName()));
    Intrinsic &op = result.ownOperations.back();
    op.shared = op.name;
    op.ordinal = result.ownOperations.size();
    tensorLoads[load] = &op;
    for (Instruction *use : usesBehindCopies(*load, [](CallInst &) { return false; })) {
      IRBuilder<> builder(use);
      builder.CreateCall(runtime("rt.tcgen05.use"), {builder.getInt32(addSite(&op, *use))});
    }
  }
}

bool HostLowering::isTensorLoad(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  return callee && callee->getName().starts_with("llvm.nvvm.tcgen05.ld.");
}

bool HostLowering::isWgmma(const CallInst &call) {
  return call.isInlineAsm() &&
         cast<InlineAsm>(call.getCalledOperand())->getAsmString().find("wgmma.mma_async.s") !=
             std::string::npos;
}

// Returns whether the call was a matrix instruction that could be parsed.
bool HostLowering::rewriteMatrixAssembly(CallInst &call) {
  const std::string text = cast<InlineAsm>(call.getCalledOperand())->getAsmString().str();
  LLVMContext &context = call.getContext();
  AssemblyValues values(call);
  SmallVector<Value *> operands;
  auto append = [&](ArrayRef<std::string> list) {
    for (const std::string &operand : list) {
      Value *value = values.get(operand, context);
      if (!value)
        return false;
      operands.push_back(value);
    }
    return true;
  };
  auto finish = [&](const Intrinsic &op) {
    IRBuilder<> builder(&call);
    facts[function].suspends = true;
    if (Value *value = callRuntime(builder, call, op, operands, call.getType()))
      call.replaceAllUsesWith(value);
    call.eraseFromParent();
    return true;
  };
  unsigned m, n, k;
  auto shape = [&](StringRef s) {
    return s.consume_front("m") && !s.consumeInteger(10, m) && s.consume_front("n") &&
           !s.consumeInteger(10, n) && s.consume_front("k") && !s.consumeInteger(10, k) &&
           s.empty();
  };
  if (isWgmma(call)) {
    const bool sparse = StringRef(text).contains("wgmma.mma_async.sp.sync.aligned");
    auto parsed = parseMatrix(text, sparse ? "wgmma.mma_async.sp.sync.aligned"
                                           : "wgmma.mma_async.sync.aligned");
    const bool saturates = parsed && is_contained(parsed->qualifiers, "satfinite");
    if (saturates)
      erase(parsed->qualifiers, "satfinite");
    const bool isBits = parsed && parsed->qualifiers.size() == 6 && !sparse &&
                        parsed->qualifiers[4] == "and" && parsed->qualifiers[5] == "popc";
    if (isBits)
      parsed->qualifiers.truncate(4);
    if (!parsed || parsed->qualifiers.size() != 4 || !shape(parsed->qualifiers[0]) ||
        parsed->operands.size() < (sparse ? 6 : 4))
      return false;
    auto d = elementOf(parsed->qualifiers[1]), a = elementOf(parsed->qualifiers[2]),
         b = elementOf(parsed->qualifiers[3]);
    const bool inRegisters = parsed->operands[1].size() == 4;
    if (!d || !a || !b || m != 64 || n % 8 || n > 256 || n < 8 ||
        (*d != F32 && *d != F16 && *d != S32) || (*a == B1) != isBits || (*b == B1) != isBits ||
        static_cast<int>(k) * widthOf(*a) != (sparse ? 512 : 256))
      return false;
    const size_t wantedRegisters = *d == F16 ? n / 4 : n / 2;
    if (parsed->operands[0].size() != wantedRegisters || values.outputs != wantedRegisters)
      return false;
    if (!append(parsed->operands[0]) || !append(parsed->operands[1]) ||
        !append(parsed->operands[2]))
      return false;
    if (sparse) { // metadata and selector; the rest stands two operands further back
      if (!append(parsed->operands[3]) || !append(parsed->operands[4]))
        return false;
      parsed->operands.erase(parsed->operands.begin() + 3, parsed->operands.begin() + 5);
    }
    std::string scale = parsed->operands[3].front();
    if (!StringRef(scale).starts_with("$") && !std::isdigit(static_cast<unsigned char>(scale[0])))
      scale = parsed->predicate;
    Value *scaleD = values.get(scale, context);
    if (!scaleD)
      return false;
    IRBuilder<> builder(&call);
    operands.push_back(
        builder.CreateZExt(builder.CreateICmpNE(scaleD, Constant::getNullValue(scaleD->getType())),
                           builder.getInt64Ty()));
    int flags = (saturates ? 16 : 0) | (sparse ? 32 : 0);
    // scale of A, scale of B, then transpose of A (only from shared memory), transpose of B
    const int meanings[2][4] = {{1, 2, 4, 8}, {1, 2, 8, 0}};
    for (size_t i = 4; i < parsed->operands.size() && i < 8; ++i) {
      auto *constant =
          dyn_cast_or_null<ConstantInt>(values.get(parsed->operands[i].front(), context));
      if (!constant)
        return false;
      const int64_t value = constant->getSExtValue();
      if (i < 6 ? value == -1 : value == 1)
        flags |= meanings[inRegisters][i - 4];
    }
    Intrinsic &op = *wgmmaOperations[&call];
    op.name = "wgmma." + parsed->qualifiers[0].str();
    op.variant = {static_cast<int>(n), *d, *a, *b, inRegisters, flags};
    result.usesAsync = true;
    return finish(op);
  }
  StringRef mnemonic = "mma.sync.aligned", prefix = "";
  for (auto [spelling, name] : {std::pair<StringRef, StringRef>{"mma.sp.sync.aligned", "sp."},
                                {"mma.sp::ordered_metadata.sync.aligned", "sp.ordered.metadata."}})
    if (StringRef(text).contains(spelling))
      mnemonic = spelling, prefix = name;
  auto parsed = parseMatrix(text, mnemonic);
  if (!parsed)
    return false;
  // Qualifiers that may stand in several places.
  std::string kind, length, scaleType;
  bool saturates = false, scaled = false;
  std::string bitOperation;
  auto take = [&](StringRef word) {
    if (word == "satfinite")
      return saturates = true;
    if (word == "block_scale")
      return scaled = true;
    if (word.consume_front("kind::"))
      return kind = word.str(), true;
    if (word.consume_front("scale_vec::"))
      return length = ".scale." + word.lower(), true;
    if (word == "ue8m0" || word == "ue4m3")
      return scaleType = word.str(), true;
    if (word == "and" || word == "xor")
      return bitOperation = word.str(), true;
    return word == "popc";
  };
  erase_if(parsed->qualifiers, take);
  auto &q = parsed->qualifiers; // shape, layouts, D, A, B, C
  const bool sparse = !prefix.empty();
  if (q.size() != 7 || !shape(q[0]) || scaled == scaleType.empty() ||
      parsed->operands.size() != 4u + 2 * sparse + 4 * scaled)
    return false;
  const std::string d = q[3].str(), a = q[4].str(), b = q[5].str(), c = q[6].str();
  const std::string four = d + "." + a + "." + b + "." + c;
  const std::string layouts = (q[1] + "." + q[2] + ".").str();
  std::string name;
  if (scaled)
    name = (prefix + "block.scale." + q[0] + "." + layouts + kind + length + "." + four + "." +
            scaleType)
               .str();
  else if (!bitOperation.empty())
    name = bitOperation + ".popc." + q[0].str() + "." + layouts + a;
  else
    name = (prefix + q[0] + "." + layouts + (saturates ? "satfinite." : "") +
            (!kind.empty()                ? "kind." + kind + "." + four
             : a == "f16"                 ? d + "." + c
             : a == "e4m3" || a == "e5m2" ? four
             : a == b                     ? a
                                          : a + "." + b))
               .str();
  const Intrinsic *op = IntrinsicTable::get().find("llvm.nvvm.mma." + name);
  if (!op || values.outputs != parsed->operands[0].size())
    return false;
  for (size_t i = 1; i < parsed->operands.size(); ++i)
    if (!append(parsed->operands[i]))
      return false;
  return finish(*op);
}

} // namespace tilesmith::emulator
