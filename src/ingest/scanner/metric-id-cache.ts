/**
 * Maps metric ids as bytes of a body to the metric names they are cleaned to: a hash table over
 * bytes, so that a known id needs no string. Bounded; when it is full it is cleared, since filling
 * it again costs less than tracking the order of use.
 */

import type { Catalogue } from "../../catalogue/catalogue.ts"
import { cleanFqn } from "../../model/fqn.ts"
import { hashBytes, matchesLiteral, putLiteral, wordsOf } from "./byte-literal.ts"
import type { ScanState } from "./scan-state.ts"

/** Distinct ids; a large installation has some thousand metric names. */
const metricIdsMax = 1 << 16
const slotsLength = 2 * metricIdsMax
/** 4 MiB of ids: 64 bytes each. */
const wordsMax = 1 << 19

export class MetricIdCache {
  private readonly catalogue: Catalogue
  /** Ordinal of an id plus one; 0 if the slot is free. Allocated on first use. */
  private slots = new Int32Array(0)
  private count = 0
  private readonly hashes = new Int32Array(metricIdsMax)
  private readonly tenants = new Int32Array(metricIdsMax)
  private readonly names = new Int32Array(metricIdsMax)
  private readonly starts = new Int32Array(metricIdsMax)
  private readonly lengths = new Int32Array(metricIdsMax)
  private words = new Float64Array(1024)
  private wordCount = 0

  constructor(catalogue: Catalogue) {
    this.catalogue = catalogue
  }

  /** Index of the name of the current sample's metric, or -1 if the tenant has no such metric. */
  find(scan: ScanState): number {
    const { view, metricStart, metricEnd, tenant } = scan
    if (this.slots.length === 0) this.slots = new Int32Array(slotsLength)
    const length = metricEnd - metricStart
    const hash = hashBytes(view, metricStart, metricEnd, tenant)
    let slot = hash & (slotsLength - 1)
    for (; this.slots[slot] !== 0; slot = (slot + 1) & (slotsLength - 1)) {
      const at = this.slots[slot]! - 1
      if (
        this.hashes[at] === hash &&
        this.tenants[at] === tenant &&
        this.lengths[at] === length &&
        matchesLiteral(view, metricStart, this.words, this.starts[at]!, length)
      ) {
        return this.names[at]!
      }
    }
    return this.add(scan, hash, slot)
  }

  private add(scan: ScanState, hash: number, slot: number): number {
    const { view, metricStart, metricEnd, tenant } = scan
    const length = metricEnd - metricStart
    const raw = Buffer.from(scan.bytes.buffer, metricStart, length).toString("latin1")
    const name = this.catalogue.findName(tenant, cleanFqn(raw))
    if (name < 0) return -1
    const wordsEnd = this.wordCount + wordsOf(length)
    if (this.count === metricIdsMax || wordsEnd > wordsMax) {
      this.clear()
      return name
    }
    if (wordsEnd > this.words.length) this.growWords(wordsEnd)
    const at = this.count++
    putLiteral(this.words, this.wordCount, view, metricStart, length)
    this.starts[at] = this.wordCount
    this.lengths[at] = length
    this.hashes[at] = hash
    this.tenants[at] = tenant
    this.names[at] = name
    this.slots[slot] = at + 1
    this.wordCount = wordsEnd
    return name
  }

  clear(): void {
    this.slots.fill(0)
    this.count = 0
    this.wordCount = 0
  }

  private growWords(atLeast: number): void {
    const larger = new Float64Array(Math.max(atLeast, 2 * this.words.length))
    larger.set(this.words)
    this.words = larger
  }
}
