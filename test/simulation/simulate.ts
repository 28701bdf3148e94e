/**
 * Simulation: a seed generates a workload of appends, background work, late and repeated data, with
 * injected faults: crashes, refused commits, a clock that jumps. Store and model get the same
 * workload, and every query of both must agree.
 */

import { dayMs, hourMs, resolutions, type Resolution } from "../../src/model/resolution.ts"
import { noonMs, seededNumbers } from "../support/ingest/samples.ts"
import type { SampleRequest } from "../support/ingest/samples.ts"
import { assertSame } from "./oracle.ts"
import { Model } from "./model.ts"
import { appendCollected, Collectors } from "./requests.ts"
import { SimStore } from "./sim-store.ts"

/** Short runs are many; long ones find what needs several causes together. */
const stepCounts = [4, 6, 8, 12, 24]
/** Verifying costs as much as the rest of a run, so it is done after one of this many. */
const storiesPerVerify = 4
const tenYearsMs = 3_652 * dayMs
/** How far a clock jumps; it is put right before a day is over. */
const jumpsMs = [hourMs, -hourMs, tenYearsMs, -tenYearsMs, -1_000]
const jumpedMsMax = 12 * hourMs

/** Throws, naming the seed, if the store and the model differ. */
export async function simulate(seed: number): Promise<void> {
  const simulation = new Simulation(seed)
  const steps: string[] = []
  try {
    await simulation.run(steps)
  } catch (cause) {
    const details = `seed ${seed}: ${steps.join(", ")}`
    throw new Error(`${(cause as Error).message}\n(${details})`, { cause })
  } finally {
    await simulation.end()
  }
}

class Simulation {
  private readonly model = new Model()
  private readonly collectors: Collectors
  private readonly store: SimStore
  /** The true time, and the error of the clock. */
  private trueMs = noonMs
  private jumpMs = 0
  private jumpedSinceMs = 0
  /** Latest moment that retention may have believed. */
  private latestMs = noonMs

  constructor(seed: number) {
    this.collectors = new Collectors(seededNumbers(seed))
    const commitBytes = this.collectors.pick([0, 0, 1024 * 1024])
    this.store = new SimStore({ commitBytes, segmentBytes: 64 * 1024 })
  }

  async run(steps: string[]): Promise<void> {
    // A clock that was never right has nothing to compare with.
    this.store.maintainAll(noonMs)
    const count = this.collectors.pick(stepCounts)
    for (let i = 0; i < count; i++) {
      const name = this.collectors.pick(stepNames)
      steps.push(name)
      await this.step(name)
      await this.store.repair()
    }
    steps.push("end")
    this.jumpMs = 0
    this.quiesce()
    await this.store.repair()
    this.quiesce()
    if (this.collectors.below(storiesPerVerify) === 0) await this.store.verify()
    this.check()
  }

  async end(): Promise<void> {
    await this.store.remove()
  }

  private get nowMs(): number {
    return this.trueMs + this.jumpMs
  }

  private async step(name: StepName): Promise<void> {
    const { collectors, store } = this
    switch (name) {
      case "append":
        return this.append(collectors.requests(this.nowMs))
      case "steady":
        return this.append(collectors.steady(this.nowMs))
      case "again":
        return collectors.sent.length > 0 ? this.append(collectors.again()) : undefined
      case "work":
        return this.work()
      case "quiesce":
        return this.quiesce()
      case "wait":
        return this.pass(collectors.pick([300_000, hourMs, 13 * hourMs, 2 * dayMs]))
      case "jump":
        this.jumpMs = collectors.pick([0, ...jumpsMs])
        this.jumpedSinceMs = store.elapsedMs
        return
      case "refuse":
        return store.refuse(collectors.below(12))
      case "crash":
        return store.crash()
      case "reopen":
        return store.reopen()
      case "check":
        store.whileRefusing(() => store.writer.flushIndex())
        await store.repair()
        return this.check([collectors.pick(resolutions)])
    }
  }

  /** Until it is acknowledged, as every client does. */
  private async append(requests: readonly SampleRequest[]): Promise<void> {
    const { store } = this
    const attempt = (): true => {
      // Names that only a refused append brought are lost with it, and their settings.
      appendCollected(store.writer, requests)
      return true
    }
    while (!store.whileRefusing(attempt)) await store.repair()
    for (const request of requests) this.model.add(request)
  }

  private work(): void {
    const { collectors, store } = this
    this.noteNow()
    for (let left = collectors.below(20); left > 0; left--) {
      store.maintain({ nowMs: this.nowMs, budgetMs: 0, idle: collectors.chance(0.8) })
      this.pass(collectors.pick([0, 0, 20_000]))
    }
  }

  private quiesce(): void {
    this.noteNow()
    const before = this.store.elapsedMs
    this.store.maintainAll(this.nowMs)
    this.trueMs += this.store.elapsedMs - before
  }

  private pass(ms: number): void {
    this.store.elapsedMs += ms
    this.trueMs += ms
    if (this.store.elapsedMs - this.jumpedSinceMs > jumpedMsMax) this.jumpMs = 0
  }

  private noteNow(): void {
    if (this.jumpMs < dayMs) this.latestMs = Math.max(this.latestMs, this.nowMs + hourMs)
  }

  /** Every series, where retention must have left it. */
  private check(asked: readonly Resolution[] = resolutions): void {
    assertSame(this.store, this.model, { asked, latestMs: this.latestMs })
  }
}

/** Relative frequency of each step. */
const stepWeights = {
  append: 4,
  steady: 1,
  again: 2,
  work: 2,
  quiesce: 2,
  wait: 2,
  jump: 1,
  refuse: 2,
  crash: 2,
  reopen: 1,
  check: 2,
}
type StepName = keyof typeof stepWeights
const stepNames = (Object.keys(stepWeights) as StepName[]).flatMap((name) =>
  Array.from({ length: stepWeights[name] }, () => name),
)
