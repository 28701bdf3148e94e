/**
 * Losses of a repair, one sentence each: the metrics, elements and days, if known; otherwise the
 * number of entries per table, according to the heads of the file's trees.
 *
 *   head of a tree: 504 entries ─┐
 *   entries that were read: 120 ─┴─► "elements: 384 of 504 entries are lost; …"
 */

import type { Catalogue } from "../../../catalogue/catalogue.ts"
import { cycleMs, dayMs } from "../../../model/resolution.ts"
import type { TableName } from "./key-check.ts"
import {
  catalogueTables,
  earlierTableName,
  windowMs,
  type tableNames,
  type Tables,
  type BlockIndex,
} from "../disk/tables.ts"

/** Content of a table in words; tables that are not listed can be recomputed from others. */
const contents: Readonly<Partial<Record<TableName, string>>> = {
  [earlierTableName]: "unflushed samples",
  names: "names of metrics",
  definitions: "definitions of metrics",
  elements: "elements",
  recentRaw: "raw samples of uncompacted days",
  raw: "raw samples of compacted days",
  recentBands: "bands of uncompacted days",
  bands: "bands of compacted days",
  cells: "five-minute buckets",
  hours: "one-hour buckets",
  days: "one-day buckets",
  documents: "accounts, dashboards, policies and other documents",
}
type CurrentTable = (typeof tableNames)[number]

/** Tables that are recomputed from raw samples, as far as those exist. */
const rollups: readonly CurrentTable[] = ["cells", "hours", "days"]
const periodMs: Readonly<Partial<Record<TableName, number>>> = {
  recentRaw: cycleMs,
  recentBands: cycleMs,
  raw: windowMs,
  bands: dayMs,
  cells: dayMs,
  hours: dayMs,
  days: dayMs,
}
/** Maximum number of elements of a block that are named; the others are counted. */
const namesMax = 5

/** Numbers of entries of a damaged file: declared by its tree heads, and readable. */
export interface FileContents {
  /** Entries by table; null if the number cannot be read. */
  readonly declared: ReadonlyMap<TableName, number | null>
  readonly read: ReadonlyMap<TableName, number>
  /** Why the newer of the two heads of the file cannot be used; null if it was used. */
  readonly lostHead: string | null
}

export class Losses {
  readonly lines: string[] = []
  private file: FileContents | null = null
  private readonly indexes = new Map<string, number[]>()

  add(line: string): void {
    this.lines.push(line)
  }

  /** Adds an entry of the catalogue that was replaced by a placeholder. */
  addIndex(table: string, index: number): void {
    const known = this.indexes.get(table)
    if (known === undefined) this.indexes.set(table, [index])
    else known.push(index)
  }

  /** Adds a record of a period and a block. */
  addRecord(
    catalogue: Catalogue,
    { table, period, block }: { table: TableName; period: number; block: BlockIndex },
  ): void {
    const width = periodMs[table]!
    const [from, to] = [period * width, (period + 1) * width].map(instant)
    this.add(`${contents[table]} from ${from} to ${to} of ${blockText(catalogue, block)}`)
  }

  /** Call after the file has been read, before lost data is replaced. */
  compareFile(file: FileContents): void {
    this.file = file
    // The older head is whole in itself: counts of entries do not show what came after it.
    if (file.lostHead !== null)
      this.add(`the last transaction, as far as the WAL does not have it (${file.lostHead})`)
    for (const [table, said] of file.declared) {
      if ([...rollups, ...catalogueTables].some((other) => other === table)) continue
      this.compare(table, said, file.read.get(table) ?? 0)
    }
  }

  /** Call after the series of the WAL have been added, before placeholders are. */
  compareCatalogue(tables: Tables): void {
    this.compareTables(catalogueTables, tables)
  }

  /** Call at the end, after rollups have been recomputed. */
  finish(tables: Tables): readonly string[] {
    this.compareTables(rollups, tables)
    for (const [table, indexes] of this.indexes) {
      for (const range of rangesOf(indexes)) this.add(`${table}, ${range}: placeholders now`)
    }
    return this.lines
  }

  private compareTables(names: readonly CurrentTable[], tables: Tables): void {
    for (const table of names) {
      const said = this.file?.declared.get(table)
      if (said !== undefined) this.compare(table, said, countOf(tables, table))
    }
  }

  private compare(table: TableName, said: number | null, left: number): void {
    const what = contents[table]
    if (what === undefined) return
    const unknown = "of which elements and days cannot be known, as their keys are lost too"
    if (said === null) this.add(`${what} (${table}): how many entries are lost is not known`)
    else if (left < said) {
      this.add(`${what} (${table}): ${said - left} of ${said} entries are lost; ${unknown}`)
    }
  }
}

function countOf(tables: Tables, name: CurrentTable): number {
  let count = 0
  for (const _ of tables[name].getKeys({})) count++
  return count
}

function instant(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(":00.000Z", "Z")
}

/** Describes the metric of a block and its elements. */
export function blockText(catalogue: Catalogue, block: BlockIndex): string {
  if (block >= catalogue.partitionCount || catalogue.partitionSeries(block).length === 0) {
    return `block ${block}, of which no metric is known`
  }
  const series = catalogue.partitionSeries(block)
  const names = Array.from(series.subarray(0, namesMax), (one) =>
    catalogue.elementFqn(catalogue.seriesElement(one)),
  )
  const more = series.length > namesMax ? ` and ${series.length - namesMax} more` : ""
  const metric = catalogue.name(catalogue.partitionName(block)).fqn
  return `metric "${metric}" of ${names.join(", ")}${more}`
}

/** Returns "entries 3 to 7" and "entry 9" for 3, 4, 5, 6, 7, 9. */
function rangesOf(indexes: readonly number[]): string[] {
  const sorted = Int32Array.from(indexes).sort()
  const ranges: string[] = []
  for (let at = 0; at < sorted.length;) {
    let end = at
    while (end + 1 < sorted.length && sorted[end + 1] === sorted[end]! + 1) end++
    ranges.push(end === at ? `entry ${sorted[at]}` : `entries ${sorted[at]} to ${sorted[end]}`)
    at = end + 1
  }
  return ranges
}
