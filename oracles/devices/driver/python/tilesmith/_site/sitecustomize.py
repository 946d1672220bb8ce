"""For Python processes that an activated program starts: they activate the driver once they import what needs it."""

import importlib.abc
import importlib.machinery
import os
import sys


class _Imported(importlib.abc.Loader):
    """Hands out a module that activating has imported already."""

    def __init__(self, module):
        self.module, self.spec = module, module.__spec__

    def create_module(self, spec):
        return self.module

    def exec_module(self, module):
        module.__spec__ = self.spec


class _Activate(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name not in ("torch", "cuda.tile") or self not in sys.meta_path:
            return None
        sys.meta_path.remove(self)
        import tilesmith

        tilesmith.activate()
        module = sys.modules.pop(name, None)  # while it is there, Python would load it by its own spec
        return importlib.machinery.ModuleSpec(name, _Imported(module), is_package=True) if module else None


if os.environ.get("TILESMITH_ACTIVATE") == "1":
    sys.meta_path.insert(0, _Activate())
