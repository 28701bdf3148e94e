/** SampleSink: where imported samples go: a store that no server has open, or a running server. */

import type { JsonObject } from "../../base/json-value.ts"
import type { SampleFields } from "../../ingest/value.ts"

export interface SampleSink {
  /**
   * Adds what an ingest post without samples says about one element and its metrics. Throws
   * `invalid` if ingest would refuse it.
   */
  declare(post: JsonObject): void

  /** Number of a series, which is created if it is new. Names are cleaned. */
  seriesOf(element: string, metric: string): number

  /** Adds a sample to the open request. Returns false if its aggregates have no finite mean. */
  push(series: number, timeMs: number, fields: SampleFields): boolean

  /** True if the open request should end before a sample of another series or time. */
  readonly isFull: boolean

  /** Ends the open request: equal samples of one request are several (spec/samples §1). */
  endRequest(): void

  /** Called between pieces of input: bounds what waits. */
  drain(): Promise<void>

  /** Ends the open request; all samples are durable when it resolves. */
  end(): Promise<void>
}
