/**
 * Export and import, next to bulk ingest: `npm run bench:transfer [-- --series 1000 --hours 4]`.
 *
 *   generated CSV ─► import ─► a store ─► export ─► each format ─► import ─► a store
 *   bulk posts over HTTP ─► the server, acknowledged and settled, in the same run
 *
 * Each command is a process of its own; its figures are rows for a second of its processor time,
 * start and flush included, and its largest resident memory.
 */

import { spawnSync } from "node:child_process"
import { createWriteStream, mkdtempSync, rmSync, statSync } from "node:fs"
import { once } from "node:events"
import { availableParallelism, tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { figureKinds } from "./load/figures.ts"
import { measureLoad } from "./load/load.ts"
import { dayMs } from "./load/section.ts"
import { killServers } from "./load/server.ts"
import { tidegauge } from "./load/subjects.ts"
import { machineLine } from "./machine.ts"
import { markdownTable, shortNumber } from "./table.ts"

const { values: given } = parseArgs({
  options: {
    series: { type: "string", default: "1000" },
    hours: { type: "string", default: "4" },
    /** Leaves out the server, and with it the ratios. */
    "no-bulk": { type: "boolean", default: false },
    server: { type: "string", default: "dist/main.js" },
    only: { type: "string", default: "csv,jsonl,parquet,csv.gz,prom,lp" },
  },
})
const series = Number(given.series)
const samplesPerSeries = Number(given.hours) * 240
const rows = series * samplesPerSeries
const entry = resolve(given.server)
const scratch = mkdtempSync(join(tmpdir(), "tidegauge-transfer-"))
process.once("exit", () => {
  killServers()
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
})
const midnightMs = Math.floor(Date.now() / dayMs) * dayMs
const startMs = midnightMs - dayMs

interface Measured {
  readonly cpuSeconds: number
  readonly peakBytes: number
}

/** Processor time and peak memory of a command, which it reports itself when it ends. */
function run(argv: readonly string[]): Measured {
  const watcher =
    "data:text/javascript," +
    encodeURIComponent(
      `process.on("exit",()=>{const u=process.resourceUsage();const c=u.userCPUTime;` +
        `const all=[(c+u.systemCPUTime)/1e6,u.maxRSS*1024];` +
        `process.stderr.write("\\nUSAGE "+all.join(" ")+"\\n")})`,
    )
  const argvAll = ["--import", watcher, entry, ...argv]
  const child = spawnSync(process.execPath, argvAll, { encoding: "utf8", maxBuffer: 1 << 26 })
  const usage = /USAGE (\S+) (\d+)/.exec(child.stderr)
  if (child.status !== 0 || usage === null) throw new Error(`${argv.join(" ")}: ${child.stderr}`)
  return { cpuSeconds: Number(usage[1]), peakBytes: Number(usage[2]) }
}

type Line = (element: number, metric: number, timeMs: number, value: string) => string

const lineOf: Readonly<Record<"csv" | "prom" | "lp", Line>> = {
  csv: (e, m, timeMs, value) => `web-${e},app.metric_${m},${timeMs},${value}\n`,
  prom: (e, m, timeMs, value) =>
    `{__name__="app_metric_${m}", cpu="0", instance="web-${e}:9100", job="node"} ` +
    `${value} ${timeMs}\n`,
  lp: (e, m, timeMs, value) => `app,host=web-${e},cpu=0 metric_${m}=${value} ${timeMs}000000\n`,
}

/** Values with two decimals that wander, as most agents send them. */
async function generate(kind: keyof typeof lineOf, path: string): Promise<void> {
  const file = createWriteStream(path)
  if (kind === "csv") file.write("element,metric,timestamp,val\n")
  let state = 1
  let text = ""
  for (let s = 0; s < series; s++) {
    let value = 5000
    for (let i = 0; i < samplesPerSeries; i++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      value += (state >>> 24) - 127
      text += lineOf[kind](s % 100, Math.floor(s / 100), startMs + i * 15_000, String(value / 100))
      if (text.length < 1 << 20) continue
      if (!file.write(text)) await once(file, "drain")
      text = ""
    }
  }
  file.end(text)
  await once(file, "close")
}

async function bulkSettled(): Promise<number> {
  const context = {
    size: "canonical" as const,
    subject: tidegauge(entry),
    peers: [],
    scratch,
    midnightMs,
    nowMs: Date.now,
    cores: availableParallelism(),
    connections: 8,
    say: () => {},
  }
  const figures = await measureLoad(["bulk"], context, (_, error) => {
    throw error
  })
  const own = figures.find(({ name }) => name === "bulkSettled")
  process.stdout.write(`${figureKinds.bulkSettled.title}: ${shortNumber(own?.value ?? NaN)}\n\n`)
  return own?.value ?? NaN
}

const say = (line: string): void => void process.stderr.write(`${line}\n`)

const machine = machineLine()
const csv = join(scratch, "generated.csv")
say(`${rows} rows`)
await generate("csv", csv)
const source = join(scratch, "source")
run(["import", csv, "--data", source])
process.stdout.write(`Machine: ${machine}\n\n${rows} samples, ${series} series\n\n`)
const bulk = given["no-bulk"] ? NaN : await bulkSettled()
const table: string[][] = []
for (const format of given.only.split(",")) {
  const path = join(scratch, `all.${format}`)
  const isForeign = format === "prom" || format === "lp"
  let exported = "–"
  if (isForeign) await generate(format, path)
  else {
    say(`export ${format}`)
    const { cpuSeconds, peakBytes } = run(["export", path, "--from", "P4D", "--data", source])
    exported = `${shortNumber(rows / cpuSeconds)}, ${mebibytes(peakBytes)}`
  }
  say(`import ${format}`)
  const folder = join(scratch, "target")
  const { cpuSeconds, peakBytes } = run(["import", path, "--data", folder])
  const rate = rows / cpuSeconds
  const bytes = (statSync(path).size / rows).toFixed(1)
  const ratio = Number.isNaN(bulk) ? "–" : `${(rate / bulk).toFixed(2)} ×`
  table.push([format, bytes, exported, `${shortNumber(rate)}, ${mebibytes(peakBytes)}`, ratio])
  rmSync(folder, { recursive: true })
}
const head = [
  "format",
  "bytes a row",
  "export, rows a CPU second, peak memory",
  "import, rows a CPU second, peak memory",
  "import ÷ bulk settled",
]
process.stdout.write(`${markdownTable(head, table)}\n`)

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MiB`
}
