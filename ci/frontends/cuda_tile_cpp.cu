// Kernels in CUDA Tile C++, written for this repository. ci/frontends/run compiles every part behind a `//== NAME` line as
// a file of its own, behind the common lines up to the first of them.
#include "cuda_tile.h"
namespace ct = cuda::tiles;
using namespace ct::literals;

//== saxpy
__tile_global__ void saxpy(float a, const float* x, float* y, int n) {
  auto i = ct::iota<ct::tile<int, ct::shape<128>>>() + int(ct::bid().x) * 128;
  auto in = i < n;
  ct::store_masked(y + i, a * ct::load_masked(x + i, in, 0.0f) + ct::load_masked(y + i, in, 0.0f), in);
}

//== copy_2d
__tile_global__ void copy2d(const int* x, int* y, int rows, int cols) {
  auto r = ct::iota<ct::tile<int, ct::shape<8, 1>>>() + int(ct::bid().y) * 8;
  auto c = ct::iota<ct::tile<int, ct::shape<1, 32>>>() + int(ct::bid().x) * 32;
  auto in = r < rows && c < cols;
  ct::store_masked(y + (r * cols + c), ct::load_masked(x + (r * cols + c), in, 0), in);
}

//== row_sums
__tile_global__ void rowSums(const float* x, float* s, int cols) {
  auto c = ct::iota<ct::tile<int, ct::shape<1, 64>>>();
  auto total = ct::zeros<ct::tile<float, ct::shape<1, 64>>>();
  for (int base = 0; base < cols; base += 64) {
    auto p = base + c;
    total = total + ct::load_masked(x + (int(ct::bid().x) * cols + p), p < cols, 0.0f);
  }
  s[ct::bid().x] = float(ct::sum(total, 1_ic));
}

//== softmax
__tile_global__ void softmaxRows(const float* x, float* y, int cols) {
  auto c = ct::iota<ct::tile<int, ct::shape<1, 128>>>();
  auto in = c < cols;
  auto v = ct::load_masked(x + (int(ct::bid().x) * cols + c), in, -__builtin_huge_valf());
  auto e = ct::exp(v - ct::reduce_max(v, 1_ic));
  ct::store_masked(y + (int(ct::bid().x) * cols + c), e / ct::sum(e, 1_ic), in);
}

//== gemm_f16
#include <cuda_fp16.h>
__tile_global__ void gemm(const __half* a, const __half* b, float* c, int depth) {
  auto r = ct::iota<ct::tile<int, ct::shape<32, 1>>>();
  auto n = ct::iota<ct::tile<int, ct::shape<1, 32>>>();
  auto k1 = ct::iota<ct::tile<int, ct::shape<1, 16>>>();
  auto k2 = ct::iota<ct::tile<int, ct::shape<16, 1>>>();
  auto acc = ct::zeros<ct::tile<float, ct::shape<32, 32>>>();
  for (int k = 0; k < depth; k += 16)
    acc = ct::mma(ct::load(a + (r * depth + k + k1)), ct::load(b + ((k + k2) * 32 + n)), acc);
  ct::store(c + (r * 32 + n), acc);
}

//== gemm_views
#include <cuda_bf16.h>
__tile_global__ void gemmViews(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c, int m, int k) {
  auto va = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<32, 16>{}};
  auto vb = ct::partition_view{ct::tensor_span{b, ct::extents{k, 32_ic}}, ct::shape<16, 32>{}};
  auto vc = ct::partition_view{ct::tensor_span{c, ct::extents{m, 32_ic}}, ct::shape<32, 32>{}};
  auto acc = ct::zeros<ct::tile<float, ct::shape<32, 32>>>();
  for (auto t : ct::irange(0u, unsigned(k) / 16u)) acc = ct::mma(va.load(ct::bid().x, t), vb.load(t, 0), acc);
  vc.store(acc, ct::bid().x, 0);
}

//== gemm_i8
__tile_global__ void gemmBytes(const signed char* a, const signed char* b, int* c) {
  auto x = ct::load(a + ct::iota<ct::tile<int, ct::shape<16, 64>>>());
  auto y = ct::load(b + ct::iota<ct::tile<int, ct::shape<64, 16>>>());
  auto i = ct::iota<ct::tile<int, ct::shape<16, 16>>>();
  ct::store(c + i, ct::mma(x, y, ct::load(c + i)));
}

//== gemm_f64
__tile_global__ void gemmDouble(const double* a, const double* b, double* c) {
  auto i = ct::iota<ct::tile<int, ct::shape<16, 16>>>();
  ct::store(c + i, ct::mma(ct::load(a + i), ct::load(b + i), ct::load(c + i)));
}

//== gemm_batched
#include <cuda_fp16.h>
__tile_global__ void gemmBatched(const __half* a, const __half* b, float* d) {
  auto x = ct::load(a + ct::iota<ct::tile<int, ct::shape<2, 16, 32>>>());
  auto y = ct::load(b + ct::iota<ct::tile<int, ct::shape<2, 32, 16>>>());
  ct::store(d + ct::iota<ct::tile<int, ct::shape<2, 16, 16>>>(), ct::mma(x, y, ct::zeros<ct::tile<float, ct::shape<2, 16, 16>>>()));
}

//== gemm_fp8
#include <cuda_fp8.h>
__tile_global__ void gemmEight(const __nv_fp8_e4m3* a, const __nv_fp8_e4m3* b, float* c) {
  auto x = ct::load(a + ct::iota<ct::tile<int, ct::shape<16, 32>>>());
  auto y = ct::load(b + ct::iota<ct::tile<int, ct::shape<32, 16>>>());
  auto i = ct::iota<ct::tile<int, ct::shape<16, 16>>>();
  ct::store(c + i, ct::mma(x, y, ct::load(c + i)));
}

//== transcendental
__tile_global__ void functions(const float* x, float* y) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto v = ct::load(x + i);
  ct::store(y + i, ct::exp(v) + ct::sin(v) * ct::cos(v) - ct::log2(v) + ct::tanh(v) * ct::rsqrt(v) + ct::pow(v, v));
}

//== double_functions
__tile_global__ void functionsDouble(const double* x, double* y) {
  auto i = ct::iota<ct::tile<int, ct::shape<32>>>();
  auto v = ct::load(x + i);
  ct::store(y + i, ct::sqrt(v) + ct::exp2(v) + ct::floor(v) - ct::ceil(v) + ct::atan2(v, v));
}

//== bits
__tile_global__ void bits(const unsigned* x, unsigned* y) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto v = ct::load(x + i);
  ct::store(y + i, ((v << 3) ^ (v >> 5)) | (~v & 0xff00ffu));
}

//== division
__tile_global__ void division(const int* x, const int* y, int* o) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto a = ct::load(x + i), b = ct::load(y + i);
  ct::store(o + i, a / b + a % b);
}

//== collatz
__tile_global__ void collatz(const long long* start, int* steps) {
  long long n = start[ct::bid().x];
  int k = 0;
  while (n != 1 && k < 1000) {
    n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    ++k;
  }
  steps[ct::bid().x] = k;
}

//== early_return
__tile_global__ void earlyReturn(const int* flags, int* out) {
  unsigned b = ct::bid().x;
  if (flags[b] == 0) return;
  for (int k = 0; k < 8; ++k) {
    if (flags[b] == k) continue;
    if (k == 6) break;
    out[b * 8 + k] = k;
  }
}

//== histogram
__tile_global__ void histogram(const unsigned char* x, int* bins) {
  auto i = ct::iota<ct::tile<int, ct::shape<128>>>() + int(ct::bid().x) * 128;
  auto v = ct::load(x + i);
  ct::atomic_add(bins + ct::element_cast<int>(v), ct::ones<ct::tile<int, ct::shape<128>>>(), ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{});
}

//== cas_loop
__tile_global__ void exchange(unsigned* cells, const unsigned* want, unsigned* seen) {
  auto i = ct::iota<ct::tile<int, ct::shape<32>>>();
  auto old = ct::atomic_compare_exchange(cells + i, ct::load(seen + i), ct::load(want + i), ct::memory_order_acq_rel_t{}, ct::thread_scope_device_t{});
  ct::store(seen + i, old);
}

//== reductions
__tile_global__ void reductions(const int* x, int* o) {
  auto v = ct::load(x + ct::iota<ct::tile<int, ct::shape<8, 16>>>());
  auto r = ct::iota<ct::tile<int, ct::shape<8, 1>>>();
  ct::store(o + r, ct::sum(v, 1_ic));
  ct::store(o + 8 + r, ct::reduce_max(v, 1_ic));
  ct::store(o + 16 + r, ct::reduce_bitxor(v, 1_ic));
}

//== scans
__tile_global__ void scans(const int* x, int* o) {
  auto i = ct::iota<ct::tile<int, ct::shape<4, 32>>>();
  auto v = ct::load(x + i);
  ct::store(o + i, ct::partial_sum(v, 1_ic));
  ct::store(o + 128 + i, ct::partial_sum(v, 0_ic, ct::scan_backward_t{}));
}

//== reshape_permute
__tile_global__ void shapes(const int* x, int* o) {
  auto v = ct::load(x + ct::iota<ct::tile<int, ct::shape<8, 16>>>());
  auto w = ct::reshape(v, ct::shape<4, 2, 16>{});
  ct::store(o + ct::iota<ct::tile<int, ct::shape<4, 2, 16>>>(), w * 2);
}

//== cat_extract
__tile_global__ void catExtract(const float* x, float* o) {
  auto v = ct::load(x + ct::iota<ct::tile<int, ct::shape<4, 32>>>());
  ct::store(o + ct::iota<ct::tile<int, ct::shape<1, 32>>>(), ct::extract(v, ct::shape<1, 32>{}, 2, 0));
}

//== casts
#include <cuda_fp16.h>
__tile_global__ void casts(const float* x, __half* h, int* n, unsigned char* b) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto v = ct::load(x + i);
  ct::store(h + i, ct::element_cast<__half>(v));
  ct::store(n + i, ct::element_cast<int>(v));
  ct::store(b + i, ct::element_cast<unsigned char>(v));
}

//== gather_view
__tile_global__ void moveRows(const float* in, const int* from, float* out, int rows, int cols) {
  auto g = ct::gather_scatter_view{ct::tensor_span{in, ct::extents{rows, cols}}, ct::shape<4, 8>{}, 0_ic};
  auto w = ct::partition_view{ct::tensor_span{out, ct::extents{rows, cols}}, ct::shape<4, 8>{}};
  auto f = ct::load(from + (ct::iota<ct::tile<int, ct::shape<4>>>() + int(ct::bid().x) * 4));
  w.store_masked(g.load_masked(f, int(ct::bid().y) * 8), ct::bid().x, ct::bid().y);
}

//== printing
#include <cstdio>
__tile_global__ void report(int n, float f, double d) {
  printf("n=%d f=%f d=%e\n", n, f, d);
  if (n > 3) printf("large\n");
}

//== asserting
#include <cassert>
__tile_global__ void checked(const int* x, int* o, int n) {
  int v = x[ct::bid().x];
  assert(v < n);
  o[ct::bid().x] = v;
}

//== tables
__tile__ const int primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
__tile_global__ void tables(const int* x, int* o) {
  o[ct::bid().x] = primes[x[ct::bid().x] & 7];
}

//== local_array
__tile_global__ void localArray(const int* x, int* o) {
  int last[4] = {0, 1, 2, 3};
  for (int k = 0; k < 16; ++k) last[x[k] & 3] += k;
  o[ct::bid().x] = last[0] + last[1] * last[2] - last[3];
}

//== grid_3d
__tile_global__ void grid(int* o, int nx, int ny) {
  auto b = ct::bid();
  o[(int(b.z) * ny + int(b.y)) * nx + int(b.x)] = int(b.x + 10 * b.y + 100 * b.z);
}

//== hints
[[cutile::hint(1000, occupancy=2)]]
__tile_global__ void hints(const float* a, float* c, int m) {
  a = ct::assume_aligned(a, 16_ic);
  auto va = ct::partition_view{ct::tensor_span{a, ct::extents{m, 16_ic}}, ct::shape<16, 16>{}};
  auto vc = ct::partition_view{ct::tensor_span{c, ct::extents{m, 16_ic}}, ct::shape<16, 16>{}};
  ct::tile<float, ct::shape<16, 16>> x;
  [[cutile::hint(1000, latency=4)]] x = va.load(ct::bid().x, 0);
  vc.store(x * x, ct::bid().x, 0);
}

//== stencil
__tile_global__ void laplace(const int* x, int* o, int n) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>() + int(ct::bid().x) * 64;
  auto in = i > 0 && i < n - 1;
  auto v = ct::load_masked(x + (i - 1), in, 0) + ct::load_masked(x + (i + 1), in, 0) - 2 * ct::load_masked(x + i, in, 0);
  ct::store_masked(o + i, v, in);
}

//== templates
template <typename T, typename F> __tile__ void apply(const T* x, T* o, F f) {
  auto i = ct::iota<ct::tile<int, ct::shape<32>>>();
  ct::store(o + i, f(ct::load(x + i)));
}
__tile_global__ void templates(const int* x, int* o, const float* y, float* p) {
  apply(x, o, [](auto v) { return v * 3 - 1; });
  apply(y, p, [](auto v) { return v * v; });
}

//== f4_scale
#include <cuda_fp8.h>
__tile_global__ void fours(const __nv_fp8_e8m0* s, __nv_fp8_e8m0* o) {
  auto i = ct::iota<ct::tile<int, ct::shape<32>>>();
  ct::store(o + i, ct::load(s + i));
}
