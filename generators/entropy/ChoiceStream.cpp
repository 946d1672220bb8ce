//===- ChoiceStream.cpp - the one source of all random choices of a generator -----------------===//
#include "generators/entropy/ChoiceStream.h"

using namespace tilesmith::generators;

/// One step of SplitMix64: advances `state` and returns 64 well mixed bits.
static uint64_t splitMix(uint64_t &state) {
  state += 0x9E3779B97F4A7C15ull;
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

ChoiceStream ChoiceStream::fromSeed(uint64_t seed) {
  return ChoiceStream(Mode::Seed, seed, {});
}

ChoiceStream ChoiceStream::fromBytes(llvm::ArrayRef<uint8_t> bytes) {
  return ChoiceStream(Mode::Bytes, 0, std::vector<uint8_t>(bytes.begin(), bytes.end()));
}

uint8_t ChoiceStream::nextRandomByte() {
  if (wordBytes == 0) {
    word = splitMix(state);
    wordBytes = 8;
  }
  uint8_t result = static_cast<uint8_t>(word);
  word >>= 8;
  --wordBytes;
  return result;
}

uint8_t ChoiceStream::byte() {
  uint8_t result = 0;
  if (position < given.size())
    result = given[position++];
  else if (mode != Mode::Bytes)
    result = nextRandomByte();
  if (mode != Mode::Frame) // a frame's bytes are in its parent's record already
    record.push_back(result);
  return result;
}

uint64_t ChoiceStream::bits(unsigned bits) {
  assert(bits >= 1 && bits <= 64 && "between 1 and 64 bits");
  uint64_t result = 0;
  for (unsigned done = 0; done < bits; done += 8)
    result |= static_cast<uint64_t>(byte()) << done;
  return bits == 64 ? result : result & ((uint64_t(1) << bits) - 1);
}

uint64_t ChoiceStream::below(uint64_t n) {
  assert(n >= 1 && "a choice needs at least one answer");
  if (n == 1)
    return 0;
  return bits(n <= 256 ? 8 : n <= 65536 ? 16 : 64) % n;
}

int64_t ChoiceStream::between(int64_t low, int64_t high) {
  assert(low <= high && "empty range");
  uint64_t span = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  uint64_t step = span == UINT64_MAX ? bits(64) : below(span + 1);
  return static_cast<int64_t>(static_cast<uint64_t>(low) + step);
}

bool ChoiceStream::chance(unsigned percent) {
  // The byte zero must say no, so the comparison runs from the top of the byte range.
  return byte() >= 256 - (percent * 256) / 100;
}

size_t ChoiceStream::weighted(llvm::ArrayRef<unsigned> weights) {
  uint64_t sum = 0;
  for (unsigned weight : weights)
    sum += weight;
  assert(sum > 0 && "no answer has a weight");
  // Two bytes always: a sum near 256 would otherwise starve some answers.
  uint64_t at = bits(16) * sum >> 16;
  for (size_t i = 0; i < weights.size(); ++i) {
    if (at < weights[i])
      return i;
    at -= weights[i];
  }
  return weights.size() - 1;
}

ChoiceStream ChoiceStream::frame(unsigned size) {
  assert(size >= 1 && "a frame has at least one byte");
  std::vector<uint8_t> bytes(size);
  uint64_t seed = 0x74696C65736D6974ull;
  for (uint8_t &b : bytes) {
    b = byte();
    seed = (seed ^ b) * 0x100000001B3ull;
  }
  return ChoiceStream(Mode::Frame, seed, std::move(bytes));
}
