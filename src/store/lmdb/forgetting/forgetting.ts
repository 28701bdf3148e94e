/**
 * Forgetting: series without a value in any retained resolution are removed from the catalogue, so
 * that limits, memory and the tables follow what is present. It is a part of retention, before the
 * oldest days are removed, which tell what had a value:
 *
 *   each block ─► last seen ─┬─► value only in dropped days ─► the series is forgotten
 *                            └─► no series of an element has a value ─► the element, with all its
 *                                                                       series, sampled or not
 *
 * A metric that is declared and never sampled stays as long as its element. An element that has no
 * value counts from its first post, so that a new one is not forgotten.
 */

import { pushAll } from "../../../base/iterables.ts"
import { IntColumn, type Catalogue, type UnusedNumbers } from "../../../catalogue/catalogue.ts"
import type { ElementIndex, SeriesIndex } from "../../../model/ids.ts"
import { dayMs, resolutions } from "../../../model/resolution.ts"
import type { Span } from "../../../model/span.ts"
import type { Job } from "../compaction/job.ts"
import { readWatermarks, type RetentionWatermarks } from "../disk/retention-watermarks.ts"
import { indexKey, keyToPeriod, newestDay, type Tables } from "../disk/tables.ts"
import { LastSeenSearch } from "../read/last-seen.ts"
import type { ReaderWorkspace } from "../read/reader-workspace.ts"
import { elementsPerGroup, type ForgetGroup } from "./forget-group.ts"
import { visitBlocks, visitElements } from "./visits.ts"

export interface ForgettingDeps {
  readonly tables: Tables
  readonly catalogue: Catalogue
  readonly workspace: ReaderWorkspace
  /** Forgets what of a group still has no value, in one transaction. */
  readonly forget: (group: ForgetGroup) => void
  /** Forgets names and definitions that no series uses, likewise. */
  readonly forgetUnused: (unused: UnusedNumbers) => void
}

/** Forgets what has lost its last value, a block or a group of elements a step. */
export function* forgettingJob(deps: ForgettingDeps): Job {
  const { tables, catalogue } = deps
  const days = retainedDays(tables)
  if (days === null) return
  const silence = new Silence(deps, days)
  // A series that is new meanwhile is not silent.
  yield* visitBlocks(catalogue, (block) => silence.visit(block))
  let group: ForgetGroup = { elements: [], series: [] }
  const lost = seriesByElement(catalogue, silence.lost)
  yield* visitElements(catalogue, (element) => {
    if (silence.isSilent(element)) group.elements.push(element)
    else pushAll(group.series, lost.get(element) ?? [])
    if (group.elements.length + group.series.length < elementsPerGroup) return false
    deps.forget(group)
    group = { elements: [], series: [] }
    return true
  })
  deps.forget(group)
  yield
  const { names, definitions } = catalogue.unused()
  if (names.length + definitions.length > 0) deps.forgetUnused({ names, definitions })
}

function seriesByElement(
  catalogue: Catalogue,
  series: readonly SeriesIndex[],
): Map<ElementIndex, SeriesIndex[]> {
  const byElement = new Map<ElementIndex, SeriesIndex[]>()
  for (const one of series) {
    const element = catalogue.seriesElement(one)
    const known = byElement.get(element)
    if (known === undefined) byElement.set(element, [one])
    else known.push(one)
  }
  return byElement
}

/** The days whose values are retained, and those that are about to be dropped. */
interface RetainedDays {
  readonly first: number
  /** Watermarks by which the dropped days are still read. */
  readonly before: RetentionWatermarks
  readonly dropped: Span
  readonly retained: Span
  /** Blocks with values in dropped days. */
  readonly blocks: ReadonlySet<number>
}

/** Null if nothing can be silent: no day was dropped, or something outlives the values of days. */
function retainedDays(tables: Tables): RetainedDays | null {
  const watermarks = readWatermarks(tables)
  const first = watermarks.PT24H
  if (first === 0 || resolutions.some((each) => watermarks[each] < first)) return null
  const blocks = new Set<number>()
  let oldest = first
  for (const key of tables.days.getKeys({ end: indexKey(first) })) {
    const { period, block } = keyToPeriod(key)
    blocks.add(block)
    oldest = Math.min(oldest, period)
  }
  return {
    first,
    before: { ...watermarks, PT24H: oldest },
    dropped: { startMs: oldest * dayMs, endMs: first * dayMs },
    retained: { startMs: first * dayMs, endMs: (newestStoredDay(tables) + 1) * dayMs },
    blocks,
  }
}

/** The newest day with a value, whatever the clock says. */
export function newestStoredDay({ openDays, days }: Tables): number {
  return Math.max(newestDay(openDays), newestDay(days))
}

/** Collects which series and elements have no value. */
class Silence {
  /** Series whose last value is in dropped days. */
  readonly lost: SeriesIndex[] = []
  private readonly deps: ForgettingDeps
  private readonly days: RetainedDays
  private readonly retained: LastSeenSearch
  private readonly dropped: LastSeenSearch
  /** 1 for each element with a value. */
  private readonly heard = new IntColumn()

  constructor(deps: ForgettingDeps, days: RetainedDays) {
    const { workspace } = deps
    this.deps = deps
    this.days = days
    this.retained = new LastSeenSearch(workspace, { span: days.retained, onlyWhether: true })
    const { dropped: span, before } = days
    this.dropped = new LastSeenSearch(workspace, { span, onlyWhether: true }, before)
  }

  /** Looks for values of a block's series, if some may have lost theirs. */
  visit(block: number): void {
    const { catalogue } = this.deps
    const hasDropped = this.days.blocks.has(block)
    const members = catalogue.partitionSeries(block)
    const slots = [...members.keys()].filter((slot) => members[slot]! >= 0)
    const isOld = (slot: number) => this.isOld(catalogue.seriesElement(members[slot]!))
    if (!hasDropped && !slots.some(isOld)) return
    const silent = new Set(slots)
    this.retained.block(block, slots, (slot) => {
      silent.delete(slot)
      this.heard.set(catalogue.seriesElement(members[slot]!), 1)
    })
    if (!hasDropped) return
    this.dropped.block(block, [...silent], (slot) => this.lost.push(members[slot]!))
  }

  isSilent(element: ElementIndex): boolean {
    return this.isOld(element) && this.heard.get(element) < 0
  }

  /** True if the element was posted first before all that is retained. */
  private isOld(element: ElementIndex): boolean {
    return this.deps.catalogue.elementInfo(element).createdMs < this.days.first * dayMs
  }
}
