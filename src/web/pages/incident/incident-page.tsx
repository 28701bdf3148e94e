/** Incident: why an alert fired, cycle by cycle, what was before it, and what can be done. */

import { useState } from "preact/hooks"
import { ApiError } from "../../api/client.ts"
import { formerIncident, policyState, readIncident } from "../../api/incident/incident.ts"
import type { IncidentDetails } from "../../api/incident/incident-answer.ts"
import { useApp } from "../../frame/app.ts"
import { useReloadOn } from "../../frame/live/use-live.ts"
import { LoadingLine } from "../../frame/loading/loading-line.tsx"
import { PageHeading } from "../../frame/page-heading.tsx"
import { useHotkeys } from "../../frame/use-hotkeys.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { LinkButton } from "../../parts/button.tsx"
import { Empty, Skeleton } from "../../parts/states.tsx"
import { AroundSection } from "./around-section.tsx"
import { CycleSection } from "./cycle-section.tsx"
import { FailedPart } from "./failed.tsx"
import { IncidentHead } from "./incident-head.tsx"
import style from "./incident.module.css"
import { text } from "./text.ts"
import { useFindings } from "./use-findings.ts"
import { WhySection } from "./why-section.tsx"

interface IncidentPageProps {
  /** Named parts of the path. */
  readonly params: Readonly<Record<string, string>>
}

export default function IncidentPage({ params }: IncidentPageProps) {
  const { api } = useApp()
  const id = (params["id"] ?? "").toLowerCase()
  const [round, setRound] = useState(0)
  const reload = (): void => setRound((count) => count + 1)
  useHotkeys([{ keys: "r", text: text.refetch, group: "page", run: reload }])
  useReloadOn(["cycle", "incident"], reload)
  const loaded = useLoaded(`${id} ${round}`, (signal) => readIncident(api, id, signal))
  const { value, error } = loaded
  // An address that is no id is one of no incident.
  const isMissing = error instanceof ApiError && [400, 404].includes(error.status)
  const shown = value?.incidentId === id ? value : null
  if (isMissing || shown === null) {
    return (
      <>
        <PageHeading text={text.alert} />
        <LoadingLine loading={loaded} text={text.loading} />
        {isMissing && (
          <Empty reason={text.missing}>
            <LinkButton href="alerts">{text.toAlerts}</LinkButton>
          </Empty>
        )}
        {!isMissing && <FailedPart error={error} onRetry={reload} />}
        {error === null && <Skeleton text={text.loading} />}
      </>
    )
  }
  return (
    <div class={style["page"]}>
      <LoadingLine loading={loaded} text={text.loading} />
      <FailedPart error={error} onRetry={reload} />
      <Parts incident={shown} round={round} onChanged={reload} />
    </div>
  )
}

interface PartsProps {
  readonly incident: IncidentDetails
  readonly round: number
  readonly onChanged: () => void
}

/** Each loads by itself: what fails in one leaves the others. */
function Parts({ incident, round, onChanged }: PartsProps) {
  const { api } = useApp()
  const findings = useFindings(incident, round)
  const policy = useLoaded(`${incident.policyId} ${round}`, (signal) =>
    policyState(api, incident.policyId, signal),
  )
  const former = useLoaded(`${incident.incidentId} ${round}`, (signal) =>
    formerIncident(api, incident, signal),
  )
  return (
    <>
      <IncidentHead
        incident={incident}
        policy={policy.value}
        former={former.value}
        holding={findings.cycles.value?.holding ?? null}
        isElementDeleted={findings.isElementDeleted}
        onChanged={onChanged}
      />
      <FailedPart error={policy.error} onRetry={policy.reload} />
      <FailedPart error={former.error} onRetry={former.reload} />
      <div class={style["columns"]}>
        <div class={style["part"]}>
          <WhySection incident={incident} findings={findings} />
          <CycleSection incident={incident} findings={findings} />
        </div>
        <AroundSection incident={incident} sinceMs={findings.sinceMs} round={round} />
      </div>
    </>
  )
}
