"""Ways around the known bugs of ptxas (oracles/external/notes.md), in the PTX that it reads.

ci/external-hunt tells findings in a ptxas apart by them, as by hunt_workarounds.py those in a tileiras. A workaround takes the text of a
PTX module and gives it back without what shows the bug, with the same meaning. A folder that stands for the CUDA toolkit has a `ptxas`
that rewrites its input and calls the real one.
"""

import os
import re
import sys


def bits_by_sign(text):
    """A bit of a register that becomes a predicate: shifted to the top and tested as a sign."""
    def body(match):
        code = match[0]
        for mask, source, bit in re.findall(r"\band\.b32\s+(%\w+), (%\w+), (\d+);", code):
            tests = re.findall(rf"\bsetp\.(?:eq|ne)\.[bsu]32\s+%\w+, {mask}, 0;", code)
            if int(bit).bit_count() != 1 or len(re.findall(rf"{mask}\b", code)) != 1 + len(tests):
                continue  # the number is used as one, too
            code = re.sub(rf"\band\.b32(\s+){mask}, {source}, {bit};",
                          rf"shl.b32\g<1>{mask}, {source}, {32 - int(bit).bit_length()};", code)
            code = re.sub(rf"\bsetp\.(eq|ne)\.[bsu]32(\s+%\w+, {mask}, 0;)",
                          lambda test: f"setp.{'ge' if test[1] == 'eq' else 'lt'}.s32{test[2]}", code)
        return code

    return re.sub(r"^\{.*?^\}", body, text, flags=re.M | re.S)


# Name, what it does, and the stored case that it changes.
WORKAROUNDS = (
    ("bits of two registers (37)", bits_by_sign, ("external-ptxas-bits-of-two-registers",)),
)


def make_toolkit(home, names, folder):
    """A toolkit in the folder whose ptxas rewrites what it reads; the file `changed` is there once it did so."""
    os.makedirs(os.path.join(folder, "bin"))
    for place in ("", "bin"):
        for name in os.listdir(os.path.join(home, place)):
            if name not in ("bin", "ptxas"):
                os.symlink(os.path.join(home, place, name), os.path.join(folder, place, name))
    script = os.path.join(folder, "bin", "ptxas")
    with open(script, "w") as file:
        file.write(f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {os.path.dirname(os.path.abspath(__file__))!r})\nimport hunt_ptx\n"
                   f"hunt_ptx.run({os.path.join(home, 'bin', 'ptxas')!r}, {list(names)!r}, {os.path.join(folder, 'changed')!r})\n")
    os.chmod(script, 0o755)


def run(ptxas, names, marker):
    """Calls the real ptxas on the rewritten text of every PTX file among the arguments."""
    arguments = sys.argv[1:]
    for place, argument in enumerate(arguments):
        if argument.endswith(".ptx"):
            with open(argument) as file:
                text = new = file.read()
            for name, workaround, _ in WORKAROUNDS:
                new = workaround(new) if name in names else new
            if new != text:
                open(marker, "w").close()
                arguments[place] = argument + ".rewritten.ptx"
                with open(arguments[place], "w") as file:
                    file.write(new)
    os.execv(ptxas, [ptxas] + arguments)


def self_test():
    """How many of the texts that no stored case has come out wrong."""
    text = "{{\n\tand.b32 \t%r2, %r1, {0};\n\tsetp.eq.b32 \t%p1, %r2, 0;\n\tsetp.ne.b32 \t%p2, %r2, 0;\n{1}}}\n"
    used = "\tadd.s32 \t%r3, %r2, %r1;\n"
    right = ("{\n\tshl.b32 \t%r2, %r1, 30;\n\tsetp.ge.s32 \t%p1, %r2, 0;\n\tsetp.lt.s32 \t%p2, %r2, 0;\n}\n")
    wrong = [what for what, given, expected in (
        ("a bit", text.format(2, ""), right), ("two bits", text.format(3, ""), text.format(3, "")),
        ("a bit that is a number, too", text.format(2, used), text.format(2, used))) if bits_by_sign(given) != expected]
    for what in wrong:
        print(f"bits_by_sign: {what}: found another text than expected")
    return len(wrong)
