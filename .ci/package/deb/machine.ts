/**
 * A machine for tests: a root of its own with systemd as its first process, in namespaces of this
 * kernel for mounts, processes, network and control groups. Needs root, not a virtual machine.
 */

import { spawn, spawnSync, type ChildProcess } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmdirSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

export interface Outcome {
  readonly status: number | null
  readonly output: string
}

/** Standard input of this script is that of systemd; `$1` is the root, `$2` its control group. */
const bootScript = `
  set -e
  echo $$ > "$2/cgroup.procs"
  exec unshare --mount --pid --fork --kill-child --cgroup --net --uts --ipc \\
    --propagation private /bin/bash -c '
    set -e
    cd "$1"
    mount --bind . .
    cd "$1"
    mount -t proc proc proc
    # The settings of the kernel are those of this machine too.
    mount --bind proc/sys proc/sys
    mount -o remount,bind,ro proc/sys
    mount -t sysfs -o ro sysfs sys
    mount -t cgroup2 cgroup2 sys/fs/cgroup
    for name in run tmp dev; do mount -t tmpfs -o mode=0755 tmpfs "$name"; done
    chmod 1777 tmp
    for name in null zero full random urandom tty; do
      touch "dev/$name"
      mount --bind "/dev/$name" "dev/$name"
    done
    mkdir dev/shm dev/pts
    mount -t tmpfs tmpfs dev/shm
    mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
    ln -s pts/ptmx dev/ptmx
    touch dev/console
    hostname tide
    pivot_root . old
    umount -l old
    # As systemd finds it in a container: it mounts credentials from a namespace of its own.
    mount --make-rshared /
    export container=tidegauge-test
    exec /usr/lib/systemd/systemd --system --unit=multi-user.target
  ' bash "$1"
`

/** Why this machine cannot be made here; null if it can. */
export function whyNoMachine(): string | null {
  if (process.getuid?.() !== 0) return "it needs root, for namespaces"
  for (const tool of ["unshare", "nsenter", "pivot_root", "tar", "ldconfig", "curl"]) {
    if (spawnSync("/bin/sh", ["-c", `command -v ${tool}`]).status !== 0) return `${tool} is missing`
  }
  if (cgroupFolder() === null) return "no control groups of version 2 are mounted"
  const flags = ["--mount", "--pid", "--fork", "--cgroup", "--net", "--uts", "--ipc"]
  const tried = spawnSync("unshare", [...flags, "true"], { encoding: "utf8" })
  return tried.status === 0 ? null : `namespaces are refused: ${tried.stderr.trim()}`
}

function cgroupFolder(): string | null {
  const mounts = readFileSync("/proc/self/mounts", "utf8").split("\n")
  return mounts.find((line) => line.split(" ")[2] === "cgroup2")?.split(" ")[1] ?? null
}

export class Machine {
  readonly root: string
  private readonly boot: ChildProcess
  private readonly cgroup: string
  private output = ""

  private constructor(root: string) {
    this.root = root
    this.cgroup = mkdtempSync(join(cgroupFolder()!, "tidegauge-test-"))
    this.boot = spawn("/bin/bash", ["-c", bootScript, "bash", root, this.cgroup], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" },
    })
    for (const stream of [this.boot.stdout!, this.boot.stderr!]) {
      stream.on("data", (piece: Buffer) => (this.output += piece.toString()))
    }
  }

  /** Resolves when systemd has started everything. */
  static async start(root: string): Promise<Machine> {
    const machine = new Machine(root)
    try {
      await machine.until("systemd runs", () => {
        const { output } = machine.run("systemctl is-system-running")
        return /^(?:running|degraded)/m.test(output)
      })
      return machine
    } catch (error) {
      await machine.stop()
      throw error
    }
  }

  /** Runs a line of shell as root of the machine. */
  run(line: string, input = ""): Outcome {
    const pid = this.firstProcess()
    if (pid === null) return { status: null, output: "systemd has not started yet" }
    const enter = ["--target", String(pid), "--mount", "--pid", "--net", "--uts", "--ipc"]
    const argv = [...enter, "--", "/bin/bash", "-c", line]
    const path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    const env = { PATH: path, HOME: "/root", DEBIAN_FRONTEND: "noninteractive" }
    const { status, stdout, stderr } = spawnSync("nsenter", argv, { env, input, encoding: "utf8" })
    return { status, output: `${stdout}${stderr}` }
  }

  /** The output of a line that must succeed. */
  must(line: string): string {
    const { status, output } = this.run(line)
    if (status !== 0) throw new Error(`${line}: status ${status}\n${output}\n${this.journal()}`)
    return output.trim()
  }

  /** A program of this machine in the network of the other, which has no tools of its own. */
  outside(argv: readonly string[], input = ""): Outcome {
    const enter = ["--target", String(this.firstProcess()), "--net", "--", ...argv]
    const { status, stdout, stderr } = spawnSync("nsenter", enter, { input, encoding: "utf8" })
    return { status, output: `${stdout}${stderr}` }
  }

  /** Polls until `isTrue`; fails after two minutes with the journal. */
  async until(what: string, isTrue: () => boolean): Promise<void> {
    for (const endMs = Date.now() + 120_000; !isTrue(); await sleep(100)) {
      if (this.boot.exitCode !== null) throw new Error(`systemd ended: ${this.output}`)
      if (Date.now() > endMs) throw new Error(`${what}: not in time\n${this.journal()}`)
    }
  }

  journal(): string {
    return this.run("journalctl --no-pager --lines=60 --output=short-monotonic").output
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.boot.once("close", resolve))
    if (this.boot.exitCode === null) {
      this.boot.kill("SIGKILL")
      await ended
    }
    await removeCgroup(this.cgroup)
  }

  /** The systemd of the machine, as this one numbers it; null if it has not started. */
  private firstProcess(): number | null {
    const path = `/proc/${this.boot.pid}/task/${this.boot.pid}/children`
    if (!existsSync(path)) return null
    const pid = Number(readFileSync(path, "utf8").trim().split(" ")[0])
    const isSystemd = pid > 0 && readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "systemd"
    return isSystemd ? pid : null
  }
}

/** Groups can be removed when the last process is gone, innermost first. */
async function removeCgroup(folder: string): Promise<void> {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  const inner = entries
    .filter((one) => one.isDirectory())
    .map((one) => join(one.parentPath, one.name))
  let folders = [folder, ...inner].sort((a, b) => b.length - a.length)
  for (let attempt = 0; folders.length > 0 && attempt < 100; attempt++) {
    folders = folders.filter((one) => !isRemoved(one))
    await sleep(50)
  }
}

function isRemoved(folder: string): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch {
    // Still in use.
    return false
  }
}
