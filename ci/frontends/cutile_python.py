"""Kernels in cuTile Python, written for this repository, and their export.

usage: cutile_python.py FOLDER --gpu sm_90 --compiler PATH [--format cubin|tileir_bytecode] [--only NAME]
Prints one JSON line per kernel: name, ok, seconds, error. The frontend looks into its own packages before it looks at PATH, and would
silently call NVIDIA's compiler where that is installed: here it does not, and that it calls PATH is asserted. Needs the package cuda-tile;
ci/frontends/run calls this.
"""

import argparse
import json
import os
import sys
import time

import cuda.tile as ct
import cuda.tile.compilation as cc

C = ct.Constant[int]
ZERO = ct.PaddingMode.ZERO
KERNELS = []


def case(*parameters):
    """Registers a kernel with its parameters: "f32:2" an array, "i32" a scalar, a number a constant."""
    def register(function):
        KERNELS.append((function.__name__, ct.kernel(function), parameters))
        return function
    return register


@case("f32:1", "f32:1", "f32:1", 128)
def saxpy(x, y, o, T: C):
    i = ct.bid(0)
    ct.store(o, (i,), 2.5 * ct.load(x, (i,), shape=(T,)) + ct.load(y, (i,), shape=(T,)))


@case("f16:2", "f16:2", 32, 64)
def transpose_tiles(x, o, M: C, N: C):
    i, j = ct.bid(0), ct.bid(1)
    ct.store(o, (j, i), ct.transpose(ct.load(x, (i, j), shape=(M, N))))


@case("f32:2", "f32:2", 256)
def softmax_rows(x, o, N: C):
    i = ct.bid(0)
    t = ct.load(x, (i, 0), shape=(1, N), padding_mode=ct.PaddingMode.NEG_INF)
    e = ct.exp(t - ct.max(t, axis=1, keepdims=True))
    ct.store(o, (i, 0), e / ct.sum(e, axis=1, keepdims=True))


@case("f16:2", "f16:2", "f32:2", 64, 64, 32)
def gemm_f16(a, b, c, M: C, N: C, K: C):
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((M, N), dtype=ct.float32)
    for k in range(ct.num_tiles(a, 1, shape=(M, K))):
        acc = ct.mma(ct.load(a, (i, k), shape=(M, K), padding_mode=ZERO), ct.load(b, (k, j), shape=(K, N), padding_mode=ZERO), acc)
    ct.store(c, (i, j), acc)


@case("bf16:2", "bf16:2", "bf16:2", 64, 32, 64)
def gemm_bf16(a, b, c, M: C, N: C, K: C):
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((M, N), dtype=ct.float32)
    for k in range(ct.num_tiles(a, 1, shape=(M, K))):
        acc = ct.mma(ct.load(a, (i, k), shape=(M, K)), ct.load(b, (k, j), shape=(K, N)), acc)
    ct.store(c, (i, j), ct.astype(acc, ct.bfloat16))


@case("i8:2", "i8:2", "i32:2", 32, 32, 64)
def gemm_i8(a, b, c, M: C, N: C, K: C):
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((M, N), dtype=ct.int32)
    for k in range(ct.num_tiles(a, 1, shape=(M, K))):
        acc = ct.mma(ct.load(a, (i, k), shape=(M, K)), ct.load(b, (k, j), shape=(K, N)), acc)
    ct.store(c, (i, j), acc)


@case("f64:2", "f64:2", "f64:2", 16, 16, 16)
def gemm_f64(a, b, c, M: C, N: C, K: C):
    t = ct.mma(ct.load(a, (0, 0), shape=(M, K)), ct.load(b, (0, 0), shape=(K, N)), ct.load(c, (0, 0), shape=(M, N)))
    ct.store(c, (0, 0), t)


@case("f32:2", "f32:2", "f32:2", 32, 32, 32)
def gemm_tf32(a, b, c, M: C, N: C, K: C):
    x = ct.astype(ct.load(a, (0, 0), shape=(M, K)), ct.tfloat32)
    y = ct.astype(ct.load(b, (0, 0), shape=(K, N)), ct.tfloat32)
    ct.store(c, (0, 0), ct.mma(x, y, ct.zeros((M, N), dtype=ct.float32)))


@case("e4m3:2", "e4m3:2", "f32:2", 32, 32, 64)
def gemm_fp8(a, b, c, M: C, N: C, K: C):
    t = ct.mma(ct.load(a, (0, 0), shape=(M, K)), ct.load(b, (0, 0), shape=(K, N)), ct.zeros((M, N), dtype=ct.float32))
    ct.store(c, (0, 0), t)


@case("f32:2", "f32:1", "f32:2", "f32", 512)
def rms_norm(x, w, o, eps, N: C):
    i = ct.bid(0)
    t = ct.load(x, (i, 0), shape=(1, N), padding_mode=ZERO)
    s = ct.rsqrt(ct.sum(t * t, axis=1, keepdims=True) / N + eps)
    ct.store(o, (i, 0), t * s * ct.load(w, (0,), shape=(N,))[None, :])


@case("f32:1", "f32:1", 128)
def gelu(x, o, T: C):
    i = ct.bid(0)
    t = ct.load(x, (i,), shape=(T,))
    ct.store(o, (i,), 0.5 * t * (1.0 + ct.tanh(0.7978845608 * (t + 0.044715 * t * t * t))))


@case("f32:1", "f32:1", 64)
def transcendental(x, o, T: C):
    i = ct.bid(0)
    t = ct.load(x, (i,), shape=(T,))
    ct.store(o, (i,), ct.sin(t) + ct.cos(t) * ct.exp2(t) - ct.log(ct.abs(t) + 1) + ct.tan(t) + ct.sqrt(ct.abs(t)))


@case("i32:1", "i32:1", "i32:1", 128)
def bit_tricks(x, y, o, T: C):
    i = ct.bid(0)
    a, b = ct.load(x, (i,), shape=(T,)), ct.load(y, (i,), shape=(T,))
    ct.store(o, (i,), ((a & b) | (a ^ 0x55)) + (a << 3) - (b >> 2) + ~a)


@case("i32:1", "i32:1", "i32:1", 64)
def integer_division(x, y, o, T: C):
    i = ct.bid(0)
    a, b = ct.load(x, (i,), shape=(T,)), ct.load(y, (i,), shape=(T,))
    ct.store(o, (i,), a // b + a % b)


@case("f32:1", "i32:1", "f32:1", 128)
def gather_rows(x, idx, o, T: C):
    i = ct.bid(0)
    k = ct.load(idx, (i,), shape=(T,))
    ct.store(o, (i,), ct.gather(x, k, padding_value=0.0))


@case("f32:1", "i32:1", "f32:1", 128)
def scatter_rows(x, idx, o, T: C):
    i = ct.bid(0)
    ct.scatter(o, ct.load(idx, (i,), shape=(T,)), ct.load(x, (i,), shape=(T,)))


@case("i32:1", "i32:1", 128)
def histogram(x, o, T: C):
    i = ct.bid(0)
    ct.atomic_add(o, ct.load(x, (i,), shape=(T,)) & 255, ct.ones((T,), dtype=ct.int32))


@case("i32:1", "i32:1", 64)
def atomics(x, o, T: C):
    v = ct.load(x, (ct.bid(0),), shape=(T,))
    k = ct.arange(T, dtype=ct.int32)
    ct.atomic_max(o, k, v)
    ct.atomic_min(o, k + T, v)
    ct.atomic_xchg(o, k + 2 * T, v)
    ct.atomic_cas(o, k + 3 * T, v, v + 1)


@case("f32:2", "f32:2", 8, 32)
def scans(x, o, M: C, N: C):
    t = ct.load(x, (ct.bid(0), 0), shape=(M, N))
    ct.store(o, (ct.bid(0), 0), ct.cumsum(t, 1) + ct.cumprod(t, 0))


@case("f32:2", "f32:1", "i32:1", 16, 64)
def extremes(x, o, where, M: C, N: C):
    t = ct.load(x, (ct.bid(0), 0), shape=(M, N))
    ct.store(o, (ct.bid(0),), ct.max(t, axis=1) - ct.min(t, axis=1))
    ct.store(where, (ct.bid(0),), ct.astype(ct.argmax(t, axis=1), ct.int32))


@case("f32:1", "f32:1", "f32:1", 64)
def select(x, y, o, T: C):
    i = ct.bid(0)
    a, b = ct.load(x, (i,), shape=(T,)), ct.load(y, (i,), shape=(T,))
    ct.store(o, (i,), ct.where((a > b) & (a < 10), ct.maximum(a, 0), ct.minimum(b, 1)))


@case("f32:3", "f32:3", 4, 8, 16)
def permute_tiles(x, o, A: C, B: C, D: C):
    t = ct.load(x, (ct.bid(0), 0, 0), shape=(A, B, D))
    ct.store(o, (0, ct.bid(0), 0), ct.permute(t, (2, 0, 1)))


@case("f32:1", "f32:1", 64)
def cat_extract(x, o, T: C):
    t = ct.load(x, (0,), shape=(T,))
    u = ct.cat((t, t * 2), 0)
    ct.store(o, (0,), ct.extract(u, (1,), shape=(T,)))


@case("f32:2", "f32:2", "f32:2", "f32:2", 64, 32)
def attention(q, k, v, o, M: C, D: C):
    i = ct.bid(0)
    tq = ct.astype(ct.load(q, (i, 0), shape=(M, D)), ct.float16)
    top = ct.full((M, 1), -1.0e30, dtype=ct.float32)
    total = ct.zeros((M, 1), dtype=ct.float32)
    acc = ct.zeros((M, D), dtype=ct.float32)
    for j in range(ct.num_tiles(k, 0, shape=(M, D))):
        tk = ct.astype(ct.load(k, (j, 0), shape=(M, D)), ct.float16)
        s = ct.mma(tq, ct.transpose(tk), ct.zeros((M, M), dtype=ct.float32)) * 0.125
        new = ct.maximum(top, ct.max(s, axis=1, keepdims=True))
        p = ct.exp(s - new)
        scale = ct.exp(top - new)
        total = total * scale + ct.sum(p, axis=1, keepdims=True)
        tv = ct.astype(ct.load(v, (j, 0), shape=(M, D)), ct.float16)
        acc = ct.mma(ct.astype(p, ct.float16), tv, acc * scale)
        top = new
    ct.store(o, (i, 0), acc / total)


@case("i32:1", "i32:1", 1)
def collatz(x, o, T: C):
    n = ct.load(x, (ct.bid(0),), shape=(T,)).item()
    steps = 0
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps = steps + 1
    ct.store(o, (ct.bid(0),), ct.full((T,), steps, dtype=ct.int32))


@case("f32:1", "f32:1", "i32", 64)
def branches(x, o, mode, T: C):
    t = ct.load(x, (ct.bid(0),), shape=(T,))
    if mode == 0:
        t = t + 1
    elif mode == 1:
        t = t * t
    else:
        t = -t
    ct.store(o, (ct.bid(0),), t)


@case("f32:1", "f16:1", "bf16:1", "e5m2:1", 64)
def narrow_floats(x, o, p, q, T: C):
    t = ct.load(x, (ct.bid(0),), shape=(T,))
    ct.store(o, (ct.bid(0),), ct.astype(t, ct.float16))
    ct.store(p, (ct.bid(0),), ct.astype(t, ct.bfloat16))
    ct.store(q, (ct.bid(0),), ct.astype(t, ct.float8_e5m2))


@case("u8:1", "f32:1", "i64:1", 64)
def integer_floats(x, o, p, T: C):
    t = ct.load(x, (ct.bid(0),), shape=(T,))
    ct.store(o, (ct.bid(0),), ct.astype(t, ct.float32) / 255.0)
    ct.store(p, (ct.bid(0),), ct.astype(t, ct.int64) * 4000000000)


@case("f32:2", "f32:2", 16, 16)
def stencil(x, o, M: C, N: C):
    i, j = ct.bid(0), ct.bid(1)
    r = i * M + ct.arange(M, dtype=ct.int32)[:, None]
    c = j * N + ct.arange(N, dtype=ct.int32)[None, :]
    t = ct.gather(x, (r - 1, c), padding_value=0.0) + ct.gather(x, (r + 1, c), padding_value=0.0)
    u = ct.gather(x, (r, c - 1), padding_value=0.0) + ct.gather(x, (r, c + 1), padding_value=0.0)
    ct.scatter(o, (r, c), 0.25 * (t + u))


@case("f32:1", "f32:1", 32)
def printing(x, o, T: C):
    t = ct.load(x, (ct.bid(0),), shape=(T,))
    ct.printf("block %d\n", ct.bid(0))
    ct.store(o, (ct.bid(0),), t)


@case("i32:1", "i32:1", 64)
def asserting(x, o, T: C):
    t = ct.load(x, (ct.bid(0),), shape=(T,))
    ct.assert_(t >= 0, "expected no negative element")
    ct.store(o, (ct.bid(0),), t)


@case("f32:2", "f32:2", "f32:1", 64, 128)
def matrix_vector(a, o, v, M: C, N: C):
    acc = ct.zeros((M, N), dtype=ct.float32)
    for j in range(ct.num_tiles(a, 1, shape=(M, N))):
        acc = acc + ct.load(a, (ct.bid(0), j), shape=(M, N), padding_mode=ZERO) * ct.load(v, (j,), shape=(N,))[None, :]
    ct.store(o, (ct.bid(0), 0), ct.sum(acc, axis=1, keepdims=True))


@case("i32:2", "i32:2", 8, 16)
def bitonic_step(x, o, M: C, N: C):
    t = ct.load(x, (ct.bid(0), 0), shape=(M, N)).reshape((M * N // 2, 2, 1))
    a = ct.extract(t, (0, 0, 0), shape=(M * N // 2, 1, 1))
    b = ct.extract(t, (0, 1, 0), shape=(M * N // 2, 1, 1))
    u = ct.cat((ct.minimum(a, b), ct.maximum(a, b)), 1)
    ct.store(o, (ct.bid(0), 0), u.reshape((M, N)))


# Reached by no valid compilation for sm_80 and sm_90: both compilers must refuse it there.
@case("f32:1", "f32:1", 64)
def scale_format(x, o, T: C):
    t = ct.astype(ct.load(x, (ct.bid(0),), shape=(T,)), ct.float8_e8m0fnu, rounding_mode=ct.RoundingMode.RP)
    ct.store(o, (ct.bid(0),), ct.astype(t, ct.float32))


TYPES = {"f16": ct.float16, "f32": ct.float32, "f64": ct.float64, "bf16": ct.bfloat16, "i8": ct.int8, "i32": ct.int32,
         "i64": ct.int64, "u8": ct.uint8, "e4m3": ct.float8_e4m3fn, "e5m2": ct.float8_e5m2}


def constraint(text):
    if isinstance(text, int):
        return cc.ConstantConstraint(text)
    kind, _, rank = text.partition(":")
    if not rank:
        return cc.ScalarConstraint(TYPES[kind])
    rank = int(rank)
    return cc.ArrayConstraint(TYPES[kind], rank, index_dtype=ct.int32, stride_lower_bound_incl=0, alias_groups=(),
                              may_alias_internally=False, stride_constant=(None,) * (rank - 1) + (1,),
                              stride_divisible_by=(16,) * (rank - 1) + (1,), base_addr_divisible_by=16)


def useCompiler(path):
    """The frontend calls this compiler, which must be the first one on PATH."""
    from cuda.tile import _compile

    _compile._find_pip_tileiras = lambda: None
    _compile._find_compiler_bin.cache_clear()
    found = _compile._find_compiler_bin().path
    if not os.path.samefile(found, path):
        sys.exit(f"cutile_python.py: expected the frontend to call {path}, found {found}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--gpu", default="sm_90")
    parser.add_argument("--format", default="cubin")
    parser.add_argument("--only")
    parser.add_argument("--compiler", required=True)
    options = parser.parse_args()
    useCompiler(options.compiler)
    os.makedirs(options.folder, exist_ok=True)
    suffix = ".cubin" if options.format == "cubin" else ".tileirbc"
    for name, kernel, parameters in KERNELS:
        if options.only and options.only != name:
            continue
        start, error = time.monotonic(), ""
        try:
            signature = cc.KernelSignature([constraint(p) for p in parameters], cc.CallingConvention.cutile_python_v1(), name)
            cc.export_kernel(kernel, [signature], os.path.join(options.folder, name + suffix), gpu_code=options.gpu,
                             output_format=options.format)
        except Exception as problem:  # every failure is a row of the table
            error = f"{type(problem).__name__}: {problem}"
        seconds = round(time.monotonic() - start, 3)
        print(json.dumps({"name": name, "ok": not error, "seconds": seconds, "error": error[:2000]}), flush=True)


if __name__ == "__main__":
    sys.exit(main())
