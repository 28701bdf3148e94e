/**
 * Series locations: the block and slot of each series. A catalogue knows them. A thread without a
 * catalogue (a replica takes about 97 bytes a metric) receives the locations with its request.
 */

import { seriesPerBlock } from "../base/limits.ts"
import type { Catalogue } from "../catalogue/catalogue.ts"
import { actualKindOf } from "../rollup/actual-kind.ts"

/** The part of a catalogue that reading series needs. */
export interface SeriesLocations {
  /** Series from this number on have no location. */
  readonly seriesCount: number
  seriesBlock(series: number): number
  seriesSlot(series: number): number
  /** Series of a block by slot, at least the requested ones; -1 or absent for others. */
  blockSeries(block: number): Int32Array
  /** How buckets of a series derive their actual (rollup/actual-kind.ts). */
  actualKind(series: number): number
}

/** The locations of some series; structured-clonable, about ten bytes each. */
export interface SerializedLocations {
  readonly series: Int32Array
  /** By series: block · 256 + slot. */
  readonly locations: Int32Array
  readonly actualKinds: Uint8Array
  /** Their blocks, and the number of slots of each. */
  readonly blocks: Int32Array
  readonly blockSizes: Int32Array
}

export function serializeLocations(catalogue: Catalogue, series: Int32Array): SerializedLocations {
  const kinds = new Map<number, number>()
  const kindOf = (one: number): number => {
    const index = catalogue.seriesDefinitionIndex(one)
    const kind = kinds.get(index) ?? actualKindOf(catalogue.definition(index))
    kinds.set(index, kind)
    return kind
  }
  const blocks = Int32Array.from(new Set(Array.from(series, (one) => catalogue.seriesBlock(one))))
  return {
    series,
    locations: series.map((one) => catalogue.seriesLocation(one)),
    actualKinds: Uint8Array.from(series, kindOf),
    blocks,
    blockSizes: blocks.map((block) => catalogue.blockSeries(block).length),
  }
}

/** Locations of the serialized series only. */
export class StaticLocations implements SeriesLocations {
  readonly seriesCount: number
  private readonly serialized: SerializedLocations
  private readonly indexes = new Map<number, number>()
  private readonly members = new Map<number, Int32Array>()

  constructor(carried: SerializedLocations) {
    this.serialized = carried
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
    return Math.floor(this.locationOf(series) / seriesPerBlock)
  }
  seriesSlot(series: number): number {
    return this.locationOf(series) % seriesPerBlock
  }
  blockSeries(block: number): Int32Array {
    return this.members.get(block)!
  }
  actualKind(series: number): number {
    return this.serialized.actualKinds[this.indexes.get(series)!]!
  }

  private locationOf(series: number): number {
    return this.serialized.locations[this.indexes.get(series)!]!
  }
}
