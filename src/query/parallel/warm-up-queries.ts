/**
 * Warm-up queries, which run after the start so that the first query of a client finds code that V8
 * has parsed and compiled, type feedback, and the inner pages of the store in memory. They are
 * `GET /metrics/statistics` and `POST /metrics/crosselementagg` for the newest metric, limited to
 * its last partition. Their answers are dropped; the ids of elements stay cached, for which the
 * first query by id would wait.
 *
 * Measured (Node 20.20, 2 cores; two weeks × 1,000 elements × 1 metric, a sample a minute): CPU of
 * the whole process for the first query of its kind after a restart, and of all of this; without
 * rounds with the files evicted, with them in memory (evicted: up to a fifth more).
 *
 *   rounds                 none      1      2      3   warm
 *   one series            86 ms  20 ms  22 ms  14 ms  14 ms
 *   one day              250 ms 170 ms  98 ms  80 ms  49 ms
 *   across elements      143 ms 107 ms  83 ms  60 ms  39 ms
 *   two weeks of PT5M    593 ms 616 ms 509 ms 450 ms 347 ms
 *   two weeks of ZERO    611 ms 547 ms 483 ms 470 ms 274 ms
 *   costs once             0 ms 200 ms 270 ms 300 ms      –
 */

import type { Catalogue } from "../../catalogue/catalogue.ts"
import { dayMs } from "../../model/resolution.ts"
import type { QueryInput } from "../core/request.ts"
import type { QueryContext } from "../core/query-context.ts"

const rounds = 3
/**
 * A whole partition, so that code which runs per element is compiled. With 16 of them the first day
 * of 1,000 elements took 48 to 73 ms with the files evicted and the average across them 31 to 42;
 * with 256 it was 25 and 21 (one run), for 60 ms more of CPU at each start.
 */
const elementsMax = 256
/** Their ids are computed for the first query by id, 4 µs each: a fifth of a second. */
const elementsByIdMax = 50_000
const twoWeeksMs = 14 * dayMs

export interface WarmUpRequest extends QueryInput {
  readonly kind: "statistics" | "acrossElements"
}

/** The queries in order; none if the store has no metrics. */
export function warmUpQueries(context: QueryContext, nowMs: number): WarmUpRequest[] {
  const { catalogue } = context.store
  const newest = newestSeries(catalogue)
  if (newest < 0) return []
  const { tenant, fqn } = catalogue.name(catalogue.seriesName(newest))
  const elements = newestElements(context)
  const one = elements.slice(-1)
  // Yesterday may be compacted, today is not.
  const yesterdayMs = Math.floor(nowMs / dayMs - 1) * dayMs
  const ask = (resolution: string, startMs: number, body: readonly string[]): WarmUpRequest => {
    const window = { startTime: [iso(startMs)], endTime: [iso(nowMs)] }
    const params = { fqn: [fqn], rollup: [resolution], ...window }
    return { kind: "statistics", tenant, params, body, nowMs }
  }
  const across = {
    metricFqns: exactly([fqn]),
    elementIds: exactly(elements),
    startDate: iso(yesterdayMs),
    endDate: iso(nowMs),
  }
  const round: WarmUpRequest[] = [
    ask("PT5M", nowMs - twoWeeksMs, one),
    ask("PT5M", yesterdayMs, elements),
    { kind: "acrossElements", tenant, params: { jobId: [""] }, body: across, nowMs },
    ask("ZERO", nowMs - twoWeeksMs, one),
  ]
  return Array.from({ length: rounds }, () => round).flat()
}

/** Ids of elements in the newest partition; FQNs if the store has too many elements. */
function newestElements({ store, ids }: QueryContext): string[] {
  const { catalogue } = store
  const byId = catalogue.elementCount <= elementsByIdMax
  return Array.from(catalogue.partitionSeries(catalogue.partitionOf(newestSeries(catalogue))))
    .filter((series) => series >= 0)
    .slice(-elementsMax)
    .map((series) => catalogue.seriesElement(series))
    .map((element) => (byId ? ids.elementId(element) : catalogue.elementFqn(element)))
}

/** The newest series that is known; -1 if there is none. */
function newestSeries(catalogue: Catalogue): number {
  let series = catalogue.seriesCount - 1
  while (series >= 0 && !catalogue.isKnownSeries(series)) series--
  return series
}

function exactly(items: readonly string[]): object {
  const match = { literal: true, contains: true, queryType: "EXACT" }
  return { and: false, items: items.map((item) => ({ item, ...match })) }
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
