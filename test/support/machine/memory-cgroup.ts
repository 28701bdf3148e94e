/**
 * A control group of Linux with a limit of memory, version 1 or 2, if this process may make one:
 * what a container or `MemoryMax=` of systemd gives a service.
 */

import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

export interface MemoryFigures {
  /** Everything that is charged, the page cache included. */
  readonly usageBytes: number
  readonly peakBytes: number
  /** Heaps, buffers and stacks, which the system cannot drop or write back. */
  readonly anonymousBytes: number
  /** Processes that the system killed for want of memory. */
  readonly kills: number
}

export interface MemoryCgroup {
  /** The command that enters the group and then becomes `command`, with the same pid. */
  enter(command: readonly string[]): string[]
  figures(): MemoryFigures
  /** Only when its processes have ended. */
  remove(): void
}

/** Files of a version, with the fields that are read from them. */
interface Version {
  readonly limits: readonly string[]
  readonly usage: string
  readonly peak: string
  readonly anonymous: RegExp
  readonly kills: { readonly file: string; readonly line: RegExp }
}

const root = "/sys/fs/cgroup"

const version1: Version = {
  // The second is missing where the kernel does not count swap.
  limits: ["memory.limit_in_bytes", "memory.memsw.limit_in_bytes"],
  usage: "memory.usage_in_bytes",
  peak: "memory.max_usage_in_bytes",
  anonymous: /^rss (\d+)$/m,
  kills: { file: "memory.oom_control", line: /^oom_kill (\d+)$/m },
}

const version2: Version = {
  limits: ["memory.max"],
  usage: "memory.current",
  peak: "memory.peak",
  anonymous: /^anon (\d+)$/m,
  kills: { file: "memory.events", line: /^oom_kill (\d+)$/m },
}

/** Null if the system has no control groups, or lets us make none. */
export function createMemoryCgroup(limitBytes: number): MemoryCgroup | null {
  const name = `tidegauge-${process.pid}-${Math.trunc(performance.now())}`
  try {
    const path = join(parentFolder(), name)
    mkdirSync(path)
    const version = existsSync(join(path, "memory.limit_in_bytes")) ? version1 : version2
    const group = new OpenCgroup(path, version)
    if (group.limit(limitBytes)) return group
    group.remove()
    return null
  } catch {
    return null
  }
}

/** The group of this process in version 1; in version 2 the root, where groups may have limits. */
function parentFolder(): string {
  const own = /^\d+:memory:(.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1]
  return own === undefined ? root : join(root, "memory", own)
}

class OpenCgroup implements MemoryCgroup {
  private readonly path: string
  private readonly version: Version

  constructor(path: string, version: Version) {
    this.path = path
    this.version = version
  }

  /** False if the group has no limit of memory. */
  limit(bytes: number): boolean {
    const files = this.version.limits.map((file) => join(this.path, file))
    for (const file of files.filter(existsSync)) writeFileSync(file, String(bytes))
    return existsSync(files[0]!)
  }

  enter(command: readonly string[]): string[] {
    const script = `echo $$ > "${join(this.path, "cgroup.procs")}" && exec "$@"`
    return ["sh", "-c", script, "sh", ...command]
  }

  figures(): MemoryFigures {
    const { usage, peak, anonymous, kills } = this.version
    return {
      usageBytes: this.number(usage),
      peakBytes: this.number(peak),
      anonymousBytes: this.number("memory.stat", anonymous),
      kills: this.number(kills.file, kills.line),
    }
  }

  remove(): void {
    rmdirSync(this.path)
  }

  /** NaN if this kernel does not count it. */
  private number(file: string, pattern = /^(\d+)/): number {
    const path = join(this.path, file)
    if (!existsSync(path)) return Number.NaN
    return Number(pattern.exec(readFileSync(path, "utf8"))?.[1] ?? Number.NaN)
  }
}
