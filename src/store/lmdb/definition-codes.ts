/** The definition codes in force, by the catalogue as it is. */

import type { Catalogue } from "../../catalogue/catalogue.ts"
import { definitionCounter } from "../../rollup/cell.ts"
import { definitionCode } from "../../rollup/definition-code.ts"

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
    return known >= 0 ? known : (this.codes[index] = definitionCode(catalogue.definition(index)))
  }

  isCounter(series: number): boolean {
    return this.ofSeries(series) === definitionCounter
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
