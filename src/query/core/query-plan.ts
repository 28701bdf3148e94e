/** The result of the first half of a query, which the second half answers. */

import type { MessagePort } from "node:worker_threads"
import type { Span } from "../../model/span.ts"
import type { SeriesLocations } from "../../store/query-store.ts"

/** A query that was read and resolved, and the unflushed samples that its answer needs. */
export interface QueryPlanOf<Query> {
  /** Series whose unflushed samples the answer needs; empty if it needs none. */
  readonly series: Int32Array
  /** Span of these samples; null if `series` is empty. */
  readonly span: Span | null
  /** Set if the newest unflushed sample per series is enough: the query asks when it had data. */
  readonly onlyNewest?: true
  /** How several threads can read the series; absent if one thread does. */
  readonly partitioning?: Partitioning | undefined
  readonly query: Query
}

/** The unflushed samples that a plan asks for. */
export type SampleNeed = Pick<QueryPlanOf<unknown>, "series" | "span" | "onlyNewest">

/** Both. The newest samples of one span need not be those of another: all are asked for then. */
export function joinedNeeds(one: SampleNeed, other: SampleNeed): SampleNeed {
  if (one.span === null) return other
  if (other.span === null) return one
  const span = {
    startMs: Math.min(one.span.startMs, other.span.startMs),
    endMs: Math.max(one.span.endMs, other.span.endMs),
  }
  return { series: Int32Array.from(new Set([...one.series, ...other.series])), span }
}

/** The series of a plan, cut for several threads (parallel/partition.ts); structured-clonable. */
export interface Partitioning {
  /** Series of each partition, as the store cut them. */
  readonly partitions: readonly Int32Array[]
  /** For threads without a catalogue. */
  readonly locations: SeriesLocations
}

/** The coordinator's side of shared work (parallel/work-sharing.ts); its ports are transferred. */
export interface WorkQueue {
  readonly state: Int32Array
  /** Results of each scan worker, the first of which is thread 2. */
  readonly ports: readonly MessagePort[]
  /** Working memory of all threads of the query (working-memory.ts). */
  readonly workingUnits: Int32Array
}

/** The plan of a query that the catalogue alone answers. */
export function withoutSamples<Query>(query: Query): QueryPlanOf<Query> {
  return { series: new Int32Array(0), span: null, query }
}
