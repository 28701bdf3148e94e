/**
 * Reads a store for an export (export-store.ts): flushed samples on snapshots, unflushed ones from
 * the segments of the WAL, series that are in the WAL only included.
 */

import { ServiceError } from "../../../base/errors.ts"
import { Catalogue } from "../../../catalogue/catalogue.ts"
import type { IdRange, StoredDocument } from "../../../model/document.ts"
import {
  bucketWidthMs,
  dayMs,
  type BucketResolution,
  type Resolution,
} from "../../../model/resolution.ts"
import type { Span } from "../../../model/span.ts"
import { isPresent } from "../../../rollup/cell.ts"
import { cellColumnNames } from "../../../rollup/encoding/column-name.ts"
import type {
  BucketRecordConsumer,
  ExportPiece,
  ExportStore,
  RawConsumer,
} from "../../export-store.ts"
import { loadOrClose } from "../disk/corruption-errors.ts"
import {
  formatVersion,
  readVersion,
  refuseNewerFormat,
  versionKey,
} from "../disk/format-version.ts"
import { readWatermarks, retainedSpan } from "../disk/retention-watermarks.ts"
import {
  openTables,
  readFlushedSequence,
  readIndexFlushedSequence,
  windowMs,
  type Tables,
} from "../disk/tables.ts"
import { loadCatalogue } from "../metadata/catalogue-table.ts"
import { listDocuments } from "../metadata/documents.ts"
import { CatalogueLocator } from "../metadata/series-locator.ts"
import { IndexFlush } from "../wal/index-flush.ts"
import { withoutUnknownSeries } from "../wal/known-series.ts"
import { Memtable } from "../wal/memtable.ts"
import { readWal } from "../wal/segment-files.ts"
import type { WalRecord } from "../wal/segment.ts"
import { decodeSeriesRecord } from "../wal/series-record.ts"
import { BlockView } from "./block-view.ts"
import { cellsOfDay } from "./bucket-cells.ts"
import { ReaderWorkspace } from "./reader-workspace.ts"
import { recordOfCell } from "./series-samples.ts"
import { UnflushedBlocks } from "./unflushed-blocks.ts"

export class LmdbExportStore implements ExportStore {
  readonly catalogue = new Catalogue()
  private readonly tables: Tables
  private readonly workspace: ReaderWorkspace
  private readonly locator = new CatalogueLocator(() => this.catalogue)
  private readonly unflushed: UnflushedBlocks
  /** Of the partition that was read last; its unflushed samples are sorted once. */
  private view: BlockView | null = null

  /** Throws `storage` for a store of an earlier format, which a start of the server carries over. */
  constructor(folder: string) {
    // Before the first snapshot: what is flushed meanwhile is in both.
    const { records } = readWal(folder)
    this.tables = openTables(folder)
    this.workspace = new ReaderWorkspace(this.tables, () => this.locator)
    this.unflushed = loadOrClose(this.tables, () => {
      refuseOtherFormat(this.tables)
      loadCatalogue(this.tables, this.catalogue)
      return new UnflushedBlocks(this.unflushedOf(records), this.locator)
    })
    this.tables.root.resetReadTxn()
  }

  /** The unflushed samples of the WAL; its series are added to the catalogue. */
  private unflushedOf(records: readonly WalRecord[]) {
    const { tables, catalogue } = this
    const indexFlushed = readIndexFlushedSequence(tables)
    const flushed = readFlushedSequence(tables)
    // In memory only: nothing is put into the tables.
    const index = new IndexFlush(tables, catalogue)
    index.reset()
    for (const { sequence, series } of records) {
      if (series === null || sequence <= indexFlushed) continue
      index.replay(decodeSeriesRecord(sequence, series), 0)
    }
    const memtable = new Memtable()
    const isKnown = (series: number): boolean => catalogue.isKnownSeries(series)
    for (const { sequence, batch } of records) {
      if (sequence <= flushed) continue
      memtable.add({ sequence, batch: withoutUnknownSeries(batch, sequence, isKnown) })
    }
    const all = Int32Array.from({ length: catalogue.seriesCount }, (_, series) => series)
    return memtable.select(all, { startMs: -Infinity, endMs: Infinity })
  }

  *pieces(span: Span, resolution: Resolution): Generator<Span> {
    const { startMs, endMs } = this.workspace.onSnapshot(() =>
      retainedSpan(span, readWatermarks(this.tables), resolution),
    )
    const widthMs = resolution === "ZERO" ? windowMs : dayMs
    for (let fromMs = startMs; fromMs < endMs;) {
      const toMs = Math.min(endMs, (Math.floor(fromMs / widthMs) + 1) * widthMs)
      yield { startMs: fromMs, endMs: toMs }
      fromMs = toMs
    }
  }

  readRaw({ partition, isWanted, span }: ExportPiece, consume: RawConsumer): void {
    this.workspace.onSnapshot(() => {
      const view = this.viewOf(partition)
      if (view.isEmpty(Math.floor(span.startMs / dayMs))) return
      const raw = view.rawOf(Math.floor(span.startMs / windowMs))
      if (raw === null) return
      const members = this.catalogue.partitionSeries(partition)
      for (let slot = 0; slot < view.slots; slot++) {
        if (!isWanted(members[slot]!)) continue
        const end = raw.slotTo(slot)
        const from = raw.lowerBound(span.startMs, raw.slotFrom(slot), end)
        const to = raw.lowerBound(span.endMs, from, end)
        if (from < to) consume(members[slot]!, raw, from, to)
      }
    })
  }

  readBuckets(
    { partition, isWanted, span }: ExportPiece,
    resolution: BucketResolution,
    consume: BucketRecordConsumer,
  ): void {
    this.workspace.onSnapshot(() => {
      const view = this.viewOf(partition)
      const day = Math.floor(span.startMs / dayMs)
      const members = this.catalogue.partitionSeries(partition)
      const slots = Array.from(members.keys()).filter((slot) => isWanted(members[slot]!))
      const columns = cellColumnNames
      const cells = cellsOfDay(view, day, { slots, span, resolution, columns })
      if (cells === null) return
      const width = bucketWidthMs[resolution]
      const perDay = dayMs / width
      const from = Math.max(0, Math.ceil((span.startMs - day * dayMs) / width))
      const to = Math.min(perDay, Math.ceil((span.endMs - day * dayMs) / width))
      for (const slot of slots) {
        for (let bucket = from; bucket < to; bucket++) {
          const at = slot * perDay + bucket
          if (!isPresent(cells, at)) continue
          const timeMs = day * dayMs + bucket * width
          consume(members[slot]!, recordOfCell(cells, at, { timeMs, band: null }))
        }
      }
    })
  }

  listDocuments(kind: string, range: IdRange = {}): StoredDocument[] {
    return this.workspace.onSnapshot(() => listDocuments(this.tables, kind, range))
  }

  async close(): Promise<void> {
    await this.tables.root.close()
  }

  private viewOf(block: number): BlockView {
    if (this.view?.block !== block) {
      const slots = this.catalogue.partitionSeries(block).length
      this.view = new BlockView(this.workspace, { block, slots }, this.unflushed.of(block))
    }
    return this.view
  }
}

/** As `retainedFromMs` of open.ts. */
export async function lmdbRetainedFromMs(folder: string, resolution: Resolution): Promise<number> {
  const tables = openTables(folder)
  try {
    return readWatermarks(tables)[resolution] * dayMs
  } finally {
    await tables.root.close()
  }
}

function refuseOtherFormat({ meta }: Tables): void {
  refuseNewerFormat(meta.get(versionKey))
  if (readVersion(meta) === formatVersion) return
  const advice = "start the server once, which carries the store over"
  throw new ServiceError("storage", `The store has an earlier format: ${advice}`)
}
