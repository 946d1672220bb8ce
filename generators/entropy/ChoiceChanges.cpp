//===- ChoiceChanges.cpp - other choices made of given ones -----------------------------------===//
#include "generators/entropy/ChoiceChanges.h"

#include <algorithm>

using namespace tilesmith::generators;

static constexpr size_t kFrame = 32; // bytes of one statement in a choice stream

uint64_t ChangeRandom::next() {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

void tilesmith::generators::changeChoices(std::vector<uint8_t> &choices, ChangeRandom &random) {
  const size_t size = choices.size();
  if (size == 0)
    return;
  const size_t from = random.below(size), length = std::min(kFrame, size - from);
  const auto start = choices.begin() + static_cast<ptrdiff_t>(from);
  const auto end = start + static_cast<ptrdiff_t>(length);
  switch (random.below(7)) {
  case 0:
  case 1:
  case 2: // other answers to a few questions
    for (size_t count = 1 + random.below(4); count > 0; --count)
      choices[random.below(size)] = static_cast<uint8_t>(random.next());
    break;
  case 3: // the neighbouring answer
    *start = static_cast<uint8_t>(*start + (random.below(2) ? 1 : 255));
    break;
  case 4: // another statement in the same place
    std::generate(start, end, [&] { return static_cast<uint8_t>(random.next()); });
    break;
  case 5: { // a statement once more
    const std::vector<uint8_t> frame(start, end);
    choices.insert(choices.begin() + static_cast<ptrdiff_t>(random.below(size)), frame.begin(),
                   frame.end());
    break;
  }
  default: // a statement less
    choices.erase(start, end);
  }
}

std::vector<uint8_t> tilesmith::generators::joinChoices(llvm::ArrayRef<uint8_t> first,
                                                        llvm::ArrayRef<uint8_t> second,
                                                        ChangeRandom &random) {
  const size_t cut = random.below(first.size() + 1);
  const size_t resume = std::min(second.size(), cut + kFrame * random.below(3));
  std::vector<uint8_t> choices(first.begin(), first.begin() + cut);
  choices.insert(choices.end(), second.begin() + resume, second.end());
  return choices;
}
