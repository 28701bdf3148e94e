/** Events of the last day: a bar for each half hour, and the newest ones. */

import type { EventHistogram } from "../../api/events.ts"
import { eventCounts, newestEvents, type NewestEvents } from "../../api/overview/overview.ts"
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
      {value !== null && <EventList found={value} />}
    </section>
  )
}

function EventList({ found: { events } }: { readonly found: NewestEvents }) {
  const { clock, preferences } = useApp()
  const times = preferences.timeStyle.value
  if (events.length === 0) return <p class="secondary">{text.noEvents}</p>
  const nowMs = clock.nowMs()
  return (
    <ul class={style["list"]}>
      {events.map(({ id, timestamp, category, title, policy, elementName }) => {
        const timeMs = Date.parse(timestamp)
        return (
          <li key={id} class={style["row"]}>
            <LevelMark level={category.name} word={text.levels[category.name]} isAlone />
            <span class={style["what"]} dir="auto">
              {visibleText(title ?? policy?.name ?? "")}
            </span>
            <span class={style["who"]} dir="auto">
              {visibleText(elementName === "" ? text.everything : elementName)}
            </span>
            <span class={style["when"]} title={timeText(timeMs, times)}>
              {shortTimeText(timeMs, nowMs, times)}
            </span>
          </li>
        )
      })}
    </ul>
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
