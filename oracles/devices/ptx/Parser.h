//===- Parser.h - PTX text to a tree ----------------------------------------------------------===//
//
// Recursive descent over the tokens; the depth of nested scopes and operands is bounded, so that no
// input exhausts the stack. The first syntax error ends the parse.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DEVICES_PTX_PARSER_H
#define ORACLES_DEVICES_PTX_PARSER_H

#include "oracles/devices/ptx/Syntax.h"

#include <optional>
#include <string>

namespace tilesmith::ptx {

struct Diagnostic {
  Location location;
  std::string message;
};

/// The tree of `text`, or the first syntax error in `error`.
std::optional<Module> parseModule(llvm::StringRef text, Diagnostic &error);

} // namespace tilesmith::ptx

#endif // ORACLES_DEVICES_PTX_PARSER_H
