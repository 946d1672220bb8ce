//===- Compare.h - the comparison rules of a bundle -------------------------------------------===//
#ifndef ORACLES_ENGINES_CUDA_REPLAY_COMPARE_H
#define ORACLES_ENGINES_CUDA_REPLAY_COMPARE_H

#include <cstdint>
#include <string>
#include <vector>

namespace replay {

using Bytes = std::vector<uint8_t>;

struct Rule {
  std::string mode; // exact, close, enclosure
  double atol = 0, rtol = 0;
  std::string dtype;
};

/// "" when `got` satisfies the rule; else the first element that does not, and how many there are.
/// enclosure: between low and high, element by element.
std::string compare(const Rule &rule, const Bytes &got, const Bytes &want, const Bytes &low,
                    const Bytes &high);

/// Bytes of one element, 0 for an unknown name.
unsigned elementBytes(const std::string &dtype);
/// The number an element's bits stand for; booleans and integers as they are.
double toNumber(const std::string &dtype, uint64_t bits);

} // namespace replay

#endif // ORACLES_ENGINES_CUDA_REPLAY_COMPARE_H
