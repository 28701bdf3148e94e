/** The PT5M cells of one cycle, block by block as they are asked for. */

import { seriesPerBlock } from "../base/limits.ts"
import type { Catalogue } from "../catalogue/catalogue.ts"
import { CellColumns } from "../rollup/cell.ts"
import type { ReadStore } from "../store/store.ts"

/** Where a series' cell is. */
export interface CellPlace {
  readonly cells: CellColumns
  readonly slot: number
}

/** Blocks kept at once: those of a part with 100 metrics an element, 23 kB a block. */
const blocksMax = 128

export class CycleCells {
  private readonly store: Pick<ReadStore, "cycleCells" | "catalogue">
  private readonly blocks = new Map<string, CellColumns>()
  private readonly spare: CellColumns[] = []

  constructor(store: Pick<ReadStore, "cycleCells" | "catalogue">) {
    this.store = store
  }

  /** Forgets everything that was read. */
  clear(): void {
    this.spare.push(...this.blocks.values())
    this.blocks.clear()
  }

  /** Valid until `blocksMax` other blocks were asked for. */
  of(series: number, cycle: number): CellPlace {
    const { catalogue }: { catalogue: Catalogue } = this.store
    const block = catalogue.seriesBlock(series)
    const key = `${cycle}:${block}`
    const cells = this.blocks.get(key) ?? this.read(key, block, cycle)
    return { cells, slot: catalogue.seriesSlot(series) }
  }

  private read(key: string, block: number, cycle: number): CellColumns {
    if (this.blocks.size >= blocksMax) {
      const [oldest, cells] = this.blocks.entries().next().value!
      this.blocks.delete(oldest)
      this.spare.push(cells)
    }
    const cells = this.spare.pop() ?? new CellColumns(seriesPerBlock)
    this.store.cycleCells(block, cycle, cells)
    this.blocks.set(key, cells)
    return cells
  }
}
