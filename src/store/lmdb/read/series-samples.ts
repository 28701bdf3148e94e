/** Reads the buckets or raw samples of one series, one by one, as `/samples` returns them. */

import { assert } from "../../../base/assert.ts"
import { bucketWidthMs, dayMs, type BucketResolution } from "../../../model/resolution.ts"
import { fieldCount, sampleFields } from "../../../model/sample-batch.ts"
import type { MetricSettings } from "../../../model/metric-settings.ts"
import type { Span } from "../../../model/span.ts"
import {
  cellAverage,
  flagGapFill,
  hasActual,
  isPresent,
  clampedActual,
  type CellColumns,
} from "../../../rollup/cell.ts"
import { cellColumnNames } from "../../../rollup/encoding/column-name.ts"
import { bandRecord } from "../../band-fields.ts"
import type { RecordField, SampleRecord } from "../../query-store.ts"
import { bandOfDay, readSlotDay, type BandWorkspace } from "../tiers/bands.ts"
import type { BlockView } from "./block-view.ts"
import { cellsOfDay } from "./bucket-cells.ts"
import type { SampleRun } from "../encoding/sample-run.ts"
import { windowMs, type SlotIndex } from "../disk/tables.ts"

/** Returns the raw samples of a slot in `span`, oldest first. */
export function rawRecords(view: BlockView, slot: SlotIndex, span: Span): SampleRecord[] {
  const records: SampleRecord[] = []
  const end = Math.ceil(span.endMs / windowMs)
  for (let window = Math.floor(span.startMs / windowMs); window < end; window++) {
    if (view.isEmpty(Math.floor((window * windowMs) / dayMs))) continue
    const raw = view.rawOf(window)
    if (raw === null) continue
    const slotEnd = raw.slotTo(slot)
    const from = raw.lowerBound(span.startMs, raw.slotFrom(slot), slotEnd)
    const to = raw.lowerBound(span.endMs, from, slotEnd)
    assert(from <= to && to <= slotEnd, "Expected samples in order of time")
    for (let i = from; i < to; i++) records.push(recordOfRaw(raw, i))
  }
  return records
}

/** Returns the buckets of a slot that begin in `span`, oldest first. */
export function bucketRecords(
  view: BlockView,
  question: {
    readonly slot: SlotIndex
    readonly span: Span
    readonly resolution: BucketResolution
    /** Settings of the series: bands are clamped to the range of the metric. */
    readonly settings: MetricSettings | undefined
    readonly bands: BandWorkspace
  },
): SampleRecord[] {
  const { slot, span, resolution, settings, bands } = question
  const records: SampleRecord[] = []
  const width = bucketWidthMs[resolution]
  const perDay = dayMs / width
  const endDay = Math.ceil(span.endMs / dayMs)
  for (let day = Math.floor(span.startMs / dayMs); day < endDay; day++) {
    const columns = cellColumnNames
    const cells = cellsOfDay(view, day, { slots: [slot], span, resolution, columns })
    if (cells === null) continue
    const from = Math.max(0, Math.ceil((span.startMs - day * dayMs) / width))
    const to = Math.min(perDay, Math.ceil((span.endMs - day * dayMs) / width))
    const where = { day, block: view.block, slot }
    const hasBands =
      resolution === "PT5M" && readSlotDay(view.workspace.tables, where, { from, to }, bands)
    for (let bucket = from; bucket < to; bucket++) {
      const at = slot * perDay + bucket
      if (!isPresent(cells, at)) continue
      const band = hasBands ? bandRecord(bandOfDay(bands, bucket), settings) : null
      records.push(recordOfCell(cells, at, { timeMs: day * dayMs + bucket * width, band }))
    }
  }
  return records
}

function recordOfRaw(raw: SampleRun, i: number): SampleRecord {
  const timeMs = raw.timesMs[i]!
  const entry = raw.aggregates[i]!
  if (entry < 0) return { timeMs, fields: { val: raw.values[i]! } }
  const fields: Partial<Record<RecordField, number>> = {}
  for (const [f, field] of sampleFields.entries()) {
    if ((raw.aggregateMasks[entry]! >> f) & 1)
      fields[field] = raw.aggregateFields[entry * fieldCount + f]!
  }
  return { timeMs, fields }
}

/** The bucket of cell `at`, as `/samples` returns it. */
export function recordOfCell(
  cells: CellColumns,
  at: number,
  { timeMs, band }: { readonly timeMs: number; readonly band: SampleRecord["fields"] | null },
): SampleRecord {
  const cnt = cells.count[at]!
  // Field by field: a literal with spreads took 7 µs on Node 20.
  const fields: Partial<Record<RecordField, number>> = {}
  if (hasActual(cells, at)) fields.actual = clampedActual(cells, at)
  if (cnt === 0) {
    fields.cnt = cnt
    if ((cells.flags[at]! & flagGapFill) !== 0) fields.sparseValue = cells.actual[at]!
  } else {
    fields.avg = cellAverage(cells, at)
    fields.min = cells.min[at]!
    fields.max = cells.max[at]!
    fields.cnt = cnt
    fields.sum = cells.sum[at]!
  }
  return { timeMs, fields: Object.assign(fields, band) }
}
