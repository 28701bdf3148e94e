/** A server for the demonstration: the same program on a free port, with a store of its own. */

import { spawn, type ChildProcess } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import type { Random } from "../../src/base/random.ts"
import { DemoError, type DemoAddress } from "./demo-client.ts"

interface DemoServerOptions {
  /** The program and its arguments, to which flags are added: node, its options, the script. */
  readonly program: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly random: Random
  /** More flags of the server. */
  readonly flags?: readonly string[]
  /** Keeps the store there: a folder that is empty or missing. A temporary one by default. */
  readonly folder?: string
}

export interface LocalServer {
  readonly address: DemoAddress
  /** Folder of its store, which `stop` removes if it is a temporary one. */
  readonly folder: string
  /** Starts the program again on the same store, with these flags in place of the first ones. */
  restart(flags: readonly string[]): Promise<void>
  stop(): Promise<void>
}

/** Lines of the log that are shown when the server does not come up. */
const shownLinesMax = 20

/** Starts a server and waits until it listens. Throws a DemoError if it does not. */
export async function startLocalServer(options: DemoServerOptions): Promise<LocalServer> {
  const secret = Buffer.from(options.random.bytes(32)).toString("hex")
  const secrets = {
    apiKey: secret.slice(0, 32),
    user: "demo@example.com",
    password: secret.slice(32),
  }
  const kept = options.folder
  // Secrets of its own are for a store of its own.
  if (kept !== undefined && existsSync(kept) && readdirSync(kept).length > 0) {
    throw new DemoError(`--data: expected a folder that is empty or missing, got ${kept}`)
  }
  const folder = kept ?? mkdtempSync(join(tmpdir(), "tidegauge-demo-"))
  const server = new OwnServer(options, { folder, ...secrets })
  try {
    await server.start(options.flags ?? [])
    return server
  } catch (error) {
    await server.stop()
    throw error
  }
}

interface OwnFolder {
  readonly folder: string
  readonly apiKey: string
  readonly user: string
  readonly password: string
}

class OwnServer implements LocalServer {
  private readonly options: DemoServerOptions
  private readonly own: OwnFolder
  private url = ""
  private end: () => Promise<void> = async () => {}

  constructor(options: DemoServerOptions, own: OwnFolder) {
    this.options = options
    this.own = own
  }

  get address(): DemoAddress {
    return { ...this.own, url: this.url }
  }

  get folder(): string {
    return this.own.folder
  }

  async start(flags: readonly string[]): Promise<void> {
    const child = spawnServer({ ...this.options, flags }, this.own)
    const ended = new Promise<void>((resolve) => {
      child.once("close", () => resolve())
      child.once("error", () => resolve())
    })
    this.end = async () => {
      child.kill("SIGTERM")
      await ended
    }
    this.url = await listeningUrl(child)
  }

  async restart(flags: readonly string[]): Promise<void> {
    await this.end()
    await this.start(flags)
  }

  async stop(): Promise<void> {
    await this.end()
    if (this.options.folder === undefined) rmSync(this.folder, { recursive: true, force: true })
  }
}

function spawnServer(
  { program, env, flags: more = [] }: DemoServerOptions,
  own: OwnFolder,
): ChildProcess {
  const [command, ...before] = program
  const flags = ["--host", "127.0.0.1", "--data", own.folder]
  if (!more.includes("--port")) flags.push("--port", "0")
  const log = ["--log-level", "info", "--log-format", "json"]
  // Secrets go by the environment, since others can see arguments.
  const secrets = {
    TIDEGAUGE_API_KEY: own.apiKey,
    TIDEGAUGE_ADMIN_EMAIL: own.user,
    TIDEGAUGE_ADMIN_PASSWORD: own.password,
  }
  // Settings for another server, such as the age limit of samples, are not for this one.
  const others = Object.entries(env).filter(([name]) => !name.startsWith("TIDEGAUGE_"))
  return spawn(command!, [...before, ...flags, ...log, ...more], {
    env: { ...Object.fromEntries(others), ...secrets },
    stdio: ["ignore", "pipe", "pipe"],
  })
}

/** Reads the log until the line that says where the server listens, and keeps it flowing after. */
function listeningUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const told: string[] = []
    const read = (line: string): void => {
      const url = urlOf(line)
      if (url !== null) resolve(url)
      else if (told.length < shownLinesMax) told.push(line)
    }
    for (const stream of [child.stdout!, child.stderr!]) {
      createInterface({ input: stream }).on("line", read)
    }
    child.once("error", (cause) => reject(new DemoError(`Cannot start a server: ${String(cause)}`)))
    child.once("close", (status) => {
      const end = `The server ended with status ${status} before it listened`
      reject(new DemoError([end, ...told].join("\n")))
    })
  })
}

/** The address in the log line of a server that listens; null for any other line. */
export function urlOf(line: string): string | null {
  const found = /"url":"(http:\/\/[^"]+)"/.exec(line)
  return found !== null && line.includes('"listening"') ? found[1]! : null
}
