//===- OpFormKernels.cpp - a kernel per form of an op and element type ------------------------===//
#include "oracles/differential/OpFormKernels.h"

#include "oracles/differential/OpForms.h"
#include "reference/value/Float.h"

#include "llvm/ADT/STLExtras.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

using testcase::DataType;
using E = reference::ElementType;
const FormType kTypes[] = {
    {"i1", DataType::Bool, E::I1, "true"},
    {"i8", DataType::I8, E::I8, "1"},
    {"i16", DataType::I16, E::I16, "1"},
    {"i32", DataType::I32, E::I32, "1"},
    {"i64", DataType::I64, E::I64, "1"},
    {"f16", DataType::F16, E::F16, "1.0"},
    {"bf16", DataType::BF16, E::BF16, "1.0"},
    {"tf32", DataType::TF32, E::TF32, "1.0"},
    {"f32", DataType::F32, E::F32, "1.0"},
    {"f64", DataType::F64, E::F64, "1.0"},
    {"f8E4M3FN", DataType::F8E4M3FN, E::F8E4M3FN, "1.0"},
    {"f8E5M2", DataType::F8E5M2, E::F8E5M2, "1.0"},
    {"f8E8M0FNU", DataType::F8E8M0FNU, E::F8E8M0FNU, "1.0"},
    {"f4E2M1FN", DataType::I8, std::nullopt, "1.0"},
    {"i4", DataType::I8, std::nullopt, "1"},
};

std::string replaceAll(std::string text, const std::string &from, const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

unsigned bitsOf(const FormType &type) {
  llvm::StringRef name = type.name;
  return name.starts_with("f4") || name == "i4" ? 4
         : type.element                         ? reference::widthOf(*type.element)
                                                : 8;
}

const FormType *findType(llvm::StringRef name) {
  for (const FormType &type : kTypes)
    if (name == type.name)
      return &type;
  return nullptr;
}

std::string tileOf(unsigned count, const std::string &element) {
  return count == 1 ? "tile<" + element + ">"
                    : "tile<" + std::to_string(count) + "x" + element + ">";
}

bool isPacked(llvm::StringRef element) {
  return element == "i4" || element == "f4E2M1FN";
}

/// Defines %x, %y, %s, %p and %tj.
const char *kStart = R"(%in1 = reshape %in : tile<ptr<$T>> -> tile<1xptr<$T>>
%inb = broadcast %in1 : tile<1xptr<$T>> -> tile<256xptr<$T>>
%p = offset %inb, %k : tile<256xptr<$T>>, tile<256xi32> -> tile<256xptr<$T>>
%c256 = constant <i32: 256> : tile<256xi32>
%p2 = offset %p, %c256 : tile<256xptr<$T>>, tile<256xi32> -> tile<256xptr<$T>>
%x, %tx = load_ptr_tko weak %p token=%t : tile<256xptr<$T>> -> tile<256x$T>, token
%y, %ty = load_ptr_tko weak %p2 token=%t : tile<256xptr<$T>> -> tile<256x$T>, token
%s, %ts = load_ptr_tko weak %in token=%t : tile<ptr<$T>> -> tile<$T>, token
%tj = join_tokens %tx, %ty, %ts : token
%x16 = reshape %x : tile<256x$T> -> tile<16x16x$T>
%y16 = reshape %y : tile<256x$T> -> tile<16x16x$T>
)";
/// The same from bytes.
const char *kPackedStart = R"(%in1 = reshape %in : tile<ptr<i8>> -> tile<1xptr<i8>>
%inb = broadcast %in1 : tile<1xptr<i8>> -> tile<128xptr<i8>>
%k1 = iota : tile<128xi32>
%p1 = offset %inb, %k1 : tile<128xptr<i8>>, tile<128xi32> -> tile<128xptr<i8>>
%c128 = constant <i32: 128> : tile<128xi32>
%p2 = offset %p1, %c128 : tile<128xptr<i8>>, tile<128xi32> -> tile<128xptr<i8>>
%xb, %tx = load_ptr_tko weak %p1 token=%t : tile<128xptr<i8>> -> tile<128xi8>, token
%yb, %ty = load_ptr_tko weak %p2 token=%t : tile<128xptr<i8>> -> tile<128xi8>, token
%tj = join_tokens %tx, %ty : token
%x = unpack %xb : tile<128xi8> -> tile<256x$T>
%y = unpack %yb : tile<128xi8> -> tile<256x$T>
%x16 = reshape %x : tile<256x$T> -> tile<16x16x$T>
%y16 = reshape %y : tile<256x$T> -> tile<16x16x$T>
)";
const char *kPackedScalar = R"(%s1 = extract %x[%c0] : tile<256x$T> -> tile<1x$T>
%s = reshape %s1 : tile<1x$T> -> tile<$T>
)";

/// Small numbers, positive and without 0, so that every op is defined on them.
void append(testcase::Bytes &bytes, const FormType &type, unsigned i) {
  unsigned number = 1 + i * 7 % 5;
  uint64_t bits = number;
  if (!type.element)
    bits = 0x22;
  else if (*type.element == E::I1)
    bits = number & 1;
  else if (reference::isFloat(*type.element))
    bits = reference::encode(*type.element, *type.element == E::F8E8M0FNU
                                                ? static_cast<double>(1u << number)
                                                : 0.5 * number);
  unsigned size = type.element ? reference::bytesOf(*type.element) : 1;
  for (unsigned k = 0; k < size; ++k)
    bytes.push_back(static_cast<uint8_t>(bits >> (8 * k)));
}

} // namespace

llvm::ArrayRef<FormType> tilesmith::oracles::formTypes() {
  return kTypes;
}

bool FormRow::isFor(llvm::StringRef type) const {
  llvm::SmallVector<llvm::StringRef> list;
  llvm::StringRef(types).split(list, ' ');
  return llvm::is_contained(list, type);
}

const FormType *FormRow::resultFor(const FormType &type) const {
  return findType(replaceAll(result, "$T", type.name));
}

std::vector<FormRow> tilesmith::oracles::formRows() {
  std::vector<FormRow> rows;
  for (const OpForm &form : kOpForms)
    rows.push_back({form.name, form.types, replaceAll(form.body, "$V", "tile<256x$T>"), form.result,
                    form.count});
  return rows;
}

std::string tilesmith::oracles::formKernel(const FormType &type,
                                           llvm::ArrayRef<const FormRow *> rows) {
  std::string arguments, body, t = type.name;
  for (auto [i, row] : llvm::enumerate(rows)) {
    std::string n = std::to_string(i), out = replaceAll(row->result, "$T", t);
    arguments += (i ? ", %in" : "%in") + n + ": tile<ptr<" + (isPacked(t) ? "i8" : t) + ">>, %out" +
                 n + ": tile<ptr<" + (isPacked(out) ? "i8" : out) + ">>";
    std::string text =
        R"(%c0 = constant <i32: 0> : tile<i32>
%c1 = constant <i32: 1> : tile<i32>
%k = iota : tile<256xi32>
%half = constant <i32: 99> : tile<256xi32>
%b = cmpi less_than %k, %half, signed : tile<256xi32> -> tile<256xi1>
%t = make_token : token
)" + std::string(isPacked(t) ? kPackedStart : kStart) +
        replaceAll(replaceAll(row->body, "token=%t ", "token=%tj "), "token = %t ", "token = %tj ");
    if (isPacked(t)) {
      std::string cast = "%inT = ptr_to_ptr %in : tile<ptr<i8>> -> tile<ptr<$T>>\n";
      if (llvm::StringRef(row->body).contains("make_tensor_view"))
        text = replaceAll(text, "%v = make_tensor_view %in,", cast + "%v = make_tensor_view %inT,");
      if (llvm::StringRef(row->body).contains("%s "))
        text = replaceAll(text, row->body, kPackedScalar + row->body);
    }
    // Half bytes are neither loaded nor stored: their tiles are packed.
    std::string result = "%res";
    unsigned count = row->count;
    if (isPacked(out)) {
      text += "\n%packed = pack %res : " + tileOf(count, out) + " -> " + tileOf(count / 2, "i8");
      result = "%packed";
      count /= 2;
      out = "i8";
    }
    // i1 is {0, -1} when signed: only 0 / -1 is defined, and 0 and 1 / 1 when unsigned.
    if (t == "i1" && llvm::StringRef(row->name).contains(" ") &&
        (llvm::StringRef(row->name).starts_with("divi") ||
         llvm::StringRef(row->name).starts_with("remi"))) {
      text = replaceAll(text, "%res = ",
                        "%ones = constant <i1: true> : tile<256xi1>\n%zeros = "
                        "constant <i1: false> : tile<256xi1>\n%res = ");
      text = replaceAll(text, "i %x, %y signed", "i %zeros, %ones signed");
      text = replaceAll(text, "i %x, %y unsigned", "i %x, %ones unsigned");
    }
    std::string shaped = tileOf(count, out), pointers = tileOf(count, "ptr<" + out + ">");
    text += "\n";
    if (count == 1) {
      text += "%te = store_ptr_tko weak %out, " + result + " : tile<ptr<" + out + ">>, " + shaped +
              " -> token\n";
    } else {
      std::string c = std::to_string(count);
      text += "%out1 = reshape %out : tile<ptr<" + out + ">> -> tile<1xptr<" + out +
              ">>\n%outb = broadcast %out1 : tile<1xptr<" + out + ">> -> " + pointers +
              "\n%oi = iota : tile<" + c + "xi32>\n%op = offset %outb, %oi : " + pointers +
              ", tile<" + c + "xi32> -> " + pointers + "\n%te = store_ptr_tko weak %op, " + result +
              " : " + pointers + ", " + shaped + " -> token\n";
    }
    text = replaceAll(replaceAll(text, "$T", t), "$1", type.one);
    text = replaceAll(text, "$B", std::to_string(256 * bitsOf(type) / 8));
    // Names of this row.
    std::string renamed;
    for (char c : text)
      renamed += c == '%' ? "%\x01" : std::string(1, c);
    body += replaceAll(renamed, "\x01", "r" + n + "_");
    for (const char *name : {"in", "out"}) {
      body = replaceAll(body, "%r" + n + "_" + name + " ", std::string("%") + name + n + " ");
      body = replaceAll(body, "%r" + n + "_" + name + ",", std::string("%") + name + n + ",");
    }
    body = replaceAll(body, "\"%r" + n + "_d %r" + n + "_d\\n\"", "\"%d %d\\n\"");
  }
  std::string table = "global @table alignment = 16 <" + t + ": [" + type.one + ", " + type.one +
                      ", " + type.one + ", " + type.one + "]> : tile<4x" + t + ">\n";
  return "cuda_tile.module @m {\n" + (body.find("@table") == std::string::npos ? "" : table) +
         "entry @kernel(" + arguments + ") {\n" + body + "return\n}\n}\n";
}

testcase::TestCase tilesmith::oracles::formCase(const FormType &type,
                                                llvm::ArrayRef<const FormRow *> rows) {
  testcase::TestCase result;
  result.name = type.name;
  testcase::Launch &launch = result.launches.emplace_back();
  launch.kernel = "kernel";
  for (const FormRow *row : rows) {
    const FormType *out = row->resultFor(type);
    for (const FormType *t : {&type, out}) {
      testcase::Buffer &buffer = result.buffers.emplace_back();
      buffer.dtype = t->data;
      buffer.shape = {512};
      buffer.strides = {1};
      buffer.compare.mode = testcase::Comparison::Mode::Enclosure; // no stored expectation
      for (unsigned i = 0; i < 512; ++i)
        append(buffer.data, *t, i);
      launch.params.push_back(testcase::Parameter::pointer(result.buffers.size() - 1, t->data));
    }
  }
  for (const FormRow *row : rows)
    if (llvm::StringRef(row->body).contains("print_tko"))
      result.standardOutput = "16 2\n";
  return result;
}
