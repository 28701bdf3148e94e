/** PT5M cells and bands of single cycles, read and cached by block. */

import { seriesPerBlock } from "../base/limits.ts"
import { pushAll } from "../base/iterables.ts"
import type { Catalogue } from "../catalogue/catalogue.ts"
import { CellColumns } from "../rollup/cell.ts"
import { bandFieldCount, type CycleSource } from "../store/cycle-store.ts"

/** The cell of a series: index `slot` of `cells`. */
export interface CellLocation {
  readonly cells: CellColumns
  readonly slot: number
}

/** The band of a series: `bandFieldCount` numbers from `offset` on. */
export interface BandLocation {
  readonly bands: Float32Array
  readonly offset: number
}

/** Cached blocks: those of a batch with 100 metrics an element, 23 kB a block. */
const blocksMax = 128

type CycleStore = Pick<CycleSource, "cycleCells" | "cycleBands"> & {
  readonly catalogue: Pick<Catalogue, "seriesBlock" | "seriesSlot">
}

export class CycleCells {
  private readonly store: CycleStore
  private readonly cells: BlockCache<CellColumns>
  private readonly bands: BlockCache<Float32Array>

  constructor(store: CycleStore) {
    this.store = store
    this.cells = new BlockCache(
      () => new CellColumns(seriesPerBlock),
      (block, cycle, cells) => store.cycleCells(block, cycle, cells),
    )
    this.bands = new BlockCache<Float32Array>(
      () => new Float32Array(seriesPerBlock * bandFieldCount),
      (block, cycle, bands) => store.cycleBands(block, cycle, bands),
    )
  }

  /** Drops everything that was read. */
  clear(): void {
    this.cells.clear()
    this.bands.clear()
  }

  /** The result is valid until `blocksMax` other blocks have been read. */
  locate(series: number, cycle: number): CellLocation {
    const { catalogue } = this.store
    const cells = this.cells.of(catalogue.seriesBlock(series), cycle)
    return { cells, slot: catalogue.seriesSlot(series) }
  }

  /** Valid as long as the result of `locate`. */
  locateBand(series: number, cycle: number): BandLocation {
    const { catalogue } = this.store
    const bands = this.bands.of(catalogue.seriesBlock(series), cycle)
    return { bands, offset: catalogue.seriesSlot(series) * bandFieldCount }
  }
}

/** Columns by cycle and block; evicts the oldest entry and reuses its columns. */
class BlockCache<Columns> {
  private readonly blocks = new Map<string, Columns>()
  private readonly spare: Columns[] = []
  private readonly make: () => Columns
  private readonly read: (block: number, cycle: number, out: Columns) => void

  constructor(make: () => Columns, read: (block: number, cycle: number, out: Columns) => void) {
    this.make = make
    this.read = read
  }

  clear(): void {
    pushAll(this.spare, this.blocks.values())
    this.blocks.clear()
  }

  of(block: number, cycle: number): Columns {
    const key = `${cycle}:${block}`
    const known = this.blocks.get(key)
    if (known !== undefined) return known
    if (this.blocks.size >= blocksMax) {
      const [oldest, columns] = this.blocks.entries().next().value!
      this.blocks.delete(oldest)
      this.spare.push(columns)
    }
    const columns = this.spare.pop() ?? this.make()
    this.read(block, cycle, columns)
    this.blocks.set(key, columns)
    return columns
  }
}
