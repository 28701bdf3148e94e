/**
 * The partitions of a catalogue: up to `partitionSeriesMax` series of one metric name each, since
 * statistics query one name of many elements.
 *
 *   name 0 ─► partition 0: [s0, s1, …]  partition 2: [s9, …]     location of s9: 2 << indexBits
 *   name 1 ─► partition 1: [s2, …]
 */

import { assert } from "../base/assert.ts"
import { partitionSeriesMax } from "../base/limits.ts"
import type { SeriesIndex } from "../model/ids.ts"
import { IntColumn } from "./int-column.ts"

const indexBits = 8
const indexMask = 2 ** indexBits - 1
assert(partitionSeriesMax === 2 ** indexBits, "Expected each index of a partition to fit its bits")

declare const partitionBrand: unique symbol
/** Up to `partitionSeriesMax` series of one metric name, which a store reads together. */
export type SeriesPartition = number & { readonly [partitionBrand]: true }

export class PartitionTable {
  /** Series of each partition by index, -1 for none; longer than the partition. */
  private readonly lists: Int32Array[] = []
  private readonly sizes: number[] = []
  private readonly byName: SeriesPartition[][] = []
  private readonly locations = new IntColumn()

  get count(): number {
    return this.lists.length
  }
  /** Locations by series; a view that is valid until the next series is added. */
  get locationColumn(): Int32Array {
    return this.locations.data
  }

  /** Adds the next metric name, without series. */
  addName(): void {
    this.byName.push([])
  }

  /** In ascending order; together they have all series of this name. */
  ofName(name: number): readonly SeriesPartition[] {
    return this.byName[name]!
  }
  /** Series of a partition by index, -1 for none; a view that the caller must not change. */
  seriesOf(partition: number): Int32Array {
    return this.lists[partition]!.subarray(0, this.sizes[partition])
  }
  /** The newest series of this name, or -1. */
  newestOf(name: number): SeriesIndex {
    const last = this.byName[name]!.at(-1)
    return last === undefined ? -1 : this.lists[last]![this.sizes[last]! - 1]!
  }
  partitionOf(series: SeriesIndex): SeriesPartition {
    return (this.locations.data[series]! >>> indexBits) as SeriesPartition
  }
  indexOf(series: SeriesIndex): number {
    return this.locations.data[series]! & indexMask
  }

  /**
   * The next free location for a series of this name: in its last partition, or at the start of a
   * new one.
   */
  nextLocation(name: number): number {
    const last = this.byName[name]!.at(-1)
    if (last === undefined || this.sizes[last]! === partitionSeriesMax) {
      return this.count << indexBits
    }
    return (last << indexBits) | this.sizes[last]!
  }

  /** Adds a series of this name at a location: a stored one, or `nextLocation`. */
  add(series: SeriesIndex, name: number, location: number): void {
    const partition = (location >>> indexBits) as SeriesPartition
    const index = location & indexMask
    while (this.count <= partition) {
      this.lists.push(new Int32Array(0))
      this.sizes.push(0)
    }
    if (this.sizes[partition] === 0) insertSorted(this.byName[name]!, partition)
    const list = enlarged(this.lists[partition]!, index)
    list[index] = series
    this.lists[partition] = list
    this.sizes[partition] = Math.max(this.sizes[partition]!, index + 1)
    this.locations.set(series, location)
  }
}

/** The list, or a longer copy if it has no room for `index`. */
function enlarged(list: Int32Array, index: number): Int32Array {
  if (index < list.length) return list
  const length = Math.min(partitionSeriesMax, Math.max(4, 2 * list.length, index + 1))
  const larger = new Int32Array(length).fill(-1)
  larger.set(list)
  return larger
}

function insertSorted<T extends number>(list: T[], value: T): void {
  let at = list.length
  while (at > 0 && list[at - 1]! > value) at--
  list.splice(at, 0, value)
}
