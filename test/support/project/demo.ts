/** The demonstrations in this process, against the program in a process of its own. */

import { setTimeout } from "node:timers/promises"
import { runDemo } from "../../../bench/demo/demo.ts"
import { systemClock } from "../../../src/base/clock.ts"
import { systemRandom } from "../../../src/base/random.ts"
import { deliveredProgram } from "../project-paths.ts"

/** Resolves to the exit status; `print` gets all output. */
export function demonstrate(
  options: Readonly<Record<string, string>>,
  print: (text: string) => void,
  signal: AbortSignal,
): Promise<number> {
  return runDemo({
    options: new Map(Object.entries(options)),
    env: process.env,
    program: [process.execPath, ...deliveredProgram()],
    print,
    printError: print,
    isTerminal: false,
    clock: systemClock,
    elapsedMs: () => performance.now(),
    wait: setTimeout,
    random: systemRandom,
    signal,
  })
}
