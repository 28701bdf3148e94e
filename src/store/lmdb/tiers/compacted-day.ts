/**
 * One compacted day of a block, read slot by slot: the cells of one slot are used before those of
 * the next are read, so they stay in the nearest cache, and a whole day of a block does not pass
 * through memory column by column. Only for days without recent records or unflushed samples.
 */

import { CorruptError } from "../../../codec/corrupt-error.ts"
import { powersOfTen } from "../../../codec/decimal.ts"
import { decodeScaled } from "../../../codec/value-stream.ts"
import { cyclesPerDay } from "../../../model/resolution.ts"
import { isAllDerived } from "../../../rollup/encoding/actual-codec.ts"
import { CellColumns, clearPresence, isCounterCell } from "../../../rollup/cell.ts"
import { isSameAsSum } from "../../../rollup/encoding/cell-codec.ts"
import {
  checkEnd,
  columnBlockSources,
  ColumnBlockReader,
} from "../../../rollup/encoding/column-block.ts"
import {
  cellColumnNames,
  columnBit,
  type CellColumnName,
} from "../../../rollup/encoding/column-name.ts"
import { readUniformCount } from "../../../rollup/encoding/presence-codec.ts"
import { isAverageExact } from "../../../rollup/rational-values.ts"
import { openColumnRecord, wholeDay, type CycleRange, type DayOfBlock } from "./compacted-cells.ts"
import { columnKey, type Tables, type SlotIndex } from "../disk/tables.ts"

/** One column with a copy of its bytes: the next get invalidates those from LMDB. */
class DayColumn {
  readonly block: ColumnBlockReader
  /** Its first cycle. */
  offset = 0
  private bytes = new Uint8Array(0)

  constructor(name: CellColumnName) {
    this.block = new ColumnBlockReader(name)
  }

  open(column: Uint8Array, offset: number): void {
    if (this.bytes.length < column.length) {
      this.bytes = new Uint8Array(Math.ceil(1.25 * column.length))
    }
    this.bytes.set(column)
    this.block.open(this.bytes.subarray(0, column.length))
    this.offset = offset
    const end = offset + this.block.bucketCount
    if (end > cyclesPerDay) throw new CorruptError(`Expected cycles of one day, got ${end}`)
  }
}

/**
 * The numerators of a day, and the function that sums them. Created by a function that is called
 * once: V8 then treats the array as a constant even in a bundle, which halves the time of reads
 * (rollup/bucket-tables.ts).
 */
function makeNumerators() {
  const numerators = new Float64Array(cyclesPerDay)

  /**
   * Computes sums over [from, to): distances from `origin`, or from the first numerator if it is
   * NaN.
   */
  function sum(from: number, to: number, origin: number, into: NumeratorSums): void {
    const first = from < to ? numerators[from]! : 0
    const zero = Number.isNaN(origin) ? first : origin
    let min = first
    let max = first
    let distances = 0
    let squares = 0
    for (let i = from; i < to; i++) {
      const value = numerators[i]!
      const distance = value - zero
      distances += distance
      squares += distance * distance
      min = value < min ? value : min
      max = value > max ? value : max
    }
    into.min = min
    into.max = max
    into.distances = distances
    into.squares = squares
  }

  return { numerators, sum }
}

interface NumeratorSums {
  /** Least and greatest numerator; 0 if there is none. */
  min: number
  max: number
  /** Sums of the distances and of their squares. */
  distances: number
  squares: number
}

const { numerators, sum: sumNumerators } = makeNumerators()

/** Whole numbers by cycle of a day, `[from, to)`: divided by the divisor, they are its values. */
export interface DayRationals extends Readonly<NumeratorSums> {
  readonly numerators: Float64Array
  readonly from: number
  readonly to: number
  readonly divisor: number
}

/** Result of `readAverages`; valid until its next call. */
export const averages = {
  numerators,
  from: 0,
  to: 0,
  divisor: 1,
  min: NaN,
  max: NaN,
  distances: NaN,
  squares: NaN,
}

export class CompactedDay {
  private ownCells: CellColumns | null = null
  private readonly columns = new Map(cellColumnNames.map((name) => [name, new DayColumn(name)]))
  /** The open columns, each after its sources. */
  private opened: DayColumn[] = []
  private done = 0
  /** Count of every cell of the day, 0 if the day is empty; -1 if it must be read slot by slot. */
  private uniform = -1

  /** Cells of the slot that was read last, by cycle of the day: 28 kB, which most days do not need. */
  get cells(): CellColumns {
    return (this.ownCells ??= new CellColumns(cyclesPerDay))
  }

  /** Opens columns and their sources. Returns false if the day is not compacted. */
  open(tables: Tables, where: DayOfBlock, columns: readonly CellColumnName[]): boolean {
    this.close()
    if (!this.add(tables, where, "count")) return false
    this.openMore(tables, where, columns)
    const { block } = this.columns.get("count")!
    this.uniform = block.isSame ? readUniformCount(block.slot(0), block.bucketCount) : -1
    return true
  }

  /** Opens columns besides those that are open; none of a day that is not compacted. */
  openMore(tables: Tables, where: DayOfBlock, columns: readonly CellColumnName[]): void {
    if (this.opened.length === 0) return
    for (const name of columns) {
      if (!this.add(tables, where, name)) {
        throw new CorruptError(`Expected column ${name} of day ${where.day}`)
      }
    }
  }

  /** Closes the day; it is empty then. */
  close(): void {
    this.opened = []
    this.done = 0
  }

  /** True if one of the slots has a counter. */
  hasCounters(slots: readonly number[]): boolean {
    if (this.opened.length === 0 || this.uniform > 0) return false
    const { block, offset } = this.columns.get("count")!
    const { cells } = this
    return slots.some((slot) => {
      if (slot >= block.slotCount) return false
      if (readUniformCount(block.slot(slot), block.bucketCount) > 0) return false
      clearPresence(cells, 0, cyclesPerDay)
      block.decode(slot, cells, offset)
      for (let at = 0; at < cyclesPerDay; at++) if (isCounterCell(cells, at)) return true
      return false
    })
  }

  /** Reads the cells of a slot into `cells`; a slot younger than the compaction has none. */
  read(slot: SlotIndex): void {
    const { cells } = this
    clearPresence(cells, 0, cyclesPerDay)
    for (const { block, offset } of this.opened) {
      if (slot < block.slotCount) block.decode(slot, cells, offset)
    }
  }

  /**
   * Reads the averages of a slot in the cycles of `range` if all of the day have equally many
   * observations, and are its actuals too: as whole numbers in `averages`, to be divided by its
   * divisor. Returns false, with undefined `averages`, otherwise. Sums are those of distances from
   * `origin`, or from the first numerator if it is NaN. Requires the columns of `actual`.
   */
  readAverages(slot: SlotIndex, range: CycleRange, origin: number): boolean {
    const length = this.columns.get("count")!.block.bucketCount
    const { block: sums, offset } = this.columns.get("sum")!
    if ((this.done & columnBit("sum")) === 0 || sums.bucketCount !== length) return false
    const count = this.uniformCount(slot)
    if (count === 0 || !isAllDerived(this.columns.get("actual")!.block.slot(slot))) return false
    const reader = sums.slot(slot)
    const scale = decodeScaled(reader, numerators, offset, length)
    if (scale < 0) return false
    checkEnd(reader)
    averages.from = Math.max(range.from, offset)
    averages.to = Math.max(averages.from, Math.min(range.to, offset + length))
    averages.divisor = powersOfTen[scale]! * count
    sumNumerators(averages.from, averages.to, origin, averages)
    return isAverageExact(Math.max(averages.max, -averages.min), scale, count)
  }

  /**
   * As `readAverages`, if each cycle of the day has one plain sample: the averages are the samples
   * then. Requires the columns of `actual`, `min` and `max`.
   */
  readSamples(slot: SlotIndex): boolean {
    return (
      this.uniformCount(slot) === 1 &&
      // A mean that a client sent need not be its sum, if min and max differ.
      isSameAsSum(this.columns.get("min")!.block.slot(slot)) &&
      isSameAsSum(this.columns.get("max")!.block.slot(slot)) &&
      this.readAverages(slot, wholeDay, NaN)
    )
  }

  /** Returns the count of every cell of a slot; 0 if they differ or some are absent. */
  uniformCount(slot: SlotIndex): number {
    if (this.opened.length === 0) return 0
    const { block } = this.columns.get("count")!
    if (slot >= block.slotCount) return 0
    return this.uniform >= 0 ? this.uniform : readUniformCount(block.slot(slot), block.bucketCount)
  }

  private add(tables: Tables, { day, block }: DayOfBlock, name: CellColumnName): boolean {
    if ((this.done & columnBit(name)) !== 0) return true
    const key = columnKey(day, block, cellColumnNames.indexOf(name))
    const bytes = tables.cells.view(key)
    if (bytes === undefined) return false
    const { column, offset } = openColumnRecord(key, bytes)
    const opened = this.columns.get(name)!
    opened.open(column, offset)
    for (const source of columnBlockSources(column)) this.add(tables, { day, block }, source)
    this.opened.push(opened)
    this.done |= columnBit(name)
    return true
  }
}
