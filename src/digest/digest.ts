/**
 * A merging t-digest: an estimate of a distribution in a bounded number of centroids (mean,
 * weight), fine at both ends, that can be merged with others.
 *
 *     means    │ compressed: sorted centroids │ pending: values and foreign centroids │ free │
 *     weights  │ 0 … centroidCount            │ … used                                │      │
 *
 * `compress` sorts everything and merges neighbours (cluster.ts); then it rounds the means to a
 * decimal grid that is fine against their distance but coarse enough to store them in one or two
 * bytes each (grid.ts). Digests of few values hold every value on its own and answer exactly.
 *
 * A pure function of what was added in which order, with the same bits on every platform. Another
 * order gives another digest within the same error.
 */

import { assert } from "../base/assert.ts"
import { centroidsMax, cluster } from "./cluster.ts"
import { Grid } from "./grid.ts"
import { interpolateCdf, interpolateQuantile } from "./interpolate.ts"
import { sortPairs } from "./sort-pairs.ts"
import type { DigestState } from "./digest-state.ts"

/** Values and foreign centroids that are collected before a merge, by default. */
const pendingDefault = 1024

/**
 * @example
 * const [monday, tuesday] = [new Digest(), new Digest()]
 * for (let i = 1; i <= 10_000; i++) (i % 2 ? monday : tuesday).add(i)
 * monday.mergeFrom(tuesday)
 * assert.deepEqual([monday.count, monday.min, monday.max], [10_000, 1, 10_000])
 * assert.ok(Math.abs(monday.quantile(0.95) - 9_500) < 50)
 */
export class Digest {
  /** Sum of all weights. */
  count = 0
  /** Least and greatest value, exactly; Infinity and -Infinity in an empty digest. */
  min = Infinity
  max = -Infinity
  private means: Float64Array<ArrayBuffer>
  private weights: Float64Array<ArrayBuffer>
  private used = 0
  private compressed = 0
  /** Decimal scale of the values that were added. */
  private readonly grid = new Grid()

  /**
   * `pendingMax` bounds the pending entries: a greater bound makes a merge of many digests cheaper,
   * because they are sorted and clustered together.
   */
  constructor(pendingMax = pendingDefault) {
    this.means = new Float64Array(centroidsMax + Math.max(pendingMax, centroidsMax))
    this.weights = new Float64Array(this.means.length)
  }

  /** Number of centroids; compresses first. */
  get centroidCount(): number {
    this.compress()
    return this.compressed
  }

  /** Adds `value` (finite) `weight` times; a weight that is not above 0 adds nothing. */
  add(value: number, weight = 1): void {
    if (!(weight > 0)) return
    if (!(value - value === 0 && weight < Infinity)) refuse(value, weight)
    if (this.used === this.means.length) this.compress()
    const at = this.used++
    this.means[at] = value
    this.weights[at] = weight
    this.grid.add(value)
    this.count += weight
    if (value < this.min) this.min = value
    if (value > this.max) this.max = value
  }

  /** Adds `values[from..to)`, each once. */
  addAll(values: Float64Array, from: number, to: number): void {
    for (let i = from; i < to; i++) this.add(values[i]!)
  }

  /** Adds the content of `other`, which is compressed and otherwise unchanged. */
  mergeFrom(other: Digest): void {
    assert(other !== this, "Expected another digest")
    other.compress()
    const more = other.compressed
    if (this.used + more > this.means.length) this.compress()
    this.means.set(other.means.subarray(0, more), this.used)
    this.weights.set(other.weights.subarray(0, more), this.used)
    this.used += more
    this.grid.addGrid(other.grid)
    this.count += other.count
    if (other.min < this.min) this.min = other.min
    if (other.max > this.max) this.max = other.max
  }

  /** Merges the pending entries; free if there are none. */
  compress(): void {
    if (this.used === this.compressed) return
    const { means, weights } = this
    sortPairs(means, weights, this.used)
    this.grid.detectTies(means, this.used)
    const kept = cluster(means, weights, this.used, this.count)
    this.grid.round(means, weights, kept, { min: this.min, max: this.max, total: this.count })
    assert(kept > 0 && kept <= this.used, "Expected a merge to leave some, and to add none")
    this.used = kept
    this.compressed = kept
  }

  /**
   * The value at position (count + 1) × q of the sorted values, as the exact percentiles count it
   * (spec/statistics §3); NaN in an empty digest. Never falls as `q` grows; q = 0 is min, 1 is max.
   */
  quantile(q: number): number {
    return interpolateQuantile(this.state(), this.grid, q)
  }

  /** Approximate share of the values that are at most `x`; NaN in an empty digest. */
  cdf(x: number): number {
    return interpolateCdf(this.state(), x)
  }

  /** Empties the digest and keeps its memory. */
  reset(): void {
    this.count = 0
    this.min = Infinity
    this.max = -Infinity
    this.used = 0
    this.compressed = 0
    this.grid.reset()
  }

  /** Compresses, and returns a view of the centroids that is valid until the next change. */
  state(): DigestState {
    this.compress()
    const { means, weights, compressed, count, min, max, grid } = this
    return { means, weights, length: compressed, count, min, max, gridCode: grid.code }
  }

  /** Restores the result of `state`; copies `means` and `weights`. */
  restore(state: DigestState): void {
    assert(state.length <= this.means.length, `Expected fewer centroids, got ${state.length}`)
    this.means.set(state.means.subarray(0, state.length))
    this.weights.set(state.weights.subarray(0, state.length))
    this.used = state.length
    this.compressed = state.length
    this.count = state.count
    this.min = state.min
    this.max = state.max
    this.grid.code = state.gridCode
  }
}

/** Separate, so that the message is not built for every value. */
function refuse(value: number, weight: number): void {
  assert(false, `Expected finite numbers, got ${value} × ${weight}`)
}
