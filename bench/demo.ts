/**
 * `npm run demo` and `npm run demo:fleet`: the demonstrations, on a server of their own, which is
 * the program as `npm run build` makes it, or on a running one.
 */

import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { systemClock } from "../src/base/clock.ts"
import { systemRandom } from "../src/base/random.ts"
import { readLine } from "../src/command/line/read-line.ts"
import { runDemo } from "./demo/demo.ts"
import { demoCommands } from "./demo/demo-commands.ts"

/** Exit status for a command line that is not valid (sysexits.h, EX_USAGE). */
const exitUsage = 64

const program = [
  process.execPath,
  "--enable-source-maps",
  fileURLToPath(new URL("../dist/main.js", import.meta.url)),
]

async function main(argv: readonly string[]): Promise<number> {
  const read = readLine(demoCommands, ["demo", ...argv])
  if ("line" in read) return runLine(read.line.options)
  if ("help" in read) {
    process.stdout.write(asNpmScript(read.help))
    return 0
  }
  const problems = "problems" in read ? read.problems : []
  for (const problem of problems) process.stderr.write(`${asNpmScript(problem)}\n`)
  return exitUsage
}

/** Texts about a command line name the program's command; this one is started by npm. */
function asNpmScript(text: string): string {
  return text
    .replace(/tidegauge demo(:|$)/gm, "npm run demo$1")
    .replaceAll("tidegauge demo", "npm run demo --")
}

function runLine(options: ReadonlyMap<string, string>): Promise<number> {
  const stopping = new AbortController()
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => stopping.abort())
  }
  return runDemo({
    options,
    env: process.env,
    program,
    print: (text) => void process.stdout.write(text),
    printError: (text) => void process.stderr.write(text),
    isTerminal: process.stdout.isTTY === true,
    clock: systemClock,
    elapsedMs: () => performance.now(),
    wait: setTimeout,
    random: systemRandom,
    signal: stopping.signal,
  })
}

process.exitCode = await main(process.argv.slice(2))
