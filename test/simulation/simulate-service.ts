/**
 * A simulation of a service: a seed makes hours of collectors that come and go, late and repeated
 * samples, outages, crashes at any point, and a clock that jumps; the service and the model live
 * through it, and at the end they have found the same.
 */

import assert from "node:assert/strict"
import { largestOf } from "../../src/base/iterables.ts"
import { cycleMs, dayMs, hourMs } from "../../src/model/resolution.ts"
import { timeIndexedKind } from "../../src/model/records/time-key.ts"
import type { ElementEvent } from "../../src/model/records/event.ts"
import type { Incident } from "../../src/model/records/incident.ts"
import { findSeries, noonMs, seededNumbers, seriesName } from "../support/ingest/samples.ts"
import { SeededChoices } from "../support/run/seeded-choices.ts"
import { ServiceModel } from "./service-model.ts"
import { computedFqn, configurations, metrics, percentFqn, policies } from "./service-plan.ts"
import type { FoundEvent, FoundIncident, SentSample } from "./service-plan.ts"
import { SimService } from "./sim-service.ts"

const tenYearsMs = 3_652 * dayMs
const minuteMs = 60_000
/** Longest time for which a clock is wrong: retention believes one after a day. */
const wrongMsMax = 3 * hourMs
/** The lead of a wrong clock that is still plausible; samples ten years ahead are refused. */
const aheadMsMax = hourMs

export interface ServiceFigures {
  readonly cycles: number
  readonly restarts: number
  readonly events: number
  readonly incidents: number
}

/** Throws, naming the seed, if the service and the model differ. */
export async function simulateService(seed: number, hours: number): Promise<ServiceFigures> {
  const simulation = new Simulation(seed)
  try {
    return await simulation.run(hours)
  } catch (cause) {
    const details = `seed ${seed}, ${hours} hours: ${simulation.steps.slice(-12).join(", ")}`
    throw new Error(`${(cause as Error).message}\n(${details})`, { cause })
  } finally {
    await simulation.end()
  }
}

interface Collector {
  readonly element: string
  /** Share of the moments at which each metric is sent. */
  readonly shares: ReadonlyMap<string, number>
  silentUntilMs: number
  readonly counts: Map<string, number>
}

class Simulation extends SeededChoices {
  readonly steps: string[] = []
  private readonly service: SimService
  private readonly model: ServiceModel
  private readonly policyIds = new Map<string, string>()
  private readonly collectors: Collector[]
  private readonly sent: SentSample[][] = []
  private readonly closed = new Set<string>()
  private trueMs = noonMs
  private rightAtMs = Infinity
  private pointsLeft = Infinity
  private restarts = 0

  constructor(seed: number) {
    super(seededNumbers(seed))
    this.model = new ServiceModel(this.policyIds)
    this.service = new SimService({
      startMs: noonMs,
      graceMs: 60_000,
      missedCyclesMax: this.pick([6, 12, 72]),
      batchElements: this.pick([1, 2, 256]),
      commitBytes: this.pick([0, 1024 * 1024]),
      diesAt: () => --this.pointsLeft === 0,
      budgetMs: () => this.pick([0, 0, 2]),
    })
    const names = ["a", "b", "c", "d", "e", "f"].slice(0, 3 + this.below(3))
    this.collectors = names.map((element) => ({
      element,
      shares: new Map(metrics.map(({ fqn }) => [fqn, this.pick([0, 0.3, 0.7, 0.95])])),
      silentUntilMs: 0,
      counts: new Map(),
    }))
  }

  async run(hours: number): Promise<ServiceFigures> {
    await this.service.start()
    await this.service.shard.replaceConfigurations(0, configurations)
    for (const { conditions, ...rest } of policies) {
      const actual = conditions.map((one) => ({ analytic: "actual", ...one }))
      const body = { policy: { ...rest, conditions: actual } }
      const stored = await this.service.records.policies.create(0, body, "a@b")
      this.policyIds.set(rest.name, stored.id)
    }
    const endMs = noonMs + hours * hourMs
    while (this.trueMs < endMs) await this.step()
    this.pointsLeft = Infinity
    await this.jump(0)
    for (let ms = 0; ms < hourMs; ms += cycleMs) await this.pass(cycleMs)
    // Everything that is due, background work included.
    for (let i = 0; i < 20; i++) await this.pass(minuteMs)
    this.check()
    const { events, incidents } = this.model
    const { restarts } = this
    const cycles = (hours * hourMs) / cycleMs
    return { cycles, restarts, events: events.length, incidents: incidents.length }
  }

  async end(): Promise<void> {
    await this.service.store.remove()
  }

  private async step(): Promise<void> {
    await this.pass(this.pick([2 * minuteMs, cycleMs, cycleMs, cycleMs]))
    if (this.trueMs >= this.rightAtMs) await this.jump(0)
    for (const collector of this.collectors) {
      if (collector.silentUntilMs <= this.trueMs) await this.collect(collector)
    }
    if (this.chance(0.02)) await this.send(this.pick(this.sent))
    if (this.chance(0.03)) await this.happen()
  }

  private async happen(): Promise<void> {
    const what = this.pick(["crash", "crashAt", "crashAt", "restart", "outage", "jump", "silence"])
    this.steps.push(`${what} at ${new Date(this.trueMs).toISOString()}`)
    if (what === "crashAt") this.pointsLeft = 1 + this.below(12)
    else if (what === "crash") await this.crash()
    else if (what === "silence") {
      const silentMs = this.pick([hourMs, 6 * hourMs, 8 * hourMs, 20 * hourMs])
      this.pick(this.collectors).silentUntilMs = this.trueMs + silentMs
    } else if (what === "jump") {
      await this.jump(
        this.pick([aheadMsMax, -hourMs, 5 * minuteMs, -cycleMs, tenYearsMs, -tenYearsMs]),
      )
      this.rightAtMs = this.trueMs + this.pick([minuteMs, 20 * minuteMs, wrongMsMax])
    } else {
      await this.service.stop()
      this.wait(what === "restart" ? 1_000 : this.pick([7 * minuteMs, hourMs, 8 * hourMs]))
      await this.start()
    }
  }

  /** Time passes; a process that dies meanwhile is restarted. */
  private async pass(ms: number): Promise<void> {
    this.trueMs += ms
    const isAlive = await this.service.advance(ms)
    if (!isAlive) await this.crash()
    this.noteClosed()
  }

  private wait(ms: number): void {
    this.trueMs += ms
    this.service.wait(ms)
  }

  private async crash(): Promise<void> {
    await this.service.crash()
    this.noteClosed()
    await this.start()
  }

  private async start(): Promise<void> {
    this.restarts++
    await this.service.start()
    if (!this.service.isAlive) return this.crash()
    this.noteClosed()
  }

  /**
   * Sets the clock. Which samples are late is known before, when they are flushed; the scheduler
   * notices within a minute, before the next sample.
   */
  private async jump(jumpMs: number): Promise<void> {
    const { pointsLeft } = this
    this.pointsLeft = Infinity
    await this.service.flush()
    this.pointsLeft = pointsLeft
    this.rightAtMs = Infinity
    this.service.clock.set(this.trueMs + jumpMs)
    await this.pass(minuteMs)
  }

  /** Reports each closed batch to the model once. */
  private noteClosed(): void {
    const { catalogue } = this.service.store.writer
    for (const fromCycle of this.service.reopened.splice(0)) {
      for (const key of this.closed) if (parseInt(key) >= fromCycle) this.closed.delete(key)
      this.model.reopen(largestOf([-Infinity, ...[...this.closed].map((key) => parseInt(key))]))
    }
    for (const question of this.service.asked.splice(0)) {
      const { cycle, name, closingMs, isMissed, unwatched = [] } = question
      const key = `${cycle} ${name}`
      if (this.closed.has(key) || !this.service.isClosed(question)) continue
      this.closed.add(key)
      const elements = Array.from(question.elements, (element) => catalogue.elementFqn(element))
      this.model.close({ cycle, elements, closingMs, isMissed, unwatched })
    }
  }

  private async collect(collector: Collector): Promise<void> {
    const { element, shares, counts } = collector
    const samples: SentSample[] = []
    for (const [metric, share] of shares) {
      if (!this.chance(share)) continue
      const lateMs = this.chance(0.03) ? this.below(this.pick([hourMs, 8 * hourMs, 2 * dayMs])) : 0
      const timeMs = this.trueMs - this.below(2 * minuteMs) - lateMs
      const restarted = this.chance(0.01) ? 0 : (counts.get(metric) ?? 1_000)
      const isCounter = metrics.find(({ fqn }) => fqn === metric)!.actual === "counter"
      const val = isCounter ? restarted + this.below(300) : this.below(200) / 2
      counts.set(metric, val)
      samples.push({ element, metric, timeMs, val })
    }
    if (samples.length === 0) return
    this.sent.push(samples)
    if (this.chance(0.02)) collector.silentUntilMs = this.trueMs + this.pick([cycleMs, hourMs])
    await this.send(samples)
  }

  /** Until it is answered, as collectors do. */
  private async send(samples: readonly SentSample[] | undefined): Promise<void> {
    if (samples === undefined) return
    const declared = metrics.filter(({ fqn }) => samples.some(({ metric }) => metric === fqn))
    const body = {
      id: samples[0]!.element,
      type: "SERVER",
      metrics: declared.map(({ fqn, actual, sparse }) => ({
        id: fqn,
        type: actual === "counter" ? "COUNTER" : "GAUGE",
        sparseDataStrategy: fqn === "last" ? "None" : sparse,
      })),
      samples: samples.map(({ metric, timeMs, val }) => ({
        metricId: metric,
        timestamp: timeMs,
        val,
      })),
    }
    let accepted = await this.service.post([body])
    while (accepted === undefined) {
      await this.service.crash()
      // Stored, but not acknowledged: the cycles that close before the retry contain it.
      if (this.isStored(samples[0]!)) this.takeAll(samples)
      await this.start()
      accepted = await this.service.post([body])
    }
    if (accepted) this.takeAll(samples)
  }

  private isStored({ element, metric, timeMs }: SentSample): boolean {
    const { writer } = this.service.store
    const series = findSeries(writer.catalogue, seriesName(element, metric))
    if (series < 0) return false
    const span = { startMs: timeMs, endMs: timeMs + 1 }
    return writer.unflushedSamples(Int32Array.of(series), span).count > 0
  }

  private takeAll(samples: readonly SentSample[]): void {
    for (const sample of samples) {
      this.model.declare(sample.element, sample.metric)
      this.model.take(sample)
    }
  }

  private check(): void {
    assert.deepEqual(this.service.errors, [])
    this.checkCycles()
    for (const { element } of this.collectors) {
      for (const fqn of [...metrics.map((one) => one.fqn), computedFqn, percentFqn]) {
        this.checkActuals(element, fqn)
      }
    }
    const { writer } = this.service.store
    const events = writer.listDocuments(timeIndexedKind("event", 0)).map(({ document }) => document)
    assert.deepEqual(
      (events as ElementEvent[]).map(foundEvent).sort(byId),
      [...this.model.events].sort(byId),
    )
    const incidents = writer
      .listDocuments(timeIndexedKind("incident", 0))
      .map(({ document }) => document)
    assert.deepEqual(
      (incidents as Incident[]).map(foundIncident).sort(byId),
      [...this.model.incidents].sort(byId),
    )
  }

  /** Every cycle since the first is closed, or known not to be; none is both. */
  private checkCycles(): void {
    const { next, unobserved, closed = [] } = this.service.state()
    const due = Math.floor((this.trueMs - minuteMs) / cycleMs) - 1
    assert.equal(next, due + 1, "the next cycle")
    const cycles = [...this.closed].filter((key) => key.endsWith(" 0")).map((key) => parseInt(key))
    const first = cycles.find((cycle) => cycle >= noonMs / cycleMs)!
    for (let cycle = first; cycle <= due; cycle++) {
      const isLeftOut = unobserved.some(({ from, to }) => from <= cycle && cycle < to)
      const at = `${new Date(cycle * cycleMs).toISOString()} ${JSON.stringify(unobserved)}`
      // Due late after the clock was set back and right again: its marks are gone.
      const wasClosed = closed.some(({ from, to }) => from <= cycle && cycle < to)
      const isClosed = this.closed.has(`${cycle} 0`) || wasClosed
      assert.notEqual(isClosed, isLeftOut, `cycle of ${at}`)
    }
  }

  private checkActuals(element: string, metric: string): void {
    const { writer, reader } = this.service.store
    reader.refresh()
    const series = findSeries(reader.catalogue, seriesName(element, metric))
    const span = { startMs: noonMs - 4 * dayMs, endMs: this.trueMs + dayMs }
    const got = new Map<number, readonly [number, boolean]>()
    if (series >= 0) {
      const open = writer.unflushedSamples(Int32Array.of(series), span)
      for (const { timeMs, fields } of reader.samples(
        Int32Array.of(series),
        { span, resolution: "PT5M" },
        open,
      )[0]!) {
        if (fields.actual === undefined) continue
        got.set(timeMs / cycleMs, [fields.actual, fields.sparseValue !== undefined])
      }
    }
    const want = new Map<number, readonly [number, boolean]>()
    for (let cycle = span.startMs / cycleMs; cycle * cycleMs < span.endMs; cycle++) {
      const actual = this.model.actual(element, metric, cycle)
      const isComputed = metric === computedFqn || metric === percentFqn
      const isFilled = !isComputed && this.model.isFilled(element, metric, cycle)
      if (!Number.isNaN(actual)) want.set(cycle, [actual, isFilled])
    }
    assert.deepEqual(got, want, `${element} ${metric}`)
  }
}

const byId = (left: { id: string }, right: { id: string }): number => (left.id < right.id ? -1 : 1)

function foundEvent({ id, timeMs, processedMs, elementFqn, policy }: ElementEvent): FoundEvent {
  return { id, timeMs, processedMs, element: elementFqn, policy: policy!.id }
}

function foundIncident(incident: Incident): FoundIncident {
  const { id, timeMs, lastFiredMs, closedMs, eventIds, elementFqn, policyId } = incident
  return { id, timeMs, lastFiredMs, closedMs, eventIds, element: elementFqn, policy: policyId }
}
