/**
 * Cold: each query as the first one of a server that was restarted and whose files were dropped
 * from the page cache before that. The user has logged in before: that takes time on purpose. The
 * target is for the query after the server came to rest: in its first moments it runs the warm-up.
 * The note has the query right after the start, while the warm-up may still run.
 */

import { execFileSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import type { Figure, FigureName } from "./figures.ts"
import { settle } from "./process.ts"
import { asking, logIn, type LoadQuery } from "./queries.ts"
import { hasCommand, type Server } from "./server.ts"
import type { Workload } from "./workload.ts"

/** The figure of a query and that of its cold answer. */
const coldNames: Readonly<Partial<Record<FigureName, FigureName>>> = {
  statisticsPt5m: "coldPt5m",
  statisticsZero: "coldZero",
  statisticsOne: "coldOne",
  statisticsDay: "coldDay",
  acrossDay: "coldAcross",
}

/** A warm-up takes half a second of a core. */
const restSecondsMax = 30

interface ColdOptions {
  /** Of the stopped server's folder, again and again. */
  start(): Promise<Server>
  readonly workload: Workload
  readonly questions: readonly LoadQuery[]
  /** Figures of the same queries with warm caches. */
  readonly warm: readonly Figure[]
  readonly folder: string
}

/** The ratio to warm; none if the system cannot drop files from its cache. */
export async function measureCold(options: ColdOptions): Promise<Figure[]> {
  if (!hasCommand("dd") || !hasCommand("fincore")) return []
  const figures: Figure[] = []
  for (const question of options.questions) {
    const name = coldNames[question.name]
    const warm = options.warm.find((figure) => figure.name === question.name)
    if (name === undefined || warm === undefined) continue
    const left = evictFiles(options.folder)
    const cold = await askOnce(options, question, restOf)
    evictFiles(options.folder)
    const atOnce = await askOnce(options, question, () => Promise.resolve())
    const note =
      `${cold.toFixed(0)} ms; ${atOnce.toFixed(0)} ms at once after the login; ` +
      `${(left / 1024 ** 2).toFixed(1)} MiB of files were still in memory`
    figures.push({ name, subject: warm.subject, value: cold / warm.value, note })
  }
  return figures
}

async function restOf({ pid }: Server): Promise<void> {
  await settle(pid, { graceSeconds: 0, secondsMax: restSecondsMax })
}

/** Milliseconds of the one query of a server, after a login and `before`. */
async function askOnce(
  options: ColdOptions,
  question: LoadQuery,
  before: (server: Server) => Promise<void>,
): Promise<number> {
  const server = await options.start()
  try {
    return await asking(server, options.workload, async (asked) => {
      await logIn(asked)
      await before(server)
      return (await question.ask(asked)).ms
    })
  } finally {
    await server.stop()
  }
}

/** Writes and drops every file below a folder that no process has open; returns the bytes left. */
export function evictFiles(folder: string): number {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  return files.reduce((left, path) => {
    const flags = ["oflag=nocache", "conv=notrunc,fdatasync", "count=0", "status=none"]
    execFileSync("dd", ["if=/dev/null", `of=${path}`, ...flags])
    const told = execFileSync("fincore", ["--bytes", "--noheadings", "--output", "RES", path])
    return left + Number(told.toString())
  }, 0)
}
