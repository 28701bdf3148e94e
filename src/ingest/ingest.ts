/**
 * Ingest: parses request bodies into sample columns.
 *
 *   body ─► scanner ── byte by byte; only new parts are parsed ──► columns, and a plan of the
 *              │ anything unexpected: rolled back                   changes to the catalogue
 *              ▼
 *           reference parser ── valid ────► catalogue, columns
 *              └─────────────── invalid ──► errors that say where and why; nothing is kept
 *
 * Both have the same semantics: the scanner may only accept what the reference parser accepts, and
 * then writes the same columns. collectd's own JSON (labels/) is read by the reference parser only.
 * A body is accepted as a whole or not at all, except for samples without an observation
 * (left-out.ts), and for what is new in a body over a cardinality limit (cardinality.ts).
 */

import type { Catalogue } from "../catalogue/catalogue.ts"
import type { ElementIndex } from "../model/ids.ts"
import type { SampleBatchBuilder } from "../model/sample-batch.ts"
import { CardinalityLimiter } from "./cardinality.ts"
import type { CardinalityLimits } from "./cardinality.ts"
import type { AcceptedPeriod, IngestRequest } from "./request.ts"
import { Scanner } from "./scanner/scanner.ts"
import { applyPlan, checkSamples } from "./parser/apply-plan.ts"
import { outcomeOf } from "./parser/outcome.ts"
import type { SampleLimitCheck, IngestOutcome, ParseDeps } from "./parser/outcome.ts"
import { parseBody } from "./parser/reference-parser.ts"

export type { CardinalityLimits } from "./cardinality.ts"
export { leftOutReasons } from "./left-out.ts"
export type { LeftOutReport } from "./left-out.ts"
export { charsets, type Charset, type IngestRequest } from "./request.ts"
export type { SampleLimitCheck, IngestOutcome } from "./parser/outcome.ts"

export interface IngestReaderOptions {
  /** Elements and metrics of valid bodies are added to it. */
  readonly catalogue: Catalogue
  /**
   * How far samples may be behind and ahead of the server's clock, both inclusive (spec/time §3).
   */
  readonly acceptPastMs: number
  readonly acceptFutureMs: number
  /** Unlimited if absent. */
  readonly cardinality?: CardinalityLimits
  /** The sample limit of the store; unlimited if absent. */
  readonly checkSampleLimit?: SampleLimitCheck
  /** Bound on the scanner's caches; `scannerCacheBytesDefault` if absent. */
  readonly cacheBytesMax?: number
  /** False sends every body to the reference parser. For tests and comparisons. */
  readonly scanner?: boolean
}

/** 100 bytes a series for a million series, and the sample templates. */
const scannerCacheBytesDefault = 128 * 1024 * 1024

const noLimits: CardinalityLimits = {
  seriesMax: Infinity,
  newSeriesPerMinuteMax: Infinity,
  textBytesMax: Infinity,
}

/**
 * @example
 * import { Catalogue } from "../catalogue/catalogue.ts"
 * import { SampleBatchBuilder } from "../model/sample-batch.ts"
 * const limits = { acceptPastMs: 86_400_000, acceptFutureMs: 300_000 }
 * const reader = new IngestReader({ catalogue: new Catalogue(), ...limits })
 * const sent = { tenant: 0, injectTimestamp: false, reportsLeftOut: true }
 * const nowMs = Date.UTC(2026, 0, 5)
 * const sample = { metricId: "cpu", timestamp: nowMs, val: 7 }
 * const body = Buffer.from(JSON.stringify([{ id: "web-1", samples: [sample] }]))
 * const columns = new SampleBatchBuilder()
 * assert.ok(reader.read(body, { ...sent, charset: "utf-8", nowMs }, columns).ok)
 * assert.equal(columns.count, 1)
 */
export class IngestReader {
  /** Bodies read by the scanner, and bodies left to the reference parser. */
  scannedBodies = 0
  parsedBodies = 0
  private readonly options: IngestReaderOptions
  private readonly scanner: Scanner | undefined
  private readonly cardinality: CardinalityLimiter

  constructor(options: IngestReaderOptions) {
    this.options = options
    this.cardinality = new CardinalityLimiter(options.catalogue, options.cardinality ?? noLimits)
    options.catalogue.onForgotten = this.onChange
    if (options.scanner !== false) {
      const cacheBytesMax = options.cacheBytesMax ?? scannerCacheBytesDefault
      this.scanner = new Scanner(options.catalogue, cacheBytesMax)
    }
  }

  /** Approximate size of the scanner's caches in bytes. */
  get cacheBytes(): number {
    return this.scanner?.cache.byteSize ?? 0
  }

  /**
   * Parses one body into `columns`, as one request of theirs. If it is refused, columns and
   * catalogue are unchanged.
   */
  read(body: Uint8Array, request: IngestRequest, columns: SampleBatchBuilder): IngestOutcome {
    const { catalogue, checkSampleLimit } = this.options
    const { cardinality, onChange } = this
    const period = this.period(request.nowMs)
    const checkpoint = columns.startRequest(request.injectTimestamp)
    const deps = { catalogue, cardinality, request, period, columns, checkSampleLimit, onChange }
    let outcome = this.scan(body, deps, checkpoint.count)
    if (outcome === undefined) {
      columns.rollback(checkpoint)
      columns.startRequest(request.injectTimestamp)
      this.parsedBodies++
      outcome = parseBody(body, deps)
    }
    if (!outcome.ok) columns.rollback(checkpoint)
    return outcome
  }

  /** The outcome of the scanner; `undefined` if the reference parser has to read the body. */
  private scan(body: Uint8Array, deps: ParseDeps, firstSample: number): IngestOutcome | undefined {
    const { scanner } = this
    const { request, period, columns } = deps
    const elements = scanner?.read(body, request, period, columns) ?? -1
    if (scanner === undefined || elements < 0) return undefined
    this.scannedBodies++
    const { plan } = scanner.pendingChanges
    const applied =
      plan === undefined ? checkSamples(deps, firstSample) : applyPlan(plan, deps, firstSample)
    // The templates of a plan that was applied in part are not cached.
    if (plan !== undefined && applied.refused === undefined) scanner.commitChanges()
    const samples = columns.count - firstSample
    return outcomeOf(applied, elements, samples, scanner.leftOut.report())
  }

  /**
   * Must be called after metric definitions of an element were changed elsewhere: posts known to
   * change nothing may now change something. Changes by this reader, and changed element infos, are
   * noticed without it.
   */
  invalidate(element: ElementIndex): void {
    this.scanner?.invalidate(element)
  }

  private readonly onChange = (element: ElementIndex): void => this.invalidate(element)

  private period(nowMs: number): AcceptedPeriod {
    const { acceptPastMs, acceptFutureMs } = this.options
    return { oldestMs: nowMs - acceptPastMs, newestMs: nowMs + acceptFutureMs }
  }
}
