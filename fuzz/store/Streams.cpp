//===- Streams.cpp - choice streams that reached something new --------------------------------===//
#include "fuzz/store/Store.h"

#include "oracles/verdict/Signature.h"

#include <cstring>

using namespace tilesmith;
using namespace tilesmith::fuzz;

llvm::Error Store::addStreams(const std::vector<StoredStream> &streams) {
  if (streams.empty())
    return llvm::Error::success();
  return database.transact([&]() -> llvm::Error {
    for (const StoredStream &stream : streams) {
      const auto *features = reinterpret_cast<const char *>(stream.features.data());
      if (llvm::Error error = database
                                  .prepare("INSERT INTO streams (run, hash, choices, features) "
                                           "VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING")
                                  .bind(run)
                                  .bind(oracles::stableHash(stream.choices))
                                  .bindBlob(stream.choices)
                                  .bindBlob({features, stream.features.size() * sizeof(uint64_t)})
                                  .run())
        return error;
    }
    return llvm::Error::success();
  });
}

std::vector<StoredStream> Store::streams(int64_t &after) const {
  // Numbers are given before a transaction ends: a lower one may show up behind a higher one.
  constexpr int64_t kStillOpen = 64;
  Statement statement = database.prepare(
      "SELECT s.id, s.choices, s.features FROM streams s WHERE s.id > ? AND s.run IN (SELECT r.id "
      "FROM runs r WHERE r.build = (SELECT o.build FROM runs o WHERE o.id = ?)) ORDER BY s.id");
  statement.bind(after - kStillOpen).bind(run);
  std::vector<StoredStream> result;
  while (statement.step()) {
    after = std::max(after, statement.integer(0));
    StoredStream &stream = result.emplace_back();
    stream.choices = statement.text(1);
    const std::string features = statement.text(2);
    stream.features.resize(features.size() / sizeof(uint64_t));
    std::memcpy(stream.features.data(), features.data(), stream.features.size() * sizeof(uint64_t));
  }
  return result;
}
