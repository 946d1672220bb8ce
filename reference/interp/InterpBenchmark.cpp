//===- InterpBenchmark.cpp - how fast the reference is ----------------------------------------===//
//
// Elementwise ops, reductions and a matrix product on the interpreter, in both domains. Counters:
//   results/s    elements computed per second
//   plain        how many times faster a plain C++ loop of the same kind is, measured in this run
//   concrete     enclosure rows: time relative to the concrete domain, measured in this run
//
//===------------------------------------------------------------------------------------------===//
#include <ctime>
#include <optional>

#include <benchmark/benchmark.h>

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "reference/interp/RunCase.h"

using namespace tilesmith;
using namespace tilesmith::reference;

namespace {

/// Processor time, so that ratios mean something on a busy machine.
template <typename Function> double secondsOf(Function function) {
  std::clock_t start = std::clock();
  function();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// Best of several runs.
template <typename Function> double bestOf(int runs, Function function) {
  double best = 1e9;
  for (int i = 0; i < runs; ++i)
    best = std::min(best, secondsOf(function));
  return best;
}

/// Seconds per result of a plain loop that adds.
double plainLoopSeconds() {
  static const double seconds = [] {
    std::vector<float> x(65536, 1.5f), y = x;
    return bestOf(20,
                  [&] {
                    for (int k = 0; k < 16; ++k) {
                      for (size_t i = 0; i < x.size(); ++i)
                        y[i] += x[i];
                      benchmark::DoNotOptimize(y.data());
                      benchmark::ClobberMemory();
                    }
                  }) /
           (16 * 65536.0);
  }();
  return seconds;
}

/// Seconds per fused step of a plain matrix product in row order.
double plainProductSeconds() {
  static const double seconds = [] {
    std::vector<float> a(128 * 64, 1.5f), b(64 * 128, 0.5f), c(128 * 128, 0);
    return bestOf(5,
                  [&] {
                    for (int i = 0; i < 128; ++i)
                      for (int k = 0; k < 64; ++k)
                        for (int j = 0; j < 128; ++j)
                          c[i * 128 + j] += a[i * 64 + k] * b[k * 128 + j];
                    benchmark::DoNotOptimize(c.data());
                    benchmark::ClobberMemory();
                  }) /
           (128.0 * 128 * 64);
  }();
  return seconds;
}

/// A kernel that can be launched again and again.
class Kernel {
public:
  explicit Kernel(const std::string &body) {
    loadReferenceDialects(context);
    parsed = mlir::parseSourceString<mlir::ModuleOp>(
        "cuda_tile.module @m {\nentry @k() {\n" + body + "\n}\n}\n", &context);
  }
  /// Empty if it completed.
  std::string launch(Domain domain) {
    if (!parsed)
      return "body does not parse";
    LaunchRequest request;
    request.entry = "k";
    request.domain = domain;
    Interpreter interpreter;
    Outcome outcome = interpreter.launch(*parsed->getOps<cuda_tile::ModuleOp>().begin(), request);
    return outcome.completed() ? "" : outcome.describe();
  }

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> parsed;
};

/// Runs the body once per iteration. `plainSeconds` is what one result costs in a plain loop.
void runBody(benchmark::State &state, const std::string &body, double results, Domain domain,
             double plainSeconds) {
  Kernel kernel(body);
  double best = 1e9;
  for (auto _ : state) {
    std::string failure;
    best = std::min(best, secondsOf([&] { failure = kernel.launch(domain); }));
    if (!failure.empty()) {
      state.SkipWithError(failure.c_str());
      return;
    }
  }
  state.counters["results/s"] =
      benchmark::Counter(results, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["plain"] = best / (results * plainSeconds);
  if (domain == Domain::Enclosure)
    state.counters["concrete"] = best / bestOf(5, [&] { kernel.launch(Domain::Concrete); });
}

/// A chain of 16 ops on 65536 elements. `enclosed`: one of the operands is known within bounds
/// (the exponential of a scalar, broadcast).
std::string chain(const std::string &op, const std::string &type, const std::string &constant,
                  bool enclosed = false) {
  std::string tile = "tile<65536x" + type + ">";
  std::string body = "%x0 = constant <" + type + ": " + constant + "> : " + tile + "\n";
  if (enclosed)
    body = "%s = constant <" + type + ": " + constant + "> : tile<1x" + "" + type +
           ">\n%e = exp %s : tile<1x" + type + ">\n%x0 = broadcast %e : tile<1x" + type + "> -> " +
           tile + "\n";
  for (int i = 0; i < 16; ++i)
    body += "%x" + std::to_string(i + 1) + " = " + op + " %x" + std::to_string(i) +
            ", %x0 : " + tile + "\n";
  return body;
}

void elementwise(benchmark::State &state, const char *op, const char *type, const char *constant) {
  runBody(state, chain(op, type, constant), 16.0 * 65536, Domain::Concrete, plainLoopSeconds());
}
BENCHMARK_CAPTURE(elementwise, addf_f32, "addf", "f32", "1.5")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(elementwise, mulf_f64, "mulf", "f64", "1.5")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(elementwise, addf_f16, "addf", "f16", "1.5")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(elementwise, addf_bf16, "addf", "bf16", "1.5")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(elementwise, addi_i32, "addi", "i32", "3")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(elementwise, muli_i32, "muli", "i32", "3")->Unit(benchmark::kMillisecond);

void enclosedPoints(benchmark::State &state, const char *op, const char *type,
                    const char *constant) {
  runBody(state, chain(op, type, constant), 16.0 * 65536, Domain::Enclosure, plainLoopSeconds());
}
BENCHMARK_CAPTURE(enclosedPoints, addf_f32, "addf", "f32", "1.5")->Unit(benchmark::kMillisecond);

void enclosedRanges(benchmark::State &state, const char *op, const char *type,
                    const char *constant) {
  runBody(state, chain(op, type, constant, true), 16.0 * 65536, Domain::Enclosure,
          plainLoopSeconds());
}
#define RANGES(op, type)                                                                           \
  BENCHMARK_CAPTURE(enclosedRanges, op##_##type, #op, #type, "0.5")->Unit(benchmark::kMillisecond)
RANGES(addf, f32);
RANGES(subf, f32);
RANGES(mulf, f32);
RANGES(divf, f32);
RANGES(maxf, f32);
RANGES(minf, f32);
RANGES(remf, f32);
RANGES(addf, f64);
RANGES(subf, f64);
RANGES(mulf, f64);
RANGES(divf, f64);
RANGES(maxf, f64);
RANGES(addf, f16);
RANGES(mulf, f16);
RANGES(maxf, f16);
RANGES(addf, bf16);
#undef RANGES

/// A chain of 16 steps, written out over the value before ($), the one made (!), its number (#) and
/// the type (@).
void enclosedSteps(benchmark::State &state, const char *type, const char *step) {
  std::string tile = "tile<65536x" + std::string(type) + ">",
              one = "tile<1x" + std::string(type) + ">";
  std::string body = "%s = constant <" + std::string(type) + ": 0.5> : " + one +
                     "\n%e = exp %s : " + one + "\n%x0 = broadcast %e : " + one + " -> " + tile +
                     "\n";
  for (int i = 0; i < 16; ++i)
    for (char c : std::string(step))
      body += c == '@'   ? tile
              : c == '$' ? "%x" + std::to_string(i)
              : c == '!' ? "%x" + std::to_string(i + 1)
              : c == '#' ? std::to_string(i)
                         : std::string(1, c);
  runBody(state, body, 16.0 * 65536, Domain::Enclosure, plainLoopSeconds());
}
#define STEPS(name, type, step)                                                                    \
  BENCHMARK_CAPTURE(enclosedSteps, name##_##type, #type, step)->Unit(benchmark::kMillisecond)
STEPS(negf, f32, "! = negf $ : @\n");
STEPS(absf, f32, "! = absf $ : @\n");
STEPS(sqrt, f32, "! = sqrt $ : @\n");
STEPS(floor, f32, "! = floor $ : @\n");
STEPS(fma, f32, "! = fma $, %x0, %x0 : @\n");
STEPS(fma, f64, "! = fma $, %x0, %x0 : @\n");
STEPS(ftof, f32, "%h# = ftof $ : @ -> tile<65536xf16>\n! = ftof %h# : tile<65536xf16> -> @\n");
STEPS(cmpf, f32, "%c# = cmpf less_than ordered $, %x0 : @ -> tile<65536xi1>\n! = negf $ : @\n");
STEPS(select, f32,
      "%c# = constant <i1: 1> : tile<65536xi1>\n! = select %c#, $, %x0 : tile<65536xi1>, @\n");
STEPS(reshape, f32, "! = reshape $ : @ -> @\n");
#undef STEPS

/// Eight stores and loads of 65536 elements, through a view or a tile of pointers.
void memoryAccess(benchmark::State &state, Domain domain, bool view) {
  std::string body = R"(%s = constant <f32: 0.5> : tile<1xf32>
    %e = exp %s : tile<1xf32>
    %x0 = broadcast %e : tile<1xf32> -> tile<65536xf32>
    %p = alloca num_elem = 65536, alignment = 256 : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %t0 = make_token : token
    )";
  body +=
      view
          ? R"(%tv = make_tensor_view %p, shape = [65536], strides = [1] : tensor_view<65536xf32, strides=[1]>
    %v = make_partition_view %tv : partition_view<tile=(65536), tensor_view<65536xf32, strides=[1]>>
    )"
          : R"(%p1 = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
    %pb = broadcast %p1 : tile<1xptr<f32>> -> tile<65536xptr<f32>>
    %i = iota : tile<65536xi32>
    %pp = offset %pb, %i : tile<65536xptr<f32>>, tile<65536xi32> -> tile<65536xptr<f32>>
    )";
  const char *step =
      view
          ? R"(%s# = store_view_tko weak %x#, %v[%zero] token = %t# : tile<65536xf32>, partition_view<tile=(65536), tensor_view<65536xf32, strides=[1]>>, tile<i32> -> token
    %x!, %t! = load_view_tko weak %v[%zero] token = %s# : partition_view<tile=(65536), tensor_view<65536xf32, strides=[1]>>, tile<i32> -> tile<65536xf32>, token
    )"
          : R"(%s# = store_ptr_tko weak %pp, %x# token=%t# : tile<65536xptr<f32>>, tile<65536xf32> -> token
    %x!, %t! = load_ptr_tko weak %pp token=%s# : tile<65536xptr<f32>> -> tile<65536xf32>, token
    )";
  for (int i = 0; i < 8; ++i)
    for (char c : std::string(step))
      body += c == '#' ? std::to_string(i) : c == '!' ? std::to_string(i + 1) : std::string(1, c);
  runBody(state, body, 16.0 * 65536, domain, plainLoopSeconds());
}
#define MEMORY(name, view)                                                                         \
  BENCHMARK_CAPTURE(memoryAccess, name##_concrete, Domain::Concrete, view)                         \
      ->Unit(benchmark::kMillisecond);                                                             \
  BENCHMARK_CAPTURE(memoryAccess, name##_ranges, Domain::Enclosure, view)                          \
      ->Unit(benchmark::kMillisecond)
MEMORY(view, true);
MEMORY(pointers, false);
#undef MEMORY

void matrixProduct(benchmark::State &state, Domain domain, const char *value) {
  runBody(state,
          std::string("%a = constant <f32: ") + value +
              "> : tile<128x64xf32>\n%b = constant <f32: " + value +
              "> : tile<64x128xf32>\n%c = constant <f32: 0.0> : tile<128x128xf32>\n"
              "%r = mmaf %a, %b, %c : tile<128x64xf32>, tile<64x128xf32>, tile<128x128xf32>\n",
          128.0 * 128 * 64, domain, plainProductSeconds());
}
BENCHMARK_CAPTURE(matrixProduct, concrete, Domain::Concrete, "1.1")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(matrixProduct, enclosure, Domain::Enclosure, "1.1")
    ->Unit(benchmark::kMillisecond);

void reduction(benchmark::State &state, Domain domain) {
  runBody(state, R"(%a = constant <f32: 1.1> : tile<64x1024xf32>
    %r = reduce %a dim=1 identities=[0.0 : f32] : tile<64x1024xf32> -> tile<64xf32>
    (%x: tile<f32>, %y: tile<f32>) {
      %s = addf %x, %y : tile<f32>
      yield %s : tile<f32>
    })",
          64.0 * 1024, domain, plainLoopSeconds());
}
BENCHMARK_CAPTURE(reduction, concrete, Domain::Concrete)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(reduction, enclosure, Domain::Enclosure)->Unit(benchmark::kMillisecond);

} // namespace
