// Scales of fewer than 128 columns: the lines that are copied to tensor memory are half empty, and tensor cores multiply as ever.
// RUN: tileiras %corpus/strategies/tensor_mxf8_narrow/kernel.v13.3.tileirbc --gpu-name sm_100 --emit=ptx -o - | FileCheck %s --implicit-check-not=fma.rn.f32

// CHECK: .entry
// CHECK: tcgen05.cp.cta_group::1.32x128b.warpx4
// CHECK: tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale
