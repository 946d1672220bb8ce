"""What a cubin says about how its kernel is launched: parameters, threads, and whether the driver launches it as Tile IR."""
import struct
from typing import NamedTuple, Optional

SECTION = struct.Struct("<IIQQQQIIQQ")
# Records of the section .nv.info.<kernel>: format, attribute, and a word or the size of what follows.
SIZED = 4
PARAMETER, PARAMETER_OF_TILES, THREADS, LANGUAGE = 0x17, 0x45, 0x10, 0x66
TILE_IR = 7


class Cubin(NamedTuple):
    kernel: str
    tileIr: bool                # launched with blocks of one thread: the driver knows how many it needs
    threads: Optional[tuple]    # that the code was compiled for
    parameters: list            # (offset, size) of each


def sections(data):
    """Name and contents of each section."""
    if data[:4] != b"\x7fELF" or len(data) < 64:
        raise ValueError("expected an ELF file")
    start, = struct.unpack_from("<Q", data, 0x28)
    count, names = struct.unpack_from("<HH", data, 0x3c)
    headers = [SECTION.unpack_from(data, start + SECTION.size * i) for i in range(count)]
    for header in headers:
        at = headers[names][4] + header[0]
        yield data[at:data.index(b"\0", at)].decode(), data[header[4]:header[4] + header[5]]


def records(info):
    at = 0
    while at + 4 <= len(info):
        form, attribute, size = struct.unpack_from("<BBH", info, at)
        at += 4
        if form == SIZED:
            yield attribute, info[at:at + size]
            at += size


def readCubin(data, kernel):
    """Of this kernel. Raises ValueError and struct.error where it is no cubin of it."""
    info = dict(sections(data)).get(".nv.info." + kernel)
    if info is None:
        raise ValueError(f"expected a kernel {kernel}")
    tileIr, threads, parameters = False, None, {}
    for attribute, payload in records(info):
        if attribute == LANGUAGE:
            tileIr = struct.unpack_from("<I", payload)[0] == TILE_IR
        elif attribute == THREADS:
            threads = struct.unpack("<3I", payload)
        elif attribute == PARAMETER:
            _, number, offset, packed = struct.unpack("<IHHI", payload)
            parameters[number] = (offset, packed >> 18)
        elif attribute == PARAMETER_OF_TILES:
            _, number, offset, size = struct.unpack_from("<IHHH", payload)
            parameters[number] = (offset, size)
    return Cubin(kernel, tileIr, threads, [parameters[n] for n in sorted(parameters)])
