"""Data, references and baselines of the problems, in torch; seeds are fixed.

Data: uniform in [-1, 1] for linear families (a sixteenth of it for 8-bit floats), N(0, 1) for the others. What torch offers for a
family is the baseline; on operands in f32 or f64 it is the reference, too.
"""
import functools
import math

import torch
import torch.nn.functional as F

DEVICE = "cuda"
TYPES = {"f32": torch.float32, "i32": torch.int32, "f16": torch.float16, "bf16": torch.bfloat16, "i8": torch.int8,
         "f8": getattr(torch, "float8_e4m3fn", None)}
CHUNK = 1 << 26  # elements that are drawn or compared at a time: wide copies of whole arrays would not fit
LINEAR = ("product", "batched_product", "gelu_product", "experts", "transpose", "lookup", "running_sum", "column_sum", "add")
EXACT_SUMS = ("running_sum", "column_sum")  # compared with sums in f64


class Data:
    """The arrays of a problem. Every bit of the output is set: NaN, or -1 for integers."""

    def __init__(self, problem):
        self.problem, self.random = problem, torch.Generator(device=DEVICE)
        self.random.manual_seed(1)
        self.arrays = [torch.empty(a.shape, device=DEVICE, dtype=TYPES[a.type]) for a in problem.arrays]
        self.output = self.arrays[problem.output]
        self.inputs = [a for a in self.arrays if a is not self.output]
        for number, array in enumerate(self.arrays):
            flat = array.view(-1)
            for at in range(0, flat.numel(), CHUNK):
                part = flat[at:at + CHUNK]
                part.copy_(self.draw(number, problem.arrays[number].type, part.numel()))
        if problem.family == "experts":
            self.arrays[3].copy_(self.arrays[3].sort()[0])  # rows of one expert lie together
        self.reset()

    def draw(self, number, type, count):
        family, shapes = self.problem.family, [a.shape for a in self.problem.arrays]
        if type == "i32":
            bound = shapes[0][0] if family == "lookup" else shapes[1][0] if family == "experts" else 1024
            return torch.randint(0, bound, (count,), device=DEVICE, generator=self.random)
        if not family.startswith(LINEAR + ("scaled_product",)):
            return torch.randn(count, device=DEVICE, generator=self.random)
        uniform = torch.rand(count, device=DEVICE, generator=self.random).mul_(2).sub_(1)
        if family.startswith("scaled_product") and number > 2:
            return uniform.mul_(0.5).add_(1)  # scales
        return uniform.mul_(127.5).round_() if type == "i8" else uniform.div_(16) if type == "f8" else uniform

    def reset(self):
        if self.problem.family == "histogram":
            self.output.zero_()  # the kernel adds to it
        else:
            self.output.view(torch.uint8).fill_(255)

    def sums(self):
        """Of the bytes of each input, to see whether a kernel wrote there."""
        return [int(a.view(-1).view(torch.uint8).sum()) for a in self.inputs]

    def pointers(self):
        return [a.data_ptr() for a in self.arrays]

    def error(self, expected):
        """What the output differs in, or None: finite, and within the problem's tolerance."""
        found, expected = self.output.reshape(-1), expected.reshape(-1)
        if found.numel() != expected.numel():
            raise ValueError(f"expected a reference of {found.numel()} elements, found {expected.numel()}")
        square = norm = largest = bound = 0.0
        for at in range(0, found.numel(), CHUNK // 2):
            a, b = found[at:at + CHUNK // 2].double(), expected[at:at + CHUNK // 2].double()
            if not bool(torch.isfinite(a).all()):
                return "not finite, or not written"
            square, norm = square + float((a - b).square().sum()), norm + float(b.square().sum())
            largest, bound = max(largest, float((a - b).abs().max())), max(bound, float(b.abs().max()))
        frobenius = math.sqrt(square / norm) if norm else math.sqrt(square)
        if frobenius <= self.problem.tolerance[0] and largest <= self.problem.tolerance[1] * bound:
            return None
        return f"relative error {frobenius:.2e} of the norm, largest {largest:.2e} of values up to {bound:.2e}"


def multiply(a, b):
    if a.dtype == torch.int8:
        return torch._int_mm(a, b)
    if a.dtype == TYPES["f8"]:
        one = torch.ones((), device=DEVICE)
        return torch._scaled_mm(a, b, scale_a=one, scale_b=one, out_dtype=torch.bfloat16, use_fast_accum=True)
    return torch.mm(a, b)


def attend(problem, q, k, v, backend=None):
    """Few queries: a batch of groups with one head each."""
    axis = 0 if q.shape == k.shape else 1
    call = functools.partial(F.scaled_dot_product_attention, *(x.unsqueeze(axis) for x in (q, k, v)),
                             is_causal=problem.family == "causal_attention", scale=problem.scalars[0][1])
    if not backend:
        return call()
    from torch.nn.attention import SDPBackend, sdpa_kernel
    with sdpa_kernel(getattr(SDPBackend, backend)):
        return call()


def multiplyGroups(a, b, counts):
    """As many rows of a times the transposed matrix of each expert."""
    return [multiply(rows, b[expert].t()) for expert, rows in enumerate(torch.split(a, counts)) if counts[expert]]


def scaledReference(a, b, rowScales, blockScales):
    """Scales of a row and 128 columns of a, and of 128 rows and 128 columns of b."""
    a = a * rowScales.t().repeat_interleave(128, 1)
    return torch.mm(a, (b * blockScales.t().repeat_interleave(128, 0).repeat_interleave(128, 1)).t())


# Of each family, what torch does for the inputs of a problem.
FAMILIES = {
    "product": lambda p, a, b: multiply(a, b),
    "product_bt": lambda p, a, b: multiply(a, b.t()),
    "gelu_product": lambda p, a, b, bias: F.gelu(torch.addmm(bias, a, b), approximate="tanh"),
    "scaled_product_bt": lambda p, a, b, rowScales, blockScales: multiply(a, b.t()),  # with one scale: less than the kernel does
    "batched_product": lambda p, a, b: torch.bmm(a, b),
    "experts": lambda p, a, b, counts: multiplyGroups(a, b, counts),
    "attention": attend,
    "causal_attention": attend,
    "softmax": lambda p, x: torch.softmax(x, -1),
    "layer_norm": lambda p, x, w, b: F.layer_norm(x, (x.shape[1],), w, b, 1e-5),
    "rms_norm": lambda p, x, w: F.rms_norm(x, (x.shape[1],), w, 1e-5),
    "running_sum": lambda p, x: torch.cumsum(x, 1),
    "silu_product": lambda p, x, y: F.silu(x) * y,
    "transpose": lambda p, x: x.t().contiguous(),
    "lookup": lambda p, w, ids: F.embedding(ids, w),
    "column_sum": lambda p, x: x.sum(0, dtype=torch.float64 if x.dtype == torch.float64 else torch.float32),
    "histogram": lambda p, x: torch.histc(x.float(), 1024, 0, 1024),
    "add": lambda p, x, y: torch.add(x, y),
}


def operands(data):
    """The inputs; of experts the numbers of their rows."""
    if data.problem.family != "experts":
        return data.inputs
    return data.inputs[:2] + [[64 * int(n) for n in torch.bincount(data.inputs[2], minlength=data.inputs[1].shape[0])]]


def reference(data):
    """What the output must hold, from wide operands and without tf32."""
    family = data.problem.family
    wide = torch.float64 if family in EXACT_SUMS or data.inputs[0].dtype == torch.int8 else torch.float32
    inputs = [a.to(wide) if torch.is_tensor(a) and a.dtype != torch.int32 else a for a in operands(data)]
    torch.backends.cuda.matmul.allow_tf32 = False
    if family == "scaled_product_bt":
        return scaledReference(*inputs)
    result = attend(data.problem, *inputs, backend="MATH") if family in ("attention", "causal_attention") else \
        FAMILIES[family](data.problem, *inputs)
    return torch.cat(result) if isinstance(result, list) else result


def baselines(data):
    """Callables by way. Products in f32 are those in tf32."""
    problem, inputs = data.problem, operands(data)
    if problem.family == "copy":
        return {"torch": lambda: data.output.copy_(inputs[0])}
    torch.backends.cuda.matmul.allow_tf32 = True
    result = {"torch": functools.partial(FAMILIES[problem.family], problem, *inputs)}
    if problem.family in ("attention", "causal_attention"):
        result["cudnn"] = functools.partial(attend, problem, *inputs, backend="CUDNN_ATTENTION")
    return result
