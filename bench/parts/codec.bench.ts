/**
 * Streams of numbers and blocks of cells: how fast they are written and read. One call of a task handles
 * as many values as its name says.
 */

import type { Bench } from "tinybench"
import { ByteReader, ByteWriter } from "../../src/codec/bytes.ts"
import { decodeValues, encodeValues } from "../../src/codec/value-stream.ts"
import { CellColumns, computeCell } from "../../src/rollup/cell.ts"
import { decodeColumnBlock, encodeColumnBlock } from "../../src/rollup/column-block.ts"
import { cellColumnNames } from "../../src/rollup/column-name.ts"
import { type BenchSize, randomFrom, streams } from "./populations.ts"

const bucketCount = 288

export function register(bench: Bench, size: BenchSize): void {
  const count = size === "small" ? 1440 : 14_400
  for (const [name, make] of Object.entries(streams)) registerStream(bench, name, make, count)
  registerBlock(bench, size === "small" ? 8 : 256)
}

function registerStream(
  bench: Bench,
  name: string,
  make: (random: () => number) => (index: number) => number,
  count: number,
): void {
  const next = make(randomFrom(1))
  const values = Float64Array.from({ length: count }, (_, index) => next(index))
  const writer = new ByteWriter(count * 9)
  encodeValues(writer, values, count)
  const bytesPerValue = (writer.position / count).toFixed(2)
  const reader = new ByteReader(writer.finish())
  const out = new Float64Array(count)
  bench.add(`codec: encode ${count} of ${name} (${bytesPerValue} B each)`, () => {
    writer.reset()
    encodeValues(writer, values, count)
  })
  bench.add(`codec: decode ${count} of ${name}`, () => {
    reader.position = 0
    decodeValues(reader, out, 0, count)
  })
}

function registerBlock(bench: Bench, slotCount: number): void {
  const cells = new CellColumns(slotCount * bucketCount)
  const next = streams.gauge(randomFrom(2))
  const values = new Float64Array(5)
  const computeAll = () => {
    for (let at = 0; at < cells.length; at++) computeCell(values, 0, 5, cells, at)
  }
  for (let at = 0; at < cells.length; at++) {
    for (let i = 0; i < 5; i++) values[i] = next()
    computeCell(values, 0, 5, cells, at)
  }
  const shape = { slotCount, bucketCount }
  const blocks = cellColumnNames.map((column) => encodeColumnBlock(column, cells, shape))
  const bytes = blocks.reduce((sum, block) => sum + block.length, 0)
  const out = new CellColumns(cells.length)
  bench.add(`cells: read actual of ${slotCount} × ${bucketCount}`, () => {
    for (const column of ["count", "sum", "actual"] as const) {
      decodeColumnBlock(blocks[cellColumnNames.indexOf(column)]!, column, out)
    }
  })
  const perCell = (bytes / cells.length).toFixed(2)
  bench.add(`cells: read all of ${slotCount} × ${bucketCount} (${perCell} B each)`, () => {
    cellColumnNames.forEach((column, i) => decodeColumnBlock(blocks[i]!, column, out))
  })
  bench.add(`cells: write all of ${slotCount} × ${bucketCount}`, () => {
    for (const column of cellColumnNames) encodeColumnBlock(column, out, shape)
  })
  bench.add(`cells: compute ${slotCount} × ${bucketCount} of 5 values`, computeAll)
}
