/** Event search: reads the events of a window page by page, and lists or counts those that match. */

import { assert } from "../../base/assert.ts"
import { invalid } from "../../base/errors.ts"
import { pushAll } from "../../base/iterables.ts"
import { countedRecordsMax } from "../../base/limits/records.ts"
import { eventsPerAnswerMax } from "../../base/limits/queries.ts"
import type { TenantIndex } from "../../model/ids.ts"
import type { ElementEvent, EventElement } from "../../model/records/event.ts"
import { visitCounted, type ReadBounds } from "../core/read-bounds.ts"
import type { TimeIndexedRecords } from "../core/time-indexed-records.ts"
import { asksForElement, matchesElement, matchesEvent } from "./event-filter.ts"
import type { EventFilter, EventPage } from "./event-filter.ts"
import { LevelCounts, type LevelHistogram } from "./level-counts.ts"

/** Looks up elements by FQN; unknown ones are absent from the result. */
export type EventElementLookup = (
  elementFqns: readonly string[],
) => Promise<ReadonlyMap<string, EventElement>>

/** An event with its element; null if the element is unknown. */
export interface EventWithElement {
  readonly event: ElementEvent
  readonly element: EventElement | null
}

export interface FoundEvents {
  readonly events: readonly EventWithElement[]
  /** Null if it was not asked for. */
  readonly total: number | null
  /** True if there are more events than are looked at: the total is at least that. */
  readonly isPartial: boolean
  /** The last event that was looked at if the time was over before the end; otherwise null. */
  readonly stoppedAt: ElementEvent | null
}

interface SearchOptions {
  readonly tenant: TenantIndex
  readonly filter: EventFilter
  readonly lookUpElements: EventElementLookup
  readonly bounds: ReadBounds
}

export class EventSearch {
  private readonly records: TimeIndexedRecords<ElementEvent>
  private readonly options: SearchOptions
  private readonly elements: CachedElements

  constructor(records: TimeIndexedRecords<ElementEvent>, options: SearchOptions) {
    this.records = records
    this.options = options
    this.elements = new CachedElements(options.lookUpElements)
  }

  /** Throws `invalid` if there are more than `eventsPerAnswerMax` and `page` has no limit. */
  async find(page: EventPage): Promise<FoundEvents> {
    const { limit, needsTotal } = page
    const roomFor = limit ?? eventsPerAnswerMax
    const events: ElementEvent[] = []
    let [total, seen] = [0, 0]
    let stoppedAt: ElementEvent | null = null
    for await (const read of this.pages(page)) {
      seen += read.length
      const matching = await this.matching(read)
      total += matching.length
      pushAll(events, matching.slice(0, roomFor - events.length))
      if (limit === null && total > eventsPerAnswerMax) throw tooMany()
      if (!needsTotal && total >= roomFor && limit !== null) break
      if (needsTotal && seen >= countedRecordsMax && events.length >= roomFor) break
      if (!this.options.bounds.isOver()) continue
      stoppedAt = read.at(-1)!
      break
    }
    assert(events.length <= roomFor, "Expected no more events than asked for")
    const isPartial = stoppedAt !== null || (needsTotal && seen >= countedRecordsMax)
    const known = await this.elements.of(events)
    return { events: known, total: needsTotal ? total : null, isPartial, stoppedAt }
  }

  async histogram(parts: number): Promise<LevelHistogram> {
    const counts = new LevelCounts(this.options.filter.span, parts)
    const pages = this.pages(newestFirst)
    const isPartial = await visitCounted(pages, this.options.bounds, async (read) => {
      for (const { timeMs, level } of await this.matching(read)) counts.add(timeMs, level)
    })
    return counts.histogram(isPartial)
  }

  private pages({ isNewestFirst, before }: Pick<EventPage, "isNewestFirst" | "before">) {
    const { tenant, filter } = this.options
    assert(isNewestFirst || before === null, "Expected a cursor of the newest first")
    if (isNewestFirst) return this.records.pagesBack(tenant, filter.span, before)
    return this.records.pages(tenant, filter.span)
  }

  private async matching(page: readonly ElementEvent[]): Promise<ElementEvent[]> {
    const { filter } = this.options
    const passing = page.filter((event) => matchesEvent(event, filter))
    if (!asksForElement(filter)) return passing
    const known = await this.elements.of(passing)
    return known
      .filter(({ event, element }) => matchesElement(event, element, filter))
      .map(({ event }) => event)
  }
}

const newestFirst = { isNewestFirst: true, before: null }

function tooMany() {
  return invalid(
    `The answer would hold more than ${eventsPerAnswerMax} events: ask for a shorter window, ` +
      "for fewer elements, or with a limit",
  )
}

/** Looks up each element once per query. */
export class CachedElements {
  private readonly known = new Map<string, EventElement | null>()
  private readonly factsOf: EventElementLookup

  constructor(factsOf: EventElementLookup) {
    this.factsOf = factsOf
  }

  async of(events: readonly ElementEvent[]): Promise<EventWithElement[]> {
    const unasked = events
      .filter(({ element, elementFqn }) => element === null && !this.known.has(elementFqn))
      .map(({ elementFqn }) => elementFqn)
    await this.load([...new Set(unasked)])
    return events.map((event) => {
      return { event, element: event.element ?? this.known.get(event.elementFqn) ?? null }
    })
  }

  private async load(elementFqns: readonly string[]): Promise<void> {
    if (elementFqns.length === 0) return
    const facts = await this.factsOf(elementFqns)
    for (const fqn of elementFqns) this.known.set(fqn, facts.get(fqn) ?? null)
  }
}
