/** Request bodies into columns: every road a body can take. */

import { Catalogue } from "../../src/catalogue/catalogue.ts"
import { IngestReader } from "../../src/ingest/ingest.ts"
import { SampleBatchBuilder } from "../../src/model/sample-batch.ts"
import type { BenchSize } from "./populations.ts"
import type { Parts } from "./part.ts"

const nowMs = 1_795_219_200_000
const metricsPerElement = 50
const request = {
  tenant: 0,
  injectTimestamp: false,
  charset: "none",
  nowMs,
  reportsLeftOut: false,
} as const

interface Sample {
  metricId: string
  timestamp: number | string
  val: number
  [other: string]: unknown
}
interface Post {
  id: string
  metrics: object[]
  samples: Sample[]
  [other: string]: unknown
}

export function register(parts: Parts, size: BenchSize): void {
  const posts = Array.from({ length: size === "small" ? 4 : 200 }, (_, element) => postOf(element))
  const of = { items: posts.length * metricsPerElement, unit: "samples" }
  const single = (change: (post: Post, at: number) => Post) =>
    posts.map((post, at) => bodyOf([change(post, at)]))
  const agent = single((post) => post)
  const add = (name: string, bodies: readonly Uint8Array[], reader: () => IngestReader) => {
    const columns = new SampleBatchBuilder()
    const run = () => readAll(reader(), bodies, columns)
    const answer = () => [sumAll(reader(), bodies, columns)]
    parts.add({ name: `ingest: ${name}`, ...of, run, answer })
  }
  const warm = (name: string, bodies: readonly Uint8Array[], scanner = true) => {
    const reader = readerOf(scanner)
    const columns = new SampleBatchBuilder()
    for (let sight = 0; sight < 4; sight++) readAll(reader, bodies, columns)
    add(name, bodies, () => reader)
  }
  const indented = posts.map((post) => Buffer.from(JSON.stringify([post], null, 2)))
  warm("agent, as predicted", agent)
  warm("agent, any order of metrics", single(turned))
  warm("agent, indented", indented)
  warm(
    "agent, ISO timestamps",
    single((post) => amended(post, isoTime)),
  )
  warm(
    "agent, all six values",
    single((post) => amended(post, sixValues)),
  )
  warm(
    "agent, no two samples alike",
    single((post) => amended(post, noise)),
  )
  warm(
    "agent, an eighth is null",
    single((post) => amended(post, nullAt)),
  )
  warm("bulk", [bodyOf(posts)])
  warm("agent, slow path", agent, false)
  add("agent, new elements", agent, () => readerOf(true))
}

function readerOf(scanner: boolean): IngestReader {
  const catalogue = new Catalogue()
  return new IngestReader({ catalogue, acceptPastMs: 86_400_000, acceptFutureMs: 300_000, scanner })
}

function readAll(
  reader: IngestReader,
  bodies: readonly Uint8Array[],
  columns: SampleBatchBuilder,
  onRead?: () => void,
): void {
  for (const body of bodies) {
    columns.clear()
    const outcome = reader.read(body, request, columns)
    if (!outcome.ok) throw new Error(outcome.errors.join("; "))
    onRead?.()
  }
}

function sumAll(
  reader: IngestReader,
  bodies: readonly Uint8Array[],
  columns: SampleBatchBuilder,
): number {
  let sum = 0
  readAll(reader, bodies, columns, () => {
    for (let at = 0; at < columns.count; at++) sum += columns.values[at]!
  })
  return sum
}

function bodyOf(posts: readonly Post[]): Uint8Array {
  return Buffer.from(JSON.stringify(posts))
}

/** Two decimals, integers and large counters in turn, as telemetry has them. */
function valueOf(element: number, metric: number): number {
  const seed = (element * 7919 + metric * 104_729) % 1_000_003
  return metric % 3 === 0 ? seed / 100 : metric % 3 === 1 ? seed : seed * 4093
}

function postOf(element: number): Post {
  const id = `srv-${String(element).padStart(5, "0")}`
  const names = Array.from(
    { length: metricsPerElement },
    (_, i) => `system.group${i % 7}.metric${i}`,
  )
  const metrics = names.map((name, i) => ({ id: name, unit: i % 2 === 0 ? "percent" : "bytes" }))
  const samples = names.map((metricId, metric) => ({
    metricId,
    timestamp: nowMs,
    val: valueOf(element, metric),
  }))
  const tags = [{ name: "env", value: "prod" }]
  return { id, name: id, type: "SERVER", location: "eu-west-1a", tags, metrics, samples }
}

function turned(post: Post, by: number): Post {
  const { samples } = post
  const stride = [7, 11, 13, 17, 19][by % 5]!
  return { ...post, samples: samples.map((_, i) => samples[(by + i * stride) % samples.length]!) }
}

function amended(post: Post, change: (sample: Sample, at: number) => object): Post {
  return {
    ...post,
    samples: post.samples.map((sample, at) => ({ ...sample, ...change(sample, at) })),
  }
}

const isoTime = ({ timestamp }: Sample) => ({ timestamp: new Date(timestamp).toISOString() })
const sixValues = ({ val }: Sample) => ({ min: val, max: val, avg: val, sum: 3 * val, cnt: 3 })
const noise = ({ val }: Sample, at: number) => ({ noise: `${val}-${at}` })
const nullAt = ({ val }: Sample, at: number) => ({ val: at % 8 === 5 ? null : val })
