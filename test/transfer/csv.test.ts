/** CSV: what is printed is read again, and errors name file, line and value. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { CsvRows } from "../../src/transfer/import/csv-rows.ts"
import { csvField } from "../../src/base/text/csv-field.ts"
import { folderOf, openWriter } from "../support/store/lmdb-folder.ts"
import { noonMs } from "../support/ingest/samples.ts"
import { importFile, storeSink, type ImportOptions } from "../support/store/transfer.ts"
import type { TestContext } from "node:test"

test("rows of any texts, printed and read, are the same", () => {
  const cell = fc.string({ unit: fc.constantFrom('"', ",", "\r", "\n", "a", " ", "ä") })
  // A row of one empty cell is an empty line.
  const row = fc.array(cell, { minLength: 2, maxLength: 4 })
  fc.assert(
    fc.property(fc.array(row), (table) => {
      const text = table.map((cells) => `${cells.map(csvField).join(",")}\r\n`).join("")
      const rows = new CsvRows()
      const read = text.split("\n").map((line) => rows.next(line))
      assert.deepEqual(
        read.filter((cells) => cells !== null),
        table,
      )
      assert.ok(!rows.isOpen)
    }),
  )
})

async function imported(t: TestContext, text: string, options: ImportOptions = {}) {
  const store = openWriter(folderOf(t))
  try {
    return await importFile(storeSink(store), "a.csv", options, text)
  } finally {
    await store.close()
  }
}

test("columns are found by their names, others are ignored", async (t) => {
  const text = `\ufeffvalue,val,timestamp,metric,element\nx,1.5,${noonMs},cpu,web 1\n`
  const { counts } = await imported(t, text)
  assert.equal(counts.stored, 1)
})

const header = "element,metric,timestamp,val"
const refusals: readonly (readonly [string, string, RegExp])[] = [
  ["a header without a metric", "element,timestamp,val", /line 1: .*header.*metric missing/],
  [
    "a header without values",
    "element,metric,timestamp",
    /line 1: expected a column of values: val/,
  ],
  ["a missing cell", `${header}\nweb,cpu,1`, /^a.csv:2: expected 4 columns, got 3$/],
  ["a time", `${header}\nweb,cpu,soon,1`, /^a.csv:2: timestamp "soon": expected epoch mill/],
  ["a value", `${header}\nweb,cpu,${noonMs},0x10`, /^a.csv:2: val "0x10" is not a number$/],
  ["a name", `${header}\nweb,€,${noonMs},1`, /^a.csv:2: metric "€" has none of the characters/],
  ["a quote", `${header}\nweb,"cpu,1`, /^a.csv:2: a quote is not closed$/],
  [
    "a quote far from the end",
    `${header}\nweb,"cpu,1\n${"web,cpu,1,1\n".repeat(9)}`,
    /^a.csv:2: a q/,
  ],
  ["text after a quote", `${header}\n"web"x,cpu,1,1`, /^a.csv:2: column 1: expected a comma/],
]
for (const [what, text, message] of refusals) {
  test(`${what} ends the import with file, line and value`, async (t) => {
    await assert.rejects(imported(t, text), { code: "invalid", message })
  })
}

test("skipped lines are counted and reported, and the others stored", async (t) => {
  const text = `${header}\nweb,cpu,soon,1\nweb,cpu,${noonMs},1\nweb,cpu,${noonMs},x\n`
  const { counts, problems } = await imported(t, text, { skips: true })
  assert.equal(counts.stored, 1)
  assert.deepEqual(
    problems.map((problem) => problem.split(" ")[0]),
    ["a.csv:2:", "a.csv:4:"],
  )
})

test("a quote within a cell is a character, one that does not close costs its line", async (t) => {
  const row = (element: string, i: number) => `${element},cpu,${noonMs + i * 1000},1`
  const rows = Array.from({ length: 200 }, (_, i) => row("web", i))
  rows[10] = row('disk 15" size', 10)
  const text = () => [header, ...rows].join("\n")
  assert.equal((await imported(t, text())).counts.stored, 200)
  rows[10] = row('"disk 15', 10)
  await assert.rejects(imported(t, text()), /a.csv:12: a quote is not closed/)
  rows[50] = row('"disk 16', 50)
  rows[60] = row('"web, of "", ""two ""\nlines"', 60)
  const { counts, problems } = await imported(t, text(), { skips: true })
  assert.equal(counts.stored, 198)
  assert.deepEqual(
    problems.map((problem) => problem.split(" ")[0]),
    ["a.csv:12:", "a.csv:52:"],
  )
})

/** In the columns of an export, rows that resemble the one before take a shorter way. */
test("a row after one of the same series is read like the first", async (t) => {
  const cells = fc.constantFrom("1", "1.5", "-0", "1e3", "NaN", "", "x", '"2"', "0x1", " 3")
  const time = fc.constantFrom(String(noonMs), new Date(noonMs).toISOString(), "", "soon", "1x")
  const tail = fc.constantFrom(
    ",,,,,,",
    ",1,9,4,3,12,",
    ",,,,,",
    ",,,,,,,",
    ',,,,,,"{}"',
    ",,,,,1,",
  )
  const name = fc.constantFrom("web,cpu", "web,io", '"web",cpu', "w,cpu")
  const row = fc.tuple(name, time, cells, tail).map(([a, b, c, d]) => `${a},${b},${c}${d}`)
  const columns = "element,metric,timestamp,val,min,max,avg,cnt,sum,about"
  const folder = folderOf(t)
  const store = openWriter(folder)
  try {
    const outcomeOf = async (lines: readonly string[]) => {
      const text = [columns, ...lines].join("\n")
      return importFile(storeSink(store), "a.csv", { skips: true }, text)
    }
    const property = fc.asyncProperty(row, row, fc.boolean(), async (first, second, ends) => {
      const line = ends ? `${second}\r` : second
      const alone = [await outcomeOf([first]), await outcomeOf([line])]
      const together = await outcomeOf([first, line])
      for (const name of Object.keys(together.counts) as (keyof typeof together.counts)[]) {
        const sum = alone[0]!.counts[name] + alone[1]!.counts[name]
        assert.equal(together.counts[name], sum, name)
      }
      const problems = alone.flatMap((one) => one.problems.map((text) => text.replace(/:\d+:/, "")))
      assert.deepEqual(
        together.problems.map((text) => text.replace(/:\d+:/, "")),
        problems,
      )
    })
    await fc.assert(property, { numRuns: 150 })
  } finally {
    await store.close()
  }
})

test("files that were put together are read with the header of each", async (t) => {
  const one = `${header}\nweb,cpu,${noonMs},1\n`
  const other = `\ufeffval,timestamp,metric,element\r\n2,${noonMs + 1000},cpu,web\r\n`
  const { counts } = await imported(t, `${one}   \n\t\n${other}${one}`)
  assert.equal(counts.stored, 3)
})

test("the unit of rows in epoch seconds is named", async (t) => {
  const text = `${header}\nweb,cpu,${noonMs / 1000},1\n`
  const { counts, timeHint } = await imported(t, text, { oldestMs: 0.9 * noonMs })
  assert.equal(counts.tooOld, 1)
  assert.equal(timeHint, "it seems to be in epoch seconds: multiply it by 1000")
})

test("values that are no observation are counted", async (t) => {
  const values = ["NaN", "-Infinity", "", "1e999"]
  const lines = values.map((value) => `web,cpu,${noonMs},${value}`)
  const { counts } = await imported(t, [header, ...lines].join("\n"))
  assert.deepEqual([counts.stored, counts.noObservation], [0, 4])
})
