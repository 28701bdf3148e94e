/** Deps of records for tests: documents in memory, a manual clock, seeded ids. */

import { TestClock } from "../support/time/test-clock.ts"
import { seededRandom } from "../support/run/seeded-random.ts"
import type { Caller } from "../../src/records/core/caller.ts"
import { DocumentsInMemory } from "../accounts/documents-in-memory.ts"

export function recordsDeps() {
  const documents = new DocumentsInMemory()
  const clock = new TestClock(Date.UTC(2026, 0, 1))
  return { documents, clock, random: seededRandom(1) }
}

export const ada: Caller = { tenant: 0, email: "ada@a", userId: 1, isAdministrator: true }
export const bob: Caller = { tenant: 1, email: "bob@b", userId: 2, isAdministrator: true }
