/**
 * Working memory: what the threads of one query hold before it is a part of the answer, in the
 * answer memory of its tenant.
 *
 *   take(values read) ─► free(values), take(text) ─► free(text), part reserved
 *     └─ over the limit: the query ends with `overloaded`, before it prints what has no room
 *
 * A scan worker takes the text that it posts, and the thread that receives it frees it. A text that
 * is never received is released with the rest, when all threads of the query have ended (`end`).
 */

import { unitsOf, type AnswerMemory } from "../../base/answer-memory.ts"

/** Reserved more than is needed, so that small texts do not touch the shared counters. */
const stepUnits = 64
/** Units that may be reserved and free; more of them are released. */
const spareUnitsMax = 4 * stepUnits

/** A counter of the units that all threads of one query have reserved. */
export function createWorkingUnits(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
}

export class WorkingMemory {
  /** Null: nothing is counted. */
  private readonly memory: AnswerMemory | null
  private readonly tenant: number
  private readonly allUnits: Int32Array
  /** Of this thread; negative if it freed what another one had taken. */
  private bytes = 0
  private units = 0

  /** `allUnits`: of `createWorkingUnits`, if several threads work on the query. */
  constructor(memory: AnswerMemory | null, tenant: number, allUnits?: Int32Array) {
    this.memory = memory
    this.tenant = tenant
    this.allUnits = allUnits ?? new Int32Array(1)
  }

  /** Counts bytes as used. Throws `overloaded`, and then counts nothing. */
  take(bytes: number): void {
    const needed = unitsOf(this.bytes + bytes)
    if (needed > this.units) this.change(needed + stepUnits - this.units)
    this.bytes += bytes
  }

  /** Counts bytes as free that this or another thread of the query has taken. */
  free(bytes: number): void {
    this.bytes -= bytes
    const spare = this.units - unitsOf(this.bytes)
    if (spare > spareUnitsMax) this.change(-spare)
  }

  /** Releases what all threads have reserved, none of which works on the query any more. */
  end(): void {
    this.memory?.releaseUnits(this.tenant, Atomics.exchange(this.allUnits, 0, 0))
    this.bytes = this.units = 0
  }

  private change(units: number): void {
    if (units > 0) this.memory?.reserveUnits(this.tenant, units)
    else this.memory?.releaseUnits(this.tenant, -units)
    Atomics.add(this.allUnits, 0, units)
    this.units += units
  }
}
