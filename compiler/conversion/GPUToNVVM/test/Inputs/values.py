"""usage: values.py FILE:TYPE:VALUE[,VALUE]...   the file starts with these numbers; one value is meant twice, as in a vector of two."""

import struct
import sys

FORMATS = {"f16": "e", "f32": "f", "f64": "d", "i32": "i", "i64": "q"}

wrong = 0
for argument in sys.argv[1:]:
    path, kind, text = argument.rsplit(":", 2)
    values = [eval(v, {"__builtins__": {}}, {"inf": float("inf")}) for v in text.split(",")]
    if len(values) == 1:
        values *= 2
    layout = f"<{len(values)}{FORMATS[kind]}"
    with open(path, "rb") as f:
        found = struct.unpack(layout, f.read(struct.calcsize(layout)))
    if [repr(float(v)) for v in found] != [repr(float(v)) for v in values]:
        wrong += 1
        print(f"{path}: expected {values}, found {list(found)}")
sys.exit(1 if wrong else 0)
