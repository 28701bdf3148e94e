/** The work of a child before it kills itself; parent and child compute it from one seed. */

import { cycleMs, dayMs } from "../../src/model/resolution.ts"
import type { CycleBatch } from "../../src/store/cycle-store.ts"
import { emptyCycleBatch } from "../support/store/empty-cycle-batch.ts"
import { noonMs, seededNumbers } from "../support/ingest/samples.ts"
import type { SampleRequest } from "../support/ingest/samples.ts"
import { Collectors } from "../simulation/requests.ts"

/** Moments at which a child dies, and where in its life each comes. */
export const killPoints = [
  "flush.commit",
  "flush.committed",
  "compaction.commit",
  "compaction.committed",
  "recompaction.commit",
  "recompaction.committed",
  "retention.commit",
  "retention.committed",
  "closing.commit",
  "closing.committed",
  "append.commit",
  "append.committed",
  "index-flush.commit",
  "index-flush.committed",
  "recovery.commit",
  "recovery.committed",
  "rewrite.commit",
  "rewrite.committed",
  "rewrite.removed",
  "migration.begin",
  "migration.applied",
  "migration.committed",
  "bootstrap.open",
  "bootstrap.opened",
  "bootstrap.version",
  "bootstrap.versioned",
  "documents.commit",
  "documents.committed",
] as const
export type KillPoint = (typeof killPoints)[number]

export interface Round {
  readonly folder: string
  readonly seed: number
  /** Every round is a day later, so that retention finds something. */
  readonly day: number
  readonly point: KillPoint
  /** Dies when it comes to the point for the nth time. */
  readonly nth: number
}

export const apiKey = "5ec2e7a41ab34c0d9d1b7a2c6f30e881"
/** Of some groups the record is larger. */
export const segmentBytes = 4 * 1024

const groupsEarly = 5
const groupsLate = 3
const partsEach = 3

export function nowOf({ day }: Round): number {
  return noonMs + day * dayMs
}

/** The batches of a round: elements of the day's cycles, each with one item of every kind. */
export function partsOf(round: Round): CycleBatch[] {
  return Array.from({ length: partsEach }, (_, i) => {
    const cycle = Math.floor(nowOf(round) / cycleMs) - partsEach + i
    return {
      ...emptyCycleBatch,
      cycle,
      name: "0:0",
      states: [{ kind: "closing", key: keyOf(cycle), bytes: Uint8Array.of(i) }],
      documents: [{ kind: "closing", id: String(cycle), document: { i } }],
    }
  })
}

/** Key of the state that the closing of a cycle leaves. */
export function keyOf(cycle: number): Uint8Array {
  return Buffer.from(String(cycle))
}

/** Groups of requests, in order: those of the day, and those that come when it is compacted. */
export function groupsOf(round: Round): { early: SampleRequest[][]; late: SampleRequest[][] } {
  const collectors = new Collectors(seededNumbers(round.seed))
  const make = (count: number): SampleRequest[][] =>
    Array.from({ length: count }, () => collectors.requests(nowOf(round)))
  return { early: make(groupsEarly), late: make(groupsLate) }
}
