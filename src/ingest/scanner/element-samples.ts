/** The samples of one element: in predicted order as long as possible, otherwise one by one. */

import { fqnCharactersMax } from "../../base/limits.ts"
import type { Catalogue } from "../../catalogue/catalogue.ts"
import type { SeriesIndex } from "../../model/ids.ts"
import { cleanFqn } from "../../model/fqn.ts"
import { leftOutSentence } from "../left-out.ts"
import { pushFields } from "../value.ts"
import type { ElementTemplate } from "./element-template-cache.ts"
import { unknownSeries } from "./element-template-cache.ts"
import type { MetricIdCache } from "./metric-id-cache.ts"
import type { PendingChanges } from "./pending-changes.ts"
import { unusableReason, unusableText } from "./unusable-value.ts"
import { readPredictedSamples } from "./predicted-samples.ts"
import { readSample } from "./general-sample.ts"
import type { ScanState } from "./scan-state.ts"
import type { SampleTemplates } from "./sample-templates.ts"
import { matchTemplate } from "./sample-templates.ts"
import { closeBracket, comma, skipSpace } from "./skip.ts"

/** Values of `previousTemplate` before the first sample, and after a sample without a template. */
const start = -1
const withoutTemplate = -2

export interface SeriesLookup {
  readonly catalogue: Catalogue
  readonly metricIds: MetricIdCache
  readonly pendingChanges: PendingChanges
}

/** Reads samples from `from`, the index after the `[`; returns the index after the `]`, or -1. */
export function readSamples(
  scan: ScanState,
  entry: ElementTemplate,
  from: number,
  lookup: SeriesLookup,
): number {
  const { bytes } = scan
  const { sampleTemplates } = entry
  scan.samplesBefore = scan.columns.count + scan.leftOut.total
  scan.at = skipSpace(bytes, from)
  if (bytes[scan.at] === closeBracket) return scan.at + 1
  const isChurning = sampleTemplates.isChurning()
  scan.previousTemplate = start
  scan.template = isChurning ? -1 : sampleTemplates.first
  const unmatched = readAll(scan, entry, lookup, isChurning)
  if (unmatched < 0) return -1
  if (!isChurning) sampleTemplates.noteUnmatched(unmatched)
  return bytes[scan.at] === closeBracket ? scan.at + 1 : -1
}

/**
 * Reads from `scan.at` until no comma follows a sample; returns the number of samples without a
 * template, or -1. The loop is optimised while it runs (on-stack replacement), and V8 of Node 20
 * never discards such code after a deoptimisation behind the loop: so no code follows it.
 */
function readAll(
  scan: ScanState,
  entry: ElementTemplate,
  lookup: SeriesLookup,
  isChurning: boolean,
): number {
  const { bytes } = scan
  let unmatched = 0
  while (
    scan.injectTimestamp ||
    isChurning ||
    readPredictedSamples(scan, entry.sampleTemplates, entry.series)
  ) {
    const end = isChurning
      ? readGeneral(scan, entry, lookup)
      : readWithTemplates(scan, entry, lookup)
    if (end < 0) return -1
    if (scan.previousTemplate === withoutTemplate) unmatched++
    scan.at = bytes[end]! > 32 ? end : skipSpace(bytes, end)
    if (bytes[scan.at] !== comma) return unmatched
    scan.at = skipSpace(bytes, scan.at + 1)
  }
  return unmatched
}

/** Reads the sample at `scan.at` into the columns; returns the index after it, or -1. */
function readWithTemplates(scan: ScanState, entry: ElementTemplate, lookup: SeriesLookup): number {
  const { sampleTemplates } = entry
  const { at, previousTemplate } = scan
  let { template } = scan
  let end = template < 0 ? -1 : matchTemplate(scan, sampleTemplates, template, at)
  if (end < 0) {
    const guess = sampleTemplates.guessByMetricId(scan, at)
    if (guess >= 0 && guess !== template) end = matchTemplate(scan, sampleTemplates, guess, at)
    template = guess
  }
  if (end >= 0) {
    if (!push(scan, seriesOfTemplate(entry, template, lookup))) return -1
  } else {
    end = readGeneral(scan, entry, lookup)
    if (end < 0) return -1
    if (scan.fields.unusableMask !== 0 || scan.isLeftOut) {
      predictPastLeftOut(scan, sampleTemplates, template)
      return end
    }
    template = scan.metricName < 0 ? -1 : sampleTemplates.templateOf(scan, at, end, scan.metricName)
  }
  if (template >= 0) predictAfter(sampleTemplates, previousTemplate, template)
  scan.previousTemplate = template < 0 ? withoutTemplate : template
  scan.template = template < 0 ? -1 : sampleTemplates.next[template]!
  return end
}

/** As `readWithTemplates`, without using templates. */
function readGeneral(scan: ScanState, entry: ElementTemplate, lookup: SeriesLookup): number {
  const end = readSample(scan, scan.at)
  if (end < 0) return -1
  if (scan.isLeftOut) return leaveOut(scan, entry, lookup) ? end : -1
  scan.metricName = lookup.metricIds.find(scan)
  const known = scan.metricName < 0 ? -1 : seriesOf(entry, scan.metricName, lookup.catalogue)
  if (known >= 0) return push(scan, known) ? end : -1
  const fqn = metricFqn(scan)
  return fqn !== undefined && push(scan, lookup.pendingChanges.series(entry.element, fqn))
    ? end
    : -1
}

/**
 * Counts the last sample as left out; false if the reference parser has to refuse it. It does not
 * create a series for an unknown metric.
 */
function leaveOut(
  scan: ScanState,
  { element, changes }: ElementTemplate,
  { catalogue }: SeriesLookup,
): boolean {
  const metric = metricFqn(scan)
  if (metric === undefined) return false
  const { leftOut, elementIndex, unusableField: field } = scan
  const sampleIndex = scan.columns.count + leftOut.total - scan.samplesBefore
  leftOut.add(unusableReason(scan), () => {
    const fqn = element < 0 ? changes!.fqn : catalogue.elementFqn(element)
    const sent = unusableText(scan)
    return leftOutSentence({ elementIndex, element: fqn, metric, sampleIndex, field, sent })
  })
  return true
}

/** The cleaned id of the sample's metric; `undefined` if the reference parser has to refuse it. */
function metricFqn({ metricStart, metricEnd, bytes }: ScanState): string | undefined {
  const raw = Buffer.from(bytes.buffer, metricStart, metricEnd - metricStart).toString("latin1")
  const fqn = cleanFqn(raw)
  return fqn.length > 0 && fqn.length <= fqnCharactersMax ? fqn : undefined
}

function push(scan: ScanState, series: SeriesIndex): boolean {
  return pushFields(scan.columns, series, scan.timeMs[0]!, scan.fields)
}

/** Records which template followed which. */
function predictAfter(templates: SampleTemplates, before: number, template: number): void {
  if (before === start) templates.first = template
  else if (before >= 0) templates.next[before] = template
}

/**
 * Predicts the sample after one that was left out and gets no template: the successor of its
 * metric's template, -1 if there is none. Such samples do not count as churn.
 */
function predictPastLeftOut(scan: ScanState, templates: SampleTemplates, template: number): void {
  if (template >= 0) scan.previousTemplate = template
  const { previousTemplate } = scan
  scan.template =
    previousTemplate >= 0
      ? templates.next[previousTemplate]!
      : previousTemplate === start
        ? templates.first
        : -1
}

function seriesOfTemplate(entry: ElementTemplate, template: number, lookup: SeriesLookup): number {
  const { series, element, sampleTemplates } = entry
  if (template < series.length && series[template]! !== unknownSeries) return series[template]!
  const { catalogue, pendingChanges } = lookup
  const name = sampleTemplates.names[template]!
  const known = seriesOf(entry, name, catalogue)
  const found = known >= 0 ? known : pendingChanges.series(element, catalogue.name(name).fqn)
  // A provisional series of a known element is valid for this body only; the cache entry lives
  // longer.
  if (known >= 0 || element < 0) cacheSeries(entry, template, found)
  return found
}

/** Caches the series for `readPredictedSamples`: useful also for most samples of new elements. */
function cacheSeries(entry: ElementTemplate, template: number, series: SeriesIndex): void {
  if (template >= entry.series.length) {
    const larger = new Int32Array(entry.sampleTemplates.next.length).fill(unknownSeries)
    larger.set(entry.series)
    entry.series = larger
  }
  entry.series[template] = series
}

/** Index of a series of the element, or -1. */
function seriesOf({ element }: ElementTemplate, name: number, catalogue: Catalogue): number {
  return element < 0 ? -1 : catalogue.findSeries(element, name)
}
