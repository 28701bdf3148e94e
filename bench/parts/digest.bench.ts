/** Digests: adding, merging and quantiles; ours next to the npm package that is its oracle. */

import { createRequire } from "node:module"
import { ByteReader, ByteWriter } from "../../src/codec/bytes.ts"
import { decodeDigest, encodeDigest } from "../../src/digest/codec.ts"
import { Digest } from "../../src/digest/digest.ts"
import { type BenchSize, randomFrom, streams } from "./populations.ts"
import type { Parts } from "./part.ts"

interface ReferenceDigest {
  push(value: number): void
  compress(): void
  percentile(part: number): number
}
const { TDigest } = createRequire(import.meta.url)("tdigest") as {
  TDigest: new () => ReferenceDigest
}

const daysPerWindow = 14
const quantiles = [0.05, 0.25, 0.5, 0.75, 0.95]

export function register(parts: Parts, size: BenchSize): void {
  registerAdd(parts, size === "small" ? 6000 : 60_000)
  for (const perDay of [60, 1440]) registerMerge(parts, size === "small" ? 10 : 1000, perDay)
}

function registerAdd(parts: Parts, count: number): void {
  const values = Float64Array.from({ length: count }, streams.noise(randomFrom(1)))
  const digest = new Digest()
  const of = { items: count, unit: "values" }
  const answer = () => quantiles.map((q) => digest.quantile(q))
  const fill = (from: number, to: number) => {
    digest.reset()
    digest.addAll(values, from, to)
    digest.compress()
  }
  parts.add({ name: "digest: add all to one", ...of, run: () => fill(0, count), answer })
  const addParts = () => {
    for (let from = 0; from < count; from += 60) fill(from, from + 60)
  }
  parts.add({ name: "digest: add 60 to each", ...of, run: addParts, answer })
  let reference = new TDigest()
  const addToReference = () => {
    reference = new TDigest()
    for (const value of values) reference.push(value)
    reference.compress()
  }
  // The package draws a random order for its compaction, so only the count is the same twice.
  parts.add({
    name: "npm tdigest: add all to one",
    ...of,
    run: addToReference,
    answer: () => [count],
  })
}

function registerMerge(parts: Parts, seriesCount: number, perDay: number): void {
  const next = streams.noise(randomFrom(2))
  const digests = Array.from({ length: 10 * daysPerWindow }, () => {
    const digest = new Digest(256)
    for (let i = 0; i < perDay; i++) digest.add(next())
    digest.compress()
    return digest
  })
  const merged = new Digest(8192)
  const answers = new Float64Array(quantiles.length)
  const mergeSeries = (series: number) => {
    merged.reset()
    for (let day = 0; day < daysPerWindow; day++) {
      merged.mergeFrom(digests[(series * daysPerWindow + day) % digests.length]!)
    }
    for (let i = 0; i < quantiles.length; i++) answers[i] = merged.quantile(quantiles[i]!)
  }
  parts.add({
    name: `digest: merge 14 of ${perDay} values, 5 quantiles`,
    items: seriesCount * daysPerWindow,
    unit: "merges",
    run: () => {
      for (let series = 0; series < seriesCount; series++) mergeSeries(series)
    },
    answer: () => answers,
  })
  const writer = new ByteWriter()
  for (const digest of digests) encodeDigest(writer, digest)
  const bytes = writer.finish()
  parts.add({
    name: `digest: decode of ${perDay} values`,
    items: digests.length,
    unit: "digests",
    note: `${(bytes.length / digests.length).toFixed(0)} bytes each`,
    run: () => {
      const reader = new ByteReader(bytes)
      while (reader.position < bytes.length) decodeDigest(reader, merged)
    },
    answer: () => quantiles.map((q) => merged.quantile(q)),
  })
}
