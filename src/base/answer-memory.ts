/**
 * Answer memory: bounds the bytes of finished answers between the threads that print them and the
 * connections that send them. The counters are in shared memory: a query thread reserves each part
 * of an answer before it prints the next one, and the main thread releases it when the connection
 * has accepted the part.
 *
 * Without it, 30 connections that read nothing kept 870 MB of answers in memory.
 */

import { assert } from "./assert.ts"
import { ServiceError } from "./errors.ts"
import { tenantsMax } from "./limits/accounts.ts"

/** Unit of the counters, so that 2 TiB fit 32 bits. */
const unitBytes = 1024
/**
 * Divisor for the memory of one tenant, so that a tenant that reads nothing leaves space for
 * others.
 */
const shareDivisor = 2

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

  /** Reserves bytes for an answer of `tenant`. Throws `overloaded`, and then reserves nothing. */
  reserve(tenant: number, bytes: number): void {
    const units = unitsOf(bytes)
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
    const units = unitsOf(bytes)
    const left = Math.min(this.add(all, -units), this.add(firstTenant + tenant, -units))
    assert(left >= 0, `Expected no more to be given back than was reserved, ${left} are left`)
  }

  /** Returns the new sum. */
  private add(counter: number, units: number): number {
    return Atomics.add(this.counters, counter, units) + units
  }
}

function unitsOf(bytes: number): number {
  return Math.ceil(bytes / unitBytes)
}

function overloaded(whose: string): ServiceError {
  return new ServiceError(
    "overloaded",
    `Answers of ${whose} that are not read yet fill the memory for them: read them, or ` +
      `ask for less`,
  )
}
