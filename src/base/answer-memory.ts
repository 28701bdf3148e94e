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
import { tenantsMax } from "./limits.ts"

/** Unit of the counters, so that 2 TiB fit 32 bits. */
const unitBytes = 1024
/**
 * Divisor for the memory of one tenant, so that a tenant that reads nothing leaves space for
 * others.
 */
const shareDivisor = 2

/** Can be passed to threads; reservations count for all of them. */
export interface SharedAnswerMemory {
  /** Used units: of all tenants, then of each. */
  readonly counters: Int32Array
  readonly bytesMax: number
}

export function createAnswerMemory(bytesMax: number): SharedAnswerMemory {
  const bytes = (1 + tenantsMax) * Int32Array.BYTES_PER_ELEMENT
  return { counters: new Int32Array(new SharedArrayBuffer(bytes)), bytesMax }
}

export class AnswerMemory {
  private readonly counters: Int32Array
  private readonly unitsMax: number

  constructor({ counters, bytesMax }: SharedAnswerMemory) {
    this.counters = counters
    this.unitsMax = Math.ceil(bytesMax / unitBytes)
  }

  /** Bytes in use, of all tenants. */
  get usedBytes(): number {
    return Atomics.load(this.counters, 0) * unitBytes
  }

  /** Reserves bytes for an answer of `tenant`. Throws `overloaded`, and then reserves nothing. */
  reserve(tenant: number, bytes: number): void {
    const units = unitsOf(bytes)
    if (this.add(0, units) > this.unitsMax) {
      this.add(0, -units)
      throw overloaded("all accounts")
    }
    if (this.add(1 + tenant, units) > Math.ceil(this.unitsMax / shareDivisor)) {
      this.add(1 + tenant, -units)
      this.add(0, -units)
      throw overloaded("this account")
    }
  }

  /** Releases what `reserve` counted for the same number of bytes. */
  release(tenant: number, bytes: number): void {
    const units = unitsOf(bytes)
    const left = Math.min(this.add(0, -units), this.add(1 + tenant, -units))
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
