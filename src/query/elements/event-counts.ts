/** How many events elements had in a window, and how bad the worst of them was. */

import { eventsCountedMax } from "../../base/limits/queries.ts"
import type { ElementEvent } from "../../model/records/event.ts"
import { eventLevels } from "../../model/records/event-level.ts"
import type { TenantIndex } from "../../model/ids.ts"
import type { Span } from "../../model/span.ts"
import { keyAfter, timeIndexedKind, timeKeyPrefix } from "../../model/records/time-key.ts"
import type { EventCount } from "../../wire/elements/element-document.ts"
import { categoryDocument } from "../../wire/records/event-document.ts"
import type { QueryContext } from "../core/query-context.ts"

/** Documents read together. */
const pageEvents = 1_000

class EventCounter {
  private readonly byElement = new Map<string, { total: number; level: number }>()

  add({ elementFqn, level }: Pick<ElementEvent, "elementFqn" | "level">): void {
    const known = this.byElement.get(elementFqn) ?? { total: 0, level: 0 }
    known.total++
    known.level = Math.max(known.level, eventLevels.indexOf(level))
    this.byElement.set(elementFqn, known)
  }

  of(elementFqn: string): EventCount {
    const known = this.byElement.get(elementFqn)
    if (known === undefined) return { total: 0, topCategory: null }
    return { total: known.total, topCategory: categoryDocument(eventLevels[known.level]!) }
  }
}

/** Events of a tenant in `span`, the oldest `eventsCountedMax` of them. */
export async function eventCounts(
  { store, budget }: QueryContext,
  tenant: TenantIndex,
  span: Span,
): Promise<EventCounter> {
  const counts = new EventCounter()
  const to = timeKeyPrefix(span.endMs)
  let from = timeKeyPrefix(span.startMs)
  for (let counted = 0; counted < eventsCountedMax; counted += pageEvents) {
    budget.check()
    const page = await store.listDocuments(timeIndexedKind("event", tenant), {
      from,
      to,
      limit: pageEvents,
    })
    for (const { document } of page) counts.add(document as ElementEvent)
    if (page.length < pageEvents) break
    from = keyAfter(page.at(-1)!.id)
  }
  return counts
}
