/** The events that are loaded, and the button that loads older ones. */

import type { ListedEvent } from "../../api/event/event-answer.ts"
import type { EventsBy } from "../../api/event/event-groups.ts"
import { Button } from "../../parts/button.tsx"
import { EventList } from "./event-list.tsx"
import style from "./events.module.css"
import { text } from "./text.ts"
import type { Events } from "./use-events.ts"

/** Rows that are drawn at most: more slow the page down. */
const shownMax = 2_000

interface PagedEventsProps {
  readonly found: Pick<Events, "hasOlder" | "showOlder"> & {
    readonly events: readonly ListedEvent[]
  }
  readonly by: EventsBy
}

export function PagedEvents({ found: { events, hasOlder, showOlder }, by }: PagedEventsProps) {
  const shown = events.slice(0, shownMax)
  return (
    <>
      <EventList events={shown} hasOlder={hasOlder || events.length > shownMax} by={by} />
      <Older shown={events.length} showOlder={showOlder} />
    </>
  )
}

interface OlderProps {
  readonly shown: number
  readonly showOlder: (() => void) | null
}

function Older({ shown, showOlder }: OlderProps) {
  if (shown >= shownMax) return <p class="secondary">{text.tooMany(shownMax)}</p>
  if (showOlder === null) return null
  return (
    <div class={style["older"]}>
      <Button onClick={showOlder}>{text.older}</Button>
    </div>
  )
}
