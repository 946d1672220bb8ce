//===- TileAAProgram.h - a program of nv_tileaa under construction ----------------------------===//
//
// The text of a kernel grows line by line: tiles are loaded into two pools (i32 and f32, all of one
// shape), each step takes some of them and adds another one or stores something, and at the end the
// last ones are stored. Floats are small multiples of 1/8, so that every sum and product is exact and
// engines must agree bit for bit. Text, because this room knows the dialect `cuda_tile` alone.
//
//===------------------------------------------------------------------------------------------===//
#ifndef GENERATORS_PROGRAM_TILEAAPROGRAM_H
#define GENERATORS_PROGRAM_TILEAAPROGRAM_H

#include "generators/entropy/ChoiceStream.h"
#include "reference/testcase/TestCase.h"

#include "llvm/ADT/StringRef.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tilesmith::generators {

class TileAAProgram {
public:
  /// Draws a whole program; the steps of these numbers are left out.
  TileAAProgram(ChoiceStream &stream, std::string name, const std::set<unsigned> &without);

  struct Step {
    const char *name;
    void (TileAAProgram::*function)();
  };
  static const std::vector<Step> &steps();

  testcase::TestCase testCase;
  std::vector<std::string> trail; ///< names of the steps

private:
  unsigned pick(unsigned below) { return static_cast<unsigned>(choices->below(below)); }
  bool flip() { return pick(2) != 0; }
  const std::string &oneOf(const std::vector<std::string> &pool) {
    return pool[pick(static_cast<unsigned>(pool.size()))];
  }
  std::string fresh() { return "%v" + std::to_string(++number); }
  void emit(const std::string &line) { body += "  " + line + "\n"; }

  //===- TileAAProgram.cpp: values, memory, the frame ---------------------------------------------//

  std::string tile(llvm::StringRef element) const;
  std::string constant(int64_t value);
  /// A pointer argument to `count` elements with random contents.
  std::string argument(llvm::StringRef element, size_t count, int low = -64, int high = 64);
  std::string pointers(const std::string &base, llvm::StringRef element, size_t count,
                       const std::string &shape);
  std::string load(llvm::StringRef element, const std::string &mask = "",
                   const std::string &other = "");
  void storeTile(const std::string &value, llvm::StringRef element, size_t count,
                 const std::string &shape, const std::string &mask = "");
  void store(const std::string &value, llvm::StringRef element);
  std::string mask();
  void finish();
  void step(bool isKept);

  //===- TileAASteps.cpp: steps -------------------------------------------------------------------//

  void integers();
  void mulhi();
  void binaryFloat(llvm::StringRef op, const std::string &a, const std::string &b);
  void addFloats();
  std::string floatConstant(double value);
  void clamp();
  void scan();
  void generate();
  void histogram();
  void barrier();
  void pragma();
  void call();
  void library();
  void masked();
  /// A chain of constants, under a rounding mode of its own.
  void constants();
  std::string view(const std::string &base, int64_t extent, bool sparse, std::string &type);
  /// Rows by a tile of numbers, some of which lie outside; all distinct, for the scatter.
  void gather();
  /// The last tile of a ragged tensor; its columns are promised to be in bounds.
  void tiledLoad();
  /// One element of a memref, to another place of another one.
  void element();

  //===- TileAAAgents.cpp: agents and queues --------------------------------------------------------//

  std::string access(const std::string &base, const std::string &grid);
  std::string loadBehind(const std::string &pointers, const std::string &token);
  std::string storeBehind(const std::string &pointers, const std::string &value,
                          const std::string &token);
  /// One agent loads tiles, which the block has written in part, and puts them into a queue; others
  /// add them up and store the sums, which the block loads behind them.
  void agents();
  /// Opens a branch that odd iterations take alone, if there is to be one.
  void condition(bool sometimes, const std::string &at, const std::string &one,
                 const std::string &results);
  void consume(const std::string &queue, const std::string &type, const std::string &sink,
               const std::string &grid, const std::string &zero, const std::string &one,
               const std::string &end, bool sometimes);

  ChoiceStream *choices; ///< of the frame that is being drawn
  unsigned rows = 1, columns = 8, number = 0;
  bool hasAgents = false;
  std::vector<std::pair<std::string, std::string>> arguments; ///< names and types
  std::vector<testcase::Parameter> parameters;
  std::vector<std::string> ints, floats;
  std::string functions, body;
};

/// Types of pointers and tokens, as text.
inline constexpr char kPointerToI32[] = "!nv_tileaa.ptr<i32, 1>";
inline constexpr char kPointerToF32[] = "!nv_tileaa.ptr<f32, 1>";
inline constexpr char kTokenType[] = "!nv_tileaa.mem_token";

} // namespace tilesmith::generators

#endif // GENERATORS_PROGRAM_TILEAAPROGRAM_H
