/**
 * The format version of a store: a newer one is refused, an older one is migrated step by step.
 */

import { ServiceError } from "../../../base/errors.ts"
import { CorruptError } from "../../../codec/corrupt-error.ts"
import { noteEarlierCounters } from "./earlier-counters.ts"
import type { Table } from "./table.ts"
import { textKey, type Tables } from "./tables.ts"

/** The version that this program writes. store/format describes each. */
export const formatVersion = 9

/** Exit status if the format of a store is the reason not to start (sysexits.h, EX_CONFIG). */
export const exitFormat = 78

/** Rewrites a store from version `from` to `from + 1` inside one transaction. */
export interface Migration {
  readonly from: number
  readonly apply: (tables: Tables) => void
}

/**
 * 1 → 2: batch records may be in the WAL besides the table `inbox`. Nothing is rewritten; a program
 * that does not know the WAL must not open such a store.
 *
 * 2 → 3: cells may be synthetic, without raw samples; there are tables for bands, states and closed
 * cycles, created empty if they are missing.
 *
 * 3 → 4: values hold a checksum of their key. Older values stay as they are and remain readable; an
 * older program would take new values for damaged ones.
 *
 * 4 → 5: WAL records may hold a series record, and `meta` has `published`. Nothing is rewritten:
 * older appends wrote their series to LMDB.
 *
 * 5 → 6: all unflushed batches are in the WAL. The recovery that follows moves those of the table
 * `inbox` there and drops the table. A backup has a WAL, which an older program would not restore.
 *
 * 6 → 7: elements, series, names and definitions may be forgotten, so their numbers have gaps, and
 * `meta` has the numbers assigned so far. An older program would assign some of them again.
 *
 * 7 → 8: cells of counters have their increase if they drop. The days of earlier cells are noted
 * (earlier-counters.ts).
 *
 * 8 → 9: counts of recent cells may take a byte each, which an older program takes for damage.
 */
export const migrations: readonly Migration[] = [
  { from: 1, apply: () => {} },
  { from: 2, apply: () => {} },
  { from: 3, apply: () => {} },
  { from: 4, apply: () => {} },
  { from: 5, apply: () => {} },
  { from: 6, apply: () => {} },
  { from: 7, apply: noteEarlierCounters },
  { from: 8, apply: () => {} },
]

/** In `meta`: the version as decimal text. */
export const versionKey = textKey("formatVersion")

/** Migrates the store to version `target`. Throws `storage` if that is not possible. */
export function migrateFormat(
  tables: Tables,
  steps: readonly Migration[] = migrations,
  target: number = formatVersion,
  onPoint: (name: string) => void = () => {},
): void {
  const found = readVersion(tables.meta)
  if (found === undefined) {
    onPoint("bootstrap.version")
    writeVersion(tables, target)
    onPoint("bootstrap.versioned")
    return
  }
  refuseAbove(found, target)
  for (let version = found; version < target; version++) {
    const step = steps.find((migration) => migration.from === version)
    if (step === undefined) {
      throw new ServiceError("storage", `No way from store format ${version} to ${target}`)
    }
    onPoint("migration.begin")
    tables.root.transactionSync(() => {
      step.apply(tables)
      onPoint("migration.applied")
      tables.meta.put(versionKey, Buffer.from(String(version + 1)))
    })
    onPoint("migration.committed")
  }
}

export function readVersion(meta: Table): number | undefined {
  const bytes = meta.get(versionKey)
  if (bytes === undefined) return undefined
  return parseVersion(bytes)
}

/** Throws CorruptError. */
export function parseVersion(bytes: Buffer): number {
  const text = bytes.toString()
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new CorruptError(`format version "${text}"`)
  return Number(text)
}

/**
 * Throws `storage` if these bytes are the version of a newer program, whose additions would look
 * like damage.
 */
export function refuseNewerFormat(bytes: Buffer | undefined): void {
  const text = bytes?.toString() ?? ""
  if (/^[1-9]\d{0,5}$/.test(text)) refuseAbove(Number(text), formatVersion)
}

/** Throws `storage`, with the exit status `exitFormat`, for a version after `known`. */
export function refuseAbove(found: number, known = formatVersion): void {
  if (found <= known) return
  throw new ServiceError(
    "storage",
    `The store has format ${found}, this version of Tidegauge knows formats up to ${known}: ` +
      "start the newer version that wrote it, or restore a backup from before its first start",
    { exitStatus: exitFormat },
  )
}

function writeVersion(tables: Tables, version: number): void {
  tables.root.transactionSync(() => {
    tables.meta.put(versionKey, Buffer.from(String(version)))
  })
}
