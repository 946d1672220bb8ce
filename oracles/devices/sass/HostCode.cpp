//===- HostCode.cpp - the host code of a cubin, interpreted -----------------------------------===//
//
// A Tile IR cubin carries an x86-64 object with one leaf function per kernel that fills the tensor
// maps behind the arguments. The file is not trusted: the function is interpreted, in a subset that
// covers what compilers emit for it (moves, integer arithmetic, shifts, compares, branches). It
// sees the parameter buffer and a stack of its own; any other access, an unknown instruction or too
// many steps end it with a reason. The fourth argument (rcx) is the parameter buffer, the second one (rsi) a
// record whose word at 8 is the address of a workspace: kernels that make tensor maps themselves get it as a
// last parameter, and warp w of multiprocessor s of n keeps its map m at 0x80 w + 0x2000 (s + n m).
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/sass/Machine.h"

#include "llvm/Support/FormatVariadic.h"

#include <cstring>

using namespace tilesmith::sass;

namespace {

class HostCode {
public:
  HostCode(llvm::ArrayRef<uint8_t> code, llvm::MutableArrayRef<uint8_t> parameters,
           llvm::function_ref<uint64_t()> makeWorkspace)
      : code(code), parameters(parameters), makeWorkspace(makeWorkspace), stack(4096) {}

  std::string run(uint64_t entry) {
    ip = entry;
    r[1] = kParameters; // rcx
    r[6] = kRecord;     // rsi
    r[4] = kStack + stack.size();
    push(kReturn);
    for (unsigned steps = 0; why.empty() && ip != kReturn; ++steps) {
      if (steps > 100'000)
        return "host code of the cubin: more than 100000 steps";
      start = ip;
      step();
    }
    return why;
  }

private:
  static constexpr uint64_t kParameters = 0x100000, kStack = 0x200000, kRecord = 0x300000,
                            kReturn = ~uint64_t{0};
  enum Flag { Carry = 1, Zero = 2, Sign = 4, Overflow = 8, Parity = 16 };

  void refuse(const llvm::Twine &what) {
    if (why.empty())
      why = llvm::formatv("unsupported: host code of the cubin: {0} at {1:x}", what.str(), start);
  }

  uint64_t fetch(unsigned bytes) {
    uint64_t value = 0;
    if (ip > code.size() || code.size() - ip < bytes) {
      refuse("ran over the end");
      return 0;
    }
    std::memcpy(&value, &code[ip], bytes);
    ip += bytes;
    return value;
  }
  int64_t fetchSigned(unsigned bytes) {
    const unsigned shift = 64 - 8 * bytes;
    return static_cast<int64_t>(fetch(bytes) << shift) >> shift;
  }

  uint8_t *memory(uint64_t address, unsigned bytes) {
    auto inside = [&](uint64_t base, uint64_t size) {
      return address >= base && address - base <= size && size - (address - base) >= bytes;
    };
    if (inside(kParameters, parameters.size()))
      return &parameters[address - kParameters];
    if (inside(kStack, stack.size()))
      return &stack[address - kStack];
    refuse(llvm::formatv("access of {0} bytes at {1:x}", bytes, address).str());
    return nullptr;
  }

  /// The operand of a ModRM byte: a register or an address.
  struct Place {
    bool isRegister = false;
    unsigned index = 0;
    uint64_t address = 0;
  };

  uint64_t readRegister(unsigned index, unsigned bytes) const {
    if (bytes == 1 && !rex && index >= 4 && index < 8)
      return r[index - 4] >> 8 & 0xff;
    return bytes == 8 ? r[index] : r[index] & ((uint64_t{1} << (8 * bytes)) - 1);
  }
  void writeRegister(unsigned index, unsigned bytes, uint64_t value) {
    if (bytes == 8)
      r[index] = value;
    else if (bytes == 4) // clears the upper half
      r[index] = static_cast<uint32_t>(value);
    else if (bytes == 1 && !rex && index >= 4 && index < 8)
      r[index - 4] = (r[index - 4] & ~uint64_t{0xff00}) | (value & 0xff) << 8;
    else {
      const uint64_t mask = (uint64_t{1} << (8 * bytes)) - 1;
      r[index] = (r[index] & ~mask) | (value & mask);
    }
  }
  uint64_t read(const Place &place, unsigned bytes) {
    if (place.isRegister)
      return readRegister(place.index, bytes);
    uint64_t value = 0;
    if (place.address == kRecord + 8 && bytes == 8 && makeWorkspace)
      return makeWorkspace();
    if (const uint8_t *at = memory(place.address, bytes))
      std::memcpy(&value, at, bytes);
    return value;
  }
  void write(const Place &place, unsigned bytes, uint64_t value) {
    if (place.isRegister)
      return writeRegister(place.index, bytes, value);
    if (uint8_t *at = memory(place.address, bytes))
      std::memcpy(at, &value, bytes);
  }
  void push(uint64_t value) {
    r[4] -= 8;
    write({false, 0, r[4]}, 8, value);
  }
  uint64_t pop() {
    const uint64_t value = read({false, 0, r[4]}, 8);
    r[4] += 8;
    return value;
  }

  Place modrm(unsigned &reg) {
    const auto byte = static_cast<unsigned>(fetch(1));
    const unsigned mode = byte >> 6, low = byte & 7;
    reg = (byte >> 3 & 7) | (rex & 4 ? 8 : 0);
    if (mode == 3)
      return {true, low | (rex & 1 ? 8u : 0u), 0};
    Place place;
    bool base = true;
    unsigned index = low | (rex & 1 ? 8 : 0);
    if (low == 4) {
      const auto sib = static_cast<unsigned>(fetch(1));
      const unsigned scaled = (sib >> 3 & 7) | (rex & 2 ? 8 : 0);
      index = (sib & 7) | (rex & 1 ? 8 : 0);
      if (scaled != 4)
        place.address += r[scaled] << (sib >> 6);
      base = (sib & 7) != 5 || mode != 0;
    } else if (low == 5 && mode == 0) {
      refuse("address relative to the instruction");
    }
    if (base)
      place.address += r[index];
    if (mode == 1)
      place.address += static_cast<uint64_t>(fetchSigned(1));
    else if (mode == 2 || !base)
      place.address += static_cast<uint64_t>(fetchSigned(4));
    return place;
  }

  void setResult(uint64_t value, unsigned bytes, bool carry, bool overflow) {
    const unsigned bits = 8 * bytes;
    if (bytes < 8)
      value &= (uint64_t{1} << bits) - 1;
    flags = (carry ? Carry : 0) | (value == 0 ? Zero : 0) | (value >> (bits - 1) & 1 ? Sign : 0) |
            (overflow ? Overflow : 0) |
            (__builtin_popcount(static_cast<unsigned>(value & 0xff)) % 2 ? 0 : Parity);
  }

  /// add or adc sbb and sub xor cmp, by number.
  uint64_t arithmetic(unsigned operation, uint64_t a, uint64_t b, unsigned bytes) {
    const unsigned bits = 8 * bytes;
    const uint64_t mask = bytes == 8 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
    a &= mask, b &= mask;
    auto top = [&](uint64_t v) { return v >> (bits - 1) & 1; };
    uint64_t value = 0;
    switch (operation) {
    case 0:
      value = (a + b) & mask;
      setResult(value, bytes, value < a, top(~(a ^ b) & (a ^ value)));
      return value;
    case 1:
      value = a | b;
      break;
    case 2: {
      const uint64_t before = flags & Carry ? 1 : 0;
      value = (a + b + before) & mask;
      setResult(value, bytes, value < a || (before && value == a), top(~(a ^ b) & (a ^ value)));
      return value;
    }
    case 3: {
      const uint64_t before = flags & Carry ? 1 : 0;
      value = (a - b - before) & mask;
      setResult(value, bytes, a < b || (before && a == b), top((a ^ b) & (a ^ value)));
      return value;
    }
    case 4:
      value = a & b;
      break;
    case 5:
    case 7:
      value = (a - b) & mask;
      setResult(value, bytes, a < b, top((a ^ b) & (a ^ value)));
      return value;
    case 6:
      value = a ^ b;
      break;
    default:
      llvm_unreachable("eight operations");
    }
    setResult(value, bytes, false, false);
    return value;
  }

  bool condition(unsigned code) const {
    const bool less = bool(flags & Sign) != bool(flags & Overflow);
    bool result = false;
    switch (code >> 1) {
    case 0:
      result = flags & Overflow;
      break;
    case 1:
      result = flags & Carry;
      break;
    case 2:
      result = flags & Zero;
      break;
    case 3:
      result = flags & (Carry | Zero);
      break;
    case 4:
      result = flags & Sign;
      break;
    case 5:
      result = flags & Parity;
      break;
    case 6:
      result = less;
      break;
    default:
      result = less || flags & Zero;
    }
    return result != bool(code & 1);
  }

  void shift(const Place &place, unsigned operation, unsigned amount, unsigned bytes) {
    amount &= bytes == 8 ? 63 : 31;
    if (!amount)
      return;
    const uint64_t value = read(place, bytes);
    const unsigned bits = 8 * bytes;
    uint64_t result = 0;
    if (operation == 4)
      result = value << amount;
    else if (operation == 5)
      result = value >> amount;
    else if (operation == 7)
      result = static_cast<uint64_t>(static_cast<int64_t>(value << (64 - bits)) >> (64 - bits) >>
                                     amount);
    else
      return refuse("rotation");
    setResult(result, bytes, false, false);
    write(place, bytes, result);
  }

  void divide(const Place &place, bool isSigned, unsigned bytes) {
    if (bytes < 4)
      return refuse("division of bytes");
    const uint64_t by = read(place, bytes);
    const unsigned bits = 8 * bytes;
    if (!by)
      return refuse("division by zero");
    const unsigned __int128 dividend =
        static_cast<unsigned __int128>(readRegister(2, bytes)) << bits | readRegister(0, bytes);
    if (!isSigned) {
      writeRegister(0, bytes, static_cast<uint64_t>(dividend / by));
      writeRegister(2, bytes, static_cast<uint64_t>(dividend % by));
      return;
    }
    const unsigned drop = 128 - 2 * bits;
    const __int128 value = static_cast<__int128>(dividend << drop) >> drop;
    const __int128 divisor = static_cast<int64_t>(by << (64 - bits)) >> (64 - bits);
    if (divisor == -1)
      return refuse("division by -1");
    writeRegister(0, bytes, static_cast<uint64_t>(value / divisor));
    writeRegister(2, bytes, static_cast<uint64_t>(value % divisor));
  }

  void step();
  void stepTwoBytes(unsigned bytes);
  void stepGroupF(unsigned opcode, unsigned bytes);

  using Vector = std::array<uint64_t, 4>;
  Vector readVector(const Place &place, unsigned bytes) {
    Vector value{};
    if (place.isRegister)
      std::copy_n(vectors[place.index].begin(), bytes / 8, value.begin());
    else if (const uint8_t *at = memory(place.address, bytes))
      std::memcpy(value.data(), at, bytes);
    return value;
  }
  /// Of a register, the part above is cleared.
  void writeVector(const Place &place, unsigned bytes, const Vector &value) {
    if (place.isRegister)
      vectors[place.index] = value;
    else if (uint8_t *at = memory(place.address, bytes))
      std::memcpy(at, value.data(), bytes);
  }
  void stepVector(bool isLong);

  llvm::ArrayRef<uint8_t> code;
  llvm::MutableArrayRef<uint8_t> parameters;
  llvm::function_ref<uint64_t()> makeWorkspace;
  std::vector<uint8_t> stack;
  std::array<uint64_t, 16> r{};
  std::array<Vector, 16> vectors{};
  unsigned flags = 0, rex = 0;
  uint64_t ip = 0, start = 0;
  std::string why;
};

void HostCode::step() {
  rex = 0;
  bool narrow = false;
  unsigned opcode = static_cast<unsigned>(fetch(1));
  while (opcode == 0x66 || opcode == 0x2e) {
    narrow |= opcode == 0x66;
    opcode = static_cast<unsigned>(fetch(1));
  }
  if (opcode >> 4 == 4) {
    rex = opcode;
    opcode = static_cast<unsigned>(fetch(1));
  }
  const unsigned wide = rex & 8 ? 8 : narrow ? 2 : 4;
  const unsigned bytes = opcode & 1 ? wide : 1; // where the lowest bit says so
  const unsigned immediate = std::min(bytes, 4u);
  unsigned reg = 0;
  if (opcode < 0x40 && (opcode & 7) < 6) {
    const unsigned operation = opcode >> 3;
    if ((opcode & 7) >= 4) {
      const uint64_t value = arithmetic(operation, readRegister(0, bytes),
                                        static_cast<uint64_t>(fetchSigned(immediate)), bytes);
      if (operation != 7)
        writeRegister(0, bytes, value);
      return;
    }
    const Place place = modrm(reg);
    const Place other{true, reg, 0};
    const bool toRegister = opcode & 2;
    const Place &to = toRegister ? other : place;
    const uint64_t value =
        arithmetic(operation, read(to, bytes), read(toRegister ? place : other, bytes), bytes);
    if (operation != 7)
      write(to, bytes, value);
    return;
  }
  if (opcode >= 0x50 && opcode < 0x60) {
    const unsigned index = (opcode & 7) | (rex & 1 ? 8 : 0);
    if (opcode < 0x58)
      push(r[index]);
    else
      r[index] = pop();
    return;
  }
  if (opcode >= 0x70 && opcode < 0x80) {
    const int64_t distance = fetchSigned(1);
    if (condition(opcode & 15))
      ip += static_cast<uint64_t>(distance);
    return;
  }
  if (opcode >= 0xb0 && opcode < 0xc0) {
    const unsigned index = (opcode & 7) | (rex & 1 ? 8 : 0), size = opcode < 0xb8 ? 1 : wide;
    return writeRegister(index, size, fetch(size));
  }
  switch (opcode) {
  case 0x0f:
    return stepTwoBytes(wide);
  case 0xc4:
  case 0xc5:
    return rex || narrow ? refuse("prefix of a vector instruction") : stepVector(opcode == 0xc4);
  case 0x63: {
    const Place place = modrm(reg);
    return writeRegister(reg, wide,
                         static_cast<uint64_t>(int64_t{static_cast<int32_t>(read(place, 4))}));
  }
  case 0x69:
  case 0x6b: {
    const Place place = modrm(reg);
    const auto factor = static_cast<uint64_t>(fetchSigned(opcode == 0x6b ? 1 : std::min(wide, 4u)));
    return writeRegister(reg, wide, read(place, wide) * factor);
  }
  case 0x80:
  case 0x81:
  case 0x83: {
    const Place place = modrm(reg);
    const auto value = static_cast<uint64_t>(fetchSigned(opcode == 0x81 ? immediate : 1));
    const uint64_t result = arithmetic(reg & 7, read(place, bytes), value, bytes);
    if ((reg & 7) != 7)
      write(place, bytes, result);
    return;
  }
  case 0x84:
  case 0x85: {
    const Place place = modrm(reg);
    arithmetic(4, read(place, bytes), readRegister(reg, bytes), bytes);
    return;
  }
  case 0x88:
  case 0x89: {
    const Place place = modrm(reg);
    return write(place, bytes, readRegister(reg, bytes));
  }
  case 0x8a:
  case 0x8b: {
    const Place place = modrm(reg);
    return writeRegister(reg, bytes, read(place, bytes));
  }
  case 0x8d: {
    const Place place = modrm(reg);
    return writeRegister(reg, wide, place.address);
  }
  case 0x90:
    return;
  case 0x98:
    return writeRegister(0, wide,
                         wide == 8 ? static_cast<uint64_t>(int64_t{static_cast<int32_t>(r[0])})
                                   : static_cast<uint64_t>(int64_t{static_cast<int16_t>(r[0])}));
  case 0x99:
    return writeRegister(2, wide, readRegister(0, wide) >> (8 * wide - 1) ? ~uint64_t{0} : 0);
  case 0xa8:
  case 0xa9:
    arithmetic(4, readRegister(0, bytes), static_cast<uint64_t>(fetchSigned(immediate)), bytes);
    return;
  case 0xc0:
  case 0xc1: {
    const Place place = modrm(reg);
    return shift(place, reg & 7, static_cast<unsigned>(fetch(1)), bytes);
  }
  case 0xd0:
  case 0xd1: {
    const Place place = modrm(reg);
    return shift(place, reg & 7, 1, bytes);
  }
  case 0xd2:
  case 0xd3: {
    const Place place = modrm(reg);
    return shift(place, reg & 7, static_cast<unsigned>(r[1] & 0xff), bytes);
  }
  case 0xc3:
    ip = pop();
    return;
  case 0xc6:
  case 0xc7: {
    const Place place = modrm(reg);
    return write(place, bytes, static_cast<uint64_t>(fetchSigned(immediate)));
  }
  case 0xe9:
  case 0xeb: {
    const int64_t distance = fetchSigned(opcode == 0xe9 ? 4 : 1);
    ip += static_cast<uint64_t>(distance);
    return;
  }
  case 0xf6:
  case 0xf7:
  case 0xfe:
  case 0xff:
    return stepGroupF(opcode, bytes);
  default:
    refuse(llvm::formatv("opcode {0:x2}", opcode).str());
  }
}

void HostCode::stepGroupF(unsigned opcode, unsigned bytes) {
  unsigned reg = 0;
  const Place place = modrm(reg);
  const uint64_t value = read(place, bytes);
  const unsigned operation = reg & 7;
  if (opcode >= 0xfe) {
    if (operation > 1)
      return refuse("indirect jump");
    const unsigned carry = flags & Carry; // which inc and dec leave alone
    write(place, bytes, arithmetic(operation ? 5 : 0, value, 1, bytes));
    flags = (flags & ~unsigned{Carry}) | carry;
    return;
  }
  switch (operation) {
  case 0:
    arithmetic(4, value, static_cast<uint64_t>(fetchSigned(std::min(bytes, 4u))), bytes);
    return;
  case 2:
    return write(place, bytes, ~value);
  case 3:
    return write(place, bytes, arithmetic(5, 0, value, bytes));
  case 4:
  case 5: {
    if (bytes < 4)
      return refuse("product of bytes");
    const unsigned bits = 8 * bytes;
    unsigned __int128 product;
    if (operation == 4)
      product = static_cast<unsigned __int128>(readRegister(0, bytes)) * value;
    else
      product = static_cast<unsigned __int128>(
          static_cast<__int128>(static_cast<int64_t>(readRegister(0, bytes) << (64 - bits)) >>
                                (64 - bits)) *
          (static_cast<int64_t>(value << (64 - bits)) >> (64 - bits)));
    writeRegister(0, bytes, static_cast<uint64_t>(product));
    return writeRegister(2, bytes, static_cast<uint64_t>(product >> bits));
  }
  case 6:
  case 7:
    return divide(place, operation == 7, bytes);
  default:
    refuse("group of unary operations");
  }
}

void HostCode::stepTwoBytes(unsigned bytes) {
  const auto opcode = static_cast<unsigned>(fetch(1));
  unsigned reg = 0;
  if (opcode >> 4 == 8) {
    const int64_t distance = fetchSigned(4);
    if (condition(opcode & 15))
      ip += static_cast<uint64_t>(distance);
    return;
  }
  const Place place = modrm(reg);
  if (opcode == 0x1f)
    return;
  if (opcode >> 4 == 9)
    return write(place, 1, condition(opcode & 15));
  if (opcode >> 4 == 4) {
    const uint64_t value = read(place, bytes);
    return writeRegister(reg, bytes, condition(opcode & 15) ? value : readRegister(reg, bytes));
  }
  switch (opcode) {
  case 0xaf:
    return writeRegister(reg, bytes, readRegister(reg, bytes) * read(place, bytes));
  case 0xb6:
    return writeRegister(reg, bytes, read(place, 1));
  case 0xb7:
    return writeRegister(reg, bytes, read(place, 2));
  case 0xbe:
    return writeRegister(reg, bytes,
                         static_cast<uint64_t>(int64_t{static_cast<int8_t>(read(place, 1))}));
  case 0xbf:
    return writeRegister(reg, bytes,
                         static_cast<uint64_t>(int64_t{static_cast<int16_t>(read(place, 2))}));
  default:
    refuse(llvm::formatv("opcode 0f {0:x2}", opcode).str());
  }
}

/// What tileiras 13.1 copies and clears with: behind a prefix of two bytes, or of three, whose bits are those of
/// `rex` inverted, a first source, and whether there are 32 bytes.
void HostCode::stepVector(bool isLong) {
  const auto high = static_cast<unsigned>(fetch(1)),
             low = isLong ? static_cast<unsigned>(fetch(1)) : high;
  const auto opcode = static_cast<unsigned>(fetch(1));
  const unsigned source = ~low >> 3 & 15, bytes = low & 4 ? 32 : 16;
  rex = (~high >> 5 & (isLong ? 7 : 4)) | 0x40;
  if ((isLong && ((high & 31) != 1 || low & 0x80)) || low & 3)
    return refuse(llvm::formatv("vector opcode {0:x2}", opcode).str());
  if (opcode == 0x77 && bytes == 16 && !source) {
    for (Vector &vector : vectors)
      vector[2] = vector[3] = 0;
    return;
  }
  unsigned reg = 0;
  const Place place = modrm(reg);
  const Place other{true, reg, 0};
  const bool isAligned = opcode == 0x28 || opcode == 0x29;
  if (isAligned && !place.isRegister && place.address % bytes)
    return refuse("misaligned vector");
  if ((opcode == 0x10 || opcode == 0x28) && !source)
    return writeVector(other, bytes, readVector(place, bytes));
  if ((opcode == 0x11 || opcode == 0x29) && !source)
    return writeVector(place, bytes, readVector(other, bytes));
  if (opcode != 0x57)
    return refuse(llvm::formatv("vector opcode {0:x2}", opcode).str());
  Vector value = readVector({true, source, 0}, bytes), with = readVector(place, bytes);
  for (unsigned word = 0; word < 4; ++word)
    value[word] ^= with[word];
  writeVector(other, bytes, value);
}

/// The text of a symbol's bytes.
std::string textOf(const Elf &elf, const ElfSymbol &symbol) {
  if (symbol.section >= elf.sections.size())
    return "";
  llvm::ArrayRef<uint8_t> bytes = elf.sections[symbol.section].bytes;
  if (symbol.value > bytes.size() || bytes.size() - symbol.value < symbol.size)
    return "";
  llvm::StringRef text(reinterpret_cast<const char *>(bytes.data()) + symbol.value, symbol.size);
  return text.split('\0').first.str();
}

} // namespace

std::string tilesmith::sass::fillTensorMaps(llvm::ArrayRef<uint8_t> hostObject,
                                            llvm::StringRef kernel,
                                            llvm::MutableArrayRef<uint8_t> parameters,
                                            llvm::function_ref<uint64_t()> makeWorkspace) {
  auto elf = Elf::read(hostObject);
  if (!elf)
    return "host code of the cubin: " + llvm::toString(elf.takeError());
  if (elf->machine != 0 && elf->machine != 3)
    return "unsupported: host code of the cubin for another system";
  constexpr llvm::StringLiteral kName = "__CUDA_TILEIR_FUNC_NAME_",
                                kFunction = "__CUDA_TILEIR_FUNC_ON_ARGUMENTS_CHANGE_";
  for (const ElfSymbol &symbol : elf->symbols) {
    llvm::StringRef number = symbol.name;
    if (!number.consume_front(kName) || textOf(*elf, symbol) != kernel)
      continue;
    for (const ElfSymbol &function : elf->symbols)
      if (function.name == (kFunction + number).str() && function.section < elf->sections.size())
        return HostCode(elf->sections[function.section].bytes, parameters, makeWorkspace)
            .run(function.value);
    // tileiras 13.1 gives the function of a single kernel no number.
    const bool single = llvm::count_if(elf->symbols, [&](const ElfSymbol &other) {
                          return llvm::StringRef(other.name).starts_with(kName);
                        }) == 1;
    for (const ElfSymbol &function : elf->symbols)
      if (function.name == kFunction.drop_back() && function.section < elf->sections.size())
        return single ? HostCode(elf->sections[function.section].bytes, parameters, makeWorkspace)
                            .run(function.value)
                      : "unsupported: host code of the cubin: a function without a number for one "
                        "of several kernels";
  }
  return ""; // no maps in this kernel
}
