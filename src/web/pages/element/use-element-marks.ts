/** Marks of what happened to an element in the range of the page. */

import { useMemo } from "preact/hooks"
import type { Element } from "../../api/element.ts"
import { eventsAround } from "../../api/events.ts"
import { eventMarks, type EventMark } from "../../chart/marks/event-marks.ts"
import { useApp } from "../../frame/app.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { text } from "./text.ts"

/** Three days of one policy that fires in each cycle; older ones have no marks. */
const eventsMax = 1_000

/** None until they are there, and none if they cannot be read: the charts do without. */
export function useElementMarks({
  element,
  round,
}: {
  readonly element: Element
  readonly round: number
}): readonly EventMark[] {
  const { api, ranges } = useApp()
  const { range } = ranges.current.value
  const { value } = useLoaded(JSON.stringify([element.id, range, round]), (signal) =>
    eventsAround(api, { elementId: element.id, ...range, limit: eventsMax }, signal),
  )
  return useMemo(() => {
    const events = (value ?? []).map(({ timestamp, category, title, policy }) => ({
      timestamp,
      level: category.name,
      title: title ?? policy?.name ?? text.event,
      policyId: policy?.id ?? null,
    }))
    return eventMarks(events, range)
  }, [value, range])
}
