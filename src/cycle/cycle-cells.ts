/** PT5M cells and bands of single cycles, read and cached by partition. */

import { pushAll } from "../base/iterables.ts"
import { partitionSeriesMax } from "../base/limits.ts"
import type { Catalogue, SeriesPartition } from "../catalogue/catalogue.ts"
import { CellColumns } from "../rollup/cell.ts"
import { bandFieldCount, type CycleSource } from "../store/cycle-store.ts"
import type { SeriesIndex } from "../model/ids.ts"

/** The cell of a series: index `at` of `cells`. */
export interface CellLocation {
  readonly cells: CellColumns
  readonly at: number
}

/** The band of a series: `bandFieldCount` numbers from `offset` on. */
export interface BandLocation {
  readonly bands: Float32Array
  readonly offset: number
}

/** Cached partitions: those of a batch with 100 metrics an element, 23 kB each. */
const partitionsMax = 128

type CycleStore = Pick<CycleSource, "cycleCells" | "cycleBands"> & {
  readonly catalogue: Pick<Catalogue, "partitionOf" | "indexInPartition">
}

export class CycleCells {
  private readonly store: CycleStore
  private readonly cells: PartitionCache<CellColumns>
  private readonly bands: PartitionCache<Float32Array>

  constructor(store: CycleStore) {
    this.store = store
    this.cells = new PartitionCache(
      () => new CellColumns(partitionSeriesMax),
      (partition, cycle, cells) => store.cycleCells(partition, cycle, cells),
    )
    this.bands = new PartitionCache<Float32Array>(
      () => new Float32Array(partitionSeriesMax * bandFieldCount),
      (partition, cycle, bands) => store.cycleBands(partition, cycle, bands),
    )
  }

  /** Drops everything that was read. */
  clear(): void {
    this.cells.clear()
    this.bands.clear()
  }

  /** The result is valid until `partitionsMax` other partitions have been read. */
  locate(series: SeriesIndex, cycle: number): CellLocation {
    const { catalogue } = this.store
    const cells = this.cells.of(catalogue.partitionOf(series), cycle)
    return { cells, at: catalogue.indexInPartition(series) }
  }

  /** Valid as long as the result of `locate`. */
  locateBand(series: SeriesIndex, cycle: number): BandLocation {
    const { catalogue } = this.store
    const bands = this.bands.of(catalogue.partitionOf(series), cycle)
    return { bands, offset: catalogue.indexInPartition(series) * bandFieldCount }
  }
}

/** Columns by cycle and partition; evicts the oldest entry and reuses its columns. */
class PartitionCache<Columns> {
  private readonly columns = new Map<string, Columns>()
  private readonly spare: Columns[] = []
  private readonly make: () => Columns
  private readonly read: (partition: SeriesPartition, cycle: number, out: Columns) => void

  constructor(
    make: () => Columns,
    read: (partition: SeriesPartition, cycle: number, out: Columns) => void,
  ) {
    this.make = make
    this.read = read
  }

  clear(): void {
    pushAll(this.spare, this.columns.values())
    this.columns.clear()
  }

  of(partition: SeriesPartition, cycle: number): Columns {
    const key = `${cycle}:${partition}`
    const known = this.columns.get(key)
    if (known !== undefined) return known
    if (this.columns.size >= partitionsMax) {
      const [oldest, columns] = this.columns.entries().next().value!
      this.columns.delete(oldest)
      this.spare.push(columns)
    }
    const columns = this.spare.pop() ?? this.make()
    this.read(partition, cycle, columns)
    this.columns.set(key, columns)
    return columns
  }
}
