/**
 * Backup: the store as it was at one moment, taken beside whatever a server does to it meanwhile.
 *
 *   hold the journal ─► copy a snapshot of data.mdb ─► add the frames that wait in the journal
 *                                                      ─► backup.json, last: length and checksum
 *
 * What was acknowledged before the start is folded in the snapshot, or in its inbox, or waits in
 * the journal; while it is held, nothing of that is written over. The moment is that of the newest
 * frame without a gap before it: the snapshot may hold a fold that is half done, whose frames all
 * come before any gap, and folding them again has the same end.
 */

import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ServiceError } from "../../base/errors.ts"
import type { BackupReport } from "../store.ts"
import { fileChecksum } from "./file-checksum.ts"
import { formatVersion } from "./format-version.ts"
import { holdJournal, isHeld, letJournalGo } from "./journal-hold.ts"
import { recordsOf } from "./journal.ts"
import { syncPath } from "./journal-disk.ts"
import { probeLmdb } from "./probe.ts"
import { wasLeftInOrder, writerOf } from "./run-mark.ts"
import { dataFile, journalFiles, lockFile } from "./store-files.ts"
import {
  foldedKey,
  keyToSequence,
  openTables,
  packFolded,
  readFolded,
  sequenceKey,
  type Tables,
} from "./tables.ts"

export const manifestFile = "backup.json"

export interface Manifest {
  readonly formatVersion: number
  /** Of `data.mdb`, the one file of a backup. */
  readonly bytes: number
  readonly checksum: number
}

/** Copies the store into `backup`, which must not exist. Throws `storage`. */
export async function backupLmdb(
  folder: string,
  backup: string,
  nowMs: () => number,
): Promise<BackupReport> {
  if (!existsSync(join(folder, dataFile))) {
    throw new ServiceError("storage", `There is no store in "${folder}"`)
  }
  if (existsSync(backup)) throw new ServiceError("storage", `"${backup}" exists already`)
  const isAtRest = writerOf(folder) === null && !wasLeftInOrder(folder)
  refuseDamage(folder, isAtRest ? probeLmdb(folder) : [])
  mkdirSync(backup, { recursive: true, mode: 0o700 })
  try {
    await copyStore(folder, backup, nowMs)
    refuseDamage(folder, probeLmdb(backup))
    return { bytes: writeManifest(backup) }
  } catch (error) {
    rmSync(backup, { recursive: true, force: true })
    throw error
  }
}

/** What a backup says of itself; undefined where it is none. */
export function readManifest(backup: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(backup, manifestFile), "utf8")) as Manifest
  } catch {
    return undefined
  }
}

async function copyStore(folder: string, backup: string, nowMs: () => number): Promise<void> {
  holdJournal(folder)
  try {
    const newest = Math.max(0, ...[...journalFrames(folder)].map(([sequence]) => sequence))
    const source = openTables(folder)
    try {
      await source.root.backup(backup, true)
    } finally {
      await source.root.close()
    }
    const waiting = journalFrames(folder)
    if (!isHeld(folder, nowMs())) {
      throw new ServiceError(
        "storage",
        "The backup took so long that its hold of the journal ended",
      )
    }
    const copy = openTables(backup)
    try {
      addFrames(copy, waiting, newest)
    } finally {
      await copy.root.close()
    }
    rmSync(join(backup, lockFile), { force: true })
  } finally {
    letJournalGo(folder)
  }
}

/** The frames of the journal, by their numbers, as they are at this moment. */
function journalFrames(folder: string): Map<number, Uint8Array> {
  const frames = new Map<number, Uint8Array>()
  for (const name of journalFiles(folder)) {
    for (const { sequence, frame } of recordsOf(readFileSync(join(folder, name)))) {
      if (sequence !== null && frame !== null) frames.set(sequence, frame.bytes)
    }
  }
  return frames
}

/** Puts into the inbox what it lacks: up to the first gap, but at least to `newest`. */
function addFrames(copy: Tables, waiting: ReadonlyMap<number, Uint8Array>, newest: number): void {
  const folded = readFolded(copy.meta.get(foldedKey))
  const inbox = new Set(Array.from(copy.inbox.getKeys({}), keyToSequence))
  let end = folded + 1
  while (inbox.has(end) || waiting.has(end) || end < newest) end++
  copy.root.transactionSync(() => {
    // A compacting copy has one head that counts; a commit, whatever it holds, writes the other.
    copy.meta.put(foldedKey, packFolded(folded))
    for (const [sequence, bytes] of waiting) {
      const isMissing = sequence > folded && sequence <= Math.max(end - 1, newest)
      if (isMissing && !inbox.has(sequence)) {
        copy.inbox.put(sequenceKey(sequence), bytes as Buffer)
      }
    }
  })
}

function writeManifest(backup: string): number {
  const path = join(backup, dataFile)
  syncPath(path)
  const bytes = statSync(path).size
  const manifest: Manifest = { formatVersion, bytes, checksum: fileChecksum(path) }
  const manifestPath = join(backup, manifestFile)
  writeFileSync(manifestPath, `${JSON.stringify(manifest)}\n`, { mode: 0o600 })
  syncPath(manifestPath)
  syncPath(backup)
  return bytes
}

function refuseDamage(folder: string, problems: readonly string[]): void {
  if (problems.length === 0) return
  const advice = `run \`tidegauge repair --data ${folder}\` first`
  throw new ServiceError("storage", [`The store is damaged: ${problems[0]}`, advice])
}
