/**
 * A service whose clock is wrong for a while, ahead or back, while it runs or across restarts:
 *
 *   right ─ step ─► wrong, 20 minutes ─ step ─► right: policies fire, checks expire, messages are
 *                                                      delivered, and nothing is deleted
 */

import assert from "node:assert/strict"
import { silentLogger } from "../../src/base/log.ts"
import { documentStoreOf } from "../../src/engine/shard-client.ts"
import { cycleMs, dayMs, hourMs } from "../../src/model/resolution.ts"
import type { ElementEvent } from "../../src/model/records/event.ts"
import type { Incident } from "../../src/model/records/incident.ts"
import type { NotificationMessage } from "../../src/model/records/notification-message.ts"
import { timeIndexedKind } from "../../src/model/records/time-key.ts"
import { DeliveryWorker } from "../../src/notify/delivery-worker.ts"
import { Outbox } from "../../src/notify/outbox.ts"
import { RecordRetention } from "../../src/records/record-retention.ts"
import { findSeries, noonMs, seriesName } from "../support/ingest/samples.ts"
import { seededRandom } from "../support/run/seeded-random.ts"
import { SimService } from "./sim-service.ts"

export interface ClockSteps {
  /** By how much the wrong clock differs. */
  readonly byMs: number
  /** When it is set wrong, and when right. */
  readonly isStopped: readonly [boolean, boolean]
}

/** Two hours, a day and a year, ahead and back, while the service runs or is stopped. */
export const allClockSteps: readonly ClockSteps[] = [2 * hourMs, dayMs, 366 * dayMs].flatMap((ms) =>
  [ms, -ms].flatMap((byMs) =>
    [false, true].flatMap((before) =>
      [false, true].map((after): ClockSteps => ({ byMs, isStopped: [before, after] })),
    ),
  ),
)

/** A server looks each second; as many steps as that would take minutes. */
const stepMs = 20_000
const minuteMs = 60_000
const ttlSeconds = 150
const calm = 10
const busy = 99

/** Throws, naming the steps, if something is not as on a right clock. */
export async function runClockSteps(steps: ClockSteps): Promise<void> {
  const trial = new Trial()
  try {
    await trial.run(steps)
  } catch (cause) {
    throw new Error(`${(cause as Error).message}\n(${JSON.stringify(steps)})`, { cause })
  } finally {
    await trial.end()
  }
}

class Trial {
  private readonly service = new SimService({
    startMs: noonMs,
    graceMs: minuteMs,
    missedCyclesMax: 12,
    batchElements: 2,
    commitBytes: 0,
    watchesTime: true,
  })
  private readonly delivered: NotificationMessage[] = []
  private worker = this.newWorker
  private trueMs = noonMs
  private load = calm
  private isPosting = true

  async run({ byMs, isStopped }: ClockSteps): Promise<void> {
    await this.service.start()
    this.worker = this.newWorker
    await this.createPolicies()
    await this.live(20 * minuteMs)
    this.load = busy
    await this.live(cycleMs)
    this.load = calm
    await this.live(3 * cycleMs)
    const before = this.records()
    assert.equal(before.incidents.filter(({ closedMs }) => closedMs !== null).length, 1)

    await this.setClock(byMs, isStopped[0])
    await this.live(20 * minuteMs)
    await this.sweep()
    assert.deepEqual(this.firedOf("gone"), [], "no check expires while it is posted")
    await this.setClock(0, isStopped[1])
    await this.sweep()
    await this.checkKept(before)

    await this.live(minuteMs)
    const stepAtMs = this.trueMs
    this.load = busy
    this.isPosting = false
    await this.live(2 * cycleMs + 2 * minuteMs)
    const isLater = ({ timeMs }: ElementEvent): boolean => timeMs >= stepAtMs - cycleMs
    assert.ok(this.firedOf("busy").filter(isLater).length > 0, "a policy fires within two cycles")
    assert.equal(this.firedOf("gone").length, 1, "a check expires in time")
    const told = this.delivered.filter(({ timeMs }) => timeMs >= stepAtMs)
    const about = new Set(told.map(({ event }) => event.policy!.name))
    assert.deepEqual([...about].sort(), ["busy", "gone"], "messages are delivered")
    assert.deepEqual(this.service.errors, [])
    await this.checkKept(before)
  }

  async end(): Promise<void> {
    await this.service.store.remove()
  }

  private get newWorker(): DeliveryWorker | null {
    if (!this.service.isAlive) return null
    return new DeliveryWorker({
      outbox: new Outbox(documentStoreOf(this.service.shard)),
      recipients: {
        recipient: async () => ({ type: "webhook", properties: {} }),
        disable: () => Promise.reject(new Error("Expected no notification to be disabled")),
      },
      sender: { deliver: async (_, message) => void this.delivered.push(message) },
      tenants: () => [0],
      clock: this.service.clock,
      random: seededRandom(1),
      delay: () => () => {},
      log: silentLogger,
    })
  }

  private async createPolicies(): Promise<void> {
    const { policies } = this.service.records
    const notification = { enabled: true, notifyFrequencyMin: 2 ** 31 - 1, sendOnClear: true }
    const actions = [{ type: "notification", id: 1, ...notification }]
    const isBusy = { analytic: "actual", metric: "load", operator: ">", level: 90 }
    const busyPolicy = { name: "busy", duration: 300, conditions: [isBusy], actions }
    await policies.create(0, { policy: busyPolicy }, "a@b")
    const gonePolicy = { name: "gone", checkCondition: { checkName: "heartbeat" }, actions }
    await policies.create(0, { policy: gonePolicy }, "a@b")
  }

  /** A collector posts each minute, by the clock of the service. */
  private async live(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      if (passed % minuteMs === 0) await this.post()
      this.trueMs += stepMs
      assert.ok(await this.service.advance(stepMs))
      await this.service.records.checkMonitor.poll(0)
      this.worker!.notifyWork()
      await this.worker!.drained()
    }
  }

  private async post(): Promise<void> {
    const { service } = this
    const sample = { metricId: "load", timestamp: service.clock.nowMs(), val: this.load }
    assert.ok(await service.post([{ id: "host", type: "SERVER", samples: [sample] }]))
    const check = { name: "heartbeat", elementFqn: "host", ttlSeconds }
    if (this.isPosting) await service.records.checks.post(0, check)
  }

  private async setClock(byMs: number, isStopped: boolean): Promise<void> {
    const { service } = this
    if (isStopped) {
      await service.records.checkMonitor.stop()
      await service.stop()
    }
    service.clock.set(this.trueMs + byMs)
    if (!isStopped) return
    await service.start()
    this.worker = this.newWorker
  }

  private async sweep(): Promise<void> {
    const { records, clock, shard } = this.service
    const retention = new RecordRetention({
      records,
      audit: { removeExpired: async () => {} },
      tenants: () => [0],
      clock,
      trustsClock: () => shard.trustsClock(clock.nowMs()),
      delay: () => () => {},
      onError: assert.ifError,
    })
    await retention.sweep()
  }

  private records() {
    const list = (kind: string) => {
      const found = this.service.store.writer.listDocuments(timeIndexedKind(kind, 0))
      return found.map(({ document }) => document)
    }
    return { events: list("event") as ElementEvent[], incidents: list("incident") as Incident[] }
  }

  private firedOf(policyName: string): ElementEvent[] {
    return this.records().events.filter(({ policy }) => policy?.name === policyName)
  }

  private async checkKept(before: ReturnType<Trial["records"]>): Promise<void> {
    const now = this.records()
    const ids = new Set([...now.events, ...now.incidents].map(({ id }) => id))
    for (const { id } of [...before.events, ...before.incidents]) assert.ok(ids.has(id), id)
    const { reader, writer } = this.service.store
    reader.refresh()
    const series = Int32Array.of(findSeries(reader.catalogue, seriesName("host", "load")))
    const query = { span: { startMs: noonMs, endMs: noonMs + hourMs }, resolution: "ZERO" } as const
    const unflushed = writer.unflushedSamples(series, query.span)
    const [kept] = reader.samples(series, query, unflushed)
    assert.ok(kept!.length >= 40, `${kept!.length} samples`)
  }
}
