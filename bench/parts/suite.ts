/**
 * Parts: the hot loops one by one. Each names its answer next to its work, and the answer's hash is
 * printed with the time, so that a faster loop is known to compute the same.
 */

import { createHash } from "node:crypto"
import { Bench } from "tinybench"
import { register as registerCodec } from "./codec.bench.ts"
import { register as registerDigest } from "./digest.bench.ts"
import { register as registerIngest } from "./ingest.bench.ts"
import type { Part, Parts } from "./part.ts"
import type { BenchSize } from "./populations.ts"
import { register as registerStatistics } from "./statistics.bench.ts"

export interface PartFigures {
  readonly name: string
  /** Median duration of one call. */
  readonly medianMs: number
  readonly itemsPerSecond: number
  readonly unit: string
  readonly note: string
  /** First 8 hexadecimal digits of SHA-256 of the answer. */
  readonly hash: string
}

interface PartsOptions {
  readonly size: BenchSize
  /** How long each part is measured. 0 runs each once, for tests. */
  readonly timeMs: number
  readonly onPart?: (figures: PartFigures) => void
}

/** Measures every part; throws if the answer after the measuring differs from the one before. */
export async function measureParts(options: PartsOptions): Promise<PartFigures[]> {
  const figures: PartFigures[] = []
  for (const part of collectParts(options.size)) {
    figures.push(await measurePart(part, options.timeMs))
    options.onPart?.(figures.at(-1)!)
  }
  return figures
}

function collectParts(size: BenchSize): Part[] {
  const parts: Part[] = []
  const into: Parts = { add: (part) => parts.push(part) }
  for (const register of [registerCodec, registerDigest, registerStatistics, registerIngest]) {
    register(into, size)
  }
  return parts
}

async function measurePart(part: Part, timeMs: number): Promise<PartFigures> {
  const hash = hashOfRun(part)
  const once = { iterations: 1, warmup: false }
  const bench = new Bench({ time: timeMs, throws: true, ...(timeMs === 0 ? once : {}) })
  bench.add(part.name, () => void part.run())
  const [task] = await bench.run()
  const { name, unit, note = "", items } = part
  const { result } = task!
  if (result.state !== "completed") throw new Error(`${name}: ${result.state}`)
  if (hashOfRun(part) !== hash) throw new Error(`${name}: another answer after the measuring`)
  const medianMs = result.latency.p50
  return { name, medianMs, itemsPerSecond: (items * 1000) / medianMs, unit, note, hash }
}

function hashOfRun(part: Part): string {
  part.run()
  const bytes = new Uint8Array(Float64Array.from(part.answer()).buffer)
  return createHash("sha256").update(bytes).digest("hex").slice(0, 8)
}
