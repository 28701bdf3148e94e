/** Shared parts of this benchmark: a server, its users, steady ingest, timed requests. */

import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { Connection, getRequest, postRequest } from "../load/connection.ts"
import { startServer, type Server } from "../load/server.ts"
import { basicAuthorization, tidegauge } from "../load/subjects.ts"
import { shortNumber } from "../table.ts"

export interface Size {
  /** Of each phase. */
  readonly seconds: number
  /** Metric names that a hostile search looks through. */
  readonly names: number
  readonly elements: number
}

/** The built server with more settings. */
export function start(folder: string, settings: Readonly<Record<string, string>>): Promise<Server> {
  const base = tidegauge(join(import.meta.dirname, "..", "..", "dist", "main.js"))
  const launch: typeof base.launch = (...args) => {
    const made = base.launch(...args)
    return { ...made, environment: { ...made.environment, ...settings } }
  }
  return startServer({ ...base, launch }, { folder, processors: "0,1" })
}

export const postMany = (server: Server, elements: readonly object[]): Promise<void> =>
  sendAll(server, [ingestRequest(server, elements)])

export function ingestRequest({ launch }: Server, elements: readonly object[]): Buffer {
  return postRequest(launch.target, JSON.stringify(elements))
}

export async function sendAll(server: Server, requests: readonly Buffer[]): Promise<void> {
  const connection = await Connection.open(server.launch.target.port)
  for (const request of requests) {
    const { status, body } = await connection.send(request)
    if (status !== 202) throw new Error(`${status} ${body}`)
  }
  connection.close()
}

/** One connection of one user. */
export class Asker {
  private readonly server: Server
  private readonly authorization: string
  private connection: Connection | null = null

  constructor(server: Server, authorization = basicAuthorization) {
    this.server = server
    this.authorization = authorization
  }

  get(path: string): Promise<{ status: number; body: string; ms: number }> {
    return this.send(path, null)
  }

  post(path: string, body: unknown): Promise<{ status: number; body: string; ms: number }> {
    return this.send(path, JSON.stringify(body))
  }

  close(): void {
    this.connection?.close()
  }

  private async send(path: string, body: string | null) {
    const { port } = this.server.launch.target
    this.connection ??= await Connection.open(port)
    const headers = { authorization: this.authorization, "content-type": "application/json" }
    const target = { port, path, headers }
    const startedMs = performance.now()
    const request = body === null ? getRequest(target) : postRequest(target, body)
    const answer = await this.connection.send(request)
    return { ...answer, ms: performance.now() - startedMs }
  }
}

/** Makes users and logs them in, which takes a hash each. */
export async function newUsers(server: Server, count: number): Promise<string[]> {
  const administrator = new Asker(server)
  const headers: string[] = []
  for (let i = 0; i < count; i++) {
    const user = {
      email: `user-${i}@example.com`,
      password: `bench user ${i} of ten`,
      roles: ["Read Only"],
    }
    const made = await administrator.post("/users", { user })
    if (made.status >= 300) throw new Error(made.body)
    const header = `Basic ${Buffer.from(`${user.email}:${user.password}`).toString("base64")}`
    const asker = new Asker(server, header)
    const seen = await asker.get("/time")
    if (seen.status !== 200) throw new Error(seen.body)
    asker.close()
    headers.push(header)
  }
  administrator.close()
  return headers
}

/** Milliseconds of each request of a steady rate, from when it was due. */
export async function steadyPosts(
  server: Server,
  requests: () => Buffer,
  { rate, seconds }: { readonly rate: number; readonly seconds: number },
): Promise<number[]> {
  const workers = await Promise.all(
    Array.from({ length: 32 }, () => Connection.open(server.launch.target.port)),
  )
  const startedMs = performance.now()
  const times: number[] = []
  let next = 0
  await Promise.all(
    workers.map(async (connection) => {
      while (next < rate * seconds) {
        const dueMs = startedMs + (next++ * 1000) / rate
        const earlyMs = dueMs - performance.now()
        if (earlyMs > 1) await wait(earlyMs)
        const { status, body } = await connection.send(requests())
        if (status !== 202) throw new Error(`${status} ${body}`)
        times.push(performance.now() - dueMs)
      }
      connection.close()
    }),
  )
  return times
}

/**
 * Asks again and again, `everyMs` apart, until it is stopped; the time of each. A query that ran
 * out of its time budget (503) counts with that time.
 */
export function askAgain(
  ask: () => Promise<{ status: number; ms: number; body: string }>,
  everyMs: number,
) {
  const times: number[] = []
  let isOver = false
  const asking = (async () => {
    while (!isOver) {
      const { status, ms, body } = await ask()
      if (status !== 200 && status !== 503) throw new Error(`${status} ${body}`)
      times.push(ms)
      await wait(everyMs)
    }
  })()
  const stop = async (): Promise<number[]> => {
    isOver = true
    await asking
    return times
  }
  return { stop }
}

export async function figure(server: Server, name: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${server.launch.target.port}/metrics/internal`)
  const text = await answer.text()
  return Number(new RegExp(`^tidegauge_${name} (.*)$`, "m").exec(text)?.[1])
}

export function quantile(times: readonly number[], part: number): number {
  const sorted = Float64Array.from(times).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? NaN
}

export function ms(value: number): string {
  return `${shortNumber(value)} ms`
}

/** A row of the report: quiet, under load, the ratio of the two, and the target. */
export function row(what: string, quiet: number, beside: number, goal: string): string[] {
  return [what, ms(quiet), ms(beside), (beside / quiet).toFixed(2), goal]
}
