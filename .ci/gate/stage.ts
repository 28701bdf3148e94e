/** A stage of CI: commands with a name, run one after the other, and what came of them. */

import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, rmSync } from "node:fs"
import { delimiter, join } from "node:path"
import { rootFolder } from "../../test/support/project-paths.ts"
import { readOutcomes, type Outcome } from "../../test/support/run/outcomes.ts"

/** Lines of Node, oldest first; .ci/runtimes/package.json pins their versions. */
export const nodeLines = [20, 22, 24, 26] as const
export type NodeLine = (typeof nodeLines)[number]

export interface Stage {
  readonly name: string
  /** The stage ends at the first that fails. */
  readonly commands: readonly Command[]
  /** The Node that stands first in PATH; by default that of the caller. */
  readonly line?: NodeLine
  readonly env?: Readonly<Record<string, string>>
}

/** Arguments; those equal to `outcomesFile` become the path to which tests write their outcomes. */
export type Command = readonly string[]
export const outcomesFile = "OUTCOMES"

export interface StageResult {
  readonly stage: Stage
  readonly status: number
  readonly seconds: number
  readonly outcomes: readonly Outcome[]
}

export async function runStage(stage: Stage, folder: string): Promise<StageResult> {
  const beginMs = performance.now()
  const outcomes: Outcome[] = []
  let status = 0
  for (const command of stage.commands) {
    const path = join(folder, "outcomes.jsonl")
    rmSync(path, { force: true })
    status = await runCommand(
      command.map((one) => (one === outcomesFile ? path : one)),
      stage,
    )
    if (existsSync(path)) outcomes.push(...readOutcomes(path))
    if (status !== 0) break
  }
  const seconds = Math.round((performance.now() - beginMs) / 1000)
  return { stage, status, seconds, outcomes }
}

async function runCommand(command: Command, { line, env = {} }: Stage): Promise<number> {
  const [file, ...argv] = command
  const own = line === undefined ? [] : [runtimeFolder(line)]
  const path = [...own, process.env["PATH"]].join(delimiter)
  const child = spawn(file!, argv, {
    cwd: rootFolder,
    env: { ...process.env, ...env, PATH: path },
    stdio: ["ignore", "inherit", "inherit"],
  })
  const [status] = (await once(child, "close")) as [number | null]
  return status ?? 1
}

function runtimeFolder(line: NodeLine): string {
  return join(rootFolder, `.ci/runtimes/node_modules/node${line}/bin`)
}
