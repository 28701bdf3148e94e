/** The samples of one element: as predicted where they are, else as they come. */

import { fqnCharactersMax } from "../../base/limits.ts"
import type { Catalogue } from "../../catalogue/catalogue.ts"
import { cleanFqn } from "../../model/fqn.ts"
import { leftOutSentence } from "../left-out.ts"
import { pushFields } from "../value.ts"
import type { HeadEntry } from "./element-template-cache.ts"
import { unknownSeries } from "./element-template-cache.ts"
import type { MetricSpellings } from "./names.ts"
import type { News } from "./pending-changes.ts"
import { oddReason, oddText } from "./odd.ts"
import { readPredicted } from "./predicted-samples.ts"
import { readSample } from "./sample.ts"
import type { Scan } from "./scan.ts"
import type { Shape } from "./sample-template.ts"
import { matchTemplate } from "./sample-template.ts"
import { closeBracket, comma, skipSpace } from "./skip.ts"

/** What stands for a template before the first sample, and for one that a sample did not have. */
const start = -1
const stranger = -2

export interface SeriesLookup {
  readonly catalogue: Catalogue
  readonly spellings: MetricSpellings
  readonly news: News
}

/** Reads from behind the `[` at `from`; returns the index behind the `]`, or -1. */
export function readSamples(
  scan: Scan,
  entry: HeadEntry,
  from: number,
  lookup: SeriesLookup,
): number {
  const { bytes } = scan
  const { shape } = entry
  scan.samplesBefore = scan.columns.count + scan.leftOut.total
  scan.at = skipSpace(bytes, from)
  if (bytes[scan.at] === closeBracket) return scan.at + 1
  const isWild = shape.isWild()
  scan.before = start
  scan.template = isWild ? -1 : shape.first
  const strangers = readAll(scan, entry, lookup, isWild)
  if (strangers < 0) return -1
  if (!isWild) shape.judge(strangers)
  return bytes[scan.at] === closeBracket ? scan.at + 1 : -1
}

/**
 * Reads from `scan.at` to what is no comma behind a sample; returns how many samples had no
 * template, or -1. Its loop is compiled while it runs, and such code is never given up for a
 * surprise behind the loop (V8 of Node 20): nothing must happen there.
 */
function readAll(scan: Scan, entry: HeadEntry, lookup: SeriesLookup, isWild: boolean): number {
  const { bytes } = scan
  let strangers = 0
  while (scan.inject || isWild || readPredicted(scan, entry.shape, entry.series)) {
    const end = isWild ? readStranger(scan, entry, lookup) : readOne(scan, entry, lookup)
    if (end < 0) return -1
    if (scan.before === stranger) strangers++
    scan.at = bytes[end]! > 32 ? end : skipSpace(bytes, end)
    if (bytes[scan.at] !== comma) return strangers
    scan.at = skipSpace(bytes, scan.at + 1)
  }
  return strangers
}

/** Reads the sample at `scan.at` into the columns; returns the index behind it, or -1. */
function readOne(scan: Scan, entry: HeadEntry, lookup: SeriesLookup): number {
  const { shape } = entry
  const { at, before } = scan
  let { template } = scan
  let end = template < 0 ? -1 : matchTemplate(scan, shape, template, at)
  if (end < 0) {
    const guess = shape.guess(scan, at)
    if (guess >= 0 && guess !== template) end = matchTemplate(scan, shape, guess, at)
    template = guess
  }
  if (end >= 0) {
    if (!push(scan, seriesOfTemplate(entry, template, lookup))) return -1
  } else {
    end = readStranger(scan, entry, lookup)
    if (end < 0) return -1
    if (scan.fields.oddMask !== 0 || scan.isLeftOut) {
      predictPast(scan, shape, template)
      return end
    }
    template = scan.name < 0 ? -1 : shape.templateOf(scan, at, end, scan.name)
  }
  if (template >= 0) predictAfter(shape, before, template)
  scan.before = template < 0 ? stranger : template
  scan.template = template < 0 ? -1 : shape.next[template]!
  return end
}

/** As `readOne`, without a thought of templates. */
function readStranger(scan: Scan, entry: HeadEntry, lookup: SeriesLookup): number {
  const end = readSample(scan, scan.at)
  if (end < 0) return -1
  if (scan.isLeftOut) return leaveOut(scan, entry, lookup) ? end : -1
  scan.name = lookup.spellings.find(scan)
  const known = scan.name < 0 ? -1 : seriesOf(entry, scan.name, lookup.catalogue)
  if (known >= 0) return push(scan, known) ? end : -1
  const fqn = metricFqn(scan)
  return fqn !== undefined && push(scan, lookup.news.series(entry.element, fqn)) ? end : -1
}

/**
 * Counts the sample that was read last as left out; false if the slow path has to refuse it. It
 * makes no series of a metric that is not known.
 */
function leaveOut(scan: Scan, { element, news }: HeadEntry, { catalogue }: SeriesLookup): boolean {
  const metric = metricFqn(scan)
  if (metric === undefined) return false
  const { leftOut, elementIndex, oddField: field } = scan
  const sampleIndex = scan.columns.count + leftOut.total - scan.samplesBefore
  leftOut.add(oddReason(scan), () => {
    const fqn = element < 0 ? news!.fqn : catalogue.elementFqn(element)
    const sent = oddText(scan)
    return leftOutSentence({ elementIndex, element: fqn, metric, sampleIndex, field, sent })
  })
  return true
}

/** The cleaned id of the sample's metric; `undefined` where the slow path has to refuse it. */
function metricFqn({ metricStart, metricEnd, bytes }: Scan): string | undefined {
  const raw = Buffer.from(bytes.buffer, metricStart, metricEnd - metricStart).toString("latin1")
  const fqn = cleanFqn(raw)
  return fqn.length > 0 && fqn.length <= fqnCharactersMax ? fqn : undefined
}

function push(scan: Scan, series: number): boolean {
  return pushFields(scan.columns, series, scan.timeMs[0]!, scan.fields)
}

/** Remembers which template came after which. */
function predictAfter(shape: Shape, before: number, template: number): void {
  if (before === start) shape.first = template
  else if (before >= 0) shape.next[before] = template
}

/**
 * Predicts what follows a sample that gets no template since it holds no observation: what follows
 * the template of its metric, -1 if that has none. Such samples do not make a shape wild.
 */
function predictPast(scan: Scan, shape: Shape, template: number): void {
  if (template >= 0) scan.before = template
  const { before } = scan
  scan.template = before >= 0 ? shape.next[before]! : before === start ? shape.first : -1
}

function seriesOfTemplate(entry: HeadEntry, template: number, lookup: SeriesLookup): number {
  const { series, element, shape } = entry
  if (template < series.length && series[template]! !== unknownSeries) return series[template]!
  const { catalogue, news } = lookup
  const name = shape.names[template]!
  const known = seriesOf(entry, name, catalogue)
  const found = known >= 0 ? known : news.series(element, catalogue.name(name).fqn)
  // A provisional one of a known element does not outlive this body, as its entry does.
  if (known >= 0 || element < 0) remember(entry, template, found)
  return found
}

/** So that the walk of the predicted samples knows it: also for most samples of new elements. */
function remember(entry: HeadEntry, template: number, series: number): void {
  if (template >= entry.series.length) {
    const larger = new Int32Array(entry.shape.next.length).fill(unknownSeries)
    larger.set(entry.series)
    entry.series = larger
  }
  entry.series[template] = series
}

/** Index of a series of the element, or -1. */
function seriesOf({ element }: HeadEntry, name: number, catalogue: Catalogue): number {
  return element < 0 ? -1 : catalogue.findSeries(element, name)
}
