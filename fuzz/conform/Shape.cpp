//===- Shape.cpp - which fields a package has, and of what type -------------------------------===//
//
// One table per object that a package holds. A path names a field from the top of the object: `a.b`
// in an object, `a[]` in an array, `a.*` under any name. What is in no table is refused, so that
// nobody smuggles something into a package, and a verdict never meets a value of another type.
//
//===------------------------------------------------------------------------------------------===//
#include "fuzz/conform/Package.h"
#include "reference/interp/Interpreter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilesmith;
using namespace tilesmith::fuzz::conform;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

enum class Type { Text, Number, Hash, Hex };
constexpr StringRef kTypeNames[] = {"a text", "a number that is not negative", "a SHA-256",
                                    "hexadecimal digits"};
struct Field {
  StringRef path;
  Type type = Type::Text;
  bool required = false;
};

constexpr Field kStatement[] = {
    {"who", Type::Text, true},
    {"what", Type::Text, true},
    {"side", Type::Text, true},
    {"version", Type::Text, true},
    {"profile", Type::Text, true},
    {"list_sha256", Type::Hash, true},
    {"raw_bytes", Type::Number, true},
    {"tilesmith"},
    {"date"},
    {"machine.system"},
    {"machine.architecture"},
    {"machine.cores", Type::Number},
    {"counts.*", Type::Number},
    {"tool.name"},
    {"tool.version"},
    {"tool.sha256", Type::Hash},
    {"tool.ptxas_sha256", Type::Hash},
    {"options.seconds", Type::Number},
    {"options.runner"},
    {"options.gpu"},
    {"inputs.modules", Type::Number},
    {"inputs.sha256", Type::Hash},
};
constexpr Field kCompilerRaw[] = {
    {"id", Type::Text, true},
    {"exit", Type::Number},
    {"ended"},
    {"out"},
    {"err"},
    {"temporaries", Type::Number},
    {"file.size", Type::Number},
    {"file.head", Type::Hex},
    {"file.sha256", Type::Hash},
    {"elf.machine", Type::Number},
    {"elf.type", Type::Number},
    {"elf.flags", Type::Number},
    {"elf.sections[]"},
    {"elf.kernels[]"},
    {"elf.info.*", Type::Hex},
    {"execution.ended"},
    {"execution.buffers[].sha256", Type::Hash},
    {"execution.buffers[].bytes"},
};
constexpr Field kFrontendRaw[] = {
    {"id", Type::Text, true},
    {"sha256", Type::Hash},
    {"version"},
    {"refused"},
    {"rule"},
    {"ops"},
    {"rows", Type::Hex},
    {"older[].version"},
    {"older[].no"},
    {"older[].difference"},
    {"round_trip"},
    {"identity"},
    {"literal"},
    {"location"},
    {"hints"},
    {"ran"},
    {"expects"},
    {"label"},
    {"why"},
    {"assumption"},
    {"results"},
    {"ended"}, ///< of the harness
};

bool hasType(const json::Value &value, Type type) {
  if (type == Type::Number) {
    std::optional<int64_t> number = value.getAsInteger();
    return number && *number >= 0;
  }
  std::optional<StringRef> text = value.getAsString();
  if (!text || type == Type::Text)
    return text.has_value();
  auto isDigit = [](char c) { return llvm::isDigit(c) || (c >= 'a' && c <= 'f'); };
  return llvm::all_of(*text, isDigit) && (type == Type::Hex || text->size() == 64);
}

/// Walks an object and its table; `shown` is the path for people, `path` that of the table.
class Shape {
public:
  explicit Shape(llvm::ArrayRef<Field> fields) : fields(fields) {}

  std::string check(const json::Object &object) {
    if (std::string wrong = walk(object, "", ""); !wrong.empty())
      return wrong;
    for (const Field &field : fields)
      if (field.required && !object.get(field.path))
        return ("there is no '" + field.path + "'").str();
    return "";
  }

private:
  /// Whether fields of the table begin so.
  bool leadsOn(const std::string &start) const {
    return llvm::any_of(fields, [&](const Field &f) { return f.path.starts_with(start); });
  }
  std::string walk(const json::Object &object, const std::string &path, const std::string &shown) {
    bool anyName = leadsOn(path + "*");
    for (const auto &[key, value] : object) {
      std::string name = key.str();
      if (std::string wrong = leaf(value, path + (anyName ? "*" : name), shown + name);
          !wrong.empty())
        return wrong;
    }
    return "";
  }
  std::string leaf(const json::Value &value, const std::string &path, const std::string &shown) {
    if (const json::Object *object = value.getAsObject(); object && leadsOn(path + "."))
      return walk(*object, path + ".", shown + ".");
    if (const json::Array *array = value.getAsArray(); array && leadsOn(path + "[]")) {
      for (auto [index, element] : llvm::enumerate(*array))
        if (std::string wrong =
                leaf(element, path + "[]", llvm::formatv("{0}[{1}]", shown, index).str());
            !wrong.empty())
          return wrong;
      return "";
    }
    const Field *field = llvm::find_if(fields, [&](const Field &f) { return f.path == path; });
    if (field != fields.end())
      return hasType(value, field->type)
                 ? ""
                 : llvm::formatv("expected that '{0}' is {1}", shown,
                                 kTypeNames[static_cast<size_t>(field->type)])
                       .str();
    if (leadsOn(path + ".") || leadsOn(path + "[]"))
      return llvm::formatv("expected that '{0}' is {1}", shown,
                           leadsOn(path + ".") ? "an object" : "an array")
          .str();
    return "no package has the field '" + shown + "'";
  }

  llvm::ArrayRef<Field> fields;
};

std::string wrongCompilerRaw(const json::Object &raw) {
  if ((raw.get("exit") != nullptr) == (raw.get("ended") != nullptr))
    return "expected either 'exit' or 'ended'";
  if (raw.getInteger("exit").value_or(0) > 255)
    return "expected an exit code up to 255";
  for (const char *name : {"file", "elf", "execution"})
    if (const json::Object *object = raw.getObject(name); object && object->empty())
      return llvm::formatv("'{0}' says nothing", name).str();
  return "";
}

std::string wrongFrontendRaw(const json::Object &raw, const RequirementList &list) {
  if (!raw.get("sha256") && !raw.get("ended"))
    return "there is no 'sha256'";
  if (const std::optional<StringRef> rows = raw.getString("rows")) {
    auto emitted = llvm::count_if(list.rows, [](auto &row) { return row.kind() == "emit"; });
    if (rows->size() != static_cast<size_t>(emitted + 3) / 4)
      return llvm::formatv("expected that 'rows' has {0} bits", emitted).str();
  }
  const std::optional<StringRef> ran = raw.getString("ran");
  using Kind = reference::Outcome::Kind;
  if (ran && !ran->starts_with("no: ") &&
      llvm::none_of(std::initializer_list<Kind>{Kind::Completed, Kind::Trapped, Kind::Undefined,
                                                Kind::Inconclusive, Kind::Unsupported,
                                                Kind::BadLaunch},
                    [&](Kind kind) { return reference::spelling(kind) == *ran; }))
    return ("no run ends as '" + *ran + "'").str();
  return "";
}

} // namespace

std::string tilesmith::fuzz::conform::wrongStatement(const json::Object &statement) {
  if (std::string wrong = Shape(kStatement).check(statement); !wrong.empty())
    return wrong;
  for (const char *key : {"who", "what", "side", "version", "profile"})
    if (StringRef text = *statement.getString(key); text.empty())
      return llvm::formatv("there is no '{0}'", key).str();
    else if (!llvm::all_of(text, [](char c) { return llvm::isPrint(c) || (c & 0x80); }))
      return llvm::formatv("'{0}' has characters that cannot be printed", key).str();
  bool isCompiler = statement.getString("side") == "compiler";
  const json::Object *tool = statement.getObject("tool"), *options = statement.getObject("options"),
                     *inputs = statement.getObject("inputs");
  if (isCompiler ? inputs != nullptr : tool || options)
    return llvm::formatv("a {0} has no '{1}'", isCompiler ? "compiler" : "frontend",
                         isCompiler ? "inputs"
                         : tool     ? "tool"
                                    : "options")
        .str();
  if (isCompiler && (!tool || !tool->get("sha256")))
    return "there is no 'tool.sha256'";
  if (isCompiler && (!options || !options->get("seconds") ||
                     *options->getInteger("seconds") > kMostSeconds || !options->get("runner")))
    return llvm::formatv("expected 'options.runner', and 'options.seconds' up to {0}", kMostSeconds)
        .str();
  if (!isCompiler && (!inputs || !inputs->get("modules") || !inputs->get("sha256")))
    return "there is no 'inputs.modules' or 'inputs.sha256'";
  return "";
}

std::string tilesmith::fuzz::conform::wrongOutput(const json::Object &raw,
                                                  const RequirementList &list) {
  bool isCompiler = list.side == "compiler";
  auto fields = isCompiler ? llvm::ArrayRef(kCompilerRaw) : llvm::ArrayRef(kFrontendRaw);
  if (std::string wrong = Shape(fields).check(raw); !wrong.empty())
    return wrong;
  return isCompiler ? wrongCompilerRaw(raw) : wrongFrontendRaw(raw, list);
}
