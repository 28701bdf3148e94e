/**
 * The cost of expensive queries to others:
 * `npm run bench:admission [-- --seconds 60 --names 200000 --only hostile,late,lists]`.
 *
 * One server on a clock of ten times the speed, so that a cycle takes half a minute. While elements
 * post at a steady rate and an ordinary user asks every half second, cycles close; first in quiet,
 * then next to ten users who each repeat the most expensive search. A second server answers
 * statistics of two weeks while a tenth of the samples is up to two weeks late, and one post and
 * one read of tags next to six lists of all metrics.
 */

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { latePart } from "./admission/late.ts"
import { listsPart } from "./admission/lists.ts"
import { expensiveQueriesPart } from "./admission/expensive-queries.ts"
import { killServers } from "./load/server.ts"
import { machineLine } from "./machine.ts"
import { markdownTable } from "./table.ts"

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    names: { type: "string", default: "200000" },
    elements: { type: "string", default: "2000" },
    only: { type: "string", default: "hostile,late,lists" },
  },
})
const size = {
  seconds: Number(values.seconds),
  names: Number(values.names),
  elements: Number(values.elements),
}
const parts = { hostile: expensiveQueriesPart, late: latePart, lists: listsPart }
const scratch = mkdtempSync(join(tmpdir(), "tidegauge-admission-"))
process.on("exit", () => {
  killServers()
  rmSync(scratch, { recursive: true, force: true })
})
console.log(`Machine: ${machineLine()}\n`)
for (const name of values.only.split(",") as (keyof typeof parts)[]) {
  const rows = await parts[name](join(scratch, name), size)
  console.log(`${markdownTable(["what", "quiet", "beside", "ratio", "goal"], rows)}\n`)
}
