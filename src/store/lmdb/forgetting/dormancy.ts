/**
 * Dormant series: those of an old element without a value for 60 days. They do not count towards
 * the limits, although their values are kept: with the default retentions they are forgotten after
 * five years, and a fleet whose containers come and go would fill its limits with those that went.
 *
 *   each block ─► last seen ─┬─► no value for 60 days ─► the series is dormant
 *                            └─► no series of an element has one ─► the element, too
 *
 * The marks are in memory alone, and each day makes them again. A series that is posted again is
 * taken in any case, and counts again from the next day on.
 */

import { IntColumn, type Catalogue } from "../../../catalogue/catalogue.ts"
import type { ElementIndex, SeriesIndex } from "../../../model/ids.ts"
import { dayMs } from "../../../model/resolution.ts"
import type { Job } from "../compaction/job.ts"
import type { Tables } from "../disk/tables.ts"
import { LastSeenSearch } from "../read/last-seen.ts"
import type { ReaderWorkspace } from "../read/reader-workspace.ts"
import { newestStoredDay } from "./forgetting.ts"
import { visitBlocks, visitElements } from "./visits.ts"

/** The lifetime of metadata without data in the service that this one replaces. */
export const dormantAfterMs = 60 * dayMs

interface DormancyDeps {
  readonly tables: Tables
  readonly catalogue: Catalogue
  readonly workspace: ReaderWorkspace
}

/** Marks what is dormant at `nowMs`, a block or a group of elements a step. */
export function* dormancyJob(deps: DormancyDeps, nowMs: number): Job {
  const { tables, catalogue } = deps
  // Whole days: the presence of a day is one record.
  const startMs = Math.floor((nowMs - dormantAfterMs) / dayMs) * dayMs
  const endMs = Math.max(startMs, newestStoredDay(tables) * dayMs) + dayMs
  const marking = new Marking(deps, { startMs, endMs })
  yield* visitBlocks(catalogue, (block) => marking.visit(block))
  yield* visitElements(catalogue, (element) => {
    marking.finish(element)
    return false
  })
}

class Marking {
  private readonly catalogue: Catalogue
  private readonly startMs: number
  private readonly search: LastSeenSearch
  /** 1 for each element with a series that counts. */
  private readonly awake = new IntColumn()

  constructor(
    { catalogue, workspace }: DormancyDeps,
    span: { readonly startMs: number; readonly endMs: number },
  ) {
    this.catalogue = catalogue
    this.startMs = span.startMs
    this.search = new LastSeenSearch(workspace, { span, onlyWhether: true })
  }

  /** Marks the series of a block. Those of young elements have no mark. */
  visit(block: number): void {
    const { catalogue } = this
    const members = catalogue.partitionSeries(block)
    const isOld = (slot: number) =>
      members[slot]! >= 0 && this.isOld(catalogue.seriesElement(members[slot]!))
    const dormant = new Set([...members.keys()].filter(isOld))
    if (dormant.size === 0) return
    this.search.block(block, [...dormant], (slot) => {
      dormant.delete(slot)
      this.awake.set(catalogue.seriesElement(members[slot]!), 1)
      this.mark(members[slot]!, false)
    })
    for (const slot of dormant) this.mark(members[slot]!, true)
  }

  private mark(series: SeriesIndex, isDormant: boolean): void {
    const { present } = this.catalogue
    present.setSeriesDormant(this.catalogue.seriesElement(series), series, isDormant)
  }

  /** Marks an element once all blocks were visited; one without series is never dormant. */
  finish(element: ElementIndex): void {
    if (!this.isOld(element)) return
    const { catalogue, awake } = this
    const isDormant = awake.get(element) < 0 && catalogue.elementSeries(element).length > 0
    catalogue.present.setElementDormant(element, isDormant)
  }

  /** Values of a new element may be old, and a deleted one does not count anyway. */
  private isOld(element: ElementIndex): boolean {
    const { createdMs, deletedMs } = this.catalogue.elementInfo(element)
    return createdMs < this.startMs && deletedMs === undefined
  }
}
