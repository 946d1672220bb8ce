"""Compares the pages of rows.py with what they were written from, where that lies beside the checkout (nothing to do elsewhere):
every operation that the text about the last stage names has a row; of the driver every option, every numbered section, and as
many rows of section 2 as its table has; every operation of the overview stands in completeness.txt."""

import re

NAMED = re.compile(r"\b(?:nvgpu|gpu|cf)\.[a-z_][a-z_.0-9]*[a-z0-9]")
# Parts of names, types and words that ran together in the extracted text of the document.
IGNORED = {"nvgpu.device_async", "nvgpu.mbarrier", "nvgpu.mbarrier.group", "nvgpu.token", "nvgpu.tma", "nvgpu.warpgroup",
           "gpu.modulemay", "nvgpu.tensormap.descriptor", "nvgpu.mbarrier.arrive.expect_tx"}


def lastStage(text, statements):
    """Operations of the document without a row."""
    rows = " ".join(statements).replace("arrive, nocomplete", "arrive")
    return [f"no row names {name}" for name in sorted(set(NAMED.findall(text)) - IGNORED) if name not in rows]


def tableRows(section):
    """First cells of the tables in a section of a Markdown document."""
    cells = re.findall(r"^\| *(.*?) *\|", section, re.M)
    return [cell for cell in cells if cell and not cell.startswith("---") and cell not in ("option", "exit", "provoked", "step")]


def driver(text, statements):
    """Options, sections and provoked failures of the driver's document without a row."""
    labels = [match.groups() for match in (re.match(r"(\d+(?:\.\d+)?): (.*)", s) for s in statements) if match]
    parts = re.split(r"^##+ (\d+(?:\.\d+)?)\.? .*$", text, flags=re.M)[1:]
    sections = dict(zip(parts[::2], parts[1::2]))
    numbers = {number for number, _ in labels}
    problems = [f"no row of section {number}" for number in sections if number not in numbers]
    first = " ".join(label for number, label in labels if number == "1")
    for cell in tableRows(sections.get("1", "")):
        for option in re.findall(r"`(--?[a-z-]+)", cell):
            if option not in first and option.strip("-") not in first:
                problems.append(f"no row of section 1 names {option}")
    # The exit codes are a table of their own, in front of what was provoked.
    provoked = [cell for cell in tableRows(sections.get("2", "")) if not re.fullmatch(r"[\d−-]+", cell)]
    found = sum(number == "2" for number, _ in labels)
    if found < len(provoked):
        problems.append(f"expected a row for each of {len(provoked)} lines of section 2, found {found}")
    return problems


def overview(root, text):
    """Operations of the overview that the list of all operations lacks."""
    lists = "".join(path.read_text() for path in (root / "compiler/dialect/CudaTile").rglob("completeness.txt"))
    # Types, attributes, and the name of the 13.1 tool for print_tko are no operations.
    named = set(re.findall(r"\bcuda_tile\.([a-z_]+[a-z])\b", text)) - {"ptr", "string", "tensor_view", "partition_view", "tile", "token", "print"}
    return [f"completeness.txt lacks {name}" for name in sorted(named) if not re.search(rf"\b{name}\b", lists)]


def compare(root, page, rows):
    """Problems of a page whose rows are pairs of an id and a statement."""
    spec = root.parent / "shared/spec"
    statements = [statement for _, statement in rows]
    documents = {
        "compiler/conversion/GPUToNVVM/ROWS.md": ("lowering-nvgpu-gpu-to-nvvm.txt", lambda text: lastStage(text, statements)),
        "compiler/tools/ROWS.md": ("driver.md", lambda text: driver(text, statements)),
        "compiler/dialect/CudaTile/ROWS.md": ("cuda_tile-overview.txt", lambda text: overview(root, text)),
    }
    name, compared = documents.get(page, (None, None))
    if not name or not (spec / name).is_file():
        return []
    return [f"{page}: {problem}" for problem in compared((spec / name).read_text())]
