/**
 * Memory limit: how much memory this process may use before the system ends it. A container or a
 * service manager sets it for a control group (cgroups(7)), and every group above sets one too:
 *
 *   version 2   memory.max   ends processes beyond it
 *               memory.high  stalls them, for seconds at a time
 *   version 1   memory.limit_in_bytes
 *
 * The least of them holds, at most the machine's memory.
 */

import { posix } from "node:path"

export interface MemoryLimit {
  readonly bytes: number
  /** The file with the limit, or "the machine". */
  readonly source: string
}

export interface MemoryLimitSources {
  /** The text of a file; null if it does not exist or cannot be read. */
  readonly readFile: (path: string) => string | null
  /** Bytes of the machine's memory. */
  readonly totalBytes: number
}

const mountFolder = "/sys/fs/cgroup"
/** Groups nest a few levels deep; a path of /proc has at most 4096 bytes. */
const depthMax = 64

/** Never throws: what cannot be read limits nothing. */
export function readMemoryLimit({ readFile, totalBytes }: MemoryLimitSources): MemoryLimit {
  let least: MemoryLimit = { bytes: totalBytes, source: "the machine" }
  for (const path of limitFiles(readFile("/proc/self/cgroup") ?? "")) {
    const bytes = limitOf(readFile(path))
    if (bytes < least.bytes) least = { bytes, source: path }
  }
  return least
}

/** Files with limits of the groups of this process, which `/proc/self/cgroup` names. */
function limitFiles(groups: string): string[] {
  const version2 = /^0::(\/.*)$/m.exec(groups)?.[1]
  const version1 = /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(\/.*)$/m.exec(groups)?.[1]
  return [
    ...foldersAbove(mountFolder, version2).flatMap((folder) => [
      `${folder}/memory.max`,
      `${folder}/memory.high`,
    ]),
    ...foldersAbove(`${mountFolder}/memory`, version1).map(
      (folder) => `${folder}/memory.limit_in_bytes`,
    ),
  ]
}

/**
 * The folder of a group and of all groups above, up to the mount. In a container the path may be
 * the host's, of which only the mount exists.
 */
function foldersAbove(mount: string, path: string | undefined): string[] {
  if (path === undefined) return []
  const folders: string[] = []
  let group = posix.normalize(path)
  for (let depth = 0; depth < depthMax && group !== "/"; depth++) {
    folders.push(mount + group)
    group = posix.dirname(group)
  }
  return [...folders, mount]
}

/** Infinity if there is none: `max`, or a file that does not exist. */
function limitOf(text: string | null): number {
  const bytes = /^(\d+)\s*$/.exec(text ?? "")?.[1]
  return bytes === undefined ? Infinity : Number(bytes)
}
