/**
 * The status of elements (spec/search §3): open incidents, expired checks, tags of maintenance, and
 * when their data was last seen. Without unflushed samples, which a query asks for by
 * `needOfNewest`, a sample counts when its cycle is flushed, for which `noDataAfterMs` has room.
 */

import { assert } from "../../base/assert.ts"
import { noDataAfterMs, statusLookBackMs } from "../../base/limits/search.ts"
import { sparseStrategyOf } from "../../model/effective-settings.ts"
import { collectedPercentFqn } from "../../model/fqn.ts"
import type { ElementIndex, SeriesIndex, TenantIndex } from "../../model/ids.ts"
import { eventLevels } from "../../model/records/event-level.ts"
import { openIncidentKind, type OpenIncident } from "../../model/records/incident.ts"
import { cycleMs } from "../../model/resolution.ts"
import type { Span } from "../../model/span.ts"
import { isInMaintenance } from "../../policy/maintenance.ts"
import { levelNumber, statusLevels, type StatusLevel } from "../../wire/filter/status-levels.ts"
import type { UnflushedSamples } from "../../store/append-store.ts"
import type { QueryContext } from "../core/query-context.ts"
import { readElementChecks } from "./element-checks.ts"
import { newestSampleMs } from "./newest-samples.ts"

/** Columns of some elements, in their order. */
export interface ElementStatusColumns {
  /** Numbers of levels. */
  readonly levels: Uint8Array
  readonly openIncidents: Int32Array
  /**
   * Time of the newest unflushed sample, else start of the newest cycle with data; NaN if there is
   * none within `statusLookBackMs`.
   */
  readonly lastSeenMs: Float64Array
}

/** Statuses by element: levels for a filter, and columns of those that pass it. */
export class ElementStatuses {
  private readonly columns: ElementStatusColumns
  /** By element: its position in the columns, -1 if it has none. */
  private readonly positions: Int32Array

  constructor(elementCount: number, elements: Int32Array, columns: ElementStatusColumns) {
    this.columns = columns
    this.positions = new Int32Array(elementCount).fill(-1)
    elements.forEach((element, i) => (this.positions[element] = i))
  }

  of(element: ElementIndex): StatusLevel {
    return statusLevels[this.columns.levels[this.positionOf(element)]!]!
  }

  columnsOf(elements: Int32Array): ElementStatusColumns {
    const { levels, openIncidents, lastSeenMs } = this.columns
    const positions = elements.map((element) => this.positionOf(element))
    return {
      levels: Uint8Array.from(positions, (at) => levels[at]!),
      openIncidents: positions.map((at) => openIncidents[at]!),
      lastSeenMs: Float64Array.from(positions, (at) => lastSeenMs[at]!),
    }
  }

  private positionOf(element: ElementIndex): number {
    const position = this.positions[element]!
    assert(position >= 0, `Expected the status of element ${element} to be read`)
    return position
  }
}

/** The statuses of all elements of a tenant that exist. */
export async function readElementStatuses(
  context: QueryContext,
  tenant: TenantIndex,
  unflushed: UnflushedSamples | null,
): Promise<ElementStatuses> {
  const all = elementsOf(context, tenant)
  const columns = await elementStatuses(context, tenant, all, unflushed)
  return new ElementStatuses(context.store.catalogue.elementCount, all, columns)
}

/** All elements of a tenant that exist. */
export function elementsOf(context: QueryContext, tenant: TenantIndex): Int32Array {
  const { catalogue } = context.store
  const { elementCount } = catalogue
  const elements: number[] = []
  for (let element = 0; element < elementCount; element++) {
    context.budget.step()
    if (catalogue.elementTenant(element) !== tenant || catalogue.isDeleted(element)) continue
    elements.push(element)
  }
  return Int32Array.from(elements)
}

/** The status of each of these elements of a tenant. */
export async function elementStatuses(
  context: QueryContext,
  tenant: TenantIndex,
  elements: Int32Array,
  unflushed: UnflushedSamples | null,
): Promise<ElementStatusColumns> {
  const { store, budget, nowMs } = context
  const { catalogue } = store
  const alarms = await readAlarms(context, tenant)
  const lastSeenMs = await lastSeenOf(context, elements, unflushed)
  const levels = new Uint8Array(elements.length)
  const openIncidents = new Int32Array(elements.length)
  elements.forEach((element, i) => {
    budget.step()
    const { serviceTags, createdMs } = catalogue.elementInfo(element)
    const alarm = alarms.get(catalogue.elementFqn(element))
    openIncidents[i] = alarm?.openIncidents ?? 0
    levels[i] = levelNumber(
      isInMaintenance(serviceTags, nowMs)
        ? "maintenance"
        : (alarm?.level ?? activityLevel(lastSeenMs[i]!, createdMs, nowMs)),
    )
  })
  return { levels, openIncidents, lastSeenMs }
}

/** An element that is new may have data that is not flushed yet. */
function activityLevel(lastSeenMs: number, createdMs: number, nowMs: number): "ok" | "noData" {
  const oldestMs = nowMs - noDataAfterMs
  return lastSeenMs >= oldestMs || createdMs >= oldestMs ? "ok" : "noData"
}

interface Alarm {
  level: AlarmLevel
  openIncidents: number
}
type AlarmLevel = "info" | "warning" | "critical"

const levelOfEvent = { INFO: "info", WARNING: "warning", CRITICAL: "critical" } as const
const alarmLevels: readonly AlarmLevel[] = eventLevels.map((level) => levelOfEvent[level])

/** Open incidents and expired checks by the FQN of the element. */
async function readAlarms(
  context: QueryContext,
  tenant: TenantIndex,
): Promise<ReadonlyMap<string, Alarm>> {
  const alarms = new Map<string, Alarm>()
  const raise = (elementFqn: string, level: AlarmLevel, openIncidents: 0 | 1) => {
    const known = alarms.get(elementFqn)
    if (known === undefined) {
      alarms.set(elementFqn, { level, openIncidents })
      return
    }
    known.openIncidents += openIncidents
    if (alarmLevels.indexOf(level) > alarmLevels.indexOf(known.level)) known.level = level
  }
  for (const { document } of await context.store.listDocuments(openIncidentKind(tenant))) {
    const { incident, event } = document as OpenIncident
    raise(incident.elementFqn, levelOfEvent[event.level], 1)
  }
  const checks = await readElementChecks(context, tenant)
  for (const { elementFqn, expiresMs } of checks.all()) {
    if (expiresMs <= context.nowMs) raise(elementFqn, "warning", 0)
  }
  return alarms
}

/**
 * When each element was last seen: by unflushed samples those that sent in the present cycle. One
 * metric of each decides most of the others, as clients post all metrics together: it was seen in
 * the newest cycle of all. Of what is left every metric is looked up in recent cycles; elements
 * without recent data are as old as that one metric, if it has any.
 */
async function lastSeenOf(
  context: QueryContext,
  elements: Int32Array,
  unflushed: UnflushedSamples | null,
): Promise<Float64Array> {
  const { nowMs } = context
  // Timestamps may be a little ahead of the clock.
  const endMs = nowMs + cycleMs
  const recent = { startMs: nowMs - noDataAfterMs, endMs }
  const newest = newestSampleMs(context, unflushed)
  const seenMs = Float64Array.from(elements, (element) => newest.get(element) ?? NaN)
  const notSince = (ms: number) => (position: number) => !(seenMs[position]! >= ms)
  const positions = Array.from(elements.keys()).filter(notSince(startOfCycle(nowMs)))
  const lookUp = { elements, seenMs }
  await noteSeen(context, { ...lookUp, positions, span: recent, metricsMax: 1 })
  let newestMs = -Infinity
  for (const position of positions) newestMs = Math.max(newestMs, seenMs[position]! || -Infinity)
  const behind = positions.filter(notSince(startOfCycle(newestMs)))
  await noteSeen(context, { ...lookUp, positions: behind, span: recent, metricsMax: Infinity })
  const longAgo = { startMs: nowMs - statusLookBackMs, endMs }
  for (const metricsMax of [1, Infinity]) {
    const silent = behind.filter((position) => Number.isNaN(seenMs[position]!))
    await noteSeen(context, { ...lookUp, positions: silent, span: longAgo, metricsMax })
  }
  return seenMs
}

function startOfCycle(ms: number): number {
  return Math.floor(ms / cycleMs) * cycleMs
}

/** Raises `seenMs` of these positions to the newest time of their first `metricsMax` metrics. */
async function noteSeen(
  context: QueryContext,
  { elements, seenMs, positions, span, metricsMax }: SeenLookUp,
): Promise<void> {
  const series: number[] = []
  const owners: number[] = []
  for (const position of positions) {
    for (const one of collectedSeries(context, elements[position]!, metricsMax)) {
      series.push(one)
      owners.push(position)
    }
  }
  if (series.length === 0) return
  const request = { series: Int32Array.from(series), span, onlyWhether: false }
  const times = await context.store.lastSeen(request, null)
  times.forEach((ms, i) => {
    const position = owners[i]!
    if (!(seenMs[position]! >= ms)) seenMs[position] = ms
  })
}

interface SeenLookUp {
  readonly elements: Int32Array
  readonly seenMs: Float64Array
  readonly positions: readonly number[]
  readonly span: Span
  readonly metricsMax: number
}

/** Metrics that have values only if samples arrive: closings fill gaps of the others. */
function* collectedSeries(
  { store, budget }: QueryContext,
  element: ElementIndex,
  countMax: number,
): Generator<SeriesIndex> {
  const { catalogue } = store
  let count = 0
  for (const series of catalogue.elementSeries(element)) {
    budget.step()
    if (sparseStrategyOf(catalogue.seriesDefinition(series)) !== "None") continue
    if (catalogue.metricFqn(series) === collectedPercentFqn) continue
    yield series
    if (++count >= countMax) return
  }
}
