/** What a child does before it kills itself; parent and child compute it from the same numbers. */

import { dayMs } from "../../src/model/resolution.ts"
import { noonMs, seededNumbers } from "../support/samples.ts"
import type { SampleRequest } from "../support/samples.ts"
import { Collectors } from "../simulation/requests.ts"

/** Moments at which a child dies, and where in its life each comes. */
export const killPoints = [
  "fold.commit",
  "fold.committed",
  "seal.commit",
  "seal.committed",
  "compaction.commit",
  "compaction.committed",
  "retention.commit",
  "retention.committed",
  "append.commit",
  "append.committed",
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
export const segmentBytes = 16 * 1024

const groupsEarly = 5
const groupsLate = 3

export function nowOf({ day }: Round): number {
  return noonMs + day * dayMs
}

/** Groups of requests, in order: those of the day, and those that come when it is sealed. */
export function groupsOf(round: Round): { early: SampleRequest[][]; late: SampleRequest[][] } {
  const collectors = new Collectors(seededNumbers(round.seed))
  const make = (count: number): SampleRequest[][] =>
    Array.from({ length: count }, () => collectors.requests(nowOf(round)))
  return { early: make(groupsEarly), late: make(groupsLate) }
}
