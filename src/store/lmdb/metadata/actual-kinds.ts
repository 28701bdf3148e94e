/** The actual kinds that apply to series by the current definitions of the catalogue. */

import type { Catalogue } from "../../../catalogue/catalogue.ts"
import { counterKind } from "../../../rollup/cell.ts"
import { actualKindOf } from "../../../rollup/actual-kind.ts"
import type { SeriesIndex } from "../../../model/ids.ts"
import type { BlockIndex } from "../disk/tables.ts"

export class ActualKinds {
  private readonly catalogue: () => Catalogue
  /** By index of the definition, which never changes; -1 if not computed yet. */
  private kinds = new Int8Array(0)

  /** `catalogue` is called for each use, because a reader may replace its catalogue. */
  constructor(catalogue: () => Catalogue) {
    this.catalogue = catalogue
  }

  ofSeries(series: SeriesIndex): number {
    const catalogue = this.catalogue()
    const index = catalogue.seriesDefinitionIndex(series)
    if (index >= this.kinds.length) this.grow(index)
    const known = this.kinds[index]!
    return known >= 0 ? known : (this.kinds[index] = actualKindOf(catalogue.definition(index)))
  }

  isCounter(series: SeriesIndex): boolean {
    return this.ofSeries(series) === counterKind
  }

  /** Series of a block by slot. */
  members(block: BlockIndex): Int32Array {
    return this.catalogue().partitionSeries(block)
  }

  private grow(index: number): void {
    const larger = new Int8Array(Math.max(64, 2 * (index + 1))).fill(-1)
    larger.set(this.kinds)
    this.kinds = larger
  }
}
