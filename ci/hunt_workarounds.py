"""Ways around the known bugs of tileiras (oracles/external/notes.md) that ci/external-hunt tells findings apart by.

A workaround takes the text of a module and the grid of its case, and gives the text back without what shows the bug. All keep the
meaning of a kernel, but for those whose attribute `replaces` is true: they put other values where the bug is known to leave wrong ones.
"""

import math
import re


def part_of_global(n, kind, elements, grid, made):
    """Lines that leave the part of a new global that a block has, as pointer %nq."""
    step = -(-elements // 128) * 128
    size = 1 << (step * grid[0] * grid[1] * grid[2] - 1).bit_length()
    zero = "false" if kind == "i1" else "0" if re.fullmatch(r"i\d+", kind) else "1.0" if kind == "f8E8M0FNU" else "0.0"
    made.append(f"  global @{n} alignment = 256 <{kind}: {zero}> : tile<{size}x{kind}>\n")
    return [f"%{n}p = get_global @{n} : tile<ptr<{kind}>>", f"%{n}x, %{n}y, %{n}z = get_tile_block_id : tile<i32>",
            f"%{n}a = constant <i32: {grid[0]}> : tile<i32>", f"%{n}b = constant <i32: {grid[0] * grid[1]}> : tile<i32>",
            f"%{n}c = constant <i32: {step}> : tile<i32>", f"%{n}d = muli %{n}y, %{n}a : tile<i32>",
            f"%{n}e = muli %{n}z, %{n}b : tile<i32>", f"%{n}f = addi %{n}x, %{n}d : tile<i32>",
            f"%{n}g = addi %{n}f, %{n}e : tile<i32>", f"%{n}h = muli %{n}g, %{n}c : tile<i32>",
            f"%{n}q = offset %{n}p, %{n}h : tile<ptr<{kind}>>, tile<i32> -> tile<ptr<{kind}>>"]


def with_globals(text, made):
    return re.sub(r"^cuda_tile\.module @.*\{\n", lambda match: match[0] + "".join(made), text, count=1, flags=re.M)


def with_loaded(text, name, kind="i32", value=0):
    """The module with a number, %name, that each kernel loads from a global, so that no compiler knows it."""
    if f"@{name} " in text:
        return text
    first = (f"    %{name}p = get_global @{name} : tile<ptr<{kind}>>\n"
             f"    %{name}, %{name}k = load_ptr_tko weak %{name}p : tile<ptr<{kind}>> -> tile<{kind}>, token\n")
    text = re.sub(r"^  entry @.*\{\n", lambda match: match[0] + first, text, flags=re.M)
    return with_globals(text, [f"  global @{name} alignment = 256 <{kind}: {value}> : tile<1x{kind}>\n"])


def globals_for_allocas(text, grid):
    """`alloca`: a part of a global for each block."""
    made = []

    def swap(match):
        indent, result, elements, kind = match.groups()
        n = f"hunt{len(made)}"
        lines = part_of_global(n, kind, int(elements), grid, made)
        return "".join(f"{indent}{line}\n" for line in lines).replace(f"%{n}q =", f"{result} =")

    return with_globals(re.sub(r"^( *)(%\S+) = alloca num_elem = (\d+), alignment = \d+ : tile<ptr<(\w+)>>\n", swap, text,
                               flags=re.M), made)


def elements(shape):
    """Of a shape with a cross behind each extent."""
    return math.prod(int(extent) for extent in shape.split("x")[:-1])


def through_global(value, result, shape, kind, grid, made):
    """Lines that store a tile to a new global and load it again, as `result`."""
    n, count = f"scan{result[1:]}", elements(shape)
    pointers, flat = f"tile<{count}xptr<{kind}>>", f"tile<{count}x{kind}>"
    return part_of_global(n, kind, count, grid, made) + [
        f"%{n}i = iota : tile<{count}xi32>", f"%{n}r = reshape %{n}q : tile<ptr<{kind}>> -> tile<1xptr<{kind}>>",
        f"%{n}s = broadcast %{n}r : tile<1xptr<{kind}>> -> {pointers}",
        f"%{n}t = offset %{n}s, %{n}i : {pointers}, tile<{count}xi32> -> {pointers}",
        f"%{n}u = reshape {value} : tile<{shape}{kind}> -> {flat}",
        f"%{n}v = store_ptr_tko weak %{n}t, %{n}u : {pointers}, {flat} -> token",
        f"%{n}w, %{n}k = load_ptr_tko weak %{n}t token=%{n}v : {pointers} -> {flat}, token",
        f"{result} = reshape %{n}w : {flat} -> tile<{shape}{kind}>"]


def loaded_before_scans(text, grid):
    """`scan` in a kernel with products or `cat`: of a tile that was stored to a global, and loaded again."""
    made = []

    def swap(match):
        indent, head, value, middle, shape, kind = match.groups()
        result = f"%loaded{len(made)}"
        lines = through_global(value, result, shape, kind, grid, made)
        return "".join(f"{indent}{line}\n" for line in lines) + f"{indent}{head}{result}{middle}tile<{shape}{kind}>"

    if not re.search(r"= (?:mma[fi]|cat)\b", text):
        return text
    return with_globals(re.sub(r"^( *)(%\S+ = scan )(%\S+)( dim=.* : )tile<((?:\d+x)+)(\w+)>(?= -> )", swap, text, flags=re.M), made)


def loaded_behind_scans(text, grid):
    """`scan`: its result is stored to a global, and loaded again."""
    made = []

    def swap(match):
        indent, result, scan, shape, kind = match.groups()
        lines = through_global(f"%scanned{len(made)}", result, shape, kind, grid, made)
        return f"{indent}%scanned{len(made) - 1} = {scan}\n" + "".join(f"{indent}{line}\n" for line in lines)

    return with_globals(re.sub(r"^( *)(%\S+) = (scan %\S+ dim=[^\n]* : tile<((?:\d+x)+)(\w+)> -> tile<\4\5> *\n.*?^\1\})\n", swap, text,
                               flags=re.M | re.S), made)


def ordered_prints(text, grid):
    """Prints without a token: each takes that of the print before it in its block, which files have from 13.2 on."""
    lines, last = text.split("\n"), []
    for number, line in enumerate(lines):
        depth = len(line) - len(line.lstrip())
        last = [(indent, token) for indent, token in last if indent <= depth]
        print_tko = re.match(r"( *)(%\S+) = print_tko (\"[^\"]*\"[^:]*?)((?: : .*)? -> token)$", line)
        if not print_tko:
            continue
        before = [token for indent, token in last if indent == depth]
        if before and " token=" not in line:
            lines[number] = f"{print_tko[1]}{print_tko[2]} = print_tko {print_tko[3]} token={before[-1]}{print_tko[4]}"
        last.append((depth, print_tko[2]))
    return "\n".join(lines)


ordered_prints.version = "13.2"


def atomic_waits(text, grid):
    """A scalar that is loaded for synchronisation: an atomic operation that changes nothing."""
    number = iter(range(len(text)))

    def swap(match):
        indent, results, mode, pointer, token, kind = match.groups(default="")
        zero = f"%wait{next(number)}"
        return (f"{indent}{zero} = constant <{kind}: 0> : tile<{kind}>\n{indent}{results} = atomic_rmw_tko {mode} {pointer}, or, "
                f"{zero}{token} : tile<ptr<{kind}>>, tile<{kind}> -> tile<{kind}>, token\n")

    return re.sub(r"^( *)(%\S+, %\S+) = load_ptr_tko ((?:acquire|relaxed) (?:tl_blk|device|sys)) (%[^ ,]+)( token=%\S+)? : "
                  r"tile<ptr<(i32|i64)>> -> tile<\6>, token\n", swap, text, flags=re.M)


def signed_loops(text, grid):
    """`for unsigned`: a signed loop from zero to as far as the bounds are apart."""
    return loops_from_zero(text, "unsigned ")


def near_loops(text, grid):
    """`for`: the same, so that no index is near the largest number."""
    return loops_from_zero(text, "")


def loops_from_zero(text, sign):
    number = iter(range(len(text)))

    def swap(match):
        indent, results, index, lower, upper, step, kind, rest = match.groups(default="")
        n, tile = f"%{sign.strip()}loop{next(number)}", f"tile<{kind}>"
        return (f"{indent}{n}z = constant <{kind}: 0> : {tile}\n{indent}{n}m = maxi {lower}, {upper} {sign or 'signed '}: {tile}\n"
                f"{indent}{n}n = subi {n}m, {lower} : {tile}\n"
                f"{indent}{results}for {n}i in ({n}z to {n}n, step {step}) : {tile}{rest}{{\n"
                f"{indent}  {index} = addi {n}i, {lower} : {tile}\n")

    return re.sub(rf"^( *)(%\S+ = )?for {sign}(%\S+) in \((%\S+) to (%\S+), step (%\S+)\) : tile<(\w+)>(.*)\{{\n", swap, text,
                  flags=re.M)


def no_promises(text, grid):
    """`inbounds`: left out."""
    return re.sub(r" inbounds = \[[a-z, ]+\]", "", text)


def no_alignment(text, grid):
    """`assume div_by`: left out, so that nothing is read several elements at once."""
    names, lines = {}, []
    # Regions beside each other use a name again: it stands for what defined it last.
    for line in text.split("\n"):
        results, rest = re.match(r"( *(?:%\S+, )*%\S+ = )?(.*)", line).groups(default="")
        rest = re.sub(r"%[\w$.-]+", lambda match: names.get(match[0], match[0]), rest)
        for name in re.findall(r"%[^\s,]+", results):
            names.pop(name, None)
        assume = re.match(r"assume div_by<.*>, (%\S+) : ", rest)
        if assume:
            names[results.split()[0]] = assume[1]
        else:
            lines.append(results + rest)
    return "\n".join(lines)


def threads_copy(text, grid):
    """Loads of views in a kernel with products: without the copy engine, which may share a ring of buffers with threads that copy."""
    def swap(match):
        head, hints, rest = match.groups(default="")
        named = dict(re.findall(r"(\w+) = \{([^{}]*)\}", hints))
        for target in ("sm_90", "sm_100"):
            others = [one for one in named.get(target, named.get("default", "")).split(", ") if one and "allow_tma" not in one]
            named[target] = ", ".join(["allow_tma = false"] + others)
        return f"{head} optimization_hints = <{', '.join(f'{target} = {{{said}}}' for target, said in named.items())}>{rest}"

    if not re.search(r"= mma[fi]\b", text):
        return text
    return re.sub(r"^( *%\S+, %\S+ = load_view_tko [^:\n]*?)(?: optimization_hints = <([^<>\n]*)>)?((?: inbounds = \[[^\]\n]*\])? : )", swap, text, flags=re.M)


def atomics_behind_loads(text, grid):
    """Loads whose tokens are used: an atomic operation that changes nothing stands behind them, which takes a barrier."""
    number = iter(range(len(text)))

    def swap(match):
        indent, tile, token, rest = match.groups()
        if len(re.findall(rf"{re.escape(token)}(?![\w$.-])", text)) < 2:
            return match[0]
        n = f"%behind{next(number)}"
        return (f"{indent}{tile}, {n}l = {rest}{indent}{n}p = get_global @huntbehind : tile<ptr<i32>>\n"
                f"{indent}{n}z = constant <i32: 0> : tile<i32>\n{indent}{n}v, {token} = atomic_rmw_tko relaxed device {n}p, or, {n}z "
                f"token={n}l : tile<ptr<i32>>, tile<i32> -> tile<i32>, token\n")

    new = re.sub(r"^( *)(%\S+), (%\S+) = (load_(?:view|ptr)_tko .*\n)", swap, text, flags=re.M)
    return text if new == text else with_globals(new, ["  global @huntbehind alignment = 256 <i32: 0> : tile<1xi32>\n"])


def half_bytes_apart(view):
    """Whether tiles of this view, of 4-bit floats, may begin or end at an odd element, or have one element of each row."""
    fields = {name: value.split(split) for name, value, split in
              ((name, value, "x" if name == "tile" else ",") for name, value in
               re.findall(r"\b(tile|traversal_strides|strides|dim_map)=[(\[]([^)\]]*)[)\]]", view))}
    if "1" not in fields["strides"] or view.startswith("gather"):
        return True
    dimension = str(fields["strides"].index("1"))
    place = [one.strip() for one in fields["dim_map"]].index(dimension) if "dim_map" in fields else int(dimension)
    extent = re.search(r"tensor_view<([0-9?x]+)xf4E2M1FN", view)[1].split("x")[int(dimension)]
    return (extent == "?" or int(extent) % 2 == 1 or int(fields["tile"][place]) % 2 == 1
            or int(fields.get("traversal_strides", fields["tile"])[place]) % 2 == 1)


def views_at_odd_places(text):
    """Views of 4-bit floats whose first element is an odd one of its memory, or may be: offsets are looked up where they are constants."""
    constants, odd, views = {}, {}, set()
    for line in text.split("\n"):
        if found := re.match(r" *(%\S+) = constant <i\d+: (-?\d+)> : tile<i\d+>$", line):
            constants[found[1]] = int(found[2])
        elif found := re.match(r" *(%\S+) = exti (%\S+) ", line):
            constants[found[1]] = constants.get(found[2])
        elif found := re.match(r" *(%\S+) = offset (%\S+), (%\S+) : tile<ptr<f4E2M1FN>>", line):
            distance = constants.get(found[3])
            odd[found[1]] = distance is None or odd.get(found[2], False) != (distance % 2 == 1)
        elif found := re.match(r" *(%\S+) = assume .*?, (%\S+) : tile<ptr<f4E2M1FN>>", line):
            odd[found[1]] = odd.get(found[2], False)
        elif found := re.match(r" *(%\S+) = make_tensor_view (%\S+?)(?:,| :).*xf4E2M1FN", line):
            odd[found[1]] = odd.get(found[2], False)
        elif found := re.match(r" *(%\S+) = make_\w+_view (%\S+) : .*xf4E2M1FN", line):
            views |= {found[1]} if odd.get(found[2]) else set()
    return views


def two_warps(text, grid):
    """`scan` in a kernel for one warp: for two."""
    return re.sub(r"\bnum_worker_warps_per_cta = 1\b", "num_worker_warps_per_cta = 2", text) if re.search(r"= scan\b", text) else text


def no_sums_of_several(text, grid):
    """`scan` along another dimension than the last of three and more: its operands."""
    def swap(match):
        indent, result, several, operands, dimension, types = match.groups()
        shapes = re.findall(r"tile<(?:\d+x)+\w+>", types)
        if shapes[0].count("x") < 3 or int(dimension) == shapes[0].count("x") - 1:
            return match[0]
        results = [f"%scan{result[1:]}_{number}" for number in range(len(shapes))] if several else [result]
        return "".join(f"{indent}{result} = reshape {operand} : {shape} -> {shape}\n"
                       for result, operand, shape in zip(results, operands.split(", "), shapes))

    new = re.sub(r"^( *)(%[\w$.-]+)(:\d+)? = scan (%[^=\n]*) dim=(\d+) [^\n]* : ([^\n]*) -> [^\n]*\n.*?^\1\}\n", swap, text,
                 flags=re.M | re.S)
    several = set(re.findall(r"%scan([\w$.-]+)_0 = reshape", new))
    return re.sub(r"%([\w$.-]+)#(\d+)", lambda match: f"%scan{match[1]}_{match[2]}" if match[1] in several else match[0], new)


no_sums_of_several.replaces = True


def fitting_formats(text, grid):
    """Formats of prints: the letters and lengths that their types have; what others print is left open."""
    def letters(match):
        head, form, middle, types = match.groups()
        kinds = iter(re.findall(r"(ptr<)?(\w+)>+(?=,|$)", re.sub(r"<(?:\d+x)+", "<", types)))

        def fit(conversion):
            if conversion[0].endswith("%"):
                return conversion[0]
            pointer, kind = next(kinds, (None, "i32"))
            if pointer:
                return f"%{conversion[1]}p"
            if not re.fullmatch(r"i\d+", kind):
                return f"%{conversion[1]}{conversion[2]}{conversion[4] if conversion[4] in 'aefgAEFG' else 'f'}"
            precision = conversion[2] if conversion[4] in "diuxXoc" else ""
            return f"%{conversion[1]}{precision}{'ll' if kind == 'i64' else ''}{conversion[4] if kind in ('i32', 'i64') and conversion[4] in 'diuxXo' else 'd'}"

        return head + re.sub(r"%([-+ #0]*\d*)(\.\d*)?([hlLqjzt]*)([a-zA-Z%])", lambda one: fit([one[0], one[1], one[2] or "", one[3], one[4]]), form) + middle + types

    return re.sub(r"^( *%\S+ = print_tko )(\"[^\"\n]*\")([^:\n]* : )(.*)(?= -> token)", letters, text, flags=re.M)


fitting_formats.replaces = True


def other_half_bytes(text, grid):
    """Such tiles: others are loaded, which pairs of bytes hold, and they are not stored."""
    number, odd = iter(range(len(text))), views_at_odd_places(text)

    def is_apart(head, view):
        return half_bytes_apart(view) or any(f"{name}[" in head for name in odd)

    def pointers(n, count):
        return [f"{n}p = get_global @hunthalf : tile<ptr<i8>>", f"{n}i = iota : tile<{count}xi32>",
                f"{n}r = reshape {n}p : tile<ptr<i8>> -> tile<1xptr<i8>>", f"{n}b = broadcast {n}r : tile<1xptr<i8>> -> tile<{count}xptr<i8>>",
                f"{n}q = offset {n}b, {n}i : tile<{count}xptr<i8>>, tile<{count}xi32> -> tile<{count}xptr<i8>>"]

    def behind(head):
        token = re.search(r" token ?= ?(%[\w$.-]+)", head)
        return f" token={token[1]}" if token else ""

    def load(match):
        indent, tile, token, head, view, shape = match.groups()
        if not is_apart(head, view):
            return match[0]
        n, count = f"%half{next(number)}", max(elements(shape) // 2, 1)
        lines = pointers(n, count) + [f"{n}l, {token} = load_ptr_tko weak {n}q{behind(head)} : tile<{count}xptr<i8>> -> tile<{count}xi8>, token",
                                      f"{n}u = unpack {n}l : tile<{count}xi8> -> tile<{2 * count}xf4E2M1FN>"]
        flat = f"tile<{2 * count}xf4E2M1FN>"
        if elements(shape) == 1:
            lines += [f"{n}z = constant <i32: 0> : tile<i32>", f"{n}e = extract {n}u[{n}z] : {flat} -> tile<1xf4E2M1FN>"]
            n, flat = f"{n}e", "tile<1xf4E2M1FN>"
        else:
            n = f"{n}u"
        lines.append(f"{tile} = reshape {n} : {flat} -> tile<{shape}f4E2M1FN>")
        return "".join(f"{indent}{line}\n" for line in lines)

    def store(match):
        indent, token, head, view = match.groups()
        if not is_apart(head, view):
            return match[0]
        n = f"%half{next(number)}"
        return "".join(f"{indent}{line}\n" for line in pointers(n, 1) + [
            f"{n}l, {token} = load_ptr_tko weak {n}q{behind(head)} : tile<1xptr<i8>> -> tile<1xi8>, token"])

    line = r"([^:\n]*) : {}((?:partition|strided|gather_scatter)_view<.*f4E2M1FN.*>), tile<i\d+>{}\n"
    new = re.sub(r"^( *)(%\S+), (%\S+) = load_view_tko " + line.format("", r".* -> tile<((?:\d+x)+)f4E2M1FN>, token"), load, text, flags=re.M)
    new = re.sub(r"^( *)(%\S+) = store_view_tko " + line.format(r"tile<[^>]*>, ", ".* -> token"), store, new, flags=re.M)
    values = ", ".join(str((37 * place + 19) % 256 - 128) for place in range(256))
    return text if new == text else with_globals(new, [f"  global @hunthalf alignment = 256 <i8: [{values}]> : tile<256xi8>\n"])


other_half_bytes.replaces = True


def unknown_indices(text, grid):
    """Indices of views: plus multiples of a zero that is loaded from a global, so that no two tiles are known to be different ones."""
    number = iter(range(1, len(text)))

    def swap(match):
        indent, head, indices, rest = match.groups()
        lines, new = [], []
        for index in indices.split(", "):
            n = next(number)
            lines += [f"{indent}%times{n} = constant <i32: {n}> : tile<i32>\n",
                      f"{indent}%zero{n} = muli %times{n}, %huntzero : tile<i32>\n",
                      f"{indent}%unknown{n} = addi {index}, %zero{n} : tile<i32>\n"]
            new.append(f"%unknown{n}")
        return "".join(lines) + f"{indent}{head}[{', '.join(new)}]{rest}"

    line = (r"^( *)(?!.*gather_scatter)((?:%\S+ = |%\S+, %\S+ = )?(?:load|store)_view_tko [^\[\n]*%\S+)\[([^\]\n]+)\]"
            r"(.*, tile<i32> ->)")
    new = re.sub(line, swap, text, flags=re.M)
    return new if new == text else with_loaded(new, "huntzero")


def unknown_masks(text, grid):
    """Tiles that are false everywhere: whether an integer is not zero that is loaded from a global and is zero."""
    number = iter(range(len(text)))

    def swap(match):
        indent, result, shape = match.groups()
        n, ones = next(number), "x".join("1" for _ in shape.split("x"))
        lines = (f"%huntnil{n} = constant <i32: 0> : tile<i32>",
                 f"%huntnot{n} = cmpi not_equal %huntnone, %huntnil{n}, signed : tile<i32> -> tile<i1>",
                 f"%huntone{n} = reshape %huntnot{n} : tile<i1> -> tile<{ones}xi1>",
                 f"{result} = broadcast %huntone{n} : tile<{ones}xi1> -> tile<{shape}xi1>")
        return "".join(f"{indent}{line}\n" for line in lines)

    new = re.sub(r"^( *)(%\S+) = constant <i1: false> : tile<((?:\d+x)*\d+)xi1>\n", swap, text, flags=re.M)
    return new if new == text else with_loaded(new, "huntnone")


def unpack_first(text, grid):
    """`unpack` of a part that was extracted: the part of what is unpacked."""
    number = iter(range(len(text)))
    for part, source, index, elements, count in re.findall(
            r"^ *(%\S+) = extract (%\S+)\[(%\S+)\] : tile<(\d+)xi8> -> tile<(\d+)xi8>\n", text, flags=re.M):
        def swap(match):
            indent, result, words, kind = match.groups()
            every = int(words) * int(elements) // int(count)
            whole = f"%unpacked{next(number)}"
            return (f"{indent}{whole} = unpack {source} : tile<{elements}xi8> -> tile<{every}x{kind}>\n"
                    f"{indent}{result} = extract {whole}[{index}] : tile<{every}x{kind}> -> tile<{words}x{kind}>\n")

        text = re.sub(rf"^( *)(%\S+) = unpack {re.escape(part)} : tile<{count}xi8> -> tile<(\d+)x(\w+)>\n", swap, text, flags=re.M)
    return text


def wide_globals(text, grid):
    """A global: of 16 bytes at least, aligned to them. A row of constants: the first part of so many bytes."""
    def widen(match):
        indent, result, kind, values, count = match.groups()
        bits = 32 if kind == "tf32" else 8 if kind.startswith("f8") else int(re.search(r"\d+", kind)[0])
        times = 128 // (max(bits, 8) * int(count))
        if times < 2:
            return match[0]
        n, wide = f"%wide{match.start()}", f"tile<{int(count) * times}x{kind}>"
        return (f"{indent}{n} = constant <{kind}: [{', '.join([values] * times)}]> : {wide}\n{indent}{n}z = constant <i32: 0> : tile<i32>\n"
                f"{indent}{result} = extract {n}[{n}z] : {wide} -> tile<{count}x{kind}>\n")

    text = re.sub(r"^( *)(%\S+) = constant <(\w+): \[([^\[\]]*)\]> : tile<(\d+)x\w+>\n", widen, text, flags=re.M)

    def swap(match):
        head, alignment, kind, values, count = match.groups()
        if int(count) >= 16 or "," in values or "x" in count:
            return match[0]
        return f"{head}alignment = {max(int(alignment), 16)} <{kind}: {values}> : tile<16x{kind}>"

    return re.sub(r"( +global +(?:\w+ +)*@\S+ )alignment = (\d+) <(\w+): ([^>]*)> : tile<([0-9x]+)x\w+>", swap, text)


def one_block_clusters(text, grid):
    """A kernel with a reduction, a scan, an insertion, an extraction or a loop in a cluster: no cluster."""
    wrong = re.search(r"= (reduce|scan|insert|extract|loop)\b", text)
    return re.sub(r"num_cta_in_cga = \d+", "num_cta_in_cga = 1", text) if wrong else text


def flags_as_bytes(text, grid):
    """`insert` of flags: of bytes."""
    number = iter(range(len(text)))

    def swap(match):
        indent, result, part, whole, part_shape, shape = match.groups()
        n, bytes_, part_bytes = f"%flags{next(number)}", f"tile<{shape}xi8>", f"tile<{part_shape}xi8>"
        lines = [f"{n}p = exti {part} unsigned : tile<{part_shape}xi1> -> {part_bytes}",
                 f"{n}w = exti {whole.split('[')[0]} unsigned : tile<{shape}xi1> -> {bytes_}",
                 f"{n}b = insert {n}p, {n}w[{whole.split('[')[1]}] : {part_bytes}, {bytes_}",
                 f"{result} = trunci {n}b : {bytes_} -> tile<{shape}xi1>"]
        return "".join(f"{indent}{line}\n" for line in lines)

    return re.sub(r"^( *)(%\S+) = insert (%\S+), (%\S+\[[^\]]*)\] : tile<([0-9x]+)xi1>, tile<([0-9x]+)xi1>\n", swap, text, flags=re.M)


def odd_integers(text, grid):
    """`itof` to bf16: bits that f32 does not hold are first rounded to odd, two bits behind those of bf16 at least."""
    number = iter(range(len(text)))

    def swap(match):
        indent, result, value, sign, shape, kind = match.groups(default="")
        n, tile, bits = f"%odd{next(number)}", f"tile<{shape}{kind}>", f"tile<{shape}i1>"
        lines = [f"{n}z = constant <{kind}: 0> : {tile}",
                 f"{n}a = addi {value}, {n}z : {tile}" if sign == "unsigned" else f"{n}a = absi {value} : {tile}"]
        last = f"{n}a"
        # Of a number from 2^first on, all below this bit is put into it.
        for first, bit in ((24, 8),) if kind == "i32" else ((24, 9), (33, 24), (48, 38), (62, 40)):
            m = f"{n}_{first}"
            lines += [f"{m}l = constant <{kind}: {(2 << bit) - 1}> : {tile}", f"{m}k = constant <{kind}: {-(2 << bit)}> : {tile}",
                      f"{m}o = constant <{kind}: {1 << bit}> : {tile}", f"{m}t = constant <{kind}: {1 << first}> : {tile}",
                      f"{m}r = andi {n}a, {m}l : {tile}", f"{m}h = andi {n}a, {m}k : {tile}",
                      f"{m}i = cmpi not_equal {m}r, {n}z, unsigned : {tile} -> {bits}",
                      f"{m}s = select {m}i, {m}o, {n}z : {bits}, {tile}", f"{m}u = ori {m}h, {m}s : {tile}",
                      f"{m}b = cmpi less_than {n}a, {m}t, unsigned : {tile} -> {bits}",
                      f"{m}v = select {m}b, {last}, {m}u : {bits}, {tile}"]
            last = f"{m}v"
        made = result if sign == "unsigned" else f"{n}f"
        lines.append(f"{made} = itof {last} unsigned  : {tile} -> tile<{shape}bf16>")
        if sign == "signed":
            lines += [f"{n}g = negf {n}f : tile<{shape}bf16>", f"{n}c = cmpi less_than {value}, {n}z, signed : {tile} -> {bits}",
                      f"{result} = select {n}c, {n}g, {n}f : {bits}, tile<{shape}bf16>"]
        return "".join(f"{indent}{line}\n" for line in lines)

    return re.sub(r"^( *)(%\S+) = itof (%\S+) (signed|unsigned) +: tile<([0-9x]*)(i32|i64)> -> tile<\5bf16>\n", swap, text,
                  flags=re.M)


def unknown_comparands(text, grid):
    """`cmpf` with an order: the second operand plus a zero that is loaded from a global, so that no sign of it is known."""
    number = iter(range(len(text)))

    def swap(match):
        indent, head, second, shape, kind, rest = match.groups()
        n, ones = f"%comparand{next(number)}", "".join("1x" for _ in shape.split("x")[:-1])
        lines = [f"{n}z = itof %huntsum signed : tile<i32> -> tile<{kind}>",
                 f"{n}r = reshape {n}z : tile<{kind}> -> tile<{ones}{kind}>",
                 f"{n}b = broadcast {n}r : tile<{ones}{kind}> -> tile<{shape}{kind}>"] if shape else [
                     f"{n}b = itof %huntsum signed : tile<i32> -> tile<{kind}>"]
        lines += [f"{n}s = addf {second}, {n}b : tile<{shape}{kind}>", f"{head}{n}s : tile<{shape}{kind}>{rest}"]
        return "".join(f"{indent}{line}\n" for line in lines)

    new = re.sub(r"^( *)(%\S+ = cmpf (?:greater|less)_than(?:_or_equal)? ordered %\S+, )(%\S+) : "
                 r"tile<((?:\d+x)*)(f16|bf16|f32|f64)>(.*)\n", swap, text, flags=re.M)
    return new if new == text else with_loaded(new, "huntsum")


def plain_nans(text, grid):
    """`ftof` to tf32 away from zero: of one NaN, whose bits tf32 keeps, in place of every other."""
    number = iter(range(len(text)))

    def swap(match):
        indent, head, value, middle, shape, rest = match.groups()
        n, tile = f"%plain{next(number)}", f"tile<{shape}f32>"
        lines = [f"{n}c = constant <f32: 0x7FC00000> : {tile}",
                 f"{n}u = cmpf not_equal unordered {value}, {value} : {tile} -> tile<{shape}i1>",
                 f"{n}s = select {n}u, {n}c, {value} : tile<{shape}i1>, {tile}", f"{head}{n}s{middle}{tile}{rest}"]
        return "".join(f"{indent}{line}\n" for line in lines)

    return re.sub(r"^( *)(%\S+ = ftof )(%\S+)( rounding<nearest_away> : )tile<((?:\d+x)*)f32>( -> tile<\5tf32>)\n", swap, text,
                  flags=re.M)


def eight_terms(text, grid):
    """A product of tf32 tiles that sums four terms: of eight, four of them zero."""
    def swap(match):
        indent, result, left, right, rest, batch, rows, columns = match.groups()
        n, batch, rank = f"%eight{match.start()}", batch or "", (batch or "").count("x")
        four, wide = f"tile<{batch}{rows}x4xtf32>", f"tile<{batch}{rows}x8xtf32>"
        four_right, wide_right = f"tile<{batch}4x{columns}xtf32>", f"tile<{batch}8x{columns}xtf32>"
        return (f"{indent}{n}l = constant <tf32: 0.0> : {four}\n{indent}{n}r = constant <tf32: 0.0> : {four_right}\n"
                f"{indent}{n}a = cat {left}, {n}l dim = {rank + 1} : {four}, {four} -> {wide}\n"
                f"{indent}{n}b = cat {right}, {n}r dim = {rank} : {four_right}, {four_right} -> {wide_right}\n"
                f"{indent}{result} = mmaf {n}a, {n}b, {rest} : {wide}, {wide_right}, ")

    return re.sub(r"^( *)(%\S+) = mmaf (%\S+), (%\S+), ([^:]*) : tile<((?:\d+x)?)(\d+)x4xtf32>, tile<(?:\d+x)?4x(\d+)xtf32>, ", swap, text,
                  flags=re.M)


def unpromised_truncations(text, grid):
    """`trunci` that promises that nothing is lost: one that does not."""
    return re.sub(r"( = trunci %\S+) overflow<\w+>", r"\1", text)


def unknown_unit_extents(text, grid):
    """Dimensions of views whose extent is the constant one: the extent is loaded from a global, so that nobody knows it."""
    def swap(match):
        head, shape, strides, index, view = match.groups()
        if "1" not in shape.split(", "):
            return match[0]
        kind = index or "i32"
        extents = ", ".join(f"%hunt{kind}" if one == "1" else one for one in shape.split(", "))
        return f"{head}shape = [{extents}], strides = [{strides}] : tile<{kind}> -> {view}"

    new = re.sub(r"^( *%\S+ = make_tensor_view %\S+, )shape = \[([^\]]*)\], strides = \[([^\]]*)\] : (?:tile<(i\d+)> -> )?(.*)", swap, text, flags=re.M)
    if new == text:
        return text
    new = re.sub(r"tensor_view<([0-9?]+x)+", lambda match: re.sub(r"(?<=[<x])1x", "?x", match[0]), new)
    for kind in sorted(set(re.findall(r"%hunt(i\d+)\b", new))):
        new = with_loaded(new, f"hunt{kind}", kind, 1)
    return new


def unflushed_scans(text, grid):
    """`scan` with a body that flushes, in a cluster: one that does not, so that the first prefix is the same with and without a neutral element."""
    if not re.search(r"num_cta_in_cga = (?!1\b)\d", text):
        return text
    return re.sub(r"^ *%\S+(?::\d+)? = scan [^\n]*\n *\([^\n]*\n.*?^ *\}", lambda match: match[0].replace(" flush_to_zero", ""), text, flags=re.M | re.S)


unflushed_scans.replaces = True


def unknown_ends(text, grid):
    """`cmpi` of scalars in a kernel with a `loop`: the first operand plus a zero that is loaded from a global, so that no turn is known to be the last."""
    number = iter(range(len(text)))

    def swap(match):
        indent, head, first, rest, kind = match.groups()
        n = f"%ends{next(number)}"
        return (f"{indent}{n}z = {'exti %huntsum signed : tile<i32> -> tile<i64>' if kind == 'i64' else 'ori %huntsum, %huntsum : tile<i32>'}\n"
                f"{indent}{n}s = addi {first}, {n}z : tile<{kind}>\n{indent}{head}{n}s{rest}\n")

    if not re.search(r"= loop\b", text):
        return text
    new = re.sub(r"^( *)(%\S+ = cmpi \w+ )(%[^ ,]+)(, %\S+, (?:un)?signed : tile<(i32|i64)> -> tile<i1>)\n", swap, text, flags=re.M)
    return new if new == text else with_loaded(new, "huntsum")


def zero_padding_of_tf32(text, grid):
    """Views of tf32 that are padded with anything but zero: with zero."""
    return re.sub(r"padding_value = \w+(, tensor_view<[0-9?x]+xtf32)", r"padding_value = zero\1", text)


zero_padding_of_tf32.replaces = True


def rounded_by_f32(text, grid):
    """`ftof` of f64 to formats of a byte and less: by way of f32, as tileiras 13.4 does."""
    def swap(match):
        indent, result, value, rounding, shape, kind = match.groups(default="")
        n = f"%rounded{match.start()}"
        return (f"{indent}{n} = ftof {value}{rounding} : tile<{shape}f64> -> tile<{shape}f32>\n"
                f"{indent}{result} = ftof {n}{rounding} : tile<{shape}f32> -> tile<{shape}{kind}>\n")

    return re.sub(r"^( *)(%\S+) = ftof (%\S+)( rounding<\w+>)? +: tile<((?:\d+x)*)f64> -> tile<\5(f8E4M3FN|f8E5M2|f4E2M1FN)>\n", swap, text,
                  flags=re.M)


rounded_by_f32.replaces = True


def renamed_globals(text, grid):
    """Globals with names that PTX has inside of a kernel: others."""
    return re.sub(r"@(__local_depot\d+|\w+_param_\d+)\b", r"@hunt_\1_", text)


def products_of_few_scales(text, grid):
    """A scaled product of 32 columns with 16 scales of each and more: the sum of products with eight, whose operands are parts."""
    def swap(match):
        indent, result, a, b, c, left, right, batch, rows, depth, kind, scales, scale = match.groups()
        n, batch = f"%few{match.start()}", batch or ""
        parts, head, lines = int(scales) // 8, "%huntz, " if batch else "", []
        deep = int(depth) // parts
        for part in range(parts):
            m = f"{n}_{part}"
            made = ((f"{m}a", a, f"{rows}x{deep}x{kind}", f"{rows}x{depth}x{kind}", 1), (f"{m}b", b, f"{deep}x32x{kind}", f"{depth}x32x{kind}", 0),
                    (f"{m}l", left, f"{rows}x8x{scale}", f"{rows}x{scales}x{scale}", 1), (f"{m}r", right, f"8x32x{scale}", f"{scales}x32x{scale}", 0))
            lines += [f"{m}i = constant <i32: {part}> : tile<i32>"]
            lines += [f"{name} = extract {of}[{head}{f'{m}i, %huntz' if first == 0 else f'%huntz, {m}i'}] : tile<{batch}{whole}> -> tile<{batch}{small}>"
                      for name, of, small, whole, first in made]
            to = result if part == parts - 1 else f"{m}s"
            lines += [f"{to} = mmaf_scaled {m}a, {m}b, {c}, {m}l, {m}r : tile<{batch}{made[0][2]}>, tile<{batch}{made[1][2]}>, "
                      f"tile<{batch}{rows}x32xf32>, tile<{batch}{made[2][2]}>, tile<{batch}{made[3][2]}>"]
            c = to
        return "".join(f"{indent}{line}\n" for line in lines)

    new = re.sub(r"^( *)(%\S+) = mmaf_scaled (%\S+), (%\S+), (%\S+), (%\S+), (%\S+) : tile<((?:\d+x)?)(\d+)x(\d+)x(\w+)>, tile<[^>]*x32x\w+>, "
                 r"tile<[^>]*>, tile<[^>]*x(16|32|64|128)x(\w+)>, tile<[^>]*>\n", swap, text, flags=re.M)
    first = "    %huntz = constant <i32: 0> : tile<i32>\n"
    return text if new == text else re.sub(r"^  entry @.*\{\n", lambda match: match[0] + first, new, flags=re.M)


# Name, what it does, and the stored cases that it changes.
WORKAROUNDS = (
    ("alloca (4, 14)", globals_for_allocas, ("external-alloca-address-overwritten", "external-alloca-tf32-too-small")),
    ("wait left by warps (11)", atomic_waits, ("external-spin-left-by-warps",)),
    ("unsigned loop (3, 18)", signed_loops, ("external-for-unsigned-constant-bounds", "external-unsigned-loop-below-stages")),
    ("loop near the largest number (18)", near_loops, ("external-pipelined-loop-near-largest",)),
    ("promise of a permuted tile (15)", no_promises, ("external-inbounds-permuted",)),
    ("load of nothing (32)", unknown_masks, ("external-load-of-nothing-unordered",)),
    ("tiles that overlap, or are stored by the next turn (27, 36)", unknown_indices,
     ("external-overlapping-tiles-unordered", "external-next-row-unordered")),
    ("part that is unpacked (17)", unpack_first, ("external-extract-then-unpack",)),
    ("load made twice (33)", atomics_behind_loads, ("external-load-made-twice",)),
    ("ring that threads fill beside the copy engine (35)", threads_copy, ("external-ring-of-threads-and-copies",)),
    ("overlapping rows (16)", no_alignment, ("external-overlapping-rows-misaligned",)),
    ("constant behind a smaller one (19)", wide_globals, ("external-constant-behind-global",)),
    ("scan of a product, or of what cat made (22)", loaded_before_scans, ("external-scan-of-product",)),
    ("reshaped scan (23)", loaded_behind_scans, ("external-scan-then-permute",)),
    ("prints of a file of 13.1 (24)", ordered_prints, ("external-prints-out-of-order",)),
    ("flags that are inserted (20)", flags_as_bytes, ("external-insert-flags-too-small",)),
    ("no bug: first prefix that is flushed", unflushed_scans, ("scan-first-in-cluster",)),
    ("reduction, scan, insertion, extraction or loop in a cluster (12, 21, 28, 34)", one_block_clusters,
     ("external-cluster-unit-reduce", "external-cluster-reduce-then-mma", "external-cluster-insert-into-sum",
      "external-cluster-extract-of-product", "external-cluster-carried-constant", "external-cluster-scan")),
    ("magnitude that is no number (38)", unknown_comparands, ("external-ptxas-magnitude-of-nan",)),
    ("NaN that becomes an infinity of tf32 (39)", plain_nans, ("external-ptxas-tf32-nan-as-infinity",)),
    ("tf32 product of four terms (41)", eight_terms, ("external-tf32-product-of-four",)),
    ("truncation that promises to lose nothing (42)", unpromised_truncations, ("external-narrowed-byte-unsigned",)),
    ("store beyond an extent of one (26)", unknown_unit_extents,
     ("external-store-beyond-unit-extent", "external-store-beyond-unit-extent-pairs")),
    ("scan of one warp (45)", two_warps, ("external-scan-of-one-warp",)),
    ("global with a name of the back end (43)", renamed_globals, ("external-global-named-local-depot",)),
    ("scales of 32 columns (44)", products_of_few_scales, ("external-scales-of-32-columns",)),
    ("loop that ends at once (13.4)", unknown_ends, ("external-spin-left-by-warps",)),
    ("padding of tf32 (29)", zero_padding_of_tf32, ("external-tf32-padding-of-19-bits",)),
    ("bf16 rounded twice (6)", odd_integers, ("ptx-int-to-bf16-double-rounding",)),
    ("f64 to f8 rounded twice (13.4)", rounded_by_f32, ()),  # the stored text is that of the self-test
    ("scan along the first or the middle (25, 30)", no_sums_of_several,
     ("external-scan-middle-too-small", "external-scan-middle-warps-overlap", "external-scan-first-of-three-too-small")),
    ("no bug: format that does not fit its type", fitting_formats, ("print-lengths-and-letters",)),
    ("half bytes at an odd place, or one a row (31)", other_half_bytes,
     ("external-half-bytes-odd-place", "external-half-bytes-one-a-row")),
)


def self_test():
    """How many of the texts that no stored case has come out wrong."""
    region = "    %a = assume div_by<16>, %{0} : tile<ptr<i8>>\n    %b = offset %a, %i : tile<ptr<i8>>\n"
    text = "  entry @kernel(%p: tile<ptr<i8>>, %q: tile<ptr<i8>>) {\n" + region.format("p") + "  } else {\n" + region.format("q") + "  }\n"
    right = no_alignment(text, [1, 1, 1]).split() == text.replace("%a = assume div_by<16>, %p : tile<ptr<i8>>", "").replace(
        "%a = assume div_by<16>, %q : tile<ptr<i8>>", "").replace("%a", "%p", 1).replace("%a", "%q", 1).split()
    if not right:
        print("no_alignment: a name of two regions stands for one pointer")
    narrow = "    %a = ftof %b  : tile<2x8xf64> -> tile<2x8xf8E5M2>\n"
    steps = ("    %rounded0 = ftof %b : tile<2x8xf64> -> tile<2x8xf32>\n"
             "    %a = ftof %rounded0 : tile<2x8xf32> -> tile<2x8xf8E5M2>\n")
    kept = narrow.replace("f8E5M2", "f16")
    two = rounded_by_f32(narrow + kept, [1, 1, 1]) == steps + kept
    if not two:
        print("rounded_by_f32: " + rounded_by_f32(narrow + kept, [1, 1, 1]))
    return (not right) + (not two)
