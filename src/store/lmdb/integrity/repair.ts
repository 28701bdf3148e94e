/**
 * Repair: makes a damaged store usable again, loses only unreadable data, and reports each step.
 *
 *   scan ─► pages damaged? ─► readable entries ─► a new file; the old one is quarantined
 *              │                                              │
 *              └─ values ◄────────────────────────────────────┘
 *       series of the WAL ─► catalogue ─► batches ─► documents ─► samples, rollups ─► verify
 */

import { invalidateByteCount } from "../compaction/byte-count.ts"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { ServiceError } from "../../../base/errors.ts"
import { ignoreProgress, type OnProgress } from "../../../base/work-progress.ts"
import { Catalogue } from "../../../catalogue/catalogue.ts"
import { CorruptError, corruptionOf } from "../../../codec/corrupt-error.ts"
import type { RepairReport } from "../../store.ts"
import { loadCatalogue } from "../metadata/catalogue-table.ts"
import { formatVersion, refuseNewerFormat, versionKey } from "../disk/format-version.ts"
import { knownTables, originalKey, type TableName } from "./key-check.ts"
import { checkMeta } from "./meta-check.ts"
import { pageProgress, PageFile, type Meta } from "./page-file.ts"
import { PageWalk, type TreeEntry } from "./page-walk.ts"
import { Quarantine } from "../disk/quarantine.ts"
import { repairCatalogue } from "./repair-catalogue.ts"
import { repairKeys } from "./repair-keys.ts"
import { repairNames } from "./repair-names.ts"
import { repairValues, type RepairDeps } from "./repair-values.ts"
import { damageOf } from "./record-check.ts"
import { repairWal } from "./repair-wal.ts"
import { setAside } from "./set-aside.ts"
import type { Table } from "../disk/table.ts"
import { Losses, type FileContents } from "./repair-losses.ts"
import {
  bytesMissing,
  acquireWriterLock,
  releaseWriterLock,
  writerOf,
} from "../disk/writer-lock.ts"
import { dataFile, lockFile, moveFiles } from "../disk/store-files.ts"
import { createEarlierTable, earlierTableName, openTables, type Tables } from "../disk/tables.ts"
import { verifyLmdb } from "./verify.ts"

/** Bytes written to the new file per commit. */
const commitBytes = 4 * 1024 * 1024

/** Repairs a store that no process has open. Throws `storage` if nothing can be read. */
export async function repairLmdb(
  folder: string,
  nowMs: number,
  onStep: OnProgress = ignoreProgress,
): Promise<RepairReport> {
  const writer = writerOf(folder)
  if (writer !== null) {
    throw new ServiceError("storage", `The store in "${folder}" is open in process ${writer}`)
  }
  const quarantine = new Quarantine(folder, nowMs)
  const done: string[] = []
  const losses = new Losses()
  const report = (line: string): void => void done.push(line)
  if (!hasIntactPages(folder, onStep)) {
    await rebuildFile(folder, { quarantine, report, losses, onStep })
  }
  acquireWriterLock(folder, process.pid)
  const tables = openTables(folder)
  try {
    refuseNewerFormat(tables.meta.get(versionKey))
    repairTables({ tables, quarantine, report, losses }, folder, nowMs)
    if (done.length > 0) invalidateByteCount(tables)
  } finally {
    await tables.root.close()
  }
  const { problems } = await verifyLmdb(folder, onStep)
  if (problems.length === 0) releaseWriterLock(folder)
  const quarantineFolder = done.length > 0 ? quarantine.path : null
  return { done, lost: losses.lines, problems, quarantineFolder }
}

function repairTables(deps: RepairDeps, folder: string, nowMs: number): void {
  repairMeta(deps)
  repairKeys(deps)
  repairNames(deps.tables, folder)
  deps.losses.compareCatalogue(deps.tables)
  repairWal(deps, folder, repairCatalogue(deps, nowMs))
  repairDocuments(deps)
  repairStates(deps)
  const catalogue = new Catalogue()
  loadCatalogue(deps.tables, catalogue)
  repairValues(deps, catalogue)
  deps.losses.finish(deps.tables)
}

/** Quarantines unreadable and unknown entries of `meta`; none of them is required. */
function repairMeta(deps: RepairDeps): void {
  const problemOf = (key: Buffer, value: Buffer) => corruptionOf(() => checkMeta(key, value))
  for (const { key } of setAside(deps, "meta", problemOf)) {
    deps.report(`meta, ${key.toString("utf8")}: set aside`)
  }
}

function repairDocuments(deps: RepairDeps): void {
  for (const { key } of setAside(deps, "documents", damageOf)) {
    const what = `a document of kind ${kindOf(key)}`
    deps.report(`${what}: set aside`)
    deps.losses.add(what)
  }
}

/** Quarantines unreadable states; analytics learn them again. */
function repairStates(deps: RepairDeps): void {
  for (const { key } of setAside(deps, "states", damageOf)) {
    deps.report(`a state of kind ${kindOf(key)}: set aside`)
  }
}

/** Only the kind: the id may contain personal data. */
function kindOf(key: Buffer): string {
  return key.toString("utf8").split("\0")[0]!
}

/** True if LMDB can open the file safely. */
function hasIntactPages(folder: string, onStep: OnProgress): boolean {
  try {
    return withFile(folder, (file) => {
      const { walk } = walkAll(file, { meta: file.meta(), visit: () => {}, onStep })
      walk.checkFree()
      return walk.problems.length === 0
    })
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error
    return false
  }
}

interface AllTrees {
  readonly walk: PageWalk
  /** Entries by table, according to the main tree; null for a table that it lacks. */
  readonly declared: Map<TableName, number | null>
}
type Visit = (table: TableName, entry: TreeEntry) => void

interface WalkAll {
  readonly meta: Meta
  readonly visit: Visit
  readonly onStep: OnProgress
}

function walkAll(file: PageFile, { meta, visit, onStep }: WalkAll): AllTrees {
  const onPage = pageProgress(file, onStep)
  const walk = new PageWalk(file, meta, { largeValuesMax: Infinity, visitsStrays: true, onPage })
  const trees = walk.trees()
  const isListWhole = walk.problems.length === 0
  const declared = new Map<TableName, number | null>()
  for (const [name, head] of trees) {
    const table = tableOf(name, trees)
    if (table !== name) walk.problems.push(`table "${name}" is ${table ?? "none of ours"}`)
    if (table === null) continue
    declared.set(table, head.entries)
    walk.walk(name, head, (entry) => visit(table, entry))
  }
  if (!isListWhole)
    for (const table of knownTables) if (!declared.has(table)) declared.set(table, null)
  return { walk, declared }
}

/** Returns the table of this name, or the missing table whose name differs by one character. */
function tableOf(name: string, trees: ReadonlyMap<string, unknown>): TableName | null {
  const isNearly = (other: string): boolean =>
    other.length === name.length &&
    !trees.has(other) &&
    Array.from(other).filter((letter, i) => letter !== name[i]).length === 1
  return knownTables.find((each) => each === name) ?? knownTables.find(isNearly) ?? null
}

interface RebuildDeps extends Pick<RepairDeps, "quarantine" | "report" | "losses"> {
  readonly onStep: OnProgress
}

/** Replaces the file by a new one with all readable entries. */
async function rebuildFile(
  folder: string,
  { quarantine, report, losses, onStep }: RebuildDeps,
): Promise<void> {
  const missing = bytesMissing(folder)
  if (missing !== null) losses.add(`${dataFile} is ${missing} bytes shorter than it was left`)
  const fresh = join(folder, "rebuild")
  rmSync(fresh, { recursive: true, force: true })
  const tables = openTables(fresh)
  try {
    const { problems, contents } = withFile(folder, (file) => copyEntries(file, tables, onStep))
    for (const problem of problems) report(problem)
    losses.compareFile(contents)
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error
    throw new ServiceError("storage", `Nothing can be read of "${folder}": ${error.message}`)
  } finally {
    await tables.root.close()
  }
  quarantine.addFiles([dataFile, lockFile])
  moveFiles([dataFile], fresh, folder)
  rmSync(fresh, { recursive: true })
  report(`${dataFile}: written again, the old one is in the quarantine`)
}

function copyEntries(
  file: PageFile,
  tables: Tables,
  onStep: OnProgress,
): { problems: readonly string[]; contents: FileContents } {
  const read = new Map<TableName, number>()
  let earlier: Table | null = null
  let writes: { table: Table; key: Buffer; value: Buffer }[] = []
  let bytes = 0
  const commit = (): void => {
    tables.root.transactionSync(() => {
      for (const { table, key, value } of writes) table.put(key, value)
    })
    writes = []
    bytes = 0
  }
  const tableOfName = (name: TableName): Table =>
    name === earlierTableName ? (earlier ??= createEarlierTable(tables)) : tables[name]
  const visit: Visit = (name, entry) => {
    const value = entry.value()
    if (name === "meta" && entry.key.equals(versionKey)) refuseNewerFormat(value)
    const original = originalKey(name, entry.key, value) ?? null
    // The original key of an entry out of order is unknown if its value has no key checksum.
    if (original === null && !entry.isInOrder) return
    writes.push({ table: tableOfName(name), key: original ?? entry.key, value })
    read.set(name, (read.get(name) ?? 0) + 1)
    bytes += value.length
    if (bytes >= commitBytes) commit()
  }
  const { meta, lostHead } = file.bestHead()
  const { walk, declared } = walkAll(file, { meta, visit, onStep })
  commit()
  // A store of this format lacks the earlier table, also if the list of tables is damaged.
  const isCurrent = tables.meta.get(versionKey)?.toString() === String(formatVersion)
  if (isCurrent && !read.has(earlierTableName)) declared.delete(earlierTableName)
  return { problems: walk.problems, contents: { declared, read, lostHead } }
}

function withFile<T>(folder: string, work: (file: PageFile) => T): T {
  const file = new PageFile(join(folder, dataFile))
  try {
    return work(file)
  } finally {
    file.close()
  }
}
