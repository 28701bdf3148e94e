/** The head of an incident: level, policy, element, how long, who works on it, and actions. */

import { durationText, shortTimeText, timeText } from "../../format/times.ts"
import { visibleText } from "../../format/visible-text.ts"
import { useApp } from "../../frame/app.ts"
import { PageHeading } from "../../frame/page-heading.tsx"
import { LevelMark } from "../../parts/level-mark.tsx"
import { closeWords } from "../../parts/level-words.ts"
import { elementAddress } from "../../url/element-address.ts"
import { IncidentActions, type IncidentHeadProps } from "./incident-actions.tsx"
import style from "./incident.module.css"
import { text } from "./text.ts"

export function IncidentHead(props: IncidentHeadProps) {
  const { incident, policy, isElementDeleted } = props
  const { level, policyName, elementFqn, elementName, elementType } = incident
  const name = visibleText(elementName)
  return (
    <header class={style["head"]}>
      <div class={style["titleRow"]}>
        <div class={style["title"]}>
          <LevelMark level={level} word={text.levels[level]} />
          <PageHeading text={visibleText(policyName ?? text.unnamedPolicy)} />
          <span dir="auto">
            {text.on}{" "}
            {isElementDeleted ? (
              name
            ) : (
              <a href={`${elementAddress(elementFqn)}?tab=alerts`}>{name}</a>
            )}{" "}
            <span class="secondary">{visibleText(elementType ?? "")}</span>
          </span>
        </div>
        <IncidentActions {...props} />
      </div>
      <p class={style["facts"]}>
        <Times incident={incident} />
        <Acknowledged incident={incident} />
        <Muted policy={policy} />
      </p>
      {incident.note !== null && (
        <p class={style["note"]}>
          <strong>{text.note}</strong> <span dir="auto">{visibleText(incident.note)}</span>
        </p>
      )}
      {policy?.isDeleted === true && <p class="secondary">{text.policyDeleted}</p>}
      {isElementDeleted && <p class="secondary">{text.elementDeleted}</p>}
    </header>
  )
}

type OfIncident = Pick<IncidentHeadProps, "incident">

function Times({ incident: { tsFirstFired, tsLastFired, tsClosed, closeReason } }: OfIncident) {
  const { clock, preferences } = useApp()
  const times = preferences.timeStyle.value
  const nowMs = clock.nowMs()
  const short = (ms: number) => shortTimeText(ms, nowMs, times)
  const duration = durationText((tsClosed ?? nowMs) - tsFirstFired)
  const fired = `${timeText(tsFirstFired, times, true)} – ${timeText(tsLastFired, times, true)}`
  return (
    <>
      {tsClosed === null ? (
        <strong class={style["open"]}>{text.open(duration)}</strong>
      ) : (
        <span title={timeText(tsClosed, times, true)}>
          {text.closed(short(tsClosed), closeWords(closeReason), duration)}
        </span>
      )}
      <span title={fired}>{text.fired(short(tsFirstFired), short(tsLastFired))}</span>
    </>
  )
}

function Acknowledged({ incident: { acked, ackedBy, ackedAt } }: OfIncident) {
  const { clock, preferences } = useApp()
  if (!acked) return null
  const times = preferences.timeStyle.value
  const when = ackedAt === null ? "" : shortTimeText(ackedAt, clock.nowMs(), times)
  return <span dir="auto">{visibleText(text.acked(ackedBy ?? "", when))}</span>
}

function Muted({ policy }: Pick<IncidentHeadProps, "policy">) {
  const { clock, preferences } = useApp()
  const untilMs = policy?.mutedUntilMs ?? null
  if (untilMs === null) return null
  const until = shortTimeText(untilMs, clock.nowMs(), preferences.timeStyle.value)
  return <span>{text.muted(until)}</span>
}
