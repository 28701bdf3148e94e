/** Figures of Linux about a process and a folder. */

import { execFileSync } from "node:child_process"
import { lstatSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"

let ticksPerSecond = 0

/** Seconds of processor time, user and system, of all threads. */
export function cpuSeconds(pid: number): number {
  ticksPerSecond ||= Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }))
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1")
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/**
 * As `cpuSeconds` in milliseconds, exact to the microsecond, without threads that have ended. The
 * first number of `schedstat` is nanoseconds on a core.
 */
export function cpuMs(pid: number): number {
  const folder = `/proc/${pid}/task`
  const ofThread = (id: string) => readFileSync(`${folder}/${id}/schedstat`, "latin1").split(" ")
  return readdirSync(folder).reduce((sum, id) => sum + Number(ofThread(id)[0]) / 1e6, 0)
}

/** Resident memory. */
export function rssBytes(pid: number): number {
  return statusBytes(pid, "VmRSS")
}

/** Of the resident memory what is no view of a file: the system cannot take it back. */
export function anonymousBytes(pid: number): number {
  return statusBytes(pid, "RssAnon")
}

/** Of the resident memory what is a view of a file, of the store's above all. */
export function fileViewBytes(pid: number): number {
  return statusBytes(pid, "RssFile")
}

function statusBytes(pid: number, line: string): number {
  const status = readFileSync(`/proc/${pid}/status`, "latin1")
  return Number(new RegExp(`^${line}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? Number.NaN) * 1024
}

/** Allocated blocks below a folder: a sparse file counts what it holds. */
export function diskBytes(folder: string): number {
  let bytes = 0
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    const found = lstatSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })
    bytes += (found?.blocks ?? 0) * 512
  }
  return bytes
}

const calmShare = 0.05
const calmSeconds = 2

/** For `settle`: a day is compacted, and memory is given back, after ten quiet seconds. */
export const restSeconds = { graceSeconds: 12, secondsMax: 60 } as const

/**
 * Waits until the process used less than 5 % of a core in each of two seconds in a row, after
 * `graceSeconds` in which work that waits for quiet may begin. Returns false if `secondsMax`
 * passed.
 */
export async function settle(
  pid: number,
  { graceSeconds, secondsMax }: { readonly graceSeconds: number; readonly secondsMax: number },
): Promise<boolean> {
  await wait(graceSeconds * 1000)
  const untilMs = performance.now() + secondsMax * 1000
  let last = cpuSeconds(pid)
  for (let calm = 0; calm < calmSeconds;) {
    if (performance.now() > untilMs) return false
    await wait(1000)
    const now = cpuSeconds(pid)
    calm = now - last < calmShare ? calm + 1 : 0
    last = now
  }
  return true
}
