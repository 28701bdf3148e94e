/** Streams of numbers and blocks of cells: how fast they are written and read. */

import { ByteReader, ByteWriter } from "../../src/codec/bytes.ts"
import { decodeValues, encodeValues } from "../../src/codec/value-stream.ts"
import { CellColumns, computeCell } from "../../src/rollup/cell.ts"
import { decodeColumnBlock, encodeColumnBlock } from "../../src/rollup/encoding/column-block.ts"
import { cellColumnNames } from "../../src/rollup/encoding/column-name.ts"
import { type BenchSize, randomFrom, streams } from "./populations.ts"
import type { Parts } from "./part.ts"

const bucketCount = 288
const valuesPerCell = 5

export function register(parts: Parts, size: BenchSize): void {
  const count = size === "small" ? 1440 : 14_400
  for (const name of Object.keys(streams)) registerStream(parts, name as StreamName, count)
  registerBlock(parts, size === "small" ? 8 : 256)
}

type StreamName = keyof typeof streams

function registerStream(parts: Parts, name: StreamName, count: number): void {
  const next = (streams[name] as (random: () => number) => (index: number) => number)(randomFrom(1))
  const values = Float64Array.from({ length: count }, (_, index) => next(index))
  const writer = new ByteWriter(count * 9)
  encodeValues(writer, values, count)
  const note = `${(writer.position / count).toFixed(2)} bytes a value`
  const written = writer.finish()
  const out = new Float64Array(count)
  const read = (bytes: Uint8Array) => {
    decodeValues(new ByteReader(bytes), out, 0, count)
    return out
  }
  const of = { items: count, unit: "values", note }
  const encode = () => {
    writer.reset()
    encodeValues(writer, values, count)
  }
  parts.add({
    name: `codec: encode ${name}`,
    ...of,
    run: encode,
    answer: () => read(writer.finish()),
  })
  parts.add({ name: `codec: decode ${name}`, ...of, run: () => read(written), answer: () => out })
}

function registerBlock(parts: Parts, slotCount: number): void {
  const shape = { slotCount, bucketCount }
  const cells = new CellColumns(slotCount * bucketCount)
  const next = streams.gauge(randomFrom(2))
  const values = Float64Array.from({ length: cells.length * valuesPerCell }, () => next())
  const compute = () => {
    for (let at = 0; at < cells.length; at++) {
      computeCell(values, at * valuesPerCell, (at + 1) * valuesPerCell, cells, at)
    }
  }
  compute()
  const encode = () => cellColumnNames.map((column) => encodeColumnBlock(column, cells, shape))
  let blocks = encode()
  const out = new CellColumns(cells.length)
  const decode = (columns: readonly (typeof cellColumnNames)[number][]) => {
    for (const column of columns) {
      decodeColumnBlock(blocks[cellColumnNames.indexOf(column)]!, column, out)
    }
  }
  const bytes = blocks.reduce((sum, block) => sum + block.length, 0)
  const note = `${(bytes / cells.length).toFixed(2)} bytes a cell`
  const of = { items: cells.length, unit: "cells", note }
  const decodeAll = () => decode(cellColumnNames)
  const answer = () => numbersOf(out)
  parts.add({
    name: "cells: compute of 5 values",
    ...of,
    run: compute,
    answer: () => numbersOf(cells),
  })
  parts.add({
    name: "cells: write all columns",
    ...of,
    run: () => (blocks = encode()),
    answer: () => {
      decodeAll()
      return answer()
    },
  })
  parts.add({ name: "cells: read all columns", ...of, run: decodeAll, answer })
  const readActual = () => decode(["count", "sum", "actual"])
  parts.add({ name: "cells: read actual", ...of, run: readActual, answer: () => out.actual })
}

function numbersOf(cells: CellColumns): number[] {
  return [cells.count, cells.sum, cells.min, cells.max, cells.m2, cells.actual].flatMap(
    (column) => [...column],
  )
}
