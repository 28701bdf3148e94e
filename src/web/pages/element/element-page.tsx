/** Element: one element with its level, metrics, alerts and facts. */

import { ApiError } from "../../api/client.ts"
import { readElement } from "../../api/element.ts"
import { elementStatuses } from "../../api/elements.ts"
import { visibleText } from "../../format/visible-text.ts"
import { useApp } from "../../frame/app.ts"
import { useCode } from "../../frame/code/use-code.ts"
import { useRound } from "../../frame/live/use-round.ts"
import { LoadingLine } from "../../frame/loading/loading-line.tsx"
import { BrokenNote } from "../../frame/notes/broken-note.tsx"
import { PageHeading } from "../../frame/page-heading.tsx"
import { usePageState } from "../../frame/page-state.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { LinkButton } from "../../parts/button.tsx"
import { Empty, Skeleton } from "../../parts/states.tsx"
import { Tabs } from "../../parts/tabs.tsx"
import { lazyCode } from "../../platform/code.ts"
import { AlertsTab } from "./alerts/alerts-tab.tsx"
import { DetailsTab } from "./details-tab.tsx"
import { elementParameters, tabNames } from "./element-parameters.ts"
import { ElementHead } from "./element-head.tsx"
import { Failed } from "./failed.tsx"
import style from "./element.module.css"
import { MetricsTab, type MetricTabProps } from "./metrics-tab.tsx"
import { PoliciesTab } from "./alerts/policies-tab.tsx"
import { SummaryTab } from "./summary-tab.tsx"
import { text } from "./text.ts"

interface ElementPageProps {
  /** Named parts of the path. */
  readonly params: Readonly<Record<string, string>>
}

export default function ElementPage({ params }: ElementPageProps) {
  const { api } = useApp()
  const fqn = params["fqn"] ?? ""
  const state = usePageState(elementParameters)
  const { round, reload } = useRound(["cycle", "incident", "check"])
  const loaded = useLoaded(`${fqn} ${round}`, async (signal) => {
    const element = await readElement(api, fqn, signal)
    const statuses = await elementStatuses(api, [element.id], signal)
    return { element, status: statuses.get(element.id) ?? null }
  })
  const { value, error } = loaded
  const isMissing = error instanceof ApiError && error.status === 404
  const shown = value !== null && [value.element.fqn, value.element.id].includes(fqn) ? value : null
  if (isMissing || shown === null) {
    return (
      <>
        <PageHeading text={visibleText(fqn)} />
        <LoadingLine loading={loaded} text={text.loading} />
        {isMissing && (
          <Empty reason={text.missing(visibleText(fqn))}>
            <LinkButton href="inventory">{text.toInventory}</LinkButton>
          </Empty>
        )}
        {error !== null && !isMissing && <Failed error={error} onRetry={reload} />}
        {error === null && <Skeleton text={text.loading} />}
      </>
    )
  }
  const { element, status } = shown
  const { tab } = state.values
  return (
    <div class={style["page"]}>
      <LoadingLine loading={loaded} text={text.loading} />
      <ElementHead
        {...{ element, status, round }}
        alertsAddress={state.addressWith({ tab: "alerts", metric: "" })}
        onChanged={reload}
      />
      <BrokenNote names={state.broken} />
      {error !== null && <Failed error={error} onRetry={reload} />}
      <Tabs
        label={text.tabsLabel}
        tabs={tabNames.map((name) => ({ name, text: text.tabs[name] }))}
        shown={tab}
        onShow={(name) => state.set({ tab: name, metric: "" })}
      >
        {tab === "summary" && <SummaryTab {...{ element, round, state }} />}
        {tab === "metrics" && <MetricsTab {...{ element, round, state }} />}
        {tab === "alerts" && <AlertsTab element={element} round={round} />}
        {tab === "policies" && <PoliciesTab element={element} round={round} />}
        {tab === "relations" && <LateRelations {...{ element, round, state }} />}
        {tab === "details" && <DetailsTab element={element} onChanged={reload} />}
      </Tabs>
    </div>
  )
}

const loadRelations = lazyCode(() => import("./relations/relations-tab.tsx"))

/** The relations, with 16 kB of scripts for their layout. */
function LateRelations(props: MetricTabProps) {
  const { value, error, reload } = useCode("relations", loadRelations)
  if (error !== null) return <Failed error={error} onRetry={reload} />
  if (value === null) return <Skeleton text={text.loading} rows={8} />
  const { RelationsTab } = value
  return <RelationsTab {...props} />
}
