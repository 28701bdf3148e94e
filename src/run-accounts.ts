/** `tidegauge account|user|key` as a process: asks the server that holds the store, or opens it. */

import { existsSync } from "node:fs"
import { join } from "node:path"
import { text as readText } from "node:stream/consumers"
import { readAccounts } from "./accounts/accounts.ts"
import { systemClock } from "./base/clock.ts"
import { ServiceError } from "./base/errors.ts"
import { systemRandom } from "./base/random.ts"
import { readAccountArguments } from "./command/account-arguments.ts"
import { runAccountCommand, type CommandReply } from "./command/account.ts"
import { parseConfig, type Config } from "./config.ts"
import { askHolder, holdStore } from "./control.ts"
import type { Documents } from "./model/document.ts"
import { closeToOthers, openWriteStore } from "./store/open.ts"
import type { WriteStore } from "./store/store.ts"

/** Does one command line, wherever the store can be reached. */
export async function runAccounts(argv: readonly string[]): Promise<CommandReply> {
  const read = readAccountArguments(argv)
  if (!("command" in read)) return runAccountCommand(argv, noAccounts)
  const folder = read.command.flags.get("--data")
  const flags = folder === undefined ? [] : ["--data", folder]
  const outcome = parseConfig({ argv: flags, env: process.env, cores: 1 })
  if (!("config" in outcome)) {
    const problems = "problems" in outcome ? outcome.problems : []
    return { status: 64, text: problems.map((problem) => `tidegauge: ${problem}`).join("\n") }
  }
  const line = await withPassword(argv)
  const { config } = outcome
  if (!existsSync(join(config.dataPath, "data.mdb"))) {
    throw new ServiceError(
      "storage",
      `Expected a store in "${config.dataPath}": start the server once, or name it with --data`,
    )
  }
  return (await askHolder(config.dataPath, line)) ?? runAlone(line, config)
}

/** For command lines that say what is wrong with them before anybody is asked. */
const noAccounts = { accounts: {} as never, random: systemRandom }

/** Nobody holds the store: holds it, opens it, and closes it again. */
async function runAlone(argv: readonly string[], config: Config): Promise<CommandReply> {
  const hold = await holdStore(config.dataPath)
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
    const accounts = await readAccounts({
      documents,
      random: systemRandom,
      clock: systemClock,
      wanted: {},
    })
    return await runAccountCommand(argv, { accounts, random: systemRandom })
  } finally {
    await store.close()
    await hold.release()
  }
}

function documentsOf(store: WriteStore): Documents {
  return {
    get: async (kind, id) => store.getDocument(kind, id),
    put: async (kind, id, document) => store.putDocuments([{ kind, id, document }]),
    putAll: async (changes) => store.putDocuments(changes),
    list: async (kind, range) => store.listDocuments(kind, range),
  }
}

/** `--password -` takes it from standard input, where no other process can see it. */
async function withPassword(argv: readonly string[]): Promise<readonly string[]> {
  const at = argv.findIndex((argument, i) => argument === "-" && argv[i - 1] === "--password")
  if (at < 0) return argv
  const password = (await readText(process.stdin)).replace(/\r?\n$/, "")
  return argv.with(at, password)
}
