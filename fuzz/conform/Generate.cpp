//===- Generate.cpp - makes the lists of requirements -----------------------------------------===//
//
// Steps
//   1. A pool of cases with the version that each needs: the command line (Contract.cpp), forms of
//      ops for every element type and version (OpForms.h), generated kernels that together hold
//      every row of the generator's coverage table, kernels of corpus/frontends, modules that break
//      a rule (generators/invalid), modules that are large or odd, kernels with known results.
//   2. The compiler list of 13.N is every case of a version up to 13.N.
//   3. The frontend list of 13.N is every row of the coverage table that the generator reaches at
//      13.N, the checks that each module must pass, and every rule that a module can break.
//
// Invariant: what is made depends on this source tree alone. A list that was written before is
// never changed; what is asked to be added to it becomes the next edition.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/bytecode/BytecodeWriter.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "compiler/support/WriteFile.h"
#include "fuzz/conform/CompilerProfile.h"
#include "fuzz/conform/Contract.h"
#include "fuzz/conform/FrontendProfile.h"
#include "fuzz/conform/HostileModules.h"
#include "fuzz/conform/List.h"
#include "generators/invalid/InvalidGenerator.h"
#include "generators/program/Coverage.h"
#include "oracles/differential/OpFormKernels.h"
#include "reference/interp/RunCase.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <set>

using namespace tilesmith;
using namespace tilesmith::fuzz::conform;
using llvm::StringRef;

namespace {

constexpr unsigned kNewest = bytecode::kNewestMinor;
constexpr uint64_t kSeed = 26;
constexpr unsigned kKernels = 2500;    ///< drawn per version, to cover the table
constexpr unsigned kRejectTries = 16;  ///< modules drawn per rule and version
constexpr unsigned kRejectBases = 8;   ///< kernels per version that are broken
constexpr unsigned kRejectsOldest = 2; ///< modules per rule that every list holds

std::string versionName(unsigned minor) {
  return "13." + std::to_string(minor);
}

class Maker {
public:
  Maker(StringRef corpus, llvm::ArrayRef<std::string> added, llvm::raw_ostream &log)
      : corpus(corpus), added(added), log(log), context(mlir::MLIRContext::Threading::DISABLED) {
    reference::loadReferenceDialects(context);
    context.getDiagEngine().registerHandler([](mlir::Diagnostic &) { return mlir::success(); });
  }

  llvm::Error run(StringRef folder);

private:
  struct Entry {
    unsigned since;
    Requirement requirement;
  };

  void add(unsigned since, std::string id, StringRef rule, std::string source, std::string hash) {
    pool.push_back({since, {std::move(id), rule.str(), std::move(source), std::move(hash)}});
  }
  void addModule(unsigned since, std::string id, StringRef rule, std::string source,
                 StringRef bytes) {
    add(since, std::move(id), rule, std::move(source), archive.add(bytes));
  }
  /// The module in bytecode of that version; nothing where the version cannot hold it.
  std::optional<std::string> write(mlir::ModuleOp module, unsigned minor);
  std::optional<std::string> compileText(StringRef text, unsigned minor);

  llvm::Error addContract();
  void addForms();
  void addForm(const oracles::FormType &type, const oracles::FormRow &row);
  void addExecution(const std::string &id, testcase::TestCase testCase, unsigned minor);
  llvm::Error addKernels();
  llvm::Error addCorpus();
  llvm::Error addRejects();
  void addRobust();
  void addFindings();
  void addObjects();
  std::vector<Requirement> frontendRows(unsigned minor) const;
  /// `kernel=NAME params=N bytes=M` of the first entry.
  std::string signatureOf(StringRef bytes);

  /// Whether rows that begin so may be asked for.
  bool wants(StringRef start) const {
    return added.empty() || llvm::any_of(added, [&](StringRef asked) {
             return asked.starts_with(start) || start.starts_with(asked);
           });
  }
  llvm::Error release(StringRef folder);
  llvm::Error releaseNext(StringRef folder);

  StringRef corpus;
  llvm::ArrayRef<std::string> added; ///< of ids; empty: all
  llvm::raw_ostream &log;
  mlir::MLIRContext context;
  Archive archive;
  std::vector<Entry> pool;
  std::vector<std::string> notInBytecode;            ///< labels
  std::map<std::string, std::string> opOfLabel;      ///< and part of the diagnostic
  std::map<unsigned, std::set<std::string>> reached; ///< rows of the table, by version
};

std::optional<std::string> Maker::write(mlir::ModuleOp module, unsigned minor) {
  auto inner = module.getOps<cuda_tile::ModuleOp>();
  if (inner.empty())
    return std::nullopt;
  std::string bytes;
  llvm::raw_string_ostream out(bytes);
  if (llvm::Error error =
          bytecode::writeBytecode(*inner.begin(), out, {13, static_cast<uint8_t>(minor), 0})) {
    llvm::consumeError(std::move(error));
    return std::nullopt;
  }
  // What an older version drops may leave what its reader refuses.
  auto again = bytecode::readBytecode(bytes, &context);
  if (!again) {
    llvm::consumeError(again.takeError());
    return std::nullopt;
  }
  return bytes;
}

std::optional<std::string> Maker::compileText(StringRef text, unsigned minor) {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  return module ? write(*module, minor) : std::nullopt;
}

llvm::Error Maker::addContract() {
  auto module =
      llvm::MemoryBuffer::getFile(corpus + "/frontends/ew_arith_f32/ew_arith_f32.v13.1.tileirbc");
  auto probe = compileText("cuda_tile.module @m {}", 1);
  if (!module || !probe)
    return llvm::createStringError("the module of the contract is not in '" + corpus + "'");
  std::string inputs =
      "bc " + archive.add((*module)->getBuffer()) + ", probe " + archive.add(*probe) + ": ";
  for (const ContractRow &row : contractRows()) {
    std::string source = inputs + row.str();
    std::string hash = sha256(source);
    add(row.since, ("cli/" + row.name).str(), row.rule, std::move(source), std::move(hash));
  }
  return llvm::Error::success();
}

/// Runs the case on the reference; where it leaves nothing open, its results are the expectation.
void Maker::addExecution(const std::string &id, testcase::TestCase testCase, unsigned minor) {
  reference::RunOptions options;
  options.domain = reference::Domain::Enclosure;
  auto result = reference::runCase(testCase, versionName(minor), context, options);
  if (!result || !result->outcome.completed()) {
    if (!result)
      llvm::consumeError(result.takeError());
    return;
  }
  for (auto [buffer, after] : llvm::zip(testCase.buffers, result->buffers)) {
    const auto &bounds = after.enclosure;
    bool isOpen =
        llvm::any_of(after.ignored, [](uint8_t flag) { return flag != 0; }) ||
        (bounds && (bounds->low != bounds->high ||
                    llvm::any_of(bounds->vacuous, [](uint8_t flag) { return flag != 0; })));
    if (isOpen)
      return;
    buffer.expect = after.bytes;
    buffer.compare.mode = testcase::Comparison::Mode::Exact;
  }
  addModule(minor, "execute/" + id, "class-exact", "case at " + versionName(minor),
            packCase(testCase));
}

void Maker::addForm(const oracles::FormType &type, const oracles::FormRow &row) {
  const oracles::FormRow *one[] = {&row};
  if (!row.isFor(type.name) || !row.resultFor(type))
    return;
  auto module = mlir::parseSourceString<mlir::ModuleOp>(oracles::formKernel(type, one), &context);
  if (!module)
    return;
  std::string name = row.name;
  std::replace(name.begin(), name.end(), ' ', '-');
  bool executed = false;
  for (unsigned minor = 1; minor <= kNewest; ++minor) {
    std::optional<std::string> bytes = write(*module, minor);
    if (!bytes)
      continue;
    std::string id = "form/" + name + "/" + type.name;
    addModule(minor, "accept/" + id + "/" + versionName(minor),
              "bytecode-13-" + std::to_string(minor), "OpForms.h", *bytes);
    if (std::exchange(executed, true))
      continue;
    testcase::TestCase testCase = oracles::formCase(type, one);
    testCase.launches.front().modules.push_back(
        {versionName(minor), "m.tileirbc", testcase::Bytes(bytes->begin(), bytes->end())});
    addExecution(id, std::move(testCase), minor);
  }
}

void Maker::addForms() {
  std::vector<oracles::FormRow> rows = oracles::formRows();
  for (const oracles::FormType &type : oracles::formTypes())
    for (const oracles::FormRow &row : rows)
      addForm(type, row);
}

llvm::Error Maker::addKernels() {
  for (unsigned minor = 1; minor <= kNewest; ++minor) {
    generators::ProgramGenerator generator;
    generators::Coverage coverage;
    std::set<std::string> &seen = reached[minor];
    unsigned taken = 0;
    for (uint64_t i = 0; i < kKernels; ++i) {
      generators::ChoiceStream stream = generators::streamOfCase(kSeed, i);
      std::string name = generators::nameOfCase(kSeed, i);
      generators::GeneratorOptions options;
      options.version = minor;
      auto testCase = generator.generate(stream, name, options);
      if (!testCase)
        return testCase.takeError();
      coverage.forget();
      if (llvm::Error error = coverage.add(*testCase))
        return error;
      bool isNew = false;
      for (const std::string &row : coverage.held())
        isNew |= seen.insert(row).second;
      if (!isNew)
        continue;
      ++taken;
      const testcase::ModuleFile &file = testCase->launches.front().modules.front();
      addModule(minor, "accept/kernel/" + name + "/" + file.version,
                "bytecode-13-" + std::to_string(minor),
                llvm::formatv("seed {0} case {1}", kSeed, i).str(), llvm::toStringRef(file.bytes));
    }
    log << llvm::formatv("13.{0}: {1} generated kernels hold {2} rows of the table\n", minor, taken,
                         seen.size());
  }
  return llvm::Error::success();
}

llvm::Error Maker::addCorpus() {
  std::error_code code;
  std::vector<std::string> folders;
  for (const char *part : {"frontends", "strategies"})
    for (llvm::sys::fs::directory_iterator it(corpus + "/" + part, code), end; it != end && !code;
         it.increment(code))
      folders.push_back(it->path());
  llvm::sort(folders);
  for (const std::string &folder : folders) {
    if (!llvm::sys::fs::exists(folder + "/case.json"))
      continue;
    auto testCase = testcase::loadTestCase(folder);
    if (!testCase)
      return testCase.takeError();
    std::string name = llvm::sys::path::filename(folder).str();
    for (const std::string &version : testCase->versions()) {
      unsigned minor = 0;
      StringRef(version).drop_front(3).getAsInteger(10, minor);
      const testcase::ModuleFile *file = testCase->launches.front().module(version);
      addModule(minor, "accept/corpus/" + name + "/" + version,
                "bytecode-13-" + std::to_string(minor), "corpus", llvm::toStringRef(file->bytes));
      bool stored = llvm::all_of(testCase->buffers, testcase::hasExpectation);
      if (!stored)
        continue;
      testcase::TestCase alone = *testCase;
      for (testcase::Launch &launch : alone.launches)
        llvm::erase_if(launch.modules, [&](auto &module) { return module.version != version; });
      addModule(minor, "execute/corpus/" + name + "/" + version, "class-exact",
                "case at " + version, packCase(alone));
    }
  }
  return llvm::Error::success();
}

llvm::Error Maker::addRejects() {
  // Kernels to break, so that every version has some; and without one, where the generator draws a
  // kernel that has the operation.
  std::map<unsigned, std::vector<testcase::Bytes>> bases;
  generators::ProgramGenerator programs;
  for (unsigned minor = 1; minor <= kNewest; ++minor)
    for (uint64_t i = 0; i < kRejectBases; ++i) {
      generators::ChoiceStream stream = generators::streamOfCase(kSeed + 1, i);
      generators::GeneratorOptions options;
      options.version = minor;
      options.maxStatements = 4;
      auto testCase = programs.generate(stream, "", options);
      if (!testCase)
        return testCase.takeError();
      bases[minor].push_back(testCase->launches.front().modules.front().bytes);
    }
  generators::InvalidGenerator generator;
  for (StringRef label : generators::invalidLabels()) {
    std::map<unsigned, unsigned> found;
    for (unsigned wanted = 0; wanted <= kNewest; ++wanted) // 0: whatever version is drawn
      for (uint64_t i = 0; i < kRejectTries; ++i) {
        if (wanted && found[wanted] >= (wanted == 1 ? kRejectsOldest : 1))
          break;
        uint64_t seed = kSeed * 1000 + i;
        generators::ChoiceStream stream = generators::ChoiceStream::fromSeed(seed);
        auto made = wanted ? generator.generate(stream, "", label, bases[wanted][i % kRejectBases])
                           : generator.generate(stream, "", label);
        if (!made)
          return made.takeError();
        bool otherProfile = llvm::any_of(made->features, [](StringRef feature) {
          return feature.starts_with("profile:") || feature.starts_with("option:");
        });
        if (!otherProfile && !made->expectReject->op.empty())
          opOfLabel.try_emplace(label.str(),
                                made->expectReject->op + ": " + made->expectReject->diagnostic);
        const testcase::ModuleFile &file = made->launches.front().modules.front();
        unsigned minor = 0;
        if (otherProfile || StringRef(file.file).ends_with(".mlir") ||
            StringRef(file.version).drop_front(3).getAsInteger(10, minor) || minor < 1 ||
            minor > kNewest || found[minor] >= (minor == 1 ? kRejectsOldest : 1))
          continue;
        addModule(minor, llvm::formatv("reject/{0}/13.{1}/{2}", label, minor, ++found[minor]).str(),
                  label,
                  llvm::formatv("invalid {0} seed {1} of kernel 13.{2}", label, seed, wanted).str(),
                  llvm::toStringRef(file.bytes));
      }
    if (llvm::all_of(found, [](const auto &entry) { return entry.second == 0; }))
      notInBytecode.push_back(label.str());
  }
  log << notInBytecode.size() << " rules that bytecode cannot break or that have another profile: "
      << llvm::join(notInBytecode, " ") << '\n';
  return llvm::Error::success();
}

/// Modules that are larger or odder than kernels are: whatever the answer, it is one.
void Maker::addRobust() {
  auto add = [&](StringRef name, unsigned minor, const std::string &text) {
    std::optional<std::string> bytes = compileText(text, minor);
    if (!bytes)
      log << "robust/" << name << " is not in bytecode of 13." << minor << '\n';
    else
      addModule(minor, ("robust/" + name).str(), "driver-exit-codes", "Generate.cpp", *bytes);
  };
  auto entry = [](const std::string &arguments, const std::string &body) {
    return "cuda_tile.module @m {\nentry @k(" + arguments + ") {\n" + body + "return\n}\n}\n";
  };
  auto lines = [](unsigned count, auto line) {
    std::string text;
    for (unsigned i = 0; i < count; ++i)
      text += line(std::to_string(i), std::to_string(i + 1));
    return text;
  };
  add("stride-beyond-the-address-space", 1,
      entry("%p: tile<ptr<i8>>",
            "%v = make_tensor_view %p, shape = [4, 4], strides = [144115188075855873, 1] : "
            "tensor_view<4x4xi8, strides=[144115188075855873,1]>\n"));
  add("entry-name-that-is-no-identifier", 1,
      "cuda_tile.module @m {\nentry @\"a b\"() {\nreturn\n}\n}\n");
  add("entry-name-of-4000-bytes", 1,
      "cuda_tile.module @m {\nentry @" + std::string(4000, 'k') + "() {\nreturn\n}\n}\n");
  add("adds-10000", 1,
      entry("%a0: tile<i32>", lines(10000, [](const std::string &i, const std::string &next) {
              return "%a" + next + " = addi %a" + i + ", %a" + i + " : tile<i32>\n";
            })));
  add("entries-3000", 1,
      "cuda_tile.module @m {\n" + lines(3000, [](const std::string &i, const std::string &) {
        return "entry @k" + i + "() {\nreturn\n}\n";
      }) + "}\n");
  add("parameters-30000", 1,
      entry(lines(30000,
                  [](const std::string &i, const std::string &) {
                    return (i == "0" ? "%a" : ", %a") + i + ": tile<i32>";
                  }),
            ""));
  add("constant-of-2^20-elements", 1,
      entry("",
            "%c = constant <i32: [" + lines(1 << 20, [](const std::string &i, const std::string &) {
              return (i == "0" ? "" : ", ") + i.substr(i.size() - 1);
            }) + "]> : tile<1048576xi32>\n"));
  add("tile-of-2^22-elements", 1,
      entry("%p: tile<ptr<i32>>",
            "%q = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>\n%b = broadcast %q : "
            "tile<1xptr<i32>> -> tile<4194304xptr<i32>>\n%i = iota : tile<4194304xi32>\n%o = "
            "offset %b, %i : tile<4194304xptr<i32>>, tile<4194304xi32> -> "
            "tile<4194304xptr<i32>>\n%t = store_ptr_tko weak %o, %i : tile<4194304xptr<i32>>, "
            "tile<4194304xi32> -> token\n"));
  for (const auto &[name, bytes] : hostileModules())
    addModule(1, "robust/" + name, "driver-exit-codes", "HostileModules.cpp", bytes);
  std::string open, close;
  for (unsigned i = 0; i < 200; ++i) {
    open += "if %c {\n";
    close += "}\n";
  }
  add("regions-nested-200-deep", 1, entry("%c: tile<i1>", open + close));
  // A file of 13.4 that says 13.5: what follows an entry there is missing.
  if (auto bytes = compileText(entry("%a: tile<i32>", ""), 4)) {
    (*bytes)[9] = 5;
    addModule(5, "robust/entry-without-argument-attributes", "bytecode-entry-hints", "Generate.cpp",
              *bytes);
  }
}

/// Modules of ours that other compilers do not take.
void Maker::addFindings() {
  std::error_code code;
  std::vector<std::string> paths;
  for (llvm::sys::fs::directory_iterator it(corpus + "/../oracles/external/findings", code), end;
       it != end && !code; it.increment(code))
    paths.push_back(it->path());
  llvm::sort(paths);
  for (const std::string &path : paths) {
    auto text = llvm::MemoryBuffer::getFile(path);
    for (unsigned minor = 1; text && minor <= kNewest; ++minor)
      if (auto bytes = compileText((*text)->getBuffer(), minor)) {
        addModule(
            minor,
            llvm::formatv("accept/finding/{0}/13.{1}", llvm::sys::path::stem(path), minor).str(),
            "bytecode-13-" + std::to_string(minor), "oracles/external/findings", *bytes);
        break;
      }
  }
}

std::string Maker::signatureOf(StringRef bytes) {
  auto module = llvm::cantFail(bytecode::readBytecode(bytes, &context));
  cuda_tile::EntryOp entry = *module->getBody().getOps<cuda_tile::EntryOp>().begin();
  unsigned count = 0;
  uint64_t end = 0;
  for (mlir::Type type : entry.getFunctionType().getInputs()) {
    mlir::Type element = llvm::cast<cuda_tile::TileType>(type).getElementType();
    uint64_t size = element.isIntOrFloat() ? std::max(1u, element.getIntOrFloatBitWidth() / 8) : 8;
    end = (end + size - 1) / size * size + size;
    ++count;
  }
  return llvm::formatv("kernel={0} params={1} bytes={2}", entry.getSymName(), count, end);
}

std::vector<Requirement> Maker::frontendRows(unsigned minor) const {
  std::vector<Requirement> rows;
  auto add = [&](std::string id, StringRef rule, std::string source) {
    std::string hash = sha256(id + "\n" + source);
    rows.push_back({std::move(id), rule.str(), std::move(source), std::move(hash)});
  };
  for (const FrontendCheck &check : frontendChecks())
    add(("check/" + check.name).str(), check.rule, check.question.str());
  for (const auto &[label, op] : opOfLabel)
    add("legal/" + label, label, op);
  std::set<std::string> wanted;
  for (unsigned older = 1; older <= minor; ++older)
    wanted.insert(reached.at(older).begin(), reached.at(older).end());
  generators::Coverage table;
  for (const std::string &row : table.wanted())
    if (wanted.count(row) &&
        (StringRef(row).starts_with("element ") || StringRef(row).starts_with("attribute ") ||
         StringRef(row).starts_with("op "))) {
      std::string id = "emit/" + row;
      std::replace(id.begin(), id.end(), ' ', '/');
      add(id, "bytecode-13-" + std::to_string(minor), row);
    }
  return rows;
}

/// Object rules, on kernels of every shape of signature.
void Maker::addObjects() {
  for (const char *name : {"ew_arith_f32", "scalar_types", "matmul_f32_exact", "reduce_sum_i32",
                           "softmax_f32", "permute_3d_i32"}) {
    auto file = llvm::MemoryBuffer::getFile(
        llvm::formatv("{0}/frontends/{1}/{1}.v13.1.tileirbc", corpus, name).str());
    if (!file)
      continue;
    for (const ObjectCheck &check : objectChecks())
      addModule(check.since, llvm::formatv("object/{0}/{1}", check.name, name).str(), check.rule,
                "corpus: " + signatureOf((*file)->getBuffer()), (*file)->getBuffer());
  }
}

std::string describe(const RequirementList &list) {
  std::map<std::string, unsigned> kinds;
  for (const Requirement &row : list.rows)
    ++kinds[row.kind().str()];
  std::string text = llvm::formatv("{0}, edition {1}: {2} requirements", list.name(), list.edition,
                                   list.rows.size());
  for (const auto &[kind, count] : kinds)
    text += llvm::formatv(", {0} {1}", count, kind);
  return text;
}

/// The first edition of all lists.
llvm::Error Maker::release(StringRef folder) {
  for (unsigned minor = 1; minor <= kNewest; ++minor) {
    RequirementList compiler{"compiler", versionName(minor), 1, {}};
    for (const Entry &entry : pool)
      if (entry.since <= minor)
        compiler.rows.push_back(entry.requirement);
    sortRows(compiler.rows);
    RequirementList frontend{"frontend", versionName(minor), 1, frontendRows(minor)};
    std::string below = (folder + "/" + versionName(minor)).str();
    if (std::error_code code = llvm::sys::fs::create_directories(below))
      return llvm::createStringError("cannot make '" + below + "': " + code.message());
    for (const RequirementList &list : {compiler, frontend}) {
      std::string path = below + "/" + list.side + ".txt", text = printList(list);
      auto old = llvm::MemoryBuffer::getFile(path);
      if (old && (*old)->getBuffer() != text)
        return llvm::createStringError("the list '" + path + "' was released and would change: " +
                                       "write the lists to a new folder, or add rows by --add");
      if (llvm::Error error = writeFileAtomically(path, text))
        return error;
      log << describe(list) << '\n';
    }
  }
  return archive.save((folder + "/modules.zst").str());
}

/// The next edition of the compiler lists.
llvm::Error Maker::releaseNext(StringRef folder) {
  std::string modules = (folder + "/modules.zst").str();
  auto stored = Archive::load(modules);
  if (!stored)
    return stored.takeError();
  std::vector<std::pair<std::string, std::string>> files;
  for (unsigned minor = 1; minor <= kNewest; ++minor) {
    auto editions = loadEditions(folder, "compiler", versionName(minor));
    if (!editions)
      return editions.takeError();
    std::set<StringRef> known;
    for (const Requirement &row : editions->back().rows)
      known.insert(row.id);
    RequirementList more{"compiler", versionName(minor), editions->back().edition + 1, {}};
    for (const Entry &entry : pool) {
      const Requirement &row = entry.requirement;
      bool asked = llvm::any_of(
          added, [&](StringRef start) { return StringRef(row.id).starts_with(start); });
      if (!asked || entry.since > minor || known.count(row.id))
        continue;
      more.rows.push_back(row);
      if (const std::string *bytes = archive.find(row.sha256))
        stored->add(*bytes);
    }
    if (more.rows.empty()) {
      log << more.name() << ": nothing to add\n";
      continue;
    }
    sortRows(more.rows);
    files.emplace_back(
        llvm::formatv("{0}/{1}/compiler-{2}.txt", folder, more.version, more.edition).str(),
        printList(more));
    log << describe(more) << " more\n";
  }
  // The modules first: a list without its modules would be broken.
  if (llvm::Error error = stored->save(modules))
    return error;
  for (const auto &[path, text] : files)
    if (llvm::Error error = writeFileAtomically(path, text))
      return error;
  return llvm::Error::success();
}

llvm::Error Maker::run(StringRef folder) {
  if (wants("cli/"))
    if (llvm::Error error = addContract())
      return error;
  if (wants("accept/form/") || wants("execute/form/"))
    addForms();
  if (wants("accept/kernel/"))
    if (llvm::Error error = addKernels())
      return error;
  if (wants("accept/corpus/") || wants("execute/corpus/"))
    if (llvm::Error error = addCorpus())
      return error;
  if (wants("reject/"))
    if (llvm::Error error = addRejects())
      return error;
  if (wants("robust/"))
    addRobust();
  if (wants("accept/finding/"))
    addFindings();
  if (wants("object/"))
    addObjects();
  return added.empty() ? release(folder) : releaseNext(folder);
}

} // namespace

llvm::Error tilesmith::fuzz::conform::generateLists(StringRef corpus, StringRef folder,
                                                    llvm::ArrayRef<std::string> added,
                                                    llvm::raw_ostream &log) {
  return Maker(corpus, added, log).run(folder);
}
