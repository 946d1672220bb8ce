"""The kernels of corpus/perf at the sizes that they are timed with: arrays, grid, work and tolerance. Needs nothing but Python.

Arrays stand in the order of the entry, scalars behind them. An array of rank n becomes a pointer, n extents and n - 1 strides in
elements; the entries that take pointers alone say so (`extents`). Problems without a kernel are ceilings of the device: what copies
and library products reach is what a kernel can be asked for.
"""
import math
import struct
from typing import NamedTuple, Optional

BYTES = {"f32": 4, "i32": 4, "f16": 2, "bf16": 2, "f8": 1, "i8": 1}
# Rate of the tensor cores for operands of a type, as a multiple of that for 16 bits (f32 is rounded to tf32).
TENSOR_RATE = {"f16": 1.0, "bf16": 1.0, "f32": 0.5, "f8": 2.0, "i8": 2.0}
FORMATS = {"pointer": "<Q", "i32": "<i", "f32": "<f"}


class Array(NamedTuple):
    type: str
    shape: tuple
    extents: bool = True


class Problem(NamedTuple):
    family: str                # what is computed: reference and baselines in arrays.py
    arrays: tuple
    output: int                # which array the kernel writes
    grid: Optional[tuple]      # None: a block for each multiprocessor
    tolerance: tuple           # of the Frobenius norm, and of the largest error against the largest value; zeros: exact
    gflop: float = 0
    scalars: tuple = ()
    megabytes: Optional[float] = None  # that must cross DRAM; None: every array once
    kernel: Optional[str] = None       # name of the entry

    def traffic(self):
        """Bytes that must cross DRAM."""
        return 1e6 * self.megabytes if self.megabytes else sum(BYTES[a.type] * math.prod(a.shape) for a in self.arrays)


def product(type, m, n, k, tile, family="product", output=None, transposed=True, grid=None, more=()):
    """c[m,n] = a[m,k] b; `transposed`: b is stored as [n,k]."""
    tolerance = (0, 0) if type == "i8" else ({"f16": 1e-3, "bf16": 4e-3, "f32": 2e-3, "f8": 2e-2}[type], 0.02)
    arrays = (Array(type, (m, k)), Array(type, (n, k) if transposed else (k, n)), Array(output or type, (m, n))) + more
    return Problem(family + ("_bt" if transposed else ""), arrays, 2, grid or (m // tile[0] * (n // tile[1]), 1, 1), tolerance,
                   2e-9 * m * n * k)


def plainProduct(type, m, n, k, tile, **more):
    return product(type, m, n, k, tile, transposed=False, **more)


def attention(type, rows, depth, causal=False, heads=64, queries=4096, keys=4096):
    q, kv = Array(type, (heads, queries, depth)), Array(type, (heads, keys, depth))
    return Problem("causal_attention" if causal else "attention", (q, kv, kv, q), 3, (max(1, queries // rows), heads, 1),
                   (3e-3 if type == "f16" else 1e-2, 0.03), 4e-9 * heads * queries * keys * depth * (0.5 if causal else 1),
                   (("f32", 1 / math.sqrt(depth)),))


def rowwise(family, type, rows, columns, blocks, tolerance, vectors=0, scalars=()):
    """y = f(x) of every row, with vectors as long as a row."""
    x, vector = Array(type, (rows, columns)), Array(type, (columns,))
    return Problem(family, (x, x) + (vector,) * vectors, 1, (blocks, 1, 1), tolerance,
                   scalars=tuple(("f32", s) for s in scalars))


def addition(count):
    x = Array("f32", (count,), extents=False)
    return Problem("add", (x, x, x), 2, (count // 1024, 1, 1), (0, 0), scalars=(("i32", count),))


def experts(rows, count, n, k):
    """Rows of a in groups of 64, each group times the matrix of its expert."""
    return Problem("experts", (Array("bf16", (rows, k)), Array("bf16", (count, n, k)), Array("bf16", (rows, n)),
                               Array("i32", (rows // 64,))), 2, (rows // 64, n // 128, 1), (4e-3, 0.02), 2e-9 * rows * n * k)


def batched(count, m, n, k):
    f = "f16"
    return Problem("batched_product", (Array(f, (count, m, k)), Array(f, (count, k, n)), Array(f, (count, m, n))), 2,
                   (m // 128, n // 128, count), (1e-3, 0.02), 2e-9 * count * m * n * k)


def scaled(m, n, k):
    """Eight-bit product with scales of a[row, 128 of k] and of b[128 rows, 128 of k]."""
    more = (Array("f32", (k // 128, m)), Array("f32", (k // 128, n // 128)))
    return product("f8", m, n, k, (128, 128), "scaled_product", "bf16", grid=(m // 128, n // 128, 1), more=more)


def lookup(words, width, rows):
    return Problem("lookup", (Array("f16", (words, width)), Array("i32", (rows,)), Array("f16", (rows, width))), 2,
                   (rows // 16, width // 256, 1), (0, 0), megabytes=(2 * 2 * rows * width + 4 * rows) / 1e6)


def withNames(problems):
    """name@size is the kernel `name` at another size."""
    return {name: p if name.startswith("ceiling_") else p._replace(kernel=name.split("@")[0]) for name, p in problems.items()}


PROBLEMS = withNames({
    "ceiling_copy": Problem("copy", (Array("i8", (1 << 30,)),) * 2, 1, None, (0, 0)),
    "ceiling_product_f16_4096": plainProduct("f16", 4096, 4096, 4096, (128, 128)),
    "ceiling_product_bf16_4096": plainProduct("bf16", 4096, 4096, 4096, (128, 128)),
    "ceiling_product_f16_8192": plainProduct("f16", 8192, 8192, 8192, (128, 128)),
    "ceiling_product_bf16_8192": plainProduct("bf16", 8192, 8192, 8192, (128, 128)),
    "gemm_f16_128x128x64": plainProduct("f16", 4096, 4096, 4096, (128, 128)),
    "gemm_bf16_128x256x64": plainProduct("bf16", 4096, 4096, 4096, (128, 256)),
    "gemm_f16_256x128x64": plainProduct("f16", 4096, 4096, 4096, (256, 128)),
    "gemm_f16_64x64x64": plainProduct("f16", 1024, 1024, 4096, (64, 64)),
    "gemm_f16_bt_128x128x64": product("f16", 4096, 4096, 4096, (128, 128)),
    "gemm_f16_dimmap_128x128x64": product("f16", 4096, 4096, 4096, (128, 128)),
    "gemm_bf16_2cta_256x256x64": product("bf16", 8192, 8192, 8192, (256, 256)),  # blocks: clusters of two
    "gemm_tf32_128x128x32": plainProduct("f32", 4096, 4096, 4096, (128, 128)),
    "gemm_f8e4m3_128x256x128": product("f8", 8192, 8192, 8192, (128, 256), output="bf16"),
    "gemm_f8_rowscaled_128x128x128": scaled(4096, 4096, 4096),
    "gemm_i8_128x128x128": product("i8", 4096, 4096, 4096, (128, 128), output="i32"),
    "gemm_persistent_bf16_128x128x64": plainProduct("bf16", 4096, 4096, 4096, (128, 128))._replace(grid=None),
    "gemm_gelu_f16_128x128x64": plainProduct("f16", 4096, 4096, 4096, (128, 128), family="gelu_product",
                                             more=(Array("f16", (4096,)),)),
    "bmm_f16_128x128x64": batched(32, 1024, 1024, 1024),
    "moe_bf16_64x128x64": experts(8192, 8, 2048, 4096),
    "fmha_f16_128x128x64": attention("f16", 128, 64),
    "fmha_bf16_causal_128x128x128": attention("bf16", 128, 128, causal=True),
    "fmha_f16_causal_64x64x128": attention("f16", 64, 128, causal=True),
    "fmha_bf16_nomask_128x128x128": attention("bf16", 128, 128),
    "fmha_bf16_nomask_256x128x128": attention("bf16", 256, 128),
    "fmha_bf16_decode_16x128x128": attention("bf16", 16, 128, heads=512, queries=16, keys=8192),
    "softmax_f32_4096": rowwise("softmax", "f32", 8192, 4096, 8192, (1e-5, 1e-4)),
    "layernorm_f16_4096": rowwise("layer_norm", "f16", 8192, 4096, 8192, (1e-3, 5e-3), 2, (1 / 4096, 1e-5)),
    "rmsnorm_bf16_4x2048": rowwise("rms_norm", "bf16", 16384, 2048, 4096, (4e-3, 2e-2), 1, (1 / 2048, 1e-5)),
    "cumsum_f32_4x1024": rowwise("running_sum", "f32", 16384, 1024, 4096, (1e-5, 1e-4)),
    "silu_mul_bf16_2048": Problem("silu_product", (Array("bf16", (1 << 25,)),) * 3, 2, (16384, 1, 1), (4e-3, 2e-2)),
    "transpose_f16_128x64": Problem("transpose", (Array("f16", (8192, 8192)),) * 2, 1, (64, 128, 1), (0, 0)),
    "embedding_f16_16x256": lookup(50304, 4096, 16384),
    "colsum_bf16_64x128": Problem("column_sum", (Array("bf16", (16384, 8192)), Array("f32", (8192,))), 1, (64, 1, 1), (1e-4, 1e-3)),
    "histogram_i32_1024": Problem("histogram", (Array("i32", (1 << 26,)), Array("i32", (1024,), extents=False)), 1, (65536, 1, 1),
                                  (0, 0)),
    "vecadd_ptr_f32_1024": addition(1 << 20),
    "vecadd_ptr_f32_1024@2^26": addition(1 << 26),
})


def arguments(problem, pointers):
    """(kind, value) of every parameter of the entry, for arrays at these addresses."""
    result = []
    for array, pointer in zip(problem.arrays, pointers):
        result.append(("pointer", pointer))
        if array.extents:
            strides = [math.prod(array.shape[i:]) for i in range(1, len(array.shape))]
            result += [("i32", n) for n in list(array.shape) + strides]
    return result + list(problem.scalars)


def packed(values):
    """The bytes of every argument."""
    return [struct.pack(FORMATS[kind], value) for kind, value in values]
