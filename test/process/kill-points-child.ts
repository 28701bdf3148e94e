/**
 * Child of the kill-point test: `node child.js <round as JSON>`. Opens the store, creates the
 * accounts, appends and maintains, reports each group before and after it, and kills itself at its
 * point.
 */

import { writeSync } from "node:fs"
import { openAccounts } from "../../src/accounts/accounts.ts"
import { seededRandom } from "../support/run/seeded-random.ts"
import { dayMs, hourMs } from "../../src/model/resolution.ts"
import { retentionMsDefault } from "../support/reference-store/memory-retention.ts"
import { openWriteStore } from "../../src/store/open.ts"
import type { WriteStore } from "../../src/store/store.ts"
import { appendCollected } from "../simulation/requests.ts"
import { append, seriesName, upsertSeries } from "../support/ingest/samples.ts"
import type { SampleRequest } from "../support/ingest/samples.ts"
import { apiKey, groupsOf, nowOf, partsOf, segmentBytes, type Round } from "./kill-points-plan.ts"
import { TestSignIn } from "../accounts/test-sign-in.ts"

const stdout = 1
/** A cost of scrypt that takes no time. */
const cost = { N: 16, r: 8, p: 1 }

let elapsedMs = 0
let groups = 0

async function live(round: Round): Promise<void> {
  let left = round.nth
  const store = openWriteStore({
    folder: round.folder,
    retentionMs: retentionMsDefault,
    cycleGraceMs: 60_000,
    elapsedMs: () => elapsedMs,
    warn: (_, message) => void writeSync(stdout, `warning ${message}\n`),
    faults: {
      commitBytes: 0,
      segmentBytes,
      onPoint: (name) => {
        if (name === round.point && --left === 0) process.kill(process.pid, "SIGKILL")
      },
    },
  })
  await createAccounts(store)
  const nowMs = nowOf(round)
  const { early, late } = groupsOf(round)
  for (const [i, group] of early.entries()) {
    // The groups of a seed may bring no series that the store lacks: then no index is flushed.
    upsertSeries(store.catalogue, seriesName("host-1", `of-day-${round.day}-${i}`))
    append(store)
    tell(store, group)
    store.maintain({ nowMs, budgetMs: 0, idle: true })
  }
  settle(store, nowMs)
  for (const part of partsOf(round)) {
    const bands = { series: Int32Array.of(0), values: Float32Array.of(1, 2, 3, 4) }
    const hasSeries = store.catalogue.seriesCount > 0
    store.commitCycle(hasSeries ? { ...part, bands } : part)
    writeSync(stdout, `closed ${part.cycle}\n`)
  }
  settle(store, nowMs + dayMs)
  for (const group of late) tell(store, group)
  settle(store, nowMs + dayMs + hourMs)
  await store.close()
}

function tell(store: WriteStore, group: readonly SampleRequest[]): void {
  writeSync(stdout, `sent ${groups}\n`)
  appendCollected(store, group)
  writeSync(stdout, `acknowledged ${groups++}\n`)
}

function settle(store: WriteStore, nowMs: number): void {
  for (let round = 0; round < 3; round++) {
    elapsedMs += hourMs
    while (store.maintain({ nowMs, budgetMs: 1_000, idle: true }).moreDue);
  }
}

async function createAccounts(store: WriteStore): Promise<void> {
  await openAccounts({
    documents: {
      get: async (kind, id) => store.getDocument(kind, id),
      put: async (kind, id, document) => store.putDocuments([{ kind, id, document }]),
      putAll: async (changes) => store.putDocuments(changes),
      list: async (kind, range) => store.listDocuments(kind, range),
    },
    random: seededRandom(1),
    clock: { nowMs: () => 0 },
    presets: { apiKey, adminEmail: "admin@example.com", adminPassword: "correct horse battery" },
    cost,
    signIn: new TestSignIn(),
  })
}

await live(JSON.parse(process.argv[2]!) as Round)
