"""Tensors of torch on device "cuda" live on the CPU, and pass to a frontend as tensors of a GPU.

Nothing of CUDA in torch runs: its allocator and its kernels need libraries that a driver on the CPU cannot give. Instead every
function of torch that names the device makes a tensor in host memory, `torch.cuda` answers for the driver, and a tensor that a
frontend asks for says that it lies on the device, after its memory was named for the next launch.
"""

from __future__ import annotations

import contextlib
import ctypes
import threading
import types
import weakref

from . import _libraries, _memory

_installed = False
_streams = threading.local()


def install() -> None:
    """Once per process."""
    global _installed
    if _installed:
        return
    _installed = True
    import torch

    fresh = _Fresh(torch)
    _patch_dlpack(torch, fresh)
    _patch_cuda(torch)
    mode = _mode_class(torch, fresh)
    mode().__enter__()
    _enter_in_threads(mode)


def _to_cpu(torch, device):
    if isinstance(device, torch.device):
        return torch.device("cpu") if device.type == "cuda" else device
    if isinstance(device, str) and device.split(":")[0] == "cuda":
        return "cpu"
    return device


class _Fresh:
    """Storages that `torch.empty` made and nothing has written since: a kernel that reads one first is a finding.

    A storage leaves when a function of torch gets a tensor of it, unless that only looks at its shape, when its address is asked for,
    when a launch has had it, or when the tensor that `torch.empty` gave dies. So what stays was written by nobody.
    """

    makers = {"empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided", "empty_permuted"}
    lookers = {"__get__", "size", "stride", "dim", "ndimension", "numel", "nelement", "is_contiguous", "element_size", "untyped_storage",
               "storage_offset", "view", "reshape", "permute", "transpose", "t", "unsqueeze", "squeeze", "expand", "flatten", "unflatten",
               "detach", "__len__", "is_floating_point", "is_complex", "_is_view", "requires_grad_", "__getitem__", "narrow", "as_strided",
               "contiguous"}

    def __init__(self, torch):
        self.tensor_type, self.strided = torch.Tensor, torch.strided
        self.storages = {}  # by address of the storage: the tensor, and the count of launches when it was first named

    def add(self, tensor) -> None:
        if tensor.layout == self.strided and tensor.device.type == "cpu" and tensor.untyped_storage().nbytes():
            key = tensor.untyped_storage()._cdata
            self.storages[key] = [weakref.ref(tensor, lambda _: self.storages.pop(key, None)), None]

    def drop(self, *values) -> None:
        for value in values:
            if isinstance(value, self.tensor_type):
                with contextlib.suppress(NotImplementedError, RuntimeError):  # a layout without a storage
                    self.storages.pop(value.untyped_storage()._cdata, None)
            elif isinstance(value, (list, tuple)):
                self.drop(*value)
            elif isinstance(value, dict):
                self.drop(*value.values())

    def is_fresh(self, storage) -> bool:
        """For the next launch; the one after it finds the storage written."""
        entry = self.storages.get(storage._cdata)
        if not entry:
            return False
        launches = _libraries.driver().tilesmithLaunchCount()
        if entry[1] is None:
            entry[1] = launches
        if entry[1] != launches:
            self.storages.pop(storage._cdata, None)
        return entry[1] == launches


def _mode_class(torch, fresh):
    from torch.overrides import TorchFunctionMode

    products = {"mm", "bmm", "addmm", "baddbmm"}
    moves = {"to", "cuda", "type", "set_default_device", "pin_memory"}

    class HostMode(TorchFunctionMode):
        def __torch_function__(self, function, classes, arguments=(), keywords=None):
            keywords = dict(keywords or {})
            if "device" in keywords:
                device = keywords["device"]
                keywords["device"] = torch.device("cpu") if isinstance(device, int) else _to_cpu(torch, device)
            keywords.pop("pin_memory", None)
            name = getattr(function, "__name__", "")
            if name in moves:
                if name in ("cuda", "pin_memory"):
                    return arguments[0]
                arguments = tuple(_to_cpu(torch, a) for a in arguments)
            if name in products and keywords.get("out_dtype") is not None:  # only a GPU has them
                wide = keywords.pop("out_dtype")
                return function(*(a.to(wide) if isinstance(a, torch.Tensor) else a for a in arguments), **keywords)
            if name in ("abs", "absolute") and arguments and arguments[0].dtype == torch.bool:  # likewise
                return arguments[0].clone()
            if fresh.storages and name not in fresh.lookers and name not in fresh.makers:
                fresh.drop(arguments, keywords)
            result = function(*arguments, **keywords)
            if name in fresh.makers and isinstance(result, torch.Tensor):
                fresh.add(result)
            return result

    return HostMode


def _enter_in_threads(mode) -> None:
    """Modes belong to a thread: new ones enter it by themselves."""
    original = threading.Thread._bootstrap_inner

    def bootstrap(thread):
        with mode():
            original(thread)

    threading.Thread._bootstrap_inner = bootstrap


class _Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", _Device)]


def _patch_dlpack(torch, fresh) -> None:
    original = torch._C._to_dlpack
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]

    def name(tensor):
        storage = tensor.untyped_storage()
        if address := storage.data_ptr():
            _memory.name_memory(address, storage.nbytes(), tensor, f"tensor{list(tensor.shape)}", fresh.is_fresh(storage))

    def to_dlpack(tensor):
        capsule = original(tensor)
        if tensor.device.type == "cpu":
            name(tensor)
            _Tensor.from_address(pointer_of(capsule, b"dltensor")).device.type = 2  # the device that CUDA has there
        return capsule

    torch._C._to_dlpack = to_dlpack
    data_ptr = torch.Tensor.data_ptr

    def named_data_ptr(tensor):
        """A program that asks for an address may pass it to its next launch by itself."""
        if tensor.device.type == "cpu" and tensor.layout == torch.strided:
            fresh.drop(tensor)
            name(tensor)
        return data_ptr(tensor)

    torch.Tensor.data_ptr = named_data_ptr


def _handle() -> ctypes.c_void_p:
    return ctypes.c_void_p()


class Stream(int):
    """A stream of the driver; 0 is the default one."""

    def __new__(cls, device=None, priority=0, **_):
        handle = _handle()
        _libraries.check("cuStreamCreateWithPriority", ctypes.byref(handle), 1, int(priority))
        return int.__new__(cls, handle.value)

    def __init__(self, *_, **__):
        pass

    @classmethod
    def default(cls):
        return int.__new__(cls, 0)

    @property
    def cuda_stream(self) -> int:
        return int(self)

    @property
    def device(self):
        import torch

        return torch.device("cuda", 0)

    device_index = 0

    def synchronize(self) -> None:
        _libraries.check("cuStreamSynchronize", ctypes.c_void_p(int(self)))

    def query(self) -> bool:
        return True

    def record_event(self, event=None):
        event = event or Event()
        event.record(self)
        return event

    def wait_event(self, event) -> None:
        _libraries.check("cuStreamWaitEvent", ctypes.c_void_p(int(self)), event.handle, 0)

    def wait_stream(self, stream) -> None:
        self.wait_event(Stream.record_event(stream))

    def __enter__(self):
        _stack().append(self)
        return self

    def __exit__(self, *_):
        _stack().pop()


class Event:
    """An event of the driver."""

    def __init__(self, enable_timing=False, blocking=False, interprocess=False, external=False):
        self.handle = _handle()
        _libraries.check("cuEventCreate", ctypes.byref(self.handle), 0 if enable_timing else 2)

    def record(self, stream=None) -> None:
        stream = current_stream() if stream is None else stream
        _libraries.check("cuEventRecord", self.handle, ctypes.c_void_p(int(stream)))

    def wait(self, stream=None) -> None:
        (current_stream() if stream is None else stream).wait_event(self)

    def synchronize(self) -> None:
        _libraries.check("cuEventSynchronize", self.handle)

    def query(self) -> bool:
        return True

    def elapsed_time(self, other) -> float:
        milliseconds = ctypes.c_float()
        _libraries.check("cuEventElapsedTime", ctypes.byref(milliseconds), self.handle, other.handle)
        return milliseconds.value


def _stack() -> list:
    if not hasattr(_streams, "stack"):
        _streams.stack = [Stream.default()]
    return _streams.stack


def current_stream(device=None) -> Stream:
    return _stack()[-1]


class CUDAGraph:
    """Launches that were captured; what torch itself computes meanwhile is done at once and not captured."""

    def __init__(self, keep_graph=False):
        self.graph, self.instance, self.owners = _handle(), _handle(), []

    def capture_begin(self, pool=None, capture_error_mode="global") -> None:
        _libraries.check("cuStreamBeginCapture_v2", ctypes.c_void_p(int(current_stream())), 0)
        _memory.keep_for(self.owners)

    def capture_end(self) -> None:
        _memory.keep_for(None)
        _libraries.check("cuStreamEndCapture", ctypes.c_void_p(int(current_stream())), ctypes.byref(self.graph))
        _libraries.check("cuGraphInstantiateWithFlags", ctypes.byref(self.instance), self.graph, ctypes.c_ulonglong(0))

    def replay(self) -> None:
        _libraries.check("cuGraphLaunch", self.instance, ctypes.c_void_p(int(current_stream())))

    def reset(self) -> None:
        self.owners.clear()

    def pool(self):
        return (0, 0)


@contextlib.contextmanager
def _graph(graph, pool=None, stream=None, capture_error_mode="global"):
    with stream or Stream():
        graph.capture_begin()
        try:
            yield
        finally:
            graph.capture_end()


@contextlib.contextmanager
def _nothing(*_, **__):
    yield


def _patch_cuda(torch) -> None:
    cuda = torch.cuda
    capability = (ctypes.c_int(), ctypes.c_int())
    _libraries.check("cuDeviceComputeCapability", *(ctypes.byref(c) for c in capability), 0)
    major, minor = (c.value for c in capability)
    name = f"tilesmith sm_{major}{minor}"
    total = ctypes.c_size_t()
    _libraries.check("cuDeviceTotalMem_v2", ctypes.byref(total), 0)

    def attribute(number):
        value = ctypes.c_int()
        _libraries.check("cuDeviceGetAttribute", ctypes.byref(value), number, 0)
        return value.value

    properties = types.SimpleNamespace(
        name=name, major=major, minor=minor, total_memory=total.value, multi_processor_count=attribute(16),
        warp_size=attribute(10), L2_cache_size=attribute(38), max_threads_per_multi_processor=attribute(39),
        shared_memory_per_block_optin=attribute(97), is_integrated=0, gcnArchName="")

    class Guard(contextlib.ContextDecorator):
        def __init__(self, *_):
            pass

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

    def synchronize(device=None):
        _libraries.check("cuCtxSynchronize")

    values = dict(
        is_available=lambda: True, device_count=lambda: 1, current_device=lambda: 0, set_device=lambda device: None,
        get_device_capability=lambda device=None: (major, minor), get_device_name=lambda device=None: name,
        get_device_properties=lambda device=None: properties, is_bf16_supported=lambda *_, **__: True, is_initialized=lambda: True,
        init=lambda: None, _lazy_init=lambda: None, synchronize=synchronize, current_stream=current_stream,
        default_stream=lambda device=None: Stream.default(), stream=lambda stream: stream if stream is not None else _nothing(),
        set_stream=lambda stream: _stack().__setitem__(-1, stream), Stream=Stream, Event=Event, CUDAGraph=CUDAGraph, graph=_graph,
        device=Guard, empty_cache=lambda: None, ipc_collect=lambda: None, reset_peak_memory_stats=lambda device=None: None,
        memory_allocated=lambda device=None: 0, max_memory_allocated=lambda device=None: 0, memory_reserved=lambda device=None: 0,
        mem_get_info=lambda device=None: (total.value, total.value), is_current_stream_capturing=lambda: False,
        manual_seed=torch.manual_seed, manual_seed_all=torch.manual_seed, get_arch_list=lambda: [f"sm_{major}{minor}"])
    for key, value in values.items():
        setattr(cuda, key, value)

    class Generator(torch.Generator):
        def __new__(cls, device="cpu"):
            return super().__new__(cls, "cpu")

    torch.Generator = Generator
