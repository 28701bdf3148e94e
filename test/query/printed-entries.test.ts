import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import {
  EntryPrinter,
  forEachPrinted,
  printPrinted,
  type PrintedEntry,
} from "../../src/query/statistics/printed-entries.ts"
import { JsonBytes } from "../../src/wire/json-bytes.ts"
import { textOfParts } from "../support/server/answer-text.ts"

test("each entry comes back under its series, and a chunk is freed with its last one", () => {
  const lengths = fc.array(fc.oneof(fc.integer({ min: 1, max: 400 }), fc.constant(50_000)))
  fc.assert(
    fc.property(lengths, fc.infiniteStream(fc.nat()), (given, order) => {
      let held = 0
      const working = {
        take: (bytes: number) => void (held += bytes),
        free: (bytes: number) => void (held -= bytes),
      }
      const printer = new EntryPrinter(working)
      const texts = given.map((length, i) => String.fromCharCode(65 + (i % 26)).repeat(length))
      for (const [i, text] of texts.entries()) printer.add(7 * i, (out) => out.ascii(text))
      const entries: [number, PrintedEntry][] = []
      const printed = { ...printer.end(), valueCount: 0 }
      forEachPrinted(printed, (series, entry) => entries.push([series, entry]))
      assert.deepEqual(
        entries.map(([series]) => series),
        texts.map((_, i) => 7 * i),
      )
      while (entries.length > 0) {
        const at = order.next().value % entries.length
        const [[series, entry]] = entries.splice(at, 1) as [[number, PrintedEntry]]
        const out = new JsonBytes()
        printPrinted(out, entry, working)
        assert.equal(textOfParts([out.end()]), texts[series / 7])
        const chunks = new Set(entries.map(([, { chunk }]) => chunk))
        const waiting = [...chunks].reduce((sum, { bytes }) => sum + bytes.length, 0)
        assert.equal(held, waiting)
      }
    }),
  )
})
