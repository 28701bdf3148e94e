/** The format version of a store: a newer one is refused, an older one is migrated step by step. */

import { ServiceError } from "../../../base/errors.ts"
import { CorruptError } from "../../../codec/corrupt-error.ts"
import type { Table } from "./table.ts"
import { textKey, type Tables } from "./tables.ts"

/** What this program writes. FORMAT.md tells what each version holds. */
export const formatVersion = 5

/** Rewrites a store from version `from` to `from + 1`, inside one transaction. */
export interface Migration {
  readonly from: number
  readonly apply: (tables: Tables) => void
}

/**
 * 1 → 2: frames may stand in the journal beside the inbox. Nothing is to be rewritten; a program
 * that does not know the journal must not open such a store.
 *
 * 2 → 3: cells may be facts of a closing, without raw samples, and there are tables for bands,
 * states and closed parts, which are made empty wherever they are missing.
 *
 * 3 → 4: values tell the key that they were written under. Those of before stay as they are, and
 * are read; a program that does not know the new ones would take them for damaged.
 *
 * 4 → 5: records of the journal may have names, and `meta` has `published`. Nothing is to be
 * rewritten: what was appended before brought its names to LMDB.
 */
export const migrations: readonly Migration[] = [
  { from: 1, apply: () => {} },
  { from: 2, apply: () => {} },
  { from: 3, apply: () => {} },
  { from: 4, apply: () => {} },
]

/** In `meta`: the version as decimal text. */
export const versionKey = textKey("formatVersion")

/** Brings the store to `target`; throws `storage` where that is not possible. */
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
 * Throws `storage` where these bytes are the version of a store that a newer program wrote, in
 * which all that it brought would be taken for damage.
 */
export function refuseNewerFormat(bytes: Buffer | undefined): void {
  const text = bytes?.toString() ?? ""
  if (/^[1-9]\d{0,5}$/.test(text)) refuseAbove(Number(text), formatVersion)
}

function refuseAbove(found: number, known: number): void {
  if (found <= known) return
  throw new ServiceError(
    "storage",
    `The store has format version ${found}, this program knows up to ${known}: ` +
      "run the newer program that wrote it",
  )
}

function writeVersion(tables: Tables, version: number): void {
  tables.root.transactionSync(() => {
    tables.meta.put(versionKey, Buffer.from(String(version)))
  })
}
