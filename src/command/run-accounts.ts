/**
 * `tidegauge account|user|key` as a process: sends the command to the store's owner, or opens it.
 */

import { text as readText } from "node:stream/consumers"
import { setTimeout as wait } from "node:timers/promises"
import { loadAccounts } from "../accounts/accounts.ts"
import { deriveInPool } from "../accounts/password.ts"
import { systemClock } from "../base/clock.ts"
import { ServiceError } from "../base/errors.ts"
import { systemRandom } from "../base/random.ts"
import { runAccountCommand, type CommandReply } from "./account/account.ts"
import type { CommandLine } from "./line/spec.ts"
import type { Config } from "../config/config.ts"
import { ownAddress } from "../config/own-address.ts"
import { sendToOwner, acquireStoreLock } from "../control/control-socket.ts"
import type { DocumentStore } from "../model/document.ts"
import {
  closeToOthers,
  exitFormat,
  formatChangeOf,
  openWriteStore,
  refuseMissingStore,
} from "../store/open.ts"
import type { SyncDocumentStore } from "../store/document-store.ts"

/** Executes one command line, in a running server if there is one. */
export async function runAccounts(line: CommandLine, config: Config): Promise<CommandReply> {
  const argv = argvOf(line, await givenPassword(line))
  refuseMissingStore(config.dataPath)
  const reply = await sendToOwner(config.dataPath, argv)
  if (reply !== null) return reply
  refuseEarlierFormat(config.dataPath)
  return runAlone(argv, config)
}

/** Only a start of the server changes the format of a store. */
function refuseEarlierFormat(folder: string): void {
  const change = formatChangeOf(folder)
  if (change === null) return
  throw new ServiceError(
    "storage",
    `The store in "${folder}" has format ${change.from}, and this command writes ${change.to}: ` +
      "start the server first, which changes the format",
    { exitStatus: exitFormat },
  )
}

/** The line as the owner of the store parses it. */
function argvOf({ command, words, options }: CommandLine, password: string | null): string[] {
  const given = new Map(options)
  // The owner has settings of its own.
  given.delete("config")
  if (password !== null) given.set("password", password)
  const flags = Array.from(given, ([name, value]) => `--${name}=${value}`)
  return [...command.name.split(" "), ...words, ...flags]
}

/** Locks and opens a store without an owner, executes the command, and closes it. */
async function runAlone(argv: readonly string[], config: Config): Promise<CommandReply> {
  const lock = await acquireStoreLock(config.dataPath)
  closeToOthers(config.dataPath)
  const store = openWriteStore({
    folder: config.dataPath,
    retentionMs: config.retentionMs,
    cycleGraceMs: config.cycleGraceMs,
    elapsedMs: () => performance.now(),
    warn: (_, message) => void process.stderr.write(`tidegauge: ${message}\n`),
  })
  try {
    const documents = documentsOf(store)
    const accounts = await loadAccounts({
      documents,
      random: systemRandom,
      clock: systemClock,
      trustsClock: async () => store.trustsClock(systemClock.nowMs()),
      presets: {},
      signIn: { elapsedMs: () => performance.now(), wait, derive: deriveInPool, threads: 1 },
    })
    const address = ownAddress(config)
    return await runAccountCommand(argv, { accounts, random: systemRandom, address })
  } finally {
    await store.close()
    await lock.release()
  }
}

function documentsOf(store: SyncDocumentStore): DocumentStore {
  return {
    get: async (kind, id) => store.getDocument(kind, id),
    put: async (kind, id, document) => store.putDocuments([{ kind, id, document }]),
    putAll: async (changes) => store.putDocuments(changes),
    list: async (kind, range) => store.listDocuments(kind, range),
  }
}

/** `--password -` reads it from standard input, which other processes cannot see. */
async function givenPassword({ options }: CommandLine): Promise<string | null> {
  if (options.get("password") !== "-") return null
  return (await readText(process.stdin)).replace(/\r?\n$/, "")
}
