/** Runs the commands of the table, with dependencies from this process. */

import { once } from "node:events"
import { availableParallelism, totalmem } from "node:os"
import { endPhase } from "./base/log.ts"
import { commandTable } from "./command/command-table.ts"
import { completionScript, type Shell } from "./command/line/completion.ts"
import { accountTable } from "./command/account/account-commands.ts"
import type { CommandLine } from "./command/line/spec.ts"
import { packageTable } from "./command/package/package-commands.ts"
import { storeCommands } from "./command/store/store-commands.ts"
import { transferCommands } from "./command/transfer/transfer-commands.ts"
import { readSmallFile } from "./config/small-file.ts"
import { parseConfig, type ConfigOutcome, type ConfigSources } from "./config/config.ts"
import { isTuningOn } from "./config/tunings.ts"
import { keepCompiledCode } from "./runtime/compile-cache.ts"
import { readMemoryLimit } from "./runtime/memory-limit.ts"
import { offerNativeFolders } from "./runtime/native-library.ts"
import { readSystemFile } from "./runtime/system-file.ts"
import { isSingleExecutable, resourceText } from "./runtime/resources.ts"

interface CommandDeps {
  readonly print: (text: string) => void
  /** Prints the error and ends the process. */
  readonly fail: (error: unknown) => void
}

/** Exit status; null for a command that keeps running; or problems of its settings. */
export type CommandOutcome = number | null | { readonly problems: readonly string[] }

type Run = (line: CommandLine, deps: CommandDeps) => Promise<CommandOutcome>

/** Command and flags of this program, for child processes. */
const program = isSingleExecutable
  ? [process.execPath]
  : [process.execPath, ...process.execArgv, process.argv[1]!]

/** Runs the command of a parsed line. */
export function runLine(line: CommandLine, deps: CommandDeps): Promise<CommandOutcome> {
  const run = runs.get(line.command.name)
  if (run === undefined) throw new Error(`Expected a run for ${line.command.name}`)
  return run(line, deps)
}

const runs: ReadonlyMap<string, Run> = new Map([
  ["serve", serve],
  ["config", showConfig],
  ["health", askHealth],
  ["replay", replay],
  ["completion", complete],
  ["licences", printLicences],
  ...storeCommands.map(({ name }) => [name, onStore] as const),
  ...transferCommands.map(({ name }) => [name, onTransfer] as const),
  ...accountTable.commands.map(({ name }) => [name, onAccounts] as const),
  ...packageTable.commands.map(({ name }) => [name, onPackages] as const),
])

/** Cores, and memory within the limits of the control groups of this process. */
function machine(): Pick<ConfigSources, "cores" | "memoryLimit"> {
  const memoryLimit = readMemoryLimit({ readFile: readSystemFile, totalBytes: totalmem() })
  return { cores: availableParallelism(), memoryLimit }
}

function readSettings({ options }: CommandLine): ConfigOutcome {
  const { env } = process
  return parseConfig({ options, env, readFile: readSmallFile, ...machine() })
}

/**
 * The settings of a command that needs no secrets but those of a bucket: it may not be allowed to
 * read the files of others.
 */
function readStoreSettings({ command, options }: CommandLine): ConfigOutcome {
  const isSetting = (name: string): boolean => name === "data" || name === "config"
  const given = [...options].filter(([name]) => isSetting(name) || name.startsWith("backup-s3-"))
  const sources = { options: new Map(given), env: process.env, readFile: readSmallFile }
  const neededSecrets = command.name === "restore" ? bucketSecrets : []
  return parseConfig({ ...sources, withoutSecrets: true, neededSecrets, ...machine() })
}

const bucketSecrets = ["backup-s3-access-key", "backup-s3-secret-key"]

async function serve(line: CommandLine, deps: CommandDeps): Promise<CommandOutcome> {
  const outcome = readSettings(line)
  if ("problems" in outcome) return outcome
  offerNativeFolders(outcome.config.dataPath, process.env, true)
  endPhase("settings read")
  if (isTuningOn(process.env, "compile-cache")) keepCompiledCode(process.env)
  const { runServer } = await import("./server/process.ts")
  await runServer(outcome, { program, readSettings: () => readSettings(line), ...deps })
  return null
}

async function showConfig(line: CommandLine, { print }: CommandDeps): Promise<CommandOutcome> {
  const { settingsText } = await import("./command/settings/settings-text.ts")
  const { templateText } = await import("./command/settings/template-text.ts")
  if (line.options.has("template")) {
    print(templateText())
    return 0
  }
  const outcome = readSettings(line)
  if ("problems" in outcome) return outcome
  print(settingsText(outcome))
  return 0
}

/** The address is that of the settings, of which it needs no secret. */
async function askHealth(line: CommandLine, { print }: CommandDeps): Promise<CommandOutcome> {
  const outcome = readStoreSettings(line)
  if ("problems" in outcome) return outcome
  const { healthUrl, runHealth } = await import("./command/health/health.ts")
  const url = line.options.get("url") ?? healthUrl(outcome.config)
  return runHealth(url, { print, printError: (text) => void process.stderr.write(`${text}\n`) })
}

async function onStore(line: CommandLine, { print }: CommandDeps): Promise<CommandOutcome> {
  const outcome = readStoreSettings(line)
  if ("problems" in outcome) return outcome
  const isNewStore = line.command.name === "restore"
  offerNativeFolders(outcome.config.dataPath, process.env, isNewStore)
  const { runOnStore } = await import("./command/run-on-store.ts")
  const { config } = outcome
  return runOnStore(line, { folder: config.dataPath, config, print })
}

async function onTransfer(line: CommandLine): Promise<CommandOutcome> {
  const outcome = readStoreSettings(line)
  if ("problems" in outcome) return outcome
  offerNativeFolders(outcome.config.dataPath, process.env, line.command.name === "import")
  const { runTransfer } = await import("./command/transfer/run-transfer.ts")
  return runTransfer(line, outcome.config)
}

async function onAccounts(line: CommandLine, { print }: CommandDeps): Promise<CommandOutcome> {
  const outcome = readStoreSettings(line)
  if ("problems" in outcome) return outcome
  offerNativeFolders(outcome.config.dataPath, process.env, false)
  const { runAccounts } = await import("./command/run-accounts.ts")
  const { status, text } = await runAccounts(line, outcome.config)
  if (status === 0) print(text)
  else process.stderr.write(`${text}\n`)
  return status
}

async function onPackages(line: CommandLine): Promise<CommandOutcome> {
  const { runPackage } = await import("./command/package/package.ts")
  const { problemSteps } = await import("./analytics-settings/parse-configuration.ts")
  return runPackage({
    line,
    env: process.env,
    print: (text) => void process.stdout.write(text),
    printError: (text) => void process.stderr.write(text),
    isTerminal: process.stderr.isTTY === true,
    fetch,
    validateConfiguration: problemSteps,
  })
}

async function replay(line: CommandLine): Promise<CommandOutcome> {
  const { runReplay } = await import("./command/replay/replay.ts")
  const { Progress } = await import("./command/text/progress.ts")
  const progress = new Progress({
    write: (text) => void process.stderr.write(text),
    isTerminal: process.stderr.isTTY === true,
    elapsedMs: () => performance.now(),
  })
  // Nothing else is its work: a closed pipe ends it early.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0)
  })
  return runReplay({
    line,
    write: async (text) => {
      if (!process.stdout.write(text)) await once(process.stdout, "drain")
    },
    printError: (text) => void process.stderr.write(text),
    // On a terminal its output shows progress.
    ...(process.stdout.isTTY === true ? {} : { onStep: progress.step }),
  }).finally(() => progress.clear())
}

async function complete({ words }: CommandLine, { print }: CommandDeps): Promise<CommandOutcome> {
  print(completionScript(commandTable, words[0] as Shell))
  return 0
}

/** From a checkout only its own: those of packages lie in their folders. */
async function printLicences(_: CommandLine, { print }: CommandDeps): Promise<CommandOutcome> {
  if (isSingleExecutable) print(resourceText("licences.txt"))
  else print(`${resourceText("LICENSE")}\nPackages have theirs in node_modules.\n`)
  return 0
}
