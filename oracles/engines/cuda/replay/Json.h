//===- Json.h - the little JSON that bundles need ---------------------------------------------===//
//
// tile-gpu-replay links nothing but libc, so it brings its own reader.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_ENGINES_CUDA_REPLAY_JSON_H
#define ORACLES_ENGINES_CUDA_REPLAY_JSON_H

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace replay {

/// A mistake in a bundle; the text says where.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Json {
  enum Kind { Null, Bool, Number, String, Array, Object } kind = Null;
  bool flag = false;
  double number = 0;
  std::string text; // of strings, and of numbers as written
  std::vector<Json> items;
  std::map<std::string, Json> members;

  static Json parse(const std::string &source);

  bool has(const std::string &key) const { return members.count(key) != 0; }
  const Json &at(const std::string &key) const;
  const std::string &string(const std::string &key) const;
  double num(const std::string &key) const;
  bool boolean(const std::string &key, bool otherwise) const;
};

/// The text as a JSON string, quotes included.
std::string quote(const std::string &text);

} // namespace replay

#endif // ORACLES_ENGINES_CUDA_REPLAY_JSON_H
