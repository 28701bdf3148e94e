/** The current actual kinds and locations of series, by the catalogue. */

import type { Catalogue } from "../../../catalogue/catalogue.ts"
import { counterKind } from "../../../rollup/cell.ts"
import { actualKindOf } from "../../../rollup/actual-kind.ts"
import type { SeriesLocations } from "../../series-location.ts"

export class ActualKinds {
  private readonly catalogue: () => Catalogue
  /** By index of the catalogue's definition, which never changes; -1 if not yet computed. */
  private kinds = new Int8Array(0)

  /** `catalogue` is called for every lookup, since a reader may replace its catalogue. */
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

/**
 * Locations of series by a catalogue, which is fetched for every lookup since it may be replaced.
 */
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
