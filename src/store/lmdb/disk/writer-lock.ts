/**
 * Writer lock: a file that records which process has the store open for writing, or how the last
 * writer left it.
 *
 *   open  ─► { state: running, process }   remains after a crash, a kill or a power cut
 *   close ─► { state: stopped, file }      size and time of `data.mdb`, unchanged since
 *
 * A store that was not closed cleanly is scanned before it is opened (integrity/page-scan.ts). A
 * store that a live process has open is not opened again: two writers would write one WAL.
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

/** Call it when nothing writes any more. */
export function releaseWriterLock(folder: string): void {
  const { size, mtimeMs } = statSync(join(folder, dataFile))
  writeLock(folder, { state: "stopped", bytes: size, changedMs: mtimeMs })
}

/** True if the last writer closed the store and its data file has not changed since. */
export function wasClosedCleanly(folder: string): boolean {
  const mark = readLock(folder)
  if (mark?.state !== "stopped") return false
  const { size, mtimeMs } = statSync(join(folder, dataFile))
  return size === mark.bytes && mtimeMs === mark.changedMs
}

/**
 * Bytes that `data.mdb` is shorter than its last writer left it; null if it is not shorter, or
 * unknown.
 */
export function bytesMissing(folder: string): number | null {
  const mark = readLock(folder)
  if (mark?.state !== "stopped") return null
  const missing = mark.bytes - statSync(join(folder, dataFile)).size
  return missing > 0 ? missing : null
}

/**
 * Pid of the process that has the store open for writing, if it certainly lives; null otherwise.
 */
export function writerOf(folder: string): number | null {
  const mark = readLock(folder)
  if (mark?.state !== "running" || mark.birth === "") return null
  return processStartOf(mark.pid) === mark.birth ? mark.pid : null
}

/**
 * The same, for processes other than this one. While a writer runs, reading the file page by page
 * finds pages of different moments, which look like damage.
 */
export function otherWriterOf(folder: string): number | null {
  const writer = writerOf(folder)
  return writer === process.pid ? null : writer
}

/** Throws `storage` if another live process has the store open for writing. */
export function refuseOtherWriter(folder: string): void {
  const writer = otherWriterOf(folder)
  if (writer === null) return
  throw new ServiceError("storage", `The store in "${folder}" is open in process ${writer}`)
}

/** States of a process that has ended but was not waited for (proc(5)). */
const endedStates = ["Z", "X"]

/**
 * Start of a process, as a text that is unique across all boots; empty if the system does not
 * report it. The pid alone proves nothing: pids are reused, and in a container each start has the
 * same.
 */
function processStartOf(pid: number): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    // Fields after the name, which may hold anything: state, 18th threads, 20th start (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    // If the first process of a container reaps no children, killed ones stay listed. One thread
    // may end before others, which still write.
    const hasEnded = endedStates.includes(fields[0]!) && Number(fields[17]) <= 1
    return hasEnded ? "" : `${boot} ${fields[19]}`
  } catch {
    return ""
  }
}

function writeLock(folder: string, mark: WriterLock): void {
  writeFileSync(join(folder, lockName), JSON.stringify(mark), { mode: 0o600 })
}

/** Undefined if there is none, or an unreadable one: the lock only saves a scan. */
function readLock(folder: string): WriterLock | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, lockName), "utf8")) as WriterLock
  } catch {
    return undefined
  }
}
