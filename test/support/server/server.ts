/** The real server as a child process, for tests of the API and tests that kill it. */

import { spawn } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { after, before } from "node:test"
import { setTimeout as wait } from "node:timers/promises"
import { sendToOwner } from "../../../src/control/control-socket.ts"
import { tuningsVariable } from "../../../src/config/tunings.ts"
import { createClient } from "./client.ts"
import type { Client } from "./client.ts"
import { folderPlace, makeFolder, removeFolder } from "../machine/folder.ts"
import { bundleOf, deliveredProgram, rootFolder } from "../project-paths.ts"
import { environmentWithoutSettings } from "./environment.ts"

/** Secrets of every server of the tests; stores are thrown away, so they may be known. */
export const apiKey = "5ec2e7a41ab34c0d9d1b7a2c6f30e881"
export const adminEmail = "admin@example.com"
export const adminPassword = "correct horse battery"

interface ServerOptions {
  readonly folder: string
  /** Node's arguments up to the script; by default those of the delivered program. */
  readonly program?: readonly string[]
  /** More flags of the server. */
  readonly flags?: readonly string[]
  /** The command that runs another one, such as one in a control group. */
  readonly enter?: (command: readonly string[]) => readonly string[]
  /** In addition to what every server of the tests is given. */
  readonly env?: Readonly<Record<string, string>>
}

export interface TestServer {
  readonly url: string
  readonly pid: number
  readonly client: Client
  /** Everything that the process wrote so far, to either stream. */
  output(): string
  isRunning(): boolean
  signal(name: NodeJS.Signals): void
  /** Exit status, or the signal that ended it; waits for the end. */
  ended(): Promise<number | NodeJS.Signals>
  /** SIGTERM, then waits. */
  stop(): Promise<number | NodeJS.Signals>
  /** SIGKILL, then waits. */
  kill(): Promise<void>
}

export interface Finished {
  readonly status: number | NodeJS.Signals
  readonly output: string
}

/** A machine that runs many tests concurrently is slow; a server that needs longer hangs. */
const startMsMax = 30_000

/** Starts a server on a free port and waits until it listens. */
export async function startServer(options: ServerOptions): Promise<TestServer> {
  const flags = ["--port", "0", "--data", options.folder, ...(options.flags ?? [])]
  const child = spawnProgram(options.program ?? deliveredProgram(), flags, options)
  const written = collectOutput(child)
  const end = endOf(child)
  // Ended once it listens: a server that lives longer than this was killed in the midst of a test.
  const started = new AbortController()
  const url = await Promise.race([
    listeningUrl(written),
    end.then((status) => {
      throw new Error(`The server ended with ${status} before it listened:\n${written.text()}`)
    }),
    wait(startMsMax, undefined, { ref: false, signal: started.signal }).then(() => {
      child.kill("SIGKILL")
      throw new Error(`The server did not listen in ${startMsMax} ms:\n${written.text()}`)
    }),
  ])
  started.abort()
  const client = createClient({ url, apiKey, user: adminEmail, password: adminPassword })
  const endWith = (name: NodeJS.Signals) => {
    child.kill(name)
    return end
  }
  return {
    url,
    pid: child.pid!,
    client,
    output: written.text,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    signal: (name) => void child.kill(name),
    ended: () => end,
    stop: () => endWith("SIGTERM").finally(() => client.close()),
    kill: async () => {
      await endWith("SIGKILL")
      client.close()
    },
  }
}

/** Runs the program to its end with these arguments: a command, or settings that it refuses. */
export async function runProgram(argv: readonly string[]): Promise<Finished> {
  const child = spawnProgram(deliveredProgram(), argv)
  const written = collectOutput(child)
  const status = await endOf(child)
  return { status, output: written.text() }
}

/** Runs the program, and kills it when `isEnough` resolves. */
export async function runKilled(
  argv: readonly string[],
  isEnough: () => Promise<void>,
): Promise<void> {
  const child = spawnProgram(deliveredProgram(), argv)
  try {
    await isEnough()
  } finally {
    child.kill("SIGKILL")
    await endOf(child)
  }
}

function spawnProgram(
  program: readonly string[],
  argv: readonly string[],
  { enter = (command) => command, env: more = {} }: Pick<ServerOptions, "enter" | "env"> = {},
): ChildProcess {
  const env = {
    ...environmentWithoutSettings(),
    TIDEGAUGE_API_KEY: apiKey,
    TIDEGAUGE_ADMIN_EMAIL: adminEmail,
    TIDEGAUGE_ADMIN_PASSWORD: adminPassword,
    TIDEGAUGE_LOG_FORMAT: "json",
    // It takes as much CPU as the rest of a start, and no test waits for it.
    [tuningsVariable]: "warm-up",
    // A demonstration keeps its store where the tests keep theirs.
    TMPDIR: folderPlace,
    ...more,
  }
  const [command, ...words] = enter([process.execPath, ...program, ...argv])
  const child = spawn(command!, words, {
    cwd: rootFolder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  })
  running.add(child)
  child.once("close", () => running.delete(child))
  return child
}

const running = new Set<ChildProcess>()
/** Hooks stop servers in order in far less. */
const leftoverMsMax = 30_000

// A test that fails leaves its server running, and Node 26 waits for children without a limit.
if (process.env["NODE_TEST_CONTEXT"] !== undefined) {
  after(() => {
    const kill = () => running.forEach((child) => child.kill("SIGKILL"))
    setTimeout(kill, leftoverMsMax).unref()
  })
}

interface Written {
  text(): string
  /** Calls back after each piece, until it returns true. */
  watch(isEnough: () => boolean): void
}

function collectOutput(child: ChildProcess): Written {
  let text = ""
  const watchers = new Set<() => boolean>()
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding("utf8").on("data", (piece: string) => {
      text += piece
      for (const watcher of watchers) if (watcher()) watchers.delete(watcher)
    })
  }
  return { text: () => text, watch: (isEnough) => void watchers.add(isEnough) }
}

function listeningUrl(written: Written): Promise<string> {
  return new Promise((resolve) => {
    written.watch(() => {
      const line = written
        .text()
        .split("\n")
        .find((one) => one.includes('"listening"') && one.endsWith("}"))
      const url = /"url":"(https?:\/\/[^"]+)"/.exec(line ?? "")?.[1]
      if (url === undefined) return false
      resolve(url)
      return true
    })
  })
}

/** The output is complete when this resolves: `close` comes after both streams ended. */
async function endOf(child: ChildProcess): Promise<number | NodeJS.Signals> {
  const [status, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null]
  return status ?? signal!
}

interface StoryOptions {
  readonly flags?: readonly string[]
  /** Prepares the store for the tests. */
  readonly prepare?: (client: Client) => Promise<void>
}

/** One query thread: each takes 0.3 s of CPU to start. */
const storyEnv = { TIDEGAUGE_WORKERS: "1" }

/** A server whose password hashes take no time, unless a test measures them. */
export const storyProgram = (): readonly string[] => [
  bundleOf("test/support/server/story-server-child.ts"),
]

/** The client of a server that lives as long as the tests of a file, over a store of its own. */
export function useServer({ flags = [], prepare }: StoryOptions = {}): () => Client {
  const folder = makeFolder("tidegauge-story")
  let server: TestServer | null = null
  before(async () => {
    server = await startServer({ folder, flags, program: storyProgram(), env: storyEnv })
    await prepare?.(server.client)
  })
  after(async () => {
    await server?.stop()
    removeFolder(folder)
  })
  return () => server!.client
}

/** The server that the files of this process share, each with an account of its own. */
class SharedServer {
  private readonly folder = makeFolder("tidegauge-shared")
  private readonly clients: Client[] = []
  private accounts = 0
  private server: Promise<TestServer> | null = null
  private newest: Promise<unknown> = Promise.resolve()

  /**
   * The client of a new account, which knows nothing of another. Hooks of files run together, and
   * accounts are made one after the other: the server limits the passwords that it hashes together.
   */
  newAccount(): Promise<Client> {
    const made = this.newest.then(() => this.makeAccount())
    this.newest = made.catch(() => {})
    return made
  }

  private async makeAccount(): Promise<Client> {
    const { folder } = this
    const name = `account-${++this.accounts}`
    this.server ??= startServer({ folder, program: storyProgram(), env: storyEnv })
    const { url } = await this.server
    const [user, password] = [`admin@${name}.example`, adminPassword]
    const options = ["--name", name, "--email", user, "--password", password]
    const reply = await sendToOwner(folder, ["account", "create", ...options])
    const key = /API key +([0-9a-f]{32})/.exec(reply?.text ?? "")?.[1]
    if (key === undefined) throw new Error(`Expected an account, got ${reply?.text}`)
    const client = createClient({ url, apiKey: key, user, password })
    this.clients.push(client)
    return client
  }

  async stop(): Promise<void> {
    for (const client of this.clients) client.close()
    await (await this.server)?.stop()
    removeFolder(this.folder)
  }
}

let shared: SharedServer | null = null

/**
 * The client of an account of its own, on one server for all files of this process that call it:
 * a server takes two seconds of CPU to start. For tests that see nothing outside of their account
 * and need no flags; test/run.ts runs their files in one process.
 */
export function useAccount({ prepare }: Pick<StoryOptions, "prepare"> = {}): () => Client {
  if (shared === null) {
    const server = (shared = new SharedServer())
    after(() => server.stop())
  }
  const server = shared
  let client: Client | null = null
  before(async () => {
    client = await server.newAccount()
    await prepare?.(client)
  })
  return () => client!
}
