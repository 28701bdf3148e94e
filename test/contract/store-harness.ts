/**
 * What the contract suite of stores stands on: how an implementation is opened, how it is asked,
 * and how its answers are judged against the reference store.
 *
 *   story ──► Trial ──┬─► subject   the implementation: writer and reader
 *                     └─► model     MemoryStore (test/support/reference-store/memory-store.ts)
 *                 agree(): every question to both, answers compared
 */

import assert from "node:assert/strict"
import { exactSamplesMax } from "../../src/base/limits.ts"
import type { Catalogue } from "../../src/catalogue/catalogue.ts"
import type { MetricPatch } from "../../src/model/element.ts"
import { cycleMs, dayMs, resolutions } from "../../src/model/resolution.ts"
import type { Resolution } from "../../src/model/resolution.ts"
import type { Span } from "../../src/model/span.ts"
import { MemoryStore } from "../support/reference-store/memory-store.ts"
import { retentionMsDefault } from "../support/reference-store/memory-retention.ts"
import type { RetentionMs } from "../support/reference-store/memory-retention.ts"
import { bucketFields } from "../../src/store/query-store.ts"
import type { UnflushedSamples } from "../../src/store/append-store.ts"
import type {
  BucketValuesRequest,
  LastSeenRequest,
  SampleRecord,
  SeriesStatistics,
  StatisticsRequest,
} from "../../src/store/query-store.ts"
import type { ReadStore, WriteStore } from "../../src/store/store.ts"
import { append, noonMs, upsertSeries } from "../support/samples.ts"
import type { SampleRequest, SeriesName } from "../support/samples.ts"
import { assertStatistics } from "./store-oracle.ts"

/** An implementation, opened for one story. */
export interface OpenedStore {
  readonly writer: WriteStore
  readonly reader: ReadStore
  /**
   * Closes and opens again from what is kept; an implementation that keeps nothing returns itself.
   */
  reopen(): Promise<OpenedStore>
  /** Closes writer and reader, and forgets all that was kept. */
  close(): Promise<void>
  /** Background work at `nowMs` until nothing is due (`maintainFully` below fits most). */
  maintainFully(nowMs: number): void
}

export interface OpenOptions {
  readonly retentionMs: RetentionMs
}

/** Opens an empty store of its own for each call. */
export type OpenStore = (options: OpenOptions) => Promise<OpenedStore>

export interface ContractOptions {
  /** Runs of the random walk; the other properties take a quarter of it. */
  readonly runs: number
}

/** Given to every theme of the suite. */
export interface Contract extends ContractOptions {
  readonly open: OpenStore
}

/** One maintenance step after the other until no more is due. */
export function maintainFully(writer: WriteStore, nowMs: number): void {
  const stepsMax = 100_000
  for (let step = 0; step < stepsMax; step++) {
    if (!writer.maintain({ nowMs, budgetMs: 1_000, idle: true }).moreDue) return
  }
  assert.fail(`Expected maintain() to come to an end within ${stepsMax} steps`)
}

/**
 * The span whose open samples a question needs: whole days, since a bucket counts by its start but
 * holds samples up to its end, and a day is the widest bucket.
 */
export function unflushedSpan(span: Span): Span {
  return {
    startMs: Math.floor(span.startMs / dayMs) * dayMs,
    endMs: Math.ceil(span.endMs / dayMs) * dayMs,
  }
}

export type Stage = (typeof stages)[number]
/** Moments between two appends; the laws hold at all of them. */
export const stages = ["nothing", "step", "settle", "later", "reopen"] as const

export class Trial {
  readonly model = new MemoryStore()
  private current: OpenedStore

  static async begin(open: OpenStore): Promise<Trial> {
    return new Trial(await open({ retentionMs: retentionMsDefault }))
  }

  private constructor(current: OpenedStore) {
    this.current = current
  }

  get subject(): OpenedStore {
    return this.current
  }

  /** Series in one order for both, since the laws shuffle what is appended. */
  declare(names: readonly SeriesName[], say: MetricPatch = {}): number[] {
    for (const of of names) upsertSeries(this.current.writer.catalogue, of, say)
    // Only what an append took along outlives the writer.
    append(this.current.writer)
    return names.map((of) => upsertSeries(this.model.catalogue, of, say))
  }

  /** The same group of requests to both. */
  append(...requests: SampleRequest[]): void {
    assertWithin(requests)
    append(this.current.writer, ...requests)
    append(this.model, ...requests)
  }

  /** A group that the model has seen already, or shall see later. */
  appendToSubject(...requests: SampleRequest[]): void {
    assertWithin(requests)
    append(this.current.writer, ...requests)
  }

  /** Brings the reader to what was appended, as a question does. */
  refresh(): void {
    this.current.writer.flushIndex()
    this.current.reader.refresh()
  }

  async pass(stage: Stage, nowMs = noonMs): Promise<void> {
    const { writer } = this.current
    if (stage === "step") writer.maintain({ nowMs, budgetMs: 0, idle: false })
    if (stage === "settle") this.current.maintainFully(nowMs)
    if (stage === "later") this.current.maintainFully(nowMs + 3 * dayMs)
    if (stage === "reopen") this.current = await this.current.reopen()
  }

  /** Every question about every series over `span`: the answers of both are the same. */
  agree(span: Span = everything): void {
    const { seriesCount } = this.model.catalogue
    const series = Int32Array.from({ length: seriesCount }, (_, index) => index)
    for (const resolution of resolutions) {
      for (const one of series) this.agreeOnSamples(one, resolution, span)
      const question = { series, span, resolution, withValues: true, exact: false }
      this.agreeOnStatistics(question)
    }
    this.agreeOnLastSeen(series, span)
    for (const resolution of ["PT5M", "PT1H", "PT24H"] as const) {
      for (const field of bucketFields) this.agreeOnValues({ series, span, resolution, field })
    }
  }

  agreeOnValues(question: BucketValuesRequest): void {
    const { resolution, field, span } = question
    const got = askValues(this.current, question)
    const want = valuesOf(this.model, question, null)
    assert.deepEqual(got, want, `${field} of ${resolution} in ${spanText(span)}`)
  }

  agreeOnLastSeen(series: Int32Array, span: Span): void {
    const about = `last data in ${spanText(span)}`
    const want = this.model.lastSeen({ series, span, onlyWhether: false })
    assert.deepEqual(askLastSeen(this.current, { series, span, onlyWhether: false }), want, about)
    const whether = askLastSeen(this.current, { series, span, onlyWhether: true })
    const isSilent = (times: Float64Array) => Array.from(times, (timeMs) => Number.isNaN(timeMs))
    assert.deepEqual(isSilent(whether), isSilent(want), `whether there is ${about}`)
  }

  agreeOnSamples(series: number, resolution: Resolution, span: Span): void {
    const got = askSamples(this.current, series, { resolution, span })
    const want = this.model.samples(Int32Array.of(series), { resolution, span })[0]!
    assertRecords(got, want, `${resolution} of series ${series} in ${spanText(span)}`)
  }

  agreeOnStatistics(question: StatisticsRequest): void {
    const got = askStatistics(this.current, question)
    const want = this.model.statistics({ ...question, withValues: true })
    const about = `${question.resolution} statistics in ${spanText(question.span)}`
    const seriesOf = (answers: SeriesStatistics[]) => answers.map(({ series }) => series)
    assert.deepEqual(seriesOf(got), seriesOf(want), `${about}: series with values`)
    for (const [i, answer] of got.entries()) {
      const rankOnly = digestAllowed(question, want[i]!)
      assertStatistics(answer.statistics, want[i]!, { rankOnly, about })
      assertValues(answer, question.withValues ? want[i]! : {}, about)
    }
  }

  close(): Promise<void> {
    return this.current.close()
  }
}

/** Runs a story on a trial of its own and closes it, also when the story fails. */
export async function withTrial(
  open: OpenStore,
  story: (trial: Trial) => Promise<void> | void,
): Promise<void> {
  const trial = await Trial.begin(open)
  try {
    await story(trial)
  } finally {
    await trial.close()
  }
}

/**
 * Everything that a story of this suite can hold. Not wider: a store looks at each of its days, for
 * each of some hundred questions, and all but a few are empty.
 */
export const everything: Span = { startMs: noonMs - 16 * dayMs, endMs: noonMs + 6 * dayMs }

function assertWithin(requests: readonly SampleRequest[]): void {
  for (const { timeMs } of requests.flat()) {
    const isWithin = everything.startMs <= timeMs && timeMs < everything.endMs
    assert.ok(isWithin, `${new Date(timeMs).toISOString()} is outside of what is asked for`)
  }
}

/** As the query room asks: the writer first, then the reader (store.ts). */
export function askStatistics(
  { writer, reader }: Pick<OpenedStore, "writer" | "reader">,
  question: StatisticsRequest,
): SeriesStatistics[] {
  const open = writer.unflushedSamples(question.series, unflushedSpan(question.span))
  writer.flushIndex()
  reader.refresh()
  return reader.statistics(question, open)
}

export function askLastSeen(
  { writer, reader }: OpenedStore,
  question: LastSeenRequest,
): Float64Array {
  const { series, span, onlyWhether } = question
  // To the cycle: of a wider span the first sample might lie outside.
  const cycles = {
    startMs: Math.floor(span.startMs / cycleMs) * cycleMs,
    endMs: Math.ceil(span.endMs / cycleMs) * cycleMs,
  }
  const open = writer.unflushedSamples(
    series,
    onlyWhether ? cycles : unflushedSpan(span),
    onlyWhether,
  )
  writer.flushIndex()
  reader.refresh()
  return reader.lastSeen(question, open)
}

/** Buckets by series; the model is asked the same way. */
export function askValues(
  { writer, reader }: OpenedStore,
  question: BucketValuesRequest,
): Map<number, { timesMs: number[]; values: number[] }> {
  const open = writer.unflushedSamples(question.series, unflushedSpan(question.span))
  writer.flushIndex()
  reader.refresh()
  return valuesOf(reader, question, open)
}

function valuesOf(reader: ReadStore, question: BucketValuesRequest, open: UnflushedSamples | null) {
  const found = new Map<number, { timesMs: number[]; values: number[] }>()
  reader.bucketValues(question, open, (series, timesMs, values) => {
    assert.equal(found.has(series), false, `series ${series} is told once`)
    found.set(series, { timesMs: [...timesMs], values: [...values] })
  })
  return found
}

export function askSamples(
  { writer, reader }: Pick<OpenedStore, "writer" | "reader">,
  series: number,
  question: { readonly span: Span; readonly resolution: Resolution },
): SampleRecord[] {
  const open: UnflushedSamples = writer.unflushedSamples(
    Int32Array.of(series),
    unflushedSpan(question.span),
  )
  writer.flushIndex()
  reader.refresh()
  return reader.samples(Int32Array.of(series), question, open)[0]!
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
export function catalogueContent(catalogue: Catalogue): unknown {
  const range = (count: number) => Array.from({ length: count }, (_, index) => index)
  return {
    elements: range(catalogue.elementCount).map((element) => ({
      ...catalogue.storedElement(element),
      series: [...catalogue.storedElement(element).series],
    })),
    names: range(catalogue.nameCount).map((name) => ({
      ...catalogue.name(name),
      blocks: [...catalogue.partitionsOfName(name)],
    })),
    definitions: range(catalogue.definitionCount).map((index) => catalogue.definition(index)),
    blocks: range(catalogue.partitionCount).map((block) => [...catalogue.partitionSeries(block)]),
    seriesCount: catalogue.seriesCount,
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
function digestAllowed(question: StatisticsRequest, want: SeriesStatistics): boolean {
  return question.resolution === "ZERO" && !question.exact && want.values!.length > exactSamplesMax
}

function spanText({ startMs, endMs }: Span): string {
  return `[${new Date(startMs).toISOString()}, ${new Date(endMs).toISOString()})`
}
