/**
 * Unread run: many clients ask for long answers and read nothing. The server holds no more of them
 * than its limit, refuses the rest with 503, answers clients that read, and releases all of it.
 */

import { existsSync, readFileSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { setTimeout as wait } from "node:timers/promises"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { startServer, type TestServer } from "../support/server/server.ts"
import { answerOnce } from "../support/time/eventually.ts"

/** Documents of elements, or values of a metric of all elements. */
export const unreadQueries = ["elements", "statistics"] as const

interface UnreadOptions {
  readonly query: (typeof unreadQueries)[number]
  readonly connections: number
  readonly answersMiB: number
  /** Whether the growth of memory is judged, which depends on the allocator too. */
  readonly judgesMemory: boolean
}

export interface UnreadResult {
  /** Of one answer. */
  readonly answerBytes: number
  /** Answers that began, and those refused with 503. */
  readonly begun: number
  readonly refused: number
  /** Anonymous memory before the flood, and the most of it during the flood. */
  readonly quietBytes: number
  readonly floodBytes: number
  /** Of an ordinary query during the flood. */
  readonly ordinaryStatus: number
  /** By the server's own metrics, during the flood and after it. */
  readonly heldBytes: number
  readonly leftBytes: number
}

const mib = 1024 ** 2
const posts = 10
/** Attributes make long answers of few elements; each element's text is within its limit. */
const describedPerPost = 40
const attributeCharacters = 4_000
const attributesEach = 8
/** 600,000 numbers of 17 digits and more: 15 MB a time. */
const measuredPerPost = 20
const valuesEach = 3_000
const cycleMs = 300_000

const paths: Readonly<Record<UnreadOptions["query"], string>> = {
  elements: "/elements",
  statistics: "/metrics/statistics?fqn=cpu&duration=P14D&rollup=PT5M&showValues=true",
}

export async function unreadRun(options: UnreadOptions): Promise<UnreadResult> {
  const folder = makeFolder("tidegauge-unread")
  const flags = ["--answers-limit", `${options.answersMiB}MiB`]
  const server = await startServer({ folder, flags })
  try {
    await fill(server, options)
    return await flood(server, options)
  } finally {
    await server.stop()
    removeFolder(folder)
  }
}

async function fill({ client }: TestServer, { query }: UnreadOptions): Promise<void> {
  for (let post = 0; post < posts; post++) {
    const elements = query === "elements" ? describedElements(post) : measuredElements(post)
    const { status, text } = await client.ingest(elements)
    if (status !== 202) throw new Error(`Expected 202, got ${status}: ${text}`)
  }
}

function describedElements(post: number): object[] {
  return Array.from({ length: describedPerPost }, (_, i) => ({
    id: `host-${post}-${i}`,
    type: "SERVER",
    attributes: Array.from({ length: attributesEach }, (__, a) => ({
      name: `text ${a}`,
      value: String.fromCharCode(97 + ((post + i + a) % 26)).repeat(attributeCharacters),
    })),
    metrics: [{ id: "cpu" }],
    samples: [{ metricId: "cpu", timestamp: Date.now() - 60_000, val: post + i }],
  }))
}

function measuredElements(post: number): object[] {
  const newestMs = Math.floor(Date.now() / cycleMs) * cycleMs
  return Array.from({ length: measuredPerPost }, (_, i) => ({
    id: `host-${post}-${i}`,
    type: "SERVER",
    samples: Array.from({ length: valuesEach }, (__, n) => ({
      metricId: "cpu",
      timestamp: newestMs - n * cycleMs,
      val: 100 * Math.sin(post * 7919 + i * 104_729 + n),
    })),
  }))
}

async function flood(server: TestServer, options: UnreadOptions): Promise<UnreadResult> {
  const { client, pid } = server
  const whole = await client.get(paths[options.query])
  if (whole.status !== 200) throw new Error(`Expected 200, got ${whole.status}: ${whole.text}`)
  const quietBytes = anonymousBytes(pid)
  let floodBytes = 0
  const looks = setInterval(() => (floodBytes = Math.max(floodBytes, anonymousBytes(pid))), 20)
  const silent = await Promise.all(
    Array.from({ length: options.connections }, () => askWithoutReading(server, options)),
  )
  await wait(1_000)
  clearInterval(looks)
  const ordinary = await client.get("/metrics/fqns")
  const heldBytes = await answerMemory(server)
  for (const { socket } of silent) socket.destroy()
  const statuses = silent.map(({ status }) => status)
  return {
    answerBytes: Buffer.byteLength(whole.text),
    begun: statuses.filter((status) => status === 200).length,
    refused: statuses.filter((status) => status === 503).length,
    quietBytes,
    floodBytes,
    ordinaryStatus: ordinary.status,
    heldBytes,
    leftBytes: await untilNothingIsHeld(server),
  }
}

/** Reads the first bytes of the answer, which have its status, and no more. */
function askWithoutReading(
  { url, client }: TestServer,
  { query }: UnreadOptions,
): Promise<{ socket: Socket; status: number }> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1")
  socket.on("error", () => {})
  const { authorization } = client
  const head = `Host: a\r\nAuthorization: ${authorization}`
  socket.write(`GET ${paths[query]} HTTP/1.1\r\n${head}\r\n\r\n`)
  return new Promise((resolve) => {
    socket.once("close", () => resolve({ socket, status: 0 }))
    socket.once("data", (bytes: Buffer) => {
      socket.pause()
      resolve({ socket, status: Number(/^HTTP\/1\.1 (\d+)/.exec(bytes.toString("latin1"))?.[1]) })
    })
  })
}

async function untilNothingIsHeld(server: TestServer): Promise<number> {
  return answerOnce(
    () => answerMemory(server),
    (held) => held === 0,
  )
}

async function answerMemory({ client }: TestServer): Promise<number> {
  const { text } = await client.get("/metrics/internal")
  return Number(/^tidegauge_answer_memory_bytes (\S+)$/m.exec(text)?.[1])
}

function anonymousBytes(pid: number): number {
  const file = `/proc/${pid}/status`
  const status = existsSync(file) ? readFileSync(file, "latin1") : ""
  return Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024
}

/**
 * Memory of V8 and the allocator besides the answers, a quarter of the default limit: each query
 * thread prints one and collects.
 */
const overheadBytes = 64 * mib

/** One sentence for each law that the run broke. */
export function brokenUnreadLaws(result: UnreadResult, options: UnreadOptions): string[] {
  const { answersMiB, connections } = options
  const grown = result.floodBytes - result.quietBytes
  const bound = answersMiB * mib + overheadBytes
  const laws: readonly (readonly [string, boolean])[] = [
    ["some answers begin and some are refused", result.begun > 0 && result.refused > 0],
    ["every connection has an answer", result.begun + result.refused === connections],
    [
      `memory grows by ${text(bound)} at most, not ${text(grown)}`,
      !options.judgesMemory || grown <= bound,
    ],
    ["no more is held than the limit", result.heldBytes <= answersMiB * mib],
    ["those who read are answered", result.ordinaryStatus === 200],
    ["nothing is held at the end", result.leftBytes === 0],
  ]
  return laws.filter(([, isKept]) => !isKept).map(([law]) => `Broken: ${law}`)
}

export function unreadText(result: UnreadResult): string {
  return [
    `answers of ${text(result.answerBytes)}: ${result.begun} begun, ${result.refused} refused`,
    `memory ${text(result.quietBytes)} quiet, ${text(result.floodBytes)} in the flood`,
    `held ${text(result.heldBytes)}, afterwards ${text(result.leftBytes)}`,
    `an ordinary question: ${result.ordinaryStatus}`,
  ].join("\n")
}

function text(bytes: number): string {
  return `${(bytes / mib).toFixed(1)} MiB`
}
