/**
 * Run mark: a file that tells who has the store open for writing, or how the last one left it.
 *
 *   open ─► { state: running, process }     what stands there after a crash, a kill, a power cut
 *   close ─► { state: stopped, file }       `data.mdb` as it was left, which nobody wrote to since
 *
 * A store that was not left in order is looked through before it is opened (probe.ts), and one that
 * a living process has open is not opened twice: two writers would fill one journal.
 */

import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ServiceError } from "../../../base/errors.ts"
import { dataFile } from "./store-files.ts"

type WriterLock =
  | { readonly state: "running"; readonly pid: number; readonly birth: string }
  | { readonly state: "stopped"; readonly bytes: number; readonly changedMs: number }

const lockName = "run.json"

export function acquireWriterLock(folder: string, pid: number): void {
  writeLock(folder, { state: "running", pid, birth: processStartOf(pid) })
}

/** To be called once nothing writes any more. */
export function releaseWriterLock(folder: string): void {
  const { size, mtimeMs } = statSync(join(folder, dataFile))
  writeLock(folder, { state: "stopped", bytes: size, changedMs: mtimeMs })
}

/** True where the last writer closed the store, and its file is as it was then. */
export function wasClosedCleanly(folder: string): boolean {
  const mark = readLock(folder)
  if (mark?.state !== "stopped") return false
  const { size, mtimeMs } = statSync(join(folder, dataFile))
  return size === mark.bytes && mtimeMs === mark.changedMs
}

/** How much shorter `data.mdb` is than its last writer left it; null if it is not, or unknown. */
export function bytesMissing(folder: string): number | null {
  const mark = readLock(folder)
  if (mark?.state !== "stopped") return null
  const missing = mark.bytes - statSync(join(folder, dataFile)).size
  return missing > 0 ? missing : null
}

/** The process that has the store open for writing, if it is certain that it lives; else null. */
export function writerOf(folder: string): number | null {
  const mark = readLock(folder)
  if (mark?.state !== "running" || mark.birth === "") return null
  return processStartOf(mark.pid) === mark.birth ? mark.pid : null
}

/**
 * The same, but for a process that is not this one. Beside it the file is never at rest: whoever
 * reads its pages one by one finds pages of several moments, and takes them for damage.
 */
export function otherWriterOf(folder: string): number | null {
  const writer = writerOf(folder)
  return writer === process.pid ? null : writer
}

/** Throws `storage` where another living process has the store open for writing. */
export function refuseOtherWriter(folder: string): void {
  const writer = otherWriterOf(folder)
  if (writer === null) return
  throw new ServiceError("storage", `The store in "${folder}" is open in process ${writer}`)
}

/** States of a process that has ended, though nobody has asked for how (proc(5)). */
const endedStates = ["Z", "X"]

/**
 * When a process began, told so that no other one of any boot has the same; empty where the system
 * does not tell. Its number alone proves nothing: numbers are used again, and in a container each
 * start has the same.
 */
function processStartOf(pid: number): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    // Behind the name, which may hold anything: state, 18th threads, 20th start (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    // Where the first process of a container waits for none, killed ones stay listed for good. One
    // thread may end before others, which write.
    const hasEnded = endedStates.includes(fields[0]!) && Number(fields[17]) <= 1
    return hasEnded ? "" : `${boot} ${fields[19]}`
  } catch {
    return ""
  }
}

function writeLock(folder: string, mark: WriterLock): void {
  writeFileSync(join(folder, lockName), JSON.stringify(mark), { mode: 0o600 })
}

/** Undefined where there is none, or one that cannot be read: it only ever saves a look. */
function readLock(folder: string): WriterLock | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, lockName), "utf8")) as WriterLock
  } catch {
    return undefined
  }
}
