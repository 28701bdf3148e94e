/** One measured server: started on its own folder and processor, stopped by its own pid. */

import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from "node:fs"
import { createServer } from "node:net"
import { delimiter, join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { Connection, getRequest } from "./connection.ts"
import type { Launch, Subject } from "./subjects.ts"

const readySecondsMax = 120
const stopSecondsMax = 30
const portsPerServer = 2

export interface Server {
  readonly subject: Subject
  readonly launch: Launch
  readonly pid: number
  readonly dataFolder: string
  /** From the start of the process to the first answer that it is ready. */
  readonly secondsToReady: number
  /** With SIGTERM, and SIGKILL if that takes too long; or immediately with SIGKILL. */
  stop(signal?: "SIGTERM" | "SIGKILL"): Promise<void>
}

export interface StartOptions {
  /** Its data stays here; a second start finds it again. */
  readonly folder: string
  /** As taskset reads them, such as "0" or "0,1"; ignored without taskset. */
  readonly processors: string
}

const running = new Set<ChildProcess>()

/** For the end of the bench, however it comes: leaves no server behind. */
export function killServers(): void {
  for (const child of running) child.kill("SIGKILL")
}

export async function startServer(subject: Subject, options: StartOptions): Promise<Server> {
  const { folder, processors } = options
  mkdirSync(folder, { recursive: true })
  const launch = subject.launch(folder, await freePorts())
  const logPath = join(folder, "server.log")
  const startedMs = performance.now()
  const child = spawnPinned(launch, processors, logPath)
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  void gone.then(() => running.delete(child))
  await untilReady(launch, child, logPath)
  const secondsToReady = (performance.now() - startedMs) / 1000
  await subject.prepare?.(launch)
  const stop = async (signal: "SIGTERM" | "SIGKILL" = "SIGTERM") => {
    child.kill(signal)
    const late = setTimeout(() => child.kill("SIGKILL"), stopSecondsMax * 1000)
    await gone
    clearTimeout(late)
  }
  const dataFolder = join(folder, "data")
  return { subject, launch, pid: child.pid!, dataFolder, secondsToReady, stop }
}

function spawnPinned(launch: Launch, processors: string, logPath: string): ChildProcess {
  // taskset executes the command in its own place, so the pid is the server's.
  const pin = hasCommand("taskset") ? ["taskset", "-c", processors] : []
  const [command, ...argv] = [...pin, ...launch.command]
  const log = openSync(logPath, "a")
  const env = { ...process.env, ...launch.environment }
  const child = spawn(command!, argv, { stdio: ["ignore", log, log], env })
  closeSync(log)
  running.add(child)
  return child
}

async function untilReady(launch: Launch, child: ChildProcess, logPath: string): Promise<void> {
  const untilMs = performance.now() + readySecondsMax * 1000
  while (performance.now() < untilMs) {
    if (child.exitCode !== null) break
    if (await isReady(launch).catch(() => false)) return
    await wait(20)
  }
  child.kill("SIGKILL")
  const log = readFileSync(logPath, "utf8").slice(-2000)
  throw new Error(`${launch.command.join(" ")}: not ready\n${log}`)
}

async function isReady({ readyUrl, target }: Launch): Promise<boolean> {
  if (target.ca === undefined) {
    const answer = await fetch(readyUrl, { signal: AbortSignal.timeout(5000) })
    await answer.arrayBuffer()
    return answer.ok
  }
  const connection = await Connection.open(target.port, target.ca)
  try {
    const path = new URL(readyUrl).pathname
    return (await connection.send(getRequest({ ...target, path }))).status === 200
  } finally {
    connection.close()
  }
}

async function freePorts(): Promise<number[]> {
  const held = await Promise.all(
    Array.from({ length: portsPerServer }, async () => {
      const server = createServer()
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      return server
    }),
  )
  return Promise.all(
    held.map(async (server) => {
      const address = server.address()
      await new Promise((resolve) => server.close(resolve))
      if (address === null || typeof address === "string") throw new Error("Expected a port")
      return address.port
    }),
  )
}

/** Whether an executable of this name is on the PATH. */
export function hasCommand(name: string): boolean {
  const folders = (process.env.PATH ?? "").split(delimiter)
  return folders.some((folder) => existsSync(join(folder, name)))
}

/** Moves the client, all its threads, to a processor of its own. */
export function pinClient(processors: string): void {
  if (!hasCommand("taskset")) return
  execFileSync("taskset", ["-a", "-p", "-c", processors, String(process.pid)], { stdio: "ignore" })
}
