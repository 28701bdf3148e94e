/**
 * POST `/policies/evaluate`: replays a policy over the past (spec/policies §10). Our own handler
 * sends it and has validated its body. Only closed cycles count, whose values are flushed, so the
 * writer is not asked.
 *
 *   scope ─► even sample ─► steps of a million values: history ─► replay of each element ─► summary
 */

import { suddenChangeValues } from "../../analysis/sudden-change.ts"
import { invalid, ServiceError } from "../../base/errors.ts"
import {
  durationMsMax,
  replayElementCyclesMax,
  replayStepValuesMax,
  replayValuesMax,
} from "../../base/limits/queries.ts"
import type { ElementIndex, TenantIndex } from "../../model/ids.ts"
import { isCycleWatched } from "../../model/closed-cycles.ts"
import { cycleMs } from "../../model/resolution.ts"
import type { Analytic, Policy } from "../../model/records/policy.ts"
import type { ConditionMatcher } from "../../policy/condition.ts"
import { PolicyMatcher } from "../../policy/policy-matcher.ts"
import { replayPolicy, type ReplayWindow } from "../../policy/replay.ts"
import { scopeSubjectOf } from "../../policy/subject.ts"
import { historyValuesMax } from "../../store/query-store.ts"
import { shown } from "../../wire/problems.ts"
import type { ReplayDetail } from "../../wire/records/policy-replay.ts"
import { defineQuery } from "../core/define-query.ts"
import { QueryParameters } from "../core/parameters.ts"
import type { QueryContext } from "../core/query-context.ts"
import { withoutSamples } from "../core/query-plan.ts"
import { readSchedulerState } from "../core/scheduler-state.ts"
import { readWindow, readWindowParameters } from "../core/window.ts"
import { cycleDetailOf } from "./cycle-detail.ts"
import { ElementPast, type PastColumns } from "./element-past.ts"
import { ReplaySummary } from "./replay-summary.ts"

/** Elements of which the number of metrics is counted to size the sample. */
const probesMax = 1_000

/** The body of the request. Its window is in the parameters. */
export interface PolicyReplayQuery {
  readonly policy: Policy
  /** Ids or FQNs; null for all elements in scope. */
  readonly elements: readonly string[] | null
  readonly detail: ReplayDetail
}

export const policyReplay = defineQuery({
  kind: "policyReplay",
  parse({ body, params, nowMs }, problems) {
    const asked = readWindowParameters(new QueryParameters(params, problems))
    const span = readWindow(asked, nowMs, problems)
    if (span.endMs - span.startMs > durationMsMax) {
      problems.add("startTime: expected a window of at most two weeks (P14D)")
    }
    return { ...(body as PolicyReplayQuery), span }
  },
  plan({ ids }, { elements, ...rest }, { tenant }) {
    const named = elements?.map((id) => {
      const element = ids.findElement(tenant, id)
      if (element < 0) throw new ServiceError("missing", `Cannot find element ${shown(id)}`)
      return element
    })
    const unique = named === undefined ? null : Int32Array.from(new Set(named))
    return withoutSamples({ ...rest, elements: unique })
  },
  async answer(context, { plan: { query }, tenant }) {
    const { policy, span, elements, detail } = query
    const matcher = new PolicyMatcher({ ...policy, id: "" })
    const window = await replayWindow(context, matcher, span)
    const inScope = elementsOf(context, tenant, { matcher, elements })
    // The values of an element tell why it has an incident also if it has left the scope.
    const wanted = detail === "cycles" ? [...elements!] : inScope
    const replayed = window.fromCycle < window.toCycle ? wanted : []
    const sample = sampled(context, replayed, matcher, window)
    const summary = new ReplaySummary(context, matcher, window)
    let cycleDetail
    for await (const past of readPasts(context, sample, matcher, window)) {
      context.budget.check()
      const replay = replayPolicy(matcher, past, window)
      summary.add(past, replay)
      if (detail === "cycles") cycleDetail = cycleDetailOf(matcher, past, { ...window, ...replay })
    }
    const counts = { matchedElements: inScope.length, isSampled: sample.length < replayed.length }
    return JSON.stringify({ ...summary.answer(counts), ...(cycleDetail && { cycleDetail }) })
  },
})

/** The cycles that lie in the window whole and are not after the last closed one. */
async function replayWindow(
  { store, budget }: QueryContext,
  matcher: PolicyMatcher,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): Promise<ReplayWindow> {
  const state = await readSchedulerState(store)
  // In the first days of 1970 there are not as many cycles before the window as are read.
  const firstCycle = matcher.cycles + suddenChangeValues
  const fromCycle = Math.max(firstCycle, Math.ceil(startMs / cycleMs))
  const lastCycle = Math.min(Math.floor(endMs / cycleMs), state?.next ?? 0)
  const toCycle = Math.max(fromCycle, lastCycle)
  const unwatched = new Set<number>()
  for (let cycle = fromCycle - matcher.cycles; cycle < toCycle; cycle++) {
    if (state === undefined || !isCycleWatched(state, cycle)) unwatched.add(cycle)
  }
  return { fromCycle, toCycle, unwatched, step: () => budget.step() }
}

/** The elements of a tenant in the policy's scope, of `elements` if they are named. */
function elementsOf(
  { store: { catalogue }, budget }: QueryContext,
  tenant: TenantIndex,
  { matcher, elements }: { readonly matcher: PolicyMatcher; readonly elements: Int32Array | null },
): ElementIndex[] {
  const found: ElementIndex[] = []
  const count = elements?.length ?? catalogue.elementCount
  for (let at = 0; at < count; at++) {
    budget.step()
    const element = elements?.[at] ?? at
    if (catalogue.elementTenant(element) !== tenant || catalogue.isDeleted(element)) continue
    const subject = scopeSubjectOf(catalogue.elementFqn(element), catalogue.elementInfo(element))
    if (matcher.scope.matches(subject)) found.push(element)
  }
  return found
}

/** An even sample of the elements, whose cycles and values stay under the limits. */
function sampled(
  { store: { catalogue }, budget }: QueryContext,
  elements: readonly ElementIndex[],
  matcher: PolicyMatcher,
  window: ReplayWindow,
): readonly ElementIndex[] {
  const cycles = cyclesRead(matcher, window)
  const probed = evenly(elements, probesMax)
  const metrics = probed.reduce((sum, element) => {
    budget.check()
    return sum + new ElementPast(catalogue, element, matcher).series.length
  }, 0)
  const valuesPerElement = (cycles * metrics) / Math.max(1, probed.length)
  const byValues = valuesPerElement === 0 ? Infinity : replayValuesMax / valuesPerElement
  return evenly(
    elements,
    Math.max(1, Math.floor(Math.min(replayElementCyclesMax / cycles, byValues))),
  )
}

/** Cycles of the window and those before it that its first ones depend on. */
function cyclesRead(matcher: PolicyMatcher, { fromCycle, toCycle }: ReplayWindow): number {
  return toCycle - fromCycle + matcher.cycles + suddenChangeValues
}

/** At most `countMax` items, at even distances. */
function evenly<Item>(items: readonly Item[], countMax: number): readonly Item[] {
  if (items.length <= countMax) return items
  const distance = items.length / countMax
  return Array.from({ length: countMax }, (_, at) => items[Math.floor(at * distance)]!)
}

/** Reads the history of elements, many at a time; each past is valid until the next one. */
async function* readPasts(
  context: QueryContext,
  elements: readonly ElementIndex[],
  matcher: PolicyMatcher,
  window: ReplayWindow,
): AsyncGenerator<ElementPast> {
  const { catalogue } = context.store
  const cycles = cyclesRead(matcher, window)
  const { toCycle } = window
  const read = async (step: readonly ElementPast[]) =>
    readColumns(context, step, matcher, { fromCycle: toCycle - cycles, toCycle })
  let step: ElementPast[] = []
  let rows = 0
  for (const element of elements) {
    context.budget.check()
    const past = new ElementPast(catalogue, element, matcher)
    const { length } = past.series
    checkValueCount(length * cycles, past, context)
    if (step.length > 0 && (rows + length) * cycles > replayStepValuesMax) {
      yield* usedOneByOne(step, await read(step))
      step = []
      rows = 0
    }
    step.push(past)
    rows += length
  }
  yield* usedOneByOne(step, await read(step))
}

function* usedOneByOne(
  pasts: readonly ElementPast[],
  columns: PastColumns,
): Generator<ElementPast> {
  let row = 0
  for (const past of pasts) {
    past.use(columns, row)
    yield past
    past.use(null)
    row += past.series.length
  }
}

async function readColumns(
  { store }: QueryContext,
  pasts: readonly ElementPast[],
  matcher: PolicyMatcher,
  { fromCycle, toCycle }: { readonly fromCycle: number; readonly toCycle: number },
): Promise<PastColumns> {
  const series = Int32Array.from(pasts.flatMap((past) => [...past.series]))
  const analytics = new Set(matcher.conditions.flatMap(analyticsOf))
  const withBands = analytics.has("baselineDeviation") || analytics.has("contextualDeviation")
  const contents = { withBands, withGapFills: true }
  const history = await store.bucketHistory(series, fromCycle, toCycle, contents)
  if (!analytics.has("suddenDeviation")) return { history, observed: null }
  const without = { withBands: false, withGapFills: false }
  const observed = await store.bucketHistory(series, fromCycle, toCycle, without)
  return { history, observed }
}

/** The analytics of a condition's metrics and of its threshold metric. */
function analyticsOf({ condition }: ConditionMatcher): (Analytic | null)[] {
  return [condition.analytic, condition.metricThresholdAnalytic]
}

function checkValueCount(values: number, past: ElementPast, { store }: QueryContext): void {
  if (values <= historyValuesMax) return
  throw invalid(
    `policy.conditions: they select ${past.series.length} metrics of element ` +
      `${shown(store.catalogue.elementFqn(past.element))}, with ${values} values in the window, ` +
      `more than ${historyValuesMax}: select fewer, or ask for a shorter window`,
  )
}
