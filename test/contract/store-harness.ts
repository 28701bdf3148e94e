/**
 * The basis of the contract suite of stores: how an implementation is queried, and how its answers
 * are judged against the reference store.
 *
 *   story ──► Trial ──┬─► subject   the implementation, by its driver (store-driver.ts)
 *                     └─► model     MemoryStore (test/support/reference-store/memory-store.ts)
 *                 agree(): every query to both, answers compared
 *
 * Stories and answers have the model's numbers of series and elements. The implementation may
 * number otherwise: `Numbers` translates by name.
 */

import assert from "node:assert/strict"
import { exactSamplesMax } from "../../src/base/limits/queries.ts"
import type { Catalogue } from "../../src/catalogue/catalogue.ts"
import type { MetricPatch } from "../../src/model/element.ts"
import { dayMs, resolutions } from "../../src/model/resolution.ts"
import type { Resolution } from "../../src/model/resolution.ts"
import type { Span } from "../../src/model/span.ts"
import type { CycleBatch } from "../../src/store/cycle-store.ts"
import { bucketFields } from "../../src/store/query-store.ts"
import type {
  BucketConsumer,
  BucketTotals,
  BucketValuesRequest,
  LastSeenRequest,
  SampleRecord,
  SeriesStatistics,
  StatisticsRequest,
} from "../../src/store/query-store.ts"
import { MemoryStore } from "../support/reference-store/memory-store.ts"
import { retentionMsDefault } from "../support/reference-store/memory-retention.ts"
import { append, noonMs, upsertSeries } from "../support/ingest/samples.ts"
import { sized } from "../support/run/sizes.ts"
import type { SampleRequest, SeriesName } from "../support/ingest/samples.ts"
import { EmbeddedDriver } from "./store-driver.ts"
import type { MaintenanceStep, OpenDriver, OpenedStore, OpenStore } from "./store-driver.ts"
import type { StoreDriver } from "./store-driver.ts"
import { Numbers } from "./store-numbers.ts"
import { assertStatistics } from "./store-oracle.ts"

export interface ContractOptions {
  /** Runs of the random walk; the other properties take a quarter of it. */
  readonly runs: number
}

/** Given to every theme of the laws of the service. */
export interface Contract extends ContractOptions {
  readonly open: OpenDriver
}

/** Given to every theme of the laws of the embedded halves. */
export interface EmbeddedContract extends ContractOptions {
  readonly open: OpenStore
}

export type Stage = "nothing" | "step" | "settle" | "later" | "reopen"
/** Moments between two appends; the laws hold at all of them. */
export const stages = sized<readonly Stage[]>({
  quick: ["nothing", "later", "reopen"],
  long: ["nothing", "step", "settle", "later", "reopen"],
})

export class Trial {
  readonly model = new MemoryStore()
  readonly subject: StoreDriver

  constructor(subject: StoreDriver) {
    this.subject = subject
  }

  /** Series in one order for both, since the laws shuffle what is appended. */
  async declare(names: readonly SeriesName[], patch: MetricPatch = {}): Promise<number[]> {
    await this.edit((catalogue) => {
      for (const of of names) upsertSeries(catalogue, of, patch)
    })
    return names.map((of) => upsertSeries(this.model.catalogue, of))
  }

  /** The same change of both catalogues. */
  async edit(change: (catalogue: Catalogue) => void): Promise<void> {
    await this.subject.edit(change)
    change(this.model.catalogue)
    append(this.model)
  }

  /** The same group of requests to both. */
  async append(...requests: SampleRequest[]): Promise<void> {
    await this.appendToSubject(...requests)
    append(this.model, ...requests)
  }

  /** A group that the model has seen already, or shall see later. */
  async appendToSubject(...requests: SampleRequest[]): Promise<void> {
    assertWithin(requests)
    await this.subject.append(...requests)
  }

  async pass(stage: Stage, nowMs = noonMs): Promise<void> {
    if (stage === "step") await this.maintain({ nowMs, budgetMs: 0, idle: false })
    if (stage === "settle") await this.maintainFully(nowMs)
    if (stage === "later") await this.maintainFully(nowMs + 3 * dayMs)
    if (stage === "reopen") await this.subject.reopen()
  }

  /** One step of the subject's background work. */
  async maintain(step: MaintenanceStep): Promise<void> {
    await this.subject.maintain(step)
  }

  /** The subject's background work. */
  async maintainFully(nowMs: number): Promise<void> {
    await this.subject.maintainFully(nowMs)
  }

  /** Commits a cycle batch to both, once everything is flushed; returns whether it was new. */
  async commitCycle(batch: CycleBatch, nowMs = noonMs): Promise<boolean> {
    await this.subject.flush(nowMs)
    const isNew = await this.subject.commitCycle((await this.numbers()).batchOfSubject(batch))
    assert.equal(this.model.commitCycle(batch), isNew)
    return isNew
  }

  /** Every query about every series over `span`: the answers of both are the same. */
  async agree(span: Span = everything): Promise<void> {
    const { seriesCount } = this.model.catalogue
    const series = Int32Array.from({ length: seriesCount }, (_, index) => index)
    for (const resolution of resolutions) {
      for (const one of series) await this.agreeOnSamples(one, resolution, span)
      const request = { series, span, resolution, withValues: true, exact: false }
      await this.agreeOnStatistics(request)
    }
    await this.agreeOnLastSeen(series, span)
    for (const resolution of ["PT5M", "PT1H", "PT24H"] as const) {
      for (const field of bucketFields) {
        await this.agreeOnValues({ series, span, resolution, field })
      }
      await this.agreeOnTotals({ series, span, resolution })
    }
  }

  async agreeOnValues(request: BucketValuesRequest): Promise<void> {
    const { resolution, field, span } = request
    const got = new ValuesBySeries()
    const numbers = await this.numbers()
    const asked = { ...request, series: numbers.ofSubject(request.series) }
    await this.subject.bucketValues(asked, (series, timesMs, values) =>
      got.take(numbers.ofModel(series), timesMs, values),
    )
    const want = new ValuesBySeries()
    this.model.bucketValues(request, null, want.take)
    assert.deepEqual(got.found, want.found, `${field} of ${resolution} in ${spanText(span)}`)
  }

  /** Totals are those of the values; the sum differs in its last digits, a zero in its sign. */
  async agreeOnTotals(request: Omit<BucketValuesRequest, "field">): Promise<void> {
    const numbers = await this.numbers()
    const got = new Map<number, BucketTotals>()
    const asked = { ...request, series: numbers.ofSubject(request.series) }
    await this.subject.bucketTotals(asked, (series, totals) => {
      got.set(numbers.ofModel(series), { ...totals })
    })
    const about = `totals of ${request.resolution} in ${spanText(request.span)}`
    this.model.bucketTotals(request, null, (series, { sum, ...want }) => {
      const { sum: gotSum, ...rest } = got.get(series)!
      assert.deepEqual(withoutSignedZeros(rest), withoutSignedZeros(want), about)
      const most = want.count * Math.max(Math.abs(want.min), Math.abs(want.max))
      if (Number.isFinite(most)) assert.ok(Math.abs(gotSum - sum) <= most * 1e-9, about)
      got.delete(series)
    })
    assert.equal(got.size, 0, about)
  }

  async agreeOnLastSeen(series: Int32Array, span: Span): Promise<void> {
    const about = `last data in ${spanText(span)}`
    const want = this.model.lastSeen({ series, span, onlyWhether: false })
    assert.deepEqual(await this.lastSeen({ series, span, onlyWhether: false }), want, about)
    const whether = await this.lastSeen({ series, span, onlyWhether: true })
    const isSilent = (times: Float64Array) => Array.from(times, (timeMs) => Number.isNaN(timeMs))
    assert.deepEqual(isSilent(whether), isSilent(want), `whether there is ${about}`)
  }

  async agreeOnSamples(series: number, resolution: Resolution, span: Span): Promise<void> {
    const got = await this.samples(series, { resolution, span })
    const want = this.model.samples(Int32Array.of(series), { resolution, span })[0]!
    assertRecords(got, want, `${resolution} of series ${series} in ${spanText(span)}`)
  }

  async agreeOnStatistics(request: StatisticsRequest): Promise<void> {
    const got = await this.statistics(request)
    const want = this.model.statistics({ ...request, withValues: true })
    const about = `${request.resolution} statistics in ${spanText(request.span)}`
    const seriesOf = (answers: SeriesStatistics[]) => answers.map(({ series }) => series)
    assert.deepEqual(seriesOf(got), seriesOf(want), `${about}: series with values`)
    for (const [i, answer] of got.entries()) {
      const rankOnly = digestAllowed(request, want[i]!)
      assertStatistics(answer.statistics, want[i]!, { rankOnly, about })
      assertValues(answer, request.withValues ? want[i]! : {}, about)
    }
  }

  /** The subject's statistics. */
  async statistics(request: StatisticsRequest): Promise<SeriesStatistics[]> {
    const numbers = await this.numbers()
    const series = numbers.ofSubject(request.series)
    const answers = await this.subject.statistics({ ...request, series })
    return answers.map((answer) => ({ ...answer, series: numbers.ofModel(answer.series) }))
  }

  /** The subject's records of one series. */
  async samples(
    series: number,
    request: { readonly span: Span; readonly resolution: Resolution },
  ): Promise<SampleRecord[]> {
    const asked = (await this.numbers()).ofSubject(Int32Array.of(series))
    const [records] = await this.subject.samples(asked, request)
    return records!
  }

  private async lastSeen(request: LastSeenRequest): Promise<Float64Array> {
    const series = (await this.numbers()).ofSubject(request.series)
    return this.subject.lastSeen({ ...request, series })
  }

  /** Translates numbers between the subject's catalogue, as of now, and the model's. */
  async numbers(): Promise<Numbers> {
    return new Numbers(await this.subject.catalogue(), this.model.catalogue)
  }

  close(): Promise<void> {
    return this.subject.close()
  }
}

/** The order of a ranking does not tell -0 from 0, so a store may give either. */
function withoutSignedZeros(totals: Omit<BucketTotals, "sum">): Record<string, number> {
  return Object.fromEntries(Object.entries(totals).map(([name, value]) => [name, value + 0]))
}

/** Buckets by series. */
class ValuesBySeries {
  readonly found = new Map<number, { timesMs: number[]; values: number[] }>()

  readonly take: BucketConsumer = (series, timesMs, values) => {
    assert.equal(this.found.has(series), false, `series ${series} is passed once`)
    this.found.set(series, { timesMs: [...timesMs], values: [...values] })
  }
}

/** Runs a story on a trial of its own and closes it, also when the story fails. */
export async function withTrial(
  open: OpenDriver,
  story: (trial: Trial) => Promise<void> | void,
): Promise<void> {
  const trial = new Trial(await open({ retentionMs: retentionMsDefault }))
  try {
    await story(trial)
  } finally {
    await trial.close()
  }
}

/** A trial with both halves of an embedded store. */
export interface EmbeddedTrial {
  readonly trial: Trial
  /** The halves that are open now: reopening replaces them. */
  readonly halves: () => OpenedStore
}

/** As `withTrial`, for the laws of the embedded halves. */
export async function withHalves(
  open: OpenStore,
  story: (embedded: EmbeddedTrial) => Promise<void> | void,
): Promise<void> {
  const driver = new EmbeddedDriver(await open({ retentionMs: retentionMsDefault }))
  await withTrial(
    async () => driver,
    (trial) => story({ trial, halves: () => driver.opened }),
  )
}

/**
 * Everything that a story of this suite can hold. Not wider: a store looks at each of its days, for
 * each of some hundred queries, and all but a few are empty.
 */
export const everything: Span = { startMs: noonMs - 16 * dayMs, endMs: noonMs + 6 * dayMs }

function assertWithin(requests: readonly SampleRequest[]): void {
  for (const { timeMs } of requests.flat()) {
    const isWithin = everything.startMs <= timeMs && timeMs < everything.endMs
    assert.ok(isWithin, `${new Date(timeMs).toISOString()} is outside of what is asked for`)
  }
}

/**
 * Records are functions of the samples alone, so they are compared bit for bit (spec/samples §2).
 */
export function assertRecords(
  got: readonly SampleRecord[],
  want: readonly SampleRecord[],
  about: string,
): void {
  assert.deepEqual(got.map(recordText), want.map(recordText), `${about}: records`)
}

/** All of a catalogue that a store keeps, as plain data. */
export function catalogueContent(catalogue: Catalogue) {
  const range = (count: number) => Array.from({ length: count }, (_, index) => index)
  const definitions = Array.from(catalogue.definitionNumbers(), (index) => {
    return [index, catalogue.definition(index)]
  })
  return {
    elements: Array.from(catalogue.elements(), (element) => ({
      ...catalogue.storedElement(element),
      element,
      series: [...catalogue.storedElement(element).series],
    })),
    names: Array.from(catalogue.names(), (name) => ({
      ...catalogue.name(name),
      name,
      blocks: [...catalogue.partitionsOfName(name)],
    })),
    definitions,
    blocks: range(catalogue.partitionCount).map((block) => [...catalogue.partitionSeries(block)]),
    numbers: catalogue.numbers,
  }
}

function recordText({ timeMs, fields }: SampleRecord): string {
  const shown = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([field, value]) => `${field}=${Object.is(value, -0) ? "-0" : value}`)
  return `${new Date(timeMs).toISOString()} ${shown.join(" ")}`
}

function assertValues(
  got: SeriesStatistics,
  want: { readonly values?: Float64Array; readonly timesMs?: Float64Array },
  about: string,
): void {
  assert.deepEqual(
    got.values && [...got.values],
    want.values && [...want.values],
    `${about}: values`,
  )
  assert.deepEqual(
    got.timesMs && [...got.timesMs],
    want.timesMs && [...want.timesMs],
    `${about}: times`,
  )
}

/** Percentiles of ZERO may come from digests above the named limit, unless asked exactly. */
function digestAllowed(request: StatisticsRequest, want: SeriesStatistics): boolean {
  return request.resolution === "ZERO" && !request.exact && want.values!.length > exactSamplesMax
}

function spanText({ startMs, endMs }: Span): string {
  return `[${new Date(startMs).toISOString()}, ${new Date(endMs).toISOString()})`
}
