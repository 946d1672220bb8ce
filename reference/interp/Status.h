//===- Status.h - why an evaluation stopped ---------------------------------------------------===//
//
// Evaluators return Status: success, or one reason to stop the whole launch. Undefined behaviour, a
// failed assertion, an undecidable situation and an op that is not supported are four different
// things and are never mixed up.
//
//===------------------------------------------------------------------------------------------===//
#ifndef REFERENCE_INTERP_STATUS_H
#define REFERENCE_INTERP_STATUS_H

#include <memory>
#include <string>

#include "llvm/ADT/Twine.h"

namespace tilesmith::reference {

/// The reason to stop, filled in by the evaluator; the interpreter adds op, location and tile
/// block.
struct Stop {
  enum class Reason {
    Trapped,      ///< an assertion failed
    Undefined,    ///< the program has undefined behaviour
    Inconclusive, ///< the language does not decide what happens next, or a limit was reached
    Unsupported,  ///< the interpreter lacks something
  };
  Reason reason;
  std::string kind;    ///< label of a rule: "signed-overflow", "out-of-bounds",
                       ///< "unspecified-branch", "step-limit"
  std::string message; ///< one line
  std::string op;
  std::string location;
};

class [[nodiscard]] Status {
public:
  Status() = default;
  static Status success() { return {}; }
  explicit operator bool() const = delete;
  bool failed() const { return stop != nullptr; }
  Stop &get() const { return *stop; }

  static Status make(Stop::Reason reason, llvm::StringRef kind, const llvm::Twine &message) {
    Status status;
    status.stop = std::make_unique<Stop>(Stop{reason, kind.str(), message.str(), {}, {}});
    return status;
  }

private:
  std::unique_ptr<Stop> stop;
};

inline Status undefined(llvm::StringRef kind, const llvm::Twine &message) {
  return Status::make(Stop::Reason::Undefined, kind, message);
}
inline Status inconclusive(llvm::StringRef kind, const llvm::Twine &message) {
  return Status::make(Stop::Reason::Inconclusive, kind, message);
}
inline Status unsupported(const llvm::Twine &message) {
  return Status::make(Stop::Reason::Unsupported, "unsupported", message);
}

} // namespace tilesmith::reference

/// Returns from the calling evaluator if `expression` stopped.
#define TILESMITH_TRY(expression)                                                                  \
  do {                                                                                             \
    if (::tilesmith::reference::Status tilesmithStatus = (expression); tilesmithStatus.failed())   \
      return tilesmithStatus;                                                                      \
  } while (false)

#endif // REFERENCE_INTERP_STATUS_H
