/** Events before an incident, and how often its policy has fired. */

import { eventsAround, type ListedEvent } from "../../api/events.ts"
import { countOfPolicy } from "../../api/incident/incident.ts"
import type { IncidentDetails } from "../../api/incident/incident-answer.ts"
import { shortTimeText, timeText } from "../../format/times.ts"
import { visibleText } from "../../format/visible-text.ts"
import { useApp } from "../../frame/app.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { LevelMark } from "../../parts/level-mark.tsx"
import { Skeleton } from "../../parts/states.tsx"
import { printAddress } from "../../url/address.ts"
import { DeliveriesSection } from "./deliveries-section.tsx"
import { FailedPart } from "./failed.tsx"
import style from "./incident.module.css"
import { text } from "./text.ts"

export interface AroundSectionProps {
  readonly incident: IncidentDetails
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

const beforeMs = 3_600_000
/** Rows beyond are counted: the page of events has them all. */
const shownMax = 8

function BeforeSection({ incident, round }: AroundSectionProps) {
  const { api } = useApp()
  const { elementId, tsFirstFired, policyId } = incident
  // An event of the minute in which the policy fired is one of its causes.
  const endMs = tsFirstFired + 60_000
  const startMs = tsFirstFired - beforeMs
  const key = `${elementId} ${tsFirstFired} ${round}`
  const { value, error, reload } = useLoaded(key, async (signal) => {
    const events = await eventsAround(api, { elementId, startMs, endMs }, signal)
    return events.filter(({ policy }) => policy?.id !== policyId)
  })
  const range = { from: String(startMs), to: String(endMs) }
  return (
    <section class={style["section"]}>
      <h2>{text.before}</h2>
      <FailedPart error={error} onRetry={reload} />
      {value === null && error === null && <Skeleton text={text.loading} rows={3} />}
      {value?.length === 0 && <p class="secondary">{text.noBefore}</p>}
      {value !== null && value.length > 0 && (
        <ul class={style["list"]}>
          {value.slice(0, shownMax).map((event) => (
            <EventRow key={event.id} event={event} />
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

function EventRow({ event }: { readonly event: ListedEvent }) {
  const { clock, preferences } = useApp()
  const { timestamp, category, title, policy, source, elementFqn } = event
  const times = preferences.timeStyle.value
  const from = elementFqn === "" ? text.everything : visibleText(source ?? "")
  return (
    <li class={style["row"]}>
      <LevelMark level={category.name} word={text.levels[category.name]} isAlone />
      <span class="secondary" title={timeText(timestamp, times, true)}>
        {shortTimeText(timestamp, clock.nowMs(), times)}
      </span>
      <span dir="auto">
        {visibleText(title ?? policy?.name ?? text.unnamedPolicy)}{" "}
        <span class="secondary">{from}</span>
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
  const search = new URLSearchParams({ state: "all", q: policyName ?? "" })
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
