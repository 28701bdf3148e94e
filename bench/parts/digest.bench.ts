/** Digests: adding, merging and asking; ours beside the npm package that judges it. */

import { createRequire } from "node:module"
import type { Bench } from "tinybench"
import { ByteReader, ByteWriter } from "../../src/codec/bytes.ts"
import { decodeDigest, encodeDigest } from "../../src/digest/codec.ts"
import { Digest } from "../../src/digest/digest.ts"
import { type BenchSize, randomFrom, streams } from "./populations.ts"

interface ReferenceDigest {
  push(value: number): void
  compress(): void
}
const { TDigest } = createRequire(import.meta.url)("tdigest") as {
  TDigest: new () => ReferenceDigest
}

const daysPerWindow = 14
const parts = [0.05, 0.25, 0.5, 0.75, 0.95]

export function register(bench: Bench, size: BenchSize): void {
  registerAdd(bench, size === "small" ? 6000 : 60_000)
  for (const perDay of [60, 1440]) registerMerge(bench, size === "small" ? 10 : 1000, perDay)
}

function registerAdd(bench: Bench, count: number): void {
  const values = Float64Array.from({ length: count }, streams.noise(randomFrom(1)))
  const digest = new Digest()
  bench.add(`digest: add ${count} to one`, () => {
    digest.reset()
    digest.addAll(values, 0, count)
    digest.compress()
  })
  bench.add(`digest: add ${count} to ${count / 60} of 60 each`, () => {
    for (let from = 0; from < count; from += 60) {
      digest.reset()
      digest.addAll(values, from, from + 60)
      digest.compress()
    }
  })
  bench.add(`digest: add ${count} to one of npm tdigest`, () => {
    const reference = new TDigest()
    for (const value of values) reference.push(value)
    reference.compress()
  })
}

function registerMerge(bench: Bench, seriesCount: number, perDay: number): void {
  const next = streams.noise(randomFrom(2))
  const digests = Array.from({ length: 10 * daysPerWindow }, () => {
    const digest = new Digest(256)
    for (let i = 0; i < perDay; i++) digest.add(next())
    digest.compress()
    return digest
  })
  const merged = new Digest(8192)
  const digestOf = (series: number, day: number) =>
    digests[(series * daysPerWindow + day) % digests.length]!
  bench.add(
    `digest: ${seriesCount} × merge ${daysPerWindow} of ${perDay} values, 5 quantiles`,
    () => {
      for (let series = 0; series < seriesCount; series++) {
        merged.reset()
        for (let day = 0; day < daysPerWindow; day++) merged.mergeFrom(digestOf(series, day))
        for (const q of parts) merged.quantile(q)
      }
    },
  )
  const writer = new ByteWriter()
  for (const digest of digests) encodeDigest(writer, digest)
  const bytes = writer.finish()
  const perDigest = (bytes.length / digests.length).toFixed(0)
  bench.add(`digest: decode ${digests.length} of ${perDay} values (${perDigest} B each)`, () => {
    const reader = new ByteReader(bytes)
    while (reader.position < bytes.length) decodeDigest(reader, merged)
  })
}
