/**
 * Answer memory: bounds the bytes of answers from the values that a thread reads for them to the
 * connections that send them. The counters are in shared memory: a query thread reserves what it
 * works with (query/core/working-memory.ts), and each part of an answer before it prints the next
 * one; the main thread releases a part when the connection has accepted it.
 *
 * Without it, 30 connections that read nothing kept 870 MB of answers in memory.
 */

import { assert } from "./assert.ts"
import { ServiceError } from "./errors.ts"
import { tenantsMax } from "./limits/accounts.ts"

/** The counters' unit, so that 2 TiB fit 32 bits. */
const unitBytes = 1024
/**
 * Divisor for the memory of one tenant, so that a tenant that reads nothing leaves space for
 * others.
 */
const shareDivisor = 2
const scarceDivisor = 16

/** Can be passed to threads; reservations count for all of them. */
export interface SharedAnswerMemory {
  /** Units at most; used units: of all tenants, then of each. */
  readonly counters: Int32Array
}

const maximum = 0
const all = 1
const firstTenant = 2

export function createAnswerMemory(bytesMax: number): SharedAnswerMemory {
  const bytes = (firstTenant + tenantsMax) * Int32Array.BYTES_PER_ELEMENT
  const shared = { counters: new Int32Array(new SharedArrayBuffer(bytes)) }
  new AnswerMemory(shared).setBytesMax(bytesMax)
  return shared
}

export class AnswerMemory {
  private readonly counters: Int32Array

  constructor({ counters }: SharedAnswerMemory) {
    this.counters = counters
  }

  /** Changes the limit of all threads; what is reserved stays so. */
  setBytesMax(bytesMax: number): void {
    Atomics.store(this.counters, maximum, Math.ceil(bytesMax / unitBytes))
  }

  /** Bytes in use, of all tenants. */
  get usedBytes(): number {
    return Atomics.load(this.counters, all) * unitBytes
  }

  /** True if a sixteenth is in use: more than answers take whose clients read them. */
  get isScarce(): boolean {
    return Atomics.load(this.counters, all) * scarceDivisor > Atomics.load(this.counters, maximum)
  }

  /** Reserves bytes for an answer of `tenant`. Throws `overloaded`, and then reserves nothing. */
  reserve(tenant: number, bytes: number): void {
    this.reserveUnits(tenant, unitsOf(bytes))
  }

  reserveUnits(tenant: number, units: number): void {
    const unitsMax = Atomics.load(this.counters, maximum)
    if (this.add(all, units) > unitsMax) {
      this.add(all, -units)
      throw overloaded("all accounts")
    }
    if (this.add(firstTenant + tenant, units) > Math.ceil(unitsMax / shareDivisor)) {
      this.add(firstTenant + tenant, -units)
      this.add(all, -units)
      throw overloaded("this account")
    }
  }

  /** Releases what `reserve` counted for the same number of bytes. */
  release(tenant: number, bytes: number): void {
    this.releaseUnits(tenant, unitsOf(bytes))
  }

  releaseUnits(tenant: number, units: number): void {
    const left = Math.min(this.add(all, -units), this.add(firstTenant + tenant, -units))
    assert(left >= 0, `Expected no more to be given back than was reserved, ${left} are left`)
  }

  /** Returns the new sum. */
  private add(counter: number, units: number): number {
    return Atomics.add(this.counters, counter, units) + units
  }
}

export function unitsOf(bytes: number): number {
  return Math.ceil(bytes / unitBytes)
}

function overloaded(whose: string): ServiceError {
  return new ServiceError(
    "overloaded",
    `Answers of ${whose} that are not read yet fill the memory for them: read them, or ` +
      `ask for less`,
  )
}
