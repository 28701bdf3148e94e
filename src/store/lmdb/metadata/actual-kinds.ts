/** The actual kinds that apply to series by the current definitions of the catalogue. */

import { IntColumn, type Catalogue } from "../../../catalogue/catalogue.ts"
import { isCounterKind } from "../../../rollup/cell.ts"
import { actualKindOf } from "../../../rollup/actual-kind.ts"
import type { SeriesIndex } from "../../../model/ids.ts"
import type { BlockIndex } from "../disk/tables.ts"

export class ActualKinds {
  private readonly catalogue: () => Catalogue
  /** By index of the definition, which never changes; -1 if not computed yet. */
  private kinds = new IntColumn()
  /** The catalogue's count of what it forgot when these were computed. */
  private forgotten = 0

  /** `catalogue` is called for each use, because a reader may replace its catalogue. */
  constructor(catalogue: () => Catalogue) {
    this.catalogue = catalogue
  }

  ofSeries(series: SeriesIndex): number {
    const catalogue = this.catalogue()
    const index = catalogue.seriesDefinitionIndex(series)
    if (catalogue.forgotten !== this.forgotten) this.clear(catalogue)
    const known = this.kinds.get(index)
    return known >= 0 || index < 0 ? known : this.compute(catalogue, index)
  }

  isCounter(series: SeriesIndex): boolean {
    return isCounterKind(this.ofSeries(series))
  }

  /** Series of a block by slot. */
  members(block: BlockIndex): Int32Array {
    return this.catalogue().partitionSeries(block)
  }

  private compute(catalogue: Catalogue, index: number): number {
    const kind = actualKindOf(catalogue.definition(index))
    this.kinds.set(index, kind)
    return kind
  }

  private clear({ forgotten }: Catalogue): void {
    this.kinds = new IntColumn()
    this.forgotten = forgotten
  }
}
