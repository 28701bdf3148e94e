/**
 * Start check: a store that was not left in order is looked through in a process of its own before
 * the server opens it. Whatever a damaged file does to the one that reads it, the server learns of
 * it as a sentence.
 */

import { spawn } from "node:child_process"
import { once } from "node:events"
import { ServiceError } from "../../base/errors.ts"
import { needsScan } from "../../store/open.ts"

/** Problems that are told; the rest is counted. */
const problemsMax = 10

/** Throws `storage` with what is damaged and the ways out. */
export async function checkBeforeStart(folder: string, program: readonly string[]): Promise<void> {
  if (!needsScan(folder)) return
  const problems = await scanInChild(folder, program)
  if (problems.length === 0) return
  const told = problems.slice(0, problemsMax).map((problem) => `  ${problem}`)
  if (problems.length > problemsMax) told.push(`  … and ${problems.length - problemsMax} more`)
  throw new ServiceError(
    "storage",
    [
      `The store is damaged: "${folder}/data.mdb". Nothing was changed.`,
      ...told,
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
  // A probe that did not come to its end has said enough.
  if (status !== 0 && problems.length === 0) problems.push(`the probe ended by ${signal ?? status}`)
  return problems
}
