/** The embedded store in a folder of its own, opened by halves or by its tables. */

import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { TestContext } from "node:test"
import { dayMs } from "../../../src/model/resolution.ts"
import { walFiles } from "../../../src/store/lmdb/disk/store-files.ts"
import {
  createEarlierTable,
  openTables,
  readFlushedSequence,
  sequenceKey,
  type Tables,
} from "../../../src/store/lmdb/disk/tables.ts"
import { versionKey } from "../../../src/store/lmdb/disk/format-version.ts"
import { scanRecords } from "../../../src/store/lmdb/wal/segment.ts"
import { readWal } from "../../../src/store/lmdb/wal/segment-files.ts"
import { openReadStore, openWriteStore } from "../../../src/store/open.ts"
import type { ReadStore, FaultHooks, WriteStore } from "../../../src/store/store.ts"
import { makeFolder, removeFolder } from "../machine/folder.ts"

export interface Warning {
  readonly fields: object
  readonly message: string
}

/** A folder that goes when the test ends. */
export function folderOf(t: TestContext): string {
  const folder = makeFolder()
  t.after(() => removeFolder(folder))
  return folder
}

/** Tables of an empty store; closed and removed when the test ends. */
export function tablesOf(t: TestContext): Tables {
  const folder = makeFolder()
  const tables = openTables(folder)
  t.after(async () => {
    await tables.root.close()
    removeFolder(folder)
  })
  return tables
}

/** Those of the service have 8 MiB, which every start reads and every copy of a folder copies. */
export const smallSegments: FaultHooks = { segmentBytes: 256 * 1024 }

/** Segments in which no record fits: each has one of its own. */
export const tinySegments: FaultHooks = { segmentBytes: 8 }

/** The writing half; what it warns of is added to `warnings`. */
export function openWriter(
  folder: string,
  warnings: Warning[] = [],
  trial: FaultHooks = {},
): WriteStore {
  let elapsedMs = 0
  return openWriteStore({
    folder,
    retentionMs: { ZERO: 15 * dayMs, PT5M: 90 * dayMs, PT1H: 395 * dayMs, PT24H: 1825 * dayMs },
    cycleGraceMs: 60_000,
    // An hour a look: whatever waits for quiet gets it.
    elapsedMs: () => (elapsedMs += 3_600_000),
    warn: (fields, message) => void warnings.push({ fields, message }),
    faults: { ...smallSegments, ...trial },
  })
}

/** Runs `work` on the writing half, until it is closed again. */
export async function writing(
  folder: string,
  work: (writer: WriteStore) => void,
  warnings: Warning[] = [],
): Promise<void> {
  const writer = openWriter(folder, warnings)
  try {
    work(writer)
  } finally {
    await writer.close()
  }
}

export async function reading<T>(folder: string, work: (reader: ReadStore) => T): Promise<T> {
  const reader = openReadStore({ folder })
  try {
    return work(reader)
  } finally {
    await reader.close()
  }
}

/** The last format whose recovery, repair and backup kept batches in LMDB. */
const inboxFormat = "5"

/**
 * Moves the records of the WAL that are not flushed, up to a sequence number, to the table `inbox`,
 * as programs of earlier formats left them. Segments with later records remain.
 */
export async function moveToInbox(folder: string, upTo = Infinity): Promise<void> {
  const { records } = readWal(folder)
  await tampering(folder, (tables) => {
    const inbox = createEarlierTable(tables)
    const flushed = readFlushedSequence(tables)
    for (const { sequence, batch } of records) {
      if (sequence > flushed && sequence <= upTo) inbox.put(sequenceKey(sequence), batch.bytes)
    }
    tables.meta.put(versionKey, Buffer.from(inboxFormat))
  })
  for (const name of walFiles(folder)) {
    const found = [...scanRecords(readFileSync(join(folder, name)))]
    if (found.every(({ sequence }) => sequence! <= upTo)) rmSync(join(folder, name))
  }
}

/** Changes the bytes of a store that no process has open. */
export async function tampering<T>(folder: string, work: (tables: Tables) => T): Promise<T> {
  const tables = openTables(folder)
  try {
    return tables.root.transactionSync(() => work(tables))
  } finally {
    await tables.root.close()
  }
}
