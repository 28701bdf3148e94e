/** Ingest next to the streams of open pages: rounds with and without them, in turn. */

import { get, type ClientRequest } from "node:http"
import { streamsPerUserMax } from "../../src/base/limits/streams.ts"
import { createCorpus, sliceCorpus } from "../load/corpus.ts"
import { drive } from "../load/drive.ts"
import type { Server } from "../load/server.ts"
import { basicAuthorization } from "../load/subjects.ts"
import { createWorkload } from "../load/workload.ts"
import { median, type WebFigure } from "./figures.ts"
import { addressOf } from "./visitor.ts"

const streamCount = 50
const rounds = 5
const secondsOfRound = 6
const warmUpSeconds = 1
/** Far from what the server can take: a queue in front of it would hide the streams. */
const requestsPerSecond = 200
const elements = 500
const topics = "cycle,incident,event,check,ingest,status"
const password = "a password of its own"

export async function measureStreams(server: Server): Promise<WebFigure[]> {
  const perRound = requestsPerSecond * secondsOfRound
  const minutes = Math.ceil((2 * rounds * perRound) / elements)
  const startMs = Math.floor(Date.now() / 60_000) * 60_000 - (minutes + 5) * 60_000
  const workload = createWorkload({ elements, metrics: 50, minutes, startMs })
  const corpus = createCorpus(workload, { elements: 1, minutes: 1 }, server)
  const { port } = server.launch.target
  const to = { port, connections: 32, rate: requestsPerSecond, warmUpSeconds }
  let next = 0
  const p99 = async (): Promise<number> => {
    const { requests, samples } = sliceCorpus(corpus, next, next + perRound)
    next += perRound
    return (await drive({ ...to, requests, samples, secondsMax: secondsOfRound })).p99Ms
  }
  const logins = await usersOf(server, Math.ceil(streamCount / streamsPerUserMax))
  const [quiet, beside]: [number[], number[]] = [[], []]
  for (let i = 0; i < rounds; i++) {
    quiet.push(await p99())
    const open = await openStreams(server, logins)
    beside.push(await p99())
    for (const stream of open) stream.destroy()
  }
  const [without, with_] = [median(quiet), median(beside)]
  const note = `medians of ${rounds} rounds: ${with_.toFixed(1)} and ${without.toFixed(1)} ms`
  const what = `ingest p99 beside ${streamCount} open pages ÷ without`
  return [{ what, value: with_ / without, unit: "", goal: 1.2, note }]
}

/** New users, since one has few streams. */
async function usersOf(server: Server, count: number): Promise<string[]> {
  const logins: string[] = []
  for (let i = 0; i < count; i++) {
    const email = `watcher-${i}@example.com`
    const answer = await fetch(`${addressOf(server)}/users`, {
      method: "POST",
      headers: { Authorization: basicAuthorization, "Content-Type": "application/json" },
      body: JSON.stringify({ user: { email, roles: ["Read Only"], password } }),
    })
    if (!answer.ok) throw new Error(`users: ${answer.status} ${await answer.text()}`)
    logins.push(`Basic ${Buffer.from(`${email}:${password}`).toString("base64")}`)
  }
  return logins
}

/** Resolves when each has had its first bytes. */
function openStreams(server: Server, logins: readonly string[]): Promise<ClientRequest[]> {
  const streams = Array.from({ length: streamCount }, (_, i) => {
    return openStream(server, logins[i % logins.length]!)
  })
  return Promise.all(streams)
}

function openStream(server: Server, authorization: string): Promise<ClientRequest> {
  return new Promise((resolve, reject) => {
    const url = `${addressOf(server)}/stream?topics=${topics}`
    const request = get(url, { agent: false, headers: { Authorization: authorization } })
    request.once("error", reject)
    request.once("response", (response) => {
      if (response.statusCode !== 200) reject(new Error(`stream: ${response.statusCode}`))
      response.on("error", () => undefined)
      response.once("data", () => resolve(request))
      response.resume()
    })
  })
}
