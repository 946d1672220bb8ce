//===- Format.cpp - names and ages of the container's numbers ---------------------------------===//
#include "compiler/bytecode/Format.h"

using namespace tilesmith::bytecode;

llvm::StringRef tilesmith::bytecode::sectionName(uint8_t section) {
  static constexpr llvm::StringLiteral names[] = {"end",      "string", "function", "debug",
                                                  "constant", "type",   "global",   "producer"};
  return section < kNumSections ? llvm::StringRef(names[section]) : llvm::StringRef("unknown");
}

uint8_t tilesmith::bytecode::typeTagSince(uint64_t tag) {
  switch (static_cast<TypeTag>(tag)) {
  case TypeTag::F8E8M0FNU:
    return 2;
  case TypeTag::F4E2M1FN:
  case TypeTag::GatherScatterView:
  case TypeTag::StridedView:
  case TypeTag::I4:
    return 3;
  case TypeTag::F8E5M3FNU:
    return 4;
  default:
    return tag <= static_cast<uint64_t>(TypeTag::Token) ? 1 : 0;
  }
}

llvm::StringRef tilesmith::bytecode::typeTagName(uint64_t tag) {
  switch (static_cast<TypeTag>(tag)) {
  case TypeTag::I1:
    return "Int1";
  case TypeTag::I8:
    return "Int8";
  case TypeTag::I16:
    return "Int16";
  case TypeTag::I32:
    return "Int32";
  case TypeTag::I64:
    return "Int64";
  case TypeTag::F16:
    return "Float16";
  case TypeTag::BF16:
    return "BFloat16";
  case TypeTag::F32:
    return "Float32";
  case TypeTag::TF32:
    return "TFloat32";
  case TypeTag::F64:
    return "Float64";
  case TypeTag::F8E4M3FN:
    return "Float8E4M3FN";
  case TypeTag::F8E5M2:
    return "Float8E5M2";
  case TypeTag::Pointer:
    return "PointerType";
  case TypeTag::Tile:
    return "TileType";
  case TypeTag::TensorView:
    return "TensorViewType";
  case TypeTag::PartitionView:
    return "PartitionViewType";
  case TypeTag::Function:
    return "FunctionType";
  case TypeTag::Token:
    return "TokenType";
  case TypeTag::F8E8M0FNU:
    return "Float8E8M0FNU";
  case TypeTag::F4E2M1FN:
    return "Float4E2M1FN";
  case TypeTag::GatherScatterView:
    return "GatherScatterViewType";
  case TypeTag::StridedView:
    return "StridedViewType";
  case TypeTag::I4:
    return "Int4";
  case TypeTag::F8E5M3FNU:
    return "FloatNV8E5M3FNU";
  }
  return "unknown";
}
