//===- InvalidGenerator.cpp - modules with exactly one fault ----------------------------------===//
//
// Steps of a verifier fault in place: a kernel that favours the operation; break it (InPlace.h).
// Otherwise a statement is added: print the kernel; draw the variant; put operands and code in
// front of a statement (or beside the entries); the case is that text, or the bytecode that the
// writer makes of it when it parses without being verified.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/invalid/InvalidGenerator.h"

#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/bytecode/BytecodeWriter.h"
#include "compiler/dialect/CudaTile/IR/CudaTileTesting.h"
#include "generators/invalid/Breaker.h"
#include "generators/invalid/FileBreakers.h"
#include "generators/invalid/InPlace.h"
#include "generators/program/Rules.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using llvm::StringRef;

namespace {

constexpr unsigned kContextUses = 1000;  // modules until the contexts are renewed
constexpr unsigned kInPlacePercent = 70; // of the cases whose rule an op of the kernel can break
constexpr StringRef kDefaultProfile = "tileiras-13.5";
constexpr StringRef kSmallest = "cuda_tile.module @kernels {\n  entry @kernel() {\n    return\n"
                                "  }\n}\n";

struct Table {
  std::vector<const Breaker *> breakers; ///< sorted by label
  std::vector<StringRef> labels;         ///< those, and those of files
};

const Table &table() {
  static const Table all = [] {
    Table result;
    for (llvm::ArrayRef<Breaker> rows :
         {aggregateBreakers(), arithmeticBreakers(), controlFlowBreakers(), coreBreakers(),
          debugBreakers(), memoryBreakers(), miscBreakers(), typeBreakers(), viewBreakers()})
      for (const Breaker &row : rows)
        result.breakers.push_back(&row);
    llvm::sort(result.breakers,
               [](const Breaker *a, const Breaker *b) { return a->label < b->label; });
    for (const Breaker *row : result.breakers)
      result.labels.push_back(row->label);
    for (const FileBreaker &row : fileBreakers())
      result.labels.push_back(row.label);
    llvm::sort(result.labels);
    return result;
  }();
  return all;
}

using Bindings = std::vector<std::pair<std::string, std::string>>;

/// One value for each name of the variants.
Bindings drawVariant(StringRef variants, ChoiceStream &stream) {
  Bindings bindings;
  for (StringRef group : llvm::split(variants, ';')) {
    auto [names, values] = group.trim().split(':');
    llvm::SmallVector<StringRef> choices, keys, words;
    values.split(choices, ' ', -1, /*KeepEmpty=*/false);
    names.trim().split(keys, '/');
    if (choices.empty())
      continue;
    choices[stream.below(choices.size())].split(words, '/');
    for (auto [key, word] : llvm::zip(keys, words)) {
      // A list inside a value: `4,_3` is `4, 3`.
      std::string value = word == "." ? "" : word.str();
      for (size_t at = value.find(",_"); at != std::string::npos; at = value.find(",_"))
        value[at + 1] = ' ';
      bindings.emplace_back(key.str(), value);
    }
  }
  // Of two names that start alike the longer one counts.
  llvm::sort(bindings,
             [](const auto &a, const auto &b) { return a.first.size() > b.first.size(); });
  return bindings;
}

std::string substitute(StringRef text, const Bindings &bindings) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto *found = bindings.data() + bindings.size();
    if (text[i] == '$')
      found = llvm::find_if(bindings, [&](const auto &binding) {
                return text.substr(i + 1).starts_with(binding.first);
              }).base();
    if (found == bindings.data() + bindings.size()) {
      out += text[i];
      continue;
    }
    out += found->second;
    i += found->first.size();
  }
  return out;
}

bool isIdentifier(char c) {
  return llvm::isAlnum(c) || c == '_';
}

/// `%name` outside quotes becomes what `names` says, or a name that no kernel has.
std::string renameValues(StringRef text, const std::map<std::string, std::string> &names) {
  std::string out;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    quoted ^= text[i] == '"';
    if (text[i] != '%' || quoted) {
      out += text[i];
      continue;
    }
    StringRef name = text.substr(i + 1).take_while(isIdentifier);
    auto it = names.find(name.str());
    out += it == names.end() ? "%brk_" + name.str() : it->second;
    i += name.size();
  }
  return out;
}

/// Lines that make values of any type.
class Definitions {
public:
  /// The name of a new value of this type.
  std::string make(StringRef type);
  std::string lines;

private:
  std::string makeTile(StringRef type);
  std::string makeTensorView(StringRef type);
  std::string emit(const llvm::Twine &text) {
    std::string name = "%brk_in" + std::to_string(count++);
    lines += name + " = " + text.str() + "\n";
    return name;
  }
  unsigned count = 0;
};

/// `4x8x` of `4x8xf32`; question marks count as extents.
StringRef takeShape(StringRef &text) {
  size_t end = 0;
  for (size_t i = 0; i < text.size() && (llvm::isDigit(text[i]) || text[i] == '?'); end = i) {
    while (i < text.size() && (llvm::isDigit(text[i]) || text[i] == '?'))
      ++i;
    if (i >= text.size() || text[i] != 'x')
      break;
    ++i;
  }
  StringRef shape = text.take_front(end);
  text = text.drop_front(end);
  return shape;
}

std::string Definitions::makeTile(StringRef type) {
  StringRef element = type.drop_front(strlen("tile<")).drop_back();
  StringRef shape = takeShape(element);
  if (element.starts_with("ptr<")) {
    std::string address = emit("constant <i64: 256> : tile<" + shape + "i64>");
    return emit("int_to_ptr " + address + " : tile<" + shape + "i64> -> " + type);
  }
  const char *value = element == "i1" ? "true" : element.starts_with("i") ? "1" : "1.0";
  return emit("constant <" + element + ": " + value + "> : " + type);
}

std::string Definitions::makeTensorView(StringRef type) {
  StringRef rest = type.drop_front(strlen("tensor_view<"));
  StringRef shape = takeShape(rest);
  StringRef element = rest.take_until([](char c) { return c == ',' || c == '>'; });
  StringRef strides = rest.split("strides=[").second.split(']').first;
  std::string extents = llvm::join(llvm::split(shape.drop_back(shape.ends_with("x")), 'x'), ", ");
  bool attributed = type.contains("#cuda_tile.ptr_attr<");
  StringRef attribute = type.split("#cuda_tile.ptr_attr<").second.split('>').first;
  std::string pointer = attributed ? ("tile<ptr<" + element + ", <" + attribute + ">>>").str()
                                   : ("tile<ptr<" + element + ">>").str();
  std::string base = make(pointer);
  return emit("make_tensor_view " + base + ", shape = [" + extents + "], strides = [" + strides +
              "] : " + (attributed ? pointer + " -> " : std::string()) + type);
}

std::string Definitions::make(StringRef type) {
  if (type == "token")
    return emit("make_token : token");
  if (type.starts_with("tile<"))
    return makeTile(type);
  if (type.starts_with("tensor_view<"))
    return makeTensorView(type);
  StringRef inner = type.substr(type.find("tensor_view<"));
  size_t depth = 0, end = 0;
  for (; end < inner.size(); ++end) {
    depth += inner[end] == '<';
    if (inner[end] == '>' && --depth == 0)
      break;
  }
  std::string tensor = make(inner.take_front(end + 1));
  return emit("make_" + type.split('<').first + " " + tensor + " : " + type);
}

/// A place in front of a statement of the kernel.
struct Site {
  std::string before, after; ///< the text around it
  /// Values that may be used there, by type (as types are written inside a module).
  std::map<std::string, std::vector<std::string>> values;
};

std::string printedType(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  std::string out;
  for (size_t at = 0;;) {
    size_t next = text.find("!cuda_tile.", at);
    out += text.substr(at, next - at);
    if (next == std::string::npos)
      return out;
    at = next + strlen("!cuda_tile.");
  }
}

/// Draws a statement and notes what can be used in front of it.
Site drawSite(cuda_tile::ModuleOp module, ChoiceStream &stream) {
  std::vector<mlir::Operation *> statements;
  module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    // The bodies of reductions have rules of their own.
    if (llvm::isa<cuda_tile::ReduceOp, cuda_tile::ScanOp>(op)) {
      statements.push_back(op);
      return mlir::WalkResult::skip();
    }
    if (!llvm::isa<cuda_tile::ModuleOp, cuda_tile::EntryOp, cuda_tile::GlobalOp>(op) &&
        op->getParentOfType<cuda_tile::EntryOp>())
      statements.push_back(op);
    return mlir::WalkResult::advance();
  });
  mlir::OpPrintingFlags flags;
  flags.assumeVerified();
  mlir::AsmState::LocationMap places;
  mlir::AsmState state(module, flags, &places);
  std::string text;
  llvm::raw_string_ostream sink(text);
  module->print(sink, state);
  text += '\n';
  // Implied terminators are not printed.
  llvm::erase_if(statements, [&](mlir::Operation *op) { return !places.count(op); });
  Site site;
  if (statements.empty())
    return site;
  mlir::Operation *chosen = statements[stream.below(statements.size())];
  unsigned line = places.lookup(chosen).first;
  size_t at = 0;
  for (unsigned i = 1; i < line; ++i)
    at = text.find('\n', at) + 1;
  site.before = text.substr(0, at);
  site.after = text.substr(at);
  auto note = [&](mlir::Value value) {
    std::string name;
    llvm::raw_string_ostream operand(name);
    value.printAsOperand(operand, state);
    site.values[printedType(value.getType())].push_back(name);
  };
  for (mlir::Operation *op = chosen; !llvm::isa<cuda_tile::ModuleOp>(op); op = op->getParentOp()) {
    llvm::for_each(op->getBlock()->getArguments(), note);
    for (mlir::Operation &earlier : *op->getBlock()) {
      if (&earlier == op)
        break;
      llvm::for_each(earlier.getResults(), note);
    }
  }
  return site;
}

/// Text with the fault, and where it is.
struct Broken {
  std::string text;
  unsigned line = 0, column = 0; ///< of the marked token; 0: none
};

Broken mark(std::string text, size_t begin, size_t end) {
  Broken broken;
  size_t at = text.find('~', begin);
  if (at != std::string::npos && at < end) {
    text.erase(at, 1);
    StringRef before = StringRef(text).take_front(at);
    broken.line = static_cast<unsigned>(before.count('\n')) + 1;
    broken.column = static_cast<unsigned>(at - (before.rfind('\n') + 1)) + 1;
  }
  broken.text = std::move(text);
  return broken;
}

Broken assemble(const Breaker &breaker, const Bindings &bindings, cuda_tile::ModuleOp module,
                ChoiceStream &stream) {
  Site site = drawSite(module, stream);
  std::map<std::string, std::string> names;
  Definitions definitions;
  std::string operands = substitute(breaker.operands, bindings);
  for (StringRef operand : llvm::split(operands, ';')) {
    auto [name, type] = operand.trim().split(':');
    if (name.empty())
      continue;
    auto known = site.values.find(type.str());
    bool reuse = breaker.place == Place::Body && known != site.values.end() && stream.chance(60);
    names[name.str()] =
        reuse ? known->second[stream.below(known->second.size())] : definitions.make(type);
  }
  std::string code = renameValues(substitute(breaker.code, bindings), names) + "\n";
  std::string text = site.before + site.after, added = definitions.lines + code;
  size_t at = 0;
  switch (breaker.place) {
  case Place::Body:
    at = site.before.size();
    break;
  case Place::Entry:
    added = "entry @broken() {\n" + added + "}\n";
    [[fallthrough]];
  case Place::Module:
    // Behind the line that opens the module, or in front of the brace that closes it.
    at = stream.chance(50) ? text.find('\n') + 1 : text.rfind('}');
    break;
  case Place::File:
    at = text.size();
    break;
  }
  std::string prefix = breaker.prefix.empty() ? "" : breaker.prefix.str() + "\n";
  text = prefix + text.substr(0, at) + added + text.substr(at);
  return mark(std::move(text), prefix.size() + at, prefix.size() + at + added.size());
}

/// The op at this place: `@SYMBOL op N`; nothing if there is none.
std::optional<std::string> pathOf(cuda_tile::ModuleOp module, unsigned line, unsigned column) {
  for (mlir::Operation &symbol : module.getBody().getOps()) {
    unsigned index = 0;
    std::optional<unsigned> found;
    symbol.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
      auto loc = op->getLoc()->findInstanceOf<mlir::FileLineColLoc>();
      if (loc && !found && loc.getLine() == line && loc.getColumn() == column)
        found = index; // an implicit terminator has the place of its parent
      ++index;
    });
    if (found)
      return llvm::formatv("@{0} op {1}", mlir::SymbolTable::getSymbolName(&symbol).getValue(),
                           *found);
  }
  return std::nullopt;
}

/// The broken module as bytecode, with the place of its fault; nothing where bytecode cannot hold
/// it.
std::optional<std::pair<std::string, std::string>>
toBytecode(const Broken &broken, mlir::MLIRContext &context, uint8_t minor) {
  mlir::ScopedDiagnosticHandler quiet(&context, [](mlir::Diagnostic &) { return mlir::success(); });
  mlir::ParserConfig config(&context, /*verifyAfterParse=*/false);
  auto parsed = mlir::parseSourceString<mlir::ModuleOp>(broken.text, config, "kernel.mlir");
  if (!parsed)
    return std::nullopt;
  auto modules = llvm::to_vector(parsed->getOps<cuda_tile::ModuleOp>());
  if (modules.size() != 1 || !llvm::hasSingleElement(*parsed->getBody()))
    return std::nullopt;
  std::string location;
  if (broken.column) {
    auto path = pathOf(modules[0], broken.line, broken.column);
    if (!path)
      return std::nullopt;
    location = *path;
  }
  for (uint8_t version : {minor, static_cast<uint8_t>(kNewestVersion)}) {
    std::string bytes;
    llvm::raw_string_ostream sink(bytes);
    if (llvm::Error error = bytecode::writeBytecode(modules[0], sink, {13, version, 0}))
      llvm::consumeError(std::move(error));
    else
      return std::make_pair(bytes, location);
  }
  return std::nullopt;
}

/// The kernel will have operations of this rule or family of the program generator: most often it
/// is made of little else, sometimes of everything.
void favour(StringRef feature, ChoiceStream &choices, GeneratorOptions &options) {
  if (!choices.chance(75)) {
    options.maxStatements += 12;
    return;
  }
  options.only = {feature.str()};
  unsigned since = 1;
  for (const Rule &rule : allRules())
    if (rule.name == feature)
      since = rule.since;
  if (choices.chance(75))
    options.version = std::max(since, 3 + static_cast<unsigned>(choices.below(3)));
}

bool declares(StringRef text, const Breaker &breaker) {
  // Symbols of the rows are short; those of kernels are not, but a stored module may have any.
  return llvm::any_of(StringRef("kgfm"), [&](char c) {
    std::string name = std::string("@") + c;
    return breaker.code.contains(name) && (text.contains(name + "(") || text.contains(name + " "));
  });
}

testcase::TestCase caseOf(std::string name, StringRef kernel, StringRef version, bool isText,
                          StringRef contents) {
  testcase::TestCase result;
  result.name = std::move(name);
  testcase::Launch &launch = result.launches.emplace_back();
  launch.kernel = kernel.str();
  launch.modules.push_back(
      {version.str(),
       isText ? std::string("kernel.mlir") : llvm::formatv("kernel.v{0}.tileirbc", version).str(),
       testcase::Bytes(contents.bytes_begin(), contents.bytes_end())});
  return result;
}

/// The kernel of a base module that the profile accepts, or the smallest one. A trusted one, ours
/// and under the rules that it was made for, is not verified again.
mlir::OwningOpRef<mlir::ModuleOp> readBase(StringRef bytes, const Breaker *breaker, bool trusted,
                                           mlir::MLIRContext &context) {
  mlir::ScopedDiagnosticHandler quiet(&context, [](mlir::Diagnostic &) { return mlir::success(); });
  bytecode::ReaderOptions options;
  options.verify = !trusted;
  auto read = bytecode::readBytecode(bytes, &context, options);
  if (read) {
    mlir::OwningOpRef<mlir::ModuleOp> outer(
        mlir::ModuleOp::create(mlir::UnknownLoc::get(&context)));
    cuda_tile::ModuleOp inner = read->release();
    outer->push_back(inner);
    if (trusted)
      return outer;
    std::string text = printUnverified(inner);
    // The text of a kernel may need the rules of the newest tools.
    auto again = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (again && !(breaker && declares(text, *breaker)))
      return outer;
  } else {
    llvm::consumeError(read.takeError());
  }
  return mlir::parseSourceString<mlir::ModuleOp>(kSmallest, &context);
}

} // namespace

llvm::ArrayRef<StringRef> tilesmith::generators::invalidLabels() {
  return table().labels;
}

bool tilesmith::generators::isInvalidLabel(StringRef label) {
  return llvm::binary_search(table().labels, label);
}

StringRef tilesmith::generators::addedOnlyReason(StringRef label) {
  for (const AddedOnly &row : addedOnly())
    if (row.label == label)
      return row.reason;
  return "";
}

mlir::MLIRContext &InvalidGenerator::contextFor(StringRef profile, StringRef option) {
  std::unique_ptr<mlir::MLIRContext> &context = contexts[(profile + "/" + option).str()];
  if (context)
    return *context;
  context = std::make_unique<mlir::MLIRContext>(mlir::MLIRContext::Threading::DISABLED);
  auto *dialect = context->getOrLoadDialect<cuda_tile::CudaTileDialect>();
  dialect->setProfile(llvm::StringSwitch<cuda_tile::Profile>(profile)
                          .Case("public", cuda_tile::Profile::Public)
                          .Case("tileiras-13.1", cuda_tile::Profile::Tileiras13_1)
                          .Default(cuda_tile::Profile::Tileiras13_5));
  if (option == "testing-ops")
    cuda_tile::registerTestingOps(*dialect);
  // A kernel with doubtful hints has a fault of its own under this option.
  dialect->setWarnUnsupportedHints(option == "hint-errors");
  dialect->setErrorOnHints(option == "hint-errors");
  return *context;
}

llvm::Expected<testcase::TestCase> InvalidGenerator::generate(ChoiceStream &stream,
                                                              std::string name, StringRef label,
                                                              llvm::ArrayRef<uint8_t> base) {
  ChoiceStream choices = stream.frame(48);
  if (label.empty())
    label = table().labels[choices.below(table().labels.size())];
  if (!isInvalidLabel(label))
    return llvm::createStringError("unknown rule '" + label + "', expected one of --list-labels");
  if (++uses % kContextUses == 0)
    contexts.clear();
  bool wantText = choices.chance(50);
  std::string bytes(base.begin(), base.end());
  std::string kernel = "kernel";
  std::optional<StringRef> feature = featureForInPlace(label);
  bool inPlace = feature && choices.chance(kInPlacePercent);
  if (base.empty() && choices.chance(90)) {
    GeneratorOptions options;
    options.inputs = false;
    options.maxStatements = 1 + static_cast<unsigned>(choices.below(6));
    if (inPlace)
      favour(*feature, choices, options);
    auto valid = programs.generate(stream, "", options);
    if (!valid)
      return valid.takeError();
    const testcase::Bytes &data = valid->launches.front().modules.front().bytes;
    bytes.assign(data.begin(), data.end());
  }

  const auto *file = llvm::find_if(
      fileBreakers(), [&](const FileBreaker &breaker) { return breaker.label == label; });
  const Breaker *breaker = nullptr;
  if (file == fileBreakers().end())
    breaker =
        *llvm::find_if(table().breakers, [&](const Breaker *row) { return row->label == label; });
  mlir::MLIRContext &context =
      breaker ? contextFor(breaker->profile, breaker->option) : contextFor(kDefaultProfile, "");
  bool trusted = base.empty() && !bytes.empty() &&
                 (!breaker || (breaker->profile == kDefaultProfile && breaker->option.empty()));
  mlir::OwningOpRef<mlir::ModuleOp> outer = readBase(bytes, breaker, trusted, context);
  auto module = *outer->getOps<cuda_tile::ModuleOp>().begin();
  uint8_t minor = bytes.size() > 9 ? static_cast<uint8_t>(bytes[9]) : 3;
  std::string version = "13." + std::to_string(minor);

  if (!breaker) {
    std::optional<FileFault> fault;
    for (std::string from : {bytes, std::string()}) {
      if (from.empty()) {
        llvm::raw_string_ostream sink(from);
        auto smallest = mlir::parseSourceString<mlir::ModuleOp>(kSmallest, &context);
        llvm::cantFail(bytecode::writeBytecode(*smallest->getOps<cuda_tile::ModuleOp>().begin(),
                                               sink, {13, minor, 0}));
      }
      if (std::optional<SectionedFile> parsed = SectionedFile::parse(from))
        fault = file->apply(std::move(*parsed), choices);
      if (fault)
        break;
    }
    if (!fault)
      return llvm::createStringError("no module has a place for the fault '" + label + "'");
    testcase::TestCase result = caseOf(std::move(name), kernel, version, false, fault->bytes);
    result.expectReject = {label.str(), "", fault->location, fault->diagnostic};
    result.choices = testcase::Bytes(stream.recorded());
    return result;
  }

  testcase::TestCase result;
  // An operation of the kernel itself, where it has one that can break the rule.
  std::optional<KernelFault> fault;
  if (inPlace)
    fault = breakInPlace(label, module, wantText || breaker->textOnly, minor, choices);
  if (fault) {
    if (!fault->isText)
      version = "13." + std::to_string(static_cast<unsigned>(fault->contents[9]));
    result = caseOf(std::move(name), kernel, version, fault->isText, fault->contents);
    result.expectReject = {label.str(), fault->op, fault->location, fault->diagnostic};
    result.features.push_back("in-place");
  } else {
    Bindings bindings = drawVariant(breaker->variants, choices);
    Broken broken = assemble(*breaker, bindings, module, choices);
    testcase::ExpectedRejection expected{label.str(), substitute(breaker->op, bindings),
                                         breaker->location.str(),
                                         substitute(breaker->diagnostic, bindings)};
    std::optional<std::pair<std::string, std::string>> binary;
    if (!wantText && !breaker->textOnly && !expected.op.empty())
      binary = toBytecode(broken, context, minor);
    if (expected.location.empty() && broken.line)
      expected.location = binary ? binary->second
                          : expected.op.empty()
                              ? std::to_string(broken.line)
                              : llvm::formatv("{0}:{1}", broken.line, broken.column).str();
    if (binary)
      version = "13." + std::to_string(static_cast<unsigned>(binary->first[9]));
    result =
        caseOf(std::move(name), kernel, version, !binary, binary ? binary->first : broken.text);
    result.expectReject = std::move(expected);
  }
  if (breaker->profile != kDefaultProfile)
    result.features.push_back(("profile:" + breaker->profile).str());
  if (!breaker->option.empty())
    result.features.push_back(("option:" + breaker->option).str());
  result.choices = testcase::Bytes(stream.recorded());
  return result;
}
