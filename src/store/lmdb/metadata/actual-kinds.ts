/** The definition codes in force and the places of series, by the catalogue as it is. */

import type { Catalogue } from "../../../catalogue/catalogue.ts"
import { counterKind } from "../../../rollup/cell.ts"
import { actualKindOf } from "../../../rollup/actual-kind.ts"
import type { SeriesLocations } from "../../series-location.ts"

export class ActualKinds {
  private readonly catalogue: () => Catalogue
  /** By index of the catalogue's definition, which never changes; -1 where it was not asked for. */
  private kinds = new Int8Array(0)

  /** A reader's catalogue may be replaced by another: it is asked for every time. */
  constructor(catalogue: () => Catalogue) {
    this.catalogue = catalogue
  }

  ofSeries(series: number): number {
    const catalogue = this.catalogue()
    const index = catalogue.seriesDefinitionIndex(series)
    if (index >= this.kinds.length) this.grow(index)
    const known = this.kinds[index]!
    return known >= 0 ? known : (this.kinds[index] = actualKindOf(catalogue.definition(index)))
  }

  isCounter(series: number): boolean {
    return this.ofSeries(series) === counterKind
  }

  /** Series of a block by slot. */
  members(block: number): Int32Array {
    return this.catalogue().blockSeries(block)
  }

  private grow(index: number): void {
    const larger = new Int8Array(Math.max(64, 2 * (index + 1))).fill(-1)
    larger.set(this.kinds)
    this.kinds = larger
  }
}

/** Where series stand by a catalogue, which may be replaced by another: it is asked for every time. */
export class CatalogueLocations implements SeriesLocations {
  private readonly catalogue: () => Catalogue
  private readonly kinds: ActualKinds

  constructor(catalogue: () => Catalogue) {
    this.catalogue = catalogue
    this.kinds = new ActualKinds(catalogue)
  }

  get seriesCount(): number {
    return this.catalogue().seriesCount
  }
  seriesBlock(series: number): number {
    return this.catalogue().seriesBlock(series)
  }
  seriesSlot(series: number): number {
    return this.catalogue().seriesSlot(series)
  }
  blockSeries(block: number): Int32Array {
    return this.catalogue().blockSeries(block)
  }
  actualKind(series: number): number {
    return this.kinds.ofSeries(series)
  }
}
