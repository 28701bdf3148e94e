/**
 * Every run of faults, one after the other, and a table of how each ended:
 * `npm run faults [-- --long] [--only crash,damage]`. Each prints its seed, which replays it.
 */

import { spawn } from "node:child_process"
import { once } from "node:events"
import { createWriteStream, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { tableText } from "../../src/command/text/table-text.ts"

interface Run {
  readonly name: string
  readonly what: string
  /** Arguments of a run of minutes, and of the long one of hours. */
  readonly short: readonly string[]
  readonly long: readonly string[]
}

const runs: readonly Run[] = [
  { name: "crash", what: "kill -9 at random times", short: ["60"], long: ["2000"] },
  {
    name: "kill-points",
    what: "kill -9 at named points",
    short: ["--rounds", "400"],
    long: ["--rounds", "2000"],
  },
  {
    name: "power-cut",
    what: "images of a disk that lost what was not synced",
    short: ["--images", "2000"],
    long: ["--images", "20000"],
  },
  { name: "backup", what: "backups beside a writer", short: ["50"], long: ["1000"] },
  { name: "damage", what: "flipped bits and cut files", short: ["200"], long: ["1000"] },
  {
    name: "many-names",
    what: "repair of more names than a call has room for",
    short: ["160000"],
    long: ["1000000"],
  },
  {
    name: "failed-starts",
    what: "starts that cannot succeed, each ended in order",
    short: ["200"],
    long: ["2000"],
  },
  {
    name: "text",
    what: "text beyond bounds, on a heap of 256 MB",
    short: ["168"],
    long: ["2000"],
  },
  { name: "fuzz", what: "hostile bodies, guided by coverage", short: ["60"], long: ["3600"] },
  { name: "unread", what: "long answers that nobody reads", short: ["60"], long: ["300"] },
  { name: "logins", what: "a flood of logins", short: ["20"], long: ["300"] },
  { name: "overload", what: "ten times the capacity", short: ["20"], long: ["60"] },
  {
    name: "memory",
    what: "three times the series that memory is planned for",
    short: ["120"],
    long: ["600"],
  },
  {
    name: "hostile-queries",
    what: "questions that would take minutes, and clients that leave",
    short: ["30"],
    long: ["1800"],
  },
  {
    name: "simulate",
    what: "stories against a model",
    short: ["--seeds", "2000"],
    long: ["--seeds", "1000000"],
  },
  {
    name: "notifications",
    what: "a receiver that refuses one message in ten, by 4xx and 5xx",
    short: ["--seeds", "10", "--hours", "48"],
    long: ["--seeds", "100", "--hours", "200"],
  },
  {
    name: "clocks",
    what: "clocks ahead and back by two hours, a day, a year",
    short: [],
    long: ["--rounds", "10"],
  },
  {
    name: "service",
    what: "hours of cycles, restarts and clock jumps against a model",
    short: ["--seeds", "4", "--hours", "24"],
    long: ["--seeds", "20", "--hours", "200"],
  },
]

const { values } = parseArgs({
  options: { long: { type: "boolean", default: false }, only: { type: "string" } },
})
const only = values.only?.split(",")
const folder = mkdtempSync(join(tmpdir(), "tidegauge-faults-"))
const rows: string[][] = []
for (const run of runs.filter(({ name }) => only?.includes(name) ?? true)) {
  rows.push(await outcome(run, values.long ? run.long : run.short))
}
console.log(tableText(["fault", "run", "seconds", "result", "output"], rows))
process.exitCode = rows.some((row) => row[3] !== "kept") ? 1 : 0

async function outcome({ name, what }: Run, args: readonly string[]): Promise<string[]> {
  const log = join(folder, `${name}.log`)
  console.log(`${name} ${args.join(" ")} …`)
  const startedMs = performance.now()
  const script = join(import.meta.dirname, `${name}.ts`)
  const child = spawn(process.execPath, ["--import", "tsx", script, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  })
  const output = createWriteStream(log)
  child.stdout.pipe(output, { end: false })
  child.stderr.pipe(output, { end: false })
  const [code] = (await once(child, "close")) as [number | null]
  output.end()
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0)
  return [what, `${name} ${args.join(" ")}`, seconds, code === 0 ? "kept" : "BROKEN", log]
}
