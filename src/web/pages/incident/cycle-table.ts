/**
 * The table of cycles: what each condition of a policy found in each cycle, by the values that are
 * known now, next to those that were recorded when the cycle was closed.
 */

import type {
  CycleDetail,
  PolicyCondition,
  PolicyEvent,
  PolicyResults,
} from "../../api/incident/incident-answer.ts"
import type { TimeRange } from "../../url/time-range.ts"

export const cycleMs = 300_000

/** Cycles of a table: two hours. A longer incident shows its beginning or its end. */
export const shownCyclesMax = 24
/** Cycles before those that a policy needs, and after the last one in which it fired. */
const cyclesAround = 2

export type CellState = "holds" | "not" | "noValue" | "noBand"

export interface CycleCell {
  readonly state: CellState
  readonly value: number | null
  /** The value when the cycle was closed, if it was another one. */
  readonly recorded: number | null
}

export interface CycleRow {
  readonly conditionId: string
  readonly metricFqn: string
  readonly cells: readonly CycleCell[]
}

export interface FiringCell {
  readonly fires: boolean
  /** Whether it fired when the cycle was closed, if it is another answer. */
  readonly recorded: boolean | null
}

export interface CycleTable {
  readonly timestamps: readonly number[]
  readonly rows: readonly CycleRow[]
  readonly firing: readonly FiringCell[]
  /** Whether a value or an answer differs from what was recorded. */
  readonly isChanged: boolean
}

export interface FiredSpan {
  readonly firstMs: number
  readonly lastMs: number
  /** Cycles in a row that the policy needs. */
  readonly needed: number
  readonly nowMs: number
}

/** The span of a table, and whether the incident has more cycles than it shows. */
export function tableSpan(
  { firstMs, lastMs, needed, nowMs }: FiredSpan,
  part: "start" | "end",
): TimeRange & { readonly isPart: boolean } {
  // A duration that no table holds: the cycle in which the policy fires counts more than its first.
  const lead = Math.min(needed - 1 + cyclesAround, shownCyclesMax - 1 - cyclesAround)
  const startMs = cycleStart(firstMs) - lead * cycleMs
  const last = cycleStart(lastMs) + (1 + cyclesAround) * cycleMs
  const endMs = Math.max(startMs + cycleMs, Math.min(last, cycleStart(nowMs)))
  const lengthMs = shownCyclesMax * cycleMs
  if (endMs - startMs <= lengthMs) return { startMs, endMs, isPart: false }
  return part === "start"
    ? { startMs, endMs: startMs + lengthMs, isPart: true }
    : { startMs: endMs - lengthMs, endMs, isPart: true }
}

export function cycleStart(ms: number): number {
  return Math.floor(ms / cycleMs) * cycleMs
}

/** The cycles of a replay that lie in a span. */
export function cyclesWithin(detail: CycleDetail, { startMs, endMs }: TimeRange): CycleDetail {
  const within = <T>(column: readonly T[]): T[] => {
    return column.filter((_, i) => {
      const ms = detail.timestamps[i]!
      return startMs <= ms && ms < endMs
    })
  }
  return {
    timestamps: within(detail.timestamps),
    conditions: detail.conditions.map(({ id, metricFqn, ...columns }) => ({
      id,
      metricFqn,
      values: within(columns.values),
      thresholds: columns.thresholds && within(columns.thresholds),
      lower: columns.lower && within(columns.lower),
      upper: columns.upper && within(columns.upper),
      holds: within(columns.holds),
    })),
    fires: within(detail.fires),
  }
}

/** `events`: those that were recorded in the span of the replay. */
export function cycleTable(
  detail: CycleDetail,
  conditions: readonly PolicyCondition[],
  events: readonly PolicyEvent[],
): CycleTable {
  const { timestamps } = detail
  const recorded = new Map(events.map((event) => [cycleStart(event.timestamp), event]))
  const rows = detail.conditions.map((one): CycleRow => {
    const { id: conditionId, metricFqn } = one
    const isBand = one.lower !== undefined || conditions[Number(conditionId)]?.analytic !== "actual"
    const cells = timestamps.map((ms, i): CycleCell => {
      const value = one.values[i] ?? null
      const results = recorded.get(ms)?.results ?? null
      const found = results?.conditions.find(({ id }) => id === conditionId)
      const then = found === undefined ? null : recordedValue(found, metricFqn)
      const isOther = then !== null && !isClose(then, value)
      return { state: stateOf(one, i, isBand), value, recorded: isOther ? then : null }
    })
    return { conditionId, metricFqn, cells }
  })
  const firing = timestamps.map((ms, i): FiringCell => {
    const fires = detail.fires[i] === true
    const fired = recorded.has(ms)
    return { fires, recorded: fires === fired ? null : fired }
  })
  const isChanged =
    firing.some((cell) => cell.recorded !== null) ||
    rows.some(({ cells }) => cells.some((cell) => cell.recorded !== null))
  return { timestamps, rows, firing, isChanged }
}

function stateOf(one: CycleDetail["conditions"][number], i: number, isBand: boolean): CellState {
  if (one.holds[i] === true) return "holds"
  if ((one.values[i] ?? null) === null) return "noValue"
  const hasBand = one.lower === undefined || (one.lower[i] ?? null) !== null
  return isBand && !hasBand ? "noBand" : "not"
}

/** The value that was compared then: of a sudden change the percent, which a replay answers. */
function recordedValue(found: PolicyResults["conditions"][number], metricFqn: string) {
  const one = found.compared?.find((compared) => compared.metricFqn === metricFqn)
  if (one === undefined) return null
  return one.analytic === "suddenDeviation" ? one.changePercent : one.value
}

/** Rounding of a replay, whose bands and changes are computed again. */
const relativeError = 1e-5

function isClose(then: number, now: number | null): boolean {
  if (now === null) return false
  return Math.abs(then - now) <= relativeError * Math.max(Math.abs(then), Math.abs(now))
}
