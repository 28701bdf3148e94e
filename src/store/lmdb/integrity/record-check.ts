/**
 * Record check: decodes a record as its table does. Checksums do not know the table: a damaged page
 * number can put a page of one table into another with the same keys, such as raw samples of a
 * cycle among its cells. A day whose series are all alike is a valid record of hours, too.
 */

import { assert } from "../../../base/assert.ts"
import { storedSeriesInts } from "../../../catalogue/catalogue.ts"
import { corruptionOf } from "../../../codec/corrupt-error.ts"
import { cycleMs } from "../../../model/resolution.ts"
import { assertCells, clearCells } from "../../../rollup/cell.ts"
import { checkEnd, ColumnBlockReader } from "../../../rollup/encoding/column-block.ts"
import { cellColumnNames } from "../../../rollup/encoding/column-name.ts"
import { openRecord, unpackDocument } from "../disk/record.ts"
import {
  keyBytesOf,
  keyToColumn,
  keyToPeriod,
  windowMs,
  type CatalogueTable,
  type RecordTable,
} from "../disk/tables.ts"
import {
  cycleBandsLength,
  dayBandsLength,
  openDayBands,
  unpackDayRun,
  unpackRecentBands,
} from "../encoding/bands-record.ts"
import { readCoarse } from "../encoding/coarse-record.ts"
import { decodePlainCells } from "../encoding/plain-cells.ts"
import { decodeCompactedRaw, decodeRecentRaw } from "../encoding/raw-codec.ts"
import { SampleRun } from "../encoding/sample-run.ts"
import { documentToElement, type ElementDocument } from "../metadata/catalogue-table.ts"
import { createHourCells, hoursPerDay } from "../tiers/coarse-cells.ts"
import { openColumnRecord } from "../tiers/compacted-cells.ts"
import { createCycleCells } from "../tiers/recent.ts"

export class RecordCheck {
  private readonly raw = new SampleRun()
  private readonly cells = createCycleCells()
  private readonly bands = new Float32Array(cycleBandsLength)
  private readonly bandsOfDay = new Float32Array(dayBandsLength)
  private readonly coarse = createHourCells()

  /** Returns a sentence on what is wrong with a record; null if it is one of its table. */
  problemOf(table: RecordTable | CatalogueTable, key: Buffer, value: Uint8Array): string | null {
    return damageOf(key, value) ?? this.mismatchOf(table, key, value)
  }

  /** The same of a record whose checksums hold. */
  mismatchOf(table: RecordTable | CatalogueTable, key: Buffer, value: Uint8Array): string | null {
    try {
      this.decode(table, key, value)
      return null
    } catch (error) {
      // Decoders trust a record whose checksum holds: they assert, or run into its end.
      if (!(error instanceof Error)) throw error
      return `no record of ${table}: ${error.message}`
    }
  }

  private decode(table: RecordTable | CatalogueTable, key: Buffer, value: Uint8Array): void {
    assert(key.length === keyBytesOf(table), "Expected a key of the table's length")
    switch (table) {
      case "names":
      case "definitions":
      case "elements":
        return assertDocument(table, unpackDocument(key, value))
      case "recentRaw":
      case "raw":
        return this.decodeRaw(table, key, value)
      case "recentCells":
        return this.decodeRecentCells(key, value)
      case "recentBands":
        return unpackRecentBands(key, value, this.bands)
      case "bands":
        for (const run of openDayBands(key, value)) unpackDayRun(run, this.bandsOfDay, 0)
        return
      case "cells":
        return openColumn(key, value)
      case "hours":
      case "days":
        return this.decodeCoarse(table === "hours" ? hoursPerDay : 1, key, value)
    }
  }

  private decodeCoarse(buckets: number, key: Buffer, value: Uint8Array): void {
    const { samples } = readCoarse(key, value, buckets, this.coarse)
    assertCells(this.coarse, 0, samples.length * buckets)
  }

  private decodeRaw(table: "recentRaw" | "raw", key: Buffer, value: Uint8Array): void {
    const { raw } = this
    const reader = openRecord(key, value)
    const widthMs = table === "raw" ? windowMs : cycleMs
    const startMs = keyToPeriod(key).period * widthMs
    if (table === "raw") decodeCompactedRaw(reader, raw, startMs)
    else decodeRecentRaw(reader, raw, startMs)
    checkEnd(reader)
    for (let i = 0; i < raw.count; i++) {
      const offsetMs = raw.timesMs[i]! - startMs
      assert(offsetMs >= 0 && offsetMs < widthMs, "Expected samples of the period")
    }
  }

  private decodeRecentCells(key: Buffer, value: Uint8Array): void {
    const reader = openRecord(key, value)
    clearCells(this.cells, 0, this.cells.length)
    decodePlainCells(reader, this.cells)
    checkEnd(reader)
    assertCells(this.cells, 0, this.cells.length)
  }
}

/** Returns a sentence if the checksums of a record do not hold, else null. */
export function damageOf(key: Buffer, value: Uint8Array): string | null {
  return corruptionOf(() => openRecord(key, value))
}

function assertDocument(table: CatalogueTable, document: unknown): void {
  const isElement = Array.isArray(document)
  assert(isElement === (table === "elements"), "Expected a document of the table")
  if (isElement) {
    const { tenant, fqn, series } = documentToElement(document as unknown as ElementDocument)
    assert(tenant >= 0 && typeof fqn === "string", "Expected an element of a tenant")
    assert(series.length % storedSeriesInts === 0, "Expected whole series")
    return
  }
  assert(typeof document === "object" && document !== null, "Expected fields")
  assert("fqn" in document === (table === "names"), "Expected the fields of the table")
}

/** Without its values, which need other columns: no other table has keys of that length. */
function openColumn(key: Buffer, value: Uint8Array): void {
  const name = cellColumnNames[keyToColumn(key)]
  assert(name !== undefined, "Expected the number of a column")
  new ColumnBlockReader(name).open(openColumnRecord(key, value).column)
}
