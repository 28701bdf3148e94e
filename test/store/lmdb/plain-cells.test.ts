import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { ByteReader, ByteWriter } from "../../../src/codec/bytes.ts"
import { CellColumns } from "../../../src/rollup/cell.ts"
import { decodePlainCells, encodePlainCells } from "../../../src/store/lmdb/encoding/plain-cells.ts"

const counts = fc.oneof(
  { arbitrary: fc.nat(300), weight: 4 },
  { arbitrary: fc.constantFrom(0.5, 255, 256, 2 ** 40), weight: 1 },
)

function cellsOf(list: readonly number[]): CellColumns {
  const cells = new CellColumns(256)
  for (const [slot, count] of list.entries()) {
    if (count === 0) continue
    cells.count[slot] = count
    cells.sum[slot] = count * 0.3
    cells.actual[slot] = -count
    cells.actualKind[slot] = 1
  }
  return cells
}

function bytesOf(cells: CellColumns): Uint8Array {
  const writer = new ByteWriter()
  encodePlainCells(writer, cells, 256)
  return writer.finish().slice()
}

test("cells of a cycle come back, whatever their counts", () => {
  fc.assert(
    fc.property(fc.array(counts, { maxLength: 256 }), (list) => {
      const cells = cellsOf(list)
      const again = new CellColumns(256)
      const slots = decodePlainCells(new ByteReader(bytesOf(cells)), again)
      assert.equal(slots, list.findLastIndex((count) => count !== 0) + 1)
      assert.deepEqual(again, cells)
    }),
  )
})

test("counts below 256 take a byte, and a full block fits a page of 16 KiB", () => {
  const small = bytesOf(cellsOf(Array.from({ length: 256 }, () => 255)))
  const large = bytesOf(cellsOf(Array.from({ length: 256 }, () => 256)))
  assert.equal(large.length - small.length, 7 * 256)
  assert.ok(small.length < 16_000, `${small.length} bytes`)
})

test("more slots than a block has are refused", () => {
  for (const head of [257, 511, 769, 1_024]) {
    const writer = new ByteWriter()
    writer.varint(head)
    const reader = new ByteReader(writer.finish())
    assert.throws(() => decodePlainCells(reader, new CellColumns(256)), /at most 256 slots/)
  }
})
