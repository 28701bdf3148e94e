/**
 * The server of tests: as the program serves, but with passwords that take no time to check.
 * The program's own take a quarter of a second, at the first start, for each user and each login.
 */

import { availableParallelism, totalmem } from "node:os"
import { readSmallFile } from "../../../src/config/small-file.ts"
import { parseConfig } from "../../../src/config/config.ts"
import { dropClosedOutput } from "../../../src/runtime/closed-output.ts"
import { runServer } from "../../../src/server/process.ts"
import { lineOf } from "../project/command-line.ts"
import { deliveredProgram } from "../project-paths.ts"

const fail = (error: unknown): never => {
  process.stderr.write(`${String((error as Error).stack)}\n`)
  process.exit(1)
}

dropClosedOutput(fail)
const { options } = lineOf(...process.argv.slice(2))
const readSettings = () =>
  parseConfig({
    options,
    env: process.env,
    readFile: readSmallFile,
    cores: availableParallelism(),
    memoryLimit: { bytes: totalmem(), source: "the machine" },
  })
const outcome = readSettings()
if (!("config" in outcome)) throw new Error(`Expected settings, got ${JSON.stringify(outcome)}`)
await runServer(outcome, {
  readSettings,
  program: [process.execPath, ...deliveredProgram()],
  print: (text) => void process.stdout.write(`${text}\n`),
  fail,
  passwordCost: { N: 16, r: 8, p: 1 },
})
