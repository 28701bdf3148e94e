/** The part of an export that waits in memory is bounded, however many rows it writes. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { openRowWriter } from "../../src/transfer/export/row-writers.ts"
import { parquetGroupRows } from "../../src/transfer/format/parquet-writer.ts"
import { exportFormats } from "../../src/transfer/transfer-format.ts"

const rowsPerDrain = 10_000
const drains = 40
/** Characters that text formats collect before they make bytes of them. */
const textHeld = 256 * 1024

for (const format of exportFormats) {
  test(`${format}: after each piece only a constant part is not written yet`, async () => {
    let written = 0
    const sizes: number[] = []
    const writer = await openRowWriter(format, "ZERO", async ({ length }) => {
      written += length
      sizes.push(length)
    })
    const values = new Float64Array(6).fill(NaN)
    const atDrain: number[] = []
    for (let drain = 0; drain < drains; drain++) {
      writer.begin({ element: "web-1", metric: `m${drain}`, about: "{}" })
      for (let i = 0; i < rowsPerDrain; i++) {
        // A fraction that no dictionary holds twice.
        values[0] = Math.sin(drain * rowsPerDrain + i)
        writer.row(1_700_000_000_000 + i * 1000, values)
      }
      await writer.drain()
      atDrain.push(written)
    }
    await writer.end()
    const perRow = written / (rowsPerDrain * drains)
    const heldRows = format === "parquet" ? parquetGroupRows : textHeld / perRow
    for (const [drain, bytes] of atDrain.entries()) {
      const rows = (drain + 1) * rowsPerDrain - heldRows
      assert.ok(bytes >= 0.9 * rows * perRow - 1024, `${bytes} bytes after drain ${drain}`)
    }
    const largest = Math.max(...sizes)
    assert.ok(largest <= Math.max(2 * textHeld, 2 * heldRows * perRow), `a piece of ${largest}`)
  })
}
