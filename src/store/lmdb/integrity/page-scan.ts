/**
 * Page scan: a fast check of `data.mdb` for corruption (command `probe`). Reads without LMDB, which
 * a damaged file may crash.
 *
 *   structure   every page of every tree, and that no used page is free (page-walk.ts)
 *   values      those that the start loads: catalogue, documents, meta
 *   keys        of all tables: each value belongs to its key (key-check.ts), and tables that depend
 *               on each other have the same keys
 *
 * Large values are not read: 1 M series with a day of recent records are 30,000 pages instead of
 * gigabytes. Each has a checksum that its reader verifies. The same applies to the batches in the
 * WAL, and in the table `inbox` of earlier formats: the start reports a damaged one and skips it.
 */

import { existsSync } from "node:fs"
import { join } from "node:path"
import { ignoreProgress, type OnProgress } from "../../../base/work-progress.ts"
import { CorruptError } from "../../../codec/corrupt-error.ts"
import { cellColumnNames } from "../../../rollup/encoding/column-name.ts"
import {
  watermarksKey,
  unpackWatermarks,
  type RetentionWatermarks,
} from "../disk/retention-watermarks.ts"
import { checkKeyOfRecord, knownTables, type TableName } from "./key-check.ts"
import { KeyList } from "./key-list.ts"
import { IncompleteDays, incompleteDaysKey } from "../metadata/incomplete-days.ts"
import { checkMeta } from "./meta-check.ts"
import { pageProgress, PageFile, type Meta } from "./page-file.ts"
import { PageWalk, type TreeEntry } from "./page-walk.ts"
import { storedNumbersKey, unpackNumbers, type StoredNumbers } from "../metadata/stored-numbers.ts"
import { openRecord } from "../disk/record.ts"
import { dataFile } from "../disk/store-files.ts"
import { cyclesPerDay } from "../../../model/resolution.ts"
import {
  columnKey,
  indexKey,
  keyBytesOf,
  keyToColumn,
  keyToPeriod,
  periodKey,
} from "../disk/tables.ts"

/** Maximum number of checked heads of large values: 3 µs each if the page is cached. */
const largeValuesMax = 100_000
/** Maximum number of reported problems. */
const problemsMax = 100

/** Tables whose keys are compared with those of other tables. */
const comparedTables = [
  "recentRaw",
  "recentCells",
  "recentBands",
  "openDays",
  "cells",
  "hours",
  "days",
] as const
type ComparedTable = (typeof comparedTables)[number]

/** Returns one sentence per problem; empty if the file is intact or does not exist. */
export function scanLmdb(folder: string, onStep: OnProgress = ignoreProgress): string[] {
  const path = join(folder, dataFile)
  if (!existsSync(path)) return []
  try {
    const file = new PageFile(path)
    try {
      return new PageScan(file, file.meta(), onStep).run()
    } finally {
      file.close()
    }
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error
    return [error.message]
  }
}

type CatalogueTable = "names" | "definitions" | "elements"

class PageScan {
  private readonly walk: PageWalk
  private readonly problems: string[] = []
  private readonly keys = new Map<ComparedTable, KeyList>()
  /** Entries of the catalogue tables, and the first number that has none, or -1. */
  private readonly catalogue = new Map<CatalogueTable, { count: number; missing: number }>()
  private numbers: StoredNumbers | undefined
  private incompleteDays = new IncompleteDays(undefined)
  private horizons: RetentionWatermarks = { ZERO: 0, PT5M: 0, PT1H: 0, PT24H: 0 }

  constructor(file: PageFile, meta: Meta, onStep: OnProgress) {
    this.walk = new PageWalk(file, meta, { largeValuesMax, onPage: pageProgress(file, onStep) })
  }

  run(): string[] {
    const trees = this.walk.trees()
    for (const [name, head] of trees) {
      if (!isTableName(name)) this.report(`unknown table "${name}"`)
      else this.walk.walk(name, head, this.visitorOf(name))
    }
    // A store of an older version lacks tables that it never wrote.
    if (trees.size > 0 && !trees.has("meta")) this.report(`table "meta" is missing`)
    this.walk.checkFree()
    this.checkNumbers()
    if (this.walk.problems.length === 0) this.compareTables()
    return [...this.walk.problems, ...this.problems].slice(0, problemsMax)
  }

  private visitorOf(name: TableName): (entry: TreeEntry) => void {
    const visit = this.contentVisitorOf(name)
    return (entry) => {
      const { key, head, length } = entry
      if (head !== null) checkKeyOfRecord(name, key, head, length)
      visit(entry)
    }
  }

  private contentVisitorOf(name: TableName): (entry: TreeEntry) => void {
    if (isCompared(name)) {
      const keys = new KeyList(keyBytesOf(name))
      this.keys.set(name, keys)
      return ({ key }) => {
        if (key.length !== keys.keyBytes) throw new CorruptError(`key ${key.toString("hex")}`)
        keys.push(key)
      }
    }
    if (name === "names" || name === "definitions" || name === "elements") {
      const entries = { count: 0, missing: -1 }
      this.catalogue.set(name, entries)
      return (entry) => {
        const { key } = entry
        if (entries.missing < 0 && !key.equals(indexKey(entries.count))) {
          entries.missing = entries.count
        }
        entries.count++
        openRecord(key, entry.value())
      }
    }
    if (name === "documents") return (entry) => void openRecord(entry.key, entry.value())
    if (name === "meta") return (entry) => this.readMeta(entry)
    return () => {}
  }

  private readMeta(entry: TreeEntry): void {
    const { key } = entry
    const value = entry.value()
    checkMeta(key, value)
    if (key.equals(watermarksKey)) this.horizons = unpackWatermarks(value)
    else if (key.equals(incompleteDaysKey)) this.incompleteDays = new IncompleteDays(value)
    else if (key.equals(storedNumbersKey)) this.numbers = unpackNumbers(value)
  }

  /** Numbers of what was forgotten have no entry, so entries are counted. */
  private checkNumbers(): void {
    for (const [name, { count, missing }] of this.catalogue) {
      const known = this.numbers?.known[name]
      if (known === undefined && missing >= 0) this.report(`${name}: entry ${missing} is missing`)
      if (known !== undefined && known !== count) {
        this.report(`${name}: ${count} of ${known} entries are there`)
      }
    }
  }

  private compareTables(): void {
    this.compareRecent()
    const days = this.keysOf("days")
    const { PT1H, PT5M } = this.horizons
    this.requireKeys(keysFrom(days, PT1H), "hours", this.keysOf("hours"))
    const cells = this.keysOf("cells")
    for (const [column] of cellColumnNames.entries()) {
      const wanted = new KeyList(keyBytesOf("cells"))
      const found = new KeyList(keyBytesOf("cells"))
      for (const key of keysOf(keysFrom(days, PT5M))) {
        const { period, block } = keyToPeriod(key)
        wanted.push(columnKey(period, block, column))
      }
      for (const key of keysOf(cells)) if (keyToColumn(key) === column) found.push(key)
      this.requireKeys(wanted, "cells", found)
    }
  }

  /** Checks that recent records have their markers, and that markers have recent records. */
  private compareRecent(): void {
    // Cells without raw samples come from the closing of a cycle.
    for (const key of this.keysOf("recentRaw").without(this.keysOf("recentCells"))) {
      this.report(`recentRaw has ${nameOf(key)} alone`)
    }
    let unexplained = this.keysOf("openDays")
    for (const name of ["recentCells", "recentBands"] as const) {
      const found = this.daysOf(name)
      for (const key of found.without(this.keysOf("openDays"))) {
        this.report(`${name} has ${nameOf(key)} alone`)
      }
      unexplained = difference(unexplained, found)
    }
    // A compacted day without recent records may be in the queue; see compact-counters.ts.
    for (const key of unexplained.without(this.keysOf("days"))) {
      this.report(`openDays has ${nameOf(key)} alone`)
    }
  }

  /** Returns the distinct days and blocks of the recent records of a table. */
  private daysOf(name: "recentCells" | "recentBands"): KeyList {
    const keys = this.keysOf(name)
    const days = new KeyList(8)
    let blocks = new Set<number>()
    for (let i = 0; i < keys.count; i++) {
      blocks.add(keys.u32(i, 4))
      const day = Math.floor(keys.u32(i, 0) / cyclesPerDay)
      // Cycles ascend, so the blocks of a day are consecutive.
      if (i + 1 < keys.count && Math.floor(keys.u32(i + 1, 0) / cyclesPerDay) === day) continue
      for (const block of [...blocks].sort((left, right) => left - right)) {
        days.push(periodKey(day, block))
      }
      blocks = new Set()
    }
    return days
  }

  private requireKeys(wanted: KeyList, name: TableName, found: KeyList): void {
    for (const key of wanted.without(found)) {
      const { period: day, block } = keyToPeriod(key)
      if (!this.incompleteDays.has({ day, block }))
        this.report(`${name} of ${nameOf(key)} is missing`)
    }
  }

  private keysOf(name: ComparedTable): KeyList {
    return this.keys.get(name) ?? new KeyList(keyBytesOf(name))
  }

  private report(problem: string): void {
    if (this.problems.length < problemsMax) this.problems.push(problem)
  }
}

function isTableName(name: string): name is TableName {
  return (knownTables as readonly string[]).includes(name)
}
function isCompared(name: TableName): name is ComparedTable {
  return comparedTables.some((compared) => compared === name)
}

function* keysOf(list: KeyList): Generator<Buffer> {
  for (let i = 0; i < list.count; i++) yield list.at(i)
}

/** Returns the keys of the left list that are not in the right one. */
function difference(left: KeyList, right: KeyList): KeyList {
  const rest = new KeyList(left.keyBytes)
  for (const key of left.without(right)) rest.push(key)
  return rest
}

/** Returns the keys of this period and later ones. */
function keysFrom(list: KeyList, period: number): KeyList {
  const later = new KeyList(list.keyBytes)
  for (const key of keysOf(list)) if (keyToPeriod(key).period >= period) later.push(key)
  return later
}

function nameOf(key: Buffer): string {
  const { period, block } = keyToPeriod(key)
  return `period ${period}, block ${block}`
}
