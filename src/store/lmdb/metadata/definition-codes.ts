/** The definition codes in force and the places of series, by the catalogue as it is. */

import type { Catalogue } from "../../../catalogue/catalogue.ts"
import { counterKind } from "../../../rollup/cell.ts"
import { actualKindOf } from "../../../rollup/actual-kind.ts"
import type { Places } from "../../series-location.ts"

export class DefinitionCodes {
  private readonly catalogue: () => Catalogue
  /** By index of the catalogue's definition, which never changes; -1 where it was not asked for. */
  private codes = new Int8Array(0)

  /** A reader's catalogue may be replaced by another: it is asked for every time. */
  constructor(catalogue: () => Catalogue) {
    this.catalogue = catalogue
  }

  ofSeries(series: number): number {
    const catalogue = this.catalogue()
    const index = catalogue.seriesDefinitionIndex(series)
    if (index >= this.codes.length) this.grow(index)
    const known = this.codes[index]!
    return known >= 0 ? known : (this.codes[index] = actualKindOf(catalogue.definition(index)))
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
    larger.set(this.codes)
    this.codes = larger
  }
}

/** Where series stand by a catalogue, which may be replaced by another: it is asked for every time. */
export class CataloguePlaces implements Places {
  private readonly catalogue: () => Catalogue
  private readonly codes: DefinitionCodes

  constructor(catalogue: () => Catalogue) {
    this.catalogue = catalogue
    this.codes = new DefinitionCodes(catalogue)
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
  definitionCode(series: number): number {
    return this.codes.ofSeries(series)
  }
}
