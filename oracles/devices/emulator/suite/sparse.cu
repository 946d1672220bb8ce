#include "device.h"
typedef _Float16 half;
// Two of four elements of A are stored; row r, chunk c: at p(r, c) and the next.
INLINE int place(int row, int chunk) {
  return (row + chunk) % 3;
}
template <int Selector> INLINE void mmaSparse(float *d, const u32 *a, const u32 *b, u32 e) {
  asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%0,%1,%2,%3}, %12, %13;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]),
                 "r"(b[3]), "r"(e), "n"(Selector));
}
// B: 1 metadata in the lanes that the selector does not name, 2 descending, 3 of the wrong rows
template <int B> INLINE void sparse(u32 *a, u32 *b, float *c) {
  int g = tidx() / 4, t = tidx() % 4;
  u32 x[4] = {a[8 * g + t], a[8 * (g + 8) + t], a[8 * g + t + 4], a[8 * (g + 8) + t + 4]};
  u32 y[4] = {b[16 * g + t], b[16 * g + t + 4], b[16 * g + t + 8], b[16 * g + t + 12]};
  u32 e = 0;
  if (t < 2)
    for (int i = 0; i < 8; ++i) {
      int row = g + (B == 3 ? 8 - i / 4 * 8 : i / 4 * 8), p = place(row, 4 * t + i % 4);
      e |= (B == 2 ? p + 1 | p << 2 : p | p + 1 << 2) << 4 * i;
    }
  float d[4] = {0, 0, 0, 0};
  mmaSparse < B == 1 ? 1 : 0 > (d, x, y, e);
  c[8 * g + 2 * t] = d[0], c[8 * g + 2 * t + 1] = d[1];
  c[8 * (g + 8) + 2 * t] = d[2], c[8 * (g + 8) + 2 * t + 1] = d[3];
}
//! mma_sparse grid=1 block=32 args=half:256,half:256,out:128 ref=mma_sparse_ref
KERNEL mma_sparse(u32 *a, u32 *b, float *c) { sparse<0>(a, b, c); }
//! mma_sparse_wrong_lanes grid=1 block=32 args=half:256,half:256,out:128 expect=fault:metadata
KERNEL mma_sparse_wrong_lanes(u32 *a, u32 *b, float *c) { sparse<1>(a, b, c); }
//! mma_sparse_descending grid=1 block=32 args=half:256,half:256,out:128 expect=fault:ascending
KERNEL mma_sparse_descending(u32 *a, u32 *b, float *c) { sparse<2>(a, b, c); }
//! mma_sparse_swapped grid=1 block=32 args=half:256,half:256,out:128 ref=mma_sparse_ref expect=result
KERNEL mma_sparse_swapped(u32 *a, u32 *b, float *c) { sparse<3>(a, b, c); }
KERNEL mma_sparse_ref(half *a, half *b, float *c) {
  for (int i = 0; i < 128; ++i)
    for (int k = 0; k < 16; ++k) {
      int row = i / 8, at = k / 2 * 4 + place(row, k / 2) + k % 2;
      c[i] += (float)a[16 * row + k] * (float)b[32 * (i % 8) + at];
    }
}
// wmma through clang's builtins. B: 1 no barrier after staging, 2 loaded by columns, used by rows,
// 3 a row too far, 4 rows that are not aligned
template <int B> INLINE void wmma(int *a, int *b, float *c) {
  alignas(32) __shared__ int s[128];
  for (int i = tidx(); i < 128; i += 32)
    s[i] = a[i];
  if (B != 1)
    warpSync(ALL);
  int x[8], y[8];
  float d[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  __hmma_m16n16k16_ld_a(x, B == 3 ? a + 8 : s, B == 4 ? 12 : 16, B == 2);
  __hmma_m16n16k16_ld_b(y, b, 16, 1);
  __hmma_m16n16k16_mma_f32f32(d, x, y, d, 1, 0);
  __hmma_m16n16k16_st_c_f32(c, d, 16, 0);
}
//! wmma_f16 grid=1 block=32 args=half:256,half:256,out:256 ref=wmma_ref
KERNEL wmma_f16(int *a, int *b, float *c) { wmma<0>(a, b, c); }
//! wmma_no_sync grid=1 block=32 args=half:256,half:256,out:256 expect=race
KERNEL wmma_no_sync(int *a, int *b, float *c) { wmma<1>(a, b, c); }
//! wmma_other_layout grid=1 block=32 args=half:256,half:256,out:256 ref=wmma_ref expect=result
KERNEL wmma_other_layout(int *a, int *b, float *c) { wmma<2>(a, b, c); }
//! wmma_row_too_far grid=1 block=32 args=half:256,half:256,out:256 expect=fault:out_of_bounds
KERNEL wmma_row_too_far(int *a, int *b, float *c) { wmma<3>(a, b, c); }
//! wmma_misaligned_rows grid=1 block=32 args=half:256,half:256,out:256 expect=fault:misaligned
KERNEL wmma_misaligned_rows(int *a, int *b, float *c) { wmma<4>(a, b, c); }
KERNEL wmma_ref(half *a, half *b, float *c) {
  for (int i = 0; i < 256; ++i)
    for (int k = 0; k < 16; ++k)
      c[i] += (float)a[16 * (i / 16) + k] * (float)b[16 * (i % 16) + k];
}
