/**
 * Startup check: a store that was not closed in order is scanned by a child process before the
 * server opens it. A damaged file may crash its reader; the server gets a sentence instead.
 */

import { spawn } from "node:child_process"
import { once } from "node:events"
import { ServiceError } from "../../base/errors.ts"
import { needsScan } from "../../store/open.ts"

/** Problems that are listed; the rest is counted. */
const problemsMax = 10

/** Throws `storage` with the damage and the ways out. */
export async function checkBeforeStart(folder: string, program: readonly string[]): Promise<void> {
  if (!needsScan(folder)) return
  const problems = await scanInChild(folder, program)
  if (problems.length === 0) return
  const shown = problems.slice(0, problemsMax).map((problem) => `  ${problem}`)
  if (problems.length > problemsMax) shown.push(`  … and ${problems.length - problemsMax} more`)
  throw new ServiceError(
    "storage",
    [
      `The store is damaged: "${folder}/data.mdb". Nothing was changed.`,
      ...shown,
      `Ways out: \`tidegauge repair --data ${folder}\` sets aside what cannot be read and rebuilds`,
      `the rest; \`tidegauge restore BACKUP --data ${folder}\` goes back to a backup.`,
    ].join("\n"),
  )
}

async function scanInChild(folder: string, program: readonly string[]): Promise<string[]> {
  const [command, ...flags] = program
  const child = spawn(command!, [...flags, "probe", "--data", folder], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  let text = ""
  child.stdout.setEncoding("utf8").on("data", (piece: string) => (text += piece))
  const [status, signal] = (await once(child, "close")) as [number | null, string | null]
  const problems = text.split("\n").filter((line) => line !== "")
  // A scan that crashed is a problem by itself.
  if (status !== 0 && problems.length === 0) problems.push(`the probe ended by ${signal ?? status}`)
  return problems
}
