/** `tidegauge export` and `tidegauge import` as processes, with progress on standard error. */

import { systemClock } from "../../base/clock.ts"
import type { Config } from "../../config/config.ts"
import type { CommandLine } from "../line/spec.ts"
import { Progress } from "../text/progress.ts"
import { runExport } from "./run-export.ts"
import { runImport } from "./run-import.ts"

/** Resolves to the exit status. Standard output may be the file, so reports go to the other one. */
export async function runTransfer(line: CommandLine, config: Config): Promise<number> {
  const elapsedMs = (): number => performance.now()
  const writeError = (text: string): void => void process.stderr.write(text)
  const isTerminal = process.stderr.isTTY === true
  const progress = new Progress({ write: writeError, isTerminal, elapsedMs })
  const printError = (text: string): void => {
    progress.clear()
    writeError(`${text}\n`)
  }
  const common = { config, printError, onStep: progress.step, nowMs: () => systemClock.nowMs() }
  try {
    const { stdin, stdout, env } = process
    // A reader of only the first rows closes the pipe, which is no failure.
    stdout.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(0)
    })
    if (line.command.name === "export") return await runExport(line, { ...common, stdout })
    return await runImport(line, { ...common, env, stdin, elapsedMs })
  } finally {
    progress.clear()
  }
}
