/** `tidegauge import`. */

import { setTimeout as wait } from "node:timers/promises"
import { ServiceError, invalid } from "../../base/errors.ts"
import type { Config } from "../../config/config.ts"
import { readSmallFile } from "../../config/small-file.ts"
import { acquireStoreLock } from "../../control/control-socket.ts"
import { SettingsBackfill } from "../../engine/settings-backfill.ts"
import {
  closeToOthers,
  needsScan,
  openWriteStore,
  retainedFromMs,
  scanStore,
  writerOfStore,
} from "../../store/open.ts"
import type { SampleSink } from "../../transfer/import/sample-sink.ts"
import { ServerSink } from "../../transfer/import/server-sink.ts"
import { StoreSink } from "../../transfer/import/store-sink.ts"
import { tenantIndexOf } from "../../transfer/tenant.ts"
import type { CommandLine } from "../line/spec.ts"
import { unreachableCause } from "../text/unreachable.ts"
import { importFiles, type ImportFilesDeps, type Period } from "./import-files.ts"

export interface ImportDeps extends ImportFilesDeps {
  readonly config: Config
  readonly env: Readonly<Record<string, string | undefined>>
  readonly nowMs: () => number
}

/** Resolves to the exit status: 1 if lines were skipped. */
export function runImport(line: CommandLine, deps: ImportDeps): Promise<number> {
  return line.options.has("url") ? importIntoServer(line, deps) : importIntoStore(line, deps)
}

async function importIntoServer(line: CommandLine, deps: ImportDeps): Promise<number> {
  const { options } = line
  const url = options.get("url")!
  if (!/^https?:\/\/[^/]/.test(url)) throw invalid("--url: expected http:// or https://")
  if (options.has("account")) throw invalid("--account: the API key has one, leave it out")
  const { acceptPastMs, acceptFutureMs } = deps.config
  const nowMs = deps.nowMs()
  const sink = new ServerSink({
    url: url.replace(/\/+$/, ""),
    apiKey: apiKeyOf(line, deps.env),
    fetch,
    wait,
    causeOf: unreachableCause,
  })
  // Until the last post arrives, the server's clock goes on.
  const oldestMs = nowMs - acceptPastMs + acceptMarginMs
  return importFiles(line, deps, sink, { oldestMs, newestMs: nowMs + acceptFutureMs })
}

/** Samples that are accepted for less than this may be too old when they are posted. */
const acceptMarginMs = 60_000

function apiKeyOf({ options }: CommandLine, env: ImportDeps["env"]): string {
  const path = options.get("key-file")
  if (path === undefined) {
    const key = env["TIDEGAUGE_API_KEY"]
    if (key) return key
    throw invalid("Expected --key-file or TIDEGAUGE_API_KEY with --url")
  }
  const file = readSmallFile(path)
  if ("problem" in file) throw invalid(`--key-file: ${path} ${file.problem}`)
  return file.text.trim()
}

async function importIntoStore(line: CommandLine, deps: ImportDeps): Promise<number> {
  const { dataPath: folder, retentionMs, cycleGraceMs } = deps.config
  refuseServer(folder)
  const lock = await acquireStoreLock(folder)
  try {
    closeToOthers(folder)
    refuseDamage(folder)
    const nowMs = deps.nowMs()
    const keptMs = await retainedFromMs(folder, "ZERO")
    const oldestMs = Math.max(keptMs, nowMs - retentionMs.PT24H)
    const warn = (_: object, message: string): void => deps.printError(message)
    const { elapsedMs } = deps
    const store = openWriteStore({ folder, retentionMs, cycleGraceMs, elapsedMs, warn })
    try {
      const sink: SampleSink = new StoreSink({
        store,
        backfill: new SettingsBackfill(elapsedMs, warn),
        tenant: tenantIndexOf(store, line.options.get("account") ?? "0"),
        limits: deps.config,
        nowMs: deps.nowMs,
      })
      const newestMs = nowMs + deps.config.acceptFutureMs
      return await importFiles(line, deps, sink, { oldestMs, newestMs } satisfies Period)
    } finally {
      await store.close()
    }
  } finally {
    await lock.release()
  }
}

function refuseServer(folder: string): void {
  const pid = writerOfStore(folder)
  if (pid === null) return
  const advice = "stop the server, or import into it with --url"
  throw new ServiceError("storage", `Process ${pid} holds the store in "${folder}": ${advice}`)
}

/** As the server does before it opens a store that was not closed in order. */
function refuseDamage(folder: string): void {
  if (!needsScan(folder)) return
  const [problem] = scanStore(folder)
  if (problem !== undefined) {
    throw new ServiceError("storage", `The store in "${folder}" is damaged: ${problem}`)
  }
}
