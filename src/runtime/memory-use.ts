/** Memory in use that the system can neither drop nor write back to a file. */

import { posix } from "node:path"

export interface MemoryUseSources {
  /** The text of a file; null if it does not exist or cannot be read. */
  readonly readFile: (path: string) => string | null
  /** The file of the limit, if a control group has it (memory-limit.ts). */
  readonly limitSource: string
  /** Bytes of all resident memory of this process; null if the system does not say. */
  readonly residentBytes: () => number | null
}

/**
 * Bytes of heaps, buffers and stacks. Views of files, above all of the store, are not counted: the
 * system drops them if it needs their memory.
 *
 * Counts this process, by `/proc/self/status` (proc(5)); or all processes of the control group that
 * has the limit, with its files in memory (tmpfs), if that is more. All resident memory of the
 * process if there are no such files; 0, so that nothing is refused, if that is unknown too: a
 * Linux without /proc.
 */
export function unreclaimableBytes(sources: MemoryUseSources): number {
  const { readFile, limitSource, residentBytes } = sources
  const status = /^RssAnon:\s+(\d+) kB[^]*^RssShmem:\s+(\d+) kB/m.exec(
    readFile("/proc/self/status") ?? "",
  )
  const ownBytes =
    status === null ? (residentBytes() ?? 0) : (Number(status[1]) + Number(status[2])) * 1024
  if (!limitSource.startsWith("/")) return ownBytes
  const stat = readFile(`${posix.dirname(limitSource)}/memory.stat`) ?? ""
  return Math.max(ownBytes, groupBytes(stat))
}

/** Of `memory.stat`: version 1 names sums over the groups below `total_`, version 2 has no others. */
function groupBytes(stat: string): number {
  const sumOf = (pattern: RegExp) =>
    [...stat.matchAll(pattern)].reduce((sum, [, bytes]) => sum + Number(bytes), 0)
  const version1 = sumOf(/^total_(?:rss|shmem) (\d+)$/gm)
  const version2 = sumOf(/^(?:anon|shmem|kernel_stack|pagetables|sock|slab_unreclaimable) (\d+)$/gm)
  return stat.includes("\ntotal_rss ") ? version1 : version2
}

/** Bytes of all resident memory of this process; null on a Linux without /proc. */
export function residentBytesOfProcess(): number | null {
  try {
    return process.memoryUsage.rss()
  } catch {
    return null
  }
}
