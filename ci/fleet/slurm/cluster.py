"""A Slurm cluster on this host for ci/fleet/test: slurmctld, two slurmd and munged of its own, all in a temporary folder.

Needs Debian's slurmctld, slurmd and munge, and root. Nothing of the system's own configuration is touched, and only processes that were
started here are ended. Slurm keeps processes running and starts array tasks anew; that is slow after a node died (minutes), so tasks that
are gone are submitted again. What is done and what is not, the store alone says.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time

TOOLS = ["slurmctld", "slurmd", "munged", "sbatch", "squeue", "scancel"]


def slurmdPort(node):
    return 27000 + node


class Cluster:
    def __init__(self, folder):
        missing = [tool for tool in TOOLS if not shutil.which(tool)]
        if missing or os.geteuid() != 0:
            print(f"skipped: {'missing ' + ', '.join(missing) if missing else 'a Slurm cluster of its own needs root'}")
            sys.exit(77)
        self.folder = os.path.join(folder, "slurm")
        os.mkdir(self.folder)
        os.chmod(self.folder, 0o755)
        host = socket.gethostname().split(".")[0]
        self.environment = dict(os.environ, SLURM_CONF=f"{self.folder}/slurm.conf")
        with open(f"{self.folder}/slurm.conf", "w") as f:
            f.write(f"""ClusterName=tilesmith
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={slurmdPort(0)}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={self.folder}/munge/socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool-%n
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/slurmd-%n.pid
SlurmctldLogFile={self.folder}/slurmctld.log
SlurmdLogFile={self.folder}/slurmd-%n.log
ReturnToService=2
SlurmdTimeout=10
KillWait=3
SchedulerParameters=batch_sched_delay=0,sched_interval=1
SlurmdParameters=config_overrides
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={slurmdPort(1)} CPUs=4 State=UNKNOWN
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={slurmdPort(2)} CPUs=4 State=UNKNOWN
PartitionName=fuzz Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
""")
        os.mkdir(f"{self.folder}/munge", 0o711)
        key = f"{self.folder}/munge/key"
        with open(key, "wb") as f:
            f.write(os.urandom(1024))
        os.chmod(key, 0o400)
        self.daemons = {}
        self.start("munged", ["munged", "--foreground", "--force", f"--key-file={key}", f"--socket={self.folder}/munge/socket",
                              f"--pid-file={self.folder}/munge/pid", f"--log-file={self.folder}/munge/log",
                              f"--seed-file={self.folder}/munge/seed"])
        time.sleep(1)
        self.start("slurmctld", ["slurmctld", "-D", "-c"])
        time.sleep(1)
        for node in ("n1", "n2"):
            self.start(node, ["slurmd", "-D", "-N", node])
        latest = time.time() + 60
        while self.ask("sinfo", "-h", "-N", "-o", "%t").split() != ["idle", "idle"]:
            if time.time() > latest:
                sys.exit(f"expected two idle nodes, found {self.ask('sinfo', '-N', '-l')}; logs: {self.folder}")
            time.sleep(0.5)

    def start(self, name, command):
        log = open(f"{self.folder}/{name}.out", "a")
        self.daemons[name] = subprocess.Popen(command, env=self.environment, stdout=log, stderr=log)

    def ask(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True).stdout

    def kill(self, rng):
        """A node's daemon, as a crash would; it is started anew some seconds later. Its tasks go on meanwhile."""
        node = rng.choice(["n1", "n2"])
        self.daemons[node].kill()
        self.daemons[node].wait()
        time.sleep(5 * rng.random())
        self.start(node, ["slurmd", "-D", "-N", node])

    def workers(self, *arguments):
        return Workers(self, *arguments)

    def stop(self):
        self.ask("scancel", "--user=root", "--signal=KILL", "--full")
        self.ask("scancel", "--user=root")
        time.sleep(2)
        for daemon in reversed(self.daemons.values()):
            daemon.terminate()
            try:
                daemon.wait(timeout=20)
            except subprocess.TimeoutExpired:
                daemon.kill()


class Workers:
    """An array job of workers; what is gone is submitted again."""

    def __init__(self, cluster, tool, url, folder, count, lease):
        self.cluster, self.tool, self.url, self.folder, self.count, self.lease = cluster, tool, url, folder, count, lease
        self.submitted, self.looked = 0, 0

    def pids(self):
        """Processes of workers that are alive: those of the tool whose command names our server and whose parent is no worker."""
        found = {}
        for entry in os.listdir("/proc"):
            try:
                with open(f"/proc/{entry}/cmdline", "rb") as f:
                    words = f.read().split(b"\0")
                if words[0].decode() == self.tool and b"worker" in words[1:2] and b"--db=" + self.url.encode() in words:
                    with open(f"/proc/{entry}/stat") as f:
                        state, parent = f.read().rsplit(")", 1)[1].split()[:2]
                    if state not in "ZX":
                        found[int(entry)] = int(parent)
            except (OSError, IndexError, ValueError, UnicodeDecodeError):
                continue
        return [pid for pid, parent in found.items() if parent not in found]

    def keep(self):
        if time.time() - self.looked < 5:
            return []
        self.looked = time.time()
        queued = [line for line in self.cluster.ask("squeue", "-h", "-r", "-o", "%t").split() if line in ("PD", "CF")]
        lacking = self.count - len(self.pids()) - len(queued)
        if lacking > 0:
            script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "worker.sbatch")
            environment = dict(self.cluster.environment, TILESMITH=self.tool, TILESMITH_DB=self.url,
                               TILESMITH_FINDINGS=os.path.join(self.folder, f"findings{self.submitted}"),
                               TILESMITH_WORKER_OPTIONS=f"--lease={self.lease}")
            subprocess.run(["sbatch", f"--array=1-{lacking}", "-o", f"{self.folder}/task-%A-%a.log", "--export=ALL", script],
                           env=environment, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.submitted += 1
        return []

    def finish(self, seconds):
        latest = time.time() + seconds
        while pids := self.pids():
            if time.time() > latest:
                sys.exit(f"expected that all workers end when nothing is left to do, found {pids}")
            time.sleep(0.5)
