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
import { Pages } from "./pages.ts"

const indexBits = 8
const indexMask = 2 ** indexBits - 1
assert(partitionSeriesMax === 2 ** indexBits, "Expected each index of a partition to fit its bits")

/** Locations are integers from 0 to 2^31 - 1. */
export const partitionsMax = 2 ** (31 - indexBits)

declare const partitionBrand: unique symbol
/** Up to `partitionSeriesMax` series of one metric name, which a store reads together. */
export type SeriesPartition = number & { readonly [partitionBrand]: true }

export class PartitionTable {
  /** Partitions numbered so far. */
  count = 0
  /** Partition and index in it of each series, as one number. */
  readonly locations = new IntColumn()
  /** Series of each partition by index, -1 for none; longer than the partition. */
  private readonly lists = new Pages<Int32Array>()
  /** Indexes that were assigned, and those whose series is known. */
  private readonly sizes = new IntColumn()
  private readonly occupied = new IntColumn()
  private readonly byName = new Pages<SeriesPartition[]>()

  /** In ascending order; together they have all series of this name. */
  ofName(name: number): readonly SeriesPartition[] {
    return this.byName.get(name) ?? noPartitions
  }
  /** Series of a partition by index, -1 for none; a view that the caller must not change. */
  seriesOf(partition: number): Int32Array {
    return this.lists.get(partition)?.subarray(0, this.sizes.get(partition)) ?? noSeries
  }
  /** The newest series of this name, or -1. */
  newestOf(name: number): SeriesIndex {
    const last = this.ofName(name).at(-1)
    if (last === undefined) return -1
    const list = this.lists.get(last)!
    let index = this.sizes.get(last) - 1
    while (index >= 0 && list[index]! < 0) index--
    return index < 0 ? -1 : list[index]!
  }
  partitionOf(series: SeriesIndex): SeriesPartition {
    return (this.locations.get(series) >>> indexBits) as SeriesPartition
  }
  indexOf(series: SeriesIndex): number {
    return this.locations.get(series) & indexMask
  }

  /**
   * The next free location for a series of this name: in its last partition, or at the start of a
   * new one.
   */
  nextLocation(name: number): number {
    const last = this.ofName(name).at(-1)
    if (last !== undefined && this.sizes.get(last) < partitionSeriesMax) {
      return (last << indexBits) | this.sizes.get(last)
    }
    assert(this.count < partitionsMax, "Expected a number for another partition")
    return this.count << indexBits
  }

  /** Adds a series of this name at a location: a stored one, or `nextLocation`. */
  add(series: SeriesIndex, name: number, location: number): void {
    const partition = (location >>> indexBits) as SeriesPartition
    const index = location & indexMask
    let list = this.lists.get(partition) ?? this.addPartition(name, partition)
    if (index >= list.length) this.lists.set(partition, (list = enlarged(list, index)))
    list[index] = series
    if (index >= this.sizes.get(partition)) this.sizes.set(partition, index + 1)
    this.occupied.set(partition, this.occupied.get(partition) + 1)
    this.locations.set(series, location)
  }

  /** Assigns no index below `size` of a known partition any more: their series were forgotten. */
  reserve(partition: number, size: number): void {
    assert(size <= partitionSeriesMax, "Expected indexes of a partition")
    const list = this.lists.get(partition)
    if (list === undefined) return
    if (size > list.length) this.lists.set(partition, enlarged(list, size - 1))
    this.sizes.set(partition, Math.max(this.sizes.get(partition), size))
  }

  /** Indexes of a partition that were assigned. */
  sizeOf(partition: number): number {
    return Math.max(0, this.sizes.get(partition))
  }

  /** Removes a series of this name; its index is not assigned again. */
  remove(series: SeriesIndex, name: number): void {
    const partition = this.partitionOf(series)
    const list = this.lists.get(partition)!
    assert(list[this.indexOf(series)] === series, "Expected a series of the partition")
    // A copy, since views must not change.
    this.lists.set(partition, list.with(this.indexOf(series), -1))
    this.locations.remove(series)
    const occupied = this.occupied.get(partition) - 1
    this.occupied.set(partition, occupied)
    if (occupied === 0) this.removePartition(name, partition)
  }

  private addPartition(name: number, partition: SeriesPartition): Int32Array {
    this.count = Math.max(this.count, partition + 1)
    this.lists.set(partition, noSeries)
    this.sizes.set(partition, 0)
    this.occupied.set(partition, 0)
    const ofName = [...this.ofName(name)]
    insertSorted(ofName, partition)
    this.byName.set(name, ofName)
    return noSeries
  }

  private removePartition(name: number, partition: SeriesPartition): void {
    this.lists.remove(partition)
    this.sizes.remove(partition)
    this.occupied.remove(partition)
    const others = this.ofName(name).filter((one) => one !== partition)
    if (others.length > 0) this.byName.set(name, others)
    else this.byName.remove(name)
  }
}

const noSeries = new Int32Array(0)
const noPartitions: readonly SeriesPartition[] = []

/** A longer copy that has room for `index`. */
function enlarged(list: Int32Array, index: number): Int32Array {
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
