"""Host memory that kernels may touch: named for the next launch, and kept alive until it is over."""

from __future__ import annotations

import ctypes
import re
import threading

from . import _libraries

_local = threading.local()


def name_memory(address: int, size: int, owner: object, name: str = "", unwritten: bool = False) -> None:
    """The next launch of this thread may touch these bytes; `owner` lives at least until then.

    `unwritten`: nobody has written them yet, so a kernel that reads them before it writes them is a finding.
    """
    driver = _libraries.driver()
    launches = driver.tilesmithLaunchCount()
    if getattr(_local, "launches", None) != launches:
        _local.launches, _local.owners = launches, {}
    if _local.owners.get((address, size), (None, None))[1] == unwritten:
        return
    _local.owners[address, size] = owner, unwritten
    if _kept := getattr(_local, "capture", None):
        _kept.append(owner)
    driver.tilesmithNameMemory(address, size, name.encode())
    if unwritten:
        driver.tilesmithNameUnwritten(address, size)


def keep_for(owners: list | None) -> None:
    """While a graph is captured, its launches need their memory for as long as the graph lives."""
    _local.capture = owners


class HostArray:
    """An array in host memory as a frontend wants it: `__cuda_array_interface__`, and no other protocol.

    Made by `asarray`; results stand in the array that it was made of.
    """

    def __init__(self, interface: dict, address: int, size: int, owner: object):
        self._interface, self._address, self._size, self._owner = interface, address, size, owner

    @property
    def __cuda_array_interface__(self) -> dict:
        name_memory(self._address, self._size, self._owner, f"array{list(self._interface['shape'])}")
        return self._interface


def asarray(array: object) -> HostArray:
    """Wraps an array with `__array_interface__` (numpy), or a ctypes array, for `ct.launch`."""
    interface = getattr(array, "__array_interface__", None)
    if interface is None and isinstance(array, ctypes.Array):
        import struct

        item = type(array)._type_
        kind = {"f": "f", "d": "f"}.get(item._type_, "u" if item._type_ in "BHILQ" else "i")
        order = "<" if struct.pack("=H", 1)[0] else ">"
        interface = {
            "shape": (len(array),), "typestr": f"{order}{kind}{ctypes.sizeof(item)}",
            "data": (ctypes.addressof(array), False), "strides": None, "version": 3,
        }
    if interface is None:
        raise TypeError(f"expected an array with __array_interface__, found {type(array).__name__}")
    address, shape = interface["data"][0], interface["shape"]
    if not re.fullmatch(r"[<|=>][biufVc]\d+", interface["typestr"]):
        raise TypeError(f"expected an array of numbers, found elements of type {interface['typestr']!r}")
    item_size = int(interface["typestr"][2:])
    strides = interface.get("strides")
    if strides is None:
        size = item_size
        for extent in shape:
            size *= extent
    elif any(stride < 0 for stride in strides):
        raise ValueError(f"expected strides from 0 on, as tiles have no others, found {tuple(strides)}; copy the array first")
    else:
        size = sum((n - 1) * s for n, s in zip(shape, strides)) + item_size if all(shape) else 0
    return HostArray({**interface, "version": 3}, address, size, array)
