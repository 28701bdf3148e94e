/** Events of the last day: a bar for each half hour, and the newest ones. */

import {
  eventCounts,
  newestEvents,
  type EventCounts,
  type NewestEvents,
} from "../../api/overview.ts"
import { useApp } from "../../frame/app.ts"
import { useReloadOn } from "../../frame/live/use-live.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { shortTimeText, timeText } from "../../format/times.ts"
import { visibleText } from "../../format/visible-text.ts"
import { LevelMark } from "../../parts/level-mark.tsx"
import { Problem, Skeleton } from "../../parts/states.tsx"
import { levelOf } from "./alerts-section.tsx"
import style from "./home.module.css"
import { text } from "./text.ts"

export function EventsSection() {
  const { api } = useApp()
  const counts = useLoaded("counts", (signal) => eventCounts(api, signal))
  const newest = useLoaded("newest", (signal) => newestEvents(api, signal))
  useReloadOn(["event"], () => {
    newest.reload()
    counts.reload()
  })
  const { value, error, reload } = newest
  return (
    <section class={style["section"]}>
      <h2>{text.events}</h2>
      {counts.value !== null && <Histogram counts={counts.value} />}
      {error !== null && (
        <Problem
          title={text.loadFailed}
          sentences={[error.message]}
          retryText={text.retry}
          onRetry={reload}
        />
      )}
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
            <LevelMark
              level={levelOf[category.name]}
              word={text.levels[levelOf[category.name]]}
              isAlone
            />
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

const barHeight = 32
const severities = ["CRITICAL", "WARNING", "INFO"] as const

/** Bars of the levels on top of each other, the worst at the bottom. */
function Histogram({ counts: { levels } }: { readonly counts: EventCounts }) {
  const totals = levels.INFO.map((info, i) => info + levels.WARNING[i]! + levels.CRITICAL[i]!)
  const all = totals.reduce((sum, total) => sum + total, 0)
  const most = totals.reduce((max, total) => Math.max(max, total), 1)
  if (all === 0) return null
  return (
    <svg
      class={style["histogram"]}
      viewBox={`0 0 ${totals.length} ${barHeight}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={text.histogram(all)}
    >
      {totals.map((_, i) => {
        let from = 0
        return severities.map((severity) => {
          const height = (levels[severity][i]! / most) * barHeight
          from += height
          if (height === 0) return null
          return (
            <rect
              key={`${i} ${severity}`}
              class={style[levelOf[severity]]}
              x={i + 0.1}
              y={barHeight - from}
              width={0.8}
              height={height}
            />
          )
        })
      })}
    </svg>
  )
}
