/** Events before an incident, and how often its policy has fired. */

import type { ListedEvent } from "../../api/event/event-answer.ts"
import type { EventGroup } from "../../api/event/event-groups.ts"
import { firingsOf, postedEvents } from "../../api/events.ts"
import { countOfPolicy } from "../../api/incident/incident.ts"
import type { IncidentDetails } from "../../api/incident/incident-answer.ts"
import { shortTimeText, timeText } from "../../format/times.ts"
import { visibleText } from "../../format/visible-text.ts"
import { useApp } from "../../frame/app.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { LevelMark } from "../../parts/level-mark.tsx"
import { Skeleton } from "../../parts/states.tsx"
import { printAddress } from "../../url/address.ts"
import { beforeLines } from "./before-lines.ts"
import { DeliveriesSection } from "./deliveries-section.tsx"
import { FailedPart } from "./failed.tsx"
import { beforeMs } from "./holding.ts"
import style from "./incident.module.css"
import { text } from "./text.ts"

export interface AroundSectionProps {
  readonly incident: IncidentDetails
  /** Since when its conditions hold; null before it is known. */
  readonly sinceMs: number | null
  readonly round: number
}

export function AroundSection(props: AroundSectionProps) {
  return (
    <div class={style["part"]}>
      <BeforeSection {...props} />
      <SameSection {...props} />
      <DeliveriesSection deliveries={props.incident.deliveries} />
    </div>
  )
}

/** Lines beyond are counted: the page of events has them all. */
const shownMax = 20

function BeforeSection({ incident, sinceMs, round }: AroundSectionProps) {
  const { api } = useApp()
  const { elementId, tsFirstFired, policyId } = incident
  // An event of the minute in which the policy fired is one of its causes.
  const endMs = tsFirstFired + 60_000
  const startMs = (sinceMs ?? tsFirstFired) - beforeMs
  const key = sinceMs === null ? null : `${elementId} ${startMs} ${endMs} ${round}`
  const { value, error, reload } = useLoaded(key, async (signal) => {
    const span = { startMs, endMs }
    const [posted, firings] = await Promise.all([
      postedEvents(api, { ...span, elementIds: [elementId] }, signal),
      firingsOf(api, elementId, span, signal),
    ])
    return beforeLines({ posted, firings, policyId })
  })
  const range = { from: String(startMs), to: String(endMs) }
  return (
    <section class={style["section"]}>
      <h2>{text.before}</h2>
      <FailedPart error={error} onRetry={reload} />
      {value === null && error === null && <Skeleton text={text.loading} rows={3} />}
      {value?.length === 0 && <p class="secondary">{text.noBefore}</p>}
      {value !== null && value.length > 0 && (
        <ul class={style["list"]} aria-label={text.before}>
          {value.slice(0, shownMax).map((line) => (
            <LineRow key={line.key} line={line} />
          ))}
        </ul>
      )}
      {value !== null && value.length > shownMax && (
        <p class="secondary">{text.moreBefore(value.length - shownMax)}</p>
      )}
      <p>
        <a href={printAddress(["events"], new URLSearchParams(range))}>{text.allEvents}</a>
      </p>
    </section>
  )
}

function LineRow({ line: { events, level } }: { readonly line: EventGroup<ListedEvent> }) {
  const { clock, preferences } = useApp()
  const [{ timestamp, title, policy, source, elementFqn }] = events
  const times = preferences.timeStyle.value
  const short = (ms: number) => shortTimeText(ms, clock.nowMs(), times)
  const from = elementFqn === "" ? text.everything : visibleText(source ?? "")
  return (
    <li class={style["row"]}>
      <LevelMark level={level} word={text.levels[level]} isAlone />
      <span class="secondary" title={timeText(timestamp, times, true)}>
        {short(timestamp)}
      </span>
      <span dir="auto">
        {visibleText(title ?? policy?.name ?? text.unnamedPolicy)}{" "}
        <span class="secondary">
          {from}{" "}
          {events.length > 1 && text.timesSince(events.length, short(events.at(-1)!.timestamp))}
        </span>
      </span>
    </li>
  )
}

const weekMs = 7 * 86_400_000

function SameSection({ incident, round }: AroundSectionProps) {
  const { api, clock } = useApp()
  const { policyId, policyName } = incident
  const { value, error, reload } = useLoaded(`${policyId} ${round}`, (signal) =>
    countOfPolicy(api, { policyId, fromMs: clock.nowMs() - weekMs }, signal),
  )
  const search = new URLSearchParams({ state: "all", q: policyName ?? "", from: "now-7d" })
  return (
    <section class={style["section"]}>
      <h2>{text.same}</h2>
      <FailedPart error={error} onRetry={reload} />
      {value === null && error === null && <Skeleton text={text.loading} rows={1} />}
      {value !== null && (
        <p>
          {text.times(value)}{" "}
          {policyName !== null && <a href={printAddress(["alerts"], search)}>{text.sameList}</a>}
        </p>
      )}
    </section>
  )
}
