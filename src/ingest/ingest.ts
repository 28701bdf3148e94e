/**
 * Ingest: request bodies in, columns out.
 *
 *   body ─► scanner ── byte by byte; what is new, parsed ──► columns, and the news of them to
 *              │ any surprise: rolled back                    the catalogue
 *              ▼
 *           slow path ── valid ──► catalogue, columns
 *              └──────── not ────► errors that say where and why; nothing is kept
 *
 * Both paths mean the same: the scanner may only accept what the slow path accepts, and then leaves
 * the same columns. collectd's own JSON (labels/) goes down the slow path. A body is taken whole or
 * not at all, but for samples that are no observation
 * (left-out.ts).
 */

import type { Catalogue } from "../catalogue/catalogue.ts"
import type { SampleColumns } from "../model/sample-columns.ts"
import { CardinalityLimiter } from "./cardinality.ts"
import type { CardinalityLimits } from "./cardinality.ts"
import type { AcceptedPeriod, IngestRequest } from "./request.ts"
import { Scanner } from "./scanner/scanner.ts"
import { applyPlan } from "./parser/apply-plan.ts"
import { sampleLimitRefusal } from "./parser/sample-limit-error.ts"
import { accepted } from "./parser/outcome.ts"
import type { SampleLimitCheck, IngestOutcome, ParseDeps } from "./parser/outcome.ts"
import { parseBody } from "./parser/reference-parser.ts"

export type { CardinalityLimits } from "./cardinality.ts"
export { leftOutReasons } from "./left-out.ts"
export type { LeftOutReport } from "./left-out.ts"
export type { Charset, IngestRequest } from "./request.ts"
export type { SampleLimitCheck, IngestOutcome } from "./parser/outcome.ts"

export interface IngestReaderOptions {
  /** The one that changes; elements and metrics of valid bodies are added to it. */
  readonly catalogue: Catalogue
  /**
   * How far samples may lie behind and ahead of the server's clock, both included (spec/time §3).
   */
  readonly acceptPastMs: number
  readonly acceptFutureMs: number
  /** How much of a tenant may become known; any amount where absent. */
  readonly cardinality?: CardinalityLimits
  /** `WriteStore.crowd`; absent where any number of samples may come. */
  readonly checkSampleLimit?: SampleLimitCheck
  /** What the scanner may keep to recognise posts by; `scannerCacheBytesDefault` where absent. */
  readonly cacheBytesMax?: number
  /** False sends every body down the slow path. For tests and comparisons. */
  readonly scanner?: boolean
}

/** 100 bytes a series for a million series, and room for shapes. */
export const scannerCacheBytesDefault = 128 * 1024 * 1024

const noLimits: CardinalityLimits = {
  seriesMax: Infinity,
  newSeriesPerMinuteMax: Infinity,
  textBytesMax: Infinity,
}

export class IngestReader {
  /** Bodies that the scanner took, and bodies that it left to the slow path. */
  scannedBodies = 0
  parsedBodies = 0
  private readonly options: IngestReaderOptions
  private readonly scanner: Scanner | undefined
  private readonly cardinality: CardinalityLimiter

  constructor(options: IngestReaderOptions) {
    this.options = options
    this.cardinality = new CardinalityLimiter(options.catalogue, options.cardinality ?? noLimits)
    if (options.scanner !== false) {
      const cacheBytesMax = options.cacheBytesMax ?? scannerCacheBytesDefault
      this.scanner = new Scanner(options.catalogue, cacheBytesMax)
    }
  }

  /** What the scanner keeps to recognise posts by, in bytes, roughly. */
  get cacheBytes(): number {
    return this.scanner?.cache.byteSize ?? 0
  }

  /**
   * Reads one body into `columns`, as one request of theirs. Where it is refused, columns and
   * catalogue are as before.
   */
  read(body: Uint8Array, request: IngestRequest, columns: SampleColumns): IngestOutcome {
    const { catalogue, checkSampleLimit } = this.options
    const { cardinality, onChange } = this
    const period = this.period(request.nowMs)
    const mark = columns.startRequest()
    const reading = { catalogue, cardinality, request, period, columns, checkSampleLimit, onChange }
    let outcome = this.scan(body, reading, mark.count)
    if (outcome === undefined) {
      columns.rollback(mark)
      columns.startRequest()
      this.parsedBodies++
      outcome = parseBody(body, reading)
    }
    if (!outcome.ok) columns.rollback(mark)
    return outcome
  }

  /** What the scanner makes of a body; `undefined` where the slow path has to read it. */
  private scan(
    body: Uint8Array,
    reading: ParseDeps,
    firstSample: number,
  ): IngestOutcome | undefined {
    const { scanner } = this
    const { request, period, columns } = reading
    const elements = scanner?.read(body, request, period, columns) ?? -1
    if (scanner === undefined || elements < 0) return undefined
    this.scannedBodies++
    const { plan } = scanner.pendingChanges
    const tooMuch =
      plan === undefined
        ? sampleLimitRefusal(reading, firstSample)
        : applyPlan(plan, reading, firstSample)
    if (tooMuch !== undefined) return tooMuch
    if (plan !== undefined) scanner.commitChanges()
    return accepted(elements, columns.count - firstSample, scanner.leftOut.report())
  }

  /**
   * Tells that somebody else has changed metric definitions of an element: posts that were known to
   * say nothing new may do so now. What this reader changes itself, and changed infos, it sees by
   * itself.
   */
  invalidate(element: number): void {
    this.scanner?.invalidate(element)
  }

  private readonly onChange = (element: number): void => this.invalidate(element)

  private period(nowMs: number): AcceptedPeriod {
    const { acceptPastMs, acceptFutureMs } = this.options
    return { oldestMs: nowMs - acceptPastMs, newestMs: nowMs + acceptFutureMs }
  }
}
