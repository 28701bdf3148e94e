/**
 * Answer memory: how many bytes of finished answers the process holds, between the threads that
 * print them and the connections that carry them off. The counters are in shared memory: a query
 * thread reserves each part of an answer before it prints the next one, and the main thread gives
 * it back when the connection has taken the part.
 *
 * Without it, 30 connections that read nothing held 870 MB of their answers.
 */

import { assert } from "./assert.ts"
import { ServiceError } from "./errors.ts"
import { tenantsMax } from "./limits.ts"

/** The counters count in these units, so that 2 TiB fit 32 bits. */
const unitBytes = 1024
/** Of the whole memory for one tenant, so that one who reads nothing leaves room for the others. */
const shareDivisor = 2

/** To be handed to threads; what they reserve and give back counts for all. */
export interface SharedAnswerMemory {
  /** In use in units: of all, then of each tenant. */
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

  /** Reserves bytes for an answer of `tenant`. Throws `overloaded`, and reserves nothing then. */
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

  /** Gives back what `reserve` took for as many bytes. */
  release(tenant: number, bytes: number): void {
    const units = unitsOf(bytes)
    const left = Math.min(this.add(0, -units), this.add(1 + tenant, -units))
    assert(left >= 0, `Expected no more to be given back than was reserved, ${left} are left`)
  }

  /** The sum after it. */
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
