"""What the commands that work beside the build share: where it is, and which module of a case they take."""
import argparse
import json
import os

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def parser(text):
    result = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    result.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    result.add_argument("--gpu", default="sm_90")
    return result


def newestModule(case):
    """The path of the case's bytecode of the newest version. Raises ValueError where there is none."""
    try:
        with open(os.path.join(case, "case.json"), encoding="utf-8") as f:
            content = json.load(f)
        modules = content.get("modules") or content["launches"][0]["modules"]
        newest = max(modules, key=lambda version: [int(n) for n in version.split(".")])
        return os.path.join(case, modules[newest])
    except (OSError, ValueError, KeyError, IndexError, AttributeError) as error:
        raise ValueError(f"expected a case in '{case}': {error}") from error
