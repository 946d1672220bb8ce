"""The package without torch and without a frontend: the driver is called as a frontend calls it.

Runs under `python3 -m unittest` and under pytest. Needs a build (TILESMITH_HOME) and the corpus beside it.
"""

import array
import ctypes
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import tilesmith  # noqa: E402
from tilesmith import _libraries, _memory  # noqa: E402

ROOT = os.path.abspath(os.path.join(HERE, *[".."] * 5))
CASE = os.path.join(ROOT, "corpus", "frontends", "ew_intarith_i32")


def read(name):
    with open(os.path.join(CASE, name), "rb") as f:
        return f.read()


class Program:
    """A case of the corpus whose arrays are host memory, wrapped as a frontend gets them."""

    def __init__(self):
        self.case = json.loads(read("case.json"))
        bytecode = read(self.case["modules"]["13.3"])
        self.image = tilesmith.compile(bytecode, emit="emulated")
        self.arrays = []
        for buffer in self.case["buffers"]:
            words = array.array("i")
            words.frombytes(read(buffer["data"]))
            self.arrays.append((ctypes.c_int32 * len(words))(*words))
        self.library, self.kernel = ctypes.c_void_p(), ctypes.c_void_p()
        _libraries.check("cuLibraryLoadData", ctypes.byref(self.library), self.image, None, None, 0, None, None, 0)
        _libraries.check("cuLibraryGetKernel", ctypes.byref(self.kernel), self.library, self.case["kernel"].encode())

    def launch(self, named=True):
        values = []
        for parameter in self.case["params"]:
            if "ptr" not in parameter:
                values.append(ctypes.c_int32(parameter["value"]))
                continue
            whole = self.arrays[parameter["ptr"]]
            interface = tilesmith.asarray(whole).__cuda_array_interface__ if named else {"data": (ctypes.addressof(whole), False)}
            values.append(ctypes.c_uint64(interface["data"][0]))
        pointers = (ctypes.c_void_p * len(values))(*[ctypes.addressof(value) for value in values])
        _libraries.check("cuLaunchKernel", self.kernel, *self.case["grid"], 1, 1, 1, 0, None, pointers, None)

    def results(self):
        return bytes(self.arrays[2])


class Tilesmith(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        tilesmith.activate(torch=False)

    def test_a_launch_leaves_its_results_in_host_memory(self):
        program = Program()
        program.launch()
        self.assertEqual(program.results(), read("b2.out.bin"))

    def test_both_engines_agree(self):
        program = Program()
        tilesmith.configure(engine="reference,emulator")
        try:
            program.launch()
        finally:
            tilesmith.configure(engine=None)
        self.assertEqual(program.results(), read("b2.out.bin"))
        self.assertTrue(tilesmith.last_report())

    def test_memory_that_nobody_named_is_a_finding_with_its_place(self):
        program = Program()
        with self.assertRaises(tilesmith.TilesmithError) as caught:
            program.launch(named=False)
        self.assertIn("kernel.py:", str(caught.exception))
        report = tilesmith.last_report()
        self.assertFalse(report)
        finding = report.findings[0]
        self.assertEqual((finding.engine, finding.kernel, os.path.basename(finding.file)), ("emulator", "int_arith", "kernel.py"))
        self.assertGreater(finding.line, 0)
        self.assertEqual(len(finding.block), 3)

    def test_a_launch_becomes_a_case(self):
        with tempfile.TemporaryDirectory() as folder:
            tilesmith.configure(capture=folder)
            try:
                Program().launch()
            finally:
                tilesmith.configure(capture=None)
            case = tilesmith.last_report().captured
            self.assertEqual(os.path.dirname(case), folder)
            tool = os.path.join(_libraries.prefix(), "bin", "tilesmith")
            done = subprocess.run([tool, "check", case, "--jobs=1", "--expect-passed=1"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_threads_have_the_primary_context(self):
        failures = []

        def run():
            try:
                program = Program()
                program.launch()
                assert program.results() == read("b2.out.bin")
            except Exception as error:  # noqa: BLE001
                failures.append(error)

        threads = [threading.Thread(target=run) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_a_crash_of_what_runs_kernels_is_a_message_and_no_end(self):
        program = Program()
        program.launch()
        with open(f"/proc/self/task/{os.getpid()}/children", encoding="utf-8") as f:
            for child in f.read().split():
                os.kill(int(child), signal.SIGSEGV)
        with self.assertRaises(tilesmith.TilesmithError) as caught:
            program.launch()
        self.assertIn("was ended by signal 11", str(caught.exception))
        program.launch()
        self.assertEqual(program.results(), read("b2.out.bin"))

    def test_two_programs_run_at_once(self):
        program = "import sys; sys.path.insert(0, sys.argv[1]); import test_tilesmith as t; t.tilesmith.activate(torch=False)\n" \
                  "for _ in range(20):\n    p = t.Program(); p.launch(); assert p.results() == t.read('b2.out.bin')\n"
        running = [subprocess.Popen([sys.executable, "-c", program, HERE], stderr=subprocess.PIPE) for _ in range(2)]
        for process in running:
            errors = process.communicate(timeout=200)[1]
            self.assertEqual(process.returncode, 0, errors)

    def test_compile(self):
        bytecode = read(Program().case["modules"]["13.3"])
        self.assertIn(b".visible .entry int_arith", tilesmith.compile(bytecode, gpu_name="sm_100"))
        with self.assertRaises(tilesmith.TilesmithError) as caught:
            tilesmith.compile(b"nothing")
        self.assertIn("does not correspond to Tile IR bytecode", str(caught.exception))

    def test_wrong_settings_are_refused(self):
        for settings in ({"engine": "nosuch"}, {"time_limit": "-1"}, {"schedule": "best"}):
            program = Program()
            program.launch()  # a server is there to refuse
            with self.assertRaises(tilesmith.TilesmithError):
                tilesmith.configure(**settings)
            program.launch()
        for settings, text in (({"colour": "red"}, "no setting colour"), ({"on_finding": "maybe"}, "no value for on_finding"),
                               ({"gpu_name": "sm_100"}, "no value for gpu_name")):
            with self.assertRaises(tilesmith.TilesmithError) as caught:
                tilesmith.configure(**settings)
            self.assertIn(text, str(caught.exception))

    def test_a_wrong_engine_stands_in_the_error_of_the_first_load(self):
        program = "import sys; sys.path.insert(0, sys.argv[1]); import test_tilesmith as t; t.tilesmith.activate(torch=False); t.Program()"
        environment = {**os.environ, "TILESMITH_ENGINE": "nosuch"}
        done = subprocess.run([sys.executable, "-c", program, HERE], capture_output=True, text=True, env=environment)
        self.assertRegex(done.stderr, "TilesmithError: cuLibraryLoadData: device kernel image is invalid: expected engines among")

    def test_memory_that_nobody_wrote_is_not_to_be_read(self):
        program = Program()
        for unwritten in (True, False):
            array = program.arrays[0]
            _memory.name_memory(ctypes.addressof(array), ctypes.sizeof(array), array, "mine", unwritten)
            if not unwritten:
                program.launch()
                continue
            _memory.name_memory(ctypes.addressof(program.arrays[1]), ctypes.sizeof(program.arrays[1]), array, "second")
            _memory.name_memory(ctypes.addressof(program.arrays[2]), ctypes.sizeof(program.arrays[2]), array, "third", True)
            with self.assertRaises(tilesmith.TilesmithError) as caught:
                program.launch(named=False)
            self.assertIn("byte 0 of 'mine'", str(caught.exception))
            self.assertEqual(tilesmith.last_report().findings[0].kind, "uninitialised-read")

    def test_arrays(self):
        class Strided:
            __array_interface__ = {"shape": (3, 2), "typestr": "<f4", "data": (1000, False), "strides": (16, 4), "version": 3}

        wrapped = tilesmith.asarray(Strided())
        self.assertEqual((wrapped._address, wrapped._size), (1000, 40))
        with self.assertRaises(TypeError):
            tilesmith.asarray(3)
        for change, error in (({"strides": (-16, 4)}, ValueError), ({"typestr": "|O"}, TypeError)):
            broken = type("Broken", (), {"__array_interface__": {**Strided.__array_interface__, **change}})
            with self.assertRaises(error):
                tilesmith.asarray(broken())
        self.assertIsNotNone(_memory)

    def test_children_activate_once_they_import_a_frontend(self):
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(os.path.join(folder, "cuda", "tile"))
            for name, text in (("cuda", ""), ("cuda/tile", "mark = 1\n")):
                with open(os.path.join(folder, name, "__init__.py"), "w", encoding="utf-8") as f:
                    f.write(text)
            program = "import json, sys; print('tilesmith' in sys.modules); import cuda.tile, tilesmith; " \
                      "print(tilesmith._active, cuda.tile.mark, cuda.tile.__spec__.name)"
            environment = {**os.environ, "PYTHONPATH": os.environ["PYTHONPATH"] + os.pathsep + folder}
            done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
            self.assertEqual(done.stdout.split(), ["False", "True", "1", "cuda.tile"], done.stderr)

    def test_a_script_runs_with_the_driver(self):
        with tempfile.TemporaryDirectory() as folder:
            script = os.path.join(folder, "script.py")
            with open(script, "w", encoding="utf-8") as f:
                f.write("import ctypes, sys\nn = ctypes.c_int()\nprint(ctypes.CDLL('libcuda.so.1').cuDriverGetVersion(ctypes.byref(n)),"
                        " n.value >= 13000, sys.argv[1:])\n")
            environment = {**os.environ, "PYTHONPATH": os.path.dirname(HERE)}
            done = subprocess.run([sys.executable, "-m", "tilesmith", "run", "--engine=reference", script, "a"], capture_output=True,
                                  text=True, env=environment)
            self.assertEqual((done.returncode, done.stdout), (0, "0 True ['a']\n"), done.stderr)
            for words, text in (([], ""), (["nofile.py"], "expected a script, found no file 'nofile.py'"), (["-m", "nosuch"], "expected a module"),
                                (["--engine=nosuch", script], "expected engines among"), (["--colour=red", script], "there is no setting colour"),
                                (["--gpu-name=sm_1", script], "found 'sm_1'"), (["--time-limit=abc", script], "found 'abc'")):
                done = subprocess.run([sys.executable, "-m", "tilesmith", "run", *words], capture_output=True, text=True, env=environment)
                self.assertEqual((done.returncode, done.stdout), (2, ""), (words, done.stderr))
                self.assertIn(text, done.stderr)


if __name__ == "__main__":
    unittest.main()
