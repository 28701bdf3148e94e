/**
 * Series locator: block and slot of series. The thread that plans a query has a catalogue; a scan
 * worker has none, because a replica takes about 97 bytes a metric, and gets the locations of the
 * query's series with the query.
 */

import { assert } from "../../../base/assert.ts"
import { seriesPerBlock } from "../../../base/limits.ts"
import type { Catalogue } from "../../../catalogue/catalogue.ts"
import { actualKindOf } from "../../../rollup/actual-kind.ts"
import type { SeriesLocations } from "../../query-store.ts"
import { ActualKinds } from "./actual-kinds.ts"
import type { SeriesIndex } from "../../../model/ids.ts"
import type { BlockIndex, SlotIndex } from "../disk/tables.ts"

/** The part of a catalogue that a read of some series needs. */
export interface SeriesLocator {
  /** False for series that have no location: unknown ones. */
  hasSeries(series: SeriesIndex): boolean
  seriesBlock(series: SeriesIndex): BlockIndex
  seriesSlot(series: SeriesIndex): SlotIndex
  /** Series of a block by slot, at least the requested ones; -1 or absent for others. */
  blockSeries(block: BlockIndex): Int32Array
  /** How buckets of a series get their actual (rollup/actual-kind.ts). */
  actualKind(series: SeriesIndex): number
}

/** Locations by a catalogue, which is read at each call, because it may be replaced by another. */
export class CatalogueLocator implements SeriesLocator {
  private readonly catalogue: () => Catalogue
  private readonly kinds: ActualKinds

  constructor(catalogue: () => Catalogue) {
    this.catalogue = catalogue
    this.kinds = new ActualKinds(catalogue)
  }

  hasSeries(series: SeriesIndex): boolean {
    return this.catalogue().isKnownSeries(series)
  }
  seriesBlock(series: SeriesIndex): BlockIndex {
    return this.catalogue().partitionOf(series)
  }
  seriesSlot(series: SeriesIndex): SlotIndex {
    return this.catalogue().indexInPartition(series)
  }
  blockSeries(block: BlockIndex): Int32Array {
    return this.catalogue().partitionSeries(block)
  }
  actualKind(series: SeriesIndex): number {
    return this.kinds.ofSeries(series)
  }
}

/** The locations of some series, some ten bytes each. */
interface BlockLocations extends SeriesLocations {
  /** Of each series: block · 256 + slot, and its actual kind. */
  readonly locations: Int32Array
  readonly actualKinds: Uint8Array
  /** Their blocks, and how many slots each has. */
  readonly blocks: Int32Array
  readonly blockSizes: Int32Array
}

export function locationsOf(catalogue: Catalogue, wanted: Int32Array): SeriesLocations {
  const series = wanted.filter((one) => catalogue.isKnownSeries(one))
  const kinds = new Map<number, number>()
  const kindOf = (one: number): number => {
    const index = catalogue.seriesDefinitionIndex(one)
    const kind = kinds.get(index) ?? actualKindOf(catalogue.definition(index))
    kinds.set(index, kind)
    return kind
  }
  const blocks = Int32Array.from(new Set(Array.from(series, (one) => catalogue.partitionOf(one))))
  const locations: BlockLocations = {
    series,
    locations: series.map((one) => catalogue.seriesLocation(one)),
    actualKinds: Uint8Array.from(series, kindOf),
    blocks,
    blockSizes: blocks.map((block) => catalogue.partitionSeries(block).length),
  }
  return locations
}

/** Locations that `locationsOf` made, perhaps on another thread. */
export class StaticLocator implements SeriesLocator {
  private readonly serialized: BlockLocations
  private readonly indexes = new Map<number, number>()
  private readonly members = new Map<number, Int32Array>()

  constructor(made: SeriesLocations) {
    // No other function makes them.
    const serialized = made as BlockLocations
    const { series, locations, blocks, blockSizes } = serialized
    assert(locations.length === series.length, "Expected a location of each series")
    assert(blockSizes.length === blocks.length, "Expected a size of each block")
    this.serialized = serialized
    serialized.blocks.forEach((block, i) => {
      this.members.set(block, new Int32Array(serialized.blockSizes[i]!).fill(-1))
    })
    serialized.series.forEach((series, i) => {
      this.indexes.set(series, i)
      this.members.get(this.seriesBlock(series))![this.seriesSlot(series)] = series
    })
  }

  hasSeries(series: SeriesIndex): boolean {
    return this.indexes.has(series)
  }

  seriesBlock(series: SeriesIndex): BlockIndex {
    return Math.floor(this.locationOf(series) / seriesPerBlock)
  }
  seriesSlot(series: SeriesIndex): SlotIndex {
    return this.locationOf(series) % seriesPerBlock
  }
  blockSeries(block: BlockIndex): Int32Array {
    const members = this.members.get(block)
    assert(members !== undefined, "Expected a block of the located series")
    return members
  }
  actualKind(series: SeriesIndex): number {
    return this.serialized.actualKinds[this.indexes.get(series)!]!
  }

  private locationOf(series: SeriesIndex): number {
    return this.serialized.locations[this.indexes.get(series)!]!
  }
}

/** Of a reader without a catalogue, between its queries. */
export const noSeries: SeriesLocator = {
  hasSeries: () => false,
  seriesBlock: unknownSeries,
  seriesSlot: unknownSeries,
  blockSeries: unknownSeries,
  actualKind: unknownSeries,
}

function unknownSeries(): never {
  throw new Error("Expected no series without locations")
}
