/** A process that dies at any point of a closing leaves what an undisturbed one leaves. */

import assert from "node:assert/strict"
import { cpSync } from "node:fs"
import { test } from "node:test"
import { cycleMs } from "../../src/model/resolution.ts"
import { tableNames } from "../../src/store/lmdb/disk/tables.ts"
import { configurations, metrics, policies } from "../simulation/service-plan.ts"
import { SimService } from "../simulation/sim-service.ts"
import { tampering } from "../support/store/lmdb-folder.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { noonMs } from "../support/ingest/samples.ts"

/** Lived through before the first kill. */
const cyclesBefore = 2
const cycles = 4
/** When retention last looked: it looks after every start, whatever closes. */
const ofRetention = new Set(["horizons", "retentionLook"].map(hexOf))

interface Run {
  /** Names of the points that were reached while cycles closed. */
  readonly points: readonly string[]
  /** Every key and value of every table. */
  readonly tables: Readonly<Record<string, readonly string[]>>
}

test("a closing killed at any point and restarted leaves the same bytes", async (t) => {
  const before = await prepare()
  t.after(() => removeFolder(before))
  const calm = await run(before, Infinity)
  const names = new Set(calm.points)
  for (const name of [
    "closing.commit",
    "closing.committed",
    "flush.commit",
    "documents.committed",
  ]) {
    assert.ok(names.has(name), `Expected to come by ${name}: ${[...names].join(" ")}`)
  }
  assert.ok(calm.tables["documents"]!.some((entry) => entry.includes(hexOf("openIncident"))))
  t.diagnostic(`${calm.points.length} points: ${[...names].join(" ")}`)
  for (let place = 1; place <= calm.points.length; place++) {
    const killed = await run(before, place)
    for (const name of tableNames) {
      const at = `${name}, killed at point ${place}, ${calm.points[place - 1]}`
      assert.deepEqual(killed.tables[name], calm.tables[name], at)
    }
  }
})

/** Three elements, each a part of its own. */
const options = { graceMs: 60_000, missedCyclesMax: 12, batchElements: 1, commitBytes: 0 }

/** The folder of a service that has policies, and has closed some cycles. */
async function prepare(): Promise<string> {
  const service = new SimService({ ...options, startMs: noonMs + 60_000 })
  await service.start()
  await service.shard.replaceConfigurations(0, configurations)
  for (const { conditions, ...rest } of policies) {
    const actual = conditions.map((one) => ({ analytic: "actual", ...one }))
    const body = { policy: { ...rest, conditions: actual, actions: [action] } }
    await service.records.policies.create(0, body, "a@b")
  }
  for (let cycle = 0; cycle < cyclesBefore; cycle++) {
    await service.post(bodiesOf(cycle))
    await service.advance(cycleMs)
  }
  await service.stop()
  await service.store.close()
  return service.store.folder
}

/** Goes on from there; dies at the point with this number. */
async function run(before: string, place: number): Promise<Run> {
  const points: string[] = []
  let isClosing = false
  const folder = makeFolder("tidegauge-kill")
  cpSync(before, folder, { recursive: true })
  const service = new SimService({
    ...options,
    folder,
    startMs: noonMs + cyclesBefore * cycleMs + 60_000,
    diesAt: (name) => isClosing && points.push(name) === place,
  })
  await service.start()
  for (let cycle = cyclesBefore; cycle < cycles; cycle++) {
    await service.post(bodiesOf(cycle))
    isClosing = cycle === cyclesBefore
    const isAlive = await service.advance(cycleMs)
    if (!isAlive) {
      await service.crash()
      await service.start()
    }
    isClosing = false
  }
  assert.deepEqual(service.errors, [])
  assert.equal(service.state().next, noonMs / cycleMs + cycles)
  await service.stop()
  await service.store.close()
  const tables = await dump(service.store.folder)
  removeFolder(service.store.folder)
  return { points, tables }
}

const action = { type: "notification", id: 1, notifyFrequencyMin: 5, sendOnClear: true }

/** In the first two cycles all metrics, then those of one element alone, then of the others. */
function bodiesOf(cycle: number): object[] {
  const elements = cycle < 2 ? ["a", "b", "c"] : cycle === 2 ? ["a"] : ["b", "c"]
  return elements.map((id, i) => ({
    id,
    type: "SERVER",
    metrics: metrics.map(({ fqn, sparse, actual }) => ({
      id: fqn,
      type: actual === "counter" ? "COUNTER" : "GAUGE",
      sparseDataStrategy: sparse,
    })),
    samples: metrics.map(({ fqn }, j) => ({
      metricId: fqn,
      timestamp: noonMs + cycle * cycleMs + 1_000,
      val: ((cycle * 31 + i * 47 + j * 13) % 100) + cycle * 100 * Number(fqn === "bytes"),
    })),
  }))
}

function dump(folder: string): Promise<Run["tables"]> {
  return tampering(folder, (tables) =>
    Object.fromEntries(
      tableNames.map((name) => [
        name,
        Array.from(tables[name].getRange(), ({ key, value }) => [key, value])
          .map(([key, value]) => [key!.toString("hex"), value!.toString("hex")] as const)
          .filter(([key]) => !ofRetention.has(key))
          .map(([key, value]) => `${key}=${value}`),
      ]),
    ),
  )
}

function hexOf(text: string): string {
  return Buffer.from(text).toString("hex")
}
