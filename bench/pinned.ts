/**
 * CPU per query and per sample of this build, divided by that of the pinned build
 * (pinned/pinned-build.ts):
 *
 *   npm run bench:pinned [-- --base OTHER/dist/main.js] [--size small] [--only queries,ingest]
 *
 * Each figure is the least of several measurements, in turn on both builds. Ratios of 1.25 and more
 * are measured a second time, and the command fails if they are as high again. The table goes to
 * a file of the day in `results/`.
 */

import { appendFileSync, existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { killServers } from "./load/server.ts"
import { machineLine } from "./machine.ts"
import { Costs, ratioMax, type Row } from "./pinned/costs.ts"
import { measureIngestCosts } from "./pinned/ingest-costs.ts"
import { pinnedBuild, pinnedCommit } from "./pinned/pinned-build.ts"
import { measureQueryCosts } from "./pinned/query-costs.ts"
import type { Builds, Measuring } from "./pinned/builds.ts"
import { markdownTable, shortNumber } from "./table.ts"

const parts = { queries: measureQueryCosts, ingest: measureIngestCosts } as const
type PartName = keyof typeof parts

const { values } = parseArgs({
  options: {
    base: { type: "string" },
    size: { type: "string", default: "canonical" },
    only: { type: "string", default: Object.keys(parts).join(",") },
  },
})

function partNames(text: string): PartName[] {
  return text.split(",").map((name) => {
    if (!(name in parts)) throw new Error(`Expected queries or ingest, got ${name}`)
    return name as PartName
  })
}

async function measure(part: PartName, builds: Builds): Promise<readonly Row[]> {
  const scratch = mkdtempSync(join(tmpdir(), "tidegauge-pinned-"))
  const costs = new Costs()
  const size = values.size === "small" ? "small" : "canonical"
  const say = (line: string) => process.stderr.write(`${line}\n`)
  const measuring: Measuring = { builds, scratch, size, costs, say }
  try {
    await parts[part](measuring)
  } finally {
    killServers()
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
  }
  return costs.rows()
}

/** Rows whose ratio was too high the first time have that of the second. */
async function measureTwice(part: PartName, builds: Builds): Promise<string[][]> {
  const first = await measure(part, builds)
  const isHigh = ({ ratio }: Row) => ratio >= ratioMax
  const again = first.some(isHigh) ? await measure(part, builds) : []
  return first.map((row) => {
    const second = isHigh(row) ? again.find(({ name }) => name === row.name)! : null
    const isRed = second !== null && isHigh(second)
    if (isRed) process.exitCode = 1
    const numbers = [row.pinned, row.now].map(shortNumber)
    const ratios = [row.ratio, ...(second === null ? [] : [second.ratio])]
    const told = ratios.map((ratio) => ratio.toFixed(2)).join(", ")
    return [row.name, row.unit, ...numbers, told, isRed ? "RED" : ""]
  })
}

process.once("exit", killServers)
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1))
// Before the client is pinned to one core.
const machine = machineLine()
const base = values.base === undefined ? pinnedBuild() : resolve(values.base)
const builds: Builds = { pinned: base, now: resolve("dist/main.js") }
const rows: string[][] = []
for (const part of partNames(values.only)) rows.push(...(await measureTwice(part, builds)))
const head = ["CPU of", "unit", "pinned", "this build", "ratio", ""]
const title = `This build beside ${values.base ?? pinnedCommit}`
const report = `## ${title}\n\n${machine}\n\n${markdownTable(head, rows)}\n`
process.stdout.write(report)
const day = new Date().toISOString().slice(0, 10)
if (values.base === undefined && values.size !== "small") {
  const path = join(import.meta.dirname, `results/${day}-pinned.md`)
  const first = existsSync(path) ? "" : `# CPU beside the pinned build, ${day}\n`
  appendFileSync(path, `${first}\n${report}`)
}
