/**
 * A flood of logins: 40 connections guess without pause, at unknown accounts and at known ones,
 * while right users sign in for the first time since the start and an agent posts. All of them come
 * from one address, which is the worst case: behind a proxy.
 */

import { Agent, request } from "node:http"
import { setTimeout as wait } from "node:timers/promises"
import { makeFolder, removeFolder } from "../test/support/machine/folder.ts"
import { adminEmail, startServer, type TestServer } from "../test/support/server/server.ts"

export interface FloodFigures {
  /** Milliseconds of each post, without and with the flood. */
  readonly quietPostsMs: readonly number[]
  readonly floodPostsMs: readonly number[]
  /** Milliseconds of each right login in the flood, and how many were refused. */
  readonly loginsMs: readonly number[]
  readonly refusedLogins: number
  /** Answers to guesses, by status. */
  readonly guesses: ReadonlyMap<number, number>
}

const connections = 40
const users = 20
const postEveryMs = 20
const password = "the password of a bench"

/** Runs it: `seconds` quiet, then `seconds` of flood. */
export async function loginFlood(seconds: number): Promise<FloodFigures> {
  const folder = makeFolder("tidegauge-logins")
  try {
    await makeUsers(folder)
    // A new process remembers no credentials.
    const server = await startServer({ folder })
    try {
      return await measure(server, seconds)
    } finally {
      await server.stop()
    }
  } finally {
    removeFolder(folder)
  }
}

const emailOf = (index: number): string => `user${index}@example.com`

async function makeUsers(folder: string): Promise<void> {
  const server = await startServer({ folder })
  const headers = { authorization: server.client.authorization, "content-type": "application/json" }
  for (let index = 0; index < users; index++) {
    const body = { user: { email: emailOf(index), password, roles: ["Read Only"] } }
    const { status, text } = await server.client.send("/users", { method: "POST", headers, body })
    if (status !== 200) throw new Error(`No user was made: ${text}`)
  }
  await server.stop()
}

async function measure(server: TestServer, seconds: number): Promise<FloodFigures> {
  const whileMs = seconds * 1_000
  // The first seconds of a load are those of V8's compilers.
  await posts(server, 5_000)
  const quietPostsMs = await posts(server, whileMs)
  const guesses = new Map<number, number>()
  const stopping = new AbortController()
  const flood = Array.from({ length: connections }, (_, at) =>
    guess(server.url, { at, guesses, signal: stopping.signal }),
  )
  await wait(2_000)
  const [floodPostsMs, logins] = await Promise.all([
    posts(server, whileMs),
    signIns(server.url, whileMs / users),
  ])
  stopping.abort()
  await Promise.all(flood)
  return { quietPostsMs, floodPostsMs, guesses, ...logins }
}

async function posts(server: TestServer, whileMs: number): Promise<number[]> {
  const took: number[] = []
  const untilMs = performance.now() + whileMs
  while (performance.now() < untilMs) {
    const samples = [{ metricId: "m", timestamp: Date.now(), val: took.length }]
    const startedMs = performance.now()
    const { status } = await server.client.ingest([{ id: "e", type: "T", samples }])
    if (status !== 202) throw new Error(`A post was answered ${status}`)
    took.push(performance.now() - startedMs)
    await wait(postEveryMs)
  }
  return took
}

async function signIns(url: string, everyMs: number) {
  const loginsMs: number[] = []
  let refusedLogins = 0
  const agent = new Agent({ keepAlive: true })
  for (let index = 0; index < users; index++) {
    const startedMs = performance.now()
    const status = await signIn(url, agent, `${emailOf(index)}:${password}`)
    const tookMs = performance.now() - startedMs
    if (status === 200) loginsMs.push(tookMs)
    else refusedLogins++
    await wait(Math.max(0, everyMs - tookMs))
  }
  agent.destroy()
  return { loginsMs, refusedLogins }
}

/** Every tenth guess is at the administrator's account, the others at missing accounts. */
async function guess(
  url: string,
  { at, guesses, signal }: { at: number; guesses: Map<number, number>; signal: AbortSignal },
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let turn = 0; !signal.aborted; turn++) {
    const email = (turn + at) % 10 === 0 ? adminEmail : `guess${at}.${turn}@example.com`
    const status = await signIn(url, agent, `${email}:guess ${at} ${turn}`)
    guesses.set(status, (guesses.get(status) ?? 0) + 1)
  }
  agent.destroy()
}

function signIn(url: string, agent: Agent, credentials: string): Promise<number> {
  const authorization = `Basic ${Buffer.from(credentials).toString("base64")}`
  return new Promise((resolve, reject) => {
    request(`${url}/users/current`, { agent, headers: { authorization } }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode!))
    })
      .on("error", reject)
      .end()
  })
}

/** The share `part` of sorted values. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN
}
