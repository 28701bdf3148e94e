import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { CorruptError } from "../../src/codec/corrupt-error.ts"
import {
  CellColumns,
  actualKinds,
  computeCell,
  isCounterKind,
  flagDrop,
  flagPartial,
  setSynthetic,
  isPresent,
} from "../../src/rollup/cell.ts"
import { applyCounter } from "../../src/rollup/counter.ts"
import {
  columnBlockShape,
  columnBlockSources,
  decodeColumnBlock,
  decodeColumnOfSlot,
  encodeColumnBlock,
  ColumnBlockReader,
} from "../../src/rollup/encoding/column-block.ts"
import { cellColumnNames } from "../../src/rollup/encoding/column-name.ts"
import { mergeCells, MergeWorkspace } from "../../src/rollup/merge.ts"
import { readUniformCount } from "../../src/rollup/encoding/presence-codec.ts"
import { seededNumbers } from "../support/ingest/samples.ts"

const mergeWorkspace = new MergeWorkspace()

const stored = [
  "count",
  "sum",
  "min",
  "max",
  "m2",
  "first",
  "last",
  "actual",
  "actuals",
  "flags",
  "actualKind",
] as const

function assertSameCells(got: CellColumns, want: CellColumns, offset = 0): void {
  for (let at = 0; at < got.length; at++) {
    assert.equal(isPresent(got, at), isPresent(want, at + offset), `presence of ${at}`)
    for (const column of stored) {
      const value = isPresent(want, at + offset) ? want[column][at + offset]! : 0
      assert.ok(
        Object.is(got[column][at], value),
        `${column} of ${at}: ${got[column][at]} ${value}`,
      )
    }
    if (got.flags[at]! & flagDrop) assert.equal(got.increase[at], want.increase[at + offset])
  }
}

type Block = Record<(typeof cellColumnNames)[number], Uint8Array>

function encoded(cells: CellColumns, slotCount: number): Block {
  const shape = { slotCount, bucketCount: cells.length / slotCount }
  return Object.fromEntries(
    cellColumnNames.map((column) => [column, encodeColumnBlock(column, cells, shape)]),
  ) as Block
}

function roundTrip(cells: CellColumns, slotCount: number): void {
  const block = encoded(cells, slotCount)
  const bucketCount = cells.length / slotCount
  const all = new CellColumns(cells.length)
  for (const column of stored) all[column].fill(77)
  for (const column of cellColumnNames) decodeColumnBlock(block[column], column, all)
  assertSameCells(all, cells)
  assert.deepEqual(encoded(all, slotCount), block)
  for (let slot = 0; slot < slotCount; slot++) {
    const one = new CellColumns(bucketCount)
    for (const column of cellColumnNames) decodeColumnOfSlot(block[column], column, slot, one, 0)
    assertSameCells(one, cells, slot * bucketCount)
  }
  const opened = cellColumnNames.map((column) => new ColumnBlockReader(column))
  for (const each of opened) each.open(block[each.column])
  for (let slot = 0; slot < slotCount; slot++) {
    const one = new CellColumns(bucketCount)
    for (const each of opened) each.decode(slot, one, 0)
    assertSameCells(one, cells, slot * bucketCount)
    const counted = readUniformCount(opened[0]!.slot(slot), bucketCount)
    if (counted > 0) assertUniform(one, counted)
  }
}

function assertUniform(cells: CellColumns, count: number): void {
  for (let at = 0; at < cells.length; at++) {
    const told = [cells.count[at], cells.flags[at], cells.actualKind[at], cells.actuals[at]]
    assert.deepEqual(told, [count, 0, 0, 1])
  }
}

const value = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }).map((i) => i / 100),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
interface Bucket {
  readonly values: number[]
  readonly definition: number
  readonly filling: number | null
  readonly partial: boolean
}
const bucket: fc.Arbitrary<Bucket> = fc.record({
  values: fc.array(value, { maxLength: 4 }),
  definition: fc.nat({ max: actualKinds.length - 1 }),
  filling: fc.option(fc.integer({ min: -5, max: 5 })),
  partial: fc.boolean(),
})

function cellsOf(buckets: readonly Bucket[]): CellColumns {
  const cells = new CellColumns(buckets.length)
  buckets.forEach(({ values, definition, filling, partial }, at) => {
    if (values.length === 0 && filling === null) return
    cells.actualKind[at] = definition
    if (values.length === 0) {
      setSynthetic(cells, at, filling!)
      return
    }
    computeCell(Float64Array.from(values), 0, values.length, cells, at)
    if (partial) cells.flags[at]! |= flagPartial
    if (isCounterKind(definition)) applyCounter(cells, at, filling ?? undefined)
  })
  return cells
}

test("cells of every kind round-trip, all slots together and one by one", () => {
  const lists = fc
    .tuple(fc.integer({ min: 1, max: 5 }), fc.array(bucket, { minLength: 5, maxLength: 60 }))
    .map(([slots, list]) => ({ slots, list: list.slice(0, list.length - (list.length % slots)) }))
  fc.assert(
    fc.property(lists, ({ slots, list }) => roundTrip(cellsOf(list), slots)),
    { numRuns: 300 },
  )
})

/** A day of one-minute values with two decimals, five a bucket. */
function dayOf(slotCount: number, perBucket = 5): CellColumns {
  const random = seededNumbers(3)
  const cells = new CellColumns(slotCount * 288)
  const values = new Float64Array(perBucket)
  for (let at = 0; at < cells.length; at++) {
    for (let i = 0; i < perBucket; i++) values[i] = Math.round(4000 + 500 * random()) / 100
    computeCell(values, 0, perBucket, cells, at)
  }
  return cells
}

test("a day of cells, its hours and its day cell round-trip", () => {
  const cells = dayOf(3)
  roundTrip(cells, 3)
  const hours = new CellColumns(3 * 24)
  for (let h = 0; h < 72; h++) mergeCells(cells, h * 12, h * 12 + 12, hours, h, mergeWorkspace)
  roundTrip(hours, 3)
  const days = new CellColumns(3)
  for (let d = 0; d < 3; d++) mergeCells(hours, d * 24, d * 24 + 24, days, d, mergeWorkspace)
  roundTrip(days, 3)
  assert.equal(encoded(days, 3).actual.length < 16, true)
})

test("a column that is equal in all slots takes a dozen bytes", () => {
  const block = encoded(dayOf(256), 256)
  assert.ok(block.count.length <= 12, `${block.count.length}`)
  assert.ok(block.actual.length <= 12, `${block.actual.length}`)
  const single = encoded(dayOf(256, 1), 256)
  for (const column of ["min", "max", "first", "last", "m2", "actual"] as const) {
    assert.ok(single[column].length <= 12, `${column}: ${single[column].length}`)
  }
  assert.ok(block.sum.length / (256 * 288) < 1.6, `${block.sum.length / (256 * 288)}`)
})

test("columnBlockSources() of an actual returns the columns that it derives from", () => {
  const f = (definition: number, want: readonly string[]) => {
    const cells = new CellColumns(2)
    cells.actualKind.fill(definition)
    for (let at = 0; at < 2; at++) computeCell(Float64Array.of(1, 5, 3), 0, 3, cells, at)
    const bytes = encodeColumnBlock("actual", cells, { slotCount: 1, bucketCount: 2 })
    assert.deepEqual(columnBlockSources(bytes), want)
    assert.deepEqual(columnBlockShape(bytes), { slotCount: 1, bucketCount: 2 })
  }
  f(0, ["sum"])
  f(1, ["sum"])
  f(2, ["min"])
  f(3, ["max"])
  f(4, ["last"])
  f(5, [])
})

test("an actual is decoded from its source columns alone", () => {
  const cells = dayOf(2)
  const block = encoded(cells, 2)
  const got = new CellColumns(cells.length)
  decodeColumnBlock(block.count, "count", got)
  for (const column of columnBlockSources(block.actual)) {
    decodeColumnBlock(block[column], column, got)
  }
  decodeColumnBlock(block.actual, "actual", got)
  assert.deepEqual(got.actual, cells.actual)
})

test("a block that is cut short, longer or of another version throws CorruptError", () => {
  const cells = dayOf(2)
  for (const [column, bytes] of Object.entries(encoded(cells, 2))) {
    const read = (damaged: Uint8Array) => {
      const out = new CellColumns(cells.length)
      out.count.fill(1)
      out.actuals.fill(1)
      decodeColumnBlock(damaged, column as "sum", out)
    }
    for (let length = 0; length < bytes.length; length += 1 + Math.floor(bytes.length / 50)) {
      assert.throws(() => read(bytes.subarray(0, length)), CorruptError, `${column} ${length}`)
    }
    assert.throws(() => read(Uint8Array.of(...bytes, 0)), CorruptError)
    assert.throws(() => read(Uint8Array.of(9, ...bytes.subarray(1))), CorruptError)
  }
})
