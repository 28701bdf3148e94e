import assert from "node:assert/strict"
import { test } from "node:test"
import { createRequire } from "node:module"
import { Digest } from "../../src/digest/digest.ts"
import { type Shape, seededNumbers, shapes } from "../support/ingest/samples.ts"

interface ReferenceDigest {
  push(value: number): void
  compress(): void
  percentile(p: number): number
}
const { TDigest } = createRequire(import.meta.url)("tdigest") as {
  TDigest: new () => ReferenceDigest
}

test("our percentiles lie where those of the reference t-digest lie", () => {
  for (const shape of ["gauge", "smooth", "sorted", "constant"] as Shape[]) {
    const random = seededNumbers(11)
    const ours = new Digest()
    const reference = new TDigest()
    for (let i = 0; i < 4032; i++) {
      const value = shapes[shape](random, i * 60_000)
      ours.add(value)
      reference.push(value)
    }
    reference.compress()
    for (const p of [0.05, 0.25, 0.5, 0.75, 0.95]) {
      const spread = ours.max - ours.min
      const distance = Math.abs(ours.quantile(p) - reference.percentile(p))
      assert.ok(distance <= 0.01 * spread + 1e-9, `${shape} ${p}: ${distance}`)
    }
  }
})
