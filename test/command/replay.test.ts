/** `tidegauge replay` as a process, and its reading of files. */

import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, before, test } from "node:test"
import { runReplay } from "../../src/command/replay/replay.ts"
import { noise } from "../analysis/element.ts"
import { lineOf } from "../support/project/command-line.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { deliveredProgram, rootFolder } from "../support/project-paths.ts"

let folder: string
before(() => {
  folder = makeFolder("tidegauge-replay")
})
after(() => removeFolder(folder))

const startMs = Date.UTC(2026, 0, 5)
const week = 2016

function fileOf(text: string): string {
  const path = join(folder, "history.csv")
  writeFileSync(path, text)
  return path
}

async function replay(text: string, ...flags: string[]) {
  let out = ""
  let errors = ""
  const status = await runReplay({
    line: lineOf("replay", fileOf(text), ...flags),
    write: async (part) => void (out += part),
    printError: (part) => void (errors += part),
  })
  const lines = out.trimEnd().split("\n")
  return { status, lines, errors, json: () => lines.map((line) => JSON.parse(line)) }
}

test("as a process: a line a cycle, bands after a week, a high score for the spike", () => {
  const rows = Array.from({ length: week + 300 }, (_, c) => {
    const time = new Date(startMs + c * 300_000).toISOString().slice(0, 19).replace("T", " ")
    return `${time},${(c === week + 100 ? 90 : 10 + noise(c)).toFixed(3)}`
  })
  const path = fileOf(`timestamp,value\n${rows.join("\n")}\n`)
  const argv = [...deliveredProgram(), "replay", path]
  const run = spawnSync(process.execPath, argv, { cwd: rootFolder, encoding: "utf8" })
  assert.equal(run.stderr, "")
  assert.equal(run.status, 0)
  const lines = run.stdout.trimEnd().split("\n")
  assert.equal(lines.length, 1 + rows.length)
  const [names, first, ready, spike] = [0, 1, week + 1, week + 101].map((i) => lines[i]!.split(","))
  assert.deepEqual(names!.slice(0, 4), ["timestamp", "actual", "sparseValue", "baselineMean"])
  assert.equal(names!.at(-1), "score")
  assert.equal(first![0], "2026-01-05T00:00:00.000Z")
  assert.equal(first![3], "")
  assert.ok(Math.abs(Number(ready![3]) - 10) < 1)
  assert.ok(Number(spike!.at(-1)) > 0.999)
})

test("as a process: a bad file ends with 1, a bad command line with 64", () => {
  const run = (...argv: string[]) =>
    spawnSync(process.execPath, [...deliveredProgram(), "replay", ...argv], {
      cwd: rootFolder,
      encoding: "utf8",
    })
  const bad = run(fileOf("timestamp,value\n2026-01-05 00:00:00,ten\n"))
  assert.equal(bad.status, 1)
  assert.match(bad.stderr, /Line 2, column "value": expected a number, got "ten"/)
  assert.equal(run("--speed", "3").status, 64)
})

test("a wide file: several rows of a cycle are averaged, empty cells are no value", async () => {
  const text =
    "time,cpu,mem\n" + `${startMs},1,\n${startMs + 60_000},3,5\n${startMs + 300_000},,6\n`
  const { json, status } = await replay(text, "--json")
  assert.equal(status, 0)
  const [one, two] = json()
  assert.deepEqual(one.metrics, { cpu: { actual: 2 }, mem: { actual: 5 } })
  assert.deepEqual(two.metrics, { cpu: {}, mem: { actual: 6 } })
  assert.equal(two.timestamp, "2026-01-05T00:05:00.000Z")
  assert.equal(typeof two.score, "number")
})

test("missing cycles are printed, filled by the strategy for seven hours at most", async () => {
  const text = `t,v\n${startMs},5\n${startMs + 300_000},9\n${startMs + 100 * 300_000},1\n`
  const filled = (await replay(text, "--json", "--sparse", "ReplaceWithHistoricalMax")).json()
  assert.equal(filled.length, 101)
  assert.deepEqual(filled[2].metrics.v, { actual: 9, sparseValue: 9 })
  assert.deepEqual(filled[84].metrics.v, { actual: 9, sparseValue: 9 })
  assert.deepEqual(filled[85].metrics.v, {})
  const bare = (await replay(text, "--json")).json()
  assert.deepEqual(bare[2].metrics.v, {})
})

test("a silence of more than a week is left out", async () => {
  const { lines } = await replay(`t,v\n${startMs},5\n${startMs + (week + 2) * 300_000},9\n`)
  assert.equal(lines.length, 3)
})

test("a counter gives its increases, and after a restart its new total", async () => {
  const text = `t,v\n${[5, 9, 20, 3].map((v, i) => `${startMs + i * 300_000},${v}`).join("\n")}`
  const rows = (await replay(text, "--json", "--metric-type", "COUNTER")).json()
  assert.deepEqual(
    rows.map((row) => row.metrics.v.actual),
    [undefined, 4, 11, 3],
  )
})

const refused: [string, RegExp][] = [
  ["", /empty file/],
  ["timestamp\n1\n", /Line 1: expected a column of times/],
  [`${startMs},5\n`, /Line 1: expected a header/],
  ["t,a,a\n", /column 3: expected names once, got "a" again/],
  [`t,v\n${startMs},1\n${startMs},2,3\n`, /Line 3: expected 2 columns, got 3/],
  [`t,v\n${startMs},1\n${startMs - 1},2\n`, /Line 3, column "t": expected ascending times/],
  ["t,v\nyesterday,1\n", /Line 2, column "t": expected epoch milliseconds/],
  ["t,v\n1767571200,1\n", /looks like seconds/],
  [`t,v\n${startMs},0x10\n`, /Line 2, column "v": expected a number, got "0x10"/],
  [`t,v\n${startMs},"1\n`, /is no CSV/],
]

test("what cannot be read is refused with line, column and value", async () => {
  for (const [text, message] of refused) {
    const { status, errors } = await replay(text)
    assert.equal(status, 1, text)
    assert.match(errors, message)
  }
})
