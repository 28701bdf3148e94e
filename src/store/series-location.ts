/**
 * Places: in which block and slot series stand. A catalogue tells; a thread that has none, since a
 * replica takes about 97 bytes a metric, is told with the question.
 */

import { seriesPerBlock } from "../base/limits.ts"
import type { Catalogue } from "../catalogue/catalogue.ts"
import { actualKindOf } from "../rollup/actual-kind.ts"

/** What reading some series takes of a catalogue. */
export interface Places {
  /** Series from this number on stand nowhere. */
  readonly seriesCount: number
  seriesBlock(series: number): number
  seriesSlot(series: number): number
  /** Series of a block by slot, at least those that are asked for; -1 or absent for others. */
  blockSeries(block: number): Int32Array
  /** How buckets of a series get their actual (rollup/actual-kind.ts). */
  definitionCode(series: number): number
}

/** The places of some series; structured-clonable, some ten bytes each. */
export interface CarriedPlaces {
  readonly series: Int32Array
  /** Of each series: block · 256 + slot, and its definition code. */
  readonly places: Int32Array
  readonly codes: Uint8Array
  /** The blocks in which they stand, and how many slots each has. */
  readonly blocks: Int32Array
  readonly blockSizes: Int32Array
}

export function carryPlaces(catalogue: Catalogue, series: Int32Array): CarriedPlaces {
  const codes = new Map<number, number>()
  const codeOf = (one: number): number => {
    const index = catalogue.seriesDefinitionIndex(one)
    const code = codes.get(index) ?? actualKindOf(catalogue.definition(index))
    codes.set(index, code)
    return code
  }
  const blocks = Int32Array.from(new Set(Array.from(series, (one) => catalogue.seriesBlock(one))))
  return {
    series,
    places: series.map((one) => catalogue.seriesLocation(one)),
    codes: Uint8Array.from(series, codeOf),
    blocks,
    blockSizes: blocks.map((block) => catalogue.blockSeries(block).length),
  }
}

/** Tells what was carried, and nothing of other series. */
export class ToldPlaces implements Places {
  readonly seriesCount: number
  private readonly carried: CarriedPlaces
  private readonly indexes = new Map<number, number>()
  private readonly members = new Map<number, Int32Array>()

  constructor(carried: CarriedPlaces) {
    this.carried = carried
    carried.blocks.forEach((block, i) => {
      this.members.set(block, new Int32Array(carried.blockSizes[i]!).fill(-1))
    })
    let count = 0
    carried.series.forEach((series, i) => {
      this.indexes.set(series, i)
      this.members.get(this.seriesBlock(series))![this.seriesSlot(series)] = series
      count = Math.max(count, series + 1)
    })
    this.seriesCount = count
  }

  seriesBlock(series: number): number {
    return Math.floor(this.placeOf(series) / seriesPerBlock)
  }
  seriesSlot(series: number): number {
    return this.placeOf(series) % seriesPerBlock
  }
  blockSeries(block: number): Int32Array {
    return this.members.get(block)!
  }
  definitionCode(series: number): number {
    return this.carried.codes[this.indexes.get(series)!]!
  }

  private placeOf(series: number): number {
    return this.carried.places[this.indexes.get(series)!]!
  }
}
