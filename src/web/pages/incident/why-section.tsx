/** Why a policy fired: what each of its conditions found, as sentences and as charts. */

import type {
  IncidentDetails,
  PolicyCopy,
  PolicyResults,
} from "../../api/incident/incident-answer.ts"
import { conditionText } from "../../format/condition-text.ts"
import { durationText, shortTimeText } from "../../format/times.ts"
import { visibleText } from "../../format/visible-text.ts"
import { useApp } from "../../frame/app.ts"
import { useCode } from "../../frame/code/use-code.ts"
import { LevelMark } from "../../parts/level-mark.tsx"
import { Skeleton } from "../../parts/states.tsx"
import { lazyCode } from "../../platform/code.ts"
import { exploreAddress } from "../element/explore-address.ts"
import { cycleMs } from "./cycle-table.ts"
import { FailedPart } from "./failed.tsx"
import { foundSentence } from "./found-sentence.ts"
import style from "./incident.module.css"
import { text } from "./text.ts"
import type { LatestFinding, SectionProps } from "./use-findings.ts"

export function WhySection({ incident, findings }: SectionProps) {
  const { value, error, reload } = findings.latest
  return (
    <section class={style["section"]}>
      <h2>{text.why}</h2>
      <FailedPart error={error} onRetry={reload} />
      {value === null && error === null && <Skeleton text={text.loading} rows={4} />}
      {value !== null && (
        <>
          <Sentences incident={incident} latest={value} needed={findings.needed} />
          <LateCharts incident={incident} findings={findings} />
        </>
      )}
    </section>
  )
}

const loadCharts = lazyCode(() => import("./condition-charts.tsx"))

/** The charts, 36 kB of scripts that the sentences do not wait for. */
function LateCharts(props: SectionProps) {
  const { value, error, reload } = useCode("charts", loadCharts)
  if (value === null && error === null) return <Skeleton text={text.loading} rows={6} />
  if (value === null) return <FailedPart error={error} onRetry={reload} />
  const { ConditionCharts } = value
  return <ConditionCharts {...props} />
}

interface SentencesProps {
  readonly incident: IncidentDetails
  readonly latest: LatestFinding
  readonly needed: number
}

function Sentences({ incident, latest: { event, element }, needed }: SentencesProps) {
  const { clock, preferences } = useApp()
  if (event?.results == null) return <p class="secondary">{text.noEvent}</p>
  const { policy, results, timestamp } = event
  const isCycle = incident.cause === null || incident.cause === "cycle"
  const time = shortTimeText(timestamp, clock.nowMs(), preferences.timeStyle.value)
  return (
    <>
      <p>{openingOf(incident.cause, policy, needed)}</p>
      <ul class={style["conditions"]}>
        {results.conditions.map((found) => (
          <Condition
            key={found.id}
            incident={incident}
            found={found}
            condition={isCycle ? policy?.conditions[Number(found.id)] : undefined}
            units={element?.units ?? new Map<string, string>()}
          />
        ))}
      </ul>
      {isCycle && <p class="secondary">{text.asOf(time)}</p>}
    </>
  )
}

function openingOf(
  cause: IncidentDetails["cause"],
  policy: PolicyCopy | null,
  needed: number,
): string {
  if (cause === "event") return text.byEvent
  if (cause === "check") return text.byCheck
  const how = policy?.anyCondition === true ? text.whyAny : text.whyAll
  return text.inARow(needed, durationText(needed * cycleMs)) + how
}

interface ConditionProps {
  readonly incident: IncidentDetails
  readonly found: PolicyResults["conditions"][number]
  readonly condition: PolicyCopy["conditions"][number] | undefined
  readonly units: ReadonlyMap<string, string>
}

function Condition({ incident, found, condition, units }: ConditionProps) {
  const numbers = useApp().preferences.numberStyle.value
  const metric = condition?.metric ?? null
  const { elementFqn } = incident
  return (
    <li class={style["condition"]}>
      <LevelMark
        level={found.violating ? incident.level : "ok"}
        word={found.violating ? text.holds : text.not}
        isAlone
      />
      <div>
        {condition !== undefined && (
          <p class={style["words"]}>
            <strong dir="auto">{visibleText(conditionText(condition, units, numbers))}</strong>{" "}
            {metric !== null && <a href={exploreAddress({ metric, elementFqn })}>{text.explore}</a>}
          </p>
        )}
        <p dir="auto" title={visibleText(found.expression)}>
          {visibleText(foundSentence(found, condition, numbers))}
        </p>
      </div>
    </li>
  )
}
