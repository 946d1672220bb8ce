//===- Cubin.cpp - what a cubin says about itself ---------------------------------------------===//
//
// Steps: (1) the ELF container into sections and symbols; (2) one kernel per `.text.NAME` section;
// (3) its `.nv.info` records, banks and shared size; (4) module variables and relocations.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/sass/Cubin.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilesmith::sass;
using llvm::support::endian::read16le;
using llvm::support::endian::read32le;
using llvm::support::endian::read64le;

namespace {

using Bytes = llvm::ArrayRef<uint8_t>;

/// No image of a real compiler comes near these.
constexpr uint64_t kMaxSection = uint64_t(1) << 28, kMaxBank = 1 << 16;

template <typename... Args> llvm::Error fail(const char *format, Args &&...args) {
  return llvm::createStringError(
      llvm::inconvertibleErrorCode(),
      "cubin: " + llvm::formatv(false, format, std::forward<Args>(args)...).str());
}

llvm::Expected<std::string> stringAt(Bytes table, uint64_t offset) {
  if (offset >= table.size())
    return fail("expected a name inside the string table, found offset {0} of {1}", offset,
                table.size());
  const uint8_t *begin = table.begin() + offset;
  const uint8_t *end = std::find(begin, table.end(), 0);
  if (end == table.end())
    return fail("expected a terminated name at offset {0} of the string table", offset);
  return std::string(begin, end);
}

/// Codes of `.nv.info` records that matter to a launch.
enum InfoCode : uint8_t {
  MaxThreads = 0x05,
  ParamCbank = 0x0a,
  RequiredThreads = 0x10,
  FrameSize = 0x11,
  MinStackSize = 0x12,
  KParamInfo = 0x17,
  CbankParamSize = 0x19,
  RegCount = 0x2f,
  CtaPerCluster = 0x3d,
  KParamInfoV2 = 0x45,
  BlocksAreClusters = 0x5b,
  Language = 0x66,
};
constexpr uint32_t kLanguageTileIR = 7;

/// Calls f(code, value, payload) for every record; value is the u16 of short records.
template <typename F> llvm::Error forEachInfo(Bytes info, F &&f) {
  for (size_t at = 0; at < info.size();) {
    if (info.size() - at < 4)
      return fail("expected an .nv.info record of 4 bytes or more, found {0}", info.size() - at);
    const uint8_t format = info[at], code = info[at + 1];
    const uint16_t value = read16le(&info[at + 2]);
    at += 4;
    Bytes payload;
    if (format == 4) {
      if (info.size() - at < value)
        return fail("expected {0} bytes of .nv.info record {1:x2}, found {2}", value,
                    unsigned(code), info.size() - at);
      payload = info.slice(at, value);
      at += value;
    } else if (format < 1 || format > 3) {
      return fail("expected an .nv.info format from 1 to 4, found {0}", unsigned(format));
    }
    f(code, value, payload);
  }
  return llvm::Error::success();
}

uint32_t word(Bytes payload, size_t index) {
  return payload.size() >= 4 * index + 4 ? read32le(&payload[4 * index]) : 0;
}

/// Relocation types, by what they do.
bool relocationKind(uint32_t type, Relocation::Kind &kind) {
  switch (type) {
  case 2: // R_CUDA_64
    kind = Relocation::Address64;
    return true;
  case 57: // R_CUDA_ABS32_LO_32
    kind = Relocation::AddressLow32;
    return true;
  case 58: // R_CUDA_ABS32_HI_32
    kind = Relocation::AddressHigh32;
    return true;
  default:
    return false;
  }
}

class Reader {
public:
  explicit Reader(Elf elf) : elf(std::move(elf)) {}
  llvm::Expected<Cubin> run();

private:
  llvm::Error readKernel(const ElfSection &text, unsigned index);
  llvm::Error readKernelInfo(CubinKernel &kernel, Bytes info);
  llvm::Error readModuleInfo(Bytes info);
  llvm::Error readVariables();
  llvm::Error readRelocations(llvm::StringRef target, std::vector<Relocation> &into,
                              uint64_t limit);
  llvm::Error readBank(const std::string &name, std::vector<uint8_t> &bank);

  Elf elf;
  Cubin cubin;
};

llvm::Error Reader::readBank(const std::string &name, std::vector<uint8_t> &bank) {
  const ElfSection *section = elf.find(name);
  if (!section)
    return llvm::Error::success();
  if (section->size > kMaxBank)
    return fail("expected at most {0} bytes in {1}, found {2}", kMaxBank, name, section->size);
  bank.assign(section->bytes.begin(), section->bytes.end());
  bank.resize(section->size);
  return llvm::Error::success();
}

llvm::Error Reader::readKernelInfo(CubinKernel &kernel, Bytes info) {
  unsigned minimum = 0;
  llvm::Error error = forEachInfo(info, [&](uint8_t code, uint16_t value, Bytes payload) {
    switch (code) {
    case ParamCbank:
      kernel.parameterOffset = word(payload, 1) & 0xffff;
      kernel.parameterBytes = std::max(kernel.parameterBytes, word(payload, 1) >> 16);
      break;
    case CbankParamSize:
      kernel.parameterBytes = std::max<unsigned>(kernel.parameterBytes, value);
      break;
    case KParamInfo:
    case KParamInfoV2:
      if (payload.size() >= 12)
        kernel.parameters.push_back(
            {word(payload, 1) & 0xffff, word(payload, 1) >> 16,
             code == KParamInfo ? word(payload, 2) >> 18 : word(payload, 2) & 0xffff});
      break;
    case RequiredThreads:
    case CtaPerCluster: {
      auto &target = code == RequiredThreads ? kernel.requiredThreads : kernel.cluster;
      for (int i = 0; i < 3; ++i)
        target[i] = word(payload, i);
      break;
    }
    case BlocksAreClusters:
      kernel.gridCountsClusters = true;
      break;
    case FrameSize:
    case MinStackSize:
      minimum = std::max(minimum, word(payload, 1));
      break;
    case Language:
      // One word per language that took part; a math library counts as PTX.
      for (size_t n = 0; n < payload.size() / 4; ++n)
        kernel.tileIR |= word(payload, n) == kLanguageTileIR;
      break;
    }
  });
  if (error)
    return error;
  kernel.frameBytes = std::max(kernel.frameBytes, minimum);
  llvm::sort(kernel.parameters, [](const KernelParameter &a, const KernelParameter &b) {
    return a.ordinal < b.ordinal;
  });
  uint64_t threads = 1, blocks = 1;
  for (int i = 0; i < 3; ++i) {
    threads *= std::min<uint64_t>(kernel.requiredThreads[i], 1 << 16);
    blocks *= std::min<uint64_t>(kernel.cluster[i], 1 << 16);
  }
  if (threads > 1024)
    return fail("expected at most 1024 threads in a block of '{0}', found {1}", kernel.name,
                threads);
  if (blocks == 0 || blocks > 16)
    return fail("expected 1 to 16 blocks in a cluster of '{0}', found {1}", kernel.name, blocks);
  return llvm::Error::success();
}

llvm::Error Reader::readModuleInfo(Bytes info) {
  auto kernelOf = [&](uint32_t symbol) -> CubinKernel * {
    if (symbol >= elf.symbols.size())
      return nullptr;
    for (CubinKernel &kernel : cubin.kernels)
      if (kernel.name == elf.symbols[symbol].name)
        return &kernel;
    return nullptr;
  };
  return forEachInfo(info, [&](uint8_t code, uint16_t, Bytes payload) {
    CubinKernel *kernel = kernelOf(word(payload, 0));
    if (!kernel)
      return;
    if (code == RegCount)
      kernel->registers = word(payload, 1);
    else if (code == FrameSize || code == MinStackSize)
      kernel->frameBytes = std::max(kernel->frameBytes, word(payload, 1));
  });
}

llvm::Error Reader::readRelocations(llvm::StringRef target, std::vector<Relocation> &into,
                                    uint64_t limit) {
  for (const char *prefix : {".rel", ".rela"}) {
    const ElfSection *section = elf.find((prefix + target).str());
    if (!section)
      continue;
    const size_t entry = llvm::StringRef(prefix) == ".rel" ? 16 : 24;
    for (size_t at = 0; at + entry <= section->bytes.size(); at += entry) {
      Relocation relocation{};
      relocation.offset = read64le(&section->bytes[at]);
      const uint64_t info = read64le(&section->bytes[at + 8]);
      if (entry == 24)
        relocation.addend = static_cast<int64_t>(read64le(&section->bytes[at + 16]));
      if (!relocationKind(static_cast<uint32_t>(info), relocation.kind))
        return fail("unsupported relocation type {0} in {1}", uint32_t(info), section->name);
      if (info >> 32 >= elf.symbols.size())
        return fail("expected a relocation against one of {0} symbols, found {1}",
                    elf.symbols.size(), info >> 32);
      if (relocation.offset % 8 || relocation.offset >= limit || limit - relocation.offset < 8)
        return fail("expected a relocation inside of {0}, found offset {1:x}", target,
                    relocation.offset);
      relocation.symbol = elf.symbols[info >> 32].name;
      into.push_back(std::move(relocation));
    }
  }
  return llvm::Error::success();
}

llvm::Error Reader::readKernel(const ElfSection &text, unsigned index) {
  CubinKernel kernel;
  kernel.name = text.name.substr(strlen(".text."));
  if (text.bytes.empty() || text.bytes.size() % 16)
    return fail("expected code in units of 16 bytes in {0}, found {1} bytes", text.name,
                text.bytes.size());
  kernel.code.assign(text.bytes.begin(), text.bytes.end());
  for (const ElfSymbol &symbol : elf.symbols)
    if (symbol.section == index && (symbol.info & 15) == 2) // STT_FUNC
      kernel.functions[symbol.name] = symbol.value;
  if (llvm::Error error = readBank(".nv.constant0." + kernel.name, kernel.bank0))
    return error;
  if (llvm::Error error = readBank(".nv.constant2." + kernel.name, kernel.bank2))
    return error;
  if (const ElfSection *info = elf.find(".nv.info." + kernel.name))
    if (llvm::Error error = readKernelInfo(kernel, info->bytes))
      return error;
  if (const ElfSection *shared = elf.find(".nv.shared." + kernel.name)) {
    if (shared->size > 384 * 1024) // sm_107 has 327 KiB
      return fail("expected at most 384 KiB of shared memory, found {0} bytes", shared->size);
    kernel.staticShared = static_cast<unsigned>(shared->size);
  }
  if (uint64_t(kernel.parameterOffset) + kernel.parameterBytes > kernel.bank0.size())
    return fail("expected parameters inside of {0} bytes of bank 0, found {1} bytes at {2:x}",
                kernel.bank0.size(), kernel.parameterBytes, kernel.parameterOffset);
  for (const KernelParameter &parameter : kernel.parameters)
    if (parameter.offset + parameter.size > kernel.parameterBytes)
      return fail("expected parameter {0} inside of {1} bytes, found {2} bytes at {3}",
                  parameter.ordinal, kernel.parameterBytes, parameter.size, parameter.offset);
  if (llvm::Error error = readRelocations(text.name, kernel.codeRelocations, kernel.code.size()))
    return error;
  cubin.kernels.push_back(std::move(kernel));
  return llvm::Error::success();
}

llvm::Error Reader::readVariables() {
  std::map<unsigned, uint64_t> base; // of a section in `globals`
  for (auto [i, section] : llvm::enumerate(elf.sections)) {
    if (section.name != ".nv.global" && section.name != ".nv.global.init")
      continue;
    if (section.size > kMaxSection)
      return fail("expected at most {0} bytes in {1}, found {2}", kMaxSection, section.name,
                  section.size);
    const uint64_t start = (cubin.globals.size() + 255) / 256 * 256;
    base[i] = start;
    cubin.globals.resize(start + section.size);
    llvm::copy(section.bytes, cubin.globals.begin() + start);
  }
  if (llvm::Error error = readBank(".nv.constant3", cubin.bank3))
    return error;
  for (const ElfSymbol &symbol : elf.symbols) {
    if (symbol.section >= elf.sections.size() || symbol.name.empty() || (symbol.info & 15) != 1)
      continue;
    const ElfSection &section = elf.sections[symbol.section];
    const bool constant = section.name == ".nv.constant3";
    auto at = base.find(symbol.section);
    if (!constant && at == base.end())
      continue;
    if (symbol.value > section.size || section.size - symbol.value < symbol.size)
      return fail("expected '{0}' inside of {1}, found {2} bytes at {3:x}", symbol.name,
                  section.name, symbol.size, symbol.value);
    cubin.variables.push_back(
        {symbol.name, constant, symbol.value + (constant ? 0 : at->second), symbol.size});
  }
  return llvm::Error::success();
}

llvm::Expected<Cubin> Reader::run() {
  constexpr unsigned kGpu = 190, kRelocatable = 1;
  if (elf.isa != kGpu)
    return fail("expected an ELF file for GPUs (machine {0}), found one for machine {1}", kGpu,
                elf.isa);
  if (elf.type == kRelocatable)
    return fail("expected a linked cubin, found a relocatable one: nvlink links it");
  // The version of the container says where the architecture stands.
  const unsigned low = elf.flags & 0xff, high = elf.flags >> 8 & 0xff;
  cubin.sm = elf.machine == 65 ? high : low;
  const unsigned family = cubin.sm / 10;
  if (family < 8 || family > 12)
    return fail("expected code for sm_80 or newer, found sm_{0}", cubin.sm);
  for (auto [i, section] : llvm::enumerate(elf.sections))
    if (llvm::StringRef(section.name).starts_with(".text."))
      if (llvm::Error error = readKernel(section, i))
        return error;
  if (cubin.kernels.empty())
    return fail("expected a section .text.<kernel>, found none");
  if (const ElfSection *info = elf.find(".nv.info"))
    if (llvm::Error error = readModuleInfo(info->bytes))
      return error;
  for (const CubinKernel &kernel : cubin.kernels)
    if (kernel.frameBytes > 512 * 1024)
      return fail("expected at most 512 KiB of stack in '{0}', found {1} bytes", kernel.name,
                  kernel.frameBytes);
  if (llvm::Error error = readVariables())
    return error;
  if (llvm::Error error = readBank(".nv.constant4", cubin.bank4))
    return error;
  if (llvm::Error error =
          readRelocations(".nv.constant4", cubin.bank4Relocations, cubin.bank4.size()))
    return error;
  if (const ElfSection *host = elf.find(".nv.host"))
    cubin.hostObject.assign(host->bytes.begin(), host->bytes.end());
  return std::move(cubin);
}

} // namespace

llvm::Expected<Elf> Elf::read(Bytes file) {
  static constexpr uint8_t kMagic[] = {0x7f, 'E', 'L', 'F', 2, 1},
                           kFat[] = {0x50, 0xed, 0x55, 0xba};
  if (file.size() >= 4 && std::equal(std::begin(kFat), std::end(kFat), file.begin()))
    return fail("expected one image, found a fat binary: cuobjdump takes its cubins out");
  if (file.size() < 64 || !std::equal(std::begin(kMagic), std::end(kMagic), file.begin()))
    return fail("expected a 64-bit little-endian ELF file, found {0} other bytes", file.size());
  Elf elf;
  elf.machine = file[7]; // the version of NVIDIA's container; 51 and 65 are known
  elf.type = read16le(&file[0x10]);
  elf.isa = read16le(&file[0x12]);
  elf.flags = read32le(&file[0x30]);
  const uint64_t offset = read64le(&file[0x28]);
  const unsigned entry = read16le(&file[0x3a]), count = read16le(&file[0x3c]),
                 names = read16le(&file[0x3e]);
  if (entry != 64 || offset > file.size() || (file.size() - offset) / 64 < count || names >= count)
    return fail("expected {0} section headers of 64 bytes inside {1} bytes, found such of {2} at "
                "{3:x}",
                count, file.size(), entry, offset);
  auto header = [&](unsigned i) { return file.data() + offset + 64 * i; };
  for (unsigned i = 0; i < count; ++i) {
    const uint8_t *h = header(i);
    ElfSection section;
    section.type = read32le(h + 4);
    section.flags = read64le(h + 8);
    section.size = read64le(h + 32);
    section.link = read32le(h + 40);
    section.info = read32le(h + 44);
    section.alignment = read64le(h + 48);
    section.entrySize = read64le(h + 56);
    const uint64_t at = read64le(h + 24);
    if (section.type != 8 && section.type != 0) { // NOBITS, NULL
      if (at > file.size() || file.size() - at < section.size)
        return fail("expected section {0} inside the file, found {1} bytes at {2:x}", i,
                    section.size, at);
      section.bytes = file.slice(at, section.size);
    }
    elf.sections.push_back(std::move(section));
  }
  for (unsigned i = 0; i < count; ++i) {
    auto name = stringAt(elf.sections[names].bytes, read32le(header(i)));
    if (!name)
      return name.takeError();
    elf.sections[i].name = std::move(*name);
  }
  for (const ElfSection &section : elf.sections) {
    if (section.type != 2) // SYMTAB
      continue;
    if (section.link >= elf.sections.size())
      return fail("expected a string table among {0} sections, found {1}", elf.sections.size(),
                  section.link);
    for (size_t at = 0; at + 24 <= section.bytes.size(); at += 24) {
      const uint8_t *s = &section.bytes[at];
      auto name = stringAt(elf.sections[section.link].bytes, read32le(s));
      if (!name)
        return name.takeError();
      elf.symbols.push_back(
          {std::move(*name), read64le(s + 8), read64le(s + 16), read16le(s + 6), s[4], s[5]});
    }
    break;
  }
  return elf;
}

const ElfSection *Elf::find(llvm::StringRef name) const {
  auto at = llvm::find_if(sections, [&](const ElfSection &s) { return s.name == name; });
  return at == sections.end() ? nullptr : &*at;
}

llvm::Expected<Cubin> Cubin::read(Bytes file) {
  auto elf = Elf::read(file);
  if (!elf)
    return elf.takeError();
  return Reader(std::move(*elf)).run();
}

const CubinKernel *Cubin::find(llvm::StringRef name) const {
  auto at = llvm::find_if(kernels, [&](const CubinKernel &k) { return k.name == name; });
  return at == kernels.end() ? nullptr : &*at;
}
