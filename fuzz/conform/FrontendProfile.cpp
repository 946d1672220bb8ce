//===- FrontendProfile.cpp - a folder of modules that a frontend wrote ------------------------===//
#include "fuzz/conform/FrontendProfile.h"

#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/bytecode/BytecodeWriter.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "generators/program/Coverage.h"
#include "oracles/roundtrip/ModuleEquality.h"
#include "reference/interp/RunCase.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

using namespace tilesmith;
using namespace tilesmith::fuzz::conform;
using llvm::StringRef;
namespace json = llvm::json;

llvm::ArrayRef<FrontendCheck> tilesmith::fuzz::conform::frontendChecks() {
  // clang-format off
  static constexpr FrontendCheck kChecks[] = {
      {"reads", "bytecode-verified", "no module is refused for a reason that is no rule of the verifier"},
      {"round-trip", "bytecode-op", "each module is the same after it was written and read again"},
      {"older-versions", "bytecode-downgrade", "written in each older version that holds it, a module means the same"},
      {"locations", "bytecode-debug", "each kernel has operations that lead to a line of the source"},
      {"hints", "hints_error", "hints are legal for their targets"},
      {"identities", "reduce-identity", "the identity of a reduction or scan of one operation is neutral"},
      {"literals", "shape-constant", "a literal of f64 is not one that was rounded to f32"},
      {"results", "class-exact", "the reference computes what the case expects", true},
      {"signed-overflow", "signed-overflow", "never undefined: a promise of no signed overflow", true},
      {"unsigned-overflow", "unsigned-overflow", "never undefined: a promise of no unsigned overflow", true},
      {"division-by-zero", "division-by-zero", "never undefined: a divisor", true},
      {"loop-step", "loop-step", "never undefined: the step of a loop", true},
      {"slice-index", "slice-index", "never undefined: an index of extract or insert", true},
      {"pointer-overflow", "pointer-overflow", "never undefined: offset leaves the address space", true},
      {"view-index", "view-index", "never undefined: an index of a view", true},
      {"inbounds", "inbounds", "never undefined: a promise to lie inside", true},
      {"extent-overflow", "extent-overflow", "never undefined: an extent that does not fit", true},
      {"view-offset-overflow", "view-offset-overflow", "never undefined: the distance of an element", true},
      {"out-of-bounds", "out-of-bounds", "never undefined: an access outside of every array", true},
      {"misaligned", "misaligned", "never undefined: an address", true},
      {"null-access", "null-access", "never undefined: an access to address 0", true},
      {"write-to-constant", "write-to-constant", "never undefined: a store to a constant", true},
      {"uninitialised-read", "uninitialised-read", "never undefined: a byte that nothing wrote", true},
      {"overlapping-store", "overlapping-store", "never undefined: two elements of one store meet", true},
      {"data-race", "data-race", "never undefined: accesses that no token orders", true},
      {"assumptions", "violated-assume", "every assumption holds", true},
  };
  // clang-format on
  return kChecks;
}

//===------------------------------------------------------------------------------------------===//
// Looking at one
//===------------------------------------------------------------------------------------------===//

namespace {

/// The rule of the list that a message of the verifier is about; empty: none is known.
std::string ruleOf(StringRef message, const RequirementList &list) {
  std::string best;
  size_t length = 0;
  for (const Requirement &row : list.rows) {
    if (row.kind() != "legal")
      continue;
    auto [op, diagnostic] = StringRef(row.source).split(": ");
    size_t score =
        diagnostic.size() + (message.contains(("'cuda_tile." + op + "'").str()) ? 1000 : 0);
    if (!diagnostic.empty() && message.contains(diagnostic) && score > length) {
      length = score;
      best = row.rule;
    }
  }
  return best;
}

/// Whether x combined with anything is the other one; nothing where that is not known.
std::optional<bool> isNeutral(mlir::Operation &op, mlir::Attribute identity) {
  if (auto number = llvm::dyn_cast<mlir::FloatAttr>(identity)) {
    const llvm::APFloat &value = number.getValue();
    if (llvm::isa<cuda_tile::AddFOp>(op))
      return value.isZero();
    if (llvm::isa<cuda_tile::MulFOp>(op))
      return value.isExactlyValue(1.0);
    bool isMax = llvm::isa<cuda_tile::MaxFOp>(op);
    if (isMax || llvm::isa<cuda_tile::MinFOp>(op))
      // The smallest finite number stands for minus infinity in types and kernels that have none.
      return value.isNegative() == isMax && !value.isZero() && !value.isNaN();
    return std::nullopt;
  }
  auto number = llvm::dyn_cast<mlir::IntegerAttr>(identity);
  if (!number)
    return std::nullopt;
  llvm::APInt value = number.getValue();
  if (llvm::isa<cuda_tile::AddIOp, cuda_tile::OrIOp, cuda_tile::XOrIOp>(op))
    return value.isZero();
  if (llvm::isa<cuda_tile::MulIOp>(op))
    return value.isOne();
  if (llvm::isa<cuda_tile::AndIOp>(op))
    return value.isAllOnes();
  return std::nullopt;
}

/// Reductions and scans of one operation whose identity is not neutral.
std::string checkIdentities(mlir::Operation *module) {
  std::string wrong;
  module->walk([&](mlir::Operation *op) {
    auto identities = op->getAttrOfType<mlir::ArrayAttr>("identities");
    if (!identities || identities.size() != 1 || op->getNumRegions() != 1 || !wrong.empty())
      return;
    mlir::Block &body = op->getRegion(0).front();
    if (std::distance(body.begin(), body.end()) != 2)
      return;
    if (isNeutral(body.front(), identities[0]) == false)
      llvm::raw_string_ostream(wrong)
          << op->getName().stripDialect() << " with " << body.front().getName().stripDialect()
          << " has the identity " << identities[0];
  });
  return wrong;
}

/// A number that looks as if f32 had rounded it: it has no more bits than f32, and uses nearly all.
bool looksRounded(const llvm::APFloat &value) {
  if (!value.isFiniteNonZero())
    return false;
  llvm::APFloat narrow = value;
  bool inexact = false;
  narrow.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  unsigned used = 52 - std::min(52u, value.bitcastToAPInt().countr_zero());
  return !inexact && used >= 16;
}

std::string checkLiterals(mlir::Operation *module) {
  std::string wrong;
  module->walk([&](cuda_tile::ConstantOp op) {
    auto values = llvm::dyn_cast<mlir::DenseFPElementsAttr>(op.getValue());
    if (!values || !values.getElementType().isF64() || !values.isSplat() || !wrong.empty())
      return;
    llvm::APFloat value = values.getSplatValue<llvm::APFloat>();
    if (looksRounded(value))
      wrong = llvm::formatv("the constant {0} has the digits of f32", value.convertToDouble());
  });
  return wrong;
}

std::string checkLocations(mlir::Operation *module) {
  std::string wrong;
  module->walk([&](cuda_tile::EntryOp entry) {
    bool leads = llvm::hasSingleElement(entry.getBody().front()); // a kernel that does nothing
    entry->walk([&](mlir::Operation *op) {
      auto place = op->getLoc()->findInstanceOf<mlir::FileLineColLoc>();
      leads |= op != entry.getOperation() && place && place.getLine() > 0;
    });
    if (!leads)
      wrong = ("no operation of @" + entry.getSymName() + " leads to a line").str();
  });
  return wrong;
}

/// A context that keeps the first error.
class Reader {
public:
  explicit Reader(bool strictHints) : context(mlir::MLIRContext::Threading::DISABLED) {
    reference::loadReferenceDialects(context);
    auto *dialect = context.getOrLoadDialect<cuda_tile::CudaTileDialect>();
    dialect->setWarnUnsupportedHints(strictHints);
    dialect->setErrorOnHints(strictHints);
    context.getDiagEngine().registerHandler([](mlir::Diagnostic &) { return mlir::success(); });
  }
  mlir::MLIRContext context;
};

struct Inspection {
  const RequirementList &list;
  testcase::TestCase testCase; ///< without launches: nothing runs
  std::string bytes, version;
  bytecode::Version number;
  json::Object raw;

  void inspect();
  void roundTrip(cuda_tile::ModuleOp module, mlir::MLIRContext &context);
  void run(mlir::MLIRContext &context);
  void compare(const reference::CaseResult &result);
  void hold(mlir::Operation *module);
};

/// The operations, and the rows of the table as bits in the order of the list.
void Inspection::hold(mlir::Operation *module) {
  static generators::Coverage table;
  table.forget();
  table.add(module, version);
  std::set<std::string> held;
  std::string ops;
  for (const std::string &row : table.held()) {
    held.insert(row);
    if (StringRef name = row; name.consume_front("op "))
      ops += (ops.empty() ? "" : " ") + name.str();
  }
  std::string bits;
  unsigned filled = 0, digit = 0;
  for (const Requirement &row : list.rows)
    if (row.kind() == "emit") {
      digit = digit << 1 | held.count(row.source);
      if (++filled % 4 == 0)
        bits += llvm::hexdigit(std::exchange(digit, 0), true);
    }
  if (filled % 4)
    bits += llvm::hexdigit(digit << (4 - filled % 4), true);
  raw["ops"] = ops;
  raw["rows"] = bits;
}

void Inspection::roundTrip(cuda_tile::ModuleOp module, mlir::MLIRContext &context) {
  json::Array older;
  for (unsigned minor = number.minor; minor >= bytecode::kOldestMinor; --minor) {
    std::string again;
    llvm::raw_string_ostream out(again);
    bool own = minor == number.minor;
    if (llvm::Error error =
            bytecode::writeBytecode(module, out, {13, static_cast<uint8_t>(minor), 0})) {
      std::string text = llvm::toString(std::move(error));
      if (own)
        raw["round_trip"] = text;
      else
        older.push_back(json::Object{{"version", "13." + std::to_string(minor)}, {"no", text}});
      if (!own)
        break;
      continue;
    }
    auto other = bytecode::readBytecode(again, &context);
    if (other) // says who wrote the file, and nothing about what it means
      if (mlir::Attribute producer = module->getAttr("producer"))
        (**other)->setAttr("producer", producer);
    std::string difference = other ? oracles::firstDifference(module, **other).value_or("")
                                   : llvm::toString(other.takeError());
    if (own) {
      if (!difference.empty())
        raw["round_trip"] = difference;
      continue;
    }
    json::Object row{{"version", "13." + std::to_string(minor)}};
    if (!difference.empty())
      row["difference"] = difference;
    older.push_back(std::move(row));
  }
  raw["older"] = std::move(older);
}

void Inspection::compare(const reference::CaseResult &result) {
  std::string wrong;
  if (testCase.traps)
    wrong = "expected that an assertion fails";
  else if (result.printed != testCase.standardOutput.value_or(""))
    wrong = "other text is printed than expected";
  for (auto [index, buffer] : llvm::enumerate(testCase.buffers)) {
    if (!wrong.empty() || index >= result.buffers.size() || !testcase::hasExpectation(buffer) ||
        buffer.elementCount() == 0)
      continue;
    const reference::BufferResult &got = result.buffers[index];
    testcase::CompareResult compared =
        testcase::compareBuffer(buffer, got.bytes, buffer.expected(), buffer.compare, got.ignored);
    if (!compared.ok())
      wrong = llvm::formatv("buffer {0}: {1}", index, testcase::describe(buffer, compared));
  }
  if (!wrong.empty())
    raw["results"] = wrong;
}

void Inspection::run(mlir::MLIRContext &context) {
  reference::RunOptions options;
  options.detectRaces = true;
  options.limits.seconds = 60;
  auto result = reference::runCase(testCase, version, context, options);
  if (!result) {
    raw["ran"] = "no: " + llvm::toString(result.takeError());
    return;
  }
  raw["ran"] = reference::spelling(result->outcome.kind);
  // What a program launched, and nobody wrote expectations for, has no wrong results.
  bool expects = testCase.traps || testCase.standardOutput ||
                 llvm::any_of(testCase.buffers, testcase::hasExpectation);
  if (!expects)
    raw["expects"] = "nothing";
  using Kind = reference::Outcome::Kind;
  if (!result->outcome.completed() && result->outcome.kind != Kind::Trapped) {
    raw["label"] = result->outcome.detail;
    raw["why"] = json::fixUTF8(result->outcome.describe());
  }
  for (const std::string &note : result->notes)
    if (StringRef(note).contains("assum")) {
      raw["assumption"] = json::fixUTF8(note);
      break;
    }
  if (result->outcome.completed())
    compare(*result);
  else if (result->outcome.kind == Kind::Trapped && !testCase.traps && expects)
    raw["results"] = "an assertion fails: " + result->outcome.message;
}

void Inspection::inspect() {
  static Reader plain(false), strict(true);
  raw["version"] = version;
  auto module = bytecode::readBytecode(bytes, &plain.context);
  if (!module) {
    std::string message = llvm::toString(module.takeError());
    raw["refused"] = json::fixUTF8(message);
    raw["rule"] = ruleOf(message, list);
    auto broken = bytecode::readBytecode(bytes, &plain.context, {.verify = false});
    if (broken)
      hold(**broken);
    else
      llvm::consumeError(broken.takeError());
    return;
  }
  hold(**module);
  roundTrip(**module, plain.context);
  for (auto [key, wrong] : {std::pair{"identity", checkIdentities(**module)},
                            {"literal", checkLiterals(**module)},
                            {"location", checkLocations(**module)}})
    if (!wrong.empty())
      raw[key] = wrong;
  if (auto hinted = bytecode::readBytecode(bytes, &strict.context); !hinted)
    raw["hints"] = json::fixUTF8(llvm::toString(hinted.takeError()));
  if (!testCase.launches.empty())
    run(plain.context);
}

} // namespace

llvm::Expected<json::Object> tilesmith::fuzz::conform::inspectModule(const FrontendModule &module,
                                                                     const RequirementList &list) {
  Inspection inspection{list, {}, "", module.version, {}, {}};
  auto bytes = bytesOf(module);
  if (!bytes)
    return bytes.takeError();
  inspection.bytes = std::move(*bytes);
  if (!module.version.empty()) {
    auto testCase = testcase::loadTestCase(module.path);
    if (!testCase)
      return testCase.takeError();
    inspection.testCase = std::move(*testCase);
  }
  inspection.raw["id"] = module.name;
  inspection.raw["sha256"] = sha256(inspection.bytes);
  auto number = bytecode::readVersion(inspection.bytes);
  if (!number) {
    inspection.raw["refused"] = llvm::toString(number.takeError());
    return std::move(inspection.raw);
  }
  inspection.number = *number;
  inspection.version = number->str();
  inspection.inspect();
  return std::move(inspection.raw);
}

//===------------------------------------------------------------------------------------------===//
// Judging
//===------------------------------------------------------------------------------------------===//

namespace {

StringRef text(const json::Object &raw, StringRef key) {
  return raw.getString(key).value_or("");
}

/// What one module says of a check: nothing where it could not be asked, empty where it passes.
std::optional<std::string> answer(const FrontendCheck &check, const json::Object &raw) {
  bool refused = raw.get("refused") != nullptr;
  if (raw.get("ended")) // of this tool: nothing is known
    return std::nullopt;
  if (check.name == "reads")
    return refused && text(raw, "rule").empty() ? text(raw, "refused").str() : "";
  if (refused)
    return std::nullopt;
  if (check.name == "older-versions") {
    const json::Array *older = raw.getArray("older");
    if (!older)
      return std::nullopt;
    for (const json::Value &row : *older)
      if (const json::Object *one = row.getAsObject(); one && one->get("difference"))
        return (text(*one, "version") + ": " + text(*one, "difference")).str();
    return "";
  }
  static constexpr std::pair<StringRef, StringRef> kFacts[] = {
      {"round-trip", "round_trip"}, {"locations", "location"}, {"hints", "hints"},
      {"identities", "identity"},   {"literals", "literal"},
  };
  for (auto [name, key] : kFacts)
    if (check.name == name)
      return text(raw, key).str();
  using Kind = reference::Outcome::Kind;
  StringRef ran = text(raw, "ran");
  if (ran == reference::spelling(Kind::Inconclusive) ||
      ran == reference::spelling(Kind::BadLaunch) ||
      ran == reference::spelling(Kind::Unsupported) || ran.starts_with("no: ") || ran.empty())
    return std::nullopt;
  bool hasCheck = llvm::any_of(frontendChecks(), [&](const FrontendCheck &other) {
    return other.rule == text(raw, "label");
  });
  if (check.name == "results" && ran == reference::spelling(Kind::Undefined) && !hasCheck)
    return ("undefined [" + text(raw, "label") + "]: " + text(raw, "why")).str();
  if (check.name == "results")
    return (ran == "completed" || ran == "trapped") && text(raw, "expects").empty()
               ? std::optional(text(raw, "results").str())
               : std::nullopt;
  if (check.name == "assumptions")
    return text(raw, "assumption").str();
  return ran == "undefined" && text(raw, "label") == check.rule ? text(raw, "why").str() : "";
}

/// `3 of 40 modules, first CASE: reason`.
Verdict summary(unsigned asked, unsigned failed, const std::string &first,
                const std::string &unknown) {
  if (asked == 0)
    return {State::NotRun, "no module shows it"};
  if (failed == 0 && !unknown.empty())
    return {State::NotRun, unknown};
  if (failed == 0)
    return {State::Pass, ""};
  return {State::Fail, llvm::formatv("{0} of {1} modules, {2}", failed, asked, first)};
}

bool hasOp(const json::Object &raw, StringRef op) {
  return llvm::is_contained(llvm::split(text(raw, "ops"), ' '), op);
}

} // namespace

std::vector<Verdict> tilesmith::fuzz::conform::judgeFrontend(const RequirementList &list,
                                                             const RawOutputs &outputs) {
  std::set<std::string> bad; // modules that fail something
  std::string unknown;
  for (const auto &[id, raw] : outputs)
    if (raw.get("ended") && unknown.empty())
      unknown = id + " could not be looked at: " + text(raw, "ended").str();
  std::vector<Verdict> verdicts;
  for (const FrontendCheck &check : frontendChecks())
    for (const auto &[id, raw] : outputs)
      if (raw.get("refused") || answer(check, raw).value_or("") != "")
        bad.insert(id);
  unsigned bit = 0;
  for (const Requirement &row : list.rows) {
    unsigned asked = 0, failed = 0;
    std::string first;
    auto count = [&](const std::string &id, StringRef wrong) {
      ++asked;
      if (!wrong.empty() && ++failed == 1)
        first = (id + ": " + wrong.split('\n').first).str();
    };
    StringRef name = StringRef(row.id).split('/').second;
    if (row.kind() == "check") {
      auto check = llvm::find_if(frontendChecks(), [&](auto &c) { return c.name == name; });
      for (const auto &[id, raw] : outputs)
        if (check != frontendChecks().end())
          if (std::optional<std::string> wrong = answer(*check, raw))
            count(id, *wrong);
      verdicts.push_back(summary(asked, failed, first, unknown));
    } else if (row.kind() == "legal") {
      StringRef op = StringRef(row.source).split(": ").first;
      for (const auto &[id, raw] : outputs)
        if (text(raw, "rule") == row.rule)
          count(id, text(raw, "refused"));
        else if (!raw.get("refused") && hasOp(raw, op))
          count(id, "");
      verdicts.push_back(summary(asked, failed, first, unknown));
    } else {
      unsigned digit = bit / 4, shift = 3 - bit % 4, holders = 0;
      ++bit;
      bool shown = false;
      for (const auto &[id, raw] : outputs) {
        StringRef rows = text(raw, "rows");
        if (digit >= rows.size() || !(llvm::hexDigitValue(rows[digit]) >> shift & 1))
          continue;
        if (++holders == 1)
          first = id;
        shown |= !bad.count(id);
      }
      verdicts.push_back(holders == 0 ? Verdict{State::NotRun, "no module holds it"}
                         : shown      ? Verdict{State::Pass, ""}
                                      : Verdict{State::Fail, "only modules that fail a check hold "
                                                             "it, first " +
                                                                 first});
    }
  }
  return verdicts;
}
