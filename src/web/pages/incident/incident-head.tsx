/** The head of an incident: level, policy, element, how long, who works on it, and actions. */

import type { FormerIncident } from "../../api/incident/incident-answer.ts"
import { durationText, shortTimeText, timeText } from "../../format/times.ts"
import { visibleText } from "../../format/visible-text.ts"
import { useApp } from "../../frame/app.ts"
import { PageHeading } from "../../frame/page-heading.tsx"
import { LevelMark } from "../../parts/level-mark.tsx"
import { closeWords } from "../../parts/level-words.ts"
import { elementAddress } from "../../url/element-address.ts"
import { incidentAddress } from "../../url/incident-address.ts"
import { isReopened, type Holding } from "./holding.ts"
import { IncidentActions, type IncidentHeadProps } from "./incident-actions.tsx"
import style from "./incident.module.css"
import { text } from "./text.ts"

interface HeadProps extends IncidentHeadProps {
  /** Null before it is known, and if there is none. */
  readonly former: FormerIncident | null
  /** Null before it is known. */
  readonly holding: Holding | null
}

export function IncidentHead({ former, holding, ...props }: HeadProps) {
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
        <Held {...{ incident, former, holding }} />
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

/** Before it first fired: for as long as the policy needs, or as an alert that was closed. */
function Held({ incident, former, holding }: Pick<HeadProps, "incident" | "former" | "holding">) {
  const { clock, preferences } = useApp()
  const times = preferences.timeStyle.value
  const short = (ms: number) => shortTimeText(ms, clock.nowMs(), times)
  const { tsFirstFired, tsClosed } = incident
  if (holding === null || holding.ms >= tsFirstFired) return null
  const { ms, isBefore } = holding
  return (
    <>
      <span title={timeText(ms, times)}>
        {text.heldSince(tsClosed === null, isBefore, short(ms))}
      </span>
      {former !== null && former.tsClosed !== null && isReopened(former, holding) && (
        <a href={incidentAddress(former.incidentId)}>
          {text.reopened(
            short(former.tsFirstFired),
            short(former.tsClosed),
            closeWords(former.closeReason),
          )}
        </a>
      )}
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
