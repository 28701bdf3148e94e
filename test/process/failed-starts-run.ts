/**
 * Starts that cannot succeed, one after the other and each in a process of its own: each ends by
 * itself with status 1 and one sentence. An end with threads alive while LMDB is open aborted one
 * of 45 such processes, and another one hung for 7 minutes.
 */

import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { deliveredProgram } from "../support/project-paths.ts"
import { startServer, storyProgram } from "../support/server/server.ts"
import { environmentWithoutSettings } from "../support/server/environment.ts"

interface FailedStartsOptions {
  readonly count: number
  readonly tell: (line: string) => void
}

interface Kind {
  readonly name: string
  readonly argv: readonly string[]
  /** Of the sentence. */
  readonly sentence: RegExp
}

/** A start that has not ended after this time hangs; it takes half a second. */
const endMsMax = 60_000

/** Runs `count` starts, kind after kind in turn; throws at the first that ends otherwise. */
export async function failedStartsRun({ count, tell }: FailedStartsOptions): Promise<void> {
  const folder = makeFolder("tidegauge-failed-starts")
  const taken = createServer().listen(0, "127.0.0.1")
  await once(taken, "listening")
  const { port } = taken.address() as AddressInfo
  const held = await startServer({ folder: join(folder, "held"), program: storyProgram() })
  try {
    const kinds = await kindsIn(folder, { takenPort: port, holder: held.pid })
    for (let i = 0; i < count; i++) {
      const kind = kinds[i % kinds.length]!
      const startedMs = performance.now()
      await failOnce(kind)
      tell(`${i + 1} of ${count}: ${kind.name}, ${Math.round(performance.now() - startedMs)} ms`)
    }
  } finally {
    taken.close()
    assert.equal(await held.stop(), 0)
    removeFolder(folder)
  }
}

async function kindsIn(
  folder: string,
  { takenPort, holder }: { readonly takenPort: number; readonly holder: number },
): Promise<readonly Kind[]> {
  const sealed = join(folder, "sealed")
  const server = await startServer({ folder: sealed, program: storyProgram() })
  assert.equal(await server.stop(), 0)
  writeFileSync(join(sealed, "secrets.key"), "no key")
  const file = join(folder, "file")
  writeFileSync(file, "")
  const whole = join(folder, "whole")
  mkdirSync(whole)
  const on = (data: string, ...more: string[]) => ["--port", "0", "--data", data, ...more]
  return [
    {
      name: "a key file that cannot be read, after threads and store are open",
      argv: on(sealed),
      sentence: /secrets\.key/,
    },
    {
      name: "a port in use",
      argv: on(whole, "--port", String(takenPort)),
      sentence: new RegExp(`^tidegauge: Port ${takenPort} is in use`),
    },
    {
      name: "a store that is held",
      argv: on(join(folder, "held")),
      sentence: new RegExp(`^tidegauge: Process ${holder} holds the store`),
    },
    { name: "a file in place of the folder", argv: on(file), sentence: /that is no folder/ },
    {
      name: "a host that is not here",
      argv: on(whole, "--host", "203.0.113.7"),
      sentence: /does not have the address "203\.0\.113\.7"/,
    },
  ]
}

async function failOnce({ name, argv, sentence }: Kind): Promise<void> {
  const child = spawn(process.execPath, [...deliveredProgram(), ...argv], {
    env: { ...environmentWithoutSettings(), TIDEGAUGE_LOG_FORMAT: "json" },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: endMsMax,
    killSignal: "SIGKILL",
  })
  const [out, error, [status, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ])
  const output = `${out}${error}`
  assert.deepEqual([status, signal], [1, null], `${name}: ${output}`)
  const told = output.split("\n").filter((line) => line !== "" && !line.startsWith("{"))
  assert.equal(told.length, 1, `${name}: ${output}`)
  assert.match(told[0]!, sentence, name)
}
