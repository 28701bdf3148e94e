/**
 * Replays of policies over two weeks (POST /policies/evaluate), in this process, of a store that
 * closings filled: values and bands of each cycle, all days but the last one compacted.
 *
 *   npm run bench:replay -- --elements 40
 */

import { parseArgs } from "node:util"
import { schedulerStateId, schedulerStateKind } from "../src/model/closed-cycles.ts"
import { cycleMs, cyclesPerDay, dayMs } from "../src/model/resolution.ts"
import {
  defaultPolicy,
  type Analytic,
  type Operator,
  type Policy,
  type PolicyCondition,
} from "../src/model/records/policy.ts"
import { SampleBatchBuilder } from "../src/model/sample-batch.ts"
import { Query } from "../src/query/query.ts"
import { openReadStore, type openWriteStore } from "../src/store/open.ts"
import type { PolicyReplayAnswer } from "../src/wire/records/policy-replay.ts"
import { makeFolder, removeFolder } from "../test/support/machine/folder.ts"
import { textOfParts } from "../test/support/server/answer-text.ts"
import { emptyCycleBatch } from "../test/support/store/empty-cycle-batch.ts"
import { openWriter } from "../test/support/store/lmdb-folder.ts"
import { seededNumbers } from "../test/support/ingest/samples.ts"
import { machineLine } from "./machine.ts"
import { markdownTable } from "./table.ts"

const days = 14
const rounds = 5
const metricFqns = ["cpu", "memory", "requests"]
const endDay = Math.floor(Date.parse("2026-11-20T00:00:00Z") / dayMs)
const tenantUuid = "5ec2e7a4-1ab3-4c0d-9d1b-7a2c6f30e881"

type Store = ReturnType<typeof openWriteStore>

const options = { elements: { type: "string", default: "40" } } as const
const elementCount = Number(parseArgs({ options }).values.elements)
if (!(elementCount >= 1)) throw new Error("--elements: expected a number from 1")

/** A value each cycle of each metric, one in fifty of them high, and a band for it. */
function fill(store: Store): void {
  const random = seededNumbers(1)
  const { catalogue } = store
  const elements = Array.from({ length: elementCount }, (_, i) =>
    catalogue.upsertElement(0, `host-${i}`, { type: "SERVER", nowMs: 0 }),
  )
  const series = Int32Array.from(
    metricFqns.flatMap((fqn) => elements.map((element) => catalogue.upsertSeries(element, fqn))),
  )
  for (let day = endDay - days; day < endDay; day++) {
    const nowMs = (day + 1) * dayMs + 7_200_000
    for (let cycle = day * cyclesPerDay; cycle < (day + 1) * cyclesPerDay; cycle++) {
      const columns = new SampleBatchBuilder()
      columns.startRequest()
      for (const one of series) {
        const value = random() < 0.02 ? 95 : 50 + 10 * random()
        columns.push(one, cycle * cycleMs, Math.round(100 * value) / 100)
      }
      store.append({ columns })
    }
    maintain(store, nowMs)
    const values = Float32Array.from(Array.from(series, () => [55, 3, 55, 4]).flat())
    for (let cycle = day * cyclesPerDay; cycle < (day + 1) * cyclesPerDay; cycle++) {
      store.commitCycle({ ...emptyCycleBatch, cycle, name: "0", bands: { series, values } })
    }
    maintain(store, nowMs)
  }
  const document = { next: endDay * cyclesPerDay, unobserved: [] }
  store.putDocuments([{ kind: schedulerStateKind, id: schedulerStateId, document }])
}

/** Background work until none is left. */
function maintain(store: Store, nowMs: number): void {
  while (store.maintain({ nowMs, budgetMs: 1_000, idle: true }).moreDue) continue
}

function policyOf(analytic: Analytic, operator: Operator, more: object = {}): Policy {
  const condition: PolicyCondition = {
    metric: "cpu",
    wildcard: null,
    metricScopeTags: {},
    analytic,
    operator,
    level: 90,
    level2: null,
    metricThresholdLevel: null,
    metricThresholdAnalytic: null,
    ...more,
  }
  return { ...defaultPolicy, duration: 300, conditions: [condition] }
}

/** By what it tests; each is for all elements. */
const policies: Readonly<Record<string, Policy>> = {
  "a value and a level": policyOf("actual", ">"),
  "a value and a band": policyOf("baselineDeviation", ">"),
  "any of three metrics": policyOf("actual", ">", { metric: null, wildcard: "." }),
  "a sudden change": policyOf("suddenDeviation", ">", { level: 40 }),
}

/** Processor time, which other work on the machine does not change, and the answer. */
async function measured(query: Query, policy: Policy): Promise<[number, PolicyReplayAnswer]> {
  const before = process.cpuUsage()
  const span = { startTime: [String((endDay - days) * dayMs)], endTime: [String(endDay * dayMs)] }
  const body = { policy, elements: null, detail: "summary" }
  const request = { kind: "policyReplay", tenant: 0, params: span, body, nowMs: 0 } as const
  const { parts } = await query.execute(request, { hasUnflushed: false, allowsParallel: false })
  const answer = JSON.parse(textOfParts(parts!)) as PolicyReplayAnswer
  const { user, system } = process.cpuUsage(before)
  return [(user + system) / 1000, answer]
}

const folder = makeFolder("tidegauge-replay")
try {
  const writer = openWriter(folder)
  fill(writer)
  await writer.close()
  const store = openReadStore({ folder })
  const deps = { store, tenantUuid: () => tenantUuid, elapsedMs: () => performance.now() }
  const query = new Query(deps)
  const rows: string[][] = []
  for (const [name, policy] of Object.entries(policies)) {
    const times: number[] = []
    let answer: PolicyReplayAnswer | undefined
    for (let round = 0; round < rounds; round++) {
      const [ms, found] = await measured(query, policy)
      times.push(ms)
      answer = found
    }
    times.sort((one, other) => one - other)
    const { evaluatedElements, incidents } = answer!
    const shown = times.map((ms) => `${ms.toFixed(0)} ms`)
    rows.push([name, String(evaluatedElements), String(incidents), shown[2]!, shown.at(-1)!])
  }
  await store.close()
  console.log(`${machineLine()}\n`)
  console.log(markdownTable(["condition", "elements", "incidents", "median CPU", "most"], rows))
} finally {
  removeFolder(folder)
}
