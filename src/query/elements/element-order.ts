/**
 * Puts elements in order of a field of their documents, a fact of their status (spec/search §3), or
 * the values of a metric. Whatever is compared becomes a number an element, NaN if it is missing;
 * equal elements are in order of their names.
 */

import { assert } from "../../base/assert.ts"
import { invalid } from "../../base/errors.ts"
import { rankedElementsMax } from "../../base/limits/search.ts"
import { seriesBucketsMax } from "../../base/limits/series.ts"
import type { ElementIndex, TenantIndex } from "../../model/ids.ts"
import { dayMs, type BucketResolution } from "../../model/resolution.ts"
import type { Span } from "../../model/span.ts"
import type { UnflushedSamples } from "../../store/append-store.ts"
import { elementFields, type ElementField } from "../../wire/elements/element-document.ts"
import {
  statusFields,
  type ElementSortField,
  type StatusField,
} from "../../wire/filter/element-query-body.ts"
import type { Filter } from "../../wire/filter/list-group.ts"
import type { Sort, SortedValues } from "../../wire/filter/sort-body.ts"
import { levelRank } from "../../wire/filter/status-levels.ts"
import { shown } from "../../wire/problems.ts"
import type { QueryContext } from "../core/query-context.ts"
import type { SampleNeed } from "../core/query-plan.ts"
import { unflushedSpan } from "../core/window.ts"
import { effectiveTags } from "../filter/columns.ts"
import { readElementChecks } from "../filter/element-checks.ts"
import { elementStatuses } from "../filter/element-statuses.ts"
import { needOfNewest } from "../filter/newest-samples.ts"
import { findElements } from "../filter/search.ts"
import { tagOf } from "../metrics/result-order.ts"
import { chosenResolution } from "../series/column-grid.ts"
import { readRetention } from "../series/series-plan.ts"
import { rankSeries } from "../series/series-rank.ts"
import { elementSubject, fieldsWithChecks, withoutEvents } from "./element.ts"
import { collectedPercents, neverProcessed, processingStatuses } from "./processing-status.ts"

/** A sort that was read, with the window of its metric. */
export interface ElementOrder extends Sort<ElementSortField> {
  /** Null if it sorts by no metric. */
  readonly window: Span | null
}

/** Buckets of a window by which a metric is compared: those of a spark of a page. */
const columns = 32

const noSamples: SampleNeed = { series: new Int32Array(0), span: null }

/** The unflushed samples that an order of the elements of a filter needs. */
export async function needOfOrder(
  context: QueryContext,
  tenant: TenantIndex,
  { filter, order }: { readonly filter: Filter; readonly order: ElementOrder | null },
): Promise<SampleNeed> {
  if (order === null) return noSamples
  const { field, tag, window } = order
  if (field !== "level" && field !== "lastSeen" && window === null) return noSamples
  // A filter by status is decided when the samples are there.
  const { elementStatuses: _, ...others } = filter
  const found = (await findElements(context, tenant, others)).toArray()
  if (window === null) return needOfNewest(context, found)
  const series = seriesOfMetric(context, found, tag!).filter((one) => one >= 0)
  if (series.length > rankedElementsMax) {
    throw invalid(
      `sort.field: ${series.length} elements that pass have the metric ${shown(tag)}, more than ` +
        `${rankedElementsMax}: narrow the filter`,
    )
  }
  return { series, span: series.length === 0 ? null : unflushedSpan(window) }
}

interface Ordered {
  readonly order: ElementOrder
  readonly tenant: TenantIndex
  readonly unflushed: UnflushedSamples | null
}

/** The elements in order; missing values go where the sort says, in either direction. */
export async function elementsInOrder(
  context: QueryContext,
  elements: Int32Array,
  ordered: Ordered,
): Promise<Int32Array> {
  const { budget, store } = context
  const { descending, missingFirst } = ordered.order
  const keys = await keysOf(context, elements, ordered)
  const missing = missingFirst ? -Infinity : Infinity
  const ranks = keys.map((key) => (Number.isNaN(key) ? missing : descending ? -key : key))
  const names = Array.from(elements, (element) => store.catalogue.elementInfo(element).name)
  const positions = Array.from(elements, (_, position) => position)
  positions.sort((left, right) => {
    budget.step()
    const [one, other] = [ranks[left]!, ranks[right]!]
    if (one !== other) return one < other ? -1 : 1
    const [name, otherName] = [names[left]!, names[right]!]
    if (name !== otherName) return name < otherName ? -1 : 1
    return left - right
  })
  return Int32Array.from(positions, (position) => elements[position]!)
}

/** A number for each element, by which it is compared. */
async function keysOf(
  context: QueryContext,
  elements: Int32Array,
  { order, tenant, unflushed }: Ordered,
): Promise<Float64Array> {
  const { field, window, values } = order
  if (values !== null) {
    assert(window !== null, "Expected the window of a sort by a metric")
    return metricKeys(context, elements, { metric: order.tag!, window, values, unflushed })
  }
  if (isStatusField(field)) return statusKeys[field](context, elements, { tenant, unflushed })
  return textKeys(context, await textsOf(context, elements, { field, tag: order.tag, tenant }))
}

function isStatusField(field: ElementSortField): field is StatusField {
  return statusFields.some((one) => one === field)
}

type StatusKeys = (
  context: QueryContext,
  elements: Int32Array,
  of: Omit<Ordered, "order">,
) => Promise<Float64Array>

const statusKeys: Readonly<Record<StatusField, StatusKeys>> = {
  async level(context, elements, { tenant, unflushed }) {
    const { levels } = await elementStatuses(context, tenant, elements, unflushed)
    return Float64Array.from(levels, levelRank)
  },
  async openIncidents(context, elements, { tenant, unflushed }) {
    const { openIncidents } = await elementStatuses(context, tenant, elements, unflushed)
    return Float64Array.from(openIncidents)
  },
  async lastSeen(context, elements, { tenant, unflushed }) {
    return (await elementStatuses(context, tenant, elements, unflushed)).lastSeenMs
  },
  collectedPercent: (context, elements) => collectedPercents(context, elements),
  async created({ store }, elements) {
    return Float64Array.from(elements, (one) => store.catalogue.elementInfo(one).createdMs)
  },
}

interface MetricKeys {
  readonly metric: string
  readonly window: Span
  readonly values: SortedValues
  readonly unflushed: UnflushedSamples | null
}

async function metricKeys(
  context: QueryContext,
  elements: Int32Array,
  { metric, window, values: { by }, unflushed }: MetricKeys,
): Promise<Float64Array> {
  const keys = new Float64Array(elements.length).fill(NaN)
  const all = seriesOfMetric(context, elements, metric)
  const positions = [...all.keys()].filter((position) => all[position]! >= 0)
  const series = Int32Array.from(positions, (position) => all[position]!)
  const resolution = await resolutionOf(context, window)
  const ranks = await rankSeries(context, series, { window, resolution, by, unflushed })
  positions.forEach((position, i) => (keys[position] = ranks[i]!))
  return keys
}

/** Buckets, as charts choose them: the raw samples of 20,000 elements take seconds. */
async function resolutionOf(context: QueryContext, window: Span): Promise<BucketResolution> {
  if (window.endMs - window.startMs > seriesBucketsMax * dayMs) {
    throw invalid(`sort.startTime: expected a window of at most ${seriesBucketsMax} days`)
  }
  const retained = await readRetention(context)
  const retainedFromMs = (resolution: keyof typeof retained) => retained[resolution]
  const found = chosenResolution(window, columns, { allowsRaw: false, retainedFromMs })
  assert(found !== "ZERO", "Expected buckets")
  return found
}

/** The series of the metric of each element, -1 if it has none. */
function seriesOfMetric(
  { store, budget }: QueryContext,
  elements: Int32Array,
  metric: string,
): Int32Array {
  const { catalogue } = store
  return elements.map((element) => {
    budget.step()
    const name = catalogue.findName(catalogue.elementTenant(element), metric)
    return catalogue.findSeries(element, name)
  })
}

interface TextsOf {
  readonly field: ElementField
  readonly tag: string | null
  readonly tenant: TenantIndex
}

/** The text of a field of each element; empty if its document has no such value. */
async function textsOf(
  context: QueryContext,
  elements: Int32Array,
  { field, tag, tenant }: TextsOf,
): Promise<string[]> {
  const { budget, nowMs, store } = context
  const statuses =
    field === "lastProcessed" ? await processingStatuses(context, elements, nowMs) : null
  const checks = fieldsWithChecks.includes(field) ? await readElementChecks(context, tenant) : null
  return Array.from(elements, (element: ElementIndex, i) => {
    budget.step()
    // The subject has an id, which takes longer to compute than all else.
    const info = store.catalogue.elementInfo(element)
    if (field === "fqn") return store.catalogue.elementFqn(element)
    if (field === "name" || field === "type" || field === "location") return info[field] ?? ""
    if (field === "attributes") return valueOf(info.attributes, tag!)
    if (field === "tags") return valueOf(effectiveTags(info), tag!)
    const processing = { ...(statuses?.[i] ?? neverProcessed), eventCount: withoutEvents }
    const value = elementFields[field](elementSubject(context, element, { processing, checks }))
    return tag === null ? String(value ?? "") : tagOf(value as Record<string, string>, tag)
  })
}

function valueOf(
  pairs: readonly { readonly name: string; readonly value: string }[],
  wanted: string,
): string {
  return pairs.find(({ name }) => name === wanted)?.value ?? ""
}

/** Numbers if all texts are numbers, so that 9 is before 16; else the positions in the alphabet. */
function textKeys({ budget }: QueryContext, texts: readonly string[]): Float64Array {
  const numbers = Float64Array.from(texts, (text) => (text.trim() === "" ? NaN : Number(text)))
  if (texts.every((text, i) => text === "" || Number.isFinite(numbers[i]!))) return numbers
  const distinct = [...new Set(texts)].filter((text) => text !== "")
  distinct.sort((left, right) => {
    budget.step()
    return left < right ? -1 : 1
  })
  const positions = new Map(distinct.map((text, position) => [text, position]))
  return Float64Array.from(texts, (text) => positions.get(text) ?? NaN)
}
