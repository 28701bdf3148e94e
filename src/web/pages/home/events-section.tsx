/** Events of the last day: a bar for each half hour, and the newest ones, a line for each policy. */

import type { ListedEvent } from "../../api/event/event-answer.ts"
import { groupEvents, type EventGroup } from "../../api/event/event-groups.ts"
import type { EventHistogram, EventPage } from "../../api/events.ts"
import { eventCounts, newestEvents } from "../../api/overview/overview.ts"
import { useApp } from "../../frame/app.ts"
import { useReloadOn } from "../../frame/live/use-live.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { shortTimeText, timeText } from "../../format/times.ts"
import { visibleText } from "../../format/visible-text.ts"
import { LevelHistogram } from "../../parts/level-histogram.tsx"
import { LevelMark } from "../../parts/level-mark.tsx"
import { LoadFailed, Skeleton } from "../../parts/states.tsx"
import { linkWithShared } from "../../url/shared-parameters.ts"
import style from "./home.module.css"
import { text } from "./text.ts"

/** Lines of the list, which fit a window next to the tiles. */
const linesMax = 12

interface EventsSectionProps {
  /** The page has a filter, which calls of events do not take. */
  readonly isFiltered: boolean
}

export function EventsSection({ isFiltered }: EventsSectionProps) {
  const { api, navigation } = useApp()
  const counts = useLoaded("counts", (signal) => eventCounts(api, signal))
  const newest = useLoaded("newest", (signal) => newestEvents(api, signal))
  useReloadOn(["event"], () => {
    newest.reload()
    counts.reload()
  })
  const { value, error, reload } = newest
  return (
    <section class={style["section"]}>
      <h2>
        <a href={linkWithShared("events", navigation.address.value)}>{text.events}</a>
      </h2>
      {isFiltered && <p class="secondary">{text.ofAllElements}</p>}
      {counts.value !== null && <Histogram counts={counts.value} />}
      <LoadFailed
        error={counts.error}
        title={text.histogramFailed}
        retryText={text.retry}
        onRetry={counts.reload}
      />
      <LoadFailed error={error} title={text.loadFailed} retryText={text.retry} onRetry={reload} />
      {value === null && error === null && <Skeleton text={text.loading} rows={4} />}
      {value !== null && <EventLines found={value} />}
    </section>
  )
}

function EventLines({ found: { events, next } }: { readonly found: EventPage }) {
  if (events.length === 0) return <p class="secondary">{text.noEvents}</p>
  const lines = groupEvents(events, next !== null, "title").slice(0, linesMax)
  return (
    <ul class={style["list"]} aria-label={text.events}>
      {lines.map((line) => (
        <Line key={line.key} line={line} />
      ))}
    </ul>
  )
}

function Line({ line: { events, level, isCut } }: { readonly line: EventGroup<ListedEvent> }) {
  const { clock, preferences } = useApp()
  const times = preferences.timeStyle.value
  const [{ timestamp, title, policy, elementFqn, elementName }] = events
  const name = visibleText(title ?? policy?.name ?? "")
  const elements = new Set(events.map((event) => event.elementFqn)).size
  const one = visibleText(elementFqn === "" ? text.everything : elementName)
  const who = elements === 1 ? one : text.elementsOf(elements, isCut)
  return (
    <li class={style["row"]}>
      <LevelMark level={level} word={text.levels[level]} isAlone />
      <span class={style["counted"]} title={name}>
        <bdi class={style["what"]}>{name}</bdi>
        {events.length > 1 && (
          <span class={style["times"]} title={text.timesOf(events.length, isCut)}>
            {text.times(events.length, isCut)}
          </span>
        )}
      </span>
      <span class={style["who"]} title={who} dir="auto">
        {who}
      </span>
      <span class={style["when"]} title={timeText(timestamp, times)}>
        {shortTimeText(timestamp, clock.nowMs(), times)}
      </span>
    </li>
  )
}

function Histogram({ counts: { levels } }: { readonly counts: EventHistogram }) {
  const all = Object.values(levels)
    .flat()
    .reduce((sum, count) => sum + count, 0)
  return (
    <LevelHistogram
      label={text.histogram(all)}
      critical={levels.CRITICAL}
      warning={levels.WARNING}
      info={levels.INFO}
    />
  )
}
