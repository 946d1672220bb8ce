//===- InPlaceKernel.cpp - a kernel with one of its operations broken -------------------------===//
//
// Text: the operation is printed in generic form, which holds what its own form cannot, and the
// rest of the kernel as always. Where the operation has regions or ends one, everything is printed
// in generic form, because the forms of its neighbours look into it.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeWriter.h"
#include "generators/invalid/InPlace.h"
#include "generators/invalid/InvalidGenerator.h"
#include "generators/program/ProgramGenerator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using llvm::StringRef;

namespace {

constexpr StringRef kMark = "$fault"; // no op has a name that ends so

const OpBreaker *findOpBreaker(StringRef label) {
  static const llvm::StringMap<const OpBreaker *> rows = [] {
    llvm::StringMap<const OpBreaker *> all;
    for (llvm::ArrayRef<OpBreaker> table :
         {arithmeticOpBreakers(), shapeOpBreakers(), memoryOpBreakers(), viewOpBreakers(),
          regionOpBreakers()})
      for (const OpBreaker &row : table)
        all[row.label] = &row;
    return all;
  }();
  return rows.lookup(label);
}

const LineBreaker *findLineBreaker(StringRef label) {
  const auto *row =
      llvm::find_if(lineBreakers(), [&](const LineBreaker &line) { return line.label == label; });
  return row == lineBreakers().end() ? nullptr : row;
}

/// `@SYMBOL op N`
std::string pathOf(mlir::Operation *op) {
  mlir::Operation *symbol = op;
  while (!llvm::isa<cuda_tile::ModuleOp>(symbol->getParentOp()))
    symbol = symbol->getParentOp();
  unsigned index = 0, found = 0;
  symbol->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *inner) {
    if (inner == op)
      found = index;
    ++index;
  });
  return llvm::formatv("@{0} op {1}", mlir::SymbolTable::getSymbolName(symbol).getValue(), found);
}

/// The op becomes one that the dialect does not know, so that it is printed in generic form.
void markOp(mlir::Operation *op) {
  mlir::OperationState state(op->getLoc(), (op->getName().getStringRef() + kMark).str());
  state.addOperands(op->getOperands());
  state.addTypes(op->getResultTypes());
  state.propertiesAttr = op->getPropertiesAsAttribute();
  state.addAttributes(llvm::to_vector(op->getDiscardableAttrs()));
  for (mlir::Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  mlir::OpBuilder builder(op);
  op->replaceAllUsesWith(builder.create(state));
  op->erase();
}

void printMarked(KernelFault &fault, cuda_tile::ModuleOp module, mlir::Operation *op) {
  bool generic = op->getNumRegions() || op->hasTrait<mlir::OpTrait::IsTerminator>();
  markOp(op);
  fault.contents = printUnverified(module, generic);
  size_t at = fault.contents.find(kMark);
  fault.contents.erase(at, kMark.size());
  at = fault.contents.rfind('"', at - 1); // where the parser says that the op is
  StringRef before = StringRef(fault.contents).take_front(at);
  fault.location =
      llvm::formatv("{0}:{1}", before.count('\n') + 1, at - (before.rfind('\n') + 1) + 1);
}

std::optional<KernelFault> breakOp(const OpBreaker &row, cuda_tile::ModuleOp module, bool wantText,
                                   uint8_t minor, ChoiceStream &stream) {
  llvm::SmallVector<StringRef> names;
  row.ops.split(names, '|');
  std::vector<mlir::Operation *> candidates;
  module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (llvm::is_contained(names, op->getName().stripDialect()))
      candidates.push_back(op);
  });
  size_t first = candidates.empty() ? 0 : stream.below(candidates.size());
  for (size_t i = 0; i < candidates.size(); ++i) {
    BrokenOp site(candidates[(first + i) % candidates.size()], stream);
    Said said = row.apply(site);
    if (!said)
      continue;
    KernelFault fault;
    fault.op = site.op->getName().stripDialect().str();
    fault.diagnostic = *said;
    for (uint8_t version : {minor, static_cast<uint8_t>(kNewestVersion)}) {
      if (wantText)
        break;
      llvm::raw_string_ostream sink(fault.contents);
      if (llvm::Error error = bytecode::writeBytecode(module, sink, {13, version, 0})) {
        llvm::consumeError(std::move(error));
        fault.contents.clear();
        continue;
      }
      fault.isText = false;
      fault.location = pathOf(site.op);
      return fault;
    }
    printMarked(fault, module, site.op);
    return fault;
  }
  return std::nullopt;
}

std::optional<KernelFault> breakLine(const LineBreaker &row, cuda_tile::ModuleOp module,
                                     ChoiceStream &stream) {
  std::string text = printUnverified(module);
  llvm::Regex pattern(row.line);
  std::vector<StringRef> lines;
  for (StringRef line : llvm::split(text, '\n'))
    if (pattern.match(line))
      lines.push_back(line);
  if (lines.empty())
    return std::nullopt;
  StringRef line = lines[stream.below(lines.size())];
  auto at = static_cast<size_t>(line.data() - text.data());
  std::string wrong = pattern.sub(row.broken, line);
  KernelFault fault;
  fault.contents = text.substr(0, at) + wrong + text.substr(at + line.size());
  fault.diagnostic = pattern.sub(row.diagnostic, line);
  fault.location = std::to_string(StringRef(text).take_front(at).count('\n') + 1);
  return fault;
}

} // namespace

std::string tilesmith::generators::printUnverified(mlir::Operation *module, bool generic) {
  mlir::OpPrintingFlags flags;
  flags.assumeVerified();
  if (generic)
    flags.printGenericOpForm();
  std::string text;
  llvm::raw_string_ostream sink(text);
  module->print(sink, flags);
  text += '\n';
  return text;
}

std::optional<StringRef> tilesmith::generators::featureForInPlace(StringRef label) {
  if (const OpBreaker *row = findOpBreaker(label))
    return row->feature;
  if (const LineBreaker *row = findLineBreaker(label))
    return row->feature;
  return std::nullopt;
}

StringRef tilesmith::generators::inPlaceKind(StringRef label) {
  return findOpBreaker(label) ? "operation" : findLineBreaker(label) ? "line" : "";
}

std::optional<KernelFault> tilesmith::generators::breakInPlace(StringRef label,
                                                               cuda_tile::ModuleOp module,
                                                               bool wantText, uint8_t minor,
                                                               ChoiceStream &stream) {
  if (const OpBreaker *row = findOpBreaker(label))
    return breakOp(*row, module, wantText, minor, stream);
  if (const LineBreaker *row = findLineBreaker(label))
    return breakLine(*row, module, stream);
  return std::nullopt;
}
