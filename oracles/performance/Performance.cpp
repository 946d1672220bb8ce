//===- Performance.cpp - figures, gates and the baseline --------------------------------------===//
#include "oracles/performance/Performance.h"

#include "oracles/performance/ChangePoints.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <linux/perf_event.h>
#include <set>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

struct ClassRow {
  llvm::StringLiteral prefix, name;
};

/// The first row that fits counts.
constexpr ClassRow kPTXClasses[] = {
    {"ld.global", "global-loads"},
    {"st.global", "global-stores"},
    {"ld.local", "local"},
    {"st.local", "local"},
    {"ld.shared", "shared-loads"},
    {"st.shared", "shared-stores"},
    {"ld.param", "parameters"},
    {"ld.", "generic-loads"},
    {"st.", "generic-stores"},
    {"ldmatrix", "shared-loads"},
    {"stmatrix", "shared-stores"},
    {"cp.", "async-copies"},
    {"atom.", "atomics"},
    {"red.", "atomics"},
    {"mma.", "mma"},
    {"wgmma.", "mma"},
    {"wmma.", "mma"},
    {"tcgen05.", "mma"},
    {"bar.", "barriers"},
    {"barrier.", "barriers"},
    {"mbarrier.", "barriers"},
    {"fence.", "fences"},
    {"membar.", "fences"},
    {"shfl.", "shuffles"},
    {"bra", "branches"},
    {"call", "calls"},
    {"cvt.", "conversions"},
    {"div.", "divisions"},
    {"rem.", "divisions"},
    {"sqrt.", "divisions"},
};
constexpr ClassRow kSASSClasses[] = {
    {"LDG", "global-loads"},  {"STG", "global-stores"},
    {"LDL", "local"},         {"STL", "local"},
    {"LDSM", "shared-loads"}, {"LDS", "shared-loads"},
    {"STS", "shared-stores"}, {"LDGSTS", "async-copies"},
    {"UTMA", "async-copies"}, {"ATOM", "atomics"},
    {"RED", "atomics"},       {"HMMA", "mma"},
    {"IMMA", "mma"},          {"DMMA", "mma"},
    {"HGMMA", "mma"},         {"QGMMA", "mma"},
    {"IGMMA", "mma"},         {"BAR", "barriers"},
    {"SYNCS", "barriers"},    {"USYNCS", "barriers"},
    {"MEMBAR", "fences"},     {"SHFL", "shuffles"},
    {"BRA", "branches"},      {"CALL", "calls"},
    {"F2F", "conversions"},   {"F2I", "conversions"},
    {"I2F", "conversions"},   {"MUFU", "special"},
};

void count(llvm::StringRef mnemonic, llvm::ArrayRef<ClassRow> rows, llvm::StringRef prefix,
           std::map<std::string, double> &figures) {
  figures[(prefix + "instructions").str()] += 1;
  // The longest prefix, so that LDGSTS is not a load.
  const ClassRow *best = nullptr;
  for (const ClassRow &row : rows)
    if (mnemonic.starts_with(row.prefix) && (!best || row.prefix.size() > best->prefix.size()))
      best = &row;
  figures[(prefix + (best ? best->name : llvm::StringLiteral("other"))).str()] += 1;
}

/// The number in front of ` UNIT` in a line, or 0.
double numberBefore(llvm::StringRef line, llvm::StringRef unit) {
  size_t at = line.find((" " + unit).str());
  if (at == llvm::StringRef::npos)
    return 0;
  llvm::StringRef head = line.take_front(at);
  llvm::StringRef digits = head.take_back(head.size() - (head.find_last_not_of("0123456789") + 1));
  unsigned value = 0;
  return digits.getAsInteger(10, value) ? 0 : value;
}

} // namespace

void tilesmith::oracles::addPTXFigures(llvm::StringRef ptx,
                                       std::map<std::string, double> &figures) {
  llvm::SmallVector<llvm::StringRef> lines;
  ptx.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    line = line.trim();
    if (line.empty() || line.starts_with("//") || line.starts_with(".") || line.ends_with(":") ||
        !line.contains(';'))
      continue;
    line = line.ltrim("{ \t");
    if (line.starts_with("@")) // a predicate
      line = line.drop_until([](char c) { return c == ' ' || c == '\t'; }).ltrim();
    if (!line.empty() && llvm::isAlpha(line.front()))
      count(line, kPTXClasses, "ptx/", figures);
  }
}

void tilesmith::oracles::addPtxasFigures(llvm::StringRef log,
                                         std::map<std::string, double> &figures) {
  llvm::SmallVector<llvm::StringRef> lines;
  log.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    if (line.contains("stack frame")) {
      figures["ptxas/stack"] += numberBefore(line, "bytes stack frame");
      figures["ptxas/spills"] +=
          numberBefore(line, "bytes spill stores") + numberBefore(line, "bytes spill loads");
    }
    if (line.contains("Used ") && line.contains(" registers")) {
      figures["ptxas/registers"] += numberBefore(line, "registers");
      figures["ptxas/shared"] += numberBefore(line, "bytes smem");
    }
  }
}

void tilesmith::oracles::addSASSFigures(llvm::StringRef listing,
                                        std::map<std::string, double> &figures) {
  llvm::SmallVector<llvm::StringRef> lines;
  listing.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    // /*0010*/  @!P0 LDG.E R2, [R2.64] ;
    line = line.trim();
    if (!line.consume_front("/*"))
      continue;
    auto [address, rest] = line.split("*/");
    if (address.empty() || !llvm::all_of(address, llvm::isHexDigit) || !rest.contains(';'))
      continue;
    rest = rest.ltrim();
    if (rest.starts_with("@"))
      rest = rest.drop_until([](char c) { return c == ' ' || c == '\t'; }).ltrim();
    if (!rest.empty() && llvm::isAlpha(rest.front()) && !rest.starts_with("NOP"))
      count(rest, kSASSClasses, "sass/", figures);
  }
}

std::optional<uint64_t> tilesmith::oracles::countInstructions(llvm::function_ref<void()> work) {
  perf_event_attr attributes = {};
  attributes.size = sizeof(attributes);
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
  attributes.disabled = 1;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  int descriptor = static_cast<int>(::syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
  if (descriptor >= 0)
    ::ioctl(descriptor, PERF_EVENT_IOC_ENABLE, 0);
  work();
  if (descriptor < 0)
    return std::nullopt;
  ::ioctl(descriptor, PERF_EVENT_IOC_DISABLE, 0);
  uint64_t value = 0;
  bool good = ::read(descriptor, &value, sizeof(value)) == sizeof(value);
  ::close(descriptor);
  return good && value ? std::optional<uint64_t>(value) : std::nullopt;
}

Gate tilesmith::oracles::gateOf(llvm::StringRef figure) {
  if (figure == "ptxas/spills" || figure == "ptxas/stack" || figure.ends_with("/local"))
    return {0, 16}; // memory of a thread: from nothing to something is worse
  if (figure == "ptxas/registers")
    return {0.1, 8};
  if (figure == "ptxas/shared")
    return {0.05, 1024};
  if (figure.starts_with("emulator/"))
    return {0.02, figure.ends_with("/instructions") ? 200.0 : 8.0};
  if (figure.ends_with("/barriers") || figure.ends_with("/mma"))
    return {0.05, 2};
  if (figure.starts_with("compile/"))
    return {0.1, figure.ends_with("/instructions") ? 1e6 : 1e3}; // else microseconds
  if (figure.ends_with("/instructions"))
    return {0.05, 20};
  return {0.1, 8};
}

bool tilesmith::oracles::isWorse(llvm::StringRef figure, double before, double after) {
  const Gate gate = gateOf(figure);
  return after - before > gate.relative * before && after - before >= gate.absolute;
}

FigureKind tilesmith::oracles::kindOf(llvm::StringRef figure) {
  return figure.starts_with("compile/") ? FigureKind::Cost
         : figure.starts_with("gpu/")   ? FigureKind::Time
                                        : FigureKind::Exact;
}

bool tilesmith::oracles::isAuxiliary(llvm::StringRef figure) {
  return figure == "compile/sigma" || figure == "compile/reference" ||
         figure.starts_with("external/");
}

std::vector<MachineFigure>
tilesmith::oracles::machineFigures(const std::map<std::string, double> &figures) {
  std::vector<MachineFigure> result;
  for (const auto &[figure, value] : figures) {
    llvm::StringRef name = figure;
    if (!name.consume_front("machine/"))
      continue;
    MachineFigure &one = result.emplace_back(MachineFigure{name.str(), value, std::nullopt});
    if (auto it = figures.find(("external/" + name).str()); it != figures.end())
      one.theirs = it->second;
  }
  return result;
}

/// `ptxas` of `ptxas/registers`.
static llvm::StringRef familyOf(llvm::StringRef figure) {
  return figure.split('/').first;
}

static bool hasFamily(const CodeFigures &row, llvm::StringRef family) {
  return llvm::any_of(row.figures,
                      [&](const auto &pair) { return familyOf(pair.first) == family; });
}

static std::string toolOf(const CodeFigures &row, llvm::StringRef family) {
  auto it = row.tools.find(family.str());
  return it == row.tools.end() ? "" : it->second;
}

static bool sameTool(const CodeFigures &stored, const CodeFigures &measured,
                     llvm::StringRef family) {
  return hasFamily(stored, family) && hasFamily(measured, family) &&
         toolOf(stored, family) == toolOf(measured, family);
}

std::vector<FigureChange> tilesmith::oracles::changedFigures(const CodeFigures &stored,
                                                             const CodeFigures &measured) {
  std::vector<FigureChange> changes;
  // A class that one of the two does not have at all counts as zero.
  std::set<std::string> names;
  for (const CodeFigures *row : {&stored, &measured})
    for (const auto &[name, value] : row->figures)
      names.insert(name);
  auto value = [](const CodeFigures &row, const std::string &name) {
    auto it = row.figures.find(name);
    return it == row.figures.end() ? 0 : it->second;
  };
  for (const std::string &name : names) {
    llvm::StringRef family = familyOf(name);
    if (!sameTool(stored, measured, family) ||
        (stored.code == measured.code && !stored.code.empty() && kindOf(name) == FigureKind::Exact))
      continue;
    if (isAuxiliary(name))
      continue;
    double before = value(stored, name), after = value(measured, name);
    bool worse = isWorse(name, before, after);
    if (kindOf(name) == FigureKind::Cost) {
      // What the machine does to a program that stays the same, it does to ours.
      if (double was = value(stored, "compile/reference"),
          is = value(measured, "compile/reference");
          was > 0 && is > 0)
        after *= was / is;
      double sigmaBefore = value(stored, "compile/sigma"), sigma = value(measured, "compile/sigma");
      worse = sigmaBefore > 0 && sigma > 0
                  ? after > before && isBeyondNoise(before, sigmaBefore, after, sigma)
                  : isWorse(name, before, after);
    }
    if (kindOf(name) == FigureKind::Time) {
      auto samples = [&](const CodeFigures &row) {
        auto it = row.samples.find(name);
        return it == row.samples.end() ? std::vector<double>() : it->second;
      };
      const SampleComparison compared = compareSamples(samples(stored), samples(measured));
      if (!compared.isSlower && !compared.isFaster)
        continue;
      worse = compared.isSlower;
    }
    if (before != after)
      changes.push_back({name, before, after, worse});
  }
  return changes;
}

std::vector<std::string> tilesmith::oracles::familiesNotCompared(const CodeFigures &stored,
                                                                 const CodeFigures &measured) {
  std::set<std::string> families;
  for (const auto &[name, value] : stored.figures)
    if (!sameTool(stored, measured, familyOf(name)))
      families.insert(familyOf(name).str());
  return {families.begin(), families.end()};
}

CodeFigures tilesmith::oracles::updatedRow(const CodeFigures *stored, CodeFigures measured) {
  if (!stored || (stored->code != measured.code && !stored->code.empty() && !measured.code.empty()))
    return measured;
  if (measured.code.empty())
    measured.code = stored->code;
  for (const std::string &family : familiesNotCompared(*stored, measured)) {
    if (hasFamily(measured, family))
      continue; // another tool, which is the one from now on
    for (const auto &[name, value] : stored->figures)
      if (familyOf(name) == family)
        measured.figures[name] = value;
    if (auto it = stored->tools.find(family); it != stored->tools.end())
      measured.tools.insert(*it);
  }
  return measured;
}

Verdict tilesmith::oracles::comparePerformance(const CodeFigures *stored,
                                               const CodeFigures &measured) {
  if (!stored || stored->caseName != measured.caseName || stored->gpuName != measured.gpuName ||
      stored->optLevel != measured.optLevel)
    return Verdict::inconclusive(llvm::formatv("performance: no stored row for {0} at {1} -O{2}",
                                               measured.caseName, measured.gpuName,
                                               measured.optLevel));
  std::string worse;
  for (const FigureChange &change : changedFigures(*stored, measured))
    if (change.isWorse)
      worse +=
          llvm::formatv("{0}{1} {2} -> {3}", worse.empty() ? "" : ", ", change.figure,
                        static_cast<uint64_t>(change.before), static_cast<uint64_t>(change.after))
              .str();
  if (worse.empty())
    return Verdict::agree();
  return Verdict::disagree(
      "performance",
      llvm::formatv("{0} at {1} -O{2}", measured.caseName, measured.gpuName, measured.optLevel),
      worse);
}

std::string tilesmith::oracles::toJsonLine(const CodeFigures &row) {
  llvm::json::Object figures;
  for (const auto &[name, value] : row.figures)
    figures[name] = value;
  llvm::json::Object object{{"case", row.caseName},
                            {"gpu", row.gpuName},
                            {"O", static_cast<int64_t>(row.optLevel)},
                            {"code", row.code},
                            {"figures", std::move(figures)}};
  if (!row.samples.empty()) {
    llvm::json::Object samples;
    for (const auto &[name, values] : row.samples)
      samples[name] = llvm::json::Array(values);
    object["samples"] = std::move(samples);
  }
  if (!row.tools.empty()) {
    llvm::json::Object tools;
    for (const auto &[family, tool] : row.tools)
      tools[family] = tool;
    object["tools"] = std::move(tools);
  }
  return llvm::formatv("{0}", llvm::json::Value(std::move(object))).str() + "\n";
}

llvm::Expected<std::vector<CodeFigures>> tilesmith::oracles::readBaseline(llvm::StringRef text) {
  std::vector<CodeFigures> rows;
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (auto [number, line] : llvm::enumerate(lines)) {
    auto fail = [number = number](const llvm::Twine &what) {
      return llvm::createStringError("line " + llvm::Twine(number + 1) + ": " + what);
    };
    auto value = llvm::json::parse(line);
    if (!value)
      return fail(llvm::toString(value.takeError()));
    const llvm::json::Object *object = value->getAsObject();
    const llvm::json::Object *figures = object ? object->getObject("figures") : nullptr;
    if (!figures || !object->getString("case") || !object->getString("gpu") ||
        !object->getInteger("O") || !object->getString("code"))
      return fail("expected an object with case, gpu, O, code and figures");
    CodeFigures &row = rows.emplace_back();
    row.caseName = object->getString("case")->str();
    row.gpuName = object->getString("gpu")->str();
    row.optLevel = static_cast<unsigned>(*object->getInteger("O"));
    row.code = object->getString("code")->str();
    for (const auto &[name, figure] : *figures) {
      if (!figure.getAsNumber())
        return fail("expected a number for '" + name.str() + "'");
      row.figures[name.str()] = *figure.getAsNumber();
    }
    if (const llvm::json::Object *tools = object->getObject("tools"))
      for (const auto &[family, tool] : *tools) {
        if (!tool.getAsString())
          return fail("expected a text for the tool of '" + family.str() + "'");
        row.tools[family.str()] = tool.getAsString()->str();
      }
    if (const llvm::json::Object *samples = object->getObject("samples"))
      for (const auto &[name, values] : *samples) {
        std::vector<double> &here = row.samples[name.str()];
        for (const llvm::json::Value &one :
             values.getAsArray() ? *values.getAsArray() : llvm::json::Array())
          if (std::optional<double> number = one.getAsNumber())
            here.push_back(*number);
          else
            return fail("expected numbers for '" + name.str() + "'");
      }
  }
  return rows;
}

llvm::Expected<std::vector<CodeFigures>>
tilesmith::oracles::readTimes(llvm::StringRef text, std::vector<std::string> &wrong) {
  constexpr llvm::StringLiteral kTime = "gpu/nanoseconds";
  std::map<std::pair<std::string, std::string>, CodeFigures> rows; // by name and target
  std::set<std::pair<std::string, std::string>> bad;
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (auto [number, line] : llvm::enumerate(lines)) {
    auto value = llvm::json::parse(line);
    const llvm::json::Object *object = value ? value->getAsObject() : nullptr;
    if (!value)
      llvm::consumeError(value.takeError());
    auto textOf = [&](llvm::StringRef key) {
      return object ? object->getString(key).value_or("").str() : "";
    };
    const std::string name = textOf("case") + "." + textOf("way"), gpu = textOf("gpu"),
                      verdict = textOf("verdict"), device = textOf("device");
    if (name.front() == '.' || name.back() == '.' || gpu.empty() || verdict.empty() ||
        device.empty())
      return llvm::createStringError(
          llvm::formatv("line {0}: expected an object with case, way, gpu, device and verdict",
                        number + 1)
              .str());
    CodeFigures &row = rows[{name, gpu}];
    row.caseName = name;
    row.gpuName = gpu;
    if (row.tools.try_emplace("gpu", device).first->second != device)
      return llvm::createStringError(
          llvm::formatv("line {0}: expected one device for {1}, found '{2}' and '{3}'", number + 1,
                        name, row.tools["gpu"], device)
              .str());
    const double milliseconds = object->getNumber("median_ms").value_or(0);
    if (verdict != "agree")
      bad.insert({name, gpu});
    else if (milliseconds > 0)
      row.samples[kTime.str()].push_back(milliseconds * 1e6);
    else
      return llvm::createStringError(
          llvm::formatv("line {0}: expected a positive number for median_ms", number + 1).str());
  }
  std::vector<CodeFigures> result;
  for (auto &[key, row] : rows) {
    if (bad.count(key)) {
      wrong.push_back(key.first + " " + key.second);
      continue;
    }
    row.figures[kTime.str()] = medianOf(row.samples[kTime.str()]);
    result.push_back(std::move(row));
  }
  return result;
}
