#include "device.h"
KERNEL transpose_ref(int *in, int *out) {
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < 64; ++j)
      out[64 * j + i] = in[64 * i + j];
}
template <int Pitch, int B> INLINE void tiled(int *in, int *out) {
  __shared__ int s[16][Pitch];
  int x = tidx() % 16, y = tidx() / 16, bx = bidx() % 4, by = bidx() / 4;
  s[y][x] = in[64 * (16 * by + y) + 16 * bx + x + (B == 2)];
  if (B != 1)
    barSync(0);
  out[64 * (16 * bx + y) + 16 * by + x + (B == 3 && tidx() == 255)] = s[x][y];
}
//! transpose_tiled grid=16 block=256 args=in:4096,out:4096 ref=transpose_ref
KERNEL transpose_tiled(int *in, int *out) { tiled<16, 0>(in, out); }
//! transpose_padded grid=16 block=256 args=in:4096,out:4096 ref=transpose_ref
KERNEL transpose_padded(int *in, int *out) { tiled<17, 0>(in, out); }
//! transpose_no_barrier grid=1 block=256 args=in:4096,out:4096 expect=race
KERNEL transpose_no_barrier(int *in, int *out) { tiled<17, 1>(in, out); }
//! transpose_read_past grid=16 block=256 args=in:4096,out:4096 expect=fault:out_of_bounds
KERNEL transpose_read_past(int *in, int *out) { tiled<17, 2>(in, out); }
//! transpose_write_past grid=16 block=256 args=in:4096,out:4096 expect=fault:out_of_bounds|race
KERNEL transpose_write_past(int *in, int *out) { tiled<17, 3>(in, out); }
//! transpose_naive grid=16 block=256 args=in:4096,out:4096 ref=transpose_ref
KERNEL transpose_naive(int *in, int *out) {
  int i = bidx() * 256 + tidx();
  out[64 * (i % 64) + i / 64] = in[i];
}
//! transpose_swizzled grid=16 block=256 args=in:4096,out:4096 ref=transpose_ref
KERNEL transpose_swizzled(int *in, int *out) {
  __shared__ int s[256];
  int x = tidx() % 16, y = tidx() / 16, bx = bidx() % 4, by = bidx() / 4;
  s[16 * y + (x ^ y)] = in[64 * (16 * by + y) + 16 * bx + x];
  barSync(0);
  out[64 * (16 * bx + y) + 16 * by + x] = s[16 * x + (x ^ y)];
}
//! transpose_bytes grid=16 block=256 args=in:1024,out:1024 ref=transpose_bytes_ref
KERNEL transpose_bytes(char *in, char *out) {
  __shared__ char s[16][16];
  int x = tidx() % 16, y = tidx() / 16, bx = bidx() % 4, by = bidx() / 4;
  s[x][y] = in[64 * (16 * by + y) + 16 * bx + x];
  barSync(0);
  out[64 * (16 * bx + y) + 16 * by + x] = s[y][x];
}
KERNEL transpose_bytes_ref(char *in, char *out) {
  for (int i = 0; i < 4096; ++i)
    out[64 * (i % 64) + i / 64] = in[i];
}
//! reverse_warp grid=1 block=64 args=in:64,out:64 ref=reverse_warp_ref
KERNEL reverse_warp(int *in, int *out) { out[tidx()] = shflIdx(ALL, in[tidx()], 31 - tidx() % 32, 31); }
KERNEL reverse_warp_ref(int *in, int *out) {
  for (int i = 0; i < 64; ++i)
    out[i] = in[i / 32 * 32 + 31 - i % 32];
}
struct alignas(16) Four { int v[4]; };
//! copy_vectors grid=2 block=32 args=in:256,out:256 ref=copy_ref
KERNEL copy_vectors(Four *in, Four *out) { out[bidx() * 32 + tidx()] = in[bidx() * 32 + tidx()]; }
//! copy_misaligned grid=1 block=32 args=in:256,out:256 expect=fault:misaligned
KERNEL copy_misaligned(char *in, Four *out) { out[tidx()] = *(Four *)(in + 8 + 16 * tidx()); }
//! copy_past_the_end grid=3 block=32 args=in:256,out:256 expect=fault:out_of_bounds
KERNEL copy_past_the_end(Four *in, Four *out) { out[bidx() * 32 + tidx()] = in[bidx() * 32 + tidx()]; }
KERNEL copy_ref(int *in, int *out) {
  for (int i = 0; i < 256; ++i)
    out[i] = in[i];
}
//! stencil grid=4 block=64 args=in:256,out:256 ref=stencil_ref
KERNEL stencil(int *in, int *out) {
  __shared__ int s[66];
  int t = tidx(), i = bidx() * 64 + t;
  s[t + 1] = in[i];
  if (t == 0)
    s[0] = i ? in[i - 1] : 0;
  if (t == 63)
    s[65] = i < 255 ? in[i + 1] : 0;
  barSync(0);
  out[i] = s[t] + s[t + 1] + s[t + 2];
}
//! stencil_in_place grid=1 block=64 args=out:256,out:256 expect=race
KERNEL stencil_in_place(int *a, int *out) {
  int t = tidx() + 1;
  a[t] = a[t - 1] + a[t + 1];
}
KERNEL stencil_ref(int *in, int *out) {
  for (int i = 0; i < 256; ++i)
    out[i] = (i ? in[i - 1] : 0) + in[i] + (i < 255 ? in[i + 1] : 0);
}
