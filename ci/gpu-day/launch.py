"""The CUDA driver interface through ctypes: loads cubins, launches them, notices a kernel that hangs."""
import ctypes
import time

from cubin import readCubin
from problems import packed

NOT_READY = 600             # CUDA_ERROR_NOT_READY
SHARED_LIMIT = 8            # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
LOG, LOG_SIZE = 5, 6        # CU_JIT_ERROR_LOG_BUFFER and its size
SHARED_WITHOUT_ASKING = 48 * 1024


class Refused(Exception):
    """A call failed and the context is as good as before."""


class Lost(Exception):
    """The context is of no more use: a kernel failed or does not end."""


class Driver:
    def __init__(self):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self.cuda.cuLaunchKernel.argtypes = [ctypes.c_void_p] + [ctypes.c_uint] * 7 + [ctypes.c_void_p] * 3
        self.management, self.device, self.version = None, ctypes.c_void_p(), ""
        try:
            management, version = ctypes.CDLL("libnvidia-ml.so.1"), ctypes.create_string_buffer(80)
        except OSError:
            return  # neither clocks nor a version then
        if not management.nvmlInit_v2() and not management.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(self.device)):
            management.nvmlSystemGetDriverVersion(version, len(version))
            self.management, self.version = management, version.value.decode()

    def megahertz(self):
        """Of the multiprocessors, now."""
        value = ctypes.c_uint()
        if not self.management or self.management.nvmlDeviceGetClockInfo(self.device, 1, ctypes.byref(value)):
            return None
        return value.value

    def check(self, error, what, kind=Refused):
        if error:
            name = ctypes.c_char_p()
            self.cuda.cuGetErrorName(error, ctypes.byref(name))
            raise kind(f"{what}: {(name.value or b'error').decode()} ({error})")

    def load(self, data, kernel):
        module, function, log = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.create_string_buffer(4096)
        keys, values = (ctypes.c_int * 2)(LOG, LOG_SIZE), (ctypes.c_void_p * 2)(ctypes.addressof(log), len(log))
        error = self.cuda.cuModuleLoadDataEx(ctypes.byref(module), ctypes.c_char_p(data), 2, keys, values)
        self.check(error, "load " + log.value.decode(errors="replace").strip())
        self.check(self.cuda.cuModuleGetFunction(ctypes.byref(function), module, kernel.encode()), "cuModuleGetFunction")
        return function

    def wait(self, seconds, what):
        """For the stream of all work. Asked, not waited for: a kernel that hangs would take this process with it."""
        end = time.monotonic() + seconds
        while error := self.cuda.cuStreamQuery(None):
            self.check(error != NOT_READY and error, what, Lost)
            if time.monotonic() > end:
                raise Lost(f"{what}: not ended after {seconds} s")
            time.sleep(0.0002)


def checkSizes(cubin, arguments):
    """The driver reads as many bytes as the cubin says."""
    wanted, given = [size for _, size in cubin.parameters], [len(b) for b in arguments]
    if wanted != given:
        raise Refused(f"expected arguments of {wanted} bytes, found {given}")


class Launch:
    """A cubin with arguments. Keeps alive what the driver points to."""

    def __init__(self, driver, path, kernel, shared, values, grid):
        with open(path, "rb") as f:
            data = f.read()
        cubin, self.driver, self.grid, arguments = readCubin(data, kernel), driver, grid, packed(values)
        checkSizes(cubin, arguments)
        # The driver knows the threads and the shared memory of Tile IR.
        self.block, self.shared = ((1, 1, 1), 0) if cubin.tileIr else (cubin.threads, shared)
        if not self.block:
            raise Refused("expected a kernel that says how many threads it needs")
        self.function = driver.load(data, kernel)
        if self.shared > SHARED_WITHOUT_ASKING:
            driver.check(driver.cuda.cuFuncSetAttribute(self.function, SHARED_LIMIT, self.shared), f"{self.shared} bytes shared")
        self.buffers = [ctypes.create_string_buffer(b, len(b)) for b in arguments]
        self.parameters = (ctypes.c_void_p * len(self.buffers))(*[ctypes.addressof(b) for b in self.buffers])

    def __call__(self):
        error = self.driver.cuda.cuLaunchKernel(self.function, *self.grid, *self.block, self.shared, None, self.parameters, None)
        self.driver.check(error, "launch")
