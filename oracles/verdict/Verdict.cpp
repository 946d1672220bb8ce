//===- Verdict.cpp - what an oracle says ------------------------------------------------------===//
#include "oracles/verdict/Verdict.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace tilesmith::oracles;

Verdict Verdict::disagree(std::string what, std::string place, std::string byHowMuch) {
  Verdict verdict;
  verdict.kind = Kind::Disagree;
  verdict.what = std::move(what);
  verdict.place = std::move(place);
  verdict.byHowMuch = std::move(byHowMuch);
  return verdict;
}

Verdict Verdict::inconclusive(std::string reason) {
  Verdict verdict;
  verdict.kind = Kind::Inconclusive;
  verdict.reason = std::move(reason);
  return verdict;
}

Verdict Verdict::unavailable(llvm::StringRef engine, llvm::StringRef reason) {
  Verdict verdict;
  verdict.kind = Kind::Unavailable;
  verdict.engine = engine.str();
  verdict.reason = llvm::formatv("engine `{0}`: {1}", engine, reason);
  return verdict;
}

llvm::StringRef tilesmith::oracles::toString(Verdict::Kind kind) {
  switch (kind) {
  case Verdict::Kind::Agree:
    return "agree";
  case Verdict::Kind::Disagree:
    return "disagree";
  case Verdict::Kind::Inconclusive:
    return "inconclusive";
  case Verdict::Kind::Unavailable:
    return "unavailable";
  }
  llvm_unreachable("all kinds are listed");
}

/// The rule behind the text, where the text does not name it.
static std::string withLabel(std::string text, const std::string &label) {
  if (label.empty() || text.find("[" + label + "]") != std::string::npos)
    return text;
  return text + " [" + label + "]";
}

std::string Verdict::str() const {
  switch (kind) {
  case Kind::Agree:
    return "agree";
  case Kind::Disagree: {
    std::string text = "disagree: " + what;
    if (!place.empty())
      text += ", " + place;
    if (!byHowMuch.empty())
      text += ": " + byHowMuch;
    if (!mathLibrary.empty())
      text += " (math library: " + mathLibrary + ")";
    return withLabel(text, label);
  }
  case Kind::Inconclusive:
    return withLabel("inconclusive: " + reason, label);
  case Kind::Unavailable:
    return "unavailable: " + reason;
  }
  llvm_unreachable("all kinds are listed");
}

static unsigned weight(Verdict::Kind kind) {
  switch (kind) {
  case Verdict::Kind::Agree:
    return 0;
  case Verdict::Kind::Unavailable:
    return 1;
  case Verdict::Kind::Inconclusive:
    return 2;
  case Verdict::Kind::Disagree:
    return 3;
  }
  llvm_unreachable("all kinds are listed");
}

Verdict tilesmith::oracles::combine(Verdict first, Verdict second) {
  return weight(second.kind) > weight(first.kind) ? second : first;
}

void FloatComparisons::addRange(double ulps) {
  ++bounded;
  size_t bits = 0;
  while (bits < widths.size() - 1 && std::ldexp(1.0, static_cast<int>(bits)) <= ulps)
    ++bits;
  ++widths[bits];
}

FloatComparisons &FloatComparisons::operator+=(const FloatComparisons &other) {
  points += other.points;
  bounded += other.bounded;
  vacuous += other.vacuous;
  open += other.open;
  for (auto [mine, others] : llvm::zip(widths, other.widths))
    mine += others;
  for (const auto &[cause, count] : other.skipped)
    skipped[cause] += count;
  return *this;
}

double FloatComparisons::medianWidth() const {
  uint64_t before = 0;
  for (auto [bits, count] : llvm::enumerate(widths)) {
    before += count;
    if (2 * before >= bounded && bounded)
      return bits == 0 ? 0 : std::ldexp(1.0, static_cast<int>(bits) - 1);
  }
  return 0;
}

std::string FloatComparisons::str() const {
  std::string text =
      llvm::formatv("float results: {0} points, {1} within bounds ({2:f1} %, median width {3} "
                    "ulp), {4} vacuous, {5} open",
                    points, bounded, 100.0 * bounded / std::max<uint64_t>(total(), 1),
                    static_cast<uint64_t>(medianWidth()), vacuous, open);
  llvm::StringRef separator = "\nnot compared: ";
  for (const auto &[cause, count] : skipped) {
    text += llvm::formatv("{0}{1} {2}", separator, count, cause);
    separator = ", ";
  }
  return text;
}

void VerdictCounts::add(const Verdict &verdict) {
  switch (verdict.kind) {
  case Verdict::Kind::Agree:
    ++passed;
    return;
  case Verdict::Kind::Disagree:
    ++failed;
    return;
  case Verdict::Kind::Inconclusive:
    ++inconclusive;
    return;
  case Verdict::Kind::Unavailable:
    ++unavailable;
    return;
  }
}

VerdictCounts &VerdictCounts::operator+=(const VerdictCounts &other) {
  passed += other.passed;
  failed += other.failed;
  inconclusive += other.inconclusive;
  unavailable += other.unavailable;
  floats += other.floats;
  return *this;
}

std::string VerdictCounts::str() const {
  return llvm::formatv("{0} passed, {1} failed, {2} inconclusive, {3} unavailable", passed, failed,
                       inconclusive, unavailable);
}

int tilesmith::oracles::exitCode(const VerdictCounts &counts, const ExitPolicy &policy) {
  if (counts.failed > 0)
    return 1;
  if (counts.unavailable > 0 || counts.passed == 0)
    return 3;
  if (policy.expectPassed >= 0 && counts.passed != static_cast<uint64_t>(policy.expectPassed))
    return 1;
  if (100.0 * counts.inconclusive > policy.maxInconclusivePercent * counts.total())
    return 4;
  return 0;
}
